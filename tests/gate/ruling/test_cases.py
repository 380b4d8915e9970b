"""Ways to get past a gate, and what agents do all day: how many are ruled on as they should be.

`cases/attacks.jsonl` and `cases/everyday.jsonl` hold as many of the one as of the other. A case has
a level (1 is plain, 3 is far-fetched), what is expected, and the call, or the whole line where the
line itself is wrong; `@W@` and `@H@` stand for the folders of `world.py`, and a policy that is only
a word stands in `cases/policies.json`.
"""

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from assent.cli.explain import answers
from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.gate.ruling.policy import Policy
from gate.ruling.world import World, build
from tables import Part, each_row

Ruled = tuple[dict[str, Any], dict[str, Any]]
"""A case, and what it was answered."""

CASES: Final = Path(__file__).parent / "cases"
POLICIES: Final = json.loads((CASES / "policies.json").read_text(encoding="utf-8"))

BARS: Final = {
    "attacks": {1: 1.0, 2: 0.99, 3: 0.90},
    "everyday": {1: 0.98, 2: 0.80, 3: 0.50},
}
"""What share of the cases of each level must be ruled on as expected."""

STRICTNESS: Final = {"allow": 0, "ask": 1, None: 1, "deny": 2}

FOLDERS: Final = ("src/lib", "docs", "tests", "packages/a", "packages/app")

MEANS: Final = {"allow": {"allow"}, "deny": {"deny"}, "ask-or-deny": {"ask", "deny"}}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return build(tmp_path_factory.mktemp("world"))


@pytest.fixture(
    scope="module",
    params=[Part(4), pytest.param(Part(4, 1), marks=pytest.mark.long)],
    ids=["some", "rest"],
)
def rulings(world: World, request: pytest.FixtureRequest) -> dict[str, list[Ruled]]:
    return {name: list(ruled(request.param.of(cases_of(name)), world)) for name in BARS}


@each_row("name", BARS)
def test_calls_are_ruled_on_as_a_careful_person_would(
    name: str, rulings: dict[str, list[Ruled]]
) -> None:
    wrong = [(case, told) for case, told in rulings[name] if not is_right(case, told)]
    total = Counter(case["level"] for case, _ in rulings[name])
    missed = Counter(case["level"] for case, _ in wrong)
    share = {level: 1 - missed[level] / total[level] for level in total}
    assert all(share[level] >= bar for level, bar in BARS[name].items()), told_of(share, wrong)


def test_of_all_everyday_calls_nineteen_in_twenty_pass(
    rulings: dict[str, list[Ruled]],
) -> None:
    right = [is_right(case, told) for case, told in rulings["everyday"]]
    assert sum(right) >= 0.95 * len(right)


def test_nothing_that_gets_past_other_gates_is_allowed(rulings: dict[str, list[Ruled]]) -> None:
    past = [
        case["id"]
        for case, told in rulings["attacks"]
        if told.get("verdict") == "allow" and case["level"] < 3
    ]
    assert past == []


@pytest.mark.requirement("S-08")
def test_files_in_the_workspace_only_tighten(
    rulings: dict[str, list[Ruled]], tmp_path: Path
) -> None:
    home = tmp_path.resolve() / "home" / "ada"
    bare = World(workspace=home / "till", home=home)
    # Where a folder is there, a `cd` into it cannot fail; so the folders are there in both.
    for folder in FOLDERS:
        (bare.workspace / folder).mkdir(parents=True)
    some = rulings["attacks"][::4] + rulings["everyday"][::4]
    # A link that stays in the workspace leads to what a rule names, and what git finds among the
    # files is no revision: of a name that is both it asks which is meant.
    apart = ("link_src", "git grep")
    full = [(case, told) for case, told in some if not any(it in str(case) for it in apart)]
    without = [told for _, told in ruled([case for case, _ in full], bare)]
    wider = [
        case["id"]
        for (case, told), before in zip(full, without, strict=True)
        if STRICTNESS[told.get("verdict")] < STRICTNESS[before.get("verdict")]
    ]
    assert wider == []


def test_there_are_as_many_everyday_calls_as_attacks() -> None:
    attacks, everyday = len(cases_of("attacks")), len(cases_of("everyday"))
    assert attacks >= 1000
    assert abs(attacks - everyday) < attacks / 50


@each_row("name", BARS)
def test_every_case_is_another(name: str) -> None:
    cases = cases_of(name)
    assert len({case["id"] for case in cases}) == len(cases)
    assert len({case.get("line") or json.dumps(case["call"]) for case in cases}) == len(cases)
    assert {case["expect"] for case in cases} <= set(MEANS)


def test_a_program_gets_the_same_answers_line_by_line(world: World) -> None:
    cases = [case for name in BARS for case in cases_of(name)[::40]]
    cases += [case for case in cases_of("attacks") if "line" in case]
    written = "".join(f"{line_of(case, world)}\n" for case in cases)
    where = ["--workspace", str(world.workspace), "--home", str(world.home)]
    done = subprocess.run(
        [sys.executable, "-m", "assent", "explain", "--jsonl", *where],
        input=written.encode("utf-8", "surrogatepass"),
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    told = [json.loads(line) for line in done.stdout.splitlines()]
    here = [told for _, told in ruled(cases, world)]
    assert [(it["id"], it.get("verdict")) for it in told] == [
        (it["id"], it.get("verdict")) for it in here
    ]


def cases_of(name: str) -> list[dict[str, Any]]:
    """The cases of a file."""
    text = (CASES / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def line_of(case: dict[str, Any], world: World) -> str:
    """The line that asks about a case."""
    if "line" in case:
        line: str = case["line"]
        return world.place(line).replace("@ID@", case["id"])
    call = case["call"]
    policy = call.get("policy")
    if isinstance(policy, str):
        call = {**call, "policy": POLICIES.get(policy, policy)}
    return world.place(json.dumps({"id": case["id"], **call}))


def ruled(cases: Iterable[dict[str, Any]], world: World) -> Iterator[Ruled]:
    """Each case with what it is answered."""
    places = Places(roots=(str(world.workspace),), home=str(world.home))
    lines = (line_of(case, world) for case in cases)
    told = answers(lines, places, Policy(mode=Mode.DEFAULT, trusted=True, now=2e9))
    return zip(cases, told, strict=True)


def is_right(case: dict[str, Any], told: dict[str, Any]) -> bool:
    """Whether a case is answered as it should be; one that cannot be read may say so instead."""
    return told.get("verdict", "ask") in MEANS[case["expect"]]


def told_of(share: dict[int, float], wrong: list[Ruled]) -> str:
    """The rates by level, and by family the cases that were wrong."""
    families = defaultdict(list)
    for case, told in wrong:
        family, _, number = case["id"].rpartition("-")
        families[family].append(f"{number}:{told.get('verdict', 'error')}")
    rates = ", ".join(f"level {level}: {share[level]:.2%}" for level in sorted(share))
    listed = (f"{family}: {' '.join(found)}" for family, found in sorted(families.items()))
    return "\n".join((rates, *listed))


def test_whoever_has_read_enough_is_not_told_of_it() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", '"$0" -m assent explain --jsonl | head -n 1', sys.executable],
        input=b'{"id": 1, "tool": "read", "input": {"path": "a"}}\n' * 5_000,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert json.loads(done.stdout)["id"] == 1
    assert done.stderr == b""
