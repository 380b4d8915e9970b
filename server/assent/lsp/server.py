"""Where the parts meet: builds the house that one editor talks to, and takes it down again.

Everything is built here and handed on; no part looks for another. When the editor is gone, what
was asked is refused, agents end, and only then is the journal closed.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from attrs import frozen
from lsprotocol import types
from pygls.uris import to_fs_path

from assent.acp.fleet import Fleet
from assent.approvals import endings
from assent.approvals.waiting import WaitingRoom, Window
from assent.calls import AgentId, ChatId
from assent.errors import AssentError, JournalUnwritable
from assent.gate import Gate
from assent.history.epochs import Epochs, close_dead
from assent.history.journal import Journal
from assent.history.ledger import Ledger
from assent.lsp.answers import Answers
from assent.lsp.board import Board
from assent.lsp.chats import Chats
from assent.lsp.connection import AssentServer, House
from assent.lsp.serving import Handler
from assent.lsp.spawn import spawn_in
from assent.lsp.state import attestation_key, state_folder
from assent.lsp.stream import Stream
from assent.lsp.widening import Widening
from assent.lsp.workspace import Workspace
from assent.places import Places
from assent.policy.modes import Mode
from assent.policy.rules import Policy
from assent.policy.verdicts import Actor
from assent.settings.attestation import Attestations, identity_of
from assent.settings.reading import BUILT_IN

__all__ = ["HANDLERS", "Parts", "compose"]


@frozen(kw_only=True)
class Parts:
    """The rooms of the house."""

    server: AssentServer
    state: Path
    identity: str
    """By what the attestations know this workspace; empty where no folder is open."""
    epochs: Epochs
    journal: Journal
    room: WaitingRoom
    board: Board
    workspace: Workspace
    fleet: Fleet
    chats: Chats
    answers: Answers

    async def begin(self, _: object) -> None:
        """The editor is ready to be asked: read the settings, and close what killed runs left."""
        banners = await self._leftovers()
        try:
            key = await attestation_key(self.server.wire, self.state)
        except AssentError as error:
            await self.workspace.begin(None, (*banners, str(error)))
        else:
            kept = Attestations(self.state / "attestations", self.identity, key)
            await self.workspace.begin(kept, banners)

    async def _leftovers(self) -> tuple[str, ...]:
        """What is to be said of runs that were killed; a state folder that fails is said too."""
        try:
            self.epochs.begin(self.board.stream.epoch)
            return tuple(dict.fromkeys(await close_dead(self.epochs, self.journal)))
        except (OSError, JournalUnwritable) as error:
            return (f"Assent cannot keep its journal, so nothing will run: {error}.",)


HANDLERS: Final[dict[str, Callable[[Parts], Handler]]] = {
    "tool/approvalResponse": lambda parts: parts.answers.respond,
    "tool/openDiff": lambda parts: parts.answers.open_diff,
    "agent/answerLater": lambda parts: parts.answers.be_patient,
    "agent/subscribe": lambda parts: parts.board.subscribe,
    "agent/list": lambda parts: parts.chats.list,
    "agent/newChat": lambda parts: parts.chats.open,
    "agent/closeChat": lambda parts: parts.chats.close,
    "agent/prompt": lambda parts: parts.chats.prompt,
    "agent/stop": lambda parts: parts.chats.stop,
    "agent/setMode": lambda parts: parts.chats.set_mode,
    "agent/bypass": lambda parts: parts.chats.bypass,
    "initialized": lambda parts: parts.begin,
    "workspace/didChangeConfiguration": lambda parts: parts.workspace.take_change,
}
"""Who serves what the editor sends."""


@asynccontextmanager
async def compose(server: AssentServer) -> AsyncIterator[House]:
    """The house, for as long as the editor stays."""
    async with asyncio.TaskGroup() as group:
        parts = _build(server, group)
        async with parts.fleet:
            yield House(
                handlers={name: made(parts) for name, made in HANDLERS.items()},
                caught_up=lambda _: parts.board.tell_agents(),
            )
            parts.room.settle_all(
                endings.refused(Actor.STOP, "The editor was closed, so it was not run.")
            )
    parts.journal.close()
    parts.epochs.end(parts.board.stream.epoch)


def _build(server: AssentServer, group: asyncio.TaskGroup) -> Parts:
    """Put the parts together. Those that need each other are handed a way to ask, not the part."""
    state, epoch, roots = state_folder(os.environ), str(uuid4()), _roots(server.opening)
    journal = Journal(state / "journal.db", epoch, _now)
    room = WaitingRoom(
        Window(
            opened=lambda ticket: board.tell_ticket(ticket),
            closed=lambda ticket, settlement, row: board.tell_settled(ticket, settlement, row),
        )
    )
    board = Board(
        Stream(epoch, server.wire.stream),
        _now,
        lambda: room.tickets,
        lambda ticket: room.expires_in(ticket.id),
        lambda: talk.agents(),
        lambda agent: workspace.agent_name(agent),
    )
    workspace = Workspace(
        server.wire,
        room,
        board,
        journal,
        BUILT_IN,
        lambda: _unattributed(server),
        lambda: talk.take_settings(),
        spawn_in(group),
    )
    widening = Widening(server.wire, journal, workspace)
    gate = Gate(
        ledger=Ledger(board.tell),
        journal=journal,
        room=room,
        policy=lambda chat, agent: _policy(workspace, board, chat, agent),
        patience=lambda: workspace.reading.patience,
        agent_name=workspace.agent_name,
    )
    fleet = Fleet(
        gate=gate,
        tell=lambda happening: talk.listen(happening),
        places=lambda: Places(roots=roots, home=str(Path.home())),
    )
    root = roots[0] if roots else str(Path.home())
    talk: Chats = Chats(board, gate, fleet, workspace, widening, spawn_in(group), root)
    return Parts(
        server=server,
        state=state,
        identity=identity_of(roots[0] if roots else None),
        epochs=Epochs(state / "epochs"),
        journal=journal,
        room=room,
        board=board,
        workspace=workspace,
        fleet=fleet,
        chats=talk,
        answers=Answers(server.wire, room, board, widening),
    )


def _policy(workspace: Workspace, board: Board, chat: ChatId, agent: AgentId) -> Policy:
    """The policy for an agent in a chat; of a chat that is gone, the strictest that asks."""
    transcript = board.chat(chat)
    bypassed = {agent} & workspace.reading.bypassed
    return Policy(
        mode=transcript.mode if transcript else Mode.ASK,
        bypassed=frozenset(bypassed),
        trusted=workspace.reading.trusted,
    )


async def _unattributed(server: AssentServer) -> object:
    """The settings of an editor that cannot say who wrote what."""
    wanted = types.ConfigurationParams(items=[types.ConfigurationItem(section="assent")])
    found = await server.workspace_configuration_async(wanted)
    return found[0] if found else {}


def _now() -> int:
    """The wall clock in milliseconds: for people to read, never to decide by."""
    return time.time_ns() // 1_000_000


def _roots(opening: dict[str, Any]) -> tuple[str, ...]:
    """The workspace's folders; none where no folder is open."""
    uris = [folder["uri"] for folder in opening.get("workspaceFolders") or []]
    paths = [to_fs_path(uri) for uri in uris or [opening.get("rootUri")] if uri]
    return tuple(path for path in paths if path)
