"""Servers that ask in the midst of a call: what is asked, what they hear, and who takes it back."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from assent.catalogue.source import NodeFailed, Outcome, Reply
from assent.mcp.servers import Servers
from gate.scene import within
from servers.served import entry

Open = Callable[..., Servers]


@define
class Person:
    """Somebody who is asked, and says what the test wants."""

    says: Reply
    asked: list[dict[str, Any]] = field(factory=list)
    waits: asyncio.Event = field(factory=asyncio.Event)
    left: asyncio.Event = field(factory=asyncio.Event)
    is_silent: bool = False

    async def ask(self, form: dict[str, Any]) -> Reply:
        self.asked.append(form)
        self.waits.set()
        try:
            if self.is_silent:
                await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.left.set()
            raise
        return self.says


async def run(servers: Servers, person: Person) -> Outcome:
    (name,) = servers.names
    node = await servers.describe(f"{name}:t0")
    return await within(servers.run(node, {}, lambda _: None, person.ask))


async def test_a_form_comes_as_its_fields_and_the_answer_as_it_was_given(servers: Open) -> None:
    person = Person(Reply(action="accept", content={"name": "Bo", "age": 20, "colors": ["r"]}))
    came = await run(servers(entry("elicits", "form")), person)
    heard = json.loads(came.text)
    assert heard == {"action": "accept", "content": {"name": "Bo", "age": 20, "colors": ["r"]}}
    (form,) = person.asked
    assert form["message"] == "Who are you?"
    fields = {it["name"]: it for it in form["fields"]}
    kinds = {name: it["kind"] for name, it in fields.items()}
    assert kinds == {
        "name": "text",
        "mail": "text",
        "age": "integer",
        "share": "number",
        "news": "boolean",
        "size": "one",
        "colors": "some",
    }
    assert fields["name"] == {
        "name": "name",
        "kind": "text",
        "title": "Your name",
        "least": 2,
        "initial": "Ann",
        "required": True,
    }
    assert fields["size"]["choices"] == [
        {"value": "s", "label": "Small"},
        {"value": "l", "label": "Large"},
    ]
    assert fields["colors"]["choices"][1] == {"value": "g", "label": "Green"}
    assert not fields["mail"]["required"]


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_who_says_no_says_it_and_nothing_else(servers: Open, action: Any) -> None:
    person = Person(Reply(action=action, content={"name": "never sent"}))
    came = await run(servers(entry("elicits", "form")), person)
    assert json.loads(came.text) == {"action": action}


async def test_a_page_comes_by_its_address_and_nothing_is_sent_with_the_yes(servers: Open) -> None:
    person = Person(Reply(action="accept", content={"x": "never sent"}))
    came = await run(servers(entry("elicits", "page")), person)
    assert json.loads(came.text) == {"action": "accept"}
    assert person.asked == [{"message": "Log in there.", "url": "https://example.org/log-in?x=1"}]


async def test_a_form_that_nobody_could_fill_in_is_refused_and_nobody_is_asked(
    servers: Open,
) -> None:
    person = Person(Reply())
    came = await run(servers(entry("elicits", "nested")), person)
    assert "a kind that nobody here could fill in" in json.loads(came.text)["message"]
    assert person.asked == []


async def test_a_server_that_ends_takes_its_question_with_it(servers: Open) -> None:
    person = Person(Reply(), is_silent=True)
    set_up = servers(entry("elicits", "form"))
    running = asyncio.ensure_future(run(set_up, person))
    await within(person.waits.wait())
    await set_up.order("stop", "elicits")
    with pytest.raises(NodeFailed, match="it was ended"):
        await running
    assert person.left.is_set()


async def test_a_server_that_goes_on_by_itself_takes_its_question_back(
    servers: Open, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    person = Person(Reply(), is_silent=True)
    set_up = servers(entry("elicits", "form", pipe))
    running = asyncio.ensure_future(run(set_up, person))
    await within(person.waits.wait())
    await asyncio.to_thread(pipe.write_text, "go on")
    await within(person.left.wait())
    await asyncio.to_thread(pipe.write_text, "answer")
    assert (await running).text == "went on by itself"


async def test_a_call_that_is_cancelled_takes_its_question_back(servers: Open) -> None:
    person = Person(Reply(), is_silent=True)
    running = asyncio.ensure_future(run(servers(entry("elicits", "form")), person))
    await within(person.waits.wait())
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert person.left.is_set()


async def test_what_is_asked_in_the_protocol_of_2026_is_the_same_question(servers: Open) -> None:
    person = Person(Reply(action="accept", content={"name": "Bo", "age": 20}))
    came = await run(servers(entry("modern", "once", "form")), person)
    given = {"q1": {"action": "accept", "content": {"age": 20, "name": "Bo"}}}
    heard, state = json.loads(came.text)
    assert (heard, state) == (given, "kept")
    (form,) = person.asked
    assert (form["message"], len(form["fields"])) == ("Who are you?", 7)


async def test_a_form_of_2026_that_nobody_could_fill_in_ends_its_call(servers: Open) -> None:
    person = Person(Reply())
    with pytest.raises(NodeFailed, match="a kind that nobody here could fill in"):
        await run(servers(entry("modern", "once", "nested")), person)
    assert person.asked == []


async def test_a_server_that_asks_again_and_again_is_heard_ten_times(servers: Open) -> None:
    person = Person(Reply(action="accept", content={"name": "Bo", "age": 20}))
    with pytest.raises(NodeFailed, match="it asked too often"):
        await run(servers(entry("modern", "never-done", "form")), person)
    assert len(person.asked) == 10
