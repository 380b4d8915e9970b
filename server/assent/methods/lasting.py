"""What makes chats last, put together."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from assent.acp.fleet import Fleet
from assent.agent.assistants import Assistants
from assent.chats.changelog import Changelog
from assent.chats.store import Store
from assent.disk.buffers import Buffers
from assent.disk.places import Places
from assent.gate import Gate
from assent.lsp.wire import Wire
from assent.methods.board import Board
from assent.methods.changes import Changes
from assent.methods.comeback import Comeback
from assent.methods.earlier import Earlier
from assent.methods.keeping import Keeping
from assent.methods.models import Models
from assent.methods.opening import now
from assent.methods.restored import Restoring
from assent.methods.spawn import Spawn
from assent.methods.terminals import Terminals
from assent.methods.undoing import Undoing
from assent.methods.workspace import Workspace
from assent.settings.paths import changes_folder
from assent.values import frozen

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
