"""The arguments of a call by name, for cards that draw nothing else."""

from collections.abc import Iterator
from difflib import unified_diff
from itertools import islice
from typing import Any, Final

from assent.editor.cards.pages import seen_in, unsaid
from assent.gate.call.calls import Call

__all__ = ["given_in"]


def given_in(call: Call) -> Iterator[tuple[str, Any]]:
    """What the body of rows draws: of a server's tool, which its title names, each argument."""
    given = call.input
    arguments = given.get("arguments")
    if call.tool == "mcp" and call.unreadable is None and isinstance(arguments, dict):
        yield from seen_in(call)
        omitted_names = unsaid(call)
        yield from (
            (str(name), value) for name, value in arguments.items() if name not in omitted_names
        )
        given = {name: value for name, value in given.items() if name not in _OF_SERVERS}
    if call.tool == "network":
        given = {"command": given.get("command")}
    yield from ((str(name), value) for name, value in given.items())
    if call.described is not None and call.described.before is not None:
        yield _CHANGED, _changes(call.described.before, call.described.now)


_OF_SERVERS: Final = frozenset({"server", "tool", "arguments", "page"})
_CHANGED: Final = "What its server says of it, before (-) and now (+)"


def _changes(before: str, now: str) -> str:
    """What changed in what is said of a tool, by its lines."""
    if not before:
        return now
    lines = unified_diff(before.splitlines(), now.splitlines(), lineterm="", n=1)
    # Behind the two lines that name files, which these are not.
    return "\n".join(line for line in islice(lines, 2, None) if not line.startswith("@@"))
