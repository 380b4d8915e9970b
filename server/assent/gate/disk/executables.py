"""Finds the file that a program's name means: walks PATH in order, and follows links.

What the workspace could have put there is not believed, whatever it is called: a program that lies
in a folder of the workspace, that a link leads to from there or into there, or in a folder where
anybody may write. What Assent starts itself is the first program that is none of these.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Final

from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.links import hops_of
from assent.gate.ruling.facts import Stand
from assent.gate.shell.dialects import SHELLS
from assent.gate.text.lazy_patterns import late
from assent.gate.values import define, field

__all__ = ["Executables", "fixed", "path_in"]

_WRITABLE_BY_ALL: Final = 0o002
_MAX_READ_BYTES: Final = 64 * 1024
"""In bytes: so much of a script is looked through for the programs that it runs."""
_MAX_SCRIPTS_IN_A_ROW: Final = 4
"""So many scripts may stand in a row, of which each is run by the next."""
_WORD: Final = late(r"[A-Za-z0-9_.+-]+")
_COMMENT: Final = late(r"(?m)^\s*#.*$")
_INTERPRETER: Final = late(
    r"\s*(?P<path>\S*?)(?:(?<=/env)(?:\s+-\S*|\s+\w+=\S*)*\s+(?P<looked_up>[^\s-]\S*))?(?:\s|\Z)"
)
"""The first line of a script, after its `#!`."""


def fixed(path: str) -> list[str]:
    """The folders of a PATH that are the same wherever a command runs."""
    return [folder for folder in path.split(":") if folder.startswith("/")]


def path_in(environ: Mapping[str, str]) -> str:
    """The PATH of an environment, as every command gets it."""
    return ":".join(fixed(environ.get("PATH", os.defpath)))


@define(kw_only=True, eq=False, slots=False)
class Executables:
    """The programs on a PATH, beside folders that are somebody's workspace; of one moment."""

    roots: tuple[str, ...]
    path: str
    _why: dict[str, str | None] = field(init=False, factory=dict, eq=False, repr=False)
    """Why a folder of PATH is not believed, by folder."""
    _stands: dict[str, Stand] = field(init=False, factory=dict, eq=False, repr=False)
    _tops: dict[str, str | None] = field(init=False, factory=dict, eq=False, repr=False)
    """The folder of the workspace that a path lies in, by path."""

    def find(self, name: str) -> str | None:
        """The first program of that name outside the workspace; None where there is none."""
        hits = (path for path in self._hits(name) if self._doubt(path) is None)
        return next(hits, None)

    def doubt(self, path: str) -> str | None:
        """Why a file is not to be believed, as a phrase; None where it is."""
        return self._doubt(path)

    def outside(self) -> str:
        """PATH without the folders whose programs are not believed."""
        return ":".join(
            folder for folder in fixed(self.path) if self._doubt_of_folder(folder) is None
        )

    def stand(self, name: str, depth: int = 0) -> Stand:
        """What a shell would find by this name."""
        known = self._stands.get(name)
        if known is None:
            path = next(self._hits(name), None)
            why = None if path is None else self._doubt(path)
            if path is not None:
                why = self._doubt_of_script(path, depth) if why is None else f"is {why}"
            known = self._stands[name] = Stand(path=path, why=why)
        return known

    def before(self, name: str) -> tuple[str, ...]:
        """The folders that are not believed and are looked through before a program is found."""
        folders, path = fixed(self.path), self.stand(name).path
        program_folder = None if path is None else path.rpartition("/")[0]
        at = next(
            (at for at, folder in enumerate(folders) if folder.rstrip("/") == program_folder),
            len(folders),
        )
        return tuple(folder for folder in folders[:at] if self._doubt_of_folder(folder) is not None)

    def _hits(self, name: str) -> Iterator[str]:
        """Every program of that name, in the order of PATH."""
        if not name or "/" in name or "\0" in name:
            return
        for folder in fixed(self.path):
            path = f"{folder.rstrip('/')}/{name}"
            with suppress(OSError):
                if stat.S_ISREG(os.stat(path).st_mode) and os.access(path, os.X_OK):  # noqa: PTH116 -- a string in
                    yield path

    def _doubt(self, path: str) -> str | None:
        """What a program is, where it is not to be believed; a phrase such as `bin/ls here`."""
        try:
            spots = (path, *hops_of(path))
            loose = os.stat(path).st_mode & _WRITABLE_BY_ALL  # noqa: PTH116 -- a string in
        except (OSError, CallUnreadable):
            return f"{path}, of which it cannot be told where it leads"
        for spot in spots:
            inner = self._within(spot)
            if inner is not None:
                way = "" if spot == path else f"{path}, which leads to "
                return f"{way}{inner} of this workspace here"
        if loose:
            return f"{path}, which anybody may change"
        folders = dict.fromkeys(spot.rpartition("/")[0] for spot in spots)
        return next((path + why for folder in folders if (why := self._loose(folder))), None)

    def _doubt_of_folder(self, folder: str) -> str | None:
        if folder not in self._why:
            try:
                spots = (folder, *hops_of(folder))
                inner = any(self._within(spot) is not None for spot in spots)
                self._why[folder] = "inside" if inner else self._loose(spots[-1])
            except CallUnreadable:
                self._why[folder] = "unclear"
        return self._why[folder]

    def _doubt_of_script(self, path: str, depth: int) -> str | None:
        """Why a script outside the workspace would run a program of it; a clause."""
        own = path.rpartition("/")[2]
        run = _run_by(path)
        for name in sorted((run & self._doubted_names) - {own}) if run else ():
            if depth >= _MAX_SCRIPTS_IN_A_ROW:
                return "is a script, of which it cannot be told what it runs"
            inner = self.stand(name, depth + 1)
            if inner.why is not None:
                return f"is a script that runs `{name}`, which {inner.why}"
        return None

    @cached_property
    def _doubted_names(self) -> frozenset[str]:
        """The names of all that lies in folders of PATH that are not believed."""
        names: set[str] = set()
        for folder in fixed(self.path):
            if self._doubt_of_folder(folder) is not None:
                with suppress(OSError):
                    names.update(os.listdir(folder))  # noqa: PTH208 -- a string in
        return frozenset(names)

    def _loose(self, folder: str) -> str | None:
        """Why anybody may put a program into a folder; a clause that goes on after its path."""
        at, first = folder or "/", True
        while True:
            try:
                mode = os.stat(at).st_mode  # noqa: PTH116 -- a string in
            except OSError:
                return ", of which it cannot be told who may write it" if first else None
            if mode & _WRITABLE_BY_ALL and (first or not mode & stat.S_ISVTX):
                return f", and anybody may write in {at}"
            if at == "/":
                return None
            at, first = at.rpartition("/")[0] or "/", False

    def _within(self, path: str) -> str | None:
        """A path as it is named in the workspace; None where it lies outside."""
        top = self._top(path)
        return None if top is None else path[len(top) + 1 :] or "."

    def _top(self, path: str) -> str | None:
        """The folder of the workspace that a path is or lies in, as that path spells it.

        A folder is known by what it is on the disk, so that no other spelling of it hides it.
        """
        if path in {"", "/"}:
            return None
        if path not in self._tops:
            identity = _identity(path)
            tops = self._identities
            is_top = path in tops or (identity is not None and identity in tops.values())
            self._tops[path] = path if is_top else self._top(path.rpartition("/")[0])
        return self._tops[path]

    @cached_property
    def _identities(self) -> dict[str, tuple[int, int] | None]:
        """The workspace's folders, as they are spelled and as they resolve.

        A workspace that is the whole machine has no outside, so it is left out.
        """
        both = (form.rstrip("/") for root in self.roots for form in (root, os.path.realpath(root)))
        return {form: _identity(form) for form in both if form}


def _identity(path: str) -> tuple[int, int] | None:
    try:
        facts = os.stat(path)  # noqa: PTH116 -- a string in
    except (OSError, ValueError):
        return None
    return facts.st_dev, facts.st_ino


def _run_by(path: str) -> frozenset[str]:
    """The names of programs that a script may run: its interpreter's, and what a shell reads."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123 -- a string in
            text = file.read(_MAX_READ_BYTES) if file.read(2) == b"#!" else b""
    except OSError:
        return frozenset()
    first, _, rest = text.decode("utf-8", "replace").partition("\n")
    match = _INTERPRETER.match(first)
    if match is None:
        return frozenset()
    # One that is named by its path is no matter of PATH.
    run = {match["looked_up"]} if match["looked_up"] else set()
    name = (match["looked_up"] or match["path"]).rpartition("/")[2]
    return frozenset(run.union(_WORD.findall(_COMMENT.sub("", rest)) if name in SHELLS else ()))
