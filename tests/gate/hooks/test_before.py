"""Hooks before a call: what they may tighten, what their yes lifts, what they may change."""

import asyncio
import os
import shlex
from pathlib import Path

import pytest

from assent.gate.approvals.tickets import Outcome
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor, Verdict
from gate.admit.scene import Scene, within
from gate.approvals.samples import turn
from gate.hooks.hooked import Rounds, after, alive, before, python, says, takes_another
from gate.ruling.samples import reading, running, target, writing
from gate.ruling.samples import says as ruled

pytestmark = pytest.mark.requirement("C-08")

ALLOWS = says({"decision": "allow"})
DENIES = says({"decision": "deny"})
ASKS = says({"decision": "ask"})


class TestNo:
    async def test_by_its_exit_code_comes_with_its_reason(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        command = "cat >/dev/null; printf 'not \\033[1mon Fridays\\n' >&2; exit 2"
        rounds = Rounds(scene, tmp_path, before(command))
        call = reading()
        passage = await rounds.admit(call)
        assert passage.settlement.outcome is Outcome.REFUSED
        assert passage.settlement.by is Actor.HOOK
        assert passage.settlement.because == "The hook “guard” denied it: not on Fridays."
        assert rounds.ran == []
        (row,) = await rounds.rows()
        assert row == {
            "what": "hook",
            "hook": "guard",
            "event": "PreToolUse",
            "call": call.id,
            "tool": "read",
            "exit": 2,
            "verdict": "deny",
            "because": "The hook “guard” denied it: not on Fridays.",
        }

    async def test_by_its_word_counts_as_well(self, scene: Scene, tmp_path: Path) -> None:
        told = says({"decision": "deny", "because": "It is late."})
        passage = await Rounds(scene, tmp_path, before(told)).admit(reading())
        assert passage.settlement.because == "The hook “guard” denied it: It is late."
        assert passage.ended is None

    async def test_is_stronger_than_what_a_person_allowed(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        scene.rules = (ruled(Verdict.ALLOW),)
        scene.mode = Mode.AUTO
        passage = await Rounds(scene, tmp_path, before(DENIES)).admit(running())
        assert passage.settlement.because == "The hook “guard” denied it."


class TestQuestion:
    async def test_is_put_to_the_person(self, scene: Scene, tmp_path: Path) -> None:
        told = says({"decision": "ask", "because": "Really?"})
        rounds = Rounds(scene, tmp_path, before(told))
        admitted = asyncio.ensure_future(rounds.admit(reading()))
        card = await scene.card()
        assert card.ruling.because == "The hook “guard” asks about it: Really?"
        assert {it.id for it in card.options} == {"once", "deny", "tell"}
        await scene.answer(card)
        assert (await within(admitted)).settlement.by is Actor.USER

    async def test_is_put_also_where_everything_is_allowed(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        scene.mode = Mode.AUTO
        scene.rules = (ruled(Verdict.ALLOW),)
        rounds = Rounds(scene, tmp_path, before(ASKS))
        admitted = asyncio.ensure_future(rounds.admit(running()))
        await scene.answer(await scene.card(), "deny")
        assert (await within(admitted)).ended is None

    async def test_still_counts_when_the_rules_change_meanwhile(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        rounds = Rounds(scene, tmp_path, before(ASKS))
        admitted = asyncio.ensure_future(rounds.admit(running()))
        card = await scene.card()
        scene.mode = Mode.AUTO
        rounds.gate.rule_again()
        await turn()
        assert not admitted.done()
        await scene.answer(scene.room.tickets[0], "deny")
        assert card.id in scene.closed
        await within(admitted)


class TestYes:
    async def test_lifts_what_the_mode_would_ask(self, scene: Scene, tmp_path: Path) -> None:
        rounds = Rounds(scene, tmp_path, before(ALLOWS))
        passage = await rounds.admit(running())
        assert passage.settlement.by is Actor.HOOK
        assert passage.settlement.because == "The hook “guard” allows it."
        assert passage.ended is not None
        assert scene.shown.empty()

    async def test_lifts_no_rule_that_denies(self, scene: Scene, tmp_path: Path) -> None:
        scene.rules = (ruled(Verdict.DENY),)
        passage = await Rounds(scene, tmp_path, before(ALLOWS)).admit(running())
        assert passage.ended is None
        assert passage.settlement.because == "a rule says so."

    @pytest.mark.parametrize("mode", [Mode.DEFAULT, Mode.AUTO])
    @pytest.mark.parametrize(
        "call",
        [
            writing(".vscode/settings.json"),
            writing(targets=(target("/home/ada/.bashrc"),)),
            running("rm -rf ~"),
            running("echo hi > .envrc"),
        ],
        ids=["settings", "start-up file", "catastrophe", "environment"],
    )
    async def test_lifts_nothing_that_is_always_asked(
        self, scene: Scene, tmp_path: Path, call: object, mode: Mode
    ) -> None:
        scene.mode = mode
        rounds = Rounds(scene, tmp_path, before(ALLOWS))
        admitted = asyncio.ensure_future(rounds.admit(call))
        await scene.answer(await scene.card(), "deny")
        assert (await within(admitted)).ended is None

    async def test_lifts_no_rule_that_asks(self, scene: Scene, tmp_path: Path) -> None:
        scene.rules = (ruled(Verdict.ASK),)
        rounds = Rounds(scene, tmp_path, before(ALLOWS))
        admitted = asyncio.ensure_future(rounds.admit(running()))
        await scene.answer(await scene.card(), "deny")
        assert (await within(admitted)).ended is None

    async def test_lifts_nothing_that_the_mode_denies(self, scene: Scene, tmp_path: Path) -> None:
        scene.mode = Mode.PLAN
        passage = await Rounds(scene, tmp_path, before(ALLOWS)).admit(writing())
        assert passage.ended is None
        assert passage.settlement.by is Actor.MODE

    async def test_is_about_one_call(self, scene: Scene, tmp_path: Path) -> None:
        command = python(
            "if told['input']['command'] == 'make':\n print('{\"decision\": \"allow\"}')"
        )
        rounds = Rounds(scene, tmp_path, before(command))
        assert (await rounds.admit(running("make"))).ended is not None
        admitted = asyncio.ensure_future(rounds.admit(running("make clean")))
        await scene.answer(await scene.card(), "deny")
        assert (await within(admitted)).ended is None


class TestSilence:
    @pytest.mark.parametrize("command", ["exit 0", "cat >/dev/null", says("\n"), says("{}")])
    async def test_leaves_the_call_to_the_rules(
        self, scene: Scene, tmp_path: Path, command: str
    ) -> None:
        rounds = Rounds(scene, tmp_path, before(command))
        assert (await rounds.admit(reading())).settlement.by is Actor.MODE
        admitted = asyncio.ensure_future(rounds.admit(running()))
        assert (await scene.card()).ruling.by is Actor.MODE
        await scene.answer(scene.room.tickets[0], "deny")
        await within(admitted)

    async def test_of_those_who_are_not_asked_is_no_silence_of_theirs(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        others = (before(DENIES, tools=("shell", "fetch")), after(DENIES))
        rounds = Rounds(scene, tmp_path, *others)
        assert (await rounds.admit(reading())).settlement.by is Actor.MODE
        assert [row["event"] for row in await rounds.rows()] == ["PostToolUse"]
        assert (await rounds.admit(running())).settlement.by is Actor.HOOK


class TestAnotherInput:
    async def test_is_what_runs_and_what_the_journal_has(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        told = says({"decision": "allow", "input": {"command": "make -n test"}})
        rounds, call = Rounds(scene, tmp_path, before(told)), running("make test")
        passage = await rounds.admit(call, takes_another(call))
        assert (
            passage.settlement.because == "The hook “guard” allows it. The hook “guard” changed it."
        )
        assert [it.input for it in rounds.ran] == [{"command": "make -n test"}]
        assert scene.entered == {call.id: 1}
        inputs = [it.call.input["command"] for it in scene.told if it.state is State.PROPOSED]
        assert inputs == ["make test", "make -n test"]
        await scene.written()
        (decided,) = scene.rows(kind="decided")
        assert decided["body"]["input"] == {"command": "make -n test"}
        assert decided["digest"] == rounds.ran[0].digest != call.digest
        # It is heard once more on what it made of the call.
        rows = await rounds.rows()
        assert [row["rewritten"] for row in rows] == ['{"command":"make -n test"}'] * 2

    async def test_is_judged_as_any_other(self, scene: Scene, tmp_path: Path) -> None:
        told = says({"input": {"command": "make -n test"}})
        rounds, call = Rounds(scene, tmp_path, before(told)), running("make test")
        admitted = asyncio.ensure_future(rounds.admit(call, takes_another(call)))
        card = await scene.card()
        assert card.asks.input == {"command": "make -n test"}
        assert card.ruling.by is Actor.MODE
        await scene.answer(card)
        assert (await within(admitted)).ended is not None

    async def test_that_is_denied_does_not_run_whatever_the_first_was(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        scene.mode = Mode.PLAN
        told = says({"decision": "allow", "input": {"command": "touch x"}})
        rounds, call = Rounds(scene, tmp_path, before(told)), running("ls")
        passage = await rounds.admit(call, takes_another(call))
        assert passage.settlement.by is Actor.MODE
        assert rounds.ran == []

    async def test_that_is_always_asked_about_is_asked(self, scene: Scene, tmp_path: Path) -> None:
        scene.mode = Mode.AUTO
        told = says({"decision": "allow", "input": {"command": "echo x > .envrc"}})
        rounds, call = Rounds(scene, tmp_path, before(told)), running("ls")
        admitted = asyncio.ensure_future(rounds.admit(call, takes_another(call)))
        await scene.answer(await scene.card(), "deny")
        assert (await within(admitted)).ended is None

    async def test_is_refused_where_the_agent_carries_out_its_own_calls(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        told = says({"input": {"command": "ls"}})
        passage = await Rounds(scene, tmp_path, before(told)).admit(running("make"))
        assert passage.ended is None
        because = passage.settlement.because
        assert because.startswith("The hook “guard” changed it. That cannot be done: ")


class TestSeveral:
    @pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2)])
    async def test_the_strictest_counts_whatever_their_order(
        self, scene: Scene, tmp_path: Path, order: tuple[int, ...]
    ) -> None:
        all_ = [before(it) for it in (ALLOWS, "exit 0", ASKS, DENIES)]
        passage = await Rounds(scene, tmp_path, *(all_[at] for at in order)).admit(reading())
        assert passage.settlement.because == "The hook “guard” denied it."

    async def test_they_run_side_by_side(self, scene: Scene, tmp_path: Path) -> None:
        one, other = (str(tmp_path / name) for name in ("one", "other"))
        for pipe in (one, other):
            os.mkfifo(pipe)
        # Each waits until the other has come as far.
        first = f"cat >/dev/null; echo x > {one}; cat {other} >/dev/null"
        second = f"cat >/dev/null; cat {one} >/dev/null; echo x > {other}"
        rounds = Rounds(scene, tmp_path, before(first), before(second))
        assert (await rounds.admit(reading())).settlement.by is Actor.MODE
        assert [row["exit"] for row in await rounds.rows()] == [0, 0]

    async def test_two_that_would_change_it_differently_are_asked_about(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        scene.mode = Mode.AUTO
        entries = [
            before(says({"decision": "allow", "input": {"command": name}}), name=name)
            for name in ("one", "two")
        ]
        rounds, call = Rounds(scene, tmp_path, *entries), running()
        admitted = asyncio.ensure_future(rounds.admit(call, takes_another(call)))
        card = await scene.card()
        assert card.asks == call
        assert card.ruling.because == (
            "The hook “one” and “two” both want to change it, so this is asked about."
        )
        await scene.answer(card, "deny")
        await within(admitted)

    async def test_two_that_would_change_it_alike_are_of_one_mind(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        told = before(says({"decision": "allow", "input": {"command": "ls"}}))
        rounds, call = Rounds(scene, tmp_path, told, told), running()
        assert (await rounds.admit(call, takes_another(call))).ended is not None

    async def test_a_yes_to_one_call_is_none_to_what_another_makes_of_it(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        changes = before(says({"input": {"command": "make clean"}}))
        rounds, call = Rounds(scene, tmp_path, before(ALLOWS), changes), running()
        admitted = asyncio.ensure_future(rounds.admit(call, takes_another(call)))
        card = await scene.card()
        assert card.ruling.by is Actor.MODE
        assert card.asks.input == {"command": "make clean"}
        await scene.answer(card, "deny")
        await within(admitted)


class TestTrouble:
    @pytest.mark.parametrize(
        ("command", "because"),
        [
            ("exit 1", "failed (exit code 1)"),
            ('echo \'{"decision":"allow"}\'; exit 3', "failed (exit code 3)"),
            ("no-such-program-anywhere", "failed (exit code 127)"),
            ("kill -SEGV $$", "failed (signal 11)"),
            (says("yes"), "said something that cannot be understood"),
            (says("[]"), "said something that cannot be understood"),
            (says("{"), "said something that cannot be understood"),
            (says('{"decision": "allow", "x": 1}'), "said something that cannot be understood"),
            (says('{"decision": "Allow"}'), "said something that cannot be understood"),
            (says('{"decision": true}'), "said something that cannot be understood"),
            (says('{"decision": "deny", "decision": "allow"}'), "said something that cannot"),
            (says('{"input": {"command": NaN}}'), "said something that cannot be understood"),
            (says('{"input": "ls"}'), "said something that cannot be understood"),
            (says("[" * 100_000), "said something that cannot be understood"),
            (says('{"input": 1' + "0" * 5_000 + "}"), "said something that cannot be understood"),
            ("printf '\\377'", "said something that cannot be understood"),
            ("yes", "said more than 1,048,576 bytes"),
            ("yes >&2", "said more than 1,048,576 bytes"),
            ("yes '' | head -c 2000000; echo '{}'", "said more than 1,048,576 bytes"),
        ],
    )
    async def test_is_asked_about(
        self, scene: Scene, tmp_path: Path, command: str, because: str
    ) -> None:
        scene.mode = Mode.AUTO
        rounds = Rounds(scene, tmp_path, before(command))
        admitted = asyncio.ensure_future(rounds.admit(running()))
        card = await scene.card()
        assert card.ruling.because.startswith(f"The hook “guard” {because}")
        assert card.ruling.because.endswith(", so this is asked about.")
        await scene.answer(card, "deny")
        await within(admitted)
        (row,) = await rounds.rows()
        assert row["verdict"] == "ask"
        assert alive(tmp_path) == []

    async def test_that_it_does_not_come_to_an_end_is_asked_about(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        hangs = before("trap '' TERM; setsid sleep 100 & sleep 100; sleep 100", seconds=0.2)
        rounds = Rounds(scene, tmp_path, hangs)
        admitted = asyncio.ensure_future(rounds.admit(reading()))
        card = await scene.card()
        assert card.ruling.because == (
            "The hook “guard” took longer than 0.2 seconds, so this is asked about."
        )
        assert alive(tmp_path) == []
        await scene.answer(card)
        assert (await within(admitted)).ended is not None

    async def test_that_it_speaks_without_an_end_is_no_way_around_its_time(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        chatters = before("while :; do echo; done", seconds=0.2)
        admitted = asyncio.ensure_future(Rounds(scene, tmp_path, chatters).admit(reading()))
        card = await scene.card()
        assert "took longer than" in card.ruling.because or "said more" in card.ruling.because
        await scene.answer(card, "deny")
        await within(admitted)

    async def test_with_one_does_not_weaken_the_no_of_another(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        rounds = Rounds(scene, tmp_path, before("exit 1"), before(DENIES), before("yes"))
        assert (await rounds.admit(reading())).settlement.by is Actor.HOOK
        assert [row["verdict"] for row in await rounds.rows()] == ["ask", "deny", "ask"]

    async def test_with_a_name_that_cannot_be_shown_is_told_all_the_same(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        odd = before(DENIES, name="a\nb\x1b" + "c" * 200)
        passage = await Rounds(scene, tmp_path, odd).admit(reading())
        assert passage.settlement.because == f"The hook “a b {'c' * 76}…” denied it."


class TestStop:
    async def test_ends_a_hook_with_all_that_it_started(self, scene: Scene, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        hangs = f"trap '' TERM; setsid sleep 100 & echo up > {shlex.quote(str(pipe))}; sleep 100"
        rounds, call = Rounds(scene, tmp_path, before(hangs)), reading()
        admitted = asyncio.ensure_future(rounds.admit(call))
        assert await within(asyncio.to_thread(pipe.read_text)) == "up\n"
        assert len(alive(tmp_path)) >= 2
        admitted.cancel()
        with pytest.raises(asyncio.CancelledError):
            await within(admitted)
        assert alive(tmp_path) == []
        assert rounds.ran == []

    async def test_of_the_hook_itself_ends_what_it_left_behind(
        self, scene: Scene, tmp_path: Path
    ) -> None:
        leaves = before("setsid sleep 100 >/dev/null 2>&1 & sleep 100 & exit 0")
        assert (await Rounds(scene, tmp_path, leaves).admit(reading())).ended is not None
        assert alive(tmp_path) == []


async def test_no_more_than_a_few_run_at_once(scene: Scene, tmp_path: Path) -> None:
    (tmp_path / "now").mkdir()
    counts = "mkdir now/$$; ls now | wc -l >> most; sleep 0.05; rmdir now/$$"
    rounds = Rounds(scene, tmp_path, before(f'cd "$ASSENT_ROOT"; {counts}'))
    await asyncio.gather(*(rounds.admit(reading()) for _ in range(20)))
    most = [int(line) for line in (tmp_path / "most").read_text().split()]
    assert len(most) == 20
    assert max(most) <= 8
