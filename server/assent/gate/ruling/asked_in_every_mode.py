"""Questions that a shell command raises in every mode, whatever rule or bypass allows it.

Changes to protected places, by whatever name they come to be changed; removals that leave nothing;
changes of which nobody knows yet where they lead.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.call.verdicts import Ruling
from assent.gate.programs.code_inputs import is_told_commands, is_unsure
from assent.gate.programs.deeds import Deeds, Kind
from assent.gate.programs.find_tests import FINDERS
from assent.gate.programs.listers import goes_below
from assent.gate.programs.nested_execution.interpreters import CONTAINER, ELSEWHERE
from assent.gate.programs.study import PATCHING, study
from assent.gate.programs.tables.mounts import BOXES, HOMES, SOCKETS
from assent.gate.rules.environment import strays
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.configuring import configures
from assent.gate.ruling.effects_between_commands import git_overwrites
from assent.gate.ruling.exclusions import is_choice, spares
from assent.gate.ruling.folders import folders_of, is_lost
from assent.gate.ruling.outside_paths import put_in
from assent.gate.ruling.patched_places import patched
from assent.gate.ruling.paths import Place, places_of
from assent.gate.ruling.paths_in_text import mentioned_in, patterns_in
from assent.gate.ruling.protected import (
    CHANGES_WHAT_IS_ALLOWED,
    MEMORY,
    change_of,
    folder_of,
    git_folders,
    keys_in,
    lies_in,
    may_name,
    named_in,
    premise_of,
)
from assent.gate.ruling.protected_names import GIT
from assent.gate.ruling.quoted_commands import removals_in
from assent.gate.ruling.repositories import starts_of
from assent.gate.ruling.ruling_context import RulingContext, asked
from assent.gate.ruling.wildcards import has_glob, reads_memory
from assent.gate.shell.script import Command
from assent.gate.text.concatenated_texts import runs_hidden
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["always_asked", "of_everything"]

_FILLS: Final = frozenset("git hg svn tar gtar unzip patch".split())
"""Programs that put many files where they belong, and name only the folder."""

_MOUNTING: Final = frozenset({"run", "create"})
"""The words by which a container is given folders, to change what is in them."""

_MOUNTED_BY: Final = frozenset((CONTAINER, ELSEWHERE["chroot"]))
"""Where what runs may be given folders of this machine."""

_PASSING: Final = "/tmp"  # noqa: S108 -- no file is made there
"""A home that lies there is one of somebody who tries things."""

_RUNS_LATER: Final = asked(
    "What it sets up runs later, when nobody is asked.",
    "Makes something run later, without a question.",
)
_TOLD: Final = asked("What this program runs comes from its input.")
_HIDDEN: Final = asked("What runs here is only known when it runs.")
_READING: Final = "Reading {} is asked about in every mode."
_UNKNOWN: Final = asked("What it changes is only known when it runs.")


_ENTERED: Final = late(
    r"(?:chdir|symlink)\W{1,3}(?:[\w./]*/)?\.git/?['\"]|[\w\s]=\s*['\"]\.git/?['\"]"
)
"""How code goes to the folder of git, or keeps its name, from where any file there is named."""


def always_asked(case: CommandAnalysis) -> Iterator[Ruling]:
    """All of them that a command raises."""
    context, command, deeds, places = case.context, case.command, case.deeds, case.places
    fills = command.program in _FILLS
    changed = [place for place in places if place.kind.changes]
    for place in changed:
        if place.target is None:
            yield _UNKNOWN
        else:
            over = _overwrites(command, place)
            yield from _of_place(context, deeds, place, place.target, fills=fills, over=over)
    if changed and command.program in FINDERS:
        yield from _of_search(context, command, changed)
    if deeds.git_from and not deeds.reading:
        yield from _of_repository(case)
    yield from _of_keys(context, places)
    by_patch = patched(case) if command.program in PATCHING else ()
    yield from (_of_protected(it, perhaps=True) for it in by_patch)
    if deeds.later:
        yield _RUNS_LATER
    if is_told_commands(command):
        yield _TOLD
    volume = _asked_of_volume([word.text for word in command.argv])
    if volume is not None:
        yield volume
    if ELSEWHERE.get(command.program) in _MOUNTED_BY or command.program in BOXES:
        yield from _of_mounts(context, command, places)
    if case.unsure:
        yield from _of_words(case)
        yield from _of_quoted(context, command)


def _of_place(
    context: RulingContext, deeds: Deeds, place: Place, target: Target, *, fills: bool, over: bool
) -> Iterator[Ruling]:
    if f"{target.resolved}/".startswith("/dev/"):
        yield _asked_of_device(target.shown)
    removes = place.kind is Kind.DELETE
    # What is moved into a folder leaves what is there.
    ruins = deeds.catastrophic and (removes or not deeds.moves)
    named = _named(context, place, target, fills=fills, ruins=ruins)
    if named is not None:
        removed = removes and not deeds.moves
        yield _of_protected(named, removed=removed)
    # File by file it goes as far as a folder does that is removed with what is in it.
    each = removes and not deeds.moves and place.listed and place.by and goes_below(place.by)
    if (ruins or each or over) and _is_whole(context, place, target):
        yield of_everything(target, removes=removes, found=place.some)


def _named(
    context: RulingContext, place: Place, target: Target, *, fills: bool, ruins: bool
) -> str | None:
    """The protected place that is changed, or may be among what is changed.

    What `ruins` a whole home or a workspace is told of as that.
    """
    if place.pattern is not None:
        met = context.facts.premise(target, place.pattern)
        if met is not None:
            return f"{place.spelled} ({met.name})"
        wide = lies_in(target) or may_name(place.pattern.shown) or configures(place.pattern)
        return place.spelled if wide else context.facts.alias(target)
    above = target.above
    if place.listed and above and not above.run and not (fills and target.shown == "."):
        return premise_of(target)
    if place.listed:
        spared = not lies_in(target) and spares(context, place, target, fills=fills)
        return None if spared else place.spelled
    named = change_of(target, fills=fills) or context.facts.alias(target)
    if named is None and any(map(context.facts.keeps_git, git_folders(target))):
        named = target.shown
    return None if ruins and context.facts.holds(target) else named


def _is_whole(context: RulingContext, place: Place, target: Target) -> bool:
    """Whether all of a home, a workspace or a system is reached."""
    if place.some or not (place.tree or place.emptied or place.listed):
        return False
    if place.listed:
        return context.facts.holds(target) and not is_choice(context, place, target)
    if place.pattern is not None and (_is_top(place.pattern) or context.facts.meets(place.pattern)):
        return True
    whole = place.pattern is None or place.emptied
    return whole and (context.facts.holds(target) or _is_top(target))


def _is_top(target: Target) -> bool:
    """Whether it is one of the folders that a system is made of."""
    return min(target.resolved.count("/"), (target.named or target.resolved).count("/")) <= 1


def _of_search(context: RulingContext, command: Command, changed: list[Place]) -> Iterator[Ruling]:
    """A search that changes what it finds is judged by the names that it looks for."""
    for place in changed:
        searched = evolve(place, by=(command.argv,))
        if place.target is not None and not spares(context, searched, place.target):
            yield _of_protected(place.spelled)


def _only_sets(case: CommandAnalysis) -> bool:
    """Whether it only sets variables, and no program here hears of them but by its words."""
    context, command = case.context, case.command
    if command.argv or any(
        context.facts.exports(variable.name) for variable in command.assignments
    ):
        return False
    context.budget.spend(20 * len(case.script.commands))
    others = (other for other in case.script.commands if other.argv)
    return not any(is_unsure(other, study(other)) for other in others)


def _of_words(case: CommandAnalysis) -> Iterator[Ruling]:
    """A protected name, or a disk, in what a program is told of which no more is known."""
    context, command, given = case.context, case.command, case.given
    words = " ".join([word.text for word in command.argv])
    if given and words:
        words = " ".join([words, *(given[stray] or "" for stray in strays(given))])
    if "/dev/" in words:
        yield from (_asked_of_device(word.text) for word in command.argv[1:] if _is_disk(word.text))
    own = context.text[command.start : command.end]
    told = f" {command.told_by(context.text)}".rstrip()
    # Around what is carried stand the words of another, judged for themselves.
    spelled = words if command.carried and command.literal and not told else own + told
    named = named_in(words) or (named_in(spelled) if spelled != words else None)
    if named is None and GIT in spelled and _ENTERED.search(spelled):
        named = GIT
    named = named or folder_of(context.call)
    if named is None:
        named = _worked_in(case.anywhere) or _mentioned(context, command, case.anywhere)
        named = named or put_in(context, command, case.anywhere)
    if named is not None and not _only_sets(case):
        reads = named == MEMORY
        yield asked(_READING.format(named)) if reads else _of_protected(named, perhaps=True)


def _of_quoted(context: RulingContext, command: Command) -> Iterator[Ruling]:
    """A removal that leaves nothing, in a text that a program of which no more is known may run.

    And one that nobody could read before it runs.
    """
    context.budget.spend(len(command.told_by(context.text)))
    if any(
        map(runs_hidden, (command.told_by(context.text), *[word.text for word in command.argv[1:]]))
    ):
        yield _HIDDEN
    for inner in removals_in(context, command):
        deeds = study(inner)
        folders = folders_of(context, inner, (), whole=False)
        for place in places_of(context, inner, deeds, folders):
            if place.kind.changes and place.target and _is_whole(context, place, place.target):
                yield of_everything(place.target, removes=place.kind is Kind.DELETE)


def _of_repository(case: CommandAnalysis) -> Iterator[Ruling]:
    """A part of the gate in which git would put its files, which are among none of its words."""
    fills = git_overwrites(case.command, case.deeds)
    if fills and is_lost(case.context, case.command):
        yield _UNKNOWN
    for start in starts_of(case.context, case.deeds, case.anywhere):
        if start is None:
            yield _UNKNOWN
        elif not start.inside and (start.own is not None or (fills and lies_in(start))):
            yield _of_protected(premise_of(start) or start.shown)


def _of_mounts(context: RulingContext, command: Command, places: list[Place]) -> Iterator[Ruling]:
    """What is protected, in a folder that is given whole to what runs in a container.

    All of a home or a system is, and what commands the containers themselves.
    """
    runs = any(word.text in _MOUNTING for word in command.argv[1:3])
    for target in (place.target for place in places if place.kind is Kind.READ):
        if target is None and runs:
            yield _UNKNOWN
        elif target is not None:
            whole = (target.inside and target.shown == ".") or target.resolved == _PASSING
            named = premise_of(target) if whole else change_of(target)
            if named is not None or target.resolved.endswith(SOCKETS):
                yield _of_protected(named or target.shown)
            elif target.resolved in HOMES or (context.facts.holds(target) and not whole):
                yield of_everything(target, removes=False)


def _of_keys(context: RulingContext, places: list[Place]) -> Iterator[Ruling]:
    """Keys of the gate among what a command reads."""
    for place in places:
        if place.kind is Kind.LOOK:
            read = place.target and keys_in(place.target)
        elif place.kind is not Kind.READ:
            continue
        elif place.target is None:
            read = MEMORY if reads_memory(place.word.path, context.text) else None
            read = read or mentioned_in(context, (context.text,), (context.call.cwd,), keys=True)
        else:
            # A file of one process, as in `/proc/$$/status`, is not all that is there.
            each = place.listed and bool(place.by or place.lies != "/proc")
            read = keys_in(place.target, tree=place.tree or each)
            met = place.pattern and context.facts.premise(place.target, place.pattern)
            read = read or (f"{place.spelled} ({met.name})" if met and met.keys else None)
        if read is not None:
            yield asked(_READING.format(read))


def _worked_in(targets: list[Target | None]) -> str | None:
    """A protected folder in which a command may come to run."""
    return next(
        (target.shown for target in targets if target is not None and lies_in(target)), None
    )


def _mentioned(
    context: RulingContext, command: Command, targets: list[Target | None]
) -> str | None:
    """A part of the gate among its words, the files that these stand for, and what it is fed.

    It may come to run in the folders that were found; None is one that nobody knows.
    """
    # Where the folder is not known, an absolute path leads where it does all the same.
    folders = [target.resolved for target in targets if target is not None] or [context.call.cwd]
    words = [word.text for word in command.argv[1:]]
    patterns = [word.path for word in command.argv[1:] if word.glob]
    told = command.literal or all(word.known for word in command.argv)
    if command.code or command.fed or None in targets or not told:
        # What it does not say itself, the rest of the text may say for it; itself it is only run.
        head, tail = context.text[: command.start], context.text[command.start :]
        whole = head + tail.replace(command.name, "", 1)
        text = whole if command.fed or None in targets or not told else command.code
        context.budget.spend(len(text) // 6)
        words += [line for line in text.splitlines() if line]
        patterns += patterns_in(text)
    for path, folder in product(patterns, folders):
        words += context.facts.names(path, folder) or ()
    return mentioned_in(context, words, folders)


# Questions that no mode lifts, with what a person should know of each before anything else.

_VOLUMES: Final = {
    "zpool": ("destroy", "labelclear"),
    "zfs": ("destroy",),
    "btrfs": ("delete",),
    **dict.fromkeys(("lvremove", "vgremove", "pvremove", "vgreduce", "lvreduce"), ()),
    "cryptsetup": ("luksFormat", "luksErase", "erase", "reencrypt"),
    "mdadm": ("--zero-superblock", "--stop", "--create"),
}
"""Programs that take whole volumes away, with the words by one of which they do."""
_OF_VOLUME: Final = asked(
    "What takes a volume of disks away is asked about in every mode.",
    "Takes away a volume of disks, with all that is on it.",
)

_WHOLE: Final = {".": "this workspace", "~": "your home", "/": "the whole system"}
"""What a path stands for that says nothing to somebody who reads in a hurry."""

_UNTOLD: Final = "…"
"""What stands in a path for something that only a run would tell."""
_HISTORY: Final = ".git"

_ANEW: Final = frozenset((">", ">|", "&>"))
_POURS: Final = frozenset(("tee", "gtee", "sponge"))
_APPENDS: Final = frozenset(("-a", "--append"))
_NOTHING: Final = "/dev/null"
"""What is copied, or linked, to where a file was leaves nothing of that."""

_SOCKET: Final = late(r"/dev/(?:tcp|udp)/[^/]")
_DISK: Final = late(r"/dev/(?:[shxv]d[a-z]|xvd|nvme|mmcblk|disk|rdisk|md|dm-|mapper/|loop|ram)")


def _is_disk(path: str) -> bool:
    """Whether a path names a disk, or a part of one."""
    return _DISK.match(path) is not None


def _asked_of_device(device: str) -> Ruling:
    """The question about writing to a device."""
    return asked(f"{device} is a device.", _comes_of(device))


def _asked_of_volume(words: Sequence[str]) -> Ruling | None:
    """The question about what takes a pool or a volume away; None where these words do not."""
    name = words[0].rpartition("/")[2] if words else ""
    if name not in _VOLUMES or not (set(_VOLUMES[name]) or {name}) & {name, *words[1:]}:
        return None
    return _OF_VOLUME


def _comes_of(device: str) -> str:
    """What comes of writing to a device."""
    if _SOCKET.match(device):
        return f"Sends what it writes to {device.split('/')[3]}."
    if _DISK.match(device):
        return f"Overwrites the disk {device}: all that is on it is lost."
    return f"Writes to {device}."


def _of_protected(place: str, *, removed: bool = False, perhaps: bool = False) -> Ruling:
    """The question about a change to a place that decides what is allowed.

    It is one `perhaps` where a program is only told of the place.
    """
    untold = _UNTOLD in place and not place.strip(f"./{_UNTOLD}")
    # A pattern may stand for one of them, and be about others.
    wild = has_glob(place) and " " not in place
    unsure = untold or wild or perhaps
    named = "protected files among those it is given" if untold else _WHOLE.get(place, place)
    if wild:
        named = f"protected files among {place}"
    grave = f"{CHANGES_WHAT_IS_ALLOWED}: {'may touch' if unsure else 'touches'} {named}."
    if place == ".":
        grave = "May change anything in this workspace, and with that what is allowed later."
    if removed and place.rpartition("/")[2] == _HISTORY:
        grave = f"Removes all that git remembers. {grave}"
    if place == ".":
        named = "protected files of this workspace"
    may_be = "Possible changes" if unsure or place == "." else "Changes"
    return asked(f"{may_be} to {named} are asked about in every mode.", grave)


def of_everything(target: Target, *, removes: bool, found: bool = False) -> Ruling:
    """The question about what leaves nothing of a place, or finds there what it is to remove."""
    named = _WHOLE.get(target.shown, target.shown)
    what = f"whatever is found in {named}" if found else f"everything in {named}"
    because = f"This reaches {what}, which is asked about in every mode."
    return asked(because, f"{'Removes' if removes else 'Changes'} {what}.")


def _overwrites(command: Command, place: Place) -> bool:
    """Whether a file has nothing in it any more of what it had, whatever that was."""
    if place.kind is not Kind.WRITE:
        return False
    if place.redirect:
        anew = (
            redirect.target.text for redirect in command.redirects if redirect.operator in _ANEW
        )
        return place.spelled in anew
    words = {word.text for word in command.argv}
    poured = command.program in _POURS and words.isdisjoint(_APPENDS)
    return poured or _NOTHING in words
