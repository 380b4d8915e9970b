"""Reads a host's refusal: its sentence, its kind, and when to try again."""

import json
import re
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any, Final, TypeGuard

from assent.agent.models.host_errors import Declined, Foreign, HostError, shortened

__all__ = ["declined", "objection"]

_FOR_BROWSERS: Final = ("<!doctype", "<html", "<?xml")
_ERRORS: Final = range(400, 600)
_SILENT: Final = frozenset({401, 403, 407, 408, 413, 429, *range(500, 600)} - {501, 505})
"""What needs no words: whatever stands before a host says these as well."""

_STATUSES: Final = {
    "authentication_error": 401,
    "content_filter": 400,
    "invalid_api_key": 401,
    "invalid_encrypted_content": 400,
    "invalid_prompt": 400,
    "billing_error": 402,
    "invalid_request_error": 400,
    "not_found_error": 404,
    "overloaded_error": 529,
    "permission_error": 403,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "request_too_large": 413,
    "timeout_error": 504,
}
"""What a no in mid-stream would have been, had it come before."""
_UNKNOWN_STATUS: Final = 500
_SHOULD: Final = {"true": True, "false": False}
_NUMBER: Final = re.compile(r"\d{1,9}(\.\d{1,9})?")
_SECONDS: Final = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)s")


def declined(
    status: int, headers: Mapping[str, str], body: bytes, secrets: tuple[str, ...]
) -> HostError:
    """The no that is an answer with this status and body."""
    after, again = _after(headers), _SHOULD.get(headers.get("x-should-retry", ""))
    reply = _decode_body(body)
    if not isinstance(reply, str):
        no = objection(reply, secrets)
        when = no.after if after is None else after
        return Declined(status, no.words, kind=no.kind, member=no.member, after=when, again=again)
    is_page = reply.lstrip()[:9].lower().startswith(_FOR_BROWSERS)
    if status not in _SILENT and (is_page or status in {404, 405}):
        return Foreign("it does not know what it is asked", status)
    words = "" if is_page else shortened(reply, secrets)
    return Declined(status, words, after=after, again=again)


def objection(reply: Mapping[str, Any], secrets: tuple[str, ...]) -> Declined:
    """The no that is a JSON object, such as comes in mid-stream."""
    inner = reply.get("error")
    error = inner if isinstance(inner, dict) else reply
    told_kinds = [error.get(name) for name in ("code", "type", "status")]
    kinds = [kind for kind in told_kinds if isinstance(kind, str) and kind]
    words = next(_words(inner if isinstance(inner, str) else error), "") + _wrapped(error)
    numbers = [number for number in (error.get("code"), error.get("status")) if _is_status(number)]
    meant = [*numbers, *(_STATUSES[kind] for kind in kinds if kind in _STATUSES), _UNKNOWN_STATUS]
    kind = shortened(next(iter(kinds), ""), secrets)
    minded = error.get("param")
    member = shortened(minded, secrets) if isinstance(minded, str) else ""
    said = shortened(words, secrets)
    return Declined(meant[0], said, kind=kind, member=member, after=_delay(error))


def _decode_body(body: bytes) -> Mapping[str, Any] | str:
    """An object, or words; no words where the body is JSON that holds none."""
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace")
    if isinstance(reply, list):
        reply = next(iter(reply), None)
    return reply if isinstance(reply, dict | str) else ""


def _words(error: str | Mapping[str, Any]) -> Iterator[str]:
    """What it says, wherever it says it."""
    if isinstance(error, str):
        yield error
        return
    for name in ("message", "detail", "msg", "error"):
        value = error.get(name)
        if isinstance(value, str) and value:
            yield value
        elif value:
            yield json.dumps(value, ensure_ascii=False)


def _wrapped(error: Mapping[str, Any]) -> str:
    """What the host behind a host says, which stands apart from its own words."""
    beside = error.get("metadata")
    raw = beside.get("raw") if isinstance(beside, dict) else None
    if not isinstance(raw, str) or not raw:
        return ""
    reply = _decode_body(raw.encode())
    inner = reply.get("error", reply) if isinstance(reply, dict) else reply
    return f": {next(_words(inner), '')}" if isinstance(inner, str | dict) else ""


def _delay(error: Mapping[str, Any]) -> float | None:
    """In how many seconds to come again, as Google says it."""
    details = error.get("details")
    listed = details if isinstance(details, list) else []
    delays = [detail.get("retryDelay") for detail in listed if isinstance(detail, dict)]
    match = next((_SECONDS.fullmatch(delay) for delay in delays if isinstance(delay, str)), None)
    return float(match[1]) if match else None


def _is_status(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and value in _ERRORS


def _after(headers: Mapping[str, str]) -> float | None:
    """In how many seconds to come again; by the host's own clock, where it names an hour."""
    wait = headers.get("retry-after", "")
    for text, unit in ((headers.get("retry-after-ms", ""), 1_000), (wait, 1)):
        if _NUMBER.fullmatch(text.strip()):
            return float(text) / unit
    try:
        until = parsedate_to_datetime(wait) - parsedate_to_datetime(headers.get("date", ""))
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0.0, until.total_seconds())
