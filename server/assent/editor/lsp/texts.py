"""Translates LSP's messages about open texts into our own values, and edits back."""

from typing import Any

from lsprotocol import types

from assent.editor.lsp.shapes import path_of
from assent.gate.text.positions import Change, Position
from assent.gate.values import frozen

__all__ = ["TextReport", "apply_edit", "told_of"]


@frozen(kw_only=True)
class TextReport:
    """What the editor says of one text."""

    uri: str
    path: str = ""
    """Where it lies on the disk; nothing where it lies on none."""
    version: int = 0
    text: str = ""
    changes: tuple[Change, ...] = ()


def told_of(params: Any) -> TextReport:
    """What stands in a message that a text was opened, changed or closed."""
    match params:
        case types.DidOpenTextDocumentParams(text_document=it):
            return TextReport(uri=it.uri, path=_path(it.uri), version=it.version, text=it.text)
        case types.DidChangeTextDocumentParams(text_document=it, content_changes=changes):
            return TextReport(uri=it.uri, version=it.version, changes=tuple(map(_change, changes)))
        case types.DidCloseTextDocumentParams(text_document=it):
            return TextReport(uri=it.uri)
        case _:
            raise TypeError(f"{type(params).__name__} tells of no text")


def apply_edit(uri: str, version: int, change: Change) -> types.ApplyWorkspaceEditParams:
    """What asks the editor to change a text, if it still is of that version."""
    end = change.start if change.end is None else change.end
    edit = types.TextEdit(
        range=types.Range(start=_position(change.start), end=_position(end)), new_text=change.text
    )
    document = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=version)
    changes = [types.TextDocumentEdit(text_document=document, edits=[edit])]
    return types.ApplyWorkspaceEditParams(
        edit=types.WorkspaceEdit(document_changes=changes), label="Assent"
    )


def _path(uri: str) -> str:
    return (path_of(uri) or "") if uri.startswith("file:") else ""


def _change(
    change: types.TextDocumentContentChangePartial | types.TextDocumentContentChangeWholeDocument,
) -> Change:
    if isinstance(change, types.TextDocumentContentChangeWholeDocument):
        return Change(text=change.text)
    return Change(start=_place(change.range.start), end=_place(change.range.end), text=change.text)


def _place(position: types.Position) -> Position:
    return position.line, position.character


def _position(place: Position) -> types.Position:
    line, character = place
    return types.Position(line=line, character=character)
