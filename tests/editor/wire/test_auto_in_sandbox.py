"""Commands of our own agent in Auto: they run in the sandbox, and what leaves it is a question."""

from pathlib import Path
from typing import Any

import pytest

from assent.editor.window.agents.own import command_trials
from editor.wire.own import Own, model, own
from editor.wire.test_command_trials import git, home, kinds, rows, said, window
from editor.wire.test_unasked_trials import FETCH, Begin, Window, asked, over, served, wanted
from models.script import call, text
from tables import each_row

__all__ = ["home", "model", "own", "served", "wanted", "window"]


@pytest.fixture
def auto(wanted: Begin) -> Begin:
    """Has the model want to run a command in Auto."""

    async def begin(command: str, there: dict[str, str] | None = None, **more: Any) -> Any:
        return await wanted(command, there, mode="auto", **more)

    return begin


async def say(it: Own, **given: Any) -> Any:
    """Have the model want another command."""
    it.model.reply(call("run_command", given))
    it.model.reply(text("Well."))
    return it.say()


async def test_what_it_changes_in_the_workspace_becomes_real_unasked(auto: Begin) -> None:
    it, turn = await auto("python3 -c \"import os; os.unlink('a'); open('b', 'w')\"", {"a": "one"})
    told = await over(it, turn)
    assert "Its changes to the workspace were applied." in told
    assert "outside_sandbox" not in told
    assert {path.name for path in it.scene.folder.iterdir()} == {"b", "README.md"}
    record = await it.scene.reaches(it.chat, "succeeded", "python3")
    assert record.because == (
        "Auto mode lets agents run commands, and this one runs in the sandbox."
    )


async def test_it_can_be_undone(auto: Begin) -> None:
    it, turn = await auto("rm -rf src", {"src/a": "one"})
    await over(it, turn)
    assert not (it.scene.folder / "src").exists()
    record = await it.scene.reaches(it.chat, "succeeded", "Apply")
    await it.scene.client.request("tool/undo", {"chatId": it.chat, "callId": record.call_id})
    assert (it.scene.folder / "src/a").read_text() == "one"


async def test_what_it_writes_to_the_home_is_not_kept_and_told(auto: Begin, home: Path) -> None:
    writes = "mkdir -p ~/.cache/x; echo 1 > ~/.cache/x/y; echo 2 > ~/made; rm ~/old; echo 3 > b"
    (home / "old").write_text("here")
    it, turn = await auto(writes)
    told = await over(it, turn)
    assert "What it wrote elsewhere is gone. It wrote ~/made, ~/old, which is not kept." in told
    assert {path.name for path in home.iterdir()} == {"old"}
    assert (it.scene.folder / "b").read_text() == "3\n"


async def test_a_secret_is_not_there(auto: Begin, home: Path) -> None:
    (home / ".aws").mkdir()
    (home / ".aws/credentials").write_text("a secret")
    script = "import os; os.system('cat ' + os.path.expanduser('~/.aws/cred') + 'entials')"
    it, turn = await auto(f'python3 -c "{script}"')
    assert "a secret" not in await over(it, turn)


async def test_what_fails_in_it_can_be_run_outside_by_a_card_that_tells_of_it(
    auto: Begin, home: Path
) -> None:
    command = "echo x > ~/made; python3 -c 'raise SystemExit(3)'"
    it, turn = await auto(command)
    assert "run it again with outside_sandbox." in await over(it, turn)
    shown = it.scene.printed(it.chat).strip().splitlines()
    assert shown == [
        "It printed nothing.",
        "It wrote ~/made, which is not kept. It changed nothing in the workspace.",
    ]
    turn = await say(it, command=command, outside_sandbox=True)
    card = await it.scene.card()
    assert card.card.because.text == (
        "It would run outside the sandbox. The agent wants it to run there."
    )
    (before,) = [said(it.text) for it in card.card.touches if it.name == "In the sandbox"]
    assert "It wrote ~/made, which is not kept." in before
    assert {"allowOnce", "allowBoxed"} <= {*kinds(card)}
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert (home / "made").exists()


async def test_a_host_is_asked_about_while_it_waits(auto: Begin, served: tuple[str, int]) -> None:
    host = f"{served[0]}:{served[1]}"
    it, turn = await auto(f"{FETCH} http://{host}/ > b")
    card = await it.scene.card()
    assert said(card.card.title).endswith(f"wants {host}")
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert f"It wanted {host} and did not get it" in it.model.requests[1].last
    assert (it.scene.folder / "b").read_text() == f"http://{host}/ HTTPError\n"


async def test_a_protected_file_is_asked_about_before_it_is_real(auto: Begin) -> None:
    it, turn = await auto("mkdir -p .vscode && echo '{}' > .vscode/settings.json")
    card = await it.scene.card()
    assert not (it.scene.folder / ".vscode").exists()
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert not (it.scene.folder / ".vscode").exists()


async def test_git_commits_in_it(auto: Begin) -> None:
    it, turn = await auto("true", {"a": "one"})
    await over(it, turn)
    await git(it.scene.folder, "init", "-q")
    names = "-c user.name=a -c user.email=a@b"
    turn = await say(it, command=f"git add a && git {names} commit -qm first")
    assert (await turn).reason == "done"
    assert asked(it) == []
    assert "first" in await git(it.scene.folder, "log", "--oneline")


@each_row(
    "given",
    [
        {"background": True},
        {"cwd": "/"},
        {"outside_sandbox": True},
    ],
)
async def test_no_way_to_call_it_leads_around_the_sandbox(
    window: Window, given: dict[str, Any]
) -> None:
    it = await window(sandbox="auto", mode="auto")
    turn = await say(it, command="python3 -c 'print(6 * 7)'", **given)
    card = await it.scene.card()
    assert card.card.because.text.startswith("It would run outside the sandbox.")
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert "42" not in it.model.requests[-1].last


@each_row("sandbox", ["offer", "off"])
async def test_where_the_sandbox_is_not_automatic_auto_is_as_before(
    window: Window, home: Path, sandbox: str
) -> None:
    it = await window(sandbox=sandbox, mode="auto")
    turn = await say(it, command="python3 -c 'print(6 * 7)' > ~/made")
    assert (await turn).reason == "done"
    assert asked(it) == []
    assert (home / "made").read_text() == "42\n"


@pytest.mark.long
async def test_many_files_become_real(auto: Begin) -> None:
    script = "import os; os.mkdir('m'); [open(f'm/{n}', 'w').close() for n in range(25_000)]"
    it, turn = await auto(f'python3 -c "{script}"', more={"timeout_seconds": 60})
    assert "Its changes to the workspace were applied." in await over(it, turn)
    assert len([*(it.scene.folder / "m").iterdir()]) == 25_000


async def test_a_card_of_changes_says_what_was_not_kept(wanted: Begin) -> None:
    script = "import os; open(os.path.expanduser('~/made'), 'w'); open('b', 'w')"
    it, turn = await wanted(f'python3 -c "{script}"')
    card = await it.scene.card()
    assert dict(rows(card))["Not kept"] == "~/made"
    await it.scene.answer(card, "deny")
    await turn


WAITS = "for i in 1 2 3 4 5 6 7 8 9; do sleep 1; test -e l && break; done; cat l"
LINKS = "import os; os.symlink(os.path.expanduser('~/') + 'etavirp'[::-1], 'l')"


async def test_no_command_that_only_reads_sees_what_another_one_changes_meanwhile(
    window: Window, home: Path
) -> None:
    (home / "private").write_text("a secret thing")
    it = await window(sandbox="auto", mode="auto")
    it.model.reply(
        call("run_command", {"command": WAITS}),
        call("run_command", {"command": f'python3 -c "{LINKS}"'}),
    )
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    assert not (it.scene.folder / "l").exists()
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert "a secret thing" not in str(it.model.requests[-1])


async def test_no_change_becomes_real_unasked_under_a_command_that_only_reads(
    window: Window,
) -> None:
    it = await window(sandbox="auto", mode="auto")
    it.model.reply(
        call("run_command", {"command": WAITS}),
        call("run_command", {"command": "python3 -c \"open('l', 'w').write('planted')\""}),
    )
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    assert card.card.because.text == (
        "A command that only reads has not ended, and would see these changes."
    )
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert not (it.scene.folder / "l").exists()


async def test_what_only_reads_is_asked_about_in_the_background(window: Window) -> None:
    it = await window(sandbox="auto", mode="auto")
    turn = await say(it, command="sleep 1; cat README.md", background=True)
    card = await it.scene.card()
    assert card.card.because.text.startswith("It would run outside the sandbox.")
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"


@each_row("sandbox", ["offer", "off", 3])
async def test_a_workspace_cannot_turn_it_off(window: Window, home: Path, sandbox: object) -> None:
    it = await window(sandbox="auto", mode="auto")
    await it.scene.change_settings(workspace={"sandbox": sandbox})
    turn = await say(it, command="python3 -c 'print(6 * 7)' > ~/made")
    if sandbox == "off":
        await it.scene.answer(await it.scene.card(), "deny")
    assert (await turn).reason == "done"
    assert not (home / "made").exists()


async def test_a_link_out_of_the_workspace_is_asked_about(auto: Begin, home: Path) -> None:
    (home / "notes").write_text("private")
    it, turn = await auto(
        "python3 -c \"import os; os.symlink(os.path.expanduser('~/notes'), 'l')\""
    )
    await it.scene.answer(await it.scene.card(), "deny")
    assert (await turn).reason == "done"
    assert not (it.scene.folder / "l").is_symlink()


async def test_a_commit_that_deletes_needs_no_card(auto: Begin) -> None:
    it, turn = await auto("true", {"a": "one", "b": "two"})
    await over(it, turn)
    folder = it.scene.folder
    for line in ("init -q", "config user.email a@b", "config user.name a", "add .", "commit -qm 1"):
        await git(folder, *line.split())
    turn = await say(
        it, command="git rm -q a && git commit -qm 2 && git branch x && git branch -D x"
    )
    assert (await turn).reason == "done"
    assert asked(it) == []
    assert await git(folder, "log", "--format=%s") == "2\n1\n"


async def test_thousands_of_changed_files_become_real(auto: Begin) -> None:
    it, turn = await auto("python3 -c \"for n in range(2_100): open(str(n), 'w').write('\\0')\"")
    assert "were applied" in await over(it, turn)
    assert (it.scene.folder / "2099").exists()


async def test_the_card_of_a_run_outside_tells_of_no_other_run(auto: Begin) -> None:
    it, turn = await auto("sh ./x.sh", {"x.sh": "true", "s/x.sh": "true"})
    await over(it, turn)
    turn = await say(it, command="sh ./x.sh", cwd="s", outside_sandbox=True)
    card = await it.scene.card()
    assert "In the sandbox" not in [touch.name for touch in card.card.touches]
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"


async def test_where_the_self_test_could_not_be_run_commands_are_questions(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(command_trials, "probe", broken)
    it = await window(sandbox="auto", mode="auto")
    turn = await say(it, command="python3 -c 'print(6 * 7)'")
    card = await it.scene.card()
    assert "self-test" in card.card.because.text
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
