"""Who answers questions in a run without an editor: nobody, standard input, or a program.

Only a plain yes allows, and once: a line that names the question it answers, or a program that
ends with 0. What was typed before a question stood there can be no answer to it.
"""

import asyncio
import json
import os
import shlex
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from assent.cli.reporting import joined
from assent.editor.window.unattended import Answer, Asked
from assent.gate.disk.executables import Executables, path_in
from assent.gate.hooks.hook_thread import run_hook
from assent.gate.values import define, field, frozen

__all__ = ["FromProgram", "FromTerminal", "lines_of", "nobody", "program_at", "why_doubted"]

_ANSWER_TIMEOUT_S: Final = 600.0
"""So long a program may think about one question."""
_DIGEST_LETTERS: Final = 8
"""So many letters of a digest name a question."""
_READ_BYTES: Final = 4_096
_END: Final = "\n"
"""What no line is: there are no more."""


async def nobody(_: Asked) -> Answer:
    """Nobody is there."""
    return Answer(allowed=False)


@frozen(kw_only=True)
class FromProgram:
    """A program that is given the card, and says yes by ending with 0."""

    path: str
    root: str

    async def __call__(self, asked: Asked) -> Answer:
        """Ask it about one card."""
        named = {"ASSENT_EVENT": "Approval", "ASSENT_ROOT": self.root}
        command, programs = shlex.quote(self.path), _beside(self.root)
        ran = await run_hook(command, asked.json + b"\n", named, _ANSWER_TIMEOUT_S, programs)
        return Answer(allowed=ran.code == 0 and not ran.trouble, by=self.path)


@define(eq=False)
class FromTerminal:
    """Whoever sits at standard input, one question after the other."""

    _tell: Callable[[str], None]
    _source: int = 0
    _lines: "asyncio.Queue[str]" = field(factory=asyncio.Queue)
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    _reader: threading.Thread | None = None
    _is_over: bool = False

    async def __call__(self, asked: Asked) -> Answer:
        """Ask about one card."""
        async with self._turn:
            self._begin()
            yes = f"allow {asked.digest[:_DIGEST_LETTERS]}"
            card_text = "\n".join(lines_of(json.loads(asked.json)["card"]))
            self._tell(f"{card_text}\nType `{yes}` to allow this once; anything else refuses it.")
            if self._is_over and self._lines.empty():
                return Answer(allowed=False)
            line = await self._lines.get()
            by = "" if line == _END else "standard input"
            return Answer(allowed=line.strip() == yes, by=by)

    def _begin(self) -> None:
        """Read in a thread that nobody waits for: the line may never come."""
        if self._reader is None:
            loop = asyncio.get_running_loop()
            work = threading.Thread(target=self._read, args=(loop,), daemon=True)
            self._reader = work
            work.start()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        held = b""
        while data := os.read(self._source, _READ_BYTES):
            *whole, held = (held + data).split(b"\n")
            for line in whole:
                loop.call_soon_threadsafe(self._lines.put_nowait, line.decode("utf-8", "replace"))
        loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        """Nothing comes any more: every question from now on is refused."""
        self._is_over = True
        self._lines.put_nowait(_END)


def program_at(named: str, root: str) -> str | None:
    """Where the program lies that was named; a bare name is looked up outside the workspace."""
    if "/" in named:
        path = Path(named).resolve()
        return str(path) if path.is_file() and os.access(path, os.X_OK) else None
    return _beside(root).find(named)


def why_doubted(named: str, root: str) -> str | None:
    """Why what lies there could be the workspace's; None where it could not.

    Neither as it is spelled, with each link on its way, nor where it leads.
    """
    beside = _beside(root)
    spelled = os.path.abspath(named)  # noqa: PTH100 -- `..` is taken away by letters here
    doubt = beside.doubt(spelled) or beside.doubt(str(Path(named).resolve()))
    return doubt or _other_name(Path(named))


def _other_name(path: Path) -> str | None:
    """That a file has a second name, by which an agent could change it unseen."""
    try:
        linked = path.stat().st_nlink > 1 and path.is_file() and os.access(path, os.W_OK)
    except OSError:
        return None
    return f"{path}, which has a second name (a hard link)" if linked else None


def _beside(root: str) -> Executables:
    return Executables(roots=(root,), path=path_in(os.environ))


def lines_of(part: Any, name: str = "") -> Iterator[str]:
    """All that a card says, line by line; a list of spans is one text."""
    if isinstance(part, dict) and set(part) == {"sign", "text"}:
        yield part["sign"] + joined(part["text"])
    elif isinstance(part, dict):
        for key, value in part.items():
            if key not in _UNSAID:
                yield from lines_of(value, key)
    elif isinstance(part, list) and part and all(map(_is_span, part)):
        yield f"{name}: {joined(part)}"
    elif isinstance(part, list):
        for inner in part:
            yield from lines_of(inner, name)
    elif part not in (None, "") and (name, part) != ("grave", False):
        yield f"{name}: {part}"


_UNSAID: Final = frozenset({"options", "primary", "agentId", "uri", "kind", "oldStart", "newStart"})


def _is_span(part: object) -> bool:
    return isinstance(part, dict) and "text" in part and set(part) <= {"kind", "text", "shown"}
