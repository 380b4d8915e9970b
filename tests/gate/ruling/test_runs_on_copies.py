"""Which commands run on a copy of the workspace instead of being asked about."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.call.calls import APPLY, AgentId, Call, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import Question, call_of, ruled
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.hook_verdicts import HookWord, under
from assent.gate.ruling.policy import Policy
from assent.gate.values import evolve
from tables import each_row

PLACES = Places(roots=("/home/dev/project",), home="/home/dev")
TRYING = (Mode.DEFAULT, Mode.ACCEPT_EDITS)


def call(command: str, untried: str | None = "", **more: object) -> Call:
    given = {"command": command, "cwd": "/home/dev/project"}
    made = call_of(Question(tool="shell", input=given), PLACES)
    return evolve(made, untried=untried, input={**made.input, **more})


def policy(mode: Mode = Mode.DEFAULT, *, trusted: bool = True, **rules: str) -> Policy:
    verdicts = {"allow": Verdict.ALLOW, "ask": Verdict.ASK, "deny": Verdict.DENY}
    book = Book.of(
        [written(text, verdicts[name]) for name, text in rules.items()], PLACES.roots, PLACES.home
    )
    return Policy(mode=mode, book=book, trusted=trusted, tries=True, holds=True)


def rule_on(command: str, mode: Mode = Mode.DEFAULT, **rules: str) -> Ruling:
    return ruled(call(command), policy(mode, **rules), PLACES)


RUN = (
    "npm test",
    "pytest -q",
    "make check",
    "cargo test",
    "go test ./...",
    "python3 tool.py",
    'node -e "1"',
    "./run.sh",
    "npm test && ls",
    "for f in *.py; do python3 $f; done",
    "cd src && npm test",
    "cat a | python3 -",
    'eval "$X"',
    "$PROGRAM x",
    "source ./setup.sh",
    'bash -c "$(cat x)"',
    "timeout 5 npm test",
    "npm test > /dev/null 2>&1",
    "PATH=/x:$PATH npm test",
)


@each_row("command", RUN)
@pytest.mark.parametrize("mode", TRYING)
def test_what_may_do_anything_runs_on_a_copy(command: str, mode: Mode) -> None:
    ruling = rule_on(command, mode)
    assert (ruling.verdict, ruling.may_try) == (Verdict.ASK, True)


ASKED = (
    "git commit -m x",
    "git stash",
    "git push",
    "npm publish",
    "npm install x",
    "pip install x",
    "curl http://example.org",
    "docker rm x",
    "docker build .",
    "ssh host ls",
    "gh pr create",
    "kubectl apply -f x",
    "sudo npm test",
    "cat ~/notes/x | python3 tool.py",
    "python3 tool.py > ~/x",
    "rm -rf build",
    "mkdir x && npm test",
    "echo x > a.txt",
    "terraform apply",
    "systemctl restart x",
    "crontab x",
    "kill 1234",
    "npm test && git push",
    "rm -rf ~",
    "npm test > .git/hooks/x",
    "rsync a host:b",
    "cat ~/.ssh/id_rsa",
    'psql -c "select 1"',
)


@each_row("command", ASKED)
def test_what_is_known_to_write_or_to_leave_the_machine_is_asked_about(command: str) -> None:
    ruling = rule_on(command)
    assert (ruling.verdict, ruling.may_try) == (Verdict.ASK, False)


@pytest.mark.parametrize("mode", [Mode.PLAN, Mode.ASK, Mode.AUTO])
def test_in_other_modes_nothing_does(mode: Mode) -> None:
    assert not rule_on("npm test", mode).may_try


def test_a_plain_writer_beside_it_needs_no_question_where_the_mode_has_none() -> None:
    assert rule_on("mkdir x && npm test", Mode.ACCEPT_EDITS).may_try


@each_row(
    "rules",
    [
        {"ask": "shell(npm test:*)"},
        {"deny": "shell(npm test:*)"},
        {"ask": "shell(*)"},
        {"ask": "effect(execute)"},
    ],
)
def test_what_a_rule_says_holds(rules: dict[str, str]) -> None:
    ruling = rule_on("npm test", **rules)
    assert ruling.verdict > Verdict.ALLOW
    assert not ruling.may_try


def test_what_a_rule_allows_runs_as_it_says() -> None:
    ruling = rule_on("npm test", allow="shell(npm test:*)")
    assert (ruling.verdict, ruling.may_try) == (Verdict.ALLOW, False)


def test_a_rule_for_what_works_only_outside_takes_it_into_no_copy() -> None:
    assert not rule_on("docker ps -a; npm test; docker rm x", allow="shell(docker rm:*)").may_try


def test_what_a_hook_asks_about_is_asked() -> None:
    word = HookWord(verdict=Verdict.ASK, because="Look at this.")
    assert not ruled(call("npm test"), under(policy(), word), PLACES).may_try


def test_nothing_does_where_it_cannot_be_tried_or_its_agent_wants_it_outside() -> None:
    for untried in (None, "There is no sandbox."):
        assert not ruled(call("npm test", untried), policy(), PLACES).may_try
    assert not ruled(call("npm test", outside_sandbox=True), policy(), PLACES).may_try
    assert not ruled(call("npm test"), policy(trusted=False), PLACES).may_try
    assert not ruled(call("npm test"), evolve(policy(), tries=False), PLACES).may_try


@given(
    command=st.lists(st.sampled_from([*RUN, *ASKED]), min_size=1, max_size=4).map("; ".join),
    mode=st.sampled_from(TRYING),
)
def test_it_never_loosens_what_is_ruled(command: str, mode: Mode) -> None:
    tried = ruled(call(command), policy(mode), PLACES)
    plain = ruled(call(command), evolve(policy(mode), tries=False), PLACES)
    assert evolve(tried, may_try=False) == plain
    assert plain.verdict is Verdict.ASK or not tried.may_try


def by_rule(
    command: str, *texts: str, mode: Mode = Mode.DEFAULT, tries: bool = True, **more: Any
) -> Ruling:
    """The ruling with rules that allow these in the sandbox alone, beside those in `plain`."""
    others, how = more.pop("plain", {}), more.pop("how", {})
    plain = policy(mode, **others)
    rules = [written(text, Verdict.ALLOW, in_sandbox=True) for text in texts]
    book = Book.of([*rules, *plain.book.rules], PLACES.roots, PLACES.home)
    it = evolve(call(command, more.pop("untried", ""), **how), has_sandbox=True)
    return ruled(it, evolve(plain, book=book, tries=tries, **more), PLACES)


BUILD = "shell(npm run build:*)"


@pytest.mark.parametrize("mode", [Mode.ASK, *TRYING, Mode.AUTO])
@pytest.mark.parametrize("tries", [True, False])
def test_a_rule_lets_a_command_run_in_the_sandbox(mode: Mode, tries: bool) -> None:
    ruling = by_rule("npm run build", BUILD, mode=mode, tries=tries)
    assert (ruling.verdict, ruling.in_sandbox) == (Verdict.ALLOW, True)
    assert mode is Mode.AUTO or ruling.rule == BUILD


def test_it_lets_what_is_known_to_write_run_there_too() -> None:
    for command in ("git commit -m x", "npm install", "docker build ."):
        ruling = by_rule(command, "shell(git commit:*)", "shell(npm install:*)", "shell(docker:*)")
        assert (ruling.verdict, ruling.in_sandbox) == (Verdict.ALLOW, True)


def test_beside_a_rule_that_allows_the_rest_outside_the_whole_runs_in_the_sandbox() -> None:
    plain = {"allow": "shell(make lint:*)"}
    both = by_rule("make lint && npm run build", BUILD, plain=plain)
    assert (both.in_sandbox, both.rule) == (True, BUILD)
    assert both.because == f"The rule `{BUILD}` allows this in the sandbox."
    assert not by_rule("make lint", BUILD, plain=plain).in_sandbox
    assert by_rule("make lint", BUILD, plain=plain).verdict is Verdict.ALLOW


@pytest.mark.parametrize("mode", [Mode.ASK, *TRYING, Mode.AUTO])
def test_who_writes_it_for_a_program_that_works_outside_is_believed_in_each_mode(
    mode: Mode,
) -> None:
    ruling = by_rule("docker build .", "shell(docker build:*)", mode=mode)
    assert (ruling.verdict, ruling.in_sandbox) == (Verdict.ALLOW, True)
    assert by_rule("docker rm x", "shell(docker build:*)", mode=mode).verdict is Verdict.ASK


def test_in_plan_nothing_is_made_real_by_it() -> None:
    assert by_rule("npm run build", BUILD, mode=Mode.PLAN).verdict is Verdict.DENY


def test_it_takes_no_leave_from_another_rule_where_it_does_not_count() -> None:
    plain = {"allow": "shell(make:*)"}
    for untried in ("", None):
        ruling = by_rule("CI=1 make build", "shell(CI=1 make:*)", plain=plain, untried=untried)
        assert (ruling.verdict, ruling.in_sandbox) == (Verdict.ALLOW, False)


def test_what_such_a_command_changed_is_allowed_for_as_long_as_the_rule_stands() -> None:
    made_by = evolve(call("npm run build"), has_sandbox=True)
    there = evolve(PLACES.locate("/home/dev/project/a.txt", "/"), inside=True)
    changes = evolve(
        made_by,
        tool="write",
        effect=Effect.WRITE,
        input={"trial": "npm run build"},
        action=APPLY,
        targets=(there,),
        made_by=made_by,
    )
    rule = written(BUILD, Verdict.ALLOW, in_sandbox=True)
    book = Book.of([rule], PLACES.roots, PLACES.home)
    standing = evolve(policy(), book=book)
    ruling = ruled(changes, standing, PLACES)
    assert (ruling.verdict, ruling.rule) == (Verdict.ALLOW, BUILD)
    assert ruling.because == f"The rule `{BUILD}` allows what this command changes."
    plain = policy(allow=BUILD)
    for other, whose in (
        (policy(), changes),
        (plain, changes),
        (evolve(standing, trusted=False), changes),
        (standing, evolve(changes, made_by=None)),
        (standing, evolve(changes, made_by=call("npm run build", None))),
        (standing, evolve(changes, caution="It deletes what git does not have: a.")),
    ):
        assert ruled(whose, other, PLACES).verdict is Verdict.ASK


@each_row(
    "more",
    [
        {"untried": None},
        {"untried": "The sandbox is turned off (`assent.sandbox`)."},
        {"how": {"outside_sandbox": True}},
        {"trusted": False},
        {"plain": {"ask": "shell(npm run:*)"}},
        {"plain": {"ask": "effect(execute)"}},
        {"plain": {"deny": "shell(npm:*)"}},
    ],
)
def test_where_it_would_run_outside_or_another_rule_is_stricter_it_lifts_nothing(
    more: dict[str, Any],
) -> None:
    ruling = by_rule("npm run build", BUILD, **more)
    assert ruling.verdict > Verdict.ALLOW
    assert not ruling.in_sandbox


@each_row(
    "command",
    (
        "npm run build && npm test",
        "npm run build; cat ~/.ssh/id_rsa",
        "npm run build > ~/.bashrc",
        "npm run build > .vscode/tasks.json",
        "npm run deploy",
        "sudo npm run build",
    ),
)
def test_it_covers_no_more_than_such_a_rule_would_outside(command: str) -> None:
    ruling = by_rule(command, BUILD, tries=False)
    assert (ruling.verdict, ruling.in_sandbox) == (Verdict.ASK, False)
    plain = ruled(call(command), evolve(policy(allow=BUILD), tries=False), PLACES)
    assert plain.verdict is Verdict.ASK


def in_auto(
    command: str,
    *,
    has_sandbox: bool = True,
    untried: str = "",
    bypassed: bool = False,
    **more: object,
) -> Ruling:
    it = evolve(call(command, untried), has_sandbox=has_sandbox)
    it = evolve(it, input={**it.input, **more})
    agents = frozenset({it.agent}) if bypassed else frozenset[AgentId]()
    return ruled(it, evolve(policy(Mode.AUTO), bypassed=agents), PLACES)


HELD = (
    *RUN,
    "git commit -m x",
    "git stash",
    "npm install x",
    "curl http://example.org",
    "cat ~/notes/x",
    "cat ~/.bash_history | python3 tool.py",
    "python3 tool.py > ~/x",
    "rm -rf build",
    "echo x > a.txt",
    "mkdir x && npm test",
    "git status; python3 tool.py",
)


@each_row("command", HELD)
def test_in_auto_what_does_not_only_read_runs_in_the_sandbox(command: str) -> None:
    ruling = in_auto(command)
    assert (ruling.verdict, ruling.in_sandbox) == (Verdict.ALLOW, True)


OUT = ("docker rm x", "ssh host ls", "gh pr create", "git push", "git pull", "sudo npm test")


@each_row("command", (*OUT, "npm test && git push", "apt-get install x", "kill 1234"))
def test_in_auto_what_works_only_outside_is_asked_about(command: str) -> None:
    ruling = in_auto(command)
    assert ruling.verdict is Verdict.ASK
    assert "works only outside the sandbox" in ruling.because
    assert ruling.lasting
    assert in_auto(command, has_sandbox=False).verdict is Verdict.ALLOW


@each_row("command", ("ls", "git status", "cat a | grep x", "docker ps", "git log --oneline"))
def test_in_auto_what_only_reads_runs_as_it_is(command: str) -> None:
    ruling = in_auto(command)
    assert (ruling.verdict, ruling.in_sandbox) == (Verdict.ALLOW, False)


def test_in_auto_nothing_gets_around_the_sandbox_by_how_it_is_called() -> None:
    ways: tuple[dict[str, Any], ...] = ({"outside_sandbox": True}, {"untried": "It is elsewhere."})
    for how in ways:
        ruling = in_auto("npm test", **how)
        assert ruling.verdict is Verdict.ASK
        assert ruling.because.startswith("It would run outside the sandbox.")
        assert in_auto("ls", **how).verdict is Verdict.ALLOW
        assert in_auto("npm test", has_sandbox=False, **how).verdict is Verdict.ALLOW


def test_who_stopped_asking_for_an_agent_has_no_sandbox_around_it() -> None:
    ruling = in_auto("npm test", bypassed=True)
    assert (ruling.verdict, ruling.in_sandbox) == (Verdict.ALLOW, False)


@given(
    command=st.lists(st.sampled_from([*RUN, *ASKED, "ls"]), min_size=1, max_size=3).map("; ".join)
)
def test_in_auto_nothing_but_the_sandbox_loosens_what_is_ruled(command: str) -> None:
    held = in_auto(command)
    plain = in_auto(command, has_sandbox=False)
    assert held.verdict >= plain.verdict or held.in_sandbox
    assert held.verdict is not Verdict.ALLOW or held.in_sandbox or held == plain


@each_row("rules", ({"ask": "shell(npm test:*)"}, {"deny": "shell(*)"}, {"ask": "effect(execute)"}))
def test_in_auto_what_a_rule_says_holds(rules: Any) -> None:
    it = evolve(call("npm test"), has_sandbox=True)
    assert ruled(it, policy(Mode.AUTO, **rules), PLACES).verdict > Verdict.ALLOW
