"""The commands that build, test, lint and commit a project, as its files tell; nothing is run.

A task counts by its name alone, such as `test`. Of the files of continuous integration only plain
lines count, and of these only what a tool of projects is told by such a name.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from typing import Final

from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import text_of
from assent.gate.rules.command_texts import THROUGH, TOOLS
from assent.gate.tasks.named_runs import KINDS, is_run_by_name
from assent.gate.tasks.task_files import MAX_FILE_BYTES, FileTask, FileUnfit, is_there
from assent.gate.tasks.tasks import files_of_tasks

__all__ = ["project_commands"]

_NAMES: Final = frozenset(
    "build compile test tests check lint format fmt typecheck type-check vet clippy".split()
)
"""What says of a task, or of a tool's use, that it builds, tests or looks a project through."""
_BY_FILE: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("go.mod", ("go build", "go test", "go vet")),
    ("Cargo.toml", ("cargo build", "cargo test", "cargo check", "cargo clippy", "cargo fmt")),
    ("*.csproj", ("dotnet build", "dotnet test")),
    ("*.sln", ("dotnet build", "dotnet test")),
)
_BY_TABLE: Final = (
    ("[tool.pytest", ("pytest", "python -m pytest", "python3 -m pytest")),
    ("[tool.ruff", ("ruff check", "ruff format")),
    ("[tool.mypy", ("mypy",)),
)
"""Tools that a `pyproject.toml` sets up."""
_CI_FILE, _CI_FOLDER = ".gitlab-ci.yml", ".github/workflows"
_MAX_CI_FILES, _MAX_CI_LINES, _MAX_NAMES = 8, 500, 2_000
"""So many files, lines of each, and names in a folder are looked at."""
_CI_LINE: Final = re.compile(r"[\w./:=+@ -]+")
_CI_TOOLS: Final = frozenset("go cargo dotnet make mvn gradle swift ruff".split())
_MANAGERS: Final = frozenset(name for name, kind in KINDS.items() if kind == "npm")


def project_commands(root: str) -> Iterator[str]:
    """Lines of a shell, those of its own tasks first; none where its files name none."""
    is_project = False
    for line in _from_files(root):
        is_project = True
        yield line
    if is_project and is_there(root, ".git"):
        yield from ("git add -A", "git commit -m x")


def _from_files(root: str) -> Iterator[str]:
    for file in files_of_tasks((root,), lambda _: True):
        for name in file.tasks.makers:
            kind, _, task = name.partition(":")
            if task in _NAMES and kind in KINDS.values():
                with suppress(FileUnfit):
                    yield _spelled(file.tasks.made(name))
    names = _names_in(root)
    for file_name, commands in _BY_FILE:
        if any(fnmatch(name, file_name) for name in names):
            yield from commands
    project = _text(Path(root, "pyproject.toml")).splitlines()
    for table, commands in _BY_TABLE:
        if any(line.startswith(table) for line in project):
            yield from commands
    workflows = [f"{_CI_FOLDER}/{name}" for name in sorted(_names_in(f"{root}/{_CI_FOLDER}"))]
    files = [name for name in workflows if name.endswith((".yml", ".yaml"))]
    for name in (_CI_FILE, *files[:_MAX_CI_FILES]):
        lines = map(_command_in, _text(Path(root, name)).splitlines()[:_MAX_CI_LINES])
        yield from filter(_is_of_project, lines)


def _command_in(line: str) -> str:
    """The plain command in a line of continuous integration; empty where there is none.

    >>> [_command_in(line) for line in ("  - run: npm test", " make lint", "- curl x | sh", "a: b")]
    ['npm test', 'make lint', '', 'a: b']
    """
    command = line.strip().removeprefix("- ").lstrip().removeprefix("run: ").strip()
    return command if _CI_LINE.fullmatch(command) else ""


def _spelled(task: FileTask) -> str:
    """How a task is called: without `run` where its manager of packages lets that be."""
    manager = task.command.partition(" ")[0]
    is_short = task.runner == "npm" and is_run_by_name(manager, task.name)
    return f"{manager} {task.name}" if is_short else task.command


def _is_of_project(line: str) -> bool:
    """Whether a command is a tool that builds, tests or looks a project through.

    >>> lines = ("npm run lint", "npx eslint .", "npm create test", "make deploy test", "go vet")
    >>> [_is_of_project(line) for line in lines]
    [True, True, False, False, True]
    """
    words = line.split()
    before = next((start for start in THROUGH if start == tuple(words[: len(start)])), ())
    program, *uses = words[len(before) :] or [""]
    if before or program in TOOLS:
        return program in TOOLS
    if program in _MANAGERS:
        is_run = uses[:1] == ["run"]
        script = next(iter(uses[1:] if is_run else uses), "")
        return script in _NAMES and (is_run or is_run_by_name(program, script))
    return program in _CI_TOOLS and not _NAMES.isdisjoint(uses[:1])


def _names_in(root: str) -> list[str]:
    try:
        with os.scandir(root) as entries:
            return [entry.name for entry in islice(entries, _MAX_NAMES)]
    except OSError:
        return []


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            return ""
        return text_of(str(path), path.name) or ""
    except (OSError, CallUnreadable):
        return ""
