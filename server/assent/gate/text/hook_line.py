"""The command line that a terminal agent runs before each call, and a description of it.

Each program in it is named by its whole path, which neither PATH nor an exported function changes.
Some agents put variables into a line themselves, so there is no dollar in it.
"""

import shlex
from collections.abc import Sequence
from typing import Final

__all__ = ["SHELL", "UNANSWERED", "begin_of", "line_of", "words_of"]

SHELL: Final = ("/bin/sh", "-p")
"""The shell, with the word by which bash takes no functions and no options from its environment."""
UNANSWERED: Final = "Assent: the gate did not answer, so this was not run."
_GONE: Final = "Assent is not installed; its hook stands in the settings of this agent."


def begin_of(launcher: str) -> str:
    """How the text begins that the shell runs.

    >>> begin_of("/state/hook")
    '[ -e /state/hook ]'
    """
    return f"[ -e {shlex.quote(launcher)} ]"


def words_of(launcher: str, agent: str, shell: Sequence[str] = SHELL) -> tuple[str, ...]:
    """The program and its words, for an agent that starts it without a shell.

    A launcher that ends before it has allowed anything, or is empty, refuses.
    """
    path = shlex.quote(launcher)
    missing = f"{begin_of(launcher)} || [ -L {path} ] || {{ {_say(_GONE)}; exit 0; }}"
    return (*shell, "-c", f"{missing}; . {path}; exit 2", "assent", agent)


def line_of(words: Sequence[str], refusal: str = "", shell: Sequence[str] = SHELL) -> str:
    """The line of a shell that runs these words, and refuses whatever ends otherwise than well.

    So the hook may take the place of what starts it: then it notices that its agent has ended it.
    Where the refusal is read whole, what starts it stays and keeps all else from being printed.
    """
    alone = shlex.join((*words, "silent" if refusal else "alone"))
    refused = f"{_say(refusal or UNANSWERED)}; exit 2"
    return f"{alone} || {shlex.join((*shell, '-c', refused))}"


def _say(text: str) -> str:
    return f'printf "%s\\n" {shlex.quote(text)} >&2'
