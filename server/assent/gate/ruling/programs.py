"""Whether a reading command is the system's program, or one that the workspace replaces.

The tables say what a program of a name does. PATH decides which file that is, so a reading command
reads only where its name stands for a program outside the workspace.
"""

from collections.abc import Collection
from itertools import chain
from posixpath import basename, dirname, normpath, splitext
from sys import stdlib_module_names
from typing import Final

from assent.gate.programs.find_tests import may_stand_for
from assent.gate.programs.read_lines import flags_end
from assent.gate.programs.study import is_plainly_named
from assent.gate.programs.tables.companions import COMPANIONS
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.effects_between_commands import changes, may_change, may_put
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.plain_writers import only_fills
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.script import Command
from assent.gate.shell.word_sets import filled
from assent.gate.text.lazy_patterns import late

__all__ = ["BUILTINS", "is_builtin", "why_another", "why_steered"]

BUILTINS: Final = frozenset(
    """. : [ alias bg bind break builtin caller cd command compgen complete compopt continue
    declare dirs disown echo enable eval exec exit export false fc fg getopts hash help history
    jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set
    shift shopt source suspend test times trap true type typeset ulimit umask unalias unset
    wait""".split()
)
"""What bash finds in itself before it looks for a program. A keyword is none of these: in quotes,
or behind an assignment, `time` is a program."""


def why_another(case: CommandAnalysis) -> str | None:
    """A sentence that says why what runs may be another program than the one of its name."""
    context, command = case.context, case.command
    name = command.name
    passes = case.deeds.reading or command.wraps or only_fills(context, command, case.deeds)
    if not name or not passes:
        return None
    if "/" in name:
        # What only wraps would be judged by the words behind it alone.
        return None if is_plainly_named(name) else f"`{name}` may be any program."
    if is_builtin(context, command):
        return None
    program = context.facts.program(name)
    if program.why is not None:
        return f"`{name}` {program.why}."
    changing = [finding for finding in case.before if changes(finding)]
    before = context.facts.before_program(name) if changing else ()
    if any(may_put(finding, folder, (name,)) for finding in changing for folder in before):
        return f"Which program `{name}` is here is only known when it runs."
    for other in COMPANIONS.get(name, ()):
        why = context.facts.program(other).why
        if why is not None:
            return f"`{name}` runs `{other}`, which {why}."
    return None


def is_builtin(context: RulingContext, command: Command) -> bool:
    """Whether the shell itself does it; other shells than bash have fewer commands of their own."""
    own = command.name in BUILTINS and not command.carried
    return own and bool(context.call.input.get("shell", "bash") == "bash")


# Programs that are asked for no more than their version, and choose themselves by a file.
#
# A launcher of toolchains starts the one that a file of the folder names, or of one above it. Where
# there is no such file it only tells its version.

_ANY: Final = frozenset("*?[-{…")
"""How a pattern begins that a name with a dash before it may fit."""
_BESIDE: Final = ("annotationlib", "compression", "org")
"""What the modules of another Python load, newer ones and one for Java."""
_PINS: Final = frozenset(("rust-toolchain", "rust-toolchain.toml"))
_PINNED: Final = late(
    r"(?:\w[\w.-]*+)?\s*+|(?:\s|#[^\n]*+|\[toolchain\]|(?:channel|profile)\s*+=\s*+\"\w[\w.-]*+\""
    r"|(?:components|targets)\s*+=\s*+\[[\w\s\",.-]*+\])*+"
)
"""What stands in these where no path of a toolchain does."""
_SUFFIXES: Final = (".py", ".pyc", ".pyd", ".so")
_LOADED: Final = (*(f"*{suffix}" for suffix in _SUFFIXES), "*/__init__.*")
"""What Python takes for a module; a folder without such a file is none before all others."""
_UNKNOWN_MODULE: Final = "Which module `{}` is here is only known when it runs."
_UNKNOWN: Final = "Which program of this name would run is only known when it does."


def why_steered(case: CommandAnalysis) -> str | None:
    """A sentence that says why it may do more by what lies in the folder, or None."""
    context, command, deeds = case.context, case.command, case.deeds
    if (flag := _flag_in(case)) is not None:
        return f"`{flag}` would be a flag in the place of a pattern or a list that it is among."
    if not (deeds.reading and (deeds.steered_by or deeds.module)):
        return None
    if deeds.module:
        # What it is fed by has come to run for what it prints.
        apart = (
            finding
            for finding in case.before
            if not command.aside or finding.command.aside != command.aside
        )
        if any(map(_is_unknown, apart)) or context.facts.exports("PYTHONPATH"):
            return _UNKNOWN_MODULE.format(deeds.module)
        return _why_another_module(case)
    for folder in case.folders:
        if folder is None:
            continue
        named = tuple(dict.fromkeys(it.partition("?")[0] for it in deeds.steered_by))
        if any(may_put(finding, folder.resolved, named) for finding in case.before):
            return _UNKNOWN
        steering = [it for it in deeds.steered_by if not _is_tame(context, folder.resolved, it)]
        name = context.facts.above(folder.resolved, [it.partition("?")[0] for it in steering])
        if name is not None:
            return f"Which program runs is decided by `{name}`, which lies here."
    return None


def _is_tame(context: RulingContext, folder: str, steering: str) -> bool:
    """Whether files of this name, here and above, surely do not steer by what stands in them.

    With a word behind a question mark they do where that stands in them.
    """
    name, asked, word = steering.partition("?")
    if not (asked or name in _PINS):
        return False
    while True:
        text = context.facts.contents(f"{folder}/{name}")
        if text is None or (word in text if asked else not _PINNED.fullmatch(text)):
            return False
        if not folder:
            return True
        folder = folder.rpartition("/")[0]


def _flag_in(case: CommandAnalysis) -> str | None:
    """A file that a pattern at the beginning of a word makes a flag of, by then."""
    command = case.command
    # Most commands have no pattern, and this is asked of each.
    if not [word for word in command.argv if word.glob or word.listed]:
        return None
    words = [
        word
        for word in command.argv[1 : flags_end(command)]
        if (word.glob or word.listed) and word.text[0] in _ANY
    ]
    patterns = [filled(word.text, number="[0-9]", name="*").partition("/")[0] for word in words]
    known = (
        {folder.resolved for folder in case.folders if folder is not None}
        if patterns
        else set[str]()
    )
    found = [case.context.facts.names("-*", it) for it in known]
    if None in found:
        # They are too many to be told, so one of them fits.
        return "-*"
    names = [basename(it) for it in chain(*filter(None, found))]
    made = (at.lies for finding in case.before for at in finding.changed) if patterns else ()
    names += [basename(it) for it in made if dirname(it) in known]
    # A folder that is named so makes a flag of what is found in it.
    fits = (
        name
        for name in names
        for pattern in patterns
        if name[:1] == "-" and may_stand_for(pattern, name) is not False
    )
    return next(fits, None)


def _why_another_module(case: CommandAnalysis) -> str | None:
    """A sentence that says why a file of the folder may run in the place of a module, or None."""
    context, module = case.context, case.deeds.module
    names = stdlib_module_names | {module, *_BESIDE}
    for folder in (folder for folder in case.folders if folder is not None):
        below = f"{folder.resolved}/"
        if any(_puts_module(finding, below, names) for finding in case.before):
            return _UNKNOWN_MODULE.format(module)
        looked = [context.facts.names(it, folder.resolved) for it in _LOADED]
        if None in looked:
            return _UNKNOWN_MODULE.format(module)
        here = (normpath(it).removeprefix(below) for it in chain(*filter(None, looked)))
        found = next((it for it in here if _is_among(it, names)), None)
        if found is not None:
            return f"Python would load `{found}`, which lies here, in the place of its own module."
    return None


def _is_unknown(judged: CommandFinding) -> bool:
    """Whether nobody knows which files a command may write, and where."""
    return may_change(judged) and not judged.deeds.known and bool(judged.command.argv)


def _puts_module(judged: CommandFinding, below: str, names: Collection[str]) -> bool:
    """Whether a command may put something into a folder that Python takes for such a module."""
    changed = [place.lies for place in judged.changed]
    here = [it.removeprefix(below) for it in changed if it.startswith(below)]
    loaded = (it for it in here if splitext(it)[1] in ("", *_SUFFIXES))
    return may_put(judged, below[:-1], ()) or any(_is_among(it, names) for it in loaded)


def _is_among(path: str, names: Collection[str]) -> bool:
    """Whether a file is a module of these, or of those that a later Python keeps to itself."""
    stem = path.partition("/")[0].partition(".")[0]
    return stem in names or (stem[:1] == "_" != stem[1:2])
