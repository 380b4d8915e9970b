"""Handles Insights: figures of the last days, rules that would save questions, unused rules.

All of it is read and ruled on in a thread, and nothing is applied.
"""

from collections.abc import Callable, Collection
from datetime import UTC, datetime
from typing import Final

from assent.editor.insights.insight_page import Idle, PageContent, page_of
from assent.editor.insights.journal_rows import insights_since, rules_used_since
from assent.editor.insights.proposals import Proposal, propose
from assent.editor.protocol import chats
from assent.editor.protocol import history as shapes
from assent.editor.protocol import rules as ruleshapes
from assent.editor.window.chats.cut_to_size import cut_line
from assent.editor.window.record.history import History
from assent.editor.window.rules.rulebook import Rulebook
from assent.gate.call.calls import AgentId
from assent.gate.disk.places import Places
from assent.gate.journal.marked_sentences import Markup, cell, say
from assent.gate.journal.reader import Reader
from assent.gate.ruling.policy import Policy
from assent.gate.values import define

__all__ = ["Lookback"]

_DAY_MS: Final = 86_400_000
_IDLE_DAYS: Final = 60
"""A rule that has decided nothing for so long could go."""
_MAX_COMMANDS_SHOWN: Final = 6
_OFF: Final = say("It is switched off.")
_UNUSED: Final = say("It has decided nothing for {a} days.", _IDLE_DAYS)


@define
class Lookback:
    """One for the whole server."""

    _history: History
    _rulebook: Rulebook
    _policy: Callable[[AgentId], Policy]
    """What a new chat with an agent would be ruled by."""
    _places: Callable[[], Places]
    _roots: tuple[str, ...]
    _now: Callable[[], int]

    async def show(self, params: shapes.WantInsights) -> shapes.InsightsPage:
        """`history/insights`."""
        listed = (await self._rulebook.list(chats.Nothing())).rules
        content = await self._history.read(
            lambda reader: self._gather_content(reader, params, listed)
        )
        proposals = [_proposed(proposal) for proposal in content.proposals.each]
        return shapes.InsightsPage(html=page_of(content), proposals=proposals)

    def _gather_content(
        self,
        reader: Reader,
        params: shapes.WantInsights,
        listed: Collection[ruleshapes.ListedRule],
    ) -> PageContent:
        now = self._now()
        folder = None if params.everywhere or not self._roots else self._roots[0]
        insights = insights_since(reader, now - params.days * _DAY_MS, folder)
        used = rules_used_since(reader, now - _IDLE_DAYS * _DAY_MS)
        return PageContent(
            insights=insights,
            proposals=propose(insights.questions, self._policy, self._places()),
            idle=tuple(_idle(rule, used) for rule in listed if _could_go(rule, used)),
            days=params.days,
            until=datetime.now(UTC).astimezone().date().isoformat(),
            where=say("in all your workspaces" if folder is None else "in this workspace"),
        )


def _proposed(proposal: Proposal) -> shapes.ProposedRule:
    return shapes.ProposedRule(
        rule=proposal.rule,
        saved=proposal.saved,
        also=[cut_line(what) for what in proposal.also[:_MAX_COMMANDS_SHOWN]],
        more=max(0, len(proposal.also) - _MAX_COMMANDS_SHOWN),
        record=shapes.RecordRef(record_id=proposal.row["seq"], hash=proposal.row["hash"]),
    )


def _could_go(rule: ruleshapes.ListedRule, used: Collection[str]) -> bool:
    return bool(rule.problem) or rule.on is False or rule.rule not in used


def _idle(rule: ruleshapes.ListedRule, used: Collection[str]) -> Idle:
    unused = Markup() if rule.rule in used else _UNUSED
    why = [cell(rule.problem or ""), _OFF if rule.on is False else unused]
    return Idle(
        rule=rule.rule,
        verdict=rule.verdict,
        where=rule.where,
        why=Markup(" ".join(filter(None, why))),
    )
