"""Whether anything that a rule denies lies below a path, as the disk is now.

A rule for `.env` anywhere is about every folder until somebody looks. The look is believed only of
a program that takes what lies there now, or changes no other file, and where nothing that runs
before it in the same text puts anything there but under names that were judged: git may take it out
of an older commit, and what is written, unpacked or linked first may be just that.
"""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.programs.command_scopes import CHECKER, RUNNER, kind_of
from assent.gate.programs.deeds import Kind, Links, Taken
from assent.gate.programs.escapes import Escape
from assent.gate.programs.find_tests import FINDERS
from assent.gate.programs.nested_execution.wrappers import launched
from assent.gate.rules.book import RuleMatches
from assent.gate.rules.entries import NOTHING
from assent.gate.rules.globs import is_wild, may_meet
from assent.gate.rules.pathtree import folded_path, segments_of
from assent.gate.ruling.command_analysis import IN_PLACE_EDITORS, CommandAnalysis
from assent.gate.ruling.denied_paths_in_input import ROOT
from assent.gate.ruling.destinations import target_of
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.paths import Place
from assent.gate.ruling.ruling_context import RulingContext, against, all_against
from assent.gate.ruling.searched_files import (
    Holds,
    brings_files,
    keeps_work_tree,
    may_be_among,
    may_unignore,
)
from assent.gate.shell.script import Command, bare_name
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within

__all__ = ["lies_there", "taken_up"]

_OLDER: Final = frozenset({"git", "hg", "jj", "svn", "fossil"})
"""Programs that read what lies on no disk any more."""
_TRYING: Final = late(
    r"(?:.*[-:_]|py|vi|nex|unit)?tests?(?:[-:_].*)?|jest|mocha|check|lint|clippy|vet"
)
"""How what is tried is called; a build makes files that nobody has seen."""
_UNREADABLE: Final = frozenset("{}()!")
"""With these a rule's pattern may be about names that do not stand in it."""


def lies_there(case: CommandAnalysis, place: Place, target: Target, holds: Holds | None) -> bool:
    """Whether what rules refuse to be read, or changed, may be among what lies below a place.

    `holds` tells what may be among it by its name; without it anything may. Where the place is a
    pattern, what is refused must have a name that a part of it may stand for.
    """
    context, command, before = case.context, case.command, case.before
    older = command.argv and _taker(command.argv) in _OLDER
    if place.kind.changes:
        before = [finding for finding in before if not _runs(finding, command)]
    # Who names what is in a folder by a pattern may wait for what comes to lie there.
    if older or not all(
        _fills_nothing(context, finding, tried=place.pattern is None) for finding in before
    ):
        return True
    own = {*segments_of(folded_path(target.resolved)), *segments_of(folded_path(target.named))}
    what = place.kind.tool
    refusing = [
        rule
        for rule in context.book.rules
        if rule.tool == what and rule.verdict is not Verdict.ALLOW
    ]
    names = {_telling(it.about, own) for it in refusing}
    told = frozenset(name for name in names if name is not None)
    if len(told) < len(names) or (place.listed and is_led(context, place, target, holds)):
        return True
    if place.pattern is not None and _leads_to(context, place, target, told):
        return True
    met = frozenset(it for it in told if _may_stand_for(place, target, it))
    # Most often there is nothing of them, which is seen sooner than what there is.
    if not context.facts.lies_below(target.resolved, met):
        return False
    plain = not (place.tree or place.listed or place.through or "**" in place.spelled)
    if place.kind is Kind.READ and place.pattern is not None and plain:
        there = context.facts.found_below(target.resolved, met)
        return there is None or _is_file_met(context, place.pattern)
    return may_be_among(context, place, target, met, holds)


def _is_file_met(context: RulingContext, pattern: Target) -> bool:
    """Whether a pattern stands for a file that is refused; of a folder nothing is read."""
    names = context.facts.names(pattern.named or pattern.resolved, "/")
    found = (target_of(context, it, None) for it in names or ())
    files = (
        target for target in found if target is None or not context.facts.enters(target.resolved)
    )
    met = (file is None or against(context.book.path("read", file, context)) for file in files)
    return names is None or any(met)


def _may_stand_for(place: Place, target: Target, name: str) -> bool:
    """Whether a name may be on the way to something that a place stands for."""
    if place.pattern is None or place.tree or place.listed or place.through:
        return True
    parts = segments_of(place.pattern.named.removeprefix(target.resolved))
    return any("**" in part or may_meet(f"_{folded_path(part)}", f"_{name}") for part in parts)


def _leads_to(context: RulingContext, place: Place, target: Target, names: frozenset[str]) -> bool:
    """Whether a link below leads to what is refused, or to where it lies, or nobody can tell."""
    if is_led(context, place, target, None):
        return True
    links = context.facts.links_in(target.resolved, all_=True) or ()
    ends = [target_of(context, link, None) for link in links]
    return any(end is None or context.facts.lies_below(end.resolved, names) for end in ends)


def _runs(judged: CommandFinding, command: Command) -> bool:
    """Whether a launcher runs a command by its words."""
    outer = judged.command
    return bool(command.carried and launched(outer.argv)) and outer.holds(command)


def _taker(argv: Sequence[Word]) -> str:
    """The program that takes what lies somewhere; git moves what lies there now."""
    program = bare_name(argv[0].text) if argv else ""
    return "mv" if [program, *(word.text for word in argv[1:2])] == ["git", "mv"] else program


def _only_tries(judged: CommandFinding) -> bool:
    """Whether it checks or tests the project: what its code can put anywhere, it could show."""
    words = judged.command.argv
    argv = launched(words) or words
    kind = kind_of(argv) if argv else ""
    tests = any(_TRYING.fullmatch(word.text) for word in argv[:3])
    return kind == CHECKER or (kind == RUNNER and tests)


def _fills_nothing(context: RulingContext, judged: CommandFinding, *, tried: bool) -> bool:
    """Whether it surely puts nothing anywhere that could be refused, whatever it is called.

    `tried` says that tests and checks of the project put nothing there that counts.
    """
    command = judged.command
    quiet = keeps_work_tree(judged) or (tried and _only_tries(judged))
    if _taker(command.argv) in _OLDER and not (judged.deeds.reading or quiet):
        return False
    more = [escape for escape in judged.deeds.escapes if not escape.endswith(Escape.WRITES)]
    told = judged.deeds.known or all(word.known or _is_no_option(word) for word in command.argv)
    anew = command.program in IN_PLACE_EDITORS and told and not more
    # What only sets variables runs nothing; what `find` runs is judged by itself.
    finds = command.program in FINDERS and judged.deeds.known
    idle = quiet or judged.deeds.reading or command.wraps or finds or not command.argv
    if not (idle or anew or (judged.deeds.named and not more)):
        return False
    changed = [place for place in judged.changed if place.kind is not Kind.DELETE]
    changed = [place for place in changed if place.redirect or not quiet]
    there = [place for place in changed if anew and (place.listed or place.pattern is not None)]
    files = brings_files(context, judged)
    return all(place in there or _is_named(context, place, files=files) for place in changed)


def _is_no_option(word: Word) -> bool:
    """Whether it is a name out of a list, and by no means an option."""
    return word.listed and word.text[:1] not in {"-", "…", "*", "?", "["}


def _is_named(context: RulingContext, place: Place, *, files: bool) -> bool:
    """Whether one file or folder is meant, which no rule refuses to be read."""
    wide = (place.tree and not files) or place.listed or place.pattern is not None
    if place.target is None or wide or place.links is not Links.NONE:
        return False
    return against(context.book.path("read", place.target, context)) is None


def _telling(about: str, own: set[str]) -> str | None:
    """The name in a rule's pattern without which nothing below is meant; None if nobody can tell.

    Names that stand on the way to the folder tell nothing of what lies in it.
    """
    if not _UNREADABLE.isdisjoint(about):
        return None
    parts = [
        folded_path(segment)
        for segment in segments_of(about)
        if segment not in {"~", ".", "..", "**"}
    ]
    plain = [part for part in parts if not is_wild(part) and part not in own]
    return next(reversed(plain), next(filter(is_wild, reversed(parts)), None))


def is_led(context: RulingContext, place: Place, target: Target, holds: Holds | None) -> bool:
    """Whether a link that is listed leads to what is refused, or nobody can tell.

    `holds` tells whether one of a name may be listed; without it any may.
    """
    links = context.facts.links_in(target.resolved, all_=True)
    if links is None:
        return True
    begin = len(target.resolved.rstrip("/")) + 1
    listed = (
        link for link in links if holds is None or holds(link.rpartition("/")[2], link[begin:])
    )
    ends = (target_of(context, it, None) for it in listed)
    path, what = context.book.path, place.kind.tool
    return any(end is None or against(path(what, end, context)) for end in ends)


# What git takes up of the files here (`git add -A`, `git stash -u`), and rules deny to read.
#
# What it has taken up, every later command of git shows. It is looked for on the disk, as it is
# now: where something before it may have changed what is ignored, nobody can tell.


def taken_up(case: CommandAnalysis) -> Iterator[Ruling]:
    """What rules that deny or ask say of each file that is taken up."""
    taken = [place for place in case.places if _takes(place)] if case.context.book.rules else []
    led = (
        any(place.kind is Kind.WRITE and _is_link(place) for place in case.places)
        if taken
        else False
    )
    for place in taken:
        yield from all_against(_found(case.context, place, case.before, led=led))


def _is_link(place: Place) -> bool:
    """Whether a link leads to where it lies, which git would make anew."""
    return place.target is not None and place.target.named != place.target.resolved


def _takes(place: Place) -> bool:
    """Whether anything below it is taken up; of a link that leads out only the link is."""
    target = place.target
    return place.taken is not Taken.NOTHING and not (target and target.via and not target.inside)


def _found(
    context: RulingContext, place: Place, before: Sequence[CommandFinding], *, led: bool
) -> Iterator[RuleMatches]:
    if place.taken is Taken.REWRITTEN:
        looks = context.facts.git_looks(place.target.resolved) if place.target else None
        # What is judged by itself is named from the top of the repository.
        here = place.target and looks and looks.top == place.target.resolved
        if led or not (place.told and here):
            yield context.book.below("write", ROOT, context)
        return
    if place.taken in (Taken.SHOWN, Taken.SHOWN_BELOW):
        yield from _shown(context, place)
        return
    all_ = place.taken is not Taken.BELOW
    about = place.target if place.target and not all_ else ROOT
    perhaps = context.book.below("read", about, context)
    if perhaps is NOTHING:
        return
    files = None
    known = place.taken is not Taken.IGNORED and not any(
        may_unignore(context, finding) for finding in before
    )
    if place.target and known:
        files = context.facts.taken_up(place.target.resolved, all_=all_)
    if files is None:
        yield perhaps
    for file in files or ():
        if _is_meant(place, file):
            yield context.book.path("read", context.facts.locate(file, "/"), context)


def _shown(context: RulingContext, place: Place) -> Iterator[RuleMatches]:
    """What rules say of what git shows, which is whatever it tracks, now or in older states."""
    perhaps = context.book.below("read", ROOT, context)
    if perhaps is NOTHING:
        return
    folder = place.target.resolved if place.target else None
    looks = None if folder is None else context.facts.git_looks(folder)
    if looks is not None and looks.top is None and not looks.besides:
        return
    files = None if folder is None else context.facts.tracked_around(folder)
    if files and folder and place.taken is Taken.SHOWN_BELOW:
        files = tuple(file for file in files if is_within(file, folder) and _is_meant(place, file))
    if files is None or any(_is_refused(context, file) for file in files):
        yield perhaps


def _is_refused(context: RulingContext, file: str) -> bool:
    target = context.located(file, "/")
    if target is None:
        return True
    # Of a link git keeps where it leads, and nothing of what lies there.
    return not target.via and against(context.book.path("read", target, context)) is not None


def _is_meant(place: Place, file: str) -> bool:
    """Whether a file below a folder is one of those that a pattern stands for, or lies in one."""
    if place.target is None:
        return True
    folder = place.target.resolved
    if any(is_within(file, f"{folder}/{it}") for it in place.without):
        return False
    if place.pattern is None:
        return True
    pattern = place.pattern.resolved.removeprefix(folder).lstrip("/")
    parts = file.removeprefix(folder).strip("/").split("/")
    return any(fnmatchcase("/".join(parts[: at + 1]), pattern) for at in range(len(parts)))
