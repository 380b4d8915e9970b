"""A collector of our own beside a real server: what it is told, and what it never is."""

from collections.abc import AsyncIterator

import pytest

from editor.wire.collector import Collector, collecting, words_in
from editor.wire.own import Own, OwnStage, model, own
from models.http11 import whole_answer
from models.script import call, text

__all__ = ["model", "own"]

JSON = {"content-type": "application/json"}
SAID = "Please look after the Zanzibar ledger"
WORDS = [SAID, "Zanzibar", "I shall rename Quokka", "README.md", "quokka.txt", "wombat-build"]
WORDS += ["internal.kookaburra.example", "Because of the platypus", "touch", "rm -rf", "echo"]
PLAN = "Because of the platypus"
WORDS += ["tiny", "workspace", "Never the numbat"]


@pytest.fixture
async def collector() -> AsyncIterator[Collector]:
    async with collecting() as it:
        yield it


async def a_day(it: Own) -> None:
    """A read by the mode, a command that is allowed, one that is not, and what a rule denies."""
    it.model.reply(
        text("I shall rename Quokka."),
        call("read_file", {"path": "README.md"}),
        call("run_command", {"command": "touch quokka.txt", "description": PLAN}),
    )
    it.model.reply(call("run_command", {"command": "rm -rf wombat-build"}))
    it.model.reply(call("web_fetch", {"url": "https://internal.kookaburra.example/x"}))
    it.model.reply(text("Done with the Zanzibar ledger."))
    turn = it.say(SAID)
    await it.scene.answer(await it.scene.card(), "once")
    await it.scene.answer(await it.scene.card(), "tell", feedback="Never the numbat")
    assert (await turn).reason == "done"


DENIES = {"deny": ["fetch(domain:internal.kookaburra.example)"]}


@pytest.mark.requirement("C-11")
async def test_a_collector_receives_the_counts_of_a_day_and_no_path_or_command(
    own: OwnStage, collector: Collector
) -> None:
    it = await own(telemetry={"endpoint": collector.url}, rules=DENIES)
    await a_day(it)
    assert await it.scene.client.leave() == 0
    assert collector.decisions() == {
        ("allow", "allowed", "mode"): 1,
        ("ask", "allowed", "user"): 1,
        ("ask", "refused", "user"): 1,
        ("deny", "refused", "rule"): 1,
    }
    assert collector.timed("assent.ruling.duration") == 4
    assert collector.timed("assent.answering.duration") == 2
    assert collector.timed("assent.running.duration") == 2
    assert collector.last("assent.tickets.open")["gauge"]["dataPoints"][0]["asInt"] == "0"
    calls = [it for it in collector.spans() if it["name"] == "call"]
    assert len({span["traceId"] for span in calls}) == 4
    ends = sorted(words_in(span)["assent.end"] for span in calls)
    assert ends == ["refused", "refused", "succeeded", "succeeded"]
    here = [str(it.scene.folder), str(it.scene.state), it.chat]
    sent = bytes(collector.raw).lower()
    assert [word for word in [*WORDS, *here] if word.lower().encode() in sent] == []


async def test_commands_and_paths_are_sent_only_where_the_person_asks_for_that(
    own: OwnStage, collector: Collector
) -> None:
    it = await own(telemetry={"endpoint": collector.url, "details": True}, rules=DENIES)
    await a_day(it)
    assert await it.scene.client.leave() == 0
    told = [words_in(span) for span in collector.spans() if span["name"] == "call"]
    assert {it.get("assent.command") for it in told} == {
        "touch quokka.txt",
        "rm -rf wombat-build",
        None,
    }
    assert b"README.md" in collector.raw
    assert b"internal.kookaburra.example" in collector.raw
    for word in (SAID, "I shall rename", "platypus", "numbat"):
        assert word.encode() not in collector.raw, "what somebody said is sent to nobody"


async def test_a_workspace_cannot_name_a_collector(own: OwnStage, collector: Collector) -> None:
    it = await own()
    said = {"telemetry": {"endpoint": collector.url, "details": True}}
    await it.scene.change_settings(workspace=said, folder=said)
    it.model.reply(call("read_file", {"path": "README.md"}))
    it.model.reply(text("Seen."))
    await it.turn()
    assert await it.scene.client.leave() == 0
    assert collector.bodies == []


BROKEN = {
    "fails": lambda _: whole_answer(500, b"{}", JSON),
    "talks nonsense": lambda _: whole_answer(200, b"\xff\x00 hello", JSON),
    "shows a page": lambda _: whole_answer(200, b"<html>", {"content-type": "text/html"}),
    "hangs up": lambda _: b"",
    "leads elsewhere": lambda _: whole_answer(307, b"", {"location": "http://127.0.0.1:1/x"}),
    "stays silent": lambda _: None,
}


@pytest.mark.parametrize("how", BROKEN)
async def test_a_collector_that_is_broken_holds_up_no_call_and_no_goodbye(
    own: OwnStage, collector: Collector, how: str
) -> None:
    collector.says = BROKEN[how]
    it = await own(telemetry={"endpoint": collector.url}, rules=DENIES)
    await a_day(it)
    rows = it.scene.rows("decided")
    assert [row["body"]["outcome"] for row in rows] == ["allowed", "allowed", "refused", "refused"]
    assert await it.scene.client.leave() == 0
    assert collector.bodies, "or nobody asked it"
    assert "Traceback" not in it.scene.client.log
