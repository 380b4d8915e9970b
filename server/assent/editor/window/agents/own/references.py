"""Handles `@` in a prompt: finds what it names, and reads that when the prompt is sent.

Whoever sends a prompt only names. What is named is read only where the chat's agent could read
it unasked, by the one ruling that sight goes by, and only such names are offered. Where one thing
cannot be told, nothing of the prompt is sent.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, islice
from typing import Final

from assent.agent.tools.folder_view import plainly
from assent.editor.lsp.shapes import path_of
from assent.editor.lsp.wire import Wire
from assent.editor.protocol.earlier import ListChats
from assent.editor.protocol.references import (
    MAX_PATH_LETTERS,
    ChangesReference,
    ChatReference,
    FileReference,
    FolderReference,
    Offered,
    ProblemsReference,
    Reference,
    ReferencesFound,
    SelectionReference,
    SymbolReference,
    TerminalReference,
    WantReferences,
)
from assent.editor.protocol.sight import Symbol
from assent.editor.window.agents.own.file_names import FileNames
from assent.editor.window.agents.own.package_docs import PackageDocs, PackageNames, is_documentation
from assent.editor.window.agents.own.quotes import (
    MAX_QUOTE_LETTERS,
    NOTHING_SENT,
    Quotes,
    Tells,
    fitted,
)
from assent.editor.window.agents.own.setup import target_told
from assent.editor.window.agents.own.symbol_names import SymbolNames
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.kept.chat_list import KeptChats
from assent.editor.window.settings.policies import Policies
from assent.editor.window.spawn import Spawn
from assent.gate.call.calls import AgentId, ChatId, Target
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode
from assent.gate.disk.buffers import Buffers
from assent.gate.disk.places import Places
from assent.gate.journal import agent_events
from assent.gate.ruling.policy import Policy
from assent.gate.settings.agents import ASSENT
from assent.gate.text.shortening import shortened
from assent.gate.values import define, evolve, field

__all__ = ["References"]

_MAX_OFFERS: Final = 12
_MAX_SYMBOLS: Final = 4
_MAX_CHATS: Final = 4
_MAX_KNOWN: Final = 8
"""So many packages, symbols and chats, which leaves room for files."""
_MAX_CHATS_LOOKED_AT: Final = 200
_MIN_LETTERS_WRITTEN: Final = 2
"""In letters: a word that is shorter is the beginning of too many names."""
_MAX_NAMES_JUDGED: Final = 200
"""So many names are ruled on for one word."""
_NAMES_A_TURN: Final = 20
"""So many before others have their turn."""
_MAX_PROMPT_LETTERS: Final = 100_000
"""In letters: so much is quoted of all that goes with a prompt."""
_MIN_LETTERS: Final = 1_000
"""In letters: where there is no room for so much of one, nothing is sent."""
_MAX_NAMES_LETTERS: Final = 400
"""In letters: so much is said of the names of what is too long."""

_STOPPED: Final = f"You stopped it before it was sent, {NOTHING_SENT}."

Named = tuple[agent_events.Reference, ...]

_CHATS: Final = "chats"
_SHOWN: Final = (
    Offered(
        reference=SelectionReference(kind="selection"), name="selection", says="What is selected"
    ),
    Offered(
        reference=ProblemsReference(kind="problems"),
        name="problems",
        says="What the editor finds wrong",
    ),
    Offered(
        reference=TerminalReference(kind="terminal"),
        name="terminal",
        says="What the terminal printed last",
    ),
    Offered(
        reference=ChangesReference(kind="changes"),
        name="changes",
        says="What has changed since the last commit",
    ),
)


@define(eq=False)
class _Turn:
    """One prompt for which something is being read."""

    limit: asyncio.Timeout = field(factory=lambda: asyncio.timeout(None))
    """Over at once where it is stopped."""
    over: asyncio.Event = field(factory=asyncio.Event)
    is_stopped: bool = False


@define
class References:
    """One for the whole server."""

    _wire: Wire
    _board: Board
    _policies: Policies
    _places: Callable[[], Places]
    _buffers: Buffers
    _earlier: KeptChats
    _spawn: Spawn
    _reading: dict[ChatId, list["_Turn"]] = field(factory=dict)
    """By chat: the prompts for which something is being read, in their order."""
    _names: FileNames = field(init=False)
    _packages: PackageNames = field(init=False)
    _symbols: SymbolNames = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._names = FileNames(self._places)
        self._packages = PackageNames(self._places)
        self._symbols = SymbolNames(self._wire, self._spawn)

    async def find(self, params: WantReferences) -> ReferencesFound:
        """`agent/references`: what could be meant; of no file that may not be read unasked."""
        chat, agent, policy = self._reader(params.chat_id)
        offers = [
            reference for reference in _SHOWN if reference.name.startswith(params.word.lower())
        ]
        tells = partial(target_told, policy, self._places(), chat, agent)
        paths, known = await asyncio.gather(
            self._names.like(params.word, _MAX_NAMES_JUDGED),
            self._known(params.word, chat, tells),
        )
        for at, path in enumerate(paths):
            if len(offers) >= _MAX_OFFERS - len(known):
                break
            if at % _NAMES_A_TURN == 0:
                await asyncio.sleep(0)
            target = tells(path)
            if target is not None and len(path) <= MAX_PATH_LETTERS:
                offers.append(_offered(path, target))
        return ReferencesFound(found=[*offers, *known])

    async def read(self, chat: ChatId, agent: AgentId, wanted: Sequence[Reference]) -> Named:
        """What is named, as it stands now; raises where one of them cannot be told.

        A prompt waits for those before it in its chat, so that none is overtaken.
        """
        if not wanted and chat not in self._reading:
            return ()
        turns = self._reading.setdefault(chat, [])
        before, turn = tuple(turns), _Turn()
        turns.append(turn)
        read: Named = ()
        try:
            async with turn.limit:
                for earlier_turn in before:
                    await earlier_turn.over.wait()
                read = await self._read(chat, agent, wanted)
        except TimeoutError:
            if not turn.is_stopped:
                raise
        finally:
            turn.over.set()
            turns.remove(turn)
            if not turns and self._reading.get(chat) is turns:
                del self._reading[chat]
        # What it waited for may have come in the same moment.
        if turn.is_stopped:
            raise AssentError(_STOPPED)
        return read

    def stop(self, chat: ChatId) -> None:
        """Send none of the prompts of a chat whose references are still being read."""
        for turn in self._reading.pop(chat, ()):
            turn.is_stopped = True
            turn.limit.reschedule(0)

    async def _known(self, word: str, here: ChatId, tells: Tells) -> list[Offered]:
        """The packages, symbols and earlier chats that a word could mean."""
        if len(word) < _MIN_LETTERS_WRITTEN:
            return []
        packages, symbols, chats = await asyncio.gather(
            self._packages.like(word),
            self._symbols.like(word),
            self._chats(word.lower(), here),
        )
        documented = (offer for docs in packages if (offer := _offered_docs(docs, tells)))
        defined = (offer for symbol in symbols if (offer := _offered_symbol(symbol, tells)))
        offers = chain(documented, islice(defined, _MAX_SYMBOLS), chats)
        return list(islice(offers, _MAX_KNOWN))

    async def _chats(self, word: str, here: ChatId) -> list[Offered]:
        """Earlier chats with the word in their titles; for a beginning of `chats`, the newest."""
        try:
            listed = await self._earlier.list_kept(ListChats(limit=_MAX_CHATS_LOOKED_AT))
        except AssentError:
            return []
        offers = [
            Offered(
                reference=ChatReference(kind="chat", chat_id=chat.chat_id),
                name=plainly(chat.title),
                says="What was said in this earlier chat",
            )
            for chat in listed.chats
            if chat.chat_id != here and (_CHATS.startswith(word) or word in chat.title.lower())
        ]
        return offers[:_MAX_CHATS]

    async def _read(self, chat: ChatId, agent: AgentId, wanted: Sequence[Reference]) -> Named:
        def tells(path: str) -> Target | None:
            policy = _named(self._policies.whole(chat, agent))
            return target_told(policy, self._places(), chat, agent, path)

        quotes = Quotes(
            wire=self._wire,
            buffers=self._buffers,
            tells=tells,
            earlier=self._earlier,
            in_cells=agent == ASSENT.id,
        )
        read, room = list[agent_events.Reference](), _MAX_PROMPT_LETTERS
        for wanted_reference in dict.fromkeys(wanted):
            reference = await quotes.of(wanted_reference)
            read.append(fitted(reference, min(room, MAX_QUOTE_LETTERS)))
            is_read_there = agent != ASSENT.id and bool(reference.uri) and not reference.is_part
            if room < min(_MIN_LETTERS, len(reference.text)) and not is_read_there:
                raise AssentError(_too_long(read))
            # It is given the address of what is cut, and reads that by itself.
            room -= 0 if is_read_there and not read[-1].is_whole else len(read[-1].text)
        return tuple(read)

    def _reader(self, chat_id: str | None) -> tuple[ChatId, AgentId, Policy]:
        """Who would read it, and what holds for them; our own agent where no chat is open."""
        chat = None if chat_id is None else self._board.chat(ChatId(chat_id))
        if chat is None:
            return ChatId(""), ASSENT.id, _named(self._policies.of_new(ASSENT.id))
        return chat.chat, chat.agent, _named(self._policies.whole(chat.chat, chat.agent))


def _offered(path: str, target: Target) -> Offered:
    """A file, or a folder, whose path ends with a slash."""
    if path.endswith("/"):
        folder = FolderReference(kind="folder", path=path.rstrip("/"))
        name = f"{plainly(target.shown).rstrip('/')}/"
        return Offered(reference=folder, name=name, says="What lies in it")
    return Offered(reference=FileReference(kind="file", path=path), name=plainly(target.shown))


def _offered_docs(docs: PackageDocs, tells: Tells) -> Offered | None:
    """What a package says of itself, where the agent may be told of that.

    A link can lead from a package to any file, so the name of the file that is read counts.
    """
    target = tells(docs.path)
    if target is None or not target.inside or not is_documentation(target.resolved):
        return None
    if len(docs.path) > MAX_PATH_LETTERS:
        return None
    reference = FileReference(kind="file", path=docs.path)
    return Offered(reference=reference, name=plainly(docs.name), says=plainly(target.shown))


def _offered_symbol(symbol: Symbol, tells: Tells) -> Offered | None:
    """A symbol with its file, where the agent may be told of that."""
    path = path_of(symbol.uri) if symbol.uri.startswith("file:") else None
    target = None if path is None else tells(path)
    if path is None or target is None or not 0 < len(path) <= MAX_PATH_LETTERS:
        return None
    reference = SymbolReference(
        kind="symbol",
        path=path,
        name=symbol.name,
        line=symbol.line,
        last_line=symbol.last_line,
    )
    return Offered(reference=reference, name=plainly(symbol.name), says=plainly(target.shown))


def _named(policy: Policy) -> Policy:
    """What holds where a person names a file: that is their answer, if a mode alone would ask."""
    return evolve(policy, mode=Mode.DEFAULT) if policy.mode is Mode.ASK else policy


def _too_long(read: Sequence[agent_events.Reference]) -> str:
    names = shortened(", ".join(reference.name for reference in read), _MAX_NAMES_LETTERS)
    return f"These are too long together: {names}, {NOTHING_SENT}."
