"""The program that the hooks of terminal agents name, wherever Assent is installed.

What stands in an agent's settings names a file of the state folder, and that file names the copy
of the hook beside it, which needs nothing of the package while a window is open. So an update of
Assent, or a module that moves, changes nothing there; each server writes all of it anew, with its
own Python and its own packages. Only where the package is gone does it say so and let the agent go
by its own rules, which never locks anybody out of their tool.

A repository may set variables for its agent, and nothing here goes by what they say (`hookline`).
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import orjson

import assent
from assent.gate.settings.paths import connected_folder
from assent.gate.settings.private_files import UnfitFile, alone_in, read_private, write_private
from assent.gate.text import hook_line
from assent.hosting.hooks import gate_hook
from assent.hosting.hooks.hook_places import HookLine
from assent.hosting.terminals import connected_hook
from assent.hosting.terminals.terminals import HOOK_TIMEOUT_S, TERMINALS

__all__ = ["begins_of", "launcher", "line_of", "words_of", "write_launcher"]

_MAX_WAIT_S: Final = HOOK_TIMEOUT_S - 60
"""By a minute the hook gives up earlier than its agent gives up on it."""
_COPIES: Final = {"hook.py": connected_hook, "gate_hook.py": gate_hook}
"""The programs that lie beside the launcher, and run by themselves."""

_TEXT: Final = """\
# Written by Assent. Agents in terminals run this before each call: `assent connect` says which.
py={python}
at={hook}
own={own}
packages={packages}
{elsewhere}
if [ ! -d "$own/assent" ]; then
  echo 'Assent is not installed any more, so it did not rule on this call.' >&2
  exit 0
fi
if [ ! -x "$py" ]; then
  echo "Assent: $py is gone, so this was not run. Open your editor once." >&2
  exit 2
fi
s={seconds}
{sooner}
[ "$2" != silent ] || exec 2>/dev/null
[ "$2" != alone ] || exec "$py" -I -S "$at" "$1" {state} "$s" "$packages"
"$py" -I -S "$at" "$1" {state} "$s" "$packages" && exit 0
echo {unanswered} >&2
exit 2
"""
_ELSEWHERE: Final = """\
[ -d "$own/assent" ] || for libs in {pattern}; do
  [ ! -d "$libs/assent" ] || own=$libs packages=$libs
done"""
_EXTENSION: Final = re.compile(r"(?P<name>.+?-)\d[^/]*")
"""The folder of an extension, with its version behind its name."""
_END: Final = "# This is its end."
"""What the line of an earlier version looks for."""


def launcher(state: Path) -> Path:
    """Where it lies."""
    return connected_folder(state) / "hook"


def line_of(agent: str, state: Path) -> HookLine:
    """What an agent's settings say that it is to run before each call."""
    words, refusal = (
        hook_line.words_of(str(launcher(state)), agent, _shell()),
        TERMINALS[agent].refusal,
    )
    return HookLine(spawned=words, text=hook_line.line_of(words, refusal, _shell()))


def begins_of(state: Path) -> tuple[str, ...]:
    """How each line of ours, or a word of it, begins, whatever version of us wrote it."""
    path = str(launcher(state))
    return f"f={shlex.quote(path)};", hook_line.begin_of(path)


@cache
def _shell() -> Sequence[str]:
    """The shell; one that does not know the word has never taken anything from there."""
    known = subprocess.run((*hook_line.SHELL, "-c", ":"), check=False, capture_output=True, env={})
    return hook_line.SHELL[: 2 if known.returncode == 0 else 1]


def words_of(agent: str, state: Path) -> list[str]:
    """What stands behind an agent's name where its hook is run."""
    seconds = _sooner().get(agent, _MAX_WAIT_S)
    return [str(state.absolute()), f"{seconds:g}", _packages()]


def _sooner() -> dict[str, float]:
    """The agents that wait for no hook as long as others do, with the seconds that theirs has."""
    known = ((terminal.id, terminal.recipe.hooking) for terminal in TERMINALS.values())
    return {
        name: deadline.seconds
        for name, deadline in known
        if deadline is not None and deadline.seconds < _MAX_WAIT_S
    }


def write_launcher(state: Path) -> None:
    """Put it there, for the Assent that runs this; raise `UnfitFile` where that cannot be done."""
    folder = launcher(state).parent
    own = Path(assent.__file__).resolve().parents[1]
    text = _TEXT.format(
        python=shlex.quote(sys.executable),
        hook=shlex.quote(str(folder.absolute() / next(iter(_COPIES)))),
        own=shlex.quote(str(own)),
        packages=shlex.quote(_packages()),
        elsewhere=_elsewhere(own),
        seconds=_MAX_WAIT_S,
        sooner="\n".join(
            f'[ "$1" != {name} ] || s={seconds:g}' for name, seconds in _sooner().items()
        ),
        state=shlex.quote(str(state.absolute())),
        unanswered=shlex.quote(hook_line.UNANSWERED),
    )
    files = {name: Path(module.__file__ or "").read_bytes() for name, module in _COPIES.items()}
    with alone_in(folder):
        # What the launcher names is there before it is.
        for name, data in {**files, launcher(state).name: f"{text}{_END}\n".encode()}.items():
            if _private_bytes(folder / name) != data:
                write_private(folder / name, data)


def _private_bytes(path: Path) -> bytes | None:
    """What a private file holds; None where it is none, and is to be replaced by one."""
    try:
        return read_private(path)
    except UnfitFile:
        return None


def _packages() -> str:
    """Where our package lies, and where those lie that it needs; never where somebody works."""
    folders = (Path(module.__file__ or "").resolve().parents[1] for module in (assent, orjson))
    return os.pathsep.join(dict.fromkeys(map(str, folders)))


def _elsewhere(own: Path) -> str:
    """How the package of a later version is found, once an update has removed this one's folder.

    An editor puts each version of an extension into a folder of its own, beside the last one.
    """
    extension = own.parent.parent
    named = _EXTENSION.fullmatch(extension.name)
    if named is None or own.parts[-2:] != ("bundled", "libs"):
        return ""
    begin = shlex.quote(str(extension.parent / named["name"]))
    return _ELSEWHERE.format(pattern=f"{begin}*/bundled/libs")
