"""Finds rules that would have saved questions, by ruling again on the journal's calls.

Nothing is applied. A rule is proposed only where it would have let pass no call that the person
denied; what else it would let pass is said, whole.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from assent.editor.insights.insights import Question
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.call.errors import AssentError
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.journal.records import is_whole
from assent.gate.journal.row_marks import body_of
from assent.gate.rules.neighbours import neighbours_of
from assent.gate.rules.notation import RuleRefused, written
from assent.gate.rules.suggest import drafts_for
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.settings.agents import ASSENT
from assent.gate.values import evolve, field, frozen

__all__ = ["MAX_PROPOSALS", "Proposal", "Proposals", "call_of", "propose"]

MAX_PROPOSALS: Final = 5
_MAX_QUESTIONS_TRIED: Final = 30
"""Of so many questions, the most frequent ones, rules are made."""
_MAX_QUESTIONS_JUDGED: Final = 400
"""So many different questions are ruled on again, and besides each that was denied."""
_MAX_NEAR_COMMANDS: Final = 6

Rules = tuple[WrittenRule, ...]


@frozen(kw_only=True)
class Proposal:
    """One rule, and what it would have done."""

    rule: str
    saved: int
    """How many questions that the person answered with Allow it would have spared."""
    passes: tuple[str, ...]
    """The calls that these were."""
    row: Mapping[str, Any]
    """The last of these questions."""
    also: tuple[str, ...]
    """What else it would let pass: calls that were not answered, and examples near it."""


@frozen(kw_only=True)
class Proposals:
    """All of them, and what they would have done together."""

    each: tuple[Proposal, ...] = ()
    saved: int = 0
    asked: int = 0
    """How many questions were ruled on again."""
    denied: int = 0
    """How many of the calls that the person denied would pass by them: none."""


@frozen
class _Judging:
    """Rules on the calls of questions as today's policy does, with more rules or without."""

    policy: Callable[[AgentId], Policy]
    places: Places
    asked: tuple[tuple[Question, Call], ...] = field(default=())

    def ruling(self, call: Call, rules: Rules = ()) -> Ruling:
        policy = evolve(self.policy(call.agent), bypassed=frozenset())
        more = evolve(policy.book, rules=(*policy.more.rules, *rules), suspended=frozenset())
        return decide(call, evolve(policy, more=more) if rules else policy, self.places)

    def passing(self, rules: Rules) -> Iterator[tuple[Question, Call]]:
        """Those that would pass by these rules; each is asked about without them."""
        for question, call in self.asked:
            near = any(_may_cover(rule, call) for rule in rules)
            if near and self.ruling(call, rules).verdict is Verdict.ALLOW:
                yield question, call


def propose(
    questions: Sequence[Question], policy: Callable[[AgentId], Policy], places: Places
) -> Proposals:
    """At most five rules that would have spared the most questions, and none that was denied."""
    judging = _Judging(policy, places)
    # What was denied counts however seldom it was asked.
    judged = [
        question
        for at, question in enumerate(questions)
        if at < _MAX_QUESTIONS_JUDGED or question.denied
    ]
    calls = [(question, call_of(question.row, places)) for question in judged]
    asked = [
        (question, call)
        for question, call in calls
        if call is not None and judging.ruling(call).verdict is Verdict.ASK
    ]
    cut = [question for question, call in calls if call is None and question.denied]
    judging = evolve(judging, asked=tuple(asked))
    chosen: list[Proposal] = []
    taken: set[int] = set()
    tried = {
        rule.text: rule
        for rule in _candidates(judging)
        if not any(_may_be_about(rule, question) for question in cut)
    }
    calls_by_rule = {text: list(judging.passing((rule,))) for text, rule in tried.items()}
    good = {text: pairs for text, pairs in calls_by_rule.items() if pairs and not _denied(pairs)}
    while good and len(chosen) < MAX_PROPOSALS:
        text = max(
            good, key=lambda rule_text: (_saved(good[rule_text], taken), -len(rule_text), rule_text)
        )
        covered = good.pop(text)
        if not _saved(covered, taken):
            break
        # Two rules may let pass together what neither does alone.
        both = tuple(
            tried[rule_text] for rule_text in (*(proposal.rule for proposal in chosen), text)
        )
        if _denied(judging.passing(both)):
            continue
        chosen.append(_proposal(judging, tried[text], covered))
        taken |= {id(question) for question, _ in covered}
    rules = tuple(tried[proposal.rule] for proposal in chosen)
    together = [question for question, _ in judging.passing(rules)] if rules else []
    return Proposals(
        each=tuple(chosen),
        saved=sum(question.allowed for question in together),
        asked=sum(question.asked for question, _ in asked),
        denied=sum(question.denied for question in together),
    )


def call_of(row: Mapping[str, Any], places: Places) -> Call | None:
    """A call of the journal, as far as it was kept; None where too little of it was."""
    body = body_of(row)
    if not is_whole(body):
        return None
    try:
        agent, given = AgentId(row["agent"]), dict(body["input"])
        # Whether it could be run in the sandbox was not kept: as far as is known it could.
        has_sandbox = agent == ASSENT.id and not given.get("background")
        return Call(
            id=CallId(row["call"]),
            chat=ChatId(row["chat"]),
            agent=agent,
            tool=body["tool"],
            effect=Effect(body["effect"]),
            input=given,
            cwd=body["cwd"],
            targets=tuple(places.locate(target, body["cwd"]) for target in body["targets"]),
            action="write" if body["tool"] == "write" else "",
            untried="" if has_sandbox and body["tool"] == "shell" else None,
        )
    except (KeyError, ValueError, TypeError, AssentError):
        return None


def _candidates(judging: _Judging) -> Iterator[WrittenRule]:
    """The rules that the most frequent questions would begin with, those of one rule alone."""
    often = [(question, call) for question, call in judging.asked if question.allowed]
    for _, call in often[:_MAX_QUESTIONS_TRIED]:
        ruling = judging.ruling(call)
        drafts = drafts_for(call, ruling, partial(judging.ruling, call), judging.places)
        if len(drafts.allow) == 1:
            try:
                yield written(drafts.allow[0], Verdict.ALLOW)
            except RuleRefused:
                continue


def _proposal(
    judging: _Judging, rule: WrittenRule, covered: Sequence[tuple[Question, Call]]
) -> Proposal:
    saved = [question for question, _ in covered if question.allowed]
    others = tuple(question.what for question, _ in covered if not question.allowed)
    near = tuple(what for what in _near(judging, rule, covered[0][1]) if what not in others)
    return Proposal(
        rule=rule.text,
        saved=sum(question.allowed for question in saved),
        row=max((question.row for question in saved), key=lambda row: int(row["seq"])),
        passes=tuple(dict.fromkeys(question.what for question in saved)),
        also=(*_covered(rule), *others, *near[:_MAX_NEAR_COMMANDS]),
    )


def _covered(rule: WrittenRule) -> Iterator[str]:
    """All that a rule covers whose text does not tell how much that is."""
    match rule.tool:
        case "fetch":
            yield f"every address of {rule.about.removeprefix('domain:')}"
        case "network":
            yield f"all that a command in the sandbox sends to {rule.about}"
        case "mcp":
            server, _, tool = rule.about.partition(":")
            yield f"every call of {tool} of {server}, with any arguments"
        case "agent" | "run":
            yield f"every call of {rule.about}, with any arguments"
        case _:
            return


def _near(judging: _Judging, rule: WrittenRule, like: Call) -> Iterator[str]:
    """Commands near a rule that nobody has asked for, and that it would let pass."""
    known = {question.what for question, _ in judging.asked}
    book = evolve(judging.policy(like.agent).book, rules=(rule,), suspended=frozenset())
    alone = Policy(mode=Mode.ASK, book=book)
    for text in neighbours_of(rule) if rule.words else ():
        call = evolve(like, input={"command": text}, targets=())
        if text not in known and decide(call, alone, judging.places).verdict is Verdict.ALLOW:
            yield text


def _saved(covered: Sequence[tuple[Question, Call]], taken: set[int]) -> int:
    return sum(question.allowed for question, _ in covered if id(question) not in taken)


def _denied(passing: Iterable[tuple[Question, Call]]) -> bool:
    return any(question.denied for question, _ in passing)


def _may_be_about(rule: WrittenRule, question: Question) -> bool:
    """Whether a rule may cover a call of which only a part was kept."""
    if not rule.words:
        return question.tool == rule.tool
    return question.tool == "shell" and rule.words[0] in str(body_of(question.row).get("input"))


def _may_cover(rule: WrittenRule, call: Call) -> bool:
    """Whether it is worth asking: a rule about commands covers none without its program's name."""
    if not rule.words:
        return call.tool != "shell"
    return call.tool == "shell" and rule.words[0] in str(call.input.get("command"))
