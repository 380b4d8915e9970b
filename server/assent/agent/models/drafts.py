"""A call while the model writes it: begun, given its arguments, and complete once or never.

Ready means that nothing can follow any more. Whatever follows all the same breaks the reply.
"""

from collections.abc import Iterator
from typing import Final

from assent.agent.models.conversation import Given
from assent.agent.models.events import Argued, CallReady, CallSigned, CallStarted, Event
from assent.agent.models.growing_json import BLANK, GrowingJson
from assent.agent.models.host_errors import Garbled
from assent.gate.values import define, field

__all__ = ["MAX_CALLS", "Draft", "see_room"]

MAX_CALLS: Final = 256
"""In one reply; a model that means what it says makes a few."""


def see_room(begun: int) -> None:
    """Raise where a reply that has begun so many calls may begin no more."""
    if begun >= MAX_CALLS:
        raise Garbled(f"there are more than {MAX_CALLS} calls in it")


@define
class Draft:
    """One call of one reply."""

    key: int
    id: str = ""
    name: str = ""
    given: Given | None = None
    """What its host gave with it."""
    ready: bool = False
    ended: bool = False
    """Whether the host said that nothing more comes of it; it may have been cut short."""
    _is_announced: bool = False
    _growing: GrowingJson = field(factory=GrowingJson)

    @property
    def whole(self) -> bool:
        """Whether its arguments are a whole object."""
        return self._growing.whole

    @property
    def argued(self) -> bool:
        """Whether it has any arguments."""
        return bool(self._growing.text.strip(BLANK))

    @property
    def may_be_argued(self) -> bool:
        """Whether arguments may follow in spite of it: some hosts begin with an empty object."""
        return not self.ready and self._growing.is_empty

    def sign(self, given: Given) -> Iterator[Event]:
        """Its host gave this with it, perhaps after it was ready."""
        self.given = given
        if self.ready:
            yield CallSigned(key=self.key, given=given)

    def start(self) -> Iterator[Event]:
        """Tell that it began, once its name is known."""
        if self.name and not self._is_announced:
            self._is_announced = True
            yield CallStarted(key=self.key, name=self.name)

    def more(self, piece: str) -> Iterator[Event]:
        """Take a piece of the arguments."""
        if (self.ready or self.ended) and piece.strip(BLANK):
            raise Garbled(f"it goes on with the call of {self.name}, which was whole")
        if self.may_be_argued and piece.strip(BLANK):
            self._growing = GrowingJson()
        if not self._growing.fits(piece):
            raise Garbled(f"something stands behind the arguments of {self.name}")
        if piece and not self.ready:
            yield Argued(key=self.key, piece=piece)

    def close(self) -> Iterator[Event]:
        """Tell that it is ready, with whatever arguments it has; none are an empty object."""
        if self.ready:
            return
        self.ready = True
        yield CallReady(
            key=self.key,
            id=self.id,
            name=self.name,
            arguments=self._growing.text if self.argued else "{}",
            given=self.given,
        )
