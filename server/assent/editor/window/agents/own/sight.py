"""Describes for the model what the person sees in the editor, of files that it may read.

The editor is asked when a prompt begins and after an edit, and nothing of it is kept here. A file
is named, and quoted from, only where reading it would be allowed unasked; of all others not even
the number is told. Where there is no editor, or it does not answer, nothing is said.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from assent.editor.lsp.shapes import path_of, uri_of
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import sight
from assent.gate.call.calls import ChatId
from assent.gate.call.errors import EditorRefused
from assent.gate.text.fences import fenced
from assent.gate.text.shortening import shortened
from assent.gate.values import frozen

__all__ = ["Eyes", "found_wrong"]

_EDITOR_TIMEOUT_S: Final = 5.0
"""Seconds: the person waits for the model, and the editor answers what it knows at once."""
_MAX_FILES_NAMED: Final = 30
"""So many files are named in one line."""
_MAX_SELECTION_LETTERS: Final = 6_000
"""In letters: so much of what is selected is quoted."""
_MAX_PROBLEMS: Final = 20
_MAX_MESSAGE_LETTERS: Final = 400
"""In letters: so much of what is wrong is told of each."""

Tells = Callable[[ChatId, str], str | None]
"""What a file is called where the model may be told of it; None where it may not."""


@frozen(kw_only=True)
class Eyes:
    """How our own agent sees the editor."""

    wire: Wire
    tells: Tells

    async def look(self, chat: ChatId) -> str:
        """What the person sees now."""
        try:
            async with asyncio.timeout(_EDITOR_TIMEOUT_S):
                seen = await self.wire.request("editor/look", sight.Look(), sight.Sight)
        except (EditorRefused, TimeoutError):
            return ""
        lines = [
            *self._front(chat, seen.front),
            *self._named(chat, "Open", seen.open),
            *self._named(chat, "Changed and not saved", seen.unsaved),
            *self._git(chat, seen.git),
        ]
        if not lines:
            return ""
        return "\n".join(["[What the person has in the editor now:", *lines, "]"])

    async def problems(self, chat: ChatId, paths: Iterable[str]) -> str:
        """What the editor finds wrong in files that were just changed."""
        named = [path for path in paths if self.tells(chat, path) is not None]
        uris = [uri for uri in map(uri_of, named) if uri is not None]
        if not uris:
            return ""
        wanted = sight.WantProblems(uris=uris)
        try:
            async with asyncio.timeout(_EDITOR_TIMEOUT_S):
                problems = await self.wire.request("editor/problems", wanted, sight.Problems)
        except (EditorRefused, TimeoutError):
            return ""
        return "\n\n".join(
            found_wrong(name, file.problems)
            for file in problems.files
            if file.problems
            and file.uri in uris
            and (name := self._name(chat, file.uri)) is not None
        )

    def _front(self, chat: ChatId, front: sight.InFront | None) -> list[str]:
        name = None if front is None else self._name(chat, front.uri)
        if front is None or name is None:
            return []
        if not front.selected:
            return [f"- In front: {name}, the cursor in line {front.line}."]
        lines = f"{front.line}–{front.last_line}"
        text = shortened(front.selected, _MAX_SELECTION_LETTERS)
        return [f"- In front: {name}, where lines {lines} are selected:\n{fenced(text)}"]

    def _named(self, chat: ChatId, what: str, uris: Iterable[str]) -> list[str]:
        names = [name for uri in uris if (name := self._name(chat, uri)) is not None]
        return [f"- {what}: {_listed(names)}."] if names else []

    def _git(self, chat: ChatId, git: sight.GitState | None) -> list[str]:
        if git is None:
            return []
        named = [(self._name(chat, change.uri), change.how) for change in git.changes]
        names = [f"{name} ({how})" for name, how in named if name is not None]
        branch = " ".join(git.branch.split()) or "none"
        changed = f" Changed: {_listed(names)}." if names else ""
        return [f"- Git branch: {branch}.{changed}"]

    def _name(self, chat: ChatId, uri: str) -> str | None:
        path = path_of(uri) if uri.startswith("file:") else None
        return None if path is None else self.tells(chat, path)


def _listed(names: list[str]) -> str:
    more = len(names) - _MAX_FILES_NAMED
    return ", ".join([*names[:_MAX_FILES_NAMED], *([f"and {more:,} more"] if more > 0 else [])])


def found_wrong(name: str, problems: list[sight.Problem]) -> str:
    """What the editor finds wrong in one file, as a note."""
    lines = [_line_of(problem) for problem in problems[:_MAX_PROBLEMS]]
    more = len(problems) - _MAX_PROBLEMS
    rest = [f"- and {more:,} more"] if more > 0 else []
    return "\n".join([f"[The editor now finds in {name}:", *lines, *rest, "]"])


def _line_of(problem: sight.Problem) -> str:
    message = shortened(" ".join(problem.message.split()), _MAX_MESSAGE_LETTERS)
    source = f" ({problem.source})" if problem.source else ""
    return f"- line {problem.line}, {problem.severity}: {message}{source}"
