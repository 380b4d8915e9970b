"""A command that is handed to a tool nobody knows is held against all that refuses commands."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.hosting.permission.calls import Reader
from gate.rules.books import book, deny
from tables import each_row

requirement = pytest.mark.requirement

HANDED: Final[dict[str, Callable[[str], Any]]] = {
    "a command": lambda it: {"command": it},
    "a command deep inside": lambda it: {"params": [{"shell_command": it}]},
    "a line": lambda it: {"commandLine": it},
    "words": lambda it: {"cmd": it.split()},
    "a text for a shell": lambda it: {"command": ["bash", "-lc", it]},
    "a program and its words": lambda it: {"command": it.split()[0], "args": it.split()[1:]},
    "a program of another name and its words": lambda it: {
        "exe": it.split()[0],
        "args": it.split()[1:],
    },
    "code that runs it": lambda it: {"code": f"import os; os.system('{it}')"},
    "many": lambda it: {"commands": ["ls", it]},
    "a script": lambda it: {"script": f"set -e\n{it}\n"},
    "code": lambda it: {"input": {"code": it}},
}
"""How tools are given what they run."""

REMOVES: Final = "rm -rf /"


def told(raw: Any, root: Path, **more: Any) -> Call:
    places = Places(roots=(str(root),), home=str(root.parent / "home"))
    reader = Reader(chat=ChatId("c"), agent=AgentId("a"), cwd=str(root), places=places)
    return reader.read({"toolCallId": "t", "rawInput": raw, **more})


def ruled(call: Call, root: Path, *, denied: str = "") -> Ruling:
    rules = book(*([deny(denied)] if denied else ()), roots=(str(root),))
    places = Places(roots=(str(root),), home=str(root.parent / "home"))
    return decide(call, Policy(mode=Mode.AUTO, trusted=True, book=rules), places)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "till").mkdir()
    return tmp_path.resolve() / "till"


@requirement("S-04")
@each_row("way", HANDED)
def test_what_leaves_nothing_is_asked_about_however_it_is_handed_on(way: str, root: Path) -> None:
    given = HANDED[way](REMOVES)
    served = {"server": "s", "tool": "t", "arguments": given}
    calls = [
        told(given, root, kind="other", name="odd"),
        told(given, root, kind="execute"),
        told(served, root, _meta={"is_mcp_tool_call": True}),
    ]
    for call in calls:
        ruling = ruled(call, root)
        assert ruling.verdict is Verdict.ASK, call.input
        assert ruling.grave or call.unreadable


@each_row("way", HANDED)
def test_a_denied_command_is_denied_however_it_is_handed_on(way: str, root: Path) -> None:
    call = told({"x": HANDED[way]("curl x.org")}, root, kind="other")
    assert ruled(call, root, denied="shell(curl:*)").verdict is Verdict.DENY
    assert ruled(call, root, denied="shell(wget:*)").verdict is Verdict.ALLOW


@each_row("raw", ["rm -rf /", ["rm", "-rf", "/"], {"x": "rm -rf /"}, {"x": {"y": ["rm -rf /"]}}])
def test_what_is_there_to_run_something_may_run_each_of_its_texts(raw: Any, root: Path) -> None:
    call = told(raw, root, kind="execute")
    assert call.effect == "execute"
    assert ruled(call, root).verdict is Verdict.ASK
    assert ruled(told(raw, root, kind="fetch"), root).verdict is Verdict.ALLOW


@each_row(
    "given",
    [
        {"command": "view", "path": "src/a.py"},
        {"command": "make test"},
        {"code": "import os\nprint(os.getcwd())"},
        {"code": "for (const x of y) { rm(x) }"},
        {"script": "SELECT * FROM (t"},
        {"description": "rm -rf / is bad", "body": "curl x.org"},
        {"bash_id": "1"},
    ],
)
def test_what_harms_nothing_is_not_asked_about(given: Any, root: Path) -> None:
    served = {"server": "s", "tool": "t", "arguments": given}
    calls = [
        told({"x": given}, root, kind="other"),
        told(served, root, _meta={"is_mcp_tool_call": True}),
    ]
    for call in calls:
        assert ruled(call, root, denied="shell(wget:*)").verdict is Verdict.ALLOW


def test_more_than_can_be_judged_is_asked_about(root: Path) -> None:
    call = told({"x": {"commands": [f"make {at}" for at in range(60)]}}, root, kind="other")
    assert ruled(call, root).verdict is Verdict.ASK


@each_row(
    "spelled",
    [
        "python3 -c \"import os; os.system('{}')\"",
        "python3 -c \"import subprocess; subprocess.run('{}', shell=True)\"",
        "node -e \"require('child_process').execSync('{}')\"",
        "perl -e 'system(\"{}\")'",
        "ruby -e '`{}`'",
        "awk 'BEGIN {{ system(\"{}\") }}'",
        "tmux new -d '{}'",
        "vim -c '!{}' -c q",
        "odd --then '{}'",
    ],
)
def test_a_removal_in_the_words_of_a_program_is_asked_about(spelled: str, root: Path) -> None:
    removes = ruled(told({"command": spelled.format("rm -rf ~")}, root), root)
    assert removes.verdict is Verdict.ASK
    assert removes.grave
    for harmless in ("rm -rf build", "ls -la ~", "make all"):
        assert (
            ruled(told({"command": spelled.format(harmless)}, root), root).verdict is Verdict.ALLOW
        )


def test_a_removal_in_words_for_a_program_is_asked_about(root: Path) -> None:
    code = "import subprocess; subprocess.run(['rm', '-rf', '/'])"
    ruling = ruled(told({"command": ["python3", "-c", code]}, root), root)
    assert ruling.verdict is Verdict.ASK
