"""Flags by which a command does less than without, and what takes them back behind them.

Whoever allows `git push --dry-run` or `npm ci --ignore-scripts` allows nothing that is done without
that flag; of most programs the last word on a flag is the one that counts.
"""

from itertools import pairwise
from typing import Final

from assent.programs.beside import Beside

__all__ = ["taken_back"]

_FALSE: Final = frozenset("false true 0 1 no yes none off on never".split())
"""What such a flag is given to be off, or on again."""
_ASKING: Final = {
    "-i": "-f --force",
    "-I": "-f --force",
    "-n": "-f --force -i",
    "--interactive": "-f --force",
    "--no-clobber": "-f --force -i",
}
_LOOKING: Final = dict.fromkeys(("--check", "--stat", "--numstat", "--summary"), "--apply")
_OPPOSITES: Final[dict[str, dict[str, str]]] = {
    **dict.fromkeys(("rm", "mv", "cp", "ln"), _ASKING),
    "git": {**_LOOKING, "-n": "--no-dry-run"},
    "npx": {"--no": "-y --yes"},
    "npm": {"--no": "-y --yes"},
    "apt-get": dict.fromkeys(("-s", "--simulate", "--dry-run"), "--no-simulate --no-dry-run"),
}
"""Flags of programs that others of theirs take back by another name."""


def taken_back(both: Beside) -> str | None:
    """The word behind those of a rule by which a flag of the rule means nothing, as a clause.

    >>> from assent.programs.reading import words_of
    >>> rule = ("git", "push", "--dry-run")
    >>> taken_back(Beside.of(rule, words_of("git push --dry-run --no-dry-run")))
    '`--no-dry-run` takes back `--dry-run`'
    >>> taken_back(Beside.of(rule, words_of("git push --dry-run --no-verify"))) is None
    True
    """
    flags = [it.text for it in both.told if it.text[:1] == "-"]
    later = [it.text for it in both.words[len(both.told) :]] if flags else []
    last = both.told[-1].text if flags else ""
    # The word right behind the rule may be the value of its last flag.
    if later[:1] and last[:2] == "--" and later[0].casefold() in _FALSE:
        return f"`{later[0]}` takes back `{both.known.spelled(last)}`"
    own = _OPPOSITES.get(both.program, {})
    for word, following in pairwise((*later, "")):
        flag = next((it for it in flags if _turns(word, following, it, own.get(it, ""))), None)
        if flag is not None:
            return f"`{both.known.spelled(word)}` takes back `{both.known.spelled(flag)}`"
    return None


def _turns(word: str, following: str, flag: str, opposites: str) -> bool:
    """Whether a later word turns a flag off, or on that was said to be off."""
    name, equals, value = word.partition("=")
    of, had, was = flag.partition("=")
    if word in opposites.split() or _is_turned(name, of) or _is_turned(of, name):
        return True
    if name != of:
        return False
    said = {value.casefold(), was.casefold()} & _FALSE if equals or had else set()
    return (bool(said) and value != was) or (not equals and following.casefold() in _FALSE)


def _is_turned(name: str, of: str) -> bool:
    """Whether a flag is the `--no-…` of another, perhaps abbreviated."""
    rest = name.removeprefix("--no-")
    return name != rest and len(rest) > 1 and of.startswith(f"--{rest}")
