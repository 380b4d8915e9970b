"""The terminal agents as one window sees them: a chat for each session.

A session is ruled on by the folder that it began in. Where this window has that folder open, it
is ruled on as every other chat of the window; where it has not, the window only draws its cards:
the folder counts as untrusted, and no rule, grant or mode of this window's workspace applies.
"""

import asyncio
import os
from collections import deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final
from uuid import uuid4

import orjson

from assent.gate.admit import Gate
from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AgentFailed, CallUnreadable
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.disk.places import Places
from assent.gate.journal.events import ChatClosed, ChatOpened, GateSeen, Noticed, Tell
from assent.gate.settings.without_window import Ground
from assent.gate.text.plain_paths import is_within
from assent.gate.values import define, evolve, field
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.coverage import VERIFIED
from assent.hosting.permission.external_calls import permit, without_after
from assent.hosting.permission.shared_answers import Rulings
from assent.hosting.terminals.terminal import Terminal
from assent.hosting.terminals.terminals import Asked

__all__ = ["DOOR", "ConnectedAgents", "Sessions"]

DOOR: Final = "connected"
"""What the key of this channel is called, which every hook of these agents knows."""
WINDOW: Final = "window.json"
"""The file beside it that names the folders of its window."""

_MAX_SESSIONS: Final = 16
"""So many sessions have a chat at once."""
_MAX_OPEN_CALLS: Final = 200
"""So many calls of one session are ruled on at once."""
_FULL: Final = "Too many calls are being asked about already."
_ELSEWHERE: Final = (
    "{} works in {}, which this window has not open. So that folder counts as untrusted, and only"
    " your own rules apply."
)
_ITS_OWN: Final = "{} runs in its own terminal; talk to it there."


@define(eq=False)
class _Session:
    """One session of such an agent."""

    chat: ChatId
    terminal: Terminal
    folder: str
    is_here: bool
    """Whether this window has its folder open."""
    path: str
    """The PATH that its commands get."""
    ground: Ground | None = None
    """What holds there, where it has not."""
    open: int = 0
    """How many of its calls are being ruled on."""
    is_closed: bool = False
    """Whether its chat is; its next call opens another."""
    let: deque[Hooked] = field(factory=lambda: deque(maxlen=_MAX_OPEN_CALLS))
    """The calls that go on, of which its agent may still ask the person itself."""

    def answered(self, hooked: Hooked) -> bool:
        """Whether what it would ask was answered here already, which counts once."""
        repeated = next((earlier for earlier in self.let if hooked.repeats(earlier)), None)
        if repeated is not None:
            self.let.remove(repeated)
        return repeated is not None


@define(eq=False)
class Sessions:
    """Where a chat works and what holds there, also where it is a session in a terminal."""

    _places: Callable[[], Places]
    by_chat: dict[ChatId, _Session] = field(factory=dict)
    """The open sessions, and the closed ones of which a call is still being ruled on."""

    def ground(self, chat: ChatId) -> Ground | None:
        """What holds in the folder of a chat, where this window has not that open."""
        session = self.by_chat.get(chat)
        return None if session is None else session.ground

    def places(self, chat: ChatId) -> Places:
        """Where paths lead for a chat, whoever it belongs to."""
        session = self.by_chat.get(chat)
        if session is None:
            return self._places()
        places = self._places() if session.ground is None else session.ground.places
        return evolve(places, path=session.path)


@define(eq=False)
class ConnectedAgents:
    """The sessions that one window hears of."""

    gate: Gate
    _tell: Tell
    _known: Sessions
    _ground: Callable[[str], Ground]
    _mode: Callable[[ChatId, bool], Mode]
    """The mode in which a chat begins, by whether this window has its folder open."""
    _ready: Callable[[], Awaitable[object]]
    """Waits until it is known what holds."""
    _roots: tuple[str, ...]
    _rulings: Callable[[str, Hooked], Rulings | None]
    """Where the answer to a call is had of an agent that this window hosts."""
    _sessions: dict[tuple[str, str], _Session] = field(factory=dict)
    """By the agent and its own id; the one that was heard of last at the end."""

    def __attrs_post_init__(self) -> None:
        self.gate = without_after(self.gate)

    async def rule(self, text: str) -> str:
        """What a hook is to print; raises where that is nothing that it could print."""
        await self._ready()
        asked = Asked.read(text)
        words = asked.terminal.words
        try:
            hooked = await asyncio.to_thread(asked.heard)
        except CallUnreadable as error:
            return words.refusal(str(error))
        if not hooked.tool:
            return ""
        if hooked.is_again:
            return self._again(asked.terminal, hooked)
        # A hosted agent may read the person's own settings too: then it asks twice about a call.
        rulings = self._rulings(asked.terminal.id, hooked)
        if rulings is not None and not asked.terminal.in_turn:
            return await rulings.same(hooked)
        session = self._session(asked, hooked)
        if session.open >= _MAX_OPEN_CALLS:
            return words.refusal(_FULL)
        session.open += 1
        try:
            return await self._permit(session, hooked)
        finally:
            session.open -= 1
            self._let_go(session)

    def is_of(self, chat: ChatId) -> bool:
        """Whether a chat is a session of such an agent."""
        return chat in self._known.by_chat

    async def prompt(self, chat: ChatId, _: str) -> tuple[str, str]:
        """Nobody here can say anything to it."""
        session = self._known.by_chat.get(chat)
        raise AgentFailed(_ITS_OWN.format(session.terminal.name if session else "This agent"))

    async def stop(self, chat: ChatId) -> None:
        """Refuse what waits."""
        self.gate.stop(chat, Actor.STOP, "You stopped the agent, so it was not run.")

    async def close(self, chat: ChatId) -> None:
        """Refuse what waits; its next call opens another chat."""
        self.gate.stop(chat, Actor.STOP, "The chat was closed, so it was not run.")
        session = self._known.by_chat.get(chat)
        if session is not None:
            self._close(session)

    async def _permit(self, session: _Session, hooked: Hooked) -> str:
        if not session.is_here:
            session.ground = await asyncio.to_thread(self._ground, session.folder)
        chat, terminal = session.chat, session.terminal
        return await permit(
            self.gate,
            terminal,
            hooked,
            lambda: terminal.reader(chat, session.folder, self._known.places(chat)),
            session.let.append,
        )

    def _again(self, terminal: Terminal, hooked: Hooked) -> str:
        """What is said to a question of the agent's own; nothing leaves it to the person."""
        session = self._sessions.get((terminal.id, hooked.session))
        is_answered = session is not None and session.answered(hooked)
        return orjson.dumps(terminal.words.again).decode() if is_answered else ""

    def _session(self, asked: Asked, hooked: Hooked) -> _Session:
        """The session that a call is made in, by the folder in which it was first heard of."""
        key = (asked.terminal.id, hooked.session)
        session = self._sessions.pop(key, None) or self._begin(asked)
        session.path = asked.path
        self._sessions[key] = session
        return session

    def _begin(self, asked: Asked) -> _Session:
        self._forget()
        terminal, chat = asked.terminal, ChatId(str(uuid4()))
        session = _Session(
            chat=chat,
            terminal=terminal,
            folder=asked.folder,
            is_here=is_open_in(asked.folder, self._roots),
            path=asked.path,
        )
        self._known.by_chat[chat] = session
        title = f"{terminal.name} in {Path(asked.folder).name or asked.folder}"
        mode = self._mode(chat, session.is_here)
        opened = ChatOpened(chat=chat, agent=terminal.agent, mode=mode, title=title)
        self._tell(opened)
        # How many of its tools pass nobody can count, who sees only those that do.
        self._tell(GateSeen(chat=chat, gate=VERIFIED, passed=0, tools=0))
        if not session.is_here:
            text = _ELSEWHERE.format(terminal.name, asked.folder)
            self._tell(Noticed(chat=chat, level="info", text=text))
        return session

    def _forget(self) -> None:
        """Let go of the session that was not heard of for longest, where there are many."""
        session = next((session for session in self._sessions.values() if not session.open), None)
        if len(self._sessions) >= _MAX_SESSIONS and session is not None:
            self._close(session)
            self.gate.grants.drop(session.chat)
            self._tell(ChatClosed(chat=session.chat))

    def _close(self, session: _Session) -> None:
        session.is_closed = True
        self._sessions = {
            key: other for key, other in self._sessions.items() if other is not session
        }
        self._let_go(session)

    def _let_go(self, session: _Session) -> None:
        """Know no more of a closed session, once nothing of it is being ruled on."""
        if session.is_closed and not session.open:
            self._known.by_chat.pop(session.chat, None)


def is_open_in(folder: str, roots: tuple[str, ...]) -> bool:
    """Whether a folder is one of these or lies in one, as both resolve."""
    path = os.path.realpath(folder)
    return any(is_within(path, os.path.realpath(root)) for root in roots)
