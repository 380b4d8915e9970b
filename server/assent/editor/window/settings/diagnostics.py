"""Marks faulty settings in their files, and removes the marks of corrected ones."""

from collections.abc import Callable, Iterable

from assent.editor.lsp.shapes import Mark, Marks, marks
from assent.editor.window.settings.layer_files import LayerFile, LayerFiles
from assent.gate.settings.complaints import Complaint
from assent.gate.values import define, field

__all__ = ["Diagnostics"]


@define
class Diagnostics:
    """What the editor was told is wrong, by file."""

    _publish: Callable[[Marks], None]
    _marked: set[str] = field(factory=set)

    def show(self, complaints: Iterable[Complaint], files: LayerFiles) -> None:
        """Mark these, and nothing that was marked before."""
        marks_by_uri: dict[str, list[Mark]] = {uri: [] for uri in self._marked}
        for complaint in complaints:
            file = files.get(complaint.layer)
            if file is not None:
                marks_by_uri.setdefault(file.uri, []).append(_mark(complaint, file))
        for uri, marked in marks_by_uri.items():
            self._publish(marks(uri, marked))
        self._marked = {uri for uri, marked in marks_by_uri.items() if marked}


def _mark(complaint: Complaint, file: LayerFile) -> Mark:
    """Where it stands; the file's beginning where that is not known."""
    span = file.span(complaint.path)
    if span is None:
        return Mark(severity=complaint.severity, sentence=complaint.sentence)
    return Mark(
        start=(span.line, span.column),
        end=(span.end_line, span.end_column),
        severity=complaint.severity,
        sentence=complaint.sentence,
    )
