"""The grammar of the shell, made when the first text is read, and what its tree does not show.

It is given plain ASCII alone, so that an offset in the tree is one in the text.
"""

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from typing import Final

from tree_sitter import Node, Parser

from assent.text.patterns import late

__all__ = ["Node", "apart", "entangled", "parse", "undone", "walk"]

_STRANGE: Final = late(r"[^\x00-\x7f]")


@cache
def _parser() -> Parser:
    """Only a text that is read pays for loading the grammar."""
    import tree_sitter_bash  # noqa: PLC0415
    from tree_sitter import Language  # noqa: PLC0415

    return Parser(Language(tree_sitter_bash.language()))


def parse(text: str) -> Node:
    """The tree of a text; a letter stands in it for each character that is not ASCII.

    >>> tree = parse("ls | wc")
    >>> [it.type for it in tree.children[0].children]
    ['command', '|', 'command']
    >>> parse("echo größe").children[0].text
    b'echo grxxe'
    """
    plain = text if text.isascii() else _STRANGE.sub("x", text)
    return _parser().parse(plain.encode("ascii")).root_node


def walk(nodes: Sequence[Node], opens: Callable[[str], bool] | None = None) -> Iterator[Node]:
    """These nodes and all that stands in them, as the text goes; in some kinds only, if so told.

    >>> [it.type for it in walk(parse("ls $x").children)]
    ['command', 'command_name', 'word', 'simple_expansion', '$', 'variable_name']
    >>> [it.type for it in walk(parse("ls $x").children, "command".__eq__)]
    ['command', 'command_name', 'simple_expansion']
    """
    todo = [*reversed(nodes)]
    while todo:
        node = todo.pop()
        yield node
        if node.child_count and (opens is None or opens(node.type)):
            todo += reversed(node.children)


def apart(nodes: Sequence[Node], kinds: Container[str]) -> list[Node]:
    """The nodes in a row, with what is in those of these kinds in the place of each.

    >>> [it.type for it in apart(parse("ls | wc && date").children, ("list", "pipeline"))]
    ['command', '|', 'command', '&&', 'command']
    """
    return [it for it in walk(nodes, kinds.__contains__) if it.type not in kinds]


# What the tree does not show: substitutions that it lacks, and texts that would cost too much.
#
# A backtick or a `$(` outside single quotes runs something. Each one in the text must be where the
# tree has a substitution begin or end; one that is not was missed by the grammar.

_UNSEEN: Final = "The reader did not come upon everything that runs here."

_OPENERS: Final = late(r"\$\{|\$\(|\[\[|\(|\{|`|\[")
_JOINS: Final = late(r"[|&;<>)\n]")
_MOST_OPEN: Final = 400
_MOST_JOINS: Final = 1200


def entangled(text: str) -> bool:
    """Whether the grammar may take too long over it, or the tree be too deep.

    >>> entangled("ls " * 1000), entangled("$(" * 500)
    (False, True)
    """
    if len(text) < _MOST_OPEN:
        return False
    return _more_than(_OPENERS, text, _MOST_OPEN) or _more_than(_JOINS, text, _MOST_JOINS)


def _more_than(pattern: re.Pattern[str], text: str, most: int) -> bool:
    return sum(1 for _ in pattern.finditer(text)) > most


_SUBSTITUTION: Final = late(r"\\.|`|[$<>]\(", re.DOTALL)


def undone(source: str, root: Node) -> str:
    """Why something may run that the tree does not know; nothing if nothing may.

    >>> from assent.bash.syntax import parse
    >>> undone("echo '$(a)' $(b)", parse("echo '$(a)' $(b)"))
    ''
    >>> undone("echo ${x:-`a`}", parse("echo ${x:-`a`}"))
    'The reader did not come upon everything that runs here.'
    """
    if "`" not in source and "(" not in source:
        return ""
    # Within these nothing runs.
    quoted = [
        (it.start_byte, it.end_byte)
        for it in walk([root])
        if it.type in ("raw_string", "ansi_c_string", "comment")
    ]
    opened = set(_opened(root, source))
    for token in _SUBSTITUTION.finditer(source):
        if token.group()[0] == "\\" or token.start() in opened:
            continue
        if not any(start <= token.start() < end for start, end in quoted):
            return _UNSEEN
    return ""


def _opened(root: Node, source: str) -> Iterator[int]:
    for node in walk([root]):
        if node.type in ("command_substitution", "process_substitution", "arithmetic_expansion"):
            start = node.start_byte
            while source[start] in " \t\n":
                start += 1
            yield start
            yield node.end_byte - 1
