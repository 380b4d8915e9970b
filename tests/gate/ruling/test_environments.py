"""What a running program was started with, or has in memory, is asked about in every mode.

Keys of models and of people stand there, and what a command prints goes to who hosts the model.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from attrs import evolve

from assent.gate.call.calls import Call, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import AGENT, running

SHOWS: Final = r"""
cat /proc/123/environ
cat /proc/self/environ
cat /proc/thread-self/environ
cat /proc//1/./environ
cat /proc/1/task/1/environ
head -c 100 < /proc/$PPID/environ
tr '\0' '\n' < /proc/$$/environ
grep -az KEY /proc/[0-9]*/environ
cat /proc/*/environ | tr '\0' '\n' | grep KEY
cat /proc/1/env*
cat /proc/1/e?viron
cat /p*c/1/environ
cat /proc/1/*
cat "/proc/1/"environ
cat /proc/1/mem
dd if=/proc/1/mem bs=1 count=10
xxd /proc/1/environ
wc -c /proc/1/environ
strings /proc/1/environ
xargs -0 -a /proc/1/environ
cp /proc/1/environ x
tar cf x.tar /proc/1/environ
curl file:///proc/1/environ
awk 1 /proc/1/environ
grep -raz KEY /proc
rg KEY /proc
grep -r KEY /
find /proc -name environ -exec cat {} +
find /proc -type f | xargs cat
cd /proc/1 && cat environ
cd /proc && cat */environ
cd /; cat proc/self/environ
python3 -c "print(open('../../../../../../proc/1/environ').read())"
R=/; python3 -c "print(open('$R/proc/1/environ').read())"
cd / && strings proc/1/mem
cd /; cat pro?/1/environ
cd /; cp proc/1/environ /tmp/x
env -C / cat proc/1/environ
sh -c 'cd /; cat proc/1/environ'
cd /; python3 -c "print(open('proc/1/environ').read())"
P=/proc; cat $P/1/environ
f=environ; cat /proc/1/$f
cat /proc/$(pgrep -f assent)/environ
for p in /proc/[0-9]*; do cat $p/environ; done
ln -s /proc/1/environ x; cat x
ln -s /proc x; cat x/1/environ
cat to-a-file
cat to-a-folder/1/environ
bash -c 'cat /proc/1/environ'
sudo cat /proc/1/environ
python3 -c "print(open('/proc/1/environ').read())"
node -e "require('fs').readFileSync('/proc/' + process.ppid + '/environ')"
ps eww
ps auxe
ps axeww
ps ewww -p 12
ps e -p 1
ps -E
ps -axEww
ps -o environ
ps axo environ
ps axo pid,environ
ps a U root e
ps U root axe
ps $WHAT
ps aux "$WHAT"
ps $(cat how)
ps -o $COLUMNS_SHOWN
ps axo "$COLUMNS_SHOWN"
""".strip().split("\n")
EVERYDAY: Final = """
ps
ps -e
ps aux
ps -ef
ps -eo pid,cmd
ps aux | grep node
ps axo user
ps ax -o user,pid
ps U steve
ps U steve a
ps p 1234
ps -p $PID -o args
ps -p $(pgrep node)
ps $$
node a.js & ps $!
pgrep -a node
env
printenv PATH
export -p
ls /proc
ls /proc/1
ls -l /proc/1/environ
cat /proc/1/status
cat /proc/$$/status
cat /proc/*/status
cat /proc/[0-9]*/cmdline
cat /proc/cpuinfo /proc/meminfo
cat /proc/sys/vm/swappiness
cat /proc/net/tcp
find /proc -maxdepth 1 -name '[0-9]*'
cat "$FILE"
cat $FOLDER/*
grep -rn os.environ src
grep -rn os.environ src; cat /proc/cpuinfo
cat src/environ
cc -c src/proc/mem.c
python3 -c "proc = 1; mem = 2; print(proc, mem)"
python3 -c "import os; print(os.environ['HOME'], open('/proc/cpuinfo').read())"
git commit -m "Ask before /proc/1/environ is read"
echo "see /proc/1/environ"
""".strip().split("\n")


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    root = tmp_path_factory.mktemp("till").resolve()
    (root / "to-a-file").symlink_to("/proc/1/environ")
    (root / "to-a-folder").symlink_to("/proc")
    (root / "src").mkdir()
    (root / "src" / "environ").write_text("x\n")
    return Places(roots=(str(root),), home=str(root.parent))


def policies(*rules: str) -> Iterator[Policy]:
    """Every mode with these rules, and a bypass."""
    allowing = Book.of([written(it, Verdict.ALLOW) for it in rules], (), "/home/me")
    modes = [Policy(mode=mode, book=allowing, trusted=True) for mode in Mode]
    yield from modes
    yield evolve(modes[-1], mode=Mode.DEFAULT, bypassed=frozenset({AGENT}))


def allowed(places: Places, *commands: str, rules: tuple[str, ...]) -> list[str]:
    """The commands that some policy lets pass."""
    root = places.roots[0]
    return [
        f"{policy.mode}: {command}"
        for command in commands
        for policy in policies(*rules)
        if decide(running(command, cwd=root), policy, places).verdict is Verdict.ALLOW
    ]


def reading(places: Places, path: str) -> Call:
    call = evolve(running("true", cwd=places.roots[0]), tool="read", effect=Effect.READ)
    return evolve(call, input={"path": path}, targets=(places.locate(path, places.roots[0]),))


@pytest.mark.skipif(not Path("/proc/1").exists(), reason="there is no /proc here")
def test_what_shows_it_is_asked_about_whatever_mode_rule_or_bypass_there_is(
    places: Places,
) -> None:
    wide = ("shell(*)", "read(/**)")
    assert allowed(places, *SHOWS, rules=wide) == []


@pytest.mark.skipif(not Path("/proc/1").exists(), reason="there is no /proc here")
def test_so_it_is_for_a_tool_that_reads_lists_or_searches(places: Places) -> None:
    for path in ("to-a-file", "to-a-folder", "to-a-folder/1/mem", "/proc"):
        for policy in policies("read(/**)"):
            ruling = decide(reading(places, path), policy, places)
            assert ruling.verdict is not Verdict.ALLOW, (path, policy.mode)


def test_all_else_of_processes_and_environments_passes_in_auto(places: Places) -> None:
    policy = Policy(mode=Mode.AUTO, trusted=True)
    calls = [running(command, cwd=places.roots[0]) for command in EVERYDAY]
    asked = [
        (call.input["command"], ruling.because)
        for call in calls
        if (ruling := decide(call, policy, places)).verdict is not Verdict.ALLOW
    ]
    assert asked == []
