"""What makes chats last, put together."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from assent.agent.chats.changelog import Changelog
from assent.agent.chats.store import Store
from assent.agent.loop.assistants import Assistants
from assent.editor.lsp.wire import Wire
from assent.editor.window.agents.terminals import Terminals
from assent.editor.window.changes.changes import Changes
from assent.editor.window.changes.restored import Restoring
from assent.editor.window.changes.undoing import Undoing
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.kept.comeback import Comeback
from assent.editor.window.chats.kept.earlier import Earlier
from assent.editor.window.chats.kept.keeping import Keeping
from assent.editor.window.models.models import Models
from assent.editor.window.settings.opening import now
from assent.editor.window.settings.workspace import Workspace
from assent.editor.window.spawn import Spawn
from assent.gate.admit import Gate
from assent.gate.disk.buffers import Buffers
from assent.gate.disk.places import Places
from assent.gate.settings.paths import changes_folder
from assent.gate.values import frozen
from assent.hosting.connection.fleet import Fleet

__all__ = ["Files", "Hosts", "lasting_of"]


@frozen
class Hosts:
    """Who hosts the agents of chats."""

    fleet: Fleet
    assistants: Assistants
    models: Models
    terminals: Terminals


@frozen
class Files:
    """How the files that chats change are seen and written."""

    state: Path
    """Below which it is kept what they were."""
    gate: Gate
    buffers: Buffers
    places: Callable[[], Places]
    wire: Wire


def lasting_of(
    *,
    store: Store,
    roots: Sequence[str],
    root: str,
    hosts: Hosts,
    board: Board,
    workspace: Workspace,
    spawn: Spawn,
    mark_name: str,
    files: Files,
) -> tuple[Keeping, Earlier, Undoing]:
    """What keeps the chats of a window, brings those of before back, and undoes changes."""
    keeping = Keeping(
        store=store,
        workspace="\n".join(sorted(os.path.realpath(it) for it in roots)),
        board=board,
        fleet=hosts.fleet,
        assistants=hosts.assistants,
        now=now,
        is_ours=lambda chat: hosts.terminals.host(chat) is None,
        heard=workspace.tell,
    )
    board.touched = keeping.touched
    back = Comeback(
        keeping=keeping,
        board=board,
        fleet=hosts.fleet,
        assistants=hosts.assistants,
        models=hosts.models,
        workspace=workspace,
        root=root,
        now=now,
    )
    earlier = Earlier(
        keeping=keeping,
        board=board,
        back=back,
        workspace=workspace,
        now=now,
        mark_name=mark_name,
        spawn=spawn,
    )
    return keeping, earlier, _undoing(files, keeping, earlier, hosts)


def _undoing(files: Files, keeping: Keeping, earlier: Earlier, hosts: Hosts) -> Undoing:
    store, board = keeping.store, earlier.board
    changes = Changes(
        log=Changelog(changes_folder(files.state), lambda: store.key),
        board=board,
        gate=files.gate,
        buffers=files.buffers,
        assistants=hosts.assistants,
    )
    board.heard = changes.hear
    earlier.back.brought = changes.came_back
    earlier.begun = partial(changes.drop_outlived, keeping)
    restoring = Restoring(
        changes=changes, gate=files.gate, buffers=files.buffers, places=files.places
    )
    return Undoing(changes=changes, restoring=restoring, buffers=files.buffers, wire=files.wire)
