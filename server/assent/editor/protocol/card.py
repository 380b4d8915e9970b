"""Everything that a card shows; the server makes it from the parsed call.

Texts are spans; the spans of a text joined by `text` are that text, byte for byte, so a
client that draws every span hides nothing.
"""

from typing import Annotated, Literal

from pydantic import Field, SerializeAsAny

from assent.editor.protocol.pictures import CardPicture
from assent.editor.protocol.questions import Choice, FormBody, OptionKind, PlanBody, QuestionBody
from assent.editor.protocol.shapes import Id, Shape
from assent.editor.protocol.spans import Row, Span

__all__ = [
    "Because",
    "Body",
    "Card",
    "CardOption",
    "Choice",
    "EditBody",
    "EditedFile",
    "FormBody",
    "Hunk",
    "HunkLine",
    "Level",
    "OptionKind",
    "OtherBody",
    "PlanBody",
    "QuestionBody",
    "ReadBody",
    "Row",
    "Scope",
    "ShellBody",
    "ShellPart",
    "Span",
    "Touch",
    "TrustBody",
    "TrustFile",
]

Level = Literal["low", "medium", "high"]

Scope = Literal["chat", "workspace", "here", "user"]
"""Where a rule would be written."""


class ShellPart(Shape):
    """One simple command of a shell call."""

    operator: str = ""
    """All that stands between it and the part before, to the letter, such as ` && `. It holds
    nothing that would not be seen."""
    text: list[Span]
    verdict: Literal["allow", "ask", "deny"]
    because: str
    """Why; nothing where the card says so for all of them, or the part before has said it."""
    rule: str | None = None
    """The rule that says so, where one does."""
    source: str | None = None
    """Where that rule is written."""
    grave: bool = False
    """Whether the card's consequence speaks of this one."""


class ShellBody(Shape):
    """A shell command, or the steps of a workflow, each on a line of its own.

    Where there are parts, their operators and texts in order, and then the tail, are the command.
    """

    kind: Literal["shell"] = "shell"
    command: list[Span]
    """The whole command; longer ones fold in the middle, never at the end."""
    readable: bool
    """False where the command could not be read into its parts."""
    parts: list[ShellPart]
    tail: str = ""
    """What stands behind the last part, to the letter."""
    cwd: list[Span]


class HunkLine(Shape):
    """One line of a change."""

    sign: Literal["+", "-", " "]
    text: list[Span]


class Hunk(Shape):
    """A stretch of changed lines with their surroundings."""

    old_start: int
    new_start: int
    lines: list[HunkLine]
    heading: list[Span] = Field(default_factory=list[Span])
    """The function, key or section that it stands in, as far as that can be told."""


class EditedFile(Shape):
    """One file as the call would change it."""

    path: list[Span]
    uri: str
    """The file's `file:` URI, for the editor's own diff."""
    new: bool
    """Whether the file does not exist yet."""
    added: int
    removed: int
    hunks: list[Hunk]


class EditBody(Shape):
    """Changes to files."""

    kind: Literal["edit"] = "edit"
    rows: list[Row] = Field(default_factory=list[Row])
    """What becomes of files beside their lines, what is deleted first; shown before the files."""
    files: list[EditedFile]


class ReadBody(Shape):
    """Files or folders that would be read."""

    kind: Literal["read"] = "read"
    paths: list[list[Span]]


class OtherBody(Shape):
    """Anything else, as rows, with its whole JSON under Details."""

    kind: Literal["other"] = "other"
    rows: list[Row]
    json_text: list[Span]
    picture: CardPicture | None = None


class TrustFile(Shape):
    """A file of the workspace that says what an agent is to do."""

    path: list[Span]
    rows: list[Row]
    """What it says, in names and values."""
    text: list[Span]
    """All of it, to the letter."""


class TrustBody(Shape):
    """Something the workspace's own files ask for."""

    kind: Literal["trust"] = "trust"
    setting: str
    """The setting's key, such as `assent.bypassPermissions`; nothing where files ask by
    themselves."""
    value: list[Span]
    """The exact value that the workspace claims."""
    effect: str
    """What granting it would do, in a sentence."""
    files: list[TrustFile] = Field(default_factory=list)
    """The files that ask, where they are not the settings."""


# Each is written by its own shape: of a union pydantic would first make plain Python, then JSON.
Body = SerializeAsAny[
    Annotated[
        ShellBody
        | EditBody
        | ReadBody
        | OtherBody
        | TrustBody
        | PlanBody
        | QuestionBody
        | FormBody,
        Field(discriminator="kind"),
    ]
]


class Touch(Shape):
    """Something the call would touch: a file, the network, the place it runs in."""

    name: str
    """What sort of thing, such as `Files` or `Runs in`."""
    text: list[Span]


class Because(Shape):
    """Why the person is asked."""

    text: str
    rule: str | None = None
    """The rule's literal text, where a rule asked."""
    source: str | None = None
    """Where the rule is written, such as `user settings, line 12`."""


class CardOption(Shape):
    """One way to answer."""

    id: Id
    kind: OptionKind
    label: str
    """What the button says."""
    detail: str = ""
    """What it will do, in a sentence, where the label alone does not say it."""
    rules: list[str] = Field(default_factory=list)
    """The literal rules that it would write, one for each part that asked; they may be edited."""
    scopes: list[Scope] = Field(default_factory=list)
    """Where they may be written, the one to begin with first."""
    in_sandbox: bool = False
    """Whether its rules would count for commands in the sandbox alone."""
    choices: list[str] = Field(default_factory=list)
    """What a person chooses among: the parts of the call, as the body shows them."""


class Card(Shape):
    """The picture of one open ticket."""

    agent_id: str
    agent_name: str
    chat_title: str
    mode: str
    """The chat's mode, in words."""
    sandbox: Literal["none", "trial"] | None = None
    """Whether a command runs in one; `trial` where it ran in one already, and this is about what it
    changed. Null where nothing runs."""
    title: list[Span]
    """A verb and an object, in plain words."""
    consequence: str | None = None
    level: Level
    body: Body
    members: list[Row] = Field(default_factory=list)
    """Every member of the call that its body does not draw: variables, limits, and what is only
    known by its name."""
    touches: list[Touch]
    because: Because
    primary: Literal["allow", "deny"]
    """Which of the two main buttons is drawn as the one to press."""
    options: list[CardOption]
    edits: str | None = None
    """The text of the call's input that may be changed before it is allowed, by its name; it is
    judged anew then, and stands on a card of a new revision."""
    says: list[Span] | None = None
    """The agent's own words about the call: plain, labelled, judged by nobody."""
