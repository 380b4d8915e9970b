"""Which pictures and documents a model accepts: by the table, and by what its host refused.

What it cannot be shown leaves a line in its place, so that a conversation goes on with any model
and nothing that a host refused once is refused for ever.
"""

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Final
from weakref import WeakKeyDictionary, WeakSet

from assent.agent.models.attachments import PDF, PICTURES, Attachment
from assent.agent.models.conversation import Answered, Replied, Result, Said, Turn
from assent.agent.models.host_errors import Declined, HostError
from assent.agent.models.known_models import known
from assent.gate.settings.models.hosts import Host
from assent.gate.settings.models.model import Dialect
from assent.gate.values import define, evolve, field

__all__ = ["ShownMedia", "attached"]

_STATUSES: Final = frozenset({400, 404, 415, 422, 500})
_BLIND: Final = re.compile(
    r"(does not|doesn't|do not|not|n't|cannot) (support|accept)\b.{0,40}"
    r"\b(images?|image_url|vision|multi-?modal)"
    r"|\b(images?|image_url|vision)\b.{0,40}\b(not supported|unsupported|not allowed|not enabled)"
    r"|support image input|unknown variant `?image_url|not a multimodal|text[- ]only"
    r"|missing data required for image|content\W{0,3} .{0,20}(must|should) be a (valid )?string",
    re.IGNORECASE,
)
"""How hosts say that a model takes no pictures at all."""
_MINDED: Final = re.compile(
    r"\b(images?|pictures?|pdfs?|documents?|files?|media_type|image_url|file_data|base64)\b",
    re.IGNORECASE,
)
"""How they say that they do not take one of those that they were sent."""
_UNSHOWN: Final = "[{label}: it is not shown to you, since {why}.]"
_TAKES_NONE: Final = "you take nothing of that kind"


async def _unsaid() -> bool | None:
    """Most hosts do not say of a model whether it takes pictures."""
    return None


def attached(turns: Iterable[Turn]) -> Iterator[Attachment]:
    """All pictures and documents of these turns, in order."""
    for turn in turns:
        match turn:
            case Said():
                yield from turn.attached
            case Answered():
                for result in turn.results:
                    yield from result.attached
            case Replied():
                pass


@define
class ShownMedia:
    """What one model can be shown."""

    _host: Host
    _ask: Callable[[], Awaitable[bool | None]] = _unsaid
    """Whether its host says that it takes pictures; None where nobody says."""
    _blind: bool = False
    """Whether its host refused to show it any."""
    _refused: "WeakKeyDictionary[Attachment, str]" = field(factory=WeakKeyDictionary)
    """What was not taken, and why, in the host's words."""
    _seen: "WeakSet[Attachment]" = field(factory=WeakSet)
    """What was taken before."""

    async def kinds(self) -> frozenset[str]:
        """The kinds that it takes."""
        return frozenset() if self._blind else _known_of(self._host, said=await self._asked())

    async def fit(self, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        """The turns, with a line in the place of each that it cannot be shown."""
        if not any(attached(turns)):
            return turns
        kinds = await self.kinds()
        return tuple(self._fit(turn, kinds) for turn in turns)

    def learn(self, no: Declined, turns: Iterable[Turn]) -> bool:
        """Whether a refusal is about what these turns show; that is left out from now on."""
        sent = list(attached(turns))
        if not sent or no.status not in _STATUSES:
            return False
        if _BLIND.search(no.words) and any(attachment.is_picture for attachment in sent):
            self._blind = True
            return True
        if not _MINDED.search(no.words):
            return False
        # What was taken before is hardly what is minded now.
        for minded in [attachment for attachment in sent if attachment not in self._seen] or sent:
            self._refused[minded] = f"its host refused it: {no.words.rstrip('.')}"
        return True

    def took(self, turns: Iterable[Turn]) -> None:
        """Its host took all of these."""
        self._seen.update(attached(turns))

    async def _asked(self) -> bool | None:
        try:
            return await self._ask()
        except HostError:
            return None

    def _fit(self, turn: Turn, kinds: frozenset[str]) -> Turn:
        match turn:
            case Said():
                text, left = self._words(turn, kinds)
                return Said(text=text, attached=left)
            case Answered():
                return Answered(
                    results=tuple(self._fit_result(result, kinds) for result in turn.results)
                )
            case _:
                return turn

    def _fit_result(self, result: Result, kinds: frozenset[str]) -> Result:
        text, left = self._words(result, kinds)
        return evolve(result, text=text, attached=left)

    def _words(
        self, turn: Said | Result, kinds: frozenset[str]
    ) -> tuple[str, tuple[Attachment, ...]]:
        """What is said instead, and what is shown with it."""
        unshown = {attachment: self._unshown(attachment, kinds) for attachment in turn.attached}
        left = tuple(attachment for attachment in turn.attached if not unshown[attachment])
        return "\n\n".join(filter(None, (turn.text, *unshown.values()))), left

    def _unshown(self, attachment: Attachment, kinds: frozenset[str]) -> str:
        """The line that stands for it; nothing where it is shown."""
        why = self._refused.get(attachment) or ("" if attachment.mime in kinds else _TAKES_NONE)
        return _UNSHOWN.format(label=attachment.label, why=why) if why else ""


def _known_of(host: Host, *, said: bool | None) -> frozenset[str]:
    """What is known of a model before it was shown anything; who is unknown is shown pictures."""
    known_model = known(host.model)
    takes = said if said is not None else (known_model is None or known_model.images)
    if not takes:
        return frozenset()
    pictures = PICTURES - ({"image/gif"} if _takes_no_gif(host) else set())
    documents = known_model is not None and known_model.documents and _takes_documents(host)
    return pictures | ({PDF} if documents else set())


def _takes_no_gif(host: Host) -> bool:
    return host.dialect is Dialect.OLLAMA or host.name == "Gemini"


def _takes_documents(host: Host) -> bool:
    """Whether its host has a form for documents that it writes down."""
    return host.dialect is Dialect.ANTHROPIC or host.is_own or host.name == "OpenRouter"
