"""A patch that Codex applies itself is a change of files, where it can be read in one way."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.disk.places import Places
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.calls import Reader
from assent.hosting.recipes.recipes import RECIPES

(CODEX,) = (it for it in RECIPES if it.id == "codex")
(OPENCODE,) = (it for it in RECIPES if it.id == "opencode")

Read = Callable[[str], Call]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    (tmp_path / "a").write_text("one\ntwo\none\nthree\n", "utf-8")
    places = Places(roots=(str(tmp_path),), home=str(tmp_path))
    reader = Reader(chat=ChatId("c"), agent=AgentId("codex"), cwd=str(tmp_path), places=places)

    def read(command: str, tool: str = "Bash") -> Call:
        hooked = Hooked(session="s", tool=tool, call="t", input={"command": command})
        return reader.read(CODEX.whole(hooked), patch=CODEX.patched(hooked))

    return read


def patched(*lines: str) -> str:
    return "\n".join(("apply_patch <<'EOF'", "*** Begin Patch", *lines, "*** End Patch", "EOF"))


CHANGES = {
    "a new file": (("*** Add File: b", "+x", "+", "+y"), {"b": "x\n\ny\n"}),
    "a line": (("*** Update File: a", "@@", "-two", "+2"), {"a": "one\n2\none\nthree\n"}),
    "lines around it": (
        ("*** Update File: a", "@@", " one", "-three", "+3"),
        {"a": "one\ntwo\none\n3\n"},
    ),
    "the first of two": (("*** Update File: a", "@@", "-one", "+1"), {"a": "1\ntwo\none\nthree\n"}),
    "what stands behind a line": (
        ("*** Update File: a", "@@ two", "-one", "+1"),
        {"a": "one\ntwo\n1\nthree\n"},
    ),
    "two places": (
        ("*** Update File: a", "@@", "-one", "+1", "@@", "-one", "+1"),
        {"a": "1\ntwo\n1\nthree\n"},
    ),
    "two files": (
        ("*** Add File: b", "+x", "*** Update File: a", "@@", "-two"),
        {"b": "x\n", "a": "one\none\nthree\n"},
    ),
}


@pytest.mark.parametrize(("lines", "after"), CHANGES.values(), ids=CHANGES)
def test_what_a_patch_makes_of_each_file_is_what_is_ruled_on(
    read: Read, tmp_path: Path, lines: tuple[str, ...], after: dict[str, str]
) -> None:
    for call in (
        read(patched(*lines)),
        read("\n".join(patched(*lines).split("\n")[1:-1]), "apply_patch"),
    ):
        assert (call.tool, call.unreadable) == ("write", None)
        assert {Path(edit.path).name: edit.new for edit in call.edits} == after
        assert [edit.path for edit in call.edits] == [it.resolved for it in call.targets]


COMMANDS = {
    "a patch that fits nowhere": patched("*** Update File: a", "@@", "-four", "+4"),
    "one that fits but for blanks": patched("*** Update File: a", "@@", "-two ", "+2"),
    "a file that is not there": patched("*** Update File: c", "@@", "-x", "+y"),
    "a file that is moved": patched("*** Update File: a", "*** Move to: b", "@@", "-two", "+2"),
    "nothing": patched(),
    "a file that is removed": patched("*** Delete File: a"),
    "an addition without a place": patched("*** Update File: a", "@@", "+x"),
    "one file twice": patched("*** Add File: b", "+x", "*** Add File: b", "+y"),
    "a command behind it": patched("*** Add File: b", "+x") + "\nmake",
    "a command beside it": patched("*** Add File: b", "+x").replace("'EOF'", "'EOF' && make", 1),
    "an end before its end": patched("*** Add File: b", "+x", "EOF", "make"),
    "what the shell would expand": patched("*** Add File: b", "+$(make)").replace(
        "'EOF'", "EOF", 1
    ),
    "the bare text, which a shell expands": "*** Begin Patch\n*** Add File: b\n+\n*** End Patch",
    "another program": patched("*** Add File: b", "+x").replace("apply_patch", "cat", 1),
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_whatever_else_it_is_is_ruled_on_as_the_command_that_it_came_as(
    read: Read, command: str
) -> None:
    call = read(command)
    assert (call.tool, call.input["command"]) == ("shell", command)
    assert call.edits == ()


def test_it_is_only_codex_that_applies_patches_itself() -> None:
    hooked = Hooked(session="s", tool="Bash", input={"command": patched("*** Add File: b", "+x")})
    assert [it.id for it in RECIPES if it.patch(hooked) is not None] == ["codex"]
    assert CODEX.patch(Hooked(session="s", tool="Bash", input={"command": json.loads("7")})) is None


BLANKS = {
    "before a new file": ("*** Add File:  /etc/cron.d/x", "+y"),
    "behind a new file": ("*** Add File: b ", "+y"),
    "before a file": ("*** Update File:  a", "@@", "-two", "+2"),
    "a mark that is a blank to it": ("*** Add File: \ufeff/etc/cron.d/x", "+y"),
    "a tab": ("*** Add File: \t/etc/cron.d/x", "+y"),
    "before a place": ("*** Update File: a", "@@  two", "-one", "+1"),
    "behind a place": ("*** Update File: a", "@@ two ", "-one", "+1"),
    "no blank at all": ("*** Add File:/etc/cron.d/x", "+y"),
}


@pytest.fixture
def read_opencodes(tmp_path: Path) -> Callable[..., Call]:
    (tmp_path / "a").write_text("one\ntwo \n  two\ntwo\none\nthree\n", "utf-8")
    places = Places(roots=(str(tmp_path),), home=str(tmp_path))
    reader = Reader(chat=ChatId("c"), agent=AgentId("opencode"), cwd=str(tmp_path), places=places)

    def read(*lines: str) -> Call:
        text = "\n".join(("*** Begin Patch", *lines, "*** End Patch"))
        hooked = Hooked(session="s", tool="apply_patch", call="t", input={"patchText": text})
        return reader.read(OPENCODE.whole(hooked), patch=OPENCODE.patched(hooked))

    return read


@pytest.mark.parametrize("lines", BLANKS.values(), ids=BLANKS)
def test_a_patch_from_which_opencode_takes_blanks_cannot_be_read(
    read_opencodes: Callable[..., Call], lines: tuple[str, ...]
) -> None:
    call = read_opencodes(*lines)
    assert call.unreadable == "It is a patch that can be read in more than one way."
    assert call.edits == call.targets == ()


def test_a_patch_of_opencode_without_such_blanks_is_a_change_of_files(
    read_opencodes: Callable[..., Call],
) -> None:
    call = read_opencodes("*** Update File: a", "@@ two", "-one", "+1")
    assert (call.tool, call.unreadable) == ("write", None)
    assert call.edits[0].new == "one\ntwo \n  two\ntwo\n1\nthree\n"
    assert read_opencodes("*** Update File: a", "@@", "-four", "+4").unreadable
