"""Assignments of variables: `x=…`, alone, before a command or in a declaration."""

import re
from collections.abc import Iterable
from typing import Final

from assent.gate.shell.arithmetic import is_plain
from assent.gate.shell.expansions import is_plain_subscript
from assent.gate.shell.notes import MARKS, MISREAD, SUBSCRIPT, Here
from assent.gate.shell.script import Assignment
from assent.gate.shell.state import COUNTS
from assent.gate.shell.syntax import Node
from assent.gate.shell.unread_commands import salvage
from assent.gate.shell.word import Below, Exact, Items, Phrase, Unknown, Word
from assent.gate.shell.word_sets import loop_word
from assent.gate.shell.words import begin, value, words
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["assignment", "may_be_array"]

_MAX_ITEMS: Final = 16
"""So many items are followed."""
_PLAIN: Final = late(r"[\w./:@%+,=\-]+", re.ASCII)
"""An item that nothing splits, and that is no pattern."""
_NAMED: Final = late(r"[\w./:\-]+|\"[\w./: \-]*\"|'[^']*'", re.ASCII)
_COUNTED: Final = late(r"\w+\[(?:0|[1-9]\d*)\]", re.ASCII)
_TOGETHER: Final = ("command", "variable_assignments", "declaration_command")
"""Where several may stand beside each other, none of which knows of the others."""
_OWN: Final = frozenset(("UID", "EUID", "PPID"))
"""What nobody may assign."""

_MAKES: Final = late(
    r"\w\+?=\(|[\s=]-(?!(?:i?name|maxdepth)\b)[a-zA-Z]*[aA]|\b(?:mapfile|readarray)\b"
    r"|(?:\$\w+|\})\[|\bread\s[^;|&\n]*-\w*\$"
)
"""How a text may make arrays, flags of `read` and declarations included; those of `find` are none
of any declaration."""
_ELEMENT: Final = late(r"\w+(?=\[)")
_ARRAYS: Final = late(r"BASH_\w+|DIRSTACK|PIPESTATUS|FUNCNAME|COPROC")
"""Those of the shell itself."""

_COUNTS: Final = "This takes its meaning from a variable of the shell."
_NOT_SH: Final = "Not every shell called sh takes this for an assignment."


def assignment(node: Node, here: Here, *, named: bool = False) -> Assignment:
    """One assignment: `x=…`, `x+=…`, `x[1]=…`, `x=(…)`.

    `named` says that the items of an array have names here instead of numbers.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("a='my notes' b=$USER.txt c+=more", KNOWN)
    >>> for node in tree.children[0].children:
    ...     found = assignment(node, here)
    ...     print(found.name, found.text, found.appended)
    a my notes False
    b None False
    c None True
    """
    name = node.children[0]
    given = node.child_by_field_name("value")
    text = here.notes.of(name)
    unknown = name.type != "variable_name" or here.notes.of(node.children[1]) != "="
    if name.type == "subscript":
        if not is_plain_subscript(name, here):
            salvage(name, here, SUBSCRIPT)
        if not _COUNTED.fullmatch(text):
            here.notes.may_break()
        text = here.notes.of(name.children[0])
    if given is not None and begin(given, here) != node.children[1].end_byte:
        here.notes.doubt_node(MISREAD, node)
    word = Exact(text="") if given is None else _value(given, here, named=named)
    grown = None
    if unknown:
        if here.notes.dialect == "sh":
            here.notes.doubt_node(_NOT_SH, node)
        grown = _grown(node, text, word, here)
        word = grown or Unknown(text=word.text)
    if text in _OWN:
        here.notes.may_break()
    if text in COUNTS and not (word.known and word.text.isdecimal()):
        here.notes.doubt_node(_COUNTS, node)
    return Assignment(name=text, value=word, appended=unknown and grown is None)


def _grown(node: Node, name: str, word: Word, here: Here) -> Items | None:
    """The value of an array that gets further items (`a+=(…)`), where all of them are known."""
    alone = node.parent is None or node.parent.type not in _TOGETHER
    had = here.value(f"{name}[@]")
    if not alone or node.children[0].type == "subscript" or had is None:
        return None
    if not isinstance(word, Items):
        return None
    plain = [*_plain(had.text), *word.items] if isinstance(had, Phrase) else []
    if word.each is None and plain:
        fits = len(plain) <= _MAX_ITEMS
        return Items(text=word.text, several=True, items=tuple(plain)) if fits else None
    new = [word.each] if word.each else [Exact(text=item) for item in word.items]
    old = [Exact(text=it) for it in _plain(had.text)] if isinstance(had, Phrase) else [had]
    each = _listed({it.text: it for it in (*old, *new)}.values())
    return Items(text=word.text, several=True, each=each) if each else None


def _plain(text: str) -> list[str]:
    return text.split(" ") if text else []


def _listed(found: Iterable[Word]) -> Below | None:
    """What each of these is, as a list of any length; None where that cannot be told."""
    word = loop_word([*found])
    return evolve(word, several=True, empty=True) if type(word) is Below else None


def _value(node: Node, here: Here, *, named: bool) -> Word:
    if node.type != "array":
        return value(node, here)
    found = [word for item in node.named_children for word in _item(item, here, named=named)]
    placed = any(
        "]=" in word.text or "]+=" in word.text for word in found
    )  # `[2]=x` is the item `x`.
    # zsh counts the items otherwise, and one with a name is no array of numbers.
    plain = all(isinstance(word, Exact) and _PLAIN.fullmatch(word.text) for word in found)
    told = here.notes.dialect == "bash" and not named
    told = told and not placed and len(found) <= _MAX_ITEMS
    text, each = here.notes.of(node), None if plain or not told else _listed(found)
    if told and (plain or each):
        items = tuple(word.text for word in found) if plain else ()
        return Items(text=text, several=True, items=items, each=each)
    return Unknown(text=text, several=True)


def _item(item: Node, here: Here, *, named: bool) -> list[Word]:
    """One item; `[x]=…` computes `x`, unless the array is declared to have names."""
    text = here.notes.of(item)
    if text.startswith("["):
        index = text[1:].partition("]")[0]
        if not (_NAMED.fullmatch(index) if named else is_plain(index, here)):
            here.notes.doubt_node(SUBSCRIPT, item)
    return words(item, here)


def may_be_array(name: str, text: str) -> bool:
    """Whether a variable may be an array already, by what stands in the whole text.

    >>> texts = ("x[0]=1; declare x=$y", "x=(a); declare x=$y", "x=a; declare x=$y")
    >>> [may_be_array("x", it) for it in texts]
    [True, True, False]
    """
    bare = MARKS.sub("", text)
    own = _ARRAYS.fullmatch(name) is not None or name in _ELEMENT.findall(bare)
    return own or _MAKES.search(bare) is not None
