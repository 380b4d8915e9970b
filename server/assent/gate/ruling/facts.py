"""The interface for facts about files, since the policy opens nothing itself."""

from collections.abc import Collection, Sequence
from typing import Protocol

from assent.gate.call.calls import Premise, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.values import frozen

__all__ = ["UNKNOWN", "Facts", "Looks", "Running", "Stand"]


@frozen(kw_only=True)
class Looks:
    """Where git looks that is started in a folder, beside that folder and those above it."""

    top: str | None = None
    """The folder that has the repository as its `.git`; None where there is none."""
    sure: bool = False
    """Whether git surely tells that folder, instead of failing for what it finds there."""
    besides: tuple[str, ...] = ()
    """Folders with repositories or hooks that it would use as well."""


@frozen(kw_only=True)
class Stand:
    """What the name of a program stands for where PATH decides that."""

    path: str | None = None
    """The file; None where there is none of that name, so that nothing would run."""
    why: str | None = None
    """Why it is not surely the program of that name, a clause such as `is bin/ls of this
    workspace here`; None where it is."""


@frozen(kw_only=True)
class Running:
    """A program of the gate's own, as a list of what runs has it."""

    name: str
    line: str
    """Its words."""


class Facts(Protocol):
    """Answers about paths; whoever gives them has looked.

    Where nobody has, each is the one by which whatever depends on a file is asked.
    """

    def locate(self, path: str, cwd: str) -> Target:
        """Where a path leads for somebody who works in `cwd`; raise `CallUnreadable` if unclear."""
        raise CallUnreadable("Nothing is known about files here.")

    def names(self, pattern: str, cwd: str) -> tuple[str, ...] | None:
        """The files that a shell pattern stands for now; None where they are too many to tell."""
        return None

    def holds(self, target: Target) -> bool:
        """Whether a folder of the workspace or the person's home lies in it, or is it."""
        return True

    def meets(self, pattern: Target) -> bool:
        """Whether a shell's pattern, which stands in `named`, may stand for what holds them."""
        return True

    def premise(self, folder: Target, pattern: Target) -> Premise | None:
        """The part of the gate that a pattern below a folder may stand for, hold, or lead into."""
        return None

    def started_in(self, folder: Target) -> Sequence[str]:
        """The files in a folder that are run later without being named, by their paths there."""
        return ()

    def alias(self, target: Target) -> str | None:
        """The protected link that leads to a place or to a folder above it, of those at hand.

        Or the hook or the settings of git that a place is, where the repository names it.
        """
        # Of what is on the disk it found no path at all.
        return None

    def led_below(self, folder: Target) -> tuple[Target, ...] | None:
        """Where links below a folder lead that lead out of it; None where they are too many."""
        return None

    def lies_below(self, folder: str, names: Collection[str]) -> bool:
        """Whether anything of these names, or patterns of names, lies below a path.

        With a slash at its end, a name is a folder's. Also where nobody can tell.
        """
        return True

    def found_below(self, folder: str, names: Collection[str]) -> tuple[str, ...] | None:
        """The files below a path that have such names, or lie in a folder that has one.

        A link to a folder has a slash at its end. None where there are too many to tell.
        """
        return None

    def tracked_around(self, folder: str) -> tuple[str, ...] | None:
        """The paths that git tracks in the work trees around a folder; None if nobody can tell."""
        return None

    def links_in(self, folder: str, *, all_: bool = False) -> tuple[str, ...] | None:
        """The links below a folder, all or those that lead out of it; None where it is too full."""
        return None

    def pieces_in(self, folder: str, cwd: str | None, *, tracked: bool) -> tuple[str, ...] | None:
        """What the names below a folder fall into at their blanks, as far as it may matter.

        That are pieces that name something from `cwd`, lead up or away, or look like an option.
        Without a `cwd` the names that have blanks are told.
        With `tracked` git told the names, of what it tracks. None where they are too many.
        """
        return None

    def links_tracked(self, folder: str) -> tuple[str, ...] | None:
        """The links among what git tracks in the work tree there; None if nobody can tell."""
        return None

    def taken_up(self, folder: str, *, all_: bool) -> tuple[str, ...] | None:
        """The files that git would take up there, or of its whole work tree; None if unclear."""
        return None

    def left_out(self, file: str, folder: str) -> str | None:
        """What a search of a folder that heeds git's lists leaves out: a file, or one above it."""
        return None

    def contents(self, file: str) -> str | None:
        """What stands in a file; nothing where there is none, None where it cannot be told."""
        return None

    def is_folder(self, path: str) -> bool:
        """Whether a path is a folder's, as far as that can be told."""
        return False

    def repository_of(self, path: str) -> str | None:
        """The folder of the repository that a path lies in; None where it lies in none."""
        return None

    def can_be_restored(self, path: str) -> bool:
        """Whether a write to a path loses nothing: nothing is there, or git has it as it stands."""
        return False

    def enters(self, folder: str) -> bool:
        """Whether a folder is there that can be entered."""
        return False

    def program(self, name: str) -> Stand:
        """What a program's name stands for, with the PATH that a command gets."""
        return Stand(why="may be any program: nothing is known about files here")

    def before_program(self, name: str) -> tuple[str, ...]:
        """The folders that PATH has before that program, and that anybody may fill."""
        return ()

    def git_runs(self, folder: str) -> str | None:
        """Why git could run what the repository it finds from `folder` says; None where it cannot.

        A clause, such as `its config sets core.fsmonitor`.
        """
        return "nothing is known of it"

    def git_looks(self, folder: str) -> Looks | None:
        """Where git looks that is started in `folder`; None where that cannot be told."""
        return None

    def head(self, folder: str) -> str | None:
        """What the repository that git finds from `folder` has checked out, as `refs/heads/main`.

        Nothing where that is no branch; None where it cannot be told.
        """
        return None

    def above(self, folder: str, names: Sequence[str]) -> str | None:
        """The first of these names that lies in a folder or in one above it; None where none is."""
        return names[0] if names else None

    def keeps_git(self, folder: str) -> bool:
        """Whether a folder is one in which git keeps a repository, or could soon be one."""
        return True

    def exports(self, name: str) -> bool:
        """Whether every command is given a variable of this name from the beginning."""
        return True

    def listens(self, port: int) -> bool:
        """Whether a program listens at a port of this machine; also where nobody can tell."""
        return True

    def running(self) -> tuple[Running, ...] | None:
        """What the gate's own programs run as; None where that is not known."""
        return None

    def is_of_gate(self, number: int) -> bool:
        """Whether the program with this number is one of the gate's own."""
        return True


class _Unknown(Facts):
    """Knows nothing, so that whatever depends on a file is asked."""


UNKNOWN: Facts = _Unknown()
