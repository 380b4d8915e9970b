"""What the folders of a workspace tell another agent, as far as it is nothing but words.

An agent that is kept from all that a repository has for it is told the words of it: instructions,
skills, commands and sub-agents. Of a skill and a command it is told where it stands, so that it
reads the text by a call: an agent that is handed one runs commands and reads files that it names.
Of what stands in front of a text only the members count that can do nothing.
"""

import json
from collections.abc import Callable, Iterator
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

_PLAIN: Final = late(r"[\w./ +,=~#%()\[\]-]+")
"""A path that means nothing else to an agent."""
_TOOLS: Final = late(r"\w[\w.-]*")
_NAMES_TOOLS: Final = late(r"(?im)^[^\w\n]*+(?:disallowed)?tools[^\w\n:]*+:")
_LISTED: Final = late(r"\[?(?:\s*+(?:- )?[\"']?\w[\w.-]*+[\"']?\s*+,?)*+\]?")
"""A list of tools in any of its forms."""


def folder_words(
    policies: Policies, places: Callable[[], Places]
) -> Callable[[ChatId, AgentId, Recipe, str], FolderWords]:
    """Tells an agent in a chat what the folders say to it, down to the one that it works in."""

    def words(chat: ChatId, agent: AgentId, recipe: Recipe, folder: str) -> FolderWords:
        if not recipe.guides:
            return NO_WORDS
        guides = evolve(guides_of(policies, places, agent), names=recipe.guides, are_all_told=True)
        said = guides.on_way_to(chat, [folder]).values()
        texts = texts_of(guides, chat, folder, recipe.texts_in) if recipe.texts_in else NO_WORDS
        return evolve(texts, guides="\n\n".join(said))

    return words


def texts_of(guides: Guides, chat: ChatId, folder: str, texts_in: str) -> FolderWords:
    """Skills, commands and sub-agents of a folder, of those that may be told."""
    if not _PLAIN.fullmatch(folder):
        return NO_WORDS
    texts, left_out = dict[str, str](), list[str]()
    for kind in (SKILLS, COMMANDS, SUB_AGENTS):
        at = f"{folder}/{texts_in}/{kind}"
        for skill in skills_in(at, kind, lambda path: guides.tells(chat, path)):
            name = f"{kind}/{skill.place.removeprefix(f'{at}/')}"
            if _is_clear(skill):
                texts[name] = "\n".join(_lines(skill))
            else:
                left_out.append(f"{texts_in}/{name}")
    return FolderWords(texts=texts, left_out=tuple(left_out))


def _is_clear(skill: Skill) -> bool:
    """Whether a sub-agent surely gets no more tools than it is to have."""
    lists = [tools for tools in (skill.tools, skill.other_tools) if tools]
    front = skill.whole[: skill.whole.find("---", 4)]
    is_sure = len(_NAMES_TOOLS.findall(front)) == len(lists) and all(map(_LISTED.fullmatch, lists))
    return is_sure or skill.kind != SUB_AGENTS


def _lines(skill: Skill) -> Iterator[str]:
    """What an agent is handed of a text, in words that can be read in one way only."""
    head: dict[str, str | list[str]] = {
        "name": skill.name,
        "description": skill.says.replace("---", "—"),
        "argument-hint": skill.hint.replace("---", "—"),
    }
    if skill.kind == SUB_AGENTS:
        head["tools"] = _TOOLS.findall(skill.tools)
        head["disallowedTools"] = _TOOLS.findall(skill.other_tools)
    yield "---"
    yield from (f"{name}: {json.dumps(value)}" for name, value in head.items() if value)
    yield "---"
    if skill.kind == SUB_AGENTS:
        yield skill.text
        return
    yield f"[Read `{skill.place}` and do what it says; the files that it names lie beside it."
    yield "These are its arguments: $ARGUMENTS]"
