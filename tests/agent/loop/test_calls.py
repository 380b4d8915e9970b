"""What comes of a call, however it ends: one result, in words for the model."""

import asyncio
import json
import stat
from typing import Any

import pytest
from attrs import evolve

from agent.loop.probe import Probes, probe
from agent.loop.scene import CHAT, Table, calling, check, saying
from assent.agent.loop.conversation import Conversation
from assent.agent.loop.wording import undone
from assent.agent.models.conversation import Said as Prompt
from assent.agent.models.events import Argued, CallReady, CallStarted
from assent.agent.tools.file_writes import write
from assent.agent.tools.tool import MAX_RESULT_LETTERS, Done, ToolFailed
from assent.gate.approvals.tickets import OptionKind
from assent.gate.call.calls import Call, CallId, Edit, Effect
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.journal.events import CallPrinted, PlanLine, PlanMade
from assent.gate.passage import Ended
from assent.gate.ruling.hook_verdicts import HookWord
from gate.admit.scene import within
from gate.ruling.samples import Says

DONE = Done(text="done")


@pytest.mark.requirement("T-05")
async def test_a_refusal_goes_back_with_the_words_of_the_person(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", effect="execute"), probe("b")), saying("I see."))
    turn = table.prompt()
    await table.deny(await table.card(), "Use the other one.")
    assert await within(turn) == ("done", "")
    refused, other = table.results
    assert refused.text == "The person refused this and says: Use the other one."
    assert refused.failed
    assert not other.failed
    assert probes.begun == {"b": 1}
    assert table.texts() == ["I see."]


@pytest.mark.requirement("T-05")
async def test_a_refusal_without_words_says_that_it_holds(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a", effect="execute")), saying("I see."))
    turn = table.prompt()
    await table.deny(await table.card())
    await within(turn)
    assert table.results[0].text.startswith("The person refused this. It was not run.")


async def test_a_refusal_for_the_chat_says_so(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a", effect="execute")), saying("I see."))
    turn = table.prompt()
    await table.answer(await table.card(), "denyChat")
    await within(turn)
    assert "for the rest of this chat" in table.results[0].text


@pytest.mark.requirement("T-05")
async def test_a_refusal_by_a_rule_goes_back_with_its_sentence(
    table: Table, probes: Probes
) -> None:
    table.rules = (Says(verdict=Verdict.DENY, name="no-probes"),)
    table.model.will(calling(probe("a")), saying("I see."))
    await table.says()
    assert table.results[0].text == "This was refused, so it was not run: no-probes says so."
    assert probes.begun == {}


async def test_a_refusal_by_the_mode_needs_no_card(table: Table, probes: Probes) -> None:
    table.mode = Mode.PLAN
    table.model.will(calling(probe("a", effect="write")), saying("I see."))
    await table.says()
    assert "Plan" in table.results[0].text
    assert table.opened == set()


async def test_nobody_s_answer_is_told_as_such(table: Table, probes: Probes) -> None:
    table.patience = 0.001
    table.model.will(calling(probe("a", effect="execute")), saying("I see."))
    await table.says()
    assert "Nobody answered in time" in table.results[0].text


@pytest.mark.parametrize(
    ("name", "arguments", "word"),
    [
        ("probe", '{"label": ', "not valid JSON"),
        ("probe", "[1]", "one JSON object"),
        ("probe", "{}", "`label`: it is missing"),
        ("probe", '{"label": "a", "sudo": true}', "no such argument"),
        ("no_such_tool", "{}", "There is no tool `no_such_tool`"),
        ("", "", "There is no tool"),
    ],
)
async def test_a_wrong_call_goes_back_with_the_reason_and_is_never_a_card(
    table: Table, probes: Probes, name: str, arguments: str, word: str
) -> None:
    table.mode = Mode.ASK
    table.model.will(calling((name, arguments)), saying("Oh."))
    assert await table.says() == ("done", "")
    assert word in table.results[0].text
    assert table.results[0].failed
    assert table.calls == []
    assert table.opened == set()


async def test_ids_that_the_model_gives_twice_or_not_at_all_harm_nothing(
    table: Table, probes: Probes
) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    for label, name in (("a", "same"), ("b", "same"), ("c", "")):
        reply.call(*probe(label), name_of_call=name)
    reply.end("calls")
    (await table.model.asked()).end()
    await within(turn)
    assert [it.text for it in table.results] == ["a is done", "b is done", "c is done"]
    assert len({it.call for it in table.results}) == 3
    assert len({call.id for call in table.calls}) == 3


async def test_calls_that_the_model_writes_at_once_are_kept_apart(
    table: Table, probes: Probes
) -> None:
    turn = table.prompt()
    reply = await table.model.asked()
    reply.say(CallStarted(key=1, name="probe"), CallStarted(key=2, name="probe"))
    reply.say(Argued(key=1, piece='{"label"'), Argued(key=2, piece='{"label": "b"}'))
    reply.say(CallReady(key=2, id="y", name="probe", arguments='{"label": "b"}'))
    await probes.begins("b")
    assert probes.begun == {"b": 1}
    reply.say(Argued(key=1, piece=': "a"}'))
    reply.say(CallReady(key=1, id="x", name="probe", arguments='{"label": "a"}'))
    reply.end("calls")
    (await table.model.asked()).end()
    await within(turn)
    assert [it.text for it in table.results] == ["b is done", "a is done"]


async def test_a_tool_that_fails_says_why(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a", does="fail"), probe("b")), saying("Oh."))
    assert await table.says() == ("done", "")
    failed, other = table.results
    assert (failed.text, failed.failed) == ("It is not there.", True)
    assert other.text == "b is done"
    assert table.steps(table.calls[0])[-1] is State.FAILED
    assert table.printed(table.calls[0].id) == "It is not there."


async def test_a_tool_that_breaks_is_a_result_like_any_other(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a", does="crash"), probe("b")), saying("Oh."))
    assert await table.says() == ("done", "")
    assert table.results[0].text == "The tool failed: OSError: no such luck"
    assert table.results[1].text == "b is done"
    assert table.steps(table.calls[0])[-1] is State.FAILED
    await table.written()
    (row,) = table.rows(kind="ended", call=table.calls[0].id)
    assert row["body"]["state"] == "failed"
    assert table.printed(table.calls[0].id) == table.results[0].text


async def test_a_gate_that_breaks_lets_nothing_run_and_harms_no_other_call(
    table: Table, probes: Probes
) -> None:
    class Broken:
        async def before(self, call: Call) -> HookWord:
            if call.input["label"] == "a":
                raise ValueError("broken")
            return HookWord()

        async def after(self, _: Call, __: Ended) -> str:
            return ""

    table.hooked(Broken())
    table.model.will(calling(probe("a"), probe("b")), saying("Oh."))
    assert await table.says() == ("done", "")
    assert table.results[0].text.startswith("It was not run, since it failed:")
    assert probes.begun == {"b": 1}


class _Hooks:
    """Rewrites, and remarks."""

    def __init__(self, word: HookWord, remark: str = "") -> None:
        self.word, self.remark = word, remark
        self.heard: list[tuple[Call, Ended]] = []

    async def before(self, _: Call) -> HookWord:
        return self.word

    async def after(self, call: Call, ended: Ended) -> str:
        self.heard.append((call, ended))
        return self.remark


async def test_what_a_hook_makes_of_a_call_is_what_runs(table: Table, probes: Probes) -> None:
    hooks = _Hooks(HookWord(rewritten={"label": "b"}, because="The hook says so."))
    table.hooked(hooks)
    table.model.will(calling(probe("a")), saying("Oh."))
    await table.says()
    assert probes.begun == {"b": 1}
    assert table.results[0].text == "b is done"
    assert probes.seen[0].input == {"label": "b"}


async def test_what_a_hook_cannot_make_of_a_call_does_not_run(table: Table, probes: Probes) -> None:
    table.hooked(_Hooks(HookWord(rewritten={"size": 1}, because="The hook says so.")))
    table.model.will(calling(probe("a")), saying("Oh."))
    await table.says()
    assert probes.begun == {}
    assert "The hook says so." in table.results[0].text


async def test_what_a_hook_remarks_goes_to_the_model(table: Table, probes: Probes) -> None:
    hooks = _Hooks(HookWord(), "Mind the tests.")
    table.hooked(hooks)
    table.model.will(calling(probe("a")), saying("Oh."))
    await table.says()
    assert table.results[0].text == "a is done\n\nMind the tests."
    assert hooks.heard[0][1] == Ended(state=State.SUCCEEDED, output="a is done")


async def test_what_a_call_prints_is_told_while_it_runs_and_not_again(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", does="print")), saying("Oh."))
    await table.says()
    assert table.printed(table.calls[0].id) == "a…"
    order = [it for it in table.happened if isinstance(it, CallPrinted)]
    assert table.happened.index(order[0]) < table.happened.index(table.told[-1])


async def test_a_plan_is_told(table: Table) -> None:
    items = [{"text": "look", "state": "in_progress"}]
    table.model.will(calling(("todo_write", json.dumps({"items": items}))), saying("Oh."))
    await table.says()
    lines = (PlanLine(text="look", state="inProgress"),)
    assert PlanMade(chat=CHAT, lines=lines) in table.happened
    assert table.printed(table.calls[0].id) == "0 of 1 steps are done"


async def test_a_step_that_a_call_turns_out_to_need_is_asked_about(
    table: Table, probes: Probes
) -> None:
    table.model.will(calling(probe("a", does="hop"), probe("b", does="hop")), saying("Oh."))
    turn = table.prompt()
    first, second = await table.card(), await table.card()
    assert isinstance(first.asks, Call)
    assert (first.asks.tool, first.asks.input) == ("fetch", {"url": "https://b.example/"})
    await table.answer(first)
    await table.deny(second, "Not there.")
    await within(turn)
    texts = [it.text for it in table.results]
    assert sorted(texts) == ["The person refused this and says: Not there.", texts[0]]
    assert probes.ended.total() == 1


async def test_a_call_let_go_on_in_the_background_knows_it(
    table: Table, probes: Probes, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bool] = []

    async def do(_: Any, __: Call, bench: Any) -> Any:
        seen.append(bench.backgrounded)
        return evolve(DONE, state=State.BACKGROUNDED)

    aim = probes.tool.aim
    probes.replace(
        evolve(probes.tool, do=do, aim=lambda *given: evolve(aim(*given), detachable=True)),
        monkeypatch,
    )
    table.model.will(calling(probe("a", effect="execute")), saying("Oh."))
    turn = table.prompt()
    card = await table.card()
    assert OptionKind.ALLOW_BACKGROUND in [option.kind for option in card.options]
    await table.answer(card, "background")
    await within(turn)
    assert seen == [True]
    assert table.steps(table.calls[0])[-1] is State.BACKGROUNDED


async def test_a_long_result_is_shortened_for_the_model_and_kept_whole(
    table: Table, probes: Probes, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = "".join(f"line {number}\n" for number in range(20_000))

    async def do(*_: Any) -> Any:
        return evolve(DONE, text=whole)

    probes.replace(evolve(probes.tool, do=do), monkeypatch)
    table.model.will(calling(probe("a")), saying("Oh."))
    await table.says()
    text = table.results[0].text
    assert len(text) < MAX_RESULT_LETTERS + 500
    assert text.startswith("line 0\n")
    assert "line 19999\n" in text
    assert "Its middle was left out" in text
    (kept,) = (table.state / "outputs").iterdir()
    assert kept.read_text() == whole
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert str(kept) in table.printed(table.calls[0].id)
    assert str(kept) not in text


async def test_a_model_that_reads_little_is_given_less_of_a_result(
    table: Table, probes: Probes, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def do(*_: Any) -> Any:
        return evolve(DONE, text="x" * 20_000)

    probes.replace(evolve(probes.tool, do=do), monkeypatch)
    table.model.tokens = 8_192
    table.model.will(calling(probe("a")), saying("Oh."))
    await table.says()
    assert len(table.results[0].text) < 8_500
    assert table.model.requests[0].most_tokens == 2_730


@pytest.mark.parametrize("window", [8_192, 16_384, 100_000])
async def test_a_file_is_read_in_pages_of_which_the_model_misses_nothing(
    table: Table, window: int
) -> None:
    lines = [f"line {number} {'x' * (number % 90)}" for number in range(1_500)]
    (table.root / "long").write_text("\n".join(lines))
    table.model.tokens = window
    seen: list[str] = []
    while len(seen) < len(lines):
        # A conversation that fills is another matter.
        table.chat.conversation = Conversation()
        given = {"path": "long", "offset": len(seen) + 1}
        table.model.will(calling(("read_file", json.dumps(given))), saying("Next."))
        await table.says()
        *page, _ = table.results[-1].text.splitlines()
        seen += [line.partition("\t")[2] for line in page]
    assert seen == lines


async def test_changes_of_one_file_in_one_reply_are_made_one_after_the_other(
    table: Table,
) -> None:
    path = table.root / "till.py"
    path.write_text("a = 1\nb = 2\n")
    table.mode = Mode.ACCEPT_EDITS
    table.model.will(
        calling(
            edit(path, "a = 1", "a = 10"), edit(path, "b = 2", "b = 20"), edit(path, "= 10", "= 11")
        ),
        saying("Done."),
    )
    await table.says()
    assert [it.failed for it in table.results] == [False, False, False], table.results
    assert path.read_text() == "a = 11\nb = 20\n"


@pytest.mark.parametrize("effect", ["read", "write"])
async def test_a_tool_that_changes_a_file_is_waited_for_whatever_it_is_called(
    table: Table, probes: Probes, effect: str
) -> None:
    table.mode = Mode.ACCEPT_EDITS
    changing, other = probe("a", effect="write", does="wait"), probe("a", effect=effect)
    turn = table.prompt()
    reply = await table.model.asked()
    reply.call(*changing)
    await probes.begins("a")
    # A call that does not wait is over before the one that is judged after it.
    reply.call(*other).call(*probe("b"))
    await probes.begins("b")
    assert probes.begun == {"a": 1, "b": 1}
    probes.release("a")
    reply.end("calls")
    (await table.model.asked()).end()
    await within(turn)
    assert probes.begun == {"a": 2, "b": 1}
    assert [it.failed for it in table.results] == [False, False, False]


async def test_a_tool_that_may_yet_change_a_file_is_waited_for_too(
    table: Table, probes: Probes, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes.replace(evolve(probes.tool, effect=Effect.WRITE), monkeypatch)
    turn = table.prompt()
    reply = await table.model.asked()
    reply.call(*probe("a", effect="read", does="wait"))
    await probes.begins("a")
    reply.call(*probe("a", effect="read")).call(*probe("b"))
    await probes.begins("b")
    assert probes.begun == {"a": 1, "b": 1}
    probes.release("a")
    reply.end("calls")
    (await table.model.asked()).end()
    await within(turn)
    assert probes.begun == {"a": 2, "b": 1}


async def test_tools_that_only_look_at_a_file_do_not_wait_for_each_other(
    table: Table, probes: Probes
) -> None:
    looking = probe("a", effect="read", does="wait")
    table.model.will(calling(looking, probe("a", effect="read")), saying("Done."))
    turn = table.prompt()
    while probes.begun["a"] < 2:
        await within(table.more())
    probes.release("a")
    await within(turn)


async def test_a_change_that_waits_for_another_is_shown_as_it_will_be(table: Table) -> None:
    path = table.root / "till.py"
    path.write_text("a = 1\n")
    table.model.will(calling(edit(path, "1", "2"), edit(path, "a", "b")), saying("Done."))
    turn = table.prompt()
    first = await table.card()
    assert len(table.room.tickets) == 1
    await table.answer(first)
    second = await table.card()
    assert isinstance(second.asks, Call)
    assert [(it.old, it.new) for it in second.asks.edits] == [("a = 2\n", "b = 2\n")]
    await table.answer(second)
    await within(turn)
    assert path.read_text() == "b = 2\n"


async def test_arguments_of_a_megabyte_come_through(table: Table) -> None:
    table.mode = Mode.ACCEPT_EDITS
    content = "a line of text\n" * 70_000
    given = json.dumps({"path": "long.txt", "content": content})
    table.model.will(calling(("write_file", given)), saying("Done."))
    assert await table.says() == ("done", "")
    assert (table.root / "long.txt").read_text() == content
    check(table.turns)


async def test_what_was_changed_can_be_found_again_as_it_was(table: Table) -> None:
    path = table.root / "till.py"
    path.write_text("a = 1\n")
    table.mode = Mode.ACCEPT_EDITS
    missing = edit(path, "nowhere", "x")
    table.model.will(calling(edit(path, "1", "2"), missing), saying("Done."))
    await table.says()
    call, unfit = table.calls
    undoable = table.assistants.undoable(CHAT, call.id)
    assert undoable is not None
    assert [(it.old, it.new) for it in undoable.call.edits] == [("a = 1\n", "a = 2\n")]
    assert undoable.call.effect is Effect.WRITE
    assert table.assistants.undoable(CHAT, unfit.id) is None
    assert table.assistants.undoable(CHAT, CallId("another")) is None
    await table.assistants.close(CHAT)
    assert table.assistants.undoable(CHAT, call.id) is None


async def test_a_step_is_told_as_done_when_it_is_and_no_sooner(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table.root / "till.py"
    path.write_text("a = 1\n")
    table.mode, table.may_read = Mode.ACCEPT_EDITS, False
    ends: list[list[State]] = []

    def written(edit: Edit, shown: str) -> None:
        ends.append([it.state for it in table.told if it.call.effect is Effect.WRITE])
        write(edit, shown)

    monkeypatch.setattr("assent.agent.tools.file_changes.write", written)
    table.model.will(calling(edit(path, "1", "2")), saying("Done."))
    await table.says()
    assert ends == [[State.PROPOSED, State.RUNNING]]
    assert path.read_text() == "a = 2\n"
    assert [table.steps(call)[-1] for call in table.calls] == [State.SUCCEEDED] * 2
    await table.written()
    (row,) = table.rows(kind="ended", call=table.calls[1].id)
    assert row["body"] == {"state": "succeeded", "output": "Changed till.py: now line 1."}


async def test_a_step_that_fails_is_nowhere_told_as_done(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: Edit, shown: str) -> None:
        raise ToolFailed(f"{shown} could not be written: no space left.")

    monkeypatch.setattr("assent.agent.tools.file_changes.write", full)
    path = table.root / "till.py"
    path.write_text("a = 1\n")
    hooks = _Hooks(HookWord(), "Mind the disk.")
    table.hooked(hooks)
    table.mode, table.may_read = Mode.ACCEPT_EDITS, False
    table.model.will(calling(edit(path, "1", "2")), saying("Oh."))
    await table.says()
    looked, changed = table.calls
    assert table.steps(looked)[-1] is State.FAILED
    assert table.steps(changed)[-1] is State.FAILED
    assert State.SUCCEEDED not in [ended.state for _, ended in hooks.heard]
    await table.written()
    assert [row["body"]["state"] for row in table.rows(kind="ended")] == ["failed"] * 2
    assert table.results[0].failed
    assert table.results[0].text == (
        "till.py could not be written: no space left.\n\nMind the disk.\n\nMind the disk."
    )
    assert table.assistants.undoable(CHAT, changed.id) is None


async def test_what_a_hook_remarks_on_a_step_goes_to_the_model(
    table: Table, probes: Probes
) -> None:
    class Minding(_Hooks):
        async def after(self, call: Call, _: Ended) -> str:
            return f"Mind the {call.tool}."

    table.hooked(Minding(HookWord()))
    table.model.will(calling(probe("a", does="hop")), saying("Oh."))
    turn = table.prompt()
    await table.answer(await table.card())
    await within(turn)
    assert table.results[0].text == "a is done\n\nMind the fetch.\n\nMind the other."


async def test_a_step_that_was_taken_is_told_although_its_call_is_broken_off(
    table: Table,
) -> None:
    reached = asyncio.Event()

    class Slow(_Hooks):
        async def after(self, call: Call, _: Ended) -> str:
            if call.effect is Effect.WRITE:
                reached.set()
                await asyncio.Event().wait()
            return ""

    table.hooked(Slow(HookWord()))
    path = table.root / "till.py"
    path.write_text("a = 1\n")
    table.mode, table.may_read = Mode.ACCEPT_EDITS, False
    table.model.will(calling(edit(path, "1", "2")))
    turn = table.prompt()
    await within(reached.wait())
    await within(table.assistants.stop(CHAT))
    await within(turn)
    assert path.read_text() == "a = 2\n"
    assert table.results[0].text == "Changed till.py: now line 1."
    assert table.assistants.undoable(CHAT, table.calls[1].id) is not None


async def test_a_read_of_a_file_waits_for_an_earlier_change_of_it(table: Table) -> None:
    path = table.root / "till.py"
    path.write_text("a = 1\n")
    (table.root / "other.py").write_text("other\n")
    (table.root / "link.py").symlink_to(path)
    table.model.will(
        calling(
            ("read_file", json.dumps({"path": "till.py"})),
            edit(path, "1", "2"),
            ("read_file", json.dumps({"path": "link.py"})),
            ("read_file", json.dumps({"path": "other.py"})),
        ),
        saying("Done."),
    )
    turn = table.prompt()
    card = await table.card()
    async with asyncio.timeout(5):
        while [it.state for it in table.told].count(State.SUCCEEDED) < 2:
            await table.more()
    assert [call.input["path"] for call in table.calls if call.action == "read"] == [
        "till.py",
        "other.py",
    ]
    await table.answer(card)
    assert (await within(turn))[0] == "done"
    assert [it.text.partition("\n")[0] for it in table.results] == [
        "     1\ta = 1",
        "Changed till.py: now line 1.",
        "     1\ta = 2",
        "     1\tother",
    ]


async def test_an_undo_is_told_with_the_next_words_of_the_person(table: Table) -> None:
    path = table.root / "src" / "till.py"
    path.parent.mkdir()
    path.write_text("a = 1\n")
    table.mode = Mode.ACCEPT_EDITS
    table.model.will(calling(edit(path, "1", "2")), saying("Done."))
    await table.says("go")
    table.assistants.tell_news(CHAT, undone(table.calls[0]))
    table.model.will(saying("I see."), saying("Yes."))
    await table.says("Another way.")
    await table.says("Good.")
    said = [it.text for it in table.turns if isinstance(it, Prompt)]
    told = "[The person undid your change to src/till.py.]\n\nAnother way."
    assert said == ["go", told, "Good."]
    assert table.chat.conversation.asked == "Good."
    assert table.texts("user") == ["go", "Another way.", "Good."]
    await table.assistants.close(CHAT)
    table.assistants.tell_news(CHAT, undone(table.calls[0]))


async def test_a_change_that_turned_out_to_be_one_can_be_found_as_well(table: Table) -> None:
    path = table.root / "till.py"
    path.write_text("a = 1\n")
    table.mode, table.may_read = Mode.ACCEPT_EDITS, False
    table.model.will(calling(edit(path, "1", "2")), saying("Done."))
    await table.says()
    looked, changed = table.calls
    assert path.read_text() == "a = 2\n"
    assert table.assistants.undoable(CHAT, looked.id) is None
    undoable = table.assistants.undoable(CHAT, changed.id)
    assert undoable is not None
    assert undoable.call.edits[0].new == "a = 2\n"


def edit(path: object, old: str, new: str) -> tuple[str, str]:
    """A change of one place of a file."""
    edits = [{"old": old, "new": new}]
    return "edit_file", json.dumps({"path": str(path), "edits": edits})
