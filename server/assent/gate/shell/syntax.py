"""The grammar of the shell, loaded with the first text, and questions to its tree.

It is given plain ASCII alone, so that an offset in the tree is one in the text.
"""

import re
from collections.abc import Callable, Container, Iterator, Sequence
from functools import cache
from typing import Final

from tree_sitter import Node, Parser

from assent.gate.shell.steps import Budget
from assent.gate.text.lazy_patterns import late

__all__ = [
    "FEEDS",
    "Node",
    "apart",
    "is_computed",
    "is_pipe",
    "parse",
    "sends_away",
    "takes_input",
    "tangle",
    "undone",
    "walk",
]

_STRANGE: Final = late(r"[^\x00-\x7f]")
_STRETCH_BYTES: Final = (
    256  # Who looks ahead from each sign asks for such a stretch again and again.
)


@cache
def _parser() -> Parser:
    """Only a text that is read pays for loading the grammar."""
    import tree_sitter_bash  # noqa: PLC0415
    from tree_sitter import Language  # noqa: PLC0415

    return Parser(Language(tree_sitter_bash.language()))


def parse(text: str, budget: Budget | None = None) -> Node:
    """The tree of a text; a letter stands in it for each character that is not ASCII.

    >>> tree = parse("ls | wc")
    >>> [it.type for it in tree.children[0].children]
    ['command', '|', 'command']
    >>> parse("echo größe").children[0].text
    b'echo grxxe'
    """
    plain = (text if text.isascii() else _STRANGE.sub("x", text)).encode("ascii")
    if budget is None or len(plain) < _STRETCH_BYTES:
        return _parser().parse(plain).root_node
    left = budget.left // 2

    def stretch(at: int, _: object) -> bytes:
        nonlocal left
        left -= 1
        return plain[at : at + _STRETCH_BYTES] if left >= 0 else b""

    root = _parser().parse(stretch).root_node
    budget.spend(2 * (budget.left // 2 - left))
    return root


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
    return [node for node in walk(nodes, kinds.__contains__) if node.type not in kinds]


# What the shape of the tree alone says of a command: what it reads, and how it is named.

FEEDS: Final = frozenset(
    ("herestring_redirect", "heredoc_redirect", "<", "<&", "<>", "<&-", "<<<", "<<")
)
"""The redirects, and the signs of them, that say what a command reads."""

_ERRORS: Final = late(r"2>>?[ \t]*/dev/null")
_PIPES: Final = ("pipeline", "redirected_statement")
_COMPUTED: Final = frozenset(
    ("simple_expansion", "expansion", "command_substitution", "arithmetic_expansion")
)
_HOME: Final = ("$HOME", "${HOME}", "$PWD", "${PWD}")


def takes_input(nodes: Sequence[Node]) -> bool:
    """Whether a redirect anywhere in these gives a command something else to read.

    >>> takes_input(parse("wc < notes").children), takes_input(parse("wc notes > out").children)
    (True, False)
    """
    return any(node.type in FEEDS for node in walk(nodes))


def sends_away(nodes: Sequence[Node], source: str) -> bool:
    """Whether what is written in these may go elsewhere: all but errors that are thrown away.

    >>> for text in ("ls 2> /dev/null", "ls > out", "ls 2>&1"):
    ...     print(sends_away(parse(text).children, text))
    False
    True
    True
    """
    told = (
        source[node.start_byte : node.end_byte]
        for node in walk(nodes)
        if node.type == "file_redirect"
    )
    return any(not text.startswith("<") and not _ERRORS.fullmatch(text) for text in told)


def is_pipe(nodes: Sequence[Node]) -> bool:
    """Whether these are one pipe of simple commands, and nothing else.

    >>> is_pipe(parse("ls | sort | head").children), is_pipe(parse("ls; date").children)
    (True, False)
    """
    if len(nodes) != 1 or nodes[0].type not in (*_PIPES, "command"):
        return False
    parts = [node.type for node in apart(nodes, _PIPES) if node.is_named]
    return all(part == "command" or part.endswith("_redirect") for part in parts)


def is_computed(node: Node, source: str) -> bool:
    """Whether a name that runs has an expansion in it other than `$HOME` and `$PWD`.

    >>> for text in ("$HOME/bin/tool", "$TOOLS/bin/tool"):
    ...     print(is_computed(parse(text).children[0].children[0], text))
    False
    True
    """
    return any(
        it.type in _COMPUTED and source[it.start_byte : it.end_byte] not in _HOME
        for it in walk(node.children)
    )


# What the tree does not show: substitutions that it lacks, and what a text costs.
#
# A backtick or a `$(` outside single quotes runs something. Each one in the text must be where the
# tree has a substitution begin or end; one that is not was missed by the grammar.

_UNSEEN: Final = "The reader did not come upon everything that runs here."


_SAID: Final = late(r"(?<!\S)#.*|'[^']*'|\"(?:\\.|[^\"\\])*\"|\\.")
"""Comments and quoted text, in which no sign opens anything."""
_PAIRS: Final = ("[]", "{}", "()")


def tangle(text: str) -> int:
    """How many steps the grammar may take over a text, by the signs in it that open or join.

    >>> tangle("ls " * 1000), tangle("$(" * 500), tangle("ls;" * 1000), tangle("[[ a " * 600)
    (375, 4375, 5375, 16575)
    """
    signs = sum(map(text.count, "|&;<>()[{`\n"))
    bare = _SAID.sub("", text)
    # Where something is never closed, the grammar tries many readings of all that follows.
    unclosed = any(bare.count(opened) > bare.count(closed) for opened, closed in _PAIRS)
    return len(text) // 8 + signs**2 // 200 + (3 * len(text) if unclosed else 0)


_SUBSTITUTION: Final = late(r"\\.|`|[$<>]\(", re.DOTALL)


def undone(source: str, root: Node) -> str:
    """Why something may run that the tree does not know; nothing if nothing may.

    >>> undone("echo '$(a)' $(b)", parse("echo '$(a)' $(b)"))
    ''
    >>> undone("echo ${x:-`a`}", parse("echo ${x:-`a`}"))
    'The reader did not come upon everything that runs here.'
    """
    if "`" not in source and "(" not in source:
        return ""
    # Within these nothing runs.
    quoted = [
        (node.start_byte, node.end_byte)
        for node in walk([root])
        if node.type in ("raw_string", "ansi_c_string", "comment")
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
