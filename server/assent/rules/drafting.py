"""Texts of rules about what a call holds: a command, by its words or its meaning, and a path."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from assent.bash.script import Command
from assent.calls import Call
from assent.programs.harming import harms_of
from assent.programs.inputs import is_given, takes_code
from assent.programs.meaning import meaning
from assent.rules.book import NONE_GIVEN
from assent.rules.environment import given_to, shared_by, strays
from assent.rules.written import Given
from assent.verdicts import Deed, Part

__all__ = [
    "NEVER",
    "by_meaning",
    "by_name",
    "commands_of",
    "exactly",
    "on_path",
    "paths_of",
    "seen_whole",
    "spelled",
    "to_the_letter",
    "with_flags",
    "words_in",
]

_UNPLAIN: Final = frozenset("*?[]{}()\\\"'\n")
"""Letters of a path that a rule could read otherwise."""

_MOST: Final = 32
"""In words: so far into a command a rule is looked for that has the flag which asked."""

_LONGEST: Final = 200
"""In characters: a longer rule is not seen whole."""

NEVER: Final = frozenset("sudo doas su pkexec run0 gsudo".split())
"""What acts with more rights is not made a habit of."""


def commands_of(call: Call, part: Part) -> list[tuple[Command, Given]]:
    """The commands within a part that do more than to run another, and what each is given."""
    # Reading commands takes a parser, which a server that has just started does without.
    from assent.programs.reading import read_script  # noqa: PLC0415

    script = read_script(str(call.input["command"]), str(call.input.get("shell") or "bash"))
    inner = [it for it in script.commands if part.start <= it.start and it.end <= part.end]
    shared = shared_by(script, call.input.get("env"), lambda _: False)
    return [(it, given_to(it, shared)) for it in inner if it.argv and not it.wraps]


def by_meaning(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for all commands that mean the same; none for what nobody can take back."""
    words, before = _words(command), _before(given)
    means = meaning(words) if words else None
    by_input = is_given(command) and takes_code(words or ())
    if not means or before is None or by_input or harms_of(command):
        return None
    return seen_whole(f"shell({spelled((*before, *means))}:*)")


def with_flags(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """The same up to the last word that such a rule would not have meant."""
    # What a program's words mean takes its tables.
    from assent.programs.shape import beyond  # noqa: PLC0415
    from assent.programs.study import study  # noqa: PLC0415

    words, before = _words(command), _before(given)
    means = meaning(words) if words else None
    if not words or not means or before is None or harms_of(command):
        return None
    escapes = study(command).escapes
    for count in range(len(means), min(len(words), _MOST) + 1):
        value = words[count - 1][:1] == "-" and "=" not in words[count - 1]
        if not (count > len(means) and value and words[count : count + 1]):
            said = words[:count]
            if beyond(said, command.argv, escapes) is None:
                return seen_whole(f"shell({spelled((*before, *said))}:*)")
    return None


def to_the_letter(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """The same where the words say what runs, and not what is put into it."""
    words = _words(command) or ()
    silent = is_given(command) and all(it.startswith("-") for it in words[1:])
    return None if silent or takes_code(words) else exactly(command, given)


def exactly(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for these very words, whatever is put into it."""
    words, before = _words(command), _before(given)
    if not words or before is None:
        return None
    return seen_whole(f"shell({spelled((*before, *words))})")


def _before(given: Given) -> tuple[str, ...] | None:
    """The variables that a rule has to name; None where it cannot."""
    named = {name: given[name] for name in strays(given)}
    if any(value is None for value in named.values()):
        return None
    return tuple(f"{name}={value}" for name, value in named.items())


def by_name(command: Command) -> str | None:
    """A rule for whatever is done with more rights; only ever to deny it."""
    name = command.name
    return f"shell({spelled((name,))}:*)" if name in NEVER else None


def _words(command: Command) -> tuple[str, ...] | None:
    """The words, where all of them are known before it runs."""
    if any(not it.known or it.glob or it.choices or it.several for it in command.argv):
        return None
    return tuple(word.text for word in command.argv)


def spelled(words: Sequence[str]) -> str:
    """Words as a rule has them."""
    return shlex.join(words)


def seen_whole(text: str) -> str | None:
    """The rule, if a person can see it whole."""
    return text if len(text) <= _LONGEST and text.isprintable() else None


def paths_of(deeds: Iterable[Deed]) -> Iterator[str]:
    """Rules for the paths that need a leave of their own."""
    for deed in deeds:
        if deed.kind == "write" or (deed.kind == "read" and not deed.inside):
            yield from on_path(deed.kind, deed.what, inside=deed.inside)


def on_path(kind: str, shown: str, *, inside: bool) -> Iterator[str]:
    """A rule for a path, where no letter of it could be read otherwise."""
    path = f"./{shown}" if inside and not shown.startswith(("/", "~")) else shown
    rule = None if _UNPLAIN & set(path) else seen_whole(f"{kind}({path})")
    if rule is not None:
        yield rule


def words_in(command: Command) -> set[str]:
    """The words behind its name that are known."""
    return {word.text for word in command.argv[1:] if word.known}
