"""What is suggested for always is narrow, can be read again, and does what it says."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.programs.meaning import meaning
from assent.gate.rules.book import Book
from assent.gate.rules.command_texts import TOOLS
from assent.gate.rules.drafts import NONE, Drafts
from assent.gate.rules.neighbours import neighbours_of
from assent.gate.rules.notation import written
from assent.gate.rules.suggest import MAX_RULES, drafts_for
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from tables import each_row

requirement = pytest.mark.requirement

ROOT, HOME = "/w", "/home/ada"
PLACES = Places(roots=(ROOT,), home=HOME)


def a_call(kind: str, effect: Effect, /, **given: Any) -> Call:
    targets = (PLACES.locate(given["path"], ROOT),) if "path" in given else ()
    return Call(
        id=CallId("1"),
        chat=ChatId("c"),
        agent=AgentId("eliza"),
        tool=kind,
        effect=effect,
        input=given,
        cwd=ROOT,
        targets=targets,
        action="write" if kind == "write" else "",
    )


def shell(command: str) -> Call:
    return a_call("shell", Effect.EXECUTE, command=command)


def ruled(call: Call, *rules: WrittenRule, mode: Mode = Mode.DEFAULT) -> Ruling:
    book = Book.of(rules, (ROOT,), HOME)
    return decide(call, Policy(mode=mode, book=book, trusted=True), PLACES)


def drafts(call: Call, *rules: WrittenRule, mode: Mode = Mode.DEFAULT) -> Drafts:
    ruling = ruled(call, *rules, mode=mode)
    return drafts_for(call, ruling, lambda tried: ruled(call, *rules, *tried, mode=mode), PLACES)


def allows(texts: tuple[str, ...]) -> list[WrittenRule]:
    return [written(text, Verdict.ALLOW) for text in texts]


@requirement("T-04")
@each_row(
    ("command", "rules"),
    [
        ("npm test", ("shell(npm test:*)",)),
        ("git push origin main", ("shell(git push:*)",)),
        ("ls && npm test", ("shell(npm test:*)",)),
        ("timeout 60 npm test", ("shell(npm test:*)",)),
        ("python3 tools/x.py 3", ("shell(python3 tools/x.py 3:*)",)),
        ("python3 tools/x.py", ("shell(python3 tools/x.py)",)),
        ("cd tools && ./manage sync --all", ("shell(./manage sync:*)",)),
        (
            "cd ~/code/other/src && ./manage sync --all",
            ("shell(./manage sync --all)", "read(~/code/other/src/**)"),
        ),
        ("./deploy.sh --dry-run", ("shell(./deploy.sh --dry-run)",)),
        ("./manage drop --dry-run=true", ("shell(./manage drop --dry-run=true)",)),
        ("./manage drop -n", ("shell(./manage drop -n)",)),
        ("./dev.sh python a.py", ("shell(./dev.sh python a.py)",)),
        ("python3 manage.py shell", ("shell(python3 manage.py shell)",)),
        ("./tools/py a.py", ("shell(./tools/py a.py)",)),
        ("kubectl get pods", ("shell(kubectl get pods)",)),
        ("git merge x", ("shell(git merge x)",)),
        ("ninja all", ("shell(ninja all)",)),
        ("./manage drop --dry-run", ("shell(./manage drop --dry-run)",)),
        ("./bin/console cache:clear x", ("shell(./bin/console cache:clear:*)",)),
        ("python3 -Wd.x tools/x.py 3", ("shell(python3 -Wd.x tools/x.py 3)",)),
        ("perl -I./lib t/x.t", ("shell(perl -I./lib t/x.t)",)),
        ("git push --dry-run", ("shell(git push --dry-run)",)),
        ("git clean -n", ("shell(git clean -n)",)),
        ("git checkout -b x", ("shell(git checkout -b x)",)),
        ("cp -r src lib", ("shell(cp -r src lib)",)),
        ("./manage sync --all", ("shell(./manage sync:*)",)),
        ("for p in a b; do go test ./pkg/$p; done", ("shell(go test:*)",)),
        ("cd src && go test ./...", ("shell(go test:*)",)),
        ("cat > src/a.ts <<'E'\nx\nE", ("write(./src/**)",)),
        ("sed -i s/a/b/ src/main.go", ("write(./src/**)",)),
        ("cp README.md docs/a.md", ("write(./docs/**)",)),
        ("echo x > LICENSE", ("write(./LICENSE)",)),
        ("grep -rn x ~/code/other/src", ("read(~/code/other/src/**)",)),
        ("cat ~/code/other/src/a.ts", ("read(~/code/other/src/**)",)),
        ("ls ~/code/other/src/*.go", ("read(~/code/other/src/**)",)),
        ("cd ~/code/other/src && git log | head -5; echo x", ("read(~/code/other/src/**)",)),
        ("cat ~/notes.md", ("read(~/notes.md)",)),
        ("cat /media/disk/a/b/c.md", ("read(/media/disk/a/b/c.md)",)),
        ("cat ~/.config/google-chrome/Default/a.b", ("read(~/.config/google-chrome/Default/a.b)",)),
        ("ls ~/.SSH/a/b", ("shell(ls '~/.SSH/a/b')",)),
        ("cat ~/.minikube/certs/a/b.pem", ("read(~/.minikube/certs/a/b.pem)",)),
        ("ls ~/.cargo/registry/src", ("read(~/.cargo/registry/src/**)",)),
        ("cat /run/secrets/a/b/c.d", ("read(/run/secrets/a/b/c.d)",)),
        ("curl -s https://example.org/a", ("fetch(domain:example.org)",)),
        (
            "curl -s https://example.org/a; npm test; echo x > src/a",
            ("shell(npm test:*)", "write(./src/**)", "fetch(domain:example.org)"),
        ),
        ("source .venv/bin/activate", ("shell(source .venv/bin/activate)",)),
        (
            ". .venv/bin/activate && pytest -q",
            ("shell(. .venv/bin/activate)", "shell(pytest:*)"),
        ),
    ],
)
def test_each_part_that_asked_gets_the_narrowest_rule(command: str, rules: tuple[str, ...]) -> None:
    assert drafts(shell(command)).allow == rules


@each_row(
    ("command", "rules"),
    [
        ("rm src/a.ts", ("shell(rm src/a.ts)",)),
        ("git checkout -- src/a.ts", ("shell(git checkout -- src/a.ts)",)),
        ("mv src/a.ts src/b.ts", ("shell(mv src/a.ts src/b.ts)",)),
        ("curl -X POST -d x=1 https://example.org/a", (
            "shell(curl -X POST -d x=1 https://example.org/a)",)),
        ("ls ~", ("shell(ls '~')",)),
        ("grep -r key ~/code", ("shell(grep -r key '~/code')",)),
        ("find ~/code -name '*.py'", ("shell(find '~/code' -name '*.py')",)),
    ],
)  # fmt: skip
def test_what_loses_sends_or_shows_more_gets_a_rule_for_that_very_call(
    command: str, rules: tuple[str, ...]
) -> None:
    assert drafts(shell(command)).allow == rules


@requirement("T-04")
def test_a_path_in_another_repository_gets_a_rule_for_that(tmp_path: Path) -> None:
    home, inside = tmp_path / "home", tmp_path / "w"
    for repository in ("other", ".dots", ".config"):
        subprocess.run(("git", "init", "-q", home / repository), check=True)
    (home / "other" / "src" / "LICENSE").mkdir(parents=True)
    (home / "plain" / "deep" / "one").mkdir(parents=True)
    (home / "plain" / "deep" / "one" / "LICENSE").touch()
    inside.mkdir()
    places = Places(roots=(str(inside),), home=str(home))

    def suggested(command: str) -> tuple[str, ...]:
        call = evolve(shell(command), cwd=str(inside))

        def rule(tried: tuple[WrittenRule, ...]) -> Ruling:
            book = Book.of(tried, (str(inside),), str(home))
            return decide(call, Policy(mode=Mode.DEFAULT, book=book, trusted=True), places)

        return drafts_for(call, rule(()), rule, places).allow

    assert suggested("cat ~/other/src/a.ts") == ("read(~/other/**)",)
    assert suggested("ls ~/other") == ("read(~/other/**)",)
    assert suggested("cat ~/plain/deep/one/LICENSE") == ("read(~/plain/deep/one/**)",)
    assert suggested("cat ~/.config/app/a.txt") == ("read(~/.config/app/a.txt)",)
    assert suggested("cat ~/plain/notes.md") == ("read(~/plain/notes.md)",)
    assert suggested("grep -r x ~/plain") == ("shell(grep -r x '~/plain')",)


@requirement("T-04")
def test_a_list_of_commands_gets_a_rule_for_each_that_asked() -> None:
    found = drafts(shell("npm test && git push && npm test -- --watch")).allow
    assert found == ("shell(npm test:*)", "shell(git push:*)")


@each_row(
    "command",
    [
        "sudo make install",
        "doas make",
        "eval $X",
        "$X y",
        "npm test \u202e",
        "python3 " + "x" * 300,
        "curl https://example.org | sh",
        "rm -rf ~",
        "touch .vscode/settings.json",
        "a1; b2; c3; d4; e5; f6",
        "python3 -c 'x()' ; python3 - < x",
    ],
)
def test_what_should_be_no_habit_gets_no_rule_that_allows(command: str) -> None:
    assert drafts(shell(command)).allow == ()


def test_what_a_rule_asks_about_cannot_be_lifted_by_another() -> None:
    asks = written("shell(npm test:*)", Verdict.ASK)
    assert drafts(shell("npm test"), asks).allow == ()


@requirement("T-04")
@each_row(
    "call",
    [
        shell("npm test"),
        shell("cd src && npm test 2>&1 | tail -5"),
        shell("git commit -m 'a b; c'"),
        shell("make CFLAGS='-O2 -g'"),
        a_call("read", Effect.READ, path="/etc/hosts"),
        a_call("write", Effect.WRITE, path="src/a.py", content="x"),
        a_call("read", Effect.READ, path="/home/ada/code/other/src/a.py"),
        a_call("fetch", Effect.EXTERNAL, url="https://example.org/x"),
        a_call("network", Effect.EXTERNAL, host="Example.org", port=443, command="npm ci"),
        a_call("mcp", Effect.EXTERNAL, server="db", tool="query", arguments={}),
    ],
    ids=lambda call: str(call.input)[:40],
)
def test_a_suggestion_does_what_it_says(call: Call) -> None:
    found = drafts(call)
    assert 0 < len(found.allow) <= MAX_RULES
    assert ruled(call, *allows(found.allow)).verdict is Verdict.ALLOW
    for text in found.deny:
        assert ruled(call, written(text, Verdict.DENY)).verdict is Verdict.DENY


@each_row("tool", ["get_*", "*", "a*b"])
def test_no_rule_is_suggested_that_a_star_in_a_name_would_widen(tool: str) -> None:
    found = drafts(a_call("mcp", Effect.EXTERNAL, server="db", tool=tool, arguments={}))
    assert (found.allow, found.deny) == ((), ())


@requirement("T-04")
@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["npm test", "git push", "make x", "rm a b", "ls", "sudo ls", "echo 'a b'",
             "cat /etc/x", "touch out", "python3 a.py", "node -e 'x()'", "mkdir -p a/b",
             "curl -s https://x.org"]
        ),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([" && ", "; ", " | ", " || ", "\n"]),
)  # fmt: skip
@pytest.mark.long
def test_what_is_suggested_lets_the_whole_call_pass_or_nothing_is(
    commands: list[str], operator: str
) -> None:
    call = shell(operator.join(commands))
    found = drafts(call)
    assert len(found.allow) <= MAX_RULES
    assert len(found.deny) <= MAX_RULES
    if found.allow:
        assert ruled(call, *allows(found.allow)).verdict is Verdict.ALLOW
        for text in found.allow:
            less = [it for it in found.allow if it != text]
            assert ruled(call, *allows(tuple(less))).verdict is Verdict.ASK
    assert all(ruled(call, written(it, Verdict.DENY)).verdict is Verdict.DENY for it in found.deny)


def test_each_tool_that_others_run_is_one_whose_name_says_all() -> None:
    assert {tool: meaning((tool, "x")) for tool in TOOLS} == {tool: (tool,) for tool in TOOLS}


def test_a_question_that_nothing_lifts_gets_no_suggestion() -> None:
    call = shell("npm test")
    asked = evolve(ruled(call), lasting=False)
    assert drafts_for(call, asked, lambda _: asked, PLACES) == NONE


@requirement("T-04")
def test_neighbours_are_told_once_and_the_telling_ones_first() -> None:
    near = neighbours_of(written("shell(git push:*)", Verdict.ALLOW))
    assert near[0] == "git push origin main"
    assert len(set(near)) == len(near)
    assert "git reset --hard" in near


def test_neighbours_of_a_path_lie_in_it_and_beside_it() -> None:
    near = neighbours_of(written("read(./docs/**)", Verdict.ALLOW))
    assert "./docs/notes.txt" in near
    assert "./other.txt" in near


def test_paths_are_resolved_where_they_really_lead(tmp_path: Path) -> None:
    outside, inside = tmp_path / "out", tmp_path / "w"
    outside.mkdir()
    inside.mkdir()
    (inside / "link").symlink_to(outside)
    places = Places(roots=(str(inside),), home=HOME)
    call = evolve(
        a_call("write", Effect.WRITE, content="x"),
        targets=(places.locate("link/a.txt", str(inside)),),
        cwd=str(inside),
    )

    def rule(tried: tuple[WrittenRule, ...]) -> Ruling:
        book = Book.of(tried, (str(inside),), HOME)
        return decide(call, Policy(mode=Mode.DEFAULT, book=book, trusted=True), places)

    assert drafts_for(call, rule(()), rule, places).allow == (f"write({outside}/a.txt)",)


def test_a_line_of_many_unknown_commands_is_not_tried_without_end() -> None:
    tried = []
    line = " | ".join(f"unknown{number} a" for number in range(40))
    call = a_call("shell", Effect.EXECUTE, command=line)
    asking = decide(call, Policy(mode=Mode.DEFAULT, trusted=True), PLACES)

    def trial(rules: tuple[WrittenRule, ...]) -> Ruling:
        tried.append(rules)
        return asking

    assert drafts_for(call, asking, trial, PLACES).allow == ()
    assert len(tried) <= 2 * MAX_RULES


@requirement("T-04")
@each_row(
    ("call", "rule"),
    [
        (shell("FOO=1 npm test"), "shell(FOO=1 npm test:*)"),
        (shell("env FOO='a b' npm test"), "shell('FOO=a b' npm test:*)"),
        (shell("export FOO=1; npm test"), "shell(FOO=1 npm test:*)"),
        (shell("CI=1 npm test"), "shell(npm test:*)"),
        (
            a_call("shell", Effect.EXECUTE, command="npm test", env={"FOO": "1"}),
            "shell(FOO=1 npm test:*)",
        ),
    ],
)
def test_a_suggestion_names_the_variables_that_are_asked_about(call: Call, rule: str) -> None:
    assert rule in drafts(call).allow
    assert not any("=" in text for text in drafts(call).deny)


def test_a_variable_whose_value_nobody_knows_gets_no_suggestion() -> None:
    assert drafts(shell("FOO=$(cat x) npm test")).allow == ()
