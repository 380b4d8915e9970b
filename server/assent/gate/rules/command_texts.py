"""Texts of the rules that a command is offered: by what it means, or to the letter."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import takewhile, zip_longest
from typing import Any, Final

from assent.gate.call.calls import Call
from assent.gate.call.verdicts import Part
from assent.gate.programs.code_inputs import is_given, is_interpreter, takes_code
from assent.gate.programs.irreversible_losses import command_losses
from assent.gate.programs.meaning import meaning, means_something
from assent.gate.programs.nested_execution.interpreters import INTERPRETERS
from assent.gate.rules.environment import given_to, shared_by, strays
from assent.gate.rules.lookups import NONE_GIVEN
from assent.gate.rules.path_texts import seen_whole
from assent.gate.rules.written_rules import Given
from assent.gate.shell.script import Command
from assent.gate.text.addresses import address_of, host_of
from assent.gate.text.lazy_patterns import late

__all__ = [
    "MORE_RIGHTS",
    "THROUGH",
    "TOOLS",
    "broad_rule",
    "broad_rules",
    "commands_of",
    "host_rule",
    "host_rules",
    "named_rule",
    "rules_for_lines",
    "texts_that_deny",
    "to_the_letter",
    "with_flags",
]

MORE_RIGHTS: Final = frozenset("sudo doas su pkexec run0 gsudo".split())
"""Programs that give another more rights: no rule that allows one is suggested."""

TOOLS: Final = frozenset("eslint jest mypy pyright pytest rspec tsc vitest".split())
"""Tools that test a project or look it through, whatever they are told."""
THROUGH: Final = frozenset(
    {
        *((name,) for name in ("bunx", "npx", "pnpx")),
        *((name, "run") for name in ("pipenv", "poetry", "uv")),
        *((name, "exec") for name in ("bundle", "pnpm")),
    }
)
"""What runs a tool that the project has, or fetches it."""

_FILLERS: Final = frozenset({"cp", "tee"})
"""Programs that write whatever their words name: a rule for a folder reaches less far."""

_MAX_WORDS_IN: Final = 32
"""In words: so far into a command a rule is looked for that has the flag which asked."""

_SCRIPT: Final = late(r"(?![-/~])(?!.*(?:^|/)\.\./)[\w.@+-]*(?:[./][\w@+-]+)+")
"""A file of the project that is run: a name with an ending, or a path that leads down from here."""
_INPUT: Final = late(
    r"[A-Za-z][\w:-]*|\d[\d.:]*|[\w./-]+\.(?!(?:py|[cm]?[jt]s|rb|p[lm]|php|sh|lua)$)\w+"
)
"""What a script is told first: a subcommand, a number, an address, or a file that is no script."""
_RUNS_CODE: Final = frozenset(
    "console dbshell eval exec execute python repl run runner shell sql tinker".split()
)
"""Subcommands that run what they are given."""

_PROBES: Final = frozenset(
    "--help -h -? --version --dry-run --dry_run -dry-run --dryrun --check --noop --no-act --plan"
    " --preview --pretend --simulate --sql --what-if".split()
)
"""With these a program only tells what it would do, which says nothing of what it does."""
_SHORT_FLAGS: Final = frozenset({"-n", "-s"})
"""The same for a script, of which nobody knows what these mean."""
_SHORT_PROBES: Final = dict.fromkeys(("git", "make", "gmake", "brew"), "-n") | {"apt-get": "-s"}

_OF_GIT: Final = frozenset("add commit fetch pull push".split())
"""Of git these alone get a rule: another use may throw work away, or send it, by an option or a
name that no rule for the use names."""
_NARROW: Final = frozenset(
    "alembic bazel cmake helm hg just kubectl ninja nox nx oc svn systemctl task tox turbo".split()
)
"""Programs of which one use, by what it is given, is as much as another: `ninja install`."""


def commands_of(call: Call, part: Part) -> list[tuple[Command, Given]]:
    """The commands in a part of a shell call, each with the variables it is given.

    One that only runs another is left out: the other is in the list.

    >>> from assent.gate.call.calls import Effect
    >>> from assent.gate.call.verdicts import Verdict
    >>> line = {"command": "env PORT=80 make all && ls"}
    >>> whose = {"id": "1", "chat": "c", "agent": "eliza", "cwd": "/w"}
    >>> call = Call(tool="shell", effect=Effect.EXECUTE, input=line, **whose)
    >>> part = Part(text="env PORT=80 make all", start=0, end=20, verdict=Verdict.ASK, because="")
    >>> [(it.name, given) for it, given in commands_of(call, part)]
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


def by_meaning(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for all commands that mean the same; None for a use that nobody can take back.

    >>> from assent.gate.programs.read_lines import read_script
    >>> by_meaning(read_script("npm run build -- --watch").commands[0])
    'shell(npm run build:*)'
    >>> by_meaning(read_script('go test "./$package"').commands[0])
    'shell(go test:*)'
    >>> by_meaning(read_script("git push --force").commands[0])
    """
    words = _known_words(command)
    means = meaning(words)
    by_input = is_given(command) and takes_code(words)
    return (
        None if not means or by_input or command_losses(command) else _for_words(means, given, ":*")
    )


def _is_narrow(means: Sequence[str]) -> bool:
    """Whether nothing but the very command tells what it does.

    >>> [_is_narrow(text.split()) for text in ("git push", "git clean", "ninja all", "npm test")]
    [False, True, True, False]
    """
    name, use = means[0], means[1] if len(means) > 1 else ""
    if name == "git":
        return use not in _OF_GIT
    is_module = use == "-m" and len(means) > 2 and means[2] in {"pip", "coverage"}  # noqa: PLR2004
    return name in _NARROW or is_module


def broad_rule(
    command: Command, given: Given = NONE_GIVEN, *, is_inside: bool = True
) -> str | None:
    """A rule for all commands of a kind; none where a rule for a folder reaches less far.

    `is_inside` says that it runs in the workspace, so that a script there is the project's.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("npm test", "cp a b", "git push --dry-run", "git checkout -b x")
    >>> [broad_rule(read_script(line).commands[0]) for line in lines]
    ['shell(npm test:*)', None, None, None]
    """
    means = meaning(_known_words(command))
    if command.program in _FILLERS or _only_probes(command) or (means and _is_narrow(means)):
        return None
    return by_meaning(command, given) or (by_script(command, given) if is_inside else None)


def broad_rules(
    commands: Sequence[tuple[Command, Given]], *, is_inside: bool = True
) -> list[str | None]:
    """A rule for each of some commands, as `broad_rule` has it.

    For one that only runs a tool of the project it is a rule for that tool, run so.

    >>> from assent.gate.programs.read_lines import read_script
    >>> [npx, jest] = read_script("npx jest -t login").commands
    >>> broad_rules([(npx, NONE_GIVEN), (jest, NONE_GIVEN)])
    ['shell(npx jest:*)', 'shell(jest:*)']
    """
    rules = []
    for (command, given), after in zip_longest(commands, commands[1:]):
        words = _as_run(command, after[0]) if after else ()
        through = _for_words(words, given, ":*") if words else None
        rules.append(through or broad_rule(command, given, is_inside=is_inside))
    return rules


def _as_run(command: Command, tool: Command) -> tuple[str, ...]:
    """The words by which a command runs a tool of the project; none where it is told more."""
    if not tool.carried or tool.name not in TOOLS or _only_probes(tool):
        return ()
    before = _known_words(command)[: len(command.argv) - len(tool.argv)]
    return (*before, tool.name) if before in THROUGH else ()


@lru_cache(maxsize=16)
def rules_for_lines(lines: tuple[str, ...], most: int) -> tuple[str, ...]:
    """The first rules, each once, for lines of one command each: as broad as one is offered.

    >>> rules_for_lines(("npm test", "uv run pytest -q", "just lint", "a | b"), 4)
    ('shell(npm test:*)', 'shell(uv run pytest:*)', 'shell(just lint)')
    """
    # Reading commands takes a parser, which a server that has just started does without.
    from assent.gate.programs.read_lines import read_script  # noqa: PLC0415

    rules: dict[str, None] = {}
    for line in lines:
        commands = [(command, NONE_GIVEN) for command in read_script(line).commands]
        first = commands[0][0] if commands else None
        is_one = all(command.carried for command, _ in commands[1:])
        if first is None or not is_one or first.program in MORE_RIGHTS or len(rules) == most:
            continue
        if rule := broad_rules(commands[:2])[0] or to_the_letter(first):
            rules[rule] = None
    return tuple(rules)


def by_script(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for a script of the project with its subcommand or its input, whatever follows.

    Where it is told nothing, or told how by an option, nobody can tell what else it does.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("./manage sync all", "python3 tools/draw.py 3", "./deploy", "./manage drop -n")
    >>> [by_script(read_script(line).commands[0]) for line in lines]
    ['shell(./manage sync:*)', 'shell(python3 tools/draw.py 3:*)', None, None]
    >>> lines = ("./dev python a.py", "./manage shell", "python3 -Wd.x a.py 1", "./../a b")
    >>> [by_script(read_script(line).commands[0]) for line in lines]
    [None, None, None, None]
    """
    # What is known of programs takes their tables.
    from assent.gate.programs.tables import by_name  # noqa: PLC0415

    words = _words(command) or ()
    at = 1 if is_interpreter(command) else 0
    script, *rest = words[at:] or ("",)
    is_script = script.startswith("./" if at == 0 else "") and _SCRIPT.fullmatch(script)
    if not is_script or not rest or not _SHORT_FLAGS.isdisjoint(rest):
        return None
    first = rest[0]
    if not _INPUT.fullmatch(first) or first in _RUNS_CODE:
        return None
    starts = first in by_name() or means_something(first) or INTERPRETERS.fullmatch(first)
    if starts or command_losses(command) or (is_given(command) and takes_code(words)):
        return None
    return _for_words(words[: at + 2], given, ":*")


def _only_probes(command: Command) -> bool:
    """Whether a program is only asked what it would do, or how it is used."""
    words = [word.text.partition("=")[0] for word in command.argv]
    return not _PROBES.isdisjoint(words) or _SHORT_PROBES.get(command.program) in words


def with_flags(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """The same, with as many words more as a rule needs to cover this very command.

    >>> from assent.gate.programs.read_lines import read_script
    >>> [test] = read_script("go test -exec ./run ./...").commands
    >>> by_meaning(test), with_flags(test)
    ('shell(go test:*)', 'shell(go test -exec ./run:*)')
    """
    # What a program's words mean takes its tables.
    from assent.gate.programs.prefix_scope import beyond  # noqa: PLC0415
    from assent.gate.programs.study import study  # noqa: PLC0415

    words = _words(command)
    means = meaning(words) if words else None
    if not words or not means or _is_narrow(means):
        return None
    if command_losses(command) or _only_probes(command):
        return None
    escapes = study(command).escapes
    for count in range(len(means), min(len(words), _MAX_WORDS_IN) + 1):
        value = words[count - 1][:1] == "-" and "=" not in words[count - 1]
        if not (count > len(means) and value and words[count : count + 1]):
            said = words[:count]
            if beyond(said, command.argv, escapes) is None:
                return _for_words(said, given, ":*")
    return None


def to_the_letter(command: Command, given: Given = NONE_GIVEN) -> str | None:
    """A rule for these very words; None where they do not say what runs.

    What a program takes from its input stands in no rule.

    >>> from assent.gate.programs.read_lines import read_script
    >>> to_the_letter(read_script("make 'all of it'").commands[0])
    "shell(make 'all of it')"
    >>> lines = ("python3 < steps.py", "go run - < steps.go")
    >>> [to_the_letter(read_script(line).commands[0]) for line in lines]
    [None, None]
    """
    words = _words(command) or ()
    silent = all(word.startswith("-") for word in words[1:]) or words[-1:] == ("-",)
    by_input = (is_given(command) and silent) or takes_code(words)
    return None if by_input else _exactly(command, given)


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
    return seen_whole(f"shell({shlex.join([*before, *words])}{more})")


def _by_name(command: Command) -> str | None:
    """A rule for all that is done with more rights; only ever to deny it.

    >>> from assent.gate.programs.read_lines import read_script
    >>> _by_name(read_script("sudo -i").commands[0])
    'shell(sudo:*)'
    >>> _by_name(read_script("make all").commands[0])
    """
    return f"shell({command.name}:*)" if command.name in MORE_RIGHTS else None


def texts_that_deny(call: Call, part: Part) -> Iterator[str]:
    """What could deny a part: what asked, and not the program, where that asks about no more.

    >>> from assent.gate.call.calls import Effect
    >>> from assent.gate.call.verdicts import Verdict
    >>> whose = {"id": "1", "chat": "c", "agent": "eliza", "cwd": "/w"}
    >>> call = Call(tool="shell", effect=Effect.EXECUTE, input={"command": "npm test"}, **whose)
    >>> part = Part(text="npm test", start=0, end=8, verdict=Verdict.ASK, because="")
    >>> list(dict.fromkeys(texts_that_deny(call, part)))
    ['shell(npm test:*)', 'shell(npm test)']
    """
    # What a program's words mean takes its tables.
    from assent.gate.programs.study import is_reader, study  # noqa: PLC0415

    # A rule that denies names no variable: it is about the command, whatever that is given.
    commands = [command for command, _ in commands_of(call, part)]
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
        elif text := by_meaning(command) or _by_name(command):
            yield text
        else:
            yield from (f"fetch(domain:{host})" for host in deeds.hosts if host not in {"", "?"})
        if text := _exactly(command):
            yield text
    yield from filter(None, map(_exactly, commands))


def host_rules(command: Command) -> Iterator[str]:
    """Rules for the hosts that a command asks for a page, and sends nothing to.

    None is for this machine or its network: the rule would cover whatever listens at any port.

    >>> from assent.gate.programs.read_lines import read_script
    >>> lines = ("curl -s https://example.org/a", "curl -s localhost:3000")
    >>> [list(host_rules(read_script(line).commands[0])) for line in lines]
    [['fetch(domain:example.org)'], []]
    """
    # What a program's words mean takes its tables.
    from assent.gate.programs.study import study  # noqa: PLC0415

    for host in study(command).hosts if not command_losses(command) else ():
        address = address_of(f"http://{host}/")
        if address is not None and not address.near:
            yield f"fetch(domain:{host})"


def host_rule(url: str) -> tuple[str, ...]:
    """A rule for the host of an address; none where it has none.

    >>> host_rule("https://example.org/a"), host_rule("a")
    (('fetch(domain:example.org)',), ())
    """
    address = address_of(url)
    return (f"fetch(domain:{address.host})",) if address else ()


def network_rule(given: Mapping[str, Any]) -> tuple[str, ...]:
    """A rule for the host and port of a connection.

    >>> network_rule({"host": "Example.org", "port": 443}), network_rule({"host": "a/b"})
    (('network(example.org:443)',), ())
    """
    address = host_of(str(given.get("host", "")))
    return (f"network({address.host}:{given.get('port')})",) if address else ()


def named_rule(text: str) -> tuple[str, ...]:
    """A rule about a tool by its name, where a person can see that whole.

    >>> named_rule("mcp(files:read)"), named_rule("mcp(files:get_*)")
    (('mcp(files:read)',), ())
    """
    # A star in a name would be read as one for other names.
    shown = None if "*" in text else seen_whole(text)
    return (shown,) if shown else ()


def _words(command: Command) -> tuple[str, ...] | None:
    """The words, where all of them are known before it runs."""
    if any(not word.known or word.glob or word.choices or word.several for word in command.argv):
        return None
    return tuple(word.text for word in command.argv)


def _known_words(command: Command) -> tuple[str, ...]:
    """The first words, as far as they are known before it runs."""
    known = takewhile(
        lambda word: word.known and not (word.glob or word.choices or word.several), command.argv
    )
    return tuple(word.text for word in known)
