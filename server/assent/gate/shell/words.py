"""Turns words of the tree into the words that the program is given.

Every leaf is held against what the shell itself would take for one word, since the grammar is not
exact: what does not fit is doubted, and so is every kind of node that is not known here.
"""

# ruff: noqa: ARG001, FBT001 -- whatever stands in the table of spellings is called alike

import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from itertools import chain
from typing import Final

from assent.gate.shell.arithmetic import number
from assent.gate.shell.expansions import expansion, variable
from assent.gate.shell.notes import MISREAD, Here
from assent.gate.shell.quoting import SPLIT, decode_ansi, hole, protect, unescape, unescape_in
from assent.gate.shell.syntax import Node
from assent.gate.shell.unread_commands import salvage
from assent.gate.shell.word import Exact, Phrase, Unknown, Word
from assent.gate.shell.word_joining import finish
from assent.gate.text.lazy_patterns import late

__all__ = ["begin", "value", "word", "words"]

_PLAIN: Final = late(r"[\w./:@%+,\-]+=?[\w./:@%+,\-]*", re.ASCII)
_AFTER_DOLLAR: Final = ("'", '"', "(", "{", "[", ",", "}")
"""What makes more of a dollar, or ends braces, behind which anything may come to stand."""
_BLANKS: Final = late(r"[ \t\n]+")
_UNQUOTED: Final = late(r"(?:[^\s\\'\"`$|&;<>()]|\\.)+", re.DOTALL)
_LITERAL: Final = late(r"(?:[^\"\\`$]|\\.|\$(?![\w({\[?#@*!$\-]))*", re.DOTALL)
_SINGLE: Final = late(r"'[^']*'")
_ANSI: Final = late(r"\$'((?:[^'\\]|\\.)*)'", re.DOTALL)

_AROUND: Final = (" ", "\t", "\n")
_SUBSTITUTIONS: Final = frozenset(("command_substitution", "process_substitution"))


def words(node: Node, here: Here) -> list[Word]:
    r"""The words that one word of the text becomes.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare(r'''cat src/{a,b}.py my\ notes "$x" '*' ''', KNOWN)
    >>> [it.text for node in tree.children[0].children[1:] for it in words(node, here)]
    ['src/a.py', 'src/b.py', 'my notes', '"$x"', '*']
    """
    if node.type in ("word", "number") and not node.child_count:
        text = here.notes.of(node)
        if _PLAIN.fullmatch(text):
            here.notes.record.budget.spend(3)
            return [Exact(text=text)]
    here.notes.record.budget.spend(5 * node.descendant_count)
    holes: list[Word] = []
    marked = _spell(node, here, holes, quoted=False)
    found = finish(marked, holes, node, here)
    return [*chain.from_iterable(map(_with_above, found))] if here.notes.dialect == "sh" else found


def _with_above(one: Word) -> Iterator[Word]:
    """A pattern such as `.*` as two words: to dash and ksh it stands for the folder above, too."""
    yield one
    folder, slash, name = one.text.rpartition("/")
    if one.glob and name[:1] == "." and fnmatchcase("..", name):
        yield one.spelled(f"{folder}{slash}..", glob=any(it in folder for it in "*?["))


def word(node: Node, here: Here) -> Word:
    """One word, such as the target of a redirect; not known where it becomes several.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("cat notes {a,b}", KNOWN)
    >>> [word(it, here).known for it in tree.children[0].children[1:]]
    [True, False]
    """
    found = words(node, here)
    if len(found) == 1:
        return found[0]
    return Unknown(text=here.notes.of(node), several=True)


def value(node: Node, here: Here) -> Word:
    """What is assigned: braces mean nothing in it, and it is not split.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("x={a,b}", KNOWN)
    >>> value(tree.children[0].children[2], here).text
    '{a,b}'
    """
    here.notes.record.budget.spend(8 + 5 * node.descendant_count)
    text = here.notes.of(node)
    if node.type in ("word", "number") and not node.child_count and _PLAIN.fullmatch(text):
        return Exact(text=text)
    holes: list[Word] = []
    marked = _spell(node, here, holes, quoted=True)
    one, *more = finish(marked, holes, node, here, assigned=True)
    return Unknown(text=text, several=True) if more else one


def begin(node: Node, here: Here) -> int:
    r"""Where a node begins: the grammar counts blanks before a backtick to it.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("echo \"on  `date`\"", KNOWN)
    >>> begin(tree.children[0].children[1].children[2], here)
    10
    """
    start, source = node.start_byte, here.notes.source
    if source[start : start + 1] in _AROUND and node.type in _SUBSTITUTIONS:
        while source[start : start + 1] in _AROUND and start < node.end_byte:
            start += 1
    return start


def _spell(node: Node, here: Here, holes: list[Word], *, quoted: bool) -> str:
    """A node as a marked text: its quotes are gone, and each expansion in it is a hole."""
    spelled = _SPELLINGS.get(node.type)
    if spelled is not None:
        return spelled(node, here, holes, quoted)
    if node.child_count or not _UNQUOTED.fullmatch(here.notes.of(node)):
        salvage(node, here, MISREAD)
        return _hole(holes, Unknown(text=here.notes.of(node), several=True))
    return unescape(here.notes.of(node))


def _hole(holes: list[Word], content: Word) -> str:
    """The hole that stands for this word."""
    holes.append(content)
    return hole(len(holes) - 1)


def _holes(holes: list[Word], content: Word) -> str:
    """The same, with a mark wherever the shell splits a value that is known."""
    if not isinstance(content, Phrase):
        return _hole(holes, content)
    pieces = _BLANKS.split(content.text)
    return SPLIT.join(_hole(holes, Exact(text=piece)) if piece else "" for piece in pieces)


def _unquoted(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    text = here.notes.of(node)
    source = here.notes.source
    before = source[node.start_byte - 1 : node.start_byte]
    if (
        (node.child_count and node.type != "brace_expression")
        or not _UNQUOTED.fullmatch(source, node.start_byte, node.end_byte)
        or (text[0] == "#" and (not before or before in " \t\n;&|()"))
    ):
        here.notes.doubt_node(MISREAD, node)
    return unescape(text)


def _single(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    text = here.notes.of(node)
    if not _SINGLE.fullmatch(text):
        here.notes.doubt_node(MISREAD, node)
    # Empty quotes still make a word: the last hole stands for nothing, and `finish` drops it.
    return protect(text[1:-1]) or hole(0xFFF)


def _ansi(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    match = _ANSI.fullmatch(here.notes.of(node))
    decoded = decode_ansi(match[1]) if match else None
    if decoded is None or here.notes.dialect == "sh":
        here.notes.doubt_node(MISREAD, node)
        return _hole(holes, Unknown(text=here.notes.of(node)))
    return protect(decoded) or hole(0xFFF)


def _double(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    """What stands in double quotes; between its expansions the grammar leaves blanks out."""
    notes, at = here.notes, node.start_byte + 1
    parts: list[str] = []
    for child in node.children[1:-1]:
        if child.type in ("string_content", "$"):
            continue
        start = begin(child, here)
        parts += (_literal(here, at, start), _spell(child, here, holes, quoted=True))
        at = child.end_byte
    last = node.end_byte - 1
    if notes.source[node.start_byte] != '"' or notes.source[last] != '"' or at > last:
        notes.doubt_node(MISREAD, node)
    parts.append(_literal(here, at, last))
    return "".join(parts) or hole(0xFFF)


def _literal(here: Here, start: int, end: int) -> str:
    text = here.notes.text[start:end]
    if not _LITERAL.fullmatch(text):
        here.notes.doubt(MISREAD, start, end)
    return unescape_in(text)


def _joined(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    parts: list[str] = []
    at = node.start_byte
    for child in node.children:
        if begin(child, here) != at:
            here.notes.doubt_node(MISREAD, node)
        parts.append(_spell(child, here, holes, quoted=quoted))
        at = child.end_byte
    return "".join(parts)


def _variable(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    return _holes(holes, variable(node, here, quoted=quoted))


def _expansion(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    return _holes(holes, expansion(node, here, words, quoted=quoted))


def _number(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    return _hole(holes, number(node, here))


def _substitution(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    content = here.notes.descend(node, here)
    if quoted:
        content = content.quoted
    elif isinstance(content, Phrase):
        # Without quotes a text is split, and patterns in it become names of files.
        content = Unknown(text=here.notes.of(node), several=True)
    return _hole(holes, content)


def _dollar(node: Node, here: Here, holes: list[Word], quoted: bool) -> str:
    if here.notes.source[node.end_byte : node.end_byte + 1] in _AFTER_DOLLAR:
        here.notes.doubt_node(MISREAD, node)
    return protect("$")


_SPELLINGS: Final[dict[str, Callable[[Node, Here, list[Word], bool], str]]] = {
    "word": _unquoted,
    "number": _unquoted,
    "variable_name": _unquoted,
    "raw_string": _single,
    "ansi_c_string": _ansi,
    "string": _double,
    "concatenation": _joined,
    "brace_expression": _unquoted,
    "simple_expansion": _variable,
    "expansion": _expansion,
    "arithmetic_expansion": _number,
    "command_substitution": _substitution,
    "process_substitution": _substitution,
    "$": _dollar,
}
