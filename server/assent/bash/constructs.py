"""What every construct of the shell is read with."""

from collections.abc import Callable, Sequence

from attrs import frozen

from assent.bash.notes import Here
from assent.bash.state import Flow
from assent.bash.syntax import Node

__all__ = ["Construct", "Sequencer"]

Sequencer = Callable[[Sequence[Node], Here], Flow]
"""Reads statements, one after the other."""


@frozen(kw_only=True)
class Construct:
    """A construct, such as a loop."""

    node: Node
    run: Sequencer
    after: Sequence[Node] = ()
    """The redirects that stand behind it, where they are its own."""
    operator: str = ""
