"""Constructs of the shell: groups, branches, loops, functions, tests and declarations.

Each is read with what is known before it, and gives what is known after it. A loop is read again
with less known until nothing changes by going round once more.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from assent.gate.shell.arithmetic import assigned_in, is_plain
from assent.gate.shell.assignments import assignment, may_be_array
from assent.gate.shell.commands import Simple, redirected
from assent.gate.shell.effects import given_to
from assent.gate.shell.notes import COMPUTED, MISREAD, Here
from assent.gate.shell.record import record
from assent.gate.shell.script import Assignment
from assent.gate.shell.specials import may_define
from assent.gate.shell.state import COUNTS, LOST, Flow, State, join, same
from assent.gate.shell.syntax import Node
from assent.gate.shell.unread_commands import reread, salvage
from assent.gate.shell.word import Exact, Unknown, Word, word_of
from assent.gate.shell.word_sets import Number, is_below, loop_word
from assent.gate.shell.words import words
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["COMPOUNDS", "declared"]

Compound = Callable[[Node, Here], Flow]

_SHADOWS: Final = "This gives a name that is used here another meaning."

_FALLS: Final = frozenset((";&", ";;&"))
"""What ends an item of a `case` behind which another one may run."""
_WORD: Final = late(r"\{[^\s();<>&|]")
"""A brace with more in its word opens no group, whatever the grammar makes of it."""
_FUNCTION: Final = late(r"[\w.:\-]+", re.ASCII)
_ITSELF: Final = Unknown(text="$0")
_COUNTER: Final = late(r"\s*([A-Za-z_]\w*)\s*=\s*(?:0|[1-9]\d*)\s*", re.ASCII)


def _subshell(node: Node, here: Here) -> Flow:
    here.run(node.children[1:-1])
    return here.state, here.state


def _group(node: Node, here: Here) -> Flow:
    text = here.notes.of(node)
    if text.startswith("(("):
        return _computed(node, here)
    if _WORD.match(text):
        here.notes.doubt_node(MISREAD, node)
    return here.run(node.children[1:-1])


def _computed(node: Node, here: Here) -> Flow:
    """`((…))`, which is a subshell in a subshell to a shell that does not compute so."""
    text = here.notes.of(node)
    state = here.state
    if here.notes.dialect == "sh":
        reread(text[1:-1], node, here)
        return LOST, LOST
    if not text.endswith("))") or not is_plain(text[2:-2], here):
        salvage(node, here, COMPUTED)
    for name in assigned_in(text[2:-2]):
        state = state.assigned(name, Number())
    return state, state


def _parted(nodes: Sequence[Node], *keywords: str) -> list[list[Node]]:
    """The nodes between the keywords, which are left out."""
    parts: list[list[Node]] = [[]]
    for node in nodes:
        if node.type in keywords and not node.is_named:
            parts.append([])
        else:
            parts[-1].append(node)
    return parts


def _end(nodes: Sequence[Node], state: State | None, here: Here) -> State | None:
    """What is known behind statements, however they end; where nothing leads they are read too."""
    return join(*here.at(state or LOST).run(nodes))


def _if(node: Node, here: Here) -> Flow:
    clauses = [child for child in node.children if child.type in ("elif_clause", "else_clause")]
    own = [child for child in node.children if child not in clauses]
    _, condition, body, _ = [*_parted(own, "if", "then", "fi"), [], []][:4]
    ok, bad = here.run(condition)
    end = _end(body, ok, here)
    for clause in clauses:
        if clause.type == "else_clause":
            end = join(end, _end(_parted(clause.children, "else")[-1], bad, here))
            bad = None
            continue
        _, condition, body = [*_parted(clause.children, "elif", "then"), []][:3]
        ok, bad = here.at(bad or LOST).run(condition)
        end = join(end, _end(body, ok, here))
    end = join(bad, end)
    return end, end


def _while(node: Node, here: Here) -> Flow:
    condition = [child for child in node.children[1:] if child.type != "do_group"]
    body = node.children[-1]
    until = node.children[0].type == "until"

    def turn(state: State) -> State | None:
        ok, bad = here.at(state).run(condition)
        goes, leaves = (bad, ok) if until else (ok, bad)
        return join(leaves, _end(body.children[1:-1], goes, here))

    return _around(turn, here)


def _for(node: Node, here: Here) -> Flow:
    notes = here.notes
    name = notes.of(node.children[1])
    body = node.children[-1]
    values = [child for child in node.children[3:-1] if child.is_named and child.type != "comment"]
    if node.children[1].type != "variable_name" or body.type not in (
        "do_group",
        "compound_statement",
    ):
        here.notes.doubt_node(MISREAD, node)
    notes.record.gives(name, notes.text, node.start_byte, "for")
    if notes.programs.steers(name) or name in COUNTS:
        notes.doubt_node(f"`{name}` may decide what other programs do.", node.children[1])
    found = [word for value in values for word in words(value, here)]
    _tell_names(found, here.notes.place(node.start_byte, body.start_byte), here)
    known = loop_word(found) if node.children[0].type == "for" else None
    if known is not None:
        notes.record.looped.add((notes.text, node.start_byte, "for"))

    def turn(state: State) -> State | None:
        return join(state, _end(body.children[1:-1], state.assigned(name, known), here))

    return _around(turn, here)


def _counted(node: Node, here: Here) -> Flow:
    """Read `for ((i=0; i<3; i++))`, whose variables begin with numbers and stay such."""
    body = node.children[-1]
    head = here.notes.text[node.start_byte : body.start_byte]
    head = head[head.find("((") + 2 : head.rfind("))")]
    first, _, rest = head.partition(";")
    state = here.state
    for part in first.split(","):
        counter = _COUNTER.fullmatch(part)
        if counter is None and part.strip():
            here.notes.doubt_node(COMPUTED, node)
        elif counter is not None:
            state = state.assigned(counter[1], Number())
    if not is_plain(rest.replace(";", ","), here.at(state)):
        here.notes.doubt_node(COMPUTED, node)
        for child in node.children[:-1]:
            salvage(child, here)

    def turn(state: State) -> State | None:
        return join(state, _end(body.children[1:-1], state, here))

    return _around(turn, here.at(state))


def _case(node: Node, here: Here) -> Flow:
    end: State | None = here.state
    fell: State | None = None
    for child in node.children[1:]:
        if child.type == "case_item":
            patterns, statements = [*_parted(child.children, ")"), []][:2]
            _look(patterns, here)
            after = _end(statements, join(here.state, fell), here)
            end = join(end, after)
            if child.children[-1].type in _FALLS:
                fell = join(fell, after)
        else:
            _look([child], here)
    return end, end


def _look(nodes: Sequence[Node], here: Here) -> None:
    """Read what is compared, for what runs in it."""
    for node in nodes:
        if node.is_named and node.type != "comment":
            words(node, here)


def _function(node: Node, here: Here) -> Flow:
    """The body runs when the function is called, and counts wherever it stands."""
    notes, state = here.notes, here.state
    name_node, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name_node is None or body is None:
        notes.doubt_node(MISREAD, node)
        return LOST, LOST
    name = notes.of(name_node)
    keyword = node.children[0].type == "function" and notes.dialect == "sh"
    if not _FUNCTION.fullmatch(name) or not may_define(name, notes.programs) or keyword:
        notes.doubt_node(_SHADOWS, name_node)
    # A call may come from anywhere, after any assignment: no variable is known in the body.
    inner = State(folders=None if notes.moves else state.folders, functions=state.functions)
    redirects = [child for child in node.children if child.type.endswith("_redirect")]
    notes.record.functions.add(name)
    with notes.record.beside(whatever=True):
        # Nobody knows what each call of it will read.
        there = evolve(here, fed=True, names=None)
        for given in notes.record.called.get(name) or ((),):
            there.at(given_to(inner, (_ITSELF, *given))).run([body, *redirects])
    defined = evolve(state, functions=state.functions | {name})
    return defined, defined


def _test(node: Node, here: Here) -> Flow:
    """What is no test to the shell, though the grammar takes it for one."""
    if here.notes.of(node).startswith("(("):
        return _computed(node, here)
    record(redirected((), here, node=node), here)
    # Behind a backslash the bracket is a word to the grammar, too.
    reread(f"\\{here.notes.of(node)}", node, here)
    return LOST, LOST


# Loops: what is known after going round any number of times.

_MAX_TURNS: Final = 3


def _around(turn: Callable[[State], State | None], here: Here) -> Flow:
    """Read a loop, again with less known if going round changes what is known.

    `turn` reads the body once from what is known at its start, and gives what is known at its end.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> _, here = prepare("", KNOWN)
    >>> start = here.at(here.state.assigned("file", Exact(text="a")))
    >>> after, _ = _around(lambda state: state.assigned("file", Exact(text="b")), start)
    >>> after.variables["file"].choices
    ('a', 'b')
    """
    record = here.notes.record
    commands, opaque = len(record.commands), len(record.opaque)
    with record.beside():
        return _turned(turn, here, commands, opaque)


def _turned(turn: Callable[[State], State | None], here: Here, commands: int, opaque: int) -> Flow:
    record, state = here.notes.record, here.state
    # Each round knows less, so this comes to rest; if it takes too long, next to nothing is known.
    for _ in range(_MAX_TURNS):
        left, known = len(record.left), len(record.functions)
        end = turn(state)
        for it in record.left[left:]:
            end = join(end, it)
        weaker = _weaker(state, end)
        # What is defined in a turn may be called in the next one, further up.
        if same(state, weaker) and len(record.functions) == known:
            return state, state
        # What was read with too much known is read anew.
        state = weaker
        del record.commands[commands:], record.opaque[opaque:]
    state = State(folders=None, functions=state.functions)
    turn(state)
    return state, state


def _weaker(state: State, end: State | None) -> State:
    """What is known at the start of every turn.

    A folder that changes by going round would have another way each time, so it is lost at once.
    """
    met = join(state, end) or state
    return met if met.folders == state.folders else evolve(met, folders=None)


def _tell_names(found: list[Word], place: tuple[int, int], here: Here) -> None:
    """Write down that a loop goes through names of another folder, as `echo` would tell them.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.shell.word import Pattern
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> _, here = prepare("", KNOWN)
    >>> _tell_names([Pattern(text="src/*"), Pattern(text="../*")], (0, 0), here)
    >>> [word.text for it in here.notes.record.commands for word in it.argv]
    ['echo', '../*']
    """
    away = tuple(word for word in found if word.glob and not is_below(word))
    if away:
        record(Simple(argv=(Exact(text="echo"), *away), start=place[0], end=place[1]), here)


# Declarations: `export A=b`, `local x`, `readonly y=1`, `unset z`.
#
# Each is a command, and what it assigns is noted as if it were assigned alone.

_ODD: Final = "What is declared here is only known when it runs."
_NOT_SH: Final = "Not every shell called sh can declare this."
_ONLY_BASH: Final = frozenset(("declare", "typeset"))
_NOWHERE: Final = "`local` means nothing outside a function."
_LIST: Final = "What stands in this array is computed, which may run something."
_ASSIGNS: Final = frozenset(("declare", "typeset", "local"))
_FLAG: Final = late(r"[-+]\w*")
_NAMED: Final = late(r"-[a-zA-Z]*A[a-zA-Z]*")
_SPLITS: Final = late(r"=[^\"']*[$`]")
_DECLARED: Final = late(r"[\"']?([A-Za-z_]\w*)\+?=", re.ASCII)


def declared(node: Node, after: Sequence[Node], here: Here, operator: str) -> Simple:
    """Read `export A=b`, `local x`, `unset y`, and the redirects that stand behind it.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("export name=notes", KNOWN)
    >>> found = declared(tree.children[0], (), here, "")
    >>> [it.text for it in found.argv], [(it.name, it.text) for it in found.assignments]
    (['export', 'name=notes'], [('name', 'notes')])
    """
    notes = here.notes
    argv: list[Word] = [Exact(text=notes.of(node.children[0]))]
    given: list[Assignment] = []
    if notes.dialect == "sh" and argv[0].text in _ONLY_BASH:
        notes.doubt_node(_NOT_SH, node)
    if argv[0].text == "local" and not _in_function(node):
        notes.doubt_node(_NOWHERE, node)
    marked = any(
        _FLAG.fullmatch(word) and "a" in word.lower() for word in map(notes.of, node.children)
    )
    named = False
    for child in node.children[1:]:
        if child.type == "variable_assignment":
            given.append(assignment(child, here, named=named))
            if notes.dialect == "sh" and _SPLITS.search(notes.of(child)):
                notes.doubt_node(_ODD, child)
            argv.append(word_of(notes.of(child), known=given[-1].value.known))
            value = child.child_by_field_name("value")
            _check_list(
                given[-1:] if value is None or value.type != "array" else [],
                node,
                here,
                marked=marked,
            )
        elif child.type != "comment":
            found = words(child, here)
            argv += found
            named = named or any(_NAMED.fullmatch(word.text) for word in found)
            given += (assignments := _given(notes.of(child), found))
            _check_list(assignments, node, here, marked=marked)
            if _is_odd(notes.of(child), found):
                notes.doubt_node(_ODD, child)
    return evolve(
        redirected(after, here, operator, node),
        argv=tuple(argv),
        assignments=tuple(given),
        declared=True,
    )


def _is_odd(spelled: str, found: list[Word]) -> bool:
    """Whether nobody can tell what a word declares, or how: a flag that is quoted or computed."""
    flag = any(word.text[:1] in ("-", "+") for word in found) and not _FLAG.fullmatch(spelled)
    return (flag or any(not word.known for word in found)) and not _DECLARED.match(spelled)


def _check_list(assignments: list[Assignment], node: Node, here: Here, *, marked: bool) -> None:
    """Doubt a text that the shell may read as the list of an array: what is in it would run.

    It is `marked` where a flag says that what is declared is one.
    """
    notes = here.notes
    assigns = notes.of(node.children[0]) in _ASSIGNS
    for it in assignments:
        opens = not it.value.known or it.value.text.lstrip("\"'").startswith("(")
        if not (opens and (marked or assigns)):
            continue
        # Without the flag it is one where the variable is an array already: all is searched.
        notes.record.budget.spend(len(notes.text) // 16)
        if marked or it.value.known or may_be_array(it.name, notes.text):
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
        texts = [word.text.partition("=") for word in found if word.known and "=" in word.text]
        return [Assignment(name=name, value=Exact(text=value)) for name, _, value in texts]
    value = spelled[match.end() :].strip("\"'")
    return [Assignment(name=match[1], value=word_of(value, known=found[0].known))]


COMPOUNDS: Final[dict[str, Compound]] = {
    "subshell": _subshell,
    "compound_statement": _group,
    "if_statement": _if,
    "while_statement": _while,
    "for_statement": _for,
    "c_style_for_statement": _counted,
    "case_statement": _case,
    "function_definition": _function,
    "test_command": _test,
}
