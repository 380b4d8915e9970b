"""Notes made while a script is read: its commands, and what is unknown.

A script inside a script (`sh -c '…'`) has notes of its own text, and writes into the same record.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Final

from assent.gate.shell.function_calls import Calls
from assent.gate.shell.heredocs import Heredoc
from assent.gate.shell.port import Programs
from assent.gate.shell.script import ALL_THAT_FOLLOWS, Command, Opaque
from assent.gate.shell.state import Flow, State
from assent.gate.shell.steps import MAX_STEPS, Budget, TooMuch
from assent.gate.shell.syntax import Node
from assent.gate.shell.word import Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import Factory, define, evolve, field, frozen

__all__ = [
    "COMPUTED",
    "MARKS",
    "MAX_NESTING",
    "MISREAD",
    "SUBSCRIPT",
    "Here",
    "Notes",
    "Record",
]

COMPUTED: Final = "What is computed here may run something."
MISREAD: Final = "This could not be told apart as the shell would."
SUBSCRIPT: Final = "The subscript of this variable may run something."

MAX_NESTING: Final = 30
"""So deep may a script be nested."""

_MAX_INNER_COMMANDS: Final = 12
"""So many substitutions and wrappers may be around a command."""

_MAX_DOUBTS: Final = 64
_MOVES: Final = late(r"c(?<!\wc)(?:d|hdir)\b|p(?<!\wp)(?:ushd|opd)\b|\$'")
"""A letter that such a word begins with is found sooner than the boundary before it."""
MARKS: Final = late(r"\\\n?|\$['\"]|['\"]")
"""What quotes in a text, and is gone once it is read."""


@define(kw_only=True)
class Record:
    """All that is noted of a call."""

    commands: list[Command] = Factory(list)
    opaque: list[Opaque] = Factory(list)
    budget: Budget = Factory(lambda: Budget(MAX_STEPS // 2))  # The rest is for judging it.
    rough: bool = False  # Whether some of it could not be told apart at all.
    functions: set[str] = Factory(set)  # All that is defined anywhere.
    left: list["State"] = Factory(list)
    """What was known at each place where a loop may have been left or begun anew in its middle."""
    unset: set[str] = Factory(set)  # What may be taken away; an empty name stands for any.
    breaks: bool = False
    """Whether a fault may make the shell give up a line and go on with the next."""
    read_to: int = 0  # Where the statement of the whole text ends that is being read.
    fixed: set[str] = Factory(set)  # What is `readonly`, so that a second assignment fails.
    given: dict[str, set[tuple[str, int, str]]] = Factory(dict)
    """Where each variable is assigned, and by what."""
    aside: int = 0
    """Which loop or pipe that stands in what is being read (see `Command.aside`)."""
    asides: int = 0  # How many there were so far.
    looped: set[tuple[str, int, str]] = Factory(set)  # Where a loop gives one words that are known.
    held: set[str] = Factory(set)
    """Variables that a trap finds as they were where it was set, if nothing changes them."""
    blocked: frozenset[str] = frozenset()  # Variables of which no value is followed (`mixed`).
    shadowed: frozenset[str] = frozenset()
    """Programs of which it is not known what they write: a function of that name is somewhere."""
    called: Mapping[str, Calls] = Factory(dict)  # What functions are called with, if it is known.

    def tells(self, commands: Iterable[Command]) -> bool:
        """Whether none of these programs may be a function of the script."""
        return not self.shadowed or all(command.name not in self.shadowed for command in commands)

    def gives(self, name: str, text: str, place: int, by: str = "=") -> None:
        """Note that a variable is assigned: by an assignment, by `for`, by `read`, or oddly."""
        self.given.setdefault(name, set()).add((text, place, by))

    @contextmanager
    def beside(self, *, whatever: bool = False) -> Iterator[None]:
        """Read what may run more than once, or at the same time as what stands behind it.

        Of loops in a loop the outermost counts. `whatever` follows may run before it, if it is a
        function, or in the background.
        """
        around = self.aside
        if whatever:
            self.aside = ALL_THAT_FOLLOWS
        elif not around:
            self.asides += 1
            self.aside = self.asides
        try:
            yield
        finally:
            self.aside = around

    @contextmanager
    def sparing(self, *, doubts: bool) -> Iterator[None]:
        """Read what only may be a text for a shell: where it is none, nothing of it is doubted."""
        noted, rough = len(self.opaque), self.rough
        yield
        if doubts:
            del self.opaque[noted:]
            self.rough = rough

    def mixed(self) -> frozenset[str]:
        """The variables that are assigned in more than one way, or oddly more than once.

        Odd is what may not give the whole value, or not for good: `+=`, a builtin, an assignment
        before a command. Of these variables no value is followed, wherever it is used. Nor of those
        that a trap finds, if they are assigned once more, or taken away.
        """
        if not (self.given or self.held):
            return frozenset()
        ways = {name: {by for _, _, by in places} for name, places in self.given.items()}
        again = {name for name, places in self.given.items() if len(places) > 1}
        odd = {name for name in again if len(ways[name]) > 1 or "odd" in ways[name]}
        return frozenset(odd | self.held & (again | self.unset))

    def doubt(self, because: str, start: int, end: int, *, sets: str = "") -> None:
        """Note what cannot be told; after many such notes one more says nothing new."""
        if len(self.opaque) < _MAX_DOUBTS:
            self.opaque.append(Opaque(because=because, start=start, end=end, sets=sets))


@frozen(kw_only=True)
class Notes:
    """The notes on one text."""

    text: str
    source: str
    """The text as the tree has it: here-documents are blank."""
    record: Record
    programs: Programs
    heredocs: Mapping[int, Heredoc | None] = field(factory=dict)
    dialect: str = "bash"
    inside: tuple[int, int] | None = None
    """Where all of it stands, if it is a script inside a script."""
    shift: int = 0
    """What makes of an offset in this text one in the whole text: the body of a here-document is
    read as a text of its own."""
    added: tuple[int, ...] = ()
    """Where letters stand in this text that do not stand in the whole text."""
    descend: Callable[[Node, "Here"], Word]
    """Reads what stands inside a substitution, and gives what it becomes."""
    heredoc: Callable[[Heredoc, "Here"], Word]
    """Reads the body of a here-document, and gives it."""
    recite: Callable[[str, str, tuple[int, int], "Here"], None]
    """Reads a script inside this one, such as the text of `sh -c`: in its dialect, at its place."""
    run: Callable[[Sequence[Node], "Here"], Flow]
    """Reads statements, one after the other."""
    seen: set[int] = field(factory=set)
    """The markers of here-documents to which the tree led; if one is missing, it was misread."""

    @cached_property
    def moves(self) -> bool:
        """Whether a `cd` may stand in it."""
        # Asked of functions and traps alone, which are rare.
        return any(_MOVES.search(it) for it in (self.text, MARKS.sub("", self.text)))

    @cached_property
    def whole(self) -> str:
        """The text without the letters that were added to it."""
        added = frozenset(self.added)
        return "".join(it for at, it in enumerate(self.text) if at not in added)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where this stands in the whole text."""
        if self.added:
            start, end = start - bisect_left(self.added, start), end - bisect_left(self.added, end)
        return self.inside or (start + self.shift, end + self.shift)

    def doubt(self, because: str, start: int, end: int) -> None:
        """Note what cannot be told."""
        self.record.rough = True
        last = len(self.text)
        self.record.doubt(because, *self.place(min(start, last), min(end, last)))

    def doubt_node(self, because: str, node: Node) -> None:
        """Note a doubt about the text of a node."""
        self.doubt(because, node.start_byte, node.end_byte)

    def may_break(self) -> None:
        """Note that the shell may give up this line here, and go on with the next one, if any."""
        part = self.inside or self.shift
        behind = self.text.lstrip() if part else self.text[self.record.read_to :]
        self.record.breaks = self.record.breaks or "\n" in behind.rstrip()

    def of(self, node: Node) -> str:
        """How a node is spelled."""
        return self.text[node.start_byte : node.end_byte]


@frozen(kw_only=True)
class Here:
    """Where reading has come to: the notes it goes into, what is known, and what is around it."""

    notes: Notes
    state: State
    depth: int = 0
    """How many substitutions and wrappers are around this."""
    nest: int = 0
    """How many constructs of any kind are around this."""
    carried: bool = False
    """Whether a program runs what stands here, and not the shell itself."""
    runner: tuple[Word, ...] = ()
    """The words of that program."""
    fed: bool = False
    """Whether something else than the call's own input may be read here."""
    names: Word | None = None
    """What each line of the input is, where another command writes it."""

    def value(self, name: str) -> Word | None:
        """What is known of a variable, or of all items of an array (`a[@]`)."""
        blocked = name.partition("[")[0] in self.notes.record.blocked
        return None if blocked else self.state.variables.get(name)

    def at(self, state: State) -> "Here":
        """This place with another state."""
        return self if state is self.state else evolve(self, state=state)

    def within(self, *, deeper: bool = False) -> "Here":
        """Inside one construct more; too deep a nesting ends the reading."""
        if self.nest >= MAX_NESTING or self.depth >= _MAX_INNER_COMMANDS:
            raise TooMuch
        return evolve(self, depth=self.depth + deeper, nest=self.nest + 1)

    def recite(self, text: str, inside: tuple[int, int], dialect: str = "") -> None:
        """Read a script inside this one, where it stands in the whole text."""
        within = self.within(deeper=True)
        self.notes.recite(text, dialect or self.notes.dialect, inside, within)

    def run(self, nodes: Sequence[Node]) -> Flow:
        """Read statements that begin here: what is known if they did well, and if they failed."""
        return self.notes.run(nodes, self)

    def given(self, names: Word | None, *, fed: bool = True) -> "Here":
        """This place with an input that another command writes."""
        return evolve(self, fed=fed, names=names)
