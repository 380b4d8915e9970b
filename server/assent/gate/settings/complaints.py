"""Faults of settings with their places, for whoever marks them in the file."""

from typing import Final, Literal

from assent.gate.settings.layers import Problems
from assent.gate.values import define, field, frozen

__all__ = ["Complaint", "Complaints", "Place"]

MAX_COMPLAINTS: Final = 500

Place = tuple[str | int, ...]
"""Keys and indexes, the setting's own key first: `("rules", "deny", 3)`."""


@frozen(kw_only=True)
class Complaint:
    """One thing that is wrong."""

    layer: str
    """`user`, `workspace`, `folder` or `managed`."""
    path: Place
    severity: Literal["error", "warning"]
    """An error is refused; a warning holds and may not do what was meant."""
    sentence: str


@define
class Complaints:
    """All that is wrong; errors are told in a banner too."""

    _problems: Problems
    _complaints: list[Complaint] = field(factory=list)

    def refuse(self, layer: str, path: Place, sentence: str) -> None:
        """Note what is not taken."""
        self._note(Complaint(layer=layer, path=path, severity="error", sentence=sentence))
        self._problems.add(sentence)

    def warn(self, layer: str, path: Place, sentence: str) -> None:
        """Note what is taken, and may not be what was meant."""
        self._note(Complaint(layer=layer, path=path, severity="warning", sentence=sentence))

    @property
    def all(self) -> tuple[Complaint, ...]:
        """Everything that was noted."""
        return tuple(self._complaints)

    def _note(self, complaint: Complaint) -> None:
        if len(self._complaints) < MAX_COMPLAINTS:
            self._complaints.append(complaint)
