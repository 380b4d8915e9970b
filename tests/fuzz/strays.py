"""Commands that the gate lets pass, really run: what they touched beyond what was said.

`misses_of_paths` holds for paths that only the shell works out, `misses_of_orders` for the options
that programs name in their own help, in whatever order.
"""

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from fuzz import expressions, orders
from fuzz.ground import DENIED, Ground, allowed, build, strayed
from fuzz.traced import Deed, run

__all__ = ["Miss", "misses_of_orders", "misses_of_paths", "paths_missed"]

Miss = tuple[str, str]
"""A command line, and what it did that nobody was asked about."""

_CHANGES: Final = tuple(
    f"shell({it}:*)" for it in ("rm", "rmdir", "touch", "mkdir", "cp", "mv", "tee", "ln")
)
_WRITES: Final = [*_CHANGES, "write(./**)"]

_PLAIN: Final[dict[str, Any]] = {"mode": "default"}
_DENYING: Final[dict[str, Any]] = {"mode": "acceptEdits", "deny": [*DENIED]}
_POLICIES: Final[tuple[dict[str, Any], ...]] = (
    _PLAIN,
    _DENYING,
    {"mode": "acceptEdits", "allow": _WRITES, "deny": [*DENIED]},
    {"mode": "default", "allow": _WRITES},
)

_BATCH: Final = 250
_GIT_KEEPS: Final = ("/.git/index", "/.git/objects")
"""Where git puts down what it has seen, for the next time."""


def misses_of_paths(number: int, seed: int) -> Iterator[Miss]:
    """So many path expressions, run for real where the gate allows them."""
    random = Random(seed)  # noqa: S311 -- a seed must give the same lines again
    yield from paths_missed([expressions.command(random) for _ in range(number)])


def paths_missed(commands: Sequence[str]) -> Iterator[Miss]:
    """Those of these lines that leave the workspace unasked, or open what is denied."""
    with tempfile.TemporaryDirectory() as below:
        ground = build(Path(below))
        told = [[*allowed(ground, commands, policy)] for policy in _POLICIES]
        passed = [at for at in range(len(commands)) if any(it[at] for it in told)]
        denies = ["deny" in it for it in _POLICIES]
        for at, deeds in _ran(ground, commands, passed):
            denied = any(it[at] and denies[which] for which, it in enumerate(told))
            because = strayed(ground, deeds, denied=denied)
            if because:
                yield commands[at], because


def misses_of_orders(number: int, seed: int) -> Iterator[Miss]:
    """So many orders of words, run for real where the gate takes them for reading."""
    random = Random(seed)  # noqa: S311 -- as above
    commands = [orders.command(random) for _ in range(number)]
    with tempfile.TemporaryDirectory() as below:
        ground = build(Path(below))
        plain, denying = ([*allowed(ground, commands, it)] for it in (_PLAIN, _DENYING))
        passed = [at for at in range(number) if plain[at] or denying[at]]
        told = [*_ran(ground, commands, passed)]
        told = [
            it for it in told if strayed(ground, it[1], denied=denying[it[0]]) or _changed(it[1])
        ]
        usual = _usual(ground, {orders.named(commands[at]) for at, _ in told})
        for at, deeds in told:
            name = orders.named(commands[at])
            new = [it for it in deeds if not _is_usual(ground, usual[name], name, it)]
            because = strayed(ground, new, denied=denying[at]) or _changed(new)
            if because:
                yield commands[at], because


def _usual(ground: Ground, names: set[str]) -> dict[str, set[tuple[str, str]]]:
    """What each program starts and reads of the machine when it is used as it is meant."""
    trials = [
        (name, f"{name} {words}".strip())
        for name in sorted(names)
        for words in ("", "a.txt", "x a.txt", "--help", "--version")
    ]
    seen: dict[str, set[tuple[str, str]]] = {name: set() for name in names}
    for at, deeds in _ran(ground, [it for _, it in trials], range(len(trials))):
        seen[trials[at][0]].update((it.kind, it.path) for it in deeds)
    return seen


def _is_usual(ground: Ground, seen: set[tuple[str, str]], name: str, deed: Deed) -> bool:
    if name == "df" and deed.kind == "read":
        return True  # It has to open what it tells the file system of.
    if deed.kind == "write" or (deed.kind != "run" and str(ground.tree) in deed.path):
        return False
    return (deed.kind, deed.path) in seen or orders.starts(name, deed.path)


def _changed(deeds: Sequence[Deed]) -> str:
    """What was changed or started, by what was taken for reading."""
    for it in deeds:
        kept = it.path.startswith(("/dev/", "/proc/", "pipe:", "/tmp/tac", "/tmp/sort"))
        if it.kind == "run" or (it.kind == "write" and not kept and not _is_kept_by_git(it.path)):
            return f"{it.kind} {it.path}"
    return ""


def _is_kept_by_git(path: str) -> bool:
    return any(it in path for it in _GIT_KEEPS)


def _ran(
    ground: Ground, commands: Sequence[str], which: Sequence[int]
) -> Iterator[tuple[int, list[Deed]]]:
    for at in range(0, len(which), _BATCH):
        batch = which[at : at + _BATCH]
        with tempfile.TemporaryDirectory() as told:
            lines = [commands[it] for it in batch]
            yield from zip(batch, run(lines, ground.tree, Path(told)), strict=True)
