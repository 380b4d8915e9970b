"""What an agent asks a person: to approve a plan, or to say what only they know."""

from typing import Literal

from assent.protocol.shapes import Id, Shape
from assent.protocol.spans import Span

__all__ = ["Choice", "PlanBody", "QuestionBody"]


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
