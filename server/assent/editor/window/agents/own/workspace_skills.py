"""The skills and commands that a workspace's files offer, as a wish.

They are words, and what the agent does by them passes the gate as ever. But they are said as the
person's, so nothing of them counts before the person took these very texts: one wish for each
folder of the workspace, answered and kept as that to any file by which a repository configures an
agent. What is used is the text whose digest was agreed to; once any file is another, all of them
are off again.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from assent.editor.window.agents.own.skill_texts import COMMANDS, SKILLS, Skill, skills_in
from assent.gate.disk.places import Places
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.wishes import REPOSITORY, Standing, Wish, WishedFile
from assent.gate.values import define, frozen
from assent.hosting.repositories.consent_answers import ConsentAnswers

__all__ = ["FOLDERS", "Offered", "WorkspaceSkills"]

FOLDERS: Final = (".claude", ".agents")
"""Where a workspace keeps them, from its folder; what stands in the last goes before the others."""

_MAX_SKILLS: Final = 50
_MAX_SHOWN_LETTERS: Final = 256 * 1024
"""In letters: more than this nobody is shown of all the files together."""

_EFFECT: Final = (
    "Assent's agent would be told what each skill is about, and may read it when that fits; a"
    " command is said as your own words where you name it. They allow nothing: what the agent does"
    " by them is ruled on as ever."
)


@frozen(kw_only=True)
class Offered:
    """What one folder of the workspace offers."""

    folder: str
    skills: tuple[Skill, ...]

    @property
    def is_too_much(self) -> bool:
        """Whether nobody could be shown all of it."""
        return (
            len(self.skills) > _MAX_SKILLS
            or sum(len(skill.whole) for skill in self.skills) > _MAX_SHOWN_LETTERS
        )

    @property
    def wish(self) -> Wish:
        """The wish that our own agent is offered exactly these texts."""
        return Wish(
            key=REPOSITORY,
            name=ASSENT.id,
            value={
                "agent": ASSENT.id,
                "folder": self.folder,
                "files": {self._name(skill): _digest(skill) for skill in self.skills},
            },
            effect=_EFFECT,
            files=tuple(map(self._as_wished, self.skills)),
        )

    def _name(self, skill: Skill) -> str:
        return skill.place.removeprefix(f"{self.folder.rstrip('/')}/")

    def _as_wished(self, skill: Skill) -> WishedFile:
        rows = [(f"Offers the {_KINDS[skill.kind]} /{skill.name}", skill.says)]
        if skill.path != skill.place:
            rows.append(("Is a link to", skill.path.removeprefix(f"{self.folder.rstrip('/')}/")))
        return WishedFile(path=self._name(skill), rows=tuple(rows), text=skill.whole)


_KINDS: Final = {COMMANDS: "command", SKILLS: "skill"}


@define
class WorkspaceSkills:
    """All folders of a workspace."""

    _leave: ConsentAnswers
    _places: Callable[[], Places]

    def offered(self) -> Iterator[Offered]:
        """What lies in the folders now."""
        for root in dict.fromkeys(map(os.path.realpath, self._places().roots)):
            offer = Offered(folder=root, skills=tuple(_list_skills(root)))
            if offer.skills:
                yield offer

    def taken(self) -> tuple[Skill, ...]:
        """What the person took, as it lies there now; that of the first folder goes before."""
        granted = [offer for offer in self.offered() if self._standing(offer) is Standing.GRANTED]
        return tuple(skill for offer in reversed(granted) for skill in offer.skills)

    def unanswered(self) -> tuple[Offered, ...]:
        """What the person has not answered, nor could be shown."""
        return tuple(offer for offer in self.offered() if self._standing(offer) is None)

    async def ask(self, offered: Offered) -> bool:
        """Ask the person; whether they took it."""
        return await self._leave.ask(offered.wish, ASSENT.name) is Standing.GRANTED

    def _standing(self, offered: Offered) -> Standing | None:
        return None if offered.is_too_much else self._leave.standing(offered.wish)


def _list_skills(root: str) -> Iterator[Skill]:
    """The texts of a folder, none of which a link leads out of it; one of two folders is both."""
    kinds = ((folder, kind) for folder in FOLDERS for kind in (SKILLS, COMMANDS))
    each = (
        skill
        for folder, kind in kinds
        for skill in skills_in(
            f"{root.rstrip('/')}/{folder}/{kind}", kind, partial(_is_below, root)
        )
    )
    return iter({(skill.kind, skill.name, skill.path): skill for skill in each}.values())


def _is_below(root: str, path: str) -> bool:
    return path.startswith(f"{root.rstrip('/')}/")


def _digest(skill: Skill) -> str:
    return hashlib.sha256(skill.whole.encode("utf-8", "surrogatepass")).hexdigest()
