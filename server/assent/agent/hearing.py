"""One reply of a model, as far as it has been heard.

It can be broken off at any moment and is then what was heard until there.
"""

from attrs import define, field

from assent.agent.wording import BROKEN_OFF, CUT_OFF
from assent.providers.conversation import Replied, Thought, Wanted
from assent.providers.events import Thinking, Used

__all__ = ["Hearing"]


@define
class Hearing:
    """A reply that comes in pieces."""

    reason: str = ""
    """Why the reply is over, once the model said so; as in `Stopped`."""
    used: Used | None = None
    _begun: set[int] = field(factory=set)
    """The calls that were begun, by their keys."""
    _whole: set[int] = field(factory=set)
    _text: list[str] = field(factory=list)
    _thoughts: list[Thought] = field(factory=list)
    _thinking: list[str] = field(factory=list)

    def say(self, text: str) -> None:
        """The model said more."""
        self._end_thought("")
        self._text.append(text)

    def think(self, thinking: Thinking) -> None:
        """The model thought more, or its thought is sealed."""
        self._thinking.append(thinking.text)
        if thinking.seal:
            self._end_thought(thinking.seal)
        if thinking.hidden:
            self._end_thought("")
            self._thoughts.append(Thought(text="", hidden=thinking.hidden))

    def begin(self, key: int) -> None:
        """The model began a call."""
        self._begun.add(key)

    def complete(self, key: int) -> None:
        """A call is whole."""
        self._whole.add(key)

    def use(self, used: Used) -> None:
        """The model's host told how much was read and written, of all or of a part."""
        read, wrote = (self.used.read, self.used.wrote) if self.used else (0, 0)
        self.used = Used(read=max(read, used.read), wrote=max(wrote, used.wrote))

    def replied(self, calls: tuple[Wanted, ...]) -> Replied:
        """The reply with those of its calls that were whole."""
        self._end_thought("")
        return Replied(text="".join(self._text), thoughts=tuple(self._thoughts), calls=calls)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has come of it."""
        return not (self._text or self._thoughts or self._thinking or self._begun)

    @property
    def lack(self) -> str:
        """What the model is to be told where its reply was not whole when it ended it."""
        if self.reason == "length":
            return CUT_OFF
        return BROKEN_OFF if self.reason and self._begun - self._whole else ""

    @property
    def text(self) -> str:
        """What was said."""
        return "".join(self._text)

    def _end_thought(self, seal: str) -> None:
        text = "".join(self._thinking)
        self._thinking.clear()
        if text or seal:
            self._thoughts.append(Thought(text=text, seal=seal))
