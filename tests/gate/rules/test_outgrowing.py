"""A rule that is suggested never outgrows what was seen, and what is forbidden is what asked."""

import json
from itertools import product
from typing import Final

import pytest

from assent.gate.call.verdicts import Verdict
from assent.gate.programs.nested_execution.interpreters import ELSEWHERE
from assent.gate.programs.tables import by_name
from assent.gate.rules.notation import written
from gate.programs.losses import LOSSES
from gate.rules.test_suggest import allows, drafts, ruled, shell
from gate.ruling.test_cases import CASES
from tables import Part, each_row, in_steps_of

requirement = pytest.mark.requirement

pytestmark = pytest.mark.long

FEEDS: Final = ("{} < x.txt", "cat x.txt | {}", "{} <<< 'x()'", "{} <<'E'\nx()\nE", "true; {} 0< x")

TAKE_CODE: Final = (
    *("python3", "python3 -", "python3.12 -u", "python -i -", "node", "node -", "nodejs", "ruby"),
    *("perl", "php", "lua", "psql", "psql -h db app", "mysql app", "sqlite3 a.db", "mongosh db"),
    *("redis-cli", "ssh host", "ssh -p 22 host sh", "docker exec -i web psql app", "crontab -"),
    *("docker run -i alpine sh", "kubectl exec -i pod -- bash", "kubectl apply -f -", "at now"),
    *("uv run python", "uv run python -", "poetry run python -", "npx ts-node", "deno run -"),
    *("make -f -", "bash -s", "sh", "rails console", "terraform console", "duckdb", "gdb", "ed x"),
    *("/usr/bin/python3", "./venv/bin/python", "env python3", "timeout 9 node", "nice perl"),
)

PLACES_ELSEWHERE: Final = (
    *(
        "ssh host",
        "ssh -p 22 host",
        "docker exec web",
        "docker compose exec web",
        "podman exec web",
    ),
    *(
        "docker run --rm alpine",
        "kubectl exec pod --",
        "chroot /x",
        "nsenter -t 1",
        "oc exec pod --",
    ),
    *("flatpak-spawn --host", "lxc exec box --", "machinectl shell box", "wsl -e"),
)
INNER: Final = (
    "make all",
    "npm test",
    "git push",
    "pytest",
    "rm -r build",
    "./s.sh",
    "cargo build",
)


@requirement("T-04")
@each_row("command", TAKE_CODE)
@each_row("feed", FEEDS)
def test_no_rule_is_suggested_for_code_that_comes_from_the_input(command: str, feed: str) -> None:
    found = drafts(shell(feed.format(command)))
    assert found.allow == ()


@each_row("command", [it for it in TAKE_CODE if it.split()[0] not in ("env", "sh")])
def test_a_card_says_why_no_rule_is_offered(command: str) -> None:
    call = shell(f"{command} <<< 'x()'")
    found = drafts(call)
    said = ruled(call)
    assert found.why.startswith("No rule is offered") or not (said.readable and said.lasting)


@requirement("T-04")
@each_row("command", TAKE_CODE)
def test_what_was_allowed_without_an_input_says_nothing_of_one_with(command: str) -> None:
    rules = drafts(shell(command)).allow
    fed = [ruled(shell(feed.format(command)), *allows(rules)) for feed in FEEDS]
    assert Verdict.ALLOW not in {it.verdict for it in fed}


@requirement("T-04")
@each_row("command", [it for it in TAKE_CODE if "env" not in it and "|" not in it])
def test_a_rule_to_the_letter_is_no_leave_for_any_code(command: str) -> None:
    rule = written(f"shell({command})", Verdict.ALLOW)
    assert ruled(shell(f"{command} <<< 'x()'"), rule).verdict is Verdict.ASK


@requirement("T-04")
@each_row(("place", "inner"), list(product(PLACES_ELSEWHERE, INNER)))
def test_what_runs_elsewhere_grants_nothing_here(place: str, inner: str) -> None:
    for spelled in (inner, f"'{inner}'"):
        rules = drafts(shell(f"{place} {spelled}")).allow
        assert ruled(shell(inner), *allows(rules)).verdict is Verdict.ASK
        assert all(it.startswith(f"shell({place}") for it in rules)
    here = drafts(shell(inner)).allow
    assert ruled(shell(f"{place} {inner}"), *allows(here)).verdict is Verdict.ASK


def test_each_place_elsewhere_is_one_that_the_policy_knows() -> None:
    assert {it.split()[0] for it in PLACES_ELSEWHERE} <= set(ELSEWHERE)


@requirement("T-04")
@each_row(
    ("call", "twin", "told"),
    [
        ("echo hi > f", "echo hi", "write(./f)"),
        ("echo hi >> /srv/x", "echo hi", "write(/srv/x)"),
        ("printf x > a/b", "printf x", "write(./a/b)"),
        ("cat /etc/shadow", "cat a.txt", "read(/etc/shadow)"),
        ("grep -r x ~/notes", "grep -r x src", "read(~/notes)"),
        ("sort -o f a.txt", "sort a.txt", "shell(sort -o:*)"),
        ("rg --pre ./x y", "rg y", "shell(rg --pre:*)"),
        ("git log --output=f", "git log", "shell(git log --output=f)"),
        ("ls ../x", "ls src", "shell(ls ../x)"),
        ("curl https://evil.org/x", "curl https://good.org/x", "fetch(domain:evil.org)"),
        ("ssh host make", "make", "fetch(domain:host)"),
        ("cat a.txt > ../b", "cat a.txt", "write(/b)"),
    ],
)
def test_never_forbids_what_asked_and_leaves_its_twin(call: str, twin: str, told: str) -> None:
    found = drafts(shell(call)).deny
    assert found == (told,)
    rules = [written(it, Verdict.DENY) for it in found]
    assert ruled(shell(call), *rules).verdict is Verdict.DENY
    assert ruled(shell(twin), *rules).verdict is ruled(shell(twin)).verdict


@requirement("T-04")
@pytest.mark.parametrize("name", ["attacks", "everyday"])
@in_steps_of(4)
def test_no_program_that_reads_is_forbidden_as_a_whole(name: str, part: Part) -> None:
    """Over all that is tried: with `Never` on a call, what only reads by that program is free."""
    readers = {it for it, row in by_name().items() if row.reads}
    too_wide = []
    lines = (CASES / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    for line in part.of(lines[::4]):
        given = json.loads(line).get("call", {}).get("input", {})
        command = given.get("command") if isinstance(given, dict) else None
        if not isinstance(command, str) or len(command) > 2_000:
            continue
        call = shell(command)
        if ruled(call).verdict is not Verdict.ASK:
            continue
        for rule in drafts(call).deny:
            words = rule.removeprefix("shell(").removesuffix(":*)").split()
            if rule.endswith(":*)") and len(words) == 1 and words[0] in readers:
                too_wide.append((command, rule))
    assert too_wide == []


@each_row("line", [line for line, _ in LOSSES])
def test_for_what_nobody_can_take_back_no_broad_rule_is_offered(line: str) -> None:
    assert not [it for it in drafts(shell(line)).allow if it.endswith(":*)")]
