"""Counts the cards that sessions of agents draw, where a person saves a rule on each card that
offers one: `PYTHONPATH=tests python -m bench.sessions FILE`.

Each line of the file is a JSON object with `session`, `cwd` and `command`; the workspace is the
folder `project` in a home. The gate rules on each command as it would in a chat, and what a card
suggests is kept until the session ends. Nothing is run: with a sandbox a command may run on a copy
instead of being asked about, and what it would change there is not known here.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import Question, call_of, ruled, with_tasks
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.policy import Policy
from assent.gate.ruling.suggestions import suggested_rules
from assent.gate.values import evolve
from assent.hosting.recipes.claude import RECIPE as CLAUDE

__all__ = ["main"]

_PLACES: Final = Places(roots=("/home/dev/project",), home="/home/dev")
_OWN_FILES: Final = {
    "Claude Code": tuple(
        pattern.replace("-home-dev-project", "*").replace(f"claude-{os.getuid()}", "claude-*")
        for pattern in CLAUDE.own_files("/home/dev", "/home/dev/project")
    )
}
"""What an agent keeps for itself: in the sessions its folder and its user have other names."""
_RULES: Final = (
    *(f"shell(go {word}:*)" for word in ("build", "test", "vet", "fmt", "run")),
    *(f"shell(npm run {word}:*)" for word in ("build", "test", "lint", "typecheck")),
    *(f"shell({word}:*)" for word in ("npm test", "npx tsc", "npx vitest", "npx eslint")),
    *(f"shell(dotnet {word}:*)" for word in ("build", "test", "run", "format")),
    *(f"shell(cargo {word}:*)" for word in ("build", "test", "check", "clippy", "fmt")),
    *(f"shell({word}:*)" for word in ("pytest", "python -m pytest", "ruff check", "mypy")),
    *(f"shell(swift {word}:*)" for word in ("build", "test")),
    *(f"shell(git {word}:*)" for word in ("add", "commit", "checkout", "stash")),
)
"""What somebody may have for the builds, tests and commits of a project."""


def main(path: str) -> None:
    """Print how many cards are drawn, by mode and rules."""
    rows = [json.loads(line) for line in Path(path).read_text("utf-8").splitlines()]
    sessions = [list(group) for _, group in groupby(rows, lambda row: row["session"])]
    for mode in (Mode.DEFAULT, Mode.ACCEPT_EDITS, Mode.AUTO):
        for name, texts in (("no rules", ()), (f"{len(_RULES)} rules", _RULES)):
            rules = [written(text, Verdict.ALLOW) for text in texts]
            for where, is_tried in (("no sandbox", False), ("a sandbox", True)):
                counts = [_count(session, mode, rules, is_tried=is_tried) for session in sessions]
                print(f"{mode.value}, {name}, {where}: {_told(counts, len(rows))}")


def _told(counts: list[Counter[str]], commands: int) -> str:
    each = sorted(count["asked"] for count in counts)
    total = sum(counts, Counter[str]())
    asked, left = total["asked"], total["asked"] - total["spared"]
    return (
        f"{asked:,} of {commands:,} commands are asked about, in a session {each[len(each) // 2]}"
        f" (median) and {each[len(each) * 9 // 10]} (90th percentile);"
        f" {left:,} cards ({left / asked:.0%}) where each suggestion is saved;"
        f" {total['nothing']:,} suggested nothing, {total['exact']:,} that very command"
    )


def _count(
    session: Iterable[dict[str, Any]], mode: Mode, rules: list[WrittenRule], *, is_tried: bool
) -> Counter[str]:
    counts, kept = Counter[str](), list(rules)
    for row in session:
        given = {"command": row["command"], "cwd": row["cwd"]}
        places = evolve(_PLACES, own_files=_OWN_FILES.get(row["agent"], ()))
        made = call_of(Question(tool="shell", input=given), places)
        call = evolve(made, untried="" if is_tried else None, has_sandbox=is_tried)
        if is_asked := _asks(ruled(call, _policy(mode, rules), places)):
            counts["asked"] += 1
        policy = _policy(mode, kept)
        ruling = ruled(call, policy, places)
        if not _asks(ruling):
            counts["spared"] += is_asked
            continue
        allow = suggested_rules(with_tasks(call, places), policy, places, ruling).allow
        counts["nothing"] += not allow
        counts["exact"] += bool(allow) and not any(text.endswith((":*)", "**)")) for text in allow)
        kept += [written(text, Verdict.ALLOW) for text in allow]
    return counts


def _asks(ruling: Ruling) -> bool:
    return ruling.verdict is Verdict.ASK and not ruling.may_try


def _policy(mode: Mode, rules: Iterable[WrittenRule]) -> Policy:
    book = Book.of(rules, _PLACES.roots, _PLACES.home)
    return Policy(mode=mode, book=book, trusted=True, tries=True, holds=True)


if __name__ == "__main__":
    main(sys.argv[1])
