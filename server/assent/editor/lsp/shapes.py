"""The few shapes of LSP that our own messages need."""

from collections.abc import Iterable
from typing import Final, Literal

from lsprotocol import types
from pygls import uris

from assent.gate.values import frozen

__all__ = ["Mark", "Marks", "marks", "path_of", "section", "uri_of"]

_SOURCE: Final = "Assent"
_SEVERITIES: Final = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
}

Marks = types.PublishDiagnosticsParams


@frozen(kw_only=True)
class Mark:
    """A sentence about a stretch of a file; lines and columns from 0."""

    start: tuple[int, int] = (0, 0)
    end: tuple[int, int] = (0, 0)
    severity: Literal["error", "warning"]
    sentence: str


def marks(uri: str, all_: Iterable[Mark]) -> Marks:
    """All marks of a file; those that were there before are gone with it."""
    return types.PublishDiagnosticsParams(uri=uri, diagnostics=[_diagnostic(mark) for mark in all_])


def section(name: str) -> types.ConfigurationParams:
    """What asks the editor for a section of its settings."""
    return types.ConfigurationParams(items=[types.ConfigurationItem(section=name)])


def path_of(uri: str) -> str | None:
    """Where a URI leads on the disk."""
    path: str | None = uris.to_fs_path(uri)
    return path


def uri_of(path: str) -> str | None:
    """A path of the disk as a URI."""
    uri: str | None = uris.from_fs_path(path)
    return uri


def _diagnostic(mark: Mark) -> types.Diagnostic:
    return types.Diagnostic(
        range=types.Range(start=types.Position(*mark.start), end=types.Position(*mark.end)),
        severity=_SEVERITIES[mark.severity],
        source=_SOURCE,
        message=mark.sentence,
    )
