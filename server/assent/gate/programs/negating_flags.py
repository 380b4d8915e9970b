"""Flags that make a command do less, and the later flags that negate them.

Whoever allows `git push --dry-run` or `npm ci --ignore-scripts` allows nothing that is done without
that flag; of most programs the last word on a flag is the one that counts.
"""

from itertools import pairwise
from typing import Final

from assent.gate.programs.rule_match import RuleMatch
from assent.gate.text.switches import OFF

__all__ = ["taken_back"]

_OFF: Final = OFF | {"f"}
"""What a flag is given that is not to count; programs in Go take a letter for it, too."""
_ALONE: Final = OFF - {"0", "never"}
"""The same in a word of its own, where a number may be the value of another kind of flag."""
_FORCE: Final = "-f --force --interactive=never --interactive=no --interactive=none"
_FILES: Final = {
    **dict.fromkeys(("-i", "-I", "--interactive"), _FORCE),
    **dict.fromkeys(("-n", "--no-clobber"), f"{_FORCE} -i"),
}
_NEVER: Final = " ".join(
    f"--no-{it} --{it}=no --{it}=false --{it}=off --{it}=0 --{it}=f --{it}=never"
    for it in ("simulate", "just-print", "dry-run", "recon", "no-act")
)
_OPPOSITES: Final[dict[str, dict[str, str]]] = {
    **dict.fromkeys(("rm", "mv", "cp", "ln"), _FILES),
    "git": {
        **dict.fromkeys(("--check", "--stat", "--numstat", "--summary"), "--apply"),
        "-n": "--no-dry-run",
    },
    "terraform": {"--check": "--write --write=true"},
    "tofu": {"--check": "--write --write=true"},
    "npx": {"--no": "-y --yes"},
    "npm": {"--no": "-y --yes"},
    **dict.fromkeys(("apt-get", "apt"), dict.fromkeys(("-s", "--simulate", "--dry-run"), _NEVER)),
}
"""Flags of programs that others of theirs take back by another name."""
_MIN_ABBREVIATION_LETTERS: Final = 4
"""So many signs has what surely abbreviates one flag, its dashes included."""


def taken_back(both: RuleMatch) -> str | None:
    """The word behind those of a rule by which a flag of the rule means nothing, as a clause.

    >>> from assent.gate.programs.read_lines import words_of
    >>> rule = ("git", "push", "--dry-run")
    >>> taken_back(RuleMatch.of(rule, words_of("git push --dry-run --no-dry-run")))
    '`--no-dry-run` takes back `--dry-run`'
    >>> taken_back(RuleMatch.of(rule, words_of("git push --dry-run --no-verify"))) is None
    True
    """
    flags = [word.text for word in both.rule_words if word.text[:1] == "-"]
    later = [word.text for word in both.words[len(both.rule_words) :]] if flags else []
    last = both.rule_words[-1].text if flags else ""
    # The word right behind the rule may be the value of its last flag.
    if later[:1] and last[:2] == "--" and later[0].casefold() in _ALONE:
        return f"`{later[0]}` takes back `{both.known.spelled(last)}`"
    own = _OPPOSITES.get(both.program, {})
    for word, following in pairwise((*later, "")):
        flag = next(
            (flag for flag in flags if _turns(word, following, flag, own.get(flag, ""))), None
        )
        if flag is not None:
            return f"`{both.known.spelled(word)}` takes back `{both.known.spelled(flag)}`"
    return None


def _turns(word: str, following: str, flag: str, opposites: str) -> bool:
    """Whether a later word turns a flag off, or on that was said to be off."""
    name, equals, value = word.partition("=")
    of, _, was = flag.partition("=")
    if any(_is(word, it) for it in opposites.split()) or _is_turned(name, of, equals=bool(equals)):
        return True
    if not (name == of or _abbreviates(name, of) or name.endswith(f".{of.lstrip('-')}")):
        return False
    off = value.casefold() in _OFF if equals else following.casefold() in _ALONE
    return off != (was.casefold() in _OFF)


def _is(word: str, opposite: str) -> bool:
    """Whether a word is one that takes back: as it is, abbreviated, or as a letter among others."""
    letters = (
        word[:1] == "-" and word[1:].isalpha() and opposite[:1] == "-" and opposite[1:2] != "-"
    )
    name, equals, value = word.partition("=")
    of, _, was = opposite.partition("=")
    short = _abbreviates(name, of) and (value == was or not equals)
    return word == opposite or short or (letters and opposite[1:] in word)


def _abbreviates(name: str, of: str) -> bool:
    return len(name) >= _MIN_ABBREVIATION_LETTERS and name[:2] == "--" and of.startswith(name)


def _is_turned(name: str, of: str, *, equals: bool) -> bool:
    """Whether a flag is the `--no-…` of another, or the other is, perhaps abbreviated."""
    if of.startswith("--no-"):
        full = f"--{of[5:]}"
        return name == full or _abbreviates(name, full)
    rest = name.removeprefix("--no-")
    told = rest != name and len(rest) > 1 and not equals
    return told and (of.startswith(f"--{rest}") or _abbreviates(of, f"--{rest}"))
