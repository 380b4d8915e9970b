"""From sorted words to deeds: what every tool has in common."""

from collections.abc import Iterable, Sequence

from assent.policy.shell.deeds import Deeds, Kind, Touch
from assent.policy.shell.flags import Sorted
from assent.policy.shell.rows import ALWAYS, Row
from assent.policy.shell.script import Word

__all__ = ["HERE", "deeds_of", "operand_touches", "paths_of", "within"]

HERE = Word(text=".")


def deeds_of(
    row: Row,
    sorted_: Sorted,
    touches: Sequence[Touch],
    *,
    escapes: Iterable[str] = (),
    hosts: Iterable[str] = (),
    safe: bool = True,
    known: bool = True,
) -> Deeds:
    """The deeds of a tool that was given these words, and touches what its operands name."""
    why = (*sorted_.escapes, *escapes)
    loose = sorted_.loose and row.risky
    ruins = bool(row.ruin) and within(row.ruin, sorted_)
    return Deeds(
        touches=(*sorted_.touches, *touches),
        hosts=tuple(hosts),
        escapes=why,
        reading=row.reads and safe and not (why or sorted_.strange or loose),
        known=known and not (sorted_.strange or loose),
        catastrophic=ruins,
    )


def within(flags: str, sorted_: Sorted) -> bool:
    """Whether one of these flags is there, or none is needed."""
    return flags == ALWAYS or (bool(flags) and sorted_.has(flags))


def paths_of(row: Row, sorted_: Sorted) -> list[Word]:
    """The operands that are paths."""
    skipped = 0 if not row.patterns or sorted_.has(row.unless) else row.patterns
    # A pattern that may become several words may become paths as well.
    split = [word for word in sorted_.operands[:skipped] if not word.known and word.several]
    return [*split, *sorted_.operands[skipped:]]


def operand_touches(row: Row, sorted_: Sorted, paths: Sequence[Word]) -> list[Touch]:
    """What is done to the operands, by the row's word alone."""
    if row.operands is None:
        return []
    tree = within(row.tree, sorted_)
    hidden = within(row.hidden, sorted_)
    if not paths and within(row.here, sorted_):
        return [Touch(kind=row.operands, word=HERE, tree=tree, hidden=hidden)]
    touches = [
        Touch(kind=row.operands, word=word, tree=tree, hidden=hidden)
        for word in paths
        if word.text != "-"
    ]
    if row.last is None:
        return touches
    return _with_target(row, sorted_, touches, tree=tree)


def _with_target(row: Row, sorted_: Sorted, touches: list[Touch], *, tree: bool) -> list[Touch]:
    """The same where the last operand, or a flag, says where all the others go."""
    named = next((sorted_.found[flag] for flag in row.into.split() if flag in sorted_.found), None)
    if named is not None:
        sources, target = touches, named
    elif len(touches) > 1:
        sources, target = touches[:-1], touches[-1].word
    else:
        return touches
    kind = row.last or Kind.WRITE
    inside = [
        Touch(kind=kind, word=_below(target, source.word), tree=tree)
        for source in sources
        if source.word.text.rstrip("/").rpartition("/")[2] not in {"", ".", ".."}
    ]
    return [*sources, Touch(kind=kind, word=target, tree=tree), *inside]


def _below(folder: Word, source: Word) -> Word:
    """Where something of this name would come to lie in a folder."""
    name = source.text.rstrip("/").rpartition("/")[2]
    return Word(
        text=f"{folder.text.rstrip('/')}/{name}",
        known=folder.known and source.known,
        home=folder.home,
        glob=folder.glob or source.glob,
    )
