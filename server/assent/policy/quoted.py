"""Commands that stand as a text in the words of a program of which no more is known.

`python3 -c "os.system('rm -rf ~')"`, `tmux new 'rm -rf ~'`: whether they are run nobody can tell,
so they are held against what is asked about in every mode, and allow nothing.
"""

from collections.abc import Iterator
from typing import Final

from assent.bash.script import Command
from assent.programs.reading import read_script
from assent.programs.study import study
from assent.text.joined import pieces_in

__all__ = ["removals_in"]

_MOST: Final = 20
_LETTERS: Final = 10_000
"""So many texts are read, with so many letters in all."""


def removals_in(command: Command) -> Iterator[Command]:
    """The commands in the words of another that may leave nothing where they are run."""
    left = _LETTERS
    for text in list(dict.fromkeys(_texts(command)))[:_MOST]:
        left -= len(text)
        if left < 0:
            return
        yield from (it for it in read_script(text).commands if study(it).catastrophic)


def _texts(command: Command) -> Iterator[str]:
    """Words that hold more than one, the pieces of code in them, and a list of such as one text."""
    for word in command.argv[1:]:
        if " " in word.text:
            yield word.text.lstrip("!")
            pieces = pieces_in(word.text)
            yield from (it for it in pieces if " " in it)
            if len(pieces) > 1:
                yield " ".join(pieces)
