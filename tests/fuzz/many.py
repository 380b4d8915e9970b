"""`python -m fuzz.many 10000 [seed]`: many command lines, run for real, and what the reader says.

Every other one is run by dash, which lacks much of what bash has, and the kept ones by both.

Then as many paths that only the shell works out, and as many orders of the options of real
programs: those that the gate lets pass are run under `strace`, and nothing may stray.

What the reader missed is printed, shortest first, and kept in `missed.jsonl`, which every later run
and the tests begin with.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from fuzz.bwrapped import SHELLS, run
from fuzz.generator import command
from fuzz.judging import missed
from fuzz.strays import misses_of_orders, misses_of_paths
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


def _main(number: int, seed: int) -> int:
    sys.stdout.write(f"{number} command lines, seed {seed}\n")
    random = Random(seed)  # noqa: S311 -- a seed must give the same lines again
    lines = [command(random) for _ in range(number)]
    halves = {shell: lines[at :: len(SHELLS)] for at, shell in enumerate(SHELLS)}
    several = [miss for it in SHELLS for miss in misses([*kept(), *halves[it]], it)]
    found = sorted(several, key=_length)
    for text, because in found:
        sys.stdout.write(f"{text!r}\n    {because}\n")
    new = dict.fromkeys(text for text, _ in found if text not in kept())
    with KEPT.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(text) + "\n" for text in new)
    sys.stdout.write(f"{len(found)} missed\n")
    beyond = 0
    for what, missed_ in (("paths", misses_of_paths), ("orders of words", misses_of_orders)):
        sys.stdout.write(f"{number} {what}, seed {seed}\n")
        for text, because in missed_(number, seed):
            sys.stdout.write(f"{text!r}\n    {because}\n")
            beyond += 1
    sys.stdout.write(f"{beyond} went further than was said\n")
    return 1 if found or beyond else 0


def _length(miss: tuple[str, str]) -> int:
    return len(miss[0])


if __name__ == "__main__":
    if why_not():
        sys.exit(why_not())
    given = [int(it) for it in sys.argv[1:]]
    sys.exit(_main(given[0], given[1] if len(given) > 1 else SystemRandom().randrange(10**9)))
