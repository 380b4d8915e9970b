"""Servers that ask in the midst of a call: what is asked, what they hear, and who takes it back."""

import asyncio
import json
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import define, field

from assent.catalogue.mcp.launch import Launch
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed, Outcome, Reply
from assent.gate.settings.tool_servers import ServerEntry
from catalogue.mcp.served import entry
from gate.admit.scene import within

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


LONG: Final = 30.0
"""In seconds: the hub and the server are processes, which begin while others have the machine."""


async def run(servers: Servers, person: Person) -> Outcome:
    (name,) = servers.names
    node = await servers.describe(f"{name}:t0")
    return await within(servers.run(node, {}, lambda _: None, person.ask), LONG)


def asking(tmp_path: Path, *questions: object) -> ServerEntry:
    """A server that asks all of these at once."""
    (tmp_path / "questions").write_text(json.dumps(questions))
    return entry("asks-all", tmp_path / "questions")


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
    await within(person.waits.wait(), LONG)
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
    await within(person.waits.wait(), LONG)
    await asyncio.to_thread(pipe.write_text, "go on")
    await within(person.left.wait(), LONG)
    await asyncio.to_thread(pipe.write_text, "answer")
    assert (await running).text == "went on by itself"


async def test_a_call_that_is_cancelled_takes_its_question_back(servers: Open) -> None:
    person = Person(Reply(), is_silent=True)
    running = asyncio.ensure_future(run(servers(entry("elicits", "form")), person))
    await within(person.waits.wait(), LONG)
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


async def test_who_gives_up_with_a_page_has_it_opened_and_the_call_is_told_what_to_do(
    servers: Open,
) -> None:
    person = Person(Reply(action="accept"))
    with pytest.raises(NodeFailed) as told:
        await run(servers(entry("gives-up", "page")), person)
    assert person.asked == [{"message": "Log in there.", "url": "https://example.org/log-in?x=1"}]
    assert str(told.value) == (
        "gives-up:t0 failed: it did nothing yet: first something has to be done on a page that the"
        " person has just opened. Run it again once the person says that they are done there."
    )


async def test_of_several_pages_none_is_asked_about_after_the_first_no(servers: Open) -> None:
    person = Person(Reply(action="decline"))
    with pytest.raises(NodeFailed, match="and the person did not open it"):
        await run(servers(entry("gives-up", "page", "page")), person)
    assert len(person.asked) == 1


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "it wants no page to be opened, or more than 3"),
        (["page"] * 4, "it wants no page to be opened, or more than 3"),
        (["form"], "its answer could not be read"),
    ],
)
async def test_who_gives_up_with_no_page_that_could_be_opened_is_not_asked_about(
    servers: Open, words: list[str], why: str
) -> None:
    person = Person(Reply(action="accept"))
    with pytest.raises(NodeFailed, match=why):
        await run(servers(entry("gives-up", *words)), person)
    assert person.asked == []


async def test_where_two_calls_are_open_nobody_guesses_which_of_them_asks(servers: Open) -> None:
    person = Person(Reply(action="decline"))
    set_up = servers(entry("asks-two", "page"))
    came = await asyncio.gather(run(set_up, person), run(set_up, person))
    assert [json.loads(it.text) for it in came] == [[{"action": "decline"}]] * 2
    (form,) = person.asked
    assert form["unsure"] is True


async def test_a_question_for_a_call_that_has_ended_is_asked_of_nobody(
    servers: Open, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    person = Person(Reply(action="accept"))
    assert (await run(servers(entry("asks-late", pipe)), person)).text == "done"
    (heard,) = json.loads(await within(asyncio.to_thread(pipe.read_text), LONG))
    assert heard.get("action") == "cancel" or "where no tool runs" in heard["message"]


async def test_a_call_that_ends_while_somebody_is_asked_ends_its_question_for_both_sides(
    servers: Open, tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    person = Person(Reply(), is_silent=True)
    running = asyncio.ensure_future(run(servers(entry("asks-and-goes-on", pipe)), person))
    await within(person.waits.wait(), LONG)
    await asyncio.to_thread(pipe.write_text, "go on")
    assert (await within(running, LONG)).text == "went on by itself"
    assert person.left.is_set()
    heard = await within(asyncio.to_thread(pipe.read_text), LONG)
    assert json.loads(heard) == [{"action": "cancel"}]


async def test_the_time_of_a_call_stands_still_while_somebody_is_asked(
    servers: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.catalogue.mcp.launches.Launch", partial(Launch, patience=4.0))
    asked, said = asyncio.Event(), asyncio.Event()

    async def ask(_: dict[str, Any]) -> Reply:
        asked.set()
        await within(said.wait(), LONG)
        return Reply(action="decline")

    set_up = servers(asking(tmp_path, question()))
    node, other = [await set_up.describe(f"asks-all:{it}") for it in ("t0", "t1")]
    call = asyncio.ensure_future(set_up.run(node, {}, lambda _: None, ask))
    await within(asked.wait(), LONG)
    # A call that begins after the question is given up after its time, which the first has, too.
    with pytest.raises(NodeFailed, match="did not answer within 4 seconds"):
        await within(set_up.run(other, {}, lambda _: None), LONG)
    said.set()
    assert json.loads((await within(call, LONG)).text) == [{"action": "decline"}]


async def test_of_two_questions_at_once_one_waits_for_the_other(
    servers: Open, tmp_path: Path
) -> None:
    person = Person(Reply(action="accept", content={"it": "a"}))
    open_now, most = 0, 0

    async def ask(form: dict[str, Any]) -> Reply:
        nonlocal open_now, most
        open_now += 1
        most = max(most, open_now)
        await asyncio.sleep(0)
        open_now -= 1
        return await person.ask(form)

    set_up = servers(asking(tmp_path, *[question()] * 3))
    node = await set_up.describe("asks-all:t0")
    await within(set_up.run(node, {}, lambda _: None, ask), LONG)
    assert (len(person.asked), most) == (3, 1)


async def test_a_flood_of_questions_is_ten_of_them(servers: Open, tmp_path: Path) -> None:
    person = Person(Reply(action="decline"))
    came = await run(servers(asking(tmp_path, *[question()] * 200)), person)
    heard = json.loads(came.text)
    assert len(person.asked) == sum(it.get("action") == "decline" for it in heard) == 10
    assert {it["message"] for it in heard if "message" in it} == {
        "it asked too often in the midst of one call"
    }


def question(message: str = "So?", **properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties or {"it": {"type": "string"}}}
    return {"message": message, "requestedSchema": schema}


def page(url: str) -> dict[str, Any]:
    return {"mode": "url", "message": "Look.", "url": url, "elicitationId": "e"}


TEXT = {"type": "string"}
UNFIT: Final = {
    "ten thousand fields": question(**{f"f{n}": TEXT for n in range(10_000)}),
    "a field of another": question(a={"type": "object", "properties": {"b": TEXT}}),
    "a list of objects": question(a={"type": "array", "items": {"type": "object"}}),
    "a list of anything": question(a={"type": "array", "items": TEXT}),
    "a field of two kinds": question(a={"type": ["string", "null"]}),
    "a field that is none": question(a=7),
    "a field without a name": question(**{"": TEXT}),
    "a name with marks of direction": question(**{"a\u202eb": TEXT}),
    "a name with a line break": question(**{"a\nb": TEXT}),
    "a long name": question(**{"a" * 101: TEXT}),
    "a reference": question(a={"$ref": "#/$defs/a"}),
    "no choices": question(a={"type": "string", "enum": []}),
    "choices that are no texts": question(a={"type": "string", "enum": [1, 2]}),
    "the same choice twice": question(a={"type": "string", "enum": ["a", "a"]}),
    "many choices": question(a={"type": "string", "enum": [f"c{n}" for n in range(51)]}),
    "no properties": {"message": "So?", "requestedSchema": {"type": "object"}},
    "a megabyte": question("x" * 1_000_000),
    "a script": page("javascript:alert(1)"),
    "a file": page("file:///etc/passwd"),
    "a command of the editor": page("command:workbench.action.quit"),
    "the editor itself": page("vscode://x.y/z"),
    "a user's name": page("https://example.org@evil.example/"),
    "a user's name and word": page("https://a:b@example.org/"),
    "a back-slash": page("https://example.org\\@evil.example/"),
    "a blank": page("https://example.org/ a"),
    "a line break": page("https://example.org/\nx"),
    "a mark of direction": page("https://example.org/\u202e"),
    "no host": page("https:///a"),
    "an empty address": page(""),
    "a long address": page("https://example.org/" + "a" * 9_000),
}
"""What a server may ask that nobody could answer as it stands."""


async def test_what_nobody_could_answer_as_it_stands_is_refused_and_the_call_goes_on(
    servers: Open, tmp_path: Path
) -> None:
    person = Person(Reply(action="accept"))
    names = list(UNFIT)
    for begin in range(0, len(names), 10):
        some = names[begin : begin + 10]
        set_up = servers(asking(tmp_path, *(UNFIT[it] for it in some)))
        heard = json.loads((await run(set_up, person)).text)
        told = dict(zip(some, heard, strict=True))
        assert {it: told[it] for it in some if "action" in told[it]} == {}
    assert person.asked == []


async def test_a_host_in_letters_of_its_own_and_what_is_said_come_to_the_letter(
    servers: Open, tmp_path: Path
) -> None:
    person = Person(Reply(action="decline"))
    bidi = question("Pay \u202e100\u0007?")
    set_up = servers(asking(tmp_path, page("https://ex\u00e4mple.org/"), bidi))
    await run(set_up, person)
    assert [it.get("url") for it in person.asked] == ["https://ex\u00e4mple.org/", None]
    assert person.asked[1]["message"] == "Pay \u202e100\u0007?"
