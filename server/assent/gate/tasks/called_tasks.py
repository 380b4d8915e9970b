"""Finds the tasks that a command runs: `npm run x` as `npm:x`.

Texts count only where they are followed whole and surely. From the first task on of which anything
is not, no text stands on a card that may not be what runs: what is left is judged by its own words.
The files that say the tasks are bound too, with those that the runner would take first, there or
not.
"""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from assent.gate.call.calls import Call, Code, Script
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import text_of
from assent.gate.disk.freshness import UNTOLD, code_at, with_file_digests
from assent.gate.disk.places import Places
from assent.gate.tasks.justfiles import of_justfile
from assent.gate.tasks.makefiles import of_makefile
from assent.gate.tasks.named_runs import Run, runs_in
from assent.gate.tasks.packages import of_package
from assent.gate.tasks.projects import of_pyproject
from assent.gate.tasks.task_files import FileTask, FileUnfit
from assent.gate.tasks.tasks import READERS, Reader, scripts_of, tasks_at
from assent.gate.values import evolve, frozen

__all__ = ["UNREAD", "Called", "called_by", "with_task_digests", "with_texts"]

UNREAD: Final = "What it runs could not be followed to its end, because of `{0}`. Look at {1}."
_MAX_TASKS: Final = 20
"""So many of one call are followed."""
_MORE: Final = "more than 20 tasks"
_MAX_FOLDERS_UP: Final = 20
"""So many folders up a runner finds its file."""

_KINDS: Final[Mapping[str, Reader]] = {
    "npm": of_package,
    "make": of_makefile,
    "just": of_justfile,
    **dict.fromkeys(("poe", "pdm", "taskipy", "hatch"), of_pyproject),
}
_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "pnpm": ("pnpm-workspace.yaml", ".pnpmfile.cjs"),
    "yarn": (".yarnrc", ".yarnrc.yml"),
    "bun": ("bunfig.toml",),
    "poe": ("poe_tasks.toml", "poe_tasks.yaml", "poe_tasks.json"),
    "pdm": ("pdm.toml",),
    "hatch": ("hatch.toml",),
}
"""Files that may change how a task runs, and are not read."""
_NPMRC: Final = ".npmrc"
_TAME: Final = re.compile(
    r"\s*|\s*[#;].*|(?:(?:@[\w-]+:)?registry|save-exact|save-prefix|fund|audit|engine-strict|loglevel"
    r"|package-lock|legacy-peer-deps|strict-peer-dependencies|auto-install-peers|always-auth|progress"
    r"|//[^\s=\\]+:_authToken)\s*=[^\\]*",
    re.ASCII,
)
"""The lines of an `.npmrc` that change nothing of how a script runs."""
_REMADE: Final = re.compile(r"s\.[Mm]akefile|RCS|SCCS|.*,v|(?:GNUm|M|m)akefile\.(?!am\b|in\b).*")
"""Files of which make would make its Makefile anew before it reads that."""


@frozen(kw_only=True)
class Called:
    """What a command runs of the tasks that stand somewhere."""

    scripts: tuple[Script, ...] = ()
    code: tuple[Code, ...] = ()
    unread: str = ""
    """What keeps one of them from being followed to its end."""


def with_task_digests(call: Call, places: Places) -> Call:
    """The call with what stands now in the files that it runs, and the texts of its tasks."""
    return with_texts(with_file_digests(call, places), places)


def with_texts(call: Call, places: Places) -> Call:
    """The call with the texts of the tasks that it runs, and the files that say them."""
    if call.steps:
        steps = (
            step if step.call is None else evolve(step, call=with_texts(step.call, places))
            for step in call.steps
        )
        return evolve(call, steps=tuple(steps))
    if call.tool != "shell":
        return call
    try:
        called_code = called_by(call, places)
    except Exception:  # noqa: BLE001 -- what cannot be bound is shown to a person
        return evolve(call, caution=call.caution or UNTOLD)
    if not called_code.code:
        return call
    scripts = tuple(dict.fromkeys((*call.scripts, *called_code.scripts)))
    code = tuple(dict.fromkeys((*call.code, *called_code.code)))
    return evolve(call, scripts=scripts, code=code)


def called_by(call: Call, places: Places) -> Called:
    """What the words of a shell call run of tasks, or what keeps that from being known."""
    text, shell = str(call.input.get("command", "")), str(call.input.get("shell") or "bash")
    runs, unread = runs_in(text, shell)
    if not unread and sum(len(run.names) or 1 for run in runs) > _MAX_TASKS:
        unread = _MORE
    if unread:
        return Called(unread=unread)
    scripts: list[Script] = []
    code: dict[str, Code] = {}
    try:
        for run in runs:
            scripts += [*_scripts(run, call, places, code)]
    except (CallUnreadable, FileUnfit, OSError) as error:
        # What could not be followed is bound too: it is what runs.
        unread = str(error)
    return Called(scripts=tuple(dict.fromkeys(scripts)), code=tuple(code.values()), unread=unread)


def _scripts(run: Run, call: Call, places: Places, code: dict[str, Code]) -> Iterator[Script]:
    """The texts of one run, in its order; its files are bound. Raises `FileUnfit`."""
    start, spelled = _start(run, call, places)
    folder = _nearest(start, run) if run.kind != "make" else start
    path = _file(run, folder, places, code)
    if spelled != start:
        # By the time it runs, a link may lead to another folder with a file of the same name.
        for name in _names(run):
            _bind(name, spelled, places, code)
    tasks = tasks_at(_KINDS[run.kind], path, Path(path).name, folder)
    names = [f"{run.kind}:{name}" for name in run.names] or [tasks.first]
    for name in names:
        if name not in tasks.makers:
            raise FileUnfit(name)
        task = tasks.made(name)
        if task.unread:
            raise FileUnfit(task.unread)
        yield from scripts_of(_given(task, run), folder)


def _given(file_task: FileTask, run: Run) -> FileTask:
    """A task with the words that its script is given behind its own."""
    more = shlex.join(run.more)
    texts = (
        evolve(text, text=f"{text.text} {more}") if more and text.name == file_task.name else text
        for text in file_task.texts
    )
    return evolve(file_task, texts=tuple(texts))


def _start(run: Run, call: Call, places: Places) -> tuple[str, str]:
    """The one folder that a runner is surely started in, and how the command spells it."""
    if len(run.chains) != 1:
        raise FileUnfit("cd")
    folder = spelled = call.cwd
    for step in (*run.chains[0], *filter(None, (run.going,))):
        if not isinstance(step, str):
            raise FileUnfit("cd")
        folder, spelled = places.locate(step, folder).resolved, places.locate(step, spelled).named
    return folder, spelled


def _names(run: Run) -> list[str]:
    return [name for name, read in READERS if read is _KINDS[run.kind]]


def _nearest(folder: str, run: Run) -> str:
    """The folder with a file for the runner, from this one up."""
    for path in [Path(folder), *Path(folder).parents][:_MAX_FOLDERS_UP]:
        if any((path / name).is_file() for name in _names(run)):
            return str(path)
        if run.kind == "just" and any(
            name.name.lower().endswith("justfile") for name in path.iterdir()
        ):
            break
        # It is the folder of a package as well.
        if run.kind == "npm" and (path / "node_modules").exists():
            break
    raise FileUnfit(run.program)


def _file(run: Run, folder: str, places: Places, code: dict[str, Code]) -> str:
    """The file that the runner takes in a folder; what it would take before is bound as well."""
    for name in (*_BESIDE.get(run.program, ()), *_npmrcs(run, folder)):
        if _bind(name, folder, places, code) and not _is_tame(name, folder):
            raise FileUnfit(name)
    if run.kind == "make":
        _unmade(folder)
    for name in _names(run):
        path = _bind(name, folder, places, code)
        if path:
            return path
    raise FileUnfit(run.program)


def _bind(name: str, folder: str, places: Places, code: dict[str, Code]) -> str:
    """The file of that name, where there is one; it is bound, there or not."""
    target = places.locate(name, folder)
    path = target.named or target.resolved
    code.setdefault(path, code_at(path, target.shown))
    return target.resolved if Path(target.resolved).exists() else ""


def _npmrcs(run: Run, folder: str) -> Iterator[str]:
    """Its own settings, and those of packages that it may be a part of."""
    if run.kind != "npm":
        return
    for path in [Path(folder), *Path(folder).parents][:_MAX_FOLDERS_UP]:
        if str(path) == folder or (path / "package.json").exists():
            yield str(path / _NPMRC)


def _is_tame(name: str, folder: str) -> bool:
    if Path(name).name != _NPMRC:
        return False
    text = text_of(str(Path(folder, name)), name) or ""
    return all(_TAME.fullmatch(line) for line in re.split(r"[\r\n]", text))


def _unmade(folder: str) -> None:
    """Raise `FileUnfit` where make would first make its Makefile anew."""
    source = next(
        (path.name for path in Path(folder).iterdir() if _REMADE.fullmatch(path.name)), ""
    )
    if source:
        raise FileUnfit(source)
