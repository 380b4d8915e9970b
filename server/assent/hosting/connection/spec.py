"""How an agent is started: by the person's `assent.agents`, or as it is built in.

Two specifications that are equal may share one process; others never do.
"""

from assent.gate.settings.agents import ELIZA, AgentEntry
from assent.gate.values import field, frozen

__all__ = ["AgentSpec", "eliza"]


@frozen(kw_only=True)
class AgentSpec:
    """One agent that speaks the Agent Client Protocol over its standard input and output."""

    id: str
    name: str
    command: str
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(factory=dict, hash=False, repr=False)
    """What the agent gets besides the few variables that every agent gets."""

    @classmethod
    def of(cls, entry: AgentEntry) -> "AgentSpec":
        """How an agent of the settings is started."""
        return cls(
            id=entry.id, name=entry.name, command=entry.command, args=entry.args, env=entry.env
        )


def eliza(agent_id: str = ELIZA.id, name: str = ELIZA.name) -> AgentSpec:
    """The agent that comes with Assent, run by the interpreter that runs this."""
    return AgentSpec(id=agent_id, name=name, command=ELIZA.command, args=ELIZA.args, env=ELIZA.env)
