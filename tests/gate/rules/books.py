"""Books, words and paths to test rules with, and a slow book that says what a fast one must say."""

from typing import Any

from assent.gate.call.calls import AgentId, Target
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.rules.book import Asker, Book, RuleMatches
from assent.gate.rules.notation import written
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.shell.word import Unknown, Word, word_of

__all__ = [
    "ASKER",
    "HOME",
    "ROOT",
    "allow",
    "argv",
    "ask",
    "book",
    "deny",
    "fits",
    "letters",
    "place",
    "said",
    "unknown",
]

ROOT = "/home/ada/till"
HOME = "/home/ada"
ASKER = Asker(agent=AgentId("eliza"), mode=Mode.DEFAULT, now=1_000.0)


def allow(text: str, **more: Any) -> WrittenRule:
    """A rule that allows."""
    return written(text, Verdict.ALLOW, **more)


def ask(text: str, **more: Any) -> WrittenRule:
    """A rule that asks."""
    return written(text, Verdict.ASK, **more)


def deny(text: str, **more: Any) -> WrittenRule:
    """A rule that denies."""
    return written(text, Verdict.DENY, **more)


def book(*rules: WrittenRule, roots: tuple[str, ...] = (ROOT,)) -> Book:
    """The book of these rules."""
    return Book.of(rules, roots, HOME)


def argv(line: str) -> tuple[Word, ...]:
    """Plain words; `$x` is not known, and a `*` stands for names."""
    return tuple(
        unknown(text) if text.startswith("$") else word_of(text, glob="*" in text)
        for text in line.split()
    )


def unknown(text: str = "$x") -> Word:
    """A word that only running would tell."""
    return Unknown(text=text)


def place(path: str, *, resolved: str = "") -> Target:
    """A path below the workspace, unless it is absolute or in the home."""
    whole = path.replace("~", HOME, 1) if path[:1] == "~" else path
    named = whole if whole.startswith("/") else f"{ROOT}/{whole}"
    real = resolved or named
    return Target(
        spelled=path, named=named, resolved=real, inside=real.startswith(ROOT), shown=path
    )


def said(found: RuleMatches) -> str:
    """What is found, by its strictest: `deny`, `ask`, `perhaps`, `allow` or nothing."""
    names = ("deny", "ask", "perhaps", "allow")
    return next((name for name in names if getattr(found, name) is not None), "")


def fits(pattern: list[str], path: list[str]) -> bool:
    """Whether a path fits a pattern: told slowly, by trying everything."""
    if not pattern:
        return not path
    if pattern[0] == "**":
        return fits(pattern[1:], path) or (bool(path) and fits(pattern, path[1:]))
    return bool(path) and letters(pattern[0], path[0]) and fits(pattern[1:], path[1:])


def letters(pattern: str, name: str) -> bool:
    """Whether a name fits a segment: told slowly as well."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return letters(pattern[1:], name) or (bool(name) and letters(pattern, name[1:]))
    return bool(name) and pattern[0] in {"?", name[0]} and letters(pattern[1:], name[1:])
