"""What the person undid is brought back, over a real server: all of it, or nothing of a file."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.scene import Stage
from editor.wire.test_changes import (
    BEFORE,
    TWO,
    act,
    edit,
    edited,
    files,
    message,
    planned,
    rewind,
    works,
)
from editor.wire.test_chats_that_last import kept
from editor.wire.typing import Typist
from models.script import call, text

__all__ = ["model", "own"]

pytestmark = pytest.mark.requirement("N-01")

NEW = call("write_file", {"path": "deep/new.py", "content": "a\nb\n"})


def undone(it: Own) -> Any:
    """What was told last of what can be brought back."""
    told = [
        told.event.undone
        for told in it.scene.client.told("agent/event")
        if told.chat_id == it.chat and told.event.kind == "changes"
    ]
    return told[-1]


def names(it: Own) -> list[str]:
    return ["".join(span.text for span in path) for path in undone(it).paths]


async def redo(it: Own, wanted: Any = None) -> Any:
    undo_id = (wanted or undone(it)).undo_id
    return await it.scene.client.request("change/redo", {"chatId": it.chat, "undoId": undo_id})


def tree(it: Own) -> dict[str, bytes]:
    """Every file of the workspace, with what stands in it."""
    paths = [path for path in it.scene.folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(it.scene.folder)): path.read_bytes() for path in paths}


async def test_what_was_undone_of_several_files_comes_back_by_one_act(own: OwnStage) -> None:
    it = await edited(own, TWO, NEW)
    stood, marked = tree(it), files(it.scene, it.chat)
    assert undone(it) is None
    await act(it, "undo", *marked)
    assert names(it) == ["till.py", "deep/new.py"]
    assert tree(it) != stood
    assert (await redo(it)).because == ""
    assert tree(it) == stood
    assert files(it.scene, it.chat) == marked
    assert undone(it) is None
    assert it.scene.notices(it.chat)[-1] == "You brought back the changes of till.py, deep/new.py."
    rows = [row["body"] for row in it.scene.rows("noted") if row["body"].get("what") == "redone"]
    assert [row["by"] for row in rows] == ["user", "user"]
    it.model.reply(text("I see."))
    await it.turn("And?")
    assert "brought your change to till.py, deep/new.py back" in str(it.model.requests[-1].body)


async def test_parts_that_were_undone_one_after_another_come_back_the_last_first(
    own: OwnStage,
) -> None:
    it = await edited(own, TWO)
    till = it.scene.folder / "till.py"
    texts = [till.read_text()]
    for _ in range(2):
        await act(it, "undoHunk", *files(it.scene, it.chat), hunk=0)
        texts.append(till.read_text())
    assert texts[-1] == BEFORE
    for expected in texts[-2::-1]:
        assert (await redo(it)).because == ""
        assert till.read_text() == expected
    assert undone(it) is None


async def test_whichever_way_it_was_undone_it_comes_back(own: OwnStage) -> None:
    it = await edited(own, TWO)
    stood = tree(it)

    async def by_record() -> None:
        record = await it.scene.reaches(it.chat, "succeeded", "till.py")
        params = {"chatId": it.chat, "callId": record.call_id}
        await it.scene.client.request("tool/undo", params)

    async def by_rewind() -> None:
        at = message(it, 0)
        await rewind(it, at, await planned(it, at))

    async def by_bar() -> None:
        await act(it, "undo", *files(it.scene, it.chat))

    for way in (by_bar, by_record, by_rewind):
        await way()
        assert tree(it)["till.py"].decode() == BEFORE, way
        assert (await redo(it)).because == "", way
        assert tree(it) == stood, way


async def test_very_bytes_and_large_files_come_back(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    (it.scene.folder / "wide.txt").write_bytes(b"\xff\xfe" + "line 1\nline 2\n".encode("utf-16-le"))
    (it.scene.folder / "long.txt").write_text("".join(f"number {at}\n" for at in range(500_000)))
    await works(
        it,
        edit("wide.txt", ("line 2", "line two")),
        edit("long.txt", ("number 70\n", "seventy\n")),
        edit("long.txt", ("number 400000\n", "many\n")),
    )
    stood, marked = tree(it), files(it.scene, it.chat)
    await act(it, "undo", *marked)
    assert tree(it) != stood
    assert (await redo(it)).because == ""
    assert tree(it) == stood
    assert files(it.scene, it.chat) == marked


async def test_an_undo_in_the_editor_is_brought_back_in_the_editor(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    till = it.scene.folder / "till.py"
    till.write_text(BEFORE)
    person = Typist(it.scene.client)
    person.open(till, BEFORE + "typed\n")
    await works(it, TWO)
    stood = person.text(till)
    await act(it, "undo", *files(it.scene, it.chat))
    assert person.text(till) != stood
    assert (await redo(it)).because == ""
    assert person.text(till) == stood
    assert till.read_text() == BEFORE


@pytest.mark.process
async def test_what_was_undone_comes_back_after_the_server_was_killed(
    own: OwnStage, stage: Stage
) -> None:
    it = await edited(own, TWO)
    stood = tree(it)
    await act(it, "undo", *files(it.scene, it.chat))
    before = undone(it)
    await kept(it.scene, it.chat, 4)
    it.scene.client.process.kill()
    await it.scene.client.ended()
    scene = await stage(editor=it.scene.editor, folder=it.scene.folder)
    snapshot = (await scene.client.request("agent/subscribe", {"viewId": "view"})).snapshot
    (chat,) = snapshot.chats
    assert chat.undone == before
    again = Own(scene=scene, model=it.model, chat=it.chat)
    assert (await redo(again, chat.undone)).because == ""
    assert tree(again) == stood


def written(path: Path) -> None:
    path.write_text("mine\n")


def linked(path: Path) -> None:
    path.rename(path.with_name("other.py"))
    path.symlink_to("other.py")


def foldered(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("harm", [written, linked, foldered, Path.unlink])
async def test_a_file_that_changed_since_stays_and_the_others_come_back(
    own: OwnStage, harm: Callable[[Path], None]
) -> None:
    it = await edited(own, TWO, NEW)
    stood = tree(it)
    await act(it, "undo", *files(it.scene, it.chat))
    till = it.scene.folder / "till.py"
    harm(till)
    harmed = {name: data for name, data in tree(it).items() if not name.startswith("deep/")}
    because = (await redo(it)).because
    assert because.startswith("till.py ")
    assert because.endswith("so it stays as it is.")
    now = tree(it)
    assert now.pop("deep/new.py") == stood["deep/new.py"]
    assert now == harmed
    # Nothing is lost: the way back stands until the file is again what the undo left.
    assert names(it) == ["till.py"]
    if harm is written:
        till.write_text(BEFORE)
        assert (await redo(it)).because == ""
        assert tree(it) == stood


async def test_what_is_typed_and_not_saved_is_not_written_over(own: OwnStage) -> None:
    it = await edited(own, TWO)
    till = it.scene.folder / "till.py"
    await act(it, "undo", *files(it.scene, it.chat))
    person = Typist(it.scene.client)
    person.open(till, BEFORE + "typed\n")
    because = (await redo(it)).because
    assert because == "till.py has changed since it was undone, so it stays as it is."
    assert till.read_text() == BEFORE
    assert person.asked == []


async def test_a_file_that_was_denied_since_stays(own: OwnStage) -> None:
    it = await edited(own, TWO)
    await act(it, "undo", *files(it.scene, it.chat))
    await it.scene.change_settings(user={"rules": {"deny": ["write(./till.py)"]}})
    assert (await redo(it)).because.startswith("till.py stays as it is: ")
    assert (it.scene.folder / "till.py").read_text() == BEFORE


async def test_what_the_agent_wrote_anew_is_not_offered_any_more(own: OwnStage) -> None:
    it = await edited(own, TWO, NEW)
    await act(it, "undo", *files(it.scene, it.chat))
    before = undone(it)
    await works(it, edit("till.py", ("line 9\n", "line nine\n")))
    assert names(it) == ["deep/new.py"]
    stood = tree(it)
    with pytest.raises(Refusal, match="has changed since it was shown"):
        await redo(it, before)
    assert tree(it) == stood


async def test_of_two_redos_at_once_one_holds(own: OwnStage) -> None:
    it = await edited(own, TWO)
    stood = tree(it)
    await act(it, "undo", *files(it.scene, it.chat))
    both = await asyncio.gather(redo(it), redo(it), return_exceptions=True)
    (refused,) = [each for each in both if isinstance(each, Refusal)]
    assert "has changed since it was shown" in str(refused)
    assert tree(it) == stood
