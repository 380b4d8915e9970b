"""Completions for rules in the editor: forms, examples, and faults."""

from collections.abc import Iterable
from typing import Any, Final

from assent.gate.rules.notation import EFFECTS, TOOLS

__all__ = ["EFFECT_FORMS", "FORMS", "RULE_SCHEMA", "snippets"]

RULE_SCHEMA: Final[dict[str, Any]] = {
    "pattern": rf"^({'|'.join(TOOLS)})\(.+\)(\{{.+\}})?$",
    "patternErrorMessage": (
        "A rule is written as a tool and what it is about: shell(git status:*), read(./src/**),"
        " write(./docs/*.md), fetch(domain:example.org), network(example.org:443),"
        " mcp(server:tool), run(workflow:NAME), agent(NAME) or effect(write:outside)."
    ),
}
"""Beside the type of a rule's text. The server says more of what it cannot read."""


FORMS: Final = (
    "shell(git status:*)",
    "shell(npm test)",
    "read(./src/**)",
    "write(./docs/*.md)",
    "fetch(domain:example.org)",
    "network(example.org:443)",
    "mcp(server:tool)",
    "mcp(server:get_*)",
    "mcp(server:tool){key=value}",
    "run(workflow:NAME)",
    "agent(NAME)",
)
"""A rule of each form."""

EFFECT_FORMS: Final = tuple(f"effect({name})" for name in sorted(EFFECTS))


def snippets(examples: Iterable[str]) -> list[dict[str, Any]]:
    """What the editor offers to put into a list of rules."""
    plain: list[dict[str, Any]] = [{"label": example, "body": example} for example in examples]
    whole: dict[str, Any] = {
        "label": "A rule with a reason and examples",
        "body": {"rule": "$1", "why": "$2", "matches": ["$3"], "spares": ["$4"]},
    }
    return [*plain, whole]
