"""What a prompt carries beside its words: pictures, documents and references."""

from base64 import b64decode
from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from assent.agent.loop.wording import NO_PICTURES, named
from assent.agent.models.attachments import Attachment, picture
from assent.agent.models.conversation import Answered, Result, Said, Turn
from assent.agent.models.provider import Provider
from assent.agent.models.shown_media import attached
from assent.gate.call.errors import AgentFailed
from assent.gate.journal.agent_events import Beside, Image
from assent.gate.text.animation import moves
from assent.gate.text.pictures import picture_in
from assent.gate.values import evolve, frozen

__all__ = [
    "MAX_ATTACHMENTS",
    "Prompt",
    "are_too_many",
    "image_of",
    "joined",
    "labels",
    "prompt_of",
    "without",
]

MAX_ATTACHMENTS: Final = 20
"""So many are sent at most: beyond that hosts take each one only small, or none."""
_MAX_DATA_LETTERS: Final = 16_000_000
"""In letters of base64, all together: hosts take no larger requests."""
_MAX_SHOWN_LETTERS: Final = 1_400_000
"""In letters of base64: a larger picture is not drawn for the person, who has its file."""
_GONE: Final = "[{label}: it was left out, since there were too many.]"


@frozen(kw_only=True)
class Prompt:
    """What the person says."""

    said: Said
    key: str = ""
    """By what the message is known."""
    note: str = ""
    """What they name beside it, as it stood when they said that."""


def joined(first: Said, more: Said) -> Said:
    """What is said in a row is one turn."""
    text = "\n\n".join(filter(None, (first.text, more.text)))
    return Said(text=text, attached=(*first.attached, *more.attached))


def labels(words: Said | Result) -> str:
    """What was shown with words, for whoever sees the words alone."""
    return "".join(f" [{attachment.label}]" for attachment in words.attached)


async def prompt_of(
    text: str, beside: Beside, provider_of: Callable[[str], Awaitable[Provider]], model: str
) -> Prompt:
    """What the person says, with all beside it; raises where the model takes none of a kind."""
    note = "\n\n".join(map(named, beside.references))
    if not beside.images:
        return Prompt(said=Said(text=text), note=note)
    provider = await provider_of(model)
    kinds = await provider.takes()
    shown = tuple(filter(None, (picture(b64decode(image.data)) for image in beside.images)))
    if any(attachment.mime not in kinds for attachment in shown):
        raise AgentFailed(NO_PICTURES.format(provider.name))
    return Prompt(said=Said(text=text, attached=shown), note=note)


def image_of(attachment: Attachment) -> Image | None:
    """The picture as a person is shown it; None where it is none that is drawn."""
    if len(attachment.data) > _MAX_SHOWN_LETTERS:
        return None
    raw = b64decode(attachment.data)
    decoded_picture = picture_in(raw)
    if decoded_picture is None:
        return None
    size = {"width": decoded_picture.width, "height": decoded_picture.height}
    return Image(mime=decoded_picture.mime, data=attachment.data, moves=moves(raw), **size)


def are_too_many(turns: Iterable[Turn]) -> bool:
    """Whether there are more than a host takes at once."""
    shown = list(attached(turns))
    return (
        len(shown) > MAX_ATTACHMENTS
        or sum(len(attachment.data) for attachment in shown) > _MAX_DATA_LETTERS
    )


def without(turn: Turn, old: frozenset[Attachment]) -> Turn:
    """A turn with a line in the place of each of these."""
    match turn:
        case Said():
            text, left = _without(turn, old)
            return Said(text=text, attached=left)
        case Answered():
            return Answered(results=tuple(_result_without(result, old) for result in turn.results))
        case _:
            return turn


def _result_without(result: Result, old: frozenset[Attachment]) -> Result:
    text, left = _without(result, old)
    return evolve(result, text=text, attached=left)


def _without(
    words: Said | Result, old: frozenset[Attachment]
) -> tuple[str, tuple[Attachment, ...]]:
    gone = (
        _GONE.format(label=attachment.label) for attachment in words.attached if attachment in old
    )
    left = tuple(attachment for attachment in words.attached if attachment not in old)
    return "\n\n".join(filter(None, (words.text, *gone))), left
