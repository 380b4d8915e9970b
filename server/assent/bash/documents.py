"""Bodies of here-documents, in which the shell may find something to run.

An unquoted one is read as a quoted text is, but that a double quote in it means nothing.
"""

import re
from collections.abc import Sequence
from typing import Final

from attrs import evolve

from assent.bash.heredocs import Heredoc
from assent.bash.notes import Here
from assent.bash.syntax import Node, parse
from assent.bash.word import Exact, Phrase, Unknown, Word
from assent.bash.words import word
from assent.text.patterns import late

__all__ = ["document", "recited"]

_LOST: Final = "This here-document could not be read as the shell would."
_QUOTES: Final = "Quotes in this here-document make it hard to tell."

_EXPANDS: Final = late(r"[$`\\]")
_RUNS: Final = late(r"`|\$\(|\$\[|\$\{(?!\w+\})", re.ASCII)
_APART: Final = late(
    r"(?:[^`$\\]|\\.|\$(?![({\[])|\$\{\w+\}|\$\([^\"'`\\(){}$#<>]*\))*", re.ASCII | re.DOTALL
)
"""A text in which no quote stands within anything that runs."""
_MARKS: Final = late(r"[\\\"']")
_INDENT: Final = late(r"^\t+", re.MULTILINE)


def document(heredoc: Heredoc, here: Here) -> Word:
    r"""What a command is given by a here-document.

    >>> from assent.bash.read import prepare
    >>> from assent.programs.reading import KNOWN
    >>> _, here = prepare("cat <<'A' <<B\n$(ls)\nA\n$(ls)\nB\n", KNOWN)
    >>> quoted, expanded = here.notes.heredocs.values()
    >>> document(quoted, here).text, document(expanded, here).known
    ('$(ls)\n', False)
    >>> [it.name for it in here.notes.record.commands]  # Only the second one runs it.
    ['ls']
    """
    body, notes = heredoc.body, here.notes
    if not heredoc.expands or not _EXPANDS.search(body):
        return Exact(text=body)
    end = heredoc.start + len(body)
    if '"' in body and _RUNS.search(body) and not _APART.fullmatch(body):
        notes.doubt(_QUOTES, heredoc.start, end)
        here.recite(_MARKS.sub("", body), notes.place(heredoc.start, end))
        return Unknown(text=body)
    text = '"' + body.replace('"', " ") + '"'
    node = _quoted(text)
    if node is None:
        notes.doubt(_LOST, heredoc.start, end)
        return Unknown(text=body)
    shift = notes.shift + heredoc.start - 1
    shifted = evolve(notes, text=text, source=text, shift=shift, heredocs={})
    found = word(node, evolve(here, notes=shifted))
    return found.lost() if found.known and '"' in body else found


def recited(nodes: Sequence[Node], here: Here) -> Word | None:
    r"""The text of a here-document that `cat` gives as it stands; None of anything else.

    Messages are handed over like this: `git commit -m "$(cat <<'E' … )"`. A descriptor before the
    marker, an option or another redirect makes it something else.

    >>> from assent.bash.read import prepare
    >>> from assent.programs.reading import KNOWN
    >>> tree, here = prepare("cat <<'E'\nMend the fence\nE\n", KNOWN)
    >>> recited(tree.children, here).text
    'Mend the fence'
    >>> tree, here = prepare("cat -n <<'E'\nMend the fence\nE\n", KNOWN)
    >>> recited(tree.children, here) is None
    True
    """
    if len(nodes) != 1 or [it.child_count for it in nodes[0].children] != [1, 2]:
        return None
    command, marker = nodes[0].children
    heredoc = here.notes.heredocs.get(marker.start_byte)
    if nodes[0].type != "redirected_statement" or here.notes.of(command) != "cat":
        return None
    if heredoc is None or (heredoc.expands and _EXPANDS.search(heredoc.body)):
        return None
    body = _INDENT.sub("", heredoc.body) if heredoc.tabs else heredoc.body
    return Phrase(text=body.rstrip("\n"))


def _quoted(text: str) -> Node | None:
    """The node of a text that is one quoted word; None where the grammar sees it otherwise."""
    root = parse(text)
    node = root
    while node.type != "string":
        if root.has_error or node.child_count != 1:
            return None
        node = node.children[0]
    return node if node.end_byte == len(text) else None
