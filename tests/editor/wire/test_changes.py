"""What edits of a chat have changed, over a real server: kept, undone, never written wrongly."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.own import Own, OwnStage, model, own
from editor.wire.scene import Scene, Stage
from editor.wire.test_chats_that_last import kept
from editor.wire.typing import Typist
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement

BEFORE = "".join(f"line {at}\n" for at in range(1, 31))


def edit(path: str, *changes: tuple[str, str]) -> object:
    return call("edit_file", {"path": path, "edits": [{"old": a, "new": b} for a, b in changes]})


async def edited(own: OwnStage, *edits: object, **user: Any) -> Own:
    """A chat whose agent has made these edits."""
    it = await own(mode="acceptEdits", **user)
    (it.scene.folder / "till.py").write_text(BEFORE, newline="")
    await works(it, *edits)
    return it


async def works(it: Own, *edits: object) -> None:
    """Have the agent make these edits in one turn."""
    for one in edits:
        it.model.reply(one)
    it.model.reply(text("Done."))
    assert (await it.turn()).reason == "done"


TWO = edit("till.py", ("line 2\n", "line two\n"), ("line 25\n", "line 25\nmore\n"))


def files(scene: Scene, chat: str) -> list[Any]:
    """The files with changes, as they were told last."""
    told = [
        it.event.files
        for it in scene.client.told("agent/event")
        if it.chat_id == chat and it.event.kind == "changes"
    ]
    return told[-1] if told else []


def name(file: Any) -> str:
    return "".join(it.text for it in file.path)


async def act(it: Own, what: str, *found: Any, **more: Any) -> Any:
    """Keep or undo these files, or a hunk of one."""
    at = [{"fileId": file.file_id, "digest": file.digest} for file in found]
    params = at[0] if more else {"files": at}
    return await it.scene.client.request(f"change/{what}", {"chatId": it.chat, **params, **more})


async def show(it: Own, file: Any) -> Any:
    params = {"chatId": it.chat, "fileId": file.file_id, "digest": file.digest}
    return await it.scene.client.request("change/show", params)


# What is told.


@requirement("N-01")
async def test_the_files_that_edits_changed_are_told_with_their_lines(own: OwnStage) -> None:
    it = await edited(own, TWO, call("write_file", {"path": "new.py", "content": "a\nb\n"}))
    till, new = files(it.scene, it.chat)
    assert (name(till), till.added, till.removed, till.new) == ("till.py", 2, 1, False)
    assert (name(new), new.added, new.removed, new.new) == ("new.py", 2, 0, True)
    shown = await show(it, till)
    assert [len(hunk.lines) for hunk in shown.file.hunks] == [6, 7]
    assert (shown.apart, shown.note) == (True, "")


@requirement("N-01")
async def test_an_edit_that_was_refused_changes_nothing(own: OwnStage) -> None:
    it = await own()
    it.model.reply(call("write_file", {"path": "a.txt", "content": "x"}))
    it.model.reply(text("Well."))
    turn = it.say()
    await it.scene.answer(await it.scene.card(), "deny")
    await turn
    assert files(it.scene, it.chat) == []


@requirement("N-01")
async def test_what_agents_of_other_people_edit_is_told_as_well(stage: Stage) -> None:
    scene = await stage(editor=Editor(choose=lambda confirm: confirm.actions[0]))
    chat = await scene.chat("eliza", "acceptEdits")
    await scene.turn(chat, "write notes.txt hello")
    (file,) = files(scene, chat)
    assert name(file) == "notes.txt"
    at = {"fileId": file.file_id, "digest": file.digest}
    await scene.client.request("change/undo", {"chatId": chat, "files": [at]})
    assert not (scene.folder / "notes.txt").exists()


# Keep and undo.


@requirement("N-01")
async def test_one_hunk_is_undone_the_other_kept_and_the_bar_is_empty(own: OwnStage) -> None:
    it = await edited(own, TWO)
    done = await act(it, "undoHunk", *files(it.scene, it.chat), hunk=0)
    assert done.because == ""
    till = it.scene.folder / "till.py"
    assert till.read_text() == BEFORE.replace("line 25\n", "line 25\nmore\n")
    (file,) = files(it.scene, it.chat)
    assert (file.added, file.removed) == (1, 0)
    await act(it, "keepHunk", file, hunk=0)
    assert files(it.scene, it.chat) == []
    assert till.read_text() == BEFORE.replace("line 25\n", "line 25\nmore\n")


@requirement("N-01")
async def test_a_file_is_undone_and_one_that_was_not_there_is_gone_again(own: OwnStage) -> None:
    new = call("write_file", {"path": "deep/new.py", "content": "a\n"})
    it = await edited(own, TWO, new)
    await act(it, "undo", *files(it.scene, it.chat))
    assert (it.scene.folder / "till.py").read_text() == BEFORE
    assert not (it.scene.folder / "deep" / "new.py").exists()
    assert files(it.scene, it.chat) == []
    assert it.scene.notices(it.chat) == ["You undid the changes of till.py, deep/new.py."]
    noted = [row["body"] for row in it.scene.rows("noted") if row["body"].get("what") == "undone"]
    assert [row["by"] for row in noted] == ["user", "user"]
    it.model.reply(text("I see."))
    await it.turn("And?")
    assert "undid your change to till.py, deep/new.py" in str(it.model.requests[-1].body)


@requirement("N-01")
async def test_what_is_kept_is_marked_no_more_and_what_comes_then_is_held_against_it(
    own: OwnStage,
) -> None:
    it = await edited(own, TWO)
    await act(it, "keep", *files(it.scene, it.chat))
    assert files(it.scene, it.chat) == []
    await works(it, edit("till.py", ("line 9\n", "line nine\n")))
    (file,) = files(it.scene, it.chat)
    assert (file.added, file.removed) == (1, 1)
    await act(it, "undo", file)
    kept = BEFORE.replace("line 2\n", "line two\n").replace("line 25\n", "line 25\nmore\n")
    assert (it.scene.folder / "till.py").read_text() == kept


@requirement("N-01")
async def test_what_the_record_undoes_is_gone_from_the_bar(own: OwnStage) -> None:
    it = await edited(own, TWO)
    record = await it.scene.reaches(it.chat, "succeeded", "till.py")
    await it.scene.client.request("tool/undo", {"chatId": it.chat, "callId": record.call_id})
    assert (it.scene.folder / "till.py").read_text() == BEFORE
    assert files(it.scene, it.chat) == []


@requirement("N-01")
async def test_the_diff_shows_what_stands_there_by_now(own: OwnStage) -> None:
    it = await edited(own, TWO)
    (file,) = files(it.scene, it.chat)
    (it.scene.folder / "till.py").write_text("mine\n")
    params = {"chatId": it.chat, "fileId": file.file_id, "digest": file.digest}
    await it.scene.client.request("change/openDiff", params)
    (shown,) = it.scene.editor.diffs
    assert (shown.old, shown.new) == (BEFORE, "mine\n")


@requirement("N-01")
async def test_the_diffs_of_all_files_are_shown_together_and_no_stale_one_of_them(
    own: OwnStage,
) -> None:
    it = await edited(own, TWO)
    (file,) = files(it.scene, it.chat)
    at = {"fileId": file.file_id, "digest": file.digest}
    request = it.scene.client.request
    await request("change/openDiffs", {"chatId": it.chat, "files": [at]})
    (shown,) = it.scene.editor.diffs
    assert (shown.old, shown.title) == (BEFORE, "till.py (as the agent changed it)")
    with pytest.raises(Refusal):
        await request("change/openDiffs", {"chatId": it.chat, "files": [at, {**at, "digest": "x"}]})
    assert len(it.scene.editor.diffs) == 1


# It outlives the server.


@pytest.mark.process
@requirement("N-12")
async def test_changes_outlive_a_server_that_is_killed_and_go_with_their_chat(
    own: OwnStage, stage: Stage
) -> None:
    it = await edited(own, TWO)
    await act(it, "undoHunk", *files(it.scene, it.chat), hunk=0)
    (before,) = files(it.scene, it.chat)
    # What was said is kept a moment later than what was changed.
    await kept(it.scene, it.chat, 4)
    it.scene.client.process.kill()
    await it.scene.client.ended()
    scene = await stage(editor=it.scene.editor, folder=it.scene.folder)
    snapshot = (await scene.client.request("agent/subscribe", {"viewId": "view"})).snapshot
    (chat,) = snapshot.chats
    assert chat.changes == [before]
    again = Own(scene=scene, model=it.model, chat=it.chat)
    await act(again, "undo", before)
    assert (scene.folder / "till.py").read_text() == BEFORE
    assert [it.suffix for it in (scene.state / "changes").iterdir()] == [".log"]
    await scene.client.request("chat/delete", {"chatId": it.chat})
    assert list((scene.state / "changes").iterdir()) == []


@requirement("N-12")
@pytest.mark.parametrize("harm", ["a letter", "another chat's", "cut in a line"])
async def test_what_somebody_else_wrote_down_is_not_gone_by(
    own: OwnStage, stage: Stage, harm: str
) -> None:
    it = await edited(own, TWO)
    assert await it.scene.client.leave() == 0
    (log,) = (it.scene.state / "changes").iterdir()
    data = log.read_bytes()
    harmed = {
        "a letter": data.replace(b"line 30", b"line 3x"),
        "another chat's": b"0" * 64 + data[64:],
        "cut in a line": data[:-20],
    }
    assert harmed[harm] != data
    log.write_bytes(harmed[harm])
    scene = await stage(editor=it.scene.editor, folder=it.scene.folder)
    snapshot = (await scene.client.request("agent/subscribe", {"viewId": "view"})).snapshot
    (chat,) = snapshot.chats
    # A line that was cut off was about the end of the edit, of which the file tells.
    assert bool(chat.changes) is (harm == "cut in a line")


# What stands against it.


async def test_what_the_person_edited_since_is_never_written_over(own: OwnStage) -> None:
    it = await edited(own, TWO)
    till = it.scene.folder / "till.py"
    till.write_text("mine\n")
    (file,) = files(it.scene, it.chat)
    done = await act(it, "undo", file)
    assert done.because == "till.py has changed since, so this cannot be undone."
    assert (await act(it, "undoHunk", file, hunk=0)).because == done.because
    assert (await show(it, file)).note == done.because
    assert till.read_text() == "mine\n"
    assert files(it.scene, it.chat) == [file]


async def test_what_is_typed_and_not_saved_is_not_written_over_either(own: OwnStage) -> None:
    it = await edited(own, TWO)
    till = it.scene.folder / "till.py"
    stood = till.read_text()
    person = Typist(it.scene.client)
    person.open(till, stood + "typed\n")
    (file,) = files(it.scene, it.chat)
    assert "has changed since" in (await act(it, "undo", file)).because
    assert till.read_text() == stood
    assert person.asked == []


async def test_an_edit_in_the_editor_is_undone_in_the_editor(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    till = it.scene.folder / "till.py"
    till.write_text(BEFORE)
    person = Typist(it.scene.client)
    person.open(till, BEFORE + "typed\n")
    await works(it, TWO)
    (file,) = files(it.scene, it.chat)
    assert (await act(it, "undoHunk", file, hunk=0)).because == ""
    assert person.text(till) == BEFORE.replace("line 25\n", "line 25\nmore\n") + "typed\n"
    assert till.read_text() == BEFORE


def by_link(till: Path) -> None:
    till.rename(till.with_name("other.py"))
    till.symlink_to("other.py")


def by_folder(till: Path) -> None:
    till.unlink()
    till.mkdir()


def by_pipe(till: Path) -> None:
    till.unlink()
    os.mkfifo(till)


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (by_link, "leads elsewhere"),
        (by_folder, "not an ordinary file"),
        (by_pipe, "not an ordinary file"),
        (Path.unlink, "has changed since"),
        (lambda it: it.rename(it.with_name("moved.py")), "has changed since"),
        (lambda it: it.write_bytes(b"\x00\xff\x00"), "cannot be undone"),
        (lambda it: it.write_bytes(b"x" * 5_000_000), "cannot be undone"),
    ],
    ids=["a link", "a folder", "a pipe", "deleted", "moved", "no text", "too large"],
)
async def test_what_took_the_place_of_a_file_is_left_alone(
    own: OwnStage, harm: Any, told: str
) -> None:
    it = await edited(own, TWO)
    till = it.scene.folder / "till.py"
    harm(till)
    before = sorted((path.name, path.lstat().st_mtime_ns) for path in it.scene.folder.iterdir())
    done = await act(it, "undo", *files(it.scene, it.chat))
    assert told in done.because
    assert done.because.endswith(".")
    after = sorted((path.name, path.lstat().st_mtime_ns) for path in it.scene.folder.iterdir())
    assert after == before


async def test_a_folder_on_the_way_that_became_a_link_is_not_gone_through(own: OwnStage) -> None:
    it = await edited(own, call("write_file", {"path": "deep/a.py", "content": "a\n"}))
    deep = it.scene.folder / "deep"
    deep.rename(it.scene.folder / "other")
    deep.symlink_to("other")
    done = await act(it, "undo", *files(it.scene, it.chat))
    assert "leads elsewhere" in done.because
    assert (it.scene.folder / "other" / "a.py").read_text() == "a\n"


async def test_a_file_that_was_denied_since_is_not_written(own: OwnStage) -> None:
    it = await edited(own, TWO)
    stood = (it.scene.folder / "till.py").read_text()
    await it.scene.change_settings(user={"rules": {"deny": ["write(./till.py)"]}})
    done = await act(it, "undo", *files(it.scene, it.chat))
    assert done.because.startswith("till.py stays as it is: ")
    assert (it.scene.folder / "till.py").read_text() == stood


async def test_a_mode_does_not_stand_against_what_the_person_does(own: OwnStage) -> None:
    it = await edited(own, TWO)
    await it.scene.client.request("agent/setMode", {"chatId": it.chat, "mode": "plan"})
    assert (await act(it, "undo", *files(it.scene, it.chat))).because == ""
    assert (it.scene.folder / "till.py").read_text() == BEFORE


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
async def test_a_file_that_may_only_be_read_stays_as_it_is(own: OwnStage) -> None:
    it = await edited(own, TWO)
    till = it.scene.folder / "till.py"
    stood = till.read_text()
    till.chmod(0o444)
    done = await act(it, "undo", *files(it.scene, it.chat))
    assert "could not be written" in done.because
    assert till.read_text() == stood
    assert len(files(it.scene, it.chat)) == 1


async def test_of_two_undos_at_once_one_holds(own: OwnStage) -> None:
    it = await edited(own, TWO)
    (file,) = files(it.scene, it.chat)
    both = await asyncio.gather(
        act(it, "undoHunk", file, hunk=1),
        act(it, "undoHunk", file, hunk=1),
        return_exceptions=True,
    )
    (refused,) = [one for one in both if isinstance(one, Refusal)]
    assert "has changed since it was shown" in str(refused)
    expected = BEFORE.replace("line 2\n", "line two\n")
    assert (it.scene.folder / "till.py").read_text() == expected


@pytest.mark.parametrize(
    "forged",
    [{"fileId": "0" * 32}, {"digest": "0" * 64}, {"hunk": 9}, {"chatId": "another"}],
    ids=lambda it: next(iter(it)),
)
async def test_what_is_forged_is_refused(own: OwnStage, forged: dict[str, Any]) -> None:
    it = await edited(own, TWO)
    (file,) = files(it.scene, it.chat)
    stood = (it.scene.folder / "till.py").read_text()
    params = {"chatId": it.chat, "fileId": file.file_id, "digest": file.digest, "hunk": 0}
    with pytest.raises(Refusal):
        await it.scene.client.request("change/undoHunk", {**params, **forged})
    assert (it.scene.folder / "till.py").read_text() == stood


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfline 1\r\nline 2\r\n",
        "line 1\nline 2 für\n".encode("cp1252"),
        b"\xff\xfe" + "line 1\nline 2\n".encode("utf-16-le"),
        b"line 1\nline 2",
    ],
    ids=["mark and CRLF", "Windows-1252", "UTF-16", "no line break at the end"],
)
async def test_a_file_gets_its_very_bytes_back(own: OwnStage, data: bytes) -> None:
    it = await own(mode="acceptEdits")
    till = it.scene.folder / "till.py"
    till.write_bytes(data)
    await works(it, edit("till.py", ("line 2", "line two")))
    assert till.read_bytes() != data
    await act(it, "undoHunk", *files(it.scene, it.chat), hunk=0)
    assert till.read_bytes() == data
    assert files(it.scene, it.chat) == []


async def test_a_large_file_is_undone_by_its_lines(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    till = it.scene.folder / "till.py"
    data = "".join(f"number {at}\n" for at in range(500_000))
    till.write_text(data)
    await works(
        it,
        edit("till.py", ("number 70\n", "seventy\n")),
        edit("till.py", ("number 400000\n", "many\n")),
    )
    (file,) = files(it.scene, it.chat)
    assert (file.added, file.removed) == (2, 2)
    assert not (await show(it, file)).apart
    assert (await act(it, "undo", file)).because == ""
    assert till.read_text() == data
    assert files(it.scene, it.chat) == []


async def test_a_cell_of_a_notebook_is_undone_to_the_letter(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    book = it.scene.folder / "a.ipynb"
    book.write_text(
        '{"cells": [{"cell_type": "code", "source": ["a = 1\\n", "b = 2"], "outputs": [],'
        ' "metadata": {}}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n'
    )
    stood = book.read_bytes()
    change = {"path": "a.ipynb", "cell": 1, "edits": [{"old": "a = 1", "new": "a = 3"}]}
    await works(it, call("edit_file", change))
    assert book.read_bytes() != stood
    await act(it, "undoHunk", *files(it.scene, it.chat), hunk=0)
    assert book.read_bytes() == stood


# Rewinding.


def message(it: Own, number: int) -> str:
    """The message that the person said, counted from 0."""
    said = [
        told.event.message_id
        for told in it.scene.client.told("agent/event")
        if told.chat_id == it.chat and told.event.kind == "said" and told.event.who == "user"
    ]
    return str(said[number])


async def planned(it: Own, at: str) -> Any:
    params = {"chatId": it.chat, "messageId": at}
    return await it.scene.client.request("chat/planRewind", params)


async def rewind(it: Own, at: str, plan: Any, **more: Any) -> Any:
    params = {"chatId": it.chat, "messageId": at, "digest": plan.digest, "files": True}
    params |= {"conversation": False, **more}
    return await it.scene.client.request("chat/rewind", params)


def fates(plan: Any) -> dict[str, str]:
    return {name(file): file.fate for file in plan.files}


@requirement("N-12")
async def test_rewinding_says_first_what_comes_back_and_what_does_not(own: OwnStage) -> None:
    it = await edited(own, TWO, rules={"allow": ["shell(touch:*)"]})
    await works(
        it,
        edit("till.py", ("line 9\n", "line nine\n")),
        call("write_file", {"path": "new.py", "content": "a\n"}),
        call("run_command", {"command": "touch made.txt"}),
        call("run_command", {"command": "cat till.py"}),
    )
    last = message(it, 1)
    plan = await planned(it, last)
    assert fates(plan) == {"till.py": "back", "new.py": "gone"}
    told = ["".join(span.text for span in line) for line in plan.ran]
    assert told == ["touch made.txt (made.txt)"]
    assert (plan.conversation, plan.because) == (True, "")
    done = await rewind(it, last, plan)
    assert done.because == ""
    stood = BEFORE.replace("line 2\n", "line two\n").replace("line 25\n", "line 25\nmore\n")
    assert (it.scene.folder / "till.py").read_text() == stood
    assert not (it.scene.folder / "new.py").exists()
    assert (it.scene.folder / "made.txt").exists()
    (file,) = files(it.scene, it.chat)
    assert (file.added, file.removed) == (2, 1)
    (row,) = [row["body"] for row in it.scene.rows("noted") if row["body"]["what"] == "rewound"]
    assert (row["by"], len(row["files"]), row["conversation"]) == ("user", 2, False)
    assert it.scene.notices(it.chat)[-1] == (
        "You rewound to before your message. Brought back: till.py. Taken away: new.py. Not undone:"
        " one thing that ran."
    )


@requirement("N-12")
async def test_the_conversation_is_taken_back_and_goes_on_from_there(own: OwnStage) -> None:
    it = await own(mode="acceptEdits")
    for number in range(3):
        it.model.reply(text(f"Answer {number}."))
        await it.turn(f"Question {number}?")
    at = message(it, 1)
    plan = await planned(it, at)
    await rewind(it, at, plan, files=False, conversation=True)
    it.model.reply(text("Well."))
    await it.turn("Another way.")
    told = str(it.model.requests[-1].body)
    assert all(each in told for each in ("Question 0?", "Answer 0.", "Another way."))
    assert not any(each in told for each in ("Question 1?", "Answer 1.", "Question 2?", "Answer 2"))
    (notice,) = [
        each.event.notice
        for each in it.scene.client.told("agent/event")
        if each.event.kind == "notice"
    ]
    assert notice.back_to == at
    with pytest.raises(Refusal, match="summed up since"):
        await rewind(it, message(it, 2), await planned(it, message(it, 2)), conversation=True)


@requirement("N-12")
async def test_a_conversation_is_taken_back_after_the_server_was_killed(
    own: OwnStage, stage: Stage
) -> None:
    it = await own(mode="acceptEdits")
    (it.scene.folder / "till.py").write_text(BEFORE)
    for number in range(2):
        it.model.reply(edit("till.py", (f"line {number + 4}\n", "other\n")))
        it.model.reply(text(f"Answer {number}."))
        await it.turn(f"Question {number}?")
    first = message(it, 0)
    assert await it.scene.client.leave() == 0
    scene = await stage(editor=it.scene.editor, folder=it.scene.folder)
    await scene.client.request("agent/subscribe", {"viewId": "view"})
    again = Own(scene=scene, model=it.model, chat=it.chat)
    plan = await planned(again, first)
    assert (fates(plan), plan.conversation) == ({"till.py": "back"}, True)
    await rewind(again, first, plan, conversation=True)
    assert (scene.folder / "till.py").read_text() == BEFORE
    assert files(scene, it.chat) == []
    it.model.reply(text("Well."))
    await again.turn("Anew.")
    told = str(it.model.requests[-1].body)
    assert "Anew." in told
    assert "Question 0?" not in told


@requirement("N-12")
async def test_what_the_person_edited_since_is_left_unless_they_say_so_of_that_file(
    own: OwnStage,
) -> None:
    it = await edited(own, TWO, call("write_file", {"path": "new.py", "content": "a\n"}))
    till = it.scene.folder / "till.py"
    till.write_text("mine\n")
    at = message(it, 0)
    plan = await planned(it, at)
    assert fates(plan) == {"till.py": "edited", "new.py": "gone"}
    await rewind(it, at, plan)
    assert till.read_text() == "mine\n"
    assert not (it.scene.folder / "new.py").exists()
    again = await planned(it, at)
    assert fates(again) == {"till.py": "edited"}
    await rewind(it, at, again, over=[again.files[0].file_id])
    assert till.read_text() == BEFORE
    assert files(it.scene, it.chat) == []


async def test_a_plan_that_is_another_by_now_is_not_carried_out(own: OwnStage) -> None:
    it = await edited(own, TWO)
    at = message(it, 0)
    plan = await planned(it, at)
    (it.scene.folder / "till.py").write_text("mine\n")
    with pytest.raises(Refusal, match="has changed since it was shown"):
        await rewind(it, at, plan, over=[plan.files[0].file_id])
    assert (it.scene.folder / "till.py").read_text() == "mine\n"
    with pytest.raises(Refusal, match="not known any more"):
        await planned(it, "forged")


async def test_what_an_edit_of_the_person_stands_between_is_asked_about(own: OwnStage) -> None:
    it = await edited(own, TWO)
    till = it.scene.folder / "till.py"
    till.write_text(till.read_text() + "mine\n")
    await works(it, edit("till.py", ("line 9\n", "line nine\n")))
    plan = await planned(it, message(it, 0))
    assert fates(plan) == {"till.py": "edited"}
    assert "between two edits" in plan.files[0].because


async def test_a_call_that_waits_is_refused_before_anything_is_taken_back(own: OwnStage) -> None:
    it = await edited(own, TWO)
    it.model.reply(call("run_command", {"command": "ln -s till.py made"}))
    turn = it.say("Go on.")
    card = await it.scene.card()
    at = message(it, 0)
    await rewind(it, at, await planned(it, at), conversation=True)
    assert (await it.scene.settled(card)).outcome == "refused"
    await turn
    assert not (it.scene.folder / "made").exists()
    assert (it.scene.folder / "till.py").read_text() == BEFORE
    snapshot = (await it.scene.client.request("agent/subscribe", {"viewId": "v"})).snapshot
    assert [chat.mode for chat in snapshot.chats] == ["acceptEdits"]


@requirement("N-12")
async def test_of_an_agent_of_other_people_only_files_come_back(stage: Stage) -> None:
    scene = await stage(editor=Editor(choose=lambda confirm: confirm.actions[0]))
    chat = await scene.chat("eliza", "acceptEdits")
    await scene.turn(chat, "write notes.txt hello")
    it = Own(scene=scene, model=None, chat=chat)  # type: ignore[arg-type]  # it thinks by itself
    at = message(it, 0)
    plan = await planned(it, at)
    assert not plan.conversation
    assert "cannot be made to forget" in plan.because
    with pytest.raises(Refusal, match="cannot be made to forget"):
        await rewind(it, at, plan, conversation=True)
    assert (scene.folder / "notes.txt").exists()
    await rewind(it, at, plan)
    assert not (scene.folder / "notes.txt").exists()


@requirement("N-12")
async def test_a_file_that_was_kept_and_came_back_has_no_changes(own: OwnStage) -> None:
    it = await edited(own, TWO)
    await act(it, "keep", *files(it.scene, it.chat))
    at = message(it, 0)
    await rewind(it, at, await planned(it, at))
    assert (it.scene.folder / "till.py").read_text() == BEFORE
    assert files(it.scene, it.chat) == []
