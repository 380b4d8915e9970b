"""Which variables each command of a call gets, however that is spelled.

`X=1 make`, `env X=1 make`, `export X=1; make` and the `env` field of a call put the same variable
into the same program, so all of them are one question: is it plain, or does the rule name it?
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from assent.gate.programs.variables import is_plain
from assent.gate.rules.written_rules import Given, WrittenRule
from assent.gate.shell.script import DECLARES, Command, Script
from assent.gate.text.lazy_patterns import late

__all__ = ["given_to", "only_declares", "shared_by", "stray", "strays"]

_READING: Final = ("read", "IFS")
_ALWAYS: Final = "export"
_DECLARED: Final = late(r"[A-Za-z_]\w*(?:=|\Z)")
_KINDS: Final = late(r"[-+][aAgInrtvx]+")
"""Flags that say of what kind a variable is; others show it, or mean functions."""


def shared_by(script: Script, field: Any, exports: Callable[[str], bool]) -> Given:
    """The variables that any command of a script may be given, wherever in it they are set.

    `field` is the call's own `env`; `exports` tells whether a variable is there from the beginning,
    so that a plain `X=1` changes what every later program is given.

    >>> from assent.gate.programs.read_lines import read_script
    >>> script = read_script("export CI=1; X=2 make; HOME=/h")
    >>> shared_by(script, {"PORT": "80"}, lambda name: name == "HOME")
    {'PORT': '80', 'CI': '1', 'HOME': None}
    """
    shared: dict[str, str | None] = {}
    if not (script.sets or field):
        return shared
    for name, value in _set_in(script, exports) if script.sets else ():
        shared[name] = value if shared.get(name, value) == value else None
    named = field if isinstance(field, Mapping) else {}
    own = {str(name): value if isinstance(value, str) else None for name, value in named.items()}
    return {**own, **{name: None if name in own else value for name, value in shared.items()}}


def given_to(command: Command, shared: Given) -> Given:
    """The variables that one command is given; its own go before those that are shared.

    >>> from assent.gate.programs.read_lines import read_script
    >>> _, make = read_script("export CI=1; CI=2 X=3 make").commands
    >>> given_to(make, {"CI": "1"})
    {'CI': '2', 'X': '3'}
    """
    if not command.assignments or command.name in DECLARES:
        # It is the shell itself that declares; what it hands on is shared by all that follow.
        return shared
    # What parts lines into words counts for `read` alone, which keeps what it reads to itself.
    own = {
        assignment.name: assignment.text
        for assignment in command.assignments
        if (command.name, assignment.name) != _READING
    }
    return {**shared, **own}


def only_declares(command: Command) -> bool:
    """Whether a command only names variables, and neither shows them nor means functions.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ["export CI=1", "unset CI", "export -p", "export"]
    >>> [it for it in lines if only_declares(read_script(it).commands[0])]
    ['export CI=1', 'unset CI']
    """
    if command.name not in DECLARES and command.name != "unset":
        return False
    words = [
        word.text for word in command.argv[1:] if not (word.known and _KINDS.fullmatch(word.text))
    ]
    return bool(words) and all(map(_DECLARED.match, words))


def strays(given: Given) -> Iterator[str]:
    """The names among these that no command is given without a question.

    >>> list(strays({"CI": "1", "LD_PRELOAD": "./x.so", "PORT": None}))
    ['LD_PRELOAD', 'PORT']
    """
    return (name for name, value in given.items() if not is_plain(name, value))


def stray(given: Given, rule: WrittenRule | None) -> str | None:
    """The first variable that asks, and that the rule does not name with this very value.

    >>> from assent.gate.rules.notation import written
    >>> from assent.gate.call.verdicts import Verdict
    >>> rule = written("shell(TARGET=a make:*)", Verdict.ALLOW)
    >>> stray({"TARGET": "a"}, rule), stray({"TARGET": "b"}, rule)
    (None, 'TARGET')
    """
    if not given:
        return None
    named = dict(rule.variables) if rule is not None else {}
    return next(
        (it for it in strays(given) if given[it] is None or named.get(it) != given[it]), None
    )


def _set_in(script: Script, exports: Callable[[str], bool]) -> Iterator[tuple[str, str | None]]:
    """Each variable that is exported, or put before what runs other commands."""
    before: set[str] = set()
    for command in script.commands:
        if command.name in DECLARES:
            exported = dict(_exported(command))
            # What nothing else assigns has the value that it is exported with.
            before |= script.once & exported.keys()
            yield from exported.items()
        elif command.argv:
            before |= {assignment.name for assignment in command.assignments}
            if command.assignments and _runs_others(command, script):
                yield from (
                    (assignment.name, assignment.text) for assignment in command.assignments
                )
    alone = {
        assignment.name
        for command in script.commands
        if not command.argv
        for assignment in command.assignments
    }
    for name in sorted(alone | (script.sets - before)):
        if exports(name):
            yield name, None


def _exported(command: Command) -> Iterator[tuple[str, str | None]]:
    """What `export X=1`, `export X` and `declare -x X=1` hand on."""
    flags = "".join(word.text for word in command.argv[1:] if word.text.startswith("-"))
    if command.name != _ALWAYS and "x" not in flags:
        return
    values = {assignment.name: assignment.text for assignment in command.assignments}
    for word in command.argv[1:]:
        if not word.text.startswith(("-", "+")):
            name, equals, value = word.text.partition("=")
            known = value if equals and word.known and not name.endswith("+") else None
            yield name.removesuffix("+"), values.get(name, known)


def _runs_others(command: Command, script: Script) -> bool:
    """Whether what is put before a command holds for others that it runs."""
    return command.wraps or any(it.carried and command.holds(it) for it in script.commands)
