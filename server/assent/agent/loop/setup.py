"""What the server gives our own agent, and the limits of one turn."""

import random
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Final

from assent.agent.models.provider import Provider
from assent.agent.tools.media_maker import Maker
from assent.agent.tools.tool import Trials
from assent.catalogue.documents.port import Documents
from assent.catalogue.nodes.catalogue import Catalogue
from assent.catalogue.workflows.runs import Runs
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.modes import Mode
from assent.gate.disk.buffers import Buffers
from assent.gate.processes.shell import Shell
from assent.gate.values import field, frozen

__all__ = ["MAX_SUBTASK_DEPTH", "Limits", "Setup"]

MAX_SUBTASK_DEPTH: Final = 3
"""How many parts of the work may lie within each other."""


@frozen(kw_only=True)
class Limits:
    """How far one turn may go, with all its parts, before the person has to say something."""

    rounds: int = 100
    """How often the model is asked to go on."""
    tokens: int = 50_000_000
    """How many tokens the model may read and write, all requests together."""
    part_tokens: int = 10_000_000
    """The same for one part of the work, with those within it."""
    writes: int = 100
    """How many calls may change files."""


@frozen(kw_only=True)
class Setup:
    """What the agent asks the house for, at the moment when it needs it."""

    provider: Callable[[str], Awaitable[Provider]]
    """The model of that id; raises `ModelFailed`."""
    mode: Callable[[ChatId], Mode]
    go_in: Callable[[ChatId, Mode], None]
    """Lets a chat work in the mode that a plan was approved with; raises where it may not."""
    limits: Callable[[], Limits]
    search_url: Callable[[], str]
    interpreter: Callable[[], str]
    """What the person has commands run by."""
    facts: Callable[[ChatId], str]
    """What the model should know of the place."""
    guides: Callable[[ChatId], dict[str, str]]
    """What the person and the folders of the workspace say to agents, by path."""
    skill: Callable[[ChatId, str], str | None]
    """What the person wrote down of how something is done, by its name."""
    guides_near: Callable[[ChatId, Iterable[str]], dict[str, str]]
    """What folders say on the way to files, by resolved path."""
    state_folder: Path
    buffers: Buffers
    """What the person has typed and not saved."""
    may_read: Callable[[ChatId, AgentId, str], bool]
    """Whether nothing forbids the agent to read the file at a resolved path."""
    denies_none: Callable[[ChatId, AgentId], bool]
    """Whether nothing forbids the agent to read any file of the workspace."""
    look: Callable[[ChatId], Awaitable[str]]
    """What the person sees in the editor, of files that the agent may read."""
    problems: Callable[[ChatId, Iterable[str]], Awaitable[str]]
    """What the editor finds wrong in files, by resolved path, that were just changed."""
    changed_shell: Callable[[ChatId, Shell], None]
    """Told whenever a shell of a chat began, went to the background, or ended."""
    nodes: Catalogue = field(factory=Catalogue)
    """What servers offer."""
    documents: Documents | None = None
    """The collections that were set up."""
    runs: Runs | None = None
    """What is kept of runs of workflows."""
    maker: Maker | None = None
    """The models that make pictures and speech."""
    trials: Trials | None = None
    """Runs commands on copies of the workspace."""
    chance: Callable[[], float] = random.random
    """Spreads those whom a host turned away together."""

    async def close(self) -> None:
        """Nothing of it is asked for any more."""
        await self.nodes.source.close()
        if self.documents is not None:
            await self.documents.close()
        if self.runs is not None:
            await self.runs.close()
