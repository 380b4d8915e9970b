"""One stretch that differs in blanks or quotes alone is taken, and two never are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.tools.workbench import Workbench
from assent.agent.tools.loose_match import loose_match
from editor.cards.schemas import drawn, seen
from tables import each_row

requirement = pytest.mark.requirement

PROGRAM = """\
def total(prices):
    if prices:
        return sum(prices)  # “all”
    return 0


def other():
\treturn  1
"""


@each_row(
    ("old", "new", "after"),
    [
        ('return sum(prices) # "all"', "return 1", "        return 1"),
        (
            'if prices:\n    return sum(prices) # "all"',
            "if p:\n    go()",
            "    if p:\n        go()",
        ),
        (
            "def other():\n    return 1\n",
            "def other():\n    return 2\n",
            "def other():\n\treturn 2\n",
        ),
        ("    return 0   \n", "    return 1\n", "    return 1\n"),
    ],
)
def test_a_stretch_is_meant_by_what_differs_in_blanks_and_quotes(
    old: str, new: str, after: str
) -> None:
    found = loose_match(PROGRAM, old, new)
    assert found is not None
    stretch, shifted = found
    assert PROGRAM.count(stretch) == 1
    assert shifted == after


@each_row(
    "old",
    [
        "return",  # no whole line
        "return  1\n\n\n",  # lines that are not there
        "return 2",
        "}",  # too little to be told apart
        "  \n  ",
    ],
)
def test_what_is_no_whole_line_of_it_is_not_guessed(old: str) -> None:
    assert loose_match(PROGRAM + "}\n", old, "x") is None


def test_of_two_that_could_be_meant_none_is() -> None:
    assert loose_match("a  = 1\n  a = 1\n", "a =  1", "b") is None


def test_how_deep_a_new_line_lies_is_not_guessed_between_tabs_and_blanks() -> None:
    assert (
        loose_match("if a:\n\tb = 1\n", "if a:\n    b =  1", "if a:\n    if b:\n        c") is None
    )


LINES = st.lists(st.text(alphabet="ab \t'’", max_size=6), max_size=6).map("\n".join)


@given(LINES, LINES, LINES)
def test_what_is_found_stands_in_the_text_and_is_the_same_but_for_blanks_and_quotes(
    text: str, old: str, new: str
) -> None:
    found = loose_match(text, old, new)
    if found is not None:
        plainly = [
            it.replace("’", "'").replace(" ", "").replace("\t", "").replace("\n", "")
            for it in (found[0], old)
        ]
        assert found[0] in text
        assert plainly[0] == plainly[1]


@requirement("S-04")
async def test_the_card_shows_what_stands_there_and_what_was_written(work: Workbench) -> None:
    file = work.file("a.py", PROGRAM)
    edits = [{"old": "return   0", "new": "return None"}]
    made = work.wants("edit_file", path="a.py", edits=edits)
    (edit,) = made.call.edits
    assert edit.new == PROGRAM.replace("return 0", "return None")
    card = seen(drawn(made.call))
    assert "    return 0" in card
    assert "return   0" in card, "as the model wrote it, beside what it is taken for"
    await work.does(made)
    assert file.read_text() == edit.new


async def test_line_ends_stay_the_files_own(work: Workbench) -> None:
    file = work.file("a.py", "if a:\r\n    b = 1\r\n")
    await work.use("edit_file", path="a.py", edits=[{"old": "b  = 1\n", "new": "b = 2\n"}])
    assert file.read_bytes() == b"if a:\r\n    b = 2\r\n"
