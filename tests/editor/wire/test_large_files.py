"""A file of more than 4 MiB over a real server: one card, bound to all of it, and its record."""

from editor.wire.own import OwnStage, model, own
from editor.wire.test_recorded import said, shown
from models.script import call, text

__all__ = ["model", "own"]

AT = 200_000
LINES = [f"line {number}\n" for number in range(1, 400_001)]
NEW = "what comes in its place\n"


async def test_a_large_file_is_asked_about_anew_where_any_of_it_changed_and_is_put_back(
    own: OwnStage,
) -> None:
    it = await own()
    file = it.scene.folder / "large.txt"
    file.write_text("".join(LINES))
    assert file.stat().st_size > 4 * 1024 * 1024
    old = LINES[AT - 1]
    it.model.reply(call("edit_file", {"path": "large.txt", "edits": [{"old": old, "new": NEW}]}))
    it.model.reply(text("Done."))
    turn = it.say()
    first = await it.scene.card()
    (drawn,) = first.card.body.files
    assert (drawn.added, drawn.removed, drawn.hunks[0].old_start) == (1, 1, AT - 3)
    # The first line of all, far from what the card shows.
    file.write_text("".join(["another\n", *LINES]))
    stale = await it.scene.answer(first, "once")
    assert stale.kind == "stale"
    second = await it.scene.card(lambda one: one.revision > first.revision)
    assert second.card.body.files[0].hunks[0].old_start == AT - 2
    assert file.read_text() == "".join(["another\n", *LINES])
    assert (await it.scene.answer(second, "once")).kind == "applied"
    assert (await turn).reason == "done"
    changed = [*LINES[: AT - 1], NEW, *LINES[AT:]]
    assert file.read_text() == "".join(["another\n", *changed])
    told = await shown(it.scene, it.chat, "large.txt")
    (hunk,) = told.body.files[0].hunks
    assert (hunk.old_start, told.note) == (AT - 2, "")
    assert [said(one.text) for one in hunk.lines if one.sign == "+"] == [NEW.rstrip()]
    record = await it.scene.reaches(it.chat, "succeeded", "large.txt")
    await it.scene.client.request("tool/undo", {"chatId": it.chat, "callId": record.call_id})
    assert file.read_text() == "".join(["another\n", *LINES])
