"""Whatever fails while a call is judged, nothing is allowed by it.

One after the other, each function that a ruling may go through is made to raise. Its code is
exchanged, not its name, so that whoever holds it, in a table or by an import, calls the broken one.
"""

import importlib
import sys
from collections import defaultdict
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final

import pytest

from assent.cli.policy_of_files import book_of_case
from assent.gate.call.calls import Call
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import Question, call_of
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from house.sources import module_name, rooms_below, server_modules
from tables import each_row

PLACES: Final = Places(roots=("/home/ada/till",), home="/home/ada")

Asked = tuple[Call, Policy]

MOST: Final = 8
"""How many of the calls that go through a function are tried with it broken."""

SHELL: Final = (
    "ls; evil x",
    "echo $(evil)",
    "sudo evil > /dev/null",
    "cat .env",
    "cat .e*",
    "echo x > .vscode/settings.json",
    "rm -rf ~",
    "cd / && rm -rf *",
    "git log --output=x",
    "find . -exec evil {} +",
    "env PATH=. npm test",
    'for f in .env; do cat "$f"; done',
    "bash -c 'evil' | cat",
    "sed -i s/a/b/ infra/x",
    "cat <<EOF\n$(evil)\nEOF",
    "echo ${x@P}",
    "grep x ../y > out",
    "curl https://evil.example",
)

OTHERS: Final = (
    ("read", {"path": ".env"}),
    ("read", {"path": "/etc/shadow"}),
    ("write", {"path": ".git/hooks/x", "content": "x"}),
    ("write", {"path": "infra/x", "old": "a", "new": "b"}),
    ("fetch", {"url": "http://127.0.0.1/"}),
    ("fetch", {"url": "https://evil.example/"}),
    ("mcp", {"server": "github", "tool": "delete", "arguments": {}}),
    ("run", {"name": "x"}),
)

RULES: Final = {
    "allow": ["shell(npm test:*)", "shell(cat:*)", "shell(rm:*)", "write(./src/**)", "read(./**)"],
    "ask": ["mcp(github:*)", "effect(network)", "run(node:x)", "read(/etc/**)"],
    "deny": ["shell(evil:*)", "read(./.env)", "write(./infra/**)", "fetch(domain:evil.example)"],
}


class Broken(Exception):
    """Raised by a function that works in the product."""


def _broken(*_: object, **__: object) -> object:
    raise Broken


def _stopped(*_: object, **__: object) -> object:
    raise StopIteration


def _unreadable(*_: object, **__: object) -> object:
    raise CallUnreadable("Made up.")


def _modules() -> Iterator[ModuleType]:
    """All that judging goes through: what lies below the disk, but the values themselves."""
    judging = tuple(f"assent.gate.{room}" for room in rooms_below("disk"))
    values = {f"assent.gate.call.{module}" for module in ("calls", "lifecycle", "errors")}
    for name in map(module_name, server_modules()):
        if name.startswith(judging) and name not in values:
            yield importlib.import_module(name)


def _functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    """The functions that are written in a module, also in its classes."""
    for holder in (module, *(it for it in vars(module).values() if isinstance(it, type))):
        for name, held in list(vars(holder).items()):
            function: Any = getattr(held, "fget", None) or getattr(held, "__func__", held)
            function = getattr(function, "__wrapped__", function)
            if (
                isinstance(function, FunctionType)
                and function.__module__ == module.__name__
                and function.__code__.co_filename == module.__file__
                and not function.__code__.co_freevars
            ):
                yield f"{module.__name__}.{getattr(holder, '__name__', '')}.{name}", function


FUNCTIONS: Final = dict(pair for module in _modules() for pair in _functions(module))

POLICIES: Final = tuple(
    Policy(mode=mode, book=book_of_case(RULES, PLACES), trusted=True)
    for mode in (Mode.DEFAULT, Mode.AUTO)
)

CALLS: Final = tuple(
    (call_of(Question(tool=tool, input=given), PLACES), policy)
    for tool, given in (*(("shell", {"command": text}) for text in SHELL), *OTHERS)
    for policy in POLICIES
)


def test_what_is_asked_and_denied_is_enough_to_tell() -> None:
    assert len(FUNCTIONS) > 100
    assert len(_refused(CALLS)) > 25


@pytest.mark.requirement("T-12")
@each_row("broken", [_broken, _stopped, _unreadable])
@pytest.mark.long
def test_nothing_is_allowed_because_something_failed(
    broken: FunctionType, monkeypatch: pytest.MonkeyPatch
) -> None:
    through = _going_through(_refused(CALLS))
    assert len(through) > 100
    allowed = []
    for name, function in FUNCTIONS.items():
        reaching = through.get(function.__code__, [])[:MOST]
        with monkeypatch.context() as patched:
            patched.setattr(function, "__code__", broken.__code__)
            allowed += [(name, call.input) for call, policy in reaching if _passes(call, policy)]
    assert allowed == []


def _refused(calls: tuple[Asked, ...]) -> list[Asked]:
    return [(call, policy) for call, policy in calls if not _passes(call, policy)]


def _going_through(calls: list[Asked]) -> dict[CodeType, list[Asked]]:
    """The calls that are judged by means of each function."""
    through: dict[CodeType, list[Asked]] = defaultdict(list)
    for asked in calls:
        seen: set[CodeType] = set()
        sys.setprofile(lambda frame, *_, seen=seen: seen.add(frame.f_code))
        try:
            _passes(*asked)
        finally:
            sys.setprofile(None)
        for code in seen:
            through[code].append(asked)
    return through


def _passes(call: Call, policy: Policy) -> bool:
    try:
        return decide(call, policy, PLACES).verdict is Verdict.ALLOW
    except Exception:  # noqa: BLE001 -- who gets no ruling is not allowed anything
        return False
