"""Nodes of nodetool's worker: found, described and run as a server's tools, however it behaves."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed, Outcome
from assent.catalogue.workers.entries import workers_of
from catalogue.mcp.nodetools import as_module, interpreter, played
from gate.admit.scene import within
from host.waiting import until

Open = Callable[..., Servers]
UPPER = "nodetool:ours.Upper"

requirement = pytest.mark.requirement


async def run(servers: Servers, name: str = UPPER, **given: object) -> Outcome:
    return await within(servers.run(await servers.describe(name), given, lambda _: None))


async def why(servers: Servers) -> str:
    with pytest.raises(NodeFailed) as failed:
        await run(servers)
    return str(failed.value)


@requirement("N-08")
async def test_a_node_is_found_described_and_run_by_the_name_of_its_type(
    servers: Open, tmp_path: Path
) -> None:
    some = servers(*workers_of(played(tmp_path)))
    found = await some.search("write in capitals", 10)
    assert (found.total, UPPER in {it.name for it in found.nodes}) == (2, True)
    node = await some.describe(UPPER)
    assert node.schema["properties"]["times"] == {"type": "integer", "default": 2}
    assert node.schema["additionalProperties"] is False
    came = await run(some, text="hi", times=3)
    assert (json.loads(came.text), came.failed) == ({"output": "HIHIHI"}, False)


async def test_a_person_reads_which_interpreter_runs_it_and_what_that_is(
    servers: Open, tmp_path: Path
) -> None:
    real = Path(played(tmp_path))
    link = tmp_path / "link"
    link.symlink_to(real)
    node = await servers(*workers_of(str(link))).describe(UPPER)
    assert f"interpreter: {link}" in node.text
    assert f"resolves to: {real.resolve()}" in node.text
    # Where Assent itself lies is nothing to know a node by: a new version of it asks nobody.
    assert "assent.catalogue" not in node.text
    assert str(tmp_path) not in node.said


async def test_agents_of_others_are_not_handed_nodes_whose_names_they_would_write_otherwise(
    servers: Open, tmp_path: Path
) -> None:
    some = servers(*workers_of(played(tmp_path), [f"{tmp_path}/*.py"]))
    assert (some.has_any, some.names) == (True, ())
    (tmp_path / "mine.py").write_text("")
    again = servers(*workers_of(played(tmp_path), [f"{tmp_path}/*.py"]))
    assert again.names == ("functions",)


async def test_of_more_nodes_than_are_taken_in_the_search_and_the_view_say_how_many_are_left_out(
    servers: Open, tmp_path: Path
) -> None:
    some = servers(*workers_of(played(tmp_path, "crowd")))
    await within(some.describe("nodetool:ours.N0"), 60)
    found = await within(some.search("", 1), 60)
    said = "Tools of nodetool were left out: 2 nodes, since there are more than 10,000."
    assert (found.total, found.notes) == (10_000, (said,))
    (state,) = await some.states()
    assert state["says"] == said


async def test_a_node_is_another_once_its_interpreter_leads_elsewhere(
    servers: Open, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    prints = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        link.unlink(missing_ok=True)
        link.symlink_to(played(tmp_path / name))
        prints.append((await servers(*workers_of(str(link))).describe(UPPER)).fingerprint)
    assert prints[0] != prints[1]


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("dies", "out of luck / nodetool's worker ended."),
        ("breaks-off", "nodetool's worker ended."),
        ("torn-message", "nodetool's worker broke what was agreed: what it sent could not be read"),
        ("deep", "what it sent has too many parts, or goes too deep"),
        ("many", "what it sent has too many parts, or goes too deep"),
        ("no-message", "what it sent is no message"),
        ("large", "nodetool's worker sent a message of more than 64 MB"),
        ("no-worker", "No module named nodetool"),
        ("old", "nodetool's worker speaks protocol 5, and 6 is the least"),
    ],
)
async def test_a_worker_that_breaks_it_ends_its_calls_with_the_reason(
    servers: Open, tmp_path: Path, kind: str, told: str
) -> None:
    assert told in await why(servers(*workers_of(played(tmp_path, kind))))


async def test_an_interpreter_that_is_none_is_told(servers: Open, tmp_path: Path) -> None:
    said = await why(servers(*workers_of(str(tmp_path / "nothing"))))
    assert "could not be started: No such file or directory" in said


async def test_a_worker_that_ended_is_started_anew_for_the_next_call(
    servers: Open, tmp_path: Path
) -> None:
    some = servers(*workers_of(played(tmp_path, "dies")))
    await why(some)
    assert (await some.search("", 10)).total == 2


async def test_what_a_node_says_of_its_failure_is_one_line_of_letters_that_can_be_seen(
    servers: Open, tmp_path: Path
) -> None:
    came = await run(servers(*workers_of(played(tmp_path, "fails"))))
    assert (came.text, came.failed) == ("It failed: no such thing", True)


async def test_only_the_first_answer_to_its_own_call_counts(servers: Open, tmp_path: Path) -> None:
    some = servers(*workers_of(played(tmp_path, "others")))
    for _ in range(2):
        assert json.loads((await run(some)).text) == {"output": "mine"}


async def test_nodes_that_nobody_could_be_asked_about_are_left_out_alone_and_named(
    servers: Open, tmp_path: Path
) -> None:
    found = await servers(*workers_of(played(tmp_path, "odd-names"))).search("", 50)
    assert {it.name for it in found.nodes} == {"nodetool:ours.Good", "nodetool:ours.Twice"}
    (note,) = found.notes
    for said in ("a node has no name", "ours.Twice: it is there twice", "ours.Bad: what is said"):
        assert said in note


async def test_what_is_said_of_a_node_in_an_odd_way_leaves_out_that_node_alone(
    servers: Open, tmp_path: Path
) -> None:
    found = await servers(*workers_of(played(tmp_path, "odd-words"))).search("", 50)
    assert [it.name for it in found.nodes] == ["nodetool:ours.Good"]
    for said in ("ours.List: what is said", "ours.Five: what is said"):
        assert said in found.notes[0]


@requirement("N-08")
async def test_modules_in_the_home_of_the_person_are_none_of_the_worker_s(
    servers: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, packages = tmp_path / "home", tmp_path / "packages" / "nodetool"
    home.mkdir()
    packages.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    (home / "colorsys.py").write_text("open('taken', 'w').close()\n")
    (packages / "worker.py").write_text(as_module("import colorsys"))
    python = interpreter(tmp_path, packages.parent)
    came = await run(servers(*workers_of(python)), text="hi", times=1)
    assert json.loads(came.text) == {"output": "HI"}
    assert not (home / "taken").exists()


async def test_a_module_that_could_not_be_loaded_is_named(servers: Open, tmp_path: Path) -> None:
    found = await servers(*workers_of(played(tmp_path, "torn"))).search("", 50)
    assert "nodetool.nodes.torn could not be loaded: No module named 'torch'" in found.notes[0]


async def test_a_node_that_needs_a_secret_says_that_it_is_not_given_one(
    servers: Open, tmp_path: Path
) -> None:
    node = await servers(*workers_of(played(tmp_path, "wants-a-key"))).describe(UPPER)
    assert "It needs A_KEY, which Assent does not give it." in node.said


async def test_a_name_that_a_node_has_not_is_refused_since_its_worker_would_leave_it_out(
    servers: Open, tmp_path: Path
) -> None:
    came = await run(servers(*workers_of(played(tmp_path))), txt="hi")
    assert (came.text, came.failed) == ("It has no `txt`. There are: text, times.", True)


async def test_what_goes_too_deep_is_not_sent(servers: Open, tmp_path: Path) -> None:
    deep: object = "x"
    for _ in range(100):
        deep = [deep]
    came = await run(servers(*workers_of(played(tmp_path))), text=deep)
    assert came.text == "It was not run: what it is given goes too deep."


async def test_pictures_are_shown_and_other_bytes_are_told_of_in_what_stays_json(
    servers: Open, tmp_path: Path
) -> None:
    came = await run(servers(*workers_of(played(tmp_path, "pictures"))))
    assert json.loads(came.text) == {
        "picture": {"bytes that are not passed on": 28},
        "n": "nan",
        "sound": {"bytes that are not passed on": 16},
    }
    assert [it.mime for it in came.images] == ["image/png"]


async def test_a_run_that_gives_nothing_gives_an_empty_object(
    servers: Open, tmp_path: Path
) -> None:
    assert (await run(servers(*workers_of(played(tmp_path, "nothing"))))).text == "{}"


@pytest.mark.parametrize("deaf", ["", "1"])
async def test_a_run_that_is_stopped_is_told_so_and_ended_where_it_does_not_hear(
    servers: Open, tmp_path: Path, deaf: str
) -> None:
    some = servers(*workers_of(played(tmp_path, "slow", **({"DEAF": deaf} if deaf else {}))))
    node = await some.describe(UPPER)
    told: asyncio.Queue[str] = asyncio.Queue()
    running = asyncio.create_task(some.run(node, {}, told.put_nowait))
    assert await within(told.get()) == "1 of 4 loading"
    workers = [it for it in psutil.Process().children(recursive=True) if _is_played(it)]
    assert len(workers) == 1
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    if deaf:
        ended = lambda: not workers[0].is_running()  # noqa: E731 -- one line
        await asyncio.to_thread(until, ended, within=20, what="its end")
    # Whoever asks next is answered, by the same or by another.
    assert (await some.describe(UPPER)).name == UPPER
    assert workers[0].is_running() is not bool(deaf)


def _is_played(process: psutil.Process) -> bool:
    try:
        return any("played_nodetool" in it for it in process.cmdline())
    except psutil.Error:
        return False
