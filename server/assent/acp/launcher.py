"""The one program that the hooks of agents in terminals name, wherever Assent itself lies.

The line in an agent's settings names this file and no other, so that an update of Assent changes
nothing there; each server writes it anew, with its own Python and its own packages. Where Assent
was removed it says so and lets the agent go by its own rules, which never locks anybody out of
their tool. All that it names is absolute: a repository may set variables for its agent.
"""

import os
import shlex
import sys
from pathlib import Path
from typing import Final

import orjson

import assent
from assent.acp import connected_hook
from assent.acp.terminals import SECONDS, TERMINALS
from assent.settings.paths import connected_folder
from assent.settings.private_files import alone_in, read_private, write_private

__all__ = ["begin_of", "launcher", "line_of", "refresh", "words_of", "write_launcher"]

_LATEST: Final = SECONDS - 60
"""By a minute the hook gives up earlier than its agent gives up on it."""

_TEXT: Final = """\
# Written by Assent. Agents in terminals run this before each call: `assent connect` says which.
py={python}
at={hook}
if [ ! -x "$py" ] || [ ! -f "$at" ]; then
  echo 'Assent is not installed any more, so it did not rule on this call.' >&2
  exit 0
fi
s={seconds}
{sooner}
"$py" -I -S "$at" "$1" {state} "$s" {packages} || {{
  echo 'Assent: the gate did not answer, so this was not run.' >&2
  exit 2
}}
"""
_END: Final = "# This is its end."
_WHOLE: Final = _TEXT + _END + "\n"


def launcher(state: Path) -> Path:
    """Where it lies."""
    return connected_folder(state) / "hook"


def line_of(agent: str, state: Path, file: Path) -> str:
    """What an agent's settings, in this file, say that it is to run before each call."""
    gone = "Assent is not installed; its hook stands in"
    missing = shlex.quote(f"{gone} {file}")
    # A script that was cut off would end well and say nothing, and then its agent goes on.
    whole = f'[ -f "$f" ] && [ "$(tail -n 1 "$f")" = {shlex.quote(_END)} ]'
    damaged = shlex.quote(f"Assent: {launcher(state)} is damaged, so this was not run.")
    return (
        f"{begin_of(state)} "
        f'[ -e "$f" ] || [ -L "$f" ] || {{ echo {missing} >&2; exit 0; }}; '
        f"{whole} || {{ echo {damaged} >&2; exit 2; }}; "
        f'exec /bin/sh "$f" {agent}'
    )


def begin_of(state: Path) -> str:
    """How each line of ours begins, whatever version of us wrote it."""
    return f"f={shlex.quote(str(launcher(state)))};"


def words_of(agent: str, state: Path) -> list[str]:
    """What stands behind an agent's name where its hook is run."""
    seconds = _sooner().get(agent, _LATEST)
    return [str(state.absolute()), f"{seconds:g}", _packages()]


def _sooner() -> dict[str, float]:
    """The agents that wait for no hook as long as others do, with the seconds that theirs has."""
    known = ((it.id, it.recipe.hooking) for it in TERMINALS.values())
    return {name: it.seconds for name, it in known if it is not None and it.seconds < _LATEST}


def write_launcher(state: Path) -> None:
    """Put it there, for the Assent that runs this; raise `UnfitFile` where that cannot be done."""
    told = _WHOLE.format(
        python=shlex.quote(sys.executable),
        hook=shlex.quote(connected_hook.__file__),
        seconds=_LATEST,
        sooner="\n".join(f'[ "$1" != {name} ] || s={it:g}' for name, it in _sooner().items()),
        state=shlex.quote(str(state.absolute())),
        packages=shlex.quote(_packages()),
    )
    with alone_in(connected_folder(state)):
        if read_private(launcher(state)) != told.encode():
            write_private(launcher(state), told.encode())


def refresh(state: Path) -> None:
    """The same, where an agent is connected at all."""
    if os.path.lexists(launcher(state)):
        write_launcher(state)


def _packages() -> str:
    """Where our package lies, and where those lie that it needs; never where somebody works."""
    found = (Path(it.__file__ or "").resolve().parents[1] for it in (assent, orjson))
    return os.pathsep.join(dict.fromkeys(map(str, found)))
