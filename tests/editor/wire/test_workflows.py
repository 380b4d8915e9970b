"""Workflows of a project: its tasks and its graphs, listed, read and run by our own agent."""

import asyncio
import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from editor.wire.own import Own, OwnStage, model, own
from editor.wire.scene import IN_TIME, Stage
from editor.wire.test_chats_that_last import again, entries, kept, kill
from host.waiting import until
from models.script import call, text

__all__ = ["model", "own"]

requirement = pytest.mark.requirement


def task_file(folder: Path, **scripts: str) -> Path:
    path = folder / "package.json"
    path.write_text(json.dumps({"scripts": scripts}))
    return path


def graph_file(folder: Path, name: str, steps: dict[str, Any], **more: Any) -> Path:
    path = folder / ".assent/workflows" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"steps": steps, **more}))
    return path


def shell(command: str, **more: Any) -> dict[str, Any]:
    return {"run": "run_command", "with": {"command": command}, **more}


def said(spans: Any) -> str:
    return "".join(it.text for it in spans)


def runs(it: Own, name: str, **more: Any) -> Any:
    """Have the model run a workflow; what comes back is the turn's end, when it has come."""
    it.model.reply(call("run_workflow", {"name": name, **more}))
    it.model.reply(text("So."))
    return it.say()


def parts(card: Any) -> list[tuple[str, str]]:
    return [(said(part.text), part.verdict) for part in card.card.body.parts]


def flow(it: Own) -> dict[str, str]:
    """How each step of the last workflow was shown to stand."""
    told = [
        found.event.call.flow
        for found in it.scene.client.told("agent/event")
        if found.event.kind == "call" and found.event.call.flow is not None
    ]
    return {step.name: step.state for step in told[-1].steps}


@requirement("N-08")
async def test_what_a_project_can_do_is_listed_read_and_run(own: OwnStage) -> None:
    it = await own()
    task_file(it.scene.folder, prehello="echo before", hello="echo hello")
    graph_file(
        it.scene.folder, "greet", {"one": shell("touch made && echo one")}, description="Greets."
    )
    it.model.reply(call("list_workflows", {"words": ""}))
    it.model.reply(call("get_workflow", {"name": "greet"}))
    it.model.reply(call("run_workflow", {"name": "greet"}))
    it.model.reply(text("So."))
    turn = it.say()
    card = await it.scene.card()
    listed = it.model.requests[1].last
    assert "npm:hello — task: echo hello; echo before" in listed
    assert "greet — graph: Greets." in listed
    assert "touch made" in it.model.requests[2].last
    assert said(card.card.title) == "Run the workflow greet"
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert "one gave:\none" in it.model.requests[3].last


@requirement("N-08")
async def test_a_task_is_the_call_of_its_runner_with_all_that_it_runs_on_its_card(
    own: OwnStage,
) -> None:
    it = await own()
    task_file(it.scene.folder, prehello="echo before", hello="touch made")
    turn = runs(it, "npm:hello")
    card = await it.scene.card()
    assert said(card.card.title).startswith("Run npm run hello")
    rows = {said(row.name): said(row.value) for row in card.card.members}
    assert rows["Runs prehello"] == "echo before"
    assert rows["Runs hello"] == "touch made"
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert not (it.scene.folder / "made").exists()


@pytest.mark.parametrize("script", ["prehello", "hello"])
async def test_what_a_rule_says_against_a_script_it_says_against_the_task(
    own: OwnStage, script: str
) -> None:
    rules = {"rules": {"deny": ["shell(touch:*)"], "allow": ["shell(npm run:*)"]}}
    it = await own(mode="auto", **rules)
    texts = {"prehello": "echo before", "hello": "echo hello", script: "touch made"}
    task_file(it.scene.folder, **texts)
    assert (await runs(it, "npm:hello")).reason == "done"
    assert "shell(touch:*)" in it.model.requests[1].last
    assert not (it.scene.folder / "made").exists()


async def test_a_task_whose_file_changes_under_its_card_is_asked_about_as_it_is_then(
    own: OwnStage,
) -> None:
    it = await own()
    task_file(it.scene.folder, hello="touch made")
    turn = runs(it, "npm:hello")
    card = await it.scene.card()
    task_file(it.scene.folder, hello="touch other")
    await it.scene.answer(card, "once")
    again = await it.scene.card(lambda it: it.revision > card.revision)
    assert "package.json has changed" in again.card.because.text
    assert said(again.card.title) == "Run npm run hello (touch other)"
    await it.scene.answer(again, "deny")
    assert (await turn).reason == "done"
    assert not (it.scene.folder / "made").exists()
    assert not (it.scene.folder / "other").exists()


STEPS = {
    "look": shell("echo '[1]'"),
    "make": shell("touch made-${item}", each=["a", "b"], after=["look"]),
    "never": shell("touch never", when={"value": "${look}", "contains": "9"}),
    "use": shell("touch used-${look.0}", after=["make", "never"]),
}


@requirement("N-08")
async def test_a_graph_is_asked_about_once_and_again_only_where_its_steps_were_not_known(
    own: OwnStage,
) -> None:
    it = await own()
    graph_file(it.scene.folder, "six", STEPS)
    turn = runs(it, "six")
    card = await it.scene.card()
    assert parts(card) == [
        ("look: $ echo '[1]'", "allow"),
        ("make[0]: $ touch made-a", "ask"),
        ("make[1]: $ touch made-b", "ask"),
        ("never: $ touch never, if its condition is so", "ask"),
        ("use: run_command with what earlier steps give", "ask"),
    ]
    assert [option.kind for option in card.card.options if "allow" in option.kind] == ["allowOnce"]
    await it.scene.answer(card, "once")
    computed = await it.scene.card(lambda it: it.approval_id != card.approval_id)
    assert said(computed.card.title) == "Run touch used-1"
    await it.scene.answer(computed, "once")
    assert (await turn).reason == "done"
    made = {path.name for path in it.scene.folder.iterdir() if path.is_file()}
    assert made >= {"made-a", "made-b", "used-1"}
    assert "never" not in made
    assert flow(it) == {"look": "done", "make": "done", "use": "done", "never": "skipped"}
    decided = [row["body"] for row in it.scene.rows("decided")]
    assert sum("as a step of the workflow" in str(body) for body in decided) == 2


async def test_a_step_that_leads_elsewhere_by_the_time_it_is_reached_is_asked_about_once_more(
    own: OwnStage,
) -> None:
    it = await own()
    elsewhere = it.scene.folder.parent / "elsewhere"
    elsewhere.mkdir()
    steps = {
        "link": shell("ln -s ../elsewhere out"),
        "put": shell("echo key > out/key", after=["link"]),
        "end": shell("touch ended", after=["put"]),
    }
    graph_file(it.scene.folder, "two", steps)
    turn = runs(it, "two")
    card = await it.scene.card()
    assert ("put: $ echo key > out/key", "ask") in parts(card)
    await it.scene.answer(card, "once")
    second = await it.scene.card(lambda it: it.approval_id != card.approval_id)
    assert (it.scene.folder / "out").is_symlink()
    assert "echo key" in said(second.card.title)
    await it.scene.answer(second, "deny")
    assert (await turn).reason == "done"
    assert list(elsewhere.iterdir()) == []
    assert flow(it) == {"link": "done", "put": "refused", "end": "unreached"}


@requirement("N-08")
async def test_the_texts_that_a_step_runs_stand_on_the_workflows_card(own: OwnStage) -> None:
    it = await own()
    task_file(it.scene.folder, prehello="echo before", hello="touch made")
    graph_file(it.scene.folder, "one", {"go": shell("npm run hello")})
    turn = runs(it, "one")
    card = await it.scene.card()
    rows = {said(row.name): said(row.value) for row in card.card.members}
    assert rows["go: Runs prehello"] == "echo before"
    assert rows["go: Runs hello"] == "touch made"
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"


@pytest.mark.parametrize("how", ["plan", "rule"])
async def test_of_a_graph_with_a_step_that_is_denied_nothing_runs(own: OwnStage, how: str) -> None:
    rules = {"rules": {"deny": ["shell(touch:*)"]}} if how == "rule" else {}
    it = await own(mode="plan" if how == "plan" else "auto", **rules)
    graph_file(it.scene.folder, "two", {"b": shell("mkdir b"), "c": shell("touch c")})
    assert (await runs(it, "two")).reason == "done"
    assert "Its step" in it.model.requests[1].last
    assert not (it.scene.folder / "b").exists()
    assert not (it.scene.folder / "c").exists()


async def test_a_graph_that_only_reads_runs_in_plan_mode(own: OwnStage) -> None:
    it = await own(mode="plan")
    (it.scene.folder / "it.txt").write_text("the text\n")
    steps = {"read": {"run": "read_file", "with": {"path": "it.txt"}}}
    graph_file(it.scene.folder, "look", steps)
    assert (await runs(it, "look")).reason == "done"
    assert "the text" in it.model.requests[1].last


async def test_a_computed_step_that_a_rule_denies_does_not_run_and_what_waits_for_it_neither(
    own: OwnStage,
) -> None:
    it = await own(mode="auto", rules={"deny": ["shell(touch:*)"]})
    steps = {
        "name": shell("echo 'touch made'"),
        "do": shell("${name}"),
        "then": shell("mkdir then", after=["do"]),
    }
    graph_file(it.scene.folder, "sly", steps)
    assert (await runs(it, "sly")).reason == "done"
    assert flow(it) == {"name": "done", "do": "refused", "then": "unreached"}
    assert not (it.scene.folder / "made").exists()
    assert not (it.scene.folder / "then").exists()


async def test_a_step_that_came_to_be_another_call_than_its_card_showed_is_asked_about_again(
    own: OwnStage,
) -> None:
    it = await own()
    script = it.scene.folder / "do.sh"
    script.write_text("touch made\n")
    steps = {"first": shell("touch first; echo 'touch other' > do.sh"), "do": shell("sh do.sh")}
    steps["do"]["after"] = ["first"]
    graph_file(it.scene.folder, "swap", steps)
    turn = runs(it, "swap")
    card = await it.scene.card()
    await it.scene.answer(card, "once")
    again = await it.scene.card(lambda it: it.approval_id != card.approval_id)
    assert said(again.card.title) == "Run sh do.sh"
    await it.scene.answer(again, "deny")
    assert (await turn).reason == "done"
    assert not (it.scene.folder / "made").exists()
    assert not (it.scene.folder / "other").exists()


async def test_of_a_graph_that_changed_under_its_card_nothing_runs_and_it_is_said_why(
    own: OwnStage,
) -> None:
    it = await own()
    graph_file(it.scene.folder, "one", {"a": shell("touch a")})
    turn = runs(it, "one")
    card = await it.scene.card()
    graph_file(it.scene.folder, "one", {"a": shell("touch b")})
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    assert ".assent/workflows/one.json has changed" in it.model.requests[1].last
    assert not (it.scene.folder / "a").exists()
    assert not (it.scene.folder / "b").exists()


async def test_an_agent_cannot_write_itself_a_workflow_unasked(own: OwnStage) -> None:
    it = await own(mode="auto")
    given = {"path": ".assent/workflows/mine.json", "content": "{}"}
    it.model.reply(call("write_file", given))
    it.model.reply(text("So."))
    turn = it.say()
    card = await it.scene.card()
    assert card.card.level == "high"
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"


FAILING = {
    "first": shell("touch first"),
    "check": shell("cat wanted", after=["first"]),
    "last": shell("touch last", after=["check"]),
}


@requirement("N-08")
@pytest.mark.parametrize("by", ["person", "model"])
async def test_a_workflow_is_run_again_from_the_step_that_failed_with_what_the_others_gave(
    own: OwnStage, by: str
) -> None:
    it = await own(mode="auto")
    graph_file(it.scene.folder, "fails", FAILING)
    assert (await runs(it, "fails")).reason == "done"
    assert flow(it) == {"first": "done", "check": "failed", "last": "unreached"}
    (it.scene.folder / "first").unlink()
    (it.scene.folder / "wanted").write_text("here")
    if by == "model":
        assert (await runs(it, "fails", from_step="check")).reason == "done"
    else:
        record = it.scene.record(it.chat, title="Run the workflow")
        assert record is not None
        given = {"chatId": it.chat, "callId": record.call_id, "step": "check"}
        ended = await it.scene.client.request("tool/again", given)
        assert ended.reason == "done"
    assert flow(it) == {"first": "kept", "check": "done", "last": "done"}
    assert not (it.scene.folder / "first").exists()
    assert (it.scene.folder / "last").exists()


async def test_a_step_with_computed_input_that_was_denied_is_asked_about_when_it_is_run_again(
    own: OwnStage,
) -> None:
    it = await own()
    put = {"run": "write_file", "with": {"path": "out.txt", "content": "${look}"}}
    graph_file(it.scene.folder, "telling", {"look": shell("echo PLUM"), "put": put})
    turn = runs(it, "telling")
    card = await it.scene.card()
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    turn = runs(it, "telling", from_step="put")
    again = await it.scene.card(lambda it: it.approval_id != card.approval_id)
    await it.scene.answer(again, "once")
    assert (await turn).reason == "done"
    assert flow(it) == {"look": "kept", "put": "done"}
    assert "PLUM" in (it.scene.folder / "out.txt").read_text()


async def test_what_a_step_read_that_a_rule_denies_by_now_is_not_given_on(own: OwnStage) -> None:
    it = await own(mode="auto")
    (it.scene.folder / "plans.txt").write_text("PLUM")
    steps = {
        "look": {"run": "read_file", "with": {"path": "plans.txt"}},
        "tell": shell("echo '${look}' > told; test -e go"),
    }
    graph_file(it.scene.folder, "telling", steps)
    await runs(it, "telling")
    assert "PLUM" in (it.scene.folder / "told").read_text()
    (it.scene.folder / "told").unlink()
    (it.scene.folder / "go").touch()
    await it.scene.change_settings(user={"rules": {"deny": ["read(./plans.txt)"]}})
    await runs(it, "telling", from_step="tell")
    assert not (it.scene.folder / "told").exists()
    assert "read(./plans.txt)" in it.model.requests[-1].last


async def test_a_search_is_made_anew_as_nobody_knows_in_which_files_it_found_something(
    own: OwnStage,
) -> None:
    it = await own(mode="auto")
    steps = {
        "look": {"run": "search_text", "with": {"pattern": "PLU.", "path": "."}},
        "check": shell("cat wanted", after=["look"]),
    }
    graph_file(it.scene.folder, "telling", steps)
    await runs(it, "telling")
    assert flow(it) == {"look": "done", "check": "failed"}
    (it.scene.folder / "wanted").touch()
    await runs(it, "telling", from_step="check")
    assert flow(it) == {"look": "done", "check": "done"}


async def test_nothing_is_taken_over_from_a_run_of_a_file_that_has_changed(own: OwnStage) -> None:
    it = await own(mode="auto")
    graph_file(it.scene.folder, "fails", FAILING)
    assert (await runs(it, "fails")).reason == "done"
    graph_file(it.scene.folder, "fails", {**FAILING, "more": shell("touch more")})
    assert (await runs(it, "fails", from_step="check")).reason == "done"
    assert "has changed since that run" in it.model.requests[-1].last
    assert not (it.scene.folder / "more").exists()


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ({"a": shell("x", after=["b"]), "b": shell("y", after=["a"])}, "in a circle"),
        ({"a": {"run": "present_plan"}}, "which no step can run"),
        ({"a": shell("echo ${nobody}")}, "there is no such step"),
        ({"a": {"run": "run_command", "with": {"comand": "x"}}}, "step a cannot be run"),
        ({}, "steps"),
    ],
)
async def test_what_is_wrong_with_a_graph_is_said_and_nothing_runs(
    own: OwnStage, steps: dict[str, Any], told: str
) -> None:
    it = await own(mode="auto")
    graph_file(it.scene.folder, "wrong", steps)
    assert (await runs(it, "wrong")).reason == "done"
    assert told in it.model.requests[1].last
    assert it.scene.rows("decided") == []


async def test_stop_ends_the_step_that_runs_and_begins_no_other(own: OwnStage) -> None:
    it = await own(mode="auto")
    steps = {"waits": shell("touch begun; sleep 60"), "then": shell("touch then", after=["waits"])}
    graph_file(it.scene.folder, "long", steps)
    turn = runs(it, "long")
    await it.scene.reaches(it.chat, "running", "touch begun")
    await it.scene.client.request("agent/stop", {"chatId": it.chat})
    assert (await turn).reason == "stopped"
    assert not (it.scene.folder / "then").exists()
    assert flow(it) == {"waits": "failed", "then": "unreached"}


async def broken_off(own: OwnStage, stage: Stage) -> Own:
    """A window whose server was killed while a step ran, and the next one in its place."""
    before = await own(mode="auto")
    steps = {
        "first": shell("echo x >> first"),
        "waits": shell("echo x >> begun; test -e go || sleep 60", after=["first"]),
        "last": shell("echo x >> last", after=["waits"]),
    }
    graph_file(before.scene.folder, "long", steps)
    before.model.reply(call("run_workflow", {"name": "long"}))
    before.say()
    await before.scene.reaches(before.chat, "running", "begun")
    begun = (before.scene.folder / "begun").exists
    await asyncio.to_thread(until, begun, within=IN_TIME, what="it has begun")

    def is_kept() -> bool:
        flows = [
            json.loads(entry).get("flow") for entry in entries(before.scene.state, before.chat)
        ]
        states = [step["state"] for flow in flows if flow for step in flow["steps"]]
        return states == ["done", "running", "pending"]

    await asyncio.to_thread(until, is_kept, within=IN_TIME, what="how far it came is kept")
    await kill(before.scene)
    (before.scene.folder / "go").touch()
    scene = await again(stage, before.scene)
    return Own(scene=scene, model=before.model, chat=before.chat)


@pytest.mark.process
@requirement("N-08")
async def test_what_had_begun_when_the_server_was_killed_is_asked_about_and_nothing_runs_twice(
    own: OwnStage, stage: Stage
) -> None:
    it = await broken_off(own, stage)
    chat = await it.scene.chat("assent", "auto")
    it.model.reply(call("run_workflow", {"name": "long", "from_step": "waits"}))
    it.model.reply(text("So."))
    turn = it.scene.say(chat, "Go on.")
    card = await it.scene.card()
    ((shown, verdict), (last, let)) = parts(card)
    assert (shown.partition(":")[0], verdict) == ("waits", "ask")
    assert (last, let) == ("last: $ echo x >> last", "allow")
    assert "nobody knows how far it came" in card.card.because.text
    await it.scene.answer(card, "once")
    assert (await turn).reason == "done"
    written = {name: (it.scene.folder / name).read_text() for name in ("first", "begun", "last")}
    assert written == {"first": "x\n", "begun": "x\nx\n", "last": "x\n"}


@pytest.mark.process
async def test_a_person_goes_on_with_a_run_that_a_killed_server_broke_off(
    own: OwnStage, stage: Stage
) -> None:
    it = await broken_off(own, stage)
    snapshot = (await it.scene.client.request("agent/subscribe", {"viewId": "view"})).snapshot
    (chat,) = [found for found in snapshot.chats if found.chat_id == it.chat]
    (record,) = [item for item in chat.items if item.kind == "call" and item.flow is not None]
    assert [step.state for step in record.flow.steps] == ["done", "running", "pending"]
    assert record.state not in {"running", "waiting"}
    given = {"chatId": it.chat, "callId": record.call_id, "step": "waits"}
    turn = it.scene.client.ask("tool/again", given)[1]
    await it.scene.answer(await it.scene.card(), "once")
    assert (await turn).reason == "done"
    assert flow(it) == {"first": "kept", "waits": "done", "last": "done"}
    assert (it.scene.folder / "first").read_text() == "x\n"


def kept_of_runs(it: Own) -> bytes:
    return b"".join(path.read_bytes() for path in it.scene.state.glob("workflows/runs.db*"))


async def of_two_chats(own: OwnStage) -> tuple[Own, str]:
    """Each has run a graph, and the words that it gave are kept."""
    it = await own(mode="auto")
    other = await it.scene.chat("assent", "auto")
    for chat, word in ((it.chat, "apricot"), (other, "bergamot")):
        graph_file(it.scene.folder, word, {"says": shell(f"echo {word} | tr a-z A-Z")})
        it.model.reply(call("run_workflow", {"name": word}))
        it.model.reply(text("So."))
        assert (await it.scene.turn(chat, "Go on.")).reason == "done"
    assert b"APRICOT" in kept_of_runs(it)
    assert b"BERGAMOT" in kept_of_runs(it)
    return it, other


async def test_what_a_chats_workflows_gave_is_deleted_with_it_and_of_others_nothing(
    own: OwnStage,
) -> None:
    it, other = await of_two_chats(own)
    await it.scene.client.request("chat/delete", {"chatId": it.chat})
    assert b"APRICOT" not in kept_of_runs(it)
    assert b"apricot" not in kept_of_runs(it)
    assert b"BERGAMOT" in kept_of_runs(it)
    it.model.reply(call("run_workflow", {"name": "apricot", "from_step": "says"}))
    it.model.reply(text("So."))
    assert (await it.scene.turn(other, "Once more.")).reason == "done"
    assert "APRICOT" not in it.model.requests[-1].last


@pytest.mark.process
async def test_what_the_workflows_of_chats_gave_that_are_too_old_is_deleted_with_them(
    own: OwnStage, stage: Stage
) -> None:
    it, other = await of_two_chats(own)
    await kept(it.scene, it.chat, 2)
    await kept(it.scene, other, 2)
    await kill(it.scene)
    with sqlite3.connect(it.scene.state / "chats.db") as database:
        database.execute("update chats set touched=0 where id=?", (it.chat,))
    database.close()
    await again(stage, it.scene)
    gone = await asyncio.to_thread(
        until, lambda: b"APRICOT" not in kept_of_runs(it), within=IN_TIME, what="it is deleted"
    )
    assert gone is None or gone
    assert b"BERGAMOT" in kept_of_runs(it)


@pytest.mark.process
async def test_what_was_run_in_a_chat_that_is_gone_is_deleted_when_a_window_opens(
    own: OwnStage, stage: Stage
) -> None:
    it, other = await of_two_chats(own)
    await kept(it.scene, it.chat, 2)
    await kept(it.scene, other, 2)
    await kill(it.scene)
    # As where the runs could not be deleted with their chat.
    with sqlite3.connect(it.scene.state / "workflows/runs.db") as database:
        database.execute("update runs set chat='gone' where chat=?", (it.chat,))
    database.close()
    await again(stage, it.scene)
    await asyncio.to_thread(
        until, lambda: b"APRICOT" not in kept_of_runs(it), within=IN_TIME, what="it is deleted"
    )
    assert b"BERGAMOT" in kept_of_runs(it)


@pytest.mark.parametrize("command", ["npm run hello", "npm t", "cd . && make all"])
async def test_a_command_that_runs_a_task_is_judged_as_the_task_is(
    own: OwnStage, command: str
) -> None:
    rules = {"rules": {"deny": ["shell(touch:*)"], "allow": ["shell(npm:*)"]}}
    it = await own(mode="auto", **rules)
    task_file(it.scene.folder, prehello="touch made", hello="echo", test="touch made")
    (it.scene.folder / "Makefile").write_text("all:\n\ttouch made\n")
    it.model.reply(call("run_command", {"command": command}))
    it.model.reply(text("So."))
    assert (await it.say()).reason == "done"
    assert "shell(touch:*)" in it.model.requests[1].last
    assert not (it.scene.folder / "made").exists()


@pytest.mark.parametrize(
    "command",
    ["npm run deploy", "npm run-script deploy", "npm run release", "cd . && make deploy"],
)
async def test_a_rule_about_a_task_holds_for_each_command_that_runs_it(
    own: OwnStage, command: str
) -> None:
    rules = {"deny": ["run(workflow:npm:deploy)", "run(workflow:make:deploy)"]}
    it = await own(mode="auto", rules=rules)
    task_file(it.scene.folder, deploy="touch made", release="npm run deploy")
    (it.scene.folder / "Makefile").write_text("deploy:\n\ttouch made\n")
    it.model.reply(call("run_command", {"command": command}))
    it.model.reply(text("So."))
    assert (await it.say()).reason == "done"
    assert ":deploy)" in it.scene.rows("decided")[-1]["body"]["rule"]
    assert not (it.scene.folder / "made").exists()


async def test_the_card_of_a_command_shows_what_the_task_runs_and_is_bound_to_that(
    own: OwnStage,
) -> None:
    it = await own()
    task_file(it.scene.folder, hello="touch made")
    it.model.reply(call("run_command", {"command": "npm run hello"}))
    it.model.reply(text("So."))
    turn = it.say()
    card = await it.scene.card()
    assert said(card.card.title) == "Run npm run hello (touch made)"
    assert card.card.members == []
    task_file(it.scene.folder, hello="touch other")
    await it.scene.answer(card, "once")
    again = await it.scene.card(lambda it: it.revision > card.revision)
    assert said(again.card.title) == "Run npm run hello (touch other)"
    assert again.card.members == []
    await it.scene.answer(again, "deny")
    assert (await turn).reason == "done"


@pytest.mark.parametrize(
    ("name", "left"), [("make:all", "$(shell"), ("npm:all", "make"), ("task:all", "$(shell")]
)
async def test_a_task_that_cannot_be_followed_is_asked_about_in_every_mode(
    own: OwnStage, name: str, left: str
) -> None:
    it = await own(mode="auto", rules={"allow": ["shell(*)"]})
    task_file(it.scene.folder, all="make all")
    (it.scene.folder / "Makefile").write_text("X := $(shell touch made)\nall:\n\techo\n")
    (it.scene.folder / ".vscode").mkdir()
    (it.scene.folder / ".vscode/tasks.json").write_text(
        json.dumps({"tasks": [{"label": "all", "command": "make all"}]})
    )
    turn = runs(it, name)
    card = await it.scene.card()
    assert f"could not be followed to its end, because of `{left}`" in card.card.because.text
    await it.scene.answer(card, "deny")
    assert (await turn).reason == "done"
    assert not (it.scene.folder / "made").exists()


@pytest.mark.parametrize("how", ["damaged", "link", "folder"])
async def test_where_runs_cannot_be_kept_nothing_runs_and_the_file_is_named(
    own: OwnStage, how: str, tmp_path: Path
) -> None:
    it = await own(mode="auto")
    path = it.scene.state / "workflows/runs.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    if how == "folder":
        path.mkdir()
    elif how == "link":
        path.symlink_to(tmp_path / "elsewhere")
    else:
        path.write_bytes(b"no database" * 500)
    graph_file(it.scene.folder, "making", {"one": shell("touch made")})
    assert (await runs(it, "making")).reason == "done"
    assert str(path) in it.model.requests[1].last
    assert not (it.scene.folder / "made").exists()
    assert not (tmp_path / "elsewhere").exists()
    assert how != "damaged" or path.read_bytes() == b"no database" * 500
    path.rmdir() if how == "folder" else path.unlink()
    assert (await runs(it, "making")).reason == "done"
    assert (it.scene.folder / "made").exists()


async def test_a_record_is_ruled_on_again_with_what_its_task_runs_now(own: OwnStage) -> None:
    it = await own(mode="auto")
    task_file(it.scene.folder, hello="touch made")
    it.model.reply(call("run_command", {"command": "npm run hello"}))
    it.model.reply(text("So."))
    assert (await it.say()).reason == "done"
    await it.scene.change_settings(user={"rules": {"deny": ["shell(touch:*)"]}})
    assert (await replayed(it)).replay.rule == "shell(touch:*)"


async def test_of_the_record_of_a_workflow_nothing_is_said_but_that_its_steps_have_their_own(
    own: OwnStage,
) -> None:
    it = await own(mode="auto")
    graph_file(it.scene.folder, "making", {"one": shell("touch made")})
    assert (await runs(it, "making")).reason == "done"
    await it.scene.change_settings(user={"rules": {"deny": ["shell(touch:*)"]}})
    record = await replayed(it, -1)
    assert (record.replay, "Each of its steps" in record.no_replay) == (None, True)
    assert (await replayed(it)).replay.rule == "shell(touch:*)"


async def replayed(it: Own, at: int = 0) -> Any:
    """A record as history shows it, the newest first."""
    row = (await it.scene.client.request("history/list", {})).rows[at]
    ref = {"recordId": row.record_id, "hash": row.hash}
    return await it.scene.client.request("history/show", ref)
