"""The messages that ask a person and take the answer."""

from typing import Annotated, Any, Literal

from pydantic import Field

from assent.editor.protocol.card import Card, Scope
from assent.editor.protocol.shapes import AnswerRules, Id, Line, Millis, Shape

__all__ = [
    "Already",
    "AnswerLater",
    "Applied",
    "ApprovalRequest",
    "ApprovalResponse",
    "ApprovalSettled",
    "By",
    "CallTold",
    "CardShown",
    "EditText",
    "Kept",
    "OutcomeKind",
    "Receipt",
    "Stale",
    "TextEdited",
    "Unknown",
    "WantCard",
]

By = Literal["user", "rule", "mode", "hook", "timeout", "stop", "agentGone", "error"]
OutcomeKind = Literal["allowed", "refused", "withdrawn", "answered"]


class CallTold(Shape):
    """The call as its agent made it, for a client that draws a card of its own.

    What is judged is what the server's card shows; this is the same call.
    """

    tool: str
    effect: Literal["read", "write", "execute", "external", "chat"]
    input: dict[str, Any] | None
    """The arguments, all of them; null where they take more room than a card or a record has."""
    tool_call_id: str
    """What the agent or its model calls it, in one line of bounded length: no key, since two calls
    may have the same. Where neither calls it anything, it is `callId`."""


class ApprovalRequest(Shape):
    """A ticket was opened, or changed: `revision` tells which."""

    epoch: str
    seq: int
    approval_id: Id
    chat_id: str | None
    """Null where the question belongs to the workspace and to no chat."""
    call_id: str | None
    revision: int
    digest: str
    card: Card
    call: CallTold | None = None
    """Null where the question is about no call."""
    asked_at: Millis
    now: Millis
    """The server's clock when this was sent, so that a countdown needs no common clock."""
    expires_at: Millis | None


class ApprovalResponse(Shape):
    """A person's answer, bound to exactly what the card showed."""

    approval_id: Id
    chat_id: str | None
    revision: int
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    option_id: Id
    feedback: Line | None = None
    """Words for the agent, with a refusal."""
    rules: AnswerRules = Field(default_factory=list)
    """With an answer for always: the rules as the person left them."""
    scope: Scope | None = None
    """With an answer for always: where they are to be written."""
    values: dict[str, str | bool | list[str]] = Field(default_factory=dict, max_length=50)
    """What was written into a form, by the names of its fields; numbers as they were typed."""
    chosen: list[Line] = Field(default_factory=list, max_length=200)
    """With an answer for some of it: what is to be done, of the option's choices."""
    shown_ms: Annotated[int, Field(ge=0)]
    """How long the card had been on the screen."""


class Applied(Shape):
    """This answer settled the ticket, and this is what came of it."""

    kind: Literal["applied"] = "applied"
    outcome: OutcomeKind
    by: By
    because: str


class Already(Shape):
    """The ticket had been settled before."""

    kind: Literal["alreadyDecided"] = "alreadyDecided"
    outcome: OutcomeKind
    by: By


class Stale(Shape):
    """The card has changed since; nothing was done."""

    kind: Literal["stale"] = "stale"
    current: ApprovalRequest


class Unknown(Shape):
    """There is no such ticket, chat or option; nothing was done."""

    kind: Literal["unknown"] = "unknown"
    because: str


class Kept(Shape):
    """The person drew back at the second question; the ticket is still open."""

    kind: Literal["stillOpen"] = "stillOpen"
    because: str


Receipt = Annotated[Applied | Already | Stale | Unknown | Kept, Field(discriminator="kind")]


class ApprovalSettled(Shape):
    """A ticket was settled: every replica folds its card into a record."""

    epoch: str
    seq: int
    approval_id: Id
    chat_id: str | None
    outcome: OutcomeKind
    by: By
    because: str
    """Why, in words for a person, such as `You denied it: “use the docs”`."""
    record_id: int | None
    """The row in the journal; null where the journal could not be written."""


class EditText(Shape):
    """A command or plan that waits to be allowed, as the person has left it in its document."""

    approval_id: Id
    text: str


class TextEdited(Shape):
    """How the card of a text stands after an edit: an answer is bound to this one."""

    was: str
    """The digest before: whoever saw another card has not seen this one."""
    digest: str
    revision: int


class WantCard(Shape):
    """An open ticket whose card a replica was not given yet."""

    approval_id: Id


class CardShown(Shape):
    """The ticket as it stands; null where it is not open any more."""

    request: ApprovalRequest | None


class AnswerLater(Shape):
    """Take the deadline from a ticket."""

    approval_id: Id
