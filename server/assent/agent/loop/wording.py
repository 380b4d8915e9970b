"""Sentences about calls that were refused, stopped or wrong, and about a turn's end."""

from typing import Final

from assent.agent.tools.printed_output import standing
from assent.gate.approvals.endings import NOT_RUN
from assent.gate.approvals.tickets import OptionKind, Outcome, Settlement
from assent.gate.call.calls import UNDONE_WHOLE, Call
from assent.gate.call.verdicts import Actor
from assent.gate.journal.agent_events import Reference
from assent.gate.processes.shell import Shell
from assent.gate.text.shortening import shortened

__all__ = [
    "BROKEN_BY_HOST",
    "BROKEN_OFF",
    "CALL_AS_TEXT",
    "CUT_OFF",
    "NO_MORE_WRITES",
    "NO_PICTURES",
    "PROMISED",
    "SHORTENED",
    "SKIPPED",
    "STOPPED",
    "TOO_MANY",
    "answered",
    "changed",
    "discarding",
    "failure",
    "named",
    "refusal",
    "shell_ended",
    "undone",
    "unreached",
]

STOPPED: Final = "The person stopped it."
_CHANGED: Final = "[It was changed before it was allowed. What ran is: {}]"
SHORTENED: Final = "[Its middle was left out, because it was too long. Ask for a smaller part.]"
TOO_MANY: Final = "It was not run: these are too many calls for one reply."
NO_MORE_WRITES: Final = (
    "It was not run: in this turn files were changed as often as is allowed in one. Change no"
    " more; tell the person what is done and what is left."
)
NO_PICTURES: Final = (
    "{} takes no such pictures, so nothing was sent. Choose another model, or take them out."
)

SKIPPED: Final = (
    "The person did not answer. Go on as you think best where nothing is lost by it, and say what"
    " you took for granted."
)

CUT_OFF: Final = (
    "[Your reply was cut off after this, because it was too long: what you had begun was not run."
    " Go on from here, in smaller parts.]"
)
BROKEN_OFF: Final = (
    "[You began another call and did not end it, so it was not run. Make it again if it is still"
    " needed.]"
)

CALL_AS_TEXT: Final = (
    "[You wrote a call of {} as text, so it was not made. Make it by your interface for calling"
    " tools: the tool's name, and its arguments as one JSON object that fits its schema. Write"
    " nothing of the call as text. If you only meant to show it, say so in a sentence.]"
)
PROMISED: Final = (
    "[You said what you are about to do, and called no tool, so nothing was done. If it is to be"
    " done, call the tool for it now. If you wait for the person or only meant to tell them, say so"
    " in a sentence and call nothing.]"
)

BROKEN_BY_HOST: Final = (
    "[The connection broke off after this. What you had said until here stands, and each call that"
    " was whole has been made; a call that you had only begun has not. Go on from here, and do not"
    " say or do it again.]"
)

_MAX_COMMAND_LETTERS: Final = 200
"""In letters: so much of a command names a shell."""

_LASTING: Final = {
    OptionKind.DENY_CHAT: "The person refused this, now and for the rest of this chat.",
    OptionKind.DENY_ALWAYS: "The person refused this, now and from now on.",
}


def changed(asked: Call, ran: Call) -> str:
    """What the model is told where another command ran than it asked for."""
    command = ran.input.get("command")
    return "" if command == asked.input.get("command") else _CHANGED.format(command)


def answered(settlement: Settlement) -> str:
    """What the person said to a question, for the model."""
    option, words = settlement.option, settlement.feedback
    if option is None or option.kind is OptionKind.SKIP:
        return SKIPPED
    chose = f"The person chose: {option.label}" if option.kind is OptionKind.ANSWER else ""
    return "\n".join(filter(None, (chose, f"The person says: {words}" if words else "")))


def refusal(settlement: Settlement, *, of_plan: bool = False) -> str:
    """Why a call was not run, for the model."""
    if settlement.by is Actor.USER:
        return _of_plan(settlement) if of_plan else _by_user(settlement)
    if settlement.by is Actor.STOP or settlement.outcome is Outcome.WITHDRAWN:
        return STOPPED
    return f"This was refused, so it was not run: {settlement.because}"


def discarding(settlement: Settlement) -> str:
    """Why the changes of a trial were not applied, for the model: the command was run."""
    if settlement.by is not Actor.USER:
        because = settlement.because.removesuffix(NOT_RUN).rstrip()
        return f"They were not applied: {because}"
    words = settlement.feedback
    return f"The person says: {words}" if words else "The person decided so."


def unreached(settlement: Settlement) -> str:
    """Why a command does not reach a host, for the model: the command itself runs."""
    if settlement.by is Actor.STOP or settlement.outcome is Outcome.WITHDRAWN:
        return STOPPED
    if settlement.by is not Actor.USER:
        return f"This was refused: {settlement.because.removesuffix(NOT_RUN).rstrip()}"
    if settlement.feedback:
        return f"The person refused this and says: {settlement.feedback}"
    return "The person refused this. Do not try to reach it in another way."


def _of_plan(settlement: Settlement) -> str:
    if settlement.feedback:
        return f"The person wants the plan changed, and says: {settlement.feedback}"
    return "The person did not approve the plan. Do nothing of it; wait for what they say next."


def _by_user(settlement: Settlement) -> str:
    if settlement.feedback:
        return f"The person refused this and says: {settlement.feedback}"
    kind = settlement.option.kind if settlement.option else None
    said = _LASTING.get(kind, "The person refused this.") if kind else "The person refused this."
    return f"{said} It was not run. Do not try the same in another way."


def failure(error: Exception, *, has_run: bool) -> str:
    """What is said where something raised that should not have."""
    what = f"{type(error).__name__}: {error}"
    return f"The tool failed: {what}" if has_run else f"It was not run, since it failed: {what}"


def shell_ended(shell: Shell) -> str:
    """That a command ended that ran in the background, for the model."""
    command = shortened(shell.command, _MAX_COMMAND_LETTERS)
    which = f"Shell {shell.id} (`{command}`), which ran in the background"
    return f"[{which}, is over. {standing(shell)}]"


def named(reference: Reference) -> str:
    """What the person names beside a prompt.

    >>> print(named(Reference(name="a.py", about="a.py", text="a = 1")))
    [The person refers to a.py:
    ```
    a = 1
    ```
    ]
    """
    return f"[The person refers to {reference.quoted}\n]"


def undone(call: Call) -> str:
    """That the person put files back, for the model."""
    changed = {edit.path for edit in call.edits}
    is_whole = call.action in UNDONE_WHOLE
    names = [target.shown for target in call.targets if is_whole or target.resolved in changed]
    return f"[The person undid your change to {', '.join(names)}.]"
