"""What the shape of the tree alone says of a command: what it reads, and how it is named."""

from collections.abc import Sequence
from typing import Final

from assent.bash.syntax import Node, apart, walk
from assent.text.patterns import late

__all__ = ["is_computed", "is_pipe", "sends_away", "takes_input"]

_FEEDS: Final = frozenset(
    ("herestring_redirect", "heredoc_redirect", "<", "<&", "<>", "<&-", "<<<", "<<")
)

_ERRORS: Final = late(r"2>>?[ \t]*/dev/null")
_PIPES: Final = ("pipeline", "redirected_statement")
_COMPUTED: Final = frozenset(
    ("simple_expansion", "expansion", "command_substitution", "arithmetic_expansion")
)
_HOME: Final = ("$HOME", "${HOME}", "$PWD", "${PWD}")


def takes_input(nodes: Sequence[Node]) -> bool:
    """Whether a redirect anywhere in these gives a command something else to read.

    >>> from assent.bash.syntax import parse
    >>> takes_input(parse("wc < notes").children), takes_input(parse("wc notes > out").children)
    (True, False)
    """
    return any(it.type in _FEEDS for it in walk(nodes))


def sends_away(nodes: Sequence[Node], source: str) -> bool:
    """Whether what is written in these may go elsewhere: all but errors that are thrown away.

    >>> from assent.bash.syntax import parse
    >>> for text in ("ls 2> /dev/null", "ls > out", "ls 2>&1"):
    ...     print(sends_away(parse(text).children, text))
    False
    True
    True
    """
    told = (source[it.start_byte : it.end_byte] for it in walk(nodes) if it.type == "file_redirect")
    return any(not text.startswith("<") and not _ERRORS.fullmatch(text) for text in told)


def is_pipe(nodes: Sequence[Node]) -> bool:
    """Whether these are one pipe of simple commands, and nothing else.

    >>> from assent.bash.syntax import parse
    >>> is_pipe(parse("ls | sort | head").children), is_pipe(parse("ls; date").children)
    (True, False)
    """
    if len(nodes) != 1 or nodes[0].type not in (*_PIPES, "command"):
        return False
    parts = [it.type for it in apart(nodes, _PIPES) if it.is_named]
    return all(it == "command" or it.endswith("_redirect") for it in parts)


def is_computed(node: Node, source: str) -> bool:
    """Whether a name that runs has an expansion in it other than `$HOME` and `$PWD`.

    >>> from assent.bash.syntax import parse
    >>> for text in ("$HOME/bin/tool", "$TOOLS/bin/tool"):
    ...     print(is_computed(parse(text).children[0].children[0], text))
    False
    True
    """
    return any(
        it.type in _COMPUTED and source[it.start_byte : it.end_byte] not in _HOME
        for it in walk(node.children)
    )
