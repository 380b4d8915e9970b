"""Reads the files by which a workspace names servers of tools, for a person to look at.

A server is left out where it names what only another program fills in: a secret, a variable of
the person's, a question to them. Nothing is run or resolved over the network to read one.
"""

import hashlib
import os
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Final

from assent.catalogue.source import NodeFailed
from assent.disk.executables import Executables
from assent.errors import AssentError
from assent.mcp.launches import program_of
from assent.settings.ordinary import read_ordinary
from assent.settings.served import ServerEntry, entry_of
from assent.text.strict_json import decoded
from assent.values import evolve, field, frozen

__all__ = ["ServerText", "named_in", "texts_in"]

_FILES: Final = (
    (".vscode/mcp.json", "servers"),
    (".mcp.json", "mcpServers"),
    (".cursor/mcp.json", "mcpServers"),
)
"""Of one name the first counts."""
_LARGEST: Final = 64 * 1024
_LARGEST_PROGRAM: Final = 4 * 1024 * 1024
_MEMBERS: Final = frozenset({"command", "args", "env", "url", "headers"})
_IDLE: Final = frozenset({"type", "dev", "sandbox", "sandboxEnabled", "gallery", "version"})
"""What changes nothing of how a server is started here, and loosens nothing."""
_HERE: Final = "${workspaceFolder}"
_ODD: Final = re.compile(r"[^a-z0-9]+")
_LONGEST: Final = 40
_BEFORE: Final = "workspace-"


class _LeftOut(AssentError):
    """Why a server is left out, a clause."""


@frozen(kw_only=True)
class ServerText:
    """One file that names servers."""

    path: str
    """From the folder of the workspace."""
    text: str = field(repr=False)
    entries: tuple[ServerEntry, ...] = ()
    runs: dict[str, Any] = field(factory=dict, hash=False)
    """What each comes to, by its name: the program, and the files of the workspace it is handed."""
    rows: tuple[tuple[str, str], ...] = ()
    """The same for a person, and which servers are left out."""

    @property
    def digest(self) -> str:
        """The SHA-256 of its text."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()


def texts_in(root: str, roots: Sequence[str]) -> Iterator[ServerText]:
    """The files of a folder that name servers, none of which a link leads out of it."""
    taken: set[str] = set()
    for name, member in _FILES:
        path = f"{root.rstrip('/')}/{name}"
        try:
            if os.path.realpath(path) != path:
                continue
            text = read_ordinary(path, _LARGEST).decode()
            whole = decoded(text)
        except (OSError, ValueError, RecursionError):
            continue
        given = whole.get(member) if isinstance(whole, dict) else None
        if isinstance(given, dict) and given:
            found = _read(root, roots, name, text, given, taken=taken)
            taken |= {it.name for it in found.entries}
            yield found


def named_in(root: str) -> dict[str, set[tuple[str, str]] | None]:
    """What each of a folder's files that are there names: names as they count here, and addresses.

    None for a file of which nobody can be sure.
    """
    found: dict[str, set[tuple[str, str]] | None] = {}
    for path, member in _FILES:
        try:
            text = read_ordinary(f"{root.rstrip('/')}/{path}", _LARGEST).decode()
            each = decoded(text).get(member, {}).items()
            found[path] = {(_plain(name), _filled(it.get("url", ""), root)) for name, it in each}
        except FileNotFoundError:
            continue
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            found[path] = None
    return found


def _plain(name: str) -> str:
    """What a server is called here."""
    return f"{_BEFORE}{_ODD.sub('-', name.lower()).strip('-')[:_LONGEST]}"


def _read(
    root: str,
    roots: Sequence[str],
    path: str,
    text: str,
    given: Mapping[str, Any],
    *,
    taken: set[str],
) -> ServerText:
    entries: dict[str, ServerEntry] = {}
    runs: dict[str, Any] = {}
    rows: list[tuple[str, str]] = []
    for name, it in given.items():
        try:
            entry = evolve(_entry(root, name, it, taken | entries.keys()), file=path)
            runs[entry.name] = _comes_to(root, roots, entry)
            entries[entry.name] = entry
            rows.append(_row(name, entry, runs[entry.name]))
        except (_LeftOut, NodeFailed) as error:
            rows.append((f"Leaves out {name[:_LONGEST]}", str(error)))
    return ServerText(
        path=path, text=text, entries=tuple(entries.values()), runs=runs, rows=tuple(rows)
    )


def _entry(root: str, name: str, given: Any, others: Container[str]) -> ServerEntry:
    """A server, as it would be started here; raises `_LeftOut`."""
    if not isinstance(given, dict) or given.keys() - _MEMBERS - _IDLE:
        raise _LeftOut("it says more than is understood here")
    told = _filled({it: given[it] for it in _MEMBERS & given.keys()}, root)
    if "${" in str(told):
        raise _LeftOut("it names a variable or a secret, which only your own settings may")
    plain = _plain(name)
    if plain in others:
        raise _LeftOut("another server has this name here")
    try:
        return evolve(entry_of(plain, told), workspace=root)
    except (ValueError, RecursionError):
        raise _LeftOut("how it is started could not be understood") from None


def _filled(value: Any, root: str) -> Any:
    match value:
        case str():
            return value.replace(_HERE, root)
        case list():
            return [_filled(it, root) for it in value]
        case dict():
            return {name: _filled(it, root) for name, it in value.items()}
        case _:
            return value


def _comes_to(root: str, roots: Sequence[str], entry: ServerEntry) -> dict[str, Any]:
    """What is bound beside the file's text; raises `NodeFailed`."""
    if entry.url:
        return {"url": entry.url}
    path = entry.env.get("PATH", os.environ.get("PATH", os.defpath))
    program = program_of(entry, Executables(roots=tuple(roots), path=path))
    words = [program, *(part for word in entry.args for part in (word, word.partition("=")[2]))]
    inside = f"{root.rstrip('/')}/"
    files = {it: _digest(it) for it in words if os.path.realpath(it).startswith(inside)}
    return {"program": program, "files": {it: digest for it, digest in files.items() if digest}}


def _digest(path: str) -> str:
    """What a file is known by; nothing of a folder, since what lies in it is no program."""
    try:
        return hashlib.sha256(read_ordinary(path, _LARGEST_PROGRAM)).hexdigest()
    except IsADirectoryError:
        return ""
    except OSError:
        return "unread"


def _row(name: str, entry: ServerEntry, run: Mapping[str, Any]) -> tuple[str, str]:
    known = f"{name[:_LONGEST]} (as {entry.name})"
    if entry.url:
        sent = f", with the headers {', '.join(entry.headers)}" if entry.headers else ""
        return f"Reaches {known}", f"{entry.url}{sent}"
    given = f", with the variables {', '.join(entry.env)}" if entry.env else ""
    return f"Starts {known}", f"{' '.join((run['program'], *entry.args))}{given}"
