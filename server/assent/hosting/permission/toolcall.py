"""One tool call of an agent: its reports, its contents, and the ruling on it."""

import asyncio
import re
from collections.abc import Callable
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final

from assent.gate.call.calls import CallId, canonical
from assent.gate.journal.agent_events import Shown
from assent.gate.text.redactor import Redactor
from assent.gate.values import define, field
from assent.hosting.connection.shown_contents import Contents
from assent.hosting.permission.patches import FilePatch

__all__ = ["MAX_OUTPUT_LETTERS", "Asking", "End", "Request", "ToolCall"]

MAX_OUTPUT_LETTERS: Final = 64 * 1024
"""How much of a call's output is kept."""

_SLIM: Final = ("toolCallId", "title", "kind", "status")
_MAX_KEPT_LETTERS: Final = 1_000
_WORDS: Final = frozenset({"_meta", "content"})
"""The agent's own word on which tool it is and what it changes, which a hook says itself."""
_RUNNING: Final = frozenset({"in_progress", "completed", "failed"})
_MAX_DEPTH: Final = 100
_ENDLESS_LETTERS: Final = 1 << 30


class Asking(StrEnum):
    """Whether a call was asked for, and what came of that."""

    NOT_YET = "notYet"
    OPEN = "open"
    ALLOWED = "allowed"
    REFUSED = "refused"


class End(StrEnum):
    """How a tool call ended, as far as we were told."""

    COMPLETED = "completed"
    FAILED = "failed"
    TURN_OVER = "turnOver"
    AGENT_GONE = "agentGone"


@define(eq=False)
class Request:
    """One asking for a tool call; a call may be asked for more than once."""

    tool: "ToolCall"
    asking: Asking = Asking.OPEN


@define(eq=False)
class ToolCall:
    """One tool call of an agent, as far as it is known."""

    id: str
    whole: dict[str, Any] = field(factory=dict)
    """All that was told of it, the last word on each member."""
    hooked: dict[str, Any] = field(factory=dict)
    """What its agent's hook was handed of it, which is what would run."""
    given: object = None
    """The input that its hook was handed, as it came."""
    folder: str | None = None
    """The folder in which it would run, as its hook was told; None where no hook was handed it."""
    patch: list[FilePatch] | None = None
    """The files that it patches, where its hook was handed a patch."""
    is_note: bool = False
    """Whether it is known to touch nothing but its own chat."""
    idle: frozenset[Asking] = frozenset()
    """Where its asking stands while its agent says that it goes on, which it does not."""
    is_served: bool = False
    """Whether it came to us as a server of tools, and so was ruled on there."""
    requests: list[Request] = field(factory=list)
    going: Asking | None = None
    """What had come of its requests when it was last told that it goes on, if it was."""
    alarmed: bool = False
    call: CallId | None = None
    """The call under which its output is shown."""
    output: str = ""
    ended: asyncio.Future[End] = field(factory=lambda: asyncio.get_running_loop().create_future())
    weight: int = 0
    """About how many characters `whole` and `hooked` hold."""
    counted: int = 0
    """How many of these are in the sum of its session."""
    _clean: Redactor = Redactor()
    """What it prints passes here once, before anybody is told of it and before it is cut."""
    _strays: Callable[[], bool] = lambda: False
    _seen: str = ""
    _shown: set[bytes] = field(factory=set)
    """The digests of its pictures that are known."""
    _contents: Contents = field(factory=Contents)

    @property
    def judged(self) -> dict[str, Any]:
        """All that says what it does: what a hook was handed stands before the agent's word."""
        if not self.hooked:
            return self.whole
        return {
            member: self.whole[member] for member in self.whole if member not in _WORDS
        } | self.hooked

    @property
    def asking(self) -> Asking:
        """What came of its requests: one that was allowed lets it run."""
        states = {request.asking for request in self.requests}
        order = (Asking.ALLOWED, Asking.OPEN, Asking.REFUSED)
        return next((state for state in order if state in states), Asking.NOT_YET)

    @property
    def is_said_to_run(self) -> bool:
        """Whether it was told that it goes on, since anything last came of its requests.

        Some say so of a call before they ask for it, and never take it back.
        """
        return self.going is self.asking and self.asking not in self.idle

    @property
    def is_let(self) -> bool:
        """Whether it was allowed, and no later request made another call of it."""
        return self.asking is Asking.ALLOWED and not (len(self.requests) > 1 and self._strays())

    def lay_over(self, patch: dict[str, Any]) -> None:
        """Take in what a message says; what it leaves out stays as it was."""
        changes = {name: value for name, value in patch.items() if value is not None}
        if "_meta" in changes:
            # What is told of an end does not take back which tool it was.
            changes["_meta"] = _laid_over(self.whole.get("_meta"), changes["_meta"])
        self.whole |= changes
        self.weigh()

    def weigh(self) -> None:
        """Count what it holds, what its hook was handed included."""
        self.weight = _weight_of(self.whole) + _weight_of(self.hooked)

    def slim(self) -> None:
        """Forget what it says it does, and keep which it is and how it stands."""
        kept = {name: self.whole[name] for name in _SLIM if name in self.whole}
        self.whole = {
            name: value[:_MAX_KEPT_LETTERS]
            for name, value in kept.items()
            if isinstance(value, str)
        }
        if self.hooked:
            # What was ruled on is gone, so nothing can be held against it any more.
            self.hooked, self.given, self.patch, self._strays = {}, None, None, lambda: False
        self.weight = 0
        self._shown, self._contents = set(), Contents()

    def begin(self, call: CallId, strays: Callable[[], bool]) -> None:
        """It may run: from here on what it shows is output, and it may not become another."""
        self.call, self._strays, self._seen = call, strays, self._text()
        self._shown = set(map(_digest, self._contents.media(self.whole)))

    def has_strayed(self, patch: dict[str, Any]) -> bool:
        """Whether a message makes another call of the one that was allowed.

        Of one that a hook was handed, some agents tell piece by piece until it runs.
        """
        if self.asking is not Asking.ALLOWED:
            return False
        acts = patch.get("rawInput") is not None or patch.get("content") is not None
        acts_now = patch.get("status") in _RUNNING if self.hooked else acts
        return acts_now and self._strays()

    def names(self, name: str, value: object) -> bool:
        """Whether it is running under a name, by its arguments or by what it showed."""
        raw = self.whole.get("rawInput")
        is_given = isinstance(raw, dict) and raw.get(name) == value
        is_shown = re.search(rf"\b{re.escape(f'{name}: {value}')}(?![\w-]|\.\w)", self.output)
        return self.call is not None and (is_given or is_shown is not None)

    def more_output(self) -> str:
        """What it has shown since this was last asked."""
        text = self._text()
        if text == self._seen:
            return ""
        more = text.removeprefix(self._seen) if text.startswith(self._seen) else "\n" + text
        self._seen = text
        return self._kept(more if self.output else more.lstrip("\n"))

    def more_of_terminal(self, patch: dict[str, Any]) -> str:
        """What a terminal of the agent's own has printed meanwhile, as Codex tells it."""
        return self._kept(self._clean(_printed_in(patch)))

    def more_shown(self) -> list[Shown]:
        """The pictures and sounds that it shows and had not shown before."""
        media = {_digest(medium): medium for medium in self._contents.media(self.whole)}
        new = media.keys() - self._shown
        self._shown |= new
        return [medium for digest, medium in media.items() if digest in new]

    def rest_of_output(self) -> list[tuple[str, bool]]:
        """Its raw output, where it ended without having shown any; each with whether it is errors.

        Some agents tell what a command wrote to its two outputs, each as a whole.
        """
        raw = self.whole.get("rawOutput")
        if self.output or raw is None:
            return []
        apart = (
            [raw.get(stream) for stream in ("stdout", "stderr")] if isinstance(raw, dict) else []
        )
        if apart and all(isinstance(text, str) for text in apart) and any(apart):
            pieces = [(str(text), place == 1) for place, text in enumerate(apart)]
        else:
            pieces = [(raw if isinstance(raw, str) else canonical(raw), False)]
        kept = [(self._kept(self._clean(text)), is_error) for text, is_error in pieces]
        return [piece for piece in kept if piece[0]]

    def end(self, how: End) -> None:
        """Nothing more comes of it."""
        if not self.ended.done():
            self.ended.set_result(how)

    def _text(self) -> str:
        """The text among its contents."""
        return self._clean("\n".join(self._contents.texts(self.whole)))[:MAX_OUTPUT_LETTERS]

    def _kept(self, more: str) -> str:
        more = more[: MAX_OUTPUT_LETTERS - len(self.output)]
        self.output += more
        return more


def _laid_over(before: object, now: object, depth: int = 2) -> object:
    """An object with the members of a later one laid over it, as deep as harnesses nest theirs."""
    if depth == 0 or not (isinstance(before, dict) and isinstance(now, dict)):
        return now
    later = {name: _laid_over(before.get(name), value, depth - 1) for name, value in now.items()}
    return {**before, **later}


def _digest(image: Shown) -> bytes:
    return sha256(image.data.encode()).digest()


def _printed_in(patch: dict[str, Any]) -> str:
    """The text of `_meta.terminal_output_delta`."""
    value: object = patch.get("_meta")
    for name in ("terminal_output_delta", "data"):
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def _weight_of(value: object, depth: int = 0) -> int:
    """About how many characters a value holds; whatever is nested too deeply counts as much."""
    if isinstance(value, str):
        return len(value)
    if depth > _MAX_DEPTH:
        return _ENDLESS_LETTERS
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        return 8 * len(value) + sum(_weight_of(item, depth + 1) for item in value)
    return 8
