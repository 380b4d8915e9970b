"""Servers that behave: found, described, run, and told of the person's words alone."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from assent.catalogue.mcp.frames import MAX_FRAME_BYTES
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.launches import Launches
from assent.catalogue.mcp.offered_tools import OfferedTools, Sieve
from assent.catalogue.mcp.redacted_messages import RedactedMessages
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.mcp.transport import Pipes
from assent.catalogue.nodes.catalogue import Catalogue
from assent.catalogue.nodes.node import first_sentence
from assent.catalogue.nodes.pins import Pins
from assent.catalogue.nodes.source import NodeFailed
from assent.gate.settings.tool_servers import ServerEntry
from catalogue.mcp.served import entry
from gate.admit.scene import within
from gate.ruling.samples import using

Open = Callable[..., Servers]


async def test_a_tool_is_found_by_what_somebody_wants_to_do(servers: Open) -> None:
    some = servers(entry("helpful"), entry("plain"))
    assert [it.name for it in (await some.search("merge a PR", 1)).nodes] == [
        "helpful:merge_pull_request"
    ]
    (first, *_) = (await some.search("please report a bug", 10)).nodes
    assert (first.name, first.says) == (
        "helpful:create_issue",
        "Creates an issue in a repository.",
    )


async def test_a_tool_is_described_with_all_that_its_server_says_and_who_that_is(
    servers: Open,
) -> None:
    node = await servers(entry("helpful", TOKEN="${secret:KNOWN}")).describe(  # noqa: S106 -- a name
        "helpful:create_issue"
    )
    assert "Then more." in node.text
    assert "rogue.py" in node.text
    assert "TOKEN" in node.text
    assert "KNOWN of helpful" not in node.text
    # How the person starts it is for the person to see.
    assert "rogue.py" not in node.said
    assert "Then more." in node.said
    assert list(node.schema["properties"]) == ["body", "owner", "title"]
    assert (await servers(entry("helpful")).describe("helpful:delete_file")).destructive


async def test_a_server_gets_the_arguments_and_its_own_variables(servers: Open) -> None:
    some = servers(entry("plain", TOLD="<${secret:KNOWN}>", MORE="as it is"))
    came = await within(
        some.run(await some.describe("plain:t0"), {"a": [1, {"b": None}]}, lambda _: None)
    )
    told = json.loads(came.text)
    assert told == {"tool": "t0", "given": {"a": [1, {"b": None}]}, "env": "<⟨secret⟩>"}
    length = await within(some.run(await some.describe("plain:t0"), {"count": 1}, lambda _: None))
    assert json.loads(length.text)["length"] == len("<KNOWN of plain>")


async def test_a_server_tells_nobody_the_secrets_that_it_was_given(
    servers: Open, tmp_path: Path
) -> None:
    some = servers(entry("blabs", TOLD="${secret:KNOWN}"))
    node = await some.describe("blabs:t0")
    with pytest.raises(NodeFailed) as failed:
        await within(some.run(node, {}, lambda _: None))
    (state,) = await some.states()
    (found,) = (await some.search("with", 10)).nodes or [None]
    for told in (node.text, node.said, str(failed.value), str(state), str(found)):
        assert "KNOWN of blabs" not in told
    assert "⟨secret⟩" in node.said
    assert str(failed.value) == "blabs:t0 failed: it ended: no such key: ⟨secret⟩."
    assert state["lines"] == ["no such key: ⟨secret⟩"]


async def test_of_the_editors_variables_those_are_secrets_that_are_called_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_TOKEN", "open sesame")
    monkeypatch.setenv("SOME_FOLDER", "/home/ann")

    async def secret(name: str, _: str) -> str:
        return f"kept as {name}"

    given = {"A": "${env:SOME_TOKEN}", "B": "${env:SOME_FOLDER}/x", "C": "${secret:ANY}"}
    launch = await Launches(secret=secret, roots=tuple).of(entry("plain", **given))
    assert launch.given == ("kept as ANY", "open sesame")
    assert "sesame" not in repr(launch)


async def test_of_what_a_workspace_names_all_are_secrets_but_who_and_where_the_person_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proxy = "http://bob:sesame@proxy:3128"
    monkeypatch.setenv("HTTPS_PROXY", proxy)
    monkeypatch.setenv("CORP_HOME", "/opt/corp")
    monkeypatch.setenv("HOME", "/home/ann")

    async def secret(name: str, _: str) -> str:
        return name

    given = {"A": "${env:HTTPS_PROXY}", "B": "${env:CORP_HOME}", "C": "${env:HOME}"}
    of_workspace = evolve(entry("plain", **given), workspace="/w")
    launch = await Launches(secret=secret, roots=tuple).of(of_workspace)
    assert launch.given == ("/opt/corp", proxy)


async def test_a_server_that_is_called_as_its_password_is_found_and_asked_by_its_name(
    servers: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "postgres")
    tools = tmp_path / "told.json"
    about = {"name": "postgres_query", "description": "Asks postgres."}
    tools.write_text(json.dumps([{**about, "inputSchema": {"type": "object"}}]))
    some = servers(entry("from", tools, name="postgres", TOLD="${env:DATABASE_PASSWORD}"))
    (found,) = (await some.search("", 10)).nodes
    assert (found.name, found.says) == ("postgres:postgres_query", "Asks ⟨secret⟩.")
    node = await some.describe(found.name)
    assert node.name == "postgres:postgres_query"
    await within(some.run(node, {}, lambda _: None))
    assert [it["name"] for it in await some.states()] == ["postgres"]


def test_who_was_given_a_secret_before_does_not_tell_it_once_there_is_another() -> None:
    said: list[dict[str, Any]] = []
    say = RedactedMessages(said.append)
    say.keep(["open sesame"])
    say.keep(["open barley"])
    say({"id": 1, "is": {"text": "open sesame, open barley", "fingerprint": "f"}})
    assert said == [{"id": 1, "is": {"text": "⟨secret⟩, ⟨secret⟩", "fingerprint": "f"}}]


async def test_a_server_whose_secret_is_not_had_is_not_started(servers: Open) -> None:
    some = servers(entry("plain", TOLD="${secret:OTHER}"), entry("helpful"))
    found = await some.search("", 10)
    assert found.total == 3
    (note,) = found.notes
    assert note == (
        "plain was not started: the secret OTHER, which assent.mcpServers.plain.env names,"
        " is not to be had."
    )
    with pytest.raises(NodeFailed, match="the secret OTHER"):
        await some.describe("plain:t0")


async def test_pictures_and_structure_and_errors_come_as_what_they_are(servers: Open) -> None:
    some = servers(entry("pictures"), entry("refuses"))
    came = await within(some.run(await some.describe("pictures:t0"), {}, lambda _: None))
    assert [it.mime for it in came.images] == ["image/png"]
    assert [it.mime for it in came.sounds] == ["audio/flac"], "by its bytes alone"
    assert came.text == (
        "[audio/wav, which is not shown]\n\n"
        "[a sound, audio/flac, which the person alone can hear]\n\n[a: file:///a]"
    )
    assert came.has_words, "a link is the server's own word"
    refused = await within(some.run(await some.describe("refuses:t0"), {}, lambda _: None))
    assert (refused.failed, refused.text) == (True, "it would not do that")


async def test_progress_is_told_while_a_call_runs(servers: Open, tmp_path: Path) -> None:
    some = servers(entry("slow"))
    heard: asyncio.Queue[str] = asyncio.Queue()
    node = await some.describe("slow:t0")
    task = asyncio.ensure_future(some.run(node, {}, heard.put_nowait))
    assert await within(heard.get()) == "1 of 2 half"
    task.cancel()


async def test_a_program_of_the_workspace_is_no_server(servers: Open, tmp_path: Path) -> None:
    some = servers(ServerEntry(name="a", command="./server"), ServerEntry(name="b", command="no-x"))
    notes = (await some.search("", 10)).notes
    assert "named in full" in notes[0]
    assert "there is no program `no-x`" in notes[1]


@pytest.mark.parametrize("what", ["too large", "too deep"])
async def test_what_the_hub_would_not_take_is_refused_and_ends_no_server(
    servers: Open, what: str
) -> None:
    some = servers(entry("plain"))
    node = await within(some.describe("plain:t0"))
    generation = some.link.generation
    deep: object = "x"
    for _ in range(300):
        deep = [deep]
    given = {"a": "x" * MAX_FRAME_BYTES if what == "too large" else deep}
    with pytest.raises(NodeFailed, match="cannot be said to a server"):
        await within(some.run(node, given, lambda _: None))
    came = await within(some.run(node, {"a": 1}, lambda _: None))
    assert json.loads(came.text)["given"] == {"a": 1}
    assert some.link.generation == generation


async def test_what_was_allowed_of_a_folders_server_is_held_against_none_of_another_folder(
    servers: Open, tmp_path: Path
) -> None:
    pins, says = Pins(tmp_path / "nodes.json"), tmp_path / "says"
    says.write_text("Pays.")
    one, other = (
        Catalogue(servers(evolve(entry(*it, name="workspace-bank"), workspace=folder)), pins)
        for it, folder in ((("rug", says), "/one"), (("from", _list_of(tmp_path)), "/other"))
    )
    seen = await one.look("workspace-bank:pay")
    await within(one.run(seen.node, using(), {}, lambda _: None))
    there = await other.look("workspace-bank:pay")
    assert (there.caution, seen.caution) == ("", "")
    await within(other.run(there.node, using(), {}, lambda _: None))
    # What the first allowed is still known: it has become another by being run.
    assert "changed what it says" in (await one.look("workspace-bank:pay")).caution
    assert (await other.look("workspace-bank:pay")).caution == ""


def _list_of(folder: Path) -> Path:
    told = folder / "told.json"
    told.write_text(json.dumps([{"name": "pay", "inputSchema": {"type": "object"}}]))
    return told


async def test_what_an_earlier_version_kept_of_a_folders_server_is_held_against_it_once(
    servers: Open, tmp_path: Path
) -> None:
    pins, says = Pins(tmp_path / "nodes.json"), tmp_path / "says"
    says.write_text("Pays.")
    named = entry("rug", says, name="workspace-bank")
    node = await servers(named).describe("workspace-bank:pay")
    pins.keep(node)
    says.write_text("Pays more.")
    one, other = (
        Catalogue(servers(evolve(named, workspace=folder)), pins) for folder in ("/one", "/other")
    )
    seen = await one.look("workspace-bank:pay")
    assert "changed what it says" in seen.caution
    await within(one.run(seen.node, using(), {}, lambda _: None))
    assert (await other.look("workspace-bank:pay")).caution == ""


async def test_a_secret_is_taken_out_before_what_a_server_says_is_cut(servers: Open) -> None:
    launch = Launch(name="x", given=("open-sesame-and-more",))
    long = "n" * 492 + "open-sesame-and-more" + "n" * 600
    definition = {"name": "t", "description": long, "inputSchema": {"type": "object"}}
    offered = OfferedTools(launch, "", Sieve(tools=[definition]))
    assert "open-s" not in first_sentence(offered.clean.of_json(definition))
    pipes = Pipes(asyncio.StreamReader(), None)  # type: ignore[arg-type]  # nobody writes
    pipes.clean = launch.clean
    pipes.errors.extend([long[:500].encode(), long[500:].encode()])
    assert "open-s" not in str(pipes.last_lines())
