"""One run of the server for one window: its client, its folders, and what all parts share."""

import asyncio
from pathlib import Path
from typing import Final, Self
from uuid import uuid4

from assent.editor.lsp.wire import Wire
from assent.editor.window.agents.agent_secrets import AgentSecrets
from assent.editor.window.chats.archive import archives_in
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.stream import Stream
from assent.editor.window.client_port import ClientPort
from assent.editor.window.settings.editor_start import now, roots_of
from assent.editor.window.spawn import Spawn, spawn_in
from assent.gate.approvals.waiting_room import WaitingRoom
from assent.gate.call.calls import Premise
from assent.gate.call.modes import Mode
from assent.gate.journal.epochs import Epochs
from assent.gate.journal.journal import Journal
from assent.gate.settings.paths import epochs_folder, journal_file, state_path
from assent.gate.settings.private_files import spare_folder
from assent.gate.values import frozen

__all__ = ["USUAL", "Run", "Terms"]


@frozen(kw_only=True)
class Terms:
    """What holds for one run beside all settings."""

    untrusted: Mode = Mode.DEFAULT
    """The loosest mode of a chat where the workspace is not trusted."""
    beside: tuple[Premise, ...] = ()
    """What else makes the gate of this run."""
    keeps_chats: bool = True
    """Whether chats last longer than this run."""
    allows_servers: bool | None = None
    """Whether the servers that a repository names are started; None where a person is asked."""


USUAL: Final = Terms()
"""In an editor."""


@frozen(kw_only=True)
class Run:
    """What each concept is built on."""

    client: ClientPort
    spawn: Spawn
    terms: Terms
    roots: tuple[str, ...]
    """The workspace's folders."""
    state: Path
    """The folder where Assent keeps what it must remember."""
    epoch: str
    """This run's own name."""
    epochs: Epochs
    """Which runs have not ended."""
    journal: Journal
    room: WaitingRoom
    board: Board
    secrets: AgentSecrets

    @classmethod
    def of(cls, client: ClientPort, group: asyncio.TaskGroup, terms: Terms = USUAL) -> Self:
        """Of the disk only the folder for what memory has no room for is touched here."""
        roots, state, epoch = roots_of(client.opening), state_path(), str(uuid4())
        room, archives = WaitingRoom(), archives_in(spare_folder(state, "chats"))
        return cls(
            client=client,
            spawn=spawn_in(group),
            terms=terms,
            roots=roots,
            state=state,
            epoch=epoch,
            epochs=Epochs(epochs_folder(state)),
            journal=Journal(journal_file(state), epoch, now, roots[0] if roots else ""),
            room=room,
            board=Board(Stream(epoch, client.wire.stream), now, room, archives),
            secrets=AgentSecrets(client.wire),
        )

    @property
    def wire(self) -> Wire:
        """How the editor is spoken to."""
        return self.client.wire

    @property
    def root(self) -> str:
        """The folder where agents work."""
        return self.roots[0] if self.roots else str(Path.home())
