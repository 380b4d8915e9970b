"""Where bash really is when it comes to a command, and what its variable then holds.

Small scripts of `cd`, `mktemp`, a variable and what may go around them are run by the real bash;
wherever it came by, that is one of the ways that were read. Folders are missing and `mktemp` fails
as it comes.
"""

import os
import shlex
import subprocess
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Final
from zlib import crc32

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from assent.gate.shell.script import Command
from assent.gate.shell.word import Word
from assent.gate.shell.word_sets import Made
from gate.shell.reading import read

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
    "{f}() {{ $1$2 a; {x}; }}; {f} c d; {y}",
    '{f}() {{ "$@"; {x}; }}; {f} true; {y}',
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
@example(script=f"f() {{ $1$2 a; }}; f c d; {PROBE}")
@example(script=f"f() {{ command $1d a; }}; f c; {PROBE}")
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
    said = _told(folder, script, made).splitlines()
    return [it for it in said if it[:1].isdigit() and " /" in it]


def _told(folder: Path, script: str, made: str = "made") -> str:
    """What bash says on its standard error."""
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
    return done.stderr


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


# What functions find in `$1`, `$2` and `$@`, however they are called.

_SHOWN: Final = "printf '%s|' § {} $'\\n' >&2"
ARGUMENTS, EACH = (_SHOWN.format(it) for it in ('"$1" "$2"', '"$@"'))
BODIES: Final = (
    *[ARGUMENTS] * 3,
    *[EACH, *map(_SHOWN.format, ('"${@}"', "$1", "$@", '"+ $@"', '"$1-$2"', '"${2}"'))],
    *["shift", "set -- c", "set -e", "x=c", f"local x=$1; {_SHOWN.format('$x')}"],
    *['"$@"', "$1 d", f"eval {shlex.quote(EACH)}", f"(shift; {EACH}); {EACH}"],
    f'for x in "$@"; do {_SHOWN.format("$x")}; shift; {ARGUMENTS}; done',
)
ONWARD: Final = (
    *['h "$@"', 'h "$1"', 'h $2 "$1"', 'h "$x" d', "trap 'h b' EXIT", "e=$(h $1)", "h $1 | cat"],
    'for x in "$@"; do h "$x"; shift; done',
)
CALLS: Final = (
    *["f a b", "f", "g b", "h", "f 'a b' c", 'f "$x" a', "f $x", "g h a", "f h f", "f $(echo a)"],
    *[
        "for x in a b; do f $x; done",
        "g *",
        "g nosuch*",
        "x=b; g $x",
        "f -n",
        "f '' b",
        "f a; shift",
    ],
    *["bash -c 'f c'", "export -f f; bash -c 'f c'", "f a | g b", "e=$(f b)", "unset -f g", "x=a"],
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(
    bodies=st.tuples(
        *[st.lists(st.sampled_from((*BODIES, *ONWARD)), min_size=1, max_size=3)] * 2,
        st.lists(st.sampled_from(BODIES), min_size=1, max_size=3),
    ),
    calls=st.lists(st.sampled_from(CALLS), min_size=1, max_size=4),
)
@example(bodies=([EACH, "set -- c", EACH], [ARGUMENTS], [EACH]), calls=["f a b"])
@example(bodies=(['"$@"'], [ARGUMENTS], [EACH]), calls=["f g a", "g b"])
@example(bodies=(['h "$@"'], [EACH], [EACH]), calls=["f a b", "g", "x=c"])
@pytest.mark.long
def test_what_a_function_is_called_with_is_among_what_was_read(
    folder: Path, bodies: tuple[list[str], ...], calls: list[str]
) -> None:
    numbers = count(1)
    defined = [f"{name}() {{ {'; '.join(it)}; }}" for name, it in zip("fgh", bodies, strict=True)]
    script = "; ".join(("x=a", *defined, *calls))
    script = "".join(it if it != "§" else str(next(numbers)) for it in script)
    found = read(script)
    assume(not found.opaque)
    probes = [it.argv[2:-1] for it in found.commands if it.name == "printf"]
    for line in _given(folder, script):
        said = [it for it in probes if it[0].text == line[0]]
        assert any(_may_be(it, line) for it in said), (script, line, said)


def _given(folder: Path, script: str) -> list[list[str]]:
    """What each probe was given, its number first."""
    lines = (it.removeprefix("|") for it in _told(folder, script).splitlines())
    return [it[:-1].split("|") for it in lines if it[:1].isdigit()]


def _may_be(words: Sequence[Word], texts: Sequence[str]) -> bool:
    """Whether a program that was read with these words may be given these texts."""
    if not words:
        return not texts
    first, *rest = words
    if first.several or first.glob:
        return True
    told = bool(texts) and (not first.texts or texts[0] in first.texts)
    return told and _may_be(rest, texts[1:])
