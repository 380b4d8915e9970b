"""Pictures and documents in a chat: shown, counted, and left out when there is no room."""

import asyncio
import base64
import json

import pytest

from agent.loop.scene import CHAT, Model, Table, calling, check, saying, without_mode
from assent.agent.loop.attachments import MAX_ATTACHMENTS
from assent.agent.loop.compaction import _parted
from assent.agent.loop.conversation import Conversation, length_of
from assent.agent.models.attachments import Attachment, picture
from assent.agent.models.conversation import Answered, Result, Said, Wanted
from assent.agent.models.provider import WindowFull
from assent.agent.models.shown_media import attached
from assent.gate.call.errors import AgentFailed
from assent.gate.call.modes import Mode
from assent.gate.journal.agent_events import MAX_MEDIA_A_TURN, Image, Pictured
from assent.gate.journal.events import CallPrinted, Noticed
from assent.gate.journal.events import Said as Spoken
from pictures import PDF, png
from replies import replied

requirement = pytest.mark.requirement


def image(raw: bytes = png()) -> Image:
    data = base64.b64encode(raw).decode()
    return Image(mime="image/png", data=data, width=30, height=20)


def shot(shade: int = 0, width: int = 30) -> Attachment:
    found = picture(png(width, shade=shade))
    assert found is not None
    return found


def read(path: str) -> tuple[str, str]:
    return "read_file", json.dumps({"path": path})


def shown_to(table: Table, number: int = -1) -> list[Attachment]:
    return list(attached(table.model.requests[number].turns))


def pictured(table: Table) -> list[Pictured]:
    return [it for it in table.happened if isinstance(it, Pictured)]


async def test_a_picture_goes_with_what_the_person_says_and_stands_in_the_chat(
    table: Table,
) -> None:
    table.model.will(saying("A grey one."), saying("Still grey."))
    assert await table.says("What is this?", image()) == ("done", "")
    (turn,) = without_mode(table.model.requests[0].turns)
    assert isinstance(turn, Said)
    assert turn.text.endswith("What is this?")
    assert [it.data for it in turn.attached] == [image().data]
    order = [type(it) for it in table.happened if isinstance(it, Spoken | Pictured)][:2]
    assert order == [Spoken, Pictured]
    assert pictured(table) == [Pictured(chat=CHAT, image=image(), is_own=True)]
    # It stays where it was said.
    await table.says("And now?")
    assert len(shown_to(table)) == 1


async def test_where_the_model_takes_none_nothing_is_said_and_a_sentence_tells_why(
    table: Table,
) -> None:
    table.model.kinds = frozenset()
    with pytest.raises(AgentFailed, match="parrot takes no such pictures, so nothing was sent"):
        await table.says("What is this?", image())
    assert (table.happened, table.turns, table.model.requests) == ([], (), [])
    # The next words are as ever.
    table.model.will(saying("Hello."))
    assert await table.says("Hello?") == ("done", "")


async def test_a_chat_that_was_closed_meanwhile_is_said_to_be_none(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def takes(_: Model) -> frozenset[str]:
        asked.set()
        await go.wait()
        return frozenset({"image/png"})

    monkeypatch.setattr(Model, "takes", takes)
    prompt = table.prompt("What is this?", image())
    await asked.wait()
    await table.assistants.close(CHAT)
    go.set()
    with pytest.raises(AgentFailed, match="no such chat"):
        await prompt
    assert table.model.requests == []


async def test_a_picture_that_is_shown_while_it_works_comes_with_the_words(table: Table) -> None:
    turn = table.prompt("Begin.")
    reply = await table.model.asked()
    more = table.prompt("Like this.", image())
    await table.heard("Like this.")
    reply.end()
    (await table.model.asked()).end()
    assert (await turn)[0] == (await more)[0] == "done"
    assert [it.data for it in shown_to(table)] == [image().data]


async def test_a_picture_that_is_read_is_shown_to_the_model_and_to_the_person(
    table: Table,
) -> None:
    (table.root / "a.png").write_bytes(png())
    (table.root / "a.pdf").write_bytes(PDF)
    table.model.will(calling(read("a.png"), read("a.pdf")), saying("Seen."))
    assert await table.says("Look.") == ("done", "")
    first, second = table.results
    assert first.text == f"a.png is a PNG image, 30 × 20 ({len(png())} bytes). It is shown to you."
    assert [it.name for it in (*first.attached, *second.attached)] == ["a.png", "a.pdf"]
    assert [(it.image.data, it.is_own) for it in pictured(table)] == [(image().data, False)]
    (of,) = {it.call for it in pictured(table)}
    assert of == table.calls[0].id
    printed = [it.text for it in table.happened if isinstance(it, CallPrinted)]
    assert f"a PNG image, 30 × 20 ({len(png())} bytes)" in printed


MORE = "Assent shows more pictures and sounds than are shown here."


async def test_more_than_a_chat_shows_in_one_turn_are_told_of_once(table: Table) -> None:
    for number in range(MAX_MEDIA_A_TURN + 2):
        (table.root / f"{number}.png").write_bytes(png(shade=number))
    reads = [read(f"{number}.png") for number in range(MAX_MEDIA_A_TURN + 2)]
    within = ("run_subtask", json.dumps({"name": "look", "prompt": "Look at the others."}))
    table.model.will(
        calling(*reads[:-2]),
        calling(within),
        calling(*reads[-2:]),
        saying("Seen."),
        saying("All seen."),
    )
    assert await table.says("Look at all.") == ("done", "")
    assert len(pictured(table)) == MAX_MEDIA_A_TURN
    notices = [it.text for it in table.happened if isinstance(it, Noticed)]
    assert notices.count(MORE) == 1
    # What was asked of the model was answered all the same, and the next turn begins anew.
    assert len(shown_to(table, 1)) == MAX_MEDIA_A_TURN
    table.model.will(calling(reads[0]), saying("Seen again."))
    await table.says("Once more.")
    assert len(pictured(table)) == MAX_MEDIA_A_TURN + 1


async def test_a_read_that_is_refused_shows_nothing(table: Table) -> None:
    (table.root / "a.png").write_bytes(png())
    table.mode = Mode.ASK
    table.model.will(calling(read("a.png")), saying("Then not."))
    turn = table.prompt("Look.")
    await table.deny(await table.card())
    assert (await turn)[0] == "done"
    assert shown_to(table) == []
    assert pictured(table) == []


async def test_it_is_kept_nowhere_but_in_the_conversation(table: Table) -> None:
    (table.root / "a.png").write_bytes(png(900, 900, shade=7))
    data = base64.b64encode(png(900, 900, shade=7)).decode()
    table.model.will(calling(read("a.png")), saying("Seen."))
    await table.says("Look.", image())
    assert data in str([it.data for it in shown_to(table)])
    files = [it for it in table.root.parent.rglob("*") if it.is_file()]
    for it in files:
        held = it.read_bytes()
        assert data[:200].encode() not in held, it
        assert image().data.encode() not in held, it


# Room.


def test_a_picture_counts_as_what_it_takes() -> None:
    talk = Conversation()
    talk.say("So.", (shot(width=1_500),))
    plain = Conversation()
    plain.say("So.")
    taken = talk.tokens("", ()) - plain.tokens("", ())
    assert taken == shot(width=1_500).tokens
    # Its bytes are far more.
    assert len(shot(width=1_500).data) != taken * 4


async def test_more_than_hosts_take_at_once_leave_the_oldest_out_and_say_so(table: Table) -> None:
    for number in range(MAX_ATTACHMENTS + 1):
        (table.root / f"{number}.png").write_bytes(png(shade=number))
    reads = [calling(read(f"{number}.png")) for number in range(MAX_ATTACHMENTS + 1)]
    table.model.will(*reads, saying("All seen."))
    assert await table.says("Look at all.") == ("done", "")
    kept = [it.name for it in shown_to(table)]
    assert kept == [
        f"{number}.png"
        for number in range(MAX_ATTACHMENTS + 1 - MAX_ATTACHMENTS // 2, MAX_ATTACHMENTS + 1)
    ]
    results = [it for turn in table.turns if isinstance(turn, Answered) for it in turn.results]
    assert results[0].text.endswith(
        "[0.png (a PNG image, 30 × 20): it was left out, since there were too many.]"
    )
    notices = [it.text for it in table.happened if isinstance(it, Noticed) and it.text != MORE]
    assert len(notices) == 1
    gone = MAX_ATTACHMENTS + 1 - MAX_ATTACHMENTS // 2
    assert f"its {gone} oldest pictures or documents were left out" in notices[0]
    check(table.turns)


async def test_what_is_summed_up_is_named_and_what_was_asked_with_last_is_shown_again(
    table: Table,
) -> None:
    table.model.tokens = 20_000
    for number in range(3):
        (table.root / f"{number}.txt").write_text("a line of words\n" * 830)
    (table.root / "a.png").write_bytes(png(shade=9))
    reads = [calling(read(f"{number}.txt")) for number in range(3)]
    table.model.will(calling(read("a.png")), *reads, saying("NOTES"), saying("Done."))
    assert await table.says("Make it like this.", image()) == ("done", "")
    *_, notes, last = table.model.requests
    (told,) = notes.turns
    assert isinstance(told, Said)
    assert "Make it like this. [a PNG image, 30 × 20]" in told.text
    assert "It is shown to you. [a.png (a PNG image, 30 × 20)]" in told.text
    assert list(attached(notes.turns)) == []
    first = last.turns[0]
    assert isinstance(first, Said)
    assert "NOTES" in first.text
    assert [it.data for it in first.attached] == [image().data]
    check(last.turns)


async def test_a_model_that_is_full_of_pictures_alone_is_asked_without_them(table: Table) -> None:
    table.model.will(lambda reply: reply.fail(WindowFull("It is full.")), saying("What was it?"))
    assert await table.says("What is this?", image()) == ("done", "")
    assert len(shown_to(table, 0)) == 1
    assert shown_to(table) == []
    assert "it was left out, since there" in str(table.model.requests[-1].turns[0])


def test_results_that_are_left_out_take_their_pictures_along() -> None:
    talk = Conversation()
    talk.say("Look.")
    call = Wanted(id="1", name="read_file", arguments="{}")
    result = Result(call="1", name="read_file", text="x", attached=(shot(width=1_500),))
    talk.reply(replied("", call), [result], None)
    talk.reply(replied("Seen."), [], None)
    assert talk.empty_results(10, keep=1) == 1
    assert list(attached(talk.turns)) == []
    assert sum(map(length_of, talk.turns)) < 100


def test_a_turn_is_as_long_as_what_it_shows() -> None:
    turns = (Said(text="a", attached=(shot(width=1_500),)), replied("b"), Said(text="c"))
    older, kept = _parted(turns, 100)
    assert (len(older), len(kept)) == (1, 2)
