"""Questions to a person: approve a plan, answer something, fill in a form."""

from typing import Literal

from assent.editor.protocol.shapes import Id, Shape
from assent.editor.protocol.spans import Span

__all__ = [
    "Choice",
    "FieldChoice",
    "FormBody",
    "FormField",
    "OptionKind",
    "PlanBody",
    "QuestionBody",
]

OptionKind = Literal[
    "allowOnce",
    "allowChat",
    "allowAlways",
    "allowBackground",
    "try",
    "allowBoxed",
    "allowSome",
    "bypassAgent",
    "agentAlways",
    "denyOnce",
    "denyTell",
    "denyChat",
    "denyAlways",
    "grantWish",
    "keepAsking",
    "keepOff",
    "approvePlan",
    "answer",
    "answerWords",
    "skip",
    "answerForm",
    "openPage",
    "decline",
    "cancel",
]
"""What an answer does."""


class PlanBody(Shape):
    """What an agent would do, step by step, as it stands in its document."""

    kind: Literal["plan"] = "plan"
    text: list[Span]


class Choice(Shape):
    """One of the answers that an agent offers, in its words."""

    option_id: Id
    label: list[Span]
    detail: list[Span]


class QuestionBody(Shape):
    """What an agent wants to know, in its words."""

    kind: Literal["question"] = "question"
    question: list[Span]
    choices: list[Choice]


class FieldChoice(Shape):
    """One of the values that a field may take."""

    value: str
    label: list[Span]


class FormField(Shape):
    """One line of a form, in the words of who asks."""

    name: str
    label: list[Span]
    says: list[Span]
    kind: Literal["text", "number", "integer", "boolean", "one", "some"]
    format: str = ""
    """Of a text: `email`, `uri`, `date` or `date-time`; nothing where any will do."""
    required: bool
    choices: list[FieldChoice]
    initial: str | bool | list[str]
    """What stands in it at first."""


class FormBody(Shape):
    """What a server of tools or an agent asks: a form, or to open a page."""

    kind: Literal["form"] = "form"
    server: list[Span]
    """Who asks: a server, or an agent."""
    message: list[Span]
    fields: list[FormField]
    url: str
    """The page to be opened, to the letter; nothing where a form is asked for."""
    host: list[Span]
