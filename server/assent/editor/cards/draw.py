"""Draws a card from a ticket alone: from the parsed call, its ruling and its options.

An agent's words appear in one place, `says`, as plain text with their speaker named.
"""

from collections.abc import Callable
from typing import Final, Literal

from assent.editor.cards.bodies import body_of, body_of_wish
from assent.editor.cards.hunks import Room
from assent.editor.cards.members import members_of
from assent.editor.cards.parts import as_shown
from assent.editor.cards.spans import line, plain, text_of
from assent.editor.cards.titles import title_of
from assent.editor.cards.touches import touches_of
from assent.editor.protocol.card import Because, Card, CardOption, Span
from assent.gate.approvals.tickets import Option, Ticket
from assent.gate.call.calls import APPLY, Call
from assent.gate.call.modes import NAMES, Mode
from assent.gate.call.verdicts import Ruling
from assent.gate.ruling.weight import Level, Weight, weigh
from assent.gate.settings.wishes import Wish
from assent.gate.values import frozen

__all__ = ["Setting", "draw"]

_TOO_LONG: Final = "Changes more than this card can show; open the diff to see all of it."


@frozen(kw_only=True)
class Setting:
    """Where a ticket's question stands: what a card says beside the question itself."""

    agent_name: Callable[[str], str]
    chat_title: str
    mode: Mode


def draw(ticket: Ticket, setting: Setting) -> Card:
    """The picture of a ticket."""
    if isinstance(ticket.asks, Wish):
        return _draw_wish(ticket, ticket.asks, setting)
    return _draw_call(ticket, ticket.asks, setting)


def _draw_call(ticket: Ticket, call: Call, setting: Setting) -> Card:
    ruling = as_shown(call, ticket.ruling)
    room = Room()
    body = body_of(call, ruling, room)
    weight = _weight(call, ruling, room)
    title = title_of(call, ruling)
    return Card(
        agent_id=call.agent,
        agent_name=setting.agent_name(call.agent),
        chat_title=setting.chat_title,
        mode=NAMES[setting.mode],
        sandbox=_sandbox(call),
        title=title,
        consequence=weight.consequence and text_of(line(weight.consequence)),
        level=weight.level.value,
        body=body,
        members=members_of(call, title),
        touches=touches_of(call, ruling),
        because=_because(ticket.ruling),
        primary="deny" if weight.level is Level.HIGH else "allow",
        options=[_option(option) for option in ticket.options],
        edits=call.editable or None,
        says=_says(call),
    )


def _sandbox(call: Call) -> Literal["none", "trial"] | None:
    if call.action == APPLY:
        return "trial"
    return "none" if call.tool == "shell" else None


def _weight(call: Call, ruling: Ruling, room: Room) -> Weight:
    """What is at stake; a change that a card has no room for is not to be passed over."""
    weight = weigh(call, ruling)
    if room.whole:
        return weight
    level = Level.MEDIUM if weight.level is Level.LOW else weight.level
    return Weight(level=level, consequence=" ".join(filter(None, (weight.consequence, _TOO_LONG))))


def _says(call: Call) -> list[Span] | None:
    """The agent's own words, also for the part of its work that the call belongs to."""
    part = f"For the part “{call.part}” of its work." if call.part else ""
    words = " ".join(filter(None, (part, call.says)))
    return plain(words) if words else None


def _draw_wish(ticket: Ticket, wish: Wish, setting: Setting) -> Card:
    return Card(
        agent_id=wish.name,
        agent_name=setting.agent_name(wish.name) if wish.name else "This workspace",
        chat_title="",
        mode="",
        title=plain(ticket.ruling.because),
        consequence=wish.effect,
        level="high",
        body=body_of_wish(wish),
        touches=[],
        because=Because(
            text="A workspace's files cannot widen what is allowed; only you can.",
            source=_source(wish),
        ),
        primary="deny",
        options=[_option(option) for option in ticket.options],
    )


def _source(wish: Wish) -> str | None:
    """Where a wish is written, unless its files say so."""
    return None if wish.files else f"assent.{wish.key} in this workspace's settings"


def _because(ruling: Ruling) -> Because:
    source = str(ruling.source) if ruling.source else None
    return Because(text=ruling.because, rule=ruling.rule, source=source)


def _option(option: Option) -> CardOption:
    return CardOption(
        id=option.id,
        kind=option.kind.value,
        label=text_of(line(option.label)),
        detail=text_of(line(option.detail)),
        rules=list(option.rules),
        scopes=[scope.value for scope in option.scopes],
        in_sandbox=option.in_sandbox,
        choices=list(option.choices),
    )
