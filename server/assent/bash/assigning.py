"""What a variable is given: `x=…`, alone, before a command or in a declaration."""

import re
from typing import Final

from assent.bash.expansions import is_plain_subscript
from assent.bash.notes import MISREAD, SUBSCRIPT, Here
from assent.bash.salvage import salvage
from assent.bash.script import Assignment
from assent.bash.state import COUNTS
from assent.bash.syntax import Node
from assent.bash.word import Exact, Unknown
from assent.bash.words import begin, value
from assent.text.patterns import late

__all__ = ["assignment"]

_COUNTED: Final = late(r"\w+\[(?:0|[1-9]\d*)\]", re.ASCII)
_OWN: Final = frozenset(("UID", "EUID", "PPID"))
"""What nobody may assign."""

_COUNTS: Final = "This takes its meaning from a variable of the shell."
_NOT_SH: Final = "Not every shell called sh takes this for an assignment."


def assignment(node: Node, here: Here, appended: set[str] | None = None) -> Assignment:
    """One assignment: `x=…`, `x+=…`, `x[1]=…`, `x=(…)`.

    Names that get more than a plain new value are put into `appended`.

    >>> from assent.bash.read import prepare
    >>> from assent.programs.reading import KNOWN
    >>> tree, here = prepare("a='my notes' b=$USER.txt c+=more", KNOWN)
    >>> appended = set()
    >>> for node in tree.children[0].children:
    ...     found = assignment(node, here, appended)
    ...     print(found.name, found.text)
    a my notes
    b None
    c None
    >>> appended
    {'c'}
    """
    name = node.children[0]
    given = node.child_by_field_name("value")
    text = here.notes.of(name)
    unknown = name.type != "variable_name" or here.notes.of(node.children[1]) != "="
    if name.type == "subscript":
        if not is_plain_subscript(name, here):
            here.notes.doubt_node(SUBSCRIPT, name)
            salvage(name, here)
        if not _COUNTED.fullmatch(text):
            here.notes.may_break()
        text = here.notes.of(name.children[0])
    if given is not None and begin(given, here) != node.children[1].end_byte:
        here.notes.doubt_node(MISREAD, node)
    found = Exact(text="") if given is None else value(given, here)
    if unknown:
        if here.notes.dialect == "sh":
            here.notes.doubt_node(_NOT_SH, node)
        if appended is not None:
            appended.add(text)
        found = Unknown(text=found.text)
    if text in _OWN:
        here.notes.may_break()
    if text in COUNTS and not (found.known and found.text.isdecimal()):
        here.notes.doubt_node(_COUNTS, node)
    return Assignment(name=text, value=found)
