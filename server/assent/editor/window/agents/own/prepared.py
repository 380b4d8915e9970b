"""Commands and skills for our own agent: the person's, and a workspace's.

Of a workspace's files only those count that the person took, as they took them
(`editor/window/agents/own/workspace_skills`); what the person prepared goes before what has the
same name there. Nothing counts that a rule forbids to read.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from assent.editor.window.agents.own.skill_texts import COMMANDS, SKILLS, Skill, skills_in
from assent.gate.disk.places import Places
from assent.gate.journal.agent_events import Command
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["FOLDER", "Prepared"]

FOLDER: Final = ".config/assent"
"""From the person's home."""

_SAID: Final = late(r"(?s)/([A-Za-z0-9_-]+)(?:\s+(.*))?")
_ARGUMENTS: Final = "$ARGUMENTS"
_OF_WORKSPACE: Final = " (from this repository)"


@frozen(kw_only=True)
class Prepared:
    """Where it is found."""

    places: Callable[[], Places]
    may_read: Callable[[str], bool]
    """Whether no rule forbids to read the file at a resolved path."""
    taken: Callable[[], Iterable[Skill]] = tuple
    """What the person took of the workspace's files."""

    def commands(self) -> tuple[Command, ...]:
        """What can be said with a slash; it says what comes from the workspace."""
        own = self._own()
        skills = {**self._named(self._taken()), **own}
        return tuple(
            Command(
                name=name,
                says=skill.says if name in own else f"{skill.says}{_OF_WORKSPACE}",
                hint=skill.hint,
            )
            for name, skill in sorted(skills.items())
        )

    def said(self, text: str) -> str:
        """The words that a prompt stands for: those of a command, or its own."""
        match = _SAID.fullmatch(text.strip())
        all_of_them = {**self._named(self._taken()), **self._own()} if match else {}
        skill = all_of_them.get(match[1]) if match else None
        if match is None or skill is None:
            return text
        given = (match[2] or "").strip()
        if _ARGUMENTS in skill.text:
            return skill.text.replace(_ARGUMENTS, given)
        return f"{skill.text}\n\n{given}".strip()

    def skills(self) -> dict[str, Skill]:
        """The skills, by name."""
        taken = (skill for skill in self._taken() if skill.kind == SKILLS)
        return {**{skill.name: skill for skill in taken}, **self._of(SKILLS)}

    def note(self) -> str:
        """What the agent is told of the skills; nothing where there are none."""
        own = self._of(SKILLS)
        taken = {name: skill for name, skill in self.skills().items() if name not in own}
        notes = (_listed("of the person", own), _listed("of this repository", taken))
        return "\n".join(filter(None, notes))

    def _own(self) -> dict[str, Skill]:
        return {**self._of(SKILLS), **self._of(COMMANDS)}

    def _of(self, kind: str) -> dict[str, Skill]:
        folder = f"{self.places().home}/{FOLDER}/{kind}"
        return {skill.name: skill for skill in skills_in(folder, kind, self.may_read)}

    def _taken(self) -> list[Skill]:
        return [skill for skill in self.taken() if self.may_read(skill.path)]

    def _named(self, skills: Iterable[Skill]) -> dict[str, Skill]:
        """Each by its name; a command goes before a skill, as among the person's own."""
        return {
            skill.name: skill for skill in sorted(skills, key=lambda skill: skill.kind == COMMANDS)
        }


def _listed(whose: str, skills: Mapping[str, Skill]) -> str:
    lines = [f"- {name}: {skill.says}" for name, skill in skills.items()]
    return "\n".join([f"[Skills {whose}, to be read by use_skill:", *lines, "]"]) if lines else ""
