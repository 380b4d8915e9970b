"""What hooks are told and where they run, and what is heard of them after a call."""

import asyncio
import json
import os
import shlex
from pathlib import Path
from typing import Any

import pytest

from assent.gate.call.lifecycle import State
from assent.gate.passage import Ended
from assent.gate.settings.hook_entries import HookEntry, HookEvent
from gate.admit.scene import Scene, within
from gate.hooks.hooked import Rounds, after, alive, before, says
from gate.ruling.samples import WORKSPACE, reading, running, writing

pytestmark = pytest.mark.requirement("C-08")


def keeping(folder: Path, event: HookEvent) -> HookEntry:
    """A hook that keeps what it was told."""
    return before(f"cat > {shlex.quote(str(folder / 'told'))}", event=event)


def told_in(folder: Path) -> dict[str, Any]:
    text = (folder / "told").read_text("ascii")
    assert text.endswith("\n")
    told: dict[str, Any] = json.loads(text)
    return told


async def test_a_hook_is_told_all_that_a_call_would_do(scene: Scene, tmp_path: Path) -> None:
    rounds = Rounds(scene, tmp_path, keeping(tmp_path, HookEvent.PRE_TOOL_USE))
    call = writing("a b.txt", "für \ud83d")
    await rounds.hooks.before(call)
    assert told_in(tmp_path) == {
        "event": "PreToolUse",
        "chat": "chat-1",
        "call": call.id,
        "agent": "eliza",
        "part": "",
        "tool": "write",
        "effect": "write",
        "input": {"path": "a b.txt", "content": "für \ud83d"},
        "cwd": WORKSPACE,
        "root": str(tmp_path),
        "targets": [f"{WORKSPACE}/a b.txt"],
        "edits": [{"path": f"{WORKSPACE}/a b.txt", "old": None, "new": "für \ud83d"}],
    }


async def test_a_hook_after_a_call_is_told_what_came_of_it(scene: Scene, tmp_path: Path) -> None:
    rounds = Rounds(scene, tmp_path, keeping(tmp_path, HookEvent.POST_TOOL_USE))
    await rounds.hooks.after(reading(), Ended(state=State.FAILED, output="a" * 50_000 + "z"))
    told = told_in(tmp_path)
    assert (told["event"], told["state"], told["tool"]) == ("PostToolUse", "failed", "read")
    assert told["output"].endswith("az")
    assert "… 20,001 characters left out …" in told["output"]


async def test_a_hook_that_notifies_is_told_why_a_call_waits(scene: Scene, tmp_path: Path) -> None:
    rounds = Rounds(scene, tmp_path, keeping(tmp_path, HookEvent.NOTIFICATION))
    call = running()
    await within(rounds.hooks.notify(call, "Default mode asks."))
    told = told_in(tmp_path)
    assert (told["event"], told["because"]) == ("Notification", "Default mode asks.")
    (row,) = await rounds.rows()
    assert (row["event"], row["exit"], row["call"]) == ("Notification", 0, call.id)
    assert scene.rows(call=call.id) == []


async def test_what_a_hook_that_notifies_says_is_not_heard(scene: Scene, tmp_path: Path) -> None:
    entry = before("echo nonsense; exit 1", event=HookEvent.NOTIFICATION)
    rounds = Rounds(scene, tmp_path, entry)
    await within(rounds.hooks.notify(running(), ""))
    (row,) = await rounds.rows()
    assert row["because"] == "The hook “guard” failed (exit code 1)."


async def test_a_hook_need_not_listen(scene: Scene, tmp_path: Path) -> None:
    rounds = Rounds(scene, tmp_path, before("exec 0<&-; exit 2"))
    # More than any pipe holds.
    passage = await rounds.admit(writing(new="y" * 1_500_000))
    assert passage.settlement.because == "The hook “guard” denied it."


async def test_a_hook_runs_at_home_so_that_no_workspace_lends_it_a_program(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, project = tmp_path / "home", tmp_path / "project"
    for folder, code in ((home, 0), (project, 2)):
        folder.mkdir()
        (folder / "check").write_text(f"#!/bin/sh\nexit {code}\n")
        (folder / "check").chmod(0o755)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f".:project:{os.environ['PATH']}")
    monkeypatch.chdir(project)
    for command in ("./check", "sh check", "[ $ASSENT_ROOT = " + str(project) + " ]"):
        rounds = Rounds(scene, project, before(command))
        assert (await rounds.admit(reading())).ended is not None, command
    rounds = Rounds(scene, project, before("check"))
    admitted = asyncio.ensure_future(rounds.admit(reading()))
    await scene.answer(await scene.card(), "deny")
    await within(admitted)


async def test_a_hook_gets_few_variables_and_its_event(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    monkeypatch.setenv("BASH_ENV", "/tmp/evil")
    kept = tmp_path / "variables"
    rounds = Rounds(scene, tmp_path, before(f"env > {shlex.quote(str(kept))}"))
    await rounds.hooks.before(reading())
    variables = dict(line.split("=", 1) for line in kept.read_text().splitlines() if "=" in line)
    assert variables["ASSENT_EVENT"] == "PreToolUse"
    assert variables["ASSENT_ROOT"] == str(tmp_path)
    assert variables["HOME"] == os.environ["HOME"]
    assert not {"SOME_API_KEY", "BASH_ENV", "PYTEST_CURRENT_TEST"} & set(variables)


class TestRemarks:
    @pytest.mark.parametrize(
        ("command", "remark"),
        [
            (says({"remark": "Format it."}), "The hook “guard” says: Format it."),
            ("printf 'Format\\nit.\\n' >&2; exit 2", "The hook “guard” says: Format\nit."),
            ("exit 0", ""),
            (says({"remark": "  "}), ""),
            ("exit 1", ""),
            (says("nonsense"), ""),
            (says({"remark": "x", "decision": "deny"}), ""),
            ("yes", ""),
        ],
    )
    async def test_are_for_the_agent(
        self, scene: Scene, tmp_path: Path, command: str, remark: str
    ) -> None:
        rounds = Rounds(scene, tmp_path, after(command))
        passage = await rounds.admit(reading())
        assert passage.ended is not None
        assert passage.remark == remark
        (row,) = await rounds.rows()
        assert row.get("remark", "") == remark
        assert alive(tmp_path) == []

    async def test_of_several_come_in_their_order_and_are_not_endless(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        entries = [after(says({"remark": word * 3_000}), name=word) for word in ("a", "b")]
        remark = (await Rounds(scene, tmp_path, *entries).admit(reading())).remark
        assert remark.startswith("The hook “a” says: aaa")
        assert "\nThe hook “b” says: bbb" in remark
        assert len(remark) == 4_000

    async def test_are_asked_for_only_where_a_call_ran(self, scene: Scene, tmp_path: Path) -> None:
        rounds = Rounds(scene, tmp_path, before("exit 2"), after(says({"remark": "x"})))
        passage = await rounds.admit(reading())
        assert passage.remark == ""
        assert [row["event"] for row in await rounds.rows()] == ["PreToolUse"]
