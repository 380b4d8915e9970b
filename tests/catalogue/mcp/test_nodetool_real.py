"""The real nodetool, with a pack of two nodes of ours: found, described, run and stopped."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.catalogue.mcp.servers import Servers
from assent.catalogue.workers.entries import workers_of
from catalogue.mcp.nodetools import real
from gate.admit.scene import within

pytestmark = [pytest.mark.agents]

Open = Callable[..., Servers]


@pytest.fixture
def interpreter(tmp_path: Path) -> str:
    return real(tmp_path)


@pytest.mark.requirement("N-08")
async def test_both_nodes_of_a_pack_are_found_described_and_run(
    servers: Open, interpreter: str
) -> None:
    some = servers(*workers_of(interpreter))
    (first, *_) = (await within(some.search("write in capitals", 10), 60)).nodes
    assert (first.name, first.says) == ("nodetool:ours.text.Upper", "Writes a text in capitals.")
    upper, repeat = [await some.describe(f"nodetool:ours.text.{it}") for it in ("Upper", "Repeat")]
    assert upper.schema["properties"]["text"] == {
        "type": "string",
        "description": "What is written so",
        "default": "",
    }
    came = await within(some.run(upper, {"text": "Straße 日"}, lambda _: None))
    assert json.loads(came.text) == {"output": "STRASSE 日"}
    came = await within(some.run(repeat, {"text": "ab", "times": 3}, lambda _: None))
    assert json.loads(came.text) == {"output": "ababab"}
    came = await within(some.run(repeat, {"times": "many"}, lambda _: None))
    assert came.failed
    assert "Invalid value for property `times`" in came.text


async def test_a_node_that_does_not_look_whether_it_is_stopped_is_ended(
    servers: Open, interpreter: str
) -> None:
    some = servers(*workers_of(interpreter))
    repeat = await within(some.describe("nodetool:ours.text.Repeat"), 60)
    running = asyncio.create_task(some.run(repeat, {"times": 2_000}, lambda _: None))
    beside = asyncio.create_task(some.run(repeat, {"text": "a"}, lambda _: None))
    assert json.loads((await within(beside)).text) == {"output": "aa"}
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    again = asyncio.create_task(some.run(repeat, {"times": 2_000}, lambda _: None))
    with pytest.raises(Exception, match="did not stop when it was told to"):
        await within(again, 30)
