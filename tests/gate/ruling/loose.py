"""The mode that lets the most pass, in a workspace of its own."""

from pathlib import Path

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import running

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
