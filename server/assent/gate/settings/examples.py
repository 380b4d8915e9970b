"""The examples beside a rule: checks that the rule covers what it says, and spares the rest.

An example is what the tool is given: a command line, a path, a host or an address, a name.
"""

import posixpath
from collections.abc import Callable, Sequence
from typing import Final, Literal
from urllib.parse import urlsplit

from assent.gate.call.calls import AgentId, Target
from assent.gate.call.modes import Mode
from assent.gate.rules.arguments import arguments_of
from assent.gate.rules.book import Asker, Book, RuleMatches, WrittenRule
from assent.gate.rules.entries import NOTHING
from assent.gate.rules.environment import given_to, shared_by
from assent.gate.rules.spelling import RuleRefused
from assent.gate.settings.layers import shown
from assent.gate.text.addresses import host_of
from assent.gate.text.host_and_port import host_and_port
from assent.gate.values import evolve

__all__ = ["ASKER", "HOME", "ROOT", "false_example", "target_of"]

ROOT: Final = "/workspace"
HOME: Final = "/home/you"
"""Examples are judged without looking at any disk."""

ASKER: Final = Asker(agent=AgentId(""), mode=Mode.DEFAULT)


def false_example(rule: WrittenRule, matches: Sequence[str], spares: Sequence[str]) -> str | None:
    """What is wrong with the first example that is not as it says, if one is not."""
    if not matches and not spares:
        return None
    plain = evolve(rule, agent=None, mode=None, until=None, folder="", in_sandbox=False)
    book = Book.of((plain,), (ROOT,), HOME)
    for example in matches:
        if not _covers(book, plain, example):
            return f"it should match {shown(example)}, and does not"
    for example in spares:
        if _covers(book, plain, example):
            return f"it should spare {shown(example)}, and does not"
    return None


def target_of(path: str) -> Target:
    """A path of an example, relative to the workspace unless it says otherwise."""
    whole = HOME + path[1:] if path == "~" or path.startswith("~/") else path
    named = posixpath.normpath(posixpath.join(ROOT, whole))
    inside = named == ROOT or named.startswith(f"{ROOT}/")
    return Target(spelled=path, resolved=named, named=named, inside=inside, shown=path)


def _covers(book: Book, rule: WrittenRule, example: str) -> bool:
    matches = _LOOKS[rule.tool](book, example)
    return rule in (matches.deny, matches.ask, matches.allow)


def _look_shell(book: Book, example: str) -> RuleMatches:
    """Of several commands, one that is refused refuses, and all must be allowed to be so."""
    # Reading commands takes a parser, which a server that has just started does without.
    from assent.gate.programs.read_lines import read_script  # noqa: PLC0415

    script = read_script(example)
    shared = shared_by(script, None, lambda _: False)
    each = [
        book.shell(command.argv, ASKER, given_to(command, shared))
        for command in script.commands
        if command.argv and not command.wraps
    ]
    denied = next((matches.deny for matches in each if matches.deny), None)
    asked = next((matches.ask for matches in each if matches.ask), None)
    allowed = [matches.allow for matches in each]
    readable = bool(allowed) and not script.opaque and all(allowed)
    return RuleMatches(deny=denied, ask=asked, allow=allowed[0] if readable else None)


def _look_path(what: Literal["read", "write"]) -> Callable[[Book, str], RuleMatches]:
    return lambda book, example: book.path(what, target_of(example), ASKER)


def _look_host(book: Book, example: str) -> RuleMatches:
    address = example if "://" in example else f"https://{example}"
    try:
        host = urlsplit(address).hostname or ""
    except ValueError:
        host = ""
    return book.host(f"[{host}]" if ":" in host else host, ASKER)


def _look_connection(book: Book, example: str) -> RuleMatches:
    host, port = host_and_port(example)
    address = host_of(host)
    return book.network(
        address.host if address else host, int(port) if port.isdecimal() else 0, ASKER
    )


def _look_name(kind: Literal["run", "agent"]) -> Callable[[Book, str], RuleMatches]:
    return lambda book, example: book.tool(kind, example, ASKER)


def _look_served(book: Book, example: str) -> RuleMatches:
    """A tool of a server, with its arguments in braces as a rule has them."""
    name, brace, named = example.partition("{")
    try:
        given = dict(arguments_of(named.removesuffix("}"))) if brace else {}
    except RuleRefused:
        return NOTHING
    return book.tool("mcp", name.strip(), ASKER, given)


_LOOKS: Final[dict[str, Callable[[Book, str], RuleMatches]]] = {
    "shell": _look_shell,
    "read": _look_path("read"),
    "write": _look_path("write"),
    "fetch": _look_host,
    "network": _look_connection,
    "mcp": _look_served,
    "run": _look_name("run"),
    "agent": _look_name("agent"),
    "effect": lambda book, example: book.effect(example, ASKER),
}
