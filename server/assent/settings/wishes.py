"""What a workspace's own files ask for, and how a person has answered it so far.

A wish is granted to the letter: whatever is not covered by its digest has not been granted.
"""

from enum import StrEnum

from attrs import field, frozen

from assent.calls import digest_of

__all__ = ["Standing", "Wish"]


class Standing(StrEnum):
    """How a person answered a wish."""

    GRANTED = "granted"
    DECLINED = "declined"


@frozen(kw_only=True)
class Wish:
    """Something that the workspace's own files ask for and that would widen what is allowed."""

    key: str
    """The setting's key without the section, such as `bypassPermissions`."""
    name: str
    """What in that setting: an agent's id, or nothing."""
    value: object = field(hash=False)
    effect: str
    """What granting it would do, as a sentence."""
    fingerprint: str = ""
    """Of the agent's command, where the wish is about an agent."""

    @property
    def digest(self) -> str:
        """The SHA-256 of what would be granted."""
        return digest_of([self.key, self.name, self.value, self.fingerprint])
