"""Shows what a new rule would do: to similar commands, and to past calls.

Nothing is decided here. What is told of the past is what these rules alone would have let pass,
or refused, among the last calls that the journal has.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Final

import orjson

from assent.editor.protocol import rules as shapes
from assent.editor.window.rules.judge import Judge
from assent.gate.approvals.tickets import TicketId
from assent.gate.approvals.waiting_room import WaitingRoom
from assent.gate.call.calls import Call
from assent.gate.call.errors import AssentError, JournalUnwritable
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.journal.journal import Journal
from assent.gate.rules.neighbours import MAX_EXAMPLES, neighbours_of
from assent.gate.rules.notation import RuleRefused, written
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.values import define, frozen

__all__ = ["Preview"]

_LAST: Final = 200
"""How many calls of the past are looked at."""
_AT_ONCE: Final = 8
"""After so many calls others have their turn: judging them all takes a while."""


@frozen(kw_only=True)
class _Past:
    """What rules would have done to the calls of the past."""

    matched: int = 0
    denied: int = 0
    of: int = 0


@define
class Preview:
    """Serves `tool/previewRules`."""

    _room: WaitingRoom
    _journal: Journal
    _judge: Judge

    async def show(self, params: shapes.Preview) -> shapes.Previewed:
        """What the rules of an answer would do, as they stand in its editor now."""
        ticket = self._room.ticket(TicketId(params.approval_id))
        if ticket is None or not isinstance(ticket.asks, Call):
            raise AssentError("That question is closed already.")
        option = ticket.option(params.option_id)
        verdict = option.kind.writes if option else None
        if option is None or verdict is None:
            raise AssentError("That answer writes no rules.")
        made_by, in_sandbox = ticket.asks.made_by or ticket.asks, option.in_sandbox
        return await self.foresee(
            made_by, params.rules, verdict, self._judge.with_rules, in_sandbox=in_sandbox
        )

    async def foresee(
        self,
        call: Call,
        texts: list[str],
        verdict: Verdict,
        ruled: Callable[[Call, tuple[WrittenRule, ...]], Ruling],
        *,
        in_sandbox: bool = False,
    ) -> shapes.Previewed:
        """What rules would do with a call, and would have done with those of the past."""
        rules = {text: _rule(text, verdict, in_sandbox=in_sandbox) for text in texts}
        sound = tuple(rule for rule in rules.values() if isinstance(rule, WrittenRule))
        past = await self._past(sound, verdict)
        return shapes.Previewed(
            rules=[self._previewed(call, text, rule) for text, rule in rules.items()],
            covers=len(sound) == len(rules) > 0 and ruled(call, sound).verdict is verdict,
            matched=past.matched,
            denied=past.denied,
            of=past.of,
        )

    def _previewed(self, call: Call, text: str, rule: WrittenRule | str) -> shapes.PreviewedRule:
        if isinstance(rule, str):
            return shapes.PreviewedRule(rule=text, problem=rule)
        neighbours: dict[bool, list[str]] = {True: [], False: []}
        for near in neighbours_of(rule):
            like = self._judge.near(call, rule, near)
            if like is not None and like.input != call.input:
                covered = self._judge.by_rules_alone(like, (rule,)) is rule.verdict
                neighbours[covered].append(near)
        return shapes.PreviewedRule(
            rule=text,
            would_match=neighbours[True][:MAX_EXAMPLES],
            would_spare=neighbours[False][:MAX_EXAMPLES],
        )

    async def _past(self, rules: tuple[WrittenRule, ...], verdict: Verdict) -> _Past:
        try:
            rows = await self._journal.newest("decided", _LAST)
        except JournalUnwritable:
            return _Past()
        matched = denied = 0
        for number, row in enumerate(rows):
            if number % _AT_ONCE == 0:
                await asyncio.sleep(0)
            call = self._judge.past(row) if rules else None
            if call is not None and self._judge.by_rules_alone(call, rules) is verdict:
                matched += 1
                denied += _was_denied(row)
        return _Past(matched=matched, denied=denied, of=len(rows))


def _rule(text: str, verdict: Verdict, *, in_sandbox: bool) -> WrittenRule | str:
    """The rule, or the sentence that says what is wrong with it."""
    try:
        return written(text, verdict, in_sandbox=in_sandbox)
    except RuleRefused as refused:
        return str(refused)


def _was_denied(row: dict[str, Any]) -> bool:
    body = orjson.loads(row["body"])
    return (body.get("outcome"), body.get("by")) == ("refused", "user")
