"""What the tools of the web are given in their tests: somebody to ask, and names that lead."""

from collections.abc import Callable, Sequence
from typing import Any

from agent.tools.typing_nothing import nothing_typed
from assent.agent.tools.arguments import arguments_in
from assent.agent.tools.registry import call_for, carry_out
from assent.agent.tools.tool import (
    MAX_RESULT_LETTERS,
    Aim,
    Bench,
    Done,
    Step,
    StepRefused,
    Tool,
    ToolFailed,
)
from assent.agent.tools.web_requests import Web
from assent.gate.call.calls import AgentId, CallId, ChatId
from assent.gate.disk.places import Places

__all__ = ["Asked", "bench", "leading", "taken", "use"]


class Asked:
    """Somebody who is asked about steps, and has one answer."""

    def __init__(self, because: str | None = None, meanwhile: Callable[[], None] = bool) -> None:
        self.because = because
        self.meanwhile = meanwhile
        self.urls: list[str] = []
        self.came: list[Done] = []
        """What came of the steps that were taken."""

    async def __call__(self, aim: Aim, do: Step) -> Done:
        assert (aim.tool, set(aim.input)) == ("fetch", {"url"})
        self.urls.append(aim.input["url"])
        self.meanwhile()
        if self.because is not None:
            raise StepRefused(self.because)
        self.came.append(await taken(aim, do, bench(self)))
        return self.came[-1]


def bench(asked: Asked, search_url: str = "", most: int = MAX_RESULT_LETTERS) -> Bench:
    """A bench on which only the web matters."""
    nothing: Any = None
    return Bench(
        cwd="/",
        places=lambda: Places(roots=("/",), home="/"),
        buffers=nothing_typed(),
        may_read=lambda _: False,
        shell_registry=nothing,
        printed=nothing,
        planned=nothing,
        ask=asked,
        subtask=nothing,
        search_url=search_url,
        most=most,
    )


async def taken(aim: Aim, do: Step, table: Bench) -> Done:
    """What comes of a step that may be taken."""
    call = call_for(aim, table, chat=ChatId("chat-1"), agent=AgentId("assent"), id=CallId("step"))
    try:
        return await do(call)
    except ToolFailed as error:
        return Done(text=str(error), failed=True)


def leading(**names: Sequence[str] | str) -> Web:
    """A web in which names lead to these numbers, and each may be asked for once."""
    left = {name.replace("_", "."): numbers for name, numbers in names.items()}

    async def resolve(host: str, port: int) -> Sequence[str]:
        numbers = left.pop(host, ())
        return [numbers] if isinstance(numbers, str) else numbers

    return Web(resolve=resolve)


async def use(
    tool: Tool[Any],
    asked: Asked | None = None,
    *,
    at: str = "",
    room: int = MAX_RESULT_LETTERS,
    **given: Any,
) -> Done:
    """Call a tool as our own agent would, and carry out what would be judged."""
    table = bench(asked or Asked(), at, room)
    aim = tool.aim(arguments_in(tool, given | ({"url": ""} if at else {})), table)
    assert aim.tool == "fetch"
    call = call_for(aim, table, chat=ChatId("chat-1"), agent=AgentId("assent"), id=CallId("call-1"))
    return await carry_out(tool, call, table)
