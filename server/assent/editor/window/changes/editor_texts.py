"""Passes texts between the editor and the buffers: what it reports, and what is to change."""

from collections.abc import Awaitable, Callable
from typing import Any

from assent.editor.lsp.editor_requests import in_time
from assent.editor.lsp.texts import apply_edit, told_of
from assent.gate.disk.buffers import Buffer, Buffers
from assent.gate.text.positions import difference
from assent.gate.values import define

__all__ = ["EditorTexts", "apply_through"]

_APPLY = "workspace/applyEdit"

Ask = Callable[[Any], Awaitable[Any]]


@define(eq=False)
class EditorTexts:
    """Hears of the texts of one editor."""

    _buffers: Buffers

    def open(self, params: object) -> None:
        """`textDocument/didOpen`."""
        report = told_of(params)
        if report.path:
            self._buffers.open(report.uri, report.path, report.version, report.text)

    def change(self, params: object) -> None:
        """`textDocument/didChange`."""
        report = told_of(params)
        self._buffers.change(report.uri, report.version, report.changes)

    def missed(self) -> None:
        """Something was said that nobody understood: it may have been a change of any text."""
        self._buffers.lose()

    def close(self, params: object) -> None:
        """`textDocument/didClose`."""
        self._buffers.close(told_of(params).uri)


def apply_through(ask: Ask) -> Callable[[Buffer, str], Awaitable[bool]]:
    """What has the editor change a buffer, where it is still of that version."""

    async def apply(buffer: Buffer, new: str) -> bool:
        change = difference(buffer.text, new)
        async with in_time(_APPLY):
            answer = await ask(apply_edit(buffer.uri, buffer.version, change))
        return bool(answer.applied)

    return apply
