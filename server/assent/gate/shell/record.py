"""Records simple commands, and after each the commands that it runs."""

import re
from functools import reduce
from typing import Final

from assent.gate.shell.anchored_paths import InFolder, InTop
from assent.gate.shell.commands import Simple
from assent.gate.shell.dialects import OTHERS, SHELLS, dialect_of
from assent.gate.shell.effects import check_assignments, effect, given_to, is_job
from assent.gate.shell.folder_changes import MOVERS, led_to
from assent.gate.shell.notes import MISREAD, Here
from assent.gate.shell.port import Inside
from assent.gate.shell.script import DECLARES, Command, bare_name
from assent.gate.shell.specials import (
    RESERVED,
    SETS_UP_LATER_COMMANDS,
    UNSETTLES,
    named_in,
    texts,
    why_doubted,
)
from assent.gate.shell.state import Flow, State, join
from assent.gate.shell.word import Below, Exact, Unknown, Word
from assent.gate.shell.word_sets import has_made
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["record"]

_COMPUTED: Final = "What runs here is only known when it runs."
_OTHER: Final = "There is no reader for the language of this shell."

_PROGRAM: Final = late(r"[\w./][\w.:@+/-]*", re.ASCII)
_MAX_PROGRAMS: Final = 16
"""So many programs a variable may stand for; of more it is not told which."""

_NOTED: Final = frozenset(("unset", *DECLARES))
_FILLS: Final = frozenset(("declare", "typeset", "local", "readonly"))
"""Of those, the ones that run what is computed in the text of an array."""
_OF_THE_SHELL: Final = UNSETTLES | {"builtin", "command"}
_ROUGH: Final = frozenset((_COMPUTED, MISREAD, _OTHER))
"""Where names of commands may stand that are not among those written down."""


def record(simple: Simple, here: Here) -> Flow:
    """Write a command down and what it runs, and say what is known after it.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> _, here = prepare("", KNOWN)
    >>> argv = tuple(Exact(text=it) for it in ("env", "A=b", "sh", "-c", "ls; exit"))
    >>> ok, bad = record(Simple(argv=argv), here)
    >>> [(it.name, it.wraps, it.depth) for it in here.notes.record.commands]
    [('env', True, 0), ('sh', True, 1), ('ls', False, 2), ('exit', False, 2)]
    """
    here.notes.record.budget.spend(25 + 3 * len(simple.argv))
    check_assignments(simple, here)
    if not simple.argv:
        return _listed(simple, here, name="", inside=None)
    simple = _in_its_folder(simple)
    head = simple.argv[0]
    if simple.computed or not head.known or head.glob or head.several:
        return _named(simple, head, here) or _computed(simple, head, here)
    name = bare_name(head.text)
    if simple.bare and head.text in ("time", "coproc") and not simple.assignments:
        return _keyword(simple, here)
    if simple.bare and head.text in RESERVED:
        _doubt(simple, here, MISREAD)
    programs = here.notes.programs
    _heed(simple, head.text, here)
    if name in _NOTED and not simple.execd:
        _note(simple, name, here)
    if name in OTHERS:
        _doubt(simple, here, _OTHER)
    inside = programs.unwrap(simple.argv, _document_of(simple, here))
    return _listed(simple, here, name=head.text, inside=inside)


def _heed(simple: Simple, name: str, here: Here) -> None:
    """Note why a builtin cannot be told, and read the texts that it runs."""
    trap = name == "trap"
    plain = simple
    if name == "wait":
        plain = evolve(simple, argv=tuple(word for word in simple.argv if not is_job(word, here)))
    because = _trapped(simple, here) if trap else why_doubted(plain, name, here.notes.programs)
    if name in _FILLS and not simple.declared and any(map(_may_fill, simple.argv[1:])):
        because = because or _COMPUTED
    if name in MOVERS and not here.notes.moves:
        because = _COMPUTED
    if name in DECLARES and not simple.declared:
        because = because or _steered(simple, here)
    if because and not simple.execd:
        _doubt(simple, here, because)
    for text in texts(simple, name) if because else ():
        _recite(simple, here, text, here.notes.dialect)


def _steered(simple: Simple, here: Here) -> str:
    """Why a declaration cannot be told that is not spelled as one, such as `command export`."""
    programs = here.notes.programs
    for word in simple.argv[1:]:
        name, sign, value = word.text.partition("=")
        if sign and programs.steers(name) and not programs.is_plain(name, value):
            return f"`{name}` may decide what other programs do."
    return ""


def _may_fill(word: Word) -> bool:
    """Whether a word may make an array, or fill one: the grammar has read no declaration there."""
    flag = word.text[:1] in ("-", "+") and "a" in word.text.lower()
    return flag or ("=" in word.text and (not word.known or "(" in word.text))


def _in_its_folder(simple: Simple) -> Simple:
    """A program that is named by the path of its folder, as what it is called from there."""
    head, *rest = simple.argv
    return evolve(simple, argv=(head.there, *rest)) if isinstance(head, InFolder) else simple


def _named(simple: Simple, head: Word, here: Here) -> Flow | None:
    """Write down what is named by a variable, as each program that it is sure to be.

    An empty text would make a program of the next word, and one with a sign an assignment.
    """
    sure = 0 < len(head.texts) <= _MAX_PROGRAMS and not (head.glob or head.home or head.listed)
    if not sure or not all(map(_PROGRAM.fullmatch, head.texts)):
        return None
    # What changes the rest of the text is found by its name in the text.
    if any(bare_name(text) in _OF_THE_SHELL for text in head.texts):
        return None
    plain = evolve(simple, computed=False, bare=False)
    flows = [
        record(evolve(plain, argv=(Exact(text=text), *simple.argv[1:])), here)
        for text in head.texts
    ]
    return reduce(lambda one, other: (join(one[0], other[0]), join(one[1], other[1])), flows)


def _computed(simple: Simple, head: Word, here: Here) -> Flow:
    """Write down what is named by an expansion: doubted, and as each command that it may be.

    These are for what refuses commands; a doubted one is never allowed by itself.
    """
    _doubt(simple, here, _COMPUTED)
    plain = evolve(simple, computed=False)
    for text in head.texts:
        _inner(plain, here, (Exact(text=text), *simple.argv[1:]))
    unknown = (head.lost() if head.known else head, *simple.argv[1:])
    return _listed(evolve(simple, argv=unknown), here, name="", inside=None)


def _note(simple: Simple, name: str, here: Here) -> None:
    """Note what changes the meaning of names for all that comes."""
    record, words = here.notes.record, simple.argv[1:]
    if name == "unset":
        record.unset |= {word.text if word.known and not word.glob else "" for word in words}
    elif name == "readonly" or any("r" in word.text for word in words if word.text.startswith("-")):
        record.fixed |= {it for word in words for it in named_in(word.text)}


def _doubt(simple: Simple, here: Here, because: str) -> None:
    record = here.notes.record
    record.doubt(because, simple.start, simple.end)
    record.rough = record.rough or because in _ROUGH


def _listed(simple: Simple, here: Here, *, name: str, inside: Inside | None) -> Flow:
    state = here.state
    _write_down(simple, here, wraps=inside.wraps if inside else name in state.functions)
    flow = None if inside is None else _inside(inside, simple, here)
    # A function of that name may do anything else, whatever the words would mean to a program.
    ok, bad = effect(simple, name, here) if flow is None or name in state.functions else flow
    return (ok, join(bad, here.state)) if simple.unsure else (ok, bad)


def _write_down(simple: Simple, here: Here, *, wraps: bool) -> None:
    command = Command(
        argv=simple.argv,
        assignments=simple.assignments,
        redirects=simple.redirects,
        operator=simple.operator,
        start=simple.start,
        end=simple.end,
        ways=here.state.folders,
        depth=here.depth,
        carried=here.carried,
        runner=here.runner,
        wraps=wraps,
        fed=here.fed or simple.fed,
        piped=simple.piped,
        document=_document_of(simple, here),
        aside=here.notes.record.aside,
    )
    here.notes.record.commands.append(command)


def _document_of(simple: Simple, here: Here) -> str:
    """The text that it reads, if that is known; what is carried may be given another input."""
    told = simple.feed is not None and simple.feed.known and not here.carried
    return simple.feed.text if told and simple.feed is not None else ""


def _keyword(simple: Simple, here: Here) -> Flow:
    """`time` and `coproc` stand before a command as `!` does; the grammar takes them for one."""
    name, rest = simple.argv[0].text, simple.argv[1:]
    if name == "coproc":
        _doubt(simple, here, "`coproc` runs a command in the background.")
    negated = False
    while rest and rest[0].known and rest[0].text in ("-p", "--", "!", "{", "("):
        negated = negated or rest[0].text == "!"
        rest = rest[1:]
    while rest and "=" in rest[0].text:
        _doubt(simple, here, MISREAD)
        rest = rest[1:]
    redirects = () if rest else simple.redirects
    alone = evolve(simple, argv=simple.argv[:1], assignments=(), redirects=redirects, fed=False)
    _write_down(alone, here, wraps=bool(rest))
    if not rest:
        return here.state, here.state
    inner = evolve(simple, argv=rest, operator="", bare=rest[0].text == "time")
    ok, bad = record(inner, here.within(deeper=True))
    either = join(ok, bad)
    return (either, either) if negated else (ok, bad)


def _inside(inside: Inside, simple: Simple, here: Here) -> Flow:
    """What a wrapper runs: once if it is a shell, and for all that is known again and again."""
    if inside.same_shell or bare_name(simple.argv[0].text) in SHELLS:
        return _run_by(inside, simple, here)
    with here.notes.record.beside():
        return _run_by(inside, simple, here)


def _run_by(inside: Inside, simple: Simple, here: Here) -> Flow:
    state = here.state
    if inside.doubt and not _is_read(simple, here, inside):
        _doubt(simple, here, inside.doubt)
        here.notes.record.rough = True
    folders = led_to(state.folders, inside.folder)
    alone = here.at(State(folders=folders, functions=frozenset()))
    there = evolve(alone, carried=True, runner=simple.argv, fed=here.fed or inside.fed)
    with here.notes.record.sparing(doubts=inside.perhaps):
        for text in inside.texts:
            _recite(simple, there.at(given_to(there.state, inside.given)), text, _dialect(simple))
    if inside.same_shell and len(inside.argvs) == 1:
        there = there.at(evolve(state, functions=frozenset()))
    flow: Flow = (state, state)
    for argv in inside.argvs:
        # In another folder it is not known what was the path of this one.
        named = argv if inside.folder is None else tuple(map(_lost, argv))
        if inside.fed:
            named = tuple(word for it in named for word in _taken(it, simple, here.names, inside))
        flow = _inner(
            evolve(
                simple,
                assignments=inside.assignments,
                fed=simple.fed or inside.fed,
                execd=not inside.same_shell,
            ),
            there,
            named,
        )
    if not inside.argvs and inside.assignments:
        check_assignments(evolve(simple, assignments=inside.assignments), here)
    if not inside.same_shell:
        return state, state
    ok, bad = (it and evolve(it, functions=state.functions) for it in flow)
    return ok, bad


def _lost(word: Word) -> Word:
    return word.lost() if isinstance(word, InFolder | InTop) else word


def _inner(simple: Simple, here: Here, argv: tuple[Word, ...]) -> Flow:
    # Many a program gives what it runs another input: none, a terminal, or what it keeps back.
    return record(
        evolve(simple, argv=argv, redirects=(), operator="", bare=False, piped=False),
        here.within(deeper=True),
    )


def _is_read(simple: Simple, here: Here, inside: Inside) -> bool:
    """Read what a shell is given as its input, if the script has that text; whether it was read."""
    name = bare_name(simple.argv[0].text)
    if name not in SHELLS or inside.texts or simple.feed is None or "input" not in inside.doubt:
        return False
    if not simple.feed.known:
        return False
    _recite(simple, here.at(State(folders=here.state.folders)), simple.feed.text, dialect_of(name))
    return True


def _dialect(simple: Simple) -> str:
    name = bare_name(simple.argv[0].text)
    return dialect_of(name) if name in SHELLS else "sh"


def _recite(simple: Simple, here: Here, text: str, dialect: str) -> None:
    here.recite(text, (simple.start, simple.end), dialect)


# What `trap` sets up: a text that runs at a signal, or at the end of the shell.

_IDLE: Final = ("-p", "-l", "-", "")
"""What lists traps, takes one off, or has a signal do nothing."""
_GIVES: Final = late(r"[=(]|\b(?:for|select|function|read|coproc)\b")
"""With one of these a text may give a variable a value."""
_SIGNAL: Final = late(r"EXIT|ERR|(?:SIG)?(?:HUP|INT|QUIT|TERM|PIPE|USR[12])|0|1|2|3|13|15")
_AT_THE_END: Final = frozenset(("EXIT", "0"))
_LEAVES: Final = late(r"\b(?:break|continue)\b")
_DEFINES: Final = late(r"\(\s*\)|\bfunction\b")
_NUMBERED: Final = late(r'"((?:[^"\'\\$`]|\$(?:!|[A-Za-z_]\w*|\{[A-Za-z_]\w*\}))*)"', re.ASCII)
"""A text in double quotes in which nothing but variables is put in."""
_NAMED: Final = late(r"\$\{?(\w*)", re.ASCII)
_UNTOLD: Final = f"`trap` {SETS_UP_LATER_COMMANDS}"


def _trapped(simple: Simple, here: Here) -> str:
    """Read what a trap runs; why that cannot be told, if it cannot.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.shell.word import Exact
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> _, here = prepare("", KNOWN)
    >>> argv = tuple(Exact(text=it) for it in ("trap", "date", "EXIT"))
    >>> _trapped(Simple(argv=argv), here), [it.name for it in here.notes.record.commands]
    ('', ['date'])
    """
    words = simple.argv[1:]
    words = words[1:] if words and words[0].text == "--" else words
    if not words or (words[0].known and words[0].text in _IDLE):
        return ""
    numbered = _with_numbers(words[0], here) or (words[0].text if has_made(words[0]) else "")
    told = all(word.known and not word.glob for word in words[1 if numbered else 0 :])
    text, *signals = (numbered or words[0].text, *(word.text for word in words[1:]))
    plain = not (text.isdigit() or text.startswith("-") or _GIVES.search(text))
    plain = plain and (_AT_THE_END.issuperset(signals) or not _leaves(text, here))
    settled = _read(simple, text, here)
    return "" if told and plain and settled and all(map(_SIGNAL.fullmatch, signals)) else _UNTOLD


def _leaves(text: str, here: Here) -> bool:
    """Whether a trap may leave a loop that the shell is in, by itself or by what it calls."""
    whole = here.notes.text
    return bool(_LEAVES.search(text) or (_LEAVES.search(whole) and _DEFINES.search(whole)))


def _with_numbers(word: Word, here: Here) -> str:
    """A text in double quotes that has nothing computed in it but the numbers of jobs.

    Where it runs these variables are what they are here, so it says the same without the quotes.

    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.shell.word import Unknown
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("p=$!", KNOWN)
    >>> there = here.at(here.run(tree.children)[0])
    >>> [_with_numbers(Unknown(text=it), there) for it in ('"kill $p"', '"kill $q"')]
    ['kill $p', '']
    """
    match = None if word.known else _NUMBERED.fullmatch(word.text)
    if match is None:
        return ""
    record = here.notes.record
    names = {it for it in _NAMED.findall(match[1]) if it}
    if not all(is_job(Unknown(text=f"${name}"), here) for name in names):
        return ""
    record.held |= names
    return match[1]


def _read(simple: Simple, text: str, here: Here) -> bool:
    """Read what runs at any time from here on; whether the rest finds all as it would without."""
    record = here.notes.record
    mark = len(record.commands)
    with record.beside(whatever=True):
        here.at(_found(here)).recite(text, (simple.start, simple.end))
    return not any(
        command.name in UNSETTLES or command.assignments for command in record.commands[mark:]
    )


def _found(here: Here) -> State:
    """What a trap finds: any folder that the text goes to, and what is given a value but once."""
    record, state = here.notes.record, here.state
    held: dict[str, Word] = {
        name: word for name, word in state.variables.items() if len(record.given.get(name, ())) == 1
    }
    record.held |= held.keys()
    folders = None if here.notes.moves else state.folders
    return State(folders=folders, functions=state.functions, variables=held)


# What a program puts into the words of what it runs: names that another lists, or texts.
#
# `xargs` and its kin are read with a mark, `…`, where they put something in (`port.Inside`).

_BEFORE: Final = late(r"(?!-)(?:(?!\.\.?/)[\w.\-]+/)*", re.ASCII)
_BEHIND: Final = late(r"(?:/(?!\.\.?(?:/|\Z))[\w.\-]+)*|[.\w\-]*\w", re.ASCII)


def _taken(word: Word, simple: Simple, names: Word | None, inside: Inside) -> tuple[Word, ...]:
    """What is put in for one word: a name below the folder, where such names are read.

    Where many are put in, there are two: what follows treats two as any number.

    >>> from assent.gate.shell.word import Unknown
    >>> names = Below(text="src/…")
    >>> mark = Unknown(text="…")
    >>> [it.text for it in _taken(mark, Simple(), names, Inside())]
    ['src/…']
    >>> [it.known for it in _taken(mark, Simple(), None, Inside())]
    [False]
    """
    reads = any(not redirect.writes for redirect in simple.redirects) or simple.fed
    if names is None or reads or inside.cuts or word.known or "…" not in word.text:
        return (word,)
    if not word.several:
        found = _put(word, names)
        return (found or word,)
    if names.known:
        return (names,)
    if names.choices:
        return (names, names)
    if inside.lines and not names.text.startswith("…"):
        return (names, names)
    if not isinstance(names, Below):
        return (names,)
    return (evolve(names, several=True, solid=names.solid or inside.lines),)


def _put(word: Word, names: Word) -> Word | None:
    """A name in the place of the mark; None where the two together may name anything."""
    if names.choices or not (names.known or names.listed):
        return None
    if word.text == "…":
        return names.quoted
    before, _, behind = word.text.partition("…")
    if names.known or not _BEFORE.fullmatch(before) or not _BEHIND.fullmatch(behind):
        return None
    return Below(text=f"{before}{names.text.removeprefix('./')}{behind}")
