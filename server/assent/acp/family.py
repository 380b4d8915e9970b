"""Finds and ends all processes that an agent started, also those that left its process group.

On Linux `/proc` tells: descendants, members of the agent's session, and whatever carries the
mark that the agent was started with. Elsewhere it is the process group alone. A number is only
ever signalled while it still belongs to the process that was found under it.
"""

import contextlib
import os
import signal
from pathlib import Path
from typing import Final

from attrs import define, field, frozen

__all__ = ["MARK", "Family"]

MARK: Final = "ASSENT_AGENT_RUN"
"""The variable whose value is unique to one run of one agent, and which its children inherit."""

_PROC: Final = Path("/proc")
_ROUNDS: Final = 5
"""How often the family is looked for when it is killed, since it may grow meanwhile."""


@define
class Family:
    """The processes that come from one agent."""

    leader: int
    mark: str
    leader_ended: bool = False
    """Whether the leader's number may by now be somebody else's."""
    _met: dict[int, int] = field(factory=dict)
    """Who was found before, and when each had begun."""

    def terminate(self) -> None:
        """Ask all of them to end."""
        self._signal(signal.SIGTERM)

    def kill(self) -> None:
        """End all of them."""
        for _ in range(_ROUNDS):
            if not self._signal(signal.SIGKILL):
                return

    def members(self) -> frozenset[int]:
        """Those that live now and can be found."""
        table = _processes()
        found = {pid for pid, row in table.items() if self._belongs(pid, row)}
        while more := {pid for pid, row in table.items() if row.parent in found} - found:
            found |= more
        found.discard(os.getpid())
        self._met.update({pid: table[pid].began for pid in found})
        return frozenset(found)

    def _belongs(self, pid: int, row: "_Row") -> bool:
        if self._met.get(pid) == row.began:
            return True
        if not self.leader_ended and self.leader in {pid, row.session, row.group}:
            return True
        with contextlib.suppress(OSError):
            variables = (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
            return f"{MARK}={self.mark}".encode() in variables
        return False

    def _signal(self, number: signal.Signals) -> bool:
        """Send a signal to everybody; whether there was anybody."""
        members = self.members()
        if not (_PROC.is_dir() or self.leader_ended):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.leader, number)
        for pid in members:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)
        return bool(members)


@frozen(kw_only=True)
class _Row:
    parent: int
    group: int
    session: int
    began: int


def _processes() -> dict[int, _Row]:
    """All living processes; none where the system has no `/proc`."""
    if not _PROC.is_dir():
        return {}
    rows = {int(entry.name): _row(entry) for entry in _PROC.iterdir() if entry.name.isdigit()}
    return {pid: row for pid, row in rows.items() if row is not None}


def _row(entry: Path) -> _Row | None:
    try:
        told = (entry / "stat").read_text(errors="replace")
    except OSError:
        return None
    # The name in brackets may itself hold blanks and brackets, so the last one counts.
    values = told.rpartition(")")[2].split()
    if values[0] in {"Z", "X"}:
        return None
    return _Row(
        parent=int(values[1]), group=int(values[2]), session=int(values[3]), began=int(values[19])
    )
