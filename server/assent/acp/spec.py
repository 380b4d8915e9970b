"""How an agent is started: what the person wrote down under `assent.agents`, or what is built in.

Two specifications that are equal may share one process; others never do.
"""

import sys
from pathlib import Path

from attrs import field, frozen

import assent

__all__ = ["AgentSpec", "eliza"]


@frozen(kw_only=True)
class AgentSpec:
    """One agent that speaks the Agent Client Protocol over its standard input and output."""

    id: str
    name: str
    command: str
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(factory=dict, hash=False)
    """What the agent gets besides the few variables that every agent gets."""


def eliza(agent_id: str = "eliza", name: str = "Eliza") -> AgentSpec:
    """The agent that comes with Assent, run by the interpreter that runs this."""
    # The bundled extension has no site-packages of its own, so the child is told where we lie.
    home = str(Path(assent.__file__).resolve().parent.parent)
    return AgentSpec(
        id=agent_id,
        name=name,
        command=sys.executable,
        args=("-m", "assent.acp.eliza"),
        env={"PYTHONPATH": home},
    )
