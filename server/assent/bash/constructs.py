"""What every construct of the shell is read with."""

from collections.abc import Callable, Sequence

from assent.bash.notes import Here
from assent.bash.state import Flow
from assent.bash.syntax import Node
from assent.values import frozen

__all__ = ["Construct", "Sequencer"]

Sequencer = Callable[[Sequence[Node], Here], Flow]
"""Reads statements, one after the other."""


@frozen(kw_only=True)
class Construct:
    """A compound of the shell, such as a loop, with what its reader needs of what is around it."""

    node: Node
    run: Sequencer
    after: Sequence[Node] = ()
    """The redirects that stand behind it, where they are its own."""
    operator: str = ""
