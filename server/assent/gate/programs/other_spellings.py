"""Other spellings of one command, for rules that deny or ask, never for those that allow.

A rule is written about one spelling and means them all: `/bin/rm`, `busybox rm` and `rm` remove the
same, and `git -C x --no-pager push` pushes.
"""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import pairwise
from typing import Final

from assent.gate.programs.aliases import APPLETS, GNU, LONG, NPM, OTHERS, SECOND, SIGNALS
from assent.gate.programs.known_names import MODULE_FLAG
from assent.gate.programs.selecting_options import GLOBALS, valued_before
from assent.gate.text.lazy_patterns import late

__all__ = ["spellings"]

_Step = Callable[[tuple[str, ...]], tuple[str, ...] | None]
_MODULE: Final = late(r"(?:python|pypy)[23]?(?:\.\d+)?")
_VERSIONED: Final = late(r"(python|pip|node|ruby|perl|php|lua|bash|pypy)-?\d[\d.]*")
_ALIAS: Final = late(r"alias\.([^=]+?)(?:\.command)?=(!?)(.*)", re.DOTALL | re.IGNORECASE)
_ENDINGS: Final = (".exe", ".cmd", ".bat", ".com")
_QUOTES: Final = str.maketrans("", "", "\"'\\")
_PUSHES: Final = (("lfs", "push"), ("subtree", "push"))
_MAX_SPELLINGS: Final = 12
"""So many spellings are followed: aliases of git may name each other without end."""


def spellings(argv: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Every spelling under which a rule may mean this command; first the one that is given.

    >>> [" ".join(it) for it in spellings(("/usr/bin/git", "-C", "lib", "push"))]
    ['/usr/bin/git -C lib push', 'git -C lib push', 'git push']
    >>> [" ".join(it) for it in spellings(("python3", "-m", "pip", "install", "x"))]
    ['python3 -m pip install x', 'python -m pip install x', 'pip install x']
    """
    found: list[tuple[str, ...]] = []
    waiting = [argv] if argv else []
    while waiting and len(found) < _MAX_SPELLINGS:
        one = waiting.pop(0)
        if one in found:
            continue
        found.append(one)
        waiting += [other for step in _steps_of(one[0]) if (other := step(one)) is not None]
    return tuple(found)


def _basename(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    name = argv[0].replace("\\", "/").rpartition("/")[2].casefold()
    name = name[:-4] if name.endswith(_ENDINGS) else name
    return (name, *argv[1:]) if name and name != argv[0] else None


def _applet(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    return argv[1:] if argv[0] in APPLETS and argv[1:] else None


def _renamed(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    name = argv[0]
    other = OTHERS.get(name) or (name[1:] if name in GNU else None)
    return (*other.split(), *argv[1:]) if other else None


def _unversioned(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    matched = _VERSIONED.fullmatch(argv[0])
    return (matched.group(1), *argv[1:]) if matched else None


def _module(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`python -m pip` as `pip`."""
    if not _MODULE.fullmatch(argv[0]):
        return None
    for at, word in enumerate(argv[1:], start=1):
        matched = MODULE_FLAG.fullmatch(word)
        if matched is not None:
            named = (matched.group(1),) if matched.group(1) else ()
            return (*named, *argv[at + 1 :]) or None
        if not word.startswith("-"):
            return None
    return None


def _plain(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`git -C x push` as `git push`."""
    if not valued_before(argv[0]) or not argv[1:] or not argv[1].startswith("-"):
        return None
    if _MODULE.fullmatch(argv[0]):
        return None
    at = _behind_options(argv)
    return (argv[0], *argv[at:]) if at < len(argv) else None


def _behind_options(argv: tuple[str, ...]) -> int:
    """Where the command of a program stands, behind the options of the program itself."""
    at, valued = 1, valued_before(argv[0])
    while at < len(argv) and argv[at].startswith("-"):
        at += 2 if argv[at] in valued else 1
    return at


def _second(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    name, *words = argv
    other = SECOND.get(name, {}).get(words[0]) if words else None
    return (name, *other.split(), *words[1:]) if other else None


def _inner(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`docker image push` as `docker push`, `git lfs push` as `git push`."""
    grouped = argv[0] == "docker" and argv[1:2] in (("image",), ("container",), ("volume",))
    grouped |= argv[0] == "git" and argv[1:3] in _PUSHES
    return (argv[0], *argv[2:]) if grouped and argv[2:] else None


def _aliased(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`git -c alias.p=push p` as `git push`; one that begins with `!` is a command of its own."""
    if argv[0] != "git":
        return None
    at, aliases = _behind_options(argv), {}
    for flag, value in pairwise(argv[:at]):
        if flag == "-c" and (alias := _ALIAS.fullmatch(value)):
            aliases[alias[1].casefold()] = (alias[2], alias[3].translate(_QUOTES).split())
    if at >= len(argv) or argv[at].casefold() not in aliases:
        return None
    outward, words = aliases[argv[at].casefold()]
    return (*(() if outward else argv[:at]), *words, *argv[at + 1 :]) or None


def _dashed(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`git-push` as `git push`."""
    name = argv[0].removeprefix("git-")
    return ("git", name, *argv[1:]) if name and name != argv[0] else None


def _for_each(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`git for-each-repo --config=x push` as `git push`."""
    if argv[:2] != ("git", "for-each-repo"):
        return None
    at = next((at for at, it in enumerate(argv) if at > 1 and it[:1] != "-"), len(argv))
    return ("git", *argv[at:])


def _toolchain(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`cargo +nightly publish` as `cargo publish`."""
    chosen = argv[0] in {"cargo", "rustc"} and argv[1:2] != () and argv[1].startswith("+")
    return (argv[0], *argv[2:]) if chosen else None


def _abbreviated(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`npm publ` as `npm publish`, `git reset --har` as `git reset --hard`."""
    if argv[0] == "npm" and argv[1:2] and argv[1] not in NPM:
        meant = [name for name in NPM if name.startswith(argv[1])]
        return ("npm", meant[0], *argv[2:]) if len(meant) == 1 else None
    flags = LONG.get(argv[0])
    if flags is None:
        return None
    words = tuple(_lengthened(word, flags) for word in argv)
    return words if words != argv else None


def _lengthened(word: str, flags: tuple[str, ...]) -> str:
    if not word.startswith("--") or len(word) <= len("--f"):
        return word
    return next((flag for flag in flags if flag.startswith(word)), word)


def _numbered(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`chmod 0777` as `chmod 777`, `kill -s KILL` as `kill -9`."""
    if argv[0] == "chmod":
        words = tuple(word[-3:] if re.fullmatch(r"0+[0-7]{3}", word) else word for word in argv)
        return words if words != argv else None
    if argv[0] != "kill" or not argv[1:]:
        return None
    named, rest = argv[1], argv[2:]
    if named in {"-s", "-n", "--signal"} and rest:
        named, rest = f"-{rest[0]}", rest[1:]
    name = named.removeprefix("--signal=").removeprefix("-").upper().removeprefix("SIG")
    if not named.startswith("-") or not (name in SIGNALS or name.isdigit()):
        return None
    words = ("kill", f"-{SIGNALS.get(name, name)}", *rest)
    return words if words != argv else None


_STEPS: Final[tuple[tuple[_Step, Collection[str] | None], ...]] = (
    (_basename, None),
    (_applet, APPLETS),
    (_renamed, {*OTHERS, *GNU}),
    (_unversioned, None),
    (_dashed, None),
    (_for_each, {"git"}),
    (_module, None),
    (_module, {"python", "pypy"}),
    (_aliased, {"git"}),
    (_plain, {name for row in GLOBALS for name in row.names.split(", ")}),
    (_toolchain, {"cargo", "rustc"}),
    (_second, SECOND),
    (_abbreviated, {"npm", *LONG}),
    (_numbered, {"chmod", "kill"}),
    (_inner, {"docker", "git"}),
)
"""Each step with the programs that it is about; None are those with a sign in their name."""
_BY_NAME: Final = {
    name: tuple(dict.fromkeys(step for step, of in _STEPS if of is None or name in of))
    for _, names in _STEPS
    for name in names or ()
}
_OF_OTHERS: Final = tuple(step for step, names in _STEPS if names is None)


def _steps_of(name: str) -> Sequence[_Step]:
    """The steps that may lead on: none from a name of small letters that no step is about."""
    is_plain = name.isascii() and name.isalpha() and name.islower()
    return _BY_NAME.get(name, () if is_plain else _OF_OTHERS)
