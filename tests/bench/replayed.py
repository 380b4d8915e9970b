"""Runs the commands of real sessions through a real server, and counts the cards that people get:
`PYTHONPATH=tests python -m bench.replayed FILE [MODE...]`.

Each line of the file is a JSON object with `session`, `cwd` and `command`, as for `bench.sessions`.
A session has a home of its own, and a repository with the files that its commands name. The model
is played: it asks for one command after the other. What a command changed on a copy is kept.
Everything else is denied, since it would run outside the sandbox on this machine. Programs that are
not installed fail, so a session can draw more cards where they are.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from assent.gate.sandbox.bubblewrap import OWN
from bench.window import Came, Talker, Window, talker, window

__all__ = ["main"]

_HOME, _WORKSPACE = "/home/dev", "/home/dev/project"
"""As the sessions have them."""
_FOLDER: Final = re.compile(r"\bcd ([\w./-]+)")
_FILE: Final = re.compile(r"(?<![\w/~-])((?:[\w.-]+/)*[\w.-]+\.[a-z]{1,5})(?![\w/])")
_FILES: Final = {
    "Makefile": "build test lint:\n\t@true\n",
    "go.mod": "module sample\n\ngo 1.22\n",
    "package.json": '{"scripts": {"build": "true", "lint": "true", "test": "true"}}',
    "pyproject.toml": '[project]\nname = "sample"\nversion = "1"\n',
}
_TEXT: Final = "".join(f"line {number}\n" for number in range(40))
_APPLIES: Final = "Apply"
"""The title of a card about changes on a copy begins with this."""
_WANTS: Final = " wants "
"""The title of a card about a host contains this."""


def main(path: str, *modes: str) -> None:
    """Print how many cards the sessions draw in each mode."""
    rows = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    sessions = [list(group) for _, group in groupby(rows, lambda row: row["session"])]
    for mode in modes or ("default", "acceptEdits", "auto"):
        with talker() as model:
            counts = [_replayed(model, session, mode) for session in sessions]
        print(f"{mode}: {_summary(counts, len(rows))}", flush=True)


def _summary(counts: list[Counter[str]], commands: int) -> str:
    each = sorted(count.total() for count in counts)
    total = sum(counts, Counter[str]())
    kinds = ", ".join(f"{number:,} about {kind}" for kind, number in total.most_common())
    return (
        f"{total.total():,} cards for {commands:,} commands ({kinds}); in a session"
        f" {each[len(each) // 2]} (median) and {each[len(each) * 9 // 10]} (90th percentile)"
    )


def _replayed(model: Talker, session: list[dict[str, Any]], mode: str) -> Counter[str]:
    with tempfile.TemporaryDirectory(prefix="assent-replayed-") as home:
        os.environ["HOME"] = home
        rows = [(Path(_moved(row["cwd"], home)), _moved(row["command"], home)) for row in session]
        _make_repository(Path(home, "workspace"), rows)
        with window(model, Path(home), sandbox="auto") as opened:
            chat = opened.chat(mode=mode)
            return sum((_cards(opened, chat, *row) for row in rows), Counter[str]())


def _moved(text: str, home: str) -> str:
    return text.replace(_WORKSPACE, f"{home}/workspace").replace(_HOME, home)


def _cards(opened: Window, chat: str, cwd: Path, command: str) -> Counter[str]:
    """The cards of one command, by what they ask about."""
    there = "" if cwd == opened.folder else f"cd {shlex.quote(str(cwd))} && "
    wanted = {"command": f"{there}{command}", "timeout_seconds": 5}
    arguments = json.dumps(wanted, separators=(",", ":"))
    # The played model takes its words apart at blanks.
    turn = opened.say(chat, "call run_command " + arguments.replace(" ", "\\u0020"))
    counts = Counter[str]()
    while (came := opened.take(within=120)).method or came.message["id"] != turn:
        if came.method != "tool/approvalRequest":
            continue
        title = "".join(span["text"] for span in came.params["card"]["title"])
        is_about_changes = title.startswith(_APPLIES)
        about = "changes" if is_about_changes else "hosts" if _WANTS in title else "commands"
        counts[about] += 1
        opened.ask("tool/approvalResponse", _answer(came, "once" if is_about_changes else "deny"))
    return counts


def _answer(card: Came, option: str) -> dict[str, Any]:
    names = ("approvalId", "chatId", "revision", "digest")
    return {**{name: card.params[name] for name in names}, "optionId": option, "shownMs": 900}


def _make_repository(folder: Path, rows: list[tuple[Path, str]]) -> None:
    """With the folders and files that the commands name below the workspace."""
    folder.mkdir()
    for name, text in _FILES.items():
        (folder / name).write_text(text, "utf-8")
    for cwd, command in rows:
        for place in (cwd, *(cwd / name for name in _FOLDER.findall(command))):
            _make(place, folder)
        for name in _FILE.findall(command):
            _make((cwd / name).parent, folder)
            _make(cwd / name, folder, _TEXT)
    for words in ("init -q", "add -A", "-c user.name=A -c user.email=a@b.invalid commit -qm First"):
        subprocess.run(["git", *words.split()], cwd=folder, check=True)


def _make(path: Path, folder: Path, text: str | None = None) -> None:
    """A folder, or a file where there is a text, unless something of that name is there."""
    if not path.resolve().is_relative_to(folder.resolve()) or ".git" in path.parts:
        return
    with suppress(OSError):
        if text is None:
            path.mkdir(parents=True, exist_ok=True)
        elif not path.exists():
            path.write_text(text, "utf-8")


if __name__ == "__main__":
    os.environ.setdefault("ASSENT_BWRAP", str(OWN))
    main(*sys.argv[1:])
