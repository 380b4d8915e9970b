"""Output as a person and a model see it: without what was meant for a terminal."""

import re

from hypothesis import given
from hypothesis import strategies as st

from assent.gate.processes.plain_output import Plainly, plain
from steps import steps_of
from tables import each_row

TERMINAL = st.sampled_from(
    [
        *("a", "b", " ", "\n", "\t", "\r", "\r\n", "é", "字", "\x07", "\b", "\x9b", "\x7f"),
        *("\x1b", "\x1b[", "\x1b]", "\x1b[31m", "\x1b[0;1;38;5;12m", "\x1b[2K", "\x1b(B"),
        *("\x1b]0;t\x07", "\x1b]8;;http://x\x1b\\"),
    ]
)


@each_row(
    ("text", "told"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]0;a title\x07text", "text"),
        ("\x1b]8;;https://a.test\x1b\\a link\x1b]8;;\x1b\\", "a link"),
        ("a\x1b(Bb\x1b=c\x1b7d", "abcd"),
        ("bell\x07 nul\0 back\bspace", "bell nul backspace"),
        ("one\r\ntwo\r\n", "one\ntwo\n"),
        ("10%\r20%\r100%\ndone", "100%\ndone"),
        ("10%\r100%\r\n", "100%\n"),
        ("\r\r\n", "\n"),
        (
            "an escape that never ends: \x1b]0;all the rest",
            "an escape that never ends: 0;all the rest",
        ),
        ("\x1b[31", "31"),
    ],
)
def test_what_was_meant_for_a_terminal_is_taken_out(text: str, told: str) -> None:
    assert plain(text) == told


def test_a_progress_bar_shows_its_first_state_and_its_last() -> None:
    bar = Plainly()
    shown = [bar.more(text) for text in ("get: ", "10%", "\r20%", "\r", "30%\r", "\n", "done\n")]
    assert "".join([*shown, bar.last()]) == "get: 10%\n30%\ndone\n"


@each_row(
    ("pieces", "told"),
    [
        (("abc", "\r\n", "d"), "abc\nd"),
        (("abc\r", "\nd"), "abc\nd"),
        (("\r10%", "\r20%"), "10%\n20%"),
        (("\x1b", "[3", "1mred"), "red"),
        (("\x1b]0;ti", "tle\x1b", "\\text"), "text"),
        (("a\rb",), "a\nb"),
        (("a\r",), "a"),
        (("a", "b\r\n", "c"), "ab\nc"),
        (("a", "b\r\r", "\rc", "\n"), "ab\nc\n"),
    ],
)
def test_pieces_may_end_anywhere(pieces: tuple[str, ...], told: str) -> None:
    view = Plainly()
    assert "".join([*map(view.more, pieces), view.last()]) == told


@given(st.lists(st.lists(TERMINAL).map("".join)))
def test_without_painting_over_pieces_give_what_the_whole_gives(pieces: list[str]) -> None:
    pieces = [it.replace("\r", "") for it in pieces]
    view = Plainly()
    assert "".join([*map(view.more, pieces), view.last()]) == plain("".join(pieces))


@given(st.lists(st.lists(TERMINAL).map("".join)))
def test_every_line_in_its_last_state_is_shown_in_order(pieces: list[str]) -> None:
    view = Plainly()
    shown = "".join([*map(view.more, pieces), view.last()])
    at = 0
    for line in plain("".join(pieces)).split("\n"):
        at = shown.index(line, at) + len(line)


@given(st.lists(TERMINAL).map("".join))
def test_no_control_and_no_escape_is_left(text: str) -> None:
    assert re.search(r"[^\t\n\x20-\x7e\xa0-\U0010ffff]", plain(text)) is None


@each_row("text", ["\x1b[", "\x1b]", "\x1b[1", "\r", "\x1b]0;a", "a\r", "\x1b "])
def test_it_takes_time_in_proportion_to_the_text(text: str) -> None:
    once, often = (steps_of(lambda n=n: plain(text * n)) for n in (1_000, 4_000))
    assert often <= 5 * once + 100
