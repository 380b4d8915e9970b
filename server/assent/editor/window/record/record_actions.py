"""Handles what a person does with a record: show it, replay it, make or remove a rule.

Nothing is started here. Rules are written by the same hands as those of a card, and what allows is
asked about once more by the editor itself: no card stands behind it.
"""

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

from assent.editor.cards.spans import line, text_of
from assent.editor.cards.stored_card import read_kept
from assent.editor.protocol import chats
from assent.editor.protocol import history as shapes
from assent.editor.protocol import rules as ruleshapes
from assent.editor.window.chats.kept.retry import was_withdrawn
from assent.editor.window.consent.widening_consent import UNTRUSTED, WideningConsent
from assent.editor.window.record.history import History, RecordRows
from assent.editor.window.record.history_rows import facts_of, members_of, row_shape, shown_at
from assent.editor.window.rules.judge import Judge
from assent.editor.window.rules.preview import Preview
from assent.editor.window.rules.rule_file import PLACES, RuleFile
from assent.editor.window.rules.rulebook import Rulebook, explained
from assent.editor.window.settings.workspace import Workspace
from assent.gate.approvals.tickets import Scope
from assent.gate.call.calls import AgentId, Call
from assent.gate.call.errors import AssentError
from assent.gate.call.verdicts import Verdict
from assent.gate.journal.records import is_whole
from assent.gate.journal.row_marks import body_of
from assent.gate.rules.drafts import NONE, Drafts
from assent.gate.rules.notation import RuleRefused, written
from assent.gate.values import define

__all__ = ["RecordActions"]

_VERDICTS: Final = {verdict.word: verdict for verdict in Verdict}
_NO_CALL: Final = "It is about no call, so there is nothing to rule on."
_CUT: Final = "It was too long to be kept whole, so it cannot be ruled on again."
_STEPS: Final = "Each of its steps is ruled on by itself, and has a record of its own."
_NO_RULE: Final = "There is no rule to write."
_MISSES: Final = "These rules do not settle this call, so nothing was written."
_NOTHING_GIVEN: Final = "No rule that this decision wrote stands anywhere any more."


@define
class RecordActions:
    """One for the whole server."""

    _history: History
    _judge: Judge
    _preview: Preview
    _rulebook: Rulebook
    _file: RuleFile
    _widening_consent: WideningConsent
    _workspace: Workspace
    _name: Callable[[AgentId], str]

    async def show(self, params: shapes.RecordRef) -> shapes.HistoryRecord:
        """`history/show`."""
        rows = await self._history.find(params)
        body = body_of(rows.row)
        call, why_not = self._call(rows)
        if call is not None and call.tool == "run":
            why_not = _STEPS
        ruling = None if call is None or why_not else self._judge.anew(call)
        drafts = NONE if call is None else await asyncio.to_thread(self._judge.record_actions, call)
        return shapes.HistoryRecord(
            row=row_shape(rows.row, self._name),
            members=members_of(body),
            is_whole=is_whole(body),
            facts=facts_of(rows.row, rows.others, self._name),
            replay=None if ruling is None else explained(ruling),
            no_replay=why_not,
            allow=list(drafts.allow),
            deny=list(drafts.deny),
            scopes=self._scopes(drafts),
            gave=await self._gave(rows),
            may_ask_again=was_withdrawn(rows),
            **_card(rows),
        )

    async def preview(self, params: shapes.PreviewRule) -> ruleshapes.Previewed:
        """`history/previewRule`."""
        call = await self._sound(params)
        verdict = _VERDICTS[params.verdict]
        return await self._preview.foresee(call, params.rules, verdict, self._judge.anew)

    async def make(self, params: shapes.MakeRule) -> chats.Nothing:
        """`history/makeRule`."""
        call, verdict = await self._sound(params), _VERDICTS[params.verdict]
        if not self._workspace.reading.trusted:
            raise AssentError(UNTRUSTED)
        try:
            rules = tuple(written(text, verdict) for text in dict.fromkeys(params.rules))
        except RuleRefused as refused:
            raise AssentError(str(refused)) from None
        if not rules:
            raise AssentError(_NO_RULE)
        if self._judge.anew(call, rules).verdict is not verdict:
            raise AssentError(_MISSES)
        scope = Scope(params.scope)
        if verdict is Verdict.ALLOW:
            refusal = self._file.check(scope, rules) or await self._widening_consent.agree_to_rules(
                "\n".join(text_of(line(rule.text)) for rule in rules), PLACES[scope]
            )
            if refusal is not None:
                raise AssentError(refusal)
        await self._file.add(rules, scope, call)
        return chats.Nothing()

    async def revoke(self, params: shapes.RecordRef) -> chats.Nothing:
        """`history/revoke`: what denied or asked is asked about once more."""
        rows = await self._history.find(params)
        listed = await self._standing(rows)
        if not listed:
            raise AssentError(_NOTHING_GIVEN)
        tightening = [rule for rule in listed if rule.verdict != "allow"]
        if tightening:
            refusal = await self._widening_consent.agree_to_remove(
                "\n".join(text_of(line(f"{rule.verdict} {rule.rule}")) for rule in tightening)
            )
            if refusal is not None:
                raise AssentError(refusal)
        # The last of a list first: taking one out moves those behind it.
        for rule in sorted(listed, key=lambda row: int(row.id.split(":")[1]), reverse=True):
            await self._rulebook.remove(_removal(rule))
        return chats.Nothing()

    def _call(self, record_rows: RecordRows) -> tuple[Call | None, str]:
        """The call of a record, as far as it can be ruled on again, or why it cannot."""
        body = body_of(record_rows.row)
        if record_rows.row["kind"] != "decided" or not body:
            return None, _NO_CALL
        if not is_whole(body):
            return None, _CUT
        call = self._judge.past(record_rows.row)
        return call, "" if call is not None else _NO_CALL

    async def _sound(self, params: shapes.PreviewRule) -> Call:
        call, why_not = self._call(await self._history.find(params))
        if call is None:
            raise AssentError(why_not)
        return call

    def _scopes(self, drafts: Drafts) -> list[Literal["workspace", "user"]]:
        return ["workspace", "user"] if drafts.for_workspace else ["user"]

    async def _gave(self, record_rows: RecordRows) -> list[shapes.WrittenRuleRow]:
        standing = {
            _key(rule) for rule in await self._standing(record_rows) if rule.on is not False
        }
        return [
            shapes.WrittenRuleRow(
                rule=rule,
                verdict=verdict,
                where=PLACES[Scope.HERE if folder else Scope(where)],
                holds=(verdict, rule, where, folder, in_sandbox) in standing,
            )
            for verdict, rule, where, folder, in_sandbox in _written_with(record_rows)
        ]

    async def _standing(self, record_rows: RecordRows) -> list[ruleshapes.ListedRule]:
        """The rules that were written with a decision, as they stand in the list now."""
        wanted = set(_written_with(record_rows))
        if not wanted:
            return []
        listed = (await self._rulebook.list(chats.Nothing())).rules
        return [rule for rule in listed if rule.id and _key(rule) in wanted]


def _card(record_rows: RecordRows) -> dict[str, Any]:
    """The card of a record, and what is to be said of it."""
    if record_rows.picture is None:
        return {"card_note": record_rows.no_picture}
    try:
        kept = read_kept(record_rows.picture)
    except AssentError as error:
        return {"card_note": str(error)}
    return {
        "card": kept.card,
        "card_note": kept.note,
        "shown_at": shown_at(record_rows.row, record_rows.others),
    }


_Key = tuple[str, str, str, str, bool]
"""The verdict, the rule, where it is written, for which folder, and if for the sandbox alone."""


def _written_with(record_rows: RecordRows) -> Iterator[_Key]:
    """The rules that were written with a decision."""
    for row in record_rows.others:
        body = body_of(row)
        if row["kind"] != "noted" or body.get("setting") != "assent.rules":
            continue
        values, where, folder = body.get("value"), str(body.get("where")), body.get("in", "")
        for text in values if isinstance(values, list) else ():
            verdict, _, rule = str(text).partition(" ")
            if verdict in _VERDICTS and where in {Scope.WORKSPACE, Scope.USER}:
                yield verdict, rule, where, str(folder), body.get("sandbox") is True


def _key(rule: ruleshapes.ListedRule) -> _Key:
    return rule.verdict, rule.rule, rule.scope, rule.folder, rule.in_sandbox


def _removal(rule: ruleshapes.ListedRule) -> ruleshapes.RemoveRule:
    return ruleshapes.RemoveRule(
        rule=rule.rule,
        verdict=rule.verdict,
        scope="workspace" if rule.scope == Scope.WORKSPACE else "user",
        id=rule.id,
    )
