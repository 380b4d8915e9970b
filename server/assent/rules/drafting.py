"""Texts of rules about what a call holds: a command, by its words or its meaning, and a path."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from assent.bash.script import Command
from assent.calls import Call
from assent.programs.harming import harms_of
from assent.programs.inputs import is_given, takes_code
from assent.programs.meaning import meaning
from assent.rules.environment import given_to, shared_by, strays
from assent.rules.lookups import NONE_GIVEN
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
"""Programs that give another more rights: no rule that allows one is suggested."""


def commands_of(call: Call, part: Part) -> list[tuple[Command, Given]]:
    """The commands in a part of a shell call, each with the variables it is given.

    One that only runs another is left out: the other is in the list.

    >>> from assent.calls import Effect
    >>> from assent.verdicts import Verdict
    >>> line = {"command": "env PORT=80 make all && ls"}
    >>> whose = {"id": "1", "chat": "c", "agent": "eliza", "cwd": "/w"}
    >>> call = Call(tool="shell", effect=Effect.EXECUTE, input=line, **whose)
    >>> part = Part(text="env PORT=80 make all", start=0, end=20, verdict=Verdict.ASK, because="")
    >>> [(it.name, given) for it, given in commands_of(call, part)]
    [('make', {'PORT': '80'})]
    """
    # Reading commands takes a parser, which a server that has just started does without.
    from assent.programs.reading import read_script  # noqa: PLC0415

    script = read_script(str(call.input["command"]), str(call.input.get("shell") or "bash"))
    inner = [it for it in script.commands if part.start <= it.start and it.end <= part.end]
    shared = shared_by(script, call.input.get("env"), lambda _: False)
    return [(it, given_to(it, shared)) for it in inner if it.argv and not it.wraps]


def by_meaning(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for all commands that mean the same; None for a use that nobody can take back.

    >>> from assent.programs.reading import read_script
    >>> by_meaning(read_script("npm run build -- --watch").commands[0])
    'shell(npm run build:*)'
    >>> by_meaning(read_script("git push --force").commands[0])
    """
    words, before = _words(command), _before(given)
    means = meaning(words) if words else None
    by_input = is_given(command) and takes_code(words or ())
    if not means or before is None or by_input or harms_of(command):
        return None
    return seen_whole(f"shell({spelled((*before, *means))}:*)")


def with_flags(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """The same, with as many words more as a rule needs to cover this very command.

    >>> from assent.programs.reading import read_script
    >>> [test] = read_script("go test -exec ./run ./...").commands
    >>> by_meaning(test), with_flags(test)
    ('shell(go test:*)', 'shell(go test -exec ./run:*)')
    """
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
    """A rule for these very words; None where they do not say what runs.

    What a program takes from its input stands in no rule.

    >>> from assent.programs.reading import read_script
    >>> to_the_letter(read_script("make 'all of it'").commands[0])
    "shell(make 'all of it')"
    >>> to_the_letter(read_script("python3 < steps.py").commands[0])
    """
    words = _words(command) or ()
    silent = is_given(command) and all(it.startswith("-") for it in words[1:])
    return None if silent or takes_code(words) else exactly(command, given)


def exactly(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for these very words, whatever the input is; None where one is not known.

    >>> from assent.programs.reading import read_script
    >>> exactly(read_script("python3 < steps.py").commands[0])
    'shell(python3)'
    >>> exactly(read_script('python3 "$script"').commands[0])
    """
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
    """A rule for all that is done with more rights; only ever to deny it.

    >>> from assent.programs.reading import read_script
    >>> by_name(read_script("sudo -i").commands[0])
    'shell(sudo:*)'
    >>> by_name(read_script("make all").commands[0])
    """
    name = command.name
    return f"shell({spelled((name,))}:*)" if name in NEVER else None


def _words(command: Command) -> tuple[str, ...] | None:
    """The words, where all of them are known before it runs."""
    if any(not it.known or it.glob or it.choices or it.several for it in command.argv):
        return None
    return tuple(word.text for word in command.argv)


def spelled(words: Sequence[str]) -> str:
    """Words as they stand in a rule.

    >>> spelled(["git", "commit", "-m", "a b"])
    "git commit -m 'a b'"
    """
    return shlex.join(words)


def seen_whole(text: str) -> str | None:
    r"""The rule, if a person can see it whole: not too long, and every sign of it shown.

    >>> seen_whole("shell(make)")
    'shell(make)'
    >>> seen_whole("shell(make\u200b)")
    """
    return text if len(text) <= _LONGEST and text.isprintable() else None


def paths_of(deeds: Iterable[Deed]) -> Iterator[str]:
    """Rules for the paths that need a leave of their own: written, or read outside.

    >>> inside = [Deed(kind="read", what="a.py"), Deed(kind="write", what="out/a.txt")]
    >>> list(paths_of([*inside, Deed(kind="read", what="~/notes.md", inside=False)]))
    ['write(./out/a.txt)', 'read(~/notes.md)']
    """
    for deed in deeds:
        if deed.kind == "write" or (deed.kind == "read" and not deed.inside):
            yield from on_path(deed.kind, deed.what, inside=deed.inside)


def on_path(kind: str, shown: str, *, inside: bool) -> Iterator[str]:
    """A rule for a path; none where a rule would read a letter of it as something else.

    >>> list(on_path("write", "docs/a.md", inside=True))
    ['write(./docs/a.md)']
    >>> list(on_path("write", "docs/[a].md", inside=True))
    []
    """
    path = f"./{shown}" if inside and not shown.startswith(("/", "~")) else shown
    rule = None if _UNPLAIN & set(path) else seen_whole(f"{kind}({path})")
    if rule is not None:
        yield rule


def words_in(command: Command) -> set[str]:
    """The words behind a command's name that are known.

    >>> from assent.programs.reading import read_script
    >>> sorted(words_in(read_script('git log "$rev" --oneline').commands[0]))
    ['--oneline', 'log']
    """
    return {word.text for word in command.argv[1:] if word.known}
