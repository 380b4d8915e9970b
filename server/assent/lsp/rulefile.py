"""Writes rules into the settings, through the editor: the whole object, with one thing changed.

What stands there is kept as it stands. What a workspace's list allows is a wish: it is attested
before it is written, so that a crash between the two leaves it off.
"""

from collections.abc import Mapping
from typing import Any, Final

from attrs import define

from assent.approvals.tickets import Outcome, Scope
from assent.errors import AssentError, EditorRefused
from assent.history.journal import Entry, Journal
from assent.lsp.wire import Wire
from assent.lsp.workspace import Workspace
from assent.policy.rulebook.notation import RuleRefused, written
from assent.policy.rulebook.written import WrittenRule
from assent.policy.verdicts import Verdict
from assent.protocol import editor
from assent.settings.claims import Claims
from assent.settings.complaints import Complaints
from assent.settings.layers import Layer, Problems
from assent.settings.rules import rules_of
from assent.settings.wishes import Standing, Wish

__all__ = ["RuleFile"]

_KEY: Final = "rules"
_PLACES: Final = {Scope.WORKSPACE: "this workspace's settings", Scope.USER: "your user settings"}

Value = dict[str, Any]
"""What stands under `assent.rules` in one layer."""


@define
class RuleFile:
    """The rules that stand in the settings of the person and of the workspace."""

    _wire: Wire
    _journal: Journal
    _workspace: Workspace

    def check(self, scope: Scope) -> str | None:
        """Why a rule that is written there would not hold; None where it would."""
        if scope is not Scope.WORKSPACE:
            return None
        try:
            wishes = self._wishes(self._value(scope))
        except AssentError as error:
            return str(error)
        if all(self._workspace.standing(wish) is Standing.GRANTED for wish in wishes):
            return None
        return (
            "This workspace's settings hold rules that you have not agreed to. Answer their card"
            " first, or choose another place for yours."
        )

    async def add(self, rules: tuple[WrittenRule, ...], scope: Scope) -> None:
        """Write rules behind those that stand there; raise where they could not be."""
        # What was written by hand a moment ago is not to be lost.
        await self._workspace.reload()
        refusal = self.check(scope)
        if refusal is not None and any(rule.verdict is Verdict.ALLOW for rule in rules):
            raise AssentError(refusal)
        value = self._value(scope)
        for rule in rules:
            entries = value.get(_word(rule.verdict), [])
            if not any(_is_plainly(entry, rule.text) for entry in entries):
                value[_word(rule.verdict)] = [*entries, rule.text]
        await self._journal.keep(_row([f"{_word(it.verdict)} {it.text}" for it in rules], scope))
        await self._write(value, scope, agreed=refusal is None)

    async def remove(self, text: str, verdict: Verdict, scope: Scope) -> None:
        """Take a rule out of where it is written; raise where it does not stand there."""
        await self._workspace.reload()
        value = self._value(scope)
        entries = value.get(_word(verdict), [])
        left = [entry for entry in entries if not _says(entry, text, verdict)]
        if len(left) == len(entries):
            raise AssentError(f"There is no such rule in {_PLACES[scope]}.")
        agreed = self.check(scope) is None
        value[_word(verdict)] = left
        await self._journal.keep(_row([f"no more: {_word(verdict)} {text}"], scope))
        await self._write(value, scope, agreed=agreed)

    async def _write(self, value: Value, scope: Scope, *, agreed: bool) -> None:
        """Attest what a workspace's list now allows, and then write it.

        Who agreed to a list agrees to each part of it, and to what is added by their own hand;
        who did not agree to what stood there has not done so now.
        """
        wishes = self._wishes(value) if agreed and scope is Scope.WORKSPACE else ()
        fresh = [it for it in wishes if self._workspace.standing(it) is not Standing.GRANTED]
        for wish in fresh:
            self._workspace.attest(wish, Outcome.ALLOWED)
        try:
            await self._ask_editor(value, scope)
        except AssentError:
            # A grant whose setting could not be written does not lie in wait.
            for wish in fresh:
                self._workspace.revoke(wish)
            raise
        await self._workspace.reload()

    def _wishes(self, value: Value) -> tuple[Wish, ...]:
        """What a workspace would ask for, were this its rules."""
        user = self._workspace.keys.get(_KEY, {}).get(Layer.USER.value)
        claims = Claims(True, lambda _: None)
        keys = {_KEY: {Layer.USER.value: user, Layer.WORKSPACE.value: value}}
        agents = [entry.id for entry in self._workspace.reading.agents]
        rules_of(keys, claims, Complaints(Problems()), agents)
        return claims.all

    async def _ask_editor(self, value: Value, scope: Scope) -> None:
        where = "user" if scope is Scope.USER else "workspace"
        wanted = editor.WriteSetting(scope=where, key=_KEY, value=value)  # type: ignore[arg-type]  # one of the two
        written_ = await self._wire.request("settings/write", wanted, editor.Written)
        if not written_.written:
            raise EditorRefused(written_.because or "The editor did not write the rule.")

    def _value(self, scope: Scope) -> Value:
        """A copy of what stands there; raise where it is not what it should be."""
        found = self._workspace.keys.get(_KEY, {}).get(scope.value)
        value = {} if found is None else found
        lists = [] if not isinstance(value, Mapping) else list(value.values())
        if not isinstance(value, Mapping) or not all(isinstance(it, list) for it in lists):
            raise AssentError(
                f"assent.rules in {_PLACES[scope]} is not what it should be; mend it first."
            )
        return dict(value)


def _is_plainly(entry: object, text: str) -> bool:
    """Whether an entry is this rule and nothing that narrows it."""
    return entry in (text, {"rule": text})


def _says(entry: object, text: str, verdict: Verdict) -> bool:
    """Whether an entry is the rule of that text, however it is spelled there."""
    told = entry.get("rule") if isinstance(entry, Mapping) else entry
    if not isinstance(told, str):
        return False
    try:
        return told == text or written(told, verdict).text == text
    except RuleRefused:
        return False


def _row(what: list[str], scope: Scope) -> Entry:
    body = {"setting": "assent.rules", "value": what, "where": scope.value}
    return Entry(kind="noted", body=body)


def _word(verdict: Verdict) -> str:
    return verdict.name.lower()
