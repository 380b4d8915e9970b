"""Tasks in files of tables: package.json, pyproject.toml, the editor's tasks.json."""

import json
import re
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from assent.settings.positions import value_of
from assent.workflows.reading import FileUnfit, Found, Text, closure, table_in

__all__ = ["of_editor", "of_package", "of_pyproject"]

_LOCKS: Final = (
    ("pnpm-lock.yaml", "pnpm"),
    ("yarn.lock", "yarn"),
    ("bun.lock", "bun"),
    ("bun.lockb", "bun"),
)
_MANAGERS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})
_CALLS_OTHERS: Final = re.compile(
    r"\b(?:npm|pnpm|yarn|bun|npx|run-s|run-p|npm-run-all2?|concurrently|turbo|nx|wireit)\b"
)
_WORD: Final = re.compile(r"[^\s\"'`;&|()]+")
_VARIABLE: Final = re.compile(r"\$\{([^}]*)\}")


def of_package(text: str, folder: str) -> Iterator[Found]:
    """The scripts of a package, run by the manager that it is kept with."""
    whole = _json(text)
    scripts = {name: it for name, it in table_in(whole, "scripts").items() if isinstance(it, str)}
    runner = _kept_with(whole, folder)
    called = {name: [*dict.fromkeys(_called(name, scripts))] for name in scripts}
    for name in scripts:
        names = closure(name, lambda it: called[it])
        texts = tuple(Text(name=it, text=scripts[it]) for it in names)
        command = f"{runner} run {shlex.quote(name)}"
        yield Found(runner="npm", name=name, command=command, texts=texts)


def _kept_with(whole: Any, folder: str) -> str:
    said = str(whole.get("packageManager", "")).partition("@")[0] if isinstance(whole, dict) else ""
    if said in _MANAGERS:
        return said
    return next((name for lock, name in _LOCKS if Path(folder, lock).exists()), "npm")


def _called(name: str, scripts: Mapping[str, str]) -> Iterator[str]:
    """The scripts that run before and behind it, and whichever its text may call."""
    yield from (it for it in (f"pre{name}", f"post{name}") if it in scripts)
    text = scripts[name]
    if _CALLS_OTHERS.search(text):
        yield from (it for it in _WORD.findall(text) if it in scripts)


def of_pyproject(text: str, _: str) -> Iterator[Found]:
    """The tasks of the runners that keep theirs there."""
    try:
        tool = table_in(tomllib.loads(text), "tool")
    except tomllib.TOMLDecodeError as error:
        raise FileUnfit(f"it is no TOML ({error}).") from error
    for runner, call, table, names_of in (
        ("poe", "poe", table_in(tool, "poe", "tasks"), _sequence),
        ("pdm", "pdm run", table_in(tool, "pdm", "scripts"), _around),
        ("taskipy", "task", table_in(tool, "taskipy", "tasks"), _around),
    ):
        yield from _of_table(runner, call, table, names_of)
    for environment, settings in table_in(tool, "hatch", "envs").items():
        before = "" if environment == "default" else f"{environment}:"
        yield from _of_table("hatch", "hatch run", table_in(settings, "scripts"), _sequence, before)


def _of_table(
    runner: str,
    call: str,
    table: Mapping[str, Any],
    follow: Callable[[str, Mapping[str, Any]], Iterator[str]],
    before: str = "",
) -> Iterator[Found]:
    followed = {name: [*dict.fromkeys(follow(name, table))] for name in table}
    for name in table:
        if name.startswith("_"):
            continue
        names = closure(name, lambda it: followed[it])
        texts = tuple(
            Text(name=it, text=said) for it in names for said in _said(table.get(it, "")) if said
        )
        command = f"{call} {shlex.quote(before + name)}"
        yield Found(runner=runner, name=before + name, command=command, texts=texts)


def _said(task: Any) -> list[str]:
    """The texts that a task runs by itself."""
    if isinstance(task, str):
        return [task]
    if isinstance(task, list):
        return [said for it in task for said in _said(it)]
    if not isinstance(task, dict):
        return []
    found = [said for key in ("cmd", "shell", "expr") for said in _said(task.get(key))]
    for key in ("sequence", "composite", "parallel"):
        found += [said for it in task.get(key) or [] for said in _said(it)]
    code = task.get("script") or task.get("call")
    return [*found, f"python -c {shlex.quote(str(code))}"] if code else found


def _sequence(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    """Whichever tasks its texts name, and those it says it needs."""
    task = table.get(name)
    needs = task.get("deps", []) if isinstance(task, dict) else []
    refers = [task["ref"]] if isinstance(task, dict) and "ref" in task else []
    words = (word for said in _said(task) for word in _WORD.findall(said))
    yield from (str(it) for it in (*needs, *refers, *words) if str(it) in table)


def _around(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    yield from (it for it in (f"pre_{name}", f"post_{name}") if it in table)
    yield from _sequence(name, table)


def of_editor(text: str, folder: str) -> Iterator[Found]:
    """The editor's own tasks, without those that only it can fill in."""
    whole = _json(text)
    listed = whole.get("tasks", []) if isinstance(whole, dict) else []
    tasks = {_label(it): it for it in listed if isinstance(it, dict) and _label(it)}
    for name in tasks:
        needed = closure(name, lambda it: _depends(tasks[it], tasks))
        # What it depends on comes first.
        commands = [_command(tasks[it], folder) for it in reversed(needed)]
        if None in commands:
            continue
        command = " && ".join(str(it) for it in commands if it)
        if command:
            yield Found(runner="task", name=name, command=command)


def _label(task: Mapping[str, Any]) -> str:
    said = task.get("label") or task.get("taskName") or ""
    return str(said) or (f"npm: {task['script']}" if task.get("type") == "npm" else "")


def _depends(task: Mapping[str, Any], tasks: Mapping[str, Any]) -> Iterator[str]:
    said = task.get("dependsOn", [])
    for it in reversed([said] if isinstance(said, str) else said):
        if isinstance(it, str) and it in tasks:
            yield it


def _command(task: Mapping[str, Any], folder: str) -> str | None:
    """What it runs, as one command; None where only the editor knows."""
    kind = task.get("type", "shell")
    if kind == "npm":
        words: list[Any] = ["npm", "run", task.get("script")]
    elif kind in {"shell", "process"}:
        given = [it.get("value") if isinstance(it, dict) else it for it in task.get("args", [])]
        words = [task.get("command", ""), *given]
    else:
        return None
    options = table_in(task, "options")
    named = {name: str(it) for name, it in table_in(options, "env").items()}
    place = options.get("cwd", "")
    if not all(isinstance(it, str) for it in (*words, place)):
        return None
    if any(_asks_editor(it) for it in (*words, *named.values(), place)):
        return None
    first, *rest = (_in_folder(it, folder) for it in words)
    # The command of a shell's task is text for the shell; so is an argument without blanks.
    whole = " ".join(
        [
            first if kind == "shell" else shlex.quote(first),
            *(it if kind == "shell" and " " not in it else shlex.quote(it) for it in rest),
        ]
    ).strip()
    for name, value in reversed(named.items()):
        whole = f"{name}={shlex.quote(_in_folder(value, folder))} {whole}"
    return f"(cd {shlex.quote(_in_folder(place, folder))} && {whole})" if place else whole


def _asks_editor(text: str) -> bool:
    return any(it not in _FOLDER for it in _VARIABLE.findall(text))


def _in_folder(text: str, folder: str) -> str:
    return _VARIABLE.sub(lambda _: folder, text)


_FOLDER: Final = frozenset({"workspaceFolder", "workspaceRoot", "cwd"})


def _json(text: str) -> Any:
    try:
        return value_of(text)
    except (json.JSONDecodeError, ValueError, RecursionError) as error:
        raise FileUnfit(f"it is no JSON ({error}).") from error
