"""Rules that are offered for always, and code that comes by a command's input.

Which programs run what they read is asked of the programs themselves: those of this machine get
code in many languages that starts a stub. Of one that started it, no rule that is offered may let
the same words pass with another input, nor may one that was offered for them without any.
"""

import os
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from attrs import frozen

from assent.gate.call.verdicts import Verdict
from fuzz.bwrapped import STUBS, run
from gate.rules.test_suggest import allows, drafts, ruled, shell

__all__ = ["Probe", "drafts_missed", "languages_of", "misses_of_drafts", "probe", "programs"]

_STARTED, _OTHER = STUBS[:2]

_CODES: Final = (
    *("@", "! @", "!@", "\\! @", ":!@", "shell @", ".shell @", ".sh @", "exec @", "system @", "|@"),
    *("`@`", "$(@)", "1e @", "r !@", "spawn @", "syscmd(@)", "all:\n\t@", "x := $(shell @)\nall:"),
    *("1!@", "system('@')", '(system "@")', "import os; os.system('@')", "%x(@)", "-exec @ ;"),
    *("os.execute('@')", "<?php system('@');", 'BEGIN { system("@") }', 'system("@");', "@ x"),
    *("require('child_process').execSync('@')", "python import os; os.system('@')", "sh @"),
    *('Runtime.getRuntime().exec("@")', 'run "@"', "call system('@')", "exec('@')", "1\n!@\nq"),
)
"""What starts a program, in the languages that programs read; `@` is the program."""

_TOGETHER: Final = 12
"""So many of them are tried by one command line."""

_WORDS: Final = (
    *("", "", "", "", "-", "-s", "-i", "-x", "-n", "-q", "-u", "/dev/stdin", "-f -", "-0", "-r"),
    *("-f/dev/stdin", "--file=-", "-c -", "-e -", "x", "a.txt", "-T -", "-I{}", "-n1", "-t", "-v"),
)
_FEEDS: Final = ("printf '%s\\n' {code} | {line}", "{line} <<< {code}", "{line} <<'E'\n{plain}\nE")

_FOLDERS: Final = ("/usr/bin", "/bin")
_CAN_START: Final = (b"execv", b"popen", b"system", b"posix_spawn", b"#!")
"""What stands in a program that can start another one."""


@frozen(kw_only=True)
class Probe:
    """A command of this machine, and codes that it is given to read."""

    line: str
    feed: str
    codes: tuple[str, ...]

    def given(self, code: str, program: str) -> str:
        """The command line by which it gets code that starts a program."""
        code = code.replace("@", program)
        return self.feed.format(line=self.line, code=shlex.quote(code), plain=code)

    @property
    def trial(self) -> str:
        """A command line that tries them all, and tells by its word which was run."""
        return "\n".join(self.given(it, f"{_STARTED} {at}") for at, it in enumerate(self.codes))


@cache
def programs() -> tuple[str, ...]:
    """Those that are installed and could start another."""
    found = {it.name: it.path for folder in _FOLDERS for it in os.scandir(folder)}
    return tuple(sorted(name for name, path in found.items() if _can_start(path)))


def _can_start(path: str) -> bool:
    try:
        text = Path(path).read_bytes()
    except OSError:
        return False
    return os.access(path, os.X_OK) and any(it in text for it in _CAN_START)


def probe(random: Random) -> Probe:
    """A program with words, and some of the languages."""
    words = " ".join(random.choice(_WORDS) for _ in range(random.choice((1, 1, 2))))
    return Probe(
        line=f"{random.choice(programs())} {words}".strip(),
        feed=random.choice(_FEEDS),
        codes=tuple(random.sample(_CODES, _TOGETHER)),
    )


def misses_of_drafts(number: int, seed: int) -> Iterator[tuple[str, str]]:
    """So many programs that were given code, and the rules that would let other code pass."""
    random = Random(seed)  # noqa: S311 -- a seed must give the same lines again
    yield from drafts_missed([probe(random) for _ in range(number)])


_BATCH: Final = 250


def drafts_missed(probes: Sequence[Probe]) -> Iterator[tuple[str, str]]:
    """What passes by a rule that was offered for other code, or for none."""
    for at in range(0, len(probes), _BATCH):
        batch = probes[at : at + _BATCH]
        for each, codes in zip(batch, languages_of(batch), strict=True):
            for code in codes:
                yield from _outgrown(each, code)


def languages_of(probes: Sequence[Probe]) -> list[list[str]]:
    """Which of its codes each program really ran."""
    with tempfile.TemporaryDirectory() as folder:
        heard = run([it.trial for it in probes], Path(folder))
    return [
        [code for at, code in enumerate(each.codes) if (_STARTED, str(at)) in came.runs]
        for each, came in zip(probes, heard, strict=True)
    ]


def _outgrown(each: Probe, code: str) -> Iterator[tuple[str, str]]:
    other = each.given(code, _OTHER)
    for seen in (each.given(code, _STARTED), each.line):
        rules = drafts(shell(seen)).allow
        if ruled(shell(other), *allows(rules)).verdict is Verdict.ALLOW:
            yield other, f"passes by {', '.join(rules) or 'no rule at all'}, offered for {seen!r}"
