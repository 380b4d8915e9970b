"""Words that stand for a set: names from a list, a number, a date, a revision.

Each has a text of its own, which no program is given. What is put together with it has that text in
its own (`log-./0.txt`), so this module alone knows what it looks like.
"""

import re
from typing import Final

from assent.gate.shell.word import Below, Exact, Word, one_of
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, field, frozen

__all__ = [
    "LISTED",
    "STRICT",
    "Branch",
    "Day",
    "Hash",
    "Made",
    "Number",
    "Ref",
    "Revision",
    "as_number",
    "comes_apart",
    "filled",
    "has_made",
    "is_below",
    "is_solid",
    "is_split",
    "is_surely_below",
    "loop_word",
    "parent",
    "root_of",
    "split_off",
]

_BLANK: Final = late(r"\s")
_SPLITS: Final = late(r"[\s*?\[\\]|^$")
_PATTERN: Final = late(r"[*?\[]")
_WILD: Final = late(r"[*?\[…]|\./0")
_MADE: Final = late(r"/tmp/tmp\.…(?![\w/…])")  # noqa: S108 -- as `Made` has it
_ABOVE: Final = late(r"(?:^|/)\.(?:[*?.]|\[(?!!\.\]))")
"""A pattern for which some shells put the folder above."""
_DECIMAL: Final = late(r"0|[1-9]\d*", re.ASCII)
"""What begins with a nought is of base eight, and `08` is no number."""


@frozen(kw_only=True)
class Number(Below):
    """A whole number, such as the status of a command. As a path it is a name in the folder."""

    text: str = field(default="./0", init=False)

    @property
    def quoted(self) -> Word:
        """Several in one text are no number."""
        return Below(text=self.text, empty=self.empty) if self.several else self


@frozen(kw_only=True)
class Day(Below):
    """A date, which begins with no dash and has no blanks."""

    text: str = field(default="./0-…", init=False)


@frozen(kw_only=True)
class Revision(Below):
    """What stands for a state of the files: it has no blanks, and leads nowhere as a path.

    Where git fails it is nothing.
    """

    empty: bool = True


@frozen(kw_only=True)
class Hash(Revision):
    """What git itself calls a state: letters and digits."""

    text: str = field(default="./0…", init=False)


@frozen(kw_only=True)
class Branch(Revision):
    """The branch that is checked out, which begins with no dash: the ruling sees to that."""

    text: str = field(default="./0……", init=False)


@frozen(kw_only=True)
class Ref(Revision):
    """What somebody called a state."""

    text: str = field(default="…0", init=False)


@frozen(kw_only=True)
class Made(Below):
    """A file or folder that `mktemp` makes, where everybody's lie; nothing only where it fails."""

    text: str = field(default="/tmp/tmp.…", init=False)  # noqa: S108 -- where it puts them
    empty: bool = True
    several: bool = True


LISTED: Final = Below(text="…")
"""A name below the folder, which may begin with a dash."""
STRICT: Final = Below(text="./…")
"""A name below the folder that begins with no dash."""


def filled(text: str, *, number: str, name: str) -> str:
    """The text of a listed word with something else for each number and each name in it.

    >>> filled("src/log-./0/….txt", number="[0-9]*", name="*")
    'src/log-[0-9]*/*.txt'
    """
    return text.replace("./0", number).replace("…", name)


def has_made(word: Word) -> bool:
    """Whether a text has nothing put in but what `mktemp` made, with nothing left where that fails.

    >>> [has_made(Below(text=f"rm -rf {it}")) for it in ("/tmp/tmp.…", "/tmp/tmp.…/a", "…")]
    [True, False, False]
    """
    left = _MADE.sub("", word.text)
    return type(word) is Below and left != word.text and _WILD.search(left) is None


def as_number(word: Word) -> bool:
    """Whether this is surely a whole number.

    >>> from assent.gate.shell.word import Exact
    >>> [as_number(it) for it in (Number(), Exact(text="12"), Exact(text="08"), Exact(text="a"))]
    [True, True, False, False]
    """
    if isinstance(word, Number):
        return True
    texts = word.texts
    return bool(texts) and all(map(_DECIMAL.fullmatch, texts))


def is_solid(word: Word) -> bool:
    """Whether a word surely has no blanks, in which the shell would split it.

    >>> from assent.gate.shell.word import Exact
    >>> [is_solid(it) for it in (Exact(text="a"), Exact(text="a b"), Day(), LISTED)]
    [True, False, True, False]
    """
    if isinstance(word, Number | Day | Revision) or (isinstance(word, Made) and not word.empty):
        return True
    if isinstance(word, Below):
        return word.solid
    return bool(word.texts) and not any(_BLANK.search(text) for text in word.texts)


def comes_apart(word: Word) -> bool:
    """Whether a word may be a piece of a name that has blanks, and so lie anywhere.

    >>> [comes_apart(it) for it in (LISTED, Below(text="src/…", several=True), Day(several=True))]
    [False, True, False]
    """
    return type(word) is Below and (word.split or (word.several and not word.solid))


def is_split(word: Word) -> bool:
    """Whether the shell makes other words of it where a variable with it stands without quotes.

    Blanks part any text. A pattern in one that is given as it stands finds names only then.

    >>> from assent.gate.shell.word import Exact, Pattern
    >>> [is_split(it) for it in (Exact(text="a"), Exact(text="src/a *"), Pattern(text="src/*"))]
    [False, True, False]
    """
    signs = _BLANK if word.listed or word.glob else _SPLITS
    return any(signs.search(it) for it in word.texts or (word.text,))


def moved(word: Word) -> Word | None:
    """The same name where the folder is left in which its pattern was looked up, if it is one.

    >>> moved(Below(text="src/*.py")).text, moved(STRICT) is STRICT
    ('src/…', True)
    """
    if type(word) is not Below or not _PATTERN.search(word.text):
        return word
    return None if is_split(word) else word.spelled(parent(word.text))


def split_off(word: Below) -> Below:
    """What the shell makes of a list beside which something stands: that is the first one's alone.

    `src/$(ls)` is `src/a b c`, and `$(ls).bak` is `a b c.bak`.

    >>> split_off(Below(text="src/….bak")).text
    '…'
    """
    text = STRICT.text if word.text.startswith("./") else LISTED.text
    return Below(text=text, several=True, glob=word.glob, split=word.split)


def is_below(word: Word) -> bool:
    """Whether a word names something below the folder by its spelling.

    >>> from assent.gate.shell.word import Exact, Pattern
    >>> [is_below(Exact(text=it)) for it in ("src/a.py", "../a.py", "/etc")]
    [True, False, False]
    >>> is_below(Pattern(text=".*"))  # Some shells put `..` there, too.
    False
    """
    path = word.path
    if word.home or path.startswith("/") or ".." in path.split("/"):
        return False
    return not (word.glob and _ABOVE.search(path))


def is_surely_below(text: str) -> bool:
    """Whether a text names something below the folder whatever takes it: a path, a flag, a host.

    >>> [is_surely_below(it) for it in ("src/a.py", "-r", "host:a", "a..b")]
    [True, False, False, False]
    """
    return not text.startswith(("/", "~", "-")) and ".." not in text and ":" not in text


def parent(text: str) -> str:
    """Something in the same folder as what a listed word stands for.

    >>> parent("src/*.py"), parent("*.py"), parent("./0")
    ('src/…', '…', './…')
    """
    wild = _WILD.search(text)
    folder = text[: wild.start() if wild else len(text)].rpartition("/")[0]
    if folder or text.startswith("/"):
        return f"{folder}/…"
    return "…" if text.startswith(("…", "*", "?", "[")) else "./…"


def root_of(word: Word) -> Below | None:
    """What a search of this folder gives; None where that cannot be told.

    >>> from assent.gate.shell.word import Exact
    >>> root_of(Exact(text="src")).text, root_of(Exact(text=".")).text
    ('src/…', './…')
    >>> root_of(Exact(text="../src")) is None
    True
    """
    text = word.path
    unsure = word.several or word.home or not (word.known or word.listed)
    if unsure or not text or ".." in text.split("/") or (word.glob and _ABOVE.search(text)):
        return None
    if word.glob or word.listed:
        # A link that is spelled with a slash at its end is followed.
        return None if text.endswith("/") else Below(text=parent(text))
    below = text.rstrip("/")
    return STRICT if below == "." else Below(text=f"{below}/…")


# One word for many: what a loop's variable becomes in turn, and what an array's items are.

_MAX_WORDS: Final = 16
_HIDDEN: Final = late(r"(?:^|/)\.[^/]")


def loop_word(words: list[Word]) -> Word | None:
    """What a variable is that becomes each of these words in turn; None where that cannot be told.

    >>> from assent.gate.shell.word import Pattern
    >>> loop_word([Exact(text="a"), Exact(text="b")]).choices
    ('a', 'b')
    >>> pattern = loop_word([Pattern(text="src/*.py")])
    >>> pattern.text, pattern.known, pattern.listed
    ('src/*.py', False, True)
    >>> loop_word([Pattern(text="../*")]) is None
    True
    """
    if not words:
        return None
    if all(isinstance(word, Exact) for word in words) and len(words) <= _MAX_WORDS:
        return one_of([word.text for word in words])
    if all(as_number(word) for word in words):
        return Number() if len(words) > 1 or words[0].several else words[0]
    if len(words) == 1 and isinstance(name := words[0], Below):
        if name.several and is_split(name):
            return None
        # A name with a blank in it becomes two words here, and the second may be a flag.
        split = name.several and not isinstance(name, Day | Revision)
        below = name.spelled(LISTED.text) if split else name
        if split:
            below = evolve(below, solid=True, joined=False, split=comes_apart(name))
        return evolve(below, several=False, empty=False)
    if not all(_is_below(word) for word in words):
        return None
    # What is split is no name there: its second half may lie anywhere. A word for many hides it.
    if len(words) > 1 and any(map(is_split, words)):
        return None
    alone = Below(text=words[0].text) if len(words) == 1 else None
    together = alone or _together([word.text for word in words])
    return together and evolve(together, split=any(map(comes_apart, words)))


def _is_below(word: Word) -> bool:
    """Whether it is surely a file's name below the folder, or stands for such."""
    sure = (word.known or word.listed) and bool(word.text)
    return sure and is_below(word) and is_surely_below(word.text)


def _together(texts: list[str]) -> Below | None:
    """One word for all of these, which tells in which folder they are."""
    folders = {parent(text).removeprefix("./") for text in texts}
    dashed = any(text[0] in "*?[…" for text in texts)
    if len(folders) == 1 and folders != {"…"}:
        return Below(text=folders.pop())
    if any(_HIDDEN.search(text) for text in texts):
        return None
    return Below(text="…" if dashed else "./…")
