"""What a person has prepared for our own agent in their home: commands to be said, and skills.

A command is a file `NAME.md` whose text is said in the place of `/NAME`; a skill is a folder with
a `SKILL.md`, which the agent reads when its description fits, and which can be said by its name
too. Nothing of a workspace counts here, and nothing that a rule forbids to read.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from attrs import frozen

from assent.disk.files import text_of
from assent.disk.places import Places
from assent.errors import CallUnreadable
from assent.history.agentwords import Command
from assent.text.patterns import late

__all__ = ["FOLDER", "Prepared", "Skill"]

FOLDER: Final = ".config/assent"
"""From the person's home."""

_MOST: Final = 64
_LONGEST: Final = 32_000
"""In letters: longer ones are left out, since half of one may say something else."""
_NAME: Final = late(r"[A-Za-z0-9][A-Za-z0-9_-]{0,40}")
_SAID: Final = late(r"(?s)/([A-Za-z0-9_-]+)(?:\s+(.*))?")
_ARGUMENTS: Final = "$ARGUMENTS"


@frozen(kw_only=True)
class Skill:
    """Something that the agent can read up, or a command whose text is said."""

    name: str
    says: str
    hint: str
    text: str


@frozen(kw_only=True)
class Prepared:
    """Where it is found."""

    places: Callable[[], Places]
    may_read: Callable[[str], bool]
    """Whether no rule forbids to read the file at a resolved path."""

    def commands(self) -> tuple[Command, ...]:
        """What can be said with a slash."""
        found = {**self.skills(), **self._prompts()}
        return tuple(
            Command(name=it.name, says=it.says, hint=it.hint) for _, it in sorted(found.items())
        )

    def said(self, text: str) -> str:
        """The words that a prompt stands for: those of a command, or its own."""
        match = _SAID.fullmatch(text.strip())
        found = {**self.skills(), **self._prompts()}.get(match[1]) if match else None
        if match is None or found is None:
            return text
        given = (match[2] or "").strip()
        if _ARGUMENTS in found.text:
            return found.text.replace(_ARGUMENTS, given)
        return f"{found.text}\n\n{given}".strip()

    def skills(self) -> dict[str, Skill]:
        """The skills, by name."""
        return {it.name: it for it in self._read("skills", "/SKILL.md")}

    def note(self) -> str:
        """What the agent is told of the skills; nothing where there are none."""
        lines = [f"- {it.name}: {it.says}" for it in self.skills().values()]
        told = "\n".join(["[Skills of the person, to be read by use_skill:", *lines, "]"])
        return told if lines else ""

    def _prompts(self) -> dict[str, Skill]:
        return {it.name: it for it in self._read("commands", ".md")}

    def _read(self, kind: str, ending: str) -> Iterator[Skill]:
        folder = f"{self.places().home}/{FOLDER}/{kind}"
        try:
            names = sorted(os.listdir(folder))[:_MOST]  # noqa: PTH208 -- strings in and out
        except OSError:
            return
        for entry in names:
            name = entry.removesuffix(ending)
            path = os.path.realpath(f"{folder}/{name}{ending}")
            if _NAME.fullmatch(name) and Path(path).is_file() and self.may_read(path):
                text = _text(path)
                if text:
                    yield _skill(name, text)


def _text(path: str) -> str:
    try:
        text = text_of(path, path) or ""
    except CallUnreadable:
        return ""
    return text if len(text) <= _LONGEST else ""


def _skill(name: str, text: str) -> Skill:
    """A file with what stands before its text between two lines `---`, if anything does."""
    head: dict[str, str] = {}
    begun, _, rest = text.partition("\n")
    before, mark, after = rest.partition("\n---\n")
    if begun.strip() == "---" and mark:
        pairs = (line.partition(":") for line in before.splitlines())
        head = {key.strip(): value.strip().strip("\"'") for key, _, value in pairs}
        text = after
    first = text.strip().partition("\n")[0].lstrip("# ")
    return Skill(
        name=name,
        says=head.get("description") or first,
        hint=head.get("argument-hint", ""),
        text=text.strip(),
    )
