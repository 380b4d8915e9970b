"""Prints one record with its card as it was shown, for `assent history --show`."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from assent.cli.answer_sources import lines_of
from assent.editor.cards.stored_card import read_kept
from assent.gate.call.errors import AssentError
from assent.gate.journal.card_lookup import open_card_lookup
from assent.gate.journal.reader import Reader
from assent.gate.journal.row_marks import body_of
from assent.gate.journal.table import as_json

__all__ = ["as_shown"]

_WITH_ITS_DECISION = "Its card is kept with the decision: show that record."
_NONE = "No card was shown of it."


def as_shown(reader: Reader, row: Mapping[str, Any], line: str, *, as_lines: bool) -> str:
    """The record, and its card below; as one line of JSON where that is wished."""
    card, note = _card_of(reader, row)
    if as_lines:
        record = {**json.loads(as_json(row)), "card": card, "cardNote": note}
        return json.dumps(record, ensure_ascii=True) + "\n"
    lines = [line, *(["The card, as it was shown:"] if card is not None else []), *_lines(card)]
    return "\n".join([*lines, *([note] if note else [])]) + "\n"


def _card_of(reader: Reader, row: Mapping[str, Any]) -> tuple[Any, str]:
    if row["kind"] == "asked":
        return None, _WITH_ITS_DECISION
    with open_card_lookup(reader.path) as cards:
        text, why_not = cards.card_of(body_of(row))
    if text is None:
        return None, why_not or _NONE
    try:
        return json.loads(text)["card"], read_kept(text).note
    except AssentError as error:
        return None, str(error)


def _lines(card: object) -> Iterator[str]:
    """Of more lines than one the others are set in, so that none looks like one of ours."""
    for line in (*lines_of(card), *_offered(card)):
        yield "  " + _inert(line).replace("\n", "\n    ")


def _offered(card: object) -> Iterator[str]:
    """How it could be answered, and the rules that each answer would have written."""
    options = card.get("options") if isinstance(card, dict) else None
    for option in options or ():
        rules = "".join(f" · {rule}" for rule in option["rules"])
        yield f"offered: {option['label']}{rules}"


def _inert(text: str) -> str:
    """A text of which no letter acts on the terminal."""
    return "".join(
        char if char.isprintable() or char == "\n" else f"\\u{ord(char):04x}" for char in text
    )
