"""Words of real programs in any order: the options that each names in its own help, and operands.

What a program says of itself is asked of the program that is installed here, and of no table of
ours. Options stand before, between and behind operands, short for longer names, in one word with
others or with their values, and behind `--`.
"""

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Final

from attrs import frozen

from assent.gate.programs.command_scopes import INTERPRETER, command_scopes, known_of
from assent.gate.programs.nested_execution.unwrap import HANDING
from assent.gate.programs.nested_execution.wrapper_rows import AFTER_WORD, ROWS
from assent.gate.programs.tables import by_name, git_by_name
from assent.gate.programs.tables.companions import COMPANIONS
from fuzz.bwrapped import SANDBOX

__all__ = ["Program", "command", "granted", "launches", "named", "programs", "starts"]

_ENDLESS: Final = frozenset("yes sleep top watch reset clear wait read mapfile readarray".split())
_ENDING: Final = frozenset(
    "kill pkill killall systemctl shutdown reboot halt poweroff init telinit".split()
)
"""What would end the runs beside it."""

_OPERANDS: Final = (
    *("a.txt", "a.txt", "src", "src/a.txt", "x", "list", "OUT", "new/OUT", "-", "--", "."),
    *("one", "s/o/p/", "user.name", "HEAD", "-nOUT", "-oOUT", "-OUT", "--OUT", "+1", "1", "p", "w"),
    *(".env", "secret/key", "../x", "1,2", "{print}", ".", "'*'", "core.pager", "main", "k=v"),
)
_OWN: Final = {
    "git config": ("user.name", "core.pager", "a.b", "get", "list", "set"),
    "git": ("HEAD", "main", "a.txt", "src", "HEAD:a.txt", "one"),
    "find": (".", "src", "a.txt"),
}
"""What is more than an odd name to some programs."""
_VALUES: Final = (
    "1",
    "x",
    "OUT",
    "a.txt",
    "src",
    "2,3",
    "never",
    "k=v",
    "all",
    ".env",
    "../x",
    "''",
)

_OPTION: Final = re.compile(
    r"(?<![\w./=-])(--?[A-Za-z0-9?#@][\w-]*)"
    r"(\[?[= ]?[\[<{(]*[A-Z]{2,}|\[?=|[ =]<\w+|[ ][a-z]{3,8}(?=  ))?"
)
"""An option, and what looks like a value behind it."""
_HELPERS: Final = {
    # Tables of letters are packed.
    "locale": ("gzip",),
    "bzgrep": ("grep", "egrep", "fgrep"),
    "xzgrep": ("grep", "egrep", "fgrep"),
    **dict.fromkeys(("zgrep", "zegrep", "zfgrep"), ("grep", "egrep", "fgrep", "expr", "sed")),
    # What it starts is a script that finds its shell so.
    "git difftool": ("env",),
    # With `-l` it lists as that does.
    "fd": ("ls",),
    "fdfind": ("ls",),
    # Without a command it starts a shell, and what that reads is judged.
    "npm": ("sh",),
    "npx": ("sh",),
}
"""What a program starts to do its work, whatever it is told."""
_GIT: Final = "git "
_SYSTEM: Final = "/usr/bin:/bin"


@frozen
class Program:
    """One program, and what it says of its options."""

    words: str

    @property
    def options(self) -> tuple[tuple[str, bool], ...]:
        """Each with whether it seems to take a value; asked of it when it is needed."""
        return _options(self.words)


@cache
def programs() -> tuple[Program, ...]:
    """Those of the tables that only read, as far as they are installed."""
    plain = [name for name, row in by_name().items() if row.reads and name not in _ENDLESS]
    names = [name for name in plain if shutil.which(name)]
    names += [f"{_GIT}{name}" for name, row in git_by_name().items() if row.reads]
    return tuple(Program(name) for name in dict.fromkeys(names))


@cache
def granted() -> tuple[Program, ...]:
    """Those that do more than read, with their commands, which only a rule lets pass."""
    known = [*(name for name, row in by_name().items() if not row.reads), *command_scopes()]
    names = [it for it in known if shutil.which(it.split()[0], path=_SYSTEM)]
    names += [f"{_GIT}{name}" for name, row in git_by_name().items() if not row.reads]
    reading = {it.words for it in programs()}
    kept = [
        it
        for it in dict.fromkeys(names)
        if it not in reading
        and it.split()[0] not in _ENDING
        and known_of((it,)).kind != INTERPRETER
    ]
    return tuple(Program(name) for name in kept)


@cache
def _options(words: str) -> tuple[tuple[str, bool], ...]:
    asking = [*words.split(), "-h" if words.startswith(_GIT) else "--help"]
    told = subprocess.run(
        [*SANDBOX, *asking],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=20,
    ).stdout.decode(errors="replace")
    found: dict[str, bool] = {}
    for name, value in _OPTION.findall(told.replace("--[no-]", "--")):
        found[name] = found.get(name, False) or bool(value)
    return tuple(found.items())


def command(random: Random, among: Sequence[Program]) -> str:
    """One command line of one of these programs."""
    program = random.choice(among)
    own = _OWN.get(program.words) or _OWN.get(program.words.partition(" ")[0], ())
    names = _OPERANDS if not own or random.random() < 0.4 else own
    words = [random.choice(names) for _ in range(random.choice((0, 1, 1, 2, 2, 3)))]
    for _ in range(random.choice((1, 1, 1, 2, 2, 3))):
        at = random.randrange(len(words) + 1)
        words[at:at] = _spelled(random, program)
    return " ".join([program.words, *words])


def _spelled(random: Random, program: Program) -> list[str]:
    """An option in one of its spellings."""
    if not program.options or random.random() < 0.05:
        return [random.choice(("-", "--")) + random.choice("abcdefghinoprstvwxzOTFL")]
    name, valued = random.choice(program.options)
    value = random.choice(_VALUES)
    if name.startswith("--"):
        if random.random() < 0.2:
            name = name[: random.randrange(3, len(name) + 1)]
        if valued and random.random() < 0.5:
            return [name, value]
        return [f"{name}={value}"] if random.random() < (0.7 if valued else 0.1) else [name]
    if len(name) == 2 and random.random() < 0.25:
        letters = [it for it, _ in program.options if len(it) == 2]
        name += "".join(random.choice(letters)[1:] for _ in range(random.choice((1, 2))))
    if valued and random.random() < 0.5:
        return [name, value]
    return [f"{name}{value}"] if random.random() < (0.6 if valued else 0.2) else [name]


def named(line: str, among: Sequence[Program]) -> str:
    """The program of a command line that was made here."""
    return max((it.words for it in among if f"{line} ".startswith(f"{it.words} ")), key=len)


def starts(name: str, path: str) -> bool:
    """Whether it is the program itself that is started there, a part of it, or its shell."""
    started, own = path.rpartition("/")[2], name.partition(" ")[0]
    # A part of a program has its name before its own: `dpkg-deb`, `perf-stat`.
    helpers = (*_HELPERS.get(own, ()), *_HELPERS.get(name, ()), *COMPANIONS.get(own, ()))
    if (own != "git" and f"/{own}-" in path) or started in helpers:
        return True
    return started in (own, "bash")


def launches(line: str) -> bool:
    """Whether its program is there to run another, which a word of it names."""
    program, *words = line.split()
    told = program in ROWS or program in HANDING
    return told or not set(words).isdisjoint(AFTER_WORD.get(program, ()))
