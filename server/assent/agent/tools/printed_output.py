"""Describes for the model what a shell printed, and its state."""

from typing import Final

from assent.agent.tools.file_access import sized
from assent.gate.processes.output import Piece
from assent.gate.processes.shell import Shell, ShellState
from assent.gate.processes.stream_tags import lines_of
from assent.gate.text.error_lines import marked

__all__ = ["MAX_OUTPUT_BYTES", "by_lines", "lost_before", "printed_by", "standing"]

MAX_OUTPUT_BYTES: Final = 28_000
"""In bytes: so much of what a shell printed is told at once."""


def printed_by(shell: Shell) -> str:
    """All of it, or its beginning and its end."""
    if shell.size <= MAX_OUTPUT_BYTES:
        return by_lines(shell.read(0, MAX_OUTPUT_BYTES))
    head, tail = shell.read(0, MAX_OUTPUT_BYTES // 2), shell.tail(MAX_OUTPUT_BYTES // 2)
    left_out = sized(tail.start - head.next)
    return (
        f"{lost_before(head)}{by_lines(head).rstrip()}\n"
        f"[… {left_out} left out; shell_output with shell {shell.id} and since {head.next} goes on"
        f" from there …]\n{by_lines(tail)}"
    )


def by_lines(piece: Piece) -> str:
    """A piece in which it is marked what came on standard error, as far as that is known."""
    untold = (
        f"[… of the next {sized(piece.untold)} it is not known what came on standard error …]\n"
    )
    return untold * (piece.untold > 0) + marked(*lines_of(piece.stream_tags))


def lost_before(piece: Piece) -> str:
    """What is to be said before a piece where what should come first is no longer there."""
    return f"[… {sized(piece.missing)} are no longer kept …]\n" if piece.missing else ""


def standing(shell: Shell) -> str:
    """How it stands, in a sentence or two."""
    match shell.state:
        case ShellState.RUNNING if shell.code is not None or shell.because:
            return (
                f"{_ended(shell)} What it started still runs in the background, as shell"
                f" {shell.id}; kill_shell ends that."
            )
        case ShellState.RUNNING if shell.in_background:
            return (
                f"It runs in the background, as shell {shell.id}: shell_output shows what it"
                " prints, kill_shell ends it."
            )
        case ShellState.RUNNING:
            return "It runs."
        case ShellState.EXITED:
            return _ended(shell)
        case ShellState.KILLED | ShellState.EXPIRED:
            return f"{shell.because} It was ended with everything that it started."


def _ended(shell: Shell) -> str:
    return shell.because if shell.code is None else f"It exited with code {shell.code}."
