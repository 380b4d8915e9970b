"""Commands that the gate lets pass, really run: what they touched beyond what was said.

`misses_of_paths` holds for paths that only the shell works out, `misses_of_orders` for the options
that programs name in their own help, in whatever order.
"""

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from pathlib import Path
from random import Random
from typing import Any, Final

from fuzz import expressions, orders
from fuzz.ground import (
    DENIED,
    OWN_TEMPORARY,
    Ground,
    allowed,
    build,
    is_own_file,
    is_within,
    strayed,
)
from fuzz.traced import Deed, run

__all__ = ["Miss", "misses_of_grants", "misses_of_orders", "misses_of_paths", "paths_missed"]

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

_KEPT: Final = (
    "/tmp/",
    "/dev/shm/",
    "/var/cache/",
    "/var/lib/dpkg/lock",
    "/var/lib/apt/",
    "/dev/pts/",
    "/MIRRORED.BY.tmp",  # `cpan` without settings of its own.
)
"""Where programs keep what is theirs while they run, and what they would else work out anew."""
_WORDS: Final = re.compile(r"-*[\w.+]+")
_BATCH: Final = 250
_TRIALS: Final = ("", "one", "a.txt", "x a.txt", "src/a.txt", "host:a.txt", "--help", "--version")
"""How a program is used as it is meant."""
_ABOVE: Final = frozenset(("package.json", "node_modules", "pyproject.toml", "setup.cfg"))
"""What programs look for in each folder above, wherever they are started."""
_LOOKS: Final = frozenset(("df", "git init", "lsattr"))
"""These open what they tell the file system of, or what may say where a repository is."""
_NAMES: Final = frozenset(("netstat", "lsof", "git clone"))
"""These ask for the names of the addresses that they list, or are there to go to."""
_OF_SYSTEM: Final = "/etc/ssl/certs/"
"""What a program reads that could ask a host, as `bat` does of the page for its help."""
_OWN_CACHE: Final = "/.cache/bat/"
"""Where `bat` keeps what it colours by, and looks with some of its options alone."""
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
        told = [[*allowed(ground, commands, repeat(it))] for it in _POLICIES]
        passed = [at for at in range(len(commands)) if any(it[at] for it in told)]
        denies = ["deny" in it for it in _POLICIES]
        for at, deeds in _ran(ground, commands, passed):
            denied = any(it[at] and denies[which] for which, it in enumerate(told))
            because = strayed(ground, deeds, denied=denied)
            if because:
                yield commands[at], because


def misses_of_orders(number: int, seed: int) -> Iterator[Miss]:
    """So many orders of words, run for real where the gate takes them for reading."""
    yield from _misses(
        number, seed, orders.programs(), more=_changed, policy=lambda _: _PLAIN, own=_is_nothing
    )


def misses_of_grants(number: int, seed: int) -> Iterator[Miss]:
    """So many of programs that do more, each run for real where a rule for its name lets it."""
    yield from _misses(
        number, seed, orders.granted(), more=_started, policy=_granting, own=_is_its_own
    )


def _granting(name: str) -> dict[str, Any]:
    return {"mode": "default", "allow": [f"shell({name}:*)"]}


def _misses(
    number: int,
    seed: int,
    among: Sequence[orders.Program],
    *,
    more: Callable[[str, Sequence[Deed]], str],
    policy: Callable[[str], dict[str, Any]],
    own: Callable[[Ground, Deed], bool],
) -> Iterator[Miss]:
    """What strays of all that passes, or is `more`, and is neither usual nor the program's own."""
    random = Random(seed)  # noqa: S311 -- as above
    commands = [orders.command(random, among) for _ in range(number)]
    names = [orders.named(it, among) for it in commands]
    policies = [policy(it) for it in names]
    with tempfile.TemporaryDirectory() as below:
        ground = build(Path(below))
        plain = [*allowed(ground, commands, policies)]
        denying = [*allowed(ground, commands, [{**it, **_DENYING} for it in policies])]
        passed = [at for at in range(number) if plain[at] or denying[at]]
        told = [
            (at, [it for it in deeds if not (own(ground, it) or _is_told(commands[at], it))])
            for at, deeds in _ran(ground, commands, passed)
        ]
        told = [
            (at, deeds)
            for at, deeds in told
            if strayed(ground, deeds, denied=denying[at]) or more(commands[at], deeds)
        ]
        usual = _usual(ground, {names[at] for at, _ in told})
        for at, deeds in told:
            seen = usual[names[at]]
            new = [it for it in deeds if not _is_usual(ground, seen, names[at], it)]
            because = strayed(ground, new, denied=denying[at]) or more(commands[at], new)
            if because:
                yield commands[at], because


def _usual(ground: Ground, names: set[str]) -> dict[str, set[tuple[str, str]]]:
    """What each program starts and reads of the machine when it is used as it is meant."""
    trials = [(name, f"{name} {words}".strip()) for name in sorted(names) for words in _TRIALS]
    seen: dict[str, set[tuple[str, str]]] = {name: set() for name in names}
    for at, deeds in _ran(ground, [it for _, it in trials], range(len(trials))):
        seen[trials[at][0]].update((it.kind, it.path) for it in deeds)
    return seen


def _is_usual(ground: Ground, seen: set[tuple[str, str]], name: str, deed: Deed) -> bool:
    if name in _LOOKS and deed.kind == "read":
        return True
    if deed.kind == "read" and (_OWN_CACHE in deed.path or deed.path.startswith(_OF_SYSTEM)):
        return True
    # Of a folder's files it opens each folder among them as well, and passes it by.
    if deed.kind == "read" and name.startswith("kubectl") and Path(deed.path).is_dir():
        return True
    # It looks for the package of a script in each folder above.
    if deed.kind == "read" and name == "node" and deed.path.endswith("/package.json"):
        return True
    # It opens the folder above, to offer a way there, and shows nothing of it.
    if deed.kind == "list" and name == "lynx":
        return True
    # npm asks its registry, but not always within the time that it is given here.
    looks_up = name in _NAMES or name.startswith("npm ")
    if deed.kind == "send" and looks_up and "htons(53)" in deed.path:
        return True
    if deed.kind == "send":
        return any(kind == "send" for kind, _ in seen)  # To whom is judged by the host's name.
    if deed.kind == "write" or (deed.kind != "run" and str(ground.tree) in deed.path):
        return False
    return (deed.kind, deed.path) in seen or orders.starts(name, deed.path)


def _changed(_: str, deeds: Sequence[Deed]) -> str:
    """What was changed or started, by what was taken for reading."""
    for it in deeds:
        kept = it.path.startswith(("/dev/", "/proc/", "pipe:", *OWN_TEMPORARY))
        if it.kind == "run" or (it.kind == "write" and not kept and not _is_kept_by_git(it.path)):
            return f"{it.kind} {it.path}"
    return ""


def _is_nothing(_: Ground, __: Deed) -> bool:
    return False


def _is_its_own(ground: Ground, deed: Deed) -> bool:
    """Whether a program that a rule names may touch it: its settings, what it keeps, the system."""
    if is_within(deed.path, ground.home):
        return not is_own_file(ground, deed.path) and deed.kind != "run"
    if is_within(deed.path, ground.tree):
        return deed.kind == "read" and deed.path.rpartition("/")[2] in _ABOVE
    kept = f"{deed.path}/".startswith(_KEPT) or "/__pycache__" in deed.path
    return deed.kind in ("read", "list") or kept


def _is_told(line: str, deed: Deed) -> bool:
    """Whether it starts what its program is there to start, which was judged in itself."""
    named = {it.rstrip("/").rpartition("/")[2] for it in line.split()}
    return deed.kind == "run" and orders.launches(line) and deed.path.rpartition("/")[2] in named


def _started(line: str, deeds: Sequence[Deed]) -> str:
    """What was started because the words say so; scripts start what they need besides."""
    runs = [(it.path, it.path.rpartition("/")[2]) for it in deeds if it.kind == "run"]
    # `tar --bzip2` names a program by a flag of its own.
    words = _WORDS.findall(line)
    told = (
        path
        for path, name in runs
        if f"--{name}" not in line and any(_names(it, name) for it in words)
    )
    return next((f"run {it}" for it in told), "")


def _names(word: str, program: str) -> bool:
    """Whether a word is that program, or a flag of one letter with it behind."""
    return word == program or (word[:1] == "-" != word[1:2] and word.endswith(program))


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
