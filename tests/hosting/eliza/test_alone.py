"""Eliza by herself: how she starts, what she loads, how she ends."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from assent.hosting.connection.spec import eliza
from assent.hosting.eliza.script import Script
from assent.hosting.eliza.verbs import verb_in
from hosting.eliza.raw import Raw
from tables import each_row


@pytest.fixture
async def raw(tmp_path: Path) -> AsyncIterator[Raw]:
    async with Raw(eliza()) as raw:
        await raw.ask("initialize", {"protocolVersion": 1})
        yield raw


async def session_of(raw: Raw, cwd: Path) -> str:
    return str((await raw.ask("session/new", {"cwd": str(cwd), "mcpServers": []}))["sessionId"])


def prompt(raw: Raw, session: str, text: str) -> int:
    return raw.request(
        "session/prompt", {"sessionId": session, "prompt": [{"type": "text", "text": text}]}
    )


def test_she_loads_nothing_but_the_standard_library() -> None:
    code = (
        "import sys, json; import assent.hosting.eliza.agent;"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"
    )
    spec = eliza()
    told = subprocess.run(  # noqa: PLW1510 -- what it printed says enough
        [sys.executable, "-S", "-c", code], env=spec.env, capture_output=True, text=True
    )
    loaded = set(json.loads(told.stdout))
    assert loaded - sys.stdlib_module_names <= {"assent", "__main__"}
    assert not loaded & {"asyncio", "pathlib", "urllib", "typing_extensions", "logging"}


async def test_the_end_of_her_input_ends_her_and_her_command_at_once(
    raw: Raw, tmp_path: Path
) -> None:
    session = await session_of(raw, tmp_path)
    raw.option = "allow_once"
    prompt(raw, session, "run echo $$; sleep 600; touch late")
    printed = await raw.until(lambda message: output_of(message).strip().isdigit())
    child = psutil.Process(int(output_of(printed)))
    assert await raw.close() == 0
    await asyncio.to_thread(psutil.wait_procs, [child], 20)
    assert not child.is_running() or child.status() == psutil.STATUS_ZOMBIE
    assert not (tmp_path / "late").exists()


async def test_the_end_of_her_input_with_a_question_open_runs_nothing(
    raw: Raw, tmp_path: Path
) -> None:
    session = await session_of(raw, tmp_path)
    raw.answering = False
    prompt(raw, session, "run touch trace")
    await raw.until(lambda message: message.get("method") == "session/request_permission")
    assert await raw.close() == 0
    assert list(tmp_path.iterdir()) == []


async def test_she_stops_although_nobody_answers_her_question(raw: Raw, tmp_path: Path) -> None:
    session = await session_of(raw, tmp_path)
    raw.answering = False
    number = prompt(raw, session, "two calls")
    await raw.until(lambda message: message.get("method") == "session/request_permission")
    raw.send(method="session/cancel", params={"sessionId": session})
    assert (await raw.answer_to(number))["result"] == {"stopReason": "cancelled"}
    assert list(tmp_path.iterdir()) == []


async def test_she_stops_in_the_middle_of_a_slow_command(raw: Raw, tmp_path: Path) -> None:
    session = await session_of(raw, tmp_path)
    raw.option = "allow_once"
    number = prompt(raw, session, "slow echo one; sleep 600; echo two")
    await raw.until(lambda message: output_of(message) == "one\n")
    raw.send(method="session/cancel", params={"sessionId": session})
    assert (await raw.answer_to(number))["result"] == {"stopReason": "cancelled"}


async def test_a_cancelled_answer_ends_her_turn(raw: Raw, tmp_path: Path) -> None:
    session = await session_of(raw, tmp_path)
    raw.answering = False
    number = prompt(raw, session, "run touch trace")
    asked = await raw.until(lambda message: message.get("method") == "session/request_permission")
    raw.send(id=asked["id"], result={"outcome": {"outcome": "cancelled"}})
    assert (await raw.answer_to(number))["result"] == {"stopReason": "cancelled"}
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "answer",
    [
        {"error": {"code": -1, "message": "no"}},
        {"result": None},
        {"result": {"outcome": "allow_once"}},
        {"result": {"outcome": {"outcome": "selected", "optionId": "everything"}}},
        {"result": {"outcome": {"outcome": "selected"}}},
    ],
)
async def test_an_answer_that_is_not_a_yes_is_a_no(
    raw: Raw, tmp_path: Path, answer: dict[str, Any]
) -> None:
    session = await session_of(raw, tmp_path)
    raw.answering = False
    number = prompt(raw, session, "run touch trace")
    asked = await raw.until(lambda message: message.get("method") == "session/request_permission")
    raw.send(id=asked["id"], **answer)
    await raw.answer_to(number)
    assert list(tmp_path.iterdir()) == []


async def test_she_asks_for_all_four_kinds_of_answer_and_also_for_a_reading(
    raw: Raw, tmp_path: Path
) -> None:
    session = await session_of(raw, tmp_path)
    (tmp_path / "a").write_text("x")
    await raw.answer_to(prompt(raw, session, "read a"))
    options = raw.permissions[0]["params"]["options"]
    assert [option["kind"] for option in options] == [
        "allow_once",
        "allow_always",
        "reject_once",
        "reject_always",
    ]


async def test_she_fetches_nothing_but_pages(raw: Raw, tmp_path: Path) -> None:
    session = await session_of(raw, tmp_path)
    await raw.answer_to(prompt(raw, session, f"fetch file://{tmp_path}/a"))
    assert raw.permissions == []


async def test_noise_and_unknown_methods_are_errors_and_end_nothing(
    raw: Raw, tmp_path: Path
) -> None:
    raw.send(method="unheard/of")
    assert (await raw.ask("unheard/of", {}))["code"] == -32601
    assert (await raw.ask("session/new", {"cwd": "relative"}))["code"] == -32602
    assert (await raw.ask("session/prompt", {"sessionId": "no"}))["code"] == -32602
    session = await session_of(raw, tmp_path)
    answered = await raw.answer_to(prompt(raw, session, "hello"))
    assert answered["result"] == {"stopReason": "end_turn"}


@each_row(
    ("text", "verb", "rest"),
    [
        ("read a b.txt", "read", "a b.txt"),
        ("  RUN ls -l\n", "run", "ls -l"),
        ("run a\nb", "run", "a\nb"),
        ("two calls", "two calls", ""),
        ("Help!", "help", ""),
        ("write a", "", "write a"),
        ("write a b", "write", "a b"),
        ("many 12", "many", "12"),
        ("many things", "", "many things"),
        ("I read a book", "", "I read a book"),
        ("run", "", "run"),
        ("", "", ""),
    ],
)
def test_a_line_is_a_verb_or_conversation(text: str, verb: str, rest: str) -> None:
    assert verb_in(text) == (verb, rest)


def test_she_turns_what_one_says_around() -> None:
    assert "own your garden" in Script().answer("I want to own my garden")


def test_she_does_not_say_the_same_twice_running() -> None:
    script = Script()
    assert script.answer("mumble") != script.answer("mumble")


def test_she_comes_back_to_what_one_spoke_of() -> None:
    script = Script()
    script.answer("My garden grows")
    assert "your garden" in script.answer("mumble")
    assert "garden" not in script.answer("mumble")


def test_she_has_an_answer_to_anything() -> None:
    script = Script()
    for text in (
        "",
        " ",
        "{}",
        "{0}",
        "I feel {x}",
        "\\1",
        "¿?",
        "you are {}",
        "my {}",
        "a" * 10_000,
    ):
        assert script.answer(text)
        assert script.answer("mumble")


def output_of(message: dict[str, Any]) -> str:
    """The output in a message about a tool call."""
    content = message.get("params", {}).get("update", {}).get("content")
    if not isinstance(content, list) or not content or content[0].get("type") != "content":
        return ""
    return str(content[0]["content"]["text"])
