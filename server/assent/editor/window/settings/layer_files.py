"""The files of the settings, read only for the line of each setting.

They are never written. A file that cannot be read soon has no lines, and nothing else comes of
it: what holds is what the editor says. Only one that is there and cannot be read at all is told of
as such, since an editor takes it for an empty one.
"""

import asyncio
from collections.abc import Mapping
from typing import Final

from assent.editor.lsp.shapes import path_of, uri_of
from assent.editor.protocol import editor
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.positions import Span, spans_of, value_of
from assent.gate.settings.reading import Reading
from assent.gate.values import evolve, field, frozen

__all__ = ["LayerFile", "LayerFiles", "files_of", "illegible_in", "with_lines"]

_MAX_FILE_BYTES: Final = 4 * 1024 * 1024
_READ_TIMEOUT_S: Final = 2.0
"""In seconds: a folder on a network that is gone is not waited for."""
_WRITE_WAIT_S: Final = 0.1
"""In seconds: by then a file that was being written has been."""
_MANAGED: Final = "managed"
_FOLDER: Final = "folder"
_APART: Final = " "
"""Between a layer and a number, where several files are one layer; its rules have no lines then."""


@frozen(kw_only=True)
class LayerFile:
    """One file, and where in it the settings stand."""

    uri: str
    path: str
    section: str = "assent."
    """What stands before each key; nothing in an organisation's file."""
    spans: Mapping[tuple[str | int, ...], Span] = field(factory=dict)
    problem: str | None = None
    """Why it cannot be read, though it is there."""

    def span(self, place: tuple[str | int, ...]) -> Span | None:
        """Where a place of a setting stands, or the nearest place around it that does."""
        for length in range(len(place), 0, -1):
            span = self.spans.get((f"{self.section}{place[0]}", *place[1:length]))
            if span is not None:
                return span
        return None


LayerFiles = Mapping[str, LayerFile]
"""By layer: `user`, `workspace`, `folder`, `managed`; of several folders `folder 1` and so on."""


async def files_of(settings_files: editor.SettingsFiles | None, managed: str | None) -> LayerFiles:
    """The files that the editor names, and the organisation's, by layer."""
    uris = _uris(settings_files) if settings_files is not None else {}
    paths = {name: path_of(uri) for name, uri in uris.items() if uri.startswith("file:")}
    files = {name: LayerFile(uri=uris[name], path=path) for name, path in paths.items() if path}
    if managed is not None:
        uri = uri_of(managed) or managed
        files[_MANAGED] = LayerFile(uri=uri, path=managed, section="")
    if not files:
        return {}
    try:
        async with asyncio.timeout(_READ_TIMEOUT_S):
            files_with_spans = await asyncio.to_thread(_with_spans, files)
            if illegible_in(files_with_spans):
                # Somebody may be writing it at this moment.
                await asyncio.sleep(_WRITE_WAIT_S)
                files_with_spans = await asyncio.to_thread(_with_spans, files)
            return files_with_spans
    except TimeoutError:
        return files


def illegible_in(files: LayerFiles) -> dict[str, str]:
    """The layers whose files are there and cannot be read, each with a sentence that says so."""
    sentences: dict[str, str] = {}
    for name, file in files.items():
        layer = name.partition(_APART)[0]
        if file.problem is not None and layer != _MANAGED:
            why = f"{file.path} could not be read ({file.problem}), so every call is asked about."
            sentences[layer] = f"{sentences[layer]} {why}" if layer in sentences else why
    return sentences


def with_lines(reading: Reading, files: LayerFiles) -> Reading:
    """Add to each rule the file and the line where it is written, where that is known."""
    rules, off = (
        tuple(_with_line(rule, files.get(rule.layer)) for rule in each)
        for each in (reading.rules, reading.off)
    )
    return evolve(reading, rules=rules, off=off)


def _with_line(rule: WrittenRule, file: LayerFile | None) -> WrittenRule:
    if file is None or rule.at is None or rule.source.line is not None:
        return rule
    span = file.spans.get((f"{file.section}rules", *rule.at))
    line = None if span is None else span.line + 1
    return evolve(rule, source=evolve(rule.source, file=file.path, line=line))


def _uris(settings_files: editor.SettingsFiles) -> dict[str, str]:
    alone = len(settings_files.folders) == 1
    folders = {
        _FOLDER if alone else f"{_FOLDER}{_APART}{number}": uri
        for number, uri in enumerate(settings_files.folders, start=1)
    }
    return {**settings_files.model_dump(exclude={"folders"}, exclude_none=True), **folders}


def _with_spans(files: LayerFiles) -> LayerFiles:
    return {layer: _read(file) for layer, file in files.items()}


def _read(file: LayerFile) -> LayerFile:
    """The file with its spans, or with what is wrong with it."""
    try:
        text = read_ordinary(file.path, _MAX_FILE_BYTES).decode("utf-8-sig", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return file
    except (OSError, ValueError) as error:
        because = getattr(error, "strerror", None) or type(error).__name__
        return evolve(file, problem=because[:1].lower() + because[1:])
    return evolve(file, spans=spans_of(text, file.section), problem=_fault(text))


def _fault(text: str) -> str | None:
    try:
        whole = value_of(text)
    except (ValueError, RecursionError):
        return "it is no JSON"
    return None if isinstance(whole, dict) else "it is no JSON object"
