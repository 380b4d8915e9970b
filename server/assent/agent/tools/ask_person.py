"""Asks the person something, on a card that allows nothing.

The answer is what the card was settled with, so nothing is ever run for such a call.
"""

from typing import Annotated, Final, Never

from pydantic import AfterValidator, Field

from assent.agent.tools.tool import Aim, Arguments, Bench, Tool, ToolFailed
from assent.gate.call.calls import Call, Effect
from assent.gate.text.invisible_characters import hides

__all__ = ["ASK_PERSON", "AskPerson", "Choice"]

_OURS: Final = frozenset({"skip", "answer in your words…"})


def _seen_whole(label: str) -> str:
    if hides(label) or not label.isprintable() or not label.strip():
        raise ValueError("a label is one line, without characters that nobody sees")
    if label.strip().casefold() in _OURS:
        raise ValueError("this label is one of the card's own answers")
    return label


Label = Annotated[str, AfterValidator(_seen_whole)]


class Choice(Arguments):
    """One answer that may be chosen."""

    label: Label = Field(min_length=1, max_length=100)
    detail: str = Field(default="", max_length=300, description="What comes of it, if unclear.")


class AskPerson(Arguments):
    """What you want to know."""

    question: str = Field(min_length=1, max_length=2_000)
    choices: Annotated[list[Choice], Field(max_length=6)] = Field(
        default_factory=list,
        description="Answers to choose from. The person may always answer in their own words.",
    )


def _aim(arguments: AskPerson, _: Bench) -> Aim:
    return Aim(tool="question", effect=Effect.CHAT, input=arguments.as_given(), action="question")


async def _do(_: AskPerson, __: Call, ___: Bench) -> Never:
    raise ToolFailed("Nobody was asked, so there is no answer.")


ASK_PERSON: Final = Tool(
    name="ask_person",
    effect=Effect.CHAT,
    says=(
        "Ask the person something that you cannot find out and that changes what you do next; no"
        " answer is leave to do anything. Otherwise take the likelier way and say so."
    ),
    arguments=AskPerson,
    aim=_aim,
    do=_do,
)
