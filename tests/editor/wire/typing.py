"""Somebody who types into an editor, and what the editor tells a real server of that.

It does what VS Code does: each change is another version, and what the server asks to be changed
is changed only where it names the version that is there.
"""

from pathlib import Path
from typing import Any

from attrs import define, field

from assent.gate.text.positions import Change, text_after
from editor.wire.client import Client

__all__ = ["Typist"]


@define
class Typist:
    """One person at one editor."""

    client: Client
    texts: dict[str, tuple[int, str]] = field(factory=dict)
    """By URI: the version and the text of what is not saved."""
    asked: list[dict[str, Any]] = field(factory=list)
    """What the server asked to be changed."""

    def __attrs_post_init__(self) -> None:
        self.client.editor.apply = self.apply

    def open(self, file: Path, text: str) -> None:
        """Let a text be there that is not saved."""
        uri, version = file.as_uri(), 1
        self.texts[uri] = (version, text)
        document = {"uri": uri, "languageId": "plaintext", "version": version, "text": text}
        self.client.notify("textDocument/didOpen", {"textDocument": document})

    def type(self, file: Path, text: str, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Type over a stretch."""
        self._change(file.as_uri(), Change(start=start, end=end, text=text))

    def save(self, file: Path) -> None:
        """Save a text."""
        _, text = self.texts.pop(file.as_uri())
        file.write_text(text, encoding="utf-8", newline="")
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": file.as_uri()}})

    def text(self, file: Path) -> str:
        """What is not saved."""
        return self.texts[file.as_uri()][1]

    def apply(self, params: dict[str, Any]) -> dict[str, Any]:
        """Change what the server asks to be changed."""
        self.asked.append(params)
        (change,) = params["edit"]["documentChanges"]
        uri, version = change["textDocument"]["uri"], change["textDocument"]["version"]
        if self.texts.get(uri, (None, ""))[0] != version:
            return {"applied": False}
        for edit in change["edits"]:
            start, end = (
                (edit["range"][it]["line"], edit["range"][it]["character"])
                for it in ("start", "end")
            )
            self._change(uri, Change(start=start, end=end, text=edit["newText"]))
        return {"applied": True}

    def _change(self, uri: str, change: Change) -> None:
        version, text = self.texts[uri]
        self.texts[uri] = (version + 1, text_after(text, change))
        assert change.end is not None
        places = [{"line": line, "character": at} for line, at in (change.start, change.end)]
        told = {"range": {"start": places[0], "end": places[1]}, "text": change.text}
        document = {"uri": uri, "version": version + 1}
        params = {"textDocument": document, "contentChanges": [told]}
        self.client.notify("textDocument/didChange", params)
