"""Where a path leads: the facts about files that the policy cannot look up itself.

A path is resolved as the kernel would resolve it, links and `..` included, also where its last
names do not exist yet. Whatever cannot be resolved is an unreadable call, never a guess.
"""

import glob
import itertools
import os
import re
from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from typing import Final

from assent.gate.call.calls import Call, Premise, Target
from assent.gate.call.errors import AnotherForEach, CallUnreadable
from assent.gate.disk import links as leading
from assent.gate.disk.blank_separated import names_below, pieces_of
from assent.gate.disk.executables import Executables, path_in
from assent.gate.disk.files import data_of
from assent.gate.disk.files_below import files_below, looked_below
from assent.gate.disk.git.files import Unclear
from assent.gate.disk.git.ignore_lists import left_out, taken_up
from assent.gate.disk.git.repository import found_from, head_from, keeps_git
from assent.gate.disk.git.run_triggers import (
    Ground,
    named_by_settings,
    where_git_looks,
    why_git_runs,
)
from assent.gate.disk.git.tracked_links import tracked_around, tracked_in, tracked_links
from assent.gate.disk.hardlinks import HardLinks
from assent.gate.disk.listening_sockets import listens
from assent.gate.disk.premises.hook_programs import is_of_gate, running
from assent.gate.disk.premises.index import NO_PREMISES, Premises
from assent.gate.rules.globs import leads_above
from assent.gate.rules.pathtree import folded_path
from assent.gate.ruling.facts import Looks, Running, Stand
from assent.gate.ruling.protected import is_protected
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import below, is_within, put_before
from assent.gate.values import Factory, evolve, field, frozen

__all__ = ["Places"]

_OWN: Final = late(r"/+(?:proc/(?:self|thread-self|[0-9]+)|dev/fd)(?:/|$)")

_STREAMS: Final = frozenset({"/dev/stdin", "/dev/stdout", "/dev/stderr"})

_MAX_ENTRIES: Final = 150_000
"""So many files and folders are looked at for the names of one call, whatever it says."""
_MAX_NAMES: Final = 500


@frozen(kw_only=True)
class Places:
    """The folders of the workspace, and the person's home."""

    roots: tuple[str, ...]
    home: str
    premises: Premises = NO_PREMISES
    """What makes the gate itself."""
    additional: tuple[str, ...] = ()
    """Folders that the person counts as the workspace's, beside its own."""
    own_files: tuple[str, ...] = ()
    """The files that the agent which asks keeps for itself, as patterns of whole paths: `*` stands
    in a name, and `**` for all below a folder."""
    guarded: tuple[str, ...] = ()
    """Where rules that refuse point outside the workspace: folders and files."""
    hard_links: HardLinks = field(factory=HardLinks, eq=False, repr=False)
    """The other names of files; it may know them from a moment before."""
    path: str = field(factory=lambda: path_in(os.environ))
    """The PATH that commands get, by which a program's name becomes a file."""

    _led: dict[str, str] = field(init=False, factory=dict, eq=False, repr=False)
    """Where folders lead. Facts are of one moment, so each folder is looked up once for them."""
    _here: dict[str, Target] = field(init=False, factory=dict, eq=False, repr=False)
    """The folders that somebody works in; of the same moment."""

    _run: dict[str, str | None] = field(init=False, factory=dict, eq=False, repr=False)
    """Why git could run something, by folder; of the same moment."""

    _links: dict[tuple[str, bool], tuple[str, ...] | None] = field(
        init=False, factory=dict, eq=False, repr=False
    )
    """The links below folders; of the same moment."""

    _pieces: dict[tuple[str, str | None, bool], tuple[str, ...] | None] = field(
        init=False, factory=dict, eq=False, repr=False
    )
    """The pieces of the names below folders; of the same moment."""

    _below: dict[tuple[str, frozenset[str]], tuple[bool, int]] = field(
        init=False, factory=dict, eq=False, repr=False
    )
    """Whether such names lie below folders, and how much was looked at; of the same moment."""

    _files_below: dict[tuple[str, frozenset[str]], tuple[tuple[str, ...] | None, int]] = field(
        init=False, factory=dict, eq=False, repr=False
    )
    """The files of such names below folders, and how much was looked at; of the same moment."""

    _tracked: dict[str, tuple[str, ...] | None] = field(
        init=False, factory=dict, eq=False, repr=False
    )
    """What git tracks around folders; of the same moment."""

    _stand_for: dict[str, str] = field(init=False, factory=dict, eq=False, repr=False)
    """Protected links, and what git's settings name, by where they lead, once looked for."""

    executables: Executables = field(
        init=False,
        eq=False,
        repr=False,
        default=Factory(
            lambda places: Executables(roots=(*places.roots, *places.additional), path=places.path),
            takes_self=True,
        ),
    )
    """The programs on that PATH; of the same moment."""

    @property
    def anchors(self) -> tuple[str, ...]:
        """The workspace's folders, as they are spelled and as they resolve."""
        return (*self.roots, *map(self._real, self.roots))

    def locate(self, path: str, cwd: str) -> Target:
        """Where `path` leads for somebody who works in `cwd`."""
        if path != ".":
            return self._located(path, cwd)
        if cwd not in self._here:
            self._here[cwd] = self._located(path, cwd)
        return self._here[cwd]

    def _located(self, path: str, cwd: str, *, is_twin: bool = False) -> Target:
        absolute = leading.spelled_out(path, cwd, self.home)
        # Two slashes at the beginning are one here, and `normpath` keeps them.
        named = os.path.normpath(absolute).replace("//", "/")
        if _OWN.match(named):
            raise AnotherForEach("It names a place that is another for each program.")
        resolved = self._resolved(absolute, path)
        led = (resolved != named or ".." in absolute) and named not in _STREAMS
        roots = [self._real(root) for root in self.roots]
        holding = [root for root in roots if is_within(resolved, root)]
        beside = any(is_within(resolved, self._real(folder)) for folder in self.additional)
        via = leading.hops_of(absolute) if led else ()
        forms = (resolved,) if named == resolved else (resolved, named, *via)
        is_agents_own = bool(self.own_files) and _all_stand_for(self.own_files, forms)
        notes = tuple(pattern for pattern in self.own_files if not pattern.endswith("/**"))
        return Target(
            spelled=path,
            resolved=resolved,
            inside=bool(holding) or beside or is_agents_own,
            is_agents_own=is_agents_own,
            is_note=is_agents_own and _all_stand_for(notes, forms),
            shown=self._shown(resolved, max(holding, key=len) if holding else None),
            own=self.premises.around(*forms),
            above=self.premises.below(*forms),
            named=named,
            via=via,
            twins=() if is_twin else self._twins(resolved),
        )

    def for_call(self, call: Call) -> "Places":
        """These places, with the files that the agent of a call keeps for itself."""
        return evolve(self, own_files=call.own_files) if call.own_files else self

    def _twins(self, path: str) -> tuple[Target, ...]:
        inside = map(self._real, (*self.roots, *self.additional))
        outside = (*self.guarded, *self.premises.kept())
        names = self.hard_links.others(path, inside, outside, self._real(self.home))
        return tuple(self._located(name, "/", is_twin=True) for name in names)

    def _resolved(self, path: str, spelled: str) -> str:
        """Where a path leads; what is no link lies where its folder does."""
        folder, _, name = path.rpartition("/")
        if name in {"", ".", ".."}:
            return self._followed(path, spelled)
        inner = f"{self._followed(folder or '/', spelled).rstrip('/')}/{name}"
        return leading.followed(path, spelled) if leading.is_link(inner, spelled) else inner

    def _followed(self, folder: str, spelled: str) -> str:
        led = self._led.get(folder)
        if led is None:
            led = self._led[folder] = leading.followed(folder, spelled)
        return led

    def _real(self, folder: str) -> str:
        if folder not in self._led:
            self._led[folder] = os.path.realpath(folder)
        return self._led[folder]

    def names(self, pattern: str, cwd: str) -> tuple[str, ...] | None:
        """The files that a shell pattern stands for now; None where they are too many to tell."""
        try:
            here = glob.escape(leading.spelled_out(".", cwd, self.home))
            paths = glob.iglob(leading.spelled_out(pattern, here, self.home))  # noqa: PTH207 -- a string in, strings out
            names = tuple(itertools.islice(paths, _MAX_NAMES + 1))
        except (OSError, ValueError, re.error, CallUnreadable):
            return None
        return names if len(names) <= _MAX_NAMES else None

    def holds(self, target: Target) -> bool:
        """Whether a folder of the workspace or the person's home lies in it, or is it."""
        return any(is_within(self._real(folder), target.resolved) for folder in self._kept)

    def meets(self, pattern: Target) -> bool:
        """Whether a shell's pattern, which stands in `named`, may stand for what holds them."""
        names = [*filter(None, pattern.named.split("/"))]
        kept = (form for folder in self._kept for form in (folder, self._real(folder)))
        return any(leads_above(names, [*filter(None, folder.split("/"))]) for folder in kept)

    @property
    def _kept(self) -> tuple[str, ...]:
        return (*self.roots, *self.additional, self.home)

    def premise(self, folder: Target, pattern: Target) -> Premise | None:
        """The part of the gate that a pattern below a folder may stand for, hold, or lead into."""
        return self.premises.met_by(folder.resolved, pattern.named)

    def started_in(self, folder: Target) -> list[str]:
        """The files in a folder that are run later without being named, by their paths there."""
        return self.premises.started_in(folder.resolved)

    def alias(self, target: Target) -> str | None:
        """The protected link that leads to a place or to a folder above it, of those at hand."""
        if not self._stand_for:
            self._stand_for.update({"": ""} | leading.protected_links(self.roots, self.home))
            ground = Ground(inside=self._is_inside, home=self.home)
            for root in self.roots:
                # What git runs or reads there is as good as in its own folder.
                for path, name in named_by_settings(root, ground).items():
                    self._stand_for.setdefault(path, f"{root}/{name}")
        at = target.resolved
        while at:
            link = self._stand_for.get(at, "")
            spelled = f"{link}{target.resolved[len(at) :]}"
            if link and is_protected(spelled):
                # What no link stands for is better known by its own name.
                return self._shown(spelled, None) if os.path.islink(link) else target.shown  # noqa: PTH114 -- a string in
            at = at.rpartition("/")[0]
        return None

    def led_below(self, folder: Target) -> tuple[Target, ...] | None:
        """Where links below a folder lead that lead out of it; None where they are too many."""
        links = leading.links_below(folder.resolved)
        try:
            return None if links is None else tuple(self.locate(link, "/") for link in links)
        except CallUnreadable:
            return None

    def lies_below(self, folder: str, names: Collection[str]) -> bool:
        """Whether anything of these names lies below a folder; also where nobody can tell."""
        # Of a workspace that is not there nobody knows what lies in it.
        if not any(map(os.path.isdir, self.roots)):
            return True
        asked = folder, frozenset(map(folded_path, names))
        if asked not in self._below:
            left = _MAX_ENTRIES - sum(looked for _, looked in self._below.values())
            self._below[asked] = looked_below(*asked, left) if left > 0 else (True, 0)
        return self._below[asked][0]

    def found_below(self, folder: str, names: Collection[str]) -> tuple[str, ...] | None:
        """The files below a path that have such names, or lie in a folder that has one."""
        asked = folder, frozenset(map(folded_path, names))
        if asked not in self._files_below:
            left = _MAX_ENTRIES - sum(looked for _, looked in self._files_below.values())
            self._files_below[asked] = files_below(*asked, left) if left > 0 else (None, 0)
        return self._files_below[asked][0]

    def tracked_around(self, folder: str) -> tuple[str, ...] | None:
        """The paths that git tracks in the work trees around a folder; None if nobody can tell."""
        if folder not in self._tracked:
            self._tracked[folder] = tracked_around(folder)
        return self._tracked[folder]

    def links_in(self, folder: str, *, all_: bool = False) -> tuple[str, ...] | None:
        """The links below a folder, all or those that lead out of it; None where it is too full."""
        key = folder, all_
        if key not in self._links:
            self._links[key] = leading.links_below(folder, on=False, all_=all_)
        return self._links[key]

    def pieces_in(self, folder: str, cwd: str | None, *, tracked: bool) -> tuple[str, ...] | None:
        """What the names below a folder fall into at their blanks, as far as it may matter."""
        key = folder, cwd, tracked
        if key not in self._pieces:
            tracked_files = tracked_in(folder) if tracked else None
            names = names_below(folder) if tracked_files is None else tracked_files
            self._pieces[key] = pieces_of(names, cwd)
        return self._pieces[key]

    def links_tracked(self, folder: str) -> tuple[str, ...] | None:
        """The links where git tracks files; None where no work tree begins, or nobody can tell."""
        return tracked_links(folder)

    def taken_up(self, folder: str, *, all_: bool) -> tuple[str, ...] | None:
        """The files that git would take up there, or of its whole work tree; None if unclear."""
        return taken_up(folder, all_=all_)

    def left_out(self, file: str, folder: str) -> str | None:
        """What a search of a folder that heeds git's lists leaves out: a file, or one above it."""
        return left_out(file, folder)

    def contents(self, file: str) -> str | None:
        """What stands in a file; nothing where there is none, None where it cannot be told."""
        try:
            data = data_of(file, file)
        except CallUnreadable:
            return None
        return "" if data is None else data.decode(errors="replace")

    def enters(self, folder: str) -> bool:
        """Whether a folder is there that can be entered.

        Of a workspace that is only imagined, so is every folder.
        """
        if os.path.isdir(folder):  # noqa: PTH112 -- a string in
            return os.access(folder, os.X_OK)
        root = next((root for root in self.roots if f"{folder}/".startswith(f"{root}/")), None)
        return root is not None and not os.path.lexists(root)

    def program(self, name: str) -> Stand:
        """What a program's name stands for, with the PATH that a command gets."""
        return self.executables.stand(name)

    def before_program(self, name: str) -> tuple[str, ...]:
        """The folders before it that anybody may fill."""
        return self.executables.before(name)

    def git_runs(self, folder: str) -> str | None:
        """Why git could run what the repository it finds from `folder` says; None if it cannot."""
        if folder not in self._run:
            self._run[folder] = why_git_runs(folder, Ground(inside=self._is_inside, home=self.home))
        return self._run[folder]

    def git_looks(self, folder: str) -> Looks | None:
        """Where git looks that is started in `folder`; None where that cannot be told."""
        return where_git_looks(folder, Ground(inside=self._is_inside, home=self.home))

    def head(self, folder: str) -> str | None:
        """What the repository that git finds from `folder` has checked out."""
        return head_from(folder)

    def above(self, folder: str, names: Sequence[str]) -> str | None:
        """The first of these names that lies in a folder or in one above it; None where none is.

        `name.*` stands for that name with any ending or none, in the folder itself.
        """
        stems = {name.removesuffix(".*") for name in names if name.endswith(".*")}
        here = os.listdir(folder) if stems and os.path.isdir(folder) else ()  # noqa: PTH112, PTH208 -- strings in
        for name in here:
            if name.partition(".")[0].casefold() in stems:
                return name
        while True:
            for name in names:
                if os.path.lexists(os.path.join(folder, name)):  # noqa: PTH118 -- strings in
                    return name
            if folder in {"/", ""}:
                return None
            folder = os.path.dirname(folder)  # noqa: PTH120 -- a string in, a string out

    def is_folder(self, path: str) -> bool:
        """Whether a path is a folder's; where nothing is there, a name with an ending is a file."""
        if os.path.lexists(path):
            return os.path.isdir(path)  # noqa: PTH112 -- a string in
        return "." not in os.path.basename(path)  # noqa: PTH119 -- a string in

    def repository_of(self, path: str) -> str | None:
        """The folder of the repository that a path lies in; None where it lies in none."""
        try:
            repository = found_from(path if self.is_folder(path) else os.path.dirname(path))  # noqa: PTH120 -- a string in
        except (Unclear, OSError, ValueError):
            return None
        return None if repository is None else repository.folder

    def can_be_restored(self, path: str) -> bool:
        """Whether a write to a path loses nothing: nothing is there, or git has it as it stands."""
        if not os.path.lexists(path) or (os.path.isdir(path) and not os.path.islink(path)):  # noqa: PTH112, PTH114 -- a string in
            return True
        if os.path.isfile(path) and os.path.getsize(path) == 0:  # noqa: PTH113, PTH202 -- a string in
            return True
        # Digests are loaded only where a file would be overwritten.
        from assent.gate.disk.git.kept_files import is_kept  # noqa: PLC0415

        return is_kept(path)

    def keeps_git(self, folder: str) -> bool:
        """Whether a folder is one in which git keeps a repository, or could soon be one."""
        return keeps_git(folder)

    def exports(self, name: str) -> bool:
        """Whether every command is given a variable of this name from the beginning."""
        return name in os.environ

    def listens(self, port: int) -> bool:
        """Whether a program listens at a port of this machine."""
        return listens(port)

    def running(self) -> tuple[Running, ...]:
        """What the gate's own programs run as."""
        return running(self.premises.channels())

    def is_of_gate(self, number: int) -> bool:
        """Whether the program with this number is one of the gate's own."""
        return is_of_gate(number)

    def _is_inside(self, resolved: str) -> bool:
        return any(
            is_within(resolved, self._real(folder)) for folder in (*self.roots, *self.additional)
        )

    def _shown(self, resolved: str, root: str | None) -> str:
        if root is not None:
            inner = below(resolved, root)
            return inner if len(self.roots) == 1 else put_before(os.path.basename(root), inner)  # noqa: PTH119 -- a string in, a string out
        if is_within(resolved, home := self._real(self.home)):
            return put_before("~", below(resolved, home))
        return resolved


def _all_stand_for(own_files: Sequence[str], forms: Sequence[str]) -> bool:
    """Whether a path is such a file, by each way that it is written."""
    patterns = [pattern.split("/") for pattern in own_files]
    return all(any(_stands_for(pattern, form) for pattern in patterns) for form in forms)


def _stands_for(pattern: Sequence[str], path: str) -> bool:
    names = path.split("/")
    if pattern[-1] == "**":
        pattern = pattern[:-1]
        names = names[: len(pattern)]
    return len(names) == len(pattern) and all(map(fnmatchcase, names, pattern))
