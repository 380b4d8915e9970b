"""Drawing back from a log-in: until it is kept nobody is logged in, and from then on they are."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import define, field

from assent.editor.protocol import editor, toolservers
from assent.editor.window.servers.tool_servers import ToolServers
from assent.gate.journal.journal import Entry
from catalogue.mcp.authority import Authority
from catalogue.mcp.test_logging_in import Person, another, at, person, through
from gate.admit.scene import within

__all__ = ["another", "at", "person"]

requirement = pytest.mark.requirement

LOCKED = toolservers.ToolServerRef(name="locked")


@define
class Desk:
    """An editor whose person opens each page, and the journal."""

    outcomes: list[str] = field(factory=list)
    is_in: asyncio.Event = field(factory=asyncio.Event)
    opened: list[asyncio.Task[int]] = field(factory=list)

    async def request(self, _: str, wanted: editor.OpenPage, __: object) -> editor.PageOpened:
        self.opened.append(asyncio.ensure_future(through(wanted.url)))
        return editor.PageOpened(opened=True)

    async def keep(self, row: Entry) -> None:
        self.outcomes.append(row.body["outcome"])
        if row.body["outcome"] == "in":
            self.is_in.set()


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def tools(person: Person, desk: Desk) -> ToolServers:
    accounts: Any = SimpleNamespace(host=lambda _: "127.0.0.1", journal=desk)
    wire: Any = desk
    return ToolServers(person.servers, wire, accounts)


def begun(tools: ToolServers) -> asyncio.Future[toolservers.ToolServer]:
    wish = toolservers.LogInAt(name="locked", back="", odd="")
    return asyncio.ensure_future(tools.log_in(wish))


@requirement("N-08")
async def test_who_draws_back_once_it_is_kept_is_logged_in_and_so_it_is_written_down(
    person: Person, at: Authority, tools: ToolServers, desk: Desk
) -> None:
    at.starts.clear()
    task = begun(tools)
    await within(desk.is_in.wait())
    await within(tools.stop_log_in(LOCKED))
    assert (await within(task)).account == "in"
    assert desk.outcomes == ["asked", "in"]
    at.starts.set()
    assert await person.run() == "it ran"


@requirement("N-08")
async def test_so_is_who_draws_back_while_the_editor_keeps_it(
    person: Person, at: Authority, tools: ToolServers, desk: Desk
) -> None:
    person.store.goes_on = asyncio.Event()
    task = begun(tools)
    await within(person.store.keeping.wait())
    await within(tools.stop_log_in(LOCKED))
    assert not task.done()
    person.store.goes_on.set()
    assert (await within(task)).account == "in"
    assert desk.outcomes == ["asked", "in"]
    assert person.kept
    assert await person.run() == "it ran"
    assert at.of("/mcp")[-1]["token"] in at.good


async def test_who_draws_back_before_is_not_and_what_comes_later_counts_for_nothing(
    person: Person, at: Authority, tools: ToolServers, desk: Desk
) -> None:
    seen = asyncio.Event()

    async def stay(_: str, __: editor.OpenPage, ___: object) -> editor.PageOpened:
        seen.set()
        return editor.PageOpened(opened=True)

    tools._wire = SimpleNamespace(request=stay)  # type: ignore[assignment]
    task = begun(tools)
    await within(seen.wait())
    await within(tools.stop_log_in(LOCKED))
    with pytest.raises(Exception, match="You drew back, so you are not logged in to locked"):
        await within(task)
    assert desk.outcomes == ["asked", "failed"]
    assert person.kept == ""
    assert at.of("/token") == []
