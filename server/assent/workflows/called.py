"""The tasks that the words of a command run, whoever wrote them: `npm run x` as `npm:x`.

Whichever word may be a task's name counts as one, and so does the task that a runner takes where
none is named: what is found here only ever tightens. The files that say the tasks are bound too,
those that the runner would take first and that are not there among them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final

from attrs import evolve, frozen

from assent.bash.script import Command
from assent.calls import Call, Code, Script
from assent.disk.freshness import UNTOLD, code_at
from assent.disk.freshness import bound as bound_by_names
from assent.disk.places import Places
from assent.errors import CallUnreadable
from assent.workflows.justfiles import of_justfile
from assent.workflows.makefiles import of_makefile
from assent.workflows.packages import of_package, scripts_named
from assent.workflows.projects import of_pyproject
from assent.workflows.reading import FileUnfit, Found
from assent.workflows.tasks import READERS, Reader, scripts_of, tasks_at

__all__ = ["UNREAD", "Called", "bound", "called_by"]

UNREAD: Final = "What it runs could not be followed to its end, because of `{0}`. Look at {1}."
_WORDS: Final = 50
_TASKS: Final = 20
"""So many of one call are followed."""
_UP: Final = 20
"""So many folders up a runner finds its file."""

_Named = Callable[[tuple[str, ...], Iterable[str]], Iterable[str]]


def _plainly(words: tuple[str, ...], names: Iterable[str]) -> Iterable[str]:
    there = frozenset(names)
    return (it for it in words if it in there)


@frozen(kw_only=True)
class _Runner:
    read: Reader
    name: str
    """What stands before the names of its tasks."""
    named: _Named = _plainly
    climbs: bool = True
    """Whether it looks for its file in the folders above, too."""


def _of_packages(words: tuple[str, ...], names: Iterable[str]) -> Iterable[str]:
    # Without a word, some of them install.
    return scripts_named(words or ("install",), names)


_PACKAGES: Final = _Runner(read=of_package, name="npm", named=_of_packages)
_MAKE: Final = _Runner(read=of_makefile, name="make", climbs=False)
_RUNNERS: Final[Mapping[str, _Runner]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "node"), _PACKAGES),
    **dict.fromkeys(("make", "gmake"), _MAKE),
    "just": _Runner(read=of_justfile, name="just"),
    "poe": _Runner(read=of_pyproject, name="poe"),
    "pdm": _Runner(read=of_pyproject, name="pdm"),
    "task": _Runner(read=of_pyproject, name="taskipy"),
    "hatch": _Runner(read=of_pyproject, name="hatch"),
}


@frozen(kw_only=True)
class Called:
    """What a command runs of the tasks that stand somewhere."""

    scripts: tuple[Script, ...] = ()
    code: tuple[Code, ...] = ()
    unread: str = ""
    """What keeps one of them from being followed to its end."""


def bound(call: Call, places: Places) -> Call:
    """The call with what stands now in the files that it runs, and the texts of its tasks."""
    return _with_texts(bound_by_names(call, places), places)


def _with_texts(call: Call, places: Places) -> Call:
    if call.steps:
        steps = (
            it if it.call is None else evolve(it, call=_with_texts(it.call, places))
            for it in call.steps
        )
        return evolve(call, steps=tuple(steps))
    if call.tool != "shell":
        return call
    try:
        found = called_by(call, places)
    except Exception:  # noqa: BLE001 -- what cannot be bound is shown to a person
        return evolve(call, caution=call.caution or UNTOLD)
    scripts = tuple(dict.fromkeys((*call.scripts, *found.scripts)))
    code = tuple(dict.fromkeys((*call.code, *found.code)))
    return evolve(call, scripts=scripts, code=code) if found.code else call


def called_by(call: Call, places: Places) -> Called:
    """What the words of a shell call run of tasks, as far as these are known."""
    text, shell = str(call.input.get("command", "")), str(call.input.get("shell") or "bash")
    if not any(it in text for it in _RUNNERS):
        return Called()
    # Reading commands takes a parser, which nothing else needs.
    from assent.programs.reading import read_script  # noqa: PLC0415

    found: dict[tuple[str, str], tuple[Found, str]] = {}
    code: dict[str, Code] = {}
    unread = ""
    for command in read_script(text, shell).commands:
        runner = _RUNNERS.get(command.program)
        if runner is None:
            continue
        words = tuple(it.text for it in command.argv[1:][:_WORDS] if it.known)
        if command.program == "node" and not any(it.startswith("--run") for it in words):
            continue
        for folder in _folders(call, command, words, places):
            try:
                tasks = _tasks(runner, words, folder, places, code)
            except (CallUnreadable, FileUnfit) as error:
                unread = unread or str(error)
                continue
            for it in tasks[: _TASKS - len(found)]:
                found[it.name, folder] = it, folder
    said = found.values()
    return Called(
        scripts=tuple(dict.fromkeys(it for task, at in said for it in scripts_of(task, at))),
        code=tuple(code.values()),
        unread=unread or next(filter(None, (task.unread for task, _ in said)), ""),
    )


def _tasks(
    runner: _Runner,
    words: tuple[str, ...],
    folder: str,
    places: Places,
    code: dict[str, Code],
) -> list[Found]:
    """The tasks that these words name in the file of a folder; it is bound to that."""
    path = _file(runner, words, folder, places, code)
    if path is None:
        return []
    tasks = tasks_at(runner.read, path, Path(path).name, folder, words)
    before = f"{runner.name}:"
    names = [it.removeprefix(before) for it in tasks.makers if it.startswith(before)]
    named = [f"{before}{it}" for it in dict.fromkeys(runner.named(words, names))]
    wanted = named or [it for it in (tasks.first,) if it in tasks.makers]
    return [tasks.made(it) for it in wanted]


def _file(
    runner: _Runner, words: tuple[str, ...], folder: str, places: Places, code: dict[str, Code]
) -> str | None:
    """The file that the runner takes in a folder; what it would take before is bound as well."""
    names = [*_given(words), *(it for it, read in READERS if read is runner.read)]
    met: list[str] = []
    for name in names:
        target = places.locate(name, folder)
        met.append(target.named or target.resolved)
        if Path(target.resolved).is_file():
            for path in met:
                code.setdefault(path, code_at(path, target.shown))
            return target.resolved
    return None


def _given(words: tuple[str, ...]) -> Iterator[str]:
    """The file that a runner is told to take."""
    return _values(words, _FILES, "-f")


_FILES: Final = frozenset({"-f", "--file", "--makefile", "--justfile"})
_GOING: Final = frozenset(
    "-C --directory --prefix --cwd --dir -d --working-directory -w --workspace --project".split()
)


def _folders(call: Call, command: Command, words: tuple[str, ...], places: Places) -> Iterator[str]:
    """Where its file may lie: where it may run, where its words send it, and above that."""
    runner = _RUNNERS[command.program]
    found = dict[str, None]()
    for start in _starts(call, command, places):
        # Some runners have a flag of that letter that goes nowhere.
        for folder in (start, *_sent(words, start, places)):
            found[_nearest(folder, runner, words) if runner.climbs else folder] = None
    yield from found


def _nearest(folder: str, runner: _Runner, words: tuple[str, ...]) -> str:
    """The folder with a file for the runner, from this one up; this one where there is none."""
    names = [*_given(words), *(it for it, read in READERS if read is runner.read)]
    above = [Path(folder), *Path(folder).parents][:_UP]
    return next((str(it) for it in above if any((it / name).is_file() for name in names)), folder)


def _starts(call: Call, command: Command, places: Places) -> Iterator[str]:
    for chain in command.folders or ((),):
        folder = call.cwd
        try:
            for step in chain:
                folder = places.locate(step, folder).resolved if isinstance(step, str) else folder
        except CallUnreadable:
            continue
        yield folder


def _sent(words: tuple[str, ...], start: str, places: Places) -> Iterator[str]:
    """The folders that a runner is told to go to, as far as they are there."""
    for path in _values(words, _GOING, "-C"):
        try:
            found = places.locate(path, start).resolved
        except CallUnreadable:
            continue
        if Path(found).is_dir():
            yield found


def _values(words: tuple[str, ...], flags: frozenset[str], short: str) -> Iterator[str]:
    """What stands behind a flag, in a word of its own, behind `=`, or glued to a letter."""
    yield from (word for flag, word in pairwise(words) if flag in flags)
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name in flags:
            yield value
        elif word.startswith(short) and word != short:
            yield word.removeprefix(short)
