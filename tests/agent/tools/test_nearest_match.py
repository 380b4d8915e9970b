"""What is almost what was looked for is found, and nobody waits long for it."""

from assent.agent.tools.nearest_match import nearest
from steps import steps_of
from tables import each_row


@each_row(
    ("text", "wanted", "found"),
    [
        ("a\nb\nc\n", "b\nx\n", (2, "b")),
        ("a\n  b\na\n\n  c\n", "a\nc", (3, "a")),
        ("one\n  two words\n", "two word", (2, "  two words")),
        ("one\ntwo wards\ntwo words\n", "two wordy", (3, "two words")),
        ("one\n", "other", None),
        ("one\n", "\n \n", None),
        ("", "x", None),
    ],
)
def test_the_nearest_line_is_found(text: str, wanted: str, found: tuple[int, str] | None) -> None:
    assert nearest(text, wanted) == found


@each_row(
    ("text", "wanted"),
    [
        ("a\n" * 20_000, "a\n" * 20_000 + "z"),
        ("a\n\n" * 10_000, "a\n" * 20_000 + "z"),
        ("".join(f"{'ab' * 80}{at}\n" for at in range(20_000)), "ba" * 80),
        ("a\n" + "\n" * 20_000 + "a\n", "a\nb"),
        ("x" * 4_000_000, "x" * 3_999_999 + "y"),
    ],
    ids=["equal", "with blanks", "alike", "far apart", "one line"],
)
def test_it_takes_no_longer_than_this(text: str, wanted: str) -> None:
    assert steps_of(lambda: nearest(text, wanted)) < 2_500_000
