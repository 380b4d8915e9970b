"""Handles the list of rules in reach: shows, removes and switches one.

What is told is what holds, with where it is written and how often it decided.
"""

from collections.abc import Callable
from typing import Any, Final

from assent.editor.cards.spans import line
from assent.editor.cards.spans import text_of as spelled_out
from assent.editor.protocol import chats
from assent.editor.protocol import rules as shapes
from assent.editor.window.consent.widening_consent import WideningConsent
from assent.editor.window.rules.rule_file import RuleFile
from assent.editor.window.rules.rule_rows import Rows
from assent.editor.window.settings.workspace import Workspace
from assent.gate.approvals.grants import Grants, mark_of
from assent.gate.approvals.tickets import Scope
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.errors import AssentError, JournalUnwritable
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import Question, explain
from assent.gate.journal.journal import Journal
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.policy import Grant, Policy
from assent.gate.settings.entries import is_for_sandbox, text_of
from assent.gate.values import define

__all__ = ["Rulebook", "explained"]

_VERDICTS: Final = {verdict.word: verdict for verdict in Verdict}
_NOBODY: Final = AgentId("")


@define
class Rulebook:
    """The rules of this window."""

    _workspace: Workspace
    _journal: Journal
    _file: RuleFile
    _grants: Grants
    _policy: Callable[[AgentId], Policy]
    """What a new chat with an agent would be ruled by."""
    _places: Callable[[], Places]
    _rule_again: Callable[[], None]
    _widening_consent: WideningConsent

    async def list(self, _: chats.Nothing) -> shapes.RuleList:
        """`policy/rules`."""
        uses = await self._uses()
        rows = Rows(reading=self._workspace.reading, keys=self._workspace.keys, uses=uses)
        listed = list(rows.all())
        for chat in self._grants.chats():
            said: tuple[WrittenRule | Grant, ...] = self._grants.written(chat)
            said += self._grants.of(chat)
            listed += [rows.of(rule, chat, mark_of(rule)) for rule in said]
        return shapes.RuleList(rules=listed)

    async def remove(self, params: shapes.RemoveRule) -> chats.Nothing:
        """`policy/remove`."""
        verdict, scope = _VERDICTS[params.verdict], Scope(params.scope)
        if scope is not Scope.CHAT:
            await self._file.remove(params.id, verdict, scope)
        elif not self._grants.erase(ChatId(params.chat_id or ""), params.id):
            raise AssentError("There is no such rule in that chat any more.")
        else:
            self._rule_again()
        return chats.Nothing()

    async def switch(self, params: shapes.SwitchRule) -> chats.Nothing:
        """`policy/switch`: what makes the rules looser is asked about once more."""
        verdict, scope, on = _VERDICTS[params.verdict], Scope(params.scope), params.on
        if on is (verdict is Verdict.ALLOW):
            entry = self._file.entry(params.id, verdict, scope)
            rule = spelled_out(line(f"{params.verdict} {text_of(entry)}"))
            refusal = await self._widening_consent.agree_to_switch(
                rule, on=on, in_sandbox=is_for_sandbox(entry)
            )
            if refusal is not None:
                raise AssentError(refusal)
        await self._file.switch(params.id, verdict, scope, on=on)
        return chats.Nothing()

    def explain(self, params: shapes.Explain) -> shapes.Explained:
        """`policy/explain`: the gate's own ruling, on a call that nobody has made."""
        agent = AgentId(params.agent or _NOBODY)
        question = Question(tool=params.tool, input=params.input, agent=agent)
        ruling = explain(question, self._policy(agent), self._places())
        return explained(ruling)

    async def _uses(self) -> dict[str, dict[str, Any]]:
        """How often each rule decided, by its text; nothing where the journal cannot be read."""
        try:
            return {row["rule"]: row for row in await self._journal.coverage()}
        except JournalUnwritable:
            return {}


def explained(ruling: Ruling) -> shapes.Explained:
    """A ruling on the wire."""
    return shapes.Explained(
        verdict=ruling.verdict.word,
        because=ruling.because,
        rule=ruling.rule,
        source=str(ruling.source) if ruling.source else None,
        parts=[
            shapes.ExplainedPart(text=part.text, verdict=part.verdict.word, because=part.because)
            for part in ruling.parts
        ],
        effects=[
            shapes.ExplainedDeed(kind=deed.kind, what=deed.what, inside=deed.inside)
            for deed in ruling.deeds
        ],
    )
