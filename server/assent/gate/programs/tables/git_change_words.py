"""The git commands that change something: what they change, and which hosts they reach."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from assent.gate.programs.deeds import Deeds, Kind, Links, Taken, Touch, touched
from assent.gate.programs.git_settings import steers
from assent.gate.programs.options import Sorted
from assent.gate.programs.outcome import HERE, as_reading, deeds_of, operand_touches
from assent.gate.programs.rows import Row
from assent.gate.programs.tables.addresses import host_of
from assent.gate.programs.tables.git_paths import (
    REWRITTEN,
    SHOWN,
    is_from_top,
    left_out,
    pathspec,
    unless_left_out,
)
from assent.gate.shell.anchored_paths import InHome
from assent.gate.shell.word import Exact, Unknown, Word
from assent.gate.values import evolve

__all__ = ["CHANGING", "brought", "cloned", "stored"]

_IGNORED: Final = Touch(kind=Kind.LOOK, word=HERE, taken=Taken.IGNORED)
"""All that the repository around a folder has."""


def stored(row: Row, sorted_: Sorted) -> Deeds:
    """Writes the file of settings that the flags choose.

    >>> from assent.gate.programs.tables import git_by_name
    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import words_of
    >>> row = git_by_name()["config"]
    >>> print(stored(row, sort_words(row, words_of("--global user.name me"))))
    write ~/.gitconfig
    """
    touch = Touch(kind=Kind.WRITE, word=_stored_in(sorted_))
    return deeds_of(row, sorted_, (touch,), safe=False)


def _everywhere(row: Row, sorted_: Sorted) -> Deeds:
    """Writes the person's own settings, and `lfs` also hooks."""
    touches = [Touch(kind=Kind.WRITE, word=InHome(text="~/.gitconfig"))]
    if row.names.startswith("lfs"):
        touches.append(Touch(kind=Kind.WRITE, word=Exact(text=".git/hooks")))
    return deeds_of(row, sorted_, touches)


def _sparse(row: Row, sorted_: Sorted) -> Deeds:
    touches = [
        Touch(kind=Kind.WRITE, word=Exact(text=text)) for text in (".git/config", ".git/info")
    ]
    lists = [word.text for word in sorted_.operands[:1]] in (["list"], [])
    return deeds_of(row, sorted_, () if lists else touches)


def _stored_in(sorted_: Sorted) -> Word:
    """The file of settings that the flags choose."""
    named = sorted_.value("-f --file")
    if named is not None:
        return named
    if "--global" in sorted_.found:
        return InHome(text="~/.gitconfig")
    return Exact(text="/etc/gitconfig" if "--system" in sorted_.found else ".git/config")


def _places(row: Row, sorted_: Sorted) -> Deeds:
    """Only what is surely a path counts: a branch looks like any other name."""
    paths = [
        path
        for word in sorted_.operands
        if word in sorted_.marked or _is_surely_path(word)
        if (path := pathspec(word))
    ]
    # A pattern that git expands itself also matches in folders below.
    deeper = [
        path.spelled(f"**/{path.text}") for path in paths if path.glob and "/" not in path.text
    ]
    touches = touched(Kind.WRITE, (*paths, *deeper), tree=True)
    touches += [REWRITTEN] if sorted_.has("--hard --keep --merge --orphan") else []
    return deeds_of(row, sorted_, touches)


def _checkout(row: Row, sorted_: Sorted) -> Deeds:
    """A branch, or paths; of several names all but the first are paths."""
    deeds = _places(row, sorted_)
    names = [operand for operand in sorted_.operands if operand not in sorted_.marked]
    touches = [
        Touch(kind=Kind.WRITE, word=path, tree=True, if_there=at == 0)
        for at, word in enumerate(names)
        if not _is_surely_path(word) and (path := pathspec(word))
    ]
    # The first name may be a branch, of which all is taken but for what is left out.
    branch = names[:1] if names and not _is_surely_path(names[0]) else []
    touches += unless_left_out(
        Kind.WRITE, [operand for operand in sorted_.operands if operand not in branch]
    )
    return evolve(deeds, touches=(*deeds.touches, *touches))


def _is_surely_path(word: Word) -> bool:
    return word.text.startswith((".", "/", "~", ":"))


def _restore(row: Row, sorted_: Sorted) -> Deeds:
    """Restores files, or with `--staged` alone the index."""
    paths = [path for word in sorted_.operands if (path := pathspec(word))]
    touches = operand_touches(row, sorted_, paths)
    touches += unless_left_out(Kind.WRITE, sorted_.operands)
    if sorted_.has("-S --staged") and not sorted_.has("-W --worktree"):
        touches = [evolve(touch, kind=Kind.LOOK) for touch in touches if touch is not REWRITTEN]
    return deeds_of(row, sorted_, touches)


def _add(row: Row, sorted_: Sorted) -> Deeds:
    """Looks at what is to be committed; what it is forced to take up, it is given to read.

    It reads that all the same where it only tells what it would do.
    """
    paths = [path for word in sorted_.operands if (path := pathspec(word))]
    # What is only left out is left out of all that the repository has.
    named = sorted_.operands or sorted_.has("-A --all --pathspec-from-file")
    taken = Taken.ALL if named and not paths else Taken.BELOW
    # The last of two flags counts, and which that is nobody looks up here.
    again = any(word.text.startswith("--no-") for word in sorted_.words)
    if sorted_.has("-f --force"):
        touches = touched(Kind.READ, paths or [HERE], tree=True)
        touches += [_IGNORED] if taken is Taken.ALL else []
        return deeds_of(row, sorted_, touches)
    if again or not sorted_.has("-u --update -p --patch --refresh"):
        words = [HERE] if taken is Taken.ALL else paths
        touches = [Touch(kind=Kind.LOOK, word=word, taken=taken) for word in words]
        without = tuple(left for operand in sorted_.operands if (left := left_out(operand)))
        if any(is_from_top(operand) and pathspec(operand) for operand in sorted_.operands):
            without = ()  # What is named from there begins in another folder.
        touches = [
            evolve(touch, without=without) if touch.word.text == "." else touch for touch in touches
        ]
        return deeds_of(row, sorted_, touches)
    paths = paths or ([HERE] if sorted_.operands else [])
    return deeds_of(row, sorted_, operand_touches(row, sorted_, paths))


def _stash(_row: Row, sorted_: Sorted) -> Deeds:
    """Puts changes aside; what git does not have only where it is told to, ignored files or not."""
    others = unless_left_out(Kind.WRITE, sorted_.operands)
    if sorted_.has("-a --all"):
        return Deeds(touches=(Touch(kind=Kind.READ, word=HERE, tree=True), _IGNORED, *others))
    taken = Taken.ALL if sorted_.has("-u --include-untracked") else Taken.NOTHING
    return Deeds(touches=(Touch(kind=Kind.LOOK, word=HERE, taken=taken), *others))


def _remote(row: Row, sorted_: Sorted) -> Deeds:
    where = next(iter(sorted_.operands), Exact(text=""))
    escapes = ["ext:: can run a program"] if "::" in where.text else []
    if where.listed or any(flag == "--repo" and word.listed for flag, word in sorted_.values):
        escapes.append("where it goes is only known when it runs")
    # Each may be a repository by its path, where no remote and no branch is called so.
    known = [operand for operand in sorted_.operands if operand is where or operand.known]
    named = [
        word for word in known if _is_local(word) or ("/" in word.text and not _is_address(word))
    ]
    touches = [Touch(kind=Kind.READ, word=word, if_there=not _is_local(word)) for word in named]
    hosts = () if _is_local(where) else (host_of(where) if _is_address(where) else "?",)
    return deeds_of(row, sorted_, touches, escapes=escapes, hosts=hosts)


def _clone(row: Row, sorted_: Sorted) -> Deeds:
    deeds = _remote(row, sorted_)
    return evolve(deeds, touches=(*deeds.touches, *cloned(sorted_)))


def cloned(sorted_: Sorted) -> list[Touch]:
    """What cloning with these words fills: a folder, and where it is told to what steers git.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import words_of
    >>> words = words_of("-c FILTER.x.smudge=./x https://x.org/a")
    >>> [it.word.text for it in cloned(sort_words(Row(names="clone", flags="-c="), words))]
    ['a', '.git/config']
    """
    return [*brought(sorted_.operands), *_hooks(sorted_)] if sorted_.operands else []


def brought(words: Sequence[Word]) -> list[Touch]:
    """The folder that is filled with a repository: the second word, or by the name of the first.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [it.word.text for it in brought(words_of("https://x.org/a.git"))]
    ['a']
    """
    name = re.split(r"[/:]", words[0].text.rstrip("/"))[-1].removesuffix(".git")
    folder = (*words[1:2], Exact(text=name or "."))[0]
    return [Touch(kind=Kind.WRITE, word=folder, tree=True, links=Links.BELOW)]


def _is_local(where: Word) -> bool:
    return where.text.startswith((".", "/", "~", "file:"))


def _is_address(where: Word) -> bool:
    return "://" in where.text or bool(re.match(r"[^/]+:", where.text))


def _submodule(row: Row, sorted_: Sorted) -> Deeds:
    deeds = _clone(row, sorted_)
    touch = Touch(kind=Kind.WRITE, word=Exact(text=".gitmodules"))
    return evolve(deeds, touches=(*deeds.touches, touch))


def _init(row: Row, sorted_: Sorted) -> Deeds:
    return deeds_of(
        row, sorted_, [*operand_touches(row, sorted_, sorted_.operands), *_hooks(sorted_)]
    )


def _hooks(sorted_: Sorted) -> list[Touch]:
    """The hooks that a template brings into the repository, and settings that say what it runs."""
    steered = any(steers(word) for flag, word in sorted_.values if flag in {"-c", "--config"})
    brought = sorted_.has("--template")
    names = [*([".git/hooks"] if brought else []), *([".git/config"] if steered else [])]
    return [Touch(kind=Kind.WRITE, word=Exact(text=name)) for name in names]


def _runs(row: Row, sorted_: Sorted) -> Deeds:
    return deeds_of(row, sorted_, (), escapes=["it runs a program"], known=False)


def _first(row: Row, sorted_: Sorted) -> Deeds:
    return deeds_of(row, sorted_, operand_touches(row, sorted_, sorted_.operands[:1]))


def _apply(row: Row, sorted_: Sorted) -> Deeds:
    """What a patch, an index or a stash changes is only in that: any file."""
    shows = sorted_.has("--check --stat --numstat --summary") and not sorted_.has("--apply")
    touches = operand_touches(row, sorted_, sorted_.operands)
    touches += [] if shows or sorted_.has("--cached --abort --quit") else [REWRITTEN]
    if sorted_.has("--unsafe-paths") and not shows:
        touches.append(Touch(kind=Kind.WRITE, word=Unknown(text="the paths in it")))
    return as_reading(deeds_of(row, sorted_, touches, known=shows), reads=shows)


def _patches(row: Row, sorted_: Sorted) -> Deeds:
    shows = sorted_.has("--stdout") or bool(sorted_.touches)
    touches = touched(Kind.READ, sorted_.marked, tree=True) or [SHOWN]
    return deeds_of(
        row, sorted_, touches if shows else [Touch(kind=Kind.WRITE, word=HERE), *touches]
    )


def _untold(_row: Row, _sorted: Sorted) -> Deeds:
    """What it does with its words is in no row."""
    return Deeds()


CHANGING: Final[dict[str, Callable[[Row, Sorted], Deeds]]] = {
    "stored": stored,
    "everywhere": _everywhere,
    "sparse": _sparse,
    "places": _places,
    "checkout": _checkout,
    "restore": _restore,
    "add": _add,
    "init": _init,
    "remote": _remote,
    "clone": _clone,
    "submodule": _submodule,
    "runs": _runs,
    "first": _first,
    "apply": _apply,
    "patches": _patches,
    "stash": _stash,
    "untold": _untold,
}
