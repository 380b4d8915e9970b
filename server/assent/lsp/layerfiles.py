"""The files in which the settings are written, read for one thing: on which line what stands.

They are never written. A file that cannot be read, or not soon, has no lines, and nothing else
comes of it: what holds is what the editor says.
"""

import asyncio
import os
import stat
from collections.abc import Iterable, Mapping
from typing import Final

from attrs import evolve, field, frozen
from pygls.uris import from_fs_path, to_fs_path

from assent.policy.rulebook.written import WrittenRule
from assent.protocol import editor
from assent.settings.positions import Span, spans_of

__all__ = ["LayerFile", "LayerFiles", "files_of", "with_lines"]

_LARGEST: Final = 4 * 1024 * 1024
_SOON: Final = 2.0
"""In seconds: a folder on a network that is gone is not waited for."""
_MANAGED: Final = "managed"


@frozen(kw_only=True)
class LayerFile:
    """One file, and where in it the settings stand."""

    uri: str
    path: str
    section: str = "assent."
    """What stands before each key; nothing in an organisation's file."""
    spans: Mapping[tuple[str | int, ...], Span] = field(factory=dict)

    def span(self, place: tuple[str | int, ...]) -> Span | None:
        """Where a place of a setting stands, or the nearest place around it that does."""
        for length in range(len(place), 0, -1):
            found = self.spans.get((f"{self.section}{place[0]}", *place[1:length]))
            if found is not None:
                return found
        return None


LayerFiles = Mapping[str, LayerFile]
"""By layer: `user`, `workspace`, `folder`, `managed`."""


async def files_of(told: editor.SettingsFiles | None, managed: str | None) -> LayerFiles:
    """The files that the editor names, and the organisation's, by layer."""
    uris = told.model_dump(exclude_none=True) if told is not None else {}
    paths = {layer: to_fs_path(uri) for layer, uri in uris.items() if uri.startswith("file:")}
    files = {it: LayerFile(uri=uris[it], path=path) for it, path in paths.items() if path}
    if managed is not None:
        uri = from_fs_path(managed) or managed
        files[_MANAGED] = LayerFile(uri=uri, path=managed, section="")
    if not files:
        return {}
    try:
        async with asyncio.timeout(_SOON):
            return await asyncio.to_thread(_with_spans, files)
    except TimeoutError:
        return files


def with_lines(rules: Iterable[WrittenRule], files: LayerFiles) -> tuple[WrittenRule, ...]:
    """The rules, each with the file and the line where it is written, where that is known."""
    return tuple(_with_line(rule, files.get(rule.layer)) for rule in rules)


def _with_line(rule: WrittenRule, file: LayerFile | None) -> WrittenRule:
    if file is None or rule.at is None or rule.source.line is not None:
        return rule
    span = file.spans.get((f"{file.section}rules", *rule.at))
    line = None if span is None else span.line + 1
    return evolve(rule, source=evolve(rule.source, file=file.path, line=line))


def _with_spans(files: LayerFiles) -> LayerFiles:
    texts = {layer: _text_of(file.path) for layer, file in files.items()}
    return {
        layer: evolve(file, spans=spans_of(texts[layer] or "", file.section))
        for layer, file in files.items()
    }


def _text_of(path: str) -> str | None:
    """What stands in a file, if it is an ordinary one of an ordinary size."""
    try:
        # Without waiting: it may be a pipe that nobody writes to.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size > _LARGEST:
                return None
            return file.read(_LARGEST).decode("utf-8-sig", "replace")
    except OSError:
        return None
