"""Marks what is wrong with a setting in the file where it stands, and unmarks what was mended."""

from collections.abc import Callable, Iterable
from typing import Final

from attrs import define, field
from lsprotocol import types

from assent.methods.layerfiles import LayerFile, LayerFiles
from assent.settings.complaints import Complaint

__all__ = ["Diagnostics"]

_SOURCE: Final = "Assent"
_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
}


@define
class Diagnostics:
    """What the editor was told is wrong, by file."""

    _publish: Callable[[types.PublishDiagnosticsParams], None]
    _marked: set[str] = field(factory=set)

    def show(self, complaints: Iterable[Complaint], files: LayerFiles) -> None:
        """Mark these, and nothing that was marked before."""
        found: dict[str, list[types.Diagnostic]] = {uri: [] for uri in self._marked}
        for complaint in complaints:
            file = files.get(complaint.layer)
            if file is not None:
                found.setdefault(file.uri, []).append(_diagnostic(complaint, file))
        for uri, diagnostics in found.items():
            self._publish(types.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics))
        self._marked = {uri for uri, diagnostics in found.items() if diagnostics}


def _diagnostic(complaint: Complaint, file: LayerFile) -> types.Diagnostic:
    return types.Diagnostic(
        range=_range(complaint, file),
        severity=_SEVERITIES[complaint.severity],
        source=_SOURCE,
        message=complaint.sentence,
    )


def _range(complaint: Complaint, file: LayerFile) -> types.Range:
    """Where it stands; the file's beginning where that is not known."""
    span = file.span(complaint.path)
    if span is None:
        return types.Range(start=types.Position(0, 0), end=types.Position(0, 0))
    return types.Range(
        start=types.Position(span.line, span.column),
        end=types.Position(span.end_line, span.end_column),
    )
