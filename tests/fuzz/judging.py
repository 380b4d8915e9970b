"""What the reader said of a command line, held against what a real shell did with it."""

from assent.gate.programs.read_lines import read_script
from assent.gate.programs.study import study
from assent.gate.shell.script import Command, Script
from assent.gate.shell.word import Word
from fuzz.bwrapped import Heard, Run

__all__ = ["missed"]


def missed(text: str, heard: Heard, shell: str) -> str:
    """What the reader did not foresee; nothing if it did, or said that it cannot tell."""
    script = read_script(text, shell)
    if script.opaque:
        return ""
    for run in heard.runs:
        if not any(_foresees(it, run) for it in script.commands):
            return f"{shell} ran {run}, and {_told(script)} was told"
    for file in heard.written:
        if not any(_may_write(it, file) for it in script.commands):
            return f"{shell} wrote {file}, and {_told(script)} was told"
    return ""


def _foresees(command: Command, run: Run) -> bool:
    """Whether this command is that start: its name, and its words as far as they are known."""
    if command.wraps or command.name.rpartition("/")[2] != run[0]:
        return False  # What only wraps is no program: here, a function.
    sure = all(it.known and not it.glob and not it.home for it in command.argv)
    return not sure or tuple(it.text for it in command.argv[1:]) == run[1:]


def _may_write(command: Command, file: str) -> bool:
    """Whether this command was said to write there, or not to be known."""
    if any(it.writes and _may_be(it.target, file) for it in command.redirects):
        return True
    deeds = study(command)
    if len(command.argv) > 1 and not (deeds.reading or deeds.known or command.wraps):
        return True
    return any(it.kind.changes and _may_be(it.word, file) for it in deeds.touches)


def _may_be(word: Word, file: str) -> bool:
    sure = word.known and not word.glob
    return not sure or word.text.rpartition("/")[2] == file.rpartition("/")[2]


def _told(script: Script) -> str:
    return "; ".join(" ".join(it.text for it in each.argv) for each in script.commands) or "nothing"
