"""Which variant of Chat Completions a host accepts, learned from its refusals.

Hosts that speak as OpenAI does know different members, and refuse what they do not know. Others
refuse a call that comes without what they themselves give with one, as a chat has that went on
with another model before. Each says which member it minds or misses, or that somebody speaks out of
turn.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, Final

from assent.agent.models.host_errors import Declined
from assent.agent.models.learned_refusals import LearnedRefusals
from assent.agent.models.seals import is_about_seals
from assent.agent.models.sentences import is_full
from assent.gate.values import define, field

__all__ = ["LearnedDialect"]

_UNKNOWING: Final = frozenset({400, 404, 422})
_OPTIONAL: Final = {
    name: re.compile(rf"\b{name}\b")
    for name in ("reasoning_effort", "stream_options", "max_completion_tokens", "max_tokens")
}
"""What a host may not know of a request, and can be left out."""
_HANDED_BACK: Final = (
    *("reasoning_content", "reasoning_details", "thinking_blocks", "extra_content", "reasoning"),
)
"""What a host may not know of a reply, although it gave it."""
_MISSING: Final = re.compile(r"\bmissing\b|must be passed|\brequired\b", re.IGNORECASE)
"""How a host says that it wants a member, and does not mind it."""
_UNTHOUGHT: Final = " "
"""Stands for the thoughts of another model; DeepSeek and Moonshot take it, and no less."""
_UNSIGNED: Final = {"google": {"thought_signature": "skip_thought_signature_validator"}}
"""What Google documents for calls that another model made."""

_OUT_OF_TURN: Final = re.compile(
    r"role ['\"]?user['\"]? after role ['\"]?tool|roles must alternate", re.IGNORECASE
)
"""How a host says that nobody may speak between results and the reply to them (Mistral; templates
of its models elsewhere)."""
_BRIDGE: Final = {"role": "assistant", "content": "Done."}
"""Stands between the two for such a host: what the person says stays what a person says."""

_Told = dict[str, Any]


@define
class LearnedDialect:
    """What is known of one host."""

    _learnt: LearnedRefusals = field(factory=lambda: LearnedRefusals(says=_OPTIONAL))
    _left_out: set[str] = field(factory=set)
    """What it did not want to be handed back."""
    _filled: set[str] = field(factory=set)
    """What it missed in replies of others."""
    _bridges: bool = False
    """Whether it wants a reply between results and what is said behind them."""

    def fit(self, body: Mapping[str, Any]) -> _Told:
        """A request as this host wants it."""
        fitted = self._learnt.fit(body)
        if self._filled or self._left_out:
            fitted["messages"] = [self._fit_message(message) for message in body["messages"]]
        if self._bridges:
            fitted["messages"] = list(_bridged(fitted["messages"]))
        return fitted

    def learn(self, no: Declined, body: Mapping[str, Any]) -> bool:
        """Whether a refusal says what to change; from now on that is changed."""
        # Where a conversation is too long the words name the longest reply as well.
        if no.status not in _UNKNOWING or is_full(no) or is_about_seals(no):
            return False
        if not self._bridges and _OUT_OF_TURN.search(no.words) and _speaks_between(body):
            self._bridges = True
            return True
        missed = next(
            (lack for lack in _LACKS if lack in no.words and self._may_fill(lack, body)), None
        )
        if missed is not None:
            self._filled.add(missed)
            return True
        if self._learnt.learn(no, body):
            return True
        minded = next(
            (member for member in _minded(no.words, body) if _names(no.words, member)), None
        )
        if minded is not None:
            self._left_out.add(minded)
        return minded is not None

    def _may_fill(self, name: str, body: Mapping[str, Any]) -> bool:
        calling = [message for message in body["messages"] if message.get("tool_calls")]
        return name not in self._filled and any(map(_LACKS[name], calling))

    def _fit_message(self, message: _Told) -> _Told:
        fitted = {name: value for name, value in message.items() if name not in self._left_out}
        for name in self._filled & _LACKS.keys() - self._left_out:
            if message.get("tool_calls") and _LACKS[name](message):
                fitted |= _FILLINGS[name](message)
        return fitted


def _speaks_between(body: Mapping[str, Any]) -> bool:
    """Whether something is said directly behind results."""
    roles = [message["role"] for message in body["messages"]]
    return ("tool", "user") in pairwise(roles)


def _bridged(messages: list[_Told]) -> Iterator[_Told]:
    before = ""
    for message in messages:
        if (before, message["role"]) == ("tool", "user"):
            yield _BRIDGE
        yield message
        before = message["role"]


def _minded(words: str, body: Mapping[str, Any]) -> list[str]:
    """What of that which is handed back may be minded."""
    sent = {name for message in body["messages"] for name in message}
    return [member for member in _HANDED_BACK if member in sent and not _MISSING.search(words)]


def _names(words: str, member: str) -> bool:
    """Whether these words are about that member; a plain word only where it is quoted."""
    if "_" in member:
        return member in words
    return re.search(rf"[`'\"]{member}[`'\"]", words) is not None


def _is_unthought(message: Mapping[str, Any]) -> bool:
    return "reasoning_content" not in message


def _is_unsigned(message: Mapping[str, Any]) -> bool:
    """Whether the first call has no signature; those beside it never have one."""
    return "extra_content" not in message["tool_calls"][0]


def _with_thought(_: Mapping[str, Any]) -> _Told:
    return {"reasoning_content": _UNTHOUGHT}


def _with_signature(message: Mapping[str, Any]) -> _Told:
    first, *others = message["tool_calls"]
    return {"tool_calls": [{**first, "extra_content": _UNSIGNED}, *others]}


_LACKS: Final = {"reasoning_content": _is_unthought, "thought_signature": _is_unsigned}
"""What a reply with calls may lack, by how the host calls it."""
_FILLINGS: Final = {"reasoning_content": _with_thought, "thought_signature": _with_signature}
