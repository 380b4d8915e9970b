"""Rules on calls beyond the workspace's files: addresses, server tools, runs, agents.

Each address that a request may be sent on to is judged as the first. What a server says of its
own tools can only make them be asked about.
"""

import unicodedata
from collections.abc import Collection, Iterator
from typing import Any, Final
from urllib.parse import unquote

from assent.gate.call.calls import Call, Effect, handed_in
from assent.gate.call.modes import Reach, reach_of
from assent.gate.call.verdicts import Deed, Ruling, Verdict
from assent.gate.rules.arguments import arguments_in, perhaps_arguments_in
from assent.gate.rules.book import RuleMatches
from assent.gate.rules.entries import NOTHING, only_perhaps
from assent.gate.rules.lookups import NO_ARGUMENTS, Named
from assent.gate.ruling.denied_paths_in_input import refused_path
from assent.gate.ruling.policy import rules_about
from assent.gate.ruling.ruling_context import (
    RulingContext,
    all_against,
    asked,
    by_found,
    strictest,
    unless_refused,
)
from assent.gate.ruling.unknown_tool_input import against_handed
from assent.gate.text.addresses import Address, address_of, host_of
from assent.gate.text.host_and_port import MAX_PORT
from assent.gate.text.lazy_patterns import late

__all__ = [
    "CHANGED",
    "ODD",
    "UNTOLD",
    "against_names",
    "hosts_in",
    "rule_on_fetch",
    "rule_on_network",
    "rule_on_tool",
    "rule_on_url",
    "why_near",
]

_ALLOW, _EXTERNAL, _NETWORK = Verdict.ALLOW, Reach.EXTERNAL, Reach.NETWORK
_NEAR: Final = "{} is on this machine or its own network."

UNTOLD: Final = frozenset({"other", "mcp", "agent"})
"""Tools of which nobody knows what they do with what they are given."""
CHANGED: Final = "This tool is another than the one that you allowed."
ODD: Final = "It names an address that is no plain web address."
_ODD_HOST: Final = "It names a host or a port that programs may read differently."
_URL: Final = late(r"(?i)\bhttps?:[/\\]+[^\s\"'<>`]+")
_HOST: Final = late(
    r"(?:[\w+.-]+:)?(?://)?(?:[^\s/@]*@)?([\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:[/?#]\S*)?"
)
_NOBODYS: Final = "nobody.invalid"
_MAX_NAME_LETTERS: Final = 200
"""A longer text only tells of hosts that its addresses name."""
_USER: Final = late(r"(?<=//)[^/?#\\]*@")
"""Whoever is said to ask, which does not change where a request goes."""
_MAX_TEXTS: Final = 1_000

_USUAL: Final = late(r"[A-Za-z0-9_.:/-]+")

_KINDS: Final[dict[str, Named]] = {
    "mcp": "mcp",
    "run": "run",
    "agent": "agent",
}


def rule_on_fetch(context: RulingContext) -> Ruling:
    """What is said of a request and of everywhere that it is sent on to."""
    first, *further = _urls(context.call.input)
    # The person named the engine that is asked to search, wherever it is.
    ruling = rule_on_url(context, first, is_engine=reach_of(context.call) is Reach.SEARCH)
    return strictest([ruling, *(rule_on_url(context, it) for it in further)]) if further else ruling


def rule_on_network(context: RulingContext) -> Ruling:
    """What is said of a connection that a command in the sandbox asks for."""
    host, port = context.call.input.get("host"), context.call.input.get("port")
    address = host_of(host) if isinstance(host, str) else None
    if address is None or type(port) is not int or not 0 < port <= MAX_PORT:
        return Ruling(verdict=Verdict.DENY, because=_ODD_HOST)
    matches, by_mode = context.book.network(address.host, port, context), context.by_mode(_NETWORK)
    named = _names(matches, rules_about(context.call))
    why = _NEAR.format(address.host) if address.near and not named else None
    return _on_host(by_found(matches), why, by_mode)


def rule_on_tool(context: RulingContext) -> Ruling:
    """What is said of a server's tool, of something to run, or of another agent."""
    by_mode = context.by_mode(reach_of(context.call))
    if ":" in str(context.call.input.get("server", "")):
        because = "Its server has a colon in its name, so it could be taken for another."
        return unless_refused(asked(because), by_mode)
    name = _name(context)
    if not _is_plain(name):
        because = "It has letters in its name that could be taken for others."
        return unless_refused(asked(because), by_mode)
    given = arguments_in(context.call.input)
    matches = context.book.tool(_KINDS[context.call.tool], name, context, given)
    said = unless_refused(by_found(matches) or by_mode, by_mode)
    if said.verdict is _ALLOW:
        said = refused_path(context) or said
    named = matches.allow is not None and not matches.allow.about.endswith("*")
    if said.verdict is _ALLOW and not named and _is_destructive(context.call.input):
        return asked("Its server says of this tool that it may destroy something.")
    return said


def against_names(context: RulingContext) -> Iterator[Ruling]:
    """What rules say against a call by the names and the addresses that come with it.

    What an agent calls its call, and what it hands on to a tool of which no more is known, can
    only tighten.
    """
    if context.book.rules:
        yield from all_against(_about_names(context))
    if _is_unknown(context.call) and handed_in(context.call):
        yield from against_handed(context, _name(context))


def _about_names(context: RulingContext) -> Iterator[RuleMatches]:
    call, book = context.call, context.book
    # An agent that only names a tool may have put its arguments anywhere.
    where = arguments_in if call.tool == "mcp" else perhaps_arguments_in
    given = where(call.input) if call.served else NO_ARGUMENTS
    yield from (book.tool("mcp", name, context, given) for name in call.served)
    if _is_unknown(call):
        yield from _about_addresses(context)
        if book.on_effects:
            yield only_perhaps(book.effect("network", context))


def _is_unknown(call: Call) -> bool:
    return call.tool in UNTOLD and call.effect is not Effect.CHAT


def _about_addresses(context: RulingContext) -> Iterator[RuleMatches]:
    """The rules about hosts that a call names; one that it only mentions it may not reach."""
    for text in handed_in(context.call)[:_MAX_TEXTS]:
        urls = _URL.findall(text)
        told = [(url, address_of(_USER.sub("", url))) for url in urls]
        for url, address in told:
            if address is not None:
                matches = context.book.host(address.host, context)
                yield matches if url == text.strip() else only_perhaps(matches)
        # A host may be given in other pieces, or as nobody spells an address.
        odd = (
            not urls
            or any(address is None or "%" in address.host for _, address in told)
            or "\\" in text
        )
        plain = unquote(text).replace("\\", "/") if odd and len(text) <= _MAX_NAME_LETTERS else ""
        host = _HOST.fullmatch(plain.strip())
        # Where all hosts are refused, no name of a file is to be one.
        if host is not None and context.book.host(_NOBODYS, context) is NOTHING:
            yield only_perhaps(context.book.host(host[1].casefold(), context))


def hosts_in(call: Call) -> tuple[Deed, ...]:
    """The hosts that a request reaches."""
    if call.tool == "network":
        to = f"{call.input.get('host')}:{call.input.get('port')}"
        return (Deed(kind="network", what=to, inside=False),)
    addresses = [address_of(url) for url in _urls(call.input)]
    return tuple(
        Deed(kind="network", what=address.host, inside=False) for address in addresses if address
    )


def rule_on_url(context: RulingContext, url: str, *, is_engine: bool = False) -> Ruling:
    """What is said of a request to one address."""
    address = address_of(url)
    by_mode = context.by_mode(Reach.SEARCH if is_engine else _EXTERNAL)
    if address is None:
        return unless_refused(asked(ODD), by_mode)
    matches = context.book.host(address.host, context)
    near = None if is_engine else why_near(context, address)
    return _on_host(by_found(matches), near, by_mode)


def _on_host(said: Ruling | None, near: str | None, by_mode: Ruling) -> Ruling:
    """What rules say of a host, else why it is asked about for being near, else the mode."""
    if said is not None and said.verdict is not _ALLOW:
        return unless_refused(said, by_mode)
    return unless_refused(asked(near), by_mode) if near is not None else said or by_mode


def why_near(context: RulingContext, address: Address | None) -> str | None:
    """Why a request to a host is asked about that is near; None where a rule names that host."""
    if (
        address is None
        or not address.near
        or _names(context.book.host(address.host, context), {f"fetch(domain:{address.host})"})
    ):
        return None
    return _NEAR.format(address.host)


def _names(rule_matches: RuleMatches, texts: Collection[str]) -> bool:
    """Whether a rule that allows was written for exactly this host."""
    allowing = (rule_matches.allow, *rule_matches.others)
    return any(rule is not None and rule.text in texts for rule in allowing)


def _urls(given: dict[str, Any]) -> list[str]:
    return [str(given.get("url", "")), *map(str, given.get("redirects") or ())]


def _name(context: RulingContext) -> str:
    given = context.call.input
    if context.call.tool == "mcp":
        return f"{given.get('server', '')}:{given.get('tool', '')}"
    return str(given.get("name", ""))


def _is_plain(name: str) -> bool:
    """Whether everybody reads it alike."""
    if _USUAL.fullmatch(name):
        return True
    bare = all(part == part.strip() for part in name.split(":"))
    return bare and name.isprintable() and unicodedata.is_normalized("NFKC", name)


def _is_destructive(given: dict[str, Any]) -> bool:
    hints = given.get("annotations")
    hint = hints.get("destructiveHint") if isinstance(hints, dict) else None
    return hint is not None and hint is not False
