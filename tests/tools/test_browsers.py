"""What a browser's guard does of what its package tells; the package is played, word for word."""

from collections.abc import Callable
from typing import Any

import pytest
from attrs import define, field

from assent.browser.browsers import Browsers
from assent.browser.deeds import known_of
from assent.calls import AgentId, Call, CallId, ChatId, Effect
from assent.catalogue.catalogue import NoSource, Seen
from assent.catalogue.node import Node
from assent.catalogue.source import Ask, NodeFailed, Outcome, Told, ask_nobody
from assent.disk.places import Places
from assent.errors import CallUnreadable
from assent.verdicts import Actor, Ruling, Verdict

requirement = pytest.mark.requirement

ARGUMENTS = ("action", "all", "code", "element", "fields", "filename", "paths", "target", "url")
SHOP = "http://shop.example/"
DENIED = "http://denied.example/"


def node(tool: str) -> Node:
    properties = {name: {} for name in ARGUMENTS}
    return Node(
        source="web",
        tool=tool,
        schema={"properties": properties},
        fingerprint="f",
        text="",
        kind="browser",
    )


def call(tool: str, page: str = SHOP, **arguments: Any) -> Call:
    given = {"server": "web", "tool": tool, "arguments": arguments, "page": page}
    return Call(
        id=CallId("1"),
        chat=ChatId("c"),
        agent=AgentId("own"),
        tool="mcp",
        effect=Effect.EXTERNAL,
        input=given,
        cwd="/",
    )


def judge(of: Call) -> Ruling:
    is_denied = "denied" in of.input["url"]
    verdict = Verdict.DENY if is_denied else Verdict.ALLOW
    return Ruling(verdict=verdict, because="A rule of yours says so.", by=Actor.RULE)


@define
class Played(NoSource):
    """The package's side: what it answers to each of its tools."""

    answer: Callable[[str, dict[str, Any]], Outcome]
    ran: list[tuple[str, dict[str, Any]]] = field(factory=list)

    async def describe(self, name: str) -> Node:
        return node(name.partition(":")[2])

    async def run(
        self, node: Node, arguments: dict[str, Any], told: Told, ask: Ask = ask_nobody
    ) -> Outcome:
        self.ran.append((node.tool, arguments))
        return self.answer(node.tool, arguments)


def known(tool: str, **arguments: Any) -> Any:
    seen = Seen(node=node(tool), page=SHOP)
    return known_of(seen, arguments, Places(roots=("/home/ada/shop",), home="/home/ada"))


async def run(guard: Browsers, source: Played, of: Call) -> Outcome:
    it = node(of.input["tool"])
    given = of.input["arguments"]
    return await guard.run(it, of, lambda: source.run(it, given, lambda _: None))


def beginning(source: Played) -> Browsers:
    """A guard whose browser has been used."""
    guard = Browsers(source, judge)
    guard._stage(node("browser_click")).is_open = True
    return guard


@requirement("N-08")
@pytest.mark.parametrize("tool", ["browser_file_upload", "browser_of_tomorrow"])
@pytest.mark.parametrize("name", ["_meta", "elsewhere"])
async def test_an_argument_that_is_in_no_schema_is_neither_read_nor_run(
    tool: str, name: str
) -> None:
    moved = {"paths": ["id"], name: {"cwd": "/home/ada/kept"}}
    with pytest.raises(CallUnreadable, match=name):
        known(tool, **moved)
    source = Played(lambda *_: Outcome(text=""))
    with pytest.raises(NodeFailed, match=name):
        await run(beginning(source), source, call(tool, **moved))
    assert source.ran == []
