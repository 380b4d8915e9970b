"""What runs by a call beside its own words only ever tightens what is said of it."""

from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from assent.gate.call.calls import Call, Effect, Planned, Script
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import running

ASK, DENY, ALLOW = Verdict.ASK, Verdict.DENY, Verdict.ALLOW

Ruled = Any


@pytest.fixture
def ruled(tmp_path: Path) -> Ruled:
    """What is said of a call in a folder, in a mode and by rules."""
    root = tmp_path.resolve() / "ws"
    root.mkdir()
    places = Places(roots=(str(root),), home=str(root.parent / "home"))

    def rule(call: Call, mode: Mode = Mode.AUTO, **rules: list[str]) -> Ruling:
        texts = [written(it, Verdict[name.upper()]) for name in rules for it in rules[name]]
        book = Book.of(texts, places.roots, places.home)
        steps = tuple(
            evolve(it, call=it.call and evolve(it.call, cwd=str(root))) for it in call.steps
        )
        scripts = tuple(evolve(it, folder=str(root)) for it in call.scripts)
        whole = evolve(call, cwd=str(root), steps=steps, scripts=scripts)
        return decide(whole, Policy(mode=mode, trusted=True, book=book), places)

    return rule


def task(command: str, *texts: str) -> Call:
    scripts = tuple(Script(name=f"s{at}", text=it, folder="") for at, it in enumerate(texts))
    return running(command, scripts=scripts, input={"command": command, "workflow": "npm:build"})


@pytest.mark.parametrize("at", [0, 1])
def test_the_strictest_of_the_texts_that_a_task_runs_decides(ruled: Ruled, at: int) -> None:
    texts = ["echo a", "echo b"]
    texts[at] = "curl https://evil.example/"
    said = ruled(task("npm run build", *texts), deny=["shell(curl:*)"])
    assert said.verdict is DENY
    assert f"“s{at}”" in said.because
    assert said.rule == "shell(curl:*)"


def test_a_rule_that_asks_about_a_text_asks_about_the_task_that_another_rule_allows(
    ruled: Ruled,
) -> None:
    call = task("npm run build", "git push")
    rules = {"allow": ["shell(npm run:*)"], "ask": ["shell(git push:*)"]}
    assert ruled(call, Mode.DEFAULT, **rules).verdict is ASK


def test_what_is_asked_in_every_mode_is_asked_about_where_a_task_runs_it(ruled: Ruled) -> None:
    assert ruled(task("npm run build", "echo x")).verdict is ALLOW
    assert ruled(task("npm run build", "rm -rf ~")).verdict is ASK


def test_no_text_of_a_task_loosens_what_is_said_of_its_call(ruled: Ruled) -> None:
    call = task("npm run build", "echo a")
    rules = {"allow": ["shell(echo:*)"]}
    assert ruled(call, Mode.DEFAULT, **rules).verdict is ASK
    assert ruled(call, Mode.PLAN, **rules).verdict is DENY
    assert ruled(call, Mode.AUTO, deny=["shell(npm:*)"], **rules).verdict is DENY


def test_a_task_that_a_rule_allows_is_not_asked_about_for_what_only_the_mode_would_ask(
    ruled: Ruled,
) -> None:
    call = task("npm run build", "tsc --build", "node x.js")
    assert ruled(call, Mode.DEFAULT, allow=["shell(npm run:*)"]).verdict is ALLOW


def test_a_rule_about_a_workflow_of_its_name_is_about_a_task(ruled: Ruled) -> None:
    call = task("npm run build")
    assert ruled(call, deny=["run(workflow:npm:build)"]).verdict is DENY
    assert ruled(call, Mode.DEFAULT, allow=["run(workflow:npm:build)"]).verdict is ASK


def workflow(*steps: Planned) -> Call:
    call = running("x")
    given = {"name": "workflow:release", "steps": [it.says for it in steps]}
    return evolve(call, tool="run", action="workflow", input=given, steps=steps)


def step(name: str, command: str | None, **more: Any) -> Planned:
    call = None if command is None else running(command)
    return Planned(name=name, says=f"{name}: $ {command}", effect=Effect.EXECUTE, call=call, **more)


def test_a_workflow_is_ruled_on_as_its_strictest_step_and_shows_each(ruled: Ruled) -> None:
    call = workflow(step("a", "ls"), step("b", "touch x"), step("c", "git push"))
    said = ruled(call, Mode.DEFAULT, deny=["shell(git push:*)"])
    assert said.verdict is DENY
    assert said.because.startswith("Its step “c”: ")
    assert [it.verdict for it in said.parts] == [ALLOW, ASK, DENY]
    whole = "\n".join(it.says for it in call.steps)
    assert [whole[it.start : it.end] for it in said.parts] == [it.says for it in call.steps]
    assert not said.lasting


@pytest.mark.parametrize(
    ("mode", "verdict"), [(Mode.PLAN, DENY), (Mode.DEFAULT, ALLOW), (Mode.AUTO, ALLOW)]
)
def test_a_step_that_is_not_known_yet_counts_only_where_the_mode_would_refuse_it(
    ruled: Ruled, mode: Mode, verdict: Verdict
) -> None:
    assert ruled(workflow(step("a", "ls"), step("b", None)), mode).verdict is verdict


def test_a_denied_step_that_hangs_on_a_condition_does_not_keep_the_others_from_beginning(
    ruled: Ruled,
) -> None:
    steps = step("a", "ls"), step("b", "git push", is_sure=False)
    said = ruled(workflow(*steps), deny=["shell(git push:*)"])
    assert said.verdict is ALLOW
    assert said.parts[1].verdict is DENY


def test_a_rule_may_deny_or_ask_about_a_workflow_and_none_allows_one(ruled: Ruled) -> None:
    call = workflow(step("a", "touch x"))
    assert ruled(call, deny=["run(workflow:release)"]).verdict is DENY
    assert ruled(call, ask=["run(workflow:release)"]).verdict is ASK
    assert ruled(call, deny=["run(workflow:other)"]).verdict is ALLOW
    assert ruled(call, Mode.DEFAULT, allow=["run(workflow:release)"]).verdict is ASK


def test_what_is_grave_in_a_step_is_grave_in_the_workflow(ruled: Ruled) -> None:
    said = ruled(workflow(step("a", "ls"), step("b", "rm -rf ~")))
    assert said.verdict is ASK
    assert said.grave is not None
    assert [it.grave for it in said.parts] == [False, True]
