"""The ruling context: the call, the policy, the facts about files, and who asks.

Everything that rules on a part of a call says it by these few functions, so that a rule, a mode
and a bypass weigh the same wherever they are met.
"""

from collections.abc import Iterable, Iterator

from assent.gate.call.calls import AgentId, Call, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.modes import MODES, NAMES, Mode, Reach
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.rules.book import Book, RuleMatches, TwoBooks, WrittenRule
from assent.gate.rules.entries import NOTHING
from assent.gate.ruling.facts import Facts
from assent.gate.ruling.policy import Policy
from assent.gate.shell.script import Command
from assent.gate.shell.steps import Budget
from assent.gate.values import define, derived, evolve, field

__all__ = [
    "ON_COPY",
    "RulingContext",
    "against",
    "all_against",
    "asked",
    "by_found",
    "instead",
    "of_mode",
    "strictest",
    "unless_refused",
]

_ASK, _RULE = Verdict.ASK, Actor.RULE


@define(kw_only=True, eq=False)
class RulingContext:
    """What is ruled on, with all that bears on it; nobody changes that.

    Not frozen, since one is made for each call, and making a frozen one takes twice as long.
    """

    call: Call
    policy: Policy
    book: Book | TwoBooks
    """The written rules."""
    facts: Facts
    granted: Ruling | None = field(default=None)
    """What a person said of exactly this call for this chat, where it allows."""
    budget: Budget = field(factory=Budget)
    """The steps that are left for ruling on it."""
    text: str = derived(lambda self: str(self.call.input.get("command", "")))
    """The whole text of a shell call."""
    removals: dict[str, list[Command]] = field(init=False, factory=dict)
    _located: dict[tuple[str, str], Target | None] = field(init=False, factory=dict)

    @property
    def agent(self) -> AgentId:
        """Who asks."""
        return self.call.agent

    @property
    def shell(self) -> str:
        """Which shell reads that."""
        return str(self.call.input.get("shell") or "bash")

    @property
    def mode(self) -> Mode:
        """In what mode that is asked."""
        return self.policy.mode

    @property
    def now(self) -> float:
        """When that is asked."""
        return self.policy.now

    @property
    def in_sandbox(self) -> bool:
        """Whether it would run in the sandbox then."""
        return self.policy.in_sandbox

    @property
    def tops(self) -> tuple[str, ...]:
        """The folders of the workspace, as rules have them."""
        return (*self.policy.book.roots, *self.policy.more.roots)

    def located(self, path: str, folder: str) -> Target | None:
        """Where a path leads for who works in a folder; None where that cannot be told.

        Much is said of the same few words, so each is followed once.
        """
        asked = path, folder
        target = self._located.get(asked)
        if target is None and asked not in self._located:
            try:
                target = self.facts.locate(path, folder)
            except CallUnreadable:
                target = None
            self._located[asked] = target
        return target

    def by_mode(self, reach: Reach, mode: Mode | None = None) -> Ruling:
        """What the mode says; a grant lifts that, and a bypass lifts its question only."""
        if self.granted is not None:
            return self.granted
        policy = self.policy
        said = _BY_MODE[Mode.DEFAULT if policy.braked else mode or policy.mode, reach]
        if policy.on_copy and reach is Reach.EXECUTE and said.verdict is not Verdict.DENY:
            return ON_COPY
        if said.verdict is _ASK and (policy.bypassed or policy.hook is not None):
            return self._lifted() or said
        return said

    def by_mode_on(self, target: Target, reach: Reach) -> Ruling:
        """What the mode says of a path; of a file of the agent's own it says why."""
        said = self.by_mode(reach)
        if not target.is_agents_own or said.by is not Actor.MODE:
            return said
        return evolve(said, because=_AGENTS_OWN[said.verdict].format(target.shown))

    def _lifted(self) -> Ruling | None:
        """What lets a call through about which the mode would only ask."""
        hook = self.policy.hook
        if hook is not None and hook.verdict is Verdict.ALLOW:
            return hook
        return _BYPASSED if self.call.agent in self.policy.bypassed else None


_AGENTS_OWN = {
    Verdict.ALLOW: "The agent keeps {} for itself.",
    Verdict.ASK: "The agent keeps {} for itself, and this mode asks about that too.",
    Verdict.DENY: "The agent keeps {} for itself, and this mode lets nothing be changed.",
}


ON_COPY = Ruling(
    verdict=Verdict.ALLOW,
    because="It runs on a copy of the workspace first.",
)
_BYPASSED = Ruling(
    verdict=Verdict.ALLOW,
    because="You stopped asking for this agent in this workspace.",
    by=Actor.RULE,
    rule="assent.bypassPermissions",
)


def against(rule_matches: RuleMatches) -> Ruling | None:
    """What the strictest of the rules found says that deny or ask; None where there is none."""
    if rule_matches.deny is not None:
        return rule_matches.deny.ruling
    if rule_matches.ask is not None:
        return rule_matches.ask.ruling
    return _perhaps(rule_matches.perhaps) if rule_matches.perhaps is not None else None


def all_against(founds: Iterable[RuleMatches]) -> Iterator[Ruling]:
    """What is said against something by each of what was found of which anything is."""
    # No `map`: to that a function that breaks by `StopIteration` is the end of all.
    for found in founds:
        said = against(found)
        if said is not None:
            yield said


def by_found(rule_matches: RuleMatches) -> Ruling | None:
    """What the strictest of the rules found says; None where there is none."""
    if rule_matches is NOTHING:
        return None
    return against(rule_matches) or (
        rule_matches.allow.ruling if rule_matches.allow is not None else None
    )


def asked(because: str, grave: str | None = None) -> Ruling:
    """A question that nothing lifts, and what of it a person should look at twice."""
    return Ruling(verdict=Verdict.ASK, because=because, lasting=False, grave=grave)


def unless_refused(said: Ruling, by_mode: Ruling) -> Ruling:
    """What is said, where the mode does not refuse: a question loosens no refusal."""
    refused = said.verdict is _ASK and by_mode.verdict is Verdict.DENY
    return by_mode if refused else said


def unless_allowed(said: Ruling, because: str) -> Ruling:
    """What is said, and that it is for this reason where it does not allow."""
    return said if said.verdict is Verdict.ALLOW else evolve(said, because=because)


def strictest(rulings: Iterable[Ruling]) -> Ruling:
    """The strictest of several; of equals what nothing lifts, then what a rule says."""
    all_ = [*rulings]
    # Most often there is one.
    return all_[0] if len(all_) == 1 else max(all_, key=_strictness)


def _strictness(ruling: Ruling) -> tuple[Verdict, bool, bool]:
    return ruling.verdict, not ruling.lasting, ruling.by is _RULE


def _perhaps(rule: WrittenRule) -> Ruling:
    because = f"Whether the rule `{rule.text}` is about this can only be told when it runs."
    return Ruling(
        verdict=Verdict.ASK, because=because, by=Actor.RULE, rule=rule.text, source=rule.source
    )


def of_mode(mode: Mode, reach: Reach) -> Ruling:
    """What a mode says by itself, whoever asks."""
    return _BY_MODE[mode, reach]


def _mode_says(mode: Mode, reach: Reach) -> Ruling:
    verdict = MODES[mode][reach]
    says = {
        Verdict.ALLOW: "lets agents",
        Verdict.ASK: "asks before agents",
        Verdict.DENY: "does not let agents",
    }[verdict]
    return Ruling(verdict=verdict, because=f"{NAMES[mode]} mode {says} {reach}.")


_BY_MODE = {(mode, reach): _mode_says(mode, reach) for mode in Mode for reach in Reach}


def instead(ruling: Ruling, said: Ruling) -> Ruling:
    """What is said in the place of a ruling, with what that found out about the call."""
    if said is ruling:
        return ruling
    return evolve(
        said,
        parts=ruling.parts,
        deeds=ruling.deeds,
        readable=ruling.readable,
        grave=ruling.grave or said.grave,
    )
