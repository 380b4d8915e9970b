"""What the policy must be told about files, since it opens nothing itself."""

from collections.abc import Sequence
from typing import Protocol

from assent.calls import Target
from assent.errors import CallUnreadable

__all__ = ["UNKNOWN", "Facts"]


class Facts(Protocol):
    """Answers about paths; whoever gives them has looked."""

    def locate(self, path: str, cwd: str) -> Target:
        """Where a path leads for somebody who works in `cwd`; raise `CallUnreadable` if unclear."""
        ...

    def names(self, pattern: str, cwd: str) -> tuple[str, ...] | None:
        """The files that a shell pattern stands for now; None where they are too many to tell."""
        ...

    def holds(self, target: Target) -> bool:
        """Whether a folder of the workspace or the person's home lies in it, or is it."""
        ...

    def git_runs(self, folder: str) -> str | None:
        """Why git could run what the repository it finds from `folder` says; None where it cannot.

        A clause, such as `its config sets core.fsmonitor`.
        """
        ...

    def above(self, folder: str, names: Sequence[str]) -> str | None:
        """The first of these names that lies in a folder or in one above it; None where none is."""
        ...

    def keeps_git(self, folder: str) -> bool:
        """Whether a folder is one in which git keeps a repository, or could soon be one."""
        ...


class _Unknown:
    """Knows nothing, so that whatever depends on a file is asked."""

    def locate(self, path: str, cwd: str) -> Target:
        raise CallUnreadable("Nothing is known about files here.")

    def names(self, pattern: str, cwd: str) -> tuple[str, ...] | None:
        return None

    def holds(self, target: Target) -> bool:
        return True

    def git_runs(self, folder: str) -> str | None:
        return "nothing is known of it"

    def above(self, folder: str, names: Sequence[str]) -> str | None:
        return names[0] if names else None

    def keeps_git(self, folder: str) -> bool:
        return True


UNKNOWN: Facts = _Unknown()
