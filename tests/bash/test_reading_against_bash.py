"""Where bash really is when it comes to a command, and what its variable then holds.

Small scripts of `cd`, `mktemp`, a variable and what may go around them are run by the real bash;
wherever it came by, that is one of the ways that were read. Folders are missing and `mktemp` fails
as it comes.
"""

import os
import shlex
import subprocess
from itertools import count
from pathlib import Path
from typing import Final
from zlib import crc32

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from assent.bash.listed import Made
from assent.bash.script import Command
from assent.bash.word import Word
from bash.reading import read

PROBE: Final = 'echo @ "$PWD" "$d" >&2'
MADE: Final = "/tmp/tmp.…"
"""What is read for the folder that `mktemp` makes, wherever that is."""

SIMPLE: Final = (
    *[PROBE] * 4,
    *["cd nowhere"] * 4,
    "cd a",
    'cd "$d"',
    "cd $d",
    *["d=$(mktemp -d)"] * 3,
    "d=b",
    "d=a",
    "c\\d b",
    "break",
    "unset z",
    "command true",
    "d=$(mktemp -d) e=$(true)",
    "export d=$(mktemp -d)",
    "set -e",
    "set +e",
    "true",
    "false",
    "d=$(false)",
)
AROUND: Final = (
    "{x}; {y}",
    "{x} && {y}",
    "{x} || {y}",
    "! {x}; {y}",
    "time ! {x} && {y}",
    "{{ {x}; {y}; }}",
    "( {x}; {y} )",
    "if {x}; then {y}; fi",
    "if {x}; then :; else {y}; fi",
    "while {x}; do {y}; break; done",
    "until {x}; do {y}; break; done",
    "for n in 1 2; do {x}; {y}; done",
    "{{ {x}; }} || {y}",
    "( {x} ) && {y}",
    "{f}() {{ {x}; {y}; }}; {f}",
    "{f}() {{ {x}; }}; {f} || {y}",
    "e=$({x}; {y})",
    "bash -c {quoted}; {y}",
    "{x} | {y}",
    "{x} & {y}; wait",
    "eval {quoted}; {y}",
    "case a in a) {x};; *) {y};; esac",
    "case a in a) {x};& b) {y};; esac",
    "case a in a) {x};;& *) {y};; esac",
    "for n in 1 2; do {x}; break; {y}; done",
    "for n in 1 2; do {x}; continue; {y}; done",
    "while true; do {x} && break; {y}; break; done",
    "{f}() {{ {x}; }}; {y}; {f}",
    "if true; then {f}() {{ {x}; }}; fi; {y}; {f}",
    "for n in 1 2; do {y}; {f}; {f}() {{ {x}; }}; done",
)


def _named(body: str) -> str:
    """A name for a function that nothing in its body has, so that none calls itself."""
    return f"f{crc32(body.encode())}"


def _wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda frame, x, y: frame.format(x=x, y=y, quoted=shlex.quote(x), f=_named(x + y)),
        st.sampled_from(AROUND),
        inner,
        inner,
    )


PARTS: Final = st.recursive(st.sampled_from(SIMPLE), _wrapped, max_leaves=6)
BEGINS: Final = st.sampled_from(["set -e", "d=", "d=a", "true"])
SCRIPTS: Final = st.builds(
    lambda first, parts: "; ".join((first, *parts, PROBE)),
    BEGINS,
    st.lists(PARTS, min_size=1, max_size=4),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("folder").resolve()
    for name in ("here/a/a", "here/b", "made"):
        (folder / name).mkdir(parents=True)
    return folder


@pytest.mark.parametrize("made", ["made", "missing"])
@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(script=SCRIPTS)
@example(script=f'set -e; d=$(mktemp -d); cd "$d"; {PROBE}')
@example(script=f"time ! cd nowhere && {PROBE}")
@example(script=f'd=$(mktemp -d) && cd "$d" && {PROBE}')
@example(script=f'd=$(mktemp -d); cd "$d"; {PROBE}')
@example(script=f"d=$(mktemp -d) e=$(true) && {PROBE}")
@example(script=f"e=$(true) d=$(mktemp -d) f=$(true) && {PROBE}")
@example(script=f"d=a; for n in 1; do d=b; break; d=a; done; {PROBE}")
@example(script=f"d=a; for n in 1 2; do for m in 1; do d=b; break 2; done; d=a; done; {PROBE}")
@example(script=f"for n in 1; do cd a && break; exit; done; {PROBE}")
@example(script=f"d=a; case a in a) d=b;& b) {PROBE};; esac")
@example(script=f"d=a; case a in a) d=b;;& b) d=c;; *) {PROBE};; esac")
@example(script=f"f() {{ d=b; }}; d=a; unset z; f; {PROBE}")
@example(script=f"f() {{ d=b; }}; d=a; command true; f; {PROBE}")
@example(script=f"d=a; if true; then f() {{ d=b; }}; fi; f; {PROBE}")
@example(script=f"d=a; for n in 1 2; do {PROBE}; f; f() {{ d=b; }}; done")
@example(script=f"f() {{ c\\d a; }}; f; {PROBE}")
def test_wherever_bash_comes_by_is_one_of_the_ways(folder: Path, made: str, script: str) -> None:
    numbers = count(1)
    script = "".join(it if it != "@" else str(next(numbers)) for it in script)
    found = read(script)
    assume(not found.opaque)
    probes = {it.argv[1].text: it for it in found.commands if it.name == "echo"}
    for line in _run(folder, made, script):
        number, where, held = line.split(" ", 2)
        assert _comes_by(folder, probes[number], Path(where)), (script, line)
        assert _holds(probes[number].argv[3], held), (script, line)


def _holds(value: Word, held: str) -> bool:
    """Whether a variable may hold what it holds, as it was read."""
    if isinstance(value, Made):
        return value.empty or bool(held)
    return held in value.texts if value.texts else True


def _run(folder: Path, made: str, script: str) -> list[str]:
    """What the probes said, each a line: its number, the folder, and the variable."""
    environment = {"PATH": os.environ["PATH"], "TMPDIR": f"{folder}/{made}", "HOME": f"{folder}/b"}
    done = subprocess.run(
        # With all that it began, should it ever not end.
        ["timeout", "-k", "1", "20", "bash", "--norc", "-c", script],
        cwd=folder / "here",
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return [it for it in done.stderr.splitlines() if it[:1].isdigit() and " /" in it]


def _comes_by(folder: Path, probe: Command, where: Path) -> bool:
    """Whether one of the ways of a command leads there."""
    if probe.ways is None:
        return True
    if where.is_relative_to(folder / "made"):
        return any(it.steps is None or MADE in it.steps for it in probe.ways)
    return any(it.steps is None or _led(folder, it.steps) == where for it in probe.ways)


def _led(folder: Path, steps: tuple[object, ...]) -> Path:
    at = folder / "here"
    for step in steps:
        at = folder / "b" if step == "~" else at / str(step)
    return Path(os.path.normpath(at))
