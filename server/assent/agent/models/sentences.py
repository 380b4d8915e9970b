"""Sentences for a person about a model that could not reply: what happened, what to do."""

import re
from typing import Final

from assent.agent.models.host_errors import (
    Declined,
    Foreign,
    Garbled,
    HostError,
    Keyless,
    Loss,
    Lost,
)
from assent.agent.models.provider import ModelFailed, WindowFull
from assent.gate.settings.models.hosts import Host
from assent.gate.settings.models.model import Dialect

__all__ = ["failure", "is_for_now", "is_full", "named"]

_FULL: Final = re.compile(
    r"prompt (is )?too long|context[_ ]length[_ ]exceeded|maximum context length"
    r"|max(imum)? (prompt|context) length|request_too_large|exceed_context_size"
    r"|exceeds? (the |this |its )?(model'?s? )?(available |max(imum)? )?(context|input)"
    r"|context (window|size|length)[^.]{0,40}(exceed|limit)|longer than the model'?s? context"
    r"|input token count.{0,40}exceeds|token (count|limit).{0,40}exceed|exceeded model token limit"
    r"|maximum allowed input length|greater than the context length|configured context size"
    r"|input is too long|reduce the length of the messages|overflows?\b.{0,60}context length"
    r"|too large for model with|range of input length|exceeds the limit of \d+"
    r"|maximum input length of|prompt exceeds max length|reduce your message size"
    r"|`?max_new_tokens`? must be <=|input tokens exceed",
    re.IGNORECASE,
)
"""How hosts say that the conversation is too long; each in its own way."""

_BROKE: Final = re.compile(
    r"insufficient_quota|credit balance|billing|insufficient (balance|credits?|funds)"
    r"|payment required|out of credits?|requires more credits",
    re.IGNORECASE,
)
_NO_MODEL: Final = re.compile(
    r"model_not_found|model.{0,80}(not found|does not exist|not exist|is not available)"
    r"|(not found|unknown|invalid|no such).{0,20}\bmodel\b|^(not_found_error )?model: ",
    re.IGNORECASE,
)
_NO_TOOLS: Final = re.compile(r"does not support (tools|function)", re.IGNORECASE)
_BAD_KEY: Final = re.compile(
    r"invalid_api_key|authentication_error|api key not valid|(incorrect|invalid) (x-)?api[- ]key",
    re.IGNORECASE,
)
_UNFIT: Final = re.compile(r"content_(filter|policy)|responsible_?ai|moderation", re.IGNORECASE)
_TOO_BIG: Final = re.compile(r"requires more system memory|out of memory", re.IGNORECASE)

_FOR_NOW: Final = frozenset({408, 409, 425, 429, *range(500, 600)} - {501, 505})
"""What passes, also where it is said by whatever stands before a host (520 to 524)."""
_MAX_RETRIES_OF_BUSY_HOST: Final = 1_000
"""How often a host is asked again that has too much to do: as long as anybody waits."""
_MAX_RETRIES_OF_ODD_REPLY: Final = 3
"""How often one is that said what nobody can use, which it may do for ever."""
_DIALECTS: Final = {
    Dialect.OLLAMA: "as Ollama does",
    Dialect.OPENAI: "as OpenAI’s chat completions do",
    Dialect.ANTHROPIC: "as Anthropic’s messages do",
}


def named(host: Host) -> str:
    """The model and its host."""
    return f"{host.model} on {host.name}"


def failure(trouble: HostError, host: Host) -> ModelFailed:
    """The trouble, in a sentence, with how often it is worth asking again."""
    if isinstance(trouble, Declined) and is_full(trouble):
        return WindowFull(f"The conversation is longer than {named(host)} can read.")
    after = trouble.after if isinstance(trouble, Declined) else None
    sentence = _sentence(trouble, host)
    wants_key = isinstance(trouble, Keyless) or sentence == _no_key(host)
    return ModelFailed(sentence, again=_again(trouble, host), after=after, wants_key=wants_key)


def _again(trouble: HostError, host: Host) -> int:
    match trouble:
        case Declined():
            return _MAX_RETRIES_OF_BUSY_HOST if _is_for_now(trouble) else 0
        case Lost(loss=Loss.BROKEN):
            return _MAX_RETRIES_OF_BUSY_HOST
        case Lost(loss=Loss.ABSENT):
            # Where nobody listens on this machine, somebody has to start it.
            return 0 if host.near else _MAX_RETRIES_OF_BUSY_HOST
        case Lost(loss=Loss.LATE):
            # Each silence lasts minutes before it is one, so a few are as long as anybody waits.
            return _MAX_RETRIES_OF_ODD_REPLY
        case Garbled():
            return _MAX_RETRIES_OF_ODD_REPLY
        case _:
            return 0


def is_for_now(no: HostError) -> bool:
    """Whether a host could not say it now, and may another time."""
    return isinstance(no, Lost) or (isinstance(no, Declined) and _is_for_now(no))


def _is_for_now(no: Declined) -> bool:
    """Whether it may go well the next time; a host that says so knows best."""
    if no.again is not None:
        return no.again
    said = f"{no.kind} {no.words}"
    hopeless = any(pattern.search(said) for pattern in (_NO_MODEL, _TOO_BIG)) or _is_broke(no)
    return no.status in _FOR_NOW and not hopeless


def _is_broke(no: Declined) -> bool:
    """Whether there is no credit; who names a time has only set a limit for now."""
    return no.after is None and _BROKE.search(f"{no.kind} {no.words}") is not None


def _sentence(trouble: HostError, host: Host) -> str:
    match trouble:
        case Declined():
            return _said(trouble, f"{trouble.kind} {trouble.words}", host)
        case Lost():
            return _lost(trouble, host)
        case Keyless():
            return _keyless(host)
        case Foreign():
            spoken = _DIALECTS.get(host.dialect, "as a model does")
            where = f"What answers at {host.shown} does not speak {spoken}"
            return f"{where}: {trouble!s}. Check the address."
        case Garbled():
            return f"The reply of {named(host)} cannot be used: {trouble!s}."
        case _:
            return f"{named(host)} did not reply: {trouble}."


def is_full(no: Declined) -> bool:
    """Whether it says that the conversation is too long."""
    # A limit of requests may speak of tokens, too, and is none of length.
    limited = no.status == 429 or no.kind == "rate_limit_error"  # noqa: PLR2004 -- too many requests
    is_too_large = no.status == 413  # noqa: PLR2004 -- too large
    return is_too_large or (not limited and bool(_FULL.search(f"{no.kind} {no.words}")))


def _said(no: Declined, said: str, host: Host) -> str:
    words = f": {no.words.rstrip('.')}." if no.words else "."
    if _is_broke(no):
        return f"{host.name} says that there is no credit left{words}"
    if _NO_TOOLS.search(said):
        return f"{named(host)} cannot call tools; choose a model that can."
    if _NO_MODEL.search(said) or (no.status == 404 and host.dialect is Dialect.OLLAMA):  # noqa: PLR2004 -- not found
        return _no_model(host)
    if _UNFIT.search(said):
        return f"{host.name} refuses to reply to this{words}"
    if no.status == 401 or _BAD_KEY.search(said):  # noqa: PLR2004 -- unauthorized
        return _no_key(host)
    if no.status == 429:  # noqa: PLR2004 -- too many requests
        return f"{host.name} takes no more requests for now; try again {_when(no.after)}."
    if no.status in {503, 529}:
        return f"{host.name} is overloaded; try again {_when(no.after)}."
    if no.status >= 500:  # noqa: PLR2004 -- the host's own fault
        return f"{host.name} failed{words}"
    return f"{host.name} refused the request{words}"


def _when(after: float | None) -> str:
    if after is None or after < 1:
        return "in a while"
    return f"in {after:.0f} seconds" if after < 90 else f"in {after / 60:.0f} minutes"  # noqa: PLR2004 -- beyond this people count minutes


def _no_model(host: Host) -> str:
    if host.dialect is Dialect.OLLAMA:
        return f"Ollama has no model {host.model}; get it with `ollama pull {host.model}`."
    return f"{host.name} has no model {host.model}, or not for this key."


def _no_key(host: Host) -> str:
    if host.key is None:
        return _keyless(host)
    where = f" in {host.key_name}" if host.key_name else ""
    return f"{host.name} does not accept the key{where}."


def _keyless(host: Host) -> str:
    if host.missing:
        return f"{host.name} wants a key: set {host.missing}, or store it in the editor."
    if host.key is not None:
        return f"What stands in {host.key_name or 'the key'} cannot be a key."
    if not host.key_name:
        return f"{host.name} wants a key, and this model names none."
    return f"{host.name} wants a key: set {host.key_name}, or store it in the editor."


def _lost(trouble: Lost, host: Host) -> str:
    why = trouble.why.rstrip(".")
    match trouble.loss:
        case Loss.ABSENT if host.near and host.dialect is Dialect.OLLAMA:
            return f"Ollama is not running at {host.shown}; start it with `ollama serve`."
        case Loss.ABSENT if host.near:
            return f"Nobody answers at {host.shown}; start the server of {host.model} there."
        case Loss.ABSENT:
            return f"{host.name} cannot be reached at {host.shown}: {why}."
        case Loss.BROKEN:
            return f"The connection to {host.name} broke before the reply was whole."
        case Loss.LATE:
            return f"{host.name} has said nothing for too long."
        case Loss.UNTRUSTED:
            return f"The certificate of {host.shown} is not trusted here: {why}."
        case Loss.UNUSABLE:
            return f"{host.name} cannot be asked: {why}."
