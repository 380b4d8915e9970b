"""What `trap` sets up: a text that runs at a signal, or at the end of the shell."""

from typing import Final

from assent.bash.commands import Simple
from assent.bash.notes import Here
from assent.bash.specials import LATER, UNSETTLES
from assent.bash.state import State
from assent.bash.word import Word
from assent.text.patterns import late

__all__ = ["trapped"]

_IDLE: Final = ("-p", "-l", "-", "")
"""What lists traps, takes one off, or has a signal do nothing."""
_GIVES: Final = late(r"[=(]|\b(?:for|select|function|read|coproc)\b")
"""With one of these a text may give a variable a value."""
_SIGNAL: Final = late(r"EXIT|(?:SIG)?(?:HUP|INT|QUIT|TERM|PIPE|USR[12])|0|1|2|3|13|15")
_UNTOLD: Final = f"`trap` {LATER}"


def trapped(simple: Simple, here: Here) -> str:
    """Read what a trap runs; why that cannot be told, if it cannot.

    >>> from assent.bash.read import prepare
    >>> from assent.bash.word import Exact
    >>> from assent.programs.reading import KNOWN
    >>> _, here = prepare("", KNOWN)
    >>> argv = tuple(Exact(text=it) for it in ("trap", "date", "EXIT"))
    >>> trapped(Simple(argv=argv), here), [it.name for it in here.notes.record.commands]
    ('', ['date'])
    """
    words = simple.argv[1:]
    words = words[1:] if words and words[0].text == "--" else words
    if not words or (words[0].known and words[0].text in _IDLE):
        return ""
    told = all(it.known and not it.glob for it in words)
    text, *signals = (it.text for it in words)
    plain = not (text.isdigit() or text.startswith("-") or _GIVES.search(text))
    settled = _read(simple, text, here)
    return "" if told and plain and settled and all(map(_SIGNAL.fullmatch, signals)) else _UNTOLD


def _read(simple: Simple, text: str, here: Here) -> bool:
    """Read what runs at any time from here on; whether the rest finds all as it would without."""
    record = here.notes.record
    mark = len(record.commands)
    with record.beside(whatever=True):
        here.at(_found(here)).recite(text, (simple.start, simple.end))
    return not any(it.name in UNSETTLES or it.assignments for it in record.commands[mark:])


def _found(here: Here) -> State:
    """What a trap finds: any folder that the text goes to, and what is given a value but once."""
    record, state = here.notes.record, here.state
    held: dict[str, Word] = {
        name: it for name, it in state.variables.items() if len(record.given.get(name, ())) == 1
    }
    record.held |= held.keys()
    folders = None if here.notes.moves else state.folders
    return State(folders=folders, functions=state.functions, variables=held)
