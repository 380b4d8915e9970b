"""A running command asks for hosts: each is a call of its own, which the gate rules on."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from agent.loop.probe import Probes, probe
from agent.loop.scene import CHAT, Table, calling, saying
from agent.tools.browsing import Asked, bench
from assent.agent.tools.network_question import may_reach
from assent.agent.tools.tool import Bench, Done
from assent.gate.approvals.tickets import Ticket
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.passage import Ended
from assent.gate.ruling.hook_verdicts import HookWord
from assent.gate.sandbox.hosts import Answer, Leave
from gate.admit.scene import within
from gate.ruling.samples import Says, running

Wanted = list[tuple[str, int]]


@pytest.fixture
def ask(probes: Probes, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Answer]]:
    """Has the tool of the tests ask for hosts at once, as a command does that runs."""

    def wanting(*wanted: tuple[str, int]) -> list[Answer]:
        came: list[Answer] = []

        async def do(_: Any, call: Call, bench: Bench) -> Done:
            command = evolve(call, input={"command": "npm install"})
            hosts = (may_reach(bench, command, host, port) for host, port in wanted)
            came.extend(await asyncio.gather(*hosts))
            return Done(text="It ran.")

        probes.replace(evolve(probes.tool, do=do), monkeypatch)
        return came

    return wanting


def host_of(ticket: Ticket) -> str:
    assert isinstance(ticket.asks, Call)
    return str(ticket.asks.input["host"])


async def test_each_host_is_a_question_of_its_own_and_the_others_do_not_wait(
    table: Table, ask: Callable[..., list[Answer]]
) -> None:
    came = ask(("Registry.example", 443), ("cdn.example", 443), ("0x7f.1", 80))
    table.model.will(calling(probe("a")), saying("Oh."))
    turn = table.prompt()
    cards = {host_of(card): card for card in (await table.card(), await table.card())}
    asks = cards["registry.example"].asks
    assert isinstance(asks, Call)
    assert asks.tool == "network"
    assert asks.input == {"host": "registry.example", "port": 443, "command": "npm install"}
    await table.answer(cards["registry.example"])
    await table.deny(cards["cdn.example"], "Use the mirror.")
    await within(turn)
    given, denied, odd = came
    assert given == Answer(Leave.OUTSIDE), "and not to where it may lead on this machine"
    assert (denied.leave, odd.leave) == (Leave.NONE, Leave.NONE)
    assert "Use the mirror." in denied.because
    assert "may read differently" in odd.because
    # The command runs on.
    assert not any("not run" in answer.because for answer in came)
    # What came of the command is its own.
    assert [result.text for result in table.results] == ["It ran."]
    states = {call.input["host"]: table.steps(call)[-1] for call in table.calls[1:]}
    assert states["registry.example"] is State.SUCCEEDED
    assert states["cdn.example"] is State.REFUSED
    assert table.rows(kind="decided")[-1]["body"]["tool"] in {"network", "other"}


async def test_leave_for_the_chat_answers_the_next_command_for_that_host_and_port_alone(
    table: Table, ask: Callable[..., list[Answer]]
) -> None:
    came = ask(("registry.example", 443))
    table.mode = Mode.AUTO
    for _ in range(2):
        table.model.will(calling(probe("a")), saying("Oh."))
    turn = table.prompt()
    await table.answer(await table.card(), "chat")
    await within(turn)
    await table.says()
    assert came == [Answer(Leave.OUTSIDE)] * 2
    assert table.shown.empty()


async def test_a_person_means_this_machine_where_the_card_says_that_it_is_one_there(
    table: Table, ask: Callable[..., list[Answer]]
) -> None:
    came = ask(("10.1.2.3", 8080))
    table.model.will(calling(probe("a")), saying("Oh."))
    turn = table.prompt()
    card = await table.card()
    assert "network" in card.ruling.because
    await table.answer(card)
    await within(turn)
    assert came == [Answer(Leave.INSIDE)]


async def test_leave_that_was_not_meant_for_this_host_says_so(
    table: Table, ask: Callable[..., list[Answer]]
) -> None:
    came = ask(("registry.example", 443))
    table.rules = (Says(verdict=Verdict.ALLOW),)
    table.model.will(calling(probe("a")), saying("Oh."))
    await table.says()
    assert came == [Answer(Leave.OUTSIDE)]


async def test_a_question_goes_away_with_its_command(
    table: Table, ask: Callable[..., list[Answer]]
) -> None:
    came = ask(("registry.example", 443), ("cdn.example", 443))
    table.model.will(calling(probe("a")))
    turn = table.prompt()
    cards = [await table.card(), await table.card()]
    await within(table.assistants.stop(CHAT))
    await within(turn)
    assert table.room.tickets == ()
    assert {card.id for card in cards} == set(table.closed)
    assert not any(settlement.outcome == "allowed" for settlement, _ in table.closed.values())
    assert came == []


async def test_a_question_goes_away_when_nobody_waits_for_it_any_more(
    table: Table, probes: Probes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def do(_: Any, call: Call, bench: Bench) -> Done:
        waiting = asyncio.ensure_future(may_reach(bench, call, "registry.example", 443))
        await table.card()
        waiting.cancel()
        await asyncio.wait([waiting])
        return Done(text=f"{waiting.cancelled()}, {len(table.room.tickets)} open")

    probes.replace(evolve(probes.tool, do=do), monkeypatch)
    table.model.will(calling(probe("a")), saying("Oh."))
    await table.says()
    assert table.results[0].text == "True, 0 open"


async def test_a_hook_may_refuse_a_host_and_give_it_no_other(
    table: Table, ask: Callable[..., list[Answer]]
) -> None:
    class Rewriting:
        async def before(self, call: Call) -> HookWord:
            other = {**call.input, "host": "evil.example"}
            return HookWord(rewritten=other) if call.tool == "network" else HookWord()

        async def after(self, _: Call, __: Ended) -> str:
            return ""

    came = ask(("registry.example", 443))
    table.hooked(Rewriting())
    table.mode = Mode.AUTO
    table.model.will(calling(probe("a")), saying("Oh."))
    await table.says()
    assert [answer.leave for answer in came] == [Leave.NONE]


async def test_where_nobody_can_be_asked_nothing_is_reached() -> None:
    leave = await may_reach(bench(Asked()), running("npm install"), "registry.example", 443)
    assert leave == Answer(Leave.NONE, "Nobody can be asked.")
