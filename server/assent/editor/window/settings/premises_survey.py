"""The gate's own premises, from everything that the process and the editor report."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from assent.editor.lsp.shapes import path_of
from assent.editor.protocol import editor
from assent.gate.call.calls import Premise
from assent.gate.disk.hardlinks import HardLinks, guarded_by
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises, marks_of
from assent.gate.rules.book import Book
from assent.gate.settings.attestation import Attestations
from assent.gate.settings.paths import agent_host
from assent.gate.settings.premises import AGENT_HOST, premises_of_machine
from assent.gate.settings.reading import Reading
from assent.gate.settings.started_later import agreed_files, started_later
from assent.gate.settings.wishes import REPOSITORY
from assent.gate.values import evolve, field, frozen

__all__ = ["NAMES", "Surveyor", "premises_of_editor"]

NAMES: Final[dict[str, str]] = {
    "settings": "the editor's settings",
    "data": "the editor's own data",
    "secrets": "the editor's secrets",
    "extension": "Assent's own extension",
    "extensions": "the editor's extensions",
    "program": "the editor itself",
}
_YIELDING: Final = frozenset({"data", "extensions", "program"})
"""Folders so large that somebody may keep a workspace in them."""


def premises_of_editor(inspected: editor.Inspected) -> Iterator[Premise]:
    """The files of its settings, and every place that it names."""
    for uri in _files(inspected.files):
        yield from _at(uri, "settings")
    for place in inspected.places:
        yield from _at(place.uri, place.kind)


def _files(settings_files: editor.SettingsFiles | None) -> Iterator[str]:
    if settings_files is not None:
        yield from filter(
            None, (settings_files.user, settings_files.workspace, *settings_files.folders)
        )


def _at(uri: str, kind: str) -> Iterator[Premise]:
    path = path_of(uri) if uri.startswith("file:") else None
    if path:
        name = NAMES[kind]
        yield Premise(path=path, name=name, keys=kind == "secrets", yields=kind in _YIELDING)
        if kind == "data":
            yield Premise(path=str(agent_host(Path(path))), name=AGENT_HOST, keys=True)


@frozen(kw_only=True)
class Surveyor:
    """Knows where the workspace lies, and what of the gate's own lies around it."""

    roots: tuple[str, ...]
    state: Path
    beside: tuple[Premise, ...] = ()
    """What else makes the gate of this run."""
    hard_links: HardLinks = field(factory=HardLinks, eq=False, repr=False)

    def survey(
        self,
        inspected: editor.Inspected | None,
        reading: Reading,
        answered: Attestations | None = None,
    ) -> Premises:
        """Where the gate's own premises lie, as they resolve at this moment."""
        # In a folder that nobody trusts, nothing that was agreed to is started.
        agreed = answered.granted_of(REPOSITORY) if answered and reading.trusted else ()
        roots = (*self.roots, *_expanded(reading.additional))
        started = [*started_later(reading.hooks, reading.agents, reading.own, roots, agreed)]
        premises = [
            *premises_of_machine(self.state, Path.home(), self.roots),
            *self.beside,
            *started,
            *(premises_of_editor(inspected) if inspected is not None else ()),
        ]
        read = {premise.path for premise in started if not premise.loads} | {
            path for path, _ in agreed_files(agreed)
        }
        return evolve(Premises.of(premises, roots), read=marks_of(read))

    def bind(self, reading: Reading) -> Book:
        """The book of what was read; the policy follows no links, so it is told where they lead."""
        home = str(Path.home())
        real_roots = tuple(map(os.path.realpath, self.roots))
        return Book.of(
            reading.rules,
            (*self.roots, *real_roots),
            home,
            suspended=reading.suspended,
            real_home=os.path.realpath(home),
            real_roots=real_roots,
        )

    def places(self, reading: Reading, premises: Premises) -> Places:
        """Where paths lead, for the facts of one moment."""
        return Places(
            roots=self.roots,
            home=str(Path.home()),
            premises=premises,
            additional=_expanded(reading.additional),
            guarded=guarded_by(reading.rules, str(Path.home())),
            hard_links=self.hard_links,
        )


def _expanded(folders: Iterable[str]) -> tuple[str, ...]:
    home = str(Path.home())
    return tuple(home + folder[1:] if folder.startswith("~") else folder for folder in folders)
