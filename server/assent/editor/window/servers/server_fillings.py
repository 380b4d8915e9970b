"""Fills in a workspace server's placeholders: folders, inputs, a file of variables."""

import hashlib
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from assent.gate.call.errors import AssentError
from assent.gate.settings.env_files import MAX_FILE_BYTES, EnvFileUnfit, variables_in
from assent.gate.settings.inputs import Inputs, inputs_in, kept_as
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.values import evolve, field, frozen

__all__ = [
    "Ground",
    "LeftOut",
    "MayRead",
    "asking",
    "env_file_of",
    "filled_in",
    "inside",
    "refuse_inputs",
    "variables_of",
]

MayRead = Callable[[str], bool]
"""Whether no rule denies reading a file."""

_FOLDER: Final = re.compile(
    r"\$\{(workspaceFolder|workspaceFolderBasename|userHome|/|pathSeparator)\}"
)


class LeftOut(AssentError):
    """Why a server is left out, a clause."""


@frozen(kw_only=True)
class Ground:
    """Where they are read."""

    root: str
    roots: Sequence[str]
    may_read: MayRead
    inputs: Inputs = field(factory=Inputs)
    marks: dict[str, str] = field(factory=dict, eq=False)
    """By what each file is known that was looked at already."""
    bound: list[int] = field(factory=list, eq=False)
    """The sizes of these."""


def refuse_inputs(inputs: Inputs, entry: Mapping[str, Any]) -> None:
    """Raise `LeftOut` where nobody can be asked for something that is to be filled in."""
    asked = inputs_in(entry)
    if why := next(filter(None, map(inputs.why_not, sorted(asked))), ""):
        raise LeftOut(why)
    if inputs_in([entry.get("command"), entry.get("url")]):
        raise LeftOut("what is started, or reached, stands on this card, and is not asked for")


def env_file_of(ground: Ground, entry: ServerEntry, given: Any) -> str:
    """The file of variables that a server names, where it may; raises `LeftOut`."""
    if given is None:
        return ""
    path = filled_in(given, ground.root)
    if not isinstance(path, str) or not path or "${" in path or entry.url:
        raise LeftOut("its `envFile` is not understood here")
    whole = os.path.normpath(Path(ground.root, path))
    if os.path.realpath(whole) != whole or not whole.startswith(inside(ground.root)):
        raise LeftOut("its `envFile` is not a file of this workspace")
    if not ground.may_read(whole):
        raise LeftOut("a rule of yours denies reading its `envFile`")
    return whole


def filled_in(value: Any, root: str) -> Any:
    """A value with the folders that it names."""
    match value:
        case str():
            known = {
                "workspaceFolder": root,
                "userHome": str(Path.home()),
                "workspaceFolderBasename": Path(root).name,
            }
            return _FOLDER.sub(lambda match: known.get(match[1], "/"), value)
        case list():
            return [filled_in(item, root) for item in value]
        case dict():
            return {name: filled_in(item, root) for name, item in value.items()}
        case _:
            return value


def inside(root: str) -> str:
    """What a path in a folder begins with."""
    return f"{root.rstrip('/')}/"


def variables_of(path: str) -> tuple[str, tuple[str, ...]]:
    """By what a file of variables is known, and their names; no value is kept here."""
    try:
        data = read_ordinary(path, MAX_FILE_BYTES)
        return hashlib.sha256(data).hexdigest(), tuple(variables_in(data.decode()))
    except EnvFileUnfit as error:
        raise LeftOut(f"its `envFile` is not taken: {error}") from None
    except (OSError, ValueError):
        raise LeftOut("its `envFile` cannot be read") from None


def asking(ground: Ground, entry: ServerEntry, run: Mapping[str, Any]) -> ServerEntry:
    """The entry with what it asks the person for, which is kept for just what would get it."""
    asked = sorted(inputs_in([entry.args, entry.env, entry.headers]))
    to = run.get("program") or entry.url
    digest = run["files"][entry.env_file] if entry.env_file else ""
    # Values as well as names: a variable beside a key may say where the key is sent.
    given = [list(entry.args), dict(entry.env), dict(entry.headers), digest]
    bound = [ground.root, entry.name, to, *given]
    inputs = (
        evolve(
            server_input,
            secret=kept_as(
                [
                    *bound,
                    server_input.id,
                    server_input.says,
                    server_input.hidden,
                    list(server_input.options),
                ]
            ),
        )
        for server_input in map(ground.inputs.known.__getitem__, asked)
    )
    return evolve(entry, inputs=tuple(inputs), env_digest=digest)
