"""Words that are names of files only where there are such files, and else mean other things."""

from assent.bash.word import Word
from assent.calls import Target
from assent.policy.matter import Matter
from assent.programs.deeds import Touch

__all__ = ["counts"]


def counts(matter: Matter, touch: Touch, folder: Target | None) -> bool:
    """Whether something is touched from a folder, by what is there now."""
    if touch.if_there and not _is_there(matter, (touch.word,), folder):
        return False
    return not _is_there(matter, touch.instead, folder)


def _is_there(matter: Matter, words: tuple[Word, ...], folder: Target | None) -> bool:
    where = "/" if folder is None else folder.resolved
    return any(matter.facts.names(word.path, where) for word in words if word.known)
