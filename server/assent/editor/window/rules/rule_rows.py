"""The rows of the list of rules: those in force, and those that are written and are not.

A rule of the settings can be taken out by its row: the mark says which entry it is.
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final

from assent.editor.protocol import rules as shapes
from assent.editor.window.rules.rule_lists import mark_of
from assent.gate.call.calls import ChatId
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.policy import THIS_CHAT, Grant
from assent.gate.settings.complaints import Complaint
from assent.gate.settings.entries import VERDICTS, is_for_sandbox, text_of
from assent.gate.settings.layers import Layer, shown
from assent.gate.settings.reading import Reading
from assent.gate.values import field, frozen

__all__ = ["Rows"]

_LONGEST: Final = 4_096
_NOT_AGREED: Final = "You have not agreed to it, so it does not count."
_NOT_NOW: Final = "Something else there cannot be understood, so nothing is allowed by a rule now."

Keys = Mapping[str, Mapping[str, Any]]


@frozen(kw_only=True)
class Rows:
    """Makes rows of what was read."""

    reading: Reading
    keys: Keys
    """The settings as they are written, by key and layer."""
    uses: Mapping[str, Mapping[str, Any]]
    """How often each rule decided, by its text."""
    _problems: dict[tuple[object, ...], str] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        for complaint in self.reading.complaints:
            self._problems.setdefault(_place_of(complaint), complaint.sentence)

    def all(self) -> Iterator[shapes.ListedRule]:
        """The rules of the settings: those that hold, those switched off, those in vain."""
        held = {(rule.layer, rule.at) for rule in (*self.reading.rules, *self.reading.off)}
        yield from map(self.of, self.reading.rules)
        yield from (self.of(rule, on=False) for rule in self.reading.off)
        for layer in Layer:
            yield from self._idle(layer, held)

    def of(
        self,
        rule: WrittenRule | Grant,
        chat: ChatId | None = None,
        mark: str | None = None,
        *,
        on: bool = True,
    ) -> shapes.ListedRule:
        """The row of a rule that holds, or would if it were switched on."""
        source = THIS_CHAT if isinstance(rule, Grant) else rule.source
        used = self.uses.get(rule.text, {})
        word = rule.verdict.word
        return shapes.ListedRule(
            rule=rule.text,
            verdict=word,
            why=rule.why if isinstance(rule, WrittenRule) else "",
            scope=rule.layer if isinstance(rule, WrittenRule) else "chat",
            where=str(source),
            uri=PurePath(source.file).as_uri() if source.file else None,
            line=source.line,
            uses=used.get("uses", 0),
            last_used=used.get("last"),
            problem=self._problem(rule),
            chat_id=chat,
            folder=rule.folder if isinstance(rule, WrittenRule) else "",
            in_sandbox=isinstance(rule, WrittenRule) and rule.in_sandbox,
            id=self._mark(rule) if mark is None else mark,
            on=on,
        )

    def _idle(
        self, layer: Layer, held: Collection[tuple[str, tuple[str, int] | None]]
    ) -> Iterator[shapes.ListedRule]:
        """What is written there and does not hold, with why."""
        for key in VERDICTS:
            for index, entry in enumerate(self._entries(layer, key)):
                if (layer.value, (key, index)) in held:
                    continue
                problem = self._problems.get((layer.value, "rules", key, index))
                yield _idle_row(layer, key, index, entry, problem or self._why_not(layer))

    def _why_not(self, layer: Layer) -> str:
        clear = not self.reading.unclear
        return _NOT_AGREED if clear and layer is not Layer.USER else _NOT_NOW

    def _problem(self, rule: WrittenRule | Grant) -> str | None:
        if isinstance(rule, Grant) or rule.at is None:
            return None
        return self._problems.get((rule.layer, "rules", *rule.at))

    def _mark(self, rule: WrittenRule | Grant) -> str:
        """The mark of the entry that it was made of; none where it stands there no more."""
        if isinstance(rule, Grant) or rule.at is None or rule.layer not in set(Layer):
            return ""
        key, index = rule.at
        entries = self._entries(Layer(rule.layer), key)
        # What is kept of a layer that could be read earlier stood in another list.
        fits = rule.layer not in self.reading.unclear and index < len(entries)
        return mark_of(key, index, entries[index]) if fits else ""

    def _entries(self, layer: Layer, key: str) -> list[object]:
        lists = self.keys.get("rules", {}).get(layer.value)
        entries = lists.get(key) if isinstance(lists, Mapping) else None
        return entries if isinstance(entries, list) else []


def _place_of(complaint: Complaint) -> tuple[object, ...]:
    return (complaint.layer, *complaint.path)


def _idle_row(layer: Layer, key: str, index: int, entry: object, problem: str) -> shapes.ListedRule:
    text = text_of(entry)
    word: Any = key
    return shapes.ListedRule(
        rule=text[:_LONGEST] if isinstance(text, str) else shown(text),
        verdict=word,
        scope=layer.value,
        where=layer.words,
        problem=problem,
        in_sandbox=is_for_sandbox(entry),
        id=mark_of(key, index, entry),
    )
