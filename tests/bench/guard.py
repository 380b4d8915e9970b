"""Guards three times that people feel against getting worse: run by `make test`, on any machine.

Each is measured beside a peer in the same run: plain work of the same kind, written out here,
which costs more wherever the machine is slower or busier. What is held is the ratio of the two. A
ratio may grow to one and a half times what it was when it was written down; a change that makes
it more has made Assent slower, or says here why it may.
"""

import json
import shlex
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from assent.cli.policy_of_files import book_of_case
from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.gate.explain import Question, explain
from assent.gate.ruling.policy import Policy
from bench.felt import Ratio, holds, seconds, start_to_first_card
from bench.window import Talker, Window, allowing, window

__all__ = ["main"]

_MARGIN: Final = 1.5
_CALLS: Final = 40
_TURNS: Final = 7
_COMMANDS: Final = Path(__file__).parents[1] / "gate" / "ruling" / "cases" / "everyday.jsonl"
_LIBRARIES: Final = "import lsprotocol.types, pygls.lsp.server, pydantic, cattrs, orjson, asyncio"
_PEER: Final = """
import sqlite3, subprocess, sys
database = sqlite3.connect(sys.argv[1])
database.execute("pragma synchronous = full")
database.execute("create table rows (body text)")
for line in sys.stdin:
    for number in range(3):
        with database:
            database.execute("insert into rows values (?)", (number,))
        if number == 1:
            subprocess.run(["/bin/sh", "-c", ":"], check=True)
    print(flush=True)
"""
_NOBODY: Final = Talker(url="http://127.0.0.1:9")


def main() -> int:
    """Measure and print; 1 where a ratio is more than it may be, twice in a row."""
    held = [holds(ratio) for ratio in GUARDED]
    return 0 if all(held) else 1


def _whole_call(home: Path) -> tuple[float, float]:
    """From a prompt until its turn has ended, with a card that is answered at once."""
    ours, peers = [], []
    with window(_NOBODY, home) as opened, _peer(home) as peer:
        chat = opened.chat("eliza")
        for _ in range(_CALLS):
            ours.append(seconds(lambda: _call(opened, chat)))
            peers.append(seconds(lambda: _plain_call(peer)))
    return statistics.median(ours), statistics.median(peers)


def _call(opened: Window, chat: str) -> None:
    key = opened.say(chat, "run touch made")
    card = opened.card(chat)
    opened.ask("tool/approvalResponse", allowing(card))
    opened.done(key)


def _plain_call(peer: "subprocess.Popen[bytes]") -> None:
    assert peer.stdin is not None
    assert peer.stdout is not None
    peer.stdin.write(b"\n")
    peer.stdin.flush()
    peer.stdout.readline()


@contextmanager
def _peer(home: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Another process, which for each line puts three rows on the disk and runs a command."""
    program = (sys.executable, "-c", _PEER, str(home / "peer.db"))
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as peer:
        assert peer.stdin is not None
        yield peer
        peer.stdin.close()


def _ruling(_: Path) -> tuple[float, float]:
    """A ruling on each of some hundred commands of every day."""
    commands = _everyday()
    places = Places(roots=("/home/ada/till",), home="/home/ada")
    rules = {"allow": ["shell(git status:*)", "shell(npm test:*)"], "deny": ["read(./.env)"]}
    policy = Policy(mode=Mode.DEFAULT, book=book_of_case(rules, places), trusted=True)
    ours, peers = [], []
    for turn in range(_TURNS):
        # No two turns ask about the same texts, some of which are remembered.
        asked = [f"{command} # {turn}" for command in commands]
        ours.append(seconds(partial(_rule, asked, policy, places), time.process_time))
        peers.append(seconds(partial(_split, asked), time.process_time))
    return min(ours), min(peers)


def _rule(commands: Sequence[str], policy: Policy, places: Places) -> None:
    for command in commands:
        explain(Question(tool="shell", input={"command": command}), policy, places)


def _split(commands: Sequence[str]) -> None:
    for command in commands:
        try:
            shlex.split(command)
        except ValueError:
            continue


def _everyday() -> list[str]:
    calls = [json.loads(line)["call"] for line in _COMMANDS.read_text("utf-8").splitlines()]
    commands = [call["input"]["command"] for call in calls if call["tool"] == "shell"]
    return [command for command in commands if "\n" not in command][:200]


GUARDED: Final = (
    Ratio(
        name="start to first card",
        peer="a Python that loads the same libraries",
        most=2.7 * _MARGIN,
        measure=lambda home: start_to_first_card(home, "eliza", _LIBRARIES),
    ),
    Ratio(
        name="one whole call",
        peer="a process that puts three rows on the disk and runs a command",
        most=3.9 * _MARGIN,
        measure=_whole_call,
    ),
    Ratio(
        name="one ruling of a real command",
        peer="splitting it into words",
        most=27.5 * _MARGIN,
        measure=_ruling,
    ),
)

if __name__ == "__main__":
    sys.exit(main())
