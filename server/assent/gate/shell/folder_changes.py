"""Where `cd` leads: the ways by which a command may have reached its folder.

A `cd` may fail, so what follows it after a `;` runs in either folder; after `&&` only in the new
one. Behind a `cd` to an unknown place the folder is unknown. Whether a folder is there is not
asked here: a way on which a `cd` failed says so, and whoever knows the disk may find that it
cannot have failed.
"""

from typing import Final

from assent.gate.shell.anchored_paths import InTop
from assent.gate.shell.commands import Simple
from assent.gate.shell.notes import Here
from assent.gate.shell.script import Missed, Step, Top, Way, Wildcard
from assent.gate.shell.state import Folders, merged
from assent.gate.shell.word import Below, Word
from assent.gate.shell.word_sets import Made
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["MOVERS", "led_to", "moved", "runs_once", "stayed"]

MOVERS: Final = frozenset(("cd", "chdir", "pushd", "popd"))

_STACK: Final = late(r"[-+]\d*")
"""What stands for a folder that one was in before."""
_MAX_DEPTH: Final = 12
_SURE: Final = late(
    r"""cd[ \t]+(?:[^\s<>'"]+|'[^'<>]*'|"[^"<>]*")"""
    r"(?:[ \t]+(?:[12&]?>[ \t]*/dev/null|2>&1))*[ \t]*"
)
"""What only fails if the folder is not there: any other redirect may fail as well."""


def moved(folders: Folders, simple: Simple, here: Here) -> Folders:
    """The folders after a `cd` that did well.

    >>> from assent.gate.shell.commands import simple
    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> for text in ("cd src", "cd", "cd $unknown"):
    ...     tree, here = prepare(text, KNOWN)
    ...     found = moved(here.state.folders, simple(tree.children[0], (), here, ""), here)
    ...     print(found and found[0].steps)
    ('src',)
    ('~',)
    None
    """
    if folders is None:
        return None
    name, operands = simple.argv[0].text, _operands(simple.argv[1:])
    if operands is None or name == "popd" or (name == "pushd" and len(operands) != 1):
        return None
    if not operands:
        return _onward(folders, ("~",))
    if len(simple.argv) == 2 and name == "cd" and operands[0].known and operands[0].text == "-":  # noqa: PLR2004 -- `cd` and `-`
        return merged(
            evolve(folder, steps=folder.before, before=folder.steps) for folder in folders
        )
    first = operands[0]
    targets = _targets(first, simple, here)
    if len(operands) > 1 or targets is None or (name == "pushd" and first.text[:1] in "+-"):
        return None
    return _onward(folders, targets)


def stayed(folders: Folders, simple: Simple, here: Here) -> Folders:
    """The folders after a `cd` that failed; each way says so, where nothing else can have failed.

    Who knows the disk drops a way on which a `cd` to a folder failed that is there.

    >>> from assent.gate.shell.commands import simple
    >>> from assent.gate.shell.read import prepare
    >>> from assent.gate.programs.read_lines import KNOWN
    >>> tree, here = prepare("cd src", KNOWN)
    >>> (way,) = stayed(here.state.folders, simple(tree.children[0], (), here, ""), here)
    >>> way.steps, [it.chains for it in way.missed]
    ((), [(('src',),)])
    """
    words = simple.argv
    targets = _targets(words[1], simple, here) if len(words) == 2 else None  # noqa: PLR2004 -- `cd` and where to
    if folders is None or targets is None or not _stands_alone(simple, here):
        return folders
    end = simple.end
    return tuple(
        folder
        if folder.steps is None
        else evolve(
            folder,
            missed=folder.missed
            | {Missed(chains=tuple((*folder.steps, to) for to in targets), end=end)},
        )
        for folder in folders
    )


def _stands_alone(simple: Simple, here: Here) -> bool:
    """Whether it only fails if the folder is not there as things stand before it."""
    return runs_once(here) and (
        _SURE.fullmatch(here.notes.whole[simple.start : simple.end]) is not None
    )


def led_to(folders: Folders, word: Word | None) -> Folders:
    """The folders after a wrapper goes to another one.

    >>> from assent.gate.shell.script import START
    >>> from assent.gate.shell.word import Exact
    >>> [it.steps for it in led_to(START, Exact(text="src"))]
    [('src',)]
    """
    if folders is None:
        return None
    # What it runs may have been told of another folder before.
    ways = tuple(
        evolve(folder, before=None) if folder.before is not None else folder for folder in folders
    )
    if word is None:
        return ways
    if not (word.known and not word.several and word.text):
        return None
    step = Wildcard(path=word.path) if word.glob else word.path
    lost = any(way.steps is None for way in ways)
    return None if lost else tuple(evolve(way, steps=(*(way.steps or ()), step)) for way in ways)


def runs_once(here: Here) -> bool:
    """Whether it runs once, after all that stands before it and before all that follows.

    Only there is the folder that git finds another word than a substitution of which no more is
    known, since what runs again may ask for it somewhere else:

    >>> from assent.gate.programs.read_lines import read_script
    >>> def asked(text):
    ...     looks = [it for it in read_script(text).commands if it.name == "ls"]
    ...     return isinstance(looks[0].argv[1], InTop)
    >>> asked('ls "$(git rev-parse --show-toplevel)"')
    True
    >>> asked('for n in 1 2; do ls "$(git rev-parse --show-toplevel)"; cd sub; done')
    False
    """
    notes = here.notes
    return not (here.depth or here.carried or notes.inside or notes.shift or notes.record.aside)


def _onward(folders: tuple[Way, ...], targets: tuple[Step, ...]) -> Folders:
    ways = [
        evolve(
            folder, steps=None if folder.steps is None else (*folder.steps, to), before=folder.steps
        )
        for folder in folders
        for to in targets
    ]
    deepest = max(len(way.steps or ()) for way in ways)
    return merged(ways) if deepest <= _MAX_DEPTH else None


def _operands(words: tuple[Word, ...]) -> tuple[Word, ...] | None:
    for at, word in enumerate(words):
        if word.known and word.text == "--":
            return words[at + 1 :]
        if word.known and word.text in ("-L", "-P", "-e", "-q", "-n"):
            continue
        return words[at:]
    return ()


def _targets(word: Word, simple: Simple, here: Here) -> tuple[Step, ...] | None:
    if isinstance(word, InTop):
        top = Top(end=simple.end, split=word.splits, below=word.below)
        return (top,) if runs_once(here) and not word.glob else None
    if isinstance(word, Made) and not word.several:
        # Without a name it stays where it is.
        return (word.text, ".") if word.empty else (word.text,)
    if (word.glob and word.known) or (isinstance(word, Below) and word.of_pattern):
        return (Wildcard(path=word.path),)
    if word.glob or word.several:
        return None
    if word.known:
        return (word.path,) if word.text and not _STACK.fullmatch(word.text) else None
    if word.choices and not any(choice in ("", "-") or choice[0] == "~" for choice in word.choices):
        return word.choices
    return None
