"""Operands of git as paths: `REVISION:path`, and patterns with a magic word before them.

Some of them begin in the repository's top folder, wherever git was started below it.
"""

import re
from collections.abc import Sequence
from typing import Final

from assent.gate.programs.deeds import Kind, Taken, Touch
from assent.gate.programs.options import part_of
from assent.gate.programs.outcome import HERE
from assent.gate.shell.word import Exact, Word, word_of
from assent.gate.shell.word_sets import parent
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = [
    "REWRITTEN",
    "SHOWN",
    "is_from_top",
    "is_pattern",
    "is_range",
    "left_out",
    "pathspec",
    "revision",
    "shown",
    "to_the_letter",
    "unless_left_out",
]

REWRITTEN: Final = Touch(kind=Kind.LOOK, word=HERE, taken=Taken.REWRITTEN)
"""Any file that the repository around a folder has may be changed."""

SHOWN: Final = Touch(kind=Kind.LOOK, word=HERE, taken=Taken.SHOWN)
"""What stands in any of them may be shown."""

_MAGIC: Final = late(r":\(([^)]*)\)")
_SHORT: Final = late(r":([!^/]+):?")
_LEFT_OUT: Final = late(r":(?:[!^]:?|\(exclude\))((?:[\w.@+-]+/)*[\w.@+-]+)")
_STAGED: Final = late(r":[0-3]:")
_OF_STATE: Final = late(r"(?:[\w.]+/)*(?:\./0……?|…0)(?:[~^]\d*)*:([\w.-][\w./-]*)")
"""`…:path` behind a revision that git itself printed, which has no colon."""
_RANGE: Final = late(r"(?:\./0……?|…0)(?:[~^]\d*)*\.{2,3}(?:[\w.-]+/)*[^/…:]*")
_HERE: Final = late(r"\.\.?(?:/|$)")


def pathspec(word: Word) -> Word | None:
    """The path that git reads out of an operand; None where it only leaves paths out.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [pathspec(it).text for it in words_of("src ':(top)docs/*.md'")]
    ['src', 'docs/*.md']
    >>> pathspec(Exact(text=":!docs")) is None
    True
    """
    text = word.text
    if word.listed and any(letter in text for letter in "*?["):
        # Git may take the name itself for a pattern, which goes through slashes.
        return word.spelled(parent(text))
    magic, short = _MAGIC.match(text), _SHORT.match(text)
    if magic:
        if "exclude" in magic.group(1):
            return None
        text = text[magic.end() :] or "."
    elif short:
        if set(short.group(1)) & {"!", "^"}:
            return None
        text = text[short.end() :] or "."
    if text == word.text and (word.listed or not is_pattern(text)):
        return word
    # Git itself takes such letters for a pattern, even where the shell saw them quoted.
    glob = word.glob or is_pattern(text)
    return word_of(text, known=word.known, glob=glob, several=word.several)


def to_the_letter(word: Word) -> Word:
    """An operand that is a path as it stands, where git is told that all of them are.

    >>> to_the_letter(Exact(text=":!docs")).text, to_the_letter(Exact(text="docs")).text
    ('./:!docs', 'docs')
    """
    return word.spelled(f"./{word.text}") if _SHORT.match(word.text) else word


def left_out(word: Word) -> str | None:
    """The path from here that an operand surely leaves out; None where that is not sure.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [left_out(it) for it in words_of("':!.env' ':(exclude)a/b' ':!*.pem' ':!../a' src")]
    ['.env', 'a/b', None, None, None]
    """
    match = _LEFT_OUT.fullmatch(word.text) if word.known else None
    path = match[1] if match else ""
    return path if path and not {".", ".."} & {*path.split("/")} else None


def unless_left_out(kind: Kind, words: Sequence[Word]) -> list[Touch]:
    """What is changed where all operands only leave paths out: all else that the repository has.

    >>> from assent.gate.programs.read_lines import words_of
    >>> print(*unless_left_out(Kind.WRITE, words_of("':!docs' ':^src'")), sep=", ")
    write ./**, look .
    >>> unless_left_out(Kind.WRITE, words_of("':!docs' src"))
    []
    """
    if not words or any(map(pathspec, words)):
        return []
    return [Touch(kind=kind, word=HERE, tree=True), REWRITTEN]


def shown(marked: Sequence[Word], paths: Sequence[Word]) -> list[Touch]:
    """The files of which lines are shown: those at its paths, or all that the repository has.

    What is `marked` stands behind two dashes; without these `paths` may be states as well.

    >>> from assent.gate.programs.read_lines import words_of
    >>> print(*shown(words_of("docs ':!docs/a.md'"), ()))
    look docs
    >>> print(*shown((), words_of("main")), sep=", ")
    look main, look .
    """
    below = evolve(SHOWN, taken=Taken.SHOWN_BELOW)
    if not marked:
        named = [evolve(below, word=path, if_there=True) for path in paths]
        return [*named, evolve(SHOWN, instead=tuple(paths))]
    # What is named from the top begins in another folder.
    if any(map(is_from_top, marked)):
        return [SHOWN]
    without = tuple(it for word in marked if (it := left_out(word)))
    specs = [path for word in marked if (path := pathspec(word))] or [HERE]
    return [evolve(below, word=spec, without=without) for spec in specs]


def is_pattern(text: str) -> bool:
    """Whether git takes a text for a pattern.

    >>> is_pattern("docs/*.md"), is_pattern("docs")
    (True, False)
    """
    return any(letter in text for letter in "*?[\\")


def revision(word: Word) -> Word | None:
    """The path in `REVISION:path`, else the operand as a path.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [revision(it).text for it in words_of("HEAD~1:src/a.py :0:a.py src")]
    ['src/a.py', 'a.py', 'src']
    """
    colon = _colon(word.text)
    if colon is None or "/" in word.text[:1]:
        return pathspec(word)
    if word.listed and (inside := _OF_STATE.fullmatch(word.text)):
        return Exact(text=inside[1])
    path = word.text[colon + 1 :]
    if colon == 0:
        staged = _STAGED.match(word.text)
        if staged:
            return part_of(word, word.text[staged.end() :])
        if re.match(r":[(!^/]", word.text):
            return pathspec(word)
        # Behind a `--` it is a pattern, and else what is noted in the index.
        return part_of(word, path).spelled(path, glob=word.glob or is_pattern(path))
    return part_of(word, path) if path else None


def is_range(word: Word) -> bool:
    """Whether a word is all that lies between a state that git itself printed and another one.

    >>> from assent.gate.programs.read_lines import read_script
    >>> script = read_script("git log $(git merge-base main HEAD)..HEAD $(ls)..HEAD")
    >>> [is_range(it) for it in script.commands[0].argv[2:]]
    [True, False]
    """
    return word.listed and _RANGE.fullmatch(word.text) is not None


def is_from_top(word: Word) -> bool:
    """Whether the path in an operand starts at the top of the repository, not in this folder.

    >>> from assent.gate.programs.read_lines import words_of
    >>> [is_from_top(it) for it in words_of("HEAD:a.py HEAD:./a.py :/docs docs")]
    [True, False, True, False]
    """
    magic = _MAGIC.match(word.text)
    if magic:
        return "top" in magic.group(1)
    if _SHORT.match(word.text):
        return "/" in word.text[:2]
    colon = _colon(word.text)
    if colon is None:
        return False
    path = word.text[(2 if _STAGED.match(word.text) else colon) + 1 :]
    return bool(path) and not _HERE.match(path)


def _colon(text: str) -> int | None:
    """Where the colon between a revision and a path stands: in braces stands another."""
    depth = 0
    for at, letter in enumerate(text):
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= depth > 0
        elif letter == ":" and not depth:
            return at
    return None
