"""Makes the collections of one window: by what rules their files are read, and where they lie."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from assent.catalogue.documents.leftover import Shelf
from assent.catalogue.mcp.link import Link
from assent.editor.lsp.wire import Wire
from assent.editor.window.agents.agent_secrets import AgentSecrets
from assent.editor.window.collections.collection_stores import Stores
from assent.editor.window.collections.collections import Collections
from assent.editor.window.models.models import Models
from assent.editor.window.record.record import Record
from assent.editor.window.rules.policies import Policies
from assent.editor.window.rules.readable import fetching, readable_by
from assent.editor.window.settings.workspace import Workspace
from assent.editor.window.spawn import Spawn
from assent.gate.call.calls import ChatId, canonical
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.disk.places import Places
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.entries import EVERYTHING
from assent.gate.settings.paths import collections_folder

__all__ = ["collections_of"]

_NAME: Final = "Assent"
_BOOT: Final = (
    "import sys; sys.path[:0] = sys.argv[1:];"
    " from assent.catalogue.documents.worker import main; main()"
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
