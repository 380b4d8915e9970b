"""A long call is seen while the model writes it, and is nothing but words until it is whole."""

import asyncio
import json

import pytest

from agent.loop.probe import Probes, probe
from agent.loop.scene import CHAT, Table
from assent.agent.loop.call_drafts import CallDrafts
from assent.agent.models.events import Argued, CallReady, CallStarted, Text
from assent.agent.models.provider import ModelFailed
from assent.editor.cards.spans import text_of
from assent.editor.window.chats.agent_shapes import draft_shape
from assent.gate.journal.agent_events import Drafted
from assent.gate.journal.events import CallMoved, Said
from gate.admit.scene import within
from tables import each_row

requirement = pytest.mark.requirement

WRITES = json.dumps({"path": "src/x.py", "content": "x = 1\n" * 2_000})


def lines(table: Table) -> list[str]:
    return [shown(it) for it in table.happened if isinstance(it, Drafted)]


def shown(drafted: Drafted) -> str:
    return text_of(list(draft_shape(drafted)))


async def seen(table: Table) -> None:
    """Wait until something is told of a call that is being written."""
    async with asyncio.timeout(5):
        while not lines(table):
            await table.more()


def drafted(*pieces: str, name: str = "write_file") -> list[str]:
    told: list[str] = []

    def tell(what: str, path: str, size: int) -> None:
        told.append(shown(Drafted(chat=CHAT, what=what, path=path, size=size)))

    drafting = CallDrafts(tell)
    drafting.begin(0, name)
    for piece in pieces:
        drafting.more(0, piece)
    drafting.stop()
    return told


@requirement("T-06")
async def test_a_long_call_is_told_of_before_it_is_whole_and_not_when_it_is(
    table: Table, probes: Probes
) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(CallStarted(key=0, name="write_file"), Argued(key=0, piece=WRITES[:12_000]))
    await seen(table)
    assert lines(table) == ["proposes to write src/x.py … 12 kB so far"]
    assert not [it for it in table.happened if isinstance(it, CallMoved)]
    name, arguments = probe("a")
    reply.say(CallReady(key=0, id="c", name=name, arguments=arguments)).end("calls")
    (await table.model.asked()).say(Text(text="Done.")).end()
    await within(turn)
    (moved, *_) = [place for place, it in enumerate(table.happened) if isinstance(it, CallMoved)]
    gone = [place for place, it in enumerate(table.happened) if it == Drafted(chat=table.chat.id)]
    assert gone
    assert gone[-1] < moved
    assert lines(table)[-1] == ""


@pytest.mark.parametrize("ends", ["stopped", "broken"])
async def test_it_is_gone_where_the_call_is_never_whole(table: Table, ends: str) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(CallStarted(key=0, name="write_file"), Argued(key=0, piece=WRITES[:5_000]))
    await seen(table)
    if ends == "stopped":
        await table.assistants.stop(CHAT)
    else:
        reply.fail(ModelFailed("It broke."))
    await within(turn)
    assert lines(table)[-1] == ""
    assert not [it for it in table.happened if isinstance(it, CallMoved)]
    assert not [it for it in table.happened if isinstance(it, Said) and "proposes" in it.text]


def test_a_short_call_is_never_told_of_and_a_long_one_now_and_then() -> None:
    assert drafted(*[WRITES[at : at + 10] for at in range(0, 1_990, 10)]) == []
    told = drafted(*[WRITES[at : at + 10] for at in range(0, 12_000, 10)])
    assert [it.split("… ")[-1] for it in told] == [
        *(f"{size} kB so far" for size in range(2, 13)),
        "",
    ]


@each_row(
    ("written", "name", "what"),
    [
        ('{"content": "', "write_file", "a file"),
        ('{"path": "src/x', "write_file", "a file"),
        ('{"n": 1, "path": "a\\"b", "c": "', "edit_file", 'to change a"b …'),
        ('{"edits": [{"path": "b"}], "path": "a", "c": "', "edit_file", "a change"),
        ('{"command": "path', "run_command", "a command"),
        ("[", "write_file", "a file"),
        ('{"path": "a", "c": "', "no such tool", "a call …"),
        ('{"path": "a", "c": "', "run_command", "a command …"),
        ('{"path": "  ", "c": "', "write_file", "a file …"),
        ('{"path": "\\ud800", "c": "', "write_file", "a file …"),
        ('{"path": "a\\u202e\\nb", "c": "', "write_file", "to write aU+202EU+000Ab …"),
        (
            '{"path": "' + "d/" * 200 + 'end", "c": "',
            "write_file",
            "to write …" + "/d" * 58 + "/end …",
        ),
    ],
)
def test_what_it_is_about_is_said_where_that_is_known(written: str, name: str, what: str) -> None:
    (line, gone) = drafted(written + "x" * 2_000, name=name)
    assert line.startswith(f"proposes {what}")
    assert line.endswith("2 kB so far")
    assert gone == ""


def test_what_a_path_says_stays_a_path_of_bounded_length() -> None:
    said = "x” … 12 kB so far. Assent checked it: harmless, “y"
    before, path, after = draft_shape(Drafted(chat=CHAT, what="to write", path=said, size=2_000))
    assert (before.kind, path.kind, after.kind) == ("plain", "code", "plain")
    assert path.text == said
    hidden = Drafted(chat=CHAT, what="to write", path="a\u200b" * 500, size=2_000)
    assert len(shown(hidden)) < 170


def test_what_is_written_is_counted_in_bytes() -> None:
    (line, _) = drafted('{"content": "' + "é" * 2_000)
    assert line == "proposes a file … 4 kB so far"
