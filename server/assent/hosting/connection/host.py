"""One agent's process and the connection with it, from start to end, whichever side ends it.

Whatever ends it, the questions of its chats are settled first, then its processes are ended, and
then its end is told. Nothing is allowed on a connection that is gone.
"""

import asyncio
import logging
from typing import Any

from assent.gate.call.calls import AgentId
from assent.gate.call.errors import AgentFailed
from assent.gate.call.verdicts import Actor
from assent.gate.journal.events import AgentMoved, Tell
from assent.gate.text.redactor import Redactor
from assent.gate.values import define, field
from assent.hosting.connection import wording
from assent.hosting.connection.peer import INVALID_PARAMS, METHOD_NOT_FOUND, Asked, Peer
from assent.hosting.connection.process import AgentProcess, briefly, start
from assent.hosting.connection.session import Session
from assent.hosting.connection.session_start import ask_for_asking, introduce, new_session, take_up
from assent.hosting.connection.shapes import Greeting
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.connection.time_limits import Patience
from assent.hosting.connection.variables import Started
from assent.hosting.hooks.hook_socket import HookSocket
from assent.hosting.hooks.hooks import Hooks
from assent.hosting.permission.agent_forms import AgentForms
from assent.hosting.permission.permission import cancelled

__all__ = ["Host"]

_LOG = logging.getLogger(__name__)


@define(eq=False)
class Host:
    """One running agent, with the sessions that it has."""

    spec: AgentSpec
    started: Started = field(repr=False)  # with what its variables name, told to nobody
    _tell: Tell
    _patience: Patience
    _socket: HookSocket | None = None
    """Where hooks ask; None where there is no such place."""
    hooks: Hooks = field(init=False)
    clean: Redactor = field(init=False)  # whatever the agent says to somebody passes here
    sessions: dict[str, Session] = field(factory=dict)
    """By the agent's own ids."""
    over: asyncio.Event = field(factory=asyncio.Event)
    claims: int = 0
    """How many chats have or are about to have a session here."""
    why: str = ""
    """Why it is over, as a sentence; nothing where it was ended on purpose."""
    pid: int | None = None
    keeper: int | None = None
    """The process below which is all that it started."""
    _logging_in: dict[int, AgentForms] = field(factory=dict)
    """By the id of the request that the agent log a person in: where it may ask them something."""
    _greeting: Greeting | None = None
    _greeted: asyncio.Event = field(factory=asyncio.Event)
    _ending: bool = False
    _peer: Peer | None = None
    _listening: asyncio.Task[str] | None = None

    def __attrs_post_init__(self) -> None:
        self.clean = Redactor.of(self.started.given)
        self.hooks = Hooks(socket=self._socket, sessions=self.sessions)

    @property
    def peer(self) -> Peer:
        """The connection."""
        if self._peer is None:
            raise AgentFailed(self.why or f"{self.spec.name} is not running.")
        return self._peer

    @property
    def is_gone(self) -> bool:
        """Whether nothing can be said to it any more."""
        return self.over.is_set() or (self._peer is not None and self._peer.is_gone)

    @property
    def is_usable(self) -> bool:
        """Whether it runs or is being started, and may be given one more session."""
        return not (self._ending or self.why or self.over.is_set() or self.hooks.are_lost)

    @property
    def greeting(self) -> Greeting:
        """What the agent can do, as far as it has said."""
        return self._greeting or Greeting.model_validate({"protocolVersion": 0})

    async def live(self, cwd: str, roots: tuple[str, ...]) -> None:
        """Run the agent until it ends or is ended; no program of `roots` is taken for it."""
        self._tell(AgentMoved(agent=AgentId(self.spec.id), state="starting"))
        try:
            spec = await self.hooks.prepare(self.started.spec, cwd, roots)
            process = await start(spec, cwd, roots)
            self.pid, self.keeper = process.pid, process.keeper
            if self._ending:
                await process.end(self._patience.ending)
            else:
                await self._live_with(process)
        except AgentFailed as error:
            self.why = str(error)
        finally:
            state = "failed" if self.why else "ready"
            self.hooks.shut()
            self.over.set()
            self._greeted.set()
            self._tell(AgentMoved(agent=AgentId(self.spec.id), state=state, because=self.why))

    async def ready(self) -> None:
        """Wait until the agent can be spoken with; raise if it cannot."""
        await self._greeted.wait()
        if self.over.is_set():
            raise AgentFailed(self.why or f"{self.spec.name} was ended.")

    async def open(self, session: Session, before: str = "") -> str:
        """Open a session, or go on with the one of before, and give back its id."""
        with session.handed.opening():
            await self.hooks.look(session)
            if before and await self._take_up(session, before):
                return before
            wanted = await self.hooks.wanted(session)
            new = await new_session(
                self.peer, self.spec, wanted, self._patience, self._log_in_first
            )
            if new.session_id in self.sessions:
                # What was asked in one chat would be shown and answered in the other.
                raise AgentFailed(f"{self.spec.name} opened a session under the id of another.")
            self.sessions[new.session_id] = session
            self.hooks.greet(new.session_id)
            session.options.begin(new.modes, new.config_options)
            await self._strictly(session, new.session_id)
            return new.session_id

    def drop(self, session_id: str) -> None:
        """Hear nothing more of a session, and let nothing more through."""
        session = self.sessions.pop(session_id, None)
        if session is None:
            return
        self._leave(session)
        self.peer.tell("session/cancel", {"sessionId": session_id})
        if self._greeting is not None and self._greeting.closes_sessions:
            self.peer.forget("session/close", {"sessionId": session_id})

    async def end(self) -> None:
        """End the agent, and wait until it has."""
        self._ending = True
        if self._listening is not None:
            self._listening.cancel()
        await self.over.wait()

    def hear(self, method: str, params: dict[str, Any]) -> None:
        """A notification of the agent."""
        session = self.sessions.get(str(params.get("sessionId")))
        if method == "session/update" and session is not None:
            session.hear(params)
        elif method == "elicitation/complete":
            sessions = (session.forms for session in self.sessions.values())
            for forms in (*sessions, *self._logging_in.values()):
                forms.complete(params.get("elicitationId"))
        else:
            shown = self.clean.of_json([method, params])
            _LOG.debug("%s sent `%s`, which nobody waits for: %r", self.spec.id, *shown)

    async def serve(self, asked: Asked) -> None:
        """A request of the agent."""
        if asked.method == "elicitation/create":
            await self._ask(asked)
        elif asked.method == "session/request_permission":
            session = self.sessions.get(str(asked.params.get("sessionId")))
            if session is None:
                asked.answer(cancelled("There is no such session."))
            else:
                await session.questions.permit(asked)
        else:
            asked.refuse(METHOD_NOT_FOUND, f"`{asked.method}` is not offered")

    async def log_in(self, way: str, forms: AgentForms) -> None:
        """Have the agent log the person in, whom it may ask something meanwhile."""
        request_id = self.peer.next_id
        self._logging_in[request_id] = forms
        try:
            await self.peer.ask("authenticate", {"methodId": way})
        finally:
            del self._logging_in[request_id]
            forms.end()

    def _log_in_first(self) -> str:
        return wording.log_in_first(self.spec, self._greeting, self.hooks.log_in())

    async def _ask(self, asked: Asked) -> None:
        """Ask the person for the agent, in one of its chats or while it logs them in."""
        session_id, request_id = (asked.params.get(name) for name in ("sessionId", "requestId"))
        forms = None
        if isinstance(session_id, str):
            session = self.sessions.get(session_id)
            forms = None if session is None else session.forms
        elif type(request_id) is int:
            forms = self._logging_in.get(request_id)
        if forms is None:
            asked.refuse(INVALID_PARAMS, "there is no such session, and no such request")
            return
        await forms.ask(asked)

    async def _take_up(self, session: Session, before: str) -> bool:
        """Whether the agent goes on with a session that it had before it was started anew."""
        how = self._greeting.takes_up if self._greeting is not None else ""
        if not how or before in self.sessions:
            return False
        wanted = {**await self.hooks.wanted(session), "sessionId": before}
        self.sessions[before] = session
        self.hooks.greet(before)
        taken = None
        try:
            taken = await take_up(self.peer, session, wanted, how, self._patience)
        finally:
            if taken is None:
                self.sessions.pop(before, None)
        if taken is None:
            return False
        # It may have been left in whatever mode: nothing is as loose as it was.
        session.options.go_on(taken.modes, taken.config_options)
        await self._strictly(session, before)
        session.is_taken_up = True
        return True

    async def _strictly(self, session: Session, session_id: str) -> None:
        try:
            await ask_for_asking(self.peer, session, session_id, self._patience)
        except BaseException:
            self.drop(session_id)
            raise

    async def _live_with(self, process: AgentProcess) -> None:
        code = None
        try:
            async with asyncio.TaskGroup() as group:
                self.hooks.group = group
                errors = group.create_task(process.drain_errors())
                peer = self._peer = Peer(process.reader, process.writer, self, clean=self.clean)
                self._listening = group.create_task(peer.listen_out(group))
                group.create_task(self._greet(peer))
                await asyncio.wait([self._listening])
                broken = "" if self._listening.cancelled() else self._listening.result()
                self._part(peer)
                if not (broken or self._ending or self.why):
                    await process.linger(self._patience.words)
                code = await process.end(self._patience.ending)
                await briefly(errors, self._patience.words)
                self._say_why(broken, code, process.last_words or peer.noise)
        finally:
            if code is None:
                # Cancelled from outside, in the middle of anything.
                self._part(self.peer)
                await process.end(self._patience.ending)

    async def _greet(self, peer: Peer) -> None:
        """Introduce ourselves; an agent that cannot answer that is ended."""
        try:
            self._greeting = await introduce(peer, self.spec, self._patience)
        except AgentFailed as error:
            if not peer.is_gone:
                self.why = str(error)
                if self._listening is not None:
                    self._listening.cancel()
            return
        self._tell(AgentMoved(agent=AgentId(self.spec.id), state="running"))
        self._greeted.set()

    def _part(self, peer: Peer) -> None:
        """Let nothing more through, and settle what is open."""
        peer.leave(self.why or f"{self.spec.name} is gone.")
        for session in self.sessions.values():
            self._leave(session)

    def _leave(self, session: Session) -> None:
        by = Actor.STOP if self._ending else Actor.AGENT_GONE
        session.leave(by, f"{self.spec.name} is gone, so it was not run.")

    def _say_why(self, broken: str, code: int, last_words: str) -> None:
        if self._ending:
            self.why = ""
            return
        if broken or not self.why:
            self.why = wording.ended(self.spec, code, broken, greeted=self._greeting is not None)
        self.why += wording.last(self.clean(last_words))
