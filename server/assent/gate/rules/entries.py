"""Rules in order, and the first one of each verdict that applies to an agent.

The order is the same however the rules arrive in it: what denies stands before what asks, that
before what allows, and among equals the most specific comes first, then the first written.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from assent.gate.call.verdicts import Verdict
from assent.gate.rules.written_rules import Asks, Given, RuleMatches, WrittenRule
from assent.gate.values import frozen

__all__ = ["NOTHING", "Entry", "first_of", "found_among", "narrowed", "only_perhaps", "ranked"]

NOTHING: Final = RuleMatches()

_ALONE: Final[dict[Verdict, Callable[[WrittenRule], RuleMatches]]] = {
    Verdict.ALLOW: lambda rule: RuleMatches(allow=rule),
    Verdict.ASK: lambda rule: RuleMatches(ask=rule),
    Verdict.DENY: lambda rule: RuleMatches(deny=rule),
}


@frozen(kw_only=True, eq=False)
class Entry:
    """A rule with its place in the order; the lowest rank is told of."""

    rank: int
    rule: WrittenRule
    limited: bool
    """Whether it does not count for everybody, at any time, everywhere."""
    alone: RuleMatches
    """What is found where no other rule is."""

    def counts(self, asker: Asks) -> bool:
        """Whether the rule holds for who asks."""
        rule = self.rule
        return not self.limited or (
            rule.agent in {None, asker.agent}
            and rule.mode in {None, asker.mode}
            and (rule.until is None or asker.now <= rule.until)
            and (asker.in_sandbox or not rule.in_sandbox)
        )


def ranked(
    rules: Iterable[WrittenRule], specific: Callable[[WrittenRule], tuple[int, ...]]
) -> list[Entry]:
    """The rules in their order, the one that is told of first at rank 0.

    A rule that says again what another said is left out.

    >>> from assent.gate.rules.notation import written
    >>> git = written("shell(git:*)", Verdict.ALLOW)
    >>> push = written("shell(git push:*)", Verdict.ALLOW)
    >>> denied = written("shell(git:*)", Verdict.DENY)
    >>> entries = ranked([git, push, denied, git], lambda rule: (len(rule.words),))
    >>> [f"{it.rule.verdict.word} {it.rule.text}" for it in entries]
    ['deny shell(git:*)', 'allow shell(git push:*)', 'allow shell(git:*)']
    """
    once: dict[tuple[object, ...], WrittenRule] = {}
    for rule in rules:
        once.setdefault((rule.verdict, rule.text, *rule.limits), rule)
    # Python sorts stably, in reverse too: those that are equal stay as they were written.
    ordered = sorted(once.values(), key=lambda it: (it.verdict, specific(it)), reverse=True)
    return [
        Entry(
            rank=rank,
            rule=rule,
            limited=rule.is_limited,
            alone=_ALONE[rule.verdict](rule),
        )
        for rank, rule in enumerate(ordered)
    ]


def first_of(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """As many of the first as are needed for one to count, whoever asks.

    They are in order, and end with the first that holds for everybody.

    >>> from assent.gate.rules.notation import written
    >>> mine = written("shell(git:*)", Verdict.ASK, agent="eliza")
    >>> rules = [mine, written("shell(git:*)", Verdict.ASK), written("shell(make:*)", Verdict.ASK)]
    >>> [it.rule.agent for it in first_of(ranked(rules, lambda _: ()))]
    ['eliza', None]
    """
    kept = []
    for entry in sorted(entries, key=lambda it: it.rank):
        kept.append(entry)
        if not entry.limited:
            break
    return tuple(kept)


def narrowed(entries: Sequence[Entry], given: Given) -> list[Entry]:
    """The rules whose variables a command is given, with these values.

    Of those that allow only the ones stay that name the most of them.

    >>> from assent.gate.rules.notation import written
    >>> texts = ["shell(PORT=80 make:*)", "shell(make:*)"]
    >>> entries = ranked([written(it, Verdict.ALLOW) for it in texts], lambda _: ())
    >>> [it.rule.text for it in narrowed(entries, {"PORT": "80"})]
    ['shell(PORT=80 make:*)']
    >>> [it.rule.text for it in narrowed(entries, {"PORT": "22"})]
    ['shell(make:*)']
    """
    fitting = [entry for entry in entries if entry.rule.fits(given)]
    most = max((len(entry.rule.variables) for entry in fitting), default=0)
    return [
        entry
        for entry in fitting
        if entry.rule.verdict is not Verdict.ALLOW or len(entry.rule.variables) == most
    ]


def found_among(certain: Sequence[Entry], perhaps: Sequence[Entry], asker: Asks) -> RuleMatches:
    """The first rule of each verdict that counts for who asks.

    `certain` are about it; `perhaps` would be, if a word were what it may be.

    >>> from assent.gate.call.modes import Mode
    >>> from assent.gate.rules.notation import written
    >>> from assent.gate.rules.written_rules import Asker
    >>> others = written("shell(git:*)", Verdict.DENY, agent="another")
    >>> entries = ranked([others, written("shell(git:*)", Verdict.ALLOW)], lambda _: ())
    >>> found = found_among(entries, (), Asker(agent="eliza", mode=Mode.DEFAULT))
    >>> found.deny, found.allow.text
    (None, 'shell(git:*)')
    """
    if not perhaps and len(certain) < 2:  # noqa: PLR2004 -- most often there is none, or one
        if not certain:
            return NOTHING
        one = certain[0]
        return one.alone if not one.limited or one.counts(asker) else NOTHING
    best: list[Entry | None] = [None, None, None]
    for entry in certain:
        verdict = entry.rule.verdict
        before = best[verdict]
        if (before is None or entry.rank < before.rank) and entry.counts(asker):
            best[verdict] = entry
    suspect: Entry | None = None
    for entry in perhaps:
        if (suspect is None or entry.rank < suspect.rank) and entry.counts(asker):
            suspect = entry
    if suspect in best:
        suspect = None
    allow, ask, deny = best[Verdict.ALLOW], best[Verdict.ASK], best[Verdict.DENY]
    return RuleMatches(
        deny=deny.rule if deny else None,
        ask=ask.rule if ask else None,
        allow=allow.rule if allow else None,
        others=_others(certain, allow, asker) if allow else (),
        perhaps=suspect.rule if suspect else None,
    )


def only_perhaps(rule_matches: RuleMatches) -> RuleMatches:
    """What denies or asks of what is found, where that only may be about it.

    >>> from assent.gate.rules.notation import written
    >>> rule = written("shell(rm:*)", Verdict.DENY)
    >>> only_perhaps(RuleMatches(deny=rule)).perhaps.text, only_perhaps(NOTHING) is NOTHING
    ('shell(rm:*)', True)
    """
    refuses = rule_matches.deny or rule_matches.ask
    return NOTHING if refuses is None else RuleMatches(perhaps=refuses)


def _others(certain: Sequence[Entry], allow: Entry, asker: Asks) -> tuple[WrittenRule, ...]:
    """The rules that allow it besides the first, in their order."""
    more = [
        entry
        for entry in certain
        if entry is not allow and entry.rule.verdict is Verdict.ALLOW and entry.counts(asker)
    ]
    return tuple(entry.rule for entry in sorted(more, key=lambda entry: entry.rank))
