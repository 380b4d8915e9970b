"""The texts of slash commands and skills that somebody wrote for our own agent.

A command is a file `NAME.md` whose text is said in the place of `/NAME`; a skill is a folder with
a `SKILL.md`, which the agent reads when its description fits, and which can be said by its name
too. Nothing in such a text is run or filled in by being read, but `$ARGUMENTS` once it is said.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import text_of
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["COMMANDS", "SKILLS", "SUB_AGENTS", "Skill", "skills_in"]

_MAX_SKILLS: Final = 64
_MAX_SKILL_LETTERS: Final = 32_000
"""In letters: longer ones are left out, since half of one may say something else."""
_SET_IN: Final = late(r"\n(?:[ \t]+|(?=- ))")
_FOLDED: Final = late(r"^ *[>|][+-]? +")
"""What says that a value goes on in the lines below."""
_NAME: Final = late(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}")

COMMANDS: Final = "commands"
SKILLS: Final = "skills"
SUB_AGENTS: Final = "agents"
_ENDINGS: Final = {SKILLS: "/SKILL.md", COMMANDS: ".md", SUB_AGENTS: ".md"}
"""What stands behind a name in the folder of each kind."""


@frozen(kw_only=True)
class Skill:
    """Something that the agent can read up, or a command whose text is said."""

    kind: str
    name: str
    says: str
    hint: str
    tools: str
    """The tools that are all it may use; nothing where it may use any."""
    other_tools: str
    """Those that it may not use."""
    text: str
    place: str
    """Where it stands, by its own name."""
    path: str
    """The same, resolved."""
    whole: str
    """All of its file, what stands before its text too."""


def skills_in(folder: str, kind: str, may_read: Callable[[str], bool]) -> Iterator[Skill]:
    """What a folder holds of one kind, of the files that may be read by their resolved paths."""
    ending = _ENDINGS[kind]
    try:
        every = os.listdir(folder)  # noqa: PTH208 -- strings in and out
    except OSError:
        return
    # What could be none takes no place of what is.
    names = sorted(
        file_name for file_name in every if _NAME.fullmatch(file_name.removesuffix(ending))
    )
    for entry in names[:_MAX_SKILLS]:
        name = entry.removesuffix(ending)
        place = f"{folder}/{name}{ending}"
        path = os.path.realpath(place)
        if _NAME.fullmatch(name) and Path(path).is_file() and may_read(path):
            whole = _text(path)
            if whole:
                head, text = _parted(whole)
                yield Skill(
                    kind=kind,
                    name=name,
                    says=head.get("description") or text.partition("\n")[0].lstrip("# "),
                    hint=head.get("argument-hint", ""),
                    tools=head.get("tools", ""),
                    other_tools=head.get("disallowedTools", ""),
                    text=text,
                    place=place,
                    path=path,
                    whole=whole,
                )


def _text(path: str) -> str:
    try:
        text = text_of(path, path) or ""
    except CallUnreadable:
        return ""
    return text if len(text) <= _MAX_SKILL_LETTERS else ""


def _parted(whole: str) -> tuple[dict[str, str], str]:
    """What stands before a text between two lines `---`, if anything does, and the text."""
    whole = whole.removeprefix("\ufeff").replace("\r\n", "\n")
    begun, _, rest = whole.partition("\n")
    before, mark, after = rest.partition("\n---\n")
    if begun.strip() != "---" or not mark:
        return {}, whole.strip()
    # A line that is set in goes on with the one before.
    lines = _SET_IN.sub(" ", before).splitlines()
    pairs = (line.partition(":") for line in lines)
    return {
        key.strip("\"' "): _FOLDED.sub("", value).strip("\"' ") for key, _, value in pairs
    }, after.strip()
