"""Finds commands inside unreadable text, so that rules that deny them still apply."""

from typing import Final

from assent.gate.shell.notes import Here
from assent.gate.shell.syntax import Node, walk
from assent.gate.text.lazy_patterns import late

__all__ = ["reread", "salvage"]

_OTHERWISE: Final = "The shell takes this for more than one command."

_BACKTICKS: Final = late(r"`([^`]*)`")

_SUBSTITUTIONS: Final = frozenset(("command_substitution", "process_substitution"))


def salvage(node: Node, here: Here, because: str = "") -> None:
    """Doubt a node, if there is a reason, and read every substitution in it, unseen ones too.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("echo $((x + $(date)))", KNOWN)
    >>> salvage(tree, here)
    >>> [it.name for it in here.notes.record.commands]
    ['date']
    """
    if because:
        here.notes.doubt_node(because, node)
    inner = walk([node], lambda kind: kind not in _SUBSTITUTIONS)
    nodes = [node for node in inner if node.type in _SUBSTITUTIONS]
    for it in nodes:
        here.notes.descend(it, here)
    if nodes:
        return
    place = here.notes.place(node.start_byte, node.end_byte)
    for inner in _BACKTICKS.findall(here.notes.of(node)):
        here.recite(inner, place)


def reread(text: str, node: Node, here: Here) -> None:
    """Read what the grammar takes for one thing as the commands that the shell makes of it.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("((date))", KNOWN, "sh")
    >>> reread("(date)", tree, here)
    >>> [it.name for it in here.notes.record.commands]
    ['date']
    >>> [it.because for it in here.notes.record.opaque]
    ['The shell takes this for more than one command.']
    """
    here.notes.doubt_node(_OTHERWISE, node)
    here.recite(text, here.notes.place(node.start_byte, node.end_byte))
