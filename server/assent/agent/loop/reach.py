"""Which paths a call reads and changes: whether it must wait for another call of the same reply."""

from assent.gate.values import frozen

__all__ = ["Reach"]


@frozen(kw_only=True)
class Reach:
    """What a call would look at and change, as far as others of its reply must wait for it."""

    looks_at: frozenset[str] = frozenset()
    """The files and folders that it would read or change."""
    changes: frozenset[str] = frozenset()
    """Those of them that it would change."""
    roams: bool = False
    """Whether it may look at and change anything, as a command may."""
    is_part: bool = False
    """Whether it is a part of the work, with calls of its own; parts run side by side."""

    def meets(self, earlier: "Reach") -> bool:
        """Whether it would look at what the earlier one changes, or change it under a command."""
        if self.roams:
            return bool(earlier.changes) or (earlier.is_part and not self.is_part)
        if earlier.roams and self.changes:
            return True
        return any(_lies_in(change, other) for change in earlier.changes for other in self.looks_at)


def _lies_in(path: str, place: str) -> bool:
    """Whether a path is that place, or lies below it."""
    return path == place or path.startswith(f"{place.rstrip('/')}/")
