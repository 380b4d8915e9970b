"""A conversation with a model, as values: texts, calls and their results.

A reply is its blocks, in the order in which they came. What a host gave with one of them stands
beside it, under the host's name: so it goes back as it came to that host and model, and a chat can
go on with any other.
"""

import json
from typing import Any

from assent.agent.models.attachments import Attachment
from assent.gate.values import field, frozen

__all__ = [
    "Answered",
    "Block",
    "Given",
    "Part",
    "Replied",
    "Request",
    "Result",
    "Said",
    "Thought",
    "Toolcard",
    "Turn",
    "Wanted",
    "Words",
]


@frozen(kw_only=True)
class Said:
    """Words of the person, or of Assent itself."""

    text: str
    attached: tuple[Attachment, ...] = ()
    """What is shown with them."""


@frozen(kw_only=True)
class Given:
    """What a host gave with a block, for itself alone: a signature, or the block as it came."""

    by: str
    """The way that was spoken, the host and the model, as in `Host.giver`."""
    json: str

    @classmethod
    def of(cls, by: str, value: object) -> "Given":
        """What a host gave, as JSON in the order in which it came; nothing if it is none."""
        try:
            written = json.dumps(value, ensure_ascii=False, allow_nan=False)
        except ValueError:
            written = "null"
        return cls(by=by, json=written)

    def back(self, by: str) -> Any:
        """What goes back to whoever this is; None where somebody else gave it."""
        return json.loads(self.json) if self.by == by else None


@frozen(kw_only=True)
class Words:
    """What the model said."""

    text: str
    given: Given | None = None


@frozen(kw_only=True)
class Thought:
    """What the model thought aloud; it may keep that to itself and give a seal of it alone."""

    text: str
    given: Given | None = None


@frozen(kw_only=True)
class Wanted:
    """A call as the model wrote it."""

    id: str
    """Unique within the conversation, whatever the model called it."""
    name: str
    arguments: str
    """The JSON text of the arguments, as it came; nobody has looked whether it is well formed."""
    given: Given | None = None


@frozen(kw_only=True)
class Part:
    """A block that nobody but its host understands."""

    given: Given


Block = Words | Thought | Wanted | Part


@frozen(kw_only=True)
class Replied:
    """One reply of the model: its blocks, in order."""

    blocks: tuple[Block, ...] = ()

    @property
    def text(self) -> str:
        """All that was said in it."""
        return "".join(block.text for block in self.blocks if isinstance(block, Words))

    @property
    def calls(self) -> tuple[Wanted, ...]:
        """The calls that it makes."""
        return tuple(block for block in self.blocks if isinstance(block, Wanted))


@frozen(kw_only=True)
class Result:
    """What came of one call, in words for the model."""

    call: str
    name: str
    text: str
    failed: bool = False
    attached: tuple[Attachment, ...] = ()
    """What is shown with them."""


@frozen(kw_only=True)
class Answered:
    """What came of all calls of the reply before it, in the order in which they were made."""

    results: tuple[Result, ...]


Turn = Said | Replied | Answered


@frozen(kw_only=True)
class Toolcard:
    """A tool, as a model is told of it."""

    name: str
    says: str
    schema: dict[str, Any] = field(hash=False)
    """The JSON schema of its arguments."""


@frozen(kw_only=True)
class Request:
    """All that a model is told before it replies."""

    system: str
    turns: tuple[Turn, ...]
    tools: tuple[Toolcard, ...] = ()
    most_tokens: int = 8_192
    """How long the reply may be."""
    effort: str | None = None
    """How much the model may think, in a word of `known.EFFORTS`; no word is as it likes, and
    None as the person says of the model."""
