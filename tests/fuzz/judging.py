"""What the reader said of a command line, held against what the real bash did with it."""

from assent.policy.shell.reader import read_script
from assent.policy.shell.script import Command, Script
from fuzz.bwrapped import Run

__all__ = ["missed"]


def missed(text: str, runs: list[Run]) -> str:
    """Which start the reader did not foresee; nothing if it did, or said that it cannot tell."""
    script = read_script(text)
    if script.opaque:
        return ""
    for run in runs:
        if not any(_foresees(it, run) for it in script.commands):
            return f"{run} ran, and {_told(script)} was told"
    return ""


def _foresees(command: Command, run: Run) -> bool:
    """Whether this command is that start: its name, and its words as far as they are known."""
    if command.name.rpartition("/")[2] != run[0]:
        return False
    sure = all(it.known and not it.glob and not it.home for it in command.argv)
    return not sure or tuple(it.text for it in command.argv[1:]) == run[1:]


def _told(script: Script) -> str:
    return "; ".join(" ".join(it.text for it in each.argv) for each in script.commands) or "nothing"
