"""Arithmetic, which is harmless only on numbers: a variable in it is evaluated again.

`$((x))` runs what stands in the subscript that `x` may hold. So every name in it must surely hold
a number.
"""

import re
from collections.abc import Iterator
from typing import Final

from assent.gate.shell.notes import COMPUTED, Here
from assent.gate.shell.state import COUNTS
from assent.gate.shell.syntax import Node, walk
from assent.gate.shell.unread_commands import salvage
from assent.gate.shell.word import Below, Unknown, Word
from assent.gate.shell.word_sets import Number, as_number
from assent.gate.text.lazy_patterns import late

__all__ = ["assigned_in", "is_plain", "number"]

_NAME: Final = late(r"\$?\{?#?([A-Za-z_]\w*|[?#$!])\}?", re.ASCII)
_TOKENS: Final = late(
    r"0[xX][0-9a-fA-F]+|\d+#\w+|\d+|\$\{#?\w+(?:\[@\])?\}|\$[?#$!]|\$\w+|[A-Za-z_]\w*"
    r"|[\s+\-*/%<>=!&|^~?:,()]",
    re.ASCII,
)
# What is sure to be computed; a sign that stands by another is left for doubtful.
_OPERAND: Final = (
    r"(?:[-+](?![-+])|[!~\s])*(?:0[xX][0-9a-fA-F]+|0|[1-9]\d*|\$\{?[A-Za-z_]\w*\}?|\$[?#$!]"
    r"|\$\{#\w+(?:\[@\])?\}|[A-Za-z_]\w*(?:\+\+|--)?|(?:\+\+|--)[A-Za-z_]\w*)\s*"
)
_SUM: Final = (
    rf"(?:\s*[A-Za-z_]\w*\s*(?:[-+*&|^]|<<|>>)?=(?!=))?{_OPERAND}"
    rf"(?:(?:[-+](?![-+])|[*&|^,<>]|[<>=!]=|&&|\|\||<<|>>){_OPERAND}|(?:[/%]|\*\*)\s*[1-9]\d*\s*)*"
)
_SOUND: Final = late(_SUM, re.ASCII)
_BRACKETS: Final = late(rf"\({_SUM}\)", re.ASCII)
_ASSIGNED: Final = late(
    r"([A-Za-z_]\w*)\s*(?:[+\-*/%&|^]|<<|>>)?=(?!=)|(?:\+\+|--)\s*([A-Za-z_]\w*)"
    r"|([A-Za-z_]\w*)\s*(?:\+\+|--)",
    re.ASCII,
)


def number(node: Node, here: Here) -> Word:
    """What `$((…))` becomes: some number. What may run something is doubted.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("echo $((1 + 2)) $((x + 1))", KNOWN)
    >>> _, sure, unsure = tree.children[0].children
    >>> number(sure, here) == Number(), number(unsure, here).listed
    (True, False)
    >>> [it.because for it in here.notes.record.opaque]
    ['What is computed here may run something.']
    """
    text = here.notes.of(node)
    inner = text[3:-2] if text.startswith("$((") and text.endswith("))") else None
    told = None if inner is None else _counted(node, inner, here)
    if inner is None or told is None or not is_plain(told, here):
        if told == inner:
            salvage(node, here)
        here.notes.doubt_node(COMPUTED, node)
        return Unknown(text=text)
    return Below(text=text) if "-" in told else Number()


def _counted(node: Node, text: str, here: Here) -> str | None:
    """The text with a number for each substitution that surely prints one; None if one may not."""
    inner = walk(node.children, lambda kind: kind != "command_substitution")
    nodes = [node for node in inner if node.type == "command_substitution"]
    counts = [here.notes.descend(node, here) for node in nodes]
    if any(count.empty for count in counts):
        here.notes.may_break()
    for it in nodes:
        text = text.replace(here.notes.of(it), " 0 ", 1)
    return text if all(map(as_number, counts)) else None


def assigned_in(text: str) -> Iterator[str]:
    """The variables that an expression changes.

    >>> list(assigned_in("total += price, n++, n == limit"))
    ['total', 'n']
    """
    for match in _ASSIGNED.finditer(text):
        yield match[1] or match[2] or match[3]


def is_plain(text: str, here: Here) -> bool:
    """Whether there are only numbers, operators, and names that surely hold numbers.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> _, here = prepare("", KNOWN)
    >>> is_plain("i + 1", here)  # `i` may hold `a[$(evil)]`, which would run.
    False
    >>> is_plain("i + 1", here.at(here.state.assigned("i", Number())))
    True
    """
    if not _is_sound(text):
        here.notes.may_break()
    at = 0
    while at < len(text):
        token = _TOKENS.match(text, at)
        if token is None:
            return False
        name = _NAME.fullmatch(token.group())
        if name and not _holds_number(token.group(), name[1], here):
            return False
        at = token.end()
    return True


def _is_sound(text: str) -> bool:
    """Whether this is surely computed: written as it should be, and divided by no nought."""
    shorter = ""
    while shorter != text:
        # What stands in for brackets is never a sound divisor.
        shorter, text = text, _BRACKETS.sub(" 0 ", text)
    return _SOUND.fullmatch(text) is not None


def _holds_number(spelled: str, name: str, here: Here) -> bool:
    if spelled.startswith("${#") or name in "?#$!":
        return True
    if name in COUNTS and here.notes.dialect != "sh":
        return True
    known = here.value(name)
    if known is not None and (known.several or (known.empty and spelled.startswith("$"))):
        here.notes.may_break()
    return known is not None and as_number(known)
