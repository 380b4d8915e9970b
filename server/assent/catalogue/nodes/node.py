"""One node: its source's description of it, and its identity.

Whatever a source says of a node stands in its definition, which is read by a model or by a person
and decides nothing here. A node is the same for as long as no letter of it has changed.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from assent.gate.call.calls import digest_of
from assent.gate.text.invisible_characters import hides
from assent.gate.values import field, frozen

__all__ = ["SAID", "Node", "definition_of", "fingerprint_of", "first_sentence", "shown", "unfit"]

SAID: Final = ("name", "title", "description", "inputSchema", "outputSchema", "annotations")
"""What a model, or a person, reads of a tool; the rest of what a server says of it is nothing."""

MAX_NAME_LETTERS: Final = 300
_MAX_LINE_LETTERS: Final = 160
_MAX_DEPTH: Final = 24


@frozen(kw_only=True)
class Node:
    """Something that can be run by its name."""

    source: str
    """Who offers it, by the name that the person gave them."""
    tool: str
    """What they call it."""
    schema: Mapping[str, Any] = field(hash=False)
    """What arguments it takes, as its source says."""
    fingerprint: str
    """The SHA-256 of all that its source says of it, and of who that is."""
    text: str = field(repr=False)
    """The same for a person to read."""
    said: str = field(repr=False, default="")
    """What a model reads of it: nothing of how the person starts its server."""
    destructive: bool = False
    """Whether its source says that it may destroy something."""
    kind: str = ""
    """Which program its server comes to, where Assent knows more of its tools: `browser`."""
    is_preset: bool = False
    """Whether Assent says how its server is started."""
    workspace: str = ""
    """The folder whose files name its server; nothing where the person's own settings do."""

    @property
    def name(self) -> str:
        """What it is run by."""
        return f"{self.source}:{self.tool}"

    @property
    def kept_as(self) -> str:
        """What it is known again by: two folders may call their servers alike."""
        return f"{self.name} {self.workspace}" if self.workspace else self.name

    def ordered(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments as a person looks for them: those that must be there first, in their order."""
        required, known = self.schema.get("required"), self.schema.get("properties")
        first = required if isinstance(required, list) else []
        rest = known if isinstance(known, dict) else {}
        order = [
            name for name in (*first, *rest, *given) if isinstance(name, str) and name in given
        ]
        return {name: given[name] for name in dict.fromkeys(order)}


def definition_of(tool: Mapping[str, Any]) -> dict[str, Any]:
    """What a tool is known by.

    >>> definition_of({"name": "a", "icons": [], "_meta": {}, "inputSchema": {}})
    {'name': 'a', 'inputSchema': {}}
    """
    return {name: tool[name] for name in SAID if tool.get(name) is not None}


def fingerprint_of(definition: Mapping[str, Any], server: Mapping[str, Any]) -> str:
    """What a tool of this server is known by, in one word."""
    return digest_of([server, definition])


def shown(definition: Mapping[str, Any], server: Mapping[str, Any]) -> str:
    r"""All that a fingerprint is made of, in lines, so that what changed can be seen.

    >>> print(shown({"name": "a", "description": "One.\nTwo."}, {"command": "/bin/x"}))
    command: /bin/x
    name: a
    description: One.
      Two.
    """
    both = [*server.items(), *definition.items()]
    return "\n".join(f"{name}: {_lines(value)}" for name, value in both)


def _lines(value: Any) -> str:
    if isinstance(value, str):
        return value.replace("\n", "\n  ")
    # So much space stands before what is deep that nobody could read it, or hold it.
    indent = 2 if _is_flat(value, _MAX_DEPTH) else None
    return json.dumps(value, ensure_ascii=False, indent=indent, sort_keys=True)


def _is_flat(value: Any, left: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value
    if not isinstance(value, dict | list):
        return True
    return left > 0 and all(_is_flat(nested, left - 1) for nested in inner)


def first_sentence(definition: Mapping[str, Any]) -> str:
    r"""One line of what a source says, for a list.

    >>> first_sentence({"description": "Makes  an issue.\nThen more."})
    'Makes an issue.'
    """
    said = str(definition.get("description") or definition.get("title") or "")[:1_000]
    line = " ".join("".join(char if char.isprintable() else " " for char in said).split())
    line = line.partition(". ")[0] + "." if ". " in line else line
    return line if len(line) <= _MAX_LINE_LETTERS else f"{line[:_MAX_LINE_LETTERS]}…"


def unfit(name: object) -> str:
    r"""Why nobody can be asked about a tool of this name; nothing where one can.

    >>> unfit("create_issue"), unfit("x\u202ey")
    ('', 'its name has letters that cannot be seen')
    """
    if not isinstance(name, str) or not name.strip():
        return "it has no name"
    if len(name) > MAX_NAME_LETTERS:
        return f"its name is longer than {MAX_NAME_LETTERS} letters"
    if not name.isprintable() or hides(name):
        return "its name has letters that cannot be seen"
    return "" if name == name.strip() else "its name begins or ends with a blank"
