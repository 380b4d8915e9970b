"""A workspace's wishes, and a person's answers to them so far.

A wish is granted to the letter: whatever is not covered by its digest has not been granted.
"""

from enum import StrEnum
from typing import Final

from assent.gate.call.calls import digest_of
from assent.gate.values import field, frozen

__all__ = ["REPOSITORY", "SERVERS", "Standing", "Wish", "WishedFile"]

REPOSITORY: Final = "repository"
"""The key of a wish that no setting makes: that files of a repository configure an agent."""

SERVERS: Final = "MCP servers"
"""What such a wish is about that starts servers of tools. No agent can have this id."""


class Standing(StrEnum):
    """How a person answered a wish."""

    GRANTED = "granted"
    DECLINED = "declined"


@frozen(kw_only=True)
class WishedFile:
    """A file that a wish is about, as it is shown; its content is bound by the wish's value."""

    path: str
    rows: tuple[tuple[str, str], ...]
    """What it would do, in names and values."""
    text: str


@frozen(kw_only=True)
class Wish:
    """Something that the workspace's own files ask for and that would widen what is allowed."""

    key: str
    """The setting's key without the section, such as `bypassPermissions`, or `REPOSITORY`."""
    name: str
    """What in that setting: an agent's id, or nothing."""
    value: object = field(hash=False)
    effect: str
    """What granting it would do, as a sentence."""
    fingerprint: str = ""
    """Of the agent's command, where the wish is about an agent."""
    files: tuple[WishedFile, ...] = ()
    """For the card alone."""
    parts: "tuple[Wish, ...]" = ()
    """What one answer to this answers: the rules of each layer, where several have some."""

    @property
    def digest(self) -> str:
        """The SHA-256 of what would be granted."""
        return digest_of([self.key, self.name, self.value, self.fingerprint])

    @property
    def each(self) -> "tuple[Wish, ...]":
        """What is answered, and kept, by an answer to this."""
        return self.parts or (self,)

    @property
    def subject(self) -> tuple[str, ...]:
        """What it is about: of several answers about the same the last one counts alone."""
        if self.key == REPOSITORY and isinstance(self.value, dict):
            return (self.key, self.name, str(self.value.get("folder")))
        return (self.digest,)
