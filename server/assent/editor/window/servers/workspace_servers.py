"""The tool servers that a workspace's files name, as a wish.

None is started, and no address is reached, before the person took these very files: one wish for
each folder of the workspace, bound to the files' texts, to the programs that they come to, and to
the files of the workspace that such a program is handed. Once any of that is another, all of them
are off again. What a repository names has names of its own, so that no rule about a server of the
person's speaks for it.
"""

import os
from collections.abc import Callable, Iterator

from assent.catalogue.workers.entries import workers_of
from assent.editor.window.servers.server_fillings import MayRead
from assent.editor.window.servers.server_texts import MAX_SERVERS, ServerText, texts_in
from assent.editor.window.settings.workspace import Workspace
from assent.gate.disk.places import Places
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.settings.wishes import REPOSITORY, SERVERS, Standing, Wish, WishedFile
from assent.gate.values import define
from assent.hosting.repositories.consent_answers import ConsentAnswers

__all__ = ["OfferedServers", "WorkspaceServers", "servers_of"]

_EFFECT = (
    "Assent would start these programs on your machine with all your rights, and send to these"
    " addresses, as soon as its agent looks for a tool. It allows nothing else: each call of their"
    " tools is ruled on as ever."
)


@define(frozen=True)
class OfferedServers:
    """What the files of one folder name."""

    folder: str
    texts: tuple[ServerText, ...]

    @property
    def is_too_much(self) -> bool:
        """Whether nobody could be shown all of it."""
        return sum(len(text.entries) for text in self.texts) > MAX_SERVERS

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that name them."""
        return tuple(f"{self.folder.rstrip('/')}/{text.path}" for text in self.texts)

    @property
    def entries(self) -> dict[str, ServerEntry]:
        """The servers; no two of them have one name."""
        return {entry.name: entry for text in self.texts for entry in text.entries}

    @property
    def why(self) -> str:
        """Why those that were left out are, each with its name."""
        return "; ".join(f"{name}: {said}" for text in self.texts for name, said in text.rows)

    @property
    def wish(self) -> Wish:
        """The wish that exactly these may be started."""
        return Wish(
            key=REPOSITORY,
            name=SERVERS,
            value={
                "agent": ASSENT.id,
                "folder": self.folder,
                "files": {text.path: text.digest for text in self.texts},
                "runs": {name: run for text in self.texts for name, run in text.runs.items()},
            },
            effect=_EFFECT,
            files=tuple(
                WishedFile(path=text.path, rows=text.rows, text=text.text) for text in self.texts
            ),
        )


@define
class WorkspaceServers:
    """All folders of a workspace."""

    _leave: ConsentAnswers
    places: Callable[[], Places]
    _may_read: MayRead
    """Whether no rule denies reading a file that one of them names."""

    def offered(self) -> Iterator[OfferedServers]:
        """What the folders' files name now."""
        roots = tuple(dict.fromkeys(map(os.path.realpath, self.places().roots)))
        for root in roots:
            beside = self.places().executables.roots
            offer = OfferedServers(root, tuple(texts_in(root, beside, self._may_read)))
            if offer.texts:
                yield offer

    def taken(self) -> tuple[ServerEntry, ...]:
        """Those that the person took, as they are named now; those of the first folder first."""
        some = (offer for offer in self.offered() if offer.entries)
        granted = (offer for offer in some if self._standing(offer) is Standing.GRANTED)
        each = [entry for offer in granted for entry in offer.entries.values()]
        return tuple({server_entry.name: server_entry for server_entry in reversed(each)}.values())

    def unanswered(self) -> tuple[OfferedServers, ...]:
        """What the person has not answered, nor could be shown."""
        return tuple(
            offer for offer in self.offered() if offer.entries and self._standing(offer) is None
        )

    def unfit(self) -> tuple[OfferedServers, ...]:
        """Those of which nothing can be started, so that no card says why."""
        return tuple(offer for offer in self.offered() if not offer.entries)

    async def ask(self, offered: OfferedServers) -> bool:
        """Ask the person; whether they took it."""
        return await self._leave.ask(offered.wish, SERVERS) is Standing.GRANTED

    def _standing(self, offered: OfferedServers) -> Standing | None:
        return None if offered.is_too_much else self._leave.standing(offered.wish)


def servers_of(workspace: Workspace, wished: WorkspaceServers) -> list[ServerEntry]:
    """The person's servers, and those of the workspace that they took; of one name the person's."""
    own = workspace.reading.own
    workers = workers_of(own.nodetool, own.nodes)
    return [
        *{
            server_entry.name: server_entry
            for server_entry in (*wished.taken(), *own.servers, *workers)
        }.values()
    ]
