"""One terminal agent: where its hook is written, and who reads its calls."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from assent.gate.call.calls import AgentId, ChatId
from assent.gate.disk.places import Places
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.values import evolve, frozen
from assent.hosting.hooks.administrator_hooks import Anchor
from assent.hosting.hooks.hook_places import HookPlace
from assent.hosting.hooks.hook_words import HookWords
from assent.hosting.install.agent_version import Versions
from assent.hosting.permission.calls import Reader
from assent.hosting.recipes.recipe import Recipe
from assent.hosting.recipes.recipes import RECIPES

__all__ = ["PREFIX", "Terminal", "naming"]

_MAX_FILE_BYTES: Final = 1024 * 1024

PREFIX: Final = "connected:"
"""What stands before its name where such an agent is told from one that is hosted."""

Switches = Sequence[tuple[str, *tuple[Sequence[str], ...]]]
"""Files of a repository, each with the words that stand in it, or with several ways to say it."""


@frozen(kw_only=True)
class Terminal:
    """One such agent."""

    id: str
    name: str
    home: str
    """The folder of its own settings, below the person's home."""
    variable: str
    """The variable that names another folder for them."""
    file: str
    """The file in it that names its hooks."""
    place: HookPlace
    """How its hook stands there."""
    off: Switches = ()
    """The files of a repository that turn hooks off, each with the words that do."""
    anchor: Anchor | None = None
    """What holds against them, where there is anything."""
    rewritten_in: Callable[[str], str | None] = lambda _: None
    """The file of a repository by which a call may change once it was ruled on."""
    in_turn: bool = False
    """Whether it runs its hooks one after the other, so that none can wait for another."""
    trust: str = ""
    """The file in which it keeps which hooks the person has trusted, where it runs no others."""
    versions: Versions | None = None
    """What its versions do with the hook, where that is not the same of each."""
    refusal: str = ""
    """What its hook prints that failed, where a sentence would refuse less."""

    own: tuple[Recipe, HookWords] | None = None
    """What its tools are and how its hooks are spoken with, where no hosted one has these."""

    @property
    def recipe(self) -> Recipe:
        """What its tools are."""
        return (
            self.own[0] if self.own else next(recipe for recipe in RECIPES if recipe.id == self.id)
        )

    @property
    def words(self) -> HookWords:
        """How its hooks are spoken with."""
        if self.own:
            return self.own[1]
        assert self.recipe.hooking is not None  # noqa: S101 -- each of the others has hooks
        return self.recipe.hooking.words

    @property
    def agent(self) -> AgentId:
        """As whom it is ruled on."""
        return AgentId(PREFIX + self.id)

    def reader(self, chat: ChatId, cwd: str, places: Places) -> Reader:
        """Who reads its calls in a chat, with the disk as it is at this moment."""
        later = self.recipe.types_later
        places = evolve(places, own_files=self.recipe.own_files(places.home, cwd))
        return Reader(chat=chat, agent=self.agent, cwd=cwd, places=places, types_later=later)

    def settings(self, home: Path, environment: Mapping[str, str]) -> Path:
        """The file that names its hooks."""
        home_variable = environment.get(self.variable)
        return (Path(home_variable) if home_variable else home / self.home) / self.file

    def turned_off_in(self, folder: str) -> str | None:
        """The file of a repository that may turn its hooks off; None where none does."""
        return None if self.is_held else naming(self.off, folder)

    @property
    def is_held(self) -> bool:
        """Whether no repository turns its hooks off."""
        return self.anchor is not None and self.anchor.holds

    @property
    def loose(self) -> str:
        """What a repository can still do to its hooks, and who could hold it; none if nothing."""
        if not self.off or self.is_held:
            return ""
        warning = f"A repository can turn the hooks of {self.name} off"
        if self.anchor is None:
            return f"{warning}."
        return f"{warning}, until an administrator {self.anchor.how}"


def naming(files: Switches, folder: str) -> str | None:
    """The first of these files of a repository that says in one of its ways what it is here for."""
    if os.path.realpath(folder) == os.path.realpath(Path.home()):
        return None  # What lies there is the person's own.
    for name, *ways in files:
        try:
            text = read_ordinary(Path(folder) / name, _MAX_FILE_BYTES).decode("utf-8", "replace")
        except FileNotFoundError:
            continue
        except OSError:
            return name  # What nobody can read may say so.
        if any(all(word in text for word in words) for words in ways):
            return name
    return None
