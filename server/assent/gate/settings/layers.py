"""The settings as they arrive, taken apart by key and layer: who said what.

Nothing here raises, whatever arrives, and no sentence grows with what it complains of.
"""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from assent.gate.values import define, field

__all__ = ["Layer", "Problems", "said", "shown"]

MAX_PROBLEMS: Final = 20
MAX_SHOWN_LETTERS: Final = 40


class Layer(StrEnum):
    """Whose settings; the nearest last, as the editor counts."""

    USER = "user"
    WORKSPACE = "workspace"
    FOLDER = "folder"

    @property
    def words(self) -> str:
        """The layer as a person would call it."""
        return _WORDS[self]


_WORDS: Final = {
    Layer.USER: "your user settings",
    Layer.WORKSPACE: "this workspace's settings",
    Layer.FOLDER: "this folder's settings",
}


@define
class Problems:
    """What could not be taken as it was written, in sentences for a banner."""

    _sentences: dict[str, None] = field(factory=dict)

    def add(self, sentence: str) -> None:
        """Note a sentence; those beyond a screenful are dropped, and so is a repetition."""
        if len(self._sentences) < MAX_PROBLEMS:
            self._sentences[sentence] = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """All that was noted."""
        return tuple(self._sentences)


def said(keys: object, key: str) -> dict[Layer, object]:
    """What each layer says of `key`. Absent and null say nothing; defaults are not asked."""
    # Whatever has no layers has no owner, and is taken for the workspace's.
    setting = keys.get(key) if isinstance(keys, Mapping) else _UNREADABLE
    if not isinstance(setting, Mapping):
        return {} if setting is None else {Layer.WORKSPACE: _UNREADABLE}
    values = {layer: setting.get(layer.value) for layer in Layer}
    return {layer: value for layer, value in values.items() if value is not None}


_UNREADABLE: Final = object()
"""A value that is well formed for no setting."""


def shown(value: object) -> str:
    """A name out of the settings, or what was written instead of one, short and in plain sight."""
    is_short = isinstance(value, int | float)
    text = value if isinstance(value, str) else json.dumps(value) if is_short else "…"
    cut = text[:MAX_SHOWN_LETTERS]
    seen = "".join(letter if letter.isprintable() else f"<U+{ord(letter):04X}>" for letter in cut)
    return f"“{seen}{'…' if len(text) > MAX_SHOWN_LETTERS else ''}”"
