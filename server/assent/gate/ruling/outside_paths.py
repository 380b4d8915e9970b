"""Paths out of the workspace, among the words of an unknown program."""

import itertools
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.programs.flag_lexicon import Meaning, is_name, meaning_of
from assent.gate.programs.nested_execution.interpreters import ELSEWHERE
from assent.gate.ruling.destinations import is_harmless, target_of
from assent.gate.ruling.protected import change_of
from assent.gate.ruling.quoted_commands import written_in
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.script import Command
from assent.gate.shell.word import Exact, Word, word_of
from assent.gate.text.lazy_patterns import late

__all__ = ["of_this_machine", "outputs_of", "put_in", "strays_of", "valued"]

_CONTAINERS: Final = frozenset(
    "docker podman nerdctl kubectl docker-compose podman-compose".split()
)
_LABEL: Final = late(r"-?//(?:\.\.\.|[\w@][\w/@-]*(?::[\w.-]+|/\.\.\.)?)")
_SWITCH: Final = late(
    r"/(?:(?:p|property|t|target|v|verbosity|nr|clp):[^/\\]*|(?:m|nologo|restore)(?::\w+)?)"
)
_LABELS: Final = {
    **dict.fromkeys(("bazel", "bazelisk", "buck2"), _LABEL),
    **dict.fromkeys(("dotnet", "msbuild"), _SWITCH),
}
"""Targets of a build, and its options with a slash: by such a name nothing lies on a disk."""
_INSIDE: Final = frozenset({"exec", "run"})
_OF_THIS_MACHINE: Final = frozenset(
    "-v --volume --env-file --label-file --cidfile --pidfile".split()
)
"""The flags of such a command whose values lie here."""

_OUTPUTS: Final = frozenset(
    """-o --prefix --root --destination --pack-destination --bindir --bin-dir --install-dir
    --install-directory""".split()
)
_NONE: Final = Exact(text="")
_HOMES: Final = late(r"\$\{?(?:HOME|OLDPWD)\b")
_PARTS: Final = late(r"[=,]")
_OF_FLAG: Final = late(r"[=,:]")
_FORM: Final = late(
    r"(?:^|(?<=[ =]))(?:file|link|portal|msl|mvg|text|caption|label|pango|png|jpe?g|gif|pdf|tiff?):"
    r"(?://(?:localhost)?(?=/))?"
)
"""How an address of a file begins, a dependency that lies in a folder, and a picture's format."""
_SPACED: Final = late(r"((?:/|~/|\.\./).*)|.*@ (/.*)")
_PATH: Final = late(r"(?:-[A-Za-z]+(?:@(?=\.\.))?|@)?((?:/|~|\.\.(?=/|$)|[^\s:]*/\.\.(?=/|$))\S*)")
"""What leads away from the folder: a path from the root or a home, or one with `..` in it."""


def strays_of(
    context: RulingContext, words: tuple[Word, ...], folders: list[Target | None]
) -> Iterator[Target]:
    """The paths outside the workspace among the words of a program of which no more is known."""
    flagged = [False, *(word.text.startswith("-") for word in words)]
    paths = [
        path
        for word, behind in zip(words, flagged, strict=False)
        for one in ([word_of(choice) for choice in word.choices] or [word])
        for path in _paths_in(one, flagged=behind or one.text.startswith("-"))
    ]
    for path in paths:
        for folder in folders:
            target = target_of(context, path, folder)
            if target is not None and not target.inside and not is_harmless(path):
                yield target


def valued(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The flags among these words, and what may be their values."""
    flags = [word.text.startswith("-") for word in words]
    behind = [False, *flags]
    return tuple(word for at, word in enumerate(words) if flags[at] or behind[at])


def outputs_of(words: Sequence[Word]) -> Iterator[Word]:
    """What flags say where a program writes: their values, or the flags with these in them."""
    for flag, value in pairwise((*words, _NONE)):
        name, glued, _ = flag.text.partition("=")
        if _is_output(name):
            yield flag if glued else value


@lru_cache(maxsize=1_024)
def _is_output(name: str) -> bool:
    return name in _OUTPUTS or (is_name(name) and meaning_of(name) is Meaning.WRITES)


def put_in(context: RulingContext, command: Command, folders: list[Target | None]) -> str | None:
    """A protected place among what its flags, or the code that it is given, say where it writes."""
    if command.program in ELSEWHERE:
        return None
    words = tuple(outputs_of(command.argv))
    found = strays_of(context, words, folders) if words else ()
    coded = (target_of(context, it, None) for it in written_in(command, context.text))
    for target in chain(found, coded):
        named = None if target is None else change_of(target)
        if named:
            return named
    return None


def _paths_in(word: Word, *, flagged: bool) -> Iterator[str]:
    """What in a word leads away from the folder, such as the value of a flag or a variable."""
    word = word.there
    text = _FORM.sub("", word.text) if ":" in word.text else word.text
    if "://" in text:
        return
    if " " in text:
        # In a text with blanks only a path that begins it, or the value of a flag, is one.
        begun = filter(None, map(_SPACED.fullmatch, (text, text.partition("=")[2])))
        yield from (match[1] or match[2] for match in begun)
        return
    if not word.known and _HOMES.search(word.text):
        yield "~"
    # In the value of a flag, what stands before a colon says in what form the file is.
    parts = _OF_FLAG if flagged else _PARTS
    for at, piece in enumerate(parts.split(text)):
        match = _PATH.fullmatch(piece)
        if match is not None:
            own = match[1].startswith("~") and not (word.home or at)
            yield f"./{match[1]}" if own else match[1]
        elif word.known and piece[:1] not in {"", "-"}:
            # Whatever it is called, it may be a link that leads out.
            yield f"./{piece}"


def of_this_machine(command: Command, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words whose paths are this machine's: a container has others of its own."""
    labels = _LABELS.get(command.name)
    if labels is not None:
        return tuple(word for word in words if not (word.known and labels.fullmatch(word.text)))
    # It is asked only where a rule for a command's first words has loaded what flags mean.
    from assent.gate.programs.rule_match import named_elsewhere  # noqa: PLC0415

    away = named_elsewhere(command.argv)
    words = tuple(word for word in words if word not in away)
    if command.name not in _CONTAINERS or not any(word.text in _INSIDE for word in command.argv):
        return words
    pairs = [*itertools.pairwise(words), *(_parted(word) for word in words)]
    mounted = [word for flag, word in pairs if flag.text in _OF_THIS_MACHINE]
    return tuple(word.spelled(word.text.partition(":")[0]) for word in mounted)


def _parted(word: Word) -> tuple[Word, Word]:
    """A flag and its value, where one word is both."""
    flag, _, value = word.text.partition("=")
    return word.spelled(flag), word.spelled(value)
