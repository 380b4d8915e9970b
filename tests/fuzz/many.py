"""`python -m fuzz.many 10000 [seed] [words|paths|flags|drafts]`: the gate, held against real runs.

`words` are command lines, run for real: nothing starts or is written that the reader did not
foresee. Every other one is run by dash, which lacks much of what bash has, and the kept ones by
both; what was missed is kept in `missed.jsonl`, which every later run and the tests begin with.
`paths` only the shell works out, and `flags` are those that real programs name in their own help,
in any order, so many of programs that read and so many of others, each of which a rule for its name
lets pass: all that passes is run under `strace`, and nothing may stray. `drafts` are rules that are
offered: none lets the same words pass with other code on their input.
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from fuzz.bwrapped import SHELLS, run
from fuzz.drafts import misses_of_drafts
from fuzz.generator import command
from fuzz.judging import missed
from fuzz.strays import misses_of_grants, misses_of_orders, misses_of_paths
from fuzz.traced import why_not

__all__ = ["KEPT", "kept", "misses"]

KEPT: Final = Path(__file__).with_name("missed.jsonl")

_BATCH: Final = 500


def kept() -> list[str]:
    """The command lines that were missed once."""
    return [json.loads(line) for line in KEPT.read_text("utf-8").splitlines()]


def misses(commands: Sequence[str], shell: str = "bash") -> Iterator[tuple[str, str]]:
    """The command lines of which the reader did not foresee all that came, and what that was."""
    for at in range(0, len(commands), _BATCH):
        batch = commands[at : at + _BATCH]
        with tempfile.TemporaryDirectory() as folder:
            heard = run(batch, Path(folder), shell)
        for text, came in zip(batch, heard, strict=True):
            because = missed(text, came, shell)
            if because:
                yield text, because


def _words(number: int, seed: int) -> Iterator[tuple[str, str]]:
    random = Random(seed)  # noqa: S311 -- a seed must give the same lines again
    lines = [command(random) for _ in range(number)]
    halves = {shell: lines[at :: len(SHELLS)] for at, shell in enumerate(SHELLS)}
    several = [miss for it in SHELLS for miss in misses([*kept(), *halves[it]], it)]
    found = sorted(several, key=_length)
    new = dict.fromkeys(text for text, _ in found if text not in kept())
    with KEPT.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\n" for text in new)
    yield from found


def _flags(number: int, seed: int) -> Iterator[tuple[str, str]]:
    yield from misses_of_orders(number, seed)
    yield from misses_of_grants(number, seed)


WHAT: Final[dict[str, Callable[[int, int], Iterator[tuple[str, str]]]]] = {
    "words": _words,
    "paths": misses_of_paths,
    "flags": _flags,
    "drafts": misses_of_drafts,
}
"""What can be tried, each with what it finds."""


def _main(number: int, seed: int, kinds: Sequence[str]) -> int:
    missed_ = 0
    for kind in kinds:
        sys.stdout.write(f"{number} {kind}, seed {seed}\n")
        sys.stdout.flush()
        found = [*WHAT[kind](number, seed)]
        sys.stdout.writelines(f"{text!r}\n    {because}\n" for text, because in found)
        sys.stdout.write(f"{len(found)} missed\n")
        missed_ += len(found)
    return 1 if missed_ else 0


def _length(miss: tuple[str, str]) -> int:
    return len(miss[0])


if __name__ == "__main__":
    if why_not():
        sys.exit(why_not())
    given = [int(it) for it in sys.argv[1:] if it.isdecimal()]
    kinds = [it for it in sys.argv[1:] if not it.isdecimal()]
    if not set(kinds) <= set(WHAT):
        sys.exit(f"WHAT is one of {', '.join(WHAT)}.")
    seed = given[1] if len(given) > 1 else SystemRandom().randrange(10**9)
    sys.exit(_main(given[0], seed, kinds or list(WHAT)))
