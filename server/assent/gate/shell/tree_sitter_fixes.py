r"""Corrects a text where the grammar parses it differently from every shell.

The tree is made of a text as long as the one that is read, so that a place in one is a place in
the other, and words are spelled from what was written.
"""

from collections.abc import Container
from itertools import pairwise
from typing import Final

from assent.gate.shell.steps import Budget
from assent.gate.shell.syntax import Node, parse, walk
from assent.gate.text.lazy_patterns import late

__all__ = ["hides_words", "lone_dashes", "mere_dollars", "parsed", "parted_names"]

Span = tuple[int, int]

_MAX_REWRITES: Final = 5
"""So often a text is put otherwise, since each time shows the grammar more of it."""

_VARIABLE: Final = late(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]")
_SIMPLE: Final = frozenset(("command", "declaration_command", "unset_command"))
_LINE_END: Final = late(r"(?:\\\n|[ \t])*+(\n)")
"""An end of a line that none of its own letters takes back."""
_MERE: Final = late(r"(?<!\$)\$(?=(?:\\\n)*+[ \t\n\\])")
"""A dollar before a blank, which to every shell is a dollar."""
_DASH: Final = late(r"(?<=[ \t\n])-(?=(?:[ \t]++|(?:[A-Za-z]|\\\n)*+)(?:[0-9]|\\\n)++[<>])")
_TIMED: Final = late(
    r"(time(?:[ \t]+-p)?)(?:[ \t]*\(|[ \t]+(?:\{|\[\[|for|while|until|if|case|select)(?=[ \t\n]))"
)
_JOINED: Final = late(r"\\\n#")


def parsed(source: str, budget: Budget | None = None, *, timed: bool) -> tuple[Node, str]:
    r"""The tree of a text, and the text of which it was made at last.

    `time` before a construct, where it is `timed`, gives way to blanks: of the construct the
    grammar would make words. So does the end of a line, to a `;`, where it would read on: behind a
    pipe of three where the next line has an `&&` or a here-document.

    >>> for text in ("time { ls; }", "time -p (ls)", "time ls", "a | b | c\nd && e"):
    ...     parsed(text, timed=True)[1]
    '     { ls; }'
    '        (ls)'
    'time ls'
    'a | b | c;d && e'
    >>> for text in ("a | b | c # d\ne && f", "a | b | c \\\n d && e"):
    ...     parsed(text, timed=True)[1]
    'a | b | c ;   e && f'
    'a | b | c \\\n d && e'
    """
    root = parse(source, budget)
    for _ in range(_MAX_REWRITES):
        spans = [(span, " ") for span in (_timed(root, source) if timed else ())]
        spans = spans or [(span, ";") for span in _joined_lines(root, source)]
        if not spans:
            break
        for (start, end), sign in spans:
            source = f"{source[:start]}{sign.ljust(end - start)}{source[end:]}"
        root = parse(source, budget)
    return root, source


def _timed(root: Node, source: str) -> list[Span]:
    if not _TIMED.search(source):
        return []
    commands = (node for node in walk(root.children) if node.type == "command")
    found = (_TIMED.match(source, command.start_byte) for command in commands)
    return [match.span(1) for match in found if match is not None]


def _joined_lines(root: Node, source: str) -> list[Span]:
    """The first such end of each command, with the comment before it."""
    if "\n" not in source or "|" not in source or root.has_error:
        return []
    commands = (node for node in walk(root.children) if node.type in _SIMPLE)
    ends = (_line_end(command, source) for command in commands)
    return [end for end in ends if end is not None]


def _line_end(command: Node, source: str) -> Span | None:
    for node, other in pairwise(command.children):
        end = _LINE_END.match(source, node.end_byte, other.start_byte)
        if end is not None:
            return node.start_byte if node.type == "comment" else end.start(1), end.end(1)
    return None


def mere_dollars(source: str) -> str:
    r"""The text, as long, with a sign that means nothing for each dollar before a blank.

    The grammar looks past the blank, and takes the next word for the name of a variable.

    >>> for text in ("A=$ rm x", "cat <$\\ x", "echo $$ $x", "A=$\\\nx"):
    ...     mere_dollars(text)
    'A=. rm x'
    'cat <.\\ x'
    'echo $$ $x'
    'A=$\\\nx'
    """
    return _MERE.sub(".", source) if "$" in source else source


def lone_dashes(source: str) -> str:
    """The text, as long, with a letter for the dash of a word that the grammar passes over.

    That are `-` before a redirect that has a number, and a flag that ends in one right before a
    redirect. Of a minus in what is computed it makes a fault, about which is asked.

    >>> for text in ("cat - 2>/dev/null", "sort -ox2>a", "a- 2>b", "ls -l 2>b"):
    ...     lone_dashes(text)
    'cat a 2>/dev/null'
    'sort aox2>a'
    'a- 2>b'
    'ls -l 2>b'
    """
    return _DASH.sub("a", source) if "-" in source else source


def parted_names(root: Node, source: str) -> list[Span]:
    """The names of variables that the grammar parts from the sign before them, and where.

    It does so in a word in which another variable stands before, and letters behind; of these it
    makes a word of their own.

    >>> for text in ("cat $a/$bc/d.md", "cat $a/${bc}/d.md", "cat '$a/$bc/d.md'"):
    ...     parted_names(parse(text), text)
    [(8, 10)]
    []
    []
    >>> parted_names(parse("cat notes$$"), "cat notes$$")
    [(10, 11)]
    """
    if "$" not in source or root.has_error:
        return []
    signs = [
        node
        for node in walk(root.children)
        if node.type == "$" and node.parent is not None and node.parent.type == "concatenation"
    ]
    names = (_VARIABLE.match(source, sign.end_byte) for sign in signs)
    # At the end of a word the number of the shell itself is one sign to it.
    own = [
        (sign.end_byte - 1, sign.end_byte) for sign in signs if sign.end_byte - sign.start_byte > 1
    ]
    return sorted((*own, *(name.span() for name in names if name is not None)))


def hides_words(root: Node, source: str) -> bool:
    r"""Whether the grammar takes for a comment what goes on with the word of the line before.

    >>> [hides_words(parse(it), it) for it in ("ls a\\\n#; rm b", "ls \\\n#; rm b")]
    [True, False]
    """
    if not _JOINED.search(source):
        return False
    comments = [node for node in walk(root.children) if node.type == "comment"]
    ends = {comment.end_byte for comment in comments}
    return any(_goes_on(source, comment.start_byte, ends) for comment in comments)


def _goes_on(source: str, at: int, ends: Container[int]) -> bool:
    """Whether a word goes on here behind joined lines; a comment before them ends all the same."""
    start = at
    while source[start - 2 : start] == "\\\n":
        start -= 2
    before = source[max(start - 2, 0) : start]
    apart = not before or (before[-1] in " \t\n;&|(" and before[0] != "\\")
    return start < at and not apart and start + 1 not in ends
