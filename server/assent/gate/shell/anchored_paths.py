"""Paths from a folder that only the ruling can place: a home, a repository, `$PWD`."""

from typing import ClassVar

from assent.gate.shell.word import Below, Word, word_of
from assent.gate.values import evolve, frozen

__all__ = ["InFolder", "InHome", "InTop", "Rooted", "under"]


@frozen(kw_only=True)
class Rooted(Word):
    """A path from a folder of which only the ruling knows where it is."""

    root: ClassVar[str]
    """How the path of that folder is spelled."""

    home = True
    glob: bool = False
    splits: bool = False

    @property
    def quoted(self) -> Word:
        """The path as one word, whatever blanks that folder has in its name."""
        return evolve(self, splits=False) if self.splits else self

    def spelled(self, text: str, *, glob: bool | None = None) -> Word:
        """Another path from the same folder; without that folder it is any other text."""
        glob = self.glob if glob is None else glob
        if not text.startswith(self.root):
            return word_of(text, known=self.known, glob=glob)
        return evolve(self, text=text, glob=glob)


@frozen(kw_only=True)
class InHome(Rooted):
    """A path from the person's home: `~/a`, `$HOME/a`."""

    root = "~"
    known = True
    text: str = root


@frozen(kw_only=True)
class InFolder(Rooted):
    """A path from the folder that the shell is in, which stands in it as `~+`: `$PWD/a`."""

    root = "~+"
    known = True
    text: str = root

    @property
    def path(self) -> str:
        """The path from there."""
        return f".{self.text[2:]}"

    @property
    def there(self) -> Word:
        """What it is called there."""
        return word_of(self.path, glob=self.glob)


@frozen(kw_only=True)
class InTop(Rooted):
    """A path from the folder of the repository that git finds, however that was written.

    The ruling puts the folder there where git surely finds one, and nothing that is done before
    may have made it find another.
    """

    root = "$(git rev-parse --show-toplevel)"
    text: str = root

    @property
    def below(self) -> str:
        """What stands behind that folder.

        >>> InTop().spelled(f"{InTop.root}/src").below
        '/src'
        """
        return self.text.removeprefix(self.root)


def under(
    folder: Word, text: str, *, known: bool, glob: bool = False, listed: bool = False
) -> Word:
    """A path that begins with that of a folder; `known` and `listed` are said of the rest.

    >>> from assent.gate.shell.word import Exact
    >>> under(InHome(), "~/a", known=True).path, under(InHome(), "~/$x", known=False).known
    ('~/a', False)
    >>> under(Exact(text="out"), "out/…", known=False, listed=True).listed
    True
    """
    if listed:
        there = isinstance(folder, InFolder) and text.startswith(folder.root)
        return Below(
            text=f".{text[2:]}" if there else text, home=folder.home and not there, glob=glob
        )
    if isinstance(folder, Rooted) and known:
        return evolve(folder, text=text, glob=glob, splits=False)
    return word_of(text, known=known and folder.known, glob=glob)
