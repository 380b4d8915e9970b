"""Drops sealed blocks that their host no longer accepts, because its keys or the caller changed.

Hosts refuse the whole request then, and each in its own words. What they gave is left out of that
conversation from then on; what they give afterwards goes back as ever.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final
from weakref import WeakSet

from assent.agent.models.conversation import Block, Given, Part, Replied, Turn
from assent.agent.models.host_errors import Declined
from assent.gate.settings.models.hosts import Host
from assent.gate.values import define, evolve, field

__all__ = ["Seals", "is_about_seals"]

_STATUSES: Final = frozenset({400, 404, 422})
_UNTAKEN: Final = re.compile(
    r"(invalid|corrupt(ed)?|malformed|bad|expired)\W{0,3}(thought[ _]?)?signature"
    r"|signature\W.{0,60}(invalid|not valid|corrupt|could not be|cannot be|mismatch)"
    r"|(thinking|redacted_thinking)\W{1,3}(or\W{1,3}\w{1,20}\W{1,3})?blocks?\b.{0,60}"
    r"cannot be modified"
    r"|encrypted[ _](content|reasoning).{0,200}(could not|cannot|failed to|did not) "
    r"(be (verified|decrypted|parsed)|match|verify|decrypt|parse)"
    r"|invalid_encrypted_content|invalid encrypted"
    r"|redacted_thinking.{0,80}(invalid|could not|cannot|failed)"
    r"|type\W{1,3}reasoning\W{1,3}was provided without its required"
    r"|item with id\W{1,3}\w{1,200}\W{1,3}not found",
    re.IGNORECASE | re.DOTALL,
)
"""How hosts say so: Anthropic, OpenAI, Google, and those who pass their words on."""


def is_about_seals(no: Declined) -> bool:
    """Whether a host does not take back what it gave.

    >>> is_about_seals(Declined(400, "messages.1.content.0: Invalid `signature` in `thinking`"))
    True
    """
    said = f"{no.kind} {no.words}"
    return no.status in _STATUSES and _UNTAKEN.search(said) is not None


@define
class Seals:
    """What one host no longer takes for one model. It is forgotten with its conversation."""

    _host: Host
    _refused: "WeakSet[Given]" = field(factory=WeakSet)

    def without(self, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        """The turns without what was refused."""
        if not self._refused:
            return turns
        return tuple(self._opened(turn) if isinstance(turn, Replied) else turn for turn in turns)

    def learn(self, no: Declined, turns: Iterable[Turn]) -> bool:
        """Whether there is something to leave out of these turns; it is left out from now on."""
        if not is_about_seals(no):
            return False
        own = [block for block in _given(turns) if block.by.endswith(self._host.giver(""))]
        self._refused.update(own)
        return bool(own)

    def _opened(self, reply: Replied) -> Replied:
        return Replied(blocks=tuple(kept for block in reply.blocks for kept in self._block(block)))

    def _block(self, block: Block) -> Iterator[Block]:
        if block.given is None or block.given not in self._refused:
            yield block
        elif not isinstance(block, Part):
            yield evolve(block, given=None)


def _given(turns: Iterable[Turn]) -> Iterator[Given]:
    """All that hosts gave with these turns."""
    for turn in turns:
        for block in turn.blocks if isinstance(turn, Replied) else ():
            if block.given is not None:
                yield block.given
