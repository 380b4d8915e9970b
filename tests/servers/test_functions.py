"""A person's own functions as nodes: found in their files, run in a process of their own."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.catalogue.source import NodeFailed, Outcome
from assent.mcp.servers import Servers
from assent.settings.served import ServerEntry
from assent.workers.entries import workers_of
from gate.scene import within

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
    assert (found.found[0].name, found.found[0].says) == (
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
