"""Statistics of a period's questions; each figure is a count of journal rows.

A question is a decision with a ticket. How long it waited is from the row that asked, to the row
that decided; how long its card was shown, the row itself says.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from assent.gate.call.calls import canonical
from assent.gate.journal.row_marks import body_of
from assent.gate.journal.table import what_of
from assent.gate.values import define, field

__all__ = ["ANSWERERS", "Insights", "Question", "RuleUse", "insights_of"]

Row = Mapping[str, Any]

ANSWERERS: Final = ("you allowed", "you denied", "nobody in time", "in another way")
"""Who answered a question, as it is counted."""

_MIN_REPEATS: Final = 3
"""So often the same answer to the same question makes the others needless."""
_MIN_READING_MS: Final = 1_000
"""A card that was shown for less was not read."""
_BUCKETS: Final = ((2, "under 2 s"), (10, "2 to 10 s"), (60, "10 to 60 s"), (300, "1 to 5 min"))


@define(kw_only=True)
class Question:
    """A question of the same words, however often it was asked."""

    row: Row
    """The last time."""
    what: str
    tool: str
    allowed: int = 0
    denied: int = 0
    other: int = 0
    unread: int = 0
    """How often it was allowed while its card was shown for less than a second."""

    @property
    def asked(self) -> int:
        """How often it was asked."""
        return self.allowed + self.denied + self.other

    @property
    def needless(self) -> int:
        """How many of these questions a rule could have answered, since no answer was another."""
        return self.allowed - 1 if self.allowed >= _MIN_REPEATS and not self.denied else 0


@define(kw_only=True)
class RuleUse:
    """What one rule decided."""

    rule: str
    allowed: int = 0
    refused: int = 0
    last: int = 0
    denied_elsewhere: int = 0
    """How much of what it let pass the person denied when they were asked."""

    @property
    def uses(self) -> int:
        """How often it decided."""
        return self.allowed + self.refused


@define(kw_only=True)
class Insights:
    """The figures of a time."""

    decided: int = 0
    """All decisions, questions or not."""
    unasked: Counter[tuple[str, str]] = field(factory=Counter)
    """What was decided without a question: by whom, and how."""
    days: dict[str, Counter[str]] = field(factory=dict)
    """The questions of each day, by who answered; days without one have none."""
    waits: list[int] = field(factory=list)
    """How long each question waited, in milliseconds, the shortest first."""
    questions: list[Question] = field(factory=list)
    """Each once, the most frequent first."""
    rules: list[RuleUse] = field(factory=list)
    """The most used first."""

    @property
    def asked(self) -> int:
        """How many questions there were."""
        return sum(day.total() for day in self.days.values())

    @property
    def answered(self) -> Counter[str]:
        """The questions by who answered."""
        return sum(self.days.values(), Counter())

    @property
    def needless(self) -> int:
        """How many questions a rule could have answered, since they were always answered alike."""
        return sum(question.needless for question in self.questions)

    @property
    def unread(self) -> int:
        """How many were allowed while their card was shown for less than a second."""
        return sum(question.unread for question in self.questions)

    def wait(self, share: float) -> int:
        """So long this share of the questions waited at most, in milliseconds."""
        return (
            self.waits[min(len(self.waits) - 1, int(share * len(self.waits)))] if self.waits else 0
        )

    @property
    def spread(self) -> list[tuple[str, int]]:
        """How many questions waited how long."""
        counts = Counter(_bucket(wait) for wait in self.waits)
        return [
            (name, counts[name]) for name in (*(bucket for _, bucket in _BUCKETS), "over 5 min")
        ]


def insights_of(rows: Iterable[Row], zone: tzinfo | None = UTC) -> Insights:
    """Count the rows of a time, in the order in which they were written; None is the local zone."""
    insights = Insights()
    opened: dict[str, int] = {}
    questions: dict[str, Question] = {}
    uses: dict[str, RuleUse] = {}
    passed: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        if not isinstance(row["at"], int):
            # Somebody wrote into the file; `assent verify` tells of it.
            continue
        body = body_of(row)
        ticket = body.get("ticket")
        if row["kind"] == "asked" and isinstance(ticket, str):
            opened.setdefault(ticket, row["at"])
        if row["kind"] != "decided":
            continue
        insights.decided += 1
        _count_rule(uses, passed, row, body)
        if not isinstance(ticket, str):
            insights.unasked[str(body.get("by")), str(body.get("outcome"))] += 1
            continue
        who = _who(body)
        day = datetime.fromtimestamp(row["at"] / 1000, zone).date().isoformat()
        insights.days.setdefault(day, Counter())[who] += 1
        if ticket in opened:
            insights.waits.append(max(0, row["at"] - opened[ticket]))
        _count_question(questions, row, body, who)
    insights.waits.sort()
    insights.questions = sorted(
        questions.values(), key=lambda question: (-question.asked, question.what)
    )
    denied = {key for key, question in questions.items() if question.denied}
    for use in uses.values():
        use.denied_elsewhere = sum(passed[use.rule][key] for key in denied)
    insights.rules = sorted(uses.values(), key=lambda rule_use: (-rule_use.uses, rule_use.rule))
    return insights


def _count_question(
    questions: dict[str, Question], row: Row, body: Mapping[str, Any], who: str
) -> None:
    key = _same(body)
    if key not in questions:
        questions[key] = Question(row=row, what=what_of(body), tool=str(body.get("tool")))
    question = questions[key]
    question.row = row
    question.allowed += who == ANSWERERS[0]
    question.denied += who == ANSWERERS[1]
    question.other += who not in ANSWERERS[:2]
    shown = body.get("shownMs")
    question.unread += who == ANSWERERS[0] and isinstance(shown, int) and shown < _MIN_READING_MS


def _count_rule(
    uses: dict[str, RuleUse],
    passed: Mapping[str, Counter[str]],
    row: Row,
    body: Mapping[str, Any],
) -> None:
    rule = body.get("rule")
    if not isinstance(rule, str):
        return
    use = uses.setdefault(rule, RuleUse(rule=rule))
    allowed = body.get("outcome") == "allowed"
    use.allowed += allowed
    use.refused += not allowed
    use.last = max(use.last, row["at"])
    if allowed:
        passed[rule][_same(body)] += 1


def _who(body: Mapping[str, Any]) -> str:
    if body.get("by") == "user" and body.get("outcome") in {"allowed", "refused"}:
        return ANSWERERS[0] if body["outcome"] == "allowed" else ANSWERERS[1]
    return ANSWERERS[2] if body.get("by") == "timeout" else ANSWERERS[3]


def _same(body: Mapping[str, Any]) -> str:
    """What two questions have in common that are about the same."""
    return canonical([body.get("tool"), body.get("input")])


def _bucket(milliseconds: int) -> str:
    return next((name for most, name in _BUCKETS if milliseconds < most * 1000), "over 5 min")
