"""The nodetool application's own server, as it answered when it was recorded."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed, Outcome
from assent.gate.settings.tool_servers import ServerEntry, entry_of
from catalogue.mcp.recorded import Recorded, recorded
from gate.admit.scene import within

requirement = pytest.mark.requirement

pytestmark = pytest.mark.long

Open = Callable[..., Servers]


@pytest.fixture
def app() -> Iterator[Recorded]:
    with recorded() as here:
        yield here


def entry(url: str) -> ServerEntry:
    return entry_of("nodetool", {"preset": "nodetool", "url": url})


async def ran(some: Servers, tool: str, arguments: dict[str, Any]) -> Outcome:
    node = await within(some.describe(f"nodetool:{tool}"))
    return await within(some.run(node, arguments, lambda _: None))


@requirement("N-08")
async def test_its_tools_are_listed_found_by_words_and_described(
    servers: Open, app: Recorded
) -> None:
    some = servers(entry(app.url))
    offered = app.of("tools/list")["answer"]["result"]["tools"]
    everything = await within(some.search("", 50))
    assert {it.name for it in everything.nodes} == {f"nodetool:{it['name']}" for it in offered}
    assert everything.notes == ()
    for words, tool in [
        ("which nodes are there", "list_nodes"),
        ("run a workflow on the backend", "run_workflow"),
        ("details of a node type", "get_node_info"),
        ("how is my job", "get_job"),
    ]:
        first = [it.name for it in (await some.search(words, 5)).nodes]
        assert f"nodetool:{tool}" in first
    node = await some.describe("nodetool:run_workflow")
    assert node.schema["required"] == ["workflow_id"]
    assert app.url in node.text
    (state,) = await some.states()
    assert (state["state"], state["tools"]) == ("running", len(offered))


@requirement("N-08")
async def test_its_nodes_and_workflows_are_looked_at_and_one_is_run_to_its_job(
    servers: Open, app: Recorded
) -> None:
    some = servers(entry(app.url))
    info = json.loads((await ran(some, "get_node_info", {"node_type": "ours.text.Upper"})).text)
    assert [it["name"] for it in info["properties"]] == ["text", "times"]
    listed = json.loads((await ran(some, "list_workflows", {})).text)
    (workflow,) = listed["workflows"]
    given = {"workflow_id": workflow["id"], "params": {"text": "hi"}}
    done = json.loads((await ran(some, "run_workflow", given)).text)
    assert (done["status"], done["outputs"]) == ("completed", {"result": ["HIHI"]})
    job = json.loads((await ran(some, "get_job", {"job_id": done["job_id"]})).text)
    assert job["status"] == "completed"


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("run_workflow", {"workflow_id": "nobody's"}, "Workflow not found"),
        ("run_workflow", {"params": {"text": "hi"}}, "Input validation error"),
        ("ui_get_graph", {}, "No active NodeTool renderer"),
    ],
)
async def test_what_it_refuses_is_told_as_refused(
    servers: Open, app: Recorded, tool: str, arguments: dict[str, Any], says: str
) -> None:
    came = await ran(servers(entry(app.url)), tool, arguments)
    assert came.failed
    assert says in came.text


async def test_where_it_is_not_running_the_search_a_look_and_the_view_say_so(
    servers: Open,
) -> None:
    with recorded() as gone:
        url = gone.url
    some = servers(entry(url))
    why = (
        f"The server nodetool is not there: nodetool is not running at {url}; start it, and ask"
        " again."
    )
    assert (await within(some.search("a workflow", 5))).notes == (why,)
    with pytest.raises(NodeFailed, match="nodetool is not running at"):
        await within(some.describe("nodetool:list_nodes"))
    (state,) = await some.states()
    assert (state["state"], state["says"]) == ("ended", why)


async def test_what_was_never_recorded_is_no_answer_and_no_passing_test() -> None:
    headers = {"mcp-session-id": "the-session", "mcp-protocol-version": "2025-11-25"}
    params = {"name": "get_secrets", "arguments": {}}
    said = "tools/call {'name': 'get_secrets', 'arguments': {}} was never recorded"
    with pytest.raises(AssertionError, match="get_secrets"), recorded() as app:
        answer = app.answer({"method": "tools/call", "params": params}, headers)["answer"]
    assert answer == {"error": {"code": -32000, "message": said}}
