"""All running agents, and the chats that use them.

One process for each agent, a session for each chat. A chat outlives its agent: after an agent
ended, the next prompt starts it anew. Must be entered with `async with`, and leaves no process.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from assent.catalogue.nodes.catalogue import Catalogue
from assent.gate.admit import Gate
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.errors import AgentFailed
from assent.gate.call.verdicts import Actor
from assent.gate.disk.places import Places
from assent.gate.journal.agent_events import ALONE, Beside
from assent.gate.journal.events import Noticed, Said, Tell, TurnBegan, TurnEnded
from assent.gate.journal.speech import Speech
from assent.gate.settings.wishes import Wish
from assent.gate.values import define, field
from assent.hosting.connection.chat import STOPPED, STOPPED_EARLY, Talk, why_gone
from assent.hosting.connection.host import Host
from assent.hosting.connection.hosts import Hosts
from assent.hosting.connection.option import Option
from assent.hosting.connection.session import Session
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.connection.time_limits import Patience, expire, wait_or_false
from assent.hosting.connection.variables import NoSecrets, Secrets, started_as
from assent.hosting.hooks.hook_socket import HookSocket
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.install.login import LogInNeeded
from assent.hosting.install.logins import LogIns
from assent.hosting.permission.agent_forms import AgentForms
from assent.hosting.permission.shared_answers import Rulings
from assent.hosting.recipes.recipe import NO_WORDS, FolderWords, Recipe
from assent.hosting.repositories.consent import Consent, recipe_before
from assent.hosting.repositories.consent_prompts import ConsentPrompts

__all__ = ["Fleet"]

_LOG = logging.getLogger(__name__)

_GOES_ON = "{} was started anew and goes on with this chat."
_KNOWS_NOTHING = "{} was started anew and does not know what was said before."
_UNHOOKED = "{} could not be given Assent's hook, so it asks only when it likes to."


@define(eq=False)
class Fleet:
    """The agents that Assent hosts."""

    _gate: Gate
    _tell: Tell
    _places: Callable[[], Places]
    _patience: Patience = field(factory=Patience)
    _sockets: Path | None = None
    """The folder in which agents' hooks find the gate; None where there is none."""
    _consent: Consent = field(factory=Consent)
    """What a person says of repositories that configure an agent."""
    _secrets: Secrets = field(factory=NoSecrets)
    _nodes: Catalogue = field(factory=Catalogue)
    """The tools of servers that agents are handed."""
    _words: Callable[[ChatId, AgentId, Recipe, str], FolderWords] = lambda *_: NO_WORDS
    """What the folders of the workspace tell an agent in words, down to the one it works in."""
    _speech: Speech = field(init=False)
    _talks: dict[ChatId, Talk] = field(factory=dict)
    _hosts: Hosts = field(init=False)
    _specs: dict[str, AgentSpec] | None = None
    _group: asyncio.TaskGroup = field(factory=asyncio.TaskGroup)
    _asking: ConsentPrompts = field(init=False)
    log_ins: LogIns = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._speech = Speech(self._tell)
        self._hosts = Hosts(
            self._speech.tell, self._places, self._patience, self._group, self._sockets
        )
        self._asking = ConsentPrompts(self._consent, self._group)
        self.log_ins = LogIns(
            self._speech.tell,
            self._talk,
            self._claimed,
            self._hosts.give_back,
            self._connect,
            self._release,
            self._forms,
        )

    @property
    def hooks(self) -> HookSocket | None:
        """Where the hooks of agents ask; None where this system has no such place."""
        return self._hosts.hooks

    def rulings_on(self, agent: str, hooked: Hooked) -> Rulings | None:
        """Where the answer to a call of a hosted agent is had, which its own hook asks about."""
        return self._hosts.rulings_on(agent, hooked)

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            await self.end_all()
        finally:
            self._hosts.forget_hooks()
            await self._group.__aexit__(kind, error, trace)

    def agents_changed(self, specs: Iterable[AgentSpec]) -> None:
        """The settings name these agents now. What runs goes on as it was started."""
        self._specs = {spec.id: spec for spec in specs}

    def is_running(self, chat: ChatId) -> bool:
        """Whether a turn is under way in a chat."""
        talk = self._talks.get(chat)
        return talk is not None and talk.turn is not None

    async def open(self, chat: ChatId, agent: AgentSpec, cwd: str) -> None:
        """Begin a chat with an agent; raise where the agent cannot be started.

        The chat is known in either case: the next prompt tries again. What the person stopped
        meanwhile has not failed.
        """
        talk = self._talks.setdefault(chat, Talk(chat=chat, spec=agent, cwd=cwd))
        try:
            await self._connect(talk)
        except AgentFailed:
            if not talk.stopping:
                raise

    def take_up(self, talk: Talk) -> None:
        """Know a chat of before, and its session; its agent is started by the next prompt."""
        talk.had_session = True
        self._talks.setdefault(talk.chat, talk)

    def seen(self, chat: ChatId) -> tuple[str, ...]:
        """The calls that its agent told of in a chat while it made them."""
        return self._talks[chat].seen.known if chat in self._talks else ()

    def session_id(self, chat: ChatId) -> str:
        """By what its agent knows a chat; nothing where it does not."""
        return self._talks[chat].session_id if chat in self._talks else ""

    async def prompt(self, chat: ChatId, text: str, beside: Beside = ALONE) -> tuple[str, str]:
        """Say something to the agent, and wait for its turn to end: how, and why.

        Raise where the agent was not given the prompt; a person who stopped it knows that.
        """
        talk = self._talk(chat)
        if talk.turn is not None:
            raise AgentFailed(f"{talk.spec.name} is still working; stop it before you go on.")
        talk.check_pictures(beside)
        turn = talk.turn = asyncio.Event()
        talk.stopping, talk.beside, talk.is_sent = False, beside, False
        talk.prompts += 1
        message, names = f"{chat}:prompt:{talk.prompts}", beside.names
        said = Said(chat=chat, who="user", message=message, text=text, references=names)
        self._speech.tell(said)
        self._speech.tell(TurnBegan(chat=chat))
        reason, because = STOPPED
        try:
            reason, because = await self._turn(talk, text)
        finally:
            # Also when whoever waited is gone: then so is the turn.
            if talk.scope is not None:
                self._abandon(talk)
            talk.turn = None
            turn.set()
            self._speech.tell(TurnEnded(chat=chat, reason=reason, because=because))
        if reason == "error" and not talk.is_sent:
            raise AgentFailed(because)
        return reason, because

    def has(self, chat: ChatId) -> bool:
        """Whether a chat is one of ours."""
        return chat in self._talks

    async def option(self, chat: ChatId, option_id: str) -> Option | None:
        """A setting that the chat's agent keeps itself; it is told of before all of it is open."""
        talk = self._talk(chat)
        async with talk.connecting:
            session = talk.session
        return None if session is None else session.options.find(option_id)

    async def set_option(self, chat: ChatId, option: Option, value: str) -> None:
        """Have the chat's agent take another value; raise where it does not."""
        await self._talk(chat).set_option(option, value, self._patience.stubborn)

    async def stop(self, chat: ChatId) -> None:
        """Stop the agent's turn: refuse what waits, and wait until it is over.

        An agent that is only being started is not waited for.
        """
        talk = self._talk(chat)
        turn = talk.turn
        self._call_off(talk, "You stopped the agent, so it was not run.")
        expire(talk.start)
        if turn is None or await wait_or_false(turn, self._patience.stop):
            return
        self._notice(talk, f"{talk.spec.name} was told to stop and has not stopped yet.")
        if await wait_or_false(turn, self._patience.stubborn):
            return
        await self._force(talk)
        await turn.wait()

    async def close(self, chat: ChatId) -> None:
        """End a chat, and its agent if no other chat has it."""
        talk = self._talks.pop(chat, None)
        if talk is None:
            return
        turn = talk.turn
        self._call_off(talk, "The chat was closed, so it was not run.")
        self._break_off(talk)
        if turn is not None:
            await turn.wait()
        self._abandon(talk)
        await self._release(talk)
        self._speech.forget(chat)

    async def end_all(self) -> None:
        """End all agents, and settle all that waits for them."""
        self._hosts.close()
        for talk in self._talks.values():
            self._call_off(talk, "Assent was ended, so it was not run.")
            expire(talk.start)
        self._asking.cancel()
        await self._hosts.end_all()

    async def _turn(self, talk: Talk, text: str) -> tuple[str, str]:
        """One turn, with the words of refusals said behind it."""
        try:
            session, host = await self._connect(talk)
            session.questions.stopping = talk.stopping
            reason, because = await talk.say(session, host, text)
            while session.questions.feedback and not (talk.stopping or session.questions.gone):
                words, session.questions.feedback = "\n".join(session.questions.feedback), []
                if not host.greeting.hears_reasons:
                    reason, because = await talk.say(session, host, words)
        except AgentFailed as error:
            return STOPPED if talk.stopping else ("error", str(error))
        return (STOPPED[0], because or STOPPED[1]) if talk.stopping else (reason, because)

    async def _connect(self, talk: Talk) -> tuple[Session, Host]:
        """The chat's session; a new one where there is none, or its agent is gone."""
        async with talk.connecting:
            session, host = talk.session, talk.host
            if session is not None and host is not None and not session.questions.gone:
                if not self._is_outdated(talk, session):
                    return session, host
                self._abandon(talk)
                talk.had_session = False
            talk.heard = talk.heard if session is None else session.options.heard
            if talk.stopping:
                raise AgentFailed(STOPPED_EARLY)
            await self._release(talk)
            host = talk.host = await self._claimed(talk)
            try:
                session = await talk.unless_stopped(self._open(talk, host))
            except BaseException:
                await self._release(talk)
                raise
            if self._talks.get(talk.chat) is not talk:
                host.drop(talk.session_id)
                raise AgentFailed("The chat was closed.")
            if talk.had_session:
                how = _GOES_ON if session.is_taken_up else _KNOWS_NOTHING
                session.notice("info", how.format(talk.spec.name))
            talk.session, talk.had_session = session, True
            self.log_ins.offer(talk, None)
            return session, host

    async def _claimed(self, talk: Talk) -> Host:
        """The agent's process with one claim more, where a repository does not keep it off."""
        talk.spec = self._newest(talk.spec)
        started = await talk.unless_stopped(started_as(talk.spec, self._secrets))
        recipe = recipe_before(started.spec, talk.cwd, self._places().executables.roots)
        await talk.unless_stopped(self._admit(talk, recipe))
        return self._hosts.take(talk.spec, started, talk.cwd)

    async def _open(self, talk: Talk, host: Host) -> Session:
        await host.ready()
        recipe, words = host.hooks.recipe, partial(self._notice, talk)
        admitted = await self._admit(talk, recipe)
        handed = await self._consent.handed(talk.spec, recipe, talk.cwd, words)
        session = Session(
            chat=talk.chat,
            spec=talk.spec,
            cwd=talk.cwd,
            gate=self._gate,
            speech=self._speech,
            places=self._places,
            recipe=recipe,
            clean=host.clean,
            keeper=host.keeper,
            is_hooked=host.hooks.are_given,
            taken=handed.taken,
            words=self._words(talk.chat, AgentId(talk.spec.id), recipe, talk.cwd),
            wish=handed.wish,
            kept_from=handed.left_out,
            seen=talk.seen,
            nodes=self._nodes,
        )
        session.options.heard = talk.heard
        try:
            if recipe.hooking is not None and not host.hooks.are_given:
                session.notice("error", _UNHOOKED.format(talk.spec.name))
            talk.session_id = await host.open(session, talk.session_id)
        except LogInNeeded:
            self.log_ins.offer(talk, host)
            raise
        except AgentFailed as error:
            raise AgentFailed(await why_gone(host, error)) from error
        try:
            await self._consent.insist(talk.spec, recipe, talk.cwd, admitted)
        except BaseException:
            host.drop(talk.session_id)
            raise
        self._asking.begin(talk, session)
        return session

    def _forms(self, talk: Talk, host: Host) -> AgentForms:
        """Where an agent asks a person whom it logs in."""
        return AgentForms(
            chat=talk.chat,
            agent=AgentId(talk.spec.id),
            name=talk.spec.name,
            cwd=talk.cwd,
            gate=self._gate,
            flush=partial(self._speech.flush, talk.chat),
            is_over=lambda: talk.stopping,
            clean=host.clean,
        )

    async def _admit(self, talk: Talk, recipe: Recipe) -> Wish | None:
        """What a person let the repository tell an agent that nobody can keep from it."""
        return await self._consent.admit(talk.spec, recipe, talk.cwd, partial(self._notice, talk))

    def _is_outdated(self, talk: Talk, session: Session) -> bool:
        """Whether a session in which nothing was said yet lacks what a person has let since."""
        is_fresh = talk.prompts <= 1
        return session.wish is not None and is_fresh and self._consent.is_granted(session.wish)

    def _newest(self, spec: AgentSpec) -> AgentSpec:
        if self._specs is None:
            return spec
        if spec.id not in self._specs:
            raise AgentFailed(f"{spec.name} is no longer among assent.agents.")
        return self._specs[spec.id]

    def _call_off(self, talk: Talk, because: str) -> None:
        """Refuse what waits in a chat, and tell the agent to stop."""
        talk.stopping = True
        if talk.session is not None:
            talk.session.questions.stopping = True
            talk.session.settle(Actor.STOP, because)
        if talk.turn is not None and talk.session is not None and talk.host is not None:
            talk.host.peer.tell("session/cancel", {"sessionId": talk.session_id})

    async def _force(self, talk: Talk) -> None:
        """End a turn whose agent does not end it."""
        host = talk.host
        if host is not None and host.claims == 1:
            self._notice(talk, f"{talk.spec.name} did not stop, so its process was ended.")
            await host.end()
            return
        self._notice(
            talk,
            f"{talk.spec.name} did not stop. It goes on, since other chats use it, but nothing"
            " more of this chat is let through.",
        )
        self._break_off(talk)

    def _break_off(self, talk: Talk) -> None:
        expire(talk.scope)
        expire(talk.start)

    def _abandon(self, talk: Talk) -> None:
        """Have nothing more to do with a session; the next prompt opens another."""
        if talk.host is not None and talk.session is not None:
            talk.host.drop(talk.session_id)
        talk.scope, talk.session, talk.session_id = None, None, ""

    async def _release(self, talk: Talk) -> None:
        """Give a chat's claim on its agent back; an agent that nobody claims is ended."""
        host, talk.host, talk.session = talk.host, None, None
        if host is not None:
            await self._hosts.give_back(host)

    def _notice(self, talk: Talk, text: str) -> None:
        self._speech.tell(Noticed(chat=talk.chat, level="warning", text=text))

    def _talk(self, chat: ChatId) -> Talk:
        if chat not in self._talks:
            raise AgentFailed("There is no such chat.")
        return self._talks[chat]
