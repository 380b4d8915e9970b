"""Lists the tasks of a folder from its files; nothing is run for it.

Running one is its runner's call, such as `npm run build`. Beside that stand all texts that the
runner is known to run for it, and the file that they stand in.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

from assent.gate.call.calls import Script
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import text_of
from assent.gate.settings.program_files import JUSTFILES, MAKEFILES
from assent.gate.tasks.editors import of_editor
from assent.gate.tasks.justfiles import of_justfile
from assent.gate.tasks.makefiles import of_makefile
from assent.gate.tasks.packages import of_package
from assent.gate.tasks.projects import of_pyproject
from assent.gate.tasks.task_files import MAX_FILE_BYTES, ODD, FileTask, FileUnfit, Tasks, is_there
from assent.gate.values import frozen

__all__ = [
    "READERS",
    "Listing",
    "Reader",
    "Task",
    "TasksFile",
    "files_of_tasks",
    "scripts_of",
    "task_named",
    "tasks_at",
    "tasks_in",
]

_MAX_TASKS_IN_FILE: Final = 500
"""So many of one file are told of."""
_UNREAD: Final = "{0}{1} could not be read: {2}"
_TOO_LONG: Final = "it is too long."

Reader = Callable[[str, str], Tasks]
"""Reads a text of a folder."""

READERS: Final[tuple[tuple[str, Reader], ...]] = (
    ("package.json", of_package),
    ("pyproject.toml", of_pyproject),
    (".vscode/tasks.json", of_editor),
    *((name, of_makefile) for name in MAKEFILES),
    *((name, of_justfile) for name in JUSTFILES),
)
"""Each by where it lies in a folder; of one runner the first that is there counts."""


@frozen(kw_only=True)
class Task:
    """One task of a folder."""

    name: str
    """As it is asked for: `npm:build`."""
    says: str
    """What it runs, in one line."""
    command: str
    """The call of its runner."""
    folder: str
    """Where that is made."""
    file: str
    """The file that it stands in."""
    shown: str
    """The same, relative to its folder."""
    scripts: tuple[Script, ...]
    unread: str
    """What keeps it from being followed to its end; nothing where it is."""


@frozen(kw_only=True)
class Listing:
    """The tasks that were found, and what could not be read."""

    tasks: tuple[Task, ...] = ()
    notes: tuple[str, ...] = ()


def tasks_in(roots: Iterable[str], may_read: Callable[[str], bool]) -> Listing:
    """The tasks of some folders; where there are several, each task says of which it is."""
    tasks: dict[str, Task] = {}
    notes: list[str] = []
    for file in files_of_tasks(roots, may_read, notes):
        for name in islice(file.tasks.makers, _MAX_TASKS_IN_FILE):
            try:
                tasks.setdefault(f"{file.before}{name}", file.task(name))
            except FileUnfit as error:
                notes.append(_UNREAD.format(file.before, file.place, error))
    return Listing(tasks=tuple(tasks.values()), notes=tuple(dict.fromkeys(notes)))


def task_named(name: str, roots: Iterable[str], may_read: Callable[[str], bool]) -> Task | None:
    """The one of that name, however many there are; raises `FileUnfit`."""
    for file in files_of_tasks(roots, may_read):
        own = name.removeprefix(file.before)
        if name.startswith(file.before) and own in file.tasks.makers:
            return file.task(own)
    return None


@frozen(kw_only=True)
class TasksFile:
    """One file of tasks, read."""

    tasks: Tasks
    folder: str
    path: str
    place: str
    before: str
    """What stands before the names of this folder's tasks."""

    def task(self, name: str) -> Task:
        """One of its tasks; raises `FileUnfit`."""
        file_task = self.tasks.made(name)
        return Task(
            name=f"{self.before}{name}",
            says=file_task.says,
            command=file_task.command,
            folder=self.folder,
            file=self.path,
            shown=f"{self.before}{self.place}",
            scripts=scripts_of(file_task, self.folder),
            unread=file_task.unread,
        )


def scripts_of(file_task: FileTask, folder: str) -> tuple[Script, ...]:
    """The texts of a task, and where each runs."""
    return tuple(
        Script(
            name=text.name,
            text=text.text,
            folder=str(Path(folder, text.folder)),
            task=f"{file_task.runner}:{text.name}",
        )
        for text in file_task.texts
    )


def files_of_tasks(
    roots: Iterable[str], may_read: Callable[[str], bool], notes: list[str] | None = None
) -> Iterator[TasksFile]:
    """The files of tasks of some folders; `notes` gets what could not be read."""
    folders = tuple(roots)
    for folder in folders:
        before = f"{Path(folder).name}/" if len(folders) > 1 else ""
        seen: set[Reader] = set()
        for place, read in READERS:
            path = Path(folder, place)
            # Which of the names its runner takes does not hang on what may be read.
            if read in seen or not is_there(folder, place):
                continue
            seen.add(read)
            if not may_read(str(path)):
                continue
            try:
                tasks = tasks_at(read, str(path), place, folder)
            except (CallUnreadable, FileUnfit) as error:
                if notes is not None:
                    notes.append(_UNREAD.format(before, place, error))
            else:
                yield TasksFile(
                    tasks=tasks, folder=folder, path=str(path), place=place, before=before
                )


def tasks_at(read: Reader, path: str, shown: str, folder: str) -> Tasks:
    """The tasks of one file; raises `CallUnreadable` and `FileUnfit`."""
    try:
        size = Path(path).stat().st_size
    except OSError as error:
        raise FileUnfit(f"{error.strerror}.") from error
    if size > MAX_FILE_BYTES:
        raise FileUnfit(_TOO_LONG)
    try:
        return _read(read, text_of(path, shown) or "", folder)
    except (TypeError, AttributeError, RecursionError) as error:
        raise FileUnfit(ODD) from error


@lru_cache(maxsize=32)
def _read(read: Reader, text: str, folder: str) -> Tasks:
    """A file is read several times on the way of a call, and rarely says something else."""
    return read(text, folder)
