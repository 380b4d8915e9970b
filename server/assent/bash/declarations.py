"""Declarations: `export A=b`, `local x`, `readonly y=1`, `unset z`.

Each is a command, and what it assigns is noted as if it were assigned alone.
"""

import re
from typing import Final

from attrs import evolve

from assent.bash.assigning import assignment
from assent.bash.commands import Simple, redirected
from assent.bash.constructs import Construct
from assent.bash.notes import Here
from assent.bash.record import record
from assent.bash.script import Assignment
from assent.bash.state import Flow
from assent.bash.syntax import Node
from assent.bash.word import Exact, Word, word_of
from assent.bash.words import words
from assent.text.patterns import late

__all__ = ["declaration"]

_ODD: Final = "What is declared here is only known when it runs."
_NOT_SH: Final = "Not every shell called sh can declare this."
_ONLY_BASH: Final = frozenset(("declare", "typeset"))
_NOWHERE: Final = "`local` means nothing outside a function."
_LIST: Final = "What stands in this array is computed, which may run something."
_ASSIGNS: Final = frozenset(("declare", "typeset", "local"))
_MARKED: Final = late(r"\s[-+][a-zA-Z]*[aA]")
_MAKES: Final = late(r"\w\+?=\(|\s-[a-zA-Z]*[aA]|\b(?:mapfile|readarray)\b")
"""How a text may make arrays, flags of `read` and declarations included."""
_NAMED: Final = late(r"-[a-zA-Z]*A[a-zA-Z]*")
_SPLITS: Final = late(r"=[^\"']*[$`]")
_DECLARED: Final = late(r"[\"']?([A-Za-z_]\w*)\+?=", re.ASCII)


def declaration(item: Construct, here: Here) -> Flow:
    """Read `export A=b`, `local x`, `unset y`, and write it down.

    >>> from assent.bash.read import prepare
    >>> from assent.bash.statements import sequence
    >>> from assent.programs.reading import KNOWN
    >>> tree, here = prepare("export name=notes", KNOWN)
    >>> after, _ = declaration(Construct(node=tree.children[0], run=sequence), here)
    >>> after.variables["name"].text
    'notes'
    """
    node, after, notes = item.node, item.after, here.notes
    argv: list[Word] = [Exact(text=notes.of(node.children[0]))]
    given: list[Assignment] = []
    appended: set[str] = set()
    if notes.dialect == "sh" and argv[0].text in _ONLY_BASH:
        notes.doubt_node(_NOT_SH, node)
    if argv[0].text == "local" and not _in_function(node):
        notes.doubt_node(_NOWHERE, node)
    for child in node.children[1:]:
        if child.type == "variable_assignment":
            named = any(_NAMED.fullmatch(it.text) for it in argv[1:])
            given.append(assignment(child, evolve(here, named=named), appended))
            if notes.dialect == "sh" and _SPLITS.search(notes.of(child)):
                notes.doubt_node(_ODD, child)
            argv.append(word_of(notes.of(child), known=given[-1].value.known))
            value = child.child_by_field_name("value")
            _check_list(given[-1:] if value is None or value.type != "array" else [], node, here)
        elif child.type != "comment":
            found = words(child, here)
            argv += found
            given += (told := _given(notes.of(child), found))
            _check_list(told, node, here)
            if any(not it.known for it in found) and not _DECLARED.match(notes.of(child)):
                notes.doubt_node(_ODD, child)
    simple = redirected(after, here) if after else Simple()
    start, end = notes.place(node.start_byte, (after[-1] if after else node).end_byte)
    return record(
        evolve(
            simple,
            argv=tuple(argv),
            assignments=tuple(given),
            declared=True,
            appended=frozenset(appended),
            operator=item.operator,
            start=start,
            end=end,
        ),
        here,
    )


def _check_list(told: list[Assignment], node: Node, here: Here) -> None:
    """Doubt a text that the shell may read as the list of an array: what is in it would run."""
    notes = here.notes
    marked = _MARKED.search(notes.of(node)) is not None
    assigns = notes.of(node.children[0]) in _ASSIGNS
    for it in told:
        opens = not it.value.known or it.value.text.lstrip("\"'").startswith("(")
        # Without the flag it is one where the variable is an array already.
        made = marked or (assigns and (it.value.known or _MAKES.search(notes.text)))
        if opens and made:
            notes.doubt_node(_LIST, node)


def _in_function(node: Node) -> bool:
    around = node.parent
    while around is not None and around.type != "function_definition":
        around = around.parent
    return around is not None


def _given(spelled: str, found: list[Word]) -> list[Assignment]:
    """The assignments in words that are quoted as a whole."""
    match = _DECLARED.match(spelled)
    if match is None:
        texts = [it.text.partition("=") for it in found if it.known and "=" in it.text]
        return [Assignment(name=name, value=Exact(text=value)) for name, _, value in texts]
    value = spelled[match.end() :].strip("\"'")
    return [Assignment(name=match[1], value=word_of(value, known=found[0].known))]
