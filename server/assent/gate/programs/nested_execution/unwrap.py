"""Finds the inner command of every program that is known to run another.

Most have a row; those that no row can tell have a function here.
"""

import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from assent.gate.programs.command_scopes import command_scopes, known_of
from assent.gate.programs.find_tests import RUNS, end_of_run, roots_of
from assent.gate.programs.git_given import given_to_git
from assent.gate.programs.listers import fd_lists
from assent.gate.programs.nested_execution.commands_in_code import commands_in_code
from assent.gate.programs.nested_execution.shells import shell
from assent.gate.programs.nested_execution.wrapper_rows import AFTER_WORD, AT_ONCE, ENV, ROWS, XARGS
from assent.gate.programs.nested_execution.wrappers import NOWHERE, UNSURE, after, inside
from assent.gate.programs.options import literal_head, part_of
from assent.gate.programs.rows import Flag
from assent.gate.shell.anchored_paths import InFolder
from assent.gate.shell.dialects import SHELLS
from assent.gate.shell.port import Inside
from assent.gate.shell.script import bare_name
from assent.gate.shell.word import Below, Exact, Unknown, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["HANDING", "WRAPPERS", "unwrap"]

# What programs that look for files run for each file that they find.

_BEHIND: Final = late(r"(?:/(?!\.\.?(?:/|\Z))[\w.\-]+)*|\.?\w[.\w\-]*", re.ASCII)
_RUNS: Final = frozenset({"-x", "-X"})
_FD_RUNS: Final = frozenset({*_RUNS, "--exec", "--exec-batch"})
_MARK: Final = late(r"\{(?:/?\.?|//)\}")
_PARTS: Final = late(r"\{(?:/\.?|\.|//)\}")
"""Marks of fd for a part of a name, such as its folder: nobody knows where that lies."""
_ANYTHING: Final = Unknown(text="…", several=True)


def _with_find(argv: tuple[Word, ...]) -> Inside | None:
    """What `find -exec` runs, with the names that it finds in the place of `{}`.

    >>> from assent.gate.programs.read_lines import words_of
    >>> ran = _with_find(words_of("find src -name '*.o' -exec rm {} +")).argvs[0]
    >>> ran[1].text, ran[1].listed
    ('src/…', True)
    """
    argvs: list[tuple[Word, ...]] = []
    at, names = 1, roots_of(argv[1:], prints=False)
    elsewhere = any(word.text in ("-execdir", "-okdir") for word in argv)
    if elsewhere:
        names = Below(text="./…") if names else None
    names = evolve(names, by=(argv,)) if names else None
    while at < len(argv):
        if argv[at].text in RUNS:
            end = end_of_run(argv, at)
            many = argv[end - 1].text == "{}" and end < len(argv) and argv[end].text == "+"
            inner = argv[at + 1 : end] + ((argv[end - 1],) if many else ())
            argvs.append(tuple(_found(word, names) for word in inner))
            at = end
        at += 1
    folder = NOWHERE if elsewhere else None
    return Inside(argvs=tuple(filter(None, argvs)), folder=folder) if argvs else None


def _found(word: Word, names: Below | None) -> Word:
    """A word with the found name in the place of its braces."""
    if "{}" not in word.text:
        return word
    lost = Unknown(text=word.text.replace("{}", "…"))
    if names is None or not word.known:
        return lost
    if word.text == "{}":
        return names
    before, _, behind = word.text.partition("{}")
    stays = before in ("", "./") and _BEHIND.fullmatch(behind) and names.text[:1] != "/"
    return evolve(names.spelled(names.text + behind), by=()) if stays else lost


def _with_fd(argv: tuple[Word, ...]) -> Inside | None:
    """What `fd -x` runs, with the names that it finds put in or behind.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [it.text for it in _with_fd(words_of("fd -e o -x rm {}")).argvs[0]]
    ['rm', '…']
    >>> _with_fd(words_of("fd -e o")) is None
    True
    """
    argv = tuple(part for word in argv for part in _apart(word))
    at = next((at for at, word in enumerate(argv) if word.text[:2] in _RUNS), None)
    at = next((at for at, word in enumerate(argv) if word.text in _FD_RUNS), at)
    if at is None:
        return None
    if argv[at].text not in _FD_RUNS:
        glued = (Exact(text=argv[at].text[2:]), *argv[at + 1 :])
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
        end = next((at for at, word in enumerate(rest) if word.text == ";"), len(rest))
        argvs.append(rest[1:end])
        rest = rest[end + 1 :]
    elsewhere = any(word.text.startswith("--base") or word.text == "-C" for word in argv[1:])
    filled = (_filled(argv, names) for argv in argvs if argv)
    return Inside(argvs=tuple(filled), folder=NOWHERE if elsewhere else None)


def _apart(word: Word) -> tuple[Word, ...]:
    """A flag and the program that it runs, where one word is both."""
    flag, equals, value = word.text.partition("=")
    if not equals or flag not in _FD_RUNS:
        return (word,)
    return word.spelled(flag), word.spelled(value)


def _filled(inner: tuple[Word, ...], names: Below | None) -> tuple[Word, ...]:
    """The command that fd runs, with the found name in the place of its marks, or behind it."""
    if not any(_MARK.search(word.text) for word in inner):
        return (*inner, names or _ANYTHING)
    return tuple(
        _found(word, names) if not _PARTS.search(word.text) else _ANYTHING for word in inner
    )


_MOVES: Final = late(r"-[Cw]")
_FOLDERS: Final = ("--directory", "--cwd", "--prefix", "--chdir", "--work", "--cd", "--dir")
_CHDIR: Final = "chdir"
_ENTRY: Final = "--entrypoint"
"""The option of a container by which its value is run."""
_TOOLS: Final = ("env", "time", _CHDIR)
"""The commands of `cmake -E` that run another; one of them goes to a folder first."""
_BESIDE: Final = late(r"-\w*?x(.+)", re.DOTALL)
"""The option of a rebase with its text right behind it."""
_RUNS_NEXT: Final = ("--exec", "-x")
_RUN_FLAGS: Final = ("--exec", "--upload-pack", "--receive-pack")
_GOES: Final = ("-C", "--git-dir", "--work-tree")
_BY_SHELL: Final = frozenset({"yarn", "pnpm"})
_ELSEWHERE: Final = frozenset("-c -t -X send-keys send".split())
"""Words by which `tmux` and `screen` run or type something where another shell is."""
_ALIAS: Final = "A setting of git may run any program."


def unwrap(argv: tuple[Word, ...], fed: str = "") -> Inside | None:
    """What these words run, if they name a program that runs another; `fed` is what it reads.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [it.text for it in unwrap(words_of("env CI=1 nice make test")).argvs[0]]
    ['nice', 'make', 'test']
    >>> unwrap(words_of("make test")) is None
    True
    """
    if not argv or not argv[0].known:
        return None
    name = bare_name(argv[0].text)
    if name not in WRAPPERS:
        commands = commands_in_code(argv, fed)
        return commands or (
            _marked(argv, name) if "--" in [word.text for word in argv[1:-1]] else None
        )
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
    before = after(argv, ENV)
    given, rest = before.options.found, argv[before.at :]
    split = given.get("-S") or given.get("--split-string")
    if split is None:
        return inside(argv, row)
    try:
        pieces = shlex.split(split.text) if split.known else None
    except ValueError:
        pieces = None
    if pieces is None or "$" in split.text or "\\" in split.text:
        words = tuple(Exact(text=it) for it in split.text.split())
        return Inside(argvs=((*words, *rest),), doubt=UNSURE, folder=NOWHERE)
    words = tuple(Exact(text=piece) for piece in pieces)
    again = inside((argv[0], *words, *rest), row)
    if again is None:
        return None
    return evolve(
        again,
        assignments=(*before.assignments, *again.assignments),
        folder=NOWHERE if before.options.has(ENV.folder_flags) else again.folder,
    )


def _xargs(argv: tuple[Word, ...]) -> Inside | None:
    """`xargs`, which puts what it reads behind the words or in the place of one."""
    before = after(argv, XARGS)
    given = before.options.found
    rest = argv[before.at :] or (Exact(text="echo"),)
    instead = given.get("-I") or given.get("-i") or given.get("--replace")
    mark = instead.text if instead else ""
    mark = mark or ("{}" if before.options.has("-i --replace") else "")
    taken = Unknown(text="…", several=True)
    parted = given.get("-d") or given.get("--delimiter")
    lines = parted is not None and parted.known and parted.text in ("\\n", "\n", "\\0")
    return Inside(
        argvs=(tuple(_replaced(word, mark) for word in rest) if mark else (*rest, taken),),
        wraps=not before.options.has(XARGS.adding_flags),
        doubt="" if before.sure else UNSURE,
        fed=True,
        lines=lines or before.options.has("-0 --null -I -i --replace"),
        cuts=(parted is not None and not lines) or before.options.has("-a --arg-file"),
    )


def _replaced(word: Word, mark: str) -> Word:
    if mark not in word.text:
        # The path that a word begins with may hold the mark, which is looked for in that.
        if not word.home or mark == "{}":
            return word
        return Unknown(text=f"$PWD{word.path[1:]}" if isinstance(word, InFolder) else word.text)
    if word.text == mark:
        return Unknown(text="…")
    return Unknown(text=word.text.replace(mark, "…"))


def _marks(argv: tuple[Word, ...]) -> bool:
    """Whether `-x` is a plain flag here, and does not run the next word."""
    return argv[1].text in ("cherry-pick", "clean")


def _git(argv: tuple[Word, ...]) -> Inside | None:
    """`git`, whose settings and some of whose commands run what they are given."""
    given = given_to_git(argv)
    texts = [*given.texts]
    for at, word in enumerate(argv[1:], start=1):
        before = argv[at - 1].text
        name, equals, value = word.text.partition("=")
        if name == "--config-env" or before == "--config-env":
            return Inside(doubt=_ALIAS, folder=NOWHERE)
        if word.text.startswith("-O") and "grep" in (word.text for word in argv[1:at]):
            texts.append(word.text[2:])
        elif before in _RUNS_NEXT and not (before == "-x" and _marks(argv)):
            texts.append(word.text)
        elif before == "foreach" and word is not argv[1]:
            texts += [word.text]
        elif name in _RUN_FLAGS and equals:
            texts.append(value)
        elif before == "run" and argv[max(at - 2, 0)].text == "bisect":
            return Inside(argvs=(argv[at:],))
    texts += _beside(argv)
    if not texts:
        return Inside(argvs=given.argvs, folder=_moved(argv)) if given.argvs else None
    # A rebase runs the text between its commits, and nothing behind it.
    doubt = "" if argv[1].text == "rebase" else _ALIAS
    return Inside(texts=tuple(texts), argvs=given.argvs, doubt=doubt, folder=NOWHERE)


def _moved(argv: tuple[Word, ...]) -> Word | None:
    return NOWHERE if any(word.text.startswith(_GOES) for word in argv[1:]) else None


def _beside(argv: tuple[Word, ...]) -> list[str]:
    """What a rebase runs, where that stands right behind the letter of the option."""
    if not any(word.text == "rebase" for word in argv[1:]):
        return []
    return [match[1] for word in argv[1:] if (match := _BESIDE.fullmatch(word.text))]


def _after_word(argv: tuple[Word, ...], names: tuple[str, ...]) -> Inside | None:
    """What follows the word: behind `--`, else from each of the first words that are no options."""
    at = next((at for at, word in enumerate(argv[1:9], start=1) if word.text in names), None)
    if at is None:
        return None
    rest = argv[at + 1 :]
    first = next((place for place, word in enumerate(rest) if not word.text.startswith("-")), 0)
    moves = any(_MOVES.match(word.text) for word in (*argv[1:at], *rest[:first]))
    moves = (
        moves or any(word.text.startswith(_FOLDERS) for word in argv) or argv[0].text == "direnv"
    )
    moves = moves or argv[at].text == _CHDIR
    folder = NOWHERE if moves else None
    dashes = next((place for place, word in enumerate(rest) if word.text == "--"), None)
    if dashes is not None:
        return Inside(argvs=(rest[dashes + 1 :],), folder=folder) if rest[dashes + 1 :] else None
    # No row says which options have a value: each of the first words may begin the command.
    name = bare_name(argv[0].text)
    flags = known_of((name, argv[at].text)).scope_flags if AT_ONCE.get(name) else {}
    starts = [
        place
        for place, word in enumerate(rest)
        if not word.text.startswith("-")
        and not (place and (rest[place - 1].text == _ENTRY or _takes(rest[place - 1].text, flags)))
    ][:3]
    # The word itself may be the value of an option before it.
    sure = not any(word.text.startswith("-") or not word.known for word in argv[1:at])
    operands = AT_ONCE.get(name) if sure else None
    # The rest behind the image is what such a program is given.
    images = [rest[it:] for it in (starts[:1] if operands else starts)]
    if operands is not None:
        first = _first(rest, flags)
        # Behind the surely first word of the command are its own, of which none is known to run;
        # an operand before it that nobody knows may be an option.
        own = range(first, first + operands)
        if all(_is_name(word) for word in rest[first : own.stop]):
            starts = [
                start for start in starts if rest[start].known or start < first or start == own.stop
            ]
    argvs = [rest[start:] for start in starts]
    argvs += [(entry, *image[1:]) for entry in _entries(rest) for image in images]
    # Some have a shell read what is one word.
    texts = (
        tuple(argv[0].text for argv in argvs if " " in argv[0].text) if name in _BY_SHELL else ()
    )
    return Inside(argvs=tuple(argvs), folder=folder, texts=texts) if starts else None


def _is_name(word: Word) -> bool:
    """Whether a word begins with an operand, and is no option that nobody knows."""
    return word.known or literal_head(word)[:1] not in ("", "-")


def _entries(rest: Sequence[Word]) -> list[Word]:
    """The programs that a container is told to run in place of its own: the rest is theirs."""
    glued = [
        part_of(word, word.text[len(_ENTRY) + 1 :])
        for word in rest
        if word.text[:13] == f"{_ENTRY}="
    ]
    return [*glued, *(to for at, to in pairwise(rest) if at.text == _ENTRY)]


def _first(rest: Sequence[Word], flags: Mapping[str, Flag]) -> int:
    """Which word is surely an operand, the first of them, or stands behind that."""
    own = (
        place
        for place, word in enumerate(rest)
        if not word.text.startswith("-")
        and (place == 0 or _takes(rest[place - 1].text, flags) is False)
    )
    return next(own, len(rest))


def _takes(text: str, flags: Mapping[str, Flag]) -> bool | None:
    """Whether the next word is the value of this one; None where nobody can tell."""
    if not text.startswith("-") or "=" in text:
        return False
    names = [text] if text.startswith("--") else [f"-{it}" for it in text[1:]]
    if not names or any(name not in flags for name in names):
        return None
    return [name for name in names if flags[name].values][:1] == names[-1:]


def _marked(argv: tuple[Word, ...], name: str) -> Inside | None:
    """What follows `--`, where a program of which nothing is known is given a known one there."""
    # The tables are loaded with the reader of commands, and not before.
    from assent.gate.programs.tables import by_name  # noqa: PLC0415

    rest = argv[next(at for at, word in enumerate(argv) if word.text == "--") + 1 :]
    inner = bare_name(rest[0].text)
    known = inner in WRAPPERS or inner in by_name()
    strange = name not in by_name() and name not in command_scopes()
    return Inside(argvs=(rest,)) if known and strange else None


def _cmake(argv: tuple[Word, ...]) -> Inside | None:
    """`cmake -E`, some of whose commands run another."""
    return _after_word(argv, _TOOLS) if any(word.text == "-E" for word in argv) else None


def _unsure(argv: tuple[Word, ...]) -> Inside | None:
    """A program with so many options that any word of it may begin the inner command."""
    starts = [at for at, word in enumerate(argv) if at and not word.text.startswith("-")][:8]
    argvs = tuple(argv[at:] for at in starts)
    return Inside(argvs=argvs, folder=NOWHERE) if starts else None


def _typed(argv: tuple[Word, ...]) -> Inside | None:
    """Unwrap a program that hands whole texts to a shell besides, or types them into one."""
    begun = _unsure(argv)
    words = [word.text for word in argv[1:]]
    texts = tuple(it for it, word in zip(words, argv[1:], strict=True) if word.known and " " in it)
    folder = None if _ELSEWHERE.isdisjoint(words) else NOWHERE
    return None if begun is None else evolve(begun, texts=texts, folder=folder)


_SPECIAL: Final = {
    "env": _env,
    "xargs": _xargs,
    "find": _with_find,
    "gfind": _with_find,
    "fd": _with_fd,
    "fdfind": _with_fd,
    "git": _git,
    "cmake": _cmake,
    "bwrap": _unsure,
    "firejail": _unsure,
    "valgrind": _unsure,
    "watchexec": _unsure,
    "entr": _unsure,
    "dotenv": _unsure,
    "proot": _unsure,
    "tmux": _typed,
    "screen": _typed,
}

WRAPPERS: Final = frozenset((*ROWS, *_SPECIAL, *SHELLS, *AFTER_WORD))
HANDING: Final = frozenset(
    (
        *(name for name, row in ROWS.items() if row.operands_are_scripts or row.runs_project),
        *(name for name, read in _SPECIAL.items() if read is _typed),
    )
)
"""Those that are there to run what a project has, each of it a text for a shell."""
