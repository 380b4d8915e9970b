"""The messages about rules: what one would do, which exist, and removing one."""

from typing import Literal

from pydantic import Field

from assent.editor.protocol.shapes import AnswerRules, Id, Millis, Shape

__all__ = [
    "Explain",
    "Explained",
    "ExplainedDeed",
    "ExplainedPart",
    "ListedRule",
    "Preview",
    "Previewed",
    "PreviewedRule",
    "RemoveRule",
    "RuleList",
    "SwitchRule",
    "VerdictWord",
]

VerdictWord = Literal["allow", "ask", "deny"]


class Preview(Shape):
    """Ask what rules would do if an open ticket were answered by them."""

    approval_id: Id
    option_id: Id
    rules: AnswerRules


class PreviewedRule(Shape):
    """What one rule would do."""

    rule: str
    problem: str | None = None
    """Why it cannot be written, in a sentence."""
    would_match: list[str] = Field(default_factory=list)
    """Other commands that it would cover too."""
    would_spare: list[str] = Field(default_factory=list)
    """Commands near by that it would not cover."""


class Previewed(Shape):
    """What the rules together would do."""

    rules: list[PreviewedRule]
    covers: bool
    """Whether the open ticket would be settled by them."""
    matched: int
    """How many of the last calls they would have covered."""
    denied: int
    """How many of those a person had denied."""
    of: int
    """How many calls were looked at."""


class ListedRule(Shape):
    """One rule in reach."""

    rule: str
    verdict: VerdictWord
    why: str = ""
    scope: str
    """`user`, `workspace`, `folder`, `chat` or `managed`."""
    where: str
    """Where it is written, in words."""
    uri: str | None = None
    """The file that it is written in, where known."""
    line: int | None = None
    uses: int = 0
    last_used: Millis | None = None
    problem: str | None = None
    """Why it is refused, never matches, or is shadowed."""
    chat_id: str | None = None
    """The chat that it ends with."""
    folder: str = ""
    """The only folder in which it counts, as its settings name it."""
    in_sandbox: bool = False
    """Whether it counts for commands in the sandbox alone."""
    id: str = ""
    """Tells it apart from others of the same text; empty where it cannot be taken out."""
    on: bool | None = None
    """Whether it is switched on; None where it would not hold either way, as `problem` says."""


class RuleList(Shape):
    """All rules in reach."""

    rules: list[ListedRule]


class RemoveRule(Shape):
    """Take a rule out of where it is written."""

    rule: str
    verdict: VerdictWord
    scope: Literal["chat", "workspace", "user"]
    chat_id: str | None = None
    id: Id
    """As it was listed. What stands there now as another is not taken out."""


class SwitchRule(Shape):
    """Switch a rule of the settings off where it is written, or on again."""

    verdict: VerdictWord
    scope: Literal["workspace", "user"]
    id: Id
    """As it was listed. What stands there now as another is left as it is."""
    on: bool


class Explain(Shape):
    """Ask for the ruling on a call that nobody has made."""

    tool: str
    input: dict[str, object]
    agent: str | None = None


class ExplainedPart(Shape):
    """One command of a shell call."""

    text: str
    verdict: VerdictWord
    because: str


class ExplainedDeed(Shape):
    """One thing that the call would do."""

    kind: str
    what: str
    inside: bool


class Explained(Shape):
    """The ruling."""

    verdict: VerdictWord
    because: str
    rule: str | None = None
    source: str | None = None
    parts: list[ExplainedPart]
    effects: list[ExplainedDeed]
