"""Where bash really is when it comes to a command, and what its variable then holds.

Small scripts of `cd`, `mktemp`, `set -e` and what may go around them are run by the real bash;
wherever it came by, that is one of the ways that were read. Folders are missing and `mktemp` fails
as it comes.
"""

import os
import shlex
import subprocess
from itertools import count
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from assent.bash.listed import Made
from assent.bash.script import Command
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
    "d=$(mktemp -d) e=$(true)",
    "export d=$(mktemp -d)",
    "set -e",
    "set -euo pipefail",
    "set -u -e",
    "set +e",
    "set -x",
    "set -o errexit",
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
    "f() {{ {x}; {y}; }}; f",
    "f() {{ {x}; }}; f || {y}",
    "e=$({x}; {y})",
    "bash -c {quoted}; {y}",
    "{x} | {y}",
    "{x} & {y}; wait",
    "eval {quoted}; {y}",
    "case a in a) {x};; *) {y};; esac",
)


def _wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(
        lambda frame, x, y: frame.format(x=x, y=y, quoted=shlex.quote(x)),
        st.sampled_from(AROUND),
        inner,
        inner,
    )


PARTS: Final = st.recursive(st.sampled_from(SIMPLE), _wrapped, max_leaves=6)
BEGINS: Final = st.sampled_from(["set -e", "set -euo pipefail", "d=", "true"])
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
@example(script=f"set -e; if d=$(mktemp -d); then :; fi; cd $d; {PROBE}")
@example(script=f"set -e; f() {{ cd nowhere; {PROBE}; }}; f || true; {PROBE}")
@example(script=f"set -e; ! {{ cd nowhere; {PROBE}; }}; {PROBE}")
@example(script=f"time ! cd nowhere && {PROBE}")
@example(script=f"set -e; e=$(cd nowhere; {PROBE}); {PROBE}")
@example(script=f"set -e; if cd nowhere; then :; fi; {PROBE}")
@example(script=f"set -e; while cd nowhere; do :; done; {PROBE}")
@example(script=f"set -e; ! cd nowhere; {PROBE}")
@example(script=f"set -e; cd nowhere && true; {PROBE}")
@example(script=f"f() {{ set -e; d=$(mktemp -d); {PROBE}; }}; f || true")
@example(script=f"true && set -e; d=$(mktemp -d); {PROBE}")
@example(script=f"false && set -e; cd nowhere; {PROBE}")
@example(script=f'd=$(mktemp -d) && cd "$d" && {PROBE}')
@example(script=f'd=$(mktemp -d); cd "$d"; {PROBE}')
@example(script=f"d=$(mktemp -d) e=$(true) && {PROBE}")
@example(script=f"e=$(true) d=$(mktemp -d) f=$(true) && {PROBE}")
def test_wherever_bash_comes_by_is_one_of_the_ways(folder: Path, made: str, script: str) -> None:
    numbers = count(1)
    script = "".join(it if it != "@" else str(next(numbers)) for it in script)
    found = read(script)
    assume(not found.opaque)
    probes = {it.argv[1].text: it for it in found.commands if it.name == "echo"}
    for line in _run(folder, made, script):
        number, where, held = line.split(" ", 2)
        assert _comes_by(folder, probes[number], Path(where)), (script, line)
        value = probes[number].argv[3]
        assert held or not isinstance(value, Made) or value.empty, (script, line)


def _run(folder: Path, made: str, script: str) -> list[str]:
    """What the probes said, each a line: its number, the folder, and the variable."""
    environment = {"PATH": os.environ["PATH"], "TMPDIR": f"{folder}/{made}", "HOME": f"{folder}/b"}
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
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
