"""What the server asks of the editor, and what the editor reports about itself."""

from typing import Annotated, Any, Literal

from pydantic import Field

from assent.editor.protocol.shapes import Id, Line, Shape

__all__ = [
    "Bypass",
    "Confirm",
    "Confirmed",
    "EditorPlace",
    "Expected",
    "Inspect",
    "Inspected",
    "Layers",
    "OpenDiff",
    "OpenDiffTicket",
    "OpenDiffs",
    "OpenPage",
    "PageOpened",
    "Progress",
    "RunEnded",
    "RunInTerminal",
    "SecretName",
    "SecretValue",
    "SetSecret",
    "SettingsFiles",
    "WriteSetting",
    "Written",
]


class Inspect(Shape):
    """Who wrote what in this section of the settings?"""

    section: Literal["assent"] = "assent"


class Layers(Shape):
    """One key, by who set it; a layer that says nothing is absent or null."""

    default: Any = None
    user: Any = None
    workspace: Any = None
    folder: Any = None


class SettingsFiles(Shape):
    """Where each layer is written, as a URI; a layer without a file of its own is absent."""

    user: str | None = None
    workspace: str | None = None
    folders: list[str] = Field(default_factory=list)
    """Of a workspace that has a file of its own, the file of each folder in it."""


class EditorPlace(Shape):
    """A file or folder that decides what the editor, its extensions or this one do."""

    uri: str
    kind: Literal["settings", "data", "secrets", "extension", "extensions", "program"]
    """`extension` is this one; `extensions` hold others; `program` is the editor's own."""


class Inspected(Shape):
    """Every key of the section, by who set it."""

    trusted: bool
    """Whether the person trusts this workspace, in the editor's sense."""
    keys: dict[str, Layers]
    """By key, without the section's name: `bypassPermissions`, not `assent.bypassPermissions`."""
    files: SettingsFiles | None = None
    """Where they are written, where the editor can tell."""
    places: list[EditorPlace] = Field(default_factory=list)
    """What of this machine's makes the editor what it is; changes there are always asked about."""


class Expected(Shape):
    """What stood in a layer when it was read; null where nothing did."""

    value: Any = None


class WriteSetting(Shape):
    """Write one setting through the editor's own settings."""

    scope: Literal["user", "workspace"]
    key: Annotated[str, Field(pattern=r"^[a-zA-Z]+$")]
    value: Any
    """Null takes the key out."""
    expected: Expected | None = None
    """What must still stand there; null where that does not matter."""


class Written(Shape):
    """Whether it was written; `because` says why not."""

    written: bool
    because: str = ""
    changed: bool = False
    """Whether it was not written because something else stands there than was expected."""


_OURS = r"attestationKey|(attestation|journal|chats)Mark\.[0-9a-f]{32}"

_NAME = r"[A-Za-z_][A-Za-z0-9_]{0,127}"

_LOGIN = r"serverLogIn\.[a-z0-9][a-z0-9-]{0,63}(\.[0-9a-f]{32})?"

_INPUT = r"serverInput\.[0-9a-f]{32}"

SecretText = Annotated[
    str, Field(pattern=rf"^({_OURS}|{_LOGIN}|{_INPUT}|(modelKey|agentSecret|variable)\.{_NAME})$")
]
"""`attestationKey`; how far something that it seals had come; or `modelKey.` and the name of a
model's key, `agentSecret.` and the name of a secret of agents, or `serverLogIn.` and the name of a
server of tools at which the person is logged in, with a digest of what it comes to; without one it
is what a version before kept, which is looked at and taken out; or `serverInput.` and a digest of
what asks for it, for what the person said of a question in a workspace's file; or `variable.` and
the name of a variable in the editor's environment, since the server is started without those that
may hold a key."""


class SecretName(Shape):
    """A secret in the editor's own store, or a variable of its environment."""

    name: SecretText


class SecretValue(Shape):
    """The secret, or null where there is none."""

    value: str | None = None


class SetSecret(Shape):
    """Keep a secret in the editor's own store."""

    name: Annotated[str, Field(pattern=rf"^({_OURS}|{_LOGIN})$")]
    value: str
    """An empty one takes out what is kept."""


class AskSecret(Shape):
    """Ask the person for a secret that an agent is to be given, and keep it as `agentSecret.`."""

    name: Annotated[str, Field(pattern=rf"^{_NAME}$")]
    agent: str
    """What the agent is registered as."""


class SecretAsked(Shape):
    """Whether there is one now; it comes back by no answer but that to `secret/get`."""

    kept: bool


class RunInTerminal(Shape):
    """Run a program in a terminal that the person sees, in their home."""

    title: str
    program: str
    args: list[str]
    env: dict[str, str]
    """What it gets besides what terminals get."""


class RunEnded(Shape):
    """How it ended; null where the terminal was closed before."""

    code: int | None


class Confirm(Shape):
    """Ask by a native modal what a webview should not decide."""

    title: str
    detail: str
    actions: list[str]
    keeps: str = ""
    """The first button, where pressing Enter unread must change nothing; it counts as drawing
    back."""


class Confirmed(Shape):
    """The action that was chosen, or null where the person drew back."""

    action: str | None = None


class OpenPage(Shape):
    """Open a page in the person's browser, once they have seen where it leads and want that."""

    title: str
    detail: str
    """What they have to know; the whole address stands in it."""
    action: str
    """What the button says."""
    url: Annotated[str, Field(pattern=r"^https?://[!-~]+$")]


class PageOpened(Shape):
    """Whether it was opened."""

    opened: bool


class Progress(Shape):
    """Show how something goes that a person began; nothing where nobody looks at it any more."""

    of: Id
    """What was begun, by the id with which it was."""
    says: str


class OpenDiffTicket(Shape):
    """Show a waiting edit in the editor's own diff."""

    approval_id: Id
    file: Annotated[int, Field(ge=0)] = 0
    """Which of the card's files."""


class OpenDiff(Shape):
    """Show these two texts side by side."""

    title: str
    uri: str
    old: str
    new: str
    approval_id: Id | None = None
    """The ticket that the buttons in the title bar answer; null where there is nothing to
    answer."""


class OpenDiffs(Shape):
    """Show these files in one tab, each with its two texts."""

    title: str
    files: Annotated[list[OpenDiff], Field(min_length=1)]


class Bypass(Shape):
    """Begin or cease to ask for an agent, from a command or a button."""

    agent_id: Id
    on: bool
    reason: Line | None = None
