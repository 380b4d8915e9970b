"""What commands of one text leave to later ones: repositories, programs, and links.

The facts were collected before the first command ran. A folder becomes a repository by a few
names in it, so whoever writes one of those, or fills a whole folder, decides what git finds, and
what it is told to run there.
"""

import fnmatch
import posixpath
from collections.abc import Iterable, Sequence
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Links
from assent.gate.programs.options import sort_words
from assent.gate.programs.tables.addresses import lies_there
from assent.gate.programs.tables.git_itself import GIT_ITSELF
from assent.gate.ruling.facts import Looks
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.paths import Place, is_new
from assent.gate.ruling.protected import git_folders
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.script import ALL_THAT_FOLLOWS, START, Command, bare_name
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within
from assent.gate.values import evolve

__all__ = [
    "changes",
    "command_of_git",
    "git_overwrites",
    "is_planted",
    "links_of",
    "may_change",
    "may_put",
    "those_after",
    "unled",
]

_GIT: Final = ".git"
_BARE: Final = ("head", "objects", "refs", "commondir")
"""Without one of them, a folder that was none cannot become a repository of its own."""
_SPOILS: Final = (_GIT, "post-index-change")
"""What git heeds in a folder of hooks or of a submodule."""

_BLANK: Final = late(r"\s")
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


def those_after(judged: Sequence[CommandFinding], at: int, changing: Iterable[int]) -> list[int]:
    """Which of those that change files stand after one, and may all the same run before it.

    That are those in the same loop or pipe, and those in a substitution among its own words.
    """
    command = judged[at].command
    # What a pipe only feeds would make a question of every line that it is fed with.
    sure = command.aside == ALL_THAT_FOLLOWS
    return [
        it
        for it in changing
        if it > at
        and _may_be_earlier(judged[it].command, command)
        and (sure or changes(judged[it]))
    ]


def _may_be_earlier(later: Command, command: Command) -> bool:
    if command.aside:
        return later.aside in (command.aside, ALL_THAT_FOLLOWS) or command.aside == ALL_THAT_FOLLOWS
    return later.depth > command.depth and later.start < command.end


def is_planted(context: RulingContext, start: str, others: Iterable[CommandFinding]) -> bool:
    """Whether other commands of the text could change what git runs that works in `start`."""
    changing = [other for other in others if changes(other)]
    if not changing:
        return False
    looks = context.facts.git_looks(start)
    return looks is None or any(_plants(context, finding, start, looks) for finding in changing)


def may_put(judged: CommandFinding, folder: str, names: Sequence[str]) -> bool:
    """Whether a command may put something of these names into a folder, or into one above it."""
    return (
        _may_fill(judged)
        or any(_is_within(folder, place.lies) for place in _content_of(judged, judged.changed))
        or any(_is_in_one_above(place.lies, folder, "", names) for place in judged.changed)
    )


def _content_of(judged: CommandFinding, changed: list[Place]) -> list[Place]:
    """The changes by which something may come to lie below a folder, not just the folder."""
    if judged.command.program not in _PLACING:
        return changed
    return [place for place in changed if place.listed or place.pattern is not None]


def _is_in_one_above(where: str, folder: str, stop: str, names: Sequence[str]) -> bool:
    """Whether a path is, or lies below, one of these names in a folder or above it."""
    while folder and folder != stop:
        if any(_is_within(where, f"{folder}/{name}") for name in names):
            return True
        folder = folder.rpartition("/")[0]
    return any(_is_within(where, f"/{name}") for name in names) if not stop else False


def changes(judged: CommandFinding) -> bool:
    """Whether a command surely may change some file."""
    return bool(judged.changed) or _may_fill(judged)


def may_change(judged: CommandFinding) -> bool:
    """The same, of a program too of which nobody knows what it does."""
    idle = judged.command.wraps or judged.deeds.reading
    return not idle or changes(judged)


def _may_fill(judged: CommandFinding) -> bool:
    """Whether it writes files of names that only running it would tell."""
    command = judged.command
    if command.program != "git":
        return command.program in _UNPACKING
    return _git_fills(command, judged.deeds)


def git_overwrites(command: Command, deeds: Deeds) -> bool:
    """Whether it may write over files that are there, which a clone does in no folder."""
    return _git_fills(command, deeds) and command_of_git(command) != "clone"


def _git_fills(command: Command, deeds: Deeds) -> bool:
    """Whether a command of git writes files of names that only running it would tell."""
    if deeds.reading:
        return False
    return not deeds.known or command_of_git(command) in _FILLING


def command_of_git(command: Command) -> str:
    """What git is told to do, behind its own options."""
    operands = sort_words(GIT_ITSELF, command.argv[1:]).operands
    return operands[0].text if operands else ""


def _plants(context: RulingContext, judged: CommandFinding, start: str, looks: Looks) -> bool:
    command = judged.command
    changed = [place for place in judged.changed if place.target is not None]
    if any(_names(place, start, looks) for place in changed):
        return True
    filled = [place for place in _content_of(judged, changed) if _fills(place, start, looks)]
    made = command.program == "git" and command_of_git(command) in _STARTING
    if made and (start in looks.besides or _is_made_by(context, command, filled, start, looks)):
        return False
    return bool(filled) or (_may_fill(judged) and start != looks.top)


def _is_made_by(
    context: RulingContext, command: Command, filled: list[Place], start: str, looks: Looks
) -> bool:
    """Whether git itself makes the repository that it will find, and takes nothing for it."""
    places = {place.lies for place in filled}
    if command_of_git(command) != "init":
        return start in places
    if any(word.text.startswith(_ELSEWHERE) for word in command.argv):
        return False
    # It keeps the settings of one that is not whole.
    return all(
        looks.top == place or context.facts.names(f"{_GIT}/config", place) == () for place in places
    )


def _names(place: Place, start: str, looks: Looks) -> bool:
    """Whether a name that it changes is one by which git knows, or runs, something."""
    where = place.lies.casefold()
    if _GIT in where.split("/"):
        return True
    if any(_is_within(where, f"{folder}/{name}") for folder in looks.besides for name in _SPOILS):
        return True
    # Where there is a `.git`, git looks no further.
    return _is_in_one_above(where, start, looks.top or "", _BARE)


def _fills(place: Place, start: str, looks: Looks) -> bool:
    """Whether it puts whatever there is into a folder that git looks into."""
    where = place.lies
    if place.pattern is not None and where == start:
        last = place.pattern.resolved.removeprefix(f"{where}/").casefold()
        strange = any(sign in last for sign in _MORE_THAN_STARS)
        return strange or any(fnmatch.fnmatchcase(name, last) for name in (_GIT, *_BARE))
    # Git itself lists nothing of a repository, nor what would be one where it has found one.
    by_git = place.listed and place.by and bare_name(place.by[0][0].text) == "git"
    if _is_within(start, where) and not (by_git and looks.top):
        return True
    if place.kind is Kind.DELETE:
        return False
    besides = [beside for beside in looks.besides if not (by_git and f"/{_GIT}/" in beside)]
    return any(_is_within(folder, where) for folder in besides)


def _is_within(path: str, folder: str) -> bool:
    # Whoever plants may count on a file system that knows no case.
    return is_within(path.casefold(), folder.casefold())


# Links that a command makes, behind which nobody knows where a path leads.

_MOVES: Final = "mv"
_LEADING: Final = frozenset({"ln", _MOVES})
_COPYING: Final = frozenset({"cp", "rsync", "install"})
_KEEPS_LINKS: Final = late(r"-[A-Za-z]*[lsPadrR]|--(?:link|sym|arch|rec|no-d|pres|links)")
_LINKS: Final = late(r"-[A-Za-z]*[ls]|--(?:link|sym)")
"""Flags of what copies, with which it makes links itself."""
_UNLINKS: Final = frozenset({"rm", "unlink", "rmdir", "mv"})
"""What removes or renames a link by its own name, and leaves alone what it leads to."""


def links_of(
    context: RulingContext, judged: CommandFinding, before: Sequence[CommandFinding]
) -> list[str]:
    """The paths that lead elsewhere once a command has run: links that it makes or moves.

    With a slash at its end, all below a path; the folder itself that is unpacked into stays one.
    """
    command, places = judged.command, judged.places
    brought = [place for place in places if place.links and place.target is not None]
    if brought:
        return [*map(_leads, brought)]
    if not _makes_links(command):
        return []
    if not any(map(changes, before)) and _takes_none(context, command, places):
        return []
    if command.program == _MOVES and _just_written(context, judged, before):
        return []
    return [place.lies for place in judged.changed if place.lies]


def _leads(place: Place) -> str:
    path = _path(place)
    return path if place.links is Links.THERE else f"{path.rstrip('/')}/"


def _path(place: Place) -> str:
    """Where it lies; what lies in a folder that `mktemp` makes, there."""
    return place.spelled if is_new(place) else place.lies or place.spelled


def _takes_none(context: RulingContext, command: Command, places: Sequence[Place]) -> bool:
    """Whether what is moved or copied is there, and no link lies in it."""
    if command.program == _MOVES:
        moved = [place for place in places if place.kind is Kind.DELETE]
    elif command.program in _COPYING and not any(_LINKS.match(word.text) for word in command.argv):
        moved = [place for place in places if place.kind is Kind.READ]
        if not moved or any(map(lies_there, command.argv[1:])):
            return False
    else:
        return False
    return all(_is_free_of_links(context, place) for place in moved)


def _just_written(
    context: RulingContext, judged: CommandFinding, before: Sequence[CommandFinding]
) -> bool:
    """Whether what is moved are files that the shell itself has made of what others write.

    In a loop the same command ran before, and moved such files.
    """
    others = [finding for finding in before if finding.command != judged.command]
    changed = [place for other in others for place in other.changed]
    if any(map(_may_fill, others)) or not all(place.redirect for place in changed):
        return False
    written = {place.spelled for place in changed}
    moved = [place for place in judged.places if place.kind is Kind.DELETE]
    return all(place.spelled in written and _is_absent(context, place) for place in moved)


def _is_absent(context: RulingContext, place: Place) -> bool:
    """Whether nothing lies there now."""
    path = place.lies if place.pattern is None else place.pattern.named
    return path != "" and context.facts.names(path, "/") == ()


def _is_free_of_links(context: RulingContext, place: Place) -> bool:
    """Whether it is there, and neither a link nor a folder in which one leads out."""
    target = place.target
    if target is None or place.pattern is not None or place.listed:
        return False
    there = bool(context.facts.names(target.resolved, "/"))
    return there and target.named == target.resolved and context.facts.led_below(target) == ()


def _makes_links(command: Command) -> bool:
    """Whether links may come to lie where it writes."""
    name = command.program
    flags = (word.text for word in command.argv[1:] if word.text.startswith("-"))
    return name in _LEADING or (
        name in _COPYING and any(_KEEPS_LINKS.match(flag) for flag in flags)
    )


def unled(
    command: Command, places: list[Place], led: tuple[str, ...], others: Sequence[CommandFinding]
) -> list[Place]:
    """The places, where each that lies behind one of `led`, or comes upon it, leads anywhere.

    So does a piece of a name that has blanks, where others may have made such a name, and what
    says what git runs in a repository that they make.
    """
    if not places:
        return places
    parts = any(place.piece for place in places) and any(map(_makes_blanks, others))
    made = {path for other in others for path in _repositories_of(other)}
    return [
        evolve(place, target=None)
        if (parts and place.piece)
        or _steers_one(place, made)
        or (led and _is_led(command, place, led))
        else place
        for place in places
    ]


def _makes_blanks(judged: CommandFinding) -> bool:
    return any(_BLANK.search(place.spelled) for place in judged.changed)


def _repositories_of(judged: CommandFinding) -> list[str]:
    """The folders of which a command may make a repository that is not called `.git`."""
    command = judged.command
    if command.program != "git" or command_of_git(command) not in _STARTING:
        return []
    elsewhere = any(word.text.startswith(_ELSEWHERE) for word in command.argv)
    return [place.lies for place in judged.changed] if elsewhere else []


def _steers_one(place: Place, made: set[str]) -> bool:
    if not made or not place.kind.changes or place.target is None:
        return False
    return not made.isdisjoint(git_folders(place.target))


def _is_led(command: Command, place: Place, led: tuple[str, ...]) -> bool:
    if place.target is None:
        return False
    if _climbs(command, place):
        return True
    path = _path(place)
    # One of the names that are listed may be the link.
    goes_on = place.led or place.listed or (place.tree and place.kind.changes)
    if goes_on and any(is_within(it, path) for it in led):
        return True
    if _removes_name(command, place):
        # A link that is removed by its own name leads nowhere.
        path = posixpath.dirname(path)
    return any(path.startswith(it) if it.endswith("/") else is_within(path, it) for it in led)


def _removes_name(command: Command, place: Place) -> bool:
    """Whether no more is removed than a name and what it is the name of."""
    if place.kind is not Kind.DELETE or command.program not in _UNLINKS:
        return False
    several = place.pattern is not None or place.listed or place.emptied
    return not several and not place.spelled.endswith(("/", "/."))


def _climbs(command: Command, place: Place) -> bool:
    """Whether it goes up again from where a link may have led."""
    parts = place.spelled.split("/")
    ups = [at for at, it in enumerate(parts) if it == ".."]
    return bool(ups) and (command.ways != START or ups != list(range(len(ups))))
