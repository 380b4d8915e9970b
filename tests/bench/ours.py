"""Assent's own decisions, whole: the rules in a book, the files of a real folder.

A call comes as the gate gets it, its paths located, with facts of its own as the gate gives
them; what locating takes is told beside.
"""

import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from attrs import evolve

from assent.calls import AgentId, Call, CallId, ChatId, Edit, Effect
from assent.places import Places
from assent.policy.decide import decide
from assent.policy.modes import Mode
from assent.policy.rulebook.book import Book
from assent.policy.rulebook.notation import written
from assent.policy.rules import Policy
from assent.policy.verdicts import Ruling, Verdict
from bench.taking import told

__all__ = ["input_of", "text_of"]


def main() -> None:
    """Decide what the file says, in the folder that it names."""
    given = json.loads(Path(sys.argv[1]).read_bytes())
    folder, home = given["folder"], str(Path(given["folder"]).parent)
    rules = [written(text_of(rule), Verdict[rule["verdict"].upper()]) for rule in given["rules"]]
    book = Book.of(rules, roots=(folder,), home=home)
    policy = Policy(mode=Mode.ASK, book=book)
    calls = [
        (
            call["kind"],
            _asked(call, policy, Places(roots=(folder,), home=home, state=f"{home}/state")),
        )
        for call in given["calls"]
    ]
    told(lambda call: call(), _said, calls)


def _asked(call: dict[str, Any], policy: Policy, places: Places) -> Callable[[], object]:
    if call["kind"] == "locate":
        return partial(places.locate, call["path"], places.roots[0])
    return partial(decide, call_of(call, evolve(places)), policy, places)


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


def _said(ruling: Any) -> str:
    if not isinstance(ruling, Ruling):
        return ""
    if ruling.because.startswith("The policy could not judge"):
        raise AssertionError(ruling.because)
    return ruling.verdict.name.lower()


if __name__ == "__main__":
    main()
