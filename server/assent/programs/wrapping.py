"""What runs inside a command, for every program that is known to run another.

Most have a row; those that no row can tell have a function here.
"""

import re
import shlex
from typing import Final

from attrs import evolve

from assent.bash.dialects import SHELLS
from assent.bash.port import Inside
from assent.bash.script import Word, bare_name
from assent.programs.listers import fd_lists
from assent.programs.runners import AFTER_WORD, ENV, ROWS, XARGS
from assent.programs.searched import roots_of
from assent.programs.shells import shell
from assent.programs.wrapper_options import after
from assent.programs.wrappers import NOWHERE, inside
from assent.text.patterns import late

__all__ = ["WRAPPERS", "unwrap"]

_BEHIND: Final = late(r"(?:/(?!\.\.?(?:/|\Z))[\w.\-]+)*|\.?\w[.\w\-]*", re.ASCII)
_MOVES: Final = late(r"-[Cw]")
_FOLDERS: Final = ("--directory", "--cwd", "--prefix", "--chdir", "--work", "--cd", "--dir")
_VALUED: Final = frozenset("-v --volume --mount -w --workdir -e --env -u --user".split())
"""The flags of containers that have a value, which is no command."""
_RUNS: Final = frozenset({"-x", "-X"})
_FD_RUNS: Final = frozenset({*_RUNS, "--exec", "--exec-batch"})
_MARK: Final = late(r"\{(?:/?\.?|//)\}")
_PARTS: Final = late(r"\{(?:/\.?|\.|//)\}")
"""Marks of fd for a part of a name, which lies anywhere."""
_ANYTHING: Final = Word(text="…", known=False, several=True)
_RUNS_NEXT: Final = ("--exec", "-x")
_ALIAS: Final = "A setting of git may run any program."
_UNSURE: Final = "What runs inside this is only known when it runs."


def unwrap(argv: tuple[Word, ...]) -> Inside | None:
    """What these words run, if they name a program that runs another."""
    if not argv or not argv[0].known:
        return None
    name = bare_name(argv[0].text)
    if name not in WRAPPERS:
        return None
    special = _SPECIAL.get(name)
    if special is not None:
        return special(argv)
    if name in SHELLS:
        return shell(argv)
    if name in AFTER_WORD:
        return _after_word(argv, AFTER_WORD[name])
    return inside(argv, ROWS)


def _env(argv: tuple[Word, ...]) -> Inside | None:
    """`env`, whose `-S` splits a text into words of its own."""
    row = {"env": ENV}
    found = inside(argv, row)
    options = after(argv, ENV)
    split = options.given.get("S") or options.given.get("split-string")
    if split is None:
        return found
    try:
        pieces = shlex.split(split.text) if split.known else None
    except ValueError:
        pieces = None
    if pieces is None or "$" in split.text or "\\" in split.text:
        rest = argv[options.at :]
        words = tuple(Word(text=it) for it in split.text.split())
        return Inside(argvs=((*words, *rest),), doubt=_UNSURE, folder=NOWHERE)
    words = tuple(Word(text=it) for it in pieces)
    again = inside((argv[0], *words, *argv[options.at :]), row)
    if again is None:
        return None
    moved = {it for it in ("C", "chdir") if it in options.given}
    return evolve(
        again,
        assignments=(*options.assignments, *again.assignments),
        folder=NOWHERE if moved else again.folder,
    )


def _xargs(argv: tuple[Word, ...]) -> Inside | None:
    """`xargs`, which puts what it reads behind the words or in the place of one."""
    options = after(argv, XARGS)
    rest = argv[options.at :]
    taken = Word(text="…", known=False, several=True)
    instead = options.given.get("I") or options.given.get("i") or options.given.get("replace")
    mark = instead.text if instead else "{}" if options.given.keys() & {"i", "replace"} else ""
    mark = mark or ("{}" if options.given.keys() & {"i", "replace"} else "")
    adds = bool(options.given.keys() & XARGS.adds)
    if not rest:
        rest = (Word(text="echo"),)
    inner = tuple(_replaced(it, mark) for it in rest) if mark else (*rest, taken)
    parted = options.given.get("d") or options.given.get("delimiter")
    whole = options.given.keys() & {"0", "null", "I", "i", "replace"}
    lines = parted is not None and parted.known and parted.text in ("\\n", "\n", "\\0")
    return Inside(
        argvs=(inner,),
        wraps=not adds,
        doubt="" if options.sure else _UNSURE,
        fed=True,
        lines=bool(whole) or lines,
        cuts=(parted is not None and not lines) or bool(options.given.keys() & {"a", "arg-file"}),
    )


def _replaced(word: Word, mark: str) -> Word:
    if mark not in word.text:
        return word
    if word.text == mark:
        return Word(text="…", known=False)
    return Word(text=word.text.replace(mark, "…"), known=False)


def _find(argv: tuple[Word, ...]) -> Inside | None:
    """`find`, which may run a command for each file, or for all."""
    argvs: list[tuple[Word, ...]] = []
    at, names = 1, roots_of(argv[1:], prints=False)
    elsewhere = any(it.text in ("-execdir", "-okdir") for it in argv)
    if elsewhere:
        names = Word(text="./…", known=False, listed=True) if names else None
    names = evolve(names, by=(argv,)) if names else None
    while at < len(argv):
        if argv[at].text in ("-exec", "-execdir", "-ok", "-okdir"):
            end = at + 1
            while end < len(argv) and argv[end].text not in (";", "+"):
                end += 1
            many = argv[end - 1].text == "{}" and end < len(argv) and argv[end].text == "+"
            inner = argv[at + 1 : end] + ((argv[end - 1],) if many else ())
            argvs.append(tuple(_found(it, names) for it in inner))
            at = end
        at += 1
    folder = NOWHERE if elsewhere else None
    return Inside(argvs=tuple(filter(None, argvs)), folder=folder) if argvs else None


def _found(word: Word, names: Word | None) -> Word:
    """A name that was found, in the place of the braces; two of them where there may be more."""
    if "{}" not in word.text:
        return word
    lost = Word(text=word.text.replace("{}", "…"), known=False)
    if names is None or not word.known:
        return lost
    if word.text == "{}":
        return names
    before, _, behind = word.text.partition("{}")
    stays = before in ("", "./") and _BEHIND.fullmatch(behind) and names.text[:1] != "/"
    return evolve(names, text=names.text + behind, by=()) if stays else lost


def _fd(argv: tuple[Word, ...]) -> Inside | None:
    """`fd`, which may run commands for each file, or for all; they end at a semicolon."""
    at = next((at for at, it in enumerate(argv) if it.text[:2] in _RUNS), None)
    at = next((at for at, it in enumerate(argv) if it.text in _FD_RUNS), at)
    if at is None:
        return None
    if argv[at].text not in _FD_RUNS:
        glued = (Word(text=argv[at].text[2:]), *argv[at + 1 :])
        return Inside(argvs=((*glued, _ANYTHING),)) if argv[at].text[2:] else None
    names = fd_lists(argv[1:at])
    names = evolve(names, by=(argv[:at],)) if names else None
    argvs: list[tuple[Word, ...]] = []
    rest = argv[at:]
    while rest:
        if rest[0].text not in _FD_RUNS:
            # What follows says anew what is looked for, and where.
            names, rest = None, ()
            break
        end = next((at for at, it in enumerate(rest) if it.text == ";"), len(rest))
        argvs.append(rest[1:end])
        rest = rest[end + 1 :]
    elsewhere = any(it.text.startswith("--base") or it.text == "-C" for it in argv[1:])
    filled = (_filled(it, names) for it in argvs if it)
    return Inside(argvs=tuple(filled), folder=NOWHERE if elsewhere else None)


def _filled(inner: tuple[Word, ...], names: Word | None) -> tuple[Word, ...]:
    """A command of fd's with what it found: behind it, or in the place of its marks."""
    if not any(_MARK.search(it.text) for it in inner):
        return (*inner, names or _ANYTHING)
    return tuple(_found(it, names) if not _PARTS.search(it.text) else _ANYTHING for it in inner)


def _marks(argv: tuple[Word, ...]) -> bool:
    """Whether `-x` is no more than a choice, as of what is removed or written down."""
    return argv[1].text in ("cherry-pick", "clean")


def _git(argv: tuple[Word, ...]) -> Inside | None:
    """`git`, whose settings and some of whose commands run what they are given."""
    texts: list[str] = []
    for at, word in enumerate(argv[1:], start=1):
        before = argv[at - 1].text
        name, equals, value = word.text.partition("=")
        if before == "-c" and name.startswith("alias.") and equals and value.startswith("!"):
            texts.append(value[1:])
        elif name == "--config-env" or before == "--config-env":
            return Inside(doubt=_ALIAS, folder=NOWHERE)
        elif word.text.startswith("-O") and "grep" in (it.text for it in argv[1:at]):
            texts.append(word.text[2:])
        elif before in _RUNS_NEXT and not (before == "-x" and _marks(argv)):
            texts.append(word.text)
        elif before == "foreach" and word is not argv[1]:
            texts += [word.text]
        elif name == "--exec" and equals:
            texts.append(value)
        elif before == "run" and argv[max(at - 2, 0)].text == "bisect":
            return Inside(argvs=(argv[at:],))
    return Inside(texts=tuple(texts), doubt=_ALIAS, folder=NOWHERE) if texts else None


def _after_word(argv: tuple[Word, ...], names: tuple[str, ...]) -> Inside | None:
    """What follows: after `--` if there is one, else from each word on that is no option."""
    at = next((at for at, it in enumerate(argv[1:9], start=1) if it.text in names), None)
    if at is None:
        return None
    rest = argv[at + 1 :]
    first = next((place for place, it in enumerate(rest) if not it.text.startswith("-")), 0)
    moves = any(_MOVES.match(it.text) for it in (*argv[1:at], *rest[:first]))
    moves = moves or any(it.text.startswith(_FOLDERS) for it in argv) or argv[0].text == "direnv"
    folder = NOWHERE if moves else None
    dashes = next((place for place, it in enumerate(rest) if it.text == "--"), None)
    if dashes is not None:
        return Inside(argvs=(rest[dashes + 1 :],), folder=folder) if rest[dashes + 1 :] else None
    valued = _VALUED if names == AFTER_WORD["docker"] else frozenset[str]()
    starts = [
        place
        for place, it in enumerate(rest)
        if not it.text.startswith("-") and not (place and rest[place - 1].text in valued)
    ][:3]
    argvs = tuple(rest[start:] for start in starts)
    return Inside(argvs=argvs, folder=folder) if starts else None


def _unsure(argv: tuple[Word, ...]) -> Inside | None:
    """A program with so many options that any word of it may begin the inner command."""
    starts = [at for at, it in enumerate(argv) if at and not it.text.startswith("-")][:8]
    argvs = tuple(argv[at:] for at in starts)
    return Inside(argvs=argvs, folder=NOWHERE) if starts else None


_SPECIAL: Final = {
    "env": _env,
    "xargs": _xargs,
    "find": _find,
    "gfind": _find,
    "fd": _fd,
    "fdfind": _fd,
    "git": _git,
    "bwrap": _unsure,
    "firejail": _unsure,
}

WRAPPERS: Final = frozenset((*ROWS, *_SPECIAL, *SHELLS, *AFTER_WORD))
