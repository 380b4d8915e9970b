"""What the person sees reaches the model as notes, and nothing that was sent before changes."""

import json

import pytest

from agent.loop.scene import Table, calling, saying
from assent.agent.models.conversation import Said
from assent.gate.call.modes import Mode

requirement = pytest.mark.requirement


def words(table: Table) -> list[str]:
    """What stands where only the person speaks."""
    return [it.text for it in table.turns if isinstance(it, Said)]


@requirement("N-05")
async def test_what_the_person_sees_is_told_before_their_words(table: Table) -> None:
    table.seen = "[sees a.py]"
    table.model.will(saying("Yes."))
    await table.says("What is this?")
    assert words(table) == ["[sees a.py]\n\nWhat is this?"]


async def test_it_is_told_again_only_once_it_is_something_else(table: Table) -> None:
    table.model.will(saying("1"), saying("2"), saying("3"))
    for seen in ("[sees a.py]", "[sees a.py]", "[sees b.py]"):
        table.seen = seen
        await table.says("go")
    assert words(table) == ["[sees a.py]\n\ngo", "go", "[sees b.py]\n\ngo"]


async def test_what_was_sent_before_stays_as_it_was(table: Table) -> None:
    table.model.will(*(saying(str(number)) for number in range(4)))
    for number in range(4):
        table.seen = f"[sees {number}]"
        await table.says("go")
    for before, after in zip(table.model.requests, table.model.requests[1:], strict=False):
        assert after.turns[: len(before.turns)] == before.turns
        assert after.system == before.system
        assert after.tools == before.tools


async def test_it_is_told_anew_once_it_was_left_out(table: Table) -> None:
    table.seen = "[sees a.py]"
    table.model.will(saying("1"), saying("2"))
    await table.says("go")
    table.chat.conversation.begin_with(Said(text="[notes]"), table.turns[1:])
    await table.says("on")
    assert words(table)[-1] == "[sees a.py]\n\non"


@requirement("M-04")
async def test_what_an_edit_broke_stands_with_its_result(table: Table) -> None:
    (table.root / "a.ts").write_text("let a = 1\n")
    table.mode, table.wrong = Mode.ACCEPT_EDITS, {"a.ts": "[line 1: wrong type]"}
    edit = {"path": "a.ts", "edits": [{"old": "1", "new": "''"}]}
    look = {"path": "a.ts"}
    table.model.will(
        calling(("edit_file", json.dumps(edit)), ("read_file", json.dumps(look))), saying("Done.")
    )
    await table.says()
    first, second = table.results
    assert first.text == "Changed a.ts: now line 1.\n\n[line 1: wrong type]"
    assert not first.failed
    assert "wrong type" not in second.text


async def test_an_edit_that_failed_is_not_looked_at(table: Table) -> None:
    (table.root / "a.ts").write_text("let a = 1\n")
    table.mode, table.wrong = Mode.ACCEPT_EDITS, {"a.ts": "[line 1: wrong type]"}
    edit = {"path": "a.ts", "edits": [{"old": "2", "new": "3"}]}
    table.model.will(calling(("edit_file", json.dumps(edit))), saying("Done."))
    await table.says()
    (result,) = table.results
    assert result.failed
    assert "wrong type" not in result.text


async def test_an_edit_is_done_also_where_nobody_can_say_what_it_broke(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> str:
        raise OSError("no eyes")

    (table.root / "a.ts").write_text("let a = 1\n")
    table.mode = Mode.ACCEPT_EDITS
    object.__setattr__(table.assistants._setup, "problems", broken)
    edit = {"path": "a.ts", "edits": [{"old": "1", "new": "2"}]}
    table.model.will(calling(("edit_file", json.dumps(edit))), saying("Done."))
    await table.says()
    (result,) = table.results
    assert (result.failed, result.text) == (False, "Changed a.ts: now line 1.")
