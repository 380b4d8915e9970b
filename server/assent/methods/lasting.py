"""What makes chats last, put together."""

import os
from collections.abc import Sequence

from attrs import frozen

from assent.acp.fleet import Fleet
from assent.agent.assistants import Assistants
from assent.chats.store import Store
from assent.methods.board import Board
from assent.methods.comeback import Comeback
from assent.methods.earlier import Earlier
from assent.methods.keeping import Keeping
from assent.methods.models import Models
from assent.methods.opening import now
from assent.methods.spawn import Spawn
from assent.methods.terminals import Terminals
from assent.methods.workspace import Workspace

__all__ = ["Hosts", "lasting_of"]


@frozen
class Hosts:
    """Who hosts the agents of chats."""

    fleet: Fleet
    assistants: Assistants
    models: Models
    terminals: Terminals


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
) -> tuple[Keeping, Earlier]:
    """What keeps the chats of a window, and what brings those of before back."""
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
    return keeping, earlier
