"""Words put together: braces expanded, expansions filled in as far as they are known."""

import re
from itertools import product
from typing import Final

from attrs import evolve

from assent.bash.braces import expand
from assent.bash.kinds import BRANCH, DAY, HASH, REF
from assent.bash.notes import Here
from assent.bash.quoting import HOLES, SPLIT, protect, strip
from assent.bash.script import Word
from assent.bash.state import as_number
from assent.bash.syntax import Node
from assent.text.patterns import late

__all__ = ["finish"]

_TANGLED: Final = "These braces become too many words to tell."
_RENAMES: Final = "These braces may give a variable another name."
_NOT_SH: Final = "Not every shell called sh expands these braces."

_EMPTY: Final = "\U000f0fff"
"""Two quotes with nothing between: a word, though it has no letters."""

_LONGEST: Final = 4_096
"""In characters: no longer value is followed."""

_MOST: Final = 16
_GLOB: Final = late(r"[*?\[]|[@+!]\(")
_UP: Final = late(r"(?:^|/)\.\.(?:/|$)")
_WITHOUT: Final = late(r"(?!/)(?!(?:.*/)?\.\.?(?:/|\Z)).*", re.DOTALL)
"""What is left where nothing comes of an expansion: nothing that leads away."""
_STATES: Final = frozenset((BRANCH.text, HASH.text, REF.text))
_RANGES: Final = frozenset(("..", "..."))
_RENAMED: Final = late("[\U000f0000-\U000f0ffe][A-Za-z0-9_]")
"""A variable and a letter that braces put behind it, which then belongs to its name."""
_DOTS_BEFORE: Final = late(r"(?:^|/)\.+\Z")
_DOTS_AFTER: Final = late(r"\.+(?:/|\Z)")
_ASSIGNED_HOME: Final = late(r"[A-Za-z_]\w*\+?=(?:.*:)?~")


def finish(
    marked: str, holes: list[Word], node: Node, here: Here, *, assigned: bool = False
) -> list[Word]:
    """The words that a marked text becomes.

    >>> from assent.bash.quoting import hole
    >>> from assent.bash.read import prepare
    >>> from assent.programs.reading import KNOWN
    >>> tree, here = prepare("cat src/$name.{py,md}", KNOWN)
    >>> name = Word(text="a", known=False, choices=("a", "b"))
    >>> found = finish(f"src/{hole(0)}.{{py,md}}", [name], tree.children[0].children[1], here)
    >>> [it.choices for it in found]
    [('src/a.py', 'src/b.py'), ('src/a.md', 'src/b.md')]
    """
    if "{" not in marked or assigned:
        return [_finish(it, holes, node, here, assigned=assigned) for it in _split(marked)]
    several = expand(marked)
    if several is None or any(_is_renamed(it, marked) for it in several):
        here.notes.doubt_node(_TANGLED if several is None else _RENAMES, node)
        return [Word(text=here.notes.of(node), known=False, several=True)]
    if len(several) > 1 and here.notes.dialect == "sh":
        here.notes.doubt_node(_NOT_SH, node)
    return [_finish(it, holes, node, here) for one in several if one for it in _split(one)]


def _is_renamed(it: str, marked: str) -> bool:
    """Whether braces give a variable another name: to the shell `{a,$n}y` is `ay $ny`."""
    return any(found[0] not in marked for found in _RENAMED.finditer(it))


def _split(marked: str) -> list[str]:
    """What a word becomes where a value in it has blanks."""
    if SPLIT not in marked:
        return [marked]
    first, *rest = marked.split(SPLIT)
    return [it for it in (first, *map(_beside_home, rest)) if it]


def _beside_home(marked: str) -> str:
    """A piece of a value is never a home: the shell looks for homes before it splits."""
    return protect("~") + marked[1:] if marked.startswith("~") else marked


def _finish(
    marked: str, holes: list[Word], node: Node, here: Here, *, assigned: bool = False
) -> Word:
    marked = marked.replace(_EMPTY, "")
    home, sure = _home(marked)
    glob = not assigned and _GLOB.search(marked) is not None
    if not HOLES.search(marked):
        return Word(text=strip(marked), known=sure, glob=glob, home=home)
    if marked == "\U000f0000" and len(holes) == 1:
        return _alone(holes[0], node, here)
    return _filled(marked, holes, Word(text="", known=sure, glob=glob, home=home), node, here)


def _home(marked: str) -> tuple[bool, bool]:
    """Whether it begins at home; and whether that can be told."""
    if not marked.startswith("~"):
        return False, not (marked.find("=~") > 0 or ":~" in marked) or (
            _ASSIGNED_HOME.match(strip(marked)) is None
        )
    head = marked[1:].partition("/")[0]
    if not head:
        return True, True
    return False, any("\ue000" <= letter <= "\ue07f" for letter in head)


def _alone(content: Word, node: Node, here: Here) -> Word:
    """A word that is nothing but one expansion."""
    if not (content.known or content.listed or content.choices or content.by_top):
        return evolve(content, text=here.notes.of(node))
    return content


def _filled(marked: str, holes: list[Word], word: Word, node: Node, here: Here) -> Word:
    """A word with expansions in it."""
    order = [ord(it) & 0xFFF for it in HOLES.findall(marked)]
    inside = [holes[index] for index in order]
    between = [strip(it) for it in HOLES.split(marked)]
    several = any(map(_splits if any(between) else _several, inside))
    home = word.home or (not between[0] and inside[0].home)
    misplaced = any(it.home for it in inside[1:]) or (
        inside[0].home and (bool(between[0]) or not _parts(between[1]))
    )
    texts = _texts(between, inside)
    glob = word.glob or any(it.glob for it in inside)
    if texts and word.known and not misplaced and not several:
        if len(texts) == 1:
            splits = home and any(it.splits for it in inside)
            return Word(text=texts[0], glob=glob, home=home, splits=splits)
        return (
            Word(text=texts[0], known=False, glob=glob, choices=texts)
            if not home
            else _lost(node, here, several=several)
        )
    if inside[0].by_top and word.known and not misplaced and not several:
        behind = _texts(["", *between[1:]], [evolve(inside[0], known=True), *inside[1:]])
        splits = any(it.splits for it in inside)
        if len(behind) == 1:
            return Word(text=behind[0], known=False, glob=glob, home=True, splits=splits)
    if sum(len(it.text) for it in inside) > _LONGEST:
        # A text that is put together of itself again and again outgrows any memory.
        return _lost(node, here, several=several)
    if word.known and not misplaced and not home and _is_listed(between, inside):
        text = "".join(_interleaved(between, [it.text for it in inside]))
        return Word(text=text, known=False, listed=True, several=several, glob=glob)
    return _lost(node, here, several=several)


def _several(content: Word) -> bool:
    return content.several


def _splits(content: Word) -> bool:
    """Whether this makes several words of what stands beside it; a number makes none."""
    return content.several and not (content.empty and as_number(content))


def _parts(after: str) -> bool:
    """Whether a folder's path ends where this begins."""
    return not after or after.startswith("/")


def _texts(between: list[str], inside: list[Word]) -> tuple[str, ...]:
    """All that it may be, where that is known."""
    ways = [(it.text,) if it.known else it.choices for it in inside]
    total = 1
    for way in ways:
        total *= len(way)
    longest = sum(max((len(text) for text in way), default=0) for way in ways)
    if not 0 < total <= _MOST or longest > _LONGEST:
        return ()
    return tuple(dict.fromkeys("".join(_interleaved(between, way)) for way in product(*ways)))


def _interleaved(literal: list[str], filled: list[str] | tuple[str, ...]) -> list[str]:
    parts = [literal[0]]
    for content, after in zip(filled, literal[1:], strict=True):
        parts += (content, after)
    return parts


def _is_listed(between: list[str], inside: list[Word]) -> bool:
    """Whether it is still a name below the folder, or below the one that its text begins with."""
    head = between[0]
    between = [_between_states(it, inside, at) if head else it for at, it in enumerate(between)]
    if head.startswith(("~", "-")) or ":" in head or "=" in head:
        return False
    if head.startswith("/") and not all(it.known or _is_plain(it) for it in inside):
        return False
    if any(_UP.search(it) for it in between):
        return False
    left = "".join(between)
    counts = any(as_number(it) for it in inside) and "/" in left
    if any(it.empty for it in inside) and (counts or not _WITHOUT.match(left)):
        return False
    if not all(it.known or as_number(it) for it in inside) and not _stays(between):
        return False
    return all(it.listed or (it.known and _is_below(it.text)) for it in inside) and any(
        it.listed for it in inside
    )


def _between_states(text: str, inside: list[Word], at: int) -> str:
    """What stands between two expansions; the dots in a range of revisions (`a..b`) are no path."""
    beside = inside[max(at - 1, 0) : at + 1]
    states = [it for it in beside if it.listed and it.text in _STATES]
    return "-" if text in _RANGES and len(states) == 2 else text  # noqa: PLR2004 -- from, to


def _is_plain(word: Word) -> bool:
    """Whether it is a number, a date, or one of the names that a pattern stands for."""
    return as_number(word) or word.text in {DAY.text, HASH.text} or "…" not in word.text


def _stays(between: list[str]) -> bool:
    """Whether no name turns into one of the folder above by what stands beside it.

    A name may be `.` itself or begin with it, and two of them side by side make `..`.
    """
    if any(not it for it in between[1:-1]):
        return False
    if any(_DOTS_BEFORE.search(it) for it in between[:-1]):
        return False
    return not any(_DOTS_AFTER.match(it) for it in between[1:])


def _is_below(text: str) -> bool:
    return not text.startswith(("/", "~", "-")) and ".." not in text and ":" not in text


def _lost(node: Node, here: Here, *, several: bool) -> Word:
    return Word(text=here.notes.of(node), known=False, several=several)
