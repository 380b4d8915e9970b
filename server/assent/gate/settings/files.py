"""Reads settings files by path, for commands that run without an editor.

An editor merges such files itself and is asked for what holds; this is for checking alone, and
writes nothing. A file that cannot be read is settings that cannot be understood, not none.
"""

import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from assent.gate.settings.layers import Layer
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.paths import MAX_SETTINGS_BYTES, workspace_settings_file
from assent.gate.settings.positions import Span, spans_of, value_of
from assent.gate.values import field, frozen

__all__ = [
    "SettingsFile",
    "read_settings",
    "settings_from_files",
]

SECTION: Final = "assent."


@frozen(kw_only=True)
class SettingsFile:
    """One file, as far as it could be read."""

    path: pathlib.Path
    layer: Layer
    values: Mapping[str, Any] = field(factory=dict)
    """Assent's settings in it, by their keys without the section."""
    spans: Mapping[tuple[str | int, ...], Span] = field(factory=dict)
    problem: str | None = None
    """Why it could not be read, where it could not."""

    def line(self, place: tuple[str | int, ...]) -> int | None:
        """The line, from 1, of a value or of the nearest that it lies in."""
        for length in range(len(place), 0, -1):
            span = self.spans.get((f"{SECTION}{place[0]}", *place[1:length]))
            if span is not None:
                return span.line + 1
        return None


def read_settings(path: pathlib.Path, layer: Layer) -> SettingsFile:
    """Assent's settings in a file."""
    try:
        text = read_ordinary(path, MAX_SETTINGS_BYTES).decode("utf-8-sig")
        whole = value_of(text)
    except FileNotFoundError:
        return SettingsFile(path=path, layer=layer, problem="there is no such file")
    except OSError as error:
        because = (error.strerror or type(error).__name__).lower()
        return SettingsFile(path=path, layer=layer, problem=because)
    except (ValueError, RecursionError):
        return SettingsFile(path=path, layer=layer, problem="it is no JSON")
    if not isinstance(whole, dict):
        return SettingsFile(path=path, layer=layer, problem="it is no JSON object")
    inner = whole.get("settings") if path.suffix == ".code-workspace" else whole
    return SettingsFile(
        path=path,
        layer=layer,
        values={
            key.removeprefix(SECTION): value
            for key, value in (inner.items() if isinstance(inner, dict) else ())
            if key.startswith(SECTION)
        },
        spans=spans_of(text),
    )


def settings_from_files(
    user_files: Sequence[pathlib.Path], workspace: pathlib.Path | None
) -> dict[str, dict[str, Any]]:
    """What the files say, as an editor would tell it: `{key: {user, workspace}}`.

    Of several files of the user the last one counts, but for rules, which are added up.
    """
    files = [read_settings(path, Layer.USER) for path in user_files]
    if workspace is not None:
        place = workspace_settings_file(workspace)
        if os.path.lexists(place):
            files.append(read_settings(place, Layer.WORKSPACE))
    keys: dict[str, dict[str, Any]] = {}
    for file in files:
        # What cannot be read has no rules that could be understood, so that everything is asked.
        values = {"rules": file.problem} if file.problem else file.values
        for key, value in values.items():
            layers = keys.setdefault(key, {})
            layers[file.layer.value] = _added(key, layers.get(file.layer.value), value)
    return keys


def _added(key: str, before: Any, value: Any) -> Any:
    if key != "rules" or before is None or not isinstance(value, dict):
        return value
    if not isinstance(before, dict):
        return before
    lists = {name: before.get(name, []) for name in (*before, *value)}
    return {
        name: [*old, *new] if isinstance(old, list) and isinstance(new, list) else new or old
        for name, old in lists.items()
        for new in [value.get(name, [])]
    }
