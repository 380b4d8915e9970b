"""The hooks of one running agent: how it gets them, and how they are answered."""

import asyncio
import logging
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import orjson

from assent.gate.call.errors import AssentError, CallUnreadable
from assent.gate.processes.shell_environment import inherited
from assent.gate.values import define, evolve, field
from assent.hosting.connection.process import program_of
from assent.hosting.connection.session import Session
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.hooks.hook_channel import HookChannel
from assent.hosting.hooks.hook_socket import HookSocket
from assent.hosting.hooks.hook_words import Hooked, HookWords
from assent.hosting.install.log_in_command import log_in_command
from assent.hosting.permission.repliers import ByHook
from assent.hosting.permission.shared_answers import Rulings
from assent.hosting.recipes.recipe import GENERAL, FolderWords, OwnSettings, Recipe
from assent.hosting.recipes.recipes import recipe_for
from assent.hosting.repositories.consent_answers import few_of

__all__ = ["Hooks"]

_LOG = logging.getLogger(__name__)

_LEFT_OUT: Final = (
    "{name} runs without your own {name} settings, instructions, skills, servers and hooks: {why}."
)
_UNCLEAR: Final = (
    "{name} runs without {texts} of this workspace: it is not clear which tools are meant there."
)
_WORKSPACE: Final = "workspace"
"""What its skills, commands and sub-agents are called by before their own names."""
_MAX_SUB_SESSIONS: Final = 10_000
"""So many sessions of sub-agents are known; of more than that nothing is let through."""


@define(eq=False)
class Hooks:
    """What lies between one agent's hooks and its sessions."""

    _socket: HookSocket | None
    _sessions: Mapping[str, Session]
    """By the agent's own ids."""
    recipe: Recipe = GENERAL
    """What is known of the agent; told once it is being started."""
    log_in: Callable[[], str] = lambda: ""
    """The command by which a person logs in to it; nothing where nobody knows it."""
    group: asyncio.TaskGroup | None = None
    """Where its calls are ruled on, as long as it runs."""
    _env: Mapping[str, str] = field(factory=dict, repr=False)
    """What the agent is started with."""
    _channel: HookChannel | None = None
    _plugins: int = 0
    """How many folders of texts were made for its sessions."""
    _proven: set[str] = field(factory=set)
    """The sessions in which it has run a hook."""
    _rulings: Rulings = field(factory=Rulings)
    _parents: dict[str, str] = field(factory=dict)
    """The sessions that those of sub-agents are parts of."""

    @property
    def are_given(self) -> bool:
        """Whether the agent was given the gate's hook."""
        return self._channel is not None

    @property
    def are_lost(self) -> bool:
        """Whether it was given one that does not find the gate any more."""
        return (
            self._channel is not None
            and self._socket is not None
            and not self._socket.leads_here(self._channel)
        )

    async def look(self, session: Session) -> None:
        """Look what the agent goes by in a session, and tell what it is kept from."""
        name = session.spec.name
        own = await asyncio.to_thread(self.recipe.own_settings, self._env)
        # Without our hook the agent gets no settings that could answer for a person.
        is_let = self._line is not None or not own.are_read
        session.own = own if is_let else OwnSettings(lost="all")
        if session.own.left_out:
            session.notice("warning", _LEFT_OUT.format(name=name, why=session.own.left_out))
        if session.words.left_out:
            left_out = few_of(session.words.left_out)
            session.notice("info", _UNCLEAR.format(name=name, texts=left_out))
        session.words = self._put_words(session.words)

    async def wanted(self, session: Session) -> dict[str, Any]:
        """What a session is opened with, or gone on with, so that the agent asks."""
        meta = self.recipe.session_meta(self._line, session.taken, session.own, session.words)
        besides = self.recipe.servers(session.taken)
        servers = await session.handed.entries(session.served, self._socket, besides)
        wanted: dict[str, Any] = {"cwd": session.cwd, "mcpServers": servers}
        return {**wanted, "_meta": meta} if meta else wanted

    async def prepare(self, spec: AgentSpec, cwd: str, roots: tuple[str, ...]) -> AgentSpec:
        """How the agent is started so that it asks."""
        program = program_of(spec, cwd, roots)
        self.recipe = recipe_for(program, spec.args)
        self.log_in = partial(log_in_command, self.recipe, program, spec.args, roots)
        if self.recipe.hooking is not None and self._socket is not None:
            try:
                self._channel = await self._socket.open(self._rule)
            except (OSError, AssentError):
                # It is started all the same, asks when it likes, and its chat says so.
                _LOG.exception("there is no place where hooks of %s could ask", spec.id)
        words, variables = self._put_files()
        env = {**spec.env, **self.recipe.environment(self._line), **variables}
        self._env = {**inherited(os.environ), **env}
        return evolve(spec, env=env, args=(*spec.args, *self.recipe.args, *words))

    def rulings_on(self, agent: str, hooked: Hooked) -> Rulings | None:
        """Where the answer to a call is had that a second hook of the same tool asks about.

        None where the call is of no session in which the agent has run the hook of its own.
        """
        if not self.are_given or self.recipe.id != agent:
            return None
        name = self._whole_session(hooked)
        return self._rulings if name in self._sessions and name in self._proven else None

    def greet(self, session_id: str) -> None:
        """A session was opened, in which a hook may have been run already."""
        if session_id in self._proven:
            self._sessions[session_id].coverage.prove()

    def shut(self) -> None:
        """The agent is gone."""
        if self._socket is not None and self._channel is not None:
            self._socket.shut(self._channel)

    @property
    def _line(self) -> str | None:
        """The command line of the hook, where there is one."""
        hooking = self.recipe.hooking
        if hooking is None or self._channel is None:
            return None
        return self._channel.line(self.recipe.id, hooking.seconds)

    def _put_files(self) -> tuple[tuple[str, ...], dict[str, str]]:
        """Words behind the agent's own and variables for it, with the files they are about."""
        hooking, line = self.recipe.hooking, self._line
        if hooking is None or line is None or self._channel is None:
            return (), {}
        folder = self._channel.put(hooking.files(line))
        return hooking.args(folder), hooking.variables(folder)

    def _put_words(self, words: FolderWords) -> FolderWords:
        """What folders tell in words, with a plugin of the texts for this session."""
        if self._channel is None or not words.texts:
            return words
        self._plugins += 1
        name = f"plugin-{self._plugins}"
        files = {f"{name}/{path}": text for path, text in words.texts.items()}
        manifest = orjson.dumps({"name": _WORKSPACE}).decode()
        folder = self._channel.put({**files, f"{name}/.claude-plugin/plugin.json": manifest})
        return evolve(words, plugin=f"{folder}/{name}")

    async def _rule(self, text: str) -> str:
        """What a hook is to print about what it was handed."""
        assert self.recipe.hooking is not None  # noqa: S101 -- there is no hook otherwise
        words = self.recipe.hooking.words
        try:
            hooked = words.heard(text)
            name = self._whole_session(hooked)
        except CallUnreadable as error:
            return words.refusal(str(error))
        self._proven.add(name)
        session = self._sessions.get(name)
        if session is not None:
            session.coverage.prove()
        if not hooked.tool:
            return ""
        if session is None or self.group is None:
            return words.refusal("There is no such session.")
        if hooked.asks_first and not session.is_left_running(hooked.agent):
            # It asks a person about this call itself, by a request.
            return ""
        if session.own.are_read and words.allow_and_ask is not None:
            # Their hooks might change the call: the agent asks about it once more, as it would run.
            words = evolve(words, allow=words.allow_and_ask)
        answer = await self._ask(self.group, session, hooked, words)
        self._rulings.put(hooked, answer)
        return answer

    def _whole_session(self, hooked: Hooked) -> str:
        """The session that a call is made in, which may be that of a sub-agent's sub-agent."""
        name = hooked.session
        if hooked.parent and name not in self._sessions:
            self._take_in(name, hooked.parent)
        for _ in self._parents:
            if name in self._sessions:
                break
            name = self._parents.get(name, name)
        return name

    def _take_in(self, part: str, parent: str) -> None:
        """A session is part of another one; which one that is never changes."""
        if part not in self._parents and len(self._parents) >= _MAX_SUB_SESSIONS:
            raise CallUnreadable("Too many sub-agents are at work.")
        if self._parents.setdefault(part, parent) != parent:
            raise CallUnreadable("Its session was a part of another one before.")

    async def _ask(
        self, group: asyncio.TaskGroup, session: Session, hooked: Hooked, words: HookWords
    ) -> str:
        printed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        asker = ByHook(hooked=hooked, words=words, printed=printed)
        plain = session.handed.plain(hooked, self.recipe)
        task = group.create_task(_permit(session, plain, asker))
        try:
            return await printed
        except asyncio.CancelledError:
            # The hook is gone: its agent is, or has given the call up.
            task.cancel()
            raise


async def _permit(session: Session, hooked: Hooked, asker: ByHook) -> None:
    """Have a call ruled on; whatever goes wrong with it is no leave."""
    try:
        await session.questions.permit_hooked(hooked, asker)
    except Exception:  # noqa: BLE001 -- a supervisor: one call ends no agent
        _LOG.exception("a call that a hook was handed could not be ruled on")
    finally:
        asker.cancel("Assent could not rule on this call.")
