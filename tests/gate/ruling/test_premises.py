"""What makes the gate itself is asked about in every mode, by every tool and every spelling."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import get_args

import pytest
from attrs import evolve

import assent
from assent.agent.tools.registry import BELT
from assent.editor.protocol.editor import EditorPlace
from assent.editor.window.settings.premises_survey import NAMES
from assent.gate.call.calls import Call, Effect, Premise
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.ruling.decide import decide
from assent.gate.settings.agents import AgentEntry
from assent.gate.settings.own import Own
from assent.gate.settings.paths import key_file, managed_file
from assent.gate.settings.started_later import started_later
from gate.ruling.premises import (
    AGENT,
    SHELL,
    UNKNOWN,
    Ground,
    build,
    commands,
    policies,
    run,
    spelled_for_shell,
    spellings,
    writes,
)
from tables import each_row


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    return build(tmp_path_factory.mktemp("ground"))


def _kinds(ground: Ground) -> Iterator[tuple[int, Premise]]:
    """One premise of each name."""
    seen = set()
    for number, premise in enumerate(ground.premises):
        if premise.name not in seen:
            seen.add(premise.name)
            yield number, premise


def _changes(call: Call | None) -> bool:
    """Whether it changes anything; an edit that cannot be made only reads."""
    return call is not None and call.effect is not Effect.READ


def _passed(
    ground: Ground, calls: Iterable[tuple[str, Call | None]], *, every: bool = False
) -> list[str]:
    """The calls that some policy lets pass: the loosest of each mode, or every one."""
    return [
        f"{mode}: {how}"
        for how, call in calls
        for mode, policy in policies(ground, every=every)
        if call is not None and _changes(call)
        if decide(call, policy, ground.places).verdict is Verdict.ALLOW
    ]


@pytest.mark.long
def test_whatever_the_process_and_the_editor_report_is_changed_by_no_tool_unasked(
    ground: Ground,
) -> None:
    passed = []
    for number, premise in enumerate(ground.premises):
        passed += _passed(ground, writes(ground, ground.file(premise)), every=True)
        for spelling in spellings(ground, ground.file(premise), number):
            passed += _passed(ground, writes(ground, spelling))
    assert passed == []


def test_each_of_our_tools_that_changes_a_file_is_among_those_that_are_tried(
    ground: Ground,
) -> None:
    (ground.root / "tried.txt").write_text("one\n", encoding="utf-8")
    names = ("tried.txt", "tried.png", "tried.wav")
    tried = {how for name in names for how, call in writes(ground, name) if _changes(call)}
    changing = {tool for tool in BELT if tool.effect in {Effect.WRITE, Effect.EXECUTE}}
    # Whatever else changes something runs what is a call of its own.
    naming = {it for it in changing if {"path", "command"} & it.arguments.model_fields.keys()}
    assert {it.name for it in naming} <= tried
    assert {it.name for it in changing - naming} == {"run_workflow"}


_PREMISES_APART = 3
"""Each command is tried on every third premise, and each premise by every third command."""
_COMMANDS_APART = 12
"""So far apart are the commands that are tried where long tests do not run."""


@pytest.mark.parametrize(
    ("template", "first"),
    [
        pytest.param(
            template,
            # Neighbours begin at another premise, and so do those of the quick run.
            (number + number // _COMMANDS_APART) % _PREMISES_APART,
            marks=[pytest.mark.long] if number % _COMMANDS_APART else [],
        )
        for number, template in enumerate(SHELL)
    ],
)
def test_no_command_changes_what_is_reported_unasked(
    ground: Ground, template: str, first: int
) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    passed = [
        command
        for number, premise in [*_kinds(ground)][first::_PREMISES_APART]
        for spelling in spellings(ground, ground.file(premise), number)
        # A shell knows no addresses.
        if not spelling.startswith("file:")
        for command, call in commands(ground, spelling, [template])
        if decide(call, loosest, ground.places).verdict is Verdict.ALLOW
    ]
    assert passed == []


def test_no_repository_is_put_where_the_gate_lies(ground: Ground) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    folders = [it.path for _, it in _kinds(ground) if Path(it.path).is_dir()]
    assert folders
    passed = [
        word
        for folder in folders
        for spelling in (folder, f"/proc/self/root{folder}")
        for word in spelled_for_shell(spelling)
        if decide(run(ground, f"git -C {word} checkout"), loosest, ground.places).verdict
        is Verdict.ALLOW
    ]
    assert passed == []


@each_row("template", UNKNOWN)
def test_naming_it_to_a_program_that_nobody_knows_is_asked_about(
    ground: Ground, template: str
) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    passed = [
        command
        for number, premise in _kinds(ground)
        # What is there to be run is named to be run.
        if not premise.run
        for spelling in spellings(ground, ground.file(premise), number)
        for command in [template.replace("@", spelling)]
        if decide(run(ground, command), loosest, ground.places).verdict is Verdict.ALLOW
    ]
    assert passed == []


def test_a_folder_that_holds_it_is_not_moved_removed_or_filled_unasked(ground: Ground) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    passed = []
    for premise in ground.premises:
        # Archives and version control fill a workspace with its own files.
        for folder in {*Path(premise.path).parents} - {ground.root}:
            for template in ("rm -rf @", "mv @ b", "ln -sfn src @", "tar -C @ -xf a.tar"):
                command = template.replace("@", f"'{folder}'")
                ruling = decide(run(ground, command), loosest, ground.places)
                passed += [command] if ruling.verdict is Verdict.ALLOW else []
    assert passed == []


@pytest.mark.long
def test_an_ordinary_file_beside_it_is_ruled_on_as_if_nothing_were_the_gates(
    ground: Ground,
) -> None:
    for folder in (ground.root / "src", ground.home / "notes"):
        folder.mkdir(exist_ok=True)
        (folder / "beside.txt").write_text("one\n", encoding="utf-8")
        path = str(folder / "beside.txt")
        calls = [*writes(ground, path), *commands(ground, path, (*SHELL, *UNKNOWN))]
        for mode, policy in policies(ground):
            for how, call in calls:
                if call is not None:
                    ours = decide(call, policy, ground.places).verdict
                    assert ours is decide(call, policy, ground.ordinary).verdict, (mode, how)


def test_programs_that_lie_there_are_run_as_ever(ground: Ground) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    for command in (f"{sys.executable} src/app.py", "env python3 x.py", f"ls {sys.prefix}/lib"):
        assert decide(run(ground, command), loosest, ground.places).verdict is Verdict.ALLOW


@each_row(
    "command",
    [
        "cat @",
        "cat < @",
        "cp @ here",
        "head -c 9 @",
        "base64 @",
        "grep -r x @/..",
        "tar -cf here.tar @",
        "f=@; cat $f",
        "cat $(echo @)",
        "python3 -c 'open(\"@\")'",
        "cat @*",
        "cp -r @/../.. here",
    ],
)
def test_keys_are_not_read_unasked_either(ground: Ground, command: str) -> None:
    kept = [premise for premise in ground.premises if premise.keys]
    assert {it.name for it in kept} == {
        "Assent's own state",
        "the token of an editor's own agents",
        "the editor's secrets",
        "the key of what you agreed to",
        "where agents ask Assent",
    }
    for premise in kept:
        call = run(ground, command.replace("@", premise.path))
        for mode, policy in policies(ground):
            assert decide(call, policy, ground.places).verdict is not Verdict.ALLOW, mode


def test_what_holds_no_keys_is_read_as_ever(ground: Ground) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    for premise in ground.premises:
        if not premise.keys:
            call = run(ground, f"cat '{ground.file(premise)}'")
            assert decide(call, loosest, ground.places).verdict is Verdict.ALLOW


def _ruled(places: Places, ground: Ground, path: str) -> Verdict:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    call = run(evolve(ground, places=places, root=Path(places.roots[0])), f"echo x > '{path}'")
    return decide(call, loosest, places).verdict


def test_a_workspace_in_a_large_folder_of_the_editors_is_an_ordinary_one(ground: Ground) -> None:
    data = next(it.path for it in ground.premises if it.name == "the editor's own data")
    root = f"{data}/kept/project"
    premises = Premises.of(ground.premises, [root])
    places = evolve(ground.places, roots=(root,), premises=premises)
    assert _ruled(places, ground, f"{root}/src/x.py") is Verdict.ALLOW
    assert _ruled(places, ground, f"{data}/kept/other.py") is Verdict.ASK
    assert _ruled(places, ground, f"{data}/User/settings.json") is Verdict.ASK


def test_a_workspace_in_the_gates_own_program_is_no_ordinary_one(ground: Ground) -> None:
    root = os.path.dirname(assent.__file__) + "/policy"  # noqa: PTH120 -- a string in
    places = evolve(ground.places, roots=(root,), premises=Premises.of(ground.premises, [root]))
    assert _ruled(places, ground, f"{root}/decide.py") is Verdict.ASK


def test_it_is_found_behind_every_link_on_its_way(tmp_path: Path, ground: Ground) -> None:
    for name in ("real/deep", "other"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "first").symlink_to("real")
    (tmp_path / "real/deep/settings.json").symlink_to(tmp_path / "other/kept.json")
    (tmp_path / "other/kept.json").write_text("{}", encoding="utf-8")
    named = Premise(path=str(tmp_path / "first/deep/settings.json"), name="the editor's settings")
    places = evolve(ground.places, premises=Premises.of([named], ground.places.roots))
    for path in ("first/deep/settings.json", "real/deep/settings.json", "other/kept.json"):
        assert _ruled(places, ground, str(tmp_path / path)) is Verdict.ASK
    assert _ruled(places, ground, str(tmp_path / "other/another.json")) is Verdict.ALLOW
    loosest = dict(policies(ground))["auto rules bypass hook"]
    for path in ("first", "real", "real/deep", "other"):
        call = run(evolve(ground, places=places), f"mv {tmp_path / path} away")
        assert decide(call, loosest, places).verdict is Verdict.ASK


def test_a_place_that_cannot_be_followed_counts_as_it_is_spelled(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    paths = [str(tmp_path / "loop" / "x"), f"{tmp_path}/a\0b", "relative"]
    found = Premises.of([Premise(path=path, name="a place") for path in paths])
    assert found.around(paths[0]) is not None
    assert found.around(f"{tmp_path}/other") is None


def test_the_process_reports_what_it_runs_by(ground: Ground) -> None:
    state = ground.home / "kept" / "state"
    paths = [
        *sys.path,
        *(sys.prefix, sys.base_prefix, sys.executable, assent.__file__),
        *(os.path.realpath(sys.executable), str(managed_file()), str(key_file(state))),
        *(it for name in ("git", "python3", "sh") if (it := shutil.which(name))),
    ]
    for path in paths:
        assert ground.places.locate(path, "/").own is not None, path


def test_what_hooks_and_agents_are_started_from_is_reported(ground: Ground) -> None:
    for name in ("hook.sh", "agent"):
        assert ground.places.locate(str(ground.home / "own" / name), "/").own is not None
    assert ground.places.locate(str(ground.home / "own" / "other"), "/").own is None


def test_an_agent_is_reported_as_what_its_name_starts_and_not_as_what_the_workspace_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, own = tmp_path / "till", tmp_path / "own"
    for program in (root / ".venv/bin/agent", own / "agent"):
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\n", "utf-8")
        program.chmod(0o755)
    path = f"{root}/.venv/bin:{own}"
    agent = AgentEntry(id=AGENT, name="A", command="agent")
    monkeypatch.setenv("PATH", path)
    assert _paths_of(agent, root) == [str(own / "agent")]
    monkeypatch.setenv("PATH", "/nowhere")
    assert _paths_of(agent, root) == []
    assert _paths_of(evolve(agent, env={"PATH": path}), root) == [str(own / "agent")]


def _paths_of(agent: AgentEntry, root: Path) -> list[str]:
    return [it.path for it in started_later([], [agent], Own(), [str(root)])]


def test_every_kind_of_place_that_an_editor_reports_is_known() -> None:
    assert set(get_args(EditorPlace.model_fields["kind"].annotation)) == set(NAMES)


def test_an_mcp_tool_is_asked_about_that_is_given_one(ground: Ground) -> None:
    loosest = dict(policies(ground))["auto rules bypass hook"]
    for premise in ground.premises:
        path = ground.file(premise) if premise.loads else premise.path
        given = {"kind": "other", "rawInput": {"where": path, "how": "write"}}
        call = next(call for how, call in writes(ground, premise.path) if how == "acp other")
        assert call is not None
        call = evolve(call, input=given["rawInput"], targets=())
        assert decide(call, loosest, ground.places).verdict is not Verdict.ALLOW


def test_all_that_functions_and_nodetool_run_from_is_protected_and_no_workspace_below_it(
    tmp_path: Path,
) -> None:
    env, root = tmp_path / "nodetool", tmp_path / "nodes" / "till"
    for file in (env / "pyvenv.cfg", env / "bin/python", root / "a.py"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("", "utf-8")
    own = Own(nodes=(f"{tmp_path}/nodes/*.py",), nodetool=f"{env}/bin/python")
    found = list(started_later([], [], own, [str(root)]))
    premises = Premises.of(found, [str(root)])
    places = Places(roots=(str(root),), home=str(tmp_path), premises=premises)
    for path in ("nodes/new.py", "nodes/helper.txt", "nodetool/lib/x.py", "nodetool/bin/python"):
        target = places.locate(str(tmp_path / path), str(root))
        assert target.own is not None, path
        assert target.own.run
    assert places.locate(str(root / "a.py"), str(root)).own is None


def test_what_a_file_of_functions_is_a_link_to_is_protected_in_the_workspace_too(
    tmp_path: Path,
) -> None:
    nodes, root = tmp_path / "nodes", tmp_path / "till"
    for folder in (nodes, root):
        folder.mkdir()
    for name in ("a.py", "b.py"):
        (root / name).write_text("", "utf-8")
    (nodes / "a.py").symlink_to(root / "a.py")
    found = list(started_later([], [], Own(nodes=(f"{nodes}/*.py",)), [str(root)]))
    premises = Premises.of(found, [str(root)])
    places = Places(roots=(str(root),), home=str(tmp_path), premises=premises)
    assert places.locate("a.py", str(root)).own is not None
    assert places.locate("b.py", str(root)).own is None


@each_row("interpreter", ["/python", "/"])
def test_an_interpreter_at_the_top_of_the_disk_is_no_reason_to_know_nothing(
    interpreter: str,
) -> None:
    assert list(started_later([], [], Own(nodetool=interpreter), ["/nowhere"])) == []
