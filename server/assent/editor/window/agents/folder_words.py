"""What the folders of a workspace tell another agent, as far as it is nothing but words.

An agent that is kept from all that a repository has for it is told the words of it: instructions,
skills, commands and sub-agents. A text that would have something run or read by being read is left
out, and of what stands in front of one only the members count that can do nothing.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from assent.editor.window.agents.own.guides import Guides
from assent.editor.window.agents.own.setup import guides_of
from assent.editor.window.agents.own.skill_texts import (
    COMMANDS,
    SKILLS,
    SUB_AGENTS,
    Skill,
    skills_in,
)
from assent.editor.window.settings.policies import Policies
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.disk.places import Places
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve
from assent.hosting.recipes.recipe import NO_WORDS, FolderWords, Recipe

__all__ = ["folder_words", "texts_of"]

_ACTS: Final = late(r"""!`|```!|(?<![\w`])@[\w.~/"-]""")
"""By which a text has a command run, or a file read, when it is read."""


def folder_words(
    policies: Policies, places: Callable[[], Places]
) -> Callable[[ChatId, AgentId, Recipe, str], FolderWords]:
    """Tells an agent in a chat what the folders say to it, down to the one that it works in."""

    def words(chat: ChatId, agent: AgentId, recipe: Recipe, folder: str) -> FolderWords:
        if not recipe.guides:
            return FolderWords()
        guides = evolve(
            guides_of(policies, places, agent),
            names=recipe.guides,
            are_all_told=True,
        )
        said = guides.on_way_to(chat, [folder]).values()
        texts = texts_of(guides, chat, folder, recipe.texts_in) if recipe.texts_in else NO_WORDS
        return evolve(texts, guides="\n\n".join(said))

    return words


def texts_of(guides: Guides, chat: ChatId, folder: str, texts_in: str) -> FolderWords:
    """Skills, commands and sub-agents of a folder, of those that may be told."""
    skills = {
        f"{kind}/{skill.place.removeprefix(f'{folder}/{texts_in}/{kind}/')}": skill
        for kind in (SKILLS, COMMANDS, SUB_AGENTS)
        for skill in _skills(guides, chat, f"{folder}/{texts_in}/{kind}", kind)
    }
    acting = [name for name, skill in skills.items() if _ACTS.search(skill.whole)]
    texts = {name: "\n".join(_lines(skills[name])) for name in skills if name not in acting}
    return FolderWords(texts=texts, left_out=tuple(f"{texts_in}/{name}" for name in acting))


def _skills(guides: Guides, chat: ChatId, folder: str, kind: str) -> Iterator[Skill]:
    return skills_in(folder, kind, lambda path: guides.tells(chat, path))


def _lines(skill: Skill) -> Iterator[str]:
    """A text with what may stand in front of it, in words that can be read in one way only."""
    head = {"name": skill.name, "description": skill.says, "argument-hint": skill.hint}
    if skill.kind == SUB_AGENTS:
        head["tools"] = skill.tools
    yield "---"
    yield from (f"{name}: {json.dumps(value)}" for name, value in head.items() if value)
    yield "---"
    if skill.kind == SKILLS:
        yield f"[The other files of this skill: {Path(skill.path).parent}]\n"
    yield skill.text
