"""What agents of other people report and show, as values."""

from typing import Final

from assent.gate.call.calls import CallId, ChatId
from assent.gate.journal.file_changes import FilesChanged
from assent.gate.journal.flows import FlowMoved
from assent.gate.text.fences import fenced
from assent.gate.text.sounds import Sound
from assent.gate.values import frozen

__all__ = [
    "ALONE",
    "MAX_MEDIA_A_TURN",
    "MORE_SHOWN",
    "AgentTitled",
    "AgentWord",
    "Beside",
    "Choice",
    "Command",
    "CommandsTold",
    "Drafted",
    "Image",
    "LogInTold",
    "LogInWay",
    "OptionsTold",
    "Pictured",
    "Reference",
    "Setting",
    "Shown",
    "Sounded",
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
    left_out: str = ""
    """What it is kept from of the person's and the workspace's configuration, in sentences."""


@frozen(kw_only=True)
class Image:
    """A picture, in one of the kinds that are shown, and how large it is drawn."""

    mime: str
    data: str
    """Its bytes, in base64."""
    width: int
    height: int
    moves: bool = False
    """Whether it has more than one frame."""


Shown = Image | Sound
"""What is shown beside words."""


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


@frozen(kw_only=True)
class Reference:
    """Something that the person names beside a prompt, as it stood when that was said."""

    name: str
    """What it is called where the prompt is shown, in one line."""
    about: str
    """What it is, in words for a model, such as `lines 3–4 of till.py`."""
    text: str
    """What stands there, or the beginning of it."""
    is_whole: bool = True
    """Whether that is all of it."""
    is_end: bool = False
    """Whether its beginning is left out where there is too little room, and not its end."""
    uri: str = ""
    """The address of the file; nothing where it is about several."""
    is_part: bool = False
    """Whether it is a part of that file, which nobody but us can point out."""
    is_unsaved: bool = False
    """Whether the disk has another text."""

    @property
    def quoted(self) -> str:
        """What it is, and what stands there in a fence, for whoever is told in words."""
        part = "ends" if self.is_end else "begins"
        cut = "" if self.is_whole else f", too long to be quoted whole; it {part} so"
        return f"{self.about}{cut}:\n{fenced(self.text)}"


@frozen(kw_only=True)
class Beside:
    """What goes with a prompt beside its words."""

    images: tuple[Image, ...] = ()
    references: tuple[Reference, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """What was named, as it is shown."""
        return tuple(reference.name for reference in self.references)


ALONE: Final = Beside()
"""Nothing goes with it."""


MAX_MEDIA_A_TURN: Final = 20
"""So many pictures and sounds an agent shows in a chat in one turn; of more a sentence tells."""
MORE_SHOWN: Final = "{} shows more pictures and sounds than are shown here."
"""The sentence, with the agent's name."""


@frozen(kw_only=True)
class Pictured:
    """An agent shows a picture: it says it, or it is what a call gave."""

    chat: ChatId
    image: Image
    call: CallId | None = None
    is_own: bool = False
    """Whether the person shows it to the agent."""
    path: str = ""
    """The file that it stands in, by its resolved path; nothing where nobody here knows of one."""


@frozen(kw_only=True)
class Sounded:
    """An agent has something to be heard: it says it, or it is what a call gave."""

    chat: ChatId
    sound: Sound
    call: CallId | None = None


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


AgentWord = (
    AgentTitled
    | CommandsTold
    | Drafted
    | FilesChanged
    | FlowMoved
    | LogInTold
    | OptionsTold
    | Pictured
    | Sounded
)
"""Whatever an agent tells of itself, shows, and leaves in files."""
