"""What agents of other people tell of themselves and show, as values."""

from attrs import frozen

from assent.calls import CallId, ChatId

__all__ = [
    "AgentTitled",
    "AgentWord",
    "Choice",
    "Command",
    "CommandsTold",
    "Drafted",
    "Image",
    "Images",
    "LogInTold",
    "LogInWay",
    "OptionsTold",
    "Pictured",
    "Setting",
]


@frozen(kw_only=True)
class AgentTitled:
    """What an agent calls the chat; nothing takes that back."""

    chat: ChatId
    title: str


@frozen(kw_only=True)
class Command:
    """A word with a slash that an agent knows."""

    name: str
    says: str
    hint: str = ""
    """What may stand behind it."""


@frozen(kw_only=True)
class CommandsTold:
    """The commands that an agent knows are now these."""

    chat: ChatId
    commands: tuple[Command, ...]


@frozen(kw_only=True)
class Choice:
    """One value of an agent's own setting."""

    value: str
    name: str


@frozen(kw_only=True)
class Setting:
    """A setting that an agent keeps itself, such as its own mode."""

    id: str
    name: str
    now: str
    """One of the values."""
    choices: tuple[Choice, ...]


@frozen(kw_only=True)
class OptionsTold:
    """An agent's own settings are now these."""

    chat: ChatId
    settings: tuple[Setting, ...]
    loose: str = ""
    """How they let it ask less, in a sentence; nothing where they do not."""


@frozen(kw_only=True)
class Image:
    """A picture, in one of the kinds that are shown, and how large it is drawn."""

    mime: str
    data: str
    """Its bytes, in base64."""
    width: int
    height: int


@frozen(kw_only=True)
class LogInWay:
    """One way to log in to an agent, in the agent's own words."""

    id: str
    kind: str
    """`agent` where it does that itself, else `env_var` or `terminal`."""
    name: str
    says: str
    variables: tuple[str, ...] = ()
    """What it is to be given in its environment."""
    args: tuple[str, ...] = ()
    """What its program is started with in a terminal."""


@frozen(kw_only=True)
class LogInTold:
    """Somebody can log in to the chat's agent now; without ways, nobody needs to."""

    chat: ChatId
    ways: tuple[LogInWay, ...] = ()
    because: str = ""
    """Why it did not work, in a sentence."""
    busy: str = ""
    """The way that is gone just now."""


Images = tuple[Image, ...]


@frozen(kw_only=True)
class Pictured:
    """An agent shows a picture: it says it, or it is what a call gave."""

    chat: ChatId
    image: Image
    call: CallId | None = None
    is_own: bool = False
    """Whether the person shows it to the agent."""


@frozen(kw_only=True)
class Drafted:
    """The model writes a long call, which nobody has judged; or it writes none any more."""

    chat: ChatId
    what: str = ""
    """What it proposes, in our words; nothing where it writes none."""
    path: str = ""
    """The file that it is about, in the model's words; nothing where nobody knows it."""
    size: int = 0
    """How many bytes of it there are."""


AgentWord = AgentTitled | CommandsTold | Drafted | LogInTold | OptionsTold | Pictured
"""Whatever an agent tells of itself, and shows."""
