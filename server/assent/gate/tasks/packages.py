"""The scripts of a package, for every package manager, with those before and after."""

import re
import shlex
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from assent.gate.tasks.named_runs import inner
from assent.gate.tasks.task_files import FileTask, Tasks, Text, closure, is_there, table_in
from assent.gate.tasks.values import json_in

__all__ = ["of_package"]

_LOCKS: Final = (
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
)
_MANAGERS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})


def of_package(text: str, folder: str) -> Tasks:
    """The scripts of a package, run by the manager that it is kept with."""
    whole = json_in(text)
    scripts = {
        name: text for name, text in table_in(whole, "scripts").items() if isinstance(text, str)
    }
    runner = _kept_with(whole, folder)
    return Tasks(
        makers={f"npm:{name}": partial(_task_of, name, scripts, runner) for name in scripts}
    )


def _kept_with(whole: Any, folder: str) -> str:
    said = str(whole.get("packageManager", "")).partition("@")[0] if isinstance(whole, dict) else ""
    if said in _MANAGERS:
        return said
    return next((name for lock, name in _LOCKS if is_there(folder, lock)), "npm")


def _task_of(name: str, scripts: Mapping[str, str], runner: str) -> FileTask:
    left = ""

    def follow(script: str) -> Iterator[str]:
        nonlocal left
        yield from (name for name in (f"pre{script}", f"post{script}") if name in scripts)
        called, doubt = inner(scripts[script], "npm")
        lost = next((name for name in called if name not in scripts), "")
        left = left or _unread(scripts[script]) or doubt or lost
        yield from (name for name in called if name in scripts)

    names, more = closure(name, follow)
    return FileTask(
        runner="npm",
        name=name,
        command=f"{runner} run {shlex.quote(name)}",
        texts=tuple(Text(name=name, text=scripts[name]) for name in names),
        unread=more or left,
    )


def _unread(text: str) -> str:
    """What is put into a text that does not stand here."""
    return "$npm_" if re.search(r"\$\{?npm_", text) else ""
