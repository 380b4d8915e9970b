"""Turns an answer "always" into a rule, written by the editor where the person chose.

A rule is checked before its call is settled: it can be read, and together they settle the call.
One that is not as it was suggested is asked about once more by the editor itself. What
cannot be written does not hold.
"""

from collections.abc import Callable

from assent.editor.cards.spans import line, text_of
from assent.editor.window.consent.widening_consent import UNTRUSTED, WideningConsent
from assent.editor.window.rules.judge import Judge
from assent.editor.window.rules.rule_file import PLACES, RuleFile
from assent.editor.window.settings.workspace import Workspace
from assent.gate.approvals.grants import Grants, rule_of_chat
from assent.gate.approvals.tickets import Answer, Option, Scope, Ticket
from assent.gate.call.calls import Call, ChatId
from assent.gate.call.errors import AssentError, EditorRefused
from assent.gate.call.verdicts import Verdict
from assent.gate.rules.notation import RuleRefused, written
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.policy import grant_for
from assent.gate.values import define, evolve

__all__ = ["Always"]


@define
class Always:
    """Each method tells why it was not done, or None where it was."""

    _workspace: Workspace
    _widening_consent: WideningConsent
    _file: RuleFile
    _judge: Judge
    _grants: Grants
    _rule_again: Callable[[], None]

    async def agree(self, ticket: Ticket, option: Option, answer: Answer) -> str | None:
        """Check the rules of an answer, and ask once more about those that are wide."""
        if not isinstance(ticket.asks, Call):
            return "There is nothing to write a rule for here."
        if not self._workspace.reading.trusted:
            return UNTRUSTED
        try:
            rules = _rules(option, answer)
        except RuleRefused as refused:
            return str(refused)
        verdict = _verdict_of(option)
        if self._judge.with_rules(ticket.asks, rules).verdict is not verdict:
            return "These rules do not settle this call, so nothing was written."
        if verdict is Verdict.DENY:
            return None
        refusal = self._file.check(answer.scope or Scope.CHAT, rules)
        wide = _wider(option, rules)
        if refusal is not None or not wide:
            return refusal
        return await self._ask_once_more(option, wide, answer.scope or Scope.CHAT)

    async def grant(self, ticket: Ticket, option: Option, answer: Answer) -> str | None:
        """Write the rules of an answer that has been applied."""
        if not isinstance(ticket.asks, Call):
            return None
        try:
            rules = _rules(option, answer)
            if answer.scope is Scope.CHAT:
                self._for_chat(ticket.asks.chat, rules)
            else:
                await self._file.add(rules, answer.scope or Scope.WORKSPACE, ticket.asks)
        except AssentError as error:
            return str(error)
        return None

    def deny_for_chat(self, call: Call) -> None:
        """Refuse the like of a call until its chat ends."""
        self._grants.add(evolve(grant_for(call), verdict=Verdict.DENY))
        self._rule_again()

    def _for_chat(self, chat: ChatId, rules: tuple[WrittenRule, ...]) -> None:
        self._grants.write(chat, rules)
        self._rule_again()

    async def _ask_once_more(
        self, option: Option, wide: tuple[WrittenRule, ...], scope: Scope
    ) -> str | None:
        shown = "\n".join(text_of(line(rule.text)) for rule in wide)
        try:
            return await self._widening_consent.agree_to_rules(
                shown, PLACES[scope], in_sandbox=option.in_sandbox
            )
        except EditorRefused as error:
            return f"This editor could not ask you once more, so nothing was changed. {error!s}"


def _rules(option: Option, answer: Answer) -> tuple[WrittenRule, ...]:
    """The rules of an answer; raise what is wrong with them."""
    if not answer.rules:
        raise RuleRefused("There is no rule in this answer, so nothing was written.")
    if answer.scope not in option.scopes:
        raise RuleRefused("This answer does not say where its rules are to be written.")
    verdict = _verdict_of(option)
    rules = []
    for text in dict.fromkeys(answer.rules):
        try:
            rules.append(rule_of_chat(text, verdict, in_sandbox=option.in_sandbox))
        except RuleRefused as refused:
            raise RuleRefused(f"`{text_of(line(text[:80]))}` is no rule: {refused}") from None
    return tuple(rules)


def _wider(option: Option, rules: tuple[WrittenRule, ...]) -> tuple[WrittenRule, ...]:
    """The rules that may cover more than was suggested: all that were not.

    More words do not make a rule narrower: with an option that runs something they make it wider.
    """
    suggested = {written(text, _verdict_of(option)).text for text in option.rules}
    return tuple(rule for rule in rules if rule.text not in suggested)


def _verdict_of(option: Option) -> Verdict:
    """The verdict of the rules that an option writes; raise where it writes none."""
    if option.kind.writes is None:
        raise RuleRefused("That answer writes no rules.")
    return option.kind.writes
