"""Makes the collections of one window: by what rules their files are read, and where they lie."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from assent.calls import ChatId, canonical
from assent.disk.places import Places
from assent.documents.leftover import Shelf
from assent.lsp.wire import Wire
from assent.mcp.link import Link
from assent.methods.agent_secrets import AgentSecrets
from assent.methods.collection_stores import Stores
from assent.methods.collections import Collections
from assent.methods.models import Models
from assent.methods.policies import Policies
from assent.methods.readable import fetching, readable_by
from assent.methods.record import Record
from assent.methods.spawn import Spawn
from assent.methods.workspace import Workspace
from assent.settings.agents import ASSENT
from assent.settings.entries import EVERYTHING
from assent.settings.paths import collections_folder
from assent.verdicts import Actor, Verdict

__all__ = ["collections_of"]

_NAME: Final = "Assent"
_BOOT: Final = (
    "import sys; sys.path[:0] = sys.argv[1:]; from assent.documents.worker import main; main()"
)


def _folder_of(state: Path, roots: Sequence[str]) -> Path:
    """Where the indexes of a workspace lie."""
    digest = hashlib.sha256(canonical(sorted(roots)).encode("utf-8", "surrogateescape"))
    return state / digest.hexdigest()[:32]


def collections_of(
    workspace: Workspace,
    policies: Policies,
    places: Callable[[], Places],
    models: Models,
    record: Record,
    *,
    wire: Wire,
    spawn: Spawn,
) -> Collections:
    """The collections of one window; nothing is started before somebody searches one."""
    chat, agent = ChatId(""), ASSENT.id

    def may_send(url: str) -> bool:
        ruling = fetching(policies.of_new(agent), places(), chat, agent, url)
        # Nothing leaves this machine, so the mode's word on requests is not asked for.
        return ruling.verdict is Verdict.ALLOW or ruling.by is Actor.MODE

    folder = _folder_of(collections_folder(record.state), places().roots)
    shelf = Shelf(folder, record.epoch, record.lives)
    return Collections(
        entries=lambda: workspace.reading.own.collections,
        places=places,
        may_read=lambda path, at: readable_by(policies.of_new(agent), at, chat, agent, path),
        may_send=may_send,
        spawn=spawn,
        rules=lambda: workspace.book,
        host=models.host,
        stores=Stores(
            shelf,
            Link(spawn, boot=_BOOT),
            database=lambda: workspace.reading.own.database,
            secret=lambda name: AgentSecrets(wire).secret(name, _NAME),
            may_send=may_send,
        ),
        is_known=lambda: EVERYTHING not in workspace.reading.suspended,
    )
