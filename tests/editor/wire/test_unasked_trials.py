"""Commands of our own agent that run on a copy of the workspace without a question."""

import socket
from collections.abc import Awaitable, Callable, Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from editor.wire.own import Own, model, own
from editor.wire.test_command_trials import git, home, kinds, rows, said, window
from models.script import call, text
from tables import each_row

__all__ = ["home", "model", "own", "window"]

Window = Callable[..., Awaitable[Own]]
Begin = Callable[..., Awaitable[tuple[Own, Any]]]


@pytest.fixture
def wanted(window: Window) -> Begin:
    """Has the model want to run a command, where nothing stands in the way of a trial."""

    async def begin(
        command: str, there: dict[str, str] | None = None, *, more: Any = None, **opened: Any
    ) -> tuple[Own, Any]:
        it = await window(**{"sandbox": "auto", **opened})
        for name, content in (there or {}).items():
            path = it.scene.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "utf-8")
        it.model.reply(call("run_command", {"command": command, **(more or {})}))
        it.model.reply(text("Well."))
        return it, it.say()

    return begin


def asked(it: Own) -> list[Any]:
    """Each card that was drawn."""
    return it.scene.client.told("tool/approvalRequest")


async def over(it: Own, turn: Any) -> str:
    """What the model was told of the command, once the turn is over without a card."""
    assert (await turn).reason == "done"
    assert asked(it) == []
    return it.model.requests[1].last


async def test_a_command_that_changes_nothing_runs_without_a_card(wanted: Begin) -> None:
    it, turn = await wanted("python3 -c 'print(6 * 7)'; cat a.txt", {"a.txt": "one\n"})
    told = await over(it, turn)
    assert "42\none\n" in told
    assert "It was run on a copy of the workspace." in told
    assert "outside_sandbox" not in told
    record = await it.scene.reaches(it.chat, "succeeded")
    assert (record.by, record.because) == ("mode", "It runs on a copy of the workspace first.")


async def test_what_it_changed_is_asked_about_before_it_is_real(wanted: Begin) -> None:
    it, turn = await wanted('python3 -c \'open("b.txt", "w").write("two\\n")\'')
    card = await it.scene.card()
    assert kinds(card) == ["allowOnce", "allowChat", "allowAlways", "denyOnce", "denyTell"]
    assert not (it.scene.folder / "b.txt").exists()
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert (it.scene.folder / "b.txt").read_text() == "two\n"


async def test_for_this_chat_what_the_same_command_writes_becomes_real_unasked(
    wanted: Begin,
) -> None:
    script = "import pathlib as p; exec(p.Path('what').read_text())"
    same = f'python3 -c "{script}"'
    it, turn = await wanted(same, {"what": "p.Path('b').write_text('1')", "c": "3"})
    await it.scene.answer(await it.scene.card(), "chat")
    assert (await turn).reason == "done"
    record = await it.scene.reaches(it.chat, "succeeded", "Apply")
    assert record.because == "You applied it for this chat"

    async def again(what: str, command: str = same) -> Any:
        (it.scene.folder / "what").write_text(what)
        it.model.reply(call("run_command", {"command": command}))
        it.model.reply(text("Well."))
        return it.say()

    assert (await (await again("p.Path('b').write_text('22')"))).reason == "done"
    assert len(asked(it)) == 1
    assert (it.scene.folder / "b").read_text() == "22"
    for what, command in {
        "p.Path('c').unlink()": same,
        "p.Path('l').symlink_to('c')": same,
        "p.Path('.vscode').mkdir(); p.Path('.vscode/tasks.json').write_text('{}')": same,
        "p.Path('b').write_text('333')": f"{same} # other",
    }.items():
        turn, count = await again(what, command), len(asked(it))
        await it.scene.client.until(lambda count=count: len(asked(it)) > count)
        await it.scene.answer(asked(it)[-1], "deny")
        await turn
    assert {path.name for path in it.scene.folder.iterdir()} == {"README.md", "b", "c", "what"}
    assert (it.scene.folder / "b").read_text() == "22"


BUILDS = "build:\n\tmkdir -p bin && printf {} > bin/tool && chmod +x bin/tool && rm -f old\n"
BUILD = "shell(make build:*)"


async def test_always_apply_writes_a_rule_by_which_the_command_then_runs_in_the_sandbox(
    wanted: Begin,
) -> None:
    it, turn = await wanted("make build", {"Makefile": BUILDS.format(1), "old": "1"})
    card = await it.scene.card()
    assert card.card.because.text == "It makes links or programs: bin/tool."
    assert kinds(card) == ["allowOnce", "allowSome", "allowAlways", "denyOnce", "denyTell"]
    option = next(each for each in card.card.options if each.kind == "allowAlways")
    assert (option.rules, option.scopes) == ([BUILD], ["workspace", "here", "user"])
    preview = {"approvalId": card.approval_id, "optionId": option.id, "rules": option.rules}
    foreseen = await it.scene.client.request("tool/previewRules", preview)
    assert foreseen.covers
    assert "make build --all" in foreseen.rules[0].would_match
    assert "make install" in foreseen.rules[0].would_spare
    for rule, because in {
        "shell(ls:*)": "These rules do not settle this call, so nothing was written.",
        "write(./bin/**)": "Only a rule that allows commands counts in the sandbox alone.",
    }.items():
        none = await it.scene.answer(card, option.id, rules=[rule], scope="user")
        assert none.because.endswith(because)
    answered = await it.scene.answer(card, option.id, rules=option.rules, scope="user")
    assert answered.outcome == "allowed"
    assert (await turn).reason == "done"
    written = {"rule": BUILD, "sandbox": True}
    assert it.scene.editor.layers["user"]["rules"] == {"allow": [written]}
    assert {path.name for path in it.scene.folder.iterdir()} == {"Makefile", "README.md", "bin"}

    async def again(content: str, **given: object) -> Any:
        (it.scene.folder / "Makefile").write_text(content)
        it.model.reply(call("run_command", {"command": "make build", **given}))
        it.model.reply(text("Well."))
        return it.say()

    assert (await (await again(BUILDS.format(2)))).reason == "done"
    assert len(asked(it)) == 1
    assert (it.scene.folder / "bin/tool").read_text() == "2"
    ran = [row["body"] for row in it.scene.rows("decided") if row["body"]["tool"] == "shell"][-1]
    assert (ran["by"], ran["rule"]) == ("rule", BUILD)
    assert ran["because"].startswith(f"The rule `{BUILD}` allows this in the sandbox")
    failing = BUILDS.format(4) + "\tfalse\n"
    await (await again(failing))
    assert "run it again with outside_sandbox" in it.model.requests[-1].last
    for content, given in {
        "build:\n\tmkdir -p .vscode && echo '{}' > .vscode/tasks.json\n": {},
        BUILDS.format(3): {"outside_sandbox": True},
    }.items():
        turn, count = await again(content, **given), len(asked(it))
        await it.scene.client.until(lambda count=count: len(asked(it)) > count)
        await it.scene.answer(asked(it)[-1], "deny")
        await turn
    assert not (it.scene.folder / ".vscode").exists()
    assert (it.scene.folder / "bin/tool").read_text() == "4"


async def test_without_the_sandbox_a_rule_for_it_lifts_no_question(wanted: Begin) -> None:
    rules = {"allow": [{"rule": BUILD, "sandbox": True}]}
    made = {"Makefile": BUILDS.format(1)}
    it, turn = await wanted("make build", made, sandbox="off", rules=rules)
    card = await it.scene.card()
    assert {"allowAlways", "bypassAgent"} <= {*kinds(card)}
    await it.scene.answer(card, "deny")
    await turn
    assert not (it.scene.folder / "bin").exists()


WRITES = "import pathlib as p; p.Path('b').write_text('two'); p.Path('a').unlink()"


async def test_in_accept_edits_what_loses_nothing_becomes_real_by_itself(wanted: Begin) -> None:
    opened = await wanted("true", mode="acceptEdits")
    it = opened[0]
    await over(*opened)
    await git(it.scene.folder, "init", "-q")
    (it.scene.folder / "a").write_text("one")
    await git(it.scene.folder, "add", "a")
    await git(it.scene.folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
    it.model.reply(call("run_command", {"command": f'python3 -c "{WRITES}"'}))
    it.model.reply(text("Well."))
    assert (await it.turn()).reason == "done"
    assert asked(it) == []
    assert not (it.scene.folder / "a").exists()
    assert (it.scene.folder / "b").read_text() == "two"
    record = await it.scene.reaches(it.chat, "succeeded", "Apply")
    at = {"chatId": it.chat, "callId": record.call_id}
    await it.scene.client.request("tool/undo", at)
    assert (it.scene.folder / "a").read_text() == "one"
    assert not (it.scene.folder / "b").exists()


LOSSES = {
    f'python3 -c "{WRITES}"': "It deletes what git does not have: a.",
    "python3 -c \"import os; os.symlink('a', 'l')\"": "It makes links or programs: l.",
    "python3 -c \"import os; os.open('t', os.O_CREAT, 0o755)\"": "It makes links or programs: t.",
    "python3 -c \"for n in range(501): open(f'f{n}', 'w')\"": "It changes 501 files.",
}


@pytest.mark.parametrize(("command", "because"), LOSSES.items())
async def test_in_accept_edits_the_rest_is_asked_about(
    wanted: Begin, command: str, because: str
) -> None:
    it, turn = await wanted(command, {"a": "one"}, mode="acceptEdits")
    card = await it.scene.card()
    assert card.card.because.text == because
    assert "allowChat" not in kinds(card)
    await it.scene.answer(card, "deny")
    await turn
    assert {path.name for path in it.scene.folder.iterdir()} == {"a", "README.md"}


async def test_a_program_in_the_place_of_a_link_is_asked_about_as_a_new_one(wanted: Begin) -> None:
    opened = await wanted("true", mode="acceptEdits")
    it = opened[0]
    await over(*opened)
    (it.scene.folder / "t").symlink_to("README.md")
    script = "import os; os.unlink('t'); os.open('t', os.O_CREAT, 0o755)"
    it.model.reply(call("run_command", {"command": f'python3 -c "{script}"'}))
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    assert card.card.because.text == "It makes links or programs: t."
    assert ("Rights", "t (755)") in rows(card)
    await it.scene.answer(card, "deny")
    await turn
    assert (it.scene.folder / "t").is_symlink()


async def test_what_tools_keep_to_be_faster_becomes_real_unasked(wanted: Begin) -> None:
    writes = "import os; os.mkdir('.pytest_cache'); open('.pytest_cache/v', 'w').write('1')"
    it, turn = await wanted(f'python3 -c "{writes}"')
    assert "Its changes to the workspace were applied." in await over(it, turn)
    assert (it.scene.folder / ".pytest_cache/v").read_text() == "1"


async def test_what_fails_in_it_says_how_it_is_run_outside_and_that_is_asked(
    wanted: Begin,
) -> None:
    it, turn = await wanted("python3 -c 'raise SystemExit(3)'")
    assert "run it again with outside_sandbox." in await over(it, turn)
    outside = {"command": "python3 -c 'print(6 * 7)'", "outside_sandbox": True}
    it.model.reply(call("run_command", outside))
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    (runs_in,) = [said(it.text) for it in card.card.touches if it.name == "Runs in"]
    assert runs_in == "your shell, no sandbox · The agent wants it to run there."
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert "copy of the workspace" not in it.model.requests[-1].last


@each_row("sandbox", ["offer", "off"])
async def test_a_setting_turns_it_off(window: Window, sandbox: str) -> None:
    it = await window(sandbox=sandbox)
    it.model.reply(call("run_command", {"command": "python3 -c 1"}))
    it.model.reply(text("Well."))
    turn = it.say()
    card = await it.scene.card()
    assert ("try" in kinds(card)) == (sandbox == "offer")
    await it.scene.answer(card, "deny")
    await turn


@pytest.fixture
def served() -> Iterator[tuple[str, int]]:
    """The address and the port of a web server of this machine that others could reach."""
    with socket.socket(type=socket.SOCK_DGRAM) as probe:
        # Nothing is sent: it only finds out by which of its addresses this machine is known.
        probe.connect(("192.0.2.1", 9))
        here = probe.getsockname()[0]
    server = ThreadingHTTPServer((here, 0), SimpleHTTPRequestHandler)
    with server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield here, server.server_port
        server.shutdown()


FETCH = """python3 -c '
import sys, urllib.request
for url in sys.argv[1:]:
    try: print(url, urllib.request.urlopen(url).status)
    except OSError as error: print(url, type(error).__name__)
' """


async def test_each_host_is_asked_about_once_while_the_command_waits(
    wanted: Begin, served: tuple[str, int]
) -> None:
    host = f"{served[0]}:{served[1]}"
    it, turn = await wanted(f"{FETCH} http://{host}/ http://{host}/ http://198.51.100.1/")
    first = await it.scene.card()
    assert said(first.card.title).endswith(f"wants {host}")
    assert [said(row.name) for row in first.card.body.rows] == ["command"]
    assert (first.card.members, first.card.touches) == ([], [])
    assert (await it.scene.reaches(it.chat, "running", "python3")).may == ["kill"]
    await it.scene.answer(first, "once")
    second = await it.scene.card(lambda told: told.approval_id != first.approval_id)
    assert said(second.card.title).endswith("wants 198.51.100.1:80")
    await it.scene.answer(second, "deny")
    assert (await turn).reason == "done"
    told = it.model.requests[1].last
    assert f"http://{host}/ 200\nhttp://{host}/ 200\n" in told
    assert "http://198.51.100.1/ HTTPError" in told
    assert f"It reached {host}." in told
    assert "It wanted 198.51.100.1:80 and did not get it: The person refused this." in told
    assert len(asked(it)) == 2


async def test_rules_say_which_hosts_are_reached_unasked(
    wanted: Begin, served: tuple[str, int]
) -> None:
    host = f"{served[0]}:{served[1]}"
    rules = {"allow": [f"network({host})"], "deny": ["network(198.51.100.1)"]}
    it, turn = await wanted(f"{FETCH} http://{host}/ http://198.51.100.1/", rules=rules)
    told = await over(it, turn)
    assert f"http://{host}/ 200" in told
    assert "It wanted 198.51.100.1:80 and did not get it" in told


async def test_the_question_goes_where_its_command_is_stopped(wanted: Begin) -> None:
    it, turn = await wanted(f"{FETCH} http://198.51.100.1/")
    card = await it.scene.card()
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    assert (await turn).reason == "stopped"
    assert (await it.scene.settled(card)).outcome in {"refused", "withdrawn"}


async def test_what_it_reached_stands_on_the_card_of_its_changes(
    wanted: Begin, served: tuple[str, int]
) -> None:
    host = f"{served[0]}:{served[1]}"
    writes = 'python3 -c \'open("b.txt", "w")\''
    it, turn = await wanted(f"{FETCH} http://{host}/ http://198.51.100.1/; {writes}")
    first = await it.scene.card()
    await it.scene.answer(first, "once")
    second = await it.scene.card(lambda told: told.approval_id != first.approval_id)
    await it.scene.answer(second, "deny")
    known = {first.approval_id, second.approval_id}
    changes = await it.scene.card(lambda told: told.approval_id not in known)
    assert [*rows(changes)][-2:] == [("Reached", host), ("Not reached", "198.51.100.1:80")]
    await it.scene.answer(changes, "deny")
    await turn
