"""One agent's process and the connection with it: from its start to its end, whichever end.

Whatever ends it, the questions of its chats are settled first, then its processes are ended, and
then its end is told. Nothing is allowed on a connection that is gone.
"""

import asyncio
import logging
from typing import Any, Final

import pydantic
from attrs import define, field, frozen

import assent
from assent.acp.modes import asking_mode
from assent.acp.peer import METHOD_NOT_FOUND, Asked, ErrorAnswer, Peer
from assent.acp.permission import cancelled
from assent.acp.process import AgentProcess, start
from assent.acp.session import Session
from assent.acp.shapes import Greeting, NewSession
from assent.acp.spec import AgentSpec
from assent.acp.toolcalls import End
from assent.calls import AgentId
from assent.errors import AgentFailed
from assent.gate import Gate
from assent.history.events import AgentMoved, Tell
from assent.policy.verdicts import Actor

__all__ = ["Host", "Patience"]

_LOG = logging.getLogger(__name__)

_VERSION: Final = 1
_AUTH_REQUIRED: Final = -32000


@frozen(kw_only=True)
class Patience:
    """How long, in seconds, an agent is waited for."""

    greeting: float = 60.0
    """For the answer to `initialize`, and to `session/new`."""
    stop: float = 5.0
    """For the end of a turn that was stopped, before the person is told."""
    stubborn: float = 10.0
    """And after that, before the process is ended."""
    ending: float = 2.0
    """For a process that was asked to end, before it is killed."""
    words: float = 0.5
    """For an agent that closed its pipes to end by itself and say why."""


@define(eq=False)
class Host:
    """One running agent, with the sessions that it has."""

    spec: AgentSpec
    _gate: Gate
    _tell: Tell
    _patience: Patience
    sessions: dict[str, Session] = field(factory=dict)
    """By the agent's own ids."""
    over: asyncio.Event = field(factory=asyncio.Event)
    claims: int = 0
    """How many chats have or are about to have a session here."""
    why: str = ""
    """Why it is over, as a sentence; nothing where it was ended on purpose."""
    pid: int | None = None
    _greeting: Greeting | None = None
    _greeted: asyncio.Event = field(factory=asyncio.Event)
    _ending: bool = False
    _peer: Peer | None = None
    _listening: asyncio.Task[str] | None = None

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
        """Whether it runs or is being started, and nobody has told it to end."""
        return not (self._ending or self.why or self.over.is_set())

    @property
    def hears_reasons(self) -> bool:
        """Whether the agent reads our reasons in the answers themselves."""
        return self._greeting is not None and self._greeting.hears_reasons

    async def live(self, cwd: str) -> None:
        """Run the agent until it ends or is ended."""
        self._tell(AgentMoved(agent=AgentId(self.spec.id), state="starting"))
        try:
            process = await start(self.spec, cwd)
            self.pid = process.pid
            if self._ending:
                await process.end(self._patience.ending)
            else:
                await self._live_with(process)
        except AgentFailed as error:
            self.why = str(error)
        finally:
            state = "failed" if self.why else "ready"
            self.over.set()
            self._greeted.set()
            self._tell(AgentMoved(agent=AgentId(self.spec.id), state=state, because=self.why))

    async def ready(self) -> None:
        """Wait until the agent can be spoken with; raise if it cannot."""
        await self._greeted.wait()
        if self.over.is_set():
            raise AgentFailed(self.why or f"{self.spec.name} was ended.")

    async def open(self, session: Session) -> str:
        """Open a session and give back its id."""
        asked = {"cwd": session.cwd, "mcpServers": []}
        try:
            async with asyncio.timeout(self._patience.greeting):
                result = await self.peer.ask("session/new", asked)
            new = NewSession.model_validate(result)
        except TimeoutError as error:
            raise AgentFailed(self._no_answer("a new session")) from error
        except ErrorAnswer as error:
            raise AgentFailed(self._no_session(error)) from error
        except pydantic.ValidationError as error:
            raise AgentFailed(f"{self.spec.name} opened a session without an id.") from error
        # Nothing was awaited since the answer came, so no update for this session is missed.
        self.sessions[new.session_id] = session
        if new.modes is not None:
            session.mode = new.modes.current_mode_id
            await self._ask_for_asking(new, session)
        return new.session_id

    def drop(self, session_id: str) -> None:
        """Hear nothing more of a session, and let nothing more through."""
        session = self.sessions.pop(session_id, None)
        if session is None:
            return
        self._leave(session)
        if self._greeting is not None and self._greeting.closes_sessions and self._peer is not None:
            self._peer.forget("session/close", {"sessionId": session_id})

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
            return
        _LOG.debug("%s sent `%s`, which nobody waits for: %r", self.spec.id, method, params)

    async def serve(self, asked: Asked) -> None:
        """A request of the agent."""
        if asked.method != "session/request_permission":
            asked.refuse(METHOD_NOT_FOUND, f"`{asked.method}` is not offered")
            return
        session = self.sessions.get(str(asked.params.get("sessionId")))
        if session is None:
            asked.answer(cancelled("There is no such session."))
            return
        await session.permit(asked)

    async def _live_with(self, process: AgentProcess) -> None:
        code = None
        try:
            async with asyncio.TaskGroup() as group:
                errors = group.create_task(process.drain_errors())
                peer = Peer(reader=process.reader, writer=process.writer, listener=self)
                self._peer = peer
                self._listening = group.create_task(_listen(peer, group))
                group.create_task(self._greet(peer))
                await asyncio.wait([self._listening])
                broken = "" if self._listening.cancelled() else self._listening.result()
                self._part(peer)
                if not (broken or self._ending or self.why):
                    await process.linger(self._patience.words)
                code = await process.end(self._patience.ending)
                await _briefly(errors, self._patience.words)
                self._say_why(broken, code, process.last_words)
        finally:
            if code is None:
                # Cancelled from outside, in the middle of anything.
                self._part(self.peer)
                await process.end(self._patience.ending)

    async def _greet(self, peer: Peer) -> None:
        """Introduce ourselves; whoever cannot answer that is ended."""
        try:
            async with asyncio.timeout(self._patience.greeting):
                result = await peer.ask("initialize", _introduction())
            self._greeting = Greeting.model_validate(result)
        except TimeoutError:
            self._give_up(self._no_answer("being started"))
        except ErrorAnswer as error:
            self._give_up(f"{self.spec.name} did not want to begin: {error.message}")
        except pydantic.ValidationError:
            self._give_up(f"{self.spec.name} does not speak the Agent Client Protocol.")
        except AgentFailed:
            return
        if self._greeting is None:
            return
        if self._greeting.protocol_version != _VERSION:
            self._give_up(
                f"{self.spec.name} speaks version {self._greeting.protocol_version} of the Agent"
                f" Client Protocol, and Assent speaks version {_VERSION}."
            )
            return
        self._tell(AgentMoved(agent=AgentId(self.spec.id), state="running"))
        self._greeted.set()

    def _give_up(self, why: str) -> None:
        self.why = why
        if self._listening is not None:
            self._listening.cancel()

    def _part(self, peer: Peer) -> None:
        """Let nothing more through, and settle what is open."""
        peer.leave(self.why or f"{self.spec.name} is gone.")
        for session in self.sessions.values():
            self._leave(session)

    def _leave(self, session: Session) -> None:
        session.gone = True
        by = Actor.STOP if self._ending else Actor.AGENT_GONE
        self._gate.stop(session.chat, by, f"{self.spec.name} is gone, so it was not run.")
        session.calls.end_all(End.AGENT_GONE)

    def _say_why(self, broken: str, code: int, last_words: str) -> None:
        if self._ending:
            self.why = ""
            return
        if broken:
            self.why = f"{self.spec.name} was ended, because {broken}."
        elif not self.why:
            when = "" if self._greeting else " before it was ready"
            self.why = f"{self.spec.name} ended{when} ({_exit(code)})."
        if last_words:
            self.why += f" Its last words were:\n{last_words}"

    def _no_answer(self, to: str) -> str:
        seconds = self._patience.greeting
        return f"{self.spec.name} did not answer to {to} within {seconds:g} seconds."

    def _no_session(self, error: ErrorAnswer) -> str:
        if error.code != _AUTH_REQUIRED:
            return f"{self.spec.name} could not open a session: {error.message}"
        methods = self._greeting.auth_methods if self._greeting else []
        ways = ", ".join(str(way["name"]) for way in methods if way.get("name"))
        return (
            f"{self.spec.name} wants you to log in first{f' ({ways})' if ways else ''}."
            f" Run `{self.spec.command}` in a terminal, log in there, and try again."
        )

    async def _ask_for_asking(self, new: NewSession, session: Session) -> None:
        """Put the agent in the mode in which it asks the most, where it has such a mode."""
        wanted = asking_mode(new.modes) if new.modes else None
        if wanted is None:
            return
        told = {"sessionId": new.session_id, "modeId": wanted}
        if await self._try("session/set_mode", told):
            session.mode = wanted
            return
        session.notice(
            "warning",
            f"{self.spec.name} stays in its own mode “{session.mode}”, in which it may ask less.",
        )

    async def _try(self, method: str, params: dict[str, Any]) -> bool:
        """Ask for something that the agent may well not know."""
        try:
            async with asyncio.timeout(self._patience.stop):
                await self.peer.ask(method, params)
        except (ErrorAnswer, AgentFailed, TimeoutError):
            return False
        return True


async def _listen(peer: Peer, group: asyncio.TaskGroup) -> str:
    """Listen to the end; what was broken, if it was."""
    try:
        await peer.listen(group)
    except AgentFailed as error:
        return str(error)
    except OSError:
        return "the pipe to it broke"
    return ""


async def _briefly(task: asyncio.Task[None], seconds: float) -> None:
    """Wait for a task, but cancel it where that takes long."""
    _, late = await asyncio.wait([task], timeout=seconds)
    for one in late:
        one.cancel()


def _introduction() -> dict[str, Any]:
    return {
        "protocolVersion": _VERSION,
        "clientCapabilities": {
            "fs": {"readTextFile": False, "writeTextFile": False},
            "terminal": False,
        },
        "clientInfo": {"name": "assent", "title": "Assent", "version": assent.__version__},
    }


def _exit(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"
