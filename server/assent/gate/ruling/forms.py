"""Rules on forms of tool servers and agents: what they ask a person, and what is written there.

A form never asks for a secret: what is written there goes to a program that somebody else wrote.
An answer is read here as the form asked for it; nothing else leaves.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from assent.gate.call.errors import AssentError
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.ruling.outward import rule_on_fetch
from assent.gate.ruling.ruling_context import RulingContext, asked
from assent.gate.ruling.secret_words import names_secret
from assent.gate.text.addresses import address_of, is_private
from assent.gate.text.invisible_characters import stands_plain

__all__ = [
    "FOR_PERSON",
    "MAX_TEXT_LETTERS",
    "Unfit",
    "label_of",
    "read",
    "rule_on_form",
    "rule_on_question",
    "secret_in",
]

MAX_TEXT_LETTERS: Final = 10_000
_MAX_LABEL_LETTERS: Final = 80
_FREE: Final = frozenset({"text", "number", "integer"})
"""The kinds of fields into which a secret could be written."""


class Unfit(AssentError):
    """What was written is not what the form asks for; the message says what is."""


def label_of(field: Mapping[str, Any]) -> str:
    """What a field is called, for a sentence."""
    told = str(field.get("title") or field["name"])[:_MAX_LABEL_LETTERS]
    # Nothing in it ends the quotes around it.
    return "".join(it if it.isprintable() and it not in "“”" else " " for it in told)


def secret_in(form: Mapping[str, Any]) -> str:
    """What names a secret that a form asks for; nothing where it asks for none.

    >>> secret_in({"message": "Who?", "fields": [{"name": "apiKey", "kind": "text"}]})
    'apiKey'
    >>> secret_in({"message": "Delete the token?", "fields": [{"name": "ok", "kind": "boolean"}]})
    ''
    """
    fields = form.get("fields", ())
    free = {field["kind"] for field in fields} & _FREE
    if not free:
        return ""
    # Where all that is wanted are numbers, what is said may speak of tokens that are counted.
    counts = "text" not in free
    for field in fields:
        # What stands beside one field may tell what to write into another.
        if _names_secret(field, counts=counts or field["kind"] in _FREE - {"text"}):
            return label_of(field)
    return names_secret(str(form.get("message", "")), counts=counts)


def _names_secret(field: Mapping[str, Any], *, counts: bool) -> bool:
    if field.get("format") == "password":
        return True
    called = (str(field.get(it, "")) for it in ("name", "title"))
    told = (text for it in field.get("choices", ()) for text in (it["label"], it["value"]))
    return any(names_secret(it, is_name=True, counts=counts) for it in called) or any(
        names_secret(it, counts=counts) for it in (str(field.get("says", "")), *told)
    )


def read(form: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """What was written into a form, as its fields want it; raises `Unfit`.

    >>> read({"fields": [{"name": "n", "kind": "integer", "required": True}]}, {"n": " 7 "})
    {'n': 7}
    """
    fields = form.get("fields", ())
    if not given.keys() <= {field["name"] for field in fields}:
        raise Unfit("The form has no such field.")
    found: dict[str, Any] = {}
    for field in fields:
        value = given.get(field["name"])
        if value in (None, "", []):
            if field.get("required"):
                raise Unfit(f"“{label_of(field)}” is needed.")
        else:
            found[field["name"]] = _READ[field["kind"]](field, value)
    return found


def _text(field: Mapping[str, Any], value: object) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT_LETTERS:
        raise _wrong(field, _TOO_LONG, MAX_TEXT_LETTERS)
    if value == field.get("initial") and not stands_plain(value):
        raise _wrong(field, _UNSEEN)
    _check_bounds(field, len(value), "“{}” takes at least {} characters.", _TOO_LONG)
    is_fit, wants = _FORMATS.get(field.get("format", ""), (lambda _: True, ""))
    if not is_fit(value):
        raise _wrong(field, wants)
    return value


def _number(field: Mapping[str, Any], value: object) -> int | float:
    whole = field["kind"] == "integer"
    text = str(value).strip()
    is_number = type(value) in {str, int, float} and len(text) <= 25  # noqa: PLR2004 -- any number
    if not is_number or not re.fullmatch(r"[+-]?\d+" if whole else _DECIMAL, text, re.ASCII):
        raise _wrong(field, _WHOLE if whole else _NUMBER)
    number = int(text) if whole or re.fullmatch(r"[+-]?\d+", text) else float(text)
    _check_bounds(field, number, "“{}” takes no less than {}.", "“{}” takes no more than {}.")
    if abs(number) >= 2**53:
        raise _wrong(field, "“{}” takes no number that large.")
    return number


def _flag(field: Mapping[str, Any], value: object) -> bool:
    if not isinstance(value, bool):
        raise _wrong(field, "“{}” takes yes or no.")
    return value


def _one(field: Mapping[str, Any], value: object) -> str:
    if not isinstance(value, str) or all(it["value"] != value for it in field["choices"]):
        raise _wrong(field, "“{}” takes one of its choices.")
    return value


def _some(field: Mapping[str, Any], value: object) -> list[str]:
    if not isinstance(value, list) or len(value) != len(set(map(str, value))):
        raise _wrong(field, "“{}” takes some of its choices, each once.")
    found = [_one(field, it) for it in value]
    few, many = "“{}” takes at least {} of its choices.", "“{}” takes at most {} of its choices."
    _check_bounds(field, len(found), few, many)
    return found


def _check_bounds(field: Mapping[str, Any], size: float, less: str, more: str) -> None:
    """Refuse what is less than the least that a field takes, or more than the most."""
    least, most = field.get("least"), field.get("most")
    if least is not None and size < least:
        raise _wrong(field, less, least)
    if most is not None and size > most:
        raise _wrong(field, more, most)


def _wrong(field: Mapping[str, Any], wants: str, bound: float | None = None) -> Unfit:
    return Unfit(wants.format(label_of(field), "" if bound is None else str(bound)))


_TOO_LONG: Final = "“{}” takes at most {} characters."
_UNSEEN: Final = "“{}” takes your own words; what stood there could not be seen whole."
_WHOLE: Final = "“{}” takes a whole number."
_NUMBER: Final = "“{}” takes a number, such as 2.5."


def _is_mail(value: str) -> bool:
    return re.fullmatch(r"[^\s@]+@[^\s@]+\.[^\s@.]+", value) is not None


def _is_uri(value: str) -> bool:
    try:
        found = urlsplit(value)
    except ValueError:
        return False
    return bool(found.scheme and (found.netloc or found.path)) and value.isprintable()


def _is_date(value: str) -> bool:
    match = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", value, re.ASCII)
    if match is None:
        return False
    from calendar import monthrange  # noqa: PLC0415 -- only where it is needed

    year, month, day = map(int, match.groups())
    return year > 0 and 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]  # noqa: PLR2004


def _is_moment(value: str) -> bool:
    date, _, time = value.partition("T")
    return _is_date(date) and re.fullmatch(_TIME, time, re.ASCII) is not None


_TIME: Final = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)"
_DECIMAL: Final = r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?"
_FORMATS: Final[dict[str, tuple[Callable[[str], bool], str]]] = {
    "email": (_is_mail, "“{}” takes an e-mail address."),
    "uri": (_is_uri, "“{}” takes a whole address, such as https://example.org."),
    "date": (_is_date, "“{}” takes a date, such as 2026-11-23."),
    "date-time": (_is_moment, "“{}” takes a moment, such as 2026-11-23T09:30:00Z."),
}
_READ: Final[dict[str, Callable[[Mapping[str, Any], object], Any]]] = {
    "text": _text,
    "number": _number,
    "integer": _number,
    "boolean": _flag,
    "one": _one,
    "some": _some,
}


# What ends in a person's answer and lets nothing run: a plan, a question, a form.

_NEVER: Final = "It asks for a secret (“{}”). Nobody is asked for one here."

_UNSURE: Final = "Several of its tools run, and it does not say which of them asks."
_NEAR: Final = "{} is on this machine or its own network."
_OPEN: Final = "What you write on that page is not encrypted on its way."

FOR_PERSON: Final = {
    "plan": "Nothing of a plan is done before you approve it.",
    "question": "The agent wants to know something from you. Your answer is no leave for anything.",
    "form": "Whoever asks this is told what you answer, and is allowed nothing.",
}
"""What ends in a person's answer, and lets nothing run."""


def rule_on_question(context: RulingContext) -> Ruling:
    """What is there to be answered by a person is asked, whatever lets other calls pass."""
    return asked(FOR_PERSON[context.call.tool])


def rule_on_form(context: RulingContext) -> Ruling:
    """A form is asked, but never for a secret, nor for a page that rules forbid."""
    given = context.call.input
    if secret := secret_in(given):
        return Ruling(verdict=Verdict.DENY, because=_NEVER.format(secret))
    if "url" in given and (ruling := rule_on_fetch(context)).verdict is Verdict.DENY:
        return ruling
    return asked(" ".join(_told(given)))


def _told(given: Mapping[str, Any]) -> Iterator[str]:
    """What a person should know of such a question."""
    yield FOR_PERSON["form"]
    if "server" in given and "tool" not in given:
        yield _UNSURE
    if (address := address_of(str(given.get("url", "")))) is not None:
        if address.near:
            yield _NEAR.format(address.host)
        if not is_private(given["url"].partition("#")[0]):
            yield _OPEN
