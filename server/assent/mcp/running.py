"""One call of a tool while it runs: its time, and what its server asks the person in its midst.

A server of 2025 asks by a request of its own, one of 2026 by an answer that is none yet. Both come
to the same question here. While a person is asked, the time of the call stands still.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

from assent.errors import AssentError
from assent.mcp.forms import FormUnfit, form_of
from assent.mcp.sdk import ClientSession, types

__all__ = ["CallFailed", "Running"]

_MOST: Final = 10
"""So often a server may ask in the midst of one call."""
_PAUSE: Final = 0.25
"""In seconds: how long one is waited for that wants to be asked again, and asks nothing itself."""
_PATIENT: Final = 240
"""So often in one call."""
_ODD: Final = -32602
_TOO_OFTEN: Final = "it asked too often in the midst of one call"

Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


class CallFailed(AssentError):
    """Why nothing came of a call, a clause."""


class Running:
    """One call."""

    def __init__(self, ask: Ask, patience: float) -> None:
        self._ask, self._patience = ask, patience
        self._clock = asyncio.timeout(patience)
        self._asked = self._open = 0
        self._left = patience

    async def come(
        self, session: ClientSession, tool: str, arguments: dict[str, Any], on_progress: Any
    ) -> types.CallToolResult:
        """What comes of it; raises `CallFailed`."""
        try:
            async with self._clock:
                return await self._through(session, tool, arguments, on_progress)
        except TimeoutError:
            why = f"it did not answer within {self._patience:g} seconds"
            raise CallFailed(why) from None

    async def _through(
        self, session: ClientSession, tool: str, arguments: dict[str, Any], on_progress: Any
    ) -> types.CallToolResult:
        more: dict[str, Any] = {}
        for _ in range(_PATIENT):
            result = await session.call_tool(
                tool,
                arguments,
                progress_callback=on_progress,
                allow_input_required=True,
                **more,
            )
            if isinstance(result, types.CallToolResult):
                return result
            if not isinstance(result, types.InputRequiredResult):
                raise CallFailed("its answer could not be read")
            given = await self._answers(result.input_requests or {})
            more = {"input_responses": given, "request_state": result.request_state}
        raise CallFailed(_TOO_OFTEN)

    async def _answers(self, asked: types.InputRequests) -> types.InputResponses | None:
        """What is said to all that an answer asks for, one after the other."""
        if not asked:
            await asyncio.sleep(_PAUSE)
            return None
        given: types.InputResponses = {}
        for name, it in asked.items():
            if not isinstance(it, types.ElicitRequest):
                raise CallFailed("it asks for a model, or for folders, which it is not given")
            said = await self.asked(it.params)
            if isinstance(said, types.ErrorData):
                raise CallFailed(said.message)
            given[name] = said
        return given

    async def asked(
        self, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """What a person says to a question of the server's, or why nobody was asked."""
        self._asked += 1
        if self._asked > _MOST:
            return types.ErrorData(code=_ODD, message=_TOO_OFTEN)
        try:
            form = form_of(params)
        except FormUnfit as error:
            return types.ErrorData(code=_ODD, message=str(error))
        self._stop_clock()
        try:
            said = await self._ask(form)
        finally:
            self._go_on()
        content = said["content"] if said["action"] == "accept" and "fields" in form else None
        return types.ElicitResult(action=said["action"], content=content)

    def _stop_clock(self) -> None:
        self._open += 1
        due = self._clock.when()
        if due is not None:
            self._left = due - asyncio.get_running_loop().time()
            self._clock.reschedule(None)

    def _go_on(self) -> None:
        self._open -= 1
        if not self._open and not self._clock.expired():
            self._clock.reschedule(asyncio.get_running_loop().time() + self._left)
