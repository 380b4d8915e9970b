"""Two names of one file, at a real server: what is denied by the one is denied by the other."""

import os

from editor.wire.own import OwnStage, model, own
from models.script import call, text

__all__ = ["model", "own"]

_READS = (
    call("read_file", {"path": "docs/conf.txt"}),
    call("search_text", {"path": ".", "pattern": "KEY"}),
    call("run_command", {"command": "cat docs/conf.txt"}),
    call("run_command", {"command": "head -n 1 < docs/conf.txt"}),
)


async def test_a_denied_file_is_read_by_none_of_its_names(own: OwnStage) -> None:
    it = await own(rules={"deny": ["read(./.env)"]})
    (it.scene.folder / ".env").write_text("KEY=swordfish\n")
    (it.scene.folder / "docs").mkdir()
    os.link(it.scene.folder / ".env", it.scene.folder / "docs" / "conf.txt")
    it.model.reply(*_READS)
    it.model.reply(text("I see none of it."))
    await it.turn()
    assert "swordfish" not in str(it.model.requests[1].body)
    assert str(it.model.requests[1].body).count("read(./.env)") == len(_READS) - 1


async def test_in_auto_a_hook_is_written_by_none_of_its_names_unasked(own: OwnStage) -> None:
    it = await own(mode="auto")
    hook = it.scene.folder / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(parents=True, exist_ok=True)
    hook.write_text("#!/bin/sh\n")
    os.link(hook, it.scene.folder / "notes.txt")
    it.model.reply(call("write_file", {"path": "notes.txt", "content": "evil\n"}))
    it.model.reply(text("Not so."))
    turn = it.say()
    await it.scene.answer(await it.scene.card(), "deny")
    await turn
    it.model.reply(call("run_command", {"command": "echo evil > notes.txt"}))
    it.model.reply(text("Not so either."))
    turn = it.say()
    await it.scene.answer(await it.scene.card(), "deny")
    await turn
    assert hook.read_text() == "#!/bin/sh\n"
