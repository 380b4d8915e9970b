"""Builtins that run a text, redefine names, or change the state of the script.

`LOSES` has those after which nothing is known any more; the others of which some uses cannot be
told have a check. What else a builtin does to variables and folders is told by `effects`.
"""

# ruff: noqa: ARG001 -- whatever stands in the table of checks is called alike

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from assent.gate.shell.commands import Simple
from assent.gate.shell.folder_changes import MOVERS
from assent.gate.shell.port import Programs
from assent.gate.shell.script import DECLARES, SOURCES
from assent.gate.shell.state import COUNTS
from assent.gate.shell.word import Word
from assent.gate.shell.word_sets import as_number
from assent.gate.text.lazy_patterns import late

__all__ = [
    "LOSES",
    "NAMES_FIRST",
    "RESERVED",
    "SETS_UP_LATER_COMMANDS",
    "UNSETTLES",
    "may_define",
    "named_in",
    "texts",
    "why_doubted",
]

SETS_UP_LATER_COMMANDS: Final = "sets up commands that run later."
_MEANING: Final = "changes what the names of commands mean."
_TEXT: Final = "runs a text as commands."
_VARIABLES: Final = "may change any variable."

LOSES: Final = {
    "eval": _TEXT,
    **dict.fromkeys(SOURCES, "runs the commands of a file that was not read."),
    "alias": _MEANING,
    "unalias": _MEANING,
    "enable": "loads or changes builtins.",
    "complete": SETS_UP_LATER_COMMANDS,
    "compgen": "may run a text as commands.",
    "compopt": SETS_UP_LATER_COMMANDS,
    "bind": SETS_UP_LATER_COMMANDS,
    "fc": _TEXT,
    "history": "may change the list of what was typed, or write it to a file.",
    "coproc": "runs a command in the background.",
    "let": "computes an expression, which may run something.",
    "getopts": _VARIABLES,
    "logout": SETS_UP_LATER_COMMANDS,
    "suspend": SETS_UP_LATER_COMMANDS,
    "caller": SETS_UP_LATER_COMMANDS,
    "noglob": _MEANING,
    "nocorrect": _MEANING,
    "autoload": _MEANING,
    "zmodload": "loads or changes builtins.",
    "emulate": _TEXT,
    "sched": SETS_UP_LATER_COMMANDS,
    "zle": SETS_UP_LATER_COMMANDS,
    "bindkey": SETS_UP_LATER_COMMANDS,
    "functions": _MEANING,
    "disable": _MEANING,
    "rehash": _MEANING,
    "setopt": _MEANING,
    "unsetopt": _MEANING,
    "vared": _VARIABLES,
    "zparseopts": _VARIABLES,
    "zstyle": _TEXT,
    "add-zsh-hook": SETS_UP_LATER_COMMANDS,
    "repeat": _TEXT,
    "foreach": _TEXT,
    "always": _TEXT,
    "-": _TEXT,
}

RESERVED: Final = frozenset(
    "if then else elif fi do done case esac while until for select in function { } ! [[ ]]".split()
)
"""Words that are no command where they stand bare; the grammar does not always see it."""

_SET: Final = late(r"[-+][euxvfCEbhmno]+|pipefail|errexit|nounset|xtrace|noglob|noclobber")
_SHOPT: Final = frozenset(
    "-s -u -q -p nullglob globstar dotglob nocaseglob inherit_errexit".split()
)
_RUNS: Final = late(r"[$`\[]")
_STEERED: Final = late(
    r"(?:https?|ftp|all|no)_proxy|(?:HTTPS?|FTP|ALL|NO)_PROXY|NODE_OPTIONS|LD_PRELOAD"
)
"""Variables without which nothing is led elsewhere, and no code is loaded."""
NAMES_FIRST: Final = frozenset(("read", "mapfile", "readarray", "unset", "wait", *DECLARES))
_NAME: Final = late(r"[A-Za-z_]\w*", re.ASCII)
_TESTS: Final = frozenset(("test", "["))
_EMPTY_INSIDES: Final = late(r"\[\d*\]|\[[@*]\]")


def why_doubted(simple: Simple, name: str, programs: Programs) -> str:
    """Why a script with this command cannot be told; nothing where it can.

    >>> from assent.gate.shell.word import Exact
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> def why(line):
    ...     argv = tuple(Exact(text=it) for it in line.split())
    ...     return why_doubted(Simple(argv=argv), argv[0].text, KNOWN)
    >>> why("eval ls"), why("read name")
    ('`eval` runs a text as commands.', '')
    >>> why("read PATH")
    '`read` assigns a variable that may decide what other programs do.'
    """
    if name in LOSES:
        return f"`{name}` {LOSES[name]!s}"
    check = _CHECKS.get(name)
    because = check(simple.argv[1:], programs) if check else ""
    return f"`{name}` {because!s}" if because else ""


def _set(words: tuple[Word, ...], programs: Programs) -> str:
    for word in words:
        if not word.known:
            return _VARIABLES
        if word.text in ("--", "-"):
            return ""
        if word.text[:1] in "-+" and word.text and not _SET.fullmatch(word.text):
            return _MEANING
        if word.text[:1] not in "-+" and not _SET.fullmatch(word.text):
            return ""
    return ""


def _shopt(words: tuple[Word, ...], programs: Programs) -> str:
    return "" if all(word.known and word.text in _SHOPT for word in words) else _MEANING


def _hash(words: tuple[Word, ...], programs: Programs) -> str:
    plain = (word.known and (word.text == "-r" or word.text[:1] not in "-+") for word in words)
    return "" if all(plain) else _MEANING


def _unset(words: tuple[Word, ...], programs: Programs) -> str:
    return _assigns_to(tuple(word for word in words if not _STEERED.fullmatch(word.text)), programs)


def _names(words: tuple[Word, ...]) -> str:
    """Why operands that name variables cannot be told: a subscript in such a name is computed."""
    for word in words:
        if not word.known and not as_number(word):
            return "is told the name of a variable only when it runs."
        if _RUNS.search(_EMPTY_INSIDES.sub("", word.text.partition("=")[0])):
            return "computes a subscript, which may run something."
    return ""


def _assigns_to(words: tuple[Word, ...], programs: Programs) -> str:
    """The same, of operands that are given a value."""
    names = [name for word in words for name in named_in(word.text)]
    if any(programs.steers(name) or name in COUNTS for name in names):
        return "assigns a variable that may decide what other programs do."
    return _names(words)


def named_in(text: str) -> set[str]:
    """The variables that an operand may name, or an option with the name right behind it.

    >>> named_in("name=notes"), named_in("a[1]"), sorted(named_in("-vx"))
    ({'name'}, {'a'}, ['vx', 'x'])
    """
    name = text.partition("=")[0].partition("[")[0]
    ends = [name[at:] for at in range(1, len(name))] if name.startswith("-") else [name]
    return {end for end in ends if _NAME.fullmatch(end)}


def _declare(words: tuple[Word, ...], programs: Programs, *, flags: str) -> str:
    """Why a declaration cannot be told. With `-p` alone it only shows what is declared."""
    given = {
        letter
        for word in words
        if word.text[:1] in ("-", "+") and word.known
        for letter in word.text
    }
    shows = "p" in given and not any("=" in word.text for word in words)
    if given - {*"-+", *flags, *("p" if shows else "")} or any(
        word.text in COUNTS for word in words
    ):
        return _VARIABLES
    return _names(tuple(word for word in words if word.known or "=" not in word.text))


def _mapfile(words: tuple[Word, ...], programs: Programs) -> str:
    if any(word.text.startswith("-C") for word in words):
        return _TEXT
    return _assigns_to(words, programs)


def _printf(words: tuple[Word, ...], programs: Programs) -> str:
    head = words[0] if words else None
    if head is not None and (head.several and not head.listed):
        return "may be told to assign a variable."
    named = head is not None and head.text.startswith("-v")
    return _assigns_to(words[:2], programs) if named else ""


def _test(words: tuple[Word, ...], programs: Programs) -> str:
    if any(word.several and not word.listed for word in words):
        return "is told what to test only when it runs."
    for at, word in enumerate(words):
        if word.text in ("-v", "-R") or not word.known:
            because = _names(words[at + 1 : at + 2]) if word.known else ""
            if because:
                return because
        if word.known and "[" in word.text and _RUNS.search(word.text.replace("[", "")):
            return "computes a subscript, which may run something."
    return ""


def _wait(words: tuple[Word, ...], programs: Programs) -> str:
    return _assigns_to(words, programs) if any("p" in word.text for word in words) else ""


_CHECKS: Final[dict[str, Callable[[tuple[Word, ...], Programs], str]]] = {
    "exec": lambda words, _: "" if words else "changes where all that follows reads and writes.",
    "set": _set,
    "shopt": _shopt,
    "hash": _hash,
    "read": _assigns_to,
    "mapfile": _mapfile,
    "readarray": _mapfile,
    "unset": _unset,
    "wait": _wait,
    "printf": _printf,
    "test": _test,
    "[": _test,
    **dict.fromkeys(("declare", "typeset", "local"), partial(_declare, flags="aAgIrtx")),
    "export": partial(_declare, flags=""),
    "readonly": partial(_declare, flags="aA"),
    "integer": lambda *_: _VARIABLES,
}


def texts(simple: Simple, name: str) -> tuple[str, ...]:
    """The texts that a builtin would run, as far as they can be told.

    >>> from assent.gate.shell.word import Exact
    >>> argv = tuple(Exact(text=it) for it in ("eval", "date", "-u"))
    >>> texts(Simple(argv=argv), "eval")
    ('date -u',)
    """
    words = simple.argv[1:]
    if name == "eval":
        return (" ".join(word.text for word in words if word.text != "--"),)
    if name == "alias":
        return tuple(word.text.partition("=")[2] for word in words if "=" in word.text)
    if name in ("mapfile", "readarray", "complete", "bind", "compgen"):
        return tuple(word.text.removeprefix("-C").removeprefix("-x") for word in words)
    return ()


_SETTLED: Final = frozenset("exit true false : pwd kill trap".split())
"""Builtins that are relied on, and leave what is known as it is."""
_SHADOWED: Final = frozenset((*LOSES, *_CHECKS, *MOVERS, *_SETTLED, "return", "shift"))
UNSETTLES: Final = _SHADOWED - _SETTLED - _TESTS
"""Builtins that change what is known of what runs after them."""


def may_define(name: str, programs: Programs) -> bool:
    """Whether a function of this name leaves what is known here as it is.

    >>> from assent.gate.programs.read_lines import KNOWN
    >>> [may_define(it, KNOWN) for it in ("build", "cd", "xargs")]
    [True, False, False]
    """
    return name not in _SHADOWED and name not in programs.relied_on
