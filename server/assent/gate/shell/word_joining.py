"""Joins parts into words: expands braces, and fills in known expansions.

`join` is the one place that says what comes of two kinds of word side by side.
"""

import re
from collections.abc import Sequence
from itertools import pairwise, product
from math import prod
from typing import Final

from assent.gate.shell.anchored_paths import InHome, Rooted
from assent.gate.shell.notes import Here
from assent.gate.shell.quoting import HOLES, SPLIT, protect, strip
from assent.gate.shell.syntax import Node
from assent.gate.shell.word import Below, Exact, Unknown, Word, one_of, word_of
from assent.gate.shell.word_sets import (
    Day,
    Hash,
    Made,
    Number,
    Revision,
    as_number,
    comes_apart,
    is_solid,
    is_surely_below,
    split_off,
)
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["finish", "join"]

_TANGLED: Final = "These braces become too many words to tell."
_RENAMES: Final = "These braces may give a variable another name."
_NOT_SH: Final = "Not every shell called sh expands these braces."

_EMPTY: Final = "\U000f0fff"
"""Two quotes with nothing between: a word, though it has no letters."""

_MAX_TEXTS: Final = 16
"""So many texts at once; of more nothing is known."""
_MAX_VALUE_LETTERS: Final = 4_096
"""In characters: no longer value is followed. A text that is put together of itself again and
again outgrows any memory."""
_UP: Final = late(r"(?:^|/)\.\.(?:/|$)")
_WITHOUT: Final = late(r"(?!/)(?!(?:.*/)?\.\.?(?:/|\Z)).*", re.DOTALL)
"""What is left where nothing comes of an expansion: nothing that leads away."""
_AT_ROOT: Final = late(
    r"/(?!(?:bin|boot|cores|dev|etc|home|lib\w*|media|mnt|net|nix|opt|private|proc|root|run|s?bin"
    r"|snap|srv|sys|system|tmp|users|usr|vagrant|var|volumes|applications|app|workspaces?)(?:/|\Z))[\w-][\w.-]*"
    r"(?:/[\w-][\w.-]*)*/?",
    re.IGNORECASE,
)
"""What is left where `mktemp` fails: nothing that a system, or where a container has a project, is
called in the topmost folder."""
_NAMED_AT_ROOT: Final = late(r"/(?=[^/]*[.-])[\w*-][\w.*-]*(?:/[\w*-][\w.*-]*)*")
"""The same where any name (`*`) stands in it: none of these folders has a dot or a dash."""
_A_NAME: Final = late(r"\w[\w.-]*", re.ASCII)
_RANGES: Final = frozenset(("..", "..."))
_DOTS_BEFORE: Final = late(r"(?:^|/)\.+\Z")
_DOTS_AFTER: Final = late(r"\.+(?:/|\Z)")
_GLOB: Final = late(r"[*?\[]|[@+!]\(")
_RENAMED: Final = late("[\U000f0000-\U000f0ffe][A-Za-z0-9_]")
"""A variable and a letter that braces put behind it, which then belongs to its name."""
_ASSIGNED_HOME: Final = late(r"[A-Za-z_]\w*\+?=(?:.*:)?~")


def finish(
    marked: str, holes: list[Word], node: Node, here: Here, *, assigned: bool = False
) -> list[Word]:
    """The words that a marked text becomes.

    >>> from assent.gate.shell.quoting import hole
    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("cat src/$name.{py,md}", KNOWN)
    >>> name = one_of(["a", "b"])
    >>> found = finish(f"src/{hole(0)}.{{py,md}}", [name], tree.children[0].children[1], here)
    >>> [it.choices for it in found]
    [('src/a.py', 'src/b.py'), ('src/a.md', 'src/b.md')]
    """
    if "{" not in marked or assigned:
        return [_finish(it, holes, node, here, assigned=assigned) for it in _split(marked)]
    several = _expand(marked)
    if several is None or any(_is_renamed(it, marked) for it in several):
        here.notes.doubt_node(_TANGLED if several is None else _RENAMES, node)
        return [Unknown(text=here.notes.of(node), several=True)]
    if len(several) > 1 and here.notes.dialect == "sh":
        here.notes.doubt_node(_NOT_SH, node)
    return [_finish(it, holes, node, here) for one in several if one for it in _split(one)]


def _is_renamed(it: str, marked: str) -> bool:
    """Whether braces give a variable another name: to the shell `{a,$n}y` is `ay $ny`."""
    return any(match[0] not in marked for match in _RENAMED.finditer(it))


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
    home = _home(marked)
    glob = not assigned and _GLOB.search(marked) is not None
    between = [strip(it) for it in HOLES.split(marked)]
    if len(between) == 1:
        if home:
            return InHome(text=between[0], glob=glob)
        return word_of(between[0], known=home is False, glob=glob)
    inside = [holes[ord(it) & 0xFFF] for it in HOLES.findall(marked)]
    text = here.notes.of(node)
    if between[0].startswith("-"):
        # An option is known by its name, however that is quoted.
        rest = zip(inside, between[1:], strict=True)
        text = between[0] + "".join(word.text + after for word, after in rest)
    if between == ["", ""]:
        return inside[0].spelled(text) if isinstance(inside[0], Unknown) else inside[0]
    word = join(between, inside, text, at_home=bool(home), glob=glob)
    return Unknown(text=text, several=word.several) if home is None else word


def _home(marked: str) -> bool | None:
    """Whether it begins at home; None where that cannot be told."""
    if not marked.startswith("~"):
        odd = (marked.find("=~") > 0 or ":~" in marked) and _ASSIGNED_HOME.match(strip(marked))
        return None if odd else False
    head = marked[1:].partition("/")[0]
    if not head:
        return True
    return False if any("\ue000" <= letter <= "\ue07f" for letter in head) else None


def join(
    between: Sequence[str], inside: Sequence[Word], lost: str, *, at_home: bool, glob: bool
) -> Word:
    """One word of texts and of the words between them; `lost` is how it is spelled.

    What comes of it is known as far as it is for each that it may be put together of. A name out
    of a list stays one as long as nothing can make `..` or another folder of it.

    >>> from assent.gate.shell.word_sets import Day
    >>> from assent.gate.shell.anchored_paths import InFolder
    >>> few, name = one_of(["a", "b"]), Below(text="src/*.py")
    >>> def joined(before, word, behind):
    ...     return join([before, behind], [word], "?", at_home=False, glob=False)
    >>> joined("src/", few, ".py").choices, joined("", name, ".bak").text
    (('src/a.py', 'src/b.py'), 'src/*.py.bak')
    >>> joined("", InFolder(), "/src").text, joined("", InFolder(), "-old").known
    ('~+/src', False)
    >>> joined("../", name, "").known, joined("log-", Day(), ".txt").text
    (False, 'log-./0-….txt')
    """
    first = inside[0]
    # A number splits nothing that stands beside it.
    several = any(
        word.several and not (any(between) and word.empty and as_number(word)) for word in inside
    )
    nothing = Unknown(text=lost, several=several)
    # A folder's path ends at a slash, and stands first.
    led = first.home and (between[0] or between[1][:1] not in ("", "/"))
    if led or any(word.home for word in inside[1:]):
        return nothing
    glob = glob or any(word.glob for word in inside)
    root = InHome() if at_home else first if isinstance(first, Rooted) else None
    texts = () if several else _texts(between, inside)
    if root is not None:
        splits = any(word.splits for word in inside)
        text = texts[0] if len(texts) == 1 else ""
        one = bool(text) and text.removeprefix(root.root)[:1] in ("", "/")
        return evolve(root, text=text, glob=glob, splits=splits) if one else nothing
    if texts:
        return one_of(texts, glob=glob)
    return _name(between, inside, several=several, glob=glob) or nothing


def _name(
    between: Sequence[str], inside: Sequence[Word], *, several: bool, glob: bool
) -> Word | None:
    """The name out of a list that comes of them; None where that may be anything."""
    # Too many to be told one by one, numbers are any.
    inside = [Number() if word.choices and as_number(word) else word for word in inside]
    if any(isinstance(word, Made) for word in inside):
        inside = [_as_pattern(word) for word in inside]
    if sum(len(word.text) for word in inside) > _MAX_VALUE_LETTERS or not _is_listed(
        between, inside
    ):
        return None
    text = _filled(between, [word.text for word in inside])
    solid = all(map(is_solid, (*inside, Exact(text="".join(between)))))
    split = any(map(comes_apart, inside))
    below = Below(text=text, several=several, glob=glob, solid=solid, joined=True, split=split)
    if not several or all(isinstance(word, Made) for word in inside if word.several):
        return below
    # What stands behind a name stands behind its last piece; the first is where it was.
    single = isinstance(inside[0], Below) and inside[0].single
    begins = single and not between[0] and len(inside) == 1
    return evolve(below, single=True) if begins else split_off(below)


def _texts(between: Sequence[str], inside: Sequence[Word]) -> tuple[str, ...]:
    """All that it may be, where that is known; the path of a folder stands for itself."""
    ways = [(word.text,) if isinstance(word, Rooted) else word.texts for word in inside]
    longest = sum(max(map(len, way), default=0) for way in ways)
    if not 0 < prod(map(len, ways)) <= _MAX_TEXTS or longest > _MAX_VALUE_LETTERS:
        return ()
    return tuple(dict.fromkeys(_filled(between, way) for way in product(*ways)))


def _filled(between: Sequence[str], inside: Sequence[str]) -> str:
    pairs = zip(inside, between[1:], strict=True)
    return between[0] + "".join(content + after for content, after in pairs)


def _is_listed(between: Sequence[str], inside: Sequence[Word]) -> bool:
    """Whether it is still a name below the folder, or below the one that its text begins with."""
    head = between[0]
    between = [_between_states(it, inside, at) if head else it for at, it in enumerate(between)]
    if head.startswith(("~", "-")) or ":" in head or "=" in head:
        return False
    if head.startswith("/") and not all(word.known or _is_plain(word) for word in inside):
        return False
    # A dot that is known may stand beside another one.
    whole = _filled(between, [it.text if it.known else "…" for it in inside])
    if any(_UP.search(it) for it in (whole, *between)):
        return False
    left = "".join(between)
    counts = any(as_number(word) for word in inside) and "/" in left
    lost = any(word.empty for word in inside)
    if lost and (counts or not _WITHOUT.match(left)) and not _fails_safely(between, inside):
        return False
    if not all(word.known or as_number(word) for word in inside) and not _stays(between):
        return False
    return all(
        word.listed or (word.known and is_surely_below(word.text)) for word in inside
    ) and any(word.listed for word in inside)


def _as_pattern(word: Word) -> Word:
    """One of a few names as any name; what is not sure to be one stays as it is."""
    plain = len(word.texts) > 1 and all(map(_A_NAME.fullmatch, word.texts))
    return Below(text="*") if plain else word


def _fails_safely(between: Sequence[str], inside: Sequence[Word]) -> bool:
    """Whether only `mktemp` may give nothing, and what is left then leads to nothing."""
    if any(word.empty and not isinstance(word, Made) for word in inside) or _GLOB.search(
        "".join(between)
    ):
        return False
    left = _filled(between, ["" if word.empty else _as_name(word) for word in inside])
    return bool((_NAMED_AT_ROOT if "*" in left else _AT_ROOT).fullmatch(left))


def _as_name(word: Word) -> str:
    """A single name as a pattern has it; a slash, which is none, for what may be more."""
    if as_number(word):
        return "0"
    one = word.known or (_is_plain(word) and not isinstance(word, Day | Hash))
    return word.text if one else "//"


def _between_states(text: str, inside: Sequence[Word], at: int) -> str:
    """What stands between two expansions; the dots in a range of revisions (`a..b`) are no path."""
    states = [word for word in inside[max(at - 1, 0) : at + 1] if isinstance(word, Revision)]
    return "-" if text in _RANGES and len(states) == 2 else text  # noqa: PLR2004 -- from, to


def _is_plain(word: Word) -> bool:
    """Whether it is a number, a date, or a single one of the names that a pattern stands for."""
    one = "…" not in word.text and not word.several
    return as_number(word) or isinstance(word, Day | Hash) or one


def _stays(between: Sequence[str]) -> bool:
    """Whether no name turns into one of the folder above by what stands beside it.

    A name may be `.` itself or begin with it, and two of them side by side make `..`.
    """
    if any(not it for it in between[1:-1]):
        return False
    if any(_DOTS_BEFORE.search(it) for it in between[:-1]):
        return False
    return not any(_DOTS_AFTER.match(it) for it in between[1:])


# Brace expansion: `{a,b}` and `{1..9}` become several words before anything else happens.

_MAX_RANGE_LETTERS: Final = 40
"""In characters: a range that is longer is one of more words than can be told."""

_MAX_WORDS: Final = 128
"""So many words may come of one; more are not told."""

_RANGE: Final = late(r"(-?\d+)\.\.(-?\d+)(?:\.\.(-?\d+))?|([A-Za-z])\.\.([A-Za-z])(?:\.\.(-?\d+))?")


def _expand(marked: str) -> list[str] | None:
    """The words that come of one; None where there are too many, or it is too tangled to tell.

    >>> _expand("src/{a,b{1..3}}.py")
    ['src/a.py', 'src/b1.py', 'src/b2.py', 'src/b3.py']
    >>> _expand("{a}"), _expand("{1..100000}")
    (['{a}'], None)
    """
    done: list[str] = []
    todo = [(marked, 0)]
    for _ in range(4 * _MAX_WORDS):
        if not todo:
            return done
        text, at = todo.pop()
        found = _first(text, at)
        if found is None:
            done.append(text)
        else:
            start, end, choices = found
            todo += [(text[:start] + choice + text[end:], start) for choice in reversed(choices)]
        if len(done) + len(todo) > _MAX_WORDS:
            return None
    return None


def _first(text: str, at: int) -> tuple[int, int, list[str]] | None:
    """The first braces that expand, and what may stand in their place."""
    start = text.find("{", at)
    while start >= 0:
        end, commas = _matching(text, start)
        if end > 0:
            inner = text[start + 1 : end]
            if commas:
                edges = (start, *commas, end)
                return start, end + 1, [text[a + 1 : b] for a, b in pairwise(edges)]
            numbers = _range(inner)
            if numbers is not None:
                return start, end + 1, numbers
        start = text.find("{", start + 1)
    return None


def _matching(text: str, start: int) -> tuple[int, list[int]]:
    commas: list[int] = []
    depth = 0
    for at in range(start, len(text)):
        letter = text[at]
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if depth == 0:
                return at, commas
        elif letter == "," and depth == 1:
            commas.append(at)
    return -1, []


def _range(inner: str) -> list[str] | None:
    match = _RANGE.fullmatch(inner)
    if match is None:
        return None
    if len(inner) > _MAX_RANGE_LETTERS:
        return [""] * (_MAX_WORDS + 1)
    low, high, step, first, last, letter_step = match.groups()
    if first:
        codes = _steps(ord(first), ord(last), letter_step)
        return [chr(code) for code in codes]
    width = max(map(len, (low, high))) if _padded(low) or _padded(high) else 0
    return [str(number).zfill(width) for number in _steps(int(low), int(high), step)]


def _padded(number: str) -> bool:
    digits = number.lstrip("-")
    return len(digits) > 1 and digits[0] == "0"


def _steps(low: int, high: int, step: str | None) -> range:
    """The numbers from one to the other, both counted; too many are not all told."""
    by = abs(int(step or 1)) or 1
    if abs(high - low) // by > _MAX_WORDS:
        return range(_MAX_WORDS + 2)
    return range(low, high + 1, by) if low <= high else range(low, high - 1, -by)
