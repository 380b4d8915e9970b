"""Computes `assent.rules` of one layer with one change; everything else stays.

Each of these gives a new value and touches no setting: `rule_file` writes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from assent.gate.call.calls import canonical, digest_of
from assent.gate.call.errors import AssentError
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.settings.entries import is_off

__all__ = ["Value", "found_by", "mark_of", "spelled", "switched", "with_rules", "without"]

Value = dict[str, Any]
"""The lists by their verdict, as they are written."""


def mark_of(verdict: str, index: int, entry: object) -> str:
    """What tells one entry of a list from all others, and from what stands there later."""
    return f"{verdict}:{index}:{digest_of([entry])}"


def found_by(value: Value, word: str, mark: str) -> int:
    """Where in its list the entry of that mark stands; raise where it stands there no more."""
    entries: list[object] = value.get(word, [])
    marks = [mark_of(word, at, entry) for at, entry in enumerate(entries)]
    if mark not in marks:
        raise AssentError("There is no such rule any more; look at the list again.")
    return marks.index(mark)


def with_rules(value: Value, rules: Sequence[WrittenRule], folder: str = "") -> Value:
    """Append rules to their lists, for one folder alone if it is named.

    One that is switched off there is switched on.

    >>> from assent.gate.rules.notation import written
    >>> from assent.gate.call.verdicts import Verdict
    >>> make = written("shell(make)", Verdict.ALLOW)
    >>> with_rules({"allow": ["shell(make)"]}, [make], "~/app")["allow"]
    ['shell(make)', {'rule': 'shell(make)', 'in': '~/app'}]
    """
    lists = dict(value)
    for rule in rules:
        entries = lists.get(rule.verdict.word, [])
        wanted = _entry(rule, folder)
        if any(_members(entry) == _members(wanted) for entry in entries):
            continue
        off = next(
            (at for at, entry in enumerate(entries) if _members(_on(entry)) == _members(wanted)),
            None,
        )
        added = [*entries, wanted] if off is None else _replaced(entries, off, wanted)
        lists[rule.verdict.word] = added
    return lists


def _entry(rule: WrittenRule, folder: str) -> object:
    limits = {"in": folder or None, "sandbox": rule.in_sandbox or None}
    members = {name: limit for name, limit in limits.items() if limit is not None}
    return {"rule": rule.text, **members} if members else rule.text


def without(value: Value, word: str, at: int) -> Value:
    """Remove one entry."""
    return {**value, word: [*value[word][:at], *value[word][at + 1 :]]}


def switched(value: Value, word: str, at: int, *, on: bool) -> Value:
    """Switch one entry on or off; nothing else of the entry changes.

    >>> off = switched({"deny": ["read(./.env)"]}, "deny", 0, on=False)
    >>> off
    {'deny': [{'rule': 'read(./.env)', 'off': True}]}
    >>> switched(off, "deny", 0, on=True)
    {'deny': ['read(./.env)']}
    """
    entry = value[word][at]
    return {**value, word: _replaced(value[word], at, _on(entry) if on else _off(entry))}


def spelled(entry: object) -> str:
    """An entry as the journal says it."""
    return entry if isinstance(entry, str) else canonical(entry)


def _replaced(entries: Sequence[object], at: int, entry: object) -> list[object]:
    return [*entries[:at], entry, *entries[at + 1 :]]


def _on(entry: object) -> object:
    if not is_off(entry):
        return entry
    left = {name: member for name, member in _members(entry).items() if name != "off"}
    return left["rule"] if left.keys() == {"rule"} else left


def _off(entry: object) -> object:
    return {**_members(entry), "off": True}


def _members(entry: object) -> Mapping[str, Any]:
    return entry if isinstance(entry, Mapping) else {"rule": entry}
