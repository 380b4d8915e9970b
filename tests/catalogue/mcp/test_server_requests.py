"""What a server asks in the midst of a call becomes a call of its own, of the same chat."""

from typing import Any

import pytest

from assent.catalogue.mcp.server_requests import ServerRequest
from assent.catalogue.nodes.source import NodeFailed, Reply
from assent.catalogue.nodes.source import Outcome as Came
from assent.gate.approvals.tickets import Option, OptionKind, Outcome, Settlement
from assent.gate.call.calls import Call
from assent.gate.call.verdicts import Actor
from assent.gate.passage import Passage
from gate.ruling.samples import using
from tables import each_row

FORM: dict[str, Any] = {"message": "So?", "fields": []}


class Gate:
    """A gate that settles whatever comes in one way."""

    def __init__(self, outcome: Outcome, kind: OptionKind | None = None) -> None:
        option = None if kind is None else Option(id="it", kind=kind, label="It")
        self.says = Settlement(outcome=outcome, by=Actor.USER, because="No.", option=option)
        self.admitted: list[Call] = []

    async def admit(self, call: Call, _: Any) -> Passage:
        self.admitted.append(call)
        return Passage(settlement=self.says)


def call() -> Call:
    return using({"server": "github", "tool": "create_issue"})


async def came() -> Came:
    return Came(text="Done.")


async def fails() -> Came:
    raise NodeFailed("It failed.")


async def test_it_names_the_server_and_the_tool_and_is_of_the_same_chat() -> None:
    gate, about = Gate(Outcome.ANSWERED, OptionKind.DECLINE), call()
    assert await ServerRequest(gate.admit, about).ask(FORM) == Reply(action="decline")
    (asked,) = gate.admitted
    assert asked.input == {"server": "github", "tool": "create_issue", **FORM}
    assert (asked.chat, asked.agent, asked.part) == (about.chat, about.agent, about.part)
    assert asked.id != about.id


async def test_where_nobody_knows_for_which_call_it_is_no_tool_is_named() -> None:
    gate = Gate(Outcome.ANSWERED, OptionKind.DECLINE)
    await ServerRequest(gate.admit, call()).ask({**FORM, "unsure": True})
    assert gate.admitted[0].input == {"server": "github", **FORM}


@each_row("unsure", [True, False])
async def test_who_asks_is_not_for_the_question_to_say(unsure: bool) -> None:
    gate = Gate(Outcome.ANSWERED, OptionKind.DECLINE)
    claimed = {**FORM, "server": "bank", "tool": "log_in", "host": "h", "unsure": unsure}
    await ServerRequest(gate.admit, call()).ask(claimed)
    tool = {} if unsure else {"tool": "create_issue"}
    assert gate.admitted[0].input == {"server": "github", **tool, **FORM}


@each_row("outcome", [Outcome.REFUSED, Outcome.WITHDRAWN, Outcome.ALLOWED])
async def test_what_is_no_answer_is_no_yes_and_why_is_told_once(outcome: Outcome) -> None:
    gate = Gate(outcome)
    asked = ServerRequest(gate.admit, call())
    assert [await asked.ask(FORM), await asked.ask(FORM)] == [Reply(), Reply()]
    assert (await asked.finish(came())).text == "Done.\n\nNo."
    with pytest.raises(NodeFailed, match=r"^It failed.\n\nNo.$"):
        await asked.finish(fails())


async def test_who_cancels_hears_of_no_more_questions_for_that_call() -> None:
    gate = Gate(Outcome.ANSWERED, OptionKind.CANCEL)
    asked = ServerRequest(gate.admit, call())
    assert [await asked.ask(FORM), await asked.ask(FORM)] == [Reply(), Reply()]
    assert len(gate.admitted) == 1
    assert (await asked.finish(came())).text == "Done."
