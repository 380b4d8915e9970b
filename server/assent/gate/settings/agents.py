"""The agents: the built-in one, the person's, and those that a workspace would add.

An entry that waits is shown and never started: it becomes startable by a person's grant alone.
"""

import sys
from pathlib import Path
from typing import Final

import assent
from assent.gate.call.calls import AgentId, digest_of
from assent.gate.values import field, frozen

__all__ = ["ASSENT", "ELIZA", "AgentEntry"]


@frozen(kw_only=True)
class AgentEntry:
    """One agent, and how to start it."""

    id: AgentId
    name: str
    command: str
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(factory=dict, hash=False)
    """Variables that are set for it, beside those that it inherits."""
    waits: bool = False
    """Whether it is only a workspace's wish, which nobody has granted."""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of what would be started; the name is no part of it."""
        return digest_of([self.command, list(self.args), self.env])


ASSENT: Final = AgentEntry(id=AgentId("assent"), name="Assent", command="")
"""Our own agent, which lives in the server and is started by nothing."""

ELIZA: Final = AgentEntry(
    id=AgentId("eliza"),
    name="Eliza",
    command=sys.executable,
    # -P keeps a folder called `assent` in the workspace from being started in its place.
    args=("-P", "-m", "assent.hosting.eliza"),
    # The bundled extension has no site-packages of its own, so the child is told where we lie.
    env={"PYTHONPATH": str(Path(assent.__file__).resolve().parent.parent)},
)
"""Talks without a model, so that a fresh installation has an agent."""
