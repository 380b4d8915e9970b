"""What an agent asks a person by `elicitation/create`: a form to fill in, or a page to open.

Each is a call of its own that is ruled on, asked about and journaled, and for which nothing runs.
Its card is that of a tool server's form, and names the agent as the person's settings do.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import uuid4

from assent.catalogue.mcp.forms import FormUnfit, form_of, page_of
from assent.catalogue.mcp.server_requests import nothing_runs, reply_to
from assent.gate.admit import Gate
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.text.redactor import Redactor
from assent.gate.values import define, field, frozen
from assent.hosting.connection.peer import INVALID_PARAMS, Asked
from assent.hosting.permission.in_flight import calls_on_cards

__all__ = ["AgentForms"]

_MAX_OPEN: Final = 10
"""So many forms one chat may be asked to fill in at once."""
_CANCELLED: Final = {"action": "cancel"}


@frozen(kw_only=True)
class _Open:
    """What a person is being asked."""

    call: CallId
    page: str
    """By what the agent knows the page; nothing for a form."""


@define(eq=False, kw_only=True)
class AgentForms:
    """Those of one chat."""

    chat: ChatId
    agent: AgentId
    name: str
    """What the agent is called in the person's settings."""
    cwd: str
    _gate: Gate
    _flush: Callable[[], None]
    """Tells what was said so far, so that it stands before the card."""
    _is_over: Callable[[], bool]
    _clean: Redactor
    _open: dict[asyncio.Task[object], _Open] = field(factory=dict)

    async def ask(self, asked: Asked) -> None:
        """Answer an `elicitation/create` through the gate."""
        if self._is_over():
            asked.answer(_CANCELLED)
            return
        if len(self._open) >= _MAX_OPEN:
            asked.refuse(INVALID_PARAMS, f"no more than {_MAX_OPEN} forms may be open at once")
            return
        try:
            form = _form_in(asked.params, self._clean)
        except FormUnfit as error:
            asked.refuse(INVALID_PARAMS, str(error))
            return
        page = asked.params["elicitationId"] if "url" in form else ""
        asked.answer(await self._answer(self._call(form), page))

    def settle(self) -> None:
        """Break off what has no card yet; the gate refuses the others."""
        on_cards = calls_on_cards(self._gate)
        self._take_back(lambda form: form.call not in on_cards)

    def complete(self, page: object) -> None:
        """What the page was for is done: nobody need open it any more."""
        self._take_back(lambda form: form.page == page != "")

    def end(self) -> None:
        """Take all that is open back."""
        self._take_back(lambda _: True)

    def _take_back(self, which: Callable[[_Open], bool]) -> None:
        for task, form in self._open.items():
            if which(form):
                task.cancel()

    async def _answer(self, call: Call, page: str) -> dict[str, Any]:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 -- it is awaited
        self._open[task] = _Open(call=call.id, page=page)
        try:
            self._flush()
            passage = await self._gate.admit(call, nothing_runs)
        finally:
            del self._open[task]
        reply = reply_to(passage.settlement)
        if self._is_over():
            return _CANCELLED
        content = {"content": reply.content} if reply.action == "accept" and not page else {}
        return {"action": reply.action, **content}

    def _call(self, form: Mapping[str, Any]) -> Call:
        return Call(
            id=CallId(str(uuid4())),
            chat=self.chat,
            agent=self.agent,
            tool="form",
            effect=Effect.CHAT,
            input={"agent": self.name, **form},
            cwd=self.cwd,
        )


def _form_in(params: Mapping[str, Any], clean: Redactor) -> dict[str, Any]:
    """What is asked for; raises `FormUnfit`."""
    message, mode = params.get("message"), params.get("mode")
    if not isinstance(message, str):
        raise FormUnfit("it has no question")
    if mode == "url":
        url, name = params.get("url"), params.get("elicitationId")
        if not isinstance(url, str) or not isinstance(name, str) or not name:
            raise FormUnfit("it names no page to open")
        return page_of(clean(message), url)
    schema = params.get("requestedSchema")
    if mode != "form" or not isinstance(schema, dict):
        raise FormUnfit("it asks neither for a form nor for a page")
    return form_of(clean(message), {"properties": {}, **_without_nulls(clean.of_json(schema))})


def _without_nulls(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The protocol takes a member that is null for one that is left out."""
    return {
        name: _without_nulls(value) if isinstance(value, dict) else value
        for name, value in schema.items()
        if value is not None
    }
