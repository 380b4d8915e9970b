"""What an allowed command runs beyond its rule: fetched code, flags passed on, settings."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from assent.gate.programs.command_scopes import (
    CHECKER,
    INTERPRETER,
    RUNNER,
    command_scopes,
    known_of,
)
from assent.gate.programs.escapes import Escape
from assent.gate.programs.flag_lexicon import (
    Meaning,
    is_name,
    is_setting_of_code,
    meaning_of,
    parts_of,
)
from assent.gate.programs.harmless_values import is_local
from assent.gate.programs.irreversible_uses import behind, lasts
from assent.gate.programs.reports import by_hand_in, is_report, may_write, writes_report
from assent.gate.programs.rule_match import SETTING, RuleMatch
from assent.gate.programs.tables.addresses import is_away
from assent.gate.programs.variables import is_dangerous
from assent.gate.shell.script import bare_name
from assent.gate.shell.word import Exact, Word
from assent.gate.text.lazy_patterns import late

__all__ = ["defined", "handed_on", "loaded", "misplaced", "parted", "spoken", "told_to_run"]

_LOADING: Final = frozenset(
    """deno uv uvx bun go npx pnpx bunx pipx conda mamba micromamba brew nix ansible-galaxy opam
    pre-commit corepack jbang copier streamlit k6 newman buf zx inspec
    scala-cli""".split()
)
"""Programs that run, or bring in, code from an address that they are given."""
_FETCHED_AND_RUN: Final = {
    "npm": "exec, x, init, innit, create",
    "pnpm": "dlx, create",
    "yarn": "dlx, create",
    "bun": "x, create",
    "uv": "tool run",
    "pipx": "run",
    "dotnet": "tool exec, dnx",
    "gem": "exec",
}
"""The commands of programs that run what they fetch; a rule for the program means what it has."""
_BY_TOOLS: Final = frozenset("cargo rustc rustdoc rustfmt".split())
"""Programs whose first word may choose the tools that run in their place (`+nightly`)."""
_BRINGING: Final = frozenset("npm pnpm yarn pip pip3 python poetry pdm gem cargo composer".split())
"""Programs that do so where this is what they are told to do."""
_BRINGS: Final = frozenset("install i add exec x dlx create init download wheel require".split())
_SHORT: Final = frozenset("npx pnpx bunx npm pnpm yarn bun".split())
"""They take `someone/something` for a repository of a host of code."""
_PACKAGES: Final = ("-p", "--package")
_REGISTRIES: Final = late(r"(?i:(?:npm|jsr|data|blob):)")
"""What a runtime of scripts loads by name, in the place of a file of the project."""
_SCHEME: Final = late(r"(?:github|gitlab|bitbucket|gist|gh):|git\+")
_REPOSITORY: Final = late(r"[\w-][\w.-]*/[\w.-]+(?:#|\Z)")
_OF: Final = late(r"@?[\w.\[\],/-]+\s*@\s*(?=[\w+]+:|[~./]|git@|[\w-]+/)")
"""What a package from there is to be called: `name@`, `name @`."""
_EDITABLE: Final = late(r"--(?:editable|package)=|-e")
_VERSIONED: Final = late(r"[\w.-]+\.[\w-]+/\S+@\S+")
"""A module at a version of its own, which no file of the project holds to anything."""
_GOES: Final = frozenset("run test vet build generate".split())
_BESIDE: Final = frozenset("./~@")
"""What a path begins with, or the name of a package with the scope of its makers."""
_ENV: Final = Exact(text="env")
_HANDING: Final = frozenset({"gh", "glab"})
"""Programs that hand what stands behind `--` to another, such as git."""


_MODULES: Final = frozenset(("-mod=mod", "--mod=mod"))
"""By this go brings whatever module a package is in."""


def loaded(both: RuleMatch) -> str | None:
    """Code from elsewhere, which nobody meant by the name of a program that runs the project's.

    >>> from assent.gate.programs.read_lines import words_of
    >>> loaded(RuleMatch.of(("deno", "test"), words_of("deno test https://x.org/a.ts")))
    '`https://x.org/a.ts` loads code from elsewhere'
    >>> loaded(RuleMatch.of(("deno", "test"), words_of("deno test src"))) is None
    True
    """
    if (chosen := _run_unread(both)) is not None:
        return chosen
    verbs = {operand.text for operand in both.command_flags.operands[:2]}
    brings = not verbs.isdisjoint(_BRINGS)
    if both.program not in _LOADING and not (brings and both.program in _BRINGING):
        return None
    short = both.program in _SHORT and (brings or both.program.endswith("x"))
    run = [both.runs, *(operand.text for operand in both.command_flags.operands)]
    run += [*(word.text for word in both.after_dashes[:1] if brings), *_packages(both)]
    found = (it for it in run if it not in both.rule and _is_elsewhere(both, it, short=short))
    told = next(found, None) or next(filter(_is_address, _given(both)), None)
    return f"`{told}` loads code from elsewhere" if told else None


def _run_unread(both: RuleMatch) -> str | None:
    """What a program fetches and runs at once, or which tools it runs, where no rule names that."""
    ways = _FETCHED_AND_RUN.get(both.program, "")
    rest = behind(ways, both.command_flags.operands) if ways else None
    what = both.runs or "".join(word.text for word in (rest or ())[:1])
    if rest is not None and what and {*lasts(ways)}.isdisjoint(both.rule):
        return f"`{what}` loads code from elsewhere"
    tools = [both.runs] if both.program == "rustup" else []
    chosen = [word.text for word in both.words[:1] if word.text[:1] == "+"]
    tools += chosen if both.program in _BY_TOOLS else []
    found = next((tool for tool in tools if "/" in tool and tool not in both.rule), None)
    return f"`{found}` says what is run" if found else None


def _packages(both: RuleMatch) -> list[str]:
    """What its flags say is to be brought in first."""
    if both.program not in _SHORT:
        return []
    glued = [word.text.partition("=")[2] for word in both.words if word.text.startswith(_PACKAGES)]
    return [*glued, *(to.text for at, to in pairwise(both.words) if at.text in _PACKAGES)]


def _given(both: RuleMatch) -> list[str]:
    """The values of flags, in words of their own or in the same."""
    named = {*both.rule}
    words = [word.text for word in both.words if word.text not in named]
    glued = [word.partition("=")[2] or word[2:] for word in words if word[:1] == "-"]
    editable = [to for at, to in pairwise(words) if at in {"-e", "--editable", *_PACKAGES}]
    return [*editable, *(it for at, it in zip(words, glued, strict=False) if _EDITABLE.match(at))]


def _is_address(text: str) -> bool:
    return is_away(text.casefold()) or _SCHEME.match(text) is not None


def _is_elsewhere(both: RuleMatch, text: str, *, short: bool) -> bool:
    """Whether a program finds code of this name neither in the project nor in its registry."""
    whole, text = text, _OF.sub("", text, count=1)
    if both.program == "go":
        # To `go get` a module is what its registry has it called.
        runs = any(operand.text in _GOES for operand in both.command_flags.operands[:1])
        words = " ".join(word.text for word in both.words).replace("-mod mod", "-mod=mod").split()
        if not _MODULES.isdisjoint(words):
            return "." in text.partition("/")[0].strip(".")
        return runs and (_VERSIONED.fullmatch(text) is not None or "://" in text)
    if both.program == "deno" and _REGISTRIES.match(text):
        return True
    if short and _REPOSITORY.match(text) and text[:1] not in _BESIDE:
        return True
    if short and text != whole and text.startswith(("..", "/", "~", "file:")):
        return True
    return _is_address(text)


def handed_on(both: RuleMatch) -> str | None:
    """What the project's own script is given to run, or another program to do.

    >>> from assent.gate.programs.read_lines import words_of
    >>> line = "gh repo clone a/b -- -c core.fsmonitor=x"
    >>> handed_on(RuleMatch.of(("gh", "repo", "clone"), words_of(line)))
    '`-c` is handed on to another program'
    """
    if both.program == "npm" and both.runs and both.command_flags.operands[1:2] == [_ENV]:
        return f"`env` runs `{both.runs}`"
    if both.program in _HANDING:
        flags = (
            dash.text
            for dash in both.after_dashes
            if dash.text[:1] == "-" and dash.text not in both.rule
        )
        return next((f"`{flag}` is handed on to another program" for flag in flags), None)
    for at, word in enumerate(both.after_dashes):
        name, equals, value = parted(word.text)
        following = both.after_dashes[at + 1].text if at + 1 < len(both.after_dashes) else ""
        told = value if equals else following
        local = is_local(told)
        if told and misplaced(both, name, told, glued=bool(equals)):
            return f"`{name}` {Meaning.WRITES}"
        if is_name(name) and meaning_of(name) is Meaning.RUNS and not local:
            return f"`{name}` {Meaning.RUNS}"
    return None


# Settings among a command's words whose values say what is run, or where it goes.

_COMPUTES: Final = late(r"\$[({]|`|!")
_ASSIGNS_BY: Final = late(r"([A-Za-z_]\w*)\s*!=")
"""How make sets a variable to what a command prints."""
_BREAKS_OUT: Final = late(r"[;|&<>\n]|\$\(|`")
_KEPT: Final = late(r"'[^']*'|\"[^\"$`]*\"")
"""What a shell keeps as it is, in a text that becomes a part of one for it."""
_CALLS: Final = late(r"\|\s*\w|.*(?<![\w.$])(?:system|popen|exec|spawn)\s*\(", re.DOTALL)
"""Code that calls a program, or a pipe to one, in the place of a name or an expression."""
_COMMAND: Final = late(r"(?:\.{0,2}|~)/\S+(?:\s.*)?|[\w-]+\s.*", re.DOTALL)
"""A program by its path, or with words for it."""
_PLAIN: Final = late(r"(?!-)[\w+-]*")
_TAME: Final = late(r"[\w+-]*|(?:-[\w+=.,-]+(?: |\Z))+")
"""The name of a program of the system, or flags that name no path."""
_SHELLS: Final = frozenset(
    "SHELL .SHELLFLAGS MAKEFLAGS MAKEFILES GNUMAKEFLAGS BUILDKIT_SYNTAX".split()
)
"""What make runs by, and by which a build reads its file, whatever it is set to."""
_LOOPBACK: Final = late(r"localhost|127[\d.]*|::1|")
_ADDRESSES: Final = frozenset("repo repository registry proxy mirror endpoint server".split())


def defined(both: RuleMatch) -> str | None:
    """Why a setting among the words says what is run, as a clause; None where none does.

    >>> from assent.gate.programs.read_lines import words_of
    >>> lines = ("make CC=clang", "make CC=build/cc")
    >>> [defined(RuleMatch.of(("make",), words_of(it))) for it in lines]
    [None, '`CC` says what is run']
    """
    ours = both.command_flags
    given = [
        *ours.operands,
        *(word for _, word in ours.values),
        *ours.strangers,
        *both.after_dashes,
    ]
    named = {word.text for word in (*both.rule_flags.operands, *both.rule_flags.strangers)}
    named |= {word.text for _, word in both.rule_flags.values}
    for word in given:
        match = SETTING.fullmatch(word.text) if word.text not in named else None
        if (
            both.known.fills_shell_texts
            and word.text not in named
            and (told := _into_recipe(word.text))
        ):
            return f"`{told}` says what is run"
        if match is None:
            continue
        name, value = match.groups()
        runner = both.known.kind == RUNNER
        code = is_setting_of_code(name) and not _PLAIN.fullmatch(value)
        runs = runner and _is_program(both, word, name) and not _TAME.fullmatch(value)
        if code or runs or (runner and _COMPUTES.search(value)) or name in _SHELLS:
            return f"`{name}` says what is run"
        if not name.isupper() and misplaced(both, name, value):
            return f"`{name}` {Meaning.WRITES}"
        if word not in ours.operands and _is_sent(name, value):
            return f"`{name}` {Meaning.STEERS}"
    calls = (
        operand.text
        for operand in ours.operands
        if operand.text not in named and _CALLS.match(operand.text)
    )
    return next((f"`{call}` says what is run" for call in calls), None) or _nested(both)


def spoken(both: RuleMatch) -> str | None:
    """A word of a program's own language by which it can run or write something.

    >>> from assent.gate.programs.read_lines import words_of
    >>> spoken(RuleMatch.of(("sbt", "test"), words_of("sbt test '!touch x'")))
    '`!touch x` can run a program'
    """
    first = bare_name(both.rule[0])
    # What may be a program that another runs may as well be a command of the other.
    others = known_of((first,)).word_patterns if first != both.program else ()
    for form, why in (*both.known.word_patterns, *others):
        found = (word.text for word in both.words if word.text not in both.rule)
        told = next((it for it in found if re.search(form, it)), None)
        if told is not None:
            return f"`{told}` {why}"
    return None


def _into_recipe(text: str) -> str | None:
    """What of a word ends the command of a recipe that it is put into, and begins another."""
    name = text.partition("=")[0].rstrip(":?+")
    if by := _ASSIGNS_BY.match(text):
        return by[1]
    return name if _BREAKS_OUT.search(_KEPT.sub("", text)) else None


def _is_sent(name: str, value: str) -> bool:
    """Whether a setting says to which machine something goes."""
    parts = {*parts_of(name)}
    proxy = {"proxy", "host"} <= parts and _LOOPBACK.fullmatch(value) is None
    return proxy or ("://" in value and bool(_ADDRESSES & parts))


def told_to_run(argv: Sequence[Word]) -> list[str]:
    """The words in which a program that runs others is told by a flag or a setting what to run.

    >>> from assent.gate.programs.read_lines import words_of
    >>> told_to_run(words_of("just --shell rm build")), told_to_run(words_of("make rm SHELL=sh"))
    (['rm'], ['SHELL=sh'])
    """
    both = RuleMatch.of((argv[0].text,), argv)
    ours, own = both.command_flags, both.known.scope_flags
    runs = {name for name, flag in own.items() if flag.escape.endswith(Escape.RUNS)}
    found = [word.text for name, word in ours.values if name in runs]
    for at, to in pairwise([*both.words, Exact(text="")]):
        name, equals, _ = at.text.partition("=")
        if name not in own and is_name(name) and meaning_of(name) is Meaning.RUNS:
            found.append(at.text if equals else to.text)
    settings = (
        (word.text, SETTING.fullmatch(word.text)) for word in (*ours.operands, *ours.strangers)
    )
    found += [
        text
        for text, match in settings
        if match and (match[1] in _SHELLS or is_setting_of_code(match[1]))
    ]
    return [*dict.fromkeys(found)]


def _nested(both: RuleMatch) -> str | None:
    """A flag for another program, in the value of one."""
    for name, value in both.command_flags.values if both.known.kind == RUNNER else ():
        inner = [it.partition("=")[0] for it in re.split(r"[\s=,]", value.text) if it[:1] == "-"]
        if any(is_name(it) and meaning_of(it) is Meaning.RUNS for it in inner):
            return f"`{both.known.spelled(name)}` {Meaning.RUNS}"
    return None


def _is_program(both: RuleMatch, word: Word, name: str) -> bool:
    """Whether an operand sets a variable that names a program, as `CC` and `PYTHON` do."""
    if word not in (*both.command_flags.operands, *both.after_dashes) or not name.isidentifier():
        return False
    scope = command_scopes().get(name.casefold())
    runs = scope is not None and (
        scope.kind in {INTERPRETER, RUNNER} or _COMMAND.fullmatch(word.text.partition("=")[2])
    )
    return is_dangerous(name) or (bool(runs) and name.isupper())


# Whether a command that looks for faults is told to write its report over another file.
#
# What makes files by its trade (a compiler of lists, a generator, a script of the project) is told
# by such flags where to put them, and whoever lets it run means that.

_GENERAL: Final = late(r"(?:output|log)file")
"""Names of flags that generators have, too; the others mean a report by themselves."""
_TESTING: Final = late(
    r"(?i).*(?:tests?(?![a-z])|jest|mocha|cypress|playwright|phpunit|codecept|pest|cucumber|spec"
    r"|lint|check|cov|bench|clippy|e2e|verify).*|ava|c8|nyc|tap|wdio|tox|nox|karma|vet|t|ci"
)
"""Programs, commands of them and scripts of a project that look for faults."""
_SCRIPTS: Final = frozenset("npm pnpm yarn bun".split())
"""Programs that run a script of the project by its name."""
_RUN: Final = frozenset("run exec x run-script dlx".split())


def misplaced(both: RuleMatch, name: str, value: str, *, glued: bool = False) -> bool:
    """Whether a flag of what looks for faults says that its report takes another file's place.

    >>> from assent.gate.programs.read_lines import words_of
    >>> lines = ("npm test", "npm run gen", "cargo run", "uv export")
    >>> own = [RuleMatch.of(it.split(), words_of(it)) for it in lines]
    >>> [misplaced(it, "--output-file", "src/a.ts") for it in own]
    [True, False, False, False]
    """
    faults = _looks_for_faults(both)
    if writes_report(name, value) and (faults or not _GENERAL.match("".join(parts_of(name)))):
        return not is_report(value)
    paths = by_hand_in(value)
    if not paths or (meaning := meaning_of(name)) not in {None, Meaning.WRITES}:
        return False
    made = meaning is Meaning.WRITES or not (faults or both.known.kind == CHECKER)
    return may_write(name, paths, glued=glued, made=made)


def parted(text: str) -> tuple[str, str, str]:
    """The name of a flag, what parts it from a value in the same word, and that value.

    >>> parted("--out=a.md"), parted("-oREADME.md"), parted("-q")
    (('--out', '=', 'a.md'), ('-o', 'o', 'README.md'), ('-q', '', ''))
    """
    if text[:2] == "-o" and "." in text and "=" not in text:
        return "-o", "o", text[2:]
    return text.partition("=")


def _looks_for_faults(both: RuleMatch) -> bool:
    if both.known.kind == CHECKER:
        return True
    if both.known.kind != RUNNER or both.program not in command_scopes():
        return False
    words = [operand.text for operand in both.command_flags.operands[:2]]
    if words[:1] and words[0] in _RUN and not _TESTING.fullmatch(both.program):
        words = words[1:] if both.program in _SCRIPTS else []
    return any(map(_TESTING.fullmatch, (both.program, *words)))
