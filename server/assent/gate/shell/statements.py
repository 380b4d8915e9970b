"""Walks the tree as the shell would run it: lists, pipes, and their commands.

The grammar gives lists, pipes and redirects other strengths than the shell does, so they are taken
apart into a row of items and joined anew.
"""

from collections.abc import Callable, Sequence
from typing import Final

from assent.gate.shell.commands import Simple, redirected, simple
from assent.gate.shell.compounds import COMPOUNDS, declared
from assent.gate.shell.conditions import ends_early, test
from assent.gate.shell.notes import MISREAD, Here
from assent.gate.shell.record import record
from assent.gate.shell.state import LOST, Flow, State, join
from assent.gate.shell.syntax import Node, apart, takes_input
from assent.gate.shell.word import Below
from assent.gate.shell.words import begin
from assent.gate.text.lazy_patterns import late
from assent.gate.values import Factory, define, evolve

__all__ = ["sequence"]

_TAKEN_APART: Final = frozenset(("list", "pipeline", "redirected_statement", "negated_command"))
_REDIRECTS: Final = frozenset(("file_redirect", "herestring_redirect"))
_SIMPLE: Final[dict[str, Callable[[Node, Sequence[Node], Here, str], Simple]]] = {
    "command": simple,
    "variable_assignment": simple,
    "variable_assignments": simple,
    "declaration_command": declared,
    "unset_command": declared,
    "test_command": test,
}
"""What is one command, with the redirects behind it."""
_ENDS: Final = frozenset((";", "&", ";;", ";&", ";;&", "\n"))
_GAP: Final = late(r"(?:[ \t\n]|\\\n)*")
_COMMENT: Final = late(r"#[^\n]*")


@define
class _Stage:
    """One part of a pipe."""

    operator: str = ""
    node: Node | None = None
    redirects: list[Node] = Factory(list)
    negated: bool = False


@define
class _Statement:
    """Pipes joined by `&&` and `||`."""

    pipes: list[list[_Stage]] = Factory(lambda: [[_Stage()]])
    background: bool = False

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        last = self.pipes[-1][-1]
        nodes = (last.node, *last.redirects)
        return max((node.end_byte for node in nodes if node is not None), default=0)


def sequence(nodes: Sequence[Node], here: Here) -> Flow:
    """Read statements, one after the other: what is known if the last did well, and if it failed.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("cd a || cd b; ls", KNOWN)
    >>> ok, bad = sequence(tree.children, here)
    >>> [way.steps for way in here.notes.record.commands[-1].ways]
    [('a',), ('b',), ()]
    """
    # Most lines are one command, and need not be taken apart.
    if len(nodes) == 1 and nodes[0].type == "command":
        if not here.nest:
            here.notes.record.read_to = nodes[0].end_byte
        return record(simple(nodes[0], (), here, ""), here)
    ok: State | None = here.state
    bad: State | None = here.state
    for statement in _statements(nodes, here):
        # After a `;` it is not known whether what stands before it did well.
        entry = join(ok, bad)
        flow = _statement(statement, here.at(entry or LOST))
        if entry is None:
            continue  # Nothing leads here, and yet it is listed.
        ok, bad = (entry, entry) if statement.background else flow
    return ok, bad


def _statement(statement: _Statement, here: Here) -> Flow:
    if not here.nest:
        here.notes.record.read_to = statement.end
    if not statement.background:
        return _and_or(statement, here)
    with here.notes.record.beside(whatever=True):
        return _and_or(statement, here)


def _and_or(statement: _Statement, here: Here) -> Flow:
    ok, bad = _pipe(statement.pipes[0], here)
    for pipe in statement.pipes[1:]:
        goes = ok if pipe[0].operator == "&&" else bad
        did_well, failed = _pipe(pipe, here.at(goes or LOST))
        if goes is None:
            continue
        if pipe[0].operator == "&&":
            ok, bad = did_well, join(bad, failed)
        else:
            ok, bad = join(ok, did_well), failed
    return ok, bad


def _pipe(stages: list[_Stage], here: Here) -> Flow:
    if len(stages) == 1:
        flow = _stage(stages[0], here)
        return (flow[1], flow[0]) if stages[0].negated else flow
    with here.notes.record.beside():
        flow = _stages(stages, here)
    if here.notes.dialect == "bash":
        return here.state, here.state
    # zsh and ksh run the last part in the shell itself, and a shell called sh may be either kind.
    ok, bad = flow
    return flow if here.notes.dialect == "zsh" else (join(ok, here.state), join(bad, here.state))


def _stages(stages: list[_Stage], here: Here) -> Flow:
    commands = here.notes.record.commands
    mark, sure = len(commands), True
    flow: Flow = (here.state, here.state)
    for index, stage in enumerate(stages):
        there = here
        if index:
            written = [command for command in commands[mark:] if command.depth == here.depth]
            told = sure and len(written) == index and here.notes.record.tells(written)
            names = here.notes.programs.names_of(written) if told else None
            there = here.given(None if _is_fed(stage) else names)
        flow = _stage(stage, there, piped=bool(index) and not _is_fed(stage))
        sure = sure and stage.node is not None and stage.node.type == "command"
        sure = sure and not _is_fed(stage)
    return flow


def _is_fed(stage: _Stage) -> bool:
    """Whether it reads something else than what the pipe carries."""
    own = [] if stage.node is None or stage.node.type != "command" else [stage.node]
    return takes_input([*stage.redirects, *own])


def _stage(stage: _Stage, here: Here, *, piped: bool = False) -> Flow:
    node = stage.node
    if node is None:
        if not stage.redirects:
            return here.state, here.state
        return record(redirected(stage.redirects, here, stage.operator), here)
    read, compound = _SIMPLE.get(node.type), COMPOUNDS.get(node.type)
    if read and not (compound and ends_early(node, here)):
        simple = read(node, stage.redirects, here, stage.operator)
        return record(evolve(simple, piped=True) if piped else simple, here)
    if compound is None:
        here.notes.doubt_node(MISREAD, node)
        return LOST, LOST
    if not stage.redirects:
        return compound(node, here.within())
    around = redirected(stage.redirects, here)
    if around.redirects:
        record(around, here)
    names = around.feed if isinstance(around.feed, Below) else None
    if names is not None and names.text.startswith("./<("):
        names = None  # It is the name of a pipe, and not what that carries.
    fed = takes_input(stage.redirects)
    here = evolve(here, fed=here.fed or around.fed, names=names if fed else here.names)
    ok, bad = compound(node, here.within())
    return (ok, join(bad, here.state)) if around.unsure else (ok, bad)


def _statements(nodes: Sequence[Node], here: Here) -> list[_Statement]:
    """The statements that these nodes are, joined as the shell joins them."""
    here.notes.record.budget.spend(4 * len(nodes))
    statements = [_Statement()]
    at, joins = -1, ""
    for node in apart(nodes, _TAKEN_APART):
        start = begin(node, here)
        if at >= 0:
            joins = _between(at, start, statements, joins, here)
        at = node.end_byte
        joins = _put(node, statements, joins, here)
    return [
        statement
        for statement in statements
        if statement.pipes != [[_Stage()]] or statement.background
    ]


def _between(at: int, start: int, statements: list[_Statement], joins: str, here: Here) -> str:
    """What stands between two nodes: blanks, and a line break may end a statement."""
    gap = here.notes.source[at:start]
    if gap == " ":
        return joins
    if not _GAP.fullmatch(gap):
        here.notes.doubt(MISREAD, at, start)
    stage = statements[-1].pipes[-1][-1]
    ended = "\n" in gap.replace("\\\n", "") and (stage.node is not None or bool(stage.redirects))
    if ended:
        statements.append(_Statement())
        return ";"
    return joins


def _put(node: Node, statements: list[_Statement], joins: str, here: Here) -> str:
    """Put one node where it belongs; what joins the next one to it."""
    kind = node.type
    pipes = statements[-1].pipes
    stage = pipes[-1][-1]
    if kind == "comment":
        _check_comment(node, here)
    elif kind in _REDIRECTS:
        stage.redirects.append(node)
        stage.operator = stage.operator or joins
    elif kind == "!":
        stage.negated = not stage.negated
    elif kind in ("&&", "||"):
        pipes.append([_Stage(operator=kind)])
    elif kind in ("|", "|&"):
        pipes[-1].append(_Stage(operator="|"))
        if kind == "|&" and here.notes.dialect == "sh":
            here.notes.doubt_node(MISREAD, node)
    elif kind in _ENDS:
        statements[-1].background = kind == "&"
        statements.append(_Statement())
        return "&" if kind == "&" else ";"
    else:
        if stage.node is not None or not (node.is_named or node.child_count):
            here.notes.doubt_node(MISREAD, node)
            statements.append(_Statement())
            stage = statements[-1].pipes[-1][-1]
        stage.node = node
        stage.operator = stage.operator or joins
    return "" if kind != "comment" else joins


def _check_comment(node: Node, here: Here) -> None:
    source, start = here.notes.source, node.start_byte
    before = source[start - 1 : start] if start else "\n"
    after = source[node.end_byte : node.end_byte + 1]
    if (
        before not in " \t\n;&|()"
        or after not in ("", "\n")
        or not _COMMENT.fullmatch(here.notes.of(node))
    ):
        here.notes.doubt_node(MISREAD, node)
