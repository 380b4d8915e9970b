"""The editor's own tasks as commands, without those that only the editor can fill in."""

import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, Final

from assent.gate.tasks.task_files import FileTask, Tasks, table_in
from assent.gate.tasks.values import json_in

__all__ = ["of_editor"]

_VARIABLE: Final = re.compile(r"\$\{([^}]*)\}")
_FOLDER: Final = frozenset({"workspaceFolder", "workspaceRoot", "cwd"})
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_HERE: Final = "osx" if sys.platform == "darwin" else "linux"
_MAX_TASKS: Final = 50
"""So many tasks stand behind one at most."""

_Task = Mapping[str, Any]


def of_editor(text: str, folder: str) -> Tasks:
    """The editor's own tasks, without those that only it can fill in."""
    whole = json_in(text)
    listed = whole.get("tasks", []) if isinstance(whole, dict) else []
    options = table_in(whole, "options")
    meant = [_meant(task, options) for task in listed if isinstance(task, dict)]
    tasks = {name: task for task in meant if (name := _label(task))}
    commands = ((name, _whole(name, tasks, folder)) for name in tasks)
    return Tasks(
        makers={
            f"task:{name}": partial(FileTask, runner="task", name=name, command=command)
            for name, command in commands
            if command
        }
    )


def _meant(task: _Task, options: _Task) -> _Task:
    """A task as it is here: what this system's part of it says, and what is said for all."""
    here = {**task, **table_in(task, _HERE)}
    return {**here, "options": {**options, **table_in(here, "options")}}


def _label(task: _Task) -> str:
    said = task.get("label") or task.get("taskName") or ""
    return str(said) or (f"npm: {task['script']}" if task.get("type") == "npm" else "")


def _whole(name: str, tasks: Mapping[str, _Task], folder: str) -> str | None:
    """What it depends on, and then itself; None where some of it only the editor knows."""
    order = list[str]()
    if not _ordered(name, tasks, order, ()):
        return None
    commands = [_command(_of(needed, tasks), folder) for needed in order]
    return (
        None if None in commands else " && ".join(str(command) for command in commands if command)
    )


def _of(name: str, tasks: Mapping[str, _Task]) -> _Task:
    """The task of a name; the editor itself makes one for each script of a package."""
    script = name.removeprefix("npm: ")
    made: _Task = {"type": "npm", "script": script} if script != name else {}
    return tasks.get(name, made)


def _ordered(
    name: str, tasks: Mapping[str, _Task], order: list[str], above: tuple[str, ...]
) -> bool:
    """Whether each that it depends on is known, and they are few; those come first."""
    if name in order:
        return True
    task = _of(name, tasks)
    if not task or name in above or len(order) >= _MAX_TASKS or len(above) >= _MAX_TASKS:
        return False
    said = task.get("dependsOn") or []
    for depend in _depends(said):
        if depend is None or not _ordered(depend, tasks, order, (*above, name)):
            return False
    order.append(name)
    return True


def _depends(said: Any) -> Iterator[str | None]:
    """The names of those that it depends on; None for what is no name."""
    for depend in [said] if isinstance(said, str | dict) else said:
        yield depend if isinstance(depend, str) else None


def _command(task: _Task, folder: str) -> str | None:
    """What it runs, as one command; None where only the editor knows."""
    kind = task.get("type", "shell")
    options = table_in(task, "options")
    place = options.get("cwd", "")
    if kind == "npm":
        words: list[Any] = ["npm", "run", task.get("script")]
        place = task.get("path") or place
    elif kind in {"shell", "process"}:
        given = [
            argument.get("value") if isinstance(argument, dict) else argument
            for argument in task.get("args", [])
        ]
        words = [task.get("command", ""), *given]
    else:
        return None
    named = {name: str(value) for name, value in table_in(options, "env").items()}
    if "shell" in options or not all(map(_NAME.fullmatch, named)):
        return None
    if not all(isinstance(text, str) for text in (*words, place)):
        return None
    if any(_asks_editor(text) for text in (*words, *named.values(), place)):
        return None
    whole = _line(kind, [_in_folder(word, folder) for word in words])
    for name, value in reversed(named.items()):
        # It is for all that the text runs, and not for its first command alone.
        whole = whole and f"export {name}={shlex.quote(_in_folder(value, folder))}; {whole}"
    if place:
        whole = whole and f"cd {shlex.quote(_in_folder(place, folder))} && {whole}"
    return f"({whole})" if whole and (place or named) else whole


def _line(kind: str, words: list[str]) -> str:
    """The command of a shell's task is text for the shell; so is an argument without blanks."""
    first, *rest = words
    shell = kind == "shell"
    said = [word if shell and " " not in word else shlex.quote(word) for word in rest]
    return " ".join([first if shell else shlex.quote(first), *said]).strip()


def _asks_editor(text: str) -> bool:
    return any(variable not in _FOLDER for variable in _VARIABLE.findall(text))


def _in_folder(text: str, folder: str) -> str:
    return _VARIABLE.sub(lambda _: folder, text)
