"""The tasks of `pyproject.toml`, of each runner that keeps its tasks there."""

import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from assent.gate.tasks.named_runs import MAX_TEXT_LETTERS, TOO_LONG, runs_in
from assent.gate.tasks.task_files import FileTask, FileUnfit, Tasks, Text, closure, table_in
from assent.gate.values import frozen

__all__ = ["of_pyproject"]

_KNOWN: Final = frozenset("cmd shell expr sequence composite parallel ref deps help".split())
"""What is read of a task."""
_HARMLESS: Final = {
    "poe": frozenset({"tasks"}),
    "pdm": frozenset(),
    "taskipy": frozenset({"tasks"}),
    "hatch": frozenset(
        "scripts dependencies features description python type path skip-install".split()
    ),
}
"""What is said beside the tasks that changes nothing of them."""
_MAX_SHOWN_LETTERS: Final = 12
_MAX_DOTS: Final = 200
"""In a line: reading a name of many parts takes as long as the square of their number."""

_Follow = Callable[[str, Mapping[str, Any]], Iterator[str]]


@frozen(kw_only=True)
class _Table:
    """The tasks of one runner."""

    runner: str
    call: str
    tasks: Mapping[str, Any]
    follow: _Follow
    before: str = ""
    unread: str = ""

    def makers(self) -> Iterator[tuple[str, Callable[[], FileTask]]]:
        """Each task by its name."""
        for name in self.tasks:
            if not name.startswith("_"):
                yield f"{self.runner}:{self.before}{name}", partial(self._task_of, name)

    def _task_of(self, name: str) -> FileTask:
        names, more = closure(name, lambda needed: self.follow(needed, self.tasks))
        said = [
            (name, text)
            for name in names
            for text in _said(self.tasks.get(name, ""))
            if text not in ("", *self.tasks)
        ]
        unread = (_unread(self.tasks.get(name)) for name in names)
        left = (_unread_in(text) for _, text in said)
        return FileTask(
            runner=self.runner,
            name=f"{self.before}{name}",
            command=f"{self.call} {shlex.quote(self.before + name)}",
            texts=tuple(Text(name=task_name, text=text) for task_name, text in said),
            unread=next(filter(None, (self.unread, more, *unread, *left)), ""),
        )


def of_pyproject(text: str, _: str) -> Tasks:
    """The tasks of the runners that keep theirs there."""
    if any(line.count(".") > _MAX_DOTS for line in text.splitlines()):
        raise FileUnfit("it has too many dots in a line.")
    try:
        tool = table_in(tomllib.loads(text), "tool")
    except tomllib.TOMLDecodeError as error:
        raise FileUnfit(f"it is no TOML ({error}).") from error
    return Tasks(makers={name: maker for table in _tables(tool) for name, maker in table.makers()})


def _tables(tool: Mapping[str, Any]) -> Iterator[_Table]:
    poe, taskipy = table_in(tool, "poe"), table_in(tool, "taskipy")
    tasks = table_in(poe, "tasks")
    yield _Table(
        runner="poe", call="poe", tasks=tasks, follow=_sequence, unread=_beside("poe", poe)
    )
    scripts = table_in(tool, "pdm", "scripts")
    unread = "_" if "_" in scripts else ""
    yield _Table(runner="pdm", call="pdm run", tasks=scripts, follow=_around, unread=unread)
    yield _Table(
        runner="taskipy",
        call="task",
        tasks=table_in(taskipy, "tasks"),
        follow=_around,
        unread=_beside("taskipy", taskipy),
    )
    for name, settings in table_in(tool, "hatch", "envs").items():
        yield _Table(
            runner="hatch",
            call="hatch run",
            tasks=table_in(settings, "scripts"),
            follow=_sequence,
            before="" if name == "default" else f"{name}:",
            unread=_beside("hatch", table_in(settings)),
        )


def _beside(runner: str, settings: Mapping[str, Any]) -> str:
    return next((setting for setting in settings if setting not in _HARMLESS[runner]), "")


def _said(task: Any) -> list[str]:
    """The texts that a task runs by itself."""
    if isinstance(task, str):
        return [task]
    if isinstance(task, list):
        return [said for inner in task for said in _said(inner)]
    if not isinstance(task, dict):
        return []
    texts = [said for key in ("cmd", "shell", "expr") for said in _said(task.get(key))]
    for key in ("sequence", "composite", "parallel"):
        texts += [said for inner in task.get(key) or [] for said in _said(inner)]
    return texts


def _unread(task: Any) -> str:
    """What a task says that is not read here."""
    if isinstance(task, list):
        return next(filter(None, map(_unread, task)), "")
    if not isinstance(task, dict):
        return ""
    odd = next((key for key in task if key not in _KNOWN), "")
    inner = (_unread(task.get(key)) for key in ("sequence", "composite", "parallel"))
    return odd or next(filter(None, inner), "")


def _unread_in(text: str) -> str:
    """What a text has put in, or runs of other tasks."""
    at = text.find("{")
    if at >= 0:
        return text[at : at + _MAX_SHOWN_LETTERS]
    runs, doubt = runs_in(text, within=True) if len(text) <= MAX_TEXT_LETTERS else ((), TOO_LONG)
    return doubt or next((run.program for run in runs), "")


def _sequence(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """The tasks that its texts begin with, and those it says it needs."""
    task = table.get(name)
    needs = task.get("deps", []) if isinstance(task, dict) else []
    refers = [task["ref"]] if isinstance(task, dict) and "ref" in task else []
    firsts = (word for said in _said(task) for word in said.split()[:1])
    yield from (str(need) for need in (*needs, *refers, *firsts) if str(need) in table)


def _around(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    yield from (task for task in (f"pre_{name}", f"post_{name}") if task in table)
    yield from _sequence(name, table)
