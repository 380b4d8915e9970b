"""Notices a call that a model wrote as text, and a promise after which it called nothing.

Both end a reply, so the turn would be over. A call as text counts only outside of quoted code, as
the last thing of a reply, and with the name of a tool that is offered: whoever explains such forms
goes on behind them or quotes them. A promise counts only as the last sentence, in the first person,
of something to be done at once; a plan, an offer, a question and a condition are none.
"""

import json
import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from assent.gate.text.lazy_patterns import late

__all__ = ["call_in_text", "is_promise"]

_MARK: Final = late(
    r"(?:^[ \t]*(?:<tool_call>|(?=<function=|[\w-]{1,60}\[ARGS\]))|\[TOOL_CALLS\]|<\|python_tag\|>"
    r'|^[ \t]*(?=\[?\s*\{\s*"(?:name|type|id|function)"))\s*',
    re.MULTILINE,
)
"""How calls begin that models of Hermes, Qwen, Llama, Mistral and GLM were taught to write."""
_NAMED: Final = late(
    r"<function=([\w-]{1,60})>|([\w-]{1,60})\s*(?:\[ARGS\]|<arg_key>|\.call\(|\{)"
    r'|[^<]{0,200}?"name"\s*:\s*"([\w-]{1,60})"'
)
_ENDS: Final = ("</tool_call>", "</function>", "</parameter>", "}", "]", ")", "<|eom_id|>")
_QUOTE: Final = "```"
_WHOLE_QUOTE: Final = late(rf"{_QUOTE}\w*\s(.*){_QUOTE}", re.DOTALL)
_MAX_MARKS: Final = 20
_DECODER: Final = json.JSONDecoder()

_VERB: Final = (
    r"(?:take a (?:closer )?look|have a look|look|check|read|open|search|find|list|run(?! through)|"
    r"inspect|examine|view|explore|try (?:that|this|it|again)|verify|investigate|create|write|edit|"
    r"update|fix|change|apply|implement|execute|fetch|scan|locate|modify|remove|replace|"
    r"do (?:that|this|it))\b"
)
_OPENING: Final = (
    r"(?:(?:ok|okay|sure|alright|all right|right|great|good|well|so|yes|certainly|understood|"
    r"of course|got it|first|now)[,.!:]?\s+){0,2}"
)
_AT_FIRST: Final = r"(?:now )?(?:(?:first|just|quickly|go ahead and) )?"
_LET_ME: Final = late(rf"{_OPENING}let me {_AT_FIRST}{_VERB}", re.IGNORECASE)
_I_WILL: Final = late(
    rf"{_OPENING}I(?:[’']ll| will|(?:[’']m| am) (?:going|about) to) {_AT_FIRST}{_VERB}",
    re.IGNORECASE,
)
_AT_ONCE: Final = late(r"\bnow\b|(?:[:…]|\.\.\.)$", re.IGNORECASE)
_CONDITION: Final = late(
    r"\b(?:once|when|unless|until)\b|\b(?<!check )(?<!verify )if\b"
    r"|\byou (?:want|like|prefer|agree|approve|confirm|say|decide|choose|answer|tell)\b"
    r"|\byour (?:go|ok|okay|approval|answer|decision|choice|confirmation|word)\b",
    re.IGNORECASE,
)
_LATER: Final = late(
    r"\b(?:then|after|before|later|next|finally|only|always|from now on|at the end)\b",
    re.IGNORECASE,
)
_SEVERAL: Final = late(r"[,;]|\band\b", re.IGNORECASE)
_SENTENCE_END: Final = late(r"(?<=[.!?:])\s+")
_MAX_SENTENCE_LETTERS: Final = 300


def call_in_text(text: str, tools: Collection[str]) -> str:
    """The tool that a reply calls as text at its end, or nothing.

    >>> call_in_text('<tool_call>{"name": "look", "arguments": {}}</tool_call>', ["look"])
    'look'
    >>> call_in_text('One writes <tool_call>{"name": "look"}</tool_call> there.', ["look"])
    ''
    """
    text = text.strip()
    quoted = _WHOLE_QUOTE.fullmatch(text)
    names = _names_in(quoted[1].rstrip() if quoted else text)
    return next((name for name in names if name in tools), "")


def _names_in(text: str) -> Iterator[str]:
    """The names of the calls behind which nothing else follows."""
    if not text.endswith(_ENDS):
        return
    for mark in list(_MARK.finditer(text))[-_MAX_MARKS:]:
        if text.count(_QUOTE, 0, mark.start()) % 2 == 0:
            yield from _names_at(text, mark.end(), is_marked=bool(mark[0].strip()))


def _names_at(text: str, start: int, *, is_marked: bool) -> Iterator[str]:
    """The names of the calls that begin there; an object without a mark has to be all of them."""
    try:
        said, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        named = _NAMED.match(text, start)
        if named and (is_marked or not named[3]):
            yield named[1] or named[2] or named[3]
        return
    if is_marked or end == len(text):
        yield from filter(None, map(_name_of, said if isinstance(said, list) else [said]))


def _name_of(said: Any) -> str:
    """The name in an object that has the form of a call."""
    call = said.get("function", said) if isinstance(said, dict) else None
    if not isinstance(call, dict) or not isinstance(call.get("name"), str):
        return ""
    given = call.get("arguments", call.get("parameters"))
    return str(call["name"]) if isinstance(given, dict | str) else ""


def is_promise(text: str, asked: str, *, plans: bool) -> bool:
    r"""Whether a reply ends by saying that something is done at once.

    What it says without such a word counts only where it is all that it says, is one thing, and
    nobody asked for a plan.

    >>> is_promise("The test fails. Let me look at it.", "Fix it.", plans=False)
    True
    >>> is_promise("1. I read it.\n2. I'll run the tests.", "Fix it.", plans=False)
    False
    """
    text = text.strip()
    line = text.rpartition("\n")[2]
    sentence = _SENTENCE_END.split(line)[-1].strip("*_")
    if "?" in line or len(sentence) > _MAX_SENTENCE_LETTERS or _CONDITION.search(sentence):
        return False
    if _LET_ME.match(sentence):
        return True
    if not _I_WILL.match(sentence) or _LATER.search(sentence):
        return False
    if _AT_ONCE.search(sentence):
        return True
    return not (plans or "?" in asked or "\n" in text or _SEVERAL.search(sentence))
