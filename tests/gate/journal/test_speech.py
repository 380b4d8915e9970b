"""Speech is told in larger pieces, and stays whole and in its place."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.call.calls import AgentId, CallId, ChatId
from assent.gate.journal.events import AgentMoved, CallPrinted, Happening, Noticed, Said
from assent.gate.journal.speech import Speech

A, B = ChatId("a"), ChatId("b")


def said(text: str, chat: ChatId = A, message: str = "1") -> Said:
    return Said(chat=chat, who="agent", message=message, text=text)


async def test_a_burst_is_told_in_two_pieces_and_loses_nothing() -> None:
    told: list[Happening] = []
    speech = Speech(told.append, pause=3600)
    for number in range(1_000):
        speech.tell(said(str(number % 10)))
    assert told == [said("0")]
    speech.forget(A)
    assert told[1:] == [said("".join(str(number % 10) for number in range(1, 1_000)))]


async def test_what_else_happens_in_the_chat_comes_behind_what_was_said_before() -> None:
    told: list[Happening] = []
    speech = Speech(told.append, pause=3600)
    notice = Noticed(chat=A, level="info", text="n")
    for one in (
        said("a"),
        said("b"),
        notice,
        said("c"),
        AgentMoved(agent=AgentId("x"), state="failed"),
    ):
        speech.tell(one)
    assert told == [said("a"), said("b"), notice, AgentMoved(agent=AgentId("x"), state="failed")]
    speech.forget(A)
    assert told[-1] == said("c")


async def test_the_output_of_calls_is_gathered_by_call_and_keeps_its_place() -> None:
    told: list[Happening] = []
    speech = Speech(told.append, pause=3600)

    def printed(call: str, text: str) -> CallPrinted:
        return CallPrinted(chat=A, call=CallId(call), text=text)

    for one in (said("a"), printed("1", "x"), printed("1", "y"), printed("2", "z"), said("b")):
        speech.tell(one)
    speech.forget(A)
    assert told == [said("a"), printed("1", "xy"), printed("2", "z"), said("b")]


async def test_one_chat_does_not_hold_up_another() -> None:
    told: list[Happening] = []
    speech = Speech(told.append, pause=3600)
    for one in (said("a"), said("b"), said("c", chat=B)):
        speech.tell(one)
    assert told == [said("a"), said("c", chat=B)]
    speech.forget(A)
    speech.forget(B)


async def test_what_is_held_back_is_told_by_itself() -> None:
    told: list[Happening] = []
    there = asyncio.Event()

    def tell(happening: Happening) -> None:
        told.append(happening)
        if len(told) == 2:
            there.set()

    speech = Speech(tell, pause=0.001)
    speech.tell(said("a"))
    speech.tell(said("b"))
    async with asyncio.timeout(5):
        await there.wait()
    assert told == [said("a"), said("b")]
    speech.forget(A)


@pytest.mark.filterwarnings("default")
@given(
    st.lists(
        st.tuples(
            st.sampled_from([A, B]), st.sampled_from(["1", "2", "flush"]), st.text(max_size=3)
        )
    )
)
def test_the_words_of_a_chat_are_the_same_before_and_behind(
    script: list[tuple[ChatId, str, str]],
) -> None:
    told: list[Happening] = []

    async def play() -> None:
        speech = Speech(told.append, pause=3600)
        for chat, message, text in script:
            if message == "flush":
                speech.flush(chat)
            else:
                speech.tell(said(text, chat=chat, message=message))
        speech.forget(A)
        speech.forget(B)

    asyncio.run(play())
    for chat in (A, B):
        before = [(m, t) for c, m, t in script if c == chat and m != "flush"]
        behind = [
            (one.message, one.text) for one in told if isinstance(one, Said) and one.chat == chat
        ]
        assert joined(before) == joined(behind)


def joined(pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Neighbours of the same message put together, and what is empty left out."""
    whole: list[tuple[str, str]] = []
    for message, text in pieces:
        if whole and whole[-1][0] == message:
            whole[-1] = (message, whole[-1][1] + text)
        elif text:
            whole.append((message, text))
    return [one for one in whole if one[1]]
