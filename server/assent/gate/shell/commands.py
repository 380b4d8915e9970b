"""Simple commands of the tree: their words, their assignments, their redirections."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from assent.gate.shell.assignments import assignment
from assent.gate.shell.notes import MISREAD, Here
from assent.gate.shell.script import Assignment, Redirect
from assent.gate.shell.secrets import tells_secrets
from assent.gate.shell.state import State, join
from assent.gate.shell.syntax import FEEDS, Node, is_computed
from assent.gate.shell.word import Word
from assent.gate.shell.words import begin, word, words
from assent.gate.text.lazy_patterns import late
from assent.gate.values import Factory, define, frozen

__all__ = ["Simple", "redirected", "simple"]

_GAP: Final = late(r"(?:[ \t]|\\\n)*[ \t](?:[ \t]|\\\n)*")
_REDIRECTS: Final = frozenset(("file_redirect", "herestring_redirect"))
_JOINS: Final = frozenset((">&-", "<&-"))
_NUMBER: Final = late(r"\d+-?|-")
_OPERATORS: Final = frozenset((">", ">>", ">|", "&>", "&>>", "<>", "<"))
_OPENS: Final = late(r"[0-2]?>&[0-2]|(?:[0-2]?>>?|&>>?|0?<)[ \t]*/dev/null")
"""What surely opens. Where a redirect cannot be opened, its command does not run."""
_DESCRIPTOR: Final = late(r"[\s;&|()]\d+\Z")
_FD_VARIABLE: Final = "This gives a variable the number of an open file."
_TELLS: Final = "This hands on what may be secret."
_SH_BACKGROUND: Final = "Not every shell called sh takes this for a redirect."


@frozen(kw_only=True)
class Simple:
    """One simple command, before it is known what it does.

    What the text says of it. `record` makes of this one `Command`, and more for what it runs.
    """

    argv: tuple[Word, ...] = ()
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    operator: str = ""
    start: int = 0
    end: int = 0
    fed: bool = False
    piped: bool = False
    """Whether all that it reads is surely what stands before it in a pipe."""
    feed: Word | None = None
    """All that it reads, where the script has it."""
    unsure: bool = False
    """Whether a file may not be there to be opened, and then it does not run."""
    bare: bool = False
    """Whether its name has no quotes, so that it may be a keyword."""
    computed: bool = False
    """Whether an expansion other than `$HOME` and `$PWD` is in its name."""
    execd: bool = False
    """Whether a program runs it: then the shell's own commands mean nothing."""
    declared: bool = False
    """Whether its assignments are what it declares, and do not hold for it alone."""


@define
class _Parts:
    argv: list[Word] = Factory(list)
    assignments: list[Assignment] = Factory(list)
    redirects: list[Redirect] = Factory(list)
    fed: bool = False
    feed: Word | None = None
    inputs: int = 0
    """How many redirects say what it reads."""
    unsure: bool = False
    bare: bool = False
    computed: bool = False
    state: State | None = None
    """What is known after so many of the assignments as were followed."""
    followed: int = 0

    def whole(self, place: tuple[int, int], operator: str = "") -> Simple:
        """The command that these are parts of."""
        return Simple(
            argv=tuple(self.argv),
            assignments=tuple(self.assignments),
            redirects=tuple(self.redirects),
            operator=operator,
            start=place[0],
            end=place[1],
            fed=self.fed,
            feed=self.feed,
            unsure=self.unsure,
            bare=self.bare,
            computed=self.computed,
        )


def simple(node: Node, after: Sequence[Node], here: Here, operator: str) -> Simple:
    """Read a command, and the redirects that stand behind it.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("LANG=C sort 'my notes' > out", KNOWN)
    >>> command, *behind = tree.children[0].children
    >>> found = simple(command, behind, here, "")
    >>> [it.text for it in found.argv], [it.name for it in found.assignments]
    (['sort', 'my notes'], ['LANG'])
    >>> [(it.operator, it.target.text) for it in found.redirects]
    [('>', 'out')]
    """
    parts, at = _Parts(), -1
    own = [node] if node.type == "variable_assignment" else node.children
    nodes = [*own, *after] if after else own
    for child in nodes:
        start = begin(child, here)
        if at >= 0:
            _check_gap(at, start, child, here)
        at = child.end_byte
        _take(child, _there(child, here, parts) if parts.assignments else here, parts)
    alone = len(parts.assignments) == 1 and not parts.argv
    for it in parts.assignments:
        # What is not its only assignment, or is put before a command, is no plain one.
        by = "=" if alone and not it.appended else "odd"
        here.notes.record.gives(it.name, here.notes.text, node.start_byte, by)
    place = here.notes.place(begin(nodes[0], here) if nodes else node.start_byte, at)
    return parts.whole(place, operator)


def _there(child: Node, here: Here, parts: _Parts) -> Here:
    """Where a part of a command is read.

    An assignment knows those before it, words do not, and of redirects shells differ.
    """
    if child.type not in (*_REDIRECTS, "variable_assignment"):
        return here
    state = (parts.state or here.state).given(parts.assignments[parts.followed :])
    parts.state, parts.followed = state, len(parts.assignments)
    if child.type in _REDIRECTS:
        state = join(state, here.state) or state
    return here.at(state)


def _check_gap(at: int, start: int, child: Node, here: Here) -> None:
    """Between two words stands nothing but blanks, and something stands there."""
    gap = here.notes.source[at:start]
    if gap == " " or _GAP.fullmatch(gap):
        return
    source, redirects = here.notes.source, child.type in _REDIRECTS
    # A number that touches a redirect belongs to it, whatever the grammar takes it for.
    numbered = redirects and _DESCRIPTOR.search(source, max(at - 9, 0), at)
    if not (gap or numbered) and (redirects or source[at - 1] in "=<>"):
        return
    here.notes.doubt(MISREAD, at, max(start, at + 1))


def _take(child: Node, here: Here, parts: _Parts) -> None:
    kind = child.type
    if kind == "command_name":
        if child.child_count:
            parts.computed = is_computed(child, here.notes.source)
            parts.bare = child.children[0].type == "word"
            parts.argv += words(child.children[0], here)
    elif kind == "variable_assignment":
        if parts.argv:
            here.notes.doubt_node(MISREAD, child)
        parts.assignments.append(assignment(child, here))
    elif kind in _REDIRECTS:
        _redirect(child, here, parts)
    elif kind != "comment":
        parts.argv += words(child, here)


def redirected(
    nodes: Sequence[Node], here: Here, operator: str = "", node: Node | None = None
) -> Simple:
    """The redirects of a whole construct, as a command without words; it stands where `node` does.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("{ date; ls; } > out 2>&1 < in", KNOWN)
    >>> _, *behind = tree.children[0].children
    >>> [(it.operator, it.target.text) for it in redirected(behind, here).redirects]
    [('>', 'out'), ('<', 'in')]
    """
    parts = _Parts()
    for it in nodes:
        _redirect(it, here, parts)
    if parts.argv:
        here.notes.doubt(MISREAD, nodes[0].start_byte, nodes[-1].end_byte)
    parts.argv.clear()
    first = node or nodes[0]
    place = here.notes.place(first.start_byte, (nodes[-1] if nodes else first).end_byte)
    return parts.whole(place, operator)


def _redirect(node: Node, here: Here, parts: _Parts) -> None:
    """One redirect; what the grammar takes for more targets are words of the command."""
    notes = here.notes
    sign, *targets = _apart(node, here)
    marker, operator = sign.start_byte, notes.of(sign)
    if marker in notes.heredocs:
        notes.seen.add(marker)
        operator = "<<<"
    if operator != "<<<" and not _OPENS.fullmatch(notes.of(node)):
        parts.unsure = True
    feeds = _feeds(node, operator, here, parts)
    heredoc = notes.heredocs.get(marker)
    if heredoc is not None:
        document = notes.heredoc(heredoc, here)
        parts.fed = True
        parts.feed = document if feeds else None
        if heredoc.expands and tells_secrets(heredoc.body):
            notes.doubt_node(_TELLS, node)
    elif targets and operator not in _JOINS:
        _target(operator, targets[0], here, parts, feeds=feeds)
    elif not targets and operator not in _JOINS:
        notes.doubt_node(MISREAD, node)
    for extra in targets if operator in _JOINS else targets[1:]:
        parts.argv += words(extra, here)


def _apart(node: Node, here: Here) -> list[Node]:
    """The sign of a redirect and all that the grammar takes for its targets."""
    notes, children = here.notes, list(node.children)
    if children[0].type == "file_descriptor":
        before = notes.source[children[0].start_byte - 1 : children[0].start_byte]
        long = notes.dialect == "sh" and children[0].end_byte - children[0].start_byte > 1
        # What a command reads by may be written to, or shut, and nobody means that.
        long = long or notes.of(children[0]) + notes.of(children[1])[:1] == "0>"
        if long or (before and before not in " \t\n;&|()<>"):
            notes.doubt_node(MISREAD, node)
        del children[0]
    if notes.source[node.start_byte - 1 : node.start_byte] == "}":
        notes.doubt_node(_FD_VARIABLE, node)
    for ahead, behind in pairwise(children):
        gap = notes.source[ahead.end_byte : begin(behind, here)]
        if (gap or ahead is not children[0]) and not _GAP.fullmatch(gap):
            notes.doubt_node(MISREAD, node)
    return children


def _feeds(node: Node, operator: str, here: Here, parts: _Parts) -> bool:
    """Whether a redirect says what is read, and so takes the place of what was said before.

    To zsh all that is given is one text.
    """
    if operator not in FEEDS:
        return False
    first = node.children[0]
    usual = first.type != "file_descriptor" or here.notes.of(first) == "0"
    lone = here.notes.dialect != "zsh" or not parts.inputs
    parts.inputs += 1
    parts.feed = None
    return usual and lone


def _target(operator: str, target: Node, here: Here, parts: _Parts, *, feeds: bool) -> None:
    notes = here.notes
    if operator == "<<<":
        given = word(target, here)
        parts.fed = True
        parts.feed = given if feeds else None
        if not given.known and tells_secrets(notes.of(target)):
            notes.doubt_node(_TELLS, target)
        return
    if operator in (">&", "<&"):
        if _is_open(operator, target, here):
            return
        operator = "&>"
    if operator not in _OPERATORS:
        notes.doubt_node(MISREAD, target)
        return
    if operator[0] == "&" and notes.dialect == "sh":
        notes.doubt_node(_SH_BACKGROUND, target)
    found = word(target, here)
    if target.type == "process_substitution":
        if operator == "<":
            parts.fed, parts.feed = True, found if feeds else None
        return
    parts.redirects.append(Redirect(operator=operator, target=found))


def _is_open(operator: str, target: Node, here: Here) -> bool:
    """Whether this is what is open already, or is shut, and no file that would be opened."""
    text = here.notes.of(target)
    if text[:1] == "-" != text:  # bash shuts it here, and takes the rest for a word.
        here.notes.doubt_node(MISREAD, target)
    if _NUMBER.fullmatch(text):
        return True
    if operator == "<&":
        words(target, here)
    return operator == "<&"
