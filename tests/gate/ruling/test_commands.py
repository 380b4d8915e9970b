"""How a shell call is ruled on: each command, each path, each rule, and the strictest decides."""

from pathlib import Path

import pytest
from attrs import evolve

from assent.gate.call.calls import AgentId, Call
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy, grant_for
from assent.gate.ruling.weight import Level, weigh
from gate.ruling.samples import AGENT, running
from tables import each_row

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY


class Desk:
    """A workspace on the disk, and a policy for it."""

    def __init__(self, below: Path) -> None:
        self.root, self.home = below / "home" / "till", below / "home"
        for name in ("src", "build", "packages/core", ".git/hooks", ".vscode"):
            (self.root / name).mkdir(parents=True)
        for name in ("src/till.py", "README.md", ".env"):
            (self.root / name).write_text("x\n")
        (below / "elsewhere").mkdir()
        (below / "elsewhere" / "x").write_text("x\n")
        (self.root / "away").symlink_to(below / "elsewhere")
        self.places = Places(roots=(str(self.root),), home=str(self.home))

    def policy(self, mode: Mode = Mode.DEFAULT, **rules: list[str]) -> Policy:
        texts = [written(it, Verdict[name.upper()]) for name in rules for it in rules[name]]
        book = Book.of(texts, self.places.roots, self.places.home)
        return Policy(mode=mode, book=book, trusted=True)

    def call(self, command: str, **more: object) -> Call:
        return running(command, cwd=str(self.root), **more)

    def rule(self, command: str, mode: Mode = Mode.DEFAULT, **rules: list[str]) -> Ruling:
        return decide(self.call(command), self.policy(mode, **rules), self.places)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    return Desk(tmp_path_factory.mktemp("desk").resolve())


@pytest.mark.requirement("N-02")
@each_row(
    ("mode", "reads", "runs", "writes"),
    [
        (Mode.PLAN, ALLOW, DENY, DENY),
        (Mode.ASK, ASK, ASK, ASK),
        (Mode.DEFAULT, ALLOW, ASK, ASK),
        (Mode.ACCEPT_EDITS, ALLOW, ASK, ALLOW),
        (Mode.AUTO, ALLOW, ALLOW, ALLOW),
    ],
)
def test_modes_say_what_commands_may_do(
    desk: Desk, mode: Mode, reads: Verdict, runs: Verdict, writes: Verdict
) -> None:
    assert desk.rule("git status && ls src | head -3", mode).verdict is reads
    assert desk.rule("make test", mode).verdict is runs
    assert desk.rule("echo x > src/new.py", mode).verdict is writes


def test_a_line_is_as_strict_as_its_strictest_command(desk: Desk) -> None:
    rules = {"allow": ["shell(npm test:*)"], "deny": ["shell(git push:*)"]}
    assert desk.rule("npm test && ls", **rules).verdict is ALLOW
    assert desk.rule("npm test && make", **rules).verdict is ASK
    assert desk.rule("npm test && make; git push", **rules).verdict is DENY


def test_each_part_tells_what_was_said_of_it(desk: Desk) -> None:
    ruling = desk.rule("git status && npm test | head -3; make it-so", allow=["shell(npm test:*)"])
    told = [(part.text, part.verdict, part.rule) for part in ruling.parts]
    assert told == [
        ("git status", ALLOW, None),
        ("npm test", ALLOW, "shell(npm test:*)"),
        ("head -3", ALLOW, None),
        ("make it-so", ASK, None),
    ]
    assert ruling.readable


def test_what_a_substitution_runs_counts_for_the_part_that_it_stands_in(desk: Desk) -> None:
    ruling = desk.rule('echo "$(make)"; ls')
    assert [part.verdict for part in ruling.parts] == [ASK, ALLOW]


def test_what_a_here_document_runs_is_a_part_that_says_why_it_is_asked(desk: Desk) -> None:
    ruling = desk.rule("cat <<E; ls\n$(touch made $(date))\nE\ndate")
    told = [(it.text, it.verdict) for it in ruling.parts]
    assert told == [
        ("cat <<E", ALLOW),
        ("ls", ALLOW),
        ("touch made $(date)", ASK),
        ("date", ALLOW),
    ]


@each_row(
    "command",
    ["eval ls", "$x ls", ". x.sh", "echo `", "ls\x00", "echo \u202ex", "trap ls DEBUG"],
)
@each_row("mode", [Mode.DEFAULT, Mode.AUTO])
def test_what_cannot_be_read_is_asked_about_in_every_mode(
    desk: Desk, command: str, mode: Mode
) -> None:
    ruling = desk.rule(command, mode, allow=["shell(*)"])
    assert ruling.verdict is ASK
    assert not ruling.readable
    assert weigh(desk.call(command), ruling).level is Level.HIGH


@each_row(
    "command", ["> src/till.py", "X=1", 'x="$(<README.md)"', 'for f in src/*; do > "$f"; done']
)
@each_row("mode", [Mode.PLAN, Mode.DEFAULT, Mode.AUTO])
@each_row("verdict", ["deny", "ask"])
def test_a_rule_about_every_command_is_about_those_without_words_too(
    desk: Desk, command: str, mode: Mode, verdict: str
) -> None:
    assert desk.rule(command, mode, **{verdict: ["shell(*)"]}).verdict is not ALLOW


def test_what_cannot_be_read_is_denied_where_a_part_of_it_is(desk: Desk) -> None:
    assert desk.rule("$x; rm src", deny=["shell(rm:*)"]).verdict is DENY
    long = "echo a;" * 2000 + "rm src"
    assert desk.rule(long, Mode.AUTO, deny=["shell(rm:*)"]).verdict is DENY
    assert desk.rule(long, Mode.AUTO).verdict is ASK


def test_a_text_that_no_shell_could_be_given_is_refused(desk: Desk) -> None:
    assert desk.rule("echo " + "a" * 140_000, Mode.AUTO).verdict is DENY


def test_a_rule_does_not_reach_to_flags_that_do_more(desk: Desk) -> None:
    rules = {"allow": ["shell(git log:*)", "shell(sort:*)"]}
    assert desk.rule("git log --oneline", **rules).verdict is ALLOW
    ruling = desk.rule("git log --output=src/till.py", **rules)
    assert ruling.verdict is ASK
    assert "`shell(git log:*)` does not go as far" in ruling.because
    assert desk.rule("sort -o x README.md", **rules).verdict is ASK


def test_a_rule_that_names_the_flag_means_it(desk: Desk) -> None:
    rules = {"allow": ["shell(find . -delete:*)", "write(./**)"]}
    assert desk.rule("find . -delete -name x", **rules).verdict is not DENY
    exact = {"allow": ["shell(git log --output=log.txt)"]}
    assert desk.rule("git log --output=log.txt", **exact).verdict is ALLOW


def test_a_redirect_needs_what_writing_needs(desk: Desk) -> None:
    assert desk.rule("npm test > out.txt", allow=["shell(npm test)"]).verdict is ASK
    both = ["shell(npm test)", "write(./out.txt)"]
    assert desk.rule("npm test > out.txt", allow=both).verdict is ALLOW
    assert desk.rule("npm test > other.txt", allow=both).verdict is ASK
    assert desk.rule("npm test > out.txt 2>&1 < README.md", allow=both).verdict is ALLOW
    assert desk.rule("npm test >/dev/null 2>&1", allow=["shell(npm test)"]).verdict is ALLOW


@each_row(
    "command",
    [
        "cat ../x",
        "cat /etc/passwd",
        "cat ~/x",
        "cat away/x",
        "cat src/../../x",
        "cd .. && ls",
        "cat < ../x",
        "git -C .. status",
        "ls ~",
        "cat aw*/x",
    ],
)
def test_leaving_the_workspace_is_asked_about_whatever_allows_the_command(
    desk: Desk, command: str
) -> None:
    wide = ["shell(cat:*)", "shell(ls:*)", "shell(cd:*)", "shell(git:*)"]
    assert desk.rule(command, allow=wide).verdict is ASK
    assert desk.rule(command, Mode.AUTO).verdict is ALLOW


@pytest.mark.requirement("S-08")
def test_a_rule_about_a_path_opens_it_to_readers(desk: Desk) -> None:
    assert desk.rule("cat ~/notes/a.md", allow=["read(~/notes/**)"]).verdict is ALLOW
    assert desk.rule("cat ~/other/a.md", allow=["read(~/notes/**)"]).verdict is ASK


@pytest.mark.requirement("S-08")
@each_row(
    ("command", "verdict"),
    [
        ("cat .env", DENY),
        ("cat ./src/../.env", DENY),
        ("head -1 < .env", DENY),
        ("grep x .env README.md", DENY),
        ("cp .env x", DENY),
        ("mv .env x", DENY),
        ("git show HEAD:.env", DENY),
        ("python3 x.py .env", DENY),
        ("cat .e*", DENY),
        ("cat $x", ASK),
        ("grep -r x .", ASK),
        ("cat *.md", ALLOW),
        ("test -f .env", ALLOW),
        ("cat README.md", ALLOW),
    ],
)
def test_a_denied_path_is_denied_to_every_tool(desk: Desk, command: str, verdict: Verdict) -> None:
    ruling = desk.rule(command, Mode.AUTO, deny=["read(./.env)"])
    assert ruling.verdict is verdict, ruling.because


@each_row(
    "command",
    [
        "echo x > .vscode/settings.json",
        "echo x > .VSCODE/settings.json",
        "cp x .git/hooks/pre-commit",
        "d=.git; echo x > $d/hooks/x",
        "cd .git && echo x > config",
        "ln -s .git g && echo x > g/config",
        "tee .mcp.json < x",
        "sed -i s/a/b/ .github/workflows/ci.yml",
        "git config core.hooksPath x",
        "echo x >> ~/.bashrc",
        "mv x ~/.ssh/config",
        "rm -rf .git",
        "echo x > $x",
        'python3 -c \'open(".vscode/settings.json", "w")\'',
        "env echo x > .envrc",
        "sh -c 'echo x > .envrc'",
    ],
)
def test_protected_places_are_asked_about_by_every_route(desk: Desk, command: str) -> None:
    policy = evolve(
        desk.policy(Mode.AUTO, allow=["shell(*)", "write(./**)", "write(~/**)"]),
        bypassed=frozenset({AGENT}),
    )
    ruling = decide(desk.call(command), policy, desk.places)
    assert ruling.verdict is ASK
    assert not ruling.lasting


@each_row(
    "command",
    [
        "rm -rf /",
        "rm -rf ~",
        "rm -rf $HOME",
        "rm -fr -- .",
        "rm -r -f ..",
        "rm --recursive ./",
        "rm -rf *",
        "rm -rf ~/*",
        "rm -rf /usr",
        "cd / && rm -rf *",
        'rm -rf "$x"',
        "sudo rm -rf /",
        "find ~ -delete",
        "dd if=/dev/zero of=/dev/sda",
    ],
)
def test_removals_that_leave_nothing_are_asked_about_in_every_mode(
    desk: Desk, command: str
) -> None:
    ruling = desk.rule(command, Mode.AUTO, allow=["shell(*)"])
    assert ruling.verdict is ASK
    assert weigh(desk.call(command), ruling).level is Level.HIGH


def test_an_ordinary_removal_is_what_the_mode_says(desk: Desk) -> None:
    assert desk.rule("rm -rf build node_modules", Mode.AUTO).verdict is ALLOW
    ruling = desk.rule("rm -rf build")
    assert ruling.verdict is ASK
    weight = weigh(desk.call("rm -rf build"), ruling)
    assert weight.consequence == "Removes files of this workspace."


@each_row(
    "command",
    [
        "env A=1 git push",
        "sudo git push",
        "timeout 5 git -C src push",
        "sh -c 'git push'",
        "xargs git push",
    ],
)
def test_a_denied_command_is_denied_however_it_is_wrapped(desk: Desk, command: str) -> None:
    assert desk.rule(command, Mode.AUTO, deny=["shell(git push:*)"]).verdict is DENY


def test_a_wrapper_passes_by_what_lets_its_command_pass(desk: Desk) -> None:
    rules = {"allow": ["shell(npm test:*)"]}
    ruling = desk.rule("timeout 60 npm test", **rules)
    assert ruling.verdict is ALLOW
    assert [part.rule for part in ruling.parts] == ["shell(npm test:*)"]
    assert desk.rule("sudo npm test", **rules).verdict is ASK
    assert desk.rule("timeout 60 make", **rules).verdict is ASK


def test_a_variable_that_decides_what_runs_is_asked_about(desk: Desk) -> None:
    rules = {"allow": ["shell(npm test:*)"]}
    assert desk.rule("LANG=C ls").verdict is ALLOW
    assert desk.rule("NODE_ENV=test npm test", **rules).verdict is ALLOW
    assert desk.rule("PATH=. npm test", **rules).verdict is ASK
    given = {"command": "npm test", "env": {"LD_PRELOAD": "x.so"}}
    call = evolve(desk.call("npm test"), input=given)
    assert decide(call, desk.policy(**rules), desk.places).verdict is ASK


def test_a_program_that_may_run_anything_is_asked_about_where_something_is_denied(
    desk: Desk,
) -> None:
    computed = 'python3 -c \'import os; os.system("git " + "push")\''
    told = "python3 -c 'import os; os.system(\"git push\")'"
    assert desk.rule(computed, Mode.AUTO).verdict is desk.rule(told, Mode.AUTO).verdict is ALLOW
    assert desk.rule(computed, Mode.AUTO, deny=["shell(git push:*)"]).verdict is ASK
    assert desk.rule(told, Mode.AUTO, deny=["shell(git push:*)"]).verdict is DENY
    assert desk.rule("npm run rm", Mode.AUTO, deny=["shell(rm:*)"]).verdict is ALLOW


def test_what_exactly_this_was_allowed_for_the_chat_passes_even_unread(desk: Desk) -> None:
    call = desk.call("eval $x")
    policy = evolve(desk.policy(), rules=(grant_for(call),))
    assert decide(call, policy, desk.places).verdict is ALLOW
    assert decide(desk.call("eval $y"), policy, desk.places).verdict is ASK


def test_no_grant_lifts_what_is_always_asked(desk: Desk) -> None:
    call = desk.call("echo x > .envrc")
    policy = evolve(desk.policy(), rules=(grant_for(call),))
    assert decide(call, policy, desk.places).verdict is ASK


def test_rules_of_the_chat_stand_beside_the_others(desk: Desk) -> None:
    policy = desk.policy(deny=["shell(make clean:*)"])
    more = evolve(policy.book, rules=(written("shell(make:*)", ALLOW),))
    policy = evolve(policy, more=more)
    assert decide(desk.call("make test"), policy, desk.places).verdict is ALLOW
    assert decide(desk.call("make clean"), policy, desk.places).verdict is DENY


def test_rules_about_effects_hold_for_commands(desk: Desk) -> None:
    deny = ["effect(network)", "effect(write:outside)", "effect(delete)"]
    for command in ("curl https://x.example", "cp a ~/b", "rm src/till.py"):
        assert desk.rule(command, Mode.AUTO, deny=deny).verdict is DENY, command
    assert desk.rule("cp a b", Mode.AUTO, deny=deny).verdict is ALLOW


def test_a_rule_of_one_agent_is_no_other_agents(desk: Desk) -> None:
    rule = evolve(written("shell(make:*)", ALLOW), agent=AgentId("another"))
    policy = evolve(desk.policy(), book=Book.of([rule], desk.places.roots, desk.places.home))
    assert decide(desk.call("make"), policy, desk.places).verdict is ASK


def test_where_nothing_is_known_of_files_everything_is_asked(desk: Desk) -> None:
    assert decide(desk.call("cat README.md"), desk.policy()).verdict is ASK


def test_each_thing_that_is_done_to_a_path_says_where_it_leads(desk: Desk) -> None:
    found = desk.rule("cat away/x 'src/till.py' > out.txt; curl -o a example.com/b").deeds
    assert {it.lies.removeprefix(str(desk.home.parent)) for it in found if it.lies} == {
        "/elsewhere/x",
        "/home/till/src/till.py",
        "/home/till/out.txt",
        "/home/till/a",
    }
