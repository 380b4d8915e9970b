"""Tells whether hooks of a person's own would change or answer Claude Code's calls.

Of several hooks that allow a call the one that ends last has its way with the input, and one that
answers the agent's question is as good as the person. So they are looked for wherever the person
may have put them: in the settings, in plugins that are switched on, and in front of skills,
sub-agents and commands.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from assent.gate.settings.ordinary_files import read_ordinary
from assent.hosting.recipes.recipe import OwnSettings

__all__ = ["own_settings"]

_BEFORE: Final = b"PreToolUse"
"""Where it stands a hook may hand a call back with another input."""
_ANSWERS: Final = b"PermissionRequest"
"""Where it stands a hook may answer in the person's place."""
_WORDS: Final = ("skills", "agents", "commands")
_MAX_FILE_BYTES: Final = 8 * 1024 * 1024
_MAX_FOLDERS: Final = 2_000
_BOUND: Final = b"\n---"


def own_settings(env: Mapping[str, str]) -> OwnSettings:
    """What of these settings the agent may go by that is started with such variables."""
    home = Path(env.get("CLAUDE_CONFIG_DIR") or f"{env.get('HOME', '')}/.claude")
    changes = False
    try:
        for path, text in _texts(home):
            if _ANSWERS in text:
                return OwnSettings(left_out=f"`{path}` has a hook that answers in your place")
            changes = changes or _BEFORE in text
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return OwnSettings(left_out=f"it is not sure what hooks they have ({reason})")
    return OwnSettings(are_read=True, may_change_calls=changes)


def _texts(home: Path) -> Iterator[tuple[Path, bytes]]:
    """Each text that may name hooks, by its file."""
    settings = home / "settings.json"
    text = _text(settings)
    yield settings, text
    for folder in (*(home / kind for kind in _WORDS), *_plugins(home, text)):
        for path in _below(folder):
            yield path, _front(path) if path.suffix == ".md" else _text(path)


def _plugins(home: Path, settings: bytes) -> list[Path]:
    """The folders of the plugins that are switched on."""
    switched = _members(settings).get("enabledPlugins")
    names = [name for name, on in switched.items() if on] if isinstance(switched, dict) else []
    if not names:
        return []
    listed = _members(_text(home / "plugins" / "installed_plugins.json")).get("plugins")
    listed = listed if isinstance(listed, dict) else {}
    copies = [copy for name in names for copy in _list_of(listed.get(name))]
    paths = [copy.get("installPath") for copy in copies if isinstance(copy, dict)]
    return [Path(path) for path in paths if isinstance(path, str)]


def _list_of(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _members(text: bytes) -> dict[str, Any]:
    value = orjson.loads(text) if text.strip() else {}
    return value if isinstance(value, dict) else {}


def _below(folder: Path) -> list[Path]:
    """The files below a folder that may name hooks."""
    paths = list[Path]()
    for count, (at, inner, names) in enumerate(os.walk(folder, followlinks=True)):
        if count >= _MAX_FOLDERS:
            raise ValueError(f"`{folder}` is too large to be looked through")
        inner[:] = [name for name in inner if name not in {"node_modules", ".git"}]
        paths += (Path(at, name) for name in names if name.endswith((".json", ".md")))
    return sorted(paths)


def _front(path: Path) -> bytes:
    """What stands in front of a text for an agent, which is where hooks would be named."""
    text = _text(path)
    return text[: text.find(_BOUND, 3)] if text.startswith(b"---") else b""


def _text(path: Path) -> bytes:
    try:
        return read_ordinary(path, _MAX_FILE_BYTES)
    except FileNotFoundError:
        return b""
