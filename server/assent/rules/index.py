"""All rules, each where it is looked up: by tool, then by words, path, host or name."""

from collections.abc import Iterable, Sequence
from typing import Final

from attrs import frozen

from assent.rules.argvs import Argvs
from assent.rules.entries import Entry, ranked
from assent.rules.hosts import Hosts
from assent.rules.named import Named
from assent.rules.notation import TOOLS
from assent.rules.paths import Paths
from assent.rules.written import WrittenRule
from assent.text.patterns import late
from assent.verdicts import Verdict

__all__ = ["Index"]

_WILD: Final = late(r"\*\*/|[*?]")


@frozen(kw_only=True, eq=False)
class Index:
    """What a book looks its rules up in."""

    argvs: Argvs
    paths: dict[str, Paths]
    hosts: Hosts
    named: dict[str, Named]
    allows_writes: bool
    refuses_paths: bool
    """Whether some rule denies or asks about a path, whoever asks."""

    @classmethod
    def of(
        cls, rules: Iterable[WrittenRule], roots: Sequence[str], homes: Sequence[str]
    ) -> "Index":
        """The index of these rules, for these folders."""
        by_tool = _ranked(rules)
        return cls(
            argvs=Argvs.of(by_tool["shell"]),
            paths={what: Paths.of(by_tool[what], roots, homes) for what in ("read", "write")},
            hosts=Hosts.of(by_tool["fetch"]),
            named={kind: Named.of(by_tool[kind]) for kind in ("mcp", "run", "agent", "effect")},
            allows_writes=any(it.rule.verdict is Verdict.ALLOW for it in by_tool["write"]),
            refuses_paths=any(
                it.rule.verdict is not Verdict.ALLOW for it in (*by_tool["read"], *by_tool["write"])
            ),
        )


def _ranked(rules: Iterable[WrittenRule]) -> dict[str, list[Entry]]:
    by_tool: dict[str, list[WrittenRule]] = {tool: [] for tool in TOOLS}
    for rule in rules:
        by_tool[rule.tool].append(rule)
    return {tool: ranked(of_tool, _specific) for tool, of_tool in by_tool.items()}


def _specific(rule: WrittenRule) -> tuple[int, ...]:
    """How much a rule says: to the letter before its beginning, and the longer before that."""
    if rule.tool == "shell":
        return (int(rule.exact), len(rule.words))
    named = (int("*" not in rule.about), len(_WILD.sub("", rule.about)))
    return (*named, len(rule.arguments))
