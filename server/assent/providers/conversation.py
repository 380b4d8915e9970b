"""A conversation with a model, as values: what was said, what was called, what came of it.

No provider's words stand in it, so that a chat can go on with another model.
"""

from typing import Any

from attrs import field, frozen

__all__ = [
    "Answered",
    "Replied",
    "Request",
    "Result",
    "Said",
    "Thought",
    "Toolcard",
    "Turn",
    "Wanted",
]


@frozen(kw_only=True)
class Said:
    """Words of the person, or of Assent itself."""

    text: str


@frozen(kw_only=True)
class Thought:
    """What the model thought aloud, with the seal under which its provider takes it back."""

    text: str
    seal: str = ""
    hidden: str = ""
    """Thought that the provider keeps secret even from us; it is handed back as it came."""


@frozen(kw_only=True)
class Wanted:
    """A call as the model wrote it."""

    id: str
    """Unique within the conversation, whatever the model called it."""
    name: str
    arguments: str
    """The JSON text of the arguments, as it came; nobody has looked whether it is well formed."""


@frozen(kw_only=True)
class Replied:
    """One reply of the model."""

    text: str = ""
    thoughts: tuple[Thought, ...] = ()
    calls: tuple[Wanted, ...] = ()


@frozen(kw_only=True)
class Result:
    """What came of one call, in words for the model."""

    call: str
    name: str
    text: str
    failed: bool = False


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
