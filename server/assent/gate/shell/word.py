"""Words: what a program is given, and how much of it is known before it runs.

Each kind of knowledge is a type of its own, so that nothing can be half of two kinds:

- `Exact`: this text. `Pattern`: the names of files that this pattern finds.
- `OneOf`: one of a few texts, such as the variable of a `for`.
- `Below`: a name out of a list, below a folder; `word_sets` has those of which more is known.
- a path from a folder that only the ruling can place, such as the home: `anchored_paths`.
- `Unknown`: anything.

`word_joining.join` says what comes of two side by side.
"""

import itertools
from collections.abc import Sequence
from typing import Final

from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, frozen

__all__ = [
    "Below",
    "Exact",
    "Items",
    "OneOf",
    "Pattern",
    "Phrase",
    "Unknown",
    "Word",
    "one_of",
    "with_hidden",
    "word_of",
]

_HEAD: Final = late(r"\A(?:\?|\[[^\]]*\]|\*?(\*))")
"""What of a pattern may stand for the dot of a hidden name."""


class _Kind:
    """What holds of a word unless its kind says otherwise."""

    __slots__ = ()

    known: bool = False
    """Whether the text is what the program is given, once patterns and homes are put in."""
    glob: bool = False
    """Whether names of files may take its place: it has an unquoted `*`, `?` or `[`."""
    home: bool = False
    """Whether it begins with the path of a home, of a folder or of a repository."""
    choices: tuple[str, ...] = ()
    """All that it may be, where these are a few known texts."""
    listed: bool = False
    """Whether it is a name below a folder."""
    several: bool = False
    """Whether it may become no word, or more than one."""
    empty: bool = False
    """Whether it may be an empty text, though it is listed."""
    by: "tuple[tuple[Word, ...], ...]" = ()
    """argv of each command of the pipeline that printed this name; empty once it was edited."""
    splits: bool = False
    """Whether it becomes several words where the path of that home or folder has a blank."""


@frozen(kw_only=True)
class Word(_Kind):
    """One word of any kind.

    >>> from assent.gate.programs.read_lines import read_script
    >>> cat = read_script("for f in a b; do cat 'my notes' $f $other *.py ~/x; done").commands[0]
    >>> [type(it).__name__ for it in cat.argv]
    ['Exact', 'Exact', 'OneOf', 'Unknown', 'Pattern', 'InHome']
    >>> [it.text for it in cat.argv if it.known]
    ['cat', 'my notes', '*.py', '~/x']
    """

    text: str
    """What the program is given; where that is not known, how the word is spelled."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All that it may be, where that is known.

        >>> Exact(text="a").texts, one_of(["a", "b"]).texts, Unknown(text="$x").texts
        (('a',), ('a', 'b'), ())
        """
        return (self.text,) if self.known else self.choices

    @property
    def path(self) -> str:
        """The path that it names: a `~` that is nobody's home begins a name in the folder.

        >>> from assent.gate.shell.anchored_paths import InFolder, InHome
        >>> Exact(text="~/a").path, InHome(text="~/a").path, InFolder(text="~+/a").path
        ('./~/a', '~/a', './a')
        """
        return f"./{self.text}" if self.text.startswith("~") and not self.home else self.text

    @property
    def there(self) -> "Word":
        """This word as a path from the folder that the shell is in, for what works in it."""
        return self

    @property
    def quoted(self) -> "Word":
        """This word where nothing splits it.

        >>> Unknown(text="$x", several=True).quoted.several
        False
        """
        return word_of(self.text, known=self.known, glob=self.glob) if self.several else self

    def spelled(self, text: str, *, glob: bool | None = None) -> "Word":
        """A word of the same kind with another text.

        >>> Exact(text="a").spelled("b"), Exact(text="a").spelled("b*", glob=True)
        (Exact(text='b'), Pattern(text='b*'))
        """
        glob = self.glob if glob is None else glob
        return word_of(text, known=self.known, glob=glob, several=self.several)

    def lost(self) -> "Word":
        """This word, of which nothing is known any more.

        >>> Pattern(text="a*").lost()
        Unknown(text='a*', several=False, glob=True)
        """
        return Unknown(text=self.text, several=self.several, glob=self.glob)


@frozen(kw_only=True)
class Exact(Word):
    """A text that is given as it stands."""

    known = True


@frozen(kw_only=True)
class Phrase(Exact):
    """A text with blanks, which the shell splits where it stands without quotes."""

    several = True


@frozen(kw_only=True)
class Pattern(Word):
    """A pattern, of which whoever knows the disk can say what it finds."""

    known = True
    glob = True


@frozen(kw_only=True)
class OneOf(Word):
    """One of a few texts: a ruling must hold for each."""

    choices: tuple[str, ...]
    glob: bool = False


@frozen(kw_only=True)
class Below(Word):
    """A name out of a list, which lies below the folder that its text begins with.

    The text is a path that stands for all that it may be: with a pattern, or with `…` where some
    name stands. Where it begins with `./`, the name begins with no dash.
    """

    listed = True
    glob: bool = False
    home: bool = False
    several: bool = False
    empty: bool = False
    by: tuple[tuple[Word, ...], ...] = ()
    single: bool = False
    """Whether it is one name, of which nothing but its blanks may make several words."""
    solid: bool = False
    """Whether it has no blanks, so that the shell splits nothing off it."""
    joined: bool = False
    """Whether something stands beside it: what is split off it has no part in that."""
    split: bool = False
    """Whether it may be a piece of a name with blanks, though nothing splits it any more."""

    @property
    def quoted(self) -> Word:
        """One name."""
        return evolve(self, several=False) if self.several else self

    def spelled(self, text: str, *, glob: bool | None = None) -> "Below":
        """Another name, of which no more is known."""
        return Below(
            text=text,
            glob=self.glob if glob is None else glob,
            home=self.home,
            several=self.several,
            empty=self.empty,
            by=self.by,
            joined=self.joined,
            split=self.split,
        )

    @property
    def of_pattern(self) -> bool:
        """Whether it is one of the names that a pattern stands for.

        >>> Below(text="src/*.py").of_pattern, Below(text="src/…").of_pattern
        (True, False)
        """
        return "*" in self.text and "…" not in self.text


@frozen(kw_only=True)
class Unknown(Word):
    """A word that may become anything."""

    several: bool = False
    glob: bool = False


@frozen(kw_only=True)
class Items(Unknown):
    """The value of an array whose items are plain words.

    What stands for one text of it is not known; `${a[@]}` is all of them, each a word.
    """

    items: tuple[str, ...] = ()
    each: "Below | None" = None
    """What every item is, where they are names out of a list and no plain words."""


def word_of(text: str, *, known: bool = True, glob: bool = False, several: bool = False) -> Word:
    """A word of this text, by how much of it is known.

    >>> word_of("a"), word_of("a*", glob=True), word_of("$x", known=False).known
    (Exact(text='a'), Pattern(text='a*'), False)
    """
    if not known:
        return Unknown(text=text, glob=glob, several=several)
    return Pattern(text=text) if glob else Exact(text=text)


def one_of(texts: Sequence[str], *, glob: bool = False) -> Word:
    """One of these texts.

    >>> one_of(["a", "b", "a"]).choices, one_of(["a", "a"])
    (('a', 'b'), Exact(text='a'))
    """
    once = tuple(dict.fromkeys(texts))
    if len(once) == 1:
        return word_of(once[0], glob=glob)
    return OneOf(text=once[0], choices=once, glob=glob)


def with_hidden(pattern: str) -> list[str]:
    """A pattern, and those that it stands for as well where wildcards stand for hidden names, too.

    >>> with_hidden("a/*"), with_hidden("?b/c*")
    (['a/*', 'a/.*'], ['?b/c*', '.b/c*'])
    """
    parts = pattern.split("/")
    ways = [
        (part, _HEAD.sub(r".\1", part)) if _HEAD.match(part) else (part,) for part in parts[-3:]
    ]
    return ["/".join((*parts[:-3], *way)) for way in itertools.product(*ways)]
