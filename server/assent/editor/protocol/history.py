"""The messages about decisions: search, show, rule again, export."""

from typing import Annotated, Literal

from pydantic import Field

from assent.editor.protocol.card import Card
from assent.editor.protocol.rules import Explained
from assent.editor.protocol.shapes import AnswerRules, Line, Millis, RuleText, Shape
from assent.editor.protocol.spans import Row, Span

__all__ = [
    "Exported",
    "HistoryFilter",
    "HistoryPage",
    "HistoryRecord",
    "HistoryRow",
    "InsightsPage",
    "MakeRule",
    "PreviewRule",
    "ProposedRule",
    "RecordRef",
    "WantExport",
    "WantHistory",
    "WantInsights",
    "WrittenRuleRow",
]

RecordNumber = Annotated[int, Field(ge=1, le=2**53)]
Outcome = Literal["allowed", "refused"]
Digest = Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")]


class HistoryFilter(Shape):
    """What is asked for, all of which must fit; null is not asked for."""

    since: Millis | None = None
    agent: Line | None = None
    outcome: Outcome | None = None
    by: Line | None = None
    tool: Line | None = None
    rule: Line | None = None
    """A part of the rule that decided."""
    path: Line | None = None
    """A file, or a folder and all below it; a relative one lies in the workspace."""
    host: Line | None = None
    """A host, or all below it."""
    text: Line | None = None
    """Words that begin so."""
    everywhere: bool = False
    """Also what was asked in other workspaces."""


class WantHistory(Shape):
    """Ask for a page of what was decided, the newest first."""

    filter: HistoryFilter = Field(default_factory=HistoryFilter)
    before: RecordNumber | None = None
    """Only what is older than this record."""


class HistoryRow(Shape):
    """One decision, or something that the person changed, in a line."""

    record_id: int
    hash: str
    """By what the record is known: a number may be another's in another journal."""
    at: Millis
    title: list[Span]
    agent: str
    """Its name; nothing where no agent asked."""
    tool: str
    outcome: str
    """`allowed`, `refused`, `withdrawn` or `answered`; nothing where nothing was decided."""
    by: str
    because: str
    rule: str
    was_asked: bool
    """Whether a card asked a person about it."""


class AgentHeard(Shape):
    """One agent of whom the journal has rows."""

    id: str
    name: str


class HistoryPage(Shape):
    """The records that fit, and what can be asked for."""

    rows: list[HistoryRow]
    more: bool
    agents: list[AgentHeard]
    tools: list[str]
    looked_through: Annotated[float, Field(ge=0, le=1)] = 1.0
    """How much of the journal is in its index by now; the rows are complete with all of it."""
    is_workspace: bool
    """Whether a folder is open, to which the rows can be confined."""


class RecordRef(Shape):
    """One record of the journal."""

    record_id: RecordNumber
    hash: Digest


class WrittenRuleRow(Shape):
    """A rule that was written by this decision."""

    rule: str
    verdict: str
    where: str
    holds: bool
    """Whether it stands there still."""


class HistoryRecord(Shape):
    """All that was kept of one decision."""

    row: HistoryRow
    members: list[Row]
    """What ran, as it was kept: the whole command, its folder, arguments, paths."""
    is_whole: bool
    """Whether nothing of it was left out when it was kept."""
    facts: list[Row]
    """Whose it was, how it was decided, after how long, how it ended."""
    card: Card | None = None
    """Its card as it was shown last; it can be looked at and not answered."""
    shown_at: Millis = 0
    """When it was asked about."""
    card_note: str = ""
    """Why there is no card, or what was cut of it, in a sentence."""
    may_ask_again: bool = False
    """Whether it ended with its chat, so that `history/askAgain` says the person's last words to
    the agent once more."""
    replay: Explained | None = None
    """What today's rules would say of the same call; nothing has been run for it."""
    no_replay: str = ""
    """Why it cannot be ruled on again, in a sentence."""
    allow: list[str] = Field(default_factory=list)
    """Rules to begin with, that together let such a call pass."""
    deny: list[str] = Field(default_factory=list)
    """Rules to begin with, each of which refuses such a call."""
    scopes: list[Literal["workspace", "user"]] = Field(default_factory=list)
    """Where a rule can be written."""
    gave: list[WrittenRuleRow] = Field(default_factory=list)
    """The rules that were written with it."""


class PreviewRule(RecordRef):
    """Ask what rules would do, that are made from a record."""

    verdict: Literal["allow", "deny"]
    rules: AnswerRules


class MakeRule(PreviewRule):
    """Write rules that are made from a record; what allows is asked once more by the editor."""

    scope: Literal["workspace", "user"]


class WantInsights(Shape):
    """Ask for what the journal tells of the questions of the last days."""

    days: Annotated[int, Field(ge=1, le=366)] = 30
    everywhere: bool = False
    """Also of other workspaces."""


class ProposedRule(Shape):
    """A rule that would have saved questions; `history/makeRule` writes it, from its record."""

    rule: RuleText
    saved: int
    """How many questions that were answered with Allow it would have saved."""
    also: list[str]
    """What else it would let pass, the first of it; the page has all."""
    more: int = 0
    """How much more that is."""
    record: RecordRef
    """The last of these questions."""


class InsightsPage(Shape):
    """A page without a script, which loads nothing and says so itself."""

    html: str
    """Each sentence stands between U+E000 and U+E002, its values behind U+E001 each: `{a}` is the
    first. Whoever shows it puts them in, in any language."""
    proposals: list[ProposedRule] = Field(default_factory=list)
    """The rules that the page proposes. Nothing of them is written."""


class WantExport(Shape):
    """Ask for the records that fit as a text, piece after piece, the newest first."""

    filter: HistoryFilter = Field(default_factory=HistoryFilter)
    before: RecordNumber | None = None
    form: Literal["jsonl", "csv"]


class Exported(Shape):
    """A piece of the text."""

    text: str
    next: int | None = None
    """The record before which the next piece begins; null where this was the last."""
    told: int
    """How many records are in this piece."""
