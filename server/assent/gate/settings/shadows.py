"""Rules without effect: a stricter one covers them, or no call is of their kind.

What is said here is surely so; a rule that is covered by several others together is not found.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.call.verdicts import Verdict
from assent.gate.rules.book import Book, RuleMatches, WrittenRule
from assent.gate.rules.globs import is_wild
from assent.gate.settings.complaints import Complaints
from assent.gate.settings.examples import ASKER, HOME, ROOT
from assent.gate.shell.word import Exact
from assent.gate.text.host_and_port import host_and_port

__all__ = ["UNREACHED", "tell_dead"]

UNREACHED: Final = frozenset({"network", "run"})
"""Tools that rules may be about, and of which agents of other people can make no call."""

_PROBE: Final = "\u0001"
"""A name that stands in no rule."""

_DEEP: Final = "/".join([_PROBE] * 130)
"""So deep that only what covers everything below is about it."""


def tell_dead(rules: Sequence[WrittenRule], now: float | None, complaints: Complaints) -> None:
    """Warn of rules that have ended, and of those that a stricter rule leaves nothing to say."""
    stricter = [rule for rule in rules if rule.verdict > Verdict.ALLOW and not rule.is_limited]
    book = Book.of(stricter, (ROOT,), HOME)
    for rule in rules:
        if rule.at is None:
            continue
        place = ("rules", *rule.at)
        if now is not None and rule.until is not None and rule.until < now:
            complaints.warn(rule.layer, place, f"`{rule.text}` has ended and does nothing.")
        elif rule.tool == "run" and rule.about.startswith("node:"):
            because = f"Tools of servers are `mcp(server:tool)`, so `{rule.text}` is about nothing."
            complaints.warn(rule.layer, place, because)
        elif rule.tool == "run" and rule.verdict is Verdict.ALLOW:
            because = f"Each step is ruled on by itself, so `{rule.text}` lets nothing pass."
            complaints.warn(rule.layer, place, because)
        elif rule.verdict < Verdict.DENY:
            above = _covering(rule, book)
            if above is not None:
                complaints.warn(rule.layer, place, _describe_shadow(rule, above))


def _describe_shadow(rule: WrittenRule, above: WrittenRule) -> str:
    verb = {Verdict.ASK: "asks about", Verdict.DENY: "denies"}.get(above.verdict, "covers")
    return (
        f"`{rule.text}` never counts: `{above.text}` in {above.source.scope!s} {verb} all that it"
        " covers."
    )


def _covering(rule: WrittenRule, book: Book) -> WrittenRule | None:
    """A stricter rule that is about all that this one covers."""
    for matches in _match_rule(rule, book):
        above = matches.deny or (matches.ask if rule.verdict < Verdict.ASK else None)
        if above is not None and (rule.tool != "shell" or _ends_as_far(rule, above)):
            return above
    return None


def _ends_as_far(rule: WrittenRule, above: WrittenRule) -> bool:
    """Whether whatever follows a rule's words is covered by the one above too."""
    return rule.exact or not above.exact


def _match_rule(rule: WrittenRule, book: Book) -> Iterator[RuleMatches]:
    about = rule.about
    match rule.tool:
        case "shell":
            words = rule.words or (_PROBE,)
            yield book.shell(tuple(Exact(text=word) for word in words), ASKER)
        case "read":
            yield book.path("read", _inmost(about), ASKER)
        case "write":
            yield book.path("write", _inmost(about), ASKER)
        case "fetch":
            yield book.host(about.removeprefix("domain:").replace("*", _PROBE), ASKER)
        case "network":
            host, port = host_and_port(about)
            yield book.network(host.replace("*", _PROBE), int(port or 0), ASKER)
        case "mcp":
            yield book.tool("mcp", about.replace("*", _PROBE), ASKER)
        case "run":
            yield book.tool("run", about.replace("*", _PROBE), ASKER)
        case "agent":
            yield book.tool("agent", about.replace("*", _PROBE), ASKER)
        case _:
            yield book.effect(about, ASKER)


def _inmost(about: str) -> Target:
    """A path that a pattern covers, and that no narrower one does."""
    anchor = {"*": "/*", ".": ROOT, "~": HOME}.get(about.partition("/")[0])
    rest = about.partition("/")[2]
    segments = [
        segment for segment in (f"{anchor}/{rest}" if anchor else about).split("/") if segment
    ]
    wild = next((at for at, segment in enumerate(segments) if is_wild(segment)), None)
    if wild is not None or about.endswith("/"):
        segments = [*segments[:wild], _DEEP]
    path = "/" + "/".join(segments)
    return Target(spelled=path, resolved=path, named=path, inside=True, shown=path)
