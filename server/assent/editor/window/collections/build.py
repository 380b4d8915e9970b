"""Builds the collections of one window: their rules for reading, and their places."""

import hashlib
from pathlib import Path
from typing import Final

from assent.catalogue.documents.stored_indexes import StoredIndexes
from assent.catalogue.mcp.link import Link
from assent.editor.lsp.connection import Handler
from assent.editor.window.agents.agent_secrets import AgentSecrets
from assent.editor.window.collections.collection_messages import CollectionMessages
from assent.editor.window.collections.collection_stores import Stores
from assent.editor.window.collections.collections import Collections
from assent.editor.window.models.build import ModelsParts
from assent.editor.window.rules.read_rulings import fetching, readable_by
from assent.editor.window.run import Run
from assent.editor.window.settings.build import SettingsParts
from assent.gate.call.calls import ChatId, canonical
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.entries import EVERYTHING
from assent.gate.settings.paths import collections_folder
from assent.gate.values import frozen

__all__ = ["CollectionsParts", "build_collections"]

_NAME: Final = "Assent"
_BOOT: Final = (
    "import sys; sys.path[:0] = sys.argv[1:];"
    " from assent.catalogue.documents.worker import main; main()"
)


@frozen
class CollectionsParts:
    """What others need of the collections."""

    collections: Collections
    handlers: dict[str, Handler]


def build_collections(run: Run, settings: SettingsParts, models: ModelsParts) -> CollectionsParts:
    """Nothing is started before somebody searches one."""
    workspace, policies = settings.workspace, settings.policies
    chat, agent = ChatId(""), ASSENT.id

    def may_send(url: str) -> bool:
        ruling = fetching(policies.of_new(agent), workspace.places(), chat, agent, url)
        # Nothing leaves this machine, so the mode's word on requests is not asked for.
        return ruling.verdict is Verdict.ALLOW or ruling.by is Actor.MODE

    collections = Collections(
        entries=lambda: workspace.reading.own.collections,
        places=workspace.places,
        may_read=lambda path, at: readable_by(policies.of_new(agent), at, chat, agent, path),
        may_send=may_send,
        spawn=run.spawn,
        rules=lambda: workspace.book,
        host=models.models.host,
        stores=Stores(
            StoredIndexes(_folder(run), run.epoch, run.epochs.lives),
            Link(run.spawn, boot=_BOOT),
            database=lambda: workspace.reading.own.database,
            secret=lambda name: AgentSecrets(run.wire).secret(name, _NAME),
            may_send=may_send,
        ),
        is_known=lambda: EVERYTHING not in workspace.reading.suspended,
    )
    shown = CollectionMessages(run.wire, collections)
    handlers: dict[str, Handler] = {
        "collection/list": shown.list,
        "collection/index": shown.index,
        "collection/stop": shown.stop,
    }
    return CollectionsParts(collections, handlers)


def _folder(run: Run) -> Path:
    """Where the indexes of a workspace lie."""
    digest = hashlib.sha256(canonical(sorted(run.roots)).encode("utf-8", "surrogateescape"))
    return collections_folder(run.state) / digest.hexdigest()[:32]
