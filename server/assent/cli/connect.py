"""`assent connect`, `assent disconnect`, `assent hook`: agents that people run in terminals.

What would change in an agent's own settings is shown first, and the person says yes to it.
"""

import argparse
import difflib
import os
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from assent.gate.settings.paths import state_path
from assent.hosting.hooks.hook_socket import is_offered
from assent.hosting.terminals import connected_hook
from assent.hosting.terminals.connections import Change, Connections, Unconnected
from assent.hosting.terminals.launcher import words_of
from assent.hosting.terminals.terminal import Terminal
from assent.hosting.terminals.terminals import TERMINALS

__all__ = ["connect", "disconnect", "hook"]

_STANDING: Final = {
    "": "not connected",
    "changed": "is not connected as it should be; connect it once more",
    "connected": "connected",
}
_NEVER: Final = "its hook has not run yet"


def connect(rest: Sequence[str]) -> int:
    """Put the hook into an agent's settings; without one, tell how each stands."""
    asked = _parser("connect", connect.__doc__ or "").parse_args(list(rest))
    if asked.agent is None:
        sys.stdout.writelines(f"{line}\n" for line in _describe_connections(_connections()))
        return 0
    return _changed(TERMINALS[asked.agent], yes=asked.yes, on=True)


def disconnect(rest: Sequence[str]) -> int:
    """Take the hook out again."""
    asked = _parser("disconnect", disconnect.__doc__ or "").parse_args(list(rest))
    if asked.agent is None:
        sys.stderr.write("assent: say which agent, such as: assent disconnect claude\n")
        return 2
    return _changed(TERMINALS[asked.agent], yes=asked.yes, on=False)


def hook(rest: Sequence[str]) -> int:
    """Rule on the call on the input; the line in an agent's settings does the same, faster."""
    if len(rest) != 1 or rest[0] not in TERMINALS:
        names = ", ".join(TERMINALS)
        sys.stderr.write(f"assent: say whose call it is: {names}\n")
        # An agent that ran this takes it for a refusal.
        return 2
    return connected_hook.main([rest[0], *words_of(rest[0], state_path())])


def _parser(word: str, says: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"assent {word}", description=says)
    parser.add_argument("agent", nargs="?", choices=[*TERMINALS], help=", ".join(TERMINALS))
    parser.add_argument("--yes", action="store_true", help="do not ask before writing")
    return parser


def _connections() -> Connections:
    return Connections(
        state=state_path().absolute(), home=Path.home(), environment=dict(os.environ)
    )


def _changed(terminal: Terminal, *, yes: bool, on: bool) -> int:
    if not is_offered():
        sys.stderr.write("assent: agents in terminals can ask Assent on Linux and macOS alone.\n")
        return 1
    them = _connections()
    try:
        change = them.connecting(terminal) if on else them.disconnecting(terminal)
        if change.is_none:
            sys.stdout.write(f"{terminal.name} is {'' if on else 'not '}connected already.\n")
        else:
            sys.stdout.writelines(_diff(change))
        if not change.is_none and not yes and not _says_yes():
            sys.stdout.write("Nothing was changed.\n")
            return 1
        if on:
            them.connect(change)
            sys.stdout.write(f"`assent connect` says when it did so last. {them.finish(change)}\n")
        else:
            them.disconnect(change)
    except Unconnected as error:
        sys.stderr.write(f"assent: {error}\n")
        return 1
    return 0


def _says_yes() -> bool:
    if not sys.stdin.isatty():
        sys.stderr.write("assent: nobody is here to be asked; say --yes if you mean it.\n")
        return False
    return input("Write this? [y/N] ").strip().casefold() in {"y", "yes"}


def _diff(change: Change) -> Iterator[str]:
    before, after = (
        [f"{line}\n" for line in (text or "").splitlines()]
        for text in (change.before, change.after)
    )
    name = str(change.file)
    yield from difflib.unified_diff(before, after, name, name if change.after else "(no file)")


def _describe_connections(them: Connections) -> Iterator[str]:
    """How each agent stands, and what this folder does to it."""
    here = os.getcwd()  # noqa: PTH109 -- a string out
    for terminal in TERMINALS.values():
        standing, seen = them.standing(terminal), them.seen(terminal)
        line = f"{terminal.id:8} {_STANDING[standing]}"
        if standing == "connected":
            line += f", {_NEVER if seen is None else f'last seen {_at(seen)}'}"
        if standing == "connected" and terminal.is_held:
            line += ", and no repository turns its hooks off"
        yield line
        off = terminal.turned_off_in(here)
        if off is not None:
            yield f"         {off} in this folder may turn its hooks off: nothing asks Assent here."


def _at(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(" ", "minutes")
