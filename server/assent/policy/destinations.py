"""Where a word leads from a folder, and what stands in its way: blanks, and links."""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.bash.listed import Hash, filled
from assent.bash.rooted import InFolder, InTop
from assent.bash.word import Word, word_of
from assent.calls import Target
from assent.errors import CallUnreadable
from assent.policy.facts import Looks
from assent.policy.matter import Matter
from assent.policy.wildcards import pattern_in, split_off
from assent.programs.deeds import Touch
from assent.text.patterns import late

__all__ = [
    "ONE_WORD",
    "from_top",
    "is_split",
    "led_away",
    "looked_from",
    "meant_by",
    "target_of",
]

ONE_WORD: Final = late(r"[\w./@%+,:=-]+")
"""What no shell splits or takes for a pattern."""


def target_of(matter: Matter, path: str, folder: Target | None) -> Target | None:
    """Where a path leads from a folder; None where that cannot be told."""
    if folder is None and not path.startswith(("/", "~")):
        return None
    try:
        return matter.facts.locate(path, folder.resolved if folder else "/")
    except CallUnreadable:
        return None


def looked_from(matter: Matter, folder: Target) -> Looks | None:
    """Where git looks from a folder; None where it cannot be told, or git could run something."""
    runs = matter.facts.git_runs(folder.resolved)
    return matter.facts.git_looks(folder.resolved) if runs is None else None


def from_top(matter: Matter, word: Word, folder: Target | None) -> Word:
    """The word, with the folder of the repository that git finds now, where it begins with that.

    Where none is found the word stays as it is, and nobody knows where it leads; as well where git
    may fail, since then the path begins with nothing.
    """
    if not isinstance(word, InTop) or folder is None:
        return word
    looks = looked_from(matter, folder)
    top = looks.top if looks is not None and looks.sure else None
    if top is None or (word.splits and not ONE_WORD.fullmatch(top)):
        return word
    return word_of(f"{top}{word.below}", glob=word.glob)


def is_split(matter: Matter, word: Word, folders: list[Target | None]) -> bool:
    """Whether the shell makes more than one word of the path of a folder, or a pattern of it.

    What a repository's folder becomes is told where it is put in (`from_top`).
    """
    if isinstance(word, InTop):
        return False
    home = target_of(matter, "~", None)
    found = folders if isinstance(word, InFolder) else [home]
    return any(it is None or not ONE_WORD.fullmatch(it.named or it.resolved) for it in found)


def meant_by(matter: Matter, pattern: str, where: Target) -> Sequence[str] | None:
    """What a pattern stands for now, or may of the gate; None where that cannot be told."""
    names = matter.facts.names(pattern, where.resolved)
    base, last = split_off(pattern)
    above = target_of(matter, base, where)
    if names is None or above is None:
        return None
    met = above.own or matter.facts.premise(above, pattern_in(above, last))
    return names if met is None else (*names, met.path)


def led_away(matter: Matter, touch: Touch, folder: Target) -> Iterator[Target | None]:
    """What is there now by such a name, and leads elsewhere: who writes it writes there."""
    pattern = touch.word.path.replace(Hash().text, "[0-9a-f]*")
    pattern = filled(pattern, number="[0-9]*", name="*")
    names = matter.facts.names(pattern, folder.resolved)
    if names is None:
        yield None
    for name in names or ():
        target = target_of(matter, name, folder)
        if target is None or target.resolved != target.named:
            yield target
