"""Name patterns: whether one matches a name, and whether two may match the same name.

A rule's pattern has `*` and `?`; a shell's has brackets too, and spares names that begin with a
dot unless it begins with one itself. Nothing here takes longer than the two texts' product.
"""

from collections.abc import Callable, Sequence
from typing import Final

from assent.gate.values import frozen

__all__ = [
    "ANY",
    "STAR",
    "Letter",
    "SegmentGlob",
    "expands_to",
    "is_same",
    "is_wild",
    "leads_above",
    "letters_of",
    "may_meet",
    "meets",
    "path_fits",
]

_MAX_PAIRS_COMPARED: Final = 65_536
"""Of two patterns that are longer together, it is said that they may meet."""

ANY: Final = None


def is_wild(segment: str) -> bool:
    """Whether a segment of a rule is a pattern; a bracket is only a letter there.

    >>> [it for it in ["*.py", "a?", "[ab]", "a"] if is_wild(it)]
    ['*.py', 'a?']
    """
    return "*" in segment or "?" in segment


@frozen(kw_only=True)
class SegmentGlob:
    """A rule's pattern for one name."""

    text: str
    head: str
    tail: str
    """What names begin and end with."""
    simple: bool
    """Whether there is one `*` between them, and nothing else."""

    @classmethod
    def of(cls, text: str) -> "SegmentGlob":
        """The pattern in this text."""
        first = min(place for place in (text.find("*"), text.find("?")) if place >= 0)
        last = max(text.rfind("*"), text.rfind("?"))
        return cls(
            text=text,
            head=text[:first],
            tail=text[last + 1 :],
            simple=first == last and text[first] == "*",
        )

    def fits(self, name: str) -> bool:
        """Whether a name fits it."""
        if not (name.startswith(self.head) and name.endswith(self.tail)):
            return False
        if self.simple:
            return len(name) >= len(self.head) + len(self.tail)
        return _fits(self.text, name)


def _fits(pattern: str, name: str) -> bool:
    """Go back to the last `*` alone, which is enough for patterns without alternatives."""
    at = place = 0
    star = mark = -1
    while place < len(name):
        if at < len(pattern) and pattern[at] == "*":
            star, mark = at, place
            at += 1
        elif at < len(pattern) and pattern[at] in ("?", name[place]):
            at += 1
            place += 1
        elif star >= 0:
            mark += 1
            at, place = star + 1, mark
        else:
            return False
    return not pattern[at:].strip("*")


def path_fits(pattern: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a path fits a rule's pattern, both in segments.

    `**` is any number of segments, none included.

    >>> path_fits(["src", "**", "*.py"], ["src", "a.py"])
    True
    >>> path_fits(["src", "*.py"], ["src", "one", "a.py"])
    False
    """
    active = {0}
    for name in path:
        active = {state for at in _opened(pattern, active) for state in _passed(pattern, at, name)}
        if not active:
            return False
    return len(pattern) in _opened(pattern, active)


def _opened(pattern: Sequence[str], active: set[int]) -> set[int]:
    """Where one may stand, since `**` may be nothing at all."""
    opened = set()
    for state in active:
        at = state
        opened.add(at)
        while at < len(pattern) and pattern[at] == "**":
            at += 1
            opened.add(at)
    return opened


def _passed(pattern: Sequence[str], at: int, name: str) -> tuple[int, ...]:
    if at == len(pattern):
        return ()
    segment = pattern[at]
    if segment == "**":
        return (at,)
    fits = _fits(segment, name) if is_wild(segment) else segment == name
    return (at + 1,) if fits else ()


def expands_to(pattern: str, name: str) -> bool:
    """Whether a shell's pattern may become this name.

    >>> expands_to("[ab]*.py", "a1.py")
    True
    >>> expands_to("*", ".env")
    False
    """
    return _may_be(pattern, [frozenset(letter) for letter in name])


def leads_above(pattern: Sequence[str], path: Sequence[str]) -> bool:
    """Whether a shell's pattern may become a path, or a folder that the path lies in.

    Both are in segments.

    >>> leads_above(["s*"], ["src", "a.py"])
    True
    >>> leads_above(["src", "one", "*"], ["src", "one"])
    False
    """
    for at, segment in enumerate(pattern):
        if at == len(path):
            return False
        if "**" in segment:
            return True
        if not expands_to(segment, path[at]):
            return False
    return True


def may_meet(pattern: str, other: str) -> bool:
    """Whether some name fits both a shell's pattern and a rule's.

    >>> may_meet("*.p?", "a.*")
    True
    >>> may_meet("*.py", "*.js")
    False
    """
    return _may_be(pattern, _letters_of_rule(other))


class _Star:
    """Any number of letters."""


STAR: Final = _Star()
Letter = frozenset[str] | _Star | None
"""One of these letters, any number of letters, or any one."""

_RULE: Final[dict[str, Letter]] = {"*": STAR, "?": ANY}
_HIDDEN: Final[list[Letter]] = [frozenset(".")]


def letters_of(pattern: str) -> list[Letter] | None:
    r"""A shell's pattern, letter by letter; None where it has what is not read here.

    >>> letters_of("[ab]?") == [frozenset("ab"), ANY]
    True
    >>> letters_of(r"\*") == [frozenset("*")]
    True
    >>> letters_of("@(a|b)") is None
    True
    """
    if "(" in pattern or "[[" in pattern:
        return None
    letters: list[Letter] = []
    at = 0
    while at < len(pattern):
        letter = pattern[at]
        at += 1
        if letter == "*":
            letters.append(STAR)
        elif letter == "?":
            letters.append(ANY)
        elif letter == "\\" and at < len(pattern):
            letters.append(frozenset(pattern[at]))
            at += 1
        elif letter == "[" and (end := pattern.find("]", at + 1)) > 0:
            letters.append(_bracket(pattern[at:end]))
            at = end + 1
        else:
            letters.append(frozenset(letter))
    return letters


def _bracket(inner: str) -> Letter:
    """The letters of a plain bracket; of one with ranges, classes or a `!`, any."""
    plain = inner[0] not in "!^" and "-" not in inner and "[" not in inner
    return frozenset(inner) if plain else ANY


def _letters_of_rule(pattern: str) -> list[Letter]:
    return [_RULE.get(letter, frozenset(letter)) for letter in pattern]


def _may_be(pattern: str, letters: list[Letter]) -> bool:
    """Whether a shell's pattern may become a name of these letters, a hidden one only by a dot."""
    ours = letters_of(pattern)
    if ours is None:
        return True
    return (letters[:1] != _HIDDEN or ours[:1] == _HIDDEN) and bool(_meet(ours, letters))


_PLAINLY, _BY_NAME = 1, 2
"""How some text fits both: at all, and with a letter in it that both of them name."""


def _meet(ours: list[Letter], theirs: list[Letter], plain: int | None = None) -> int:
    """How some text fits both, row by row through the table of their beginnings; 0 if none does.

    Of ours, a letter behind the first `plain` ones may name one of theirs.
    """
    if len(ours) * len(theirs) > _MAX_PAIRS_COMPARED:
        return _PLAINLY | _BY_NAME
    row = [_PLAINLY]
    for their in theirs:
        row.append(row[-1] if their is STAR else 0)
    for at, our in enumerate(ours):
        following = [row[0] if our is STAR else 0]
        names = plain is not None and at >= plain and isinstance(our, frozenset)
        for column, their in enumerate(theirs, start=1):
            before = row[column - 1]
            if our is STAR or their is STAR:
                fits = row[column] | following[-1]
            elif before and is_same(our, their):
                both = names and isinstance(their, frozenset) and "/" not in their
                fits = _BY_NAME if both else before
            else:
                fits = 0
            following.append(fits)
        row = following
    return row[-1]


def is_same(ours: Letter, theirs: Letter) -> bool:
    """Whether one letter may stand for both; neither is a star.

    >>> is_same(frozenset("ab"), frozenset("bc")), is_same(frozenset("a"), frozenset("b"))
    (True, False)
    >>> is_same(ANY, frozenset("b"))
    True
    """
    if isinstance(ours, frozenset) and isinstance(theirs, frozenset):
        return not ours.isdisjoint(theirs)
    return True


def meets(glob: str, plain: int, *, named: bool) -> Callable[[str], bool]:
    """Whether a pattern that goes through folders may stand for a path that fits a rule's.

    In such a pattern, as in those of git, `*` is any number of letters, slashes and dots at the
    beginning of a name included. With `named`, it must name a letter of the rule's behind its
    first `plain` letters.

    >>> [meets("/w/s*", 3, named=True)(it) for it in ("/w/src/a.py", "/w/docs/a.md", "/w/**")]
    [True, False, False]
    """
    # A `**/` may be nothing at all.
    ours = letters_of(glob.replace("**/", "*"))
    wanted = _BY_NAME if named else _PLAINLY | _BY_NAME

    def fits(about: str) -> bool:
        theirs = _letters_of_rule(about.replace("/**/", "/*").replace("**", "*"))
        return ours is None or bool(_meet(ours, theirs, plain) & wanted)

    return fits
