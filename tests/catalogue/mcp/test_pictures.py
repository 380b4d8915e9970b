"""Pictures that a server gives back: who is shown them."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agent.loop.scene import Table, calling, saying
from assent.gate.call.modes import Mode
from assent.gate.journal.agent_events import Pictured, Sounded
from catalogue.mcp.conftest import Open
from catalogue.mcp.served import entry

pytestmark = pytest.mark.requirement("N-10")


@pytest.fixture
async def table(tmp_path: Path, servers: Open) -> AsyncIterator[Table]:
    """A chat in Auto whose agent has a server that gives back a picture."""
    table = Table(tmp_path)
    table.mode = Mode.AUTO
    table.assistants._ports.setup.nodes.source = servers(entry("pictures"))
    table.model.will(calling(("run_node", json.dumps({"name": "pictures:t0"}))), saying("Seen."))
    async with table.assistants:
        yield table
    table.journal.close()


def drawn(table: Table) -> list[tuple[str, object]]:
    found = [it for it in table.happened if isinstance(it, Pictured)]
    return [(it.image.mime, it.call) for it in found]


async def test_a_picture_is_shown_to_a_model_that_takes_it_and_to_the_person(table: Table) -> None:
    assert await table.says("Look.") == ("done", "")
    (result,) = table.results
    assert [it.mime for it in result.attached] == ["image/png"]
    assert "of which you take none" not in result.text
    assert drawn(table) == [("image/png", table.calls[0].id)]


async def test_the_person_sees_it_also_where_the_model_takes_none_and_is_told_so(
    table: Table,
) -> None:
    table.model.kinds = frozenset()
    assert await table.says("Look.") == ("done", "")
    (result,) = table.results
    assert result.attached == ()
    assert "[a PNG image, 1 × 1, of which you take none.]" in result.text
    assert drawn(table) == [("image/png", table.calls[0].id)]


async def test_a_picture_that_would_fill_the_model_is_shown_to_the_person_alone(
    table: Table,
) -> None:
    table.model.tokens = 100
    assert await table.says("Look.") == ("done", "")
    (result,) = table.results
    assert result.attached == ()
    assert "of your tokens.]" in result.text
    assert drawn(table) == [("image/png", table.calls[0].id)]


async def test_the_person_alone_hears_a_sound_and_the_model_is_told_so(table: Table) -> None:
    assert await table.says("Listen.") == ("done", "")
    (result,) = table.results
    assert "which the person alone can hear]" in result.text
    heard = [it for it in table.happened if isinstance(it, Sounded)]
    assert [(it.sound.mime, it.call) for it in heard] == [("audio/flac", table.calls[0].id)]
