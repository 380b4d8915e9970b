"""Whether an agent uses the files with which a repository configures it.

An agent that can be kept from them starts without them, and the next session is told what they say
once a person agreed. One that reads them itself is not started before that. Whatever is doubtful
counts as not agreed to; each session looks anew.
"""

import asyncio
from collections.abc import Callable
from typing import Final

from assent.gate.call.errors import AgentFailed
from assent.gate.settings.wishes import Standing, Wish
from assent.gate.values import define, evolve, field, frozen
from assent.hosting.connection.process import program_of
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.recipes.recipe import GENERAL, Recipe
from assent.hosting.recipes.recipes import recipe_for
from assent.hosting.repositories.configuration import nearest
from assent.hosting.repositories.consent_answers import (
    ConsentAnswers,
    NoConsent,
    names_of,
    wish_of,
)
from assent.hosting.repositories.repository import (
    RepositoryFiles,
    found_in,
    left_out_in,
    read_before_asking,
    unheld_in,
)
from assent.hosting.repositories.sources import Taken

__all__ = ["Consent", "Handed", "recipe_before"]

_UNHELD: Final = (
    "{} would go by what `{}` of this workspace says of hooks. That may change what was ruled on,"
    " or leave out Assent's own hook, so it was not started here."
)
_UNFIT_READ: Final = (
    "{name} would go by what this repository says, and {unfit}, so nobody can be shown what it"
    " would do. It was not started here."
)
_UNFIT_HANDED: Final = (
    "This repository configures {name}, and {unfit}, so nothing of that is let to {name}."
)
_WAITS: Final = (
    "This repository configures {name} in {files}, and {name} reads that by itself. It is started"
    " once you have let it; its card is open."
)
_KEPT_OFF: Final = (
    "This repository configures {name} in {files}, and you keep that off. {name} would read it"
    " all the same, so it was not started here."
)
_UNANSWERED: Final = (
    "This repository configures {name} in {files}, and nobody has let it, so {name} was not"
    " started here."
)
_CHANGED: Final = (
    "The files in which this repository configures {name} changed while it was being started, so"
    " its session was ended."
)


@frozen(kw_only=True)
class Handed:
    """What a session is handed of the files of a repository."""

    taken: tuple[Taken, ...] = ()
    wish: Wish | None = None
    """What a person is still to be asked."""
    left_out: tuple[str, ...] = ()
    """Files that the agent does not get whole."""


@define
class Consent:
    """What a person said of the repositories in which agents work."""

    _leave: ConsentAnswers = field(factory=NoConsent)

    async def admit(
        self, spec: AgentSpec, recipe: Recipe, folder: str, notice: Callable[[str], None]
    ) -> Wish | None:
        """Wait until an agent that reads such files itself may do so; raise where it may not."""
        unheld = unheld_in(recipe.read_here, folder)
        if unheld is not None:
            raise AgentFailed(_UNHELD.format(spec.name, unheld))
        files = await _look_before(recipe, folder)
        if files.unfit:
            raise AgentFailed(_UNFIT_READ.format(name=spec.name, unfit=files.unfit))
        if not files.files:
            return None
        wish, blanks = (
            wish_of(spec, recipe, files, is_handed=False),
            {"name": spec.name, "files": names_of(files)},
        )
        standing = self._leave.standing(wish)
        if standing is None:
            notice(_WAITS.format(**blanks))
            standing = await self._leave.ask(wish, spec.name)
        if standing is not Standing.GRANTED:
            words = _UNANSWERED if standing is None else _KEPT_OFF
            raise AgentFailed(words.format(**blanks))
        return wish

    async def insist(
        self, spec: AgentSpec, recipe: Recipe, folder: str, admitted: Wish | None
    ) -> None:
        """Raise where an agent that reads such files itself may have read others than those."""
        files = await _look_before(recipe, folder)
        now = wish_of(spec, recipe, files, is_handed=False) if files.files else None
        changed = files.unfit or (now and now.digest) != (admitted and admitted.digest)
        if changed or unheld_in(recipe.read_here, folder) is not None:
            raise AgentFailed(_CHANGED.format(name=spec.name))

    async def handed(
        self, spec: AgentSpec, recipe: Recipe, folder: str, notice: Callable[[str], None]
    ) -> Handed:
        """What an agent is told of such files, and what a person is still to be asked."""
        left = await asyncio.to_thread(left_out_in, recipe.sources, folder)
        if not recipe.is_handed:
            return Handed(left_out=left)
        files = await _look(recipe, folder)
        if files.unfit:
            notice(_UNFIT_HANDED.format(name=spec.name, unfit=files.unfit))
        if not files.files:
            return Handed(left_out=files.left_out)
        files = evolve(files, files=nearest(files.files))
        wish = wish_of(spec, recipe, files, is_handed=True)
        standing = self._leave.standing(wish)
        let = standing is Standing.GRANTED
        return Handed(
            taken=tuple(file.taken for file in files.files) if let else (),
            wish=None if standing else wish,
            left_out=(*(file.path for file in files.files if not let), *files.left_out),
        )

    def is_granted(self, wish: Wish) -> bool:
        """Whether a person has let it by now."""
        return self._leave.standing(wish) is Standing.GRANTED

    async def ask(self, spec: AgentSpec, wish: Wish) -> bool:
        """Ask a person; whether they let it."""
        return await self._leave.ask(wish, spec.name) is Standing.GRANTED


async def _look_before(recipe: Recipe, folder: str) -> RepositoryFiles:
    """What it would go by before it can be told anything."""
    sources = () if recipe.is_handed else recipe.read_here
    return await asyncio.to_thread(read_before_asking, sources, folder)


async def _look(recipe: Recipe, folder: str) -> RepositoryFiles:
    return await asyncio.to_thread(found_in, recipe.read_here, folder)


def recipe_before(spec: AgentSpec, folder: str, roots: tuple[str, ...]) -> Recipe:
    """What is known of an agent that is not started yet; what ails its start is told then."""
    try:
        return recipe_for(program_of(spec, folder, roots), spec.args)
    except AgentFailed:
        return GENERAL
