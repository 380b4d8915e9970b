"""What nobody sees hides; what only says how a sign is drawn is seen with it."""

from assent.gate.text.invisible_characters import drawn, hides
from tables import each_row


@each_row(
    "text",
    [
        *("⚠\ufe0f", "✔\ufe0f ok", "❤\ufe0f", "⚡\ufe0f", "ℹ\ufe0f", "▶\ufe0f", "☁\ufe0e"),
        *("©\ufe0f", "‼\ufe0f", "↔\ufe0f", "⤴\ufe0f", "◼\ufe0f", "1\ufe0f\u20e3", "#\ufe0f\u20e3"),
        *("👩\u200d💻", "👩🏽\u200d💻", "🏳\ufe0f\u200d🌈", "❤\ufe0f\u200d🔥", "🙂\u200d↔\ufe0f"),
        *("👩\u200d❤\ufe0f\u200d💋\u200d👨", "🧑🏻\u200d🤝\u200d🧑🏿"),
    ],
)
def test_a_picture_of_several_characters_is_one_sign(text: str) -> None:
    assert not hides(text)


@each_row(
    "text",
    [
        *(
            "\ufe0f",
            "a\ufe0f",
            " \ufe0f",
            "/\ufe0f",
            ".\ufe0f",
            "é\ufe0f",
            "א\ufe0f",
            "e\u0301\ufe0f",
        ),
        *("⚠\ufe0f\ufe0f", "⚠\ufe0d", "⚠\U000e0101", "1\ufe0f", "1\ufe0fa", "\u2800\ufe0f"),
        *("👩\u200d", "\u200d💻", "👩\u200d\u200d💻", "a\u200db", "👩\u200da", "a\u200d💻"),
        *("a\ufe0f\u200d💻", "👩 \u200d💻", "\u2800\u200d💻", "👩\ufe0f\ufe0f\u200d💻", "⚠\u200c"),
        *("🏴\U000e0067\U000e007f", "⚠\ufe0f a\ufe0f", "👩\u200d💻 .\u200dgit"),
    ],
)
def test_what_is_put_anywhere_else_hides(text: str) -> None:
    assert hides(text)


def test_each_mark_is_told_by_its_place() -> None:
    assert drawn("⚠\ufe0f a\ufe0f 👩\u200d💻") == {1, 7}
