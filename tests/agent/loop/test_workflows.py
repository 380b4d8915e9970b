"""A workflow at a gate where something breaks: what is not allowed or not kept does not run."""

import json
import sqlite3
from typing import Any

import pytest

from agent.loop.scene import CHAT, Table, calling, saying
from assent.agent.tools.registry import BELT
from assent.gate.call.calls import Call, Effect
from assent.gate.call.errors import JournalUnwritable
from assent.gate.call.modes import CATALOGUE, Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.journal.journal import Journal
from assent.gate.passage import Ended
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord


def shell(command: str, **more: Any) -> dict[str, Any]:
    return {"run": "run_command", "with": {"command": command}, **more}


def wants(table: Table, name: str, steps: dict[str, Any], **given: Any) -> None:
    """Write a workflow, and let the model run it."""
    path = table.root / ".assent/workflows" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"inputs": {"x": {"default": "1"}}, "steps": steps}))
    run = ("run_workflow", json.dumps({"name": name, **given}))
    table.model.will(calling(run), saying("So."))


def made(table: Table) -> set[str]:
    return {it.name for it in table.root.iterdir() if it.is_file()}


TWO = {"one": shell("touch one"), "two": shell("touch two", after=["one"])}


async def test_a_step_whose_decision_cannot_be_kept_does_not_run(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.mode = Mode.AUTO
    keep, decided = Journal.keep, list[Any]()

    async def full(self: Journal, entry: Any, *more: Any) -> int:
        decided.extend([entry] if entry.kind == "decided" else [])
        if len(decided) > 2:  # the workflow, and its first step
            raise JournalUnwritable("the journal could not be written: no space is left")
        return await keep(self, entry, *more)

    monkeypatch.setattr(Journal, "keep", full)
    wants(table, "two", TWO)
    await table.says()
    assert made(table) == {"one"}
    assert "two: refused" in table.results[0].text


async def test_a_step_of_which_it_cannot_be_kept_that_it_began_does_not_run(table: Table) -> None:
    table.mode = Mode.AUTO
    wants(table, "two", TWO)
    (table.state / "runs.db").mkdir(parents=True)
    await table.says()
    assert made(table) == set()
    assert "could not be kept on the disk" in table.results[0].text


async def test_a_file_of_runs_that_breaks_in_the_middle_keeps_the_next_step_from_running(
    table: Table,
) -> None:
    table.mode = Mode.AUTO
    broken = f"python3 -c \"import sqlite3; d = sqlite3.connect('{table.state}/runs.db')"
    broken += "; d.execute('drop table pieces')\""
    wants(table, "two", {"one": shell(broken), "two": shell("touch two", after=["one"])})
    turn = table.prompt()
    # What lies in the state is the gate's own, so the first step is asked about in every mode.
    await table.answer(await table.card())
    await turn
    assert made(table) == set()
    assert "one: failed" in table.results[0].text


class Asking:
    """A hook that asks about one command when it is reached."""

    async def before(self, call: Call) -> HookWord:
        if call.input.get("command") == "touch two":
            return HookWord(verdict=Verdict.ASK, because="Look twice.")
        return SILENCE

    async def after(self, call: Call, ended: Ended) -> str:
        return ""


@pytest.mark.parametrize("hooked", [True, False])
async def test_an_answer_to_the_card_of_a_workflow_is_none_to_a_hook_that_asks_about_a_step(
    table: Table, *, hooked: bool
) -> None:
    if hooked:
        table.hooked(Asking())
    wants(table, "two", TWO)
    turn = table.prompt()
    await table.answer(await table.card())
    if hooked:
        card = await table.card()
        assert "Look twice." in card.ruling.because
        await table.deny(card)
    await turn
    assert made(table) == ({"one"} if hooked else {"one", "two"})


async def test_an_answer_to_a_workflow_is_none_to_the_same_command_outside_of_it(
    table: Table,
) -> None:
    wants(table, "two", TWO)
    turn = table.prompt()
    await table.answer(await table.card())
    await turn
    table.model.will(calling(("run_command", json.dumps({"command": "touch one"}))), saying("So."))
    turn = table.prompt()
    card = await table.card()
    assert isinstance(card.asks, Call)
    assert card.asks.input["command"] == "touch one"
    await table.deny(card)
    await turn


async def test_a_step_runs_no_workflow_and_talks_with_nobody(table: Table) -> None:
    table.mode = Mode.AUTO
    for run in ("run_workflow", "ask_person", "present_plan", "run_subtask", "nothing"):
        wants(table, "odd", {"a": {"run": run, "with": {"name": "odd"}}})
        await table.says()
        assert "which no step can run" in table.results[0].text


async def test_of_a_workflow_that_would_make_more_calls_than_anybody_would_look_at_none_is_made(
    table: Table,
) -> None:
    table.mode = Mode.AUTO
    steps = {
        it: {**shell("touch ${item}"), "each": "${inputs.x}"} for it in ("one", "two", "three")
    }
    wants(table, "many", steps, inputs={"x": [str(at) for at in range(67)]})
    await table.says()
    assert "it would make more than 200 calls" in table.results[0].text
    assert made(table) == set()


async def test_each_piece_is_begun_before_it_runs_and_done_with_what_it_gave(table: Table) -> None:
    table.mode = Mode.AUTO
    path = table.state / "runs.db"
    look = f"python3 - <<'E'\nimport sqlite3\nd = sqlite3.connect('{path}')\n"
    look += "print(d.execute(\"select state from pieces where key = 'one'\").fetchall())\nE"
    wants(table, "one", {"one": shell(look)})
    turn = table.prompt()
    await table.answer(await table.card())
    await turn
    assert "[('started',)]" in table.results[0].text
    with sqlite3.connect(path) as database:
        assert database.execute("select state from pieces").fetchall() == [("done",)]
    database.close()
    assert path.stat().st_mode & 0o777 == 0o600


FAILS = {
    "same": shell("echo x >> same"),
    "made": shell("echo x >> made-${inputs.x}"),
    "check": shell("cat wanted", after=["same", "made"]),
}


async def test_only_what_would_be_run_with_the_same_is_taken_over_from_the_run_before(
    table: Table,
) -> None:
    table.mode = Mode.AUTO
    wants(table, "fails", FAILS)
    await table.says()
    wants(table, "fails", FAILS, from_step="check", inputs={"x": "2"})
    await table.says()
    assert (table.root / "same").read_text() == "x\n"
    assert (table.root / "made-1").read_text() == "x\n"
    assert (table.root / "made-2").read_text() == "x\n"


async def test_a_run_from_a_step_takes_the_inputs_of_the_run_before(table: Table) -> None:
    table.mode = Mode.AUTO
    wants(table, "fails", FAILS, inputs={"x": "7"})
    await table.says()
    (table.root / "wanted").touch()
    wants(table, "fails", FAILS, from_step="check")
    await table.says()
    assert made(table) == {"same", "made-7", "wanted"}
    assert "made: kept" in table.results[0].text


async def test_what_began_and_did_not_end_is_asked_about_in_every_mode_also_where_it_is_computed(
    table: Table,
) -> None:
    table.mode = Mode.AUTO
    steps = {"name": shell("echo it"), "do": shell("echo x >> ${name}; echo begun; sleep 60")}
    wants(table, "long", steps)
    table.model._script.pop()  # it is stopped before it says anything
    turn = table.prompt()
    while not any("begun" in table.printed(call.id) for call in table.calls):
        await table.more()
    await table.assistants.stop(CHAT)
    await turn
    wants(table, "long", steps, from_step="name")
    turn = table.prompt()
    card = await table.card()
    assert "nobody knows how far it came" in card.ruling.because
    assert isinstance(card.asks, Call)
    assert card.asks.input["command"].startswith("echo x >> it")
    await table.deny(card)
    await turn
    assert (table.root / "it").read_text() == "x\n"


async def test_a_run_cannot_begin_at_a_step_of_a_workflow_that_never_ran(table: Table) -> None:
    table.mode = Mode.AUTO
    wants(table, "two", TWO, from_step="two")
    await table.says()
    assert "has not been run yet" in table.results[0].text
    wants(table, "two", TWO, from_step="three")
    await table.says()
    assert "has no step `three`" in table.results[0].text
    assert made(table) == set()


async def test_a_step_in_doubt_that_was_not_let_run_again_is_asked_about_in_the_run_after(
    table: Table,
) -> None:
    table.mode = Mode.AUTO
    steps = {"name": shell("echo it"), "do": shell("echo x >> ${name}; echo begun; sleep 60")}
    wants(table, "long", steps)
    table.model._script.pop()
    turn = table.prompt()
    while not any("begun" in table.printed(call.id) for call in table.calls):
        await table.more()
    await table.assistants.stop(CHAT)
    await turn
    # From its beginning, too: what is in doubt is so whoever runs it next.
    for more in ({"from_step": "name"}, {"from_step": "name"}, {}):
        wants(table, "long", steps, **more)
        turn = table.prompt()
        card = await table.card()
        assert "nobody knows how far it came" in card.ruling.because
        await table.deny(card)
        await turn
    assert (table.root / "it").read_text() == "x\n"


async def test_a_run_goes_on_with_the_run_of_its_card_and_not_with_the_last(table: Table) -> None:
    table.mode = Mode.AUTO
    for x in ("1", "2"):
        wants(table, "fails", FAILS, inputs={"x": x})
        await table.says()
    first = next(it for it in table.calls if it.tool == "run")
    (table.root / "wanted").touch()
    assert (await table.assistants.run_again(CHAT, first.id, "check"))[0] == "done"
    again = [it for it in table.calls if it.tool == "run"][-1]
    assert again.input["of_run"] == first.id
    assert again.input["inputs"] == {"x": "1"}
    assert (table.root / "made-1").read_text() == "x\n", "it was kept, and not made again"


async def test_no_run_goes_on_with_the_run_of_another_workflow(table: Table) -> None:
    table.mode = Mode.AUTO
    wants(table, "other", FAILS)
    await table.says()
    first = next(it for it in table.calls if it.tool == "run")
    wants(table, "fails", FAILS)
    await table.says()
    wants(table, "fails", FAILS, from_step="check", of_run=first.id)
    await table.says()
    assert "nothing is kept of that run of fails" in table.results[0].text


async def test_a_step_is_asked_about_with_what_was_kept_for_it(table: Table) -> None:
    steps = {
        "name": shell("echo it"),
        "use": shell("touch used-${name}; test -e wanted", after=["name"]),
    }
    table.mode = Mode.AUTO
    wants(table, "uses", steps)
    await table.says()
    table.mode = Mode.DEFAULT
    (table.root / "wanted").touch()
    wants(table, "uses", steps, from_step="use")
    turn = table.prompt()
    card = await table.card()
    assert [it.text for it in card.ruling.parts] == ["use: $ touch used-it; test -e wanted"]
    await table.answer(card)
    await turn
    assert "use: done" in table.results[0].text


@pytest.mark.parametrize("known", [True, False])
async def test_an_answer_is_none_to_what_runs_behind_a_write_that_was_not_known_then(
    table: Table, *, known: bool
) -> None:
    wrote = "one" if known else "${name}"
    steps = {
        "name": shell("touch first; echo sly"),
        "write": {"run": "write_file", "with": {"path": "build.txt", "content": wrote}},
        "use": shell("./build || touch used", after=["write"]),
    }
    wants(table, "late", steps)
    turn = table.prompt()
    card = await table.card()
    shown = {it.text.partition(":")[0]: it.because for it in card.ruling.parts}
    assert ("when it is due" in shown["use"]) is not known
    await table.answer(card)
    if not known:
        await table.answer(await table.card())
        due = await table.card()
        assert isinstance(due.asks, Call)
        assert due.asks.input["command"] == "./build || touch used"
        await table.deny(due)
    await turn
    assert ("used" in made(table)) is known


async def test_an_answer_is_none_to_what_may_run_beside_a_command_that_was_not_known_then(
    table: Table,
) -> None:
    steps = {
        "name": shell("echo x"),
        "other": shell("touch ${name}"),
        "use": shell("touch used"),
        "read": {"run": "list_files", "with": {}},
    }
    wants(table, "late", steps)
    turn = table.prompt()
    # What lies in the workspace is read unasked, and all else waits for its turn.
    asked = {}
    for _ in range(2):
        due = await table.card()
        assert isinstance(due.asks, Call)
        asked[due.asks.input["command"]] = due
        await table.deny(due)
    await turn
    assert asked.keys() == {"touch x", "touch used"}
    assert made(table) == set()


def test_what_a_step_can_run_changes_or_reads_and_neither_works_in_the_chat_nor_runs_steps() -> (
    None
):
    steps = {it.name for it in BELT if it.is_step}
    assert {"run_command", "write_file", "read_file"} <= steps
    assert not any(it.effect is Effect.CHAT for it in BELT if it.is_step)
    assert not any("workflow" in it or "node" in it for it in steps)


async def test_whoever_tells_what_can_be_run_only_reads(table: Table) -> None:
    table.mode = Mode.PLAN
    told = {"list_nodes": "{}", "list_collections": "{}", "list_workflows": "{}"}
    table.model.will(calling(*told.items()), saying("So."))
    await table.says()
    assert {it.tool for it in table.calls} == {CATALOGUE}
    assert {it.effect for it in table.calls} == {Effect.READ}


async def test_of_a_workflow_that_is_not_there_it_is_said_that_it_is_not(table: Table) -> None:
    for name in ("nothing", "npm:nothing"):
        table.model.will(calling(("get_workflow", json.dumps({"name": name}))), saying("So."))
        await table.says()
        assert f"there is no workflow `{name}`" in table.results[0].text
