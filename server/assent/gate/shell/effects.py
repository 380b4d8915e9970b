"""What is known of folder, variables and functions after a simple command."""

import re
from typing import Final

from assent.gate.shell.commands import Simple
from assent.gate.shell.folder_changes import MOVERS, moved, stayed
from assent.gate.shell.notes import Here
from assent.gate.shell.script import DECLARES, SOURCES
from assent.gate.shell.specials import LOSES, NAMES_FIRST, named_in
from assent.gate.shell.state import LAST, LOST, Flow, State, job_in
from assent.gate.shell.word import Below, Exact, Phrase, Word
from assent.gate.shell.word_sets import Made
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["check_assignments", "effect", "given_to", "is_job"]

_PLAIN: Final = late(r"[\w./:@%+,=\-]+", re.ASCII)
_ASSIGNS: Final = late(r"[A-Za-z_]\w*=", re.ASCII)
_VALUE: Final = late(r"\"?\$(?:\{(?=\w+\}))?([A-Za-z_]\w*)\}?\"?", re.ASCII)
_LEAVES: Final = frozenset(("break", "continue"))


def effect(simple: Simple, name: str, here: Here) -> Flow:
    """What is known after a command that did well, and after one that failed.

    >>> from assent.gate.shell.commands import simple
    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("cd src; exit", KNOWN)
    >>> cd, _, leave = tree.children
    >>> ok, bad = effect(simple(cd, (), here, ""), "cd", here)
    >>> [way.steps for way in ok.folders], [way.steps for way in bad.folders]
    ([('src',)], [()])
    >>> effect(simple(leave, (), here, ""), "exit", here)  # Nothing comes after it.
    (None, None)
    """
    state = here.state
    if not simple.argv:
        state = state.given(simple.assignments)
        return _made(simple, state), state
    for assignment in simple.assignments:
        # Some shells keep what is assigned before a builtin.
        state = state.assigned(assignment.name, None)
    if name in MOVERS:
        failed = evolve(state, folders=stayed(state.folders, simple, here))
        return evolve(state.left(), folders=moved(state.folders, simple, here)), failed
    if name in SOURCES and all(word.known for word in simple.argv):
        # It is doubted; whoever lets the very file pass knows that it stays in this folder.
        sourced = State(functions=state.functions, folders=state.folders)
        return sourced, sourced
    if name in LOSES:
        return LOST, LOST
    # What is fed may be a part of a pipe or a function, and then it may be this alone that ends.
    if name == "exit" and not here.fed:
        return None, None
    if name in _LEAVES:
        here.notes.record.left.append(state)
    if name in here.notes.record.functions:
        # Its body was read where it is defined; here it may have changed any variable. Whether it
        # is still there, or there already, nobody asks.
        called = State(
            functions=state.functions, folders=None if here.notes.moves else state.folders
        )
        return called, called
    return _builtin(simple, name, here.at(state))


def _builtin(simple: Simple, name: str, here: Here) -> Flow:
    """What is known after a builtin that changes variables."""
    state = here.state
    if name in ("set", "shift"):
        # In zsh an assignment to `argv` gives them other values.
        shifts = name == "shift" and here.notes.dialect != "zsh"
        state = (_shifted(simple, state) if shifts else None) or _without_given(state)
    if name in NAMES_FIRST or (name == "printf" and _assigns(simple)):
        state = _forgotten(simple, state, here)
    line = _reads_name(simple, here) if name == "read" else ""
    if not line or here.names is None:
        return state, state
    # At the end of its input there is nothing left in the variable.
    rest = evolve(here.names, empty=True) if isinstance(here.names, Below) else None
    return state.assigned(line, here.names), state.assigned(line, rest)


def _without_given(state: State) -> State:
    """After nothing is known any more of `$0`, `$1` and all together."""
    for given in "0123456789@":
        state = state.assigned(given, None)
    return state


def _shifted(simple: Simple, state: State) -> State | None:
    """After `shift`, where surely so much is given as it takes away; else None."""
    said = simple.argv[1:] or (Exact(text="1"),)
    by = said[0].text if said[0].known else ""
    if len(said) > 1 or by not in "123456789" or by not in state.variables:
        return None
    had, given = state.variables, state.variables.get("@")
    for at in "123456789":
        state = state.assigned(at, had.get(str(int(at) + int(by))))
    rest = given.text.split(" ")[int(by) :] if isinstance(given, Phrase) else []
    return state.assigned("@", Phrase(text=" ".join(rest)) if rest else None)


def _made(simple: Simple, state: State) -> State:
    """After an assignment that did well: what its only substitution made is there."""
    assignment = simple.assignments[0] if len(simple.assignments) == 1 else None
    if assignment is None or not isinstance(state.variables.get(assignment.name), Made):
        return state
    return state.assigned(assignment.name, Made(empty=False, several=False))


def _assigns(simple: Simple) -> bool:
    return len(simple.argv) > 1 and not (simple.argv[1].known and simple.argv[1].text[:1] != "-")


def _forgotten(simple: Simple, state: State, here: Here) -> State:
    """What is known after a builtin that assigns the variables that it names."""
    by = "read" if simple.argv[0].text == "read" else "odd"
    for name in (name for word in simple.argv[1:] for name in named_in(word.text)):
        here.notes.record.gives(name, here.notes.text, simple.start, by)
    # What is put behind the sign of an assignment says no name; only dash splits it.
    plain = simple.declared and here.notes.dialect == "bash"
    lost = [word for word in simple.argv[1:] if not (word.known or is_job(word, here))]
    if any(not (plain and _ASSIGNS.match(word.text)) for word in lost):
        return State(folders=state.folders)
    if simple.declared and simple.argv[0].text in DECLARES:
        state = here.state.given(simple.assignments)
    for word in simple.argv[1:]:
        for it in named_in(word.text):
            if not any(it == given.name for given in simple.assignments):
                state = state.assigned(it, None)
    if simple.argv[0].text == "unset":
        state = evolve(state, functions=frozenset())
    return state


def is_job(word: Word, here: Here) -> bool:
    """Whether a word is surely the number of a job.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.shell.word import Unknown
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("p=$!", KNOWN)
    >>> there = here.at(here.run(tree.children)[0])
    >>> [is_job(Unknown(text=it), there) for it in ("$p", '"${p}"', "$!", "$q", "x$p")]
    [True, True, True, False, False]
    """
    match = None if word.known else _VALUE.fullmatch(word.text)
    if match is None:
        return not word.known and word.text in LAST
    return job_in(match[1]) in here.state.variables and match[1] not in here.notes.record.blocked


def _reads_name(simple: Simple, here: Here) -> str:
    """The variable that `read` fills with each whole line of a list; nothing where it does not."""
    names, words = here.names, [word.text for word in simple.argv[1:]]
    while words and words[0] in ("-r", "-d", ""):
        if words[0] == "-d" and words[1:2] != [""]:
            return ""
        words = words[1:]
    splits = any(
        (assignment.name, assignment.value.text, assignment.value.known) != ("IFS", "", True)
        for assignment in simple.assignments
    )
    fed = any(not redirect.writes for redirect in simple.redirects) or simple.fed
    whole = names is not None and not names.several and not names.choices
    return words[0] if whole and not splits and not fed and len(words) == 1 else ""


def check_assignments(simple: Simple, here: Here) -> None:
    """Note which of its assignments may decide what other programs do.

    >>> from assent.gate.shell.commands import simple
    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("PATH=bin CI=1 make", KNOWN)
    >>> check_assignments(simple(tree.children[0], (), here, ""), here)
    >>> [it.because for it in here.notes.record.opaque]
    ['`PATH` may decide what other programs do.']
    """
    programs = here.notes.programs
    reads = bool(simple.argv) and simple.argv[0].text == "read"
    for assignment in simple.assignments:
        splits = (
            assignment.name == "IFS" and reads
        )  # It holds for this one builtin, which runs nothing.
        if (
            programs.steers(assignment.name)
            and not programs.is_plain(assignment.name, assignment.text)
            and not splits
        ):
            because = f"`{assignment.name}` may decide what other programs do."
            here.notes.record.doubt(because, simple.start, simple.end, sets=assignment.name)


def given_to(state: State, words: tuple[Word, ...]) -> State:
    """What is known of `$0`, `$1` … in a script, as far as it is sure which is which.

    Of `$@` it is known where each is a plain word.

    >>> from assent.gate.shell.word import Exact, Unknown
    >>> words = (Exact(text="sh"), Unknown(text="$x", several=True), Exact(text="b"))
    >>> sorted(given_to(State(), words).variables)
    ['0']
    >>> given_to(State(), (words[0], words[2], words[2])).variables["@"].text
    'b b'
    """
    for at, word in enumerate(words[:10]):
        if word.several or word.glob:
            break
        state = state.assigned(str(at), word)
    behind = words[1:]
    plain = all(type(word) is Exact and _PLAIN.fullmatch(word.text) for word in behind)
    if behind and plain:
        state = state.assigned("@", Phrase(text=" ".join(word.text for word in behind)))
    return state
