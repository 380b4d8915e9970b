"""Suggests rules for an answer "always": the narrowest one for each part that asked.

A suggestion is tried before it is made: with it in force the part passes, without it it does not.
What a person could not see whole, and what no rule may lift, gets none.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from assent.gate.call.calls import Call
from assent.gate.call.verdicts import Deed, Part, Ruling, Verdict
from assent.gate.programs.code_inputs import is_given, takes_code
from assent.gate.programs.irreversible_losses import harms_of
from assent.gate.programs.meaning import meaning
from assent.gate.rules.drafts import NONE, Drafts
from assent.gate.rules.environment import given_to, shared_by, strays
from assent.gate.rules.lookups import NONE_GIVEN
from assent.gate.rules.notation import RuleRefused, written
from assent.gate.rules.written_rules import Given, WrittenRule
from assent.gate.shell.script import Command
from assent.gate.text.addresses import address_of

__all__ = ["MOST", "Trial", "drafts_for"]

MOST: Final = 5
"""More rules at once nobody reads."""

_TRIED: Final = 2
"""So many rules are tried for each part that is to be denied."""

_BY_INPUT: Final = "No rule is offered: what it runs comes from its input, which no rule names."

Trial = Callable[[tuple[WrittenRule, ...]], Ruling]
"""Rules on the call with these rules in force, beside those that are."""

Alternative = tuple[str, ...]


def drafts_for(call: Call, ruling: Ruling, trial: Trial) -> Drafts:
    """The rules that are suggested for a question about a call.

    `trial` rules on it again, with further rules in force.

    >>> from assent.gate.call.calls import Effect
    >>> from assent.gate.call.modes import Mode
    >>> from assent.gate.ruling.decide import decide
    >>> from assent.gate.ruling.policy import Policy
    >>> from assent.gate.rules.book import Book
    >>> whose = {"id": "1", "chat": "c", "agent": "eliza", "cwd": "/w"}
    >>> given = {"server": "files", "tool": "read"}
    >>> call = Call(tool="mcp", effect=Effect.EXTERNAL, input=given, **whose)
    >>> trial = lambda rules: decide(call, Policy(mode=Mode.DEFAULT, book=Book(rules=rules)))
    >>> drafts_for(call, trial(()), trial)
    Drafts(allow=('mcp(files:read)',), deny=('mcp(files:read)',), why='', for_workspace=True)
    """
    if not ruling.lasting or call.unreadable is not None:
        return NONE
    asking = {part.text for part in ruling.parts if part.verdict is not Verdict.ALLOW}
    # More rules than are shown could not be tried either: each trial judges the whole call.
    hopeless = len(asking) > MOST or _asked_by_rule(ruling)
    allow = () if hopeless else _first_that_allows(call, ruling, trial)
    why = _BY_INPUT if not allow and _is_by_input(call, ruling) else ""
    return Drafts(allow=allow, deny=_those_that_deny(call, ruling, trial), why=why)


def _is_by_input(call: Call, ruling: Ruling) -> bool:
    """Whether a part asked that takes from its input what it runs."""
    if call.tool != "shell":
        return False
    asking = [part for part in ruling.parts if part.verdict is not Verdict.ALLOW]
    commands = [command for part in asking for command, _ in _commands_of(call, part)]
    return any(
        is_given(command) and takes_code([word.text for word in command.argv])
        for command in commands
    )


def _asked_by_rule(ruling: Ruling) -> bool:
    """Whether a rule asks, which no other rule can lift."""
    said = [(part.verdict, part.rule) for part in ruling.parts]
    asking = [rule for verdict, rule in (*said, (ruling.verdict, ruling.rule)) if verdict]
    return any(rule is not None for rule in asking)


def _first_that_allows(call: Call, ruling: Ruling, trial: Trial) -> Alternative:
    if call.tool != "shell":
        tried = (it for it in _beside_shell(call) if _fits(it))
        return next((it for it in tried if _allows(trial, it)), ())
    chosen: Alternative = ()
    for at, part in enumerate(ruling.parts):
        if part.verdict is Verdict.ALLOW or (chosen and _passes(trial, chosen, at)):
            continue
        alternatives = _for_part(call, part, ruling.deeds)
        found = next(
            (
                alternative
                for alternative in alternatives
                if _passes(trial, (*chosen, *alternative), at)
            ),
            None,
        )
        if found is None:
            return ()
        chosen = _pruned(trial, chosen, found, at)
    return chosen if chosen and _fits(chosen) and _allows(trial, chosen) else ()


def _those_that_deny(call: Call, ruling: Ruling, trial: Trial) -> Alternative:
    if call.tool != "shell":
        first = next((it for it in _beside_shell(call) if _fits(it)), ())
        return tuple(it for it in first if _denies(trial, it))
    found: dict[str, None] = {}
    asking = [at for at, part in enumerate(ruling.parts) if part.verdict is not Verdict.ALLOW]
    for at in asking[:MOST]:
        # Where a leave for the paths is all that is missing, the paths are what asked.
        paths = tuple(_paths_of(ruling.deeds))[:MOST]
        named = [path for path in paths if _denies(trial, path)]
        if not (named and _passes(trial, paths, at)):
            tried = islice(dict.fromkeys(_names_of(call, ruling.parts[at])), _TRIED)
            named = [*islice((it for it in tried if _denies(trial, it)), 1)]
        found |= dict.fromkeys(named)
    return tuple(found)[:MOST]


def _for_part(call: Call, part: Part, deeds: tuple[Deed, ...]) -> Iterator[Alternative]:
    """What could let a part pass, the most useful first."""
    commands = _commands_of(call, part)
    if any(command.program in _NEVER for command, _ in commands):
        return
    broad = [_by_meaning(*command) or _to_the_letter(*command) for command in commands]
    wider = [_with_flags(*command) or _to_the_letter(*command) for command in commands]
    narrow = [_to_the_letter(*command) for command in commands]
    paths = tuple(_paths_of(deeds))
    for texts in (broad, wider, narrow):
        known = tuple(dict.fromkeys(text for text in texts if text is not None))
        yield known
        if paths:
            yield (*known, *paths)


def _names_of(call: Call, part: Part) -> Iterator[str]:
    """What could deny a part: what asked, and not the program, where that asks about no more."""
    # What a program's words mean takes its tables.
    from assent.gate.programs.study import is_reader, study  # noqa: PLC0415

    # A rule that denies names no variable: it is about the command, whatever that is given.
    commands = [command for command, _ in _commands_of(call, part)]
    for command in commands:
        deeds = study(command)
        if deeds.reading:
            # It asked for a path that no rule could name.
            continue
        if is_reader(command):
            flags = [escape.partition(" ")[0] for escape in deeds.escapes]
            known = {word.text for word in command.argv[1:] if word.known}
            told = [flag for flag in flags if flag.startswith("-") and flag in known]
            yield from (f"shell({shlex.join((command.name, it))}:*)" for it in told)
        elif text := _by_meaning(command) or _by_name(command):
            yield text
        else:
            yield from (f"fetch(domain:{host})" for host in deeds.hosts if host not in {"", "?"})
        if text := _exactly(command):
            yield text
    yield from filter(None, map(_exactly, commands))


def _beside_shell(call: Call) -> Iterator[Alternative]:
    """What could be said of a call that is no command, the narrowest first."""
    given = call.input
    match call.tool:
        case "read" | "write":
            files = [
                [*_on_path(call.tool, target.shown, inside=target.inside)]
                for target in call.targets
            ]
            if files and all(files):
                hosts = _host_rule(call.sent_to or "")
                yield tuple(dict.fromkeys([*(text for texts in files for text in texts), *hosts]))
        case "fetch":
            yield _host_rule(str(given.get("url", "")))
        case "mcp":
            yield _named(f"mcp({given.get('server', '')}:{given.get('tool', '')})")
        case "run":
            yield _named(f"run({given.get('name', '')})")
        case "agent":
            yield _named(f"agent({given.get('name', '')})")
        case _:
            return


def _host_rule(url: str) -> Alternative:
    address = address_of(url)
    return (f"fetch(domain:{address.host})",) if address else ()


def _named(text: str) -> Alternative:
    # A star in a name would be read as one for other names.
    shown = None if "*" in text else _seen_whole(text)
    return (shown,) if shown else ()


def _fits(texts: Alternative) -> bool:
    return 0 < len(texts) <= MOST


def _pruned(trial: Trial, before: Alternative, added: Alternative, at: int) -> Alternative:
    """What is needed of the added rules to let the part pass."""
    kept = list(dict.fromkeys(it for it in added if it not in before))
    for text in tuple(kept):
        less = [it for it in kept if it != text]
        if _passes(trial, (*before, *less), at):
            kept = less
    return (*before, *kept)


def _passes(trial: Trial, texts: Alternative, at: int) -> bool:
    """Whether a part passes by these rules."""
    rules = _written(texts, Verdict.ALLOW)
    if rules is None or len(rules) > MOST:
        return False
    parts = trial(rules).parts
    return at < len(parts) and parts[at].verdict is Verdict.ALLOW


def _allows(trial: Trial, texts: Alternative) -> bool:
    rules = _written(texts, Verdict.ALLOW)
    return rules is not None and trial(rules).verdict is Verdict.ALLOW


def _denies(trial: Trial, text: str) -> bool:
    rules = _written((text,), Verdict.DENY)
    return rules is not None and trial(rules).verdict is Verdict.DENY


def _written(texts: Alternative, verdict: Verdict) -> tuple[WrittenRule, ...] | None:
    """The rules as they would be read again; None where one of them could not be."""
    try:
        return tuple(written(text, verdict) for text in texts)
    except RuleRefused:
        return None


# Texts of rules about what a call holds: a command, by its words or its meaning, and a path.

_UNPLAIN: Final = frozenset("*?[]{}()\\\"'\n")
"""Letters of a path that a rule could read otherwise."""

_MAX_WORDS_IN: Final = 32
"""In words: so far into a command a rule is looked for that has the flag which asked."""

_MAX_RULE_LETTERS: Final = 200
"""In characters: a longer rule is not seen whole."""

_NEVER: Final = frozenset("sudo doas su pkexec run0 gsudo".split())
"""Programs that give another more rights: no rule that allows one is suggested."""


def _commands_of(call: Call, part: Part) -> list[tuple[Command, Given]]:
    """The commands in a part of a shell call, each with the variables it is given.

    One that only runs another is left out: the other is in the list.

    >>> from assent.gate.call.calls import Effect
    >>> from assent.gate.call.verdicts import Verdict
    >>> line = {"command": "env PORT=80 make all && ls"}
    >>> whose = {"id": "1", "chat": "c", "agent": "eliza", "cwd": "/w"}
    >>> call = Call(tool="shell", effect=Effect.EXECUTE, input=line, **whose)
    >>> part = Part(text="env PORT=80 make all", start=0, end=20, verdict=Verdict.ASK, because="")
    >>> [(it.name, given) for it, given in _commands_of(call, part)]
    [('make', {'PORT': '80'})]
    """
    # Reading commands takes a parser, which a server that has just started does without.
    from assent.gate.programs.read_lines import read_script  # noqa: PLC0415

    script = read_script(str(call.input["command"]), str(call.input.get("shell") or "bash"))
    inner = [
        command
        for command in script.commands
        if part.start <= command.start and command.end <= part.end
    ]
    shared = shared_by(script, call.input.get("env"), lambda _: False)
    return [
        (command, given_to(command, shared))
        for command in inner
        if command.argv and not command.wraps
    ]


def _by_meaning(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for all commands that mean the same; None for a use that nobody can take back.

    >>> from assent.gate.programs.read_lines import read_script
    >>> _by_meaning(read_script("npm run build -- --watch").commands[0])
    'shell(npm run build:*)'
    >>> _by_meaning(read_script("git push --force").commands[0])
    """
    words = _words(command)
    means = meaning(words) if words else None
    by_input = is_given(command) and takes_code(words or ())
    return None if not means or by_input or harms_of(command) else _for_words(means, given, ":*")


def _with_flags(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """The same, with as many words more as a rule needs to cover this very command.

    >>> from assent.gate.programs.read_lines import read_script
    >>> [test] = read_script("go test -exec ./run ./...").commands
    >>> _by_meaning(test), _with_flags(test)
    ('shell(go test:*)', 'shell(go test -exec ./run:*)')
    """
    # What a program's words mean takes its tables.
    from assent.gate.programs.prefix_scope import beyond  # noqa: PLC0415
    from assent.gate.programs.study import study  # noqa: PLC0415

    words = _words(command)
    means = meaning(words) if words else None
    if not words or not means or harms_of(command):
        return None
    escapes = study(command).escapes
    for count in range(len(means), min(len(words), _MAX_WORDS_IN) + 1):
        value = words[count - 1][:1] == "-" and "=" not in words[count - 1]
        if not (count > len(means) and value and words[count : count + 1]):
            said = words[:count]
            if beyond(said, command.argv, escapes) is None:
                return _for_words(said, given, ":*")
    return None


def _to_the_letter(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for these very words; None where they do not say what runs.

    What a program takes from its input stands in no rule.

    >>> from assent.gate.programs.read_lines import read_script
    >>> _to_the_letter(read_script("make 'all of it'").commands[0])
    "shell(make 'all of it')"
    >>> _to_the_letter(read_script("python3 < steps.py").commands[0])
    """
    words = _words(command) or ()
    silent = is_given(command) and all(word.startswith("-") for word in words[1:])
    return None if silent or takes_code(words) else _exactly(command, given)


def _exactly(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for these very words, whatever the input is; None where one is not known.

    >>> from assent.gate.programs.read_lines import read_script
    >>> _exactly(read_script("python3 < steps.py").commands[0])
    'shell(python3)'
    >>> _exactly(read_script('python3 "$script"').commands[0])
    """
    words = _words(command)
    return _for_words(words, given) if words else None


def _for_words(words: Sequence[str], given: Given = NONE_GIVEN, more: str = "") -> str | None:
    """A rule for these words and the variables before them; None where it cannot name these.

    >>> _for_words(["git", "commit", "-m", "a b"], {"TARGET": "a"})
    "shell(TARGET=a git commit -m 'a b')"
    >>> _for_words(["make"], {"TARGET": None})
    """
    named = {name: given[name] for name in strays(given)}
    if any(value is None for value in named.values()):
        return None
    before = [f"{name}={value}" for name, value in named.items()]
    return _seen_whole(f"shell({shlex.join([*before, *words])}{more})")


def _by_name(command: Command) -> str | None:
    """A rule for all that is done with more rights; only ever to deny it.

    >>> from assent.gate.programs.read_lines import read_script
    >>> _by_name(read_script("sudo -i").commands[0])
    'shell(sudo:*)'
    >>> _by_name(read_script("make all").commands[0])
    """
    return f"shell({command.name}:*)" if command.name in _NEVER else None


def _words(command: Command) -> tuple[str, ...] | None:
    """The words, where all of them are known before it runs."""
    if any(not word.known or word.glob or word.choices or word.several for word in command.argv):
        return None
    return tuple(word.text for word in command.argv)


def _seen_whole(text: str) -> str | None:
    r"""The rule, if a person can see it whole: not too long, and every sign of it shown.

    >>> _seen_whole("shell(make)")
    'shell(make)'
    >>> _seen_whole("shell(make\u200b)")
    """
    return text if len(text) <= _MAX_RULE_LETTERS and text.isprintable() else None


def _paths_of(deeds: Iterable[Deed]) -> Iterator[str]:
    """Rules for the paths that need a leave of their own: written, or read outside.

    >>> inside = [Deed(kind="read", what="a.py"), Deed(kind="write", what="out/a.txt")]
    >>> list(_paths_of([*inside, Deed(kind="read", what="~/notes.md", inside=False)]))
    ['write(./out/a.txt)', 'read(~/notes.md)']
    """
    for deed in deeds:
        if deed.kind == "write" or (deed.kind == "read" and not deed.inside):
            yield from _on_path(deed.kind, deed.what, inside=deed.inside)


def _on_path(kind: str, shown: str, *, inside: bool) -> Iterator[str]:
    """A rule for a path; none where a rule would read a letter of it as something else.

    >>> list(_on_path("write", "docs/a.md", inside=True))
    ['write(./docs/a.md)']
    >>> list(_on_path("write", "docs/[a].md", inside=True))
    []
    """
    path = f"./{shown}" if inside and not shown.startswith(("/", "~")) else shown
    rule = None if _UNPLAIN & set(path) else _seen_whole(f"{kind}({path})")
    if rule is not None:
        yield rule
