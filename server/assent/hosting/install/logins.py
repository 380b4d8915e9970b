"""Logs in to the agents of chats, when an agent needs it or a person asks for it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AgentFailed
from assent.gate.journal.agent_events import LogInTold, LogInWay
from assent.gate.journal.events import Tell
from assent.gate.values import define
from assent.hosting.connection.chat import Talk
from assent.hosting.connection.host import Host
from assent.hosting.connection.peer import ErrorAnswer
from assent.hosting.install.login import ways_in
from assent.hosting.permission.agent_forms import AgentForms

__all__ = ["LogIns"]

_WORKS: Final = (
    "{} is working, so it was not started anew: until it is, it goes by what it was given before."
    " Stop it, or wait, and do this again."
)
_STOPPED: Final = "You stopped it, so you may not be logged in."


@define
class LogIns:
    """Of one fleet."""

    _tell: Tell
    _talk: Callable[[ChatId], Talk]
    _claimed: Callable[[Talk], Awaitable[Host]]
    """The agent's process, which nobody ends before it is given back."""
    _give_back: Callable[[Host], Awaitable[None]]
    _connect: Callable[[Talk], Awaitable[object]]
    _release: Callable[[Talk], Awaitable[None]]
    """Gives the claim of a chat back, with its session."""
    _forms: Callable[[Talk, Host], AgentForms]
    """Where the agent may ask the person something while it logs them in."""

    def ways(self, chat: ChatId) -> tuple[LogInWay, ...]:
        """The ways to log in to the chat's agent that were told last."""
        return self._talk(chat).ways

    def offer(self, talk: Talk, host: Host | None) -> None:
        """Tell how to log in; without a process, that nobody needs to any more."""
        ways = () if host is None else ways_in(host.greeting)
        if ways or talk.ways:
            talk.ways = ways
            self._tell(LogInTold(chat=talk.chat, ways=ways))

    async def wish(self, chat: ChatId) -> tuple[LogInWay, ...]:
        """Tell how one can log in to the agent, which is started for that if need be."""
        talk = self._talk(chat)
        async with self._held(talk) as host:
            self.offer(talk, host)
        return talk.ways

    async def log_in(self, chat: ChatId, way: str) -> None:
        """Have the agent log the person in by its own way, and go on with the chat."""
        talk = self._talk(chat)
        try:
            async with self._held(talk) as host:
                async with talk.connecting:
                    await talk.unless_stopped(self._authenticate(talk, host, way))
                await self._connect(talk)
        except AgentFailed as error:
            raise (AgentFailed(_STOPPED) if talk.stopping else error) from error
        self.offer(talk, None)

    async def go_on(self, chat: ChatId) -> None:
        """Try once more, now that the person has logged in elsewhere, or gave what was wanted."""
        talk = self._talk(chat)
        talk.stopping = False
        await self._connect(talk)
        self.offer(talk, None)

    def is_talking(self, chat: ChatId) -> bool:
        """Whether the chat has a session, in a process with what that was given at its start."""
        session = self._talk(chat).session
        return session is not None and not session.questions.gone

    async def start_anew(self, chat: ChatId) -> None:
        """Go on in a process that is given what is there now; other chats keep theirs."""
        talk = self._talk(chat)
        async with talk.connecting:
            if talk.turn is not None:
                raise AgentFailed(_WORKS.format(talk.spec.name))
            if talk.host is not None and talk.host.claims > 1:
                talk.host.drop(talk.session_id)
            await self._release(talk)
        await self.go_on(chat)

    @asynccontextmanager
    async def _held(self, talk: Talk) -> AsyncIterator[Host]:
        """The agent's process, which stays for as long as that takes."""
        async with talk.connecting:
            talk.stopping = False
            host = await self._claimed(talk)
        try:
            await talk.unless_stopped(host.ready())
            yield host
        finally:
            await self._give_back(host)

    async def _authenticate(self, talk: Talk, host: Host, way: str) -> None:
        """It takes as long as the person does."""
        try:
            await host.log_in(way, self._forms(talk, host))
        except ErrorAnswer as error:
            raise AgentFailed(f"{host.spec.name} could not log you in: {error.message}") from error
