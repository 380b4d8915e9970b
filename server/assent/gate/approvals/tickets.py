"""A ticket: an open question, its possible answers, and the result of an answer.

All are values. A ticket is bound to what it asks about by a digest, and to what was shown of it
by a revision.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final, NewType

from assent.gate.call.calls import Call, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Deed, Ruling, Verdict
from assent.gate.settings.wishes import Wish
from assent.gate.values import field, frozen

__all__ = [
    "Answer",
    "Option",
    "OptionKind",
    "Outcome",
    "Receipt",
    "ReceiptKind",
    "Scope",
    "Settlement",
    "Ticket",
    "TicketId",
]

TicketId = NewType("TicketId", str)


class OptionKind(StrEnum):
    """What an option does. The same words stand on the wire."""

    ALLOW_ONCE = "allowOnce"
    ALLOW_CHAT = "allowChat"
    ALLOW_ALWAYS = "allowAlways"
    ALLOW_BACKGROUND = "allowBackground"
    TRY = "try"
    ALLOW_BOXED = "allowBoxed"
    ALLOW_SOME = "allowSome"
    BYPASS_AGENT = "bypassAgent"
    AGENT_ALWAYS = "agentAlways"
    DENY_ONCE = "denyOnce"
    DENY_TELL = "denyTell"
    DENY_CHAT = "denyChat"
    DENY_ALWAYS = "denyAlways"
    GRANT_WISH = "grantWish"
    KEEP_ASKING = "keepAsking"
    KEEP_OFF = "keepOff"
    APPROVE_PLAN = "approvePlan"
    ANSWER = "answer"
    ANSWER_WORDS = "answerWords"
    SKIP = "skip"
    ANSWER_FORM = "answerForm"
    OPEN_PAGE = "openPage"
    DECLINE = "decline"
    CANCEL = "cancel"

    @property
    def writes(self) -> Verdict | None:
        """The verdict of the rules that this answer writes; None where it writes none."""
        return _WRITES.get(self)

    @property
    def outcome(self) -> "Outcome":
        """What this answer makes of its ticket."""
        if self in _ANSWERS:
            return Outcome.ANSWERED
        return Outcome.REFUSED if self in _REFUSALS else Outcome.ALLOWED

    @property
    def is_on_copy(self) -> bool:
        """Whether the call runs on a copy of the workspace."""
        return self in {OptionKind.TRY, OptionKind.ALLOW_BOXED}

    @property
    def writes_rules(self) -> bool:
        """Whether the answer is a rule for later calls, too."""
        return self in {OptionKind.ALLOW_ALWAYS, OptionKind.DENY_ALWAYS}


_REFUSALS: Final = frozenset(
    {
        OptionKind.DENY_ONCE,
        OptionKind.DENY_TELL,
        OptionKind.DENY_CHAT,
        OptionKind.DENY_ALWAYS,
        OptionKind.KEEP_ASKING,
        OptionKind.KEEP_OFF,
    }
)


_ANSWERS: Final = frozenset(
    {
        OptionKind.ANSWER,
        OptionKind.ANSWER_WORDS,
        OptionKind.SKIP,
        OptionKind.ANSWER_FORM,
        OptionKind.OPEN_PAGE,
        OptionKind.DECLINE,
        OptionKind.CANCEL,
    }
)
"""What is said to whoever asked something: nothing runs for it, and nothing is allowed."""


class Scope(StrEnum):
    """Where a rule is written. The same words stand on the wire."""

    CHAT = "chat"
    WORKSPACE = "workspace"
    HERE = "here"
    """In the person's own settings, for this folder alone."""
    USER = "user"


_WRITES: Final = {
    OptionKind.ALLOW_ALWAYS: Verdict.ALLOW,
    OptionKind.DENY_ALWAYS: Verdict.DENY,
}


class Outcome(StrEnum):
    """What became of a ticket."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    ANSWERED = "answered"
    """A question of an agent has been answered, or skipped; that is no leave for anything."""


@frozen(kw_only=True)
class Option:
    """One way to answer a ticket."""

    id: str
    kind: OptionKind
    label: str
    detail: str = ""
    rules: tuple[str, ...] = ()
    """The rules that it would write, as they are suggested."""
    scopes: tuple[Scope, ...] = ()
    """Where it may write them, the one to begin with first."""
    in_sandbox: bool = False
    """Whether they would count in the sandbox alone."""
    choices: tuple[str, ...] = ()
    """The parts of the call among which a person chooses what is done."""
    mode: Mode | None = None
    """The mode in which an approved plan is carried out."""
    said: str = ""
    """The sentence of the record, if it is another than that of its kind."""


@frozen(kw_only=True)
class Ticket:
    """One question, as it stands."""

    id: TicketId
    asks: Call | Wish
    digest: str
    """What was asked about, taken when the question was opened; answers are bound to it."""
    ruling: Ruling
    options: tuple[Option, ...]
    revision: int = 1
    patience: float | None = None
    """Seconds until nobody's answer counts as a refusal; None waits."""

    @property
    def chat(self) -> ChatId | None:
        """The chat that it belongs to; a wish belongs to none."""
        return self.asks.chat if isinstance(self.asks, Call) else None

    def option(self, option_id: str) -> Option | None:
        """The option of that id, if it is offered."""
        return next((option for option in self.options if option.id == option_id), None)


@frozen(kw_only=True)
class Answer:
    """What came back, as yet unchecked."""

    ticket: TicketId
    chat: ChatId | None
    revision: int
    digest: str
    option: str
    feedback: str | None = None
    rules: tuple[str, ...] = ()
    """The rules to be written, as the person left them."""
    scope: Scope | None = None
    values: Mapping[str, Any] = field(factory=dict, hash=False, repr=False)
    """What was written into a form, by the names of its fields."""
    chosen: tuple[str, ...] = ()
    """What is to be done, of the choices of the option."""
    shown_ms: int = 0


@frozen(kw_only=True)
class Settlement:
    """How a ticket ended, once and for all."""

    outcome: Outcome
    by: Actor
    because: str
    option: Option | None = None
    feedback: str | None = None
    rule: str | None = None
    source: str | None = None
    """Where that rule is written."""
    shown_ms: int | None = None
    values: Mapping[str, Any] = field(factory=dict, eq=False, repr=False)
    """What was written into a form, as its fields want it."""
    chosen: tuple[str, ...] = ()
    """What is to be done, of the choices of the option; nothing where it is the whole call."""
    deeds: tuple[Deed, ...] = field(default=(), eq=False, repr=False)
    """What the ruling found that the call does."""


class ReceiptKind(StrEnum):
    """What the desk says of an answer."""

    APPLIED = "applied"
    ALREADY_DECIDED = "alreadyDecided"
    STALE = "stale"
    UNKNOWN = "unknown"
    UNFIT = "unfit"
    """What was written into a form is not what it asks for; the question stays."""


@frozen(kw_only=True)
class Receipt:
    """The desk's word on one answer."""

    kind: ReceiptKind
    because: str = ""
    settlement: Settlement | None = None
    current: Ticket | None = None
