"""The commands since a message that may have changed files; nothing undoes them."""

from collections.abc import Sequence
from typing import Final
from uuid import uuid4

from assent.editor.window.changes.steps import Ran, Step
from assent.editor.window.chats.transcript import Transcript
from assent.gate.admit import Gate
from assent.gate.call.calls import Call, CallId, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy

__all__ = ["ran_since"]

_MAX_COMMANDS: Final = 20
_MAX_LINE_LETTERS: Final = 200
_MAX_FILES_NAMED: Final = 3
_WRITES: Final = frozenset({"write", "delete"})


def ran_since(
    steps: Sequence[Step | Ran | str], chat: Transcript, gate: Gate
) -> tuple[list[str], int]:
    """A line for each thing that ran and does not only read, and how many more there are."""
    all_ran = dict.fromkeys(step for step in steps if isinstance(step, Ran))
    lines = [words for ran in all_ran if (words := _describe_run(ran, chat, gate))]
    return lines[:_MAX_COMMANDS], max(0, len(lines) - _MAX_COMMANDS)


def _describe_run(ran: Ran, chat: Transcript, gate: Gate) -> str:
    first, *others = ran.what.strip().splitlines() or [ran.tool]
    what = first[:_MAX_LINE_LETTERS] + ("…" if others or len(first) > _MAX_LINE_LETTERS else "")
    if ran.tool != "shell":
        return f"{ran.tool}: {what}"
    call = Call(
        id=CallId(str(uuid4())),
        chat=chat.chat,
        agent=chat.agent,
        tool="shell",
        effect=Effect.EXECUTE,
        input={"command": ran.what},
        cwd=ran.cwd,
    )
    try:
        ruling = decide(call, Policy(mode=Mode.DEFAULT), gate.facts(call))
    except Exception:  # noqa: BLE001 -- what cannot be read is told all the same
        return what
    # By itself Default lets pass what only reads.
    if ruling.verdict is Verdict.ALLOW:
        return ""
    files = [deed.what for deed in ruling.deeds if deed.kind in _WRITES and deed.sure]
    more = f" and {len(files) - _MAX_FILES_NAMED} more" if len(files) > _MAX_FILES_NAMED else ""
    return f"{what} ({', '.join(files[:_MAX_FILES_NAMED])}{more})" if files else what
