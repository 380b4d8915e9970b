"""A variable is one question, however it is handed to a program."""

import shlex
from typing import Any, Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from assent.cli.policy_of_files import book_of_case
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import Question, explain
from assent.gate.programs.nested_execution.wrapper_rows import ROWS
from assent.gate.programs.variables import PLACED, is_dangerous, is_harmless, is_plain
from assent.gate.rules.notation import RuleRefused
from assent.gate.ruling.policy import Policy
from assent.gate.shell.script import DECLARES
from gate.rules.books import allow, ask, deny
from tables import each_row

PLACES: Final = Places(roots=("/home/ada/till",), home="/home/ada")

SPELLINGS: Final = (
    "{x} make",
    "export {x}; make",
    "export {x} && make",
    "{x}; export {name}; make",
    "declare -x {x}; make",
    "typeset -x {x}; make",
    "command export {x}; make",
    "builtin export {x}; make",
    "env {x} make",
    "env -i {x} make",
    "bash -c {script}",
    "{x} bash -c make",
    "f() {{ make; }}; {x} f",
    "(export {x}; make)",
    "if {x} make; then :; fi",
    "! {x} make",
    "make; {x} make",
    *(
        f"{{x}} {name} {'1 ' * row.operands_before}make"
        for name, row in ROWS.items()
        if row.wraps and not row.shell_text_flags
    ),
)
"""The ways to give a variable to `make`; every wrapper that only runs another is one."""

NAMES: Final = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,12}", fullmatch=True)
VALUES: Final = st.sampled_from(["1", "x", "/tmp/x.so", "a b", "$HOME", "cat", "../y", ""])


def ruled(
    command: str, *rules: str, mode: Mode = Mode.DEFAULT, denied: str = "", **given_: Any
) -> Ruling:
    told = book_of_case({"allow": list(rules), "deny": [denied] if denied else []}, PLACES)
    policy = Policy(mode=mode, trusted=True, book=told)
    question = Question(tool="shell", input={"command": command, **given_})
    return explain(question, policy, PLACES)


def spelled(spelling: str, name: str, value: str) -> str:
    x = f"{name}={shlex.quote(value)}"
    return spelling.format(x=x, name=name, script=shlex.quote(f"export {x}; make"))


@pytest.mark.parametrize("spelling", SPELLINGS)
@given(NAMES, VALUES)
@example("DOTNET_STARTUP_HOOKS", "/tmp/x.dll")
@example("ERL_FLAGS", "1")
@example("FOO", "1")
@example("CI", "1")
@example("GIT_PAGER", "cat")
def test_a_rule_covers_a_program_and_what_is_plain_and_no_other_variable(
    spelling: str, name: str, value: str
) -> None:
    said = ruled(spelled(spelling, name, value), "shell(make:*)").verdict
    if not is_plain(name, value):
        assert said is Verdict.ASK
    elif is_harmless(name):
        assert said is ruled(spelled(spelling, "CI", "1"), "shell(make:*)").verdict
    by_field = ruled("make", "shell(make:*)", env={name: value}).verdict
    assert (by_field is Verdict.ALLOW) == is_plain(name, value)


@given(NAMES, VALUES)
def test_what_only_reads_is_given_what_is_plain_and_no_other_variable(
    name: str, value: str
) -> None:
    passes = is_plain(name, value)
    x = f"{name}={shlex.quote(value)}"
    for command in (f"{x} ls", f"env {x} ls", f"{x} timeout 5 ls"):
        assert (ruled(command).verdict is Verdict.ALLOW) == passes
    assert (ruled("ls", env={name: value}).verdict is Verdict.ALLOW) == passes


def test_the_question_names_the_variable() -> None:
    told = {
        ruled("FOO=1 make", "shell(make:*)").because,
        ruled("make", "shell(make:*)", env={"FOO": "1"}).because,
        ruled("export FOO=1; make", "shell(make:*)").because,
    }
    assert told == {"The rule `shell(make:*)` does not go as far: it is given `FOO`."}
    assert ruled("FOO=1 ls").because == "It is given `FOO`, and what that changes is not known."


def test_a_rule_that_names_a_variable_means_that_value_by_any_spelling() -> None:
    rule = "shell(FOO=1 make:*)"
    given_so = ("FOO=1 make", "env FOO=1 make -j4", "export FOO=1; make", "CI=1 FOO=1 make all")
    assert {ruled(it, rule).verdict for it in given_so} == {Verdict.ALLOW}
    assert ruled("make", rule, env={"FOO": "1"}).verdict is Verdict.ALLOW
    others = ("make", "FOO=2 make", "FOO=1 BAR=1 make", "BAR=1 make", "FOO+=1 make")
    assert {ruled(it, rule).verdict for it in others} == {Verdict.ASK}


def test_of_two_rules_the_one_that_names_the_variable_is_told_of() -> None:
    rules = ("shell(make:*)", "shell(FOO=1 make:*)")
    assert ruled("FOO=1 make", *rules).rule == "shell(FOO=1 make:*)"
    assert ruled("make", *rules).rule == "shell(make:*)"


def test_a_variable_that_is_there_already_is_given_by_a_plain_assignment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TILL_HOOKS", raising=False)
    commands = ("TILL_HOOKS=1; make", "for TILL_HOOKS in a; do make; done")
    assert {ruled(it, "shell(make:*)").verdict for it in commands} == {Verdict.ALLOW}
    monkeypatch.setenv("TILL_HOOKS", "0")
    assert {ruled(it, "shell(make:*)").verdict for it in commands} == {Verdict.ASK}


@each_row(
    ("command", "passes"),
    [
        ("export LANG=C; sort a", True),
        ("export LANG=C LC_ALL=C && ls", True),
        ("export LANG=C; read LANG < a; ls", False),
        ("export LANG=C; LANG=$(cat a); ls", False),
        ("for LANG in /a; do export LANG; ls; done", False),
        ("export LANG=/x; ls", False),
        ("export LANG=$(cat a); ls", False),
    ],
)
def test_what_is_assigned_only_where_it_is_exported_has_the_value_that_stands_there(
    command: str, passes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    assert (ruled(command).verdict is Verdict.ALLOW) is passes


@each_row("name", ["PATH", "LD_PRELOAD", "BASH_ENV", "GIT_SSH_COMMAND"])
def test_no_rule_names_a_variable_that_decides_what_runs(name: str) -> None:
    with pytest.raises(RuleRefused, match="may decide what other programs do"):
        allow(f"shell({name}=x make:*)")


@each_row("write", [ask, deny])
def test_a_rule_that_denies_or_asks_is_about_a_command_whatever_it_is_given(write: Any) -> None:
    with pytest.raises(RuleRefused, match="leave out `FOO`"):
        write("shell(FOO=1 make:*)")


def test_in_auto_an_unknown_variable_passes_and_one_that_decides_what_runs_does_not() -> None:
    assert ruled("FOO=1 make", mode=Mode.AUTO).verdict is Verdict.ALLOW
    assert ruled("LD_PRELOAD=x make", mode=Mode.AUTO).verdict is Verdict.ASK
    assert ruled("make", mode=Mode.AUTO, env={"LD_PRELOAD": "x"}).verdict is Verdict.ASK


SAYS_WHERE: Final = (
    "PYTHONPATH=src pytest",
    "PYTHONPATH=src:tests pytest",
    "export PYTHONPATH=$PWD/src:$PYTHONPATH; pytest",
    'PYTHONPATH="${PYTHONPATH:+$PYTHONPATH:}src" pytest',
    "NODE_PATH=. node src/index.js",
    "CARGO_TARGET_DIR=/tmp/t cargo build",
    "GOBIN=$(pwd)/bin go install ./cmd/app",
)


@each_row("command", SAYS_WHERE)
def test_in_auto_a_variable_may_say_where_modules_are_found_and_what_is_built_is_put(
    command: str,
) -> None:
    assert ruled(command, mode=Mode.AUTO).verdict is Verdict.ALLOW
    assert ruled(command, denied="read(./.env)", mode=Mode.AUTO).verdict is Verdict.ALLOW
    for mode in (Mode.DEFAULT, Mode.ACCEPT_EDITS):
        assert ruled(command, "shell(*)", mode=mode).verdict is Verdict.ASK


@each_row("value", ["src:$X", "$(cat a)", "`cat a`", "src*", "{a,b}", "~nobody:src|x", "a;b"])
def test_a_place_that_is_not_known_is_asked_about_in_auto(value: str) -> None:
    assert ruled(f'PYTHONPATH="{value}" pytest', mode=Mode.AUTO).verdict is Verdict.ASK


@each_row("place", [".git/hooks", ".vscode", "~/.ssh/x", "$HOME/.local/bin", "/"])
def test_nothing_is_put_where_changes_are_asked_about_because_a_variable_says_so(
    place: str,
) -> None:
    assert ruled(f"GOBIN={place} go install ./cmd/app", mode=Mode.AUTO).verdict is Verdict.ASK
    given_ = {"GOBIN": place.replace("$HOME", "~")}
    assert ruled("go install .", mode=Mode.AUTO, env=given_).verdict is Verdict.ASK


@each_row("folder", ["$HOME/.cargo/bin", "~/.local/bin", "/usr/local/go/bin"])
def test_in_auto_programs_are_found_in_folders_that_no_agent_fills_unasked(folder: str) -> None:
    for command in (f'export PATH="{folder}:$PATH" && cargo build', f"PATH=$PATH:{folder} make"):
        folder_first = command.replace("~", "$HOME")
        assert ruled(folder_first, denied="shell(rm:*)", mode=Mode.AUTO).verdict is Verdict.ALLOW
        assert ruled(folder_first).verdict is Verdict.ASK


@each_row(
    "value",
    [
        *("bin:$PATH", "$PWD/bin:$PATH", ":$PATH", "$PATH:", ".", "/tmp/b:$PATH", "$X:$PATH"),
        *("${PATH+:}/usr/bin", "${PATH:+$PATH:}bin", "${HOME:+:}/.cargo/bin:$PATH", "$PATHX:/bin"),
        *("$PATH/../x", "x$PATH", "~-/x:$PATH"),
    ],
)
def test_in_auto_a_folder_that_an_agent_fills_makes_no_name_of_a_program_mean_another(
    value: str,
) -> None:
    for denied in ("shell(rm:*)", "read(./.env)", "write(./migrations/**)"):
        said = ruled(f'PATH="{value}" ls -l .env', denied=denied, mode=Mode.AUTO)
        assert said.verdict is not Verdict.ALLOW, said


@each_row("value", ["$HOME/.cargo/bin", "~/.cargo/bin", "${PWD}/bin"])
def test_what_no_shell_puts_in_is_the_name_of_a_folder(value: str) -> None:
    """In quotes, and in the call's own `env`, a sign is one of the name: any folder has it."""
    for command in (f"PATH='{value}' ls", f"PATH='{value}':$PATH ls", 'PATH="~/.cargo/bin" ls'):
        assert ruled(command, denied="shell(rm:*)", mode=Mode.AUTO).verdict is Verdict.ASK
    given_ = {"PATH": value}
    assert ruled("ls", denied="shell(rm:*)", mode=Mode.AUTO, env=given_).verdict is Verdict.ASK


@each_row(
    "command",
    [
        "PATH=/usr/bin sh -c 'PATH=/tmp/evil ls'",
        "PATH=/usr/bin sh -c 'cd /tmp; PATH=/tmp/evil ls'",
        "PYTHONPATH=src sh -c 'PYTHONPATH=$X pytest'",
        "export PATH=bin:$PATH; cd /tmp && ls",
        "PATH+=evil ls",
        "PATH+=: ls",
    ],
)
def test_what_an_assignment_says_is_no_word_for_another(command: str) -> None:
    assert ruled(command, denied="shell(rm:*)", mode=Mode.AUTO).verdict is Verdict.ASK


def test_where_nothing_is_refused_auto_finds_programs_in_the_workspace() -> None:
    command = "PATH=$PWD/node_modules/.bin:$PATH tsc --noEmit"
    assert ruled(command, mode=Mode.AUTO).verdict is Verdict.ALLOW
    assert ruled("PATH=/tmp/b:$PATH tsc", mode=Mode.AUTO).verdict is Verdict.ASK


def test_a_rule_may_name_a_variable_that_only_says_where_things_lie() -> None:
    rule = "shell(PYTHONPATH=src pytest:*)"
    assert ruled("PYTHONPATH=src pytest -q", rule).verdict is Verdict.ALLOW
    others = (
        "PYTHONPATH=lib pytest -q",
        "PYTHONPATH=src PATH=. pytest -q",
        "PYTHONPATH=src python x.py",
        "PYTHONPATH=src PYTHONSTARTUP=x.py pytest",
        "PYTHONPATH+=src pytest",
    )
    assert {ruled(it, rule).verdict for it in others} == {Verdict.ASK}


@each_row("name", sorted(PLACED))
def test_what_only_says_where_things_lie_is_asked_about_by_every_other_mode(name: str) -> None:
    assert is_dangerous(name)
    assert ruled(f"{name}=./x make", "shell(make:*)").verdict is Verdict.ASK


@each_row(
    "command",
    [
        "ENV_FILE=.env node src/index.js",
        "env ENV_FILE=./.env node src/index.js",
        "export ENV_FILE=.env; node src/index.js",
        "cd src; ENV_FILE=../.env node index.js",
        "KUBECONFIG=.env kubectl get pods",
    ],
)
def test_a_path_that_is_denied_is_handed_to_a_program_by_no_variable(command: str) -> None:
    said = ruled(command, denied="read(./.env)", mode=Mode.AUTO)
    assert said.verdict is not Verdict.ALLOW
    assert said.rule == "read(./.env)"


def test_a_path_that_is_denied_is_handed_to_a_program_by_no_variable_of_the_call() -> None:
    given_ = {"ENV_FILE": ".env"}
    said = ruled("node src/index.js", denied="read(./.env)", mode=Mode.AUTO, env=given_)
    assert said.rule == "read(./.env)"
    assert ruled("ls", denied="read(./.env)", mode=Mode.AUTO, env=given_).verdict is Verdict.ALLOW


@each_row("name", sorted(DECLARES - {"integer"}))
def test_declaring_a_variable_is_no_question_and_handing_it_on_is_one(name: str) -> None:
    def within(text: str) -> str:
        return f"f() {{ {text}; }}; f" if name == "local" else text

    then = "" if name == "export" else "; echo $FOO"
    reads = ruled(within(f"{name} FOO=1{then}"), "shell(make:*)")
    assert reads.verdict is Verdict.ALLOW, reads.because
    flag = "" if name == "export" else "-x "
    handed = ruled(within(f"{name} {flag}FOO=1; make"), "shell(make:*)", "shell(f:*)")
    assert handed.verdict is Verdict.ASK
