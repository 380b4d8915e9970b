"""What is run by what a rule lets run: code from an address, and flags that are handed on."""

from typing import Final

from assent.programs.beside import Beside
from assent.programs.families.addresses import is_away
from assent.programs.lexicon import Meaning, is_name, meaning_of
from assent.programs.mildness import is_local

__all__ = ["handed_on", "loaded"]

_LOADING: Final = frozenset("deno uv uvx bun go npx pnpx bunx pipx".split())
"""Programs that run code from an address that they are given."""
_HANDING: Final = frozenset({"gh", "glab"})
"""Programs that hand what stands behind `--` to another, such as git."""


def loaded(both: Beside) -> str | None:
    """Code from elsewhere, which nobody meant by the name of a program that runs the project's.

    >>> from assent.programs.reading import words_of
    >>> loaded(Beside.of(("deno", "test"), words_of("deno test https://x.org/a.ts")))
    '`https://x.org/a.ts` loads code from elsewhere'
    >>> loaded(Beside.of(("deno", "test"), words_of("deno test src"))) is None
    True
    """
    if both.program not in _LOADING:
        return None
    run = (both.runs, *(it.text for it in both.ours.operands))
    found = (it for it in run if is_away(it) and it not in both.named)
    return next((f"`{it}` loads code from elsewhere" for it in found), None)


def handed_on(both: Beside) -> str | None:
    """What the project's own script is given to run, or another program to do.

    >>> from assent.programs.reading import words_of
    >>> line = "gh repo clone a/b -- -c core.fsmonitor=x"
    >>> handed_on(Beside.of(("gh", "repo", "clone"), words_of(line)))
    '`-c` is handed on to another program'
    """
    if both.program in _HANDING:
        flags = (it.text for it in both.behind if it.text[:1] == "-" and it.text not in both.named)
        return next((f"`{it}` is handed on to another program" for it in flags), None)
    for at, word in enumerate(both.behind):
        name, equals, value = word.text.partition("=")
        following = both.behind[at + 1].text if at + 1 < len(both.behind) else ""
        local = is_local(value if equals else following)
        if is_name(name) and meaning_of(name) is Meaning.RUNS and not local:
            return f"`{name}` {Meaning.RUNS}"
    return None
