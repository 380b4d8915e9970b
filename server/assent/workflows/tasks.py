"""The tasks that a folder has, by the files that say so; nothing is run to tell them.

Running one is its runner's call, such as `npm run build`. Beside that stand all texts that the
runner is known to run for it, and the file that they stand in.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from attrs import frozen

from assent.calls import Script
from assent.disk.files import text_of
from assent.errors import CallUnreadable
from assent.workflows.by_lines import of_justfile, of_makefile
from assent.workflows.by_tables import of_editor, of_package, of_pyproject
from assent.workflows.reading import LONGEST, FileUnfit, Found

__all__ = ["Listing", "Task", "tasks_in"]

_MOST: Final = 500
"""So many of one file are told of."""

_READERS: Final[tuple[tuple[str, Callable[[str, str], Iterable[Found]]], ...]] = (
    ("package.json", of_package),
    ("pyproject.toml", of_pyproject),
    (".vscode/tasks.json", of_editor),
    ("GNUmakefile", of_makefile),
    ("makefile", of_makefile),
    ("Makefile", of_makefile),
    ("justfile", of_justfile),
    ("Justfile", of_justfile),
    (".justfile", of_justfile),
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


@frozen(kw_only=True)
class Listing:
    """The tasks that were found, and what could not be read."""

    tasks: tuple[Task, ...] = ()
    notes: tuple[str, ...] = ()


def tasks_in(roots: Iterable[str], may_read: Callable[[str], bool]) -> Listing:
    """The tasks of some folders; where there are several, each task says of which it is."""
    folders = tuple(roots)
    tasks: dict[str, Task] = {}
    notes: list[str] = []
    for folder in folders:
        before = f"{Path(folder).name}/" if len(folders) > 1 else ""
        for task in _of_folder(folder, before, may_read, notes):
            tasks.setdefault(task.name, task)
    return Listing(tasks=tuple(tasks.values()), notes=tuple(notes))


def _of_folder(
    folder: str, before: str, may_read: Callable[[str], bool], notes: list[str]
) -> Iterator[Task]:
    seen: set[object] = set()
    for place, read in _READERS:
        path = str(Path(folder, place))
        if read in seen:
            continue
        try:
            text = text_of(path, place) if may_read(path) else None
            found = _found(read, text, folder) if text is not None else []
        except (CallUnreadable, FileUnfit) as error:
            notes.append(f"{before}{place} could not be read: {error}")
            continue
        except (TypeError, AttributeError, RecursionError):
            notes.append(f"{before}{place} could not be read: it is not made as its kind is.")
            continue
        if text is not None:
            seen.add(read)
        for it in found:
            yield _task(it, before, folder, path, place)


def _found(read: Callable[[str, str], Iterable[Found]], text: str, folder: str) -> list[Found]:
    if len(text) > LONGEST:
        raise FileUnfit("it is too long.")
    return list(islice(read(text, folder), _MOST))


def _task(found: Found, before: str, folder: str, path: str, place: str) -> Task:
    return Task(
        name=f"{before}{found.runner}:{found.name}",
        says=found.says,
        command=found.command,
        folder=folder,
        file=path,
        shown=f"{before}{place}",
        scripts=tuple(
            Script(name=it.name, text=it.text, folder=str(Path(folder, it.folder)))
            for it in found.texts
        ),
    )
