"""What a variable is given: `x=…`, alone, before a command or in a declaration."""

import re
from typing import Final

from assent.bash.arithmetic import is_plain
from assent.bash.expansions import is_plain_subscript
from assent.bash.notes import MISREAD, SUBSCRIPT, Here
from assent.bash.salvage import salvage
from assent.bash.script import Assignment
from assent.bash.state import COUNTS
from assent.bash.syntax import Node
from assent.bash.word import Exact, Items, Unknown, Word
from assent.bash.words import begin, value, words
from assent.text.patterns import late

__all__ = ["assignment"]

_MOST: Final = 16
"""So many items are followed."""
_PLAIN: Final = late(r"[\w./:@%+,=\-]+", re.ASCII)
"""An item that nothing splits, and that is no pattern."""
_NAMED: Final = late(r"[\w./:\-]+|\"[\w./: \-]*\"|'[^']*'", re.ASCII)
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
    found = Exact(text="") if given is None else _value(given, here)
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


def _value(node: Node, here: Here) -> Word:
    if node.type != "array":
        return value(node, here)
    found = [word for item in node.named_children for word in _item(item, here)]
    # zsh counts the items otherwise, and one with a name is no array of numbers.
    plain = all(isinstance(it, Exact) and _PLAIN.fullmatch(it.text) for it in found)
    told = plain and here.notes.dialect == "bash" and not here.named
    if not told or not 0 < len(found) <= _MOST:
        return Unknown(text=here.notes.of(node), several=True)
    texts = tuple(it.text for it in found)
    return Items(text=here.notes.of(node), several=True, items=texts)


def _item(item: Node, here: Here) -> list[Word]:
    """One item; `[x]=…` computes `x`, unless the array is declared to have names."""
    text = here.notes.of(item)
    if text.startswith("["):
        index = text[1:].partition("]")[0]
        if not (_NAMED.fullmatch(index) if here.named else is_plain(index, here)):
            here.notes.doubt_node(SUBSCRIPT, item)
    return words(item, here)
