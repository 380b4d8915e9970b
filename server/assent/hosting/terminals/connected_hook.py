"""Asks for a ruling on one call of a terminal agent, which runs this program as its hook.

    python -I -S hook.py AGENT STATE SECONDS PACKAGES   with the call on its input

What is run is a copy in the folder of Assent's state, with a copy of `gate_hook` beside it. It asks
the window that has the session's folder open, else the newest; each end proves the key that lies
beside the socket, as `gate_hook` does for an agent that Assent hosts. Where no window is open, it
rules itself, by what the last one left: only then is more loaded than Python's own modules, from
PACKAGES, by the one name in them that stays. Whatever goes wrong ends with the exit code 2, which
every agent takes for a refusal where a sentence is printed with it.

What a repository could set in the environment of its agent says nothing here: STATE and PACKAGES
stand in the hook's own line, and the person's home is the system's word.
"""

# It is run by itself for each call, and every start would wait for pathlib.
# ruff: noqa: PTH100, PTH118, PTH120, PTH123, PTH109, PTH117

import contextlib
import gc
import importlib
import json
import os
import sys
import time

__all__ = ["main"]

# Its copy has only its neighbour, and leaves nothing there.
if __package__:
    from assent.hosting.hooks import gate_hook
else:
    sys.dont_write_bytecode = True
    sys.path.append(os.path.dirname(os.path.abspath(__file__)))
    gate_hook = importlib.import_module("gate_hook")

_RULING = "assent.cli.hook"
"""The module by which a gate of any version is found in its packages."""
_DOOR = "connected"
_WINDOW = "window.json"
_SOCKETS = "sockets"
_SEEN = "connected"
_READ_BYTES = 64 * 1024
_AT_ONCE_OR_NOT = os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
"""Follow no link, and wait for nobody at the other end of a pipe."""
_PARENT = os.getppid()
_DIES_WITH_PARENT = 1
"""What `prctl` calls PR_SET_PDEATHSIG."""


def main(words: list[str]) -> int:
    """Print what is ruled on the call on the input; 2 where nothing is."""
    try:
        agent, state, seconds, packages = words
        until = time.monotonic() + float(seconds)
        call = gate_hook.read_call()
        asks = _Asks(agent, call)
        _note_seen(agent, state)
        answer = _asked_of_windows(state, asks, until)
        if answer is None:
            answer = _ruled_here(state, asks, packages)
        gate_hook.put_answer(answer)
    except BaseException as error:  # noqa: BLE001 -- no failure of whatever kind is an allowance
        gate_hook.say(error)
        return gate_hook.REFUSED_EXIT_CODE
    return 0


class _Asks:
    """What is handed over: the call, and where its session lives."""

    def __init__(self, agent: str, call: str) -> None:
        self.agent = agent
        payload = json.loads(call)
        payload = payload if isinstance(payload, dict) else {}
        here = payload.get("cwd")
        here = here if isinstance(here, str) and os.path.isabs(here) else ""
        self.folder = _session_folder(agent, payload, here)
        # What a folder of PATH leads to is another for each command where it is not absolute.
        folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
        path = os.pathsep.join(os.path.join(here or self.folder, folder) for folder in folders)
        payload = {"agent": agent, "folder": self.folder, "path": path, "call": call}
        self.text = json.dumps(payload)


def _session_folder(agent: str, payload: dict[str, object], here: str) -> str:
    """The folder that the session began in; `here` is where the call would run.

    What is trusted hangs on it, so no agent says it by the folder that a call of its picks.
    """
    roots = payload.get("workspace_roots") if agent == "cursor" else None
    if isinstance(roots, list) and roots and isinstance(roots[0], str) and os.path.isabs(roots[0]):
        return roots[0]
    if agent == "codex":
        # It tells where the command would run, and runs the hook where the session began.
        return os.getcwd()
    began = os.environ.get("CLAUDE_PROJECT_DIR", "") if agent == "claude" else ""
    # Claude Code follows the `cd` of its commands, and says this by itself to each hook.
    return began if os.path.isabs(began) else here or os.getcwd()


def _is_within(path: str, folder: str) -> bool:
    path, folder = os.path.realpath(path), os.path.realpath(folder)
    return f"{path}/".startswith(f"{folder.rstrip('/')}/")


def _note_seen(agent: str, state: str) -> None:
    """Leave word for the person that the hook runs at all."""
    # Nothing hangs on it, so nothing is refused for it.
    with contextlib.suppress(OSError):
        path = os.path.join(state, _SEEN, f"{agent}.seen")
        flags = os.O_WRONLY | os.O_CREAT | _AT_ONCE_OR_NOT
        os.close(os.open(path, flags, 0o600))
        os.utime(path)


def _asked_of_windows(state: str, asks: _Asks, until: float) -> str | None:
    """What the first window says that is there; None where none is."""
    for folder in _windows(os.path.join(state, _SOCKETS), asks.folder):
        # One that is gone says nothing; one that is there and says nothing refuses.
        with contextlib.suppress(gate_hook.NobodyThere):
            asking = gate_hook.Asking(folder, until)
            return asking.ruling(_DOOR, asks.agent, asks.text, _die_with_parent)
    return None


def _windows(sockets: str, folder: str) -> list[str]:
    """Where windows are heard, the best first: it has the folder open, or is the newest."""
    try:
        os.close(gate_hook.private_folder(sockets))
    except FileNotFoundError:
        return []
    windows = [
        (*_nearness(entry.path, folder), entry.path)
        for entry in os.scandir(sockets)
        if entry.is_dir()
    ]
    return [path for *_, path in sorted(windows, reverse=True)]


def _nearness(window: str, folder: str) -> tuple[int, float]:
    """How near a window is to a folder, and when it was opened."""
    try:
        file = os.open(os.path.join(window, _WINDOW), os.O_RDONLY | _AT_ONCE_OR_NOT)
        with open(file, "rb") as opened:
            window_file = json.loads(opened.read(_READ_BYTES))
        holding = [len(root) for root in window_file["roots"] if _is_within(folder, root)]
        return max(holding, default=0), float(window_file["at"])
    except (OSError, ValueError, TypeError, KeyError):
        return 0, 0.0


def _die_with_parent() -> None:
    """Take the question back where the agent, or the shell between, is ended."""
    if sys.platform != "linux":
        return
    # Loaded while the gate rules, so that nobody waits for it.
    import ctypes  # noqa: PLC0415
    import signal  # noqa: PLC0415

    ctypes.CDLL(None).prctl(_DIES_WITH_PARENT, signal.SIGTERM)
    # It may have ended since this was loaded, before the system was asked to tell.
    if os.getppid() != _PARENT:
        os.kill(os.getpid(), signal.SIGTERM)


def _ruled_here(state: str, asks: _Asks, packages: str) -> str:
    """What is ruled where no window is open."""
    import pwd  # noqa: PLC0415 -- only where no window is open

    # It ends before there is anything worth collecting, and loading is what takes its time.
    gc.disable()
    os.environ["HOME"] = pwd.getpwuid(os.geteuid()).pw_dir
    os.environ["ASSENT_STATE_DIR"] = state
    sys.path.extend(
        package for package in packages.split(os.pathsep) if package and package not in sys.path
    )
    return str(importlib.import_module(_RULING).ruling(asks.text, state))


if __name__ == "__main__":
    # All is printed and on the disk: what was loaded goes with the process, not piece by piece.
    os._exit(main(sys.argv[1:]))
