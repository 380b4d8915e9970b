"""A repository that configures an agent: nothing of it runs before a person has let it."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from editor.wire.editor import Editor
from editor.wire.repositories import HOSTILE, Hostile, entry_of, plant
from editor.wire.scene import Scene, Stage

EACH = pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
CODEX, CLAUDE = HOSTILE["codex"], HOSTILE["claude"]


def is_wish(told: Any) -> bool:
    """Whether it is a question of the workspace's."""
    return told.chat_id is None


def ran(tmp_path: Path) -> int:
    """How often something of the repository was run."""
    file = tmp_path / "ran"
    return len(file.read_text("utf-8")) if file.exists() else 0


def hostile_in(tmp_path: Path, hostile: Hostile, word: str = "x") -> Path:
    """The folder of a repository whose files have the agent leave a mark."""
    folder = tmp_path / "workspace"
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    plant(folder, hostile.files(f"printf {word} >> {tmp_path}/ran"))
    return folder


async def opened(
    stage: Stage, tmp_path: Path, hostile: Hostile, before: Scene | None = None, **env: str
) -> Scene:
    """A window with that agent in it; the person agrees to whatever they are asked once more.

    One that was opened before has the same secret storage.
    """
    agents = {hostile.id: entry_of(hostile, tmp_path / "home", **env)}
    editor = Editor(
        layers={"user": {"agents": agents}},
        choose=lambda asked: asked.actions[0],
        secrets=before.editor.secrets if before else {},
    )
    return await stage(editor=editor)


async def turn(scene: Scene, chat: str) -> Any:
    """A turn of an agent, however it ends."""
    return await scene.outcome(chat, "hello")


def files_of(card: Any) -> dict[str, str]:
    """The files on a card, and what each would do."""
    return {
        "".join(span.text for span in file.path): "; ".join(
            "".join(span.text for span in (*row.name, *row.value)) for row in file.rows
        )
        for file in card.body.files
    }


@EACH
async def test_nothing_of_a_repository_runs_before_it_is_let_nor_when_it_is_kept_off(
    stage: Stage, tmp_path: Path, hostile: Hostile
) -> None:
    folder = hostile_in(tmp_path, hostile)
    scene = await opened(stage, tmp_path, hostile)
    chat = await scene.chat(hostile.id)
    card = await scene.card(is_wish)
    assert (card.card.level, card.card.primary, card.card.body.kind) == ("high", "deny", "trust")
    assert [it.kind for it in card.card.options] == ["keepOff", "grantWish"]
    shown = {
        "".join(span.text for span in it.path): "".join(span.text for span in it.text)
        for it in card.card.body.files
    }
    assert shown == {name: (folder / name).read_text("utf-8") for name in shown}
    assert set(shown) == set(hostile.files(""))
    assert all(str(tmp_path / "ran") in told for told in files_of(card.card).values())
    if hostile.is_handed:
        assert (await turn(scene, chat)).reason == "done"
    else:
        assert not (tmp_path / "home" / "begun").exists()
    assert ran(tmp_path) == 0
    assert (await scene.answer(card, "keep")).because == "You kept it off"
    ended = await turn(scene, chat)
    assert ended.reason == ("done" if hostile.is_handed else "error")
    assert hostile.is_handed or "you keep that off" in ended.because
    other = await scene.chat(hostile.id)
    await turn(scene, other)
    assert ran(tmp_path) == 0
    assert len([it for it in scene.client.told("tool/approvalRequest") if is_wish(it)]) == 1
    (row,) = [it["body"] for it in scene.rows("noted") if it["body"].get("what") == "repository"]
    assert (row["outcome"], set(row["value"]["files"])) == ("refused", set(shown))


@EACH
async def test_what_a_person_lets_runs_also_in_the_chat_that_waited_for_it(
    stage: Stage, tmp_path: Path, hostile: Hostile
) -> None:
    hostile_in(tmp_path, hostile)
    scene = await opened(stage, tmp_path, hostile)
    chat = await scene.chat(hostile.id)
    card = await scene.card(is_wish)
    assert (await scene.answer(card, "grant")).outcome == "allowed"
    assert "configures" in scene.editor.confirmed[0].title
    assert (await turn(scene, chat)).reason == "done"
    assert ran(tmp_path) == len(hostile.files(""))
    await scene.tell_of_change()
    await turn(scene, await scene.chat(hostile.id))
    assert ran(tmp_path) == 2 * len(hostile.files("")), "settings that are read anew revoke nothing"


async def test_the_chat_says_what_its_agent_does_not_get_of_the_workspace(
    stage: Stage, tmp_path: Path
) -> None:
    folder = hostile_in(tmp_path, CLAUDE)
    plant(folder, {".claude/settings.local.json": '{"permissions": {"allow": ["Bash"]}}'})
    scene = await opened(stage, tmp_path, CLAUDE)
    chat = await scene.chat(CLAUDE.id)

    def told() -> set[str]:
        events = (it.event for it in scene.client.told("agent/event"))
        return {event.left_out for event in events if event.kind == "settings"}

    await scene.client.until(lambda: bool(told()))
    files = "`.claude/settings.json`, `.mcp.json`, `.claude/settings.local.json`"
    kept = f"Files of this workspace that it does not get whole: {files}."
    assert told() == {kept}
    snapshot = (await scene.client.request("agent/subscribe", {"viewId": "view"})).snapshot
    (shown,) = snapshot.chats
    assert (shown.chat_id, shown.left_out) == (chat, kept)
    assert (await scene.answer(await scene.card(is_wish), "grant")).outcome == "allowed"
    await turn(scene, chat)
    # Of the first one, a hook that would have a say in calls.
    files = "`.claude/settings.json`, `.claude/settings.local.json`"
    now = f"Files of this workspace that it does not get whole: {files}."
    await scene.client.until(lambda: told() == {kept, now})


@EACH
async def test_what_git_runs_when_an_agent_looks_around_waits_for_a_person(
    stage: Stage, tmp_path: Path, hostile: Hostile
) -> None:
    folder = tmp_path / "workspace"
    folder.mkdir()
    clean = f"printf x >> {tmp_path}/ran; cat"

    def git(*words: str) -> None:
        subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)

    git("init")
    (folder / ".gitattributes").write_text("*.txt filter=x\n", "ascii")
    (folder / "a.txt").write_text("a\n", "ascii")
    git("add", ".")
    git("config", "filter.x.clean", clean)
    (folder / "a.txt").write_text("b\n", "ascii")
    scene = await opened(stage, tmp_path, hostile, LOOKS="1")
    chat = await scene.chat(hostile.id)
    card = await scene.card(is_wish)
    assert files_of(card.card) == {".git/config": f"Sets filter.x.clean{clean}"}
    assert not (tmp_path / "home" / "begun").exists()
    assert ran(tmp_path) == 0
    await scene.answer(card, "grant")
    assert (await turn(scene, chat)).reason == "done"
    assert ran(tmp_path) > 0
    git("config", "branch.main.remote", "origin")
    await turn(scene, await scene.chat(hostile.id))
    assert len([it for it in scene.client.told("tool/approvalRequest") if is_wish(it)]) == 1
    git("config", "filter.x.process", clean)
    await scene.chat(hostile.id)
    again = await scene.card(lambda told: is_wish(told) and told.digest != card.digest)
    await scene.answer(again, "keep")


@EACH
async def test_files_that_change_are_asked_about_again_and_do_nothing_before(
    stage: Stage, tmp_path: Path, hostile: Hostile
) -> None:
    folder = hostile_in(tmp_path, hostile)
    scene = await opened(stage, tmp_path, hostile)
    await scene.chat(hostile.id)
    first = await scene.card(is_wish)
    await scene.answer(first, "grant")
    await turn(scene, scene.chats[0])
    before = ran(tmp_path)
    plant(folder, hostile.files(f"printf yy >> {tmp_path}/ran"))
    await scene.client.request("agent/closeChat", {"chatId": scene.chats[0]})
    chat = await scene.chat(hostile.id)
    again = await scene.card(lambda told: is_wish(told) and told.digest != first.digest)
    assert ran(tmp_path) == before
    plant(folder, hostile.files(f"printf z >> {tmp_path}/ran"))
    await scene.answer(again, "grant")
    if not hostile.is_handed:
        third = await scene.card(
            lambda told: is_wish(told) and told.digest not in {first.digest, again.digest}
        )
        assert ran(tmp_path) == before
        await scene.answer(third, "keep")
    await turn(scene, chat)
    assert ran(tmp_path) == before


async def test_each_window_asks_until_one_has_answered(stage: Stage, tmp_path: Path) -> None:
    hostile_in(tmp_path, CODEX)
    one = await opened(stage, tmp_path, CODEX)
    other = await opened(stage, tmp_path, CODEX, one)
    mine, theirs = await one.chat(CODEX.id), await other.chat(CODEX.id)
    card = await one.card(is_wish)
    await other.card(is_wish)
    await one.answer(card, "grant")
    assert (await turn(one, mine)).reason == "done"
    assert ran(tmp_path) == 1
    await other.client.request("agent/closeChat", {"chatId": theirs})
    assert (await turn(other, await other.chat(CODEX.id))).reason == "done"
    assert ran(tmp_path) == 2


async def test_what_was_answered_holds_in_the_next_window(stage: Stage, tmp_path: Path) -> None:
    hostile_in(tmp_path, CODEX)
    scene = await opened(stage, tmp_path, CODEX)
    await scene.chat(CODEX.id)
    await scene.answer(await scene.card(is_wish), "keep")
    await scene.client.leave()
    again = await opened(stage, tmp_path, CODEX, scene)
    ended = await turn(again, await again.chat(CODEX.id))
    assert "you keep that off" in ended.because
    assert again.client.told("tool/approvalRequest") == []


async def test_closing_the_window_answers_nothing(stage: Stage, tmp_path: Path) -> None:
    hostile_in(tmp_path, CODEX)
    scene = await opened(stage, tmp_path, CODEX)
    await scene.chat(CODEX.id)
    await scene.card(is_wish)
    await scene.client.leave()
    again = await opened(stage, tmp_path, CODEX, scene)
    await again.chat(CODEX.id)
    await again.card(is_wish)
    assert ran(tmp_path) == 0


async def test_whoever_stops_it_does_not_wait_for_the_card(stage: Stage, tmp_path: Path) -> None:
    hostile_in(tmp_path, CODEX)
    scene = await opened(stage, tmp_path, CODEX)
    chat = await scene.chat(CODEX.id)
    card = await scene.card(is_wish)
    said = scene.say(chat, "hello")
    await scene.client.request("agent/stop", {"chatId": chat})
    assert (await said).reason == "stopped"
    assert (await scene.answer(card, "grant")).outcome == "allowed"
    assert (await turn(scene, chat)).reason == "done"
    assert ran(tmp_path) == 1


async def test_a_file_that_changes_while_its_agent_starts_ends_the_session(
    stage: Stage, tmp_path: Path
) -> None:
    hostile_in(tmp_path, CODEX)
    scene = await opened(stage, tmp_path, CODEX, CHANGE="\nmodel = 'x'\n")
    chat = await scene.chat(CODEX.id)
    await scene.answer(await scene.card(is_wish), "grant")
    said = await scene.client.expect(
        "agent/event",
        lambda told: told.event.kind == "notice" and "changed while" in told.event.notice.text,
    )
    assert said.chat_id == chat


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _link_out(file: Path) -> None:
    outside = file.parents[2] / "outside.toml"
    outside.write_text(file.read_text("utf-8"), "utf-8")
    file.unlink()
    file.symlink_to(outside)


def _nowhere(file: Path) -> None:
    file.unlink()
    file.symlink_to("nowhere")


def _large(file: Path) -> None:
    file.write_text("#" * 300_000 + "\n" + file.read_text("utf-8"), "utf-8")


def _huge(file: Path) -> None:
    file.write_text("#" * 3_000_000 + "\n" + file.read_text("utf-8"), "utf-8")


UNFIT = {
    "pipe": _pipe,
    "link out": _link_out,
    "link to nothing": _nowhere,
    "large": _large,
    "huge": _huge,
    "not well formed": lambda file: file.write_text("[", "utf-8"),
    "no text": lambda file: file.write_bytes(b"\xff"),
}


@pytest.mark.parametrize("harm", UNFIT.values(), ids=UNFIT)
async def test_a_file_that_nobody_can_be_shown_is_let_by_nobody(
    stage: Stage, tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    folder = hostile_in(tmp_path, CODEX)
    harm(folder / ".codex" / "config.toml")
    scene = await opened(stage, tmp_path, CODEX)
    ended = await turn(scene, await scene.chat(CODEX.id))
    assert ended.reason == "error"
    assert "not started here" in ended.because
    assert ".codex/config.toml" in ended.because
    assert scene.client.told("tool/approvalRequest") == []
    assert not (tmp_path / "home" / "begun").exists()


async def test_claude_code_works_without_files_that_cannot_be_read(
    stage: Stage, tmp_path: Path
) -> None:
    folder = hostile_in(tmp_path, CLAUDE)
    (folder / ".mcp.json").write_text('{"mcpServers": {}, "mcpServers": {"x": {}}}', "utf-8")
    scene = await opened(stage, tmp_path, CLAUDE)
    chat = await scene.chat(CLAUDE.id)
    assert (await turn(scene, chat)).reason == "done"
    assert any("`.mcp.json` could not be read" in it for it in scene.notices(chat))
    assert scene.client.told("tool/approvalRequest") == []
    assert ran(tmp_path) == 0


async def test_a_card_says_what_of_a_file_is_left_out(stage: Stage, tmp_path: Path) -> None:
    hostile_in(tmp_path, CLAUDE)
    scene = await opened(stage, tmp_path, CLAUDE)
    await scene.chat(CLAUDE.id)
    told = files_of((await scene.card(is_wish)).card)[".claude/settings.json"]
    for left in ("`env`", "`disableAllHooks`", "hooks at PreToolUse"):
        assert left in told


@pytest.mark.parametrize("text", ["{}", "", '{"permissions": {"allow": ["Bash"]}}'])
async def test_settings_of_which_nothing_would_be_run_raise_no_question(
    stage: Stage, tmp_path: Path, text: str
) -> None:
    plant(tmp_path / "workspace", {".claude/settings.json": text})
    scene = await opened(stage, tmp_path, CLAUDE)
    assert (await turn(scene, await scene.chat(CLAUDE.id))).reason == "done"
    assert scene.client.told("tool/approvalRequest") == []


def answers_of(told: Any) -> list[tuple[str, str, set[str]]]:
    """What a person said, as it is listed."""
    return [(it.agent, it.standing, set(it.files)) for it in told.answers]


@EACH
@pytest.mark.parametrize("said", ["keep", "grant"])
async def test_whoever_forgets_what_they_said_is_asked_again_and_nothing_runs_before(
    stage: Stage, tmp_path: Path, hostile: Hostile, said: str
) -> None:
    hostile_in(tmp_path, hostile)
    scene = await opened(stage, tmp_path, hostile)
    chat = await scene.chat(hostile.id)
    first = await scene.card(is_wish)
    await scene.answer(first, said)
    await turn(scene, chat)
    await scene.client.request("agent/closeChat", {"chatId": chat})
    told = await scene.client.request("repository/list", {})
    standing = {"keep": "declined", "grant": "granted"}[said]
    assert answers_of(told) == [(hostile.id.title(), standing, set(hostile.files("")))]
    before = ran(tmp_path)
    await scene.client.request("repository/forget", {"digest": told.answers[0].digest})
    assert (await scene.client.request("repository/list", {})).answers == []
    other = await scene.chat(hostile.id)
    again = await scene.card(lambda it: is_wish(it) and it.approval_id != first.approval_id)
    if hostile.is_handed:
        await turn(scene, other)
    assert ran(tmp_path) == before
    assert again.digest == first.digest
    rows = [it["body"] for it in scene.rows("noted") if it["body"].get("what") == "repository"]
    assert [it["outcome"] for it in rows] == [
        {"keep": "refused", "grant": "allowed"}[said],
        "forgotten",
    ]
    await scene.answer(again, "keep")
    await turn(scene, other)
    assert ran(tmp_path) == before


async def test_what_is_forgotten_stays_forgotten_in_the_next_window(
    stage: Stage, tmp_path: Path
) -> None:
    hostile_in(tmp_path, CODEX)
    scene = await opened(stage, tmp_path, CODEX)
    await scene.chat(CODEX.id)
    await scene.answer(await scene.card(is_wish), "grant")
    await turn(scene, scene.chats[0])
    (answer,) = (await scene.client.request("repository/list", {})).answers
    await scene.client.request("repository/forget", {"digest": answer.digest})
    with pytest.raises(Exception, match="no such answer any more"):
        await scene.client.request("repository/forget", {"digest": answer.digest})
    before = ran(tmp_path)
    await scene.client.leave()
    again = await opened(stage, tmp_path, CODEX, scene)
    await again.chat(CODEX.id)
    await again.card(is_wish)
    assert ran(tmp_path) == before


async def test_of_servers_of_one_name_the_card_shows_which_is_handed_over_and_which_is_not(
    stage: Stage, tmp_path: Path
) -> None:
    hostile_in(tmp_path, CLAUDE)
    inner = tmp_path / "workspace"
    (inner / ".git").rmdir()
    (tmp_path / ".git").mkdir()
    server = {"command": "sh", "args": ["-c", f"printf top >> {tmp_path}/ran"]}
    servers = {"evil": server, "other": {**server, "args": ["-c", "true"]}}
    plant(tmp_path, {".mcp.json": json.dumps({"mcpServers": servers})})
    plant(inner, {".claude/settings.json": "{}"})
    scene = await opened(stage, tmp_path, CLAUDE)
    chat = await scene.chat(CLAUDE.id)
    card = await scene.card(is_wish)
    assert files_of(card.card) == {
        ".mcp.json": "Starts the MCP server othersh -c true;"
        " Does not start evil`workspace/.mcp.json` names its own, and is nearer",
        "workspace/.mcp.json": f"Starts the MCP server evilsh -c 'printf x >> {tmp_path}/ran'",
    }
    await scene.answer(card, "grant")
    await turn(scene, chat)
    assert (tmp_path / "ran").read_text("utf-8") == "x"
