"""A person's own functions as nodes: found in their files, run in a process of their own."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from assent.catalogue.mcp.launches import Launches
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed, Outcome
from assent.catalogue.workers.entries import workers_of
from assent.gate.settings.tool_servers import ServerEntry
from gate.admit.scene import within
from host.waiting import until

Open = Callable[..., Servers]

requirement = pytest.mark.requirement

GOOD = '''
import os, sys, time
from pathlib import Path
from pydantic import BaseModel

import helper

class Size(BaseModel):
    wide: int
    high: int = 2

def area(size: Size, scale: float = 1.0) -> float:
    """How large something is.

    In square metres.
    """
    print("printed, which is no answer")
    return size.wide * size.high * scale

async def greet(name: str) -> str:
    """Greets somebody."""
    return helper.word() + " " + name + (sys.stdin.read() or "")

def breaks(how: str) -> None:
    """Breaks."""
    if how == "ends":
        os._exit(3)
    raise ValueError("no\\nluck")

def sleeps(seconds: int) -> dict[str, object]:
    """Sleeps."""
    time.sleep(seconds)
    return {"slept": seconds, "nan": float("nan")}

def _hidden(a: int) -> int:
    """Is nobody's."""
    return a

def untold(a) -> int:
    """Does not say what it takes."""
    return a

def silent(a: int) -> int:
    return a

def many(*all: int) -> int:
    """Takes any."""
    return len(all)
'''


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "nodes").mkdir()
    (tmp_path / "nodes" / "good.py").write_text(GOOD)
    (tmp_path / "nodes" / "helper.py").write_text("def word() -> str:\n    return 'Hello'\n")
    return tmp_path / "nodes"


def of(folder: Path, name: str = "*.py") -> list[ServerEntry]:
    return [*workers_of(nodes=[f"{folder}/{name}"])]


async def run(servers: Servers, tool: str, /, **given: object) -> Outcome:
    return await within(
        servers.run(await servers.describe(f"functions:{tool}"), given, lambda _: None)
    )


@requirement("N-08")
async def test_functions_with_hints_and_a_docstring_are_found_described_and_run(
    servers: Open, files: Path
) -> None:
    some = servers(*of(files))
    found = await some.search("how large is it", 10)
    assert (found.nodes[0].name, found.nodes[0].says) == (
        "functions:area",
        "How large something is.",
    )
    assert found.total == 4
    area = await some.describe("functions:area")
    assert area.schema["required"] == ["size"]
    assert area.schema["properties"]["scale"] == {
        "default": 1.0,
        "title": "Scale",
        "type": "number",
    }
    assert (await run(some, "area", size={"wide": 3})).text == "6.0"
    assert (await run(some, "greet", name="you")).text == "Hello you"
    assert json.loads((await run(some, "sleeps", seconds=0)).text) == {"slept": 0, "nan": None}


async def test_what_is_no_node_is_named_with_the_reason(servers: Open, files: Path) -> None:
    (files / "torn.py").write_text("def f(:\n")
    (files / "raises.py").write_text("import nothing_of_this_name\n")
    (note,) = (await servers(*of(files)).search("", 10)).notes
    for told in (
        "torn.py, line 1: invalid syntax",
        "raises.py: ModuleNotFoundError: No module named",
        "untold in good.py: `a` has no type hint",
        "silent in good.py: it has no docstring",
    ):
        assert told in note


async def test_files_that_are_too_many_to_be_read_are_told_before_all_else(
    servers: Open, files: Path
) -> None:
    for it in range(205):
        (files / f"{it:03}.py").write_text("def f(:\n")
    # Beside the two that are there.
    (note,) = (await servers(*of(files)).search("", 10)).notes
    assert "files: 200 are read, and 7 more are not" in note


async def test_arguments_that_do_not_fit_are_told_and_nothing_runs(
    servers: Open, files: Path
) -> None:
    some = servers(*of(files))
    came = await run(some, "area", size={"wide": "x"})
    assert came.failed
    assert came.text.startswith("It was not run: size.wide: Input should be a valid integer")
    assert "more" in (await run(some, "greet", name="a", more=1)).text
    came = await run(some, "breaks", how="raises")
    assert (came.text, came.failed) == ("It failed: ValueError: no luck", True)


async def test_a_function_that_ends_its_process_ends_its_call_and_the_next_is_run(
    servers: Open, files: Path
) -> None:
    some = servers(*of(files))
    with pytest.raises(NodeFailed, match="functions:breaks failed: it ended"):
        await run(some, "breaks", how="ends")
    assert (await run(some, "greet", name="you")).text == "Hello you"


async def test_a_function_is_another_once_a_letter_of_its_file_is(
    servers: Open, files: Path
) -> None:
    before = await servers(*of(files)).describe("functions:greet")
    assert str(files / "good.py") in before.text
    (files / "good.py").write_text(GOOD.replace("Hello", "Hallo") + "\n")
    after = await servers(*of(files)).describe("functions:greet")
    assert before.fingerprint != after.fingerprint
    # Beside another file it stays what it is.
    (files / "other.py").write_text("")
    assert (await servers(*of(files)).describe("functions:greet")).fingerprint == after.fingerprint


async def test_a_function_that_runs_while_a_file_changes_is_ended_with_that_reason(
    servers: Open, odd: Path
) -> None:
    async def secret(*_: str) -> None: ...

    # Which files there are is looked up with each call.
    some = Servers(lambda: of(odd), Launches(secret=secret, roots=tuple), servers().link)
    mark, gate = odd / "mark", odd / "gate"
    coming = asyncio.create_task(run(some, "queues", mark=str(mark), gate=str(gate)))
    await there(mark)
    (odd / "other.py").write_text("")
    assert (await run(some, "greet", name="you")).text == "Hello you"
    with pytest.raises(NodeFailed, match="it was ended, since its settings or its files are oth"):
        await within(coming)


async def test_a_function_that_does_not_stop_is_ended_with_its_process(
    servers: Open, files: Path
) -> None:
    some = servers(*of(files))
    node = await some.describe("functions:sleeps")
    first, second = (
        asyncio.create_task(some.run(node, {"seconds": 600}, lambda _: None)) for _ in range(2)
    )
    assert (await run(some, "greet", name="you")).text == "Hello you"
    first.cancel()
    with pytest.raises(NodeFailed, match="did not stop when it was told to"):
        await within(second, 30)


def test_only_files_that_are_meant_are_read_and_none_makes_no_server(files: Path) -> None:
    (named,) = of(files, "good.py")
    assert json.loads(named.args[-1])[0][0] == str(files / "good.py")
    assert of(files, "nothing*.py") == []
    assert of(files / "nowhere") == []


ODD = '''
import asyncio, sys, time
from collections.abc import Iterator
from pathlib import Path
from pydantic import BaseModel

class Size(BaseModel):
    wide: int

def queues(mark: str, gate: str) -> str:
    """Waits for a gate."""
    Path(mark).touch()
    while not Path(gate).exists():
        time.sleep(0.01)
    return "through"

async def holds(mark: str) -> None:
    """Holds the loop."""
    Path(mark).touch()
    while True:
        time.sleep(0.01)

def endless(mark: str) -> Iterator[int]:
    """Gives without end."""
    Path(mark).touch()
    while True:
        time.sleep(0.01)
        yield 1

async def waits(mark: str) -> None:
    """Waits as it should."""
    Path(mark).touch()
    await asyncio.sleep(600)

def inner(mark: str) -> int:
    """Has its own trouble with a model."""
    Path(mark).touch()
    return Size.model_validate({}).wide

class Mute(Exception):
    def __str__(self) -> str:
        raise ValueError("no word")

class Unseen:
    def __repr__(self) -> str:
        raise ValueError("no sight")

def odd(how: str) -> object:
    """Is odd."""
    match how:
        case "circle":
            found = []
            found.append(found)
            return found
        case "half":
            return {"a": "\\ud800"}
        case "unseen":
            return Unseen()
        case "mute":
            raise Mute
        case "cancelled":
            raise asyncio.CancelledError
        case _:
            sys.exit(0)

async def leaves() -> None:
    """Leaves."""
    sys.exit(0)

async def greet(name: str) -> str:
    """Greets somebody."""
    return "Hello " + name
'''


async def there(mark: Path) -> None:
    await asyncio.to_thread(until, mark.exists, within=20, what=f"there is {mark.name}")


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "odd.py").write_text(ODD)
    return tmp_path / "odd"


@requirement("N-08")
async def test_a_function_that_was_stopped_before_its_turn_never_begins_and_ends_nothing(
    servers: Open, odd: Path
) -> None:
    some = servers(*of(odd))
    node = await some.describe("functions:queues")
    gate = str(odd / "gate")

    def begun(mark: str) -> "asyncio.Task[Outcome]":
        given = {"mark": str(odd / mark), "gate": gate}
        return asyncio.create_task(some.run(node, given, lambda _: None))

    # More than there can be threads for.
    others = [begun(f"mark-{it}") for it in range(40)]
    await run(some, "greet", name="you")
    last = begun("last")
    await run(some, "greet", name="you")
    last.cancel()
    # What is said to it is heard in its turn.
    await run(some, "greet", name="you")
    Path(gate).touch()
    assert {it.text for it in await within(asyncio.gather(*others))} == {"through"}
    assert not (odd / "last").exists()


@requirement("N-08")
@pytest.mark.parametrize("name", ["holds", "endless"])
async def test_a_function_that_holds_its_loop_or_gives_without_end_is_ended_all_the_same(
    servers: Open, odd: Path, name: str
) -> None:
    some = servers(*of(odd))
    node = await some.describe(f"functions:{name}")
    mark, beside = odd / "mark", odd / "beside"
    coming = asyncio.create_task(some.run(node, {"mark": str(mark)}, lambda _: None))
    await there(mark)
    given = {"mark": str(beside), "gate": str(odd / "never")}
    other = asyncio.create_task(run(some, "queues", **given))
    await there(beside)
    coming.cancel()
    with pytest.raises(NodeFailed, match="did not stop when it was told to"):
        await within(other, 30)


async def test_a_function_that_stops_when_it_is_told_to_ends_no_other(
    servers: Open, odd: Path
) -> None:
    some = servers(*of(odd))
    node = await some.describe("functions:waits")
    coming = asyncio.create_task(some.run(node, {"mark": str(odd / "mark")}, lambda _: None))
    await there(odd / "mark")
    assert some.link.pid is not None
    before = {it.pid for it in psutil.Process(some.link.pid).children(recursive=True)}
    coming.cancel()
    assert (await run(some, "greet", name="you")).text == "Hello you"
    after = {it.pid for it in psutil.Process(some.link.pid).children(recursive=True)}
    assert before == after


async def test_what_a_function_fails_with_itself_is_not_told_as_wrong_arguments(
    servers: Open, odd: Path
) -> None:
    came = await run(servers(*of(odd)), "inner", mark=str(odd / "mark"))
    assert came.failed
    assert came.text.startswith("It failed: ValidationError: 1 validation error for Size wide")
    assert (odd / "mark").exists()


async def test_however_odd_what_comes_of_a_function_is_it_ends_its_own_call_alone(
    servers: Open, odd: Path
) -> None:
    some = servers(*of(odd))
    beside, gate = odd / "beside", odd / "gate"
    other = asyncio.create_task(run(some, "queues", mark=str(beside), gate=str(gate)))
    await there(beside)
    for how, said in {
        "circle": "ValueError: ",
        "half": "PydanticSerializationError: ",
        "unseen": "ValueError: no sight",
        "mute": "Mute: what it says of that could not be read",
        "cancelled": "CancelledError: ",
        "leaves": "SystemExit: 0",
    }.items():
        came = await run(some, "odd", how=how)
        assert came.failed
        assert said in came.text
    assert (await run(some, "leaves")).text == "It failed: SystemExit: 0"
    assert (await run(some, "greet", name="you")).text == "Hello you"
    gate.touch()
    assert (await within(other)).text == "through"
