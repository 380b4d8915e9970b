"""The mode that lets the most pass, in a workspace of its own."""

from pathlib import Path

from assent.disk.places import Places
from assent.modes import Mode
from assent.policy.decide import decide
from assent.policy.policy import Policy
from assent.rules.book import Book
from assent.rules.notation import written
from assent.verdicts import Ruling, Verdict
from policy.samples import running

__all__ = ["ruled"]


def ruled(
    root: Path, command: str, mode: Mode = Mode.AUTO, *, allow: str = "", deny: str = ""
) -> Ruling:
    """What is said of a command in a workspace that lies in a home, with at most a rule of each."""
    places = Places(roots=(str(root),), home=str(root.parent))
    rules = [written(it, Verdict.ALLOW) for it in [allow] if it]
    rules += [written(it, Verdict.DENY) for it in [deny] if it]
    book = Book.of(rules, places.roots, places.home)
    return decide(
        running(command, cwd=str(root)), Policy(mode=mode, trusted=True, book=book), places
    )
