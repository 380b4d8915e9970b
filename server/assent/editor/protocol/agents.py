"""What agents of other people report about themselves, in their own words."""

from typing import Literal

from assent.editor.protocol.shapes import Id, Shape

__all__ = [
    "AgentChoice",
    "AgentCommand",
    "AgentSetting",
    "AgentTitled",
    "CommandsTold",
    "LogIn",
    "LogInBy",
    "LogInTold",
    "LogInWay",
    "OptionsTold",
    "Picture",
    "Pictured",
    "SetOption",
    "Shown",
    "Sound",
    "SoundKept",
    "SoundMime",
    "Sounded",
]


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


class Picture(Shape):
    """A picture that the agent shows, or that one of its calls gave, or the person's own."""

    kind: Literal["picture"] = "picture"
    mime: Literal["image/png", "image/jpeg", "image/webp", "image/gif"]
    data: str
    """Its bytes, in base64."""
    width: int
    height: int
    moves: bool = False
    """Whether it has more than one frame, so that whoever looks at it may want it still."""
    uri: str = ""
    """The file that it stands in; nothing where nobody here knows of one."""
    call_id: str | None = None
    is_own: bool = False
    """Whether the person showed it to the agent."""


SoundMime = Literal["audio/wav", "audio/mpeg", "audio/ogg", "audio/flac"]


class Sound(Shape):
    """Something to be heard that the agent gives, or that one of its calls gave."""

    kind: Literal["sound"] = "sound"
    mime: SoundMime
    data: str
    """Its bytes, in base64."""
    call_id: str | None = None


class SoundKept(Shape):
    """The sound that a call made, as its file is now."""

    mime: SoundMime
    data: str
    """Its bytes, in base64."""


class AgentTitled(Shape):
    """What the agent calls the chat."""

    kind: Literal["title"] = "title"
    title: str


class CommandsTold(Shape):
    """The commands that the agent knows are now these."""

    kind: Literal["commands"] = "commands"
    commands: list[AgentCommand]


class OptionsTold(Shape):
    """The settings that the agent keeps itself are now these."""

    kind: Literal["settings"] = "settings"
    settings: list[AgentSetting]
    loose: str = ""
    """How they let it ask less, in a sentence; nothing where they do not."""
    left_out: str = ""
    """What the agent does not get of your own and the workspace's configuration, in sentences."""


class LogInWay(Shape):
    """One way to log in to the agent; its name and what it says are the agent's words."""

    id: Id
    kind: Literal["agent", "env_var", "terminal"]
    name: str
    says: str
    variables: list[str]
    """What the agent is to be given in its environment."""
    args: list[str]
    """What its program is started with in a terminal."""


class LogIn(Shape):
    """Somebody can log in to the chat's agent now."""

    ways: list[LogInWay]
    because: str
    """Why it did not work, in a sentence; nothing where nobody tried."""
    busy: str
    """The way that is gone just now; nothing where nobody waits for one."""


class LogInTold(Shape):
    """How one can log in to the agent now; null where nobody needs to."""

    kind: Literal["logIn"] = "logIn"
    log_in: LogIn | None


class LogInBy(Shape):
    """Log in to the chat's agent in one of its ways."""

    chat_id: Id
    way: Id


class Pictured(Shape):
    """A picture belongs into the transcript."""

    kind: Literal["picture"] = "picture"
    picture: Picture


class Sounded(Shape):
    """A sound belongs into the transcript."""

    kind: Literal["sound"] = "sound"
    sound: Sound


Shown = Pictured | Sounded
"""What is shown beside words."""
