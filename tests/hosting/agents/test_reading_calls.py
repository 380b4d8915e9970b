"""What an agent asks for, read into a call: by what would be done, never by what is said."""

import os
from pathlib import Path
from typing import Any

import pytest

from assent.editor.cards.titles import title_of
from assent.gate.call.calls import AgentId, Call, ChatId, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy, grant_for
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.calls import Reader
from assent.hosting.recipes.recipes import RECIPES
from tables import each_row


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "workspace"
    root.mkdir()
    return root


def read(root: Path, **whole: Any) -> Call:
    reader = Reader(
        chat=ChatId("c"),
        agent=AgentId("a"),
        cwd=str(root),
        places=Places(roots=(str(root),), home=str(root.parent / "home")),
    )
    return reader.read({"toolCallId": "t", **whole})


def diff(path: Path | str, new: str, old: str | None = None) -> dict[str, Any]:
    return {"type": "diff", "path": str(path), "oldText": old, "newText": new}


def in_auto(call: Call) -> Verdict:
    """What is said in the loosest mode, where nearly nothing is asked."""
    return decide(call, Policy(mode=Mode.AUTO, trusted=True)).verdict


def test_a_command_is_a_shell_call_and_nothing_but_the_command_and_its_folder(root: Path) -> None:
    call = read(root, kind="execute", title="x", rawInput={"command": "ls", "description": "list"})
    assert (call.tool, call.effect, call.input) == ("shell", Effect.EXECUTE, {"command": "ls"})
    assert call.unreadable is None


@each_row("given", [5, None, "", "tc-42"])
def test_a_call_keeps_what_its_agent_calls_it_and_has_a_name_of_its_own(
    root: Path, given: object
) -> None:
    call = read(root, toolCallId=given, rawInput={"command": "ls"})
    assert call.tool_call_id == (given if isinstance(given, str) else "")
    assert call.id not in {given, ""}


def test_a_call_that_a_hook_is_handed_keeps_what_its_agent_calls_it(root: Path) -> None:
    hooked = Hooked(session="s", call="toolu_1", tool="Bash", input={"command": "ls"})
    (recipe,) = (recipe for recipe in RECIPES if recipe.id == "claude")
    assert read(root, **recipe.whole(hooked)).tool_call_id == "toolu_1"


def test_a_command_in_words_is_shown_as_one_would_type_it(root: Path) -> None:
    call = read(root, rawInput={"command": ["bash", "-lc", "echo 'a b'"]})
    assert call.input == {"command": "bash -lc 'echo '\"'\"'a b'\"'\"''"}


def test_a_command_in_another_folder_is_another_call(root: Path) -> None:
    here = read(root, rawInput={"command": "make"})
    there = read(root, rawInput={"command": "make", "cwd": str(root / "sub")})
    assert there.cwd == str(root / "sub")
    assert here.likeness != there.likeness


@each_row("kind", ["read", "search", "edit", "think", "fetch", "other", None, 7])
def test_a_command_is_judged_as_one_whatever_kind_is_claimed(root: Path, kind: object) -> None:
    call = read(root, kind=kind, title="Read README.md", rawInput={"command": "rm -rf /"})
    assert call.effect is Effect.EXECUTE
    assert call.input == {"command": "rm -rf /"}


def test_the_title_is_kept_as_what_the_agent_says_and_decides_nothing(root: Path) -> None:
    one = read(root, title="harmless", rawInput={"command": "ls"})
    other = read(root, title="something else", rawInput={"command": "ls"})
    assert (one.says, other.says) == ("harmless", "something else")
    assert one.likeness == other.likeness


@each_row(
    "whole",
    [
        {},
        {"title": "Read README.md"},
        {"kind": "read", "rawInput": {}},
        {"kind": "execute", "title": "ls -l"},
        {"kind": "fetch", "locations": [{"path": "a"}]},
        {"kind": "edit", "content": "all of it"},
        {"kind": "edit", "content": [{"type": "diff", "path": 3, "newText": "x"}]},
        {"kind": "edit", "content": [{"type": "diff", "path": "a"}]},
        {"kind": "read", "locations": ["a"]},
        {"kind": "read", "locations": [{"line": 3}]},
        {"rawInput": {"command": {"a": 1}}},
        {"rawInput": {"command": ""}},
        {"rawInput": {"command": ["a", 1]}},
        {"rawInput": {"command": "a", "cmd": "b"}},
        {"rawInput": {"command": "a", "cwd": 5}},
        {"rawInput": {"command": "a", "path": "b"}},
        {"kind": "read", "rawInput": {"path": "a\0b"}},
        {"kind": "read", "rawInput": {"path": "https://example.com/x"}},
        {"kind": "execute", "content": [{"type": "diff", "path": "a", "newText": "x"}]},
    ],
)
def test_what_cannot_be_judged_says_so_and_is_asked_in_every_mode(
    root: Path, whole: dict[str, Any]
) -> None:
    call = read(root, **whole)
    assert call.unreadable is not None
    assert call.unreadable.endswith(".")
    assert in_auto(call) is Verdict.ASK


def test_arguments_nested_too_deeply_for_a_digest_are_unreadable_and_have_a_digest(
    root: Path,
) -> None:
    deep: Any = "x"
    for _ in range(2_000):
        deep = [deep]
    call = read(root, rawInput={"a": deep})
    assert call.unreadable is not None
    assert len(call.digest) == 64


def test_a_reading_names_what_it_reads(root: Path) -> None:
    call = read(
        root, kind="read", rawInput={"path": "a", "limit": 3}, locations=[{"path": str(root / "a")}]
    )
    assert (call.tool, call.effect) == ("read", Effect.READ)
    assert [target.shown for target in call.targets] == ["a"]


def test_a_reading_of_a_place_alone_is_one(root: Path) -> None:
    call = read(root, kind="read", rawInput={}, locations=[{"path": str(root / "a")}])
    assert call.effect is Effect.READ


@each_row(
    "more",
    [
        {"url": "https://example.com"},
        {"content": "x"},
        {"then": "delete"},
        {"pattern": "/etc/*"},
        {"pattern": "../**"},
        {"context": {"run": "x"}},
    ],
)
def test_a_reading_with_an_argument_that_no_reading_has_is_none(
    root: Path, more: dict[str, Any]
) -> None:
    call = read(root, kind="read", rawInput={"path": "a", **more})
    assert call.effect is Effect.EXTERNAL
    assert call.input == {"path": "a", **more}


def test_a_folder_outside_makes_a_reading_one_outside(root: Path) -> None:
    call = read(root, kind="search", rawInput={"pattern": "x", "path": "a", "directory": "/etc"})
    assert not all(target.inside for target in call.targets)


def test_a_stretch_that_does_not_stand_in_the_file_cannot_be_read(root: Path) -> None:
    (root / "a").write_bytes(b"one\r\ntwo\r\nthree\r\n")
    given = {"filePath": str(root / "a"), "oldString": "one\ntwo", "newString": "1"}
    call = read(root, kind="edit", rawInput=given, content=[diff(root / "a", "1", old="one\ntwo")])
    assert call.edits == ()
    assert call.unreadable is not None
    assert "does not stand in" in call.unreadable


def test_a_change_is_set_against_the_disk_and_not_against_the_agents_word(root: Path) -> None:
    (root / "a").write_text("really\n")
    call = read(root, kind="edit", content=[diff(root / "a", "new\n", old="what I claim\n")])
    assert [(edit.old, edit.new) for edit in call.edits] == [("really\n", "new\n")]
    assert (call.tool, call.effect) == ("write", Effect.WRITE)


def test_a_change_of_a_stretch_is_shown_in_its_file(root: Path) -> None:
    (root / "a").write_text("one\ntwo\nthree\n")
    call = read(root, kind="edit", content=[diff(root / "a", "2", old="two")])
    assert [edit.new for edit in call.edits] == ["one\n2\nthree\n"]


def test_several_changes_of_one_file_are_one_edit(root: Path) -> None:
    (root / "a").write_text("one two")
    call = read(root, content=[diff(root / "a", "1", old="one"), diff(root / "a", "2", old="two")])
    assert [(edit.old, edit.new) for edit in call.edits] == [("one two", "1 2")]


def test_a_stretch_that_stands_twice_is_unreadable_unless_both_are_meant(root: Path) -> None:
    (root / "a").write_text("x x")
    change = [diff(root / "a", "y", old="x")]
    assert read(root, kind="edit", content=change).unreadable is not None
    both = read(root, kind="edit", content=change, rawInput={"path": "a", "replace_all": True})
    assert [edit.new for edit in both.edits] == ["y y"]


def test_a_new_file_has_nothing_before_it(root: Path) -> None:
    call = read(root, kind="edit", content=[diff("sub/new", "text")])
    assert [(edit.path, edit.old, edit.new) for edit in call.edits] == [
        (str(root / "sub" / "new"), None, "text")
    ]


def test_a_pipe_in_the_place_of_a_file_holds_nobody_up(root: Path) -> None:
    os.mkfifo(root / "pipe")
    call = read(root, kind="edit", content=[diff(root / "pipe", "text")])
    assert call.unreadable is not None


def test_a_file_that_is_no_text_is_not_shown_as_text(root: Path) -> None:
    (root / "a").write_bytes(b"\xff\xfe\x00")
    assert read(root, kind="edit", content=[diff("a", "text")]).unreadable is not None


def test_a_path_under_any_name_counts_where_files_change(root: Path) -> None:
    call = read(
        root,
        kind="edit",
        rawInput={"path": "a", "whither": "/etc/passwd"},
        content=[diff("a", "x")],
    )
    assert not all(target.inside for target in call.targets)


def test_a_protected_place_is_asked_about_however_it_is_named(root: Path) -> None:
    for whole in (
        {"kind": "edit", "content": [diff("a", "x")], "rawInput": {"to": ".vscode/settings.json"}},
        {"kind": "move", "rawInput": {"source": "a", "destination": ".bashrc"}},
        {"rawInput": {"command": "echo x >> ~/.bashrc"}},
        {"kind": "other", "rawInput": {"path": str(root / ".git" / "hooks" / "pre-commit")}},
    ):
        assert in_auto(read(root, **whole)) is Verdict.ASK


def test_whatever_else_it_is_reaches_out_with_all_its_arguments(root: Path) -> None:
    call = read(root, kind="fetch", rawInput={"url": "https://example.com", "prompt": "p"})
    assert (call.tool, call.effect) == ("other", Effect.EXTERNAL)
    assert call.input == {"url": "https://example.com", "prompt": "p"}
    assert call.unreadable is None


def test_each_asking_is_a_call_of_its_own(root: Path) -> None:
    one, other = read(root, rawInput={"command": "x"}), read(root, rawInput={"command": "x"})
    assert one.id != other.id
    assert one.digest != other.digest


def test_the_words_beside_a_command_are_part_of_it(root: Path) -> None:
    call = read(root, kind="execute", rawInput={"command": "bash", "args": ["-c", "rm -rf x"]})
    assert call.unreadable is None
    assert call.input == {"command": "bash -c 'rm -rf x'"}


@each_row(
    "more",
    [
        {"env": {"LD_PRELOAD": "x.so"}},
        {"stdin": "rm -rf ~"},
        {"then": "x"},
        {"timeout": {"then": "x"}},
        {"args": "x"},
        {"args": [1]},
    ],
)
def test_a_command_with_anything_else_that_counts_is_unreadable_and_shown_whole(
    root: Path, more: dict[str, Any]
) -> None:
    call = read(root, kind="execute", rawInput={"command": "bash", **more})
    assert call.unreadable is not None
    assert call.effect is Effect.EXECUTE
    assert call.input == {"command": "bash", **more}
    plain = read(root, kind="execute", rawInput={"command": "bash"})
    assert not grant_for(plain).covers(call)


def test_a_command_that_is_listed_once_more_is_the_same_command(root: Path) -> None:
    once = read(root, kind="execute", rawInput={"command": "make"})
    twice = read(root, kind="execute", rawInput={"command": "make", "commands": ["make"]})
    assert (twice.unreadable, twice.likeness) == (None, once.likeness)
    for commands in (["make", "ls"], ["ls"], "make", [["make"]]):
        given = {"command": "make", "commands": commands}
        assert read(root, kind="execute", rawInput=given).unreadable is not None


def test_the_sentence_names_what_stands_beside_a_command(root: Path) -> None:
    call = read(root, rawInput={"command": "bash", "stdin": "x"})
    assert call.unreadable == "It names a command, and beside it `stdin`."


@each_row(
    "args",
    [
        {"changes": {".git/hooks/pre-commit": {"type": "add", "content": "evil"}}},
        {"path": ".", "patch": "*** Add File: x"},
        {"path": "a", "diff": "--- a"},
        {"path": "a", "url": "https://example.com"},
        {"path": "a", "edits": [{"old_text": "a", "new_text": "b", "hook": "x"}]},
    ],
)
def test_a_change_with_an_argument_that_no_change_has_is_unreadable_and_shown_whole(
    root: Path, args: dict[str, Any]
) -> None:
    places = [{"path": "README.md"}]
    call = read(root, kind="edit", rawInput=args, locations=places)
    assert call.unreadable is not None
    assert call.input == {"rawInput": args, "locations": places}
    assert in_auto(call) is Verdict.ASK


def test_a_name_that_looks_like_a_path_is_one_where_files_change(root: Path) -> None:
    args = {"path": "a", "changes": {"/etc/cron.d/x": {"content": "x"}}}
    assert "/etc/cron.d/x" in [
        target.resolved for target in read(root, kind="edit", rawInput=args).targets
    ]


@each_row("to", ["b x/../../../.bashrc", "Makefile", "b/c d"])
def test_where_a_file_is_moved_to_counts_with_blanks_and_without_a_slash(
    root: Path, to: str
) -> None:
    call = read(root, kind="move", rawInput={"from": "a", "to": to})
    assert os.path.realpath(root / to) in [target.resolved for target in call.targets]


def test_a_text_to_write_that_the_change_does_not_show_makes_it_unreadable(root: Path) -> None:
    (root / "a").write_text("hi\n")
    args = {"path": "a", "content": "something else"}
    call = read(root, kind="edit", content=[diff("a", "ho", old="hi")], rawInput=args)
    assert call.unreadable is not None
    assert call.input["rawInput"] == args


def test_a_change_that_cannot_be_shown_is_granted_to_the_letter(root: Path) -> None:
    one = read(root, kind="edit", rawInput={"path": "a", "content": "one"})
    other = read(root, kind="edit", rawInput={"path": "a", "content": "other"})
    assert grant_for(one).covers(one)
    assert not grant_for(one).covers(other)
    shown = read(root, kind="edit", content=[diff("a", "text")])
    assert grant_for(shown).covers(read(root, kind="edit", content=[diff("a", "new")]))
    assert not grant_for(shown).covers(one)


@each_row("action", ["delete", "move"])
def test_to_delete_or_move_is_not_to_edit(root: Path, action: str) -> None:
    edit = read(root, kind="edit", content=[diff("a", "text")])
    call = read(root, kind=action, rawInput={"path": "a"})
    assert (edit.action, call.action) == ("write", action)
    assert not grant_for(edit).covers(call)
    assert not grant_for(call).covers(edit)
    assert call.likeness != read(root, kind="edit", rawInput={"path": "a"}).likeness
    title = "".join(span.text for span in title_of(call))
    assert title == f"{action.capitalize()} a"


def test_a_path_leads_from_the_folder_that_the_call_names(root: Path) -> None:
    args = {"path": "workflows/x.yml", "cwd": ".github", "content": "x"}
    call = read(root, kind="edit", rawInput=args)
    assert [target.shown for target in call.targets] == [".github/workflows/x.yml"]
    assert in_auto(call) is Verdict.ASK


def test_a_folder_alone_is_what_is_deleted(root: Path) -> None:
    call = read(root, kind="delete", rawInput={"directory": "sub"})
    assert [target.shown for target in call.targets] == ["sub"]


@each_row("more", [{"glob": ".{.,x}/.ssh/*"}, {"pattern": "a/.."}, {"pattern": "--pre=./x"}])
def test_a_pattern_that_may_lead_away_is_no_mere_reading(root: Path, more: dict[str, Any]) -> None:
    assert read(root, kind="search", rawInput={"path": ".", **more}).effect is Effect.EXTERNAL
