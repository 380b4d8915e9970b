"""`[ … ]` and `[[ … ]]`, read as the words of a command.

`[[` computes numbers and subscripts, so these must not come of what is not known. `[` is a program
as any other, whose words an operator ends; the grammar takes both for the same.
"""

import re
from collections.abc import Sequence
from typing import Final

from assent.gate.shell.commands import Simple, redirected
from assent.gate.shell.notes import COMPUTED, MISREAD, Here
from assent.gate.shell.syntax import Node, apart
from assent.gate.shell.unread_commands import salvage
from assent.gate.shell.word import Exact, Word
from assent.gate.shell.word_sets import Number
from assent.gate.shell.words import begin, word, words
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["ends_early", "test"]


_INNER: Final = frozenset(
    ("binary_expression", "unary_expression", "parenthesized_expression", "negated_command")
)
_ARITHMETIC: Final = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
_SUBSCRIPTS: Final = frozenset(("-v", "-R", "-t"))
_LOOSE: Final = frozenset(("regex", "extglob_pattern", "redirected_statement"))
"""What is no word to a shell that has no `[[`."""
_GAP: Final = late(r"(?:[ \t\n]|\\\n)*")
_OPENS: Final = late(r"\[\[[ \t\n(]")
_LINE: Final = late(r"(?<!\\)\n")
_ENDS: Final = late(r"[|&;<>()]")
_NAME: Final = late(r"[A-Za-z_]\w*", re.ASCII)
_NUMBER: Final = late(r"-?\d+", re.ASCII)
_PATTERN: Final = late(r"(?:[^`$\\<>]|\\.|\$(?![\w({\['\"]))*", re.DOTALL)


def ends_early(node: Node, here: Here) -> bool:
    """Whether the shell takes this for a program's words, and an operator or a line ends them.

    What only computes is no test either.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> for text in ("[ a > b ]", "[[ a > b ]]", "[[a > b ]]", "[ a = b ]"):
    ...     tree, here = prepare(text, KNOWN)
    ...     print(ends_early(tree.children[0], here))
    True
    False
    True
    False
    """
    text = here.notes.of(node)
    if text.startswith("(("):
        return True
    if text.startswith("[[") and here.notes.dialect != "sh":
        # Without a gap behind them the brackets begin the name of a program, as in `[[a > b ]]`.
        return not _OPENS.match(text)
    at = node.start_byte
    for leaf in apart(node.children, _INNER):
        if _LINE.search(here.notes.source[at : begin(leaf, here)]):
            return True
        at = leaf.end_byte
        loose = not leaf.is_named or leaf.type in _LOOSE
        if loose and _ENDS.search(here.notes.of(leaf)):
            return True
    return False


def test(node: Node, after: Sequence[Node], here: Here, operator: str) -> Simple:
    """Read a test as a command, brackets counted, and the redirects that stand behind it.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("[[ -f 'my notes' && $a == b* ]]", KNOWN)
    >>> [it.text for it in test(tree.children[0], (), here, "").argv]
    ['[[', '-f', 'my notes', '&&', '$a', '==', 'b*', ']]']
    """
    argv: list[Word] = []
    double = here.notes.of(node).startswith("[[")
    at = node.start_byte
    for leaf in apart(node.children, _INNER):
        start = begin(leaf, here)
        if not _GAP.fullmatch(here.notes.source[at:start]):
            here.notes.doubt_node(MISREAD, node)
        at = leaf.end_byte
        argv += _read(leaf, here, double=double)
    if double:
        _check(node, argv, here)
    return evolve(redirected(after, here, operator, node), argv=tuple(argv))


def _read(leaf: Node, here: Here, *, double: bool) -> list[Word]:
    text = here.notes.of(leaf)
    if leaf.type == "test_operator" or not (leaf.is_named or leaf.child_count):
        return [Exact(text=text)]
    if double and leaf.type in ("regex", "extglob_pattern"):
        if not _PATTERN.fullmatch(text) or leaf.child_count:
            salvage(leaf, here, MISREAD)
        return [Exact(text=text)]
    # Between two brackets no value is split.
    return [word(leaf, here)] if double else words(leaf, here)


def _check(node: Node, argv: list[Word], here: Here) -> None:
    """Doubt what `[[` computes of words that are not known."""
    for at, one in enumerate(argv):
        near = argv[max(at - 1, 0) : at] + argv[at + 1 : at + 2]
        if (one.text in _ARITHMETIC and not all(_is_number(it) for it in near)) or (
            one.text in _SUBSCRIPTS and not all(_NAME.fullmatch(it.text) for it in near[1:])
        ):
            here.notes.doubt_node(COMPUTED, node)
        elif one.text == "=~" and here.notes.dialect == "zsh":
            here.notes.doubt_node(MISREAD, node)


def _is_number(word: Word) -> bool:
    return isinstance(word, Number) or bool(word.known and _NUMBER.fullmatch(word.text))
