"""What of an editor makes the gate, by its own report."""

from collections.abc import Iterator
from typing import Final

from pygls.uris import to_fs_path

from assent.calls import Premise
from assent.protocol import editor

__all__ = ["NAMES", "premises_of_editor"]

NAMES: Final[dict[str, str]] = {
    "settings": "the editor's settings",
    "data": "the editor's own data",
    "secrets": "the editor's secrets",
    "extension": "Assent's own extension",
    "extensions": "the editor's extensions",
    "program": "the editor itself",
}
_YIELDING: Final = frozenset({"data", "extensions", "program"})
"""Folders so large that somebody may keep a workspace in them."""


def premises_of_editor(inspected: editor.Inspected) -> Iterator[Premise]:
    """The files of its settings, and every place that it names."""
    for uri in _files(inspected.files):
        yield from _at(uri, "settings")
    for place in inspected.places:
        yield from _at(place.uri, place.kind)


def _files(told: editor.SettingsFiles | None) -> Iterator[str]:
    if told is not None:
        yield from filter(None, (told.user, told.workspace, *told.folders))


def _at(uri: str, kind: str) -> Iterator[Premise]:
    path = to_fs_path(uri) if uri.startswith("file:") else None
    if path:
        name = NAMES[kind]
        yield Premise(path=path, name=name, keys=kind == "secrets", yields=kind in _YIELDING)
