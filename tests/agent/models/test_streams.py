"""A reply as it streams, in all dialects: what comes, when a call is ready, and how it ends."""

import asyncio
import json
from contextlib import aclosing

import pytest

from agent.models.scene import HELLO, Scene, asking, ready, stopped, texts
from assent.agent.models.conversation import Said, Toolcard
from assent.agent.models.events import (
    Argued,
    CallReady,
    CallStarted,
    Event,
    Stopped,
    Text,
    Thinking,
    Used,
)
from models.script import (
    begin,
    call,
    cut,
    error,
    hold,
    leave,
    more,
    stop,
    text,
    think,
    usage,
    whole,
)
from models.server import PATIENCE, ModelServer


async def test_text_comes_as_it_is_said(scene: Scene) -> None:
    scene.server.reply(text("One two three.", pieces=3), usage(10, 4))
    events = await scene.events()
    assert [it.text for it in events if isinstance(it, Text)] == ["One t", "wo th", "ree."]
    assert [it for it in events if isinstance(it, Used)][-1] == Used(read=10, wrote=4)
    assert stopped(events) == "done"


async def test_what_was_said_arrives_while_the_stream_is_open(scene: Scene) -> None:
    scene.server.reply(text("First."), hold("more"), text(" Second."))
    heard = []
    async for event in scene.reply():
        heard.append(event)
        if texts(heard) == "First.":
            await scene.server.held("more")
            scene.server.release("more")
    assert texts(heard) == "First. Second."


@pytest.mark.requirement("C-03")
async def test_a_call_is_ready_while_the_stream_is_open(scene: Scene) -> None:
    scene.server.reply(
        call("read_file", {"path": "a"}, pieces=3), hold("tail"), text("And more."), usage(1, 2)
    )
    heard: list[Event] = []
    async for event in scene.reply():
        heard.append(event)
        if isinstance(event, CallReady):
            await scene.server.held("tail")
            assert not scene.server.requests[0].over.is_set()
            scene.server.release("tail")
    assert ready(heard) == [("read_file", '{"path": "a"}')]
    assert texts(heard) == "And more."
    assert stopped(heard) == "calls"


async def test_a_call_is_started_argued_and_ready_once_in_this_order(scene: Scene) -> None:
    scene.server.reply(call("a", {"x": "1234567890"}, pieces=4), call("b", {"y": 2}))
    events = await scene.events()
    for key in {it.key for it in events if isinstance(it, CallReady)}:
        mine = [it for it in events if getattr(it, "key", None) == key]
        (last,) = [it for it in mine if isinstance(it, CallReady)]
        assert isinstance(mine[0], CallStarted)
        assert mine[0].name == last.name
        assert mine[-1] is last
        assert "".join(it.piece for it in mine if isinstance(it, Argued)) == last.arguments
    assert [name for name, _ in ready(events)] == ["a", "b"]


async def test_calls_that_are_interleaved_are_kept_apart(scene: Scene) -> None:
    scene.server.reply(
        begin(1, "a"), begin(2, "b"), more(1, '{"x"'), more(2, '{"y": [1'), more(1, ": 1}"),
        more(2, "]}"), whole(1), whole(2),
    )  # fmt: skip
    assert sorted(ready(await scene.events())) == [("a", '{"x": 1}'), ("b", '{"y": [1]}')]


async def test_a_call_without_arguments_has_an_empty_object(scene: Scene) -> None:
    scene.server.reply(call("now"), call("then", "  "), call("soon", {}))
    assert sorted(ready(await scene.events())) == [("now", "{}"), ("soon", "{}"), ("then", "{}")]


async def test_calls_of_one_name_and_one_id_are_two(scene: Scene) -> None:
    scene.server.reply(call("a", {"n": 1}, id="same"), call("a", {"n": 2}, id="same"))
    events = await scene.events()
    assert ready(events) == [("a", '{"n": 1}'), ("a", '{"n": 2}')]
    assert len({it.key for it in events if isinstance(it, CallReady)}) == 2
    assert {it.id for it in events if isinstance(it, CallReady)} == {"same"}


async def test_arguments_that_are_no_json_are_given_as_they_came(scene: Scene) -> None:
    scene.server.reply(call("a", '{"path": oops}', pieces=2), call("b", {}))
    events = await scene.events()
    assert dict(ready(events)) == {"a": '{"path": oops}', "b": "{}"}
    assert stopped(events) == "calls"


async def test_letters_of_several_bytes_survive_any_cut(scene: Scene) -> None:
    scene.server.at_once = 1
    said = "Größe 🙂 名前"
    scene.server.reply(text(said), call("a", json.dumps({"n": said}, ensure_ascii=False)))
    events = await scene.events()
    assert texts(events) == said
    assert ready(events) == [("a", json.dumps({"n": said}, ensure_ascii=False))]


async def test_a_megabyte_of_arguments_in_small_pieces_is_one_call(scene: Scene) -> None:
    content = 'line {of} "text"\n' * 64_000
    scene.server.reply(call("write_file", {"content": content}, pieces=2_000))
    ((name, arguments),) = ready(await scene.events())
    assert name == "write_file"
    assert json.loads(arguments) == {"content": content}


async def test_a_thought_is_told_apart_from_text(scene: Scene) -> None:
    scene.server.reply(think("Let me see."), text("Seen."))
    events = await scene.events()
    assert "".join(it.text for it in events if isinstance(it, Thinking)) == "Let me see."
    assert texts(events) == "Seen."


@pytest.mark.parametrize("reason", ["length", "done"])
async def test_why_a_reply_ends_is_told(scene: Scene, reason: str) -> None:
    scene.server.reply(text("So"), stop(reason))
    assert stopped(await scene.events()) == reason


# What is broken off.


@pytest.mark.parametrize("ending", [cut(), leave()])
async def test_a_call_that_the_stream_breaks_off_is_never_ready(
    scene: Scene, ending: dict[str, object]
) -> None:
    scene.server.reply(text("Now."), begin(1, "rm"), more(1, '{"path": "/tm'), ending)
    came, why = await scene.failed()
    assert ready(came) == []
    assert texts(came) == "Now."
    assert "broke before the reply was whole" in why
    assert len(scene.server.requests) == 1, "what has begun is not begun anew"


@pytest.mark.parametrize("ending", [cut(), leave()])
async def test_a_call_without_arguments_that_is_broken_off_is_never_ready(
    scene: Scene, ending: dict[str, object]
) -> None:
    scene.server.reply(text("Now."), begin(1, "wipe"), ending)
    came, _ = await scene.failed()
    assert ready(came) == []


async def test_a_call_that_was_ready_stays_so_when_the_stream_breaks(scene: Scene) -> None:
    scene.server.reply(call("a", {"x": 1}), text("And"), cut())
    came, why = await scene.failed()
    assert ready(came) == [("a", '{"x": 1}')]
    assert "broke before" in why
    assert not any(isinstance(it, Stopped) for it in came)


async def test_a_reply_of_more_calls_than_any_model_means_is_broken_off(scene: Scene) -> None:
    scene.server.reply(*(call("a", {"n": number}) for number in range(300)))
    came, why = await scene.failed()
    assert len(ready(came)) == 256
    assert why.endswith("cannot be used: there are more than 256 calls in it.")


async def test_others_have_their_turn_while_many_pieces_come_at_once(scene: Scene) -> None:
    scene.server.reply(text("So. " * 5_000, pieces=5_000))
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(others())
    assert texts(await scene.events()) == "So. " * 5_000
    other.cancel()
    assert turns >= 50


async def test_an_error_in_mid_stream_is_told(scene: Scene) -> None:
    scene.server.reply(text("So"), error("The engine fell over."))
    came, why = await scene.failed()
    assert texts(came) == "So"
    assert why.endswith("failed: The engine fell over.")


async def test_a_reply_that_is_no_json_is_told(scene: Scene) -> None:
    scene.server.reply(text("So"), {"raw": "data: {oops\n\n"})
    _, why = await scene.failed()
    assert (
        why == f"The reply of {scene.provider().name} cannot be used: a message in it is no JSON."
    )


async def test_a_line_without_end_is_told(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "assent.agent.models.lines.lines.__kwdefaults__", {"longest": 999, "most": 9999}
    )
    scene.server.reply({"raw": "x" * 2000}, hold("never"))
    _, why = await scene.failed()
    assert "a line of it is longer than" in why


# Closing.


async def test_closing_the_stream_closes_the_connection_at_once(scene: Scene) -> None:
    scene.server.reply(text("First."), hold("never"))
    async with aclosing(scene.provider().stream(HELLO)) as events:
        async for event in events:
            if isinstance(event, Text):
                break
    async with asyncio.timeout(PATIENCE):
        await scene.server.requests[0].closed.wait()


@pytest.mark.parametrize("before", [[], [text("First.")]])
async def test_being_cancelled_closes_the_connection_at_once(
    scene: Scene, before: list[dict[str, object]]
) -> None:
    scene.server.reply(*before, hold("never"))
    reading = asyncio.create_task(scene.events())
    await scene.server.held("never")
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    async with asyncio.timeout(PATIENCE):
        await scene.server.requests[0].closed.wait()


async def test_being_cancelled_in_the_middle_of_a_handshake_closes_the_connection_at_once(
    scene: Scene,
) -> None:
    greeted, left = asyncio.Event(), asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        greeted.set()
        await reader.read()
        left.set()
        writer.close()

    silent = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    async with silent, asyncio.timeout(PATIENCE):
        url = f"https://127.0.0.1:{silent.sockets[0].getsockname()[1]}"
        asking = asyncio.create_task(scene.events(url=url))
        await greeted.wait()
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await left.wait()


async def test_replies_of_several_chats_stream_side_by_side(server: ModelServer) -> None:
    scenes = [Scene(server=server, dialect="openai") for _ in range(8)]
    for number in range(8):
        server.reply(text(f"{number}"), hold("all"), when=f"number {number}")
    asked = [
        asyncio.create_task(scene.events(asking(Said(text=f"number {number}"))))
        for number, scene in enumerate(scenes)
    ]
    await server.asked(8)
    server.release("all")
    assert [texts(events) for events in await asyncio.gather(*asked)] == list("01234567")


# What is sent.


async def test_tools_are_told_in_the_words_of_each_dialect(scene: Scene) -> None:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    card = Toolcard(name="read_file", says="Reads a file.", schema=schema)
    scene.server.reply(text("Thanks."))
    await scene.events(asking(tools=(card,), most_tokens=77))
    body = scene.server.requests[0].body
    told = json.dumps(body)
    (tool,) = body["tools"]
    assert tool.get("function", tool)["name"] == "read_file"
    assert json.dumps(schema) in told
    assert "Reads a file." in told
    assert "Be brief." in told
    assert body["stream"] is True
    names = {"openai": "max_tokens", "responses": "max_output_tokens", "anthropic": "max_tokens"}
    most = names.get(scene.dialect)
    assert (body[most] if most else body["options"]["num_predict"]) == 77


async def test_a_request_without_tools_names_none(scene: Scene) -> None:
    scene.server.reply(text("So."))
    await scene.events()
    assert "tools" not in scene.server.requests[0].body


async def test_half_a_letter_from_a_host_becomes_a_question_mark(scene: Scene) -> None:
    half = {
        "openai": {"choices": [{"delta": {"content": "a\ud83dz"}}]},
        "responses": {"type": "response.output_text.delta", "delta": "a\ud83dz"},
        "anthropic": {
            "type": "content_block_delta",
            "delta": {"type": "text_delta", "text": "a\ud83dz"},
        },
        "ollama": {"message": {"content": "a\ud83dz"}},
    }
    scene.server.reply({"frame": half[scene.dialect]})
    assert texts(await scene.events()) == "a?z"


async def test_half_a_letter_of_ours_is_sent_as_a_question_mark(scene: Scene) -> None:
    scene.server.reply(text("So."))
    await scene.events(asking(Said(text="a\ud83dz")))
    assert scene.server.requests[0].last.split("\n")[-1] == "a?z"


@pytest.mark.parametrize("more_blank", [" ", "\n\n", ""])
async def test_blanks_behind_arguments_are_harmless(scene: Scene, more_blank: str) -> None:
    scene.server.reply(begin(1, "a"), more(1, '{"x": 1}'), more(1, more_blank), whole(1))
    assert [name for name, _ in ready(await scene.events())] == ["a"]
