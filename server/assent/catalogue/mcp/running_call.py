"""One running call of a tool, and what its server asks the person meanwhile.

A server of 2025 asks by a request of its own, or gives up with pages to open; one of 2026 by an
answer that is none yet. All come to the same question here.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import ExitStack
from typing import Any, Final

from assent.catalogue.mcp.call_clock import CallClock, TookTooLong
from assent.catalogue.mcp.forms import FormUnfit, form_of, page_of
from assent.catalogue.mcp.sdk import ClientSession, MCPError, types
from assent.gate.call.errors import AssentError

__all__ = ["CallFailed", "RunningCall"]

_MAX_QUESTIONS: Final = 10
"""So often a server may ask in the midst of one call."""
_RETRY_DELAY_S: Final = 0.25
"""In seconds: how long one is waited for that wants to be asked again, and asks nothing itself."""
_MAX_RETRIES: Final = 240
"""So often in one call."""
_INVALID_PARAMS: Final = -32602
_MAX_PAGES: Final = 3
"""So many pages may be named by a call that gives up."""
_OPENED: Final = (
    "it did nothing yet: first something has to be done on a page that the person has just opened."
    " Run it again once the person says that they are done there"
)
_UNOPENED: Final = "it did nothing: it needs a page to be opened, and the person did not open it"
_TOO_MANY_QUESTIONS: Final = "it asked too often in the midst of one call"

Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


class CallFailed(AssentError):
    """Why nothing came of a call, a clause."""


class RunningCall:
    """One call."""

    def __init__(self, ask: Ask, patience: float) -> None:
        self._ask, self.clock = ask, CallClock(patience)
        self._asked = 0
        self._one_by_one = asyncio.Lock()

    async def come(
        self, session: ClientSession, tool: str, arguments: dict[str, Any], on_progress: Any
    ) -> types.CallToolResult:
        """What comes of it; raises `CallFailed`."""
        try:
            async with self.clock.running():
                return await self._through(session, tool, arguments, on_progress)
        except TookTooLong as error:
            raise CallFailed(str(error)) from None

    async def _through(
        self, session: ClientSession, tool: str, arguments: dict[str, Any], on_progress: Any
    ) -> types.CallToolResult:
        more: dict[str, Any] = {}
        for _ in range(_MAX_RETRIES):
            try:
                result = await session.call_tool(
                    tool,
                    arguments,
                    progress_callback=on_progress,
                    allow_input_required=True,
                    **more,
                )
            except MCPError as error:
                if error.error.code == types.URL_ELICITATION_REQUIRED:
                    raise CallFailed(await self._pages(error.error.data)) from error
                raise
            if isinstance(result, types.CallToolResult):
                return result
            if not isinstance(result, types.InputRequiredResult):
                raise CallFailed("its answer could not be read")
            given = await self._answers(result.input_requests or {})
            more = {"input_responses": given, "request_state": result.request_state}
        raise CallFailed(_TOO_MANY_QUESTIONS)

    async def _pages(self, data: object) -> str:
        """Have the pages opened that a call wants before anything; why nothing came of it."""
        wanted = types.ElicitationRequiredErrorData.model_validate(data).elicitations
        if not 1 <= len(wanted) <= _MAX_PAGES:
            return f"it wants no page to be opened, or more than {_MAX_PAGES}"
        for page in wanted:
            said = await self.asked(page)
            if isinstance(said, types.ErrorData):
                return said.message
            if said.action != "accept":
                return _UNOPENED
        return _OPENED

    async def _answers(self, asked: types.InputRequests) -> types.InputResponses | None:
        """What is said to all that an answer asks for, one after the other."""
        if not asked:
            await asyncio.sleep(_RETRY_DELAY_S)
            return None
        given: types.InputResponses = {}
        for name, request in asked.items():
            if not isinstance(request, types.ElicitRequest):
                raise CallFailed("it asks for a model, or for folders, which it is not given")
            said = await self.asked(request.params)
            if isinstance(said, types.ErrorData):
                raise CallFailed(said.message)
            given[name] = said
        return given

    async def asked(
        self, params: types.ElicitRequestParams, beside: Iterable["RunningCall"] = ()
    ) -> types.ElicitResult | types.ErrorData:
        """What a person says to a question of the server's, or why nobody was asked.

        Where other calls run `beside` this, the question may be theirs.
        """
        self._asked += 1
        if self._asked > _MAX_QUESTIONS:
            return types.ErrorData(code=_INVALID_PARAMS, message=_TOO_MANY_QUESTIONS)
        try:
            form = _form_in(params)
        except FormUnfit as error:
            return types.ErrorData(code=_INVALID_PARAMS, message=str(error))
        others = [*beside]
        with ExitStack() as stack:
            for running_call in (self, *others):
                stack.enter_context(running_call.clock.stopped())
            async with self._one_by_one:
                said = await self._ask({**form, "unsure": True} if others else form)
        content = said["content"] if said["action"] == "accept" and "fields" in form else None
        return types.ElicitResult(action=said["action"], content=content)


def _form_in(params: types.ElicitRequestParams) -> dict[str, Any]:
    """What a server asks for; raises `FormUnfit`."""
    if isinstance(params, types.ElicitRequestURLParams):
        return page_of(params.message, params.url)
    return form_of(params.message, params.requested_schema)
