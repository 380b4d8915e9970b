"""Tells whether a hook of a person's own may answer Claude Code's questions in their place.

Claude Code asks Assent about each call as it would run, and takes the answer that comes first. So
such hooks are looked for wherever the person may have put them: in the settings, in plugins that
are switched on, and in front of skills, sub-agents and commands.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import orjson

from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.text.lazy_patterns import late
from assent.hosting.recipes.recipe import OwnSettings

__all__ = ["own_settings"]

_ANSWERS: Final = late(
    r"(?m)(?:^[ \t]*+|[{,]\s*+)[\"']?PermissionRequest[\"']?\s*+:(?!\s*+\[\s*+\])",
    needs="PermissionRequest",
)
"""The name of such a hook, as a member with something in it."""
_TEXTS: Final = ("skills", "agents", "commands")
_PASSED_OVER: Final = frozenset({"node_modules", ".git", ".venv"})
_MAX_FILE_BYTES: Final = 8 * 1024 * 1024
_MAX_FOLDERS: Final = 2_000


def own_settings(env: Mapping[str, str]) -> OwnSettings:
    """What of these settings the agent may go by that is started with such variables."""
    home = Path(env.get("CLAUDE_CONFIG_DIR") or f"{env.get('HOME', '')}/.claude")
    try:
        for path, text in _texts(home):
            if _ANSWERS.search(text):
                why = f"`{path}` has a hook that may answer in your place"
                return OwnSettings(left_out=why, lost="all")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        why = f"it is not sure what hooks they have ({reason})"
        return OwnSettings(left_out=why, lost="all")
    return OwnSettings(are_read=True)


def _texts(home: Path) -> Iterator[tuple[Path, str]]:
    """Each text that may name hooks, by its file."""
    settings = home / "settings.json"
    text = _text(settings)
    yield settings, text
    for kind in _TEXTS:
        yield from ((path, _front(path)) for path in _below(home / kind, (".md",)))
    for folder in _plugins(home / "plugins", text):
        for path in _below(folder, (".json", ".md")):
            yield path, _front(path) if path.suffix == ".md" else _text(path)


def _plugins(kept: Path, settings: str) -> list[Path]:
    """The folders of the plugins that are switched on, and of where these come from."""
    switched = _members(settings).get("enabledPlugins")
    names = [name for name, on in switched.items() if on] if isinstance(switched, dict) else []
    if not names:
        return []
    listed = _members(_text(kept / "installed_plugins.json")).get("plugins")
    listed = listed if isinstance(listed, dict) else {}
    copies = [copy for name in names for copy in _list_of(listed.get(name))]
    paths = [copy.get("installPath") for copy in copies if isinstance(copy, dict)]
    markets = _members(_text(kept / "known_marketplaces.json"))
    known = [markets.get(name.rpartition("@")[2]) for name in names]
    paths += [market.get("installLocation") for market in known if isinstance(market, dict)]
    return [Path(path) for path in dict.fromkeys(paths) if isinstance(path, str)]


def _list_of(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _members(text: str) -> dict[str, Any]:
    value = orjson.loads(text) if text.strip() else {}
    return value if isinstance(value, dict) else {}


def _below(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    """The files below a folder that may name hooks."""
    paths = list[Path]()
    for count, (at, inner, names) in enumerate(os.walk(folder, followlinks=True)):
        if count >= _MAX_FOLDERS:
            raise ValueError(f"`{folder}` is too large to be looked through")
        inner[:] = [name for name in inner if name not in _PASSED_OVER]
        paths += (Path(at, name) for name in names if name.endswith(endings))
    return sorted(paths)


def _front(path: Path) -> str:
    """What stands in front of a text for an agent, which is where hooks would be named."""
    text = _text(path)
    return text[: text.find("\n---", 3)] if text.startswith("---") else ""


def _text(path: Path) -> str:
    try:
        return read_ordinary(path, _MAX_FILE_BYTES).decode("utf-8-sig", "replace")
    except FileNotFoundError:
        return ""
