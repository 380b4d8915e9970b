"""Assent's own decisions: the rules in a book, the facts about files given by the caller.

A call comes as the gate gets it, its paths located. What is measured beside reads no disk, so the
decisions that are compared with it are given what the disk says from memory. What a call takes
whole, decided once and with its paths followed on the disk, is told beside.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from operator import call as do
from pathlib import Path
from typing import Any, Final, cast

from attrs import evolve

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Edit, Effect, Premise, Target
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.programs.read_lines import read_script
from assent.gate.rules import command_index
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.facts import Facts
from assent.gate.ruling.policy import Policy
from bench.taking import by_kind, once, told

__all__ = ["input_of", "text_of"]

_REMEMBERING: Final = (read_script, command_index._others)
"""What keeps what it read of a command; each decision is to read it anew."""


class _Known:
    """What the disk says, looked up once and told from memory after that."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def __getattr__(self, name: str) -> Callable[..., Any]:
        told = _remembering(getattr(self._places, name))
        setattr(self, name, told)
        return told


def _remembering(look: Callable[..., Any]) -> Callable[..., Any]:
    known: dict[object, Any] = {}

    def told(*given: object) -> Any:
        # Comparing all of a target takes longer than a decision; the calls keep theirs.
        key = given
        if Target in map(type, given):
            key = tuple(id(it) if type(it) is Target else it for it in given)
        if key not in known:
            known[key] = look(*given)
        return known[key]

    return told


def main() -> None:
    """Decide what the file says, in the folder that it names."""
    given = json.loads(Path(sys.argv[1]).read_bytes())
    folder, home = given["folder"], str(Path(given["folder"]).parent)
    rules = [written(text_of(rule), Verdict[rule["verdict"].upper()]) for rule in given["rules"]]
    book = Book.of(rules, roots=(folder,), home=home)
    policy = Policy(mode=Mode.ASK, book=book)
    state = Premise(path=f"{home}/state", name="Assent's own state")
    places = Places(roots=(folder,), home=home, premises=Premises.of([state], [folder]))
    whole = [(call["kind"], partial(_whole, call, policy, places)) for call in given["calls"]]
    cold = {f"once {kind}": list(once(do, of_kind)) for kind, of_kind in by_kind(whole)}
    known = cast("Facts", _Known(evolve(places)))
    calls = [(call["kind"], _asked(call, places)) for call in given["calls"]]

    def ruled(call: Call) -> Ruling:
        return decide(call, policy, known)

    for _, call in calls:
        if call is not None:
            # So that nothing is left to be looked up.
            ruled(call)
    told(ruled, _said, calls, _forget, **cold)


def _forget() -> None:
    for remembering in _REMEMBERING:
        remembering.cache_clear()


def _whole(call: dict[str, Any], policy: Policy, places: Places) -> object:
    """All that a call takes: it is read, its paths are followed on the disk, it is decided."""
    facts = evolve(places)
    if call["kind"] == "locate":
        return facts.locate(call["path"], facts.roots[0])
    return decide(call_of(call, facts), policy, facts)


def _asked(call: dict[str, Any], places: Places) -> Call | None:
    """The call; none where a path is only to be located, on which nothing rules."""
    return None if call["kind"] == "locate" else call_of(call, evolve(places))


def text_of(rule: dict[str, Any]) -> str:
    """A rule in our notation."""
    match rule["kind"]:
        case "shell":
            return f"shell({' '.join(rule['words'])}:*)"
        case "path":
            last = f"*{rule['ending']}" if rule["ending"] else "**"
            return f"{rule['verb']}(./{rule['folder']}/{last})"
        case "mcp":
            return f"mcp({rule['server']}:{rule['tool']})"
        case _:
            return f"fetch(domain:{'*.' if rule['below'] else ''}{rule['host']})"


def input_of(call: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The tool of a call, and its input."""
    match call["kind"]:
        case "path" if call["verb"] == "read":
            return "read", {"path": call["path"]}
        case "path":
            return "write", {"path": call["path"], "content": "a few words\n"}
        case "mcp":
            arguments = {"number": call["number"]}
            return "mcp", {"server": call["server"], "tool": call["tool"], "arguments": arguments}
        case "fetch":
            return "fetch", {"url": call["url"]}
        case _:
            return "shell", {"command": call["command"]}


def call_of(call: dict[str, Any], places: Places) -> Call:
    """A call as it comes to the gate."""
    tool, given = input_of(call)
    targets = (places.locate(given["path"], places.roots[0]),) if "path" in given else ()
    edits: tuple[Edit, ...] = ()
    if tool == "write":
        edits = (Edit(path=targets[0].resolved, old=None, new=given["content"]),)
    return Call(
        id=CallId("c1"),
        chat=ChatId("c1"),
        agent=AgentId("agent"),
        tool=tool,
        effect=_EFFECTS[tool],
        input=given,
        cwd=places.roots[0],
        targets=targets,
        edits=edits,
        action="write" if edits else "",
    )


_EFFECTS: Final = {
    "shell": Effect.EXECUTE,
    "read": Effect.READ,
    "write": Effect.WRITE,
    "mcp": Effect.EXTERNAL,
    "fetch": Effect.EXTERNAL,
}


def _said(ruling: Ruling) -> str:
    if ruling.because.startswith("The policy could not judge"):
        raise AssertionError(ruling.because)
    return ruling.verdict.name.lower()


if __name__ == "__main__":
    main()
