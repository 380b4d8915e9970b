"""Words of which only the kind is known before a command runs: some name, some date, some branch.

Each kind has a text of its own, which no program is given: as a path it says where such a name
lies, and whether it may begin with a dash.
"""

from typing import Final

from assent.bash.script import OF_REPOSITORY, Word

__all__ = [
    "BRANCH",
    "DAY",
    "HASH",
    "LISTED",
    "REF",
    "STATES",
    "STRICT",
    "TOP",
    "is_top",
]

LISTED: Final = Word(text="…", known=False, listed=True)
"""A name below the folder, which may begin with a dash."""
STRICT: Final = Word(text="./…", known=False, listed=True)
"""A name below the folder that begins with no dash."""
HASH: Final = Word(text="./0…", known=False, listed=True, empty=True)
"""What git gives for a state of the files: letters and digits, or nothing where it fails."""
DAY: Final = Word(text="./0-…", known=False, listed=True)
"""A date, which begins with no dash and has no blanks."""
REF: Final = Word(text="…0", known=False, listed=True, empty=True)
"""What somebody called a state of the files: it has no blanks, and is no path that leads away."""

BRANCH: Final = Word(text="./0……", known=False, listed=True, empty=True)
"""The branch that is checked out, which begins with no dash: the ruling sees to that."""

TOP: Final = Word(text=OF_REPOSITORY, known=False, home=True, splits=True)
"""The folder of the repository that git finds, or nothing without one: the ruling follows it."""

STATES: Final = frozenset((BRANCH.text, DAY.text, HASH.text, REF.text))
"""What has no blanks, so that a shell makes one word of it."""


def is_top(word: Word) -> bool:
    """Whether it is the folder of the repository, and nothing else.

    >>> from assent.programs.reading import read_script
    >>> script = read_script('cd "$(git rev-parse --show-toplevel)"; cd "$(git rev-parse HEAD)"')
    >>> [is_top(it.argv[1]) for it in script.commands if it.name == "cd"]
    [True, False]
    """
    return word.by_top and word.text == TOP.text
