"""What agents of other people keep and tell of themselves; all its words are theirs."""

from assent.protocol.shapes import Id, Shape

__all__ = ["AgentChoice", "AgentCommand", "AgentSetting", "SetOption"]


class AgentCommand(Shape):
    """A word with a slash that the agent knows."""

    name: str
    says: str
    hint: str = ""
    """What may stand behind it."""


class AgentChoice(Shape):
    """One value of an agent's own setting."""

    value: str
    name: str


class AgentSetting(Shape):
    """A setting that the agent keeps itself, such as its own mode; its words are the agent's."""

    id: str
    name: str
    now: str
    choices: list[AgentChoice]


class SetOption(Shape):
    """Change a setting that the agent keeps itself; a looser value is asked about once more."""

    chat_id: Id
    option_id: Id
    value: Id
