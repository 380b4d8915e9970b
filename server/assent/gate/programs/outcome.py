"""Turns sorted words into deeds: what all tools have in common."""

from collections.abc import Iterable, Iterator, Sequence

from assent.gate.programs.deeds import Deeds, Kind, Touch, touched
from assent.gate.programs.escapes import Escape
from assent.gate.programs.options import Sorted, part_of
from assent.gate.programs.rows import ALWAYS, Row
from assent.gate.shell.anchored_paths import under
from assent.gate.shell.word import Exact, Unknown, Word, with_hidden
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["HERE", "as_reading", "deeds_of", "operand_touches", "paths_of", "resolved", "within"]

HERE = Exact(text=".")

_BEHIND_A_LINK = Unknown(text="a link below it")
_AWAY = "//"
"""How a path on another machine begins."""
_THERE = frozenset((".", "..", "~"))
"""Folders that are there, so that nothing takes their place."""
_ALL_PUT = "/tmp"  # noqa: S108 -- it is compared
"""Where all put files of their own."""

_WILD = late(r"[*?\[]")
_MAY_BE_ABOVE = late(r"(?<![^/])\.\*(?![^/])")
"""A pattern for which some shells put the folder above, and no program does."""


def deeds_of(
    row: Row,
    sorted_: Sorted,
    touches: Sequence[Touch],
    *,
    escapes: Iterable[str] = (),
    hosts: Iterable[str] = (),
    safe: bool = True,
    known: bool = True,
    empties: bool = False,
) -> Deeds:
    """The deeds of a tool: what its row says of the sorted words, and these touches.

    What it `empties` leaves nothing of what was in a file, as what the row calls a ruin.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> row, words = row_and_words("sort -o out.txt in.txt")
    >>> sorted_ = sort_words(row, words)
    >>> print(deeds_of(row, sorted_, operand_touches(row, sorted_, sorted_.operands)))
    write out.txt, read in.txt, -o writes a file
    """
    why = (*sorted_.escapes, *escapes)
    loose = sorted_.loose and row.risky
    # A flag that is not known may take that back, as `--no-dry-run` does.
    idle = sorted_.has(row.dry_run_flags) and not (sorted_.loose or sorted_.strange)
    ruins = (
        bool(row.destructive_flags) and not idle and not _adds(sorted_.of(row.destructive_flags))
    )
    ruins = ruins and (
        within(row.destructive_flags, sorted_) or any(map(_goes_below, sorted_.operands))
    )
    ruins = ruins or empties
    safe = safe and (not row.required_flags or sorted_.has(row.required_flags))
    done = (*sorted_.touches, *_led(row, sorted_, touches), *_behind_links(row, sorted_))
    return Deeds(
        touches=tuple(_unchanged(touch) for touch in done) if idle else done,
        hosts=tuple(hosts),
        escapes=why,
        runs=tuple(_files_run(row, sorted_)),
        reading=row.reads and safe and not (why or sorted_.strange or loose),
        known=known and not (sorted_.strange or loose),
        catastrophic=ruins,
        moves=row.moves,
        named=row.changes_only_named,
        steered_by=tuple(row.steering_files.split()),
    )


def _files_run(row: Row, sorted_: Sorted) -> Iterator[tuple[str, str]]:
    """The flags that run what their value names, where that is a file (`tar -I './x.sh -d'`)."""
    for name, value in sorted_.values:
        file = value.text.partition(" ")[0].rpartition("=")[2]
        runs = name in row.known and row.known[name].escape.endswith(Escape.RUNS)
        if runs and value.known and "/" in file and row.known[name].kind is None:
            yield name, file


def _unchanged(touch: Touch) -> Touch:
    """What is only told of, instead of changed."""
    return evolve(touch, kind=Kind.LOOK) if touch.kind.changes else touch


def _adds(sizes: list[Word]) -> bool:
    """Whether files only grow to these sizes (`truncate -s +1M`)."""
    return bool(sizes) and all(size.known and size.text[:1] in {"+", ">"} for size in sizes)


def _goes_below(word: Word) -> bool:
    """Whether a shell may put all files of all folders below in its place (`globstar`)."""
    return word.glob and "**" in word.text


def as_reading(deeds: Deeds, *, reads: bool) -> Deeds:
    """These deeds as those of a reading command, if the words only read.

    >>> print(as_reading(Deeds(known=True), reads=True))
    only reads
    >>> print(as_reading(Deeds(known=True, escapes=("-o writes a file",)), reads=True))
    -o writes a file
    """
    return evolve(deeds, reading=reads and deeds.known and not deeds.escapes)


def _behind_links(row: Row, sorted_: Sorted) -> Sequence[Touch]:
    """The unknown places that links below a folder lead to, if they are followed."""
    if not row.follow_links_flags or not (
        within(row.recursive_flags, sorted_) and sorted_.has(row.follow_links_flags)
    ):
        return ()
    return (Touch(kind=row.operands or Kind.READ, word=_BEHIND_A_LINK, tree=True),)


def _led(row: Row, sorted_: Sorted, touches: Sequence[Touch]) -> Sequence[Touch]:
    """The touches, marked where reading goes on behind the links below a folder.

    What copies into a folder writes through the links that lie there.
    """
    led = (
        {Kind.READ}
        if within(row.read_links_flags, sorted_) and not sorted_.has(row.skip_links_flags)
        else set()
    )
    led |= {Kind.WRITE} if row.target is Kind.WRITE and not row.moves else set()
    return [
        evolve(touch, led=True) if touch.tree and touch.kind in led else touch for touch in touches
    ]


def within(flags: str, sorted_: Sorted) -> bool:
    """Whether one of a row's flags is given; `ALWAYS` asks for none.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> sorted_ = sort_words(*row_and_words("ls -la"))
    >>> [within(it, sorted_) for it in ("-R -l", "-R", ALWAYS, "")]
    [True, False, True, False]
    """
    return flags == ALWAYS or (bool(flags) and sorted_.has(flags))


def paths_of(row: Row, sorted_: Sorted) -> list[Word]:
    """The operands that are paths.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> for line in ("grep main src", "grep -e main src lib"):
    ...     row, words = row_and_words(line)
    ...     print([it.text for it in paths_of(row, sort_words(row, words))])
    ['src']
    ['src', 'lib']
    """
    skipped = 0 if not row.patterns or sorted_.has(row.no_pattern_flags) else row.patterns
    # A pattern that may become several words may become paths as well.
    split = [word for word in sorted_.operands[:skipped] if not word.known and word.several]
    return [*split, *sorted_.operands[skipped:]]


def operand_touches(row: Row, sorted_: Sorted, paths: Sequence[Word]) -> list[Touch]:
    """What is done to the operands, as the row says it.

    >>> from assent.gate.programs.options import sort_words
    >>> from assent.gate.programs.read_lines import row_and_words
    >>> row, words = row_and_words("mv a.txt b.txt out")
    >>> sorted_ = sort_words(row, words)
    >>> print(*operand_touches(row, sorted_, sorted_.operands), sep=", ")
    delete a.txt/**, delete b.txt/**, write out/**, write out/a.txt/**, write out/b.txt/**
    """
    if row.operands is None:
        return []
    tree = within(row.recursive_flags, sorted_)
    hidden = within(row.hidden_flags, sorted_)
    kind = Kind.READ if within(row.read_contents_flags, sorted_) else row.operands
    if not paths and within(row.default_folder_flags, sorted_):
        return [Touch(kind=kind, word=HERE, tree=tree, hidden=hidden)]
    touches = [
        Touch(kind=kind, word=word, tree=tree, hidden=hidden) for word in paths if word.text != "-"
    ]
    if row.target is not None:
        touches = _with_target(row, sorted_, touches, tree=tree)
    if row.shows_operands:
        shown = paths if row.target is None else paths[:-1]
        changed = dict.fromkeys(touch.word for touch in touches if touch.word in shown)
        touches += touched(Kind.READ, changed, tree=tree)
    return touches


def _with_target(row: Row, sorted_: Sorted, touches: list[Touch], *, tree: bool) -> list[Touch]:
    """The touches of sources and of a target, which is the last operand or a flag's value."""
    named = next(
        (sorted_.found[flag] for flag in row.target_flags.split() if flag in sorted_.found), None
    )
    if named is not None:
        sources, target = touches, named
    elif len(touches) > 1:
        sources, target = touches[:-1], touches[-1].word
    else:
        return touches
    kind = row.target or Kind.WRITE
    inside = [
        Touch(kind=kind, word=_below(target, source.word), tree=tree)
        for source in sources
        if source.word.text.rstrip("/").rpartition("/")[2] not in {"", ".", ".."}
    ]
    if sorted_.has(row.parents_flags):
        whole = [_whole(target, source.word) for source in sources]
        inside += touched(kind, whole, tree=tree)
    if _only_inside(row, sorted_, target, [source.word for source in sources]):
        return [*sources, *inside]
    # Where all put files of their own, nobody's folder is in the way.
    tree = tree and not (target.known and target.text.rstrip("/") == _ALL_PUT)
    return [*sources, Touch(kind=kind, word=target, tree=tree), *inside]


def _only_inside(row: Row, sorted_: Sorted, target: Word, sources: Sequence[Word]) -> bool:
    """Whether the target is a folder that is always there, and only gets files of known names.

    A name that ends in a slash may mean all that is in the folder.
    """
    if not target.known or target.path.rstrip("/") not in _THERE or sorted_.has(row.renaming_flags):
        return False
    return all(
        (word.known or _is_pattern(word))
        and not word.glob
        and not word.text.startswith(_AWAY)
        and word.text.rpartition("/")[2] not in {"", ".", "..", "~"}
        for word in sources
    )


def _below(folder: Word, source: Word) -> Word:
    """Where something of this name would come to lie in a folder."""
    name = source.text.rstrip("/").rpartition("/")[2]
    one = source.listed and name[:1] != "."
    listed = (one or (source.known and not source.glob)) and folder.listed
    listed = listed or (one and folder.known)
    text = f"{folder.text.rstrip('/')}/{name}"
    glob = not listed and (folder.glob or source.glob)
    return under(folder, text, known=source.known, glob=glob, listed=listed)


def _whole(folder: Word, source: Word) -> Word:
    """Where something with all its folders would come to lie in a folder."""
    text = f"{folder.text.rstrip('/')}/{source.path.lstrip('/')}"
    return under(folder, text, known=source.known, glob=folder.glob or source.glob)


def _is_pattern(word: Word) -> bool:
    """Whether it is one of the names that a pattern stands for, without a dot before it."""
    return word.listed and "…" not in word.text and word.text.rpartition("/")[2][:1] != "."


def resolved(words: Sequence[Word], *, in_list: bool = False) -> list[Word]:
    """What quoted patterns stand for to a program that resolves them, and takes hidden names.

    In a list with commas, what it only quotes is told, too.

    >>> [it.text for it in resolved([Exact(text="a/*"), Exact(text="?b"), Exact(text="b")])]
    ['a/*', 'a/.[!.]*', '?b', '.b']
    >>> [it.text for it in resolved([Exact(text='a,"*.b"')], in_list=True)]
    ['a', '*.b', '.*.b']
    """
    if in_list:
        plain = [
            (word, one.strip('"').replace("\\", ""))
            for word in words
            for one in word.text.split(",")
        ]
        pieces = [part_of(word, text) for word, text in plain]
        named = (piece for piece in pieces if piece not in words and not _WILD.search(piece.text))
        return [*named, *resolved(pieces)]
    return [
        word.spelled(_MAY_BE_ABOVE.sub(".[!.]*", text), glob=True)
        for word in words
        if word.known and not word.glob and _WILD.search(word.text)
        for text in with_hidden(word.text)
    ]
