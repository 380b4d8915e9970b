"""Calls and tickets to draw."""

from typing import Any

from assent.editor.cards.draw import Setting
from assent.gate.approvals.options import options_for, options_for_wish
from assent.gate.approvals.tickets import Ticket, TicketId
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect, Target
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.ruling.policy import Policy
from assent.gate.settings.wishes import Wish

__all__ = ["SETTING", "a_call", "a_target", "a_ticket", "a_wish", "shell"]

SETTING = Setting(agent_name=lambda _: "Eliza", chat_title="A chat", mode=Mode.DEFAULT)
_RULING = Ruling(verdict=Verdict.ASK, because="Default mode asks.")


def a_call(**changed: Any) -> Call:
    known = {
        "id": CallId("call"),
        "chat": ChatId("chat"),
        "agent": AgentId("eliza"),
        "tool": "other",
        "effect": Effect.EXTERNAL,
        "input": {},
        "cwd": "/w",
    }
    return Call(**{**known, **changed})


def shell(command: str, **changed: Any) -> Call:
    given = {"tool": "shell", "effect": Effect.EXECUTE, "input": {"command": command}}
    return a_call(**{**given, **changed})


def a_target(shown: str, *, inside: bool = True) -> Target:
    return Target(spelled=shown, resolved=f"/w/{shown}", inside=inside, shown=shown)


def a_ticket(asks: Call | Wish) -> Ticket:
    options = (
        options_for(asks, _RULING, Policy(mode=Mode.DEFAULT, trusted=True), "Eliza")
        if isinstance(asks, Call)
        else options_for_wish("Allow this…")
    )
    return Ticket(id=TicketId("t"), asks=asks, digest=asks.digest, ruling=_RULING, options=options)


def a_wish(value: object = True) -> Wish:  # noqa: FBT002 -- what a workspace claims is a value
    return Wish(key="bypassPermissions", name="eliza", value=value, effect="It would not ask.")
