"""Finds functions, classes and the like by their names, as the editor's language servers know them.

They are asked about one word at a time. The list follows what is typed, so it waits only a moment
for them; an answer that comes later is there for the next letter.
"""

import asyncio
from typing import Final

from assent.editor.lsp.wire import Wire
from assent.editor.protocol.sight import Symbol, Symbols, WantSymbols
from assent.editor.window.spawn import Spawn
from assent.gate.call.errors import EditorRefused
from assent.gate.values import define, field

__all__ = ["SymbolNames"]

_WAIT_S: Final = 0.2
_TIMEOUT_S: Final = 10.0


@define
class SymbolNames:
    """One for the whole server."""

    _wire: Wire
    _spawn: Spawn
    _known: list[Symbol] = field(factory=list)
    """The last answer."""
    _asked: str = ""
    """The word that is asked about, or was last."""
    _search: asyncio.Future[None] | None = None

    async def like(self, word: str) -> list[Symbol]:
        """The symbols with this word in their names that are known by now."""
        if not word.isidentifier():
            return []
        # The second time, where an earlier word was being looked for the first time.
        for _ in range(2):
            if self._search is None or self._search.done():
                self._search = self._spawn(self._look_for(word))
            await asyncio.wait([self._search], timeout=_WAIT_S)
            if self._asked == word:
                break
        return [symbol for symbol in self._known if word.lower() in symbol.name.lower()]

    async def _look_for(self, word: str) -> None:
        self._asked = word
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                symbols = await self._wire.request(
                    "editor/symbols", WantSymbols(word=word), Symbols
                )
        except (EditorRefused, TimeoutError):
            self._known = []
        else:
            self._known = symbols.symbols
