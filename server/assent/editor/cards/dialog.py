"""A card as a short text, for an editor that draws no cards and asks in a dialog.

Allowing is offered only where the text is all that the card says of what would happen, and where
nothing is high about it.
"""

from collections.abc import Iterator
from typing import Final, assert_never

from assent.editor.cards.spans import text_of
from assent.editor.protocol.card import (
    Body,
    Card,
    CardOption,
    EditBody,
    EditedFile,
    OtherBody,
    ReadBody,
    ShellBody,
    Span,
    Touch,
    TrustBody,
)
from assent.editor.protocol.questions import FormBody, PlanBody, QuestionBody
from assent.gate.values import frozen

__all__ = ["MAX_DIALOG_LETTERS", "SAID", "UNSAID", "Dialog", "dialog_of"]

MAX_DIALOG_LETTERS: Final = 300
"""Characters that a dialog surely shows."""

SAID: Final = frozenset({
    "agent_name", "because", "body", "consequence", "level", "members", "options", "title",
    "touches",
})  # fmt: skip
UNSAID: Final = {
    "agent_id": "The agent is said by its name.",
    "chat_title": "It is where the question stands, and no part of the call.",
    "mode": "It is where the question stands; what it says of the call stands in `because`.",
    "edits": "It is what could be done with a card; nothing of the call.",
    "sandbox": "Where a command runs stands in `touches`.",
    "primary": "It is how the buttons are drawn.",
    "says": "It is the agent's own word, which is judged by nobody.",
}
"""The members that are left out, and why none of them would be allowed unseen."""

_NO: Final = ("denyOnce", "keepAsking", "keepOff", "skip", "cancel")
_LEFT_OUT: Final = "… It cannot be shown whole here, so it can only be denied."
_HIGH: Final = "… It is not to be allowed without seeing its card, so it can only be denied."


@frozen(kw_only=True)
class Dialog:
    """What is asked, and what can be answered."""

    text: str
    yes: CardOption | None
    """Allows it once; None where a dialog is not enough for that."""
    no: CardOption


def dialog_of(card: Card) -> Dialog | None:
    """The dialog for a card; None where nothing in it says no."""
    no = next((option for option in card.options if option.kind in _NO), None)
    if no is None:
        return None
    yes = next((option for option in card.options if option.kind == "allowOnce"), None)
    text = "\n".join(filter(None, _lines(card)))
    if yes is None:
        return Dialog(
            text=text if len(text) <= MAX_DIALOG_LETTERS else _cut(text, "…"), yes=None, no=no
        )
    if card.level == "high":
        return Dialog(text=_cut(text, _HIGH), yes=None, no=no)
    if len(text) > MAX_DIALOG_LETTERS:
        return Dialog(text=_cut(text, _LEFT_OUT), yes=None, no=no)
    return Dialog(text=text, yes=yes, no=no)


def _cut(text: str, end: str) -> str:
    return text[: MAX_DIALOG_LETTERS - len(end)] + end


def _lines(card: Card) -> Iterator[str]:
    yield f"{card.agent_name}: {_one(card.title)}"
    yield from _body(card.body)
    yield from (f"{_one(member.name)}: {_one(member.value)}" for member in card.members)
    yield from (
        f"{touch.name}: {_one(touch.text)}"
        for touch in card.touches
        if not _is_said(card.body, touch)
    )
    yield card.consequence or ""
    yield card.because.text


def _body(body: Body) -> Iterator[str]:
    """All that a body says, line by line."""
    match body:
        case ShellBody():
            yield f"$ {_one(body.command)}"
            yield f"in {_one(body.cwd)}"
        case EditBody():
            for file in body.files:
                yield from _file(file)
        case ReadBody():
            yield from map(_one, body.paths)
        case OtherBody():
            yield _one(body.json_text)
        case TrustBody():
            yield f"{body.setting} {_one(body.value)}"
            yield body.effect
            yield from (_one(file.path) for file in body.files)
        case PlanBody():
            yield _one(body.text)
        case QuestionBody():
            yield _one(body.question)
        case FormBody():
            yield _one(body.message)
            yield _one(body.host)
            yield from (_one(field.label) for field in body.fields)
        case _:
            assert_never(body)


def _is_said(body: Body, touch: Touch) -> bool:
    """Whether a body says it to the letter; a path alone does not tell what is done to it."""
    if not isinstance(body, ShellBody) or touch.name != "Folder":
        return False
    return _one(touch.text) == _one(body.cwd)


def _file(file: EditedFile) -> Iterator[str]:
    yield _one(file.path) + (" (new)" if file.new else "")
    for hunk in file.hunks:
        yield from (line.sign + _one(line.text) for line in hunk.lines)


def _one(spans: list[Span]) -> str:
    """A text in one line, so that nothing in it looks like a line of ours."""
    return text_of(spans).replace("\r", "␍").replace("\n", "␊").replace("\t", "␉")
