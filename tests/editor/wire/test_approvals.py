"""One call from its proposal to its end, over a real server and a real agent."""

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from assent.hosting.connection.spec import AgentSpec
from editor.wire.client import Refusal
from editor.wire.scene import IN_TIME, Scene, Stage
from host.waiting import until

requirement = pytest.mark.requirement


async def asked(
    stage: Stage, text: str = "run touch made", mode: str | None = None
) -> tuple[Scene, Any, Any]:
    """A scene, the ticket of one call, and the end of its turn."""
    scene = await stage()
    chat = await scene.chat(mode=mode)
    turn = scene.say(chat, text)
    return scene, await scene.card(), turn


@requirement("T-01")
@requirement("S-01")
@requirement("M-02")
async def test_nothing_runs_before_the_answer_and_allow_once_runs_it(stage: Stage) -> None:
    scene, ticket, turn = await asked(stage)
    assert not (scene.folder / "made").exists()
    receipt = await scene.answer(ticket, "once")
    assert (receipt.kind, receipt.outcome, receipt.by) == ("applied", "allowed", "user")
    assert (await turn).reason == "done"
    assert (scene.folder / "made").exists()
    decided = scene.rows("decided")[-1]
    assert (decided["body"]["outcome"], decided["digest"]) == ("allowed", ticket.digest)
    assert (await scene.settled(ticket)).record_id == decided["seq"]


@requirement("T-05")
async def test_a_refusal_leaves_no_trace_and_its_reason_reaches_the_agent(stage: Stage) -> None:
    scene, ticket, turn = await asked(stage)
    receipt = await scene.answer(ticket, "tell", feedback="use the docs instead")
    assert receipt.outcome == "refused"
    await turn
    assert not (scene.folder / "made").exists()
    assert "use the docs instead" in scene.heard(ticket.chat_id)


@requirement("N-02")
@requirement("T-03")
async def test_reading_in_the_workspace_raises_no_card(stage: Stage) -> None:
    scene = await stage()
    chat = await scene.chat()
    await scene.turn(chat, "read README.md")
    assert "A small workspace." in scene.printed(chat)
    assert scene.client.told("tool/approvalRequest") == []
    assert scene.rows("decided")[-1]["body"]["by"] == "mode"


@requirement("N-04")
@requirement("S-09")
@requirement("C-06")
async def test_for_this_chat_covers_the_same_call_there_and_not_in_the_next(stage: Stage) -> None:
    scene, ticket, turn = await asked(stage)
    await scene.answer(ticket, "chat")
    await turn
    (scene.folder / "made").unlink()
    await scene.turn(ticket.chat_id, "run touch made")
    assert (scene.folder / "made").exists()
    assert len(scene.client.told("tool/approvalRequest")) == 1
    elsewhere = await scene.chat()
    turn = scene.say(elsewhere, "run touch made")
    again = await scene.card(lambda told: told.chat_id == elsewhere)
    await scene.answer(again, "deny")
    await turn


@requirement("T-04")
async def test_a_folder_outside_is_read_until_the_chat_ends_or_it_is_taken_back(
    stage: Stage, tmp_path: Path
) -> None:
    other = tmp_path / "code" / "other" / "src"
    other.mkdir(parents=True)
    (other / "a.txt").write_text("first", "utf-8")
    (other / "b.txt").write_text("second", "utf-8")
    scene = await stage(env={"HOME": str(tmp_path)})
    chat = await scene.chat()
    turn = scene.say(chat, f"read {other}/a.txt")
    ticket = await scene.card()
    (folder,) = [it for it in ticket.card.options if it.id == "folder"]
    assert folder.label == "Allow reading ~/code/other/src in this chat"
    await scene.answer(ticket, "folder")
    await turn
    decided = scene.rows("decided")[-1]["body"]["because"]
    assert decided == "You allowed reading ~/code/other/src for this chat"
    await scene.turn(chat, f"read {other}/b.txt")
    assert "second" in scene.printed(chat)
    assert len(scene.client.told("tool/approvalRequest")) == 1
    rules = (await scene.client.request("policy/rules", {})).rules
    (given,) = [rule for rule in rules if rule.rule == "read(~/code/other/src/**)"]
    assert given.chat_id == chat
    elsewhere = await scene.chat()
    turn = scene.say(elsewhere, f"read {other}/b.txt")
    await scene.answer(await scene.card(lambda told: told.chat_id == elsewhere), "deny")
    await turn
    taken = {"rule": given.rule, "verdict": given.verdict, "scope": given.scope, "id": given.id}
    await scene.client.request("policy/remove", taken | {"chatId": chat})
    turn = scene.say(chat, f"read {other}/a.txt")
    await scene.answer(await scene.card(lambda told: told.chat_id == chat), "deny")
    await turn


@requirement("T-07")
async def test_two_calls_of_one_turn_are_answered_apart(stage: Stage) -> None:
    scene, first, turn = await asked(stage, "two calls", mode="ask")
    second = await scene.card()
    shell, other = sorted((first, second), key=lambda it: it.card.body.kind != "shell")
    await scene.answer(shell, "deny")
    await scene.answer(other, "once")
    await turn
    outcomes = {row["body"]["tool"]: row["body"]["outcome"] for row in scene.rows("decided")}
    assert outcomes == {"shell": "refused", "write": "allowed"}


@requirement("S-06")
@pytest.mark.parametrize(
    "forged",
    [
        {"digest": "0" * 64},
        {"revision": 7},
        {"chatId": "another"},
        {"chatId": None},
        {"optionId": "forever"},
        {"approvalId": "00000000-0000-4000-8000-000000000000"},
    ],
)
async def test_a_forged_answer_changes_nothing(stage: Stage, forged: dict[str, Any]) -> None:
    scene, ticket, turn = await asked(stage)
    receipt = await scene.answer(ticket, "once", **forged)
    assert receipt.kind in {"stale", "unknown"}
    assert not (scene.folder / "made").exists()
    assert (await scene.answer(ticket, "deny")).kind == "applied"
    await turn


@requirement("T-11")
@pytest.mark.parametrize(
    "malformed",
    [
        {"optionId": 1},
        {"optionId": None},
        {"shownMs": "900"},
        {"shownMs": -1},
        {"digest": "ALLOW"},
        {"editedInput": {"command": "rm -rf /"}},
        {"revision": True},
        {"feedback": ["a"]},
    ],
)
async def test_a_malformed_answer_is_refused_and_changes_nothing(
    stage: Stage, malformed: dict[str, Any]
) -> None:
    scene, ticket, turn = await asked(stage)
    with pytest.raises(Refusal) as refusal:
        await scene.answer(ticket, "once", **malformed)
    assert refusal.value.code == -32602
    assert not (scene.folder / "made").exists()
    assert (await scene.answer(ticket, "deny")).kind == "applied"
    await turn


async def test_a_thousand_answers_run_it_once_and_are_told_so(stage: Stage) -> None:
    scene, ticket, turn = await asked(stage, "run echo once >> made")
    answers = [
        scene.client.ask("tool/approvalResponse", scene.answering(ticket, "once"))[1]
        for _ in range(1000)
    ]
    kinds = [receipt.kind for receipt in await asyncio.gather(*answers)]
    await turn
    assert (kinds.count("applied"), kinds.count("alreadyDecided")) == (1, 999)
    assert (scene.folder / "made").read_text() == "once\n"


@requirement("T-08")
@requirement("T-13")
async def test_stop_refuses_all_that_waits_and_a_later_answer_is_told_so(stage: Stage) -> None:
    scene, first, turn = await asked(stage, "two calls", mode="ask")
    second = await scene.card()
    await scene.client.request("agent/stop", {"chatId": first.chat_id}, within=20)
    assert (await turn).reason == "stopped"
    for ticket in (first, second):
        assert (await scene.settled(ticket)).by == "stop"
        late = await scene.answer(ticket, "once")
        assert (late.kind, late.outcome) == ("alreadyDecided", "refused")
    assert {row["body"]["outcome"] for row in scene.rows("decided")} == {"refused"}


@requirement("T-09")
async def test_nobody_answers_in_time_and_that_is_a_refusal(stage: Stage) -> None:
    scene = await stage()
    await scene.change_settings(user={"approvalTimeout": 0.2})
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    settled = await scene.settled(ticket)
    assert (settled.outcome, settled.by) == ("refused", "timeout")
    await turn
    assert not (scene.folder / "made").exists()
    assert (await scene.answer(ticket, "once")).kind == "alreadyDecided"


async def test_keep_waiting_takes_the_deadline_away(stage: Stage) -> None:
    scene, ticket, turn = await asked(stage)
    assert ticket.expires_at is not None
    await scene.client.request("agent/answerLater", {"approvalId": ticket.approval_id})
    patient = await scene.card()
    assert (patient.expires_at, patient.revision) == (None, ticket.revision)
    await scene.answer(ticket, "deny")
    await turn


@pytest.mark.process
@requirement("C-07")
async def test_the_end_of_stdin_ends_everything_and_nothing_runs(stage: Stage) -> None:
    scene, _, _ = await asked(stage)
    family = scene.client.family()
    scene.client.close_stdin()
    await scene.client.ended()
    assert not any(process.is_running() for process in family)
    assert not (scene.folder / "made").exists()
    assert scene.rows("decided")[-1]["body"]["by"] == "stop"


@pytest.mark.process
async def test_a_killed_server_runs_nothing_and_the_next_one_says_so(stage: Stage) -> None:
    scene, _, _ = await asked(stage)
    family = scene.client.family()
    assert family
    scene.client.process.send_signal(signal.SIGKILL)
    await scene.client.ended()
    await watched(lambda: not any(lives(process) for process in family))
    assert not (scene.folder / "made").exists()
    after = await stage(folder=scene.folder)

    def standing() -> list[str]:
        told = [it.event for it in after.client.told("agent/event")]
        return [it.banners for it in told if it.kind == "workspace"][-1]

    await watched(lambda: any("nothing of it ran" in banner for banner in standing()))
    decided = after.rows("decided")[-1]["body"]
    assert (decided["outcome"], decided["by"]) == ("refused", "error")


async def test_nothing_runs_once_the_journal_cannot_be_written_any_more(stage: Stage) -> None:
    scene, ticket, turn = await asked(stage)
    for path in scene.state.glob("journal.db*"):
        path.unlink()
    (scene.state / "journal.db").mkdir()
    receipt = await scene.answer(ticket, "once")
    assert (receipt.kind, receipt.outcome, receipt.by) == ("applied", "refused", "error")
    assert "journal" in receipt.because
    await turn
    assert not (scene.folder / "made").exists()


async def test_nothing_is_asked_while_the_journal_cannot_be_written(stage: Stage) -> None:
    scene = await stage()
    for path in scene.state.glob("journal.db*"):
        path.unlink()
    (scene.state / "journal.db").mkdir()
    chat = await scene.chat()
    await scene.turn(chat, "run touch made")
    assert scene.client.told("tool/approvalRequest") == []
    assert "the journal is no ordinary file" in scene.heard(chat)
    await scene.turn(chat, "read README.md")
    assert "A small workspace." not in scene.printed(chat)
    assert not (scene.folder / "made").exists()


@requirement("S-04")
async def test_a_lying_title_changes_nothing_on_the_card(stage: Stage) -> None:
    scene, ticket, turn = await asked(stage, "spoof touch made")
    shown = "".join(span.shown or span.text for span in ticket.card.title)
    assert ticket.card.body.kind == "shell"
    assert "touch made" in shown
    assert "README" not in shown
    assert "README" in "".join(span.text for span in ticket.card.says)
    await scene.answer(ticket, "deny")
    await turn


FLOOD = """
number = begin()
for _ in range(20_000):
    say("x" * 1_000)
end(number)
open(sys.argv[1], "w").close()
hear()
"""
"""Far more than may wait for an editor that does not read."""


@requirement("C-07")
async def test_an_editor_that_did_not_read_finds_its_ticket_when_it_comes_back(
    stage: Stage, scripted: Callable[..., AgentSpec]
) -> None:
    scene = await stage()
    odd = scripted(FLOOD)
    flooded = scene.folder / "flooded"
    agents = {"odd": {"command": odd.command, "args": [*odd.args, str(flooded)]}}
    await scene.change_settings(user={"agents": agents})
    loud, quiet = await scene.chat("odd"), await scene.chat()
    await scene.turn(quiet, "read README.md")
    scene.client.stop_reading()
    told = scene.say(loud, "go on")
    await watched(flooded.exists)
    turn = scene.say(quiet, "run touch made")
    await watched(lambda: scene.rows("asked"))
    scene.client.resume_reading()
    await told
    back = await scene.client.request("agent/subscribe", {"viewId": "view"})
    assert scene.client.told("tool/approvalRequest") == [], "nothing was lost, so nothing is shown"
    (ticket,) = back.snapshot.tickets
    assert ticket.chat_id == quiet
    assert (await scene.answer(ticket, "once")).kind == "applied"
    assert (await turn).reason == "done"
    assert (scene.folder / "made").exists()


async def watched(there: Callable[[], object]) -> None:
    """Wait until something is so that nobody tells us of: on the disk, or among the processes."""
    await asyncio.to_thread(until, there, within=IN_TIME, what="it is seen from outside")


def lives(process: psutil.Process) -> bool:
    """Whether a process can still do anything; one that only waits to be buried cannot."""
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
