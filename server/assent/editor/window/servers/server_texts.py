"""Reads the files in which a workspace names tool servers, for a person to check.

A server is left out where it names a secret, or a variable of the person's that would decide what
is started or reached. What it has them asked for (`inputs`) is asked before it starts, and a file
of variables (`envFile`) is bound as it is read here. Nothing is run or resolved over the network to
read one.
"""

import hashlib
import os
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any, Final

from assent.catalogue.nodes.source import NodeFailed
from assent.editor.window.servers.server_fillings import (
    Ground,
    LeftOut,
    MayRead,
    asking,
    env_file_of,
    filled_in,
    inside,
    refuse_inputs,
)
from assent.editor.window.servers.server_programs import comes_to, from_workspace, links_row
from assent.editor.window.servers.server_variables import (
    refuse_misplaced,
    variable_rows,
    with_references,
)
from assent.gate.settings.inputs import inputs_of
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.positions import plain_json
from assent.gate.settings.tool_servers import ServerEntry, entry_of
from assent.gate.text.strict_json import decoded
from assent.gate.values import evolve, field, frozen

__all__ = ["MAX_SERVERS", "ServerText", "named_in", "texts_in"]

_FILES: Final = (
    (".vscode/mcp.json", "servers"),
    (".mcp.json", "mcpServers"),
    (".cursor/mcp.json", "mcpServers"),
)
"""Of one name the first counts."""
MAX_SERVERS: Final = 20
"""So many a workspace may name."""
_MAX_TEXT_BYTES: Final = 64 * 1024
_MEMBERS: Final = frozenset({"command", "args", "env", "url", "headers"})
_IDLE: Final = frozenset({"type", "dev", "sandbox", "sandboxEnabled", "gallery", "version"})
"""What changes nothing of how a server is started here, and loosens nothing."""
_ENV_FILE: Final = "envFile"
_ODD: Final = re.compile(r"[^a-z0-9]+")
_MAX_NAME_LETTERS: Final = 40
_BEFORE: Final = "workspace-"


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


def texts_in(root: str, roots: Sequence[str], may_read: MayRead) -> Iterator[ServerText]:
    """The files of a folder that name servers, none of which a link leads out of it."""
    taken: set[str] = set()
    for name, member in _FILES:
        path = f"{root.rstrip('/')}/{name}"
        try:
            if os.path.realpath(path) != path:
                continue
            text = _text_of(path)
            whole = _whole(text)
        except (OSError, ValueError, RecursionError):
            continue
        given = whole.get(member) if isinstance(whole, dict) else None
        if isinstance(given, dict) and given:
            ground = Ground(
                root=root, roots=roots, may_read=may_read, inputs=inputs_of(whole.get("inputs"))
            )
            server_text = _read(ground, name, text, given, taken=taken)
            taken |= {entry.name for entry in server_text.entries}
            yield server_text


def named_in(root: str) -> dict[str, set[tuple[str, str]] | None]:
    """What each of a folder's files that are there names: names as they count here, and addresses.

    None for a file of which nobody can be sure.
    """
    names_by_file: dict[str, set[tuple[str, str]] | None] = {}
    for path, member in _FILES:
        try:
            text = _text_of(f"{root.rstrip('/')}/{path}")
            each = _whole(text).get(member, {}).items()
            names_by_file[path] = {
                (_plain(name), filled_in(server.get("url", ""), root)) for name, server in each
            }
        except FileNotFoundError:
            continue
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            names_by_file[path] = None
    return names_by_file


def _text_of(path: str) -> str:
    """The text of such a file; some editors put a mark of its encoding before it."""
    return read_ordinary(path, _MAX_TEXT_BYTES).decode("utf-8-sig")


def _whole(text: str) -> Any:
    """What such a file says: with comments and trailing commas, and nothing twice."""
    return decoded(plain_json(text))


def _plain(name: str) -> str:
    """What a server is called here."""
    return f"{_BEFORE}{_ODD.sub('-', name.lower()).strip('-')[:_MAX_NAME_LETTERS]}"


def _read(
    ground: Ground,
    path: str,
    text: str,
    given: Mapping[str, Any],
    *,
    taken: set[str],
) -> ServerText:
    entries: dict[str, ServerEntry] = {}
    runs: dict[str, Any] = {}
    rows: list[tuple[str, str]] = []
    for name, server in given.items():
        if len(entries) > MAX_SERVERS:
            break  # Nobody is asked about so many.
        try:
            entry = evolve(_entry(ground, name, server, taken | entries.keys()), file=path)
            run, variables = comes_to(ground, entry)
            entry = evolve(asking(ground, entry, run), bound=run.get("files", {}))
            entries[entry.name], runs[entry.name] = entry, run
            rows += _rows(ground, name, entry, run, variables)
        except (LeftOut, NodeFailed) as error:
            rows.append((f"Leaves out {name[:_MAX_NAME_LETTERS]}", str(error)))
    return ServerText(
        path=path, text=text, entries=tuple(entries.values()), runs=runs, rows=tuple(rows)
    )


def _entry(ground: Ground, name: str, given: Any, others: Container[str]) -> ServerEntry:
    """A server, as it would be started here; raises `LeftOut`."""
    if not isinstance(given, dict):
        raise LeftOut("it is no server")
    if more := given.keys() - _MEMBERS - _IDLE - {_ENV_FILE}:
        raise LeftOut(f"it says `{min(more)[:_MAX_NAME_LETTERS]}`, which is not understood here")
    filled = filled_in({member: given[member] for member in _MEMBERS & given.keys()}, ground.root)
    refuse_inputs(ground.inputs, filled)
    refuse_misplaced(filled)
    plain = _plain(name)
    if plain in others:
        raise LeftOut("another server has this name here")
    try:
        entry = evolve(entry_of(plain, filled), workspace=ground.root)
    except (ValueError, RecursionError):
        raise LeftOut("how it is started could not be understood") from None
    entry = from_workspace(ground, with_references(entry))
    return evolve(entry, env_file=env_file_of(ground, entry, given.get(_ENV_FILE)))


def _rows(
    ground: Ground,
    name: str,
    entry: ServerEntry,
    run: dict[str, Any],
    variables: Sequence[str],
) -> Iterator[tuple[str, str]]:
    known = name[:_MAX_NAME_LETTERS]
    yield _row(known, entry, run, variables)
    yield from variable_rows(entry)
    yield from links_row(ground, run)


def _row(
    name: str, entry: ServerEntry, run: Mapping[str, Any], variables: Sequence[str]
) -> tuple[str, str]:
    known = f"{name} (as {entry.name})"
    more = [
        f", and asks you for {', '.join(server_input.id for server_input in entry.inputs)}"
        if entry.inputs
        else ""
    ]
    if entry.url:
        more.insert(0, f", with the headers {', '.join(entry.headers)}" if entry.headers else "")
        return f"Reaches {known}", f"{entry.url}{''.join(more)}"
    if entry.env_file:
        shown = entry.env_file.removeprefix(inside(entry.workspace))
        more.insert(0, f", with the variables of {shown} ({', '.join(variables) or 'none'})")
    more.insert(0, f", with the variables {', '.join(entry.env)}" if entry.env else "")
    return f"Starts {known}", f"{' '.join((run['program'], *entry.args))}{''.join(more)}"
