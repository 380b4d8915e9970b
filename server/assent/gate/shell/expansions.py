"""Expansions of variables: what they may hold, and which forms run or assign something.

`${x@P}`, `${!x}`, `${x:=…}` and subscripts that are computed are doubted; the rest becomes a word
that is known where the script itself says so.
"""

import re
from collections.abc import Callable
from typing import Final

from assent.gate.shell.anchored_paths import InFolder, InHome, InTop, Rooted
from assent.gate.shell.arithmetic import is_plain
from assent.gate.shell.notes import MISREAD, Here
from assent.gate.shell.state import COUNTS
from assent.gate.shell.syntax import Node
from assent.gate.shell.unread_commands import salvage
from assent.gate.shell.word import Below, Exact, Phrase, Unknown, Word
from assent.gate.shell.word_sets import (
    STRICT,
    Number,
    as_number,
    is_solid,
    is_split,
    parent,
    split_off,
)
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["expansion", "is_plain_subscript", "is_visible", "named", "variable", "without"]

_ODD: Final = "This way of using a variable may run something."

_NUMBERS: Final = frozenset(("?", "#", "$"))
_PATTERN: Final = late(r"[*?\[\\]")
_SEVERAL: Final = late(r"(?=.*[ \t\n])(?:[ \t\n]*+[^ \t\n*?\[\\]++){1,64}[ \t\n]*+", re.DOTALL)
"""A value with blanks and without patterns: the shell splits it into a few plain words."""
_SIMPLE: Final = late(r"\$\{([A-Za-z_]\w*|\d+|[$?@])\}", re.ASCII)
_LENGTH: Final = late(r"\$\{#(?:[A-Za-z_]\w*(?:\[[@*]\])?|[?@*#]|\d+)?\}", re.ASCII)
_STATUS: Final = "PIPESTATUS"
_ITEMS: Final = late(r"\$\{([A-Za-z_]\w*)\[(@|0|[1-9]\d?)\]\}", re.ASCII)
_KEYS: Final = late(r"\$\{!(?:[A-Za-z_]\w*\[[@*]\])\}", re.ASCII)
"""The keys of an array; without the brackets it would be whatever is named by a variable."""
_NAME: Final = late(r"[A-Za-z_]\w*", re.ASCII)
_HARMLESS: Final = frozenset((":-", "-", ":+", "+", ":?", "?", "#", "##", "%", "%%", "/", "//",
                              "/#", "/%", ",", ",,", "^", "^^", ":"))  # fmt: skip
_ENDING: Final = late(r"\.[\w.]*\w", re.ASCII)
_GOES_ON: Final = late(r"['\"]?[.\w\-]*\w", re.ASCII)
_VISIBLE: Final = late(r"(?:^|/)[\w*?][^/…]*[*?][^/…]*\Z|(?:^|/)\*[^/…]*\Z", re.ASCII)
"""A pattern of names that begin with no dot."""
_RUNS: Final = late(r"`|[$<>][({]")
_CUT: Final = late(r":\s*-?\d+(?::\d+)?", re.ASCII)
"""A part of a text that surely can be cut out."""
_INERT: Final = late(r"(?:[^`$\\<>(]|\\.|[<>](?!\()|\$(?![\w({\['\"]))*", re.DOTALL)


def variable(node: Node, here: Here, *, quoted: bool) -> Word:
    """What `$x` becomes.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("cat $file $other", KNOWN)
    >>> there = here.at(here.state.assigned("file", Exact(text="notes")))
    >>> [variable(it, there, quoted=False).known for it in tree.children[0].children[1:]]
    [True, False]
    """
    name = here.notes.of(node)[1:]
    if node.child_count != 2 or node.children[1].child_count:  # noqa: PLR2004 -- a `$` and a name
        here.notes.doubt_node(MISREAD, node)
    return named(name, here, quoted=quoted)


def named(name: str, here: Here, *, quoted: bool) -> Word:
    """What a variable of this name becomes.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> _, here = prepare("", KNOWN)
    >>> named("HOME", here, quoted=True).text, named("?", here, quoted=True) == Number()
    ('~', True)
    >>> there = here.at(here.state.assigned("both", Exact(text="a b")))
    >>> named("both", there, quoted=True).several, named("both", there, quoted=False).several
    (False, True)
    """
    if name in _NUMBERS or (name in COUNTS and here.notes.dialect != "sh"):
        return Number()
    known = here.value(name)
    if known is None:
        if name in ("HOME", "PWD"):
            return (InHome if name == "HOME" else InFolder)(splits=not quoted)
        return Unknown(text=f"${name}", several=not quoted or name == "@")
    if isinstance(known, InTop):
        return evolve(known, splits=not quoted)
    if quoted or (as_number(known) and not known.empty):
        return known
    return _split(known, name, here)


def _split(known: Word, name: str, here: Here) -> Word:
    """What an unquoted variable becomes: the shell splits it, and looks for files of such names."""
    if isinstance(known, Below):
        # Beside a list a star may be one that was written, which finds files from here on.
        if is_split(known) or (known.joined and _PATTERN.search(known.text)):
            return Unknown(text=f"${name}", several=True)
        if is_solid(known):
            return known
        if not known.joined:
            return evolve(known, several=True, single=True)
        away = known.text.startswith("/")
        return Unknown(text=f"${name}", several=True) if away else split_off(known)
    if isinstance(known, Exact) and here.notes.dialect != "zsh" and _SEVERAL.fullmatch(known.text):
        return Phrase(text=known.text)
    if not known.texts or is_split(known):
        return Unknown(text=f"${name}", several=True)
    return evolve(known, splits=True) if isinstance(known, Rooted) else known


def expansion(
    node: Node, here: Here, read: Callable[[Node, Here], list[Word]], *, quoted: bool
) -> Word:
    """What `${…}` of any kind becomes.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.shell.words import words
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("echo ${#name} ${name:-$(date)} ${name@P}", KNOWN)
    >>> length, default, prompt = tree.children[0].children[1:]
    >>> expansion(length, here, words, quoted=False) == Number()
    True
    >>> expansion(default, here, words, quoted=False).known
    False
    >>> [it.name for it in here.notes.record.commands]  # The default is run.
    ['date']
    >>> lost = expansion(prompt, here, words, quoted=False)
    >>> [it.because for it in here.notes.record.opaque]
    ['This way of using a variable may run something.']
    """
    # The grammar counts blanks that stand before it in quotes to it.
    text = here.notes.of(node).lstrip(" \t\n") if quoted else here.notes.of(node)
    simple = _SIMPLE.fullmatch(text)
    if simple:
        return named(simple[1], here, quoted=quoted)
    items = _ITEMS.fullmatch(text)
    if items and (known := _item(items, node, here)):
        return known
    if _LENGTH.fullmatch(text):
        return Number()
    lost = Unknown(text=text, several=not quoted or "@" in text)
    if _KEYS.fullmatch(text) and here.notes.dialect != "zsh":
        return lost
    if not text.endswith("}") or here.notes.dialect == "zsh":
        here.notes.doubt_node(_ODD, node)
        return lost
    children, here = node.children[1:-1], here.within()
    if quoted and "'" in text and _RUNS.search(text, 2):
        children = []  # Single quotes in braces protect nothing within double quotes.
    if not children or not _is_named(children[0], here) or not _is_inert(children[1:], here, read):
        salvage(node, here, _ODD)
        return lost
    return _trimmed(node, children, here) or lost


def _item(match: re.Match[str], node: Node, here: Here) -> Word | None:
    """All items of an array that are known (`${a[@]}`), or the one of a number."""
    if match[1] == _STATUS and match[2] != "@" and _is_of_shell(here):
        return Number(empty=match[2] != "0")
    items = here.value(f"{match[1]}[@]")
    if items is not None and not items.text:
        return None
    if isinstance(items, Below):
        if not _is_word(node, here):
            return None
        return items if match[2] == "@" else evolve(items, several=False)
    if items is None or match[2] == "@":
        return items
    words, at = items.text.split(" "), int(match[2])
    return Exact(text=words[at]) if at < len(words) else None


def _is_of_shell(here: Here) -> bool:
    """Whether the statuses of a pipeline are the shell's own, as nothing here names them else."""
    return here.notes.dialect == "bash" and _STATUS not in _ITEMS.sub("", here.notes.text)


def _is_word(node: Node, here: Here) -> bool:
    """Whether it is a whole word of a command or a loop, in quotes."""
    quotes = node.parent
    around = quotes.parent if quotes is not None and quotes.type == "string" else None
    if quotes is None or around is None or around.type not in ("command", "for_statement"):
        return False
    return here.notes.of(quotes) == f'"{here.notes.of(node).strip()}"'


def _trimmed(node: Node, children: list[Node], here: Here) -> Word | None:
    """A listed name that loses its ending (`${f%.py}`), or its last part (`${f%/*}`).

    It is still below the folder only where it cannot become `..`: of the file `...js`, nothing but
    that is left without `.js`. None where anything may come of it.
    """
    notes = here.notes
    if len(children) != 3 or children[1].type not in ("%", "%%"):  # noqa: PLR2004 -- `x`, `%`, `.y`
        return None
    known = here.value(notes.of(children[0]))
    if not isinstance(known, Below) or isinstance(known, Number):
        return None
    taken = notes.text[children[1].end_byte : node.end_byte - 1]
    if taken == "/*" and not known.empty and not known.text.startswith("/"):
        return STRICT if not known.text.startswith("…") else evolve(known, by=())
    visible = is_visible(known.text) and "dotglob" not in notes.text
    if not _ENDING.fullmatch(taken) or not (visible or _GOES_ON.match(notes.text, node.end_byte)):
        return None
    left = without(known.text, taken) if visible else parent(known.text)
    return evolve(known.spelled(left), by=())


def is_visible(pattern: str) -> bool:
    """Whether a pattern stands for names without a dot before them.

    >>> [is_visible(it) for it in ("src/*.py", ".*", "src/main.py")]
    [True, False, False]
    """
    return _VISIBLE.search(pattern) is not None


def without(pattern: str, ending: str) -> str:
    """A pattern for what is left of such names without an ending.

    >>> without("src/test_*.py", ".py"), without("src/test_*.py", ".md")
    ('src/test_*', 'src/*')
    """
    folder, slash, last = pattern.rpartition("/")
    left = last.removesuffix(ending)
    return f"{folder}{slash}{left if left and left != last else '*'}"


def _is_named(node: Node, here: Here) -> bool:
    """Whether it names a variable without computing anything."""
    if node.type in ("variable_name", "special_variable_name"):
        return not node.child_count
    return node.type == "subscript" and is_plain_subscript(node, here)


def is_plain_subscript(node: Node, here: Here) -> bool:
    """Whether nothing can run in the brackets of `a[…]`.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("echo ${a[0]} ${a[@]} ${a[x]}", KNOWN)
    >>> [is_plain_subscript(it.children[1], here) for it in tree.children[0].children[1:]]
    [True, True, False]
    """
    index = node.child_by_field_name("index")
    if index is None:
        return False
    return here.notes.of(index) in ("@", "*") or is_plain(here.notes.of(index), here)


def _is_inert(nodes: list[Node], here: Here, read: Callable[[Node, Here], list[Word]]) -> bool:
    """Read what else stands between the braces; whether all of it could be."""
    if not nodes:
        return True
    notes = here.notes
    operators = [notes.of(node) for node in nodes if not node.is_named]
    if not _HARMLESS.issuperset(operators) or not _are_apart(nodes, nodes[0], here):
        return False
    if not all(_reads(node, here, read) for node in nodes if node.is_named):
        return False
    arithmetic = notes.of(nodes[0]) == ":"
    if arithmetic and not _CUT.fullmatch(notes.text[nodes[0].start_byte : nodes[-1].end_byte]):
        notes.may_break()
    if arithmetic:
        return all(is_plain(notes.of(node), here) for node in nodes if node.is_named)
    return bool(operators)


def _are_apart(nodes: list[Node], around: Node, here: Here) -> bool:
    """Whether what stands between these nodes, from where another begins, runs nothing."""
    begins = [around.start_byte, *(node.end_byte for node in nodes)]
    text = here.notes.text
    between = (text[at : node.start_byte] for at, node in zip(begins, nodes, strict=False))
    return all(map(_INERT.fullmatch, between))


def _reads(node: Node, here: Here, read: Callable[[Node, Here], list[Word]]) -> bool:
    """Read one part, which may have commands in it."""
    if node.type in ("word", "regex", "extglob_pattern", "number") and not node.child_count:
        return _INERT.fullmatch(here.notes.of(node)) is not None
    if node.type in ("concatenation", "regex"):
        inner = node.children
        if not _are_apart(inner, node, here) or not all(_reads(node, here, read) for node in inner):
            return False
        last = here.notes.text[inner[-1].end_byte : node.end_byte]
        return _INERT.fullmatch(last) is not None
    read(node, here)
    return True
