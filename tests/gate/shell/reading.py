"""Short ways to say what was read."""

from assent.gate.programs.read_lines import read_script
from assent.gate.shell.script import Command, Script
from assent.gate.shell.word import Word

__all__ = ["everything", "names", "only", "opaque", "read", "told", "words_of"]


def read(text: str, dialect: str = "bash") -> Script:
    return read_script(text, dialect)


def names(text: str) -> list[str]:
    """The names of all commands, in the order in which they stand."""
    return [it.name for it in read(text).commands]


def told(text: str) -> list[str]:
    """Each command as its words."""
    return [" ".join(it.text for it in each.argv) for each in read(text).commands]


def everything(text: str) -> list[tuple[str, ...]]:
    """Each command as a row of words."""
    return [tuple(it.text for it in each.argv) for each in read(text).commands]


def opaque(text: str, dialect: str = "bash") -> list[str]:
    """Why it cannot be told."""
    return [it.because for it in read(text, dialect).opaque]


def only(text: str) -> Command:
    """The one command of a text that can be told."""
    script = read(text)
    assert not script.opaque, script.opaque
    assert len(script.commands) == 1, script.commands
    return script.commands[0]


def words_of(text: str) -> tuple[Word, ...]:
    """The words of the last command that is about files."""
    about = [it for it in read(text).commands if it.name in ("cat", "ls", "rm", "wc")]
    return about[-1].argv
