"""Whether a pattern that goes through folders may stand for what a rule is about.

In such a pattern, as in those of git, `*` is any number of letters, slashes and dots at the
beginning of a name included.
"""

from typing import Final

from assent.rules.globs import ANY, STAR, Letter, is_same, letters_of

__all__ = ["Meeting"]

_MOST_COMPARED: Final = 65_536
"""Of two patterns that are longer together, it is said that they meet."""

_PLAINLY, _BY_NAME = 1, 2
"""How some text fits both: at all, and with a letter in it that both of them name."""

_SIGNS: Final[dict[str, Letter]] = {"*": STAR, "?": ANY}


class Meeting:
    """One pattern, to be compared with those of rules.

    With `named`, it must name a letter of the rule's behind its first `plain` letters.
    """

    def __init__(self, glob: str, plain: int, *, named: bool) -> None:
        # A `**/` may be nothing at all.
        self._letters = letters_of(glob.replace("**/", "*"))
        self._plain = plain
        self._wanted = _BY_NAME if named else _PLAINLY | _BY_NAME

    def with_rule(self, about: str) -> bool:
        """Whether it may stand for a path that fits a rule's pattern."""
        short = about.replace("/**/", "/*").replace("**", "*")
        theirs = [_SIGNS.get(letter, frozenset(letter)) for letter in short]
        ours = self._letters
        if ours is None or len(ours) * len(theirs) > _MOST_COMPARED:
            return True
        return bool(self._fit(ours, theirs) & self._wanted)

    def _fit(self, ours: list[Letter], theirs: list[Letter]) -> int:
        """How they fit: row by row through the table of their beginnings."""
        row = [_PLAINLY]
        for their in theirs:
            row.append(row[-1] if their is STAR else 0)
        for at, our in enumerate(ours):
            following = [row[0] if our is STAR else 0]
            counts = at >= self._plain
            for column, their in enumerate(theirs, start=1):
                following.append(
                    row[column] | following[-1]
                    if our is STAR or their is STAR
                    else _both(row[column - 1], our, their, counts=counts)
                )
            row = following
        return row[-1]


def _both(before: int, our: Letter, their: Letter, *, counts: bool) -> int:
    """How they fit after one letter of each."""
    if not before or not is_same(our, their):
        return 0
    names = isinstance(our, frozenset) and isinstance(their, frozenset) and "/" not in their
    return _BY_NAME if names and counts else before
