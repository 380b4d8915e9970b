"""Reads what a prompt names: a file, a symbol, the selection, what is wrong, what has changed.

Of a folder it is its names, of the terminal what it printed last. Each is read as it stands now,
what is typed and not saved included, and opened by the path that was ruled on. What cannot be
read raises, in a sentence that the person is shown.
"""

import asyncio
from collections.abc import Callable, Generator
from contextlib import closing
from io import StringIO
from itertools import islice
from typing import Final, TypeVar, cast

from assent.agent.tools.file_access import opened_file, opened_folder
from assent.agent.tools.folder_view import plainly
from assent.agent.tools.folder_walk import Entry, walk
from assent.agent.tools.notebooks import as_cells, is_notebook
from assent.agent.tools.tool import ToolFailed
from assent.editor.cards.differences import between
from assent.editor.lsp.shapes import path_of, uri_of
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import references, sight
from assent.editor.protocol.shapes import Shape
from assent.editor.window.agents.own.sight import found_wrong
from assent.editor.window.chats.kept.chat_list import KeptChats
from assent.gate.call.calls import Target
from assent.gate.call.errors import AssentError, CallUnreadable, EditorRefused
from assent.gate.disk.buffers import Buffer, Buffers
from assent.gate.disk.files import MAX_FILE_BYTES
from assent.gate.journal.agent_events import Reference
from assent.gate.text.encodings import decoded
from assent.gate.text.lazy_patterns import late
from assent.gate.text.shortening import shortened
from assent.gate.values import evolve, frozen

__all__ = ["MAX_QUOTE_LETTERS", "NOTHING_SENT", "Quotes", "Tells", "fitted"]

NOTHING_SENT: Final = "so nothing was sent"
MAX_QUOTE_LETTERS: Final = 30_000
"""In letters: so much of one thing is quoted."""

_EDITOR_TIMEOUT_S: Final = 5.0
"""Seconds: the person waits for their prompt to go."""
_MAX_SELECTION_UNITS: Final = 20_000
"""In units of UTF-16: the editor tells no more of what is selected, and one less before a pair."""
_MAX_ENTRIES: Final = 300
_MAX_DEPTH: Final = 2
"""So much of a folder is told by name."""
_MAX_CHAT_LETTERS: Final = 20_000
_NOT_TOLD: Final = "(what has changed in it is not told here)"
_USUAL_LINES: Final = 30
"""So many are quoted of a symbol if its language server gives only the line of its name."""
_LINES_OF_A_NAME: Final = 10
"""Its name comes within so many: comments and decorators may be above it."""
_NAMES_A_TURN: Final = 20
"""So many names are ruled on before others have their turn."""
_MAX_PATH_LETTERS: Final = 200
"""In letters: so much is said of a path that is refused."""

_WORDS = late(r"\w+")

Answer = TypeVar("Answer", bound=Shape)
Tells = Callable[[str], Target | None]
"""Where a path leads; None if the agent may not read that."""


@frozen(kw_only=True)
class Quotes:
    """Where it is read for one prompt."""

    wire: Wire
    buffers: Buffers
    tells: Tells
    earlier: KeptChats
    in_cells: bool = False
    """Whether it is for an agent whose tools tell a notebook as its cells."""

    async def of(self, wanted: references.Reference) -> Reference:
        """What is named."""
        match wanted:
            case references.FileReference():
                return await self._file(wanted.path)
            case references.FolderReference():
                return await self._folder(wanted.path)
            case references.TerminalReference():
                return await self._terminal()
            case references.SelectionReference():
                return await self._selection()
            case references.ProblemsReference():
                return await self._problems()
            case references.ChangesReference():
                return await self._changes()
            case references.SymbolReference():
                return await self._symbol(wanted)
            case references.ChatReference():
                return await self._chat(wanted.chat_id)

    async def _symbol(self, wanted: references.SymbolReference) -> Reference:
        """Its lines; if its language server gives only the line of its name, the next few too."""
        target = self._require_target(wanted.path)
        _, text = await self._text(target)
        name = plainly(wanted.name)
        last = (
            wanted.last_line if wanted.last_line > wanted.line else wanted.line + _USUAL_LINES - 1
        )
        lines = StringIO(text, newline="").readlines()[wanted.line - 1 : last]
        if not any(_names(wanted.name, line) for line in lines[:_LINES_OF_A_NAME]):
            gone = shortened(name, _MAX_PATH_LETTERS)
            raise AssentError(f"{gone} is not there any more, {NOTHING_SENT}.")
        last = wanted.line + len(lines) - 1
        place = f"lines {wanted.line}–{last} of {plainly(target.shown)}"
        return Reference(
            name=f"{name} ({plainly(target.shown)})",
            about=f"{name}, in {place}",
            text="".join(lines),
            is_part=True,
            uri=f"{uri_of(target.resolved) or ''}#L{wanted.line}-L{last}",
        )

    async def _chat(self, chat: str) -> Reference:
        """The last of what was said there, since that is what came of it."""
        try:
            title, said, is_all = await self.earlier.said_in(chat, _MAX_CHAT_LETTERS)
        except AssentError as error:
            raise AssentError(f"{str(error).removesuffix('.')}, {NOTHING_SENT}.") from error
        name = plainly(title)
        about = f"what was said in the earlier chat “{name}”"
        return Reference(name=name, about=about, text=said, is_whole=is_all, is_end=True)

    async def _text(self, target: Target) -> tuple[Buffer | None, str]:
        """The text of a file, with its buffer where that is not saved."""
        try:
            buffer = self.buffers.at(target.resolved)
            name = plainly(target.shown)
            return buffer, (
                buffer.text if buffer else await asyncio.to_thread(_text_of, target, name)
            )
        except (CallUnreadable, ToolFailed) as error:
            because = str(error).removesuffix(".")
            raise AssentError(f"{because}, {NOTHING_SENT}.") from error

    async def _file(self, path: str) -> Reference:
        target = self._require_target(path)
        name = plainly(target.shown)
        buffer, text = await self._text(target)
        about = f"{name}, with what is not saved in it" if buffer else name
        if self.in_cells and is_notebook(target.resolved):
            cells = await asyncio.to_thread(as_cells, text)
            about, text = (about, text) if cells is None else (f"the cells of {about}", cells)
        return Reference(
            name=name,
            about=about,
            text=text,
            uri=uri_of(target.resolved) or "",
            is_unsaved=buffer is not None,
        )

    async def _folder(self, path: str) -> Reference:
        """The names of what lies there, two levels deep; of no file that may not be told of."""
        target = self._require_target(path)
        name = f"{plainly(target.shown).rstrip('/')}/"
        try:
            entries = await asyncio.to_thread(_entries_of, target)
        except (CallUnreadable, ToolFailed) as error:
            raise AssentError(f"{str(error).removesuffix('.')}, {NOTHING_SENT}.") from error
        lines = list[str]()
        for at, entry in enumerate(entries[:_MAX_ENTRIES]):
            if at % _NAMES_A_TURN == 0:
                await asyncio.sleep(0)
            if entry.is_link or self.tells(f"{target.resolved}/{entry.path}") is None:
                continue
            lines.append(f"{plainly(entry.path)}{'/' if entry.is_folder else ''}")
        return Reference(
            name=name,
            about=f"what lies in {name}, two levels deep, by name",
            text="\n".join(lines) or "(nothing that may be told of)",
            is_whole=len(entries) <= _MAX_ENTRIES,
            is_part=True,
            uri=uri_of(target.resolved) or "",
        )

    async def _terminal(self) -> Reference:
        said = await self._ask("editor/terminal", sight.WantTerminal(), sight.TerminalSaid)
        if said.because:
            raise AssentError(f"{said.because.removesuffix('.')}, {NOTHING_SENT}.")
        ended = "" if said.code is None else f", which ended with {said.code}"
        cut = "" if said.is_whole else "; this is the end of it"
        return Reference(
            name="Terminal",
            about=f"what the person’s terminal printed last{ended}{cut}",
            text=f"$ {said.command}\n{said.output or '(the editor told of no output)'}",
            is_end=True,
        )

    async def _selection(self) -> Reference:
        seen = await self._ask("editor/look", sight.Look(), sight.Sight)
        front = seen.front
        path = path_of(front.uri) if front and front.uri.startswith("file:") else None
        if front is None or path is None or not front.selected:
            raise AssentError(f"Nothing is selected in a file on the disk, {NOTHING_SENT}.")
        target = self._require_target(path)
        name = plainly(target.shown)
        first, last = front.line, front.last_line
        lines = f"line {first}" if first == last else f"lines {first}–{last}"
        return Reference(
            name=f"{name}:{first}" if first == last else f"{name}:{first}–{last}",
            about=f"{lines} of {name}, which are selected",
            text=front.selected,
            is_whole=_units(front.selected) < _MAX_SELECTION_UNITS - 1,
            is_part=True,
            uri=f"{uri_of(target.resolved) or ''}#L{first}-L{last}",
        )

    async def _problems(self) -> Reference:
        wanted = sight.WantProblems(uris=[], everywhere=True)
        problems = await self._ask("editor/problems", wanted, sight.Problems)
        findings = [
            found_wrong(plainly(target.shown), file.problems)
            for file in problems.files
            if file.problems and file.uri.startswith("file:")
            if (path := path_of(file.uri)) is not None and (target := self.tells(path)) is not None
        ]
        if not findings:
            raise AssentError(
                f"The editor finds nothing wrong in files that may be told of, {NOTHING_SENT}."
            )
        text = "\n".join(findings)
        return Reference(name="Problems", about="what the editor finds wrong", text=text)

    async def _changes(self) -> Reference:
        """How files differ from the last commit: git tells the old texts, the new are read here."""
        changes = await self._ask("editor/changes", sight.WantChanges(), sight.GitChanges)
        if not changes.has_git:
            raise AssentError(f"The editor’s git knows no repository here, {NOTHING_SENT}.")
        differences, room = list[str](), MAX_QUOTE_LETTERS
        for file in changes.files:
            path = path_of(file.uri) if file.uri.startswith("file:") else None
            target = None if path is None else self.tells(path)
            if target is None:
                continue
            lines = await self._difference(file, target) if room > 0 else _NOT_TOLD
            differences.append("\n".join((f"{plainly(target.shown)} ({file.how})", lines)))
            room -= len(lines)
        if not differences:
            raise AssentError(
                f"Git finds nothing changed in files that may be told of, {NOTHING_SENT}."
            )
        return Reference(
            name="Changes",
            about="what has changed since the last commit",
            text="\n\n".join(differences),
            is_whole=changes.is_whole and room > 0,
        )

    async def _difference(self, file: sight.ChangedText, target: Target) -> str:
        if file.is_left_out:
            return _NOT_TOLD
        try:
            new = "" if file.how == "deleted" else (await self._text(target))[1]
        except AssentError:
            return _NOT_TOLD
        return await asyncio.to_thread(_as_lines, file.old or "", new)

    def _require_target(self, path: str) -> Target:
        target = self.tells(path)
        if target is None:
            name = shortened(plainly(path), _MAX_PATH_LETTERS)
            raise AssentError(f"Reading {name} is not allowed unasked here, {NOTHING_SENT}.")
        return target

    async def _ask(self, method: str, params: Shape, answer: type[Answer]) -> Answer:
        try:
            async with asyncio.timeout(_EDITOR_TIMEOUT_S):
                return await self.wire.request(method, params, answer)
        except (EditorRefused, TimeoutError) as error:
            raise AssentError(f"The editor did not tell what it shows, {NOTHING_SENT}.") from error


def _names(symbol: str, line: str) -> bool:
    """Whether a line has the last word of a name: `rate` of `Till.rate(int)`."""
    words = _WORDS.findall(symbol.partition("(")[0])
    return not words or words[-1] in _WORDS.findall(line)


def _as_lines(old: str, new: str) -> str:
    """How two texts differ, with a few lines around each change."""
    differences = between(old, new)
    lines = list[str]()
    for group in differences.groups:
        first, last = group[0], group[-1]
        olds, news = (first[1], last[2]), (first[3], last[4])
        places = (f"{differences.before + begin + 1},{end - begin}" for begin, end in (olds, news))
        lines.append("@@ -{} +{} @@".format(*places))
        for what, begin, end, new_begin, new_end in group:
            is_same = what == "equal"
            lines += [f"{' ' if is_same else '-'}{line}" for line, _ in differences.old[begin:end]]
            if not is_same:
                lines += [f"+{line}" for line, _ in differences.new[new_begin:new_end]]
    return "\n".join(lines)


def fitted(reference: Reference, most: int) -> Reference:
    """As much of it as has room, in whole lines where there are several."""
    if len(reference.text) <= most:
        return reference
    if reference.is_end:
        tail = reference.text[len(reference.text) - most :]
        return evolve(reference, text=tail[tail.find("\n") + 1 :], is_whole=False)
    head = reference.text[:most]
    return evolve(reference, text=head[: head.rfind("\n") + 1] or head, is_whole=False)


def _units(text: str) -> int:
    """How long the editor finds a text."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _entries_of(target: Target) -> list[Entry]:
    """One more than are listed, so that it is known whether that is all."""
    with closing(
        cast("Generator[Entry]", walk(opened_folder(target), deepest=_MAX_DEPTH))
    ) as entries:
        return list(islice(entries, _MAX_ENTRIES + 1))


def _text_of(target: Target, name: str) -> str:
    with opened_file(target) as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise ToolFailed(f"{name} is larger than 4 MB.")
    text_and_encoding = decoded(data)
    if text_and_encoding is None or "\0" in text_and_encoding[0]:
        raise ToolFailed(f"{name} is no text, or in an encoding that is not known.")
    return text_and_encoding[0].removeprefix("\ufeff")
