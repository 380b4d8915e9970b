"""Reads a hook's answer: a verdict before a call runs, a remark after it ran.

Whatever cannot be understood is a question, never a yes.
"""

from typing import Any, Final, Literal, TypeVar

import pydantic

from assent.gate.call.verdicts import Verdict
from assent.gate.hooks.hook_process import Finished
from assent.gate.processes.plain_output import plain
from assent.gate.text.strict_json import decoded
from assent.gate.values import field, frozen

__all__ = ["MAX_REMARK_LETTERS", "HookAnswer", "named", "remark_in", "said_in"]

MAX_REMARK_LETTERS: Final = 4_000
"""In characters."""
_MAX_REASON_LETTERS: Final = 1_000
_MAX_NAME_LETTERS: Final = 80
_DENIED_EXIT_CODE: Final = 2
_VERDICTS: Final = {"allow": Verdict.ALLOW, "ask": Verdict.ASK, "deny": Verdict.DENY}


@frozen(kw_only=True)
class HookAnswer:
    """What one hook had to say of a call."""

    hook: str
    """Its name, as sentences have it."""
    verdict: Verdict | None = None
    because: str = ""
    """A sentence that names it."""
    rewritten: dict[str, Any] | None = field(default=None, hash=False)


class _Form(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(defer_build=True, strict=True, extra="forbid", frozen=True)


class _Word(_Form):
    decision: Literal["deny", "ask", "allow"] | None = None
    because: str = ""
    input: dict[str, Any] | None = None


class _Remark(_Form):
    remark: str = ""


W = TypeVar("W", bound=_Form)


def named(name: str) -> str:
    """A hook's name in a sentence."""
    line = "".join(letter if letter.isprintable() else " " for letter in name).strip()
    return (
        f"The hook “{line if len(line) <= _MAX_NAME_LETTERS else f'{line[:_MAX_NAME_LETTERS]}…'}”"
    )


def said_in(name: str, finished: Finished) -> HookAnswer:
    """What a hook had to say of a call that is about to be judged."""
    hook = named(name)
    if finished.code == _DENIED_EXIT_CODE:
        because = _reasoned(f"{hook} denied it", finished.errors.decode("utf-8", "replace"))
        return HookAnswer(hook=hook, verdict=Verdict.DENY, because=because)
    failed = _failure(finished)
    if failed:
        because = f"{hook} {failed}, so this is asked about."
        return HookAnswer(hook=hook, verdict=Verdict.ASK, because=because)
    try:
        word = _read(_Word, finished.output)
    except ValueError:
        because = f"{hook} said something that cannot be understood, so this is asked about."
        return HookAnswer(hook=hook, verdict=Verdict.ASK, because=because)
    if word.decision is None:
        return HookAnswer(hook=hook, rewritten=word.input)
    because = _reasoned(f"{hook} {_DONE[word.decision]}", word.because)
    verdict = _VERDICTS[word.decision]
    return HookAnswer(hook=hook, verdict=verdict, because=because, rewritten=word.input)


_DONE: Final = {"deny": "denied it", "ask": "asks about it", "allow": "allows it"}


def remark_in(name: str, finished: Finished) -> tuple[str, str]:
    """What a hook has to say to the agent about a call that ran, and what went wrong with it."""
    hook = named(name)
    if finished.code == _DENIED_EXIT_CODE:
        remark = finished.errors.decode("utf-8", "replace")
    else:
        failed = _failure(finished)
        if failed:
            return "", f"{hook} {failed}."
        try:
            remark = _read(_Remark, finished.output).remark
        except ValueError:
            return "", f"{hook} said something that cannot be understood."
    remark = _shown(remark, MAX_REMARK_LETTERS)
    return (f"{hook} says: {remark}" if remark else ""), ""


def _failure(finished: Finished) -> str:
    """Why nothing that it said counts, as the rest of a sentence; nothing where it does."""
    if finished.trouble:
        return finished.trouble
    if finished.code is None:
        return "ended in a way that is not known"
    if finished.code == 0:
        return ""
    how = f"signal {-finished.code}" if finished.code < 0 else f"exit code {finished.code}"
    return f"failed ({how})"


def _read(form: type[W], output: bytes) -> W:
    """What stands on its standard output; raises `ValueError`."""
    text = output.decode("utf-8")
    if not text.strip():
        return form()
    try:
        value = decoded(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return form.model_validate(value)


def _reasoned(said: str, reason: str) -> str:
    """A sentence with its reason, if there is one."""
    reason = _shown(reason, _MAX_REASON_LETTERS)
    if not reason:
        return f"{said}."
    return f"{said}: {reason}" if reason.endswith((".", "!", "?", "…")) else f"{said}: {reason}."


def _shown(text: str, most: int) -> str:
    """A text as it would stand on a terminal, and no longer than that."""
    text = plain(text[: 4 * most]).strip()
    return text if len(text) <= most else f"{text[: most - 1]}…"
