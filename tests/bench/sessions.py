"""Counts the cards that sessions of agents draw, where a person saves a rule on each card that
offers one: `PYTHONPATH=tests python -m bench.sessions FILE`.

Each line of the file is a JSON object with `session`, `cwd` and `command`; the workspace is the
folder `project` in a home. The gate rules on each command as it would in a chat, and what a card
suggests is kept until the session ends. Nothing is run.
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
from assent.gate.call.verdicts import Verdict
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
    for mode in (Mode.DEFAULT, Mode.ACCEPT_EDITS):
        for name, texts in (("no rules", ()), (f"{len(_RULES)} rules", _RULES)):
            counts = Counter[str]()
            for session in sessions:
                counts += _count(session, mode, [written(text, Verdict.ALLOW) for text in texts])
            asked, left = counts["asked"], counts["asked"] - counts["spared"]
            print(
                f"{mode.value}, {name}: {asked:,} of {len(rows):,} commands are asked about;",
                end=" ",
            )
            print(f"{left:,} cards ({left / asked:.0%}) where each suggestion is saved;", end=" ")
            print(f"{counts['nothing']:,} suggested nothing, {counts['exact']:,} that very command")


def _count(session: Iterable[dict[str, Any]], mode: Mode, rules: list[WrittenRule]) -> Counter[str]:
    counts, kept = Counter[str](), list(rules)
    for row in session:
        given = {"command": row["command"], "cwd": row["cwd"]}
        places = evolve(_PLACES, own_files=_OWN_FILES.get(row["agent"], ()))
        call = call_of(Question(tool="shell", input=given), places)

        if is_asked := _asks(call, mode, rules, places):
            counts["asked"] += 1
        policy = _policy(mode, kept)
        ruling = ruled(call, policy, places)
        if ruling.verdict is not Verdict.ASK:
            counts["spared"] += is_asked
            continue
        allow = suggested_rules(with_tasks(call, places), policy, places, ruling).allow
        counts["nothing"] += not allow
        counts["exact"] += bool(allow) and not any(text.endswith((":*)", "**)")) for text in allow)
        kept += [written(text, Verdict.ALLOW) for text in allow]
    return counts


def _asks(call: Any, mode: Mode, rules: list[WrittenRule], places: Places) -> bool:
    return ruled(call, _policy(mode, rules), places).verdict is Verdict.ASK


def _policy(mode: Mode, rules: Iterable[WrittenRule]) -> Policy:
    book = Book.of(rules, _PLACES.roots, _PLACES.home)
    return Policy(mode=mode, book=book, trusted=True)


if __name__ == "__main__":
    main(sys.argv[1])
