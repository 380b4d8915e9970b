"""The scripts of a package: whichever manager runs them, and whatever runs around them."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import Any, Final

from assent.programs.aliases import SECOND
from assent.workflows.reading import WORD, Found, Tasks, Text, closure, elsewhere, table_in
from assent.workflows.values import json_in

__all__ = ["of_package", "scripts_named"]

_LOCKS: Final = (
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
)
_MANAGERS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})
_CALLS: Final = re.compile(
    r"\b(?:npm|pnpm|yarn|bun|npx|run-s|run-p|npm-run-all2?|concurrently)\b|node\s.*--run\b"
)
_INSTALLING: Final = "preinstall install postinstall prepublish preprepare prepare postprepare"
_PACKING: Final = "prepublishOnly prepack prepare postpack publish postpublish"
_AROUND: Final = {
    **dict.fromkeys(("install", "ci", "add", "uninstall", "update", "rebuild"), _INSTALLING),
    **dict.fromkeys(("publish", "pack"), _PACKING),
    "install-test": f"{_INSTALLING} test",
    "install-ci-test": f"{_INSTALLING} test",
    "it": f"{_INSTALLING} test",
    "cit": f"{_INSTALLING} test",
    "version": "preversion version postversion",
    "restart": "prestop stop poststop prestart start poststart",
}
"""What the managers run of a package by themselves."""


def of_package(text: str, folder: str, _: Iterable[str] = ()) -> Tasks:
    """The scripts of a package, run by the manager that it is kept with."""
    whole = json_in(text)
    scripts = {name: it for name, it in table_in(whole, "scripts").items() if isinstance(it, str)}
    runner = _kept_with(whole, folder)
    return Tasks(makers={f"npm:{name}": partial(_found, name, scripts, runner) for name in scripts})


def scripts_named(words: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """The scripts among these names that words of a manager may run."""
    there = dict.fromkeys(names)
    for word in words:
        bare = word.removeprefix("npm:").removeprefix("pnpm:").removeprefix("yarn:")
        bare = bare.removeprefix("--run=")
        meant = SECOND["npm"].get(bare, bare)
        wanted = [bare, meant, *_AROUND.get(meant, "").split()]
        yield from (it for it in wanted if it in there)
        if "*" in bare:
            yield from (it for it in there if fnmatchcase(it, bare.replace("**", "*")))


def _kept_with(whole: Any, folder: str) -> str:
    said = str(whole.get("packageManager", "")).partition("@")[0] if isinstance(whole, dict) else ""
    if said in _MANAGERS:
        return said
    return next((name for lock, name in _LOCKS if Path(folder, lock).exists()), "npm")


def _found(name: str, scripts: Mapping[str, str], runner: str) -> Found:
    names, more = closure(name, partial(_called, scripts))
    unread = next(filter(None, (_unread(scripts[it]) for it in names)), "")
    return Found(
        runner="npm",
        name=name,
        command=f"{runner} run {shlex.quote(name)}",
        texts=tuple(Text(name=it, text=scripts[it]) for it in names),
        unread=more or unread,
    )


def _called(scripts: Mapping[str, str], name: str) -> Iterator[str]:
    """The scripts that run before and behind it, and whichever its text may call."""
    yield from (it for it in (f"pre{name}", f"post{name}") if it in scripts)
    text = scripts[name]
    if _CALLS.search(text):
        yield from scripts_named(WORD.findall(text), scripts)


def _unread(text: str) -> str:
    """What has a script run more than stands here."""
    return "$npm_" if re.search(r"\$\{?npm_", text) else elsewhere(text, "npm")
