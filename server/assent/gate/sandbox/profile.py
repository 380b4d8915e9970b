"""What a box may do: a value that is worked out before anything starts.

The whole disk may be read, less the secrets. Only the workspace may be written: for real in a
live run, to a layer above it in a trial. In a live run the protected names stay as they are.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from assent.gate.call.errors import AssentError
from assent.gate.text.plain_paths import is_within
from assent.gate.text.secret_places import SECRETS
from assent.gate.values import field, frozen

__all__ = ["Layer", "Profile", "ProfileUnfit", "profile_for", "visible"]

_OUTSIDE: Final = frozenset(
    "SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS DOCKER_HOST DISPLAY"
    " WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR VSCODE_IPC_HOOK VSCODE_IPC_HOOK_CLI"
    " VSCODE_GIT_IPC_HANDLE".split()
)
"""Variables that lead to programs outside the box, which it cannot reach."""
_NAMES_A_SECRET: Final = re.compile(
    r"TOKEN(?!I[SZ])|(?<!^GIT_CONFIG_)KEY(?!BOARD)|SECRET|PASSW(?:OR)?D|CREDENTIAL", re.IGNORECASE
)
"""Except names that hold none: the value of `GIT_CONFIG_KEY_0` is the name of a setting."""
_LEAVE_NO_TRACES: Final = {"PYTHONDONTWRITEBYTECODE": "1", "GIT_OPTIONAL_LOCKS": "0"}
"""Keeps Python and git from writing what they could do without, for it would be asked about."""


class ProfileUnfit(AssentError):
    """No box can be made here; the message says why."""


@frozen(kw_only=True)
class Layer:
    """Two folders on one file system: what a trial changes, and what the kernel needs beside it."""

    upper: str
    work: str


@frozen(kw_only=True)
class Profile:
    """What one run may do. Every path is absolute and has no link in it."""

    workspace: str
    home: str
    folder: str
    """Where the command runs, in the workspace."""
    layer: Layer | None = None
    """What a trial changes; None in a live run."""
    home_layer: Layer | None = None
    """What a trial writes to the home, to be told; None where that is kept in memory or fails."""
    masked: tuple[str, ...] = ()
    """What looks empty."""
    kept: tuple[str, ...] = ()
    """What stays as it is in a live run."""
    pinned: tuple[str, ...] = ()
    """The folders that lead there, in a live run: they cannot be renamed, what is in them can."""
    variables: Mapping[str, str] = field(factory=dict)


def profile_for(
    workspace: str,
    home: str,
    folder: str,
    *,
    secrets: Iterable[str] = (),
    protected: Sequence[str] = (),
    variables: Mapping[str, str],
    layer: Layer | None = None,
    home_layer: Layer | None = None,
) -> Profile:
    """Work out what a run may do.

    `secrets` are hidden beside those of the home; `protected` are paths below the workspace.
    """
    root, real_home, inside = (os.path.realpath(path) for path in (workspace, home, folder))
    if is_within(real_home, root):
        raise ProfileUnfit("The workspace holds your home, so all that is in it could be changed.")
    if not is_within(inside, root):
        raise ProfileUnfit(f"{folder} lies outside the workspace.")
    named = [*(f"{real_home}/{name}" for name in SECRETS), *secrets]
    real = dict.fromkeys(os.path.realpath(path) for path in named if os.path.lexists(path))
    there = [path for path in real if os.path.lexists(path)]
    kept, pinned = ((), ()) if layer is not None else _kept(root, protected)
    return Profile(
        workspace=root,
        home=real_home,
        folder=inside,
        layer=layer,
        home_layer=home_layer,
        masked=tuple(path for path in there if not _is_inside(path, there)),
        kept=kept,
        pinned=pinned,
        variables=visible(variables),
    )


def _kept(root: str, protected: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The protected paths that are there, and the folders that lead to them or to missing ones."""
    kept: dict[str, None] = {}
    pinned: dict[str, None] = {}
    for name in protected:
        path, parts = root, name.split("/")
        for at, part in enumerate(parts):
            path = f"{path}/{part}"
            if os.path.islink(path):  # noqa: PTH114 -- every command starts with this
                raise ProfileUnfit(f"{path} is a link where a protected name belongs.")
            if not os.path.lexists(path):
                break
            is_last = at == len(parts) - 1 or not os.path.isdir(path)  # noqa: PTH112
            (kept if is_last else pinned)[path] = None
    whole = tuple(path for path in kept if not _is_inside(path, kept))
    return whole, tuple(path for path in pinned if path not in kept and not _is_inside(path, kept))


def _is_inside(path: str, folders: Iterable[str]) -> bool:
    return any(path.startswith(f"{folder}/") for folder in folders)


def visible(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables that a box sees.

    >>> named = ("GH_TOKEN", "GIT_CONFIG_KEY_0", "KEYBOARD", "TOKENIZERS_PARALLELISM", "apiKey")
    >>> sorted(visible(dict.fromkeys(named, "x")).keys() & named)
    ['GIT_CONFIG_KEY_0', 'KEYBOARD', 'TOKENIZERS_PARALLELISM']
    """
    seen = {
        name: value
        for name, value in variables.items()
        if name not in _OUTSIDE and not _NAMES_A_SECRET.search(name)
    }
    return {**_LEAVE_NO_TRACES, **seen}
