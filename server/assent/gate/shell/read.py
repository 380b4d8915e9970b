"""Reads a shell command line: its simple commands, and what is unknown.

It never raises, and its cost is bounded whatever the text: what is too long or too tangled is
opaque, and the words in it are told roughly, so that what refuses a command still finds it.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain, pairwise, zip_longest
from typing import Final

from assent.gate.shell.anchored_paths import InFolder, InTop
from assent.gate.shell.commands import Simple
from assent.gate.shell.dialects import ODD_IN_ZSH, dialect_read
from assent.gate.shell.folder_changes import runs_once
from assent.gate.shell.function_calls import calls_of
from assent.gate.shell.heredocs import Heredoc, lift
from assent.gate.shell.notes import MARKS, MISREAD, Here, Notes, Record
from assent.gate.shell.port import Programs
from assent.gate.shell.record import record as write_down
from assent.gate.shell.script import DECLARES, Opaque, Script
from assent.gate.shell.specials import RESERVED
from assent.gate.shell.state import START
from assent.gate.shell.statements import sequence
from assent.gate.shell.steps import MAX_STEPS, Budget, TooMuch
from assent.gate.shell.syntax import Node, is_pipe, parse, sends_away, takes_input, tangle, undone
from assent.gate.shell.tree_sitter_fixes import (
    hides_words,
    lone_dashes,
    mere_dollars,
    parsed,
    parted_names,
)
from assent.gate.shell.word import Below, Exact, Phrase, Unknown, Word
from assent.gate.shell.words import begin, word
from assent.gate.text.invisible_characters import hides
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["TANGLED", "noted", "plain_command", "prepare", "read", "unread"]

_MAX_TEXT_LETTERS: Final = 10_000
"""So many characters are read."""
_MAX_SPLIT_BYTES: Final = 131_072
"""Of so many bytes not even the words are told."""
_MAX_COMMANDS: Final = 50
_MAX_READINGS: Final = 5
"""So often a text is read again for what its functions are called with."""

_LONG: Final = "This is too long to be read."
TANGLED: Final = "This is too tangled to be read."
_TOO_MANY_COMMANDS: Final = "This runs more than 50 commands."
_UNSEEN: Final = "This has characters in it that nobody can see."
_BROKEN: Final = "This is no command line that could be read whole."
_HEREDOC: Final = "A here-document in this could not be found for sure."
_BACKTICK: Final = "Backslashes between backticks make this hard to tell."
_FIXED: Final = "This gives a value to a variable that may not change."
_BREAKS: Final = "Where this cannot be computed, the shell goes on with the next line."
_ZSH: Final = "zsh gives this another meaning than bash."

_WORDS: Final = late(r"[^\s;&|()<>`${},=]+")
_PLAIN: Final = late(r"[A-Za-z_./][\w./-]*+(?: [\w./:@%+,\-]++=?[\w./:@%+,\-]*+)*+", re.ASCII)
"""Words in which no shell finds anything but letters, with one blank between two of them."""
_CONSTRUCTS: Final = RESERVED | DECLARES | {"unset", "unsetenv"}
"""The first words of which the grammar makes more than a command."""


def read(text: str, dialect: str, programs: Programs) -> Script:
    """Read a command line as that shell would, by what is known of programs.

    >>> from assent.gate.programs.read_lines import KNOWN
    >>> script = read("cd src && echo `date` | sudo tee 'my notes'", "bash", KNOWN)
    >>> [" ".join(word.text for word in it.argv) for it in script.commands]
    ['cd src', 'echo `date`', 'date', 'sudo tee my notes', 'tee my notes']
    >>> [it.because for it in read("$tool --version", "bash", KNOWN).opaque]
    ['What runs here is only known when it runs.']
    """
    if len(text) > _MAX_TEXT_LETTERS:
        return unread(text, _LONG)
    known, name = dialect_read(dialect)
    if known is None:
        return unread(text, f"There is no reader for {name}.")
    if hides(text):
        return unread(text, _UNSEEN)
    record = _recorded(text, known, programs, Record())
    # Only the whole text tells which names it gives another meaning, so it is read a second time.
    mixed, shadowed = record.mixed(), programs.writers & record.functions
    if (mixed or shadowed) and record.budget.left >= 0:
        again = Record(budget=record.budget, blocked=mixed, shadowed=shadowed)
        record = _recorded(text, known, programs, again)
    if record.functions and known != "zsh":
        record = _with_calls(record, text, known, programs)
    _settle(record, text)
    if len(record.commands) > _MAX_COMMANDS:
        record.doubt(_TOO_MANY_COMMANDS, 0, len(text))
    return Script(
        text=text,
        commands=tuple(sorted(record.commands, key=lambda command: (command.start, command.depth))),
        opaque=tuple(record.opaque),
        sets=frozenset(record.given),
        functions=frozenset(record.functions),
        once=frozenset(name for name, places in record.given.items() if len(places) == 1),
        looped=frozenset(it for it, places in record.given.items() if places <= record.looped),
        words=_words(text) if record.rough else frozenset(),
        steps=MAX_STEPS // 2 - max(record.budget.left, 0),
    )


def _recorded(text: str, dialect: str, programs: Programs, record: Record) -> Record:
    try:
        notes = noted(text, programs, dialect, record)
        if isinstance(notes, str):
            _give_up(notes, (0, len(text)), record)
        else:
            _read(Here(notes=notes, state=START))
    except (TooMuch, RecursionError):
        record.doubt(TANGLED, 0, len(text))
        record.rough = True
    return record


def _with_calls(first: Record, text: str, dialect: str, programs: Programs) -> Record:
    """Read the text again, knowing what each function is called with in its body.

    By what is known there its own calls are known better, and others come to light. What was read
    counts once it has no calls but those that it was read with; else the first reading does.
    """
    record = first
    for _ in range(_MAX_READINGS):
        called = calls_of(record.functions, record.commands)
        if called == record.called:
            return record
        blocked, shadowed, budget = first.blocked, first.shadowed, first.budget
        again = Record(blocked=blocked, shadowed=shadowed, called=called, budget=budget)
        record = _recorded(text, dialect, programs, again)
        if not record.mixed() <= first.blocked or record.functions != first.functions:
            break
    return first


def _settle(record: Record, text: str) -> None:
    """Note what only the end of the text tells: names taken away, or assigned, anywhere in it."""
    if "" in record.unset or record.unset & record.functions:
        record.commands = [
            evolve(command, wraps=False) if command.name in record.functions else command
            for command in record.commands
        ]
    if record.fixed and any(len(record.given.get(name, ())) > 1 for name in record.fixed):
        record.doubt(_FIXED, 0, len(text))
    if record.breaks:
        record.doubt(_BREAKS, 0, len(text))


def unread(text: str, because: str) -> Script:
    """A text of which only the words are told.

    >>> sorted(unread("cat 'a b'", "This is too long to be read.").words)
    ['a', 'b', 'cat']
    """
    opaque = (Opaque(because=because, start=0, end=len(text)),)
    return Script(text=text, opaque=opaque, words=_words(text))


def _words(text: str) -> frozenset[str]:
    """The words that stand anywhere in a text, however they are quoted."""
    if len(text.encode(errors="replace")) > _MAX_SPLIT_BYTES:
        return frozenset()
    bare = MARKS.sub("", text)
    found = set(_WORDS.findall(bare))
    found |= {it.rpartition("/")[2] for it in found if "/" in it}
    return frozenset(found)


def _read(here: Here) -> None:
    """Read one text: the whole line, or a script inside it."""
    notes, text = here.notes, here.notes.text
    alone = plain_command(notes)
    if alone is not None:
        write_down(alone, here)
        return
    root, source = parsed(notes.source, notes.record.budget, timed=notes.dialect == "bash")
    notes.record.budget.spend(root.descendant_count)
    notes = evolve(notes, source=source)
    parted = parted_names(root, source)
    # zsh finds more in a name without braces, such as `$name:h`.
    again = _braced(notes, parted) if parted and notes.dialect != "zsh" else None
    if isinstance(again, Notes):
        _read(evolve(here, notes=again))
        return
    if hides_words(root, notes.source):
        notes.doubt(MISREAD, 0, len(text))
    if root.has_error:
        notes.doubt(_BROKEN, 0, len(text))
    if notes.dialect == "zsh" and ODD_IN_ZSH.search(text):
        notes.doubt(_ZSH, 0, len(text))
    evolve(here, notes=notes).run(root.children)
    if len(notes.heredocs) != len(notes.seen):
        notes.doubt(_HEREDOC, 0, len(text))
    because = undone(notes.source, root)
    if because:
        notes.doubt(because, 0, len(text))


def _braced(notes: Notes, names: list[tuple[int, int]]) -> Notes | str:
    """The notes on the same text with these names in braces, as every shell may have them."""
    cuts = [at for name in names for at in name]
    pieces = (notes.text[a:b] for a, b in pairwise((0, *cuts, len(notes.text))))
    signs = ("{", "}") * len(names)
    text = "".join(chain.from_iterable(zip_longest(pieces, signs, fillvalue="")))
    added = [at + before for before, at in enumerate(cuts)]
    added += [at + bisect_right(cuts, at) for at in notes.added]
    again = noted(text, notes.programs, notes.dialect, notes.record)
    if isinstance(again, str):
        return again
    return evolve(again, inside=notes.inside, shift=notes.shift, added=tuple(sorted(added)))


def plain_command(notes: Notes) -> Simple | None:
    """The one command of a text of plain words; None where only the grammar can tell.

    Most lines that agents write are that, and the grammar takes longer over such a line than all
    that is said of it: it is cut at its blanks.

    >>> from assent.gate.programs.read_lines import KNOWN
    >>> [it.text for it in plain_command(noted("make -j4 CC=gcc", KNOWN)).argv]
    ['make', '-j4', 'CC=gcc']
    >>> lines = ("make $x", "make  all", "CC=gcc make", "export CC=gcc", "make # all")
    >>> [plain_command(noted(it, KNOWN)) for it in lines]
    [None, None, None, None, None]
    """
    # To zsh some of these signs mean more, wherever they stand.
    if notes.dialect == "zsh" or not _PLAIN.fullmatch(notes.text):
        return None
    words = notes.text.split(" ")
    if words[0] in _CONSTRUCTS:
        return None
    start, end = notes.place(0, len(notes.text))
    argv = tuple([Exact(text=it) for it in words])
    return Simple(argv=argv, start=start, end=end, bare=True)


def prepare(text: str, programs: Programs, dialect: str = "bash") -> tuple[Node, Here] | str:
    """The tree of a text and the place where reading begins; or why it is not read at all.

    Examples of single steps of the reader begin with it.

    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("cd src && ls", KNOWN)
    >>> ok, bad = sequence(tree.children, here)
    >>> [(it.name, [way.steps for way in it.ways]) for it in here.notes.record.commands]
    [('cd', [()]), ('ls', [('src',)])]
    """
    notes = noted(text, programs, dialect)
    if isinstance(notes, str):
        return notes
    return parse(notes.source), Here(notes=notes, state=START)


def noted(
    text: str, programs: Programs, dialect: str = "bash", record: Record | None = None
) -> Notes | str:
    """The notes with which the reading of a text begins; or why it is not read at all.

    >>> from assent.gate.programs.read_lines import KNOWN
    >>> noted("cat <<E", KNOWN)
    'A here-document in this could not be found for sure.'
    """
    lifted = lift(text)
    if lifted is None:
        return _HEREDOC
    source, heredocs = lifted
    record = Record() if record is None else record
    bodies = [
        heredoc.body for heredoc in heredocs.values() if heredoc is not None and heredoc.expands
    ]
    record.budget.spend(sum(map(tangle, (source, *bodies))))
    return Notes(
        text=text,
        source=lone_dashes(mere_dollars(source)),
        record=record,
        programs=programs,
        heredocs=heredocs,
        dialect=dialect,
        descend=_descend,
        heredoc=_document,
        recite=_recite,
        run=sequence,
    )


def _give_up(because: str, place: tuple[int, int], record: Record) -> None:
    record.rough = True
    record.doubt(because, *place)


def _recite(text: str, dialect: str, inside: tuple[int, int], here: Here) -> None:
    """Read a script inside a script."""
    record = here.notes.record
    odd = len(text) > _MAX_TEXT_LETTERS or hides(text)
    notes = _LONG if odd else noted(text, here.notes.programs, dialect, record)
    if isinstance(notes, str):
        _give_up(notes, inside, record)
    else:
        _read(evolve(here, notes=evolve(notes, inside=inside)))


def _descend(node: Node, here: Here) -> Word:
    """Read a substitution; what it becomes."""
    notes = here.notes
    text = notes.of(node)
    lost = Unknown(text=text.lstrip(), several=True)
    start = begin(node, here)
    opened = notes.source[start]
    inner = here.within(deeper=True)
    commands = notes.record.commands
    mark, parts = len(commands), node.children[1:-1]
    if node.child_count < 2:  # noqa: PLR2004 -- what opens it, and what closes it
        notes.doubt_node(_BROKEN, node)
        return lost
    if opened == "`" and "\\" in text:
        notes.doubt_node(_BACKTICK, node)
        plain = re.sub(r"\\([\\`$\"])", r"\1", notes.text[start + 1 : node.end_byte - 1])
        here.recite(plain, notes.place(start, node.end_byte))
        return lost
    if node.type == "process_substitution":
        with notes.record.beside(whatever=True):
            inner.run(parts)
    else:
        inner.run(parts)
    found = [command for command in commands[mark:] if command.depth == inner.depth]
    told = is_pipe(parts) and not sends_away(parts, notes.source)
    piped = told and notes.record.tells(found)
    if node.type == "process_substitution":
        names = notes.programs.names_of(found) if piped and not takes_input(parts) else None
        return names if isinstance(names, Below) else Below(text=f"./{text}")
    if piped and len(found) == 1 and found[0].name == "pwd" and len(found[0].argv) == 1:
        return InFolder(splits=True)
    answered = notes.programs.answer(found, not takes_input(parts)) if piped else None
    if isinstance(answered, InTop) and not runs_once(here):
        # What runs again, or later, may ask another repository.
        return lost
    return answered or _recited(parts, here) or lost


# Bodies of here-documents, in which the shell may find something to run.
#
# An unquoted one is read as a quoted text is, but that a double quote in it means nothing.

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


def _document(heredoc: Heredoc, here: Here) -> Word:
    r"""What a command is given by a here-document.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> _, here = prepare("cat <<'A' <<B\n$(ls)\nA\n$(ls)\nB\n", KNOWN)
    >>> quoted, expanded = here.notes.heredocs.values()
    >>> _document(quoted, here).text, _document(expanded, here).known
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
    source = mere_dollars(text)
    node = _quoted(source, notes.record.budget)
    if node is None:
        notes.doubt(_LOST, heredoc.start, end)
        return Unknown(text=body)
    if because := undone(source, node):
        notes.doubt(because, heredoc.start, end)
    shift = notes.place(heredoc.start, heredoc.start)[0] - 1
    shifted = evolve(notes, text=text, source=source, shift=shift, added=(), heredocs={})
    found = word(node, evolve(here, notes=shifted))
    return found.lost() if found.known and '"' in body else found


def _recited(nodes: Sequence[Node], here: Here) -> Word | None:
    r"""The text of a here-document that `cat` gives as it stands; None of anything else.

    Messages are handed over like this: `git commit -m "$(cat <<'E' … )"`. A descriptor before the
    marker, an option or another redirect makes it something else.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("cat <<'E'\nMend the fence\nE\n", KNOWN)
    >>> _recited(tree.children, here).text
    'Mend the fence'
    >>> tree, here = prepare("cat -n <<'E'\nMend the fence\nE\n", KNOWN)
    >>> _recited(tree.children, here) is None
    True
    """
    if len(nodes) != 1 or [child.child_count for child in nodes[0].children] != [1, 2]:
        return None
    command, marker = nodes[0].children
    heredoc = here.notes.heredocs.get(marker.start_byte)
    if nodes[0].type != "redirected_statement" or here.notes.of(command) != "cat":
        return None
    if heredoc is None or (heredoc.expands and _EXPANDS.search(heredoc.body)):
        return None
    body = _INDENT.sub("", heredoc.body) if heredoc.tabs else heredoc.body
    return Phrase(text=body.rstrip("\n"))


def _quoted(text: str, budget: Budget) -> Node | None:
    """The node of a text that is one quoted word; None where the grammar sees it otherwise."""
    root = parse(text, budget)
    node = root
    while node.type != "string":
        if root.has_error or node.child_count != 1:
            return None
        node = node.children[0]
    return node if node.end_byte == len(text) else None
