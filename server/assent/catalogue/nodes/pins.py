"""Remembers each node's description when it was last allowed: one private file for all windows."""

import json
from pathlib import Path
from typing import Any, Final

from assent.catalogue.nodes.node import Node
from assent.gate.settings.private_files import UnfitFile, alone_in, read_private, write_private
from assent.gate.values import define, frozen

__all__ = ["Pin", "Pins", "PinsUnread"]

_MAX_PINS_BYTES: Final = 3_000_000
"""Of more than that the oldest texts are dropped; what a node is known by stays."""
_VERSION: Final = 1


class PinsUnread(UnfitFile):
    """What was allowed before cannot be read."""


@frozen
class Pin:
    """A node, as it was when it was allowed."""

    fingerprint: str
    text: str
    """What was said of it; nothing where that was dropped."""


@define
class Pins:
    """The file, which is read anew each time: another window may have written it."""

    _file: Path | None

    def of(self, node: Node) -> Pin | None:
        """Look up the node as it was when it was allowed last; raises `PinsUnread`."""
        pins = self._read()
        # Versions before this one knew a folder's nodes by their names alone.
        pin = pins.get(node.kept_as, pins.get(node.name))
        return None if pin is None else Pin(*pin)

    def keep(self, node: Node) -> None:
        """It was allowed as it is now; raises `UnfitFile`."""
        if self._file is None:
            return
        with alone_in(self._file.parent):
            pins = self._read()
            if pins.get(node.kept_as, ("", ""))[0] == node.fingerprint:
                return
            for name in (node.name, node.kept_as):
                pins.pop(name, None)
            pins[node.kept_as] = (node.fingerprint, node.text)
            write_private(self._file, _within_bounds(pins))

    def _read(self) -> dict[str, tuple[str, str]]:
        data = None if self._file is None else read_private(self._file)
        if data is None:
            return {}
        try:
            return _pins_in(json.loads(data))
        except (ValueError, RecursionError, TypeError) as error:
            raise PinsUnread("it is none that Assent wrote") from error


def _pins_in(value: Any) -> dict[str, tuple[str, str]]:
    if value["version"] != _VERSION:
        raise ValueError("another version wrote it")
    pins = {str(name): (str(was), str(text)) for name, was, text in value["nodes"]}
    if len(pins) != len(value["nodes"]):
        raise ValueError("a node stands twice in it")
    return pins


def _within_bounds(pins: dict[str, tuple[str, str]]) -> bytes:
    """The file, without the oldest texts where it would be too large."""
    left = _MAX_PINS_BYTES
    kept: list[tuple[str, str, str]] = []
    for name, (fingerprint, text) in reversed(pins.items()):
        left -= 2 * len(text)
        kept.append((name, fingerprint, text if left > 0 else ""))
    content = {"version": _VERSION, "nodes": kept[::-1]}
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
