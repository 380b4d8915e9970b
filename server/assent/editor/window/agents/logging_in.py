"""Logs the person in to an agent, in one of the ways that the agent offers.

The words of a way are the agent's, and what is done is ours: its own flow, a secret that the
editor asks for and keeps, or its own program in a terminal that the person sees.
"""

import asyncio
import hashlib
import re
import shlex
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from assent.editor.cards.spans import line, text_of
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import agents, chats, editor
from assent.editor.window.agents.agent_secrets import AgentSecrets
from assent.editor.window.chats.board import Board
from assent.editor.window.settings.setting_writes import twice, write
from assent.editor.window.settings.workspace import Workspace
from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AssentError
from assent.gate.journal.agent_events import LogInTold, LogInWay
from assent.gate.settings.agents import AgentEntry
from assent.gate.settings.references import references_in
from assent.gate.values import define, field
from assent.hosting.connection.process import program_of
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.install.login import LogInNeeded
from assent.hosting.install.logins import LogIns

__all__ = ["LoggingIn", "secret_of"]

_KEY: Final = "agents"
_OPEN: Final = "Open the terminal"
_NO_WAY: Final = "{} tells of no way to log in that can be offered here."
_GONE: Final = "The agent does not offer this way any more."
_BUSY: Final = "You are logging in already; stop that first."
_DREW_BACK: Final = "You drew back, so nothing was changed."
_BROKEN_OFF: Final = "It was broken off."
_NOT_YOURS: Final = (
    "{} is not in your own settings, so it cannot be given a secret there."
    " Write it into assent.agents of your settings first."
)
_SET: Final = "Your own settings set {} for {} to something else already, so that was left."
_START: Final = "Start it anew"
_ANEW: Final = (
    "It goes by what it was given when it was started, so the new one counts once it is started"
    " anew. This chat goes on then, where the agent knows it still; other chats keep theirs."
)
_LOG_IN_ONCE_IDLE: Final = (
    "It is kept. {} was not started anew, so this chat goes by what it was given before; new chats"
    " go by the new one."
)
_FAILED: Final = "The terminal ended{}, so you may not be logged in."


def secret_of(agent: str, variable: str) -> str:
    """What the secret is called that an agent is given in a variable; no other agent's is.

    >>> secret_of("claude", "API_KEY")
    'API_KEY_of_claude_3d1be2e6'
    """
    plain_name = re.sub(r"\W", "_", agent, flags=re.ASCII)[:32]
    mark = hashlib.sha256(f"{agent} {variable}".encode()).hexdigest()[:8]
    return f"{variable[:64]}_of_{plain_name}_{mark}"


@define(kw_only=True)
class LoggingIn:
    """For all chats of one window."""

    wire: Wire
    log_ins: LogIns
    board: Board
    workspace: Workspace
    secrets: AgentSecrets
    roots: Callable[[], tuple[str, ...]]
    root: str
    _busy: set[ChatId] = field(factory=set)

    async def wish(self, params: chats.ChatRef) -> chats.Nothing:
        """`agent/wishLogIn`: show how one can log in, also where the agent does not want it."""
        chat, entry = self._agent(params.chat_id)
        if not await self.log_ins.wish(chat):
            raise AssentError(_NO_WAY.format(entry.name))
        return chats.Nothing()

    async def log_in(self, params: agents.LogInBy) -> chats.Nothing:
        """`agent/logIn`: what came of it stands on the card."""
        chat, entry = self._agent(params.chat_id)
        way = next((way for way in self.log_ins.ways(chat) if way.id == params.way), None)
        if way is None:
            raise AssentError(_GONE)
        if chat in self._busy:
            raise AssentError(_BUSY)
        self._busy.add(chat)
        self._tell(chat, busy=way.id)
        because = _BROKEN_OFF
        try:
            await self._by(way, chat, entry)
            because = ""
        except AssentError as error:
            because = str(error)
        finally:
            self._busy.discard(chat)
            self._tell(chat, because=because)
        return chats.Nothing()

    async def _by(self, way: LogInWay, chat: ChatId, entry: AgentEntry) -> None:
        if way.kind == "agent":
            await self.log_ins.log_in(chat, way.id)
            return
        await (self._give if way.kind == "env_var" else self._run)(way, entry)
        try:
            await (self._start_anew if way.kind == "env_var" else self._go_on)(chat, entry)
        except LogInNeeded:
            # Some agents want to be told which of what they were given counts.
            await self.log_ins.log_in(chat, way.id)

    async def _go_on(self, chat: ChatId, _: AgentEntry) -> None:
        await self.log_ins.go_on(chat)

    async def _start_anew(self, chat: ChatId, entry: AgentEntry) -> None:
        """A program has what it was given when it was started, and nothing newer."""
        if not self.log_ins.is_talking(chat):
            await self.log_ins.go_on(chat)
            return
        confirm = editor.Confirm(
            title=f"Start {entry.name} anew?",
            detail=_ANEW,
            actions=[_START],
        )
        if (await self.wire.request("ui/confirm", confirm, editor.Confirmed)).action != _START:
            raise AssentError(_LOG_IN_ONCE_IDLE.format(entry.name))
        await self.log_ins.start_anew(chat)

    async def _give(self, way: LogInWay, entry: AgentEntry) -> None:
        """Ask for what the agent is to be given, keep it, and write its name into the settings."""
        given = {
            variable: f"${{secret:{secret_of(entry.id, variable)}}}" for variable in way.variables
        }
        self._with(entry, given)
        for variable in given:
            if not await self.secrets.renew(secret_of(entry.id, variable), entry.name):
                raise AssentError(_DREW_BACK)
        await twice(lambda: self._write(entry, given))
        await self.workspace.reload()

    async def _write(self, entry: AgentEntry, given: dict[str, str]) -> None:
        await self.workspace.reload()
        setting, value = self._with(entry, given)
        if value != setting:
            await write(self.wire, "user", _KEY, before=setting, value=value)

    def _with(self, entry: AgentEntry, given: dict[str, str]) -> tuple[Any, Any]:
        """The agents of the person's own settings, without and with what one is to be given."""
        setting = self.workspace.keys.get(_KEY, {}).get("user")
        own = setting.get(entry.id) if isinstance(setting, dict) else None
        if not isinstance(setting, dict) or not isinstance(own, dict):
            raise AssentError(_NOT_YOURS.format(entry.name))
        env = own.get("env") or {}
        for name, reference in given.items():
            if env.get(name, reference) != reference:
                raise AssentError(_SET.format(name, entry.name))
        return setting, {**setting, entry.id: {**own, "env": {**env, **given}}}

    async def _run(self, way: LogInWay, entry: AgentEntry) -> None:
        """Run the agent's own program in a terminal, with the words that it wants for that."""
        spec = AgentSpec.of(entry)
        program = await asyncio.to_thread(program_of, spec, self.root, self.roots())
        words = [program, *spec.args, *way.args]
        confirmed = await self.wire.request(
            "ui/confirm",
            editor.Confirm(
                title=f"Log in to {entry.name} in a terminal?",
                detail=f"It runs with your rights, as any program does:\n"
                f"{text_of(line(shlex.join(words)))}",
                actions=[_OPEN],
            ),
            editor.Confirmed,
        )
        if confirmed.action != _OPEN:
            raise AssentError(_DREW_BACK)
        plain = {
            name: value for name, value in spec.env.items() if not references_in({name: value})
        }
        wanted = editor.RunInTerminal(
            title=f"Log in to {entry.name}", program=program, args=words[1:], env=plain
        )
        code = (await self.wire.request("ui/runInTerminal", wanted, editor.RunEnded)).code
        if code != 0:
            raise AssentError(_FAILED.format("" if code is None else f" with exit code {code}"))

    def _agent(self, chat_id: str) -> tuple[ChatId, AgentEntry]:
        known = self.board.known(chat_id)
        return known.chat, self.workspace.startable(known.agent)

    def _tell(self, chat: ChatId, because: str = "", busy: str = "") -> None:
        with suppress(AssentError):  # A chat that was closed meanwhile has no card.
            ways = self.log_ins.ways(chat)
            self.board.tell(LogInTold(chat=chat, ways=ways, because=because, busy=busy))
