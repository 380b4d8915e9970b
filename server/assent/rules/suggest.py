"""Suggests rules for an answer that is meant for always: for each part that asked, the narrowest.

A suggestion is tried before it is made: with it in force the part passes, without it it does not.
What a person could not see whole, and what no rule may lift, gets none.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from assent.calls import Call
from assent.programs.inputs import is_given, takes_code
from assent.rules.drafting import (
    NEVER,
    by_meaning,
    by_name,
    commands_of,
    exactly,
    on_path,
    paths_of,
    seen_whole,
    spelled,
    to_the_letter,
    with_flags,
    words_in,
)
from assent.rules.drafts import NONE, Drafts
from assent.rules.notation import RuleRefused, written
from assent.rules.written import WrittenRule
from assent.text.addresses import address_of
from assent.verdicts import Deed, Part, Ruling, Verdict

__all__ = ["MOST", "Trial", "drafts_for"]

MOST: Final = 5
"""More rules at once nobody reads."""

_TRIED: Final = 2
"""So many rules are tried for each part that is to be denied."""

_BY_INPUT: Final = "No rule is offered: what it runs comes from its input, which no rule names."

Trial = Callable[[tuple[WrittenRule, ...]], Ruling]
"""Rules on the call with these rules in force, beside those that are."""

Alternative = tuple[str, ...]


def drafts_for(call: Call, ruling: Ruling, trial: Trial) -> Drafts:
    """The rules that are suggested for a question about a call.

    `trial` rules on it again, with further rules in force.

    >>> from assent.calls import Effect
    >>> from assent.modes import Mode
    >>> from assent.policy.decide import decide
    >>> from assent.policy.policy import Policy
    >>> from assent.rules.book import Book
    >>> whose = {"id": "1", "chat": "c", "agent": "eliza", "cwd": "/w"}
    >>> given = {"server": "files", "tool": "read"}
    >>> call = Call(tool="mcp", effect=Effect.EXTERNAL, input=given, **whose)
    >>> trial = lambda rules: decide(call, Policy(mode=Mode.DEFAULT, book=Book(rules=rules)))
    >>> drafts_for(call, trial(()), trial)
    Drafts(allow=('mcp(files:read)',), deny=('mcp(files:read)',), why='', for_workspace=True)
    """
    if not ruling.lasting or call.unreadable is not None:
        return NONE
    asking = {part.text for part in ruling.parts if part.verdict is not Verdict.ALLOW}
    # More rules than are shown could not be tried either: each trial judges the whole call.
    hopeless = len(asking) > MOST or _asked_by_rule(ruling)
    allow = () if hopeless else _first_that_allows(call, ruling, trial)
    why = _BY_INPUT if not allow and _is_by_input(call, ruling) else ""
    return Drafts(allow=allow, deny=_those_that_deny(call, ruling, trial), why=why)


def _is_by_input(call: Call, ruling: Ruling) -> bool:
    """Whether a part asked that takes from its input what it runs."""
    if call.tool != "shell":
        return False
    asking = [part for part in ruling.parts if part.verdict is not Verdict.ALLOW]
    commands = [it for part in asking for it, _ in commands_of(call, part)]
    return any(is_given(it) and takes_code([word.text for word in it.argv]) for it in commands)


def _asked_by_rule(ruling: Ruling) -> bool:
    """Whether a rule asks, which no other rule can lift."""
    said = [(part.verdict, part.rule) for part in ruling.parts]
    asking = [rule for verdict, rule in (*said, (ruling.verdict, ruling.rule)) if verdict]
    return any(rule is not None for rule in asking)


def _first_that_allows(call: Call, ruling: Ruling, trial: Trial) -> Alternative:
    if call.tool != "shell":
        tried = (it for it in _beside_shell(call) if _fits(it))
        return next((it for it in tried if _allows(trial, it)), ())
    chosen: Alternative = ()
    for at, part in enumerate(ruling.parts):
        if part.verdict is Verdict.ALLOW or (chosen and _passes(trial, chosen, at)):
            continue
        alternatives = _for_part(call, part, ruling.deeds)
        found = next((it for it in alternatives if _passes(trial, (*chosen, *it), at)), None)
        if found is None:
            return ()
        chosen = _pruned(trial, chosen, found, at)
    return chosen if chosen and _fits(chosen) and _allows(trial, chosen) else ()


def _those_that_deny(call: Call, ruling: Ruling, trial: Trial) -> Alternative:
    if call.tool != "shell":
        first = next((it for it in _beside_shell(call) if _fits(it)), ())
        return tuple(it for it in first if _denies(trial, it))
    found: dict[str, None] = {}
    asking = [at for at, it in enumerate(ruling.parts) if it.verdict is not Verdict.ALLOW]
    for at in asking[:MOST]:
        # Where a leave for the paths is all that is missing, the paths are what asked.
        paths = tuple(paths_of(ruling.deeds))[:MOST]
        named = [it for it in paths if _denies(trial, it)]
        if not (named and _passes(trial, paths, at)):
            tried = islice(dict.fromkeys(_names_of(call, ruling.parts[at])), _TRIED)
            named = [*islice((it for it in tried if _denies(trial, it)), 1)]
        found |= dict.fromkeys(named)
    return tuple(found)[:MOST]


def _for_part(call: Call, part: Part, deeds: tuple[Deed, ...]) -> Iterator[Alternative]:
    """What could let a part pass, the most useful first."""
    commands = commands_of(call, part)
    if any(command.program in NEVER for command, _ in commands):
        return
    broad = [by_meaning(*it) or to_the_letter(*it) for it in commands]
    wider = [with_flags(*it) or to_the_letter(*it) for it in commands]
    narrow = [to_the_letter(*it) for it in commands]
    paths = tuple(paths_of(deeds))
    for texts in (broad, wider, narrow):
        known = tuple(dict.fromkeys(text for text in texts if text is not None))
        yield known
        if paths:
            yield (*known, *paths)


def _names_of(call: Call, part: Part) -> Iterator[str]:
    """What could deny a part: what asked, and not the program, where that asks about no more."""
    # What a program's words mean takes its tables.
    from assent.programs.study import is_reader, study  # noqa: PLC0415

    # A rule that denies names no variable: it is about the command, whatever that is given.
    commands = [command for command, _ in commands_of(call, part)]
    for command in commands:
        deeds = study(command)
        if deeds.reading:
            # It asked for a path that no rule could name.
            continue
        if is_reader(command):
            flags = [it.partition(" ")[0] for it in deeds.escapes]
            told = [it for it in flags if it.startswith("-") and it in words_in(command)]
            yield from (f"shell({spelled((command.name, it))}:*)" for it in told)
        elif text := by_meaning(command) or by_name(command):
            yield text
        else:
            yield from (f"fetch(domain:{it})" for it in deeds.hosts if it not in {"", "?"})
        if text := exactly(command):
            yield text
    yield from filter(None, map(exactly, commands))


def _beside_shell(call: Call) -> Iterator[Alternative]:
    """What could be said of a call that is no command, the narrowest first."""
    given = call.input
    match call.tool:
        case "read" | "write":
            files = [[*on_path(call.tool, it.shown, inside=it.inside)] for it in call.targets]
            if files and all(files):
                hosts = _host_rule(call.sent_to or "")
                yield tuple(dict.fromkeys([*(it for texts in files for it in texts), *hosts]))
        case "fetch":
            yield _host_rule(str(given.get("url", "")))
        case "mcp":
            yield _named(f"mcp({given.get('server', '')}:{given.get('tool', '')})")
        case "run":
            yield _named(f"run({given.get('name', '')})")
        case "agent":
            yield _named(f"agent({given.get('name', '')})")
        case _:
            return


def _host_rule(url: str) -> Alternative:
    address = address_of(url)
    return (f"fetch(domain:{address.host})",) if address else ()


def _named(text: str) -> Alternative:
    # A star in a name would be read as one for other names.
    shown = None if "*" in text else seen_whole(text)
    return (shown,) if shown else ()


def _fits(texts: Alternative) -> bool:
    return 0 < len(texts) <= MOST


def _pruned(trial: Trial, before: Alternative, added: Alternative, at: int) -> Alternative:
    """What is needed of the added rules to let the part pass."""
    kept = list(dict.fromkeys(it for it in added if it not in before))
    for text in tuple(kept):
        less = [it for it in kept if it != text]
        if _passes(trial, (*before, *less), at):
            kept = less
    return (*before, *kept)


def _passes(trial: Trial, texts: Alternative, at: int) -> bool:
    """Whether a part passes by these rules."""
    rules = _written(texts, Verdict.ALLOW)
    if rules is None or len(rules) > MOST:
        return False
    parts = trial(rules).parts
    return at < len(parts) and parts[at].verdict is Verdict.ALLOW


def _allows(trial: Trial, texts: Alternative) -> bool:
    rules = _written(texts, Verdict.ALLOW)
    return rules is not None and trial(rules).verdict is Verdict.ALLOW


def _denies(trial: Trial, text: str) -> bool:
    rules = _written((text,), Verdict.DENY)
    return rules is not None and trial(rules).verdict is Verdict.DENY


def _written(texts: Alternative, verdict: Verdict) -> tuple[WrittenRule, ...] | None:
    """The rules as they would be read again; None where one of them could not be."""
    try:
        return tuple(written(text, verdict) for text in texts)
    except RuleRefused:
        return None
