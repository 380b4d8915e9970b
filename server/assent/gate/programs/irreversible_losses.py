"""Which effects of a command cannot be undone, by the rows of its tools."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Final

from assent.gate.programs.code_inputs import is_given
from assent.gate.programs.irreversible_uses import IrreversibleUse, behind, lasts, may_be
from assent.gate.programs.options import Sorted, sort_words
from assent.gate.programs.rows import Row
from assent.gate.programs.selecting_options import valued_before
from assent.gate.programs.tables import by_name, git_by_name, of_git, row_of
from assent.gate.programs.tables.git_itself import GIT_ITSELF
from assent.gate.shell.script import Command, bare_name
from assent.gate.shell.word import Exact, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve, frozen

__all__ = [
    "ToolWords",
    "command_losses",
    "loss_beyond",
    "losses_of",
    "names_of",
    "quoted",
    "shown_by",
]

_FIELD: Final = late(r"\{(rest|0|-[\w-]*)(?:\|([^}]*))?\}")
_SENDINGS: Final = frozenset({"sent", "piped", "copied", "stored", "container"})
"""The forms that tell what leaves the machine, or is given out of hand."""
_QUERY: Final = "query"
_SIGNS: Final = ("-", "+", ":")
"""What flags begin with, and names of branches that are overwritten or deleted."""
_NOT: Final = frozenset({"none", "false", "no", "0"})
_WORD: Final = late(r"[\w-]+")
_MAX_NAMES: Final = 3
"""How many names a sentence has before it only counts them."""
_MAX_SHOWN_LETTERS: Final = 60
_UNTOLD: Final = "…"
"""The sign in a word for a part that nobody knows."""


@frozen(kw_only=True)
class ToolWords:
    """What a tool was told: its words, taken apart."""

    name: str
    words: tuple[Word, ...]
    sorted_: Sorted
    rest: tuple[Word, ...]
    """The operands behind those by which the use was known."""
    fed: str = ""
    """The text in which what it reads may stand; nothing where it reads nothing."""


def command_losses(command: Command, text: str = "") -> tuple[str, ...]:
    """What is lost for good by a command, each loss in a sentence; `text` is what it stands in.

    >>> from assent.gate.programs.read_lines import read_script
    >>> command_losses(read_script("git push --force origin main").commands[0])
    ('Overwrites `main` on origin.',)
    """
    return losses_of(command.argv, text if is_given(command) else "")


def losses_of(argv: tuple[Word, ...], fed: str = "") -> tuple[str, ...]:
    """What a program loses for good with these words; `fed` is the text that it may read.

    >>> from assent.gate.programs.read_lines import words_of
    >>> losses_of(words_of("git -C lib reset --hard"))
    ('Throws away all changes that are not committed.',)
    >>> losses_of(words_of("git reset --soft HEAD~1"))
    ()
    """
    first = next(_uses_in(argv, fed), None)
    return (first[2],) if first else ()


def loss_beyond(rule: Sequence[str], argv: tuple[Word, ...]) -> str | None:
    """What a command loses for good that a rule for these first words does not name, as a clause.

    It is named by the command that loses it, and where a flag or a sign does that, by this.

    >>> from assent.gate.programs.read_lines import words_of
    >>> loss_beyond(("git", "push"), words_of("git push -f origin main"))
    'it overwrites `main` on origin'
    >>> loss_beyond(("git", "push", "-f"), words_of("git push -f origin main")) is None
    True
    >>> loss_beyond(("npm",), words_of("npm publish"))
    'it publishes a version for everybody; it cannot be published again'
    """
    found = next(_uses_in(argv), None)
    named: tuple[Word, ...] = tuple(Exact(text=it) for it in rule)
    if found is None or losses_of(named):
        return None
    name, use, loss = found
    if use.form in _SENDINGS:
        return None
    if use.form == _QUERY:
        # Who lets a program ask a database means no order that empties it.
        return _clause(loss)
    last = lasts(use.words) if use.words else name.split()[-1:]
    meant = use.words.replace(",", "").split() if use.flags_only_format else last
    if {bare_name(it) for it in rule}.isdisjoint(meant):
        return _clause(loss)
    if use.flags_only_format:
        return None
    signs = (word for word in argv[len(rule) :] if word.text[:1] not in _SIGNS)
    return None if losses_of((*argv[: len(rule)], *signs)) else _clause(loss)


def shown_by(argv: tuple[Word, ...]) -> str | None:
    """What secret a command shows to whoever reads what it prints, in a sentence.

    >>> from assent.gate.programs.read_lines import words_of
    >>> shown_by(words_of("pass show mail"))
    'Shows a secret that was put away.'
    >>> shown_by(words_of("pass ls")) is None
    True
    """
    # Asked of each command: of most the name alone tells that it shows none.
    name = bare_name(argv[0].text).casefold().removesuffix(".exe") if argv else ""
    names = [name] if name != "git" else [f"git {word.text}" for word in argv[1:]]
    if _showing().isdisjoint(names):
        return None
    return next((loss for _, _, loss in _uses_in(argv, shown=True)), None)


@cache
def _showing() -> frozenset[str]:
    """The programs that can show a secret; of git, its commands behind its name."""
    named = [*by_name().items(), *((f"git {it}", row) for it, row in git_by_name().items())]
    can = [name for name, row in named if any(use.shows_secret for use in row.irreversible_uses)]
    return frozenset(" ".join(it.split()[:2]) for it in can)


def _clause(loss: str) -> str:
    return f"it {loss[:1].lower()}{loss[1:].removesuffix('.')}"


def _uses_in(
    argv: tuple[Word, ...], fed: str = "", *, shown: bool = False
) -> Iterator[tuple[str, IrreversibleUse, str]]:
    """The program, a use of it, and its loss told; of those that show a secret, or of all."""
    if not argv or not argv[0].known:
        return
    name, words = bare_name(argv[0].text), argv[1:]
    if name == "git":
        name, words = of_git(sort_words(GIT_ITSELF, words).operands)
        row = _row("git", name)
    else:
        row = _row(name) or _row(name.casefold().removesuffix(".exe"))
    if row is None:
        return
    texts = {word.text for word in words}
    uses = [
        use
        for use in row.irreversible_uses
        if (use.shows_secret or not shown) and may_be(use.words, texts)
    ]
    if not uses:
        return
    tool_words = ToolWords(name=name, words=words, sorted_=sort_words(row, words), rest=(), fed=fed)
    for use in uses:
        for loss in _losses(use, tool_words):
            yield name, use, loss


@lru_cache(maxsize=512)
def _row(*names: str) -> Row | None:
    """The row of a program, or of a command of git, where it tells losses."""
    row = row_of(names)
    return _with_flags(row, names[-1]) if row is not None and row.irreversible_uses else None


def _with_flags(row: Row, name: str) -> Row:
    """The row of one name, with the flags of its losses and those that stand before a command."""
    uses = tuple(use for use in row.irreversible_uses if use.is_about(name))
    plain = " ".join(f"{use.flags} {use.other_flags} {use.sparing_flags}" for use in uses).split()
    plain = [it.partition("=")[0] for it in plain]
    taking = [f"{it}=" for it in valued_before(name)]
    taking += " ".join(use.valued_flags for use in uses).split()
    known = {*row.known, *(it.rstrip("=") for it in taking if it.rstrip("=") not in row.known)}
    flags = [it for it in taking if it.rstrip("=") not in row.known]
    flags += [f"{it}?" if it[:2] == "--" else it for it in dict.fromkeys(plain) if it not in known]
    return evolve(row, flags=" ".join((row.flags, *flags)), irreversible_uses=uses)


def _losses(use: IrreversibleUse, tool_words: ToolWords) -> Iterator[str]:
    sorted_ = tool_words.sorted_
    rest = behind(use.words, sorted_.operands)
    needed = all(not flags or sorted_.has(flags) for flags in (use.flags, use.other_flags))
    if rest is None or not needed or _is_spared(use, sorted_):
        return
    tool_words = evolve(tool_words, rest=rest)
    if not use.form:
        yield _filled(use.sentence, tool_words)
        return
    said = _teller(use.form)(tool_words)
    if said:
        yield said


@cache
def _teller(form: str) -> Callable[[ToolWords], str | None]:
    """What tells such a loss; most take a sentence only, and need none of these."""
    module = "irreversible_sends" if form in _SENDINGS else "loss_sentences"
    found = import_module(f"assent.gate.programs.tables.{module}")
    teller: Callable[[ToolWords], str | None] = getattr(found, f"tell_{form}")
    return teller


def _is_spared(use: IrreversibleUse, sorted_: Sorted) -> bool:
    """Whether a flag such as `--dry-run` prevents it, and is not turned off again."""
    spares = [
        (flag, told) for flag, _, told in (it.partition("=") for it in use.sparing_flags.split())
    ]
    found = {it: value.text if value else "" for it, value in sorted_.found.items()}
    given = [flag for flag, told in spares if flag in found and told in ("", found[flag])]
    back = {*sorted_.found, *(stranger.text for stranger in sorted_.strangers)}
    undone = any(f"--no-{flag.lstrip('-')}" in back for flag, _ in spares)
    values = {found[it] for it in given}
    return bool(given) and not undone and values.isdisjoint(_NOT)


def _filled(says: str, tool_words: ToolWords) -> str:
    """The sentence with the words of the command in the places of its fields."""

    def fill(field: re.Match[str]) -> str:
        name, instead = field.groups()
        if name == "rest":
            return names_of(tool_words.rest) or instead or "it"
        if name == "0":
            texts = [operand.text for operand in tool_words.sorted_.operands[:1]]
            return "".join(text if _WORD.fullmatch(text) else quoted(text) for text in texts)
        given = tool_words.sorted_.found.get(name)
        return names_of((given,) if given else ()) or instead or "it"

    return _FIELD.sub(fill, says)


def names_of(words: Sequence[Word]) -> str:
    """Words as a sentence names them: a few of them, then how many more there are.

    >>> from assent.gate.shell.word import Exact
    >>> names_of([Exact(text=it) for it in ("a", "b")])
    '`a` and `b`'
    >>> names_of([Exact(text=it) for it in ("a", "b", "c", "d", "e")])
    '`a`, `b`, `c` and 2 more'
    """
    texts = [text for word in words for text in word.choices or (word.text,)]
    names = [quoted(text) for text in texts if text and _UNTOLD not in text]
    if len(names) > _MAX_NAMES:
        return f"{', '.join(names[:_MAX_NAMES])} and {len(names) - _MAX_NAMES} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def quoted(text: str) -> str:
    """A word of a command within a sentence: marked as such, and not longer than that.

    >>> quoted("src"), quoted(".")
    ('`src`', 'this folder')
    """
    if text in (".", "./"):
        return "this folder"
    bare = text.replace("`", "'")
    short = (
        bare
        if len(bare) <= _MAX_SHOWN_LETTERS
        else f"{bare[: _MAX_SHOWN_LETTERS // 2]}…{bare[-_MAX_SHOWN_LETTERS // 3 :]}"
    )
    return f"`{short}`"
