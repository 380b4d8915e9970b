"""A recipe: what is known about one agent, so that it asks and its calls are read correctly."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from assent.gate.text.lazy_patterns import late
from assent.gate.values import field, frozen
from assent.hosting.hooks.hook_words import Hooked, HookWords
from assent.hosting.permission.parts import shown_anyway, shown_beside
from assent.hosting.permission.patches import FilePatch, patch_in
from assent.hosting.permission.toolcall import Asking
from assent.hosting.repositories.configuration import servers_of
from assent.hosting.repositories.sources import Source, Taken

__all__ = [
    "GENERAL",
    "HOUR_S",
    "NO_SETTINGS",
    "NO_WORDS",
    "FolderWords",
    "Hooking",
    "LogInCommand",
    "OwnSettings",
    "Recipe",
    "letters_of",
]

HOUR_S: Final = 3_600
"""In seconds: how long an agent waits for its hook, and so for a person."""
_SPARE_S: Final = 60
"""In seconds: by so much a hook gives up earlier than its agent gives up on it."""
_NO_LETTER: Final = late(r"[^A-Za-z0-9]")


def letters_of(folder: str) -> str:
    """What several agents call the folder in which they keep what they know of a project.

    >>> letters_of("/code/my.app")
    '-code-my-app'
    """
    return _NO_LETTER.sub("-", folder)


@frozen(kw_only=True)
class OwnSettings:
    """What of the person's own settings an agent goes by that can be kept from them."""

    are_read: bool = False
    left_out: str = ""
    """Why they are not read, as a sentence goes on."""
    lost: str = ""
    """Which of them it has nothing of: `all`, `servers` or `servers and sub-agents`."""


NO_SETTINGS: Final = OwnSettings()


@frozen(kw_only=True)
class FolderWords:
    """What the folders of a workspace tell an agent, as far as it is nothing but words."""

    guides: str = ""
    texts: Mapping[str, str] = field(factory=dict, hash=False)
    """Skills, commands and sub-agents, by their paths in a plugin."""
    left_out: tuple[str, ...] = ()
    """Those of which it is not clear what they may do."""
    plugin: str = ""
    """Where these lie, once they have been put there."""


NO_WORDS: Final = FolderWords()


@frozen(kw_only=True)
class Hooking:
    """How an agent's hook is put into it."""

    words: HookWords
    seconds: float = HOUR_S - _SPARE_S
    """After which the hook gives up; fewer than the agent waits."""
    holds: bool = True
    """Whether the agent waits for it as long as for a person, whatever its own mode is."""
    meta: Callable[[str, Sequence[Taken], OwnSettings, FolderWords], dict[str, Any]] = lambda *_: {}
    """What `session/new` says in `_meta` with the hook's command line, with what a person lets a
    repository have the agent do, with their own settings, and with what folders tell in words."""
    env: Callable[[str], dict[str, str]] = lambda _: {}
    """Variables with which the agent is started for that."""
    files: Callable[[str], dict[str, str]] = lambda _: {}
    """Files that it reads for that, by their paths in a folder of its own."""
    args: Callable[[str], tuple[str, ...]] = lambda _: ()
    """Words with which it is started for that, by that folder's path."""
    variables: Callable[[str], dict[str, str]] = lambda _: {}
    """Variables that lead it to these files, by that folder's path."""


@frozen(kw_only=True)
class LogInCommand:
    """What a person types in a terminal to log in to an agent."""

    program: str
    words: tuple[str, ...] = ()
    own_words: tuple[str, ...] | None = None
    """The words for the agent's own program, where these are others."""


@frozen(kw_only=True)
class Recipe:
    """What is known of one agent."""

    id: str
    packages: tuple[str, ...] = ()
    """Whose program it is, by the names of packages on the disk."""
    log_in: LogInCommand | None = None
    hooking: Hooking | None = None
    meta: Mapping[str, Any] = field(factory=dict, hash=False)
    """What `session/new` says in `_meta` where the hook cannot be."""
    env: Mapping[str, str] = field(factory=dict, hash=False)
    """Variables with which it is started in any case."""
    stays_by: Mapping[str, str] = field(factory=dict, hash=False)
    """Variables that hold it in the folder of its session, where it would follow a `cd` of its
    commands: it is started with them where it has no hook that could tell the folder of a call."""
    args: tuple[str, ...] = ()
    """Words with which it is started in any case."""
    kinds: Mapping[str, str] = field(factory=dict, hash=False)
    """What its own tools are, in the kinds of the Agent Client Protocol."""
    notes: frozenset[str] = frozenset()
    """Its tools that change nothing outside their chat, and read nothing but what runs in it."""
    changes: Callable[[str, Mapping[str, Any]], list[dict[str, Any]]] = lambda *_: []
    """The changes of files that one of its tools makes with an input."""
    patch: Callable[[Hooked], str | None] = lambda _: None
    """The text that may be a patch of files which the agent applies itself."""
    reads_patch: Callable[[str], list[FilePatch] | None] = patch_in
    """The files that such a text changes; None where it is no patch, none where nobody can tell."""
    joint: str = ""
    """What it puts between the name of a server and that of its tool, where it names them so."""
    titled: Callable[[str, str], Mapping[str, Any] | None] = lambda *_: None
    """The input of which it tells in the title of a call alone, which is its own word, by the
    call's kind and that title."""
    idle: frozenset[Asking] = frozenset()
    """How the asking for a call stands while it tells that the call goes on, which it does not."""
    follow_ups: Mapping[str, frozenset[str]] = field(factory=dict, hash=False)
    """The arguments with which it looks by itself at what an allowed call left running: the one
    that names it, and those beside that."""
    is_terse: bool = False
    """Whether its requests leave out what its hook was handed of the same call."""
    types_later: bool = False
    """Whether it types into programs that run, of which no hook is told."""
    own_files: Callable[[str, str], tuple[str, ...]] = lambda *_: ()
    """The files that it keeps for itself, by the person's home and the folder that it works in:
    words that it reads back, none that runs or is read as settings. Patterns of whole paths."""
    sources: tuple[Source, ...] = ()
    """The files by which a repository configures it: each folder and file of which it reads more
    than words."""
    own_settings: Callable[[Mapping[str, str]], OwnSettings] = lambda _: NO_SETTINGS
    """What of the person's own settings it may go by, by the variables that it is started with."""
    guides: tuple[str, ...] = ()
    """The files by which folders of the workspace tell it in words how to work there, where it is
    kept from these as from all that they have for it."""
    hears_guides: bool = False
    """Whether it is told these behind the first message."""
    texts_in: str = ""
    """The folder there with skills, commands and sub-agents for it, of which the same is so."""
    is_handed: bool = False
    """Whether it is kept from these files, and told what they say where a person agreed to that;
    else it reads them itself whatever it is told."""

    @property
    def read_here(self) -> tuple[Source, ...]:
        """Those of the files that it reads where we start it."""
        return tuple(source for source in self.sources if not source.is_switched)

    @property
    def hook_holds(self) -> bool:
        """Whether its hook holds it in every mode for as long as a person takes to answer."""
        return self.hooking is not None and self.hooking.holds

    def session_meta(
        self,
        line: str | None,
        taken: Sequence[Taken] = (),
        own: OwnSettings = NO_SETTINGS,
        words: FolderWords = NO_WORDS,
    ) -> dict[str, Any]:
        """What `session/new` says in `_meta`, with the hook's command line where there is one."""
        if line is None or self.hooking is None:
            return dict(self.meta)
        return {**self.meta, **self.hooking.meta(line, taken, own, words)}

    def servers(self, taken: Sequence[Taken]) -> list[Mapping[str, Any]]:
        """The servers with which a session is opened."""
        return servers_of(taken) if self.is_handed else []

    def environment(self, line: str | None) -> dict[str, str]:
        """Variables with which it is started."""
        if line is None or self.hooking is None:
            return {**self.env, **self.stays_by}
        return {**self.env, **self.hooking.env(line)}

    def whole(self, hooked: Hooked) -> dict[str, Any]:
        """A call that its hook was handed, as the Agent Client Protocol would tell of it."""
        kind = self.kinds.get(hooked.tool)
        changes = self.changes(hooked.tool, hooked.input) if kind == "edit" else []
        is_here = kind == "search" and not hooked.input.get("path")
        return {
            "toolCallId": hooked.call,
            "kind": kind,
            "rawInput": self._named(hooked) if kind is None else hooked.input,
            "content": changes,
            # What is searched without a path is the folder of the session.
            "locations": [{"path": "."}] if is_here else [],
            "name": hooked.tool,
        }

    def patched(self, hooked: Hooked) -> list[FilePatch] | None:
        """The files that a call patches; None where it patches none."""
        text = self.patch(hooked)
        return None if text is None else self.reads_patch(text)

    def looks_at(self, whole: dict[str, Any]) -> tuple[str, object] | None:
        """The name and the value under which something runs that a call only looks at."""
        raw = whole.get("rawInput")
        args = raw if isinstance(raw, dict) and shown_anyway(whole) == raw else {}
        names = (name for name, beside in self.follow_ups.items() if args.keys() == {name, *beside})
        return next(((name, args[name]) for name in names), None)

    def in_words(self, whole: Mapping[str, Any]) -> dict[str, Any] | None:
        """The call with what its title tells, where nothing else tells what it would do."""
        title, kind = whole.get("title"), whole.get("kind")
        if whole.get("rawInput") or not (isinstance(title, str) and isinstance(kind, str)):
            return None
        given = self.titled(kind, title) if title else None
        return None if given is None or shown_beside(whole) else {**whole, "rawInput": given}

    def _named(self, hooked: Hooked) -> Mapping[str, Any]:
        """The input of a tool that no kind is known of, with its name, which is a part of it.

        The name of a server's tool is read with the call, and a note is known by its own.
        """
        if hooked.tool in self.notes or hooked.tool.startswith("mcp__"):
            return hooked.input
        given = hooked.input
        return {"tool": hooked.tool, **({"input": given} if "tool" in given else given)}


GENERAL: Final = Recipe(id="")
"""Any agent of which nothing is known."""
