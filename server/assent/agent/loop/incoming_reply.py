"""One reply of a model, as far as it has arrived.

It can be broken off at any moment and is then what was heard until there.
"""

from assent.agent.loop.call_drafts import CallDrafts
from assent.agent.loop.wording import BROKEN_BY_HOST, BROKEN_OFF, CUT_OFF
from assent.agent.models.conversation import Block, Given, Part, Replied, Thought, Wanted, Words
from assent.agent.models.events import Used
from assent.gate.values import define, evolve, field

__all__ = ["IncomingReply"]

_Kind = type[Words] | type[Thought]


@define
class IncomingReply:
    """A reply that comes in pieces, block by block."""

    drafting: CallDrafts = field(factory=lambda: CallDrafts(lambda *_: None))
    """What is told of the calls that are still being written."""
    reason: str = ""
    """Why the reply is over, once the model said so; as in `Stopped`."""
    used: Used | None = None
    is_broken: bool = False
    """Whether it broke off, and the model is asked to go on."""
    _blocks: list[Block] = field(factory=list)
    _open: _Kind | None = None
    """What is being said or thought."""
    _pieces: list[str] = field(factory=list)
    _begun: set[int] = field(factory=set)
    """The calls that were begun, by their keys."""
    _whole: set[int] = field(factory=set)
    _calls: dict[int, int] = field(factory=dict)
    """Where in the reply the calls stand that were made, by their keys."""

    def say(self, text: str) -> None:
        """The model said more."""
        self._go_on(Words, text)

    def think(self, text: str) -> None:
        """The model thought more, or began to."""
        self._go_on(Thought, text)

    def close(self, given: Given | None = None) -> None:
        """What was said or thought is whole; its host gave this with it."""
        if self._open is not None:
            block = self._open(text="".join(self._pieces), given=given)
            if block.text or given is not None:
                self._blocks.append(block)
            self._pieces.clear()
            self._open = None

    def keep(self, given: Given) -> None:
        """There was something that only its host understands."""
        self.close()
        self._blocks.append(Part(given=given))

    def begin(self, key: int) -> None:
        """The model began a call."""
        self._begun.add(key)

    def complete(self, key: int) -> None:
        """A call is whole."""
        self._whole.add(key)

    def call(self, wanted: Wanted, key: int) -> None:
        """A call is made."""
        self.close()
        self._calls[key] = len(self._blocks)
        self._blocks.append(wanted)

    def sign(self, key: int, given: Given) -> None:
        """Its host gave this with a call, after it was whole."""
        at = self._calls.get(key)
        if at is not None:
            self._blocks[at] = evolve(self._blocks[at], given=given)

    def use(self, used: Used) -> None:
        """The model's host told how much was read and written, of all or of a part."""
        was = self.used or Used(read=0, wrote=0)
        self.used = Used(
            read=max(was.read, used.read),
            wrote=max(was.wrote, used.wrote),
            cached=max(was.cached, used.cached),
        )

    def replied(self) -> Replied:
        """The reply with those of its calls that were made."""
        self.close()
        return Replied(blocks=tuple(self._blocks))

    @property
    def is_empty(self) -> bool:
        """Whether nothing has come of it."""
        return not (self._blocks or any(self._pieces) or self._begun)

    @property
    def lack(self) -> str:
        """What the model is to be told where its reply was not whole when it ended it."""
        if self.is_broken:
            return BROKEN_BY_HOST
        if self.reason == "length":
            return CUT_OFF
        return BROKEN_OFF if self.reason and self._begun - self._whole else ""

    @property
    def text(self) -> str:
        """What was said."""
        return self.replied().text

    @property
    def last_words(self) -> str:
        """What was said; where nothing was, what was thought."""
        blocks = self.replied().blocks
        thoughts = (block.text for block in blocks if isinstance(block, Thought))
        return self.text if self.text.strip() else "\n".join(thoughts)

    def _go_on(self, kind: _Kind, text: str) -> None:
        if self._open is not kind:
            self.close()
            self._open = kind
        self._pieces.append(text)
