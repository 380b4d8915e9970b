"""The parts of a command on its card are the command, and nothing dangerous in them is changed."""

from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from assent.editor.cards.danger import marked
from assent.editor.cards.draw import draw
from assent.editor.cards.spans import text_of
from assent.editor.protocol.card import ShellBody
from assent.gate.call.verdicts import Deed, Part, Ruling, Source, Verdict
from editor.cards.samples import SETTING, a_ticket, shell
from tables import each_row

requirement = pytest.mark.requirement

PIECES = [*"abrm -/.=~>$\t\n;|&\"'", "--force", "sudo ", "\u202e", "\u200b", "é"]
LETTERS = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


def part(text: str, start: int, **more: Any) -> Part:
    known = {"verdict": Verdict.ASK, "because": "Default mode asks."}
    return Part(text=text, start=start, end=start + len(text), **{**known, **more})


def card(command: str, *parts: Part, **more: Any) -> Any:
    ruling = Ruling(verdict=Verdict.ASK, because="Default mode asks.", parts=parts, **more)
    call = more.pop("call", None) or shell(command)
    return draw(evolve(a_ticket(call), ruling=ruling), SETTING)


def joined(body: ShellBody) -> str:
    shown = ((it.operator, "".join(span.text for span in it.text)) for it in body.parts)
    return "".join(piece for pieces in shown for piece in pieces) + body.tail


@st.composite
def commands(draw_from: st.DrawFn) -> tuple[str, tuple[Part, ...]]:
    """A text, and parts of it in order."""
    pieces = draw_from(st.lists(LETTERS, min_size=1, max_size=9))
    parts: list[Part] = []
    at = 0
    for number, piece in enumerate(pieces):
        if number % 2:
            parts.append(part(piece, at))
        at += len(piece)
    return "".join(pieces), tuple(parts)


@given(commands())
def test_operators_and_parts_and_the_tail_are_the_command_or_it_is_shown_raw(
    made: tuple[str, tuple[Part, ...]],
) -> None:
    command, parts = made
    body = card(command, *parts).body
    assert "".join(span.text for span in body.command) == command
    if body.readable and parts:
        assert joined(body) == command
        assert len(body.parts) == len(parts)
    else:
        assert (body.parts, body.tail) == ([], "")


@given(commands(), st.integers(-3, 3), st.integers(-3, 3))
def test_parts_that_do_not_stand_where_they_say_are_not_shown(
    made: tuple[str, tuple[Part, ...]], start: int, end: int
) -> None:
    command, parts = made
    moved = tuple(evolve(it, start=it.start + start, end=it.end + end) for it in parts)
    drawn = card(command, *moved)
    if drawn.body.readable and drawn.body.parts:
        assert joined(drawn.body) == command
    elif parts:
        assert (drawn.level, drawn.primary) == ("high", "deny")
        assert text_of(drawn.title) == "Run a command that could not be fully read"


@given(LETTERS)
def test_marking_changes_no_character(text: str) -> None:
    assert "".join(span.text for span in marked(text)) == text


def dangerous(text: str) -> list[str]:
    return [span.text for span in marked(text) if span.kind == "danger"]


@each_row(
    ("text", "words"),
    [
        ("rm -rf build", ["rm", "-rf"]),
        ("sudo rm -r /", ["sudo", "rm", "-r"]),
        ("/bin/rm -fr x", ["/bin/rm", "-fr"]),
        ("git push --force origin main", ["push", "--force"]),
        ("git reset --hard", ["reset", "--hard"]),
        ("echo hi > ~/.bashrc", ["> ~/.bashrc"]),
        ("echo hi >> ../x", [">> ../x"]),
        ("make 2>/dev/null", []),
        ("make > out.txt", []),
        ("grep -r rm src", []),
        ("ls -la", []),
        ("find . -name x -delete", ["-delete"]),
        ("curl -s -o x https://example.org", ["curl", "-o"]),
        ("timeout 5 env A=1 rm x", ["rm"]),
    ],
)
def test_what_is_dangerous_is_marked_and_nothing_else(text: str, words: list[str]) -> None:
    assert dangerous(text) == words


def test_hidden_characters_stay_visible_in_what_is_marked() -> None:
    spans = marked("echo > /etc/\u202ex")
    assert [span.shown for span in spans if span.kind == "hidden"] == ["U+202E"]


def test_a_part_names_its_rule_and_where_it_is_written() -> None:
    source = Source(scope="this workspace's settings", file="/w/.vscode/settings.json", line=12)
    by_rule = part(
        "git status", 0, verdict=Verdict.ALLOW, rule="shell(git status:*)", source=source
    )
    drawn = card("git status && make", by_rule, part("make", 14))
    first, second = drawn.body.parts
    assert (first.verdict, first.rule) == ("allow", "shell(git status:*)")
    assert first.source == "this workspace's settings, line 12"
    assert (second.operator, second.verdict, second.rule) == (" && ", "ask", None)
    assert text_of(drawn.title) == "Run 2 commands"


def test_several_commands_are_counted_and_their_folder_is_named() -> None:
    call = shell("a; b", folder="packages/core")
    ruling = Ruling(verdict=Verdict.ASK, because=".", parts=(part("a", 0), part("b", 3)))
    drawn = draw(evolve(a_ticket(call), ruling=ruling), SETTING)
    assert text_of(drawn.title) == "Run 2 commands in packages/core"


def test_what_could_not_be_read_is_shown_raw_and_high() -> None:
    drawn = card("eval $X", part("eval $X", 0), readable=False)
    assert text_of(drawn.title) == "Run a command that could not be fully read"
    assert (drawn.level, drawn.body.readable, drawn.body.parts) == ("high", False, [])


def test_hidden_characters_between_the_parts_leave_it_raw() -> None:
    drawn = card("a \u200b; b", part("a", 0), part("b", 5))
    assert (drawn.body.readable, drawn.body.parts) == (False, [])


def test_what_is_touched_is_grouped_by_what_is_done_to_it() -> None:
    deeds = (
        Deed(kind="read", what="src/a.py"),
        Deed(kind="write", what="out.txt"),
        Deed(kind="read", what="~/.ssh/id", inside=False),
        Deed(kind="network", what="example.org", inside=False),
        Deed(kind="delete", what="old"),
        Deed(kind="write", what="out.txt"),
        Deed(kind="run", what="make"),
    )
    drawn = card("x", part("x", 0), deeds=deeds)
    told = {touch.name: text_of(touch.text) for touch in drawn.touches}
    assert told == {
        "Deletes": "old",
        "Writes": "out.txt",
        "Reads outside the workspace": "~/.ssh/id",
        "Network": "example.org",
        "Reads": "src/a.py",
        "Folder": "the workspace",
        "Runs in": "your shell, no sandbox",
    }
    assert next(iter(told)) == "Deletes"


def test_more_than_a_dozen_names_are_counted() -> None:
    deeds = tuple(Deed(kind="write", what=f"f{number}") for number in range(15))
    (touch,) = [it for it in card("x", deeds=deeds).touches if it.name == "Writes"]
    assert text_of(touch.text).endswith("f11 and 3 more")
