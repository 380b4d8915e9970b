"""What a collector answers, for metrics and traces apart, since some accept only one.

What is told of it is in our own words: those of whoever answers there are not repeated.
"""

import json
import re
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Any, Final

from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Declined, Foreign, HostError, Loss, Lost
from assent.agent.models.http_requests import Question, answer
from assent.gate.values import frozen

__all__ = ["METRICS", "TRACES", "Answer", "Fate", "Way", "asked", "is_failing", "lacks", "sentence"]

Answers = Mapping[str, "Answer"]
"""The answer of each way, by the name of what goes there."""

_TAKEN: Final = range(200, 300)
_UNKNOWN: Final = frozenset({404, 405})
_UNWANTED: Final = range(400, 500)
_RETRIED_STATUSES: Final = frozenset({408, 429})
"""Of the refusals these alone mean that the same may be taken another time."""
_COUNT: Final = re.compile(r"[0-9]{1,19}", re.ASCII)


class Fate(Enum):
    """What became of a message."""

    TAKEN = auto()
    PARTLY = auto()
    """It arrived, and some of it was rejected for good."""
    UNKNOWN = auto()
    """Nobody takes such a thing there."""
    REFUSED = auto()
    """This will never be taken."""
    FAILED = auto()
    """It may be taken another time."""


_ARRIVED: Final = frozenset({Fate.TAKEN, Fate.PARTLY})
_TROUBLED: Final = frozenset({Fate.REFUSED, Fate.FAILED})


@frozen
class Way:
    """One of the two things that a collector may take."""

    name: str
    path: str
    rejected: str
    """The member of an answer that counts what was not taken."""


METRICS: Final = Way("metrics", "/v1/metrics", "rejectedDataPoints")
TRACES: Final = Way("traces", "/v1/traces", "rejectedSpans")


@frozen
class Answer:
    """What became of a message, and why that is not all well."""

    fate: Fate
    why: str = ""
    rejected: int = 0


async def asked(line: HostConnection, way: Way, written: Callable[[], dict[str, Any]]) -> Answer:
    """Write and send a message, read what becomes of it; whatever goes wrong raises nothing."""
    try:
        data = await answer(line, Question(path=way.path, body=written()))
    except Exception as error:  # noqa: BLE001 -- whatever ails a collector ails nobody else
        return _failed(way, error)
    return _read(way, data)


def lacks(answers: Answers, way: Way) -> bool:
    """Whether the collector is one that takes no such thing; where nothing works nobody knows."""
    latest_reply = answers.get(way.name)
    is_sure = all(reply.fate is not Fate.FAILED for reply in answers.values())
    return (
        latest_reply is not None
        and latest_reply.fate is Fate.UNKNOWN
        and is_sure
        and not _is_none(answers)
    )


def is_failing(answers: Answers) -> bool:
    """Whether something is to be sent again."""
    return _is_none(answers) or any(reply.fate in _TROUBLED for reply in answers.values())


def sentence(answers: Answers) -> str:
    """Why not all arrives, for a banner; nothing where it does."""
    if not any(reply.why for reply in answers.values()):
        return ""
    some = any(reply.fate in _ARRIVED for reply in answers.values())
    gets = "does not get all" if some else "gets nothing"
    after = "; it is tried again from time to time" if is_failing(answers) else ""
    return (
        f"The collector that assent.telemetry names {gets} ({_reasons(answers, some=some)})."
        f" Everything else works as ever{after}."
    )


def _is_none(answers: Answers) -> bool:
    """Whether it is no collector, as far as one can see."""
    return len(answers) > 1 and all(reply.fate is Fate.UNKNOWN for reply in answers.values())


def _reasons(answers: Answers, *, some: bool) -> str:
    whys = {reply.why for reply in answers.values() if reply.why}
    if len(whys) == 1 and not some:
        return whys.pop()
    reasons = [
        f"{name}: {reply.why}" if reply.fate in _TROUBLED else reply.why
        for name, reply in answers.items()
        if reply.why
    ]
    return "; ".join(reasons)


def _read(way: Way, data: bytes) -> Answer:
    """An answer of a collector is an object or empty."""
    try:
        said = json.loads(data) if data.strip() else {}
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        return Answer(Fate.FAILED, _WHY[Loss.UNUSABLE])
    partly = said.get("partialSuccess")
    rejected = _count(partly.get(way.rejected)) if isinstance(partly, dict) else 0
    if rejected:
        return Answer(Fate.PARTLY, f"it rejected some of the {way.name}", rejected)
    return Answer(Fate.TAKEN)


def _count(said: object) -> int:
    """A number of 64 bits may be a text; what is no number rejects nothing."""
    text = str(said) if isinstance(said, int | str) and not isinstance(said, bool) else ""
    return int(text) if _COUNT.fullmatch(text) else 0


_WHY: Final = {
    Loss.ABSENT: "nothing answers there",
    Loss.BROKEN: "the connection broke off",
    Loss.LATE: "it takes too long to answer",
    Loss.UNTRUSTED: "it cannot prove who it is",
    Loss.UNUSABLE: "what answers there is no collector",
}


def _failed(way: Way, error: Exception) -> Answer:
    match error:
        case Lost():
            return Answer(Fate.FAILED, _WHY[error.loss])
        case Declined() | Foreign() if error.status:
            return _declined(way, error.status)
        case HostError():
            return Answer(Fate.FAILED, _WHY[Loss.UNUSABLE])
        case _:
            return Answer(Fate.FAILED, f"{type(error).__name__} was raised")


def _declined(way: Way, status: int) -> Answer:
    if status in _TAKEN:
        return Answer(Fate.TAKEN)
    if status in _UNKNOWN:
        return Answer(Fate.UNKNOWN, f"it takes no {way.name}")
    is_final = status in _UNWANTED and status not in _RETRIED_STATUSES
    return Answer(Fate.REFUSED if is_final else Fate.FAILED, f"it answered {status}")
