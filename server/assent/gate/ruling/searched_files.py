"""Which denied files a search may open.

What is surely left out by the words of a search, or of the listers behind a name, is not read.
What git searches are the files that it tracks, wherever else there may be more.
"""

import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.programs.deeds import Kind
from assent.gate.programs.find_tests import FINDERS, Sample, may_stand_for
from assent.gate.programs.git_listers import LS_FILES
from assent.gate.programs.listed_names import Choice, choice_of
from assent.gate.programs.listers import searched_by
from assent.gate.programs.options import sort_words
from assent.gate.programs.searched_names import heeds_lists, looked_into
from assent.gate.programs.tables import git_by_name, row_of
from assent.gate.programs.tables.git_itself import GIT_ITSELF
from assent.gate.programs.tables.git_paths import is_pattern
from assent.gate.rules.book import RuleMatches
from assent.gate.rules.entries import NOTHING
from assent.gate.rules.globs import is_wild
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.denied_paths_in_input import ROOT
from assent.gate.ruling.destinations import may_open
from assent.gate.ruling.docker_context import goes_along
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.paths import Place
from assent.gate.ruling.ruling_context import RulingContext, against
from assent.gate.shell.script import Command
from assent.gate.shell.word import Exact, Word
from assent.gate.shell.word_sets import filled
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within

__all__ = [
    "Holds",
    "about_names",
    "brings_files",
    "holder_of",
    "is_tracked",
    "keeps_work_tree",
    "may_be_among",
    "may_unignore",
]

Holds = Callable[[str, str | None], bool]
"""Whether a file may be among those looked into, by its name and, if known, its path below."""

_BY_NAME: Final = frozenset(("fd", "fdfind"))  # They match the last name of a path alone.
_ELSEWHERE: Final = "--full-name --recurse-submodules"
"""With these the names that git lists begin elsewhere than its patterns."""
_MORE: Final = "-o --others -i --ignored -k --killed -d --deleted -m --modified --directory"
"""With these it lists other files than those that it tracks and has."""
_UNSURE: Final = "?"
_ANY: Final = frozenset((".", _UNSURE))  # They leave out nothing, as far as anybody can tell.
_PLAIN: Final = late(r"[\w.-][\w./-]*", re.ASCII)
_OTHERS: Final = "--no-index --untracked --recurse-submodules -O --open-files-in-pager --textconv"
"""With these git looks into more than what it tracks here."""
_FLAGS: Final = "RIPGREP_CONFIG_PATH"
# What lists are called that say what a search, or git, leaves out.
_LISTS: Final = (".gitignore", ".ignore", ".rgignore", "ignore", "exclude")
_BRINGING: Final = frozenset(("mv", "cp"))  # What lies in a folder they take along with it.
# What git does to its repository alone, whatever lies in the work tree.
_STAYS: Final = frozenset("add stage commit push fetch tag branch".split())
_BRANCHES: Final = late(r"(?:checkout -[bB]|switch (?:-[cC]|--create)) [\w./-]+")
_ITSELF: Final = frozenset(("-C", "--no-pager", "-P"))
"""The options of git that leave to it which repository it finds from where."""


def holder_of(case: CommandAnalysis, place: Place) -> Holds | None:
    """What tells whether a file may be among those looked into; None where any may be."""
    context, before = case.context, case.before
    if not place.by:
        by_end = _of_ending(place) if place.listed else None
        return by_end or _of_search(case, place)
    if place.target is None or case.makes_files(place):
        return None
    choice = choice_of(place.by)
    # What a pattern stands for may be a folder by then, whose files are listed by bare names.
    if choice is None or (choice.opened and _may_open(context, choice, place.target, before)):
        return None
    holds = _of_choice(context, choice, place, place.target)
    heeds = _heeding(context, place.by[0], before) if not place.by[1:] else None
    found = _without_listed(context, place.target.resolved, holds, heeds)
    return _or_above(found) if place.tree else found


def _or_above(holds: Holds) -> Holds:
    """What holds for a file also holds for what lies in a folder of the same listing."""
    above = partial(accumulate, func=posixpath.join)
    return lambda _, path: (
        path is None or any(holds(it.rpartition("/")[2], it) for it in above(path.split("/")))
    )


def _of_search(case: CommandAnalysis, place: Place) -> Holds | None:
    """The same for what is searched below a folder."""
    if (along := goes_along(case, place)) is not None:
        return lambda _, path: path is None or along(path)
    context, command = case.context, case.command
    looks = looked_into(command.argv)
    heeds = None if command.assignments else _heeding(context, command.argv, case.before)
    if looks is None and heeds is None:
        return None
    folder = place.lies

    def holds(name: str, path: str | None) -> bool:
        return looks is None or any(map(looks, _forms(name, path)))

    return _without_listed(context, folder, holds, heeds)


def _heeding(
    context: RulingContext, argv: Sequence[Word], before: Sequence[CommandFinding]
) -> Callable[[str], bool] | None:
    """What tells whether a search heeds git's lists, where these are as they were."""
    # A person may have rg read its flags from a file.
    told = _FLAGS in context.text or context.facts.exports(_FLAGS)
    told = told or any(may_unignore(context, finding) for finding in before)
    return None if told else heeds_lists(argv)


def _without_listed(
    context: RulingContext, folder: str, holds: Holds, heeds: Callable[[str], bool] | None
) -> Holds:
    """The same without what git's lists leave out of a folder."""
    if heeds is None or not folder:
        return holds

    def found(name: str, path: str | None) -> bool:
        if not holds(name, path):
            return False
        told = path is not None
        out = context.facts.left_out(f"{folder.rstrip('/')}/{path}", folder) if told else None
        return out is None or not heeds(out.rpartition("/")[2])

    return found


def _of_ending(place: Place) -> Holds | None:
    """The same for a name of which only the ending is known, as in `packages/…/package.json`."""
    text = filled(place.word.text, number="…", name="…")
    end = text.rpartition("…")[2].casefold()
    if place.tree or "…" not in text or not _PLAIN.fullmatch(end.lstrip("/")):
        return None
    last = end.rpartition("/")[2]
    whole = f"/{last}" if "/" in end else last
    return lambda name, _: f"/{name}".casefold().endswith(whole)


def _forms(name: str, path: str | None) -> Sequence[str]:
    """How a file is called: a name may stand there in other letters than in a rule."""
    return (name, name.upper()) if path is None else (path,)


def may_unignore(context: RulingContext, judged: CommandFinding) -> bool:
    """Whether a command may change what git ignores, or where its repository is."""
    files = brings_files(context, judged)
    if any(_is_list(place, files=files) for place in judged.places):
        return True
    return judged.command.program == "git" and not (judged.deeds.reading or keeps_work_tree(judged))


def keeps_work_tree(judged: CommandFinding) -> bool:
    """Whether it is a command of git that leaves the work tree as it is."""
    argv = judged.command.argv
    words = [word.text for word in argv[1:] if word.known]
    if not argv or argv[0].text != "git" or len(words) < len(argv) - 1:
        return False
    # A new branch begins at the state that is checked out, unless another is named.
    anew = _BRANCHES.fullmatch(" ".join(words))
    return words[:1] != [] and (words[0] in _STAYS or anew is not None)


def brings_files(context: RulingContext, judged: CommandFinding) -> bool:
    """Whether it only moves or copies files, and no folder with more in it."""
    brought = [place for place in judged.places if place.kind is not Kind.WRITE]
    brings = judged.command.program in _BRINGING and brought != []
    return brings and all(_is_file(context, place) for place in brought)


def _is_file(context: RulingContext, place: Place) -> bool:
    """Whether what is moved or copied is no folder, which brings along what lies in it.

    What is not there now moves nothing, or was put there by a step that is judged in itself.
    """
    if place.target is None or place.pattern is not None or place.listed:
        return False
    return not context.facts.enters(place.target.resolved)


def _is_list(place: Place, *, files: bool) -> bool:
    """Whether one of git's lists may be changed there, or come to lie there."""
    if not place.kind.changes:
        return False
    if place.pattern is not None:
        last = place.pattern.named.rpartition("/")[2]
        return any(may_stand_for(last, it) is not False for it in _LISTS)
    if place.target is None or place.listed:
        return True
    filled = place.tree and place.kind is Kind.WRITE and not files
    return filled or place.name.casefold() in _LISTS


def _may_open(
    context: RulingContext, choice: Choice, target: Target, before: Sequence[CommandFinding]
) -> bool:
    """Whether a pattern that is listed stands for a folder."""
    changed = any(finding.changed for finding in before)
    return changed or may_open(context, choice, target)


def _of_choice(context: RulingContext, choice: Choice, place: Place, target: Target) -> Holds:
    """The same for names that are listed."""
    program, *words = place.by[0]
    name = program.text.rpartition("/")[2]
    begun = filled(place.word.text, number="…", name="…").partition("…")[0].rpartition("/")[0]
    ls_files = name == "git" and [word.text for word in words[:1]] == ["ls-files"]
    files = LS_FILES.sort(words[1:]) if ls_files else None
    from_here = files is not None and not files.has(_ELSEWHERE)
    # With more than what it tracks, nobody knows here what git lists.
    own = from_here and files is not None and not files.has(_MORE)
    tracked = _tracked(context, target) if own else None
    roots = _roots(context, place.by[0], target)
    tops = roots if len(roots) > (begun != "") else ["."]
    alone = not place.by[1:]
    looks = (name not in FINDERS and looked_into(place.by[0])) or (lambda _: True)

    def sample_of(it: str, path: str | None) -> Sample:
        if name in _BY_NAME and alone:
            return Sample(name=it, path=it)
        if path is not None and from_here and ".." not in begun.split("/"):
            return Sample(name=it, path=posixpath.normpath(posixpath.join(begun, path)))
        whole = path is not None and name in FINDERS and len(roots) <= 1 and alone
        return Sample(name=it, path=path if whole else None)

    def holds(it: str, path: str | None) -> bool:
        if not any(map(looks, _forms(it, None))):
            return False
        if path is None:
            return any(choice.may_hold(sample_of(form, path)) for form in _forms(it, None))
        inner = tracked is None or f"{target.resolved.rstrip('/')}/{path}" in tracked
        rooted = any(top in _ANY or is_within(path, top) for top in tops)
        return inner and rooted and choice.may_hold(sample_of(it, path))

    return holds


def _tracked(context: RulingContext, target: Target) -> frozenset[str] | None:
    files = context.facts.tracked_around(target.resolved)
    return None if files is None else frozenset(files)


def _roots(context: RulingContext, argv: Sequence[Word], target: Target) -> list[str]:
    """The folders below this one that are searched."""
    paths = [posixpath.normpath(word.text) for word in searched_by(argv)]
    return [path if _is_plainly_below(context, path, target) else _UNSURE for path in paths]


def _is_plainly_below(context: RulingContext, path: str, target: Target) -> bool:
    """Whether a path leads to what is called so below a folder, by no link."""
    if not _PLAIN.fullmatch(path) or ".." in path.split("/"):
        return False
    found = context.located(path, target.resolved)
    whole = posixpath.normpath(posixpath.join(target.resolved, path))
    return found is not None and found.resolved == whole


def may_be_among(
    context: RulingContext,
    place: Place,
    target: Target,
    names: Collection[str],
    holds: Holds | None,
) -> bool:
    """Whether something of these names that is refused may be among what is looked into below."""
    files = context.facts.found_below(target.resolved, names)
    return files is None or any(_is_met(context, place, target, file, holds) for file in files)


def _is_met(
    context: RulingContext, place: Place, target: Target, file: str, holds: Holds | None
) -> bool:
    path = file[len(target.resolved) :].strip("/")
    if place.tree and not place.hidden and any(it[:1] == "." for it in path.split("/")):
        return False
    if file.endswith("/"):
        # A link to a folder leads to files of any name.
        return True
    if not (_may_end_so(place, file) if place.through else _is_meant(place, file)):
        return False
    if holds is not None and not holds(path.rpartition("/")[2], path):
        return False
    return _is_refused(context, place, file)


def _may_end_so(place: Place, file: str) -> bool:
    """Whether a pattern whose star goes through folders may stand for a file, by its end."""
    last = place.pattern.named.rpartition("/")[2] if place.pattern else ""
    end = last.removeprefix("*")
    return end == last or is_wild(end) or file.casefold().endswith(end.casefold())


def _is_refused(context: RulingContext, place: Place, file: str) -> bool:
    target = context.located(file, "/")
    return (
        target is None or against(context.book.path(place.kind.tool, target, context)) is not None
    )


# What is only looked at by its name: of a file that is denied to be read, that may be asked.

_OF_ITSELF: Final = {
    "stat readlink realpath namei basename dirname lsattr getfacl": "",
    "ls": "-d --directory",
    "du": "-s --summarize",
}
"""Programs that tell of a folder no name of what lies in it, some of them by a flag alone."""
_TELLING: Final = {name: flags for names, flags in _OF_ITSELF.items() for name in names.split()}


def about_names(context: RulingContext, command: Command, place: Place) -> Iterator[RuleMatches]:
    """What rules about reading say of a command that only looks at what a place is called.

    What it may tell is which files lie in a folder: who denies that means their names as well.
    """
    target = place.target
    if target is None:
        yield context.book.below("read", ROOT, context)
    elif place.pattern is not None:
        found = context.facts.names(place.pattern.named, "/")
        if found is None:
            yield context.book.pattern("read", place.pattern, context)
        yield context.book.path("read", target, context)
    elif place.word.glob or place.listed:
        # By a pattern it is told what lies in a folder that has no other name in it.
        above = context.located((target.named or target.resolved).rpartition("/")[0] or "/", "/")
        yield NOTHING if above is None else context.book.path("read", above, context)
        yield from _about_folder(context, command, target)
    else:
        yield from _about_folder(context, command, target)


def _about_folder(
    context: RulingContext, command: Command, target: Target
) -> Iterator[RuleMatches]:
    if context.facts.enters(target.resolved) and not _tells_of_itself(command):
        yield context.book.path("read", target, context)


def _tells_of_itself(command: Command) -> bool:
    flags, row = _TELLING.get(command.program), row_of((command.program,))
    if flags is None or row is None:
        return False
    return not flags or sort_words(row, command.argv[1:]).has(flags)


# What `git grep` looks into: what git tracks, of the folder that it works in.

_OUTS: Final = (":!", ":^", ":(exclude)")


def is_tracked(case: CommandAnalysis, place: Place) -> bool:
    """Whether git may track something that is refused, of what `git grep` looks into there.

    Also where something else looks into it, or nobody can tell.
    """
    context, command = case.context, case.command
    if command.program != "git" or not place.tree or place.kind is not Kind.READ:
        return True
    # Where none of its words is a file, they name states of the repository.
    if place.target is None or place.instead or not _is_of_now(command):
        return True
    if not all(finding.deeds.reading or finding.command.wraps for finding in case.before):
        return True
    target = place.target.resolved
    files = context.facts.tracked_around(target)
    inner = (it for it in files or () if is_within(it, target) and _is_meant(place, it))
    return files is None or any(_is_refused(context, place, it) for it in inner)


def _is_of_now(command: Command) -> bool:
    """Whether it is a `git grep` that looks into files that git tracks, as they are now."""
    itself = sort_words(GIT_ITSELF, command.argv[1:])
    first, *words = itself.operands or [Exact(text="")]
    if first.text != "grep" or itself.strange or itself.loose or set(itself.found) - _ITSELF:
        return False
    sorted_ = sort_words(git_by_name()["grep"], tuple(words))
    if (
        sorted_.strange
        or sorted_.loose
        or sorted_.has(_OTHERS)
        or any(not word.known for word in words)
    ):
        return False
    named = sorted_.operands[0 if sorted_.has("-e -f") else 1 :]
    free = [word for word in named if word not in sorted_.marked]
    # Beside a path that is surely one, another word may be a state.
    plain = [word for word in free if not word.glob and not is_pattern(word.text)]
    if any(":" in word.text for word in free) or (plain and len(plain) < len(named)):
        return False
    return not any(word.text[:1] == ":" and not word.text.startswith(_OUTS) for word in named)


def _is_meant(place: Place, file: str) -> bool:
    """Whether a file is one that a pattern may stand for, or lies in one."""
    if place.pattern is None:
        return True
    named = place.pattern.named
    return any(may_stand_for(it, file) is not False for it in (named, f"{named}/*"))
