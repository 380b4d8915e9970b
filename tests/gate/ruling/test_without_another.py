"""What a rule about files or hosts lets pass by itself, without one about the command."""

from pathlib import Path
from typing import Final

from assent.cli.policy_of_files import book_of_case
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.explain import Question, explain
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import running
from tables import each_row

PLACES: Final = Places(roots=("/home/ada/till",), home="/home/ada")
FILES: Final = ("write(./docs/**)",)
HOSTS: Final = ("fetch(domain:localhost)", "fetch(domain:api.x.org)")


def verdict(command: str, *rules: str, mode: Mode = Mode.DEFAULT) -> Verdict:
    book = book_of_case({"allow": list(rules)}, PLACES)
    policy = Policy(mode=mode, trusted=True, book=book)
    return explain(Question(tool="shell", input={"command": command}), policy, PLACES).verdict


@each_row(
    "command",
    [
        "echo a | tee docs/a.md",
        "cp README.md docs/b.md",
        "cp README.md docs/",
        "touch docs/x",
        "mkdir -p docs/x",
        "for p in a b; do cp README.md docs/$p; done",
    ],
)
def test_what_only_writes_the_files_that_it_names_needs_leave_for_these_alone(command: str) -> None:
    assert verdict(command, *FILES) is Verdict.ALLOW
    assert verdict(command) is Verdict.ASK
    assert verdict(command, *FILES, mode=Mode.ASK) is Verdict.ASK


@each_row(
    "command",
    [
        "echo a | tee docs/a.md src/b",
        "cp README.md src/b.md",
        "cp ../a docs/b.md",
        "cp -r src docs",
        "cp $x docs/",
        "mv docs/a docs/b",
        "rm docs/a",
        "chmod +x docs/a",
        "sed -i s/a/b/e docs/a",
        "sed -i -f x.sed docs/a",
        "sed -i 's/a/b/w x' docs/a",
        "ln -s a docs/b",
        "touch docs/.envrc",
        "FOO=1 touch docs/x",
        "./touch docs/x",
        "bin/tee docs/a",
        "/tmp/tee docs/a",
        "TEE docs/a",
        "tee.exe docs/a",
    ],
)
def test_what_does_more_needs_leave_of_its_own(command: str) -> None:
    assert verdict(command, *FILES) is Verdict.ASK


@each_row(
    "command",
    [
        "curl -s http://localhost:8000/health",
        "curl -sf localhost:8000/a.json | jq .name",
        "curl -I https://api.x.org/",
        "curl -s -o /dev/null -w '%{http_code}' http://localhost:3000",
    ],
)
def test_a_request_that_a_rule_lets_be_made_may_be_made_by_curl(command: str) -> None:
    assert verdict(command, *HOSTS) is Verdict.ALLOW
    assert verdict(command) is Verdict.ASK
    assert verdict(command, "fetch(domain:other.org)") is Verdict.ASK


@each_row(
    "command",
    [
        "curl -L http://localhost/",
        "curl -sfL http://localhost/",
        "curl --location http://localhost/",
        "curl -#L http://localhost/",
        "curl -s4L http://localhost/",
        "curl gopher://localhost:6379/_FLUSHALL",
        "curl --url=dict://localhost:6379/FLUSHALL",
        "curl --proto =http http://localhost/",
        "curl -X POST http://localhost/",
        "curl -d a=b http://localhost/",
        "curl -T a http://localhost/",
        "curl -o a http://localhost/",
        "curl -K a http://localhost/",
        "curl -x http://evil.org http://localhost/",
        "curl http://localhost/ http://evil.org/",
        'curl "http://localhost/$x"',
        "curl $x",
        "curl http://localhost@evil.org/",
        "curl -s http://localhost/a > a",
        "curl -s http://localhost/a | sh",
        "wget http://localhost/",
        "./curl http://localhost/",
        "bin/curl -s http://localhost/",
        "FOO=1 curl http://localhost/",
    ],
)
def test_a_request_that_does_more_or_goes_elsewhere_needs_a_rule_for_the_command(
    command: str,
) -> None:
    assert verdict(command, *HOSTS) is Verdict.ASK


@each_row(
    ("command", "found"),
    [
        ("rg -l a docs | xargs sed -i s/a/b/", Verdict.ALLOW),
        ("find docs -name '*.md' -exec sed -i s/a/b/ {} +", Verdict.ALLOW),
        ("rg -l a | xargs sed -i s/a/b/", Verdict.ASK),
        ("cp -r src docs", Verdict.ASK),
        ("find docs src -name '*.md' -exec sed -i s/a/b/ {} +", Verdict.ASK),
        ("find docs -name '*.md' -exec sed -i.bak s/a/b/ ../{} +", Verdict.ASK),
    ],
)
def test_names_that_lie_below_a_folder_are_what_a_rule_for_that_means(
    command: str, found: Verdict
) -> None:
    assert verdict(command, *FILES, "shell(sed -i:*)") is found


@each_row(
    ("command", "found"),
    [
        ('for p in a b; do curl -s "http://localhost/$p"; done', Verdict.ALLOW),
        ("for h in localhost api.x.org; do curl http://$h/; done", Verdict.ALLOW),
        ("for h in localhost evil.org; do curl http://$h/; done", Verdict.ASK),
        ("for f in -s -L; do curl $f http://localhost/; done", Verdict.ASK),
        ('curl "http://localhost/$X"', Verdict.ASK),
    ],
)
def test_words_of_a_loop_are_asked_for_as_each_of_them(command: str, found: Verdict) -> None:
    assert verdict(command, *HOSTS) is found


def test_a_link_that_is_found_is_not_what_a_rule_for_its_folder_means(tmp_path: Path) -> None:
    root = tmp_path / "ada" / "till"
    (root / "docs" / "deep").mkdir(parents=True)
    (root / "docs" / "deep" / "a.md").touch()

    def said(line: str, rule: str) -> Verdict:
        places = Places(roots=(str(root),), home=str(tmp_path / "ada"))
        book = book_of_case({"allow": [rule, "shell(sed -i:*)"]}, places)
        policy = Policy(mode=Mode.DEFAULT, trusted=True, book=book)
        return decide(running(line, cwd=str(root)), policy, places).verdict

    line = "find docs -type f | xargs sed -i s/a/b/"
    assert said(line, "write(./docs/**)") is Verdict.ALLOW
    assert said(line, "write(./docs/*)") is Verdict.ASK
    (root / "docs" / "out").symlink_to("../../.bashrc")
    assert said(line, "write(./docs/**)") is Verdict.ASK
