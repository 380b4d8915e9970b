"""What the commands of one text could make of the repository in which another of them works.

Facts are of before. A folder becomes a repository by a few names in it, so whoever writes one of
those, or fills a whole folder, decides what git finds, and what it is told to run there.
"""

import fnmatch
from collections.abc import Iterable, Sequence
from typing import Final

from assent.bash.script import ALL_THAT_FOLLOWS, Command
from assent.policy.facts import Looks
from assent.policy.findings import Judged
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.programs.deeds import Deeds, Kind
from assent.programs.families.git_itself import GIT_ITSELF
from assent.programs.options import sort_words
from assent.text.plainly import is_within

__all__ = ["changes", "git_overwrites", "is_planted", "may_put", "those_after"]

_GIT: Final = ".git"
_BARE: Final = ("head", "objects", "refs", "commondir")
"""Without one of them, a folder that was none cannot become a repository of its own."""
_SPOILS: Final = (_GIT, "post-index-change")
"""What git heeds in a folder of hooks or of a submodule."""

_MORE_THAN_STARS: Final = "/[]{}()\\"

_PLACING: Final = frozenset({"mkdir", "rmdir"})
"""What puts nothing of anybody's into the folders that it names."""
_STARTING: Final = frozenset({"clone", "init", "worktree", "submodule"})
"""Commands of git that make a repository where their words say, whatever lies below it."""
_FILLING: Final = frozenset(
    """am apply bisect checkout checkout-index cherry-pick clone merge pull read-tree rebase reset
    restore revert sparse-checkout stash submodule switch worktree""".split()
)
"""Commands of git that write files of any name below the top of a repository, but no `.git`."""
_UNPACKING: Final = frozenset(
    "patch ar unrar unar 7z 7za 7zr rename prename mmv split csplit".split()
)
"""Other programs that choose the names of the files which they write."""
_ELSEWHERE: Final = ("--bare", "--sep")
"""With these, `git init` takes for a repository what lies there already."""


def those_after(judged: Sequence[Judged], at: int, changing: Iterable[int]) -> list[int]:
    """Which of those that change files stand after one, and may all the same run before it.

    That are those in the same loop or pipe, and those in a substitution among its own words.
    """
    one = judged[at].command
    return [it for it in changing if it > at and _may_be_earlier(judged[it].command, one)]


def _may_be_earlier(later: Command | None, one: Command | None) -> bool:
    if later is None or one is None:
        return False
    if one.aside:
        return later.aside in (one.aside, ALL_THAT_FOLLOWS) or one.aside == ALL_THAT_FOLLOWS
    return later.depth > one.depth and later.start < one.end


def is_planted(matter: Matter, start: str, others: Iterable[Judged]) -> bool:
    """Whether other commands of the text could change what git runs that works in `start`."""
    changing = [it for it in others if it.command is not None and changes(it)]
    if not changing:
        return False
    looks = matter.facts.git_looks(start)
    return looks is None or any(_plants(matter, it, start, looks) for it in changing)


def may_put(one: Judged, folder: str, names: Sequence[str]) -> bool:
    """Whether a command may put something of these names into a folder, or into one above it."""
    changed = [place for place in one.places if place.kind.changes]
    return (
        _may_fill(one)
        or any(_is_within(folder, _where(place)) for place in _content_of(one, changed))
        or any(_is_in_one_above(_where(place), folder, "", names) for place in changed)
    )


def _content_of(one: Judged, changed: list[Place]) -> list[Place]:
    """The changes by which something may come to lie below a folder, not just the folder."""
    if one.command is None or one.command.program not in _PLACING:
        return changed
    return [place for place in changed if place.listed or place.pattern is not None]


def _is_in_one_above(where: str, folder: str, stop: str, names: Sequence[str]) -> bool:
    """Whether a path is, or lies below, one of these names in a folder or above it."""
    while folder and folder != stop:
        if any(_is_within(where, f"{folder}/{name}") for name in names):
            return True
        folder = folder.rpartition("/")[0]
    return any(_is_within(where, f"/{name}") for name in names) if not stop else False


def changes(one: Judged) -> bool:
    """Whether a command may change any file."""
    return any(place.kind.changes for place in one.places) or _may_fill(one)


def _may_fill(one: Judged) -> bool:
    """Whether it writes files of names that only running it would tell."""
    command = one.command
    if command is None or command.program != "git":
        return command is not None and command.program in _UNPACKING
    return _git_fills(command, one.deeds)


def git_overwrites(command: Command, deeds: Deeds) -> bool:
    """Whether it may write over files that are there, which a clone does in no folder."""
    return _git_fills(command, deeds) and _command_of_git(command) != "clone"


def _git_fills(command: Command, deeds: Deeds) -> bool:
    """Whether a command of git writes files of names that only running it would tell."""
    if deeds.reading:
        return False
    return not deeds.known or _command_of_git(command) in _FILLING


def _command_of_git(command: Command) -> str:
    operands = sort_words(GIT_ITSELF, command.argv[1:]).operands
    return operands[0].text if operands else ""


def _plants(matter: Matter, one: Judged, start: str, looks: Looks) -> bool:
    command = one.command
    if command is None:
        return False
    changed = [place for place in one.places if place.kind.changes and place.target is not None]
    if any(_names(place, start, looks) for place in changed):
        return True
    filled = [place for place in _content_of(one, changed) if _fills(place, start, looks)]
    if command.program != "git":
        return bool(filled) or (_may_fill(one) and start != looks.top)
    made = _command_of_git(command) in _STARTING
    if made and (start in looks.besides or _is_made_by(matter, command, filled, start, looks)):
        return False
    return bool(filled) or (_may_fill(one) and start != looks.top)


def _is_made_by(
    matter: Matter, command: Command, filled: list[Place], start: str, looks: Looks
) -> bool:
    """Whether git itself makes the repository that it will find, and takes nothing for it."""
    places = {_where(place) for place in filled}
    if _command_of_git(command) != "init":
        return start in places
    if any(word.text.startswith(_ELSEWHERE) for word in command.argv):
        return False
    # It keeps the settings of one that is not whole.
    return all(looks.top == it or matter.facts.names(f"{_GIT}/config", it) == () for it in places)


def _names(place: Place, start: str, looks: Looks) -> bool:
    """Whether a name that it changes is one by which git knows, or runs, something."""
    where = _where(place).casefold()
    if _GIT in where.split("/"):
        return True
    if any(_is_within(where, f"{folder}/{name}") for folder in looks.besides for name in _SPOILS):
        return True
    # Where there is a `.git`, git looks no further.
    return _is_in_one_above(where, start, looks.top or "", _BARE)


def _fills(place: Place, start: str, looks: Looks) -> bool:
    """Whether it puts whatever there is into a folder that git looks into."""
    where = _where(place)
    if place.pattern is not None and where == start:
        last = place.pattern.resolved.removeprefix(f"{where}/").casefold()
        strange = any(sign in last for sign in _MORE_THAN_STARS)
        return strange or any(fnmatch.fnmatchcase(name, last) for name in (_GIT, *_BARE))
    if _is_within(start, where):
        return True
    fills = place.kind is not Kind.DELETE
    return fills and any(_is_within(folder, where) for folder in looks.besides)


def _where(place: Place) -> str:
    return "" if place.target is None else place.target.resolved


def _is_within(path: str, folder: str) -> bool:
    # Whoever plants may count on a file system that knows no case.
    return is_within(path.casefold(), folder.casefold())
