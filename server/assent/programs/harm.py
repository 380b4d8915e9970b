"""What a tool does that nobody can take back, as a part of its row.

Such a use is told on the card by its loss, and denying stands first there. It changes no verdict.
"""

from attrs import frozen

__all__ = ["Harm"]


@frozen(kw_only=True)
class Harm:
    """One use of a tool after which something is gone, or out of hand, for good."""

    says: str = ""
    """The loss, in a sentence. `{rest}` in it stands for the operands behind `words`, `{0}` for
    the first of all, `{-f}` for the value of a flag, and `{rest|it}` says what stands there where
    there is none."""
    of: str = ""
    """The names of the row that it is about; all of them where nothing stands here."""
    words: str = ""
    """The operands that it begins with, several ways of them parted by commas. `*` stands for any
    letters of a word, and `**` for any words in a row."""
    flags: str = ""
    """The flags of which one must be there."""
    also: str = ""
    """A second set of flags, of which one must be there too."""
    spares: str = ""
    """The flags with which nothing is lost."""
    takes: str = ""
    """Flags that have a value, where the row does not know them."""
    form: str = ""
    """The name of what tells the loss, where that takes more than a sentence."""

    def is_about(self, name: str) -> bool:
        """Whether it is about the tool of this name."""
        return not self.of or name in self.of.split()
