"""The values that a kept chat consists of."""

from collections.abc import Mapping

from assent.gate.values import field, frozen

__all__ = ["Batch", "Head", "Listed", "Loaded"]


@frozen(kw_only=True)
class Head:
    """What is known of a chat without what was said in it."""

    id: str
    workspace: str
    """The folder that it is listed in; nothing where no folder is open."""
    agent: str
    title: str
    mode: str
    model: str = ""
    """The id of its model, where it is our own agent's."""
    effort: str = ""
    session: str = ""
    """By what an agent of other people knows it."""
    more: str = "{}"
    """What else is to come back with it, as JSON."""
    begun: int = 0
    touched: int = 0
    """In Unix milliseconds, as `begun`: when something happened in it last."""
    is_open: bool = True
    """Whether it was open when something was last kept of it."""


@frozen(kw_only=True)
class Batch:
    """What has changed in a chat since the last one."""

    head: Head
    items: Mapping[int, bytes] = field(factory=dict)
    """Entries of the transcript by their numbers, as they are on the wire."""
    words: Mapping[int, str] = field(factory=dict)
    """What these are found by."""
    turns: Mapping[int, bytes] = field(factory=dict)
    """Turns of our own agent's conversation, by their place."""
    turns_until: int | None = None
    """How many turns there are by now; None where nothing is said of them."""

    def followed_by(self, later: "Batch") -> "Batch":
        """Both at once, where the first could not be kept."""
        until = self.turns_until if later.turns_until is None else later.turns_until
        turns = {**self.turns, **later.turns}
        return Batch(
            head=later.head,
            items={**self.items, **later.items},
            words={**self.words, **later.words},
            turns={at: turn for at, turn in turns.items() if until is None or at < until},
            turns_until=until,
        )


@frozen(kw_only=True)
class Listed:
    """One line of the list."""

    head: Head
    entries: int
    owner: str
    """The run that has it; nothing where none has."""
    is_ours: bool
    """Whether it was sealed with the key of this editor."""
    found: str = ""
    """What was found in it, with a little around."""


@frozen(kw_only=True)
class Loaded:
    """A chat with the last of its entries."""

    head: Head
    first: int
    """The number of the first entry in `items`."""
    items: tuple[bytes, ...]
    kept_from: int = 0
    """The number of the first entry that is kept, with all that follow."""
    fault: str = ""
    """Why what is kept is not what was written, in the second half of a sentence."""
    owner: str = ""
    """The other run that has it; nothing where none has."""
