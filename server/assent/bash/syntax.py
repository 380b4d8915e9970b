"""The grammar of the shell, made when the first text is read.

It is given plain ASCII alone, so that an offset in the tree is one in the text.
"""

from functools import cache
from typing import Final

from tree_sitter import Node, Parser

from assent.text.patterns import late

__all__ = ["Node", "parse"]

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
