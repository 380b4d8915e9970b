"""A gate with hooks around it, for real: what they run are processes of this machine."""

import json
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from attrs import evolve

from assent.gate.approvals.tickets import Settlement
from assent.gate.call.calls import Call
from assent.gate.disk.executables import Executables, path_in
from assent.gate.hooks import Hooks
from assent.gate.passage import Ended, Passage, Remake
from assent.gate.settings.hook_entries import HookEntry, HookEvent
from gate.admit.scene import Scene, within

__all__ = ["Rounds", "after", "alive", "before", "python", "says", "takes_another"]


def before(command: str, **more: Any) -> HookEntry:
    """A hook that is heard before a call."""
    entry = HookEntry(event=HookEvent.PRE_TOOL_USE, command=command, name="guard")
    return evolve(entry, **more)


def after(command: str, **more: Any) -> HookEntry:
    """A hook that is heard after a call."""
    return before(command, event=HookEvent.POST_TOOL_USE, **more)


def says(value: object, code: int = 0) -> str:
    """A command that says this, once it was told."""
    text = value if isinstance(value, str) else json.dumps(value)
    return f"cat >/dev/null; printf %s {shlex.quote(text)}; exit {code}"


def python(program: str) -> str:
    """A command that runs a program in Python, with what it was told as `told`."""
    whole = f"import json, sys\ntold = json.load(sys.stdin)\n{program}"
    return f"{shlex.quote(sys.executable)} -I -c {shlex.quote(whole)}"


def takes_another(call: Call) -> Remake:
    """An agent that carries out whatever input its call gets."""
    return lambda given: evolve(call, input=given)


def alive(folder: Path) -> list[str]:
    """The processes that a hook of this workspace has left."""
    mark = f"ASSENT_ROOT={folder}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry / "cmdline").read_text())
        except OSError:
            continue
    return found


class Rounds:
    """Calls that are brought to a gate with hooks."""

    def __init__(self, scene: Scene, folder: Path, *entries: HookEntry) -> None:
        self.scene = scene
        self.folder = folder
        self.ran: list[Call] = []
        """The calls that were carried out, as they were."""
        self.hooks = Hooks(
            entries=lambda: entries,
            journal=lambda: scene.journal,
            folder=str(folder),
            programs=lambda: Executables(roots=(str(folder),), path=path_in(os.environ)),
        )
        self.gate = evolve(scene.gate, hooks=self.hooks)

    async def admit(self, call: Call, remake: Remake | None = None) -> Passage:
        """Bring a call, of which nobody is asked."""
        return await within(self.gate.admit(call, self._run, remake))

    async def rows(self) -> list[dict[str, Any]]:
        """What the journal says of hooks."""
        await self.scene.written()
        return [row["body"] for row in self.scene.rows(kind="noted")]

    async def _run(self, call: Call, settlement: Settlement) -> Ended:
        self.ran.append(call)
        return await self.scene.carry_out(call)(call, settlement)
