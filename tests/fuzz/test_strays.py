"""What the gate lets pass stays where it was said to stay, when it is really run."""

import os

import pytest

from fuzz import orders, strays
from fuzz.seeds import SEEDS
from fuzz.strays import misses_of_grants, misses_of_orders, misses_of_paths, paths_missed
from fuzz.traced import Deed, why_not

pytestmark = pytest.mark.timeout(600)
"""Each command may take a second, and a busy machine several times as long."""


@pytest.fixture(autouse=True)
def _sandbox() -> None:
    """Commands are run only where they can hurt nothing."""
    because = why_not()
    if because and os.environ.get("ASSENT_NO_SKIPS"):
        pytest.fail(f"This must not be skipped here: {because}")
    if because:
        pytest.skip(because)


@SEEDS
def test_no_path_that_is_allowed_leads_out_of_the_workspace(seed: int) -> None:
    assert not list(misses_of_paths(200, seed)), f"seed {seed}"


@SEEDS
def test_no_order_of_words_that_is_taken_for_reading_does_more(seed: int) -> None:
    assert not list(misses_of_orders(100, seed)), f"seed {seed}"


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20261121, 20261125))
def test_no_flag_that_a_rule_for_a_program_lets_pass_leads_away(seed: int) -> None:
    assert not list(misses_of_grants(15, seed))


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("sftp -SRJ list", "run /usr/bin/RJ"),
        ("zip -b ../src out.zip a.txt", "write "),
        ("touch ../x", "write "),
        ("cp ~/x y", "read "),
    ],
)
def test_whatever_a_rule_without_a_shape_allowed_would_be_found_out(
    line: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strays, "allowed", lambda _, lines, __: [True for _ in lines])
    monkeypatch.setattr(orders, "command", lambda _, __: line)
    assert [because.startswith(told) for _, because in misses_of_grants(1, 1)] == [True]


@pytest.mark.long
@pytest.mark.parametrize("line", ["npm exec w --pack p", "npm x -p p w", "npx w"])
def test_what_a_rule_for_a_launcher_starts_is_no_miss(
    line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(orders, "command", lambda _, __: line)
    assert not list(misses_of_grants(1, 1))


def test_what_a_flag_of_a_launcher_starts_is_a_miss() -> None:
    assert strays._started("npx --shell=w ls", [Deed("run", "/usr/bin/w")])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("cat ../x", "read "),
        ('cat "$(dirname "$PWD")/x"', "read "),
        ("cat .env", "read "),
        ("cd src/up && cat $PWD/../../../x", "read "),
        ("rm -f ../x", "write "),
        ("mkdir ../new", "write "),
        ("cd src/lib && mv x ../../../y", "write "),
        ("echo hi > ../x", "write "),
        ("ls ..", "list "),
        ("cat < /dev/tcp/127.0.0.1/9", "send "),
        ("cp ~/x y", "read "),
    ],
)
def test_whatever_a_gate_without_eyes_allowed_would_be_found_out(
    line: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(strays, "allowed", lambda _, lines, __: [True for _ in lines])
    assert [because.startswith(told) for _, because in paths_missed([line])] == [True]


@pytest.mark.parametrize(
    "line",
    [
        "touch link_out/{$(ls),link_in}",  # `link_out/a b away c`: the link leads out.
        "touch n/$(ls)",
        "touch $(ls).bak",
        "touch n/$(find . -name x).bak",
        'v="n/$(find . -type f)"; cat $v',
        "u=$(find . -type f); v=n/$u; cat $v",
        'for v in "n/$(find . -type f)"; do cat $v; done',
        "v=*/$(ls x); cat $v",
        "v=[s]ecret/$(ls x); cat $v",
    ],
)
def test_what_the_shell_splits_is_judged_word_by_word(line: str) -> None:
    assert not list(paths_missed([line]))


def test_what_stays_in_the_workspace_is_no_miss() -> None:
    lines = ["cat a.txt src/x", "find . -name x", "git status", "cd src && cat ../x", "echo *"]
    assert not list(paths_missed(lines))
