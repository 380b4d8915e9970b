"""Writes rules into the settings through the editor: the whole object, with one change.

What stands there is kept as it stands, and written only where it still stands so. What a
workspace's list allows is a wish: it is attested before it is written, so that a crash between
the two leaves it off.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal

from assent.editor.lsp.wire import Wire
from assent.editor.window.rules.rule_lists import (
    Value,
    found_by,
    spelled,
    switched,
    with_rules,
    without,
)
from assent.editor.window.settings.setting_writes import twice, write
from assent.editor.window.settings.workspace import Workspace
from assent.gate.approvals.tickets import Outcome, Scope
from assent.gate.call.calls import Call
from assent.gate.call.errors import AssentError
from assent.gate.call.verdicts import Source, Verdict
from assent.gate.journal.journal import Entry, Journal
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.settings.complaints import Complaints
from assent.gate.settings.layers import Layer, Problems
from assent.gate.settings.rules import MAX_WISHES, layer_rules, wish_of
from assent.gate.settings.wishes import Standing, Wish
from assent.gate.values import define, evolve, field

__all__ = ["PLACES", "RuleFile"]

PLACES: Final = {
    Scope.CHAT: "for this chat",
    Scope.WORKSPACE: "in this workspace, on this machine",
    Scope.HERE: "in this folder, by your own settings",
    Scope.USER: "in every workspace of yours",
}
"""Where a rule holds, in words."""

_KEY: Final = "rules"
_LAYERS: Final[dict[Scope, Literal["user", "workspace"]]] = {
    Scope.WORKSPACE: "workspace",
    Scope.HERE: "user",
    Scope.USER: "user",
}
"""Whose settings a rule is written to."""
_NO_FOLDER: Final = "There is no folder that a rule could be for; choose another place."
_UNREAD: Final = "Your settings could not be read just now, so nothing was written."
Change = Callable[[Value], tuple[Value, Entry]]
"""What is to stand there, given what does, and what the journal says of it."""


@define
class RuleFile:
    """The rules that stand in the settings of the person and of the workspace."""

    _wire: Wire
    _journal: Journal
    _workspace: Workspace
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    """Held from reading to writing: of two that write at once, the later knows of the first."""

    def check(self, scope: Scope, rules: Sequence[WrittenRule] = ()) -> str | None:
        """Why rules that are written there would not hold; None where they would."""
        if scope is Scope.HERE and not self._workspace.folder:
            return _NO_FOLDER
        if scope is not Scope.WORKSPACE:
            return None
        if not self._workspace.can_keep:
            return "There is nothing to keep it with for this workspace; choose another place."
        try:
            value = self._value(scope)
        except AssentError as error:
            return str(error)
        return self._refusal(value, with_rules(value, rules))

    def _refusal(self, value: Value, after: Value) -> str | None:
        """Why the workspace's list would not hold, had it become what comes after."""
        if not self._is_agreed(value):
            return (
                "This workspace's settings hold rules that you have not agreed to. Answer their"
                " card first, or choose another place for yours."
            )
        if len(_allowed(after)) > MAX_WISHES:
            return (
                f"This workspace's settings would allow more than {MAX_WISHES} things, and then"
                " none of them would count. Choose another place, or take some out first."
            )
        return None

    async def add(
        self, rules: tuple[WrittenRule, ...], scope: Scope, call: Call | None = None
    ) -> None:
        """Write rules behind those that stand there; raise where they could not be.

        With the call that they were written about, by which they are found again.
        """

        def change(value: Value) -> tuple[Value, Entry]:
            refusal = self.check(scope, rules)
            if refusal is not None and any(rule.verdict is Verdict.ALLOW for rule in rules):
                raise AssentError(refusal)
            folder = self._workspace.folder if scope is Scope.HERE else ""
            row = _row([f"{rule.verdict.word} {rule.text}" for rule in rules], scope, folder)
            if any(rule.in_sandbox for rule in rules):
                row = evolve(row, body={**row.body, "sandbox": True})
            if call is not None:
                row = evolve(row, chat=call.chat, call=call.id, agent=call.agent)
            return with_rules(value, rules, folder), row

        await self._change(scope, change)

    async def remove(self, mark: str, verdict: Verdict, scope: Scope) -> None:
        """Take out the one entry of that mark; raise where it stands there no more."""
        word = verdict.word

        def change(value: Value) -> tuple[Value, Entry]:
            at = found_by(value, word, mark)
            row = _row([f"no more: {word} {spelled(value[word][at])}"], scope)
            return without(value, word, at), row

        await self._change(scope, change)

    def entry(self, mark: str, verdict: Verdict, scope: Scope) -> object:
        """The entry of that mark; raise where it stands there no more."""
        value, word = self._value(scope), verdict.word
        return value[word][found_by(value, word, mark)]

    async def switch(self, mark: str, verdict: Verdict, scope: Scope, *, on: bool) -> None:
        """Switch the one entry of that mark; raise where it would not hold, or is there no more."""
        word = verdict.word

        def change(value: Value) -> tuple[Value, Entry]:
            at = found_by(value, word, mark)
            after = switched(value, word, at, on=on)
            if on and verdict is Verdict.ALLOW and scope is Scope.WORKSPACE:
                refusal = self._refusal(value, after)
                if refusal is not None:
                    raise AssentError(refusal)
            said = f"switched {'on' if on else 'off'}: {word} {spelled(value[word][at])}"
            return after, _row([said], scope)

        await self._change(scope, change)

    async def _change(self, scope: Scope, change: Change) -> None:
        """Change what stands there; once more, if somebody else changed it in between."""
        kept: list[int] = []
        """The number of its row, once it has one."""

        async def attempt() -> None:
            # What was written by hand a moment ago is not to be lost.
            if not await self._workspace.reload():
                raise AssentError(_UNREAD)
            before = self._value(scope)
            after, row = change(before)
            if not kept:
                kept.append(await self._journal.keep(row))
            await self._write(scope, before, after)
            await self._workspace.reload()

        async with self._turn:
            await twice(attempt)

    def _fresh(self, before: Value, after: Value) -> Wish | None:
        """What is agreed to by writing, where it has not been yet.

        Who agreed to a list agrees to each part of it, and to what is added by their own hand;
        who did not agree to what stood there has not done so now.
        """
        wish = _wish(after) if self._is_agreed(before) else None
        granted = wish is not None and self._workspace.standing(wish) is Standing.GRANTED
        return None if granted else wish

    def _is_agreed(self, value: Value) -> bool:
        """Whether what stands in the workspace's settings needs nobody's answer any more."""
        wish = _wish(value)
        if wish is None:
            return True
        standing, reading = self._workspace.standing(wish), self._workspace.reading
        # Of what is granted to nobody, and not asked either, the person's own rules say the same.
        asked = not reading.trusted or wish.digest in {wish.digest for wish in reading.wishes}
        return standing is Standing.GRANTED or (standing is None and not asked)

    async def _write(self, scope: Scope, before: Value, after: Value) -> None:
        """Attest what a workspace's list now allows, and then write it."""
        fresh = self._fresh(before, after) if scope is Scope.WORKSPACE else None
        if fresh is not None:
            await self._workspace.attest(fresh, Outcome.ALLOWED)
        try:
            await write(
                self._wire, _LAYERS[scope], _KEY, before=self._read_setting(scope), value=after
            )
        except BaseException:
            # A grant whose setting could not be written does not lie in wait.
            if fresh is not None:
                self._workspace.revoke(fresh)
            raise

    def _read_setting(self, scope: Scope) -> object:
        return self._workspace.keys.get(_KEY, {}).get(_LAYERS[scope])

    def _value(self, scope: Scope) -> Value:
        """A copy of what stands there; raise where it is not what it should be."""
        setting = self._read_setting(scope)
        value = {} if setting is None else setting
        lists = [] if not isinstance(value, Mapping) else list(value.values())
        clear = _LAYERS[scope] not in self._workspace.reading.unclear
        if not clear or not isinstance(value, Mapping) or not all(map(_is_list, lists)):
            raise AssentError(
                f"assent.rules in {Layer(_LAYERS[scope]).words!s} is not what it should be; mend it"
                " first."
            )
        return dict(value)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _wish(value: Value) -> Wish | None:
    """What a workspace would ask for, were this its rules."""
    allowed = _allowed(value)
    return wish_of(allowed) if 0 < len(allowed) <= MAX_WISHES else None


def _allowed(value: Value) -> list[WrittenRule]:
    words = Layer.WORKSPACE.words
    unheard = Complaints(Problems())
    layer = layer_rules(Layer.WORKSPACE.value, words, Source(scope=words), value, unheard)
    return [rule for rule in layer.rules if rule.verdict is Verdict.ALLOW]


def _row(what: list[str], scope: Scope, folder: str = "") -> Entry:
    body = {"setting": "assent.rules", "value": what, "where": _LAYERS[scope]}
    if folder:
        body["in"] = folder
    return Entry(kind="noted", body=body)
