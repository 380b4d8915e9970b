"""Why a command line is ruled on as it is: by the part of it that reaches furthest."""

from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Deed, Ruling, Verdict, reach_of
from assent.gate.disk.places import Places
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.rules.books import allow, book
from gate.ruling.samples import policy, reading, running, target
from tables import each_row

ONLY_READS = "It only reads."

FROM_NEAR_TO_FAR = (
    "cat a",
    "cat /etc/hostname",
    "echo hi > b",
    "echo hi > /tmp/b",
    "make",
    "rm -f a",
    "rm -f /tmp/a",
    "curl https://x.org/",
)
"""Each reaches further than the one before it; two that only read are told alike."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("far").resolve()


def ruling(root: Path, line: str, wishes: Policy | None = None) -> Ruling:
    places = Places(roots=(str(root),), home=str(root.parent))
    return decide(running(line, cwd=str(root)), wishes or policy(Mode.AUTO), places)


def _pairs() -> Iterator[tuple[str, str]]:
    for near, far in permutations(FROM_NEAR_TO_FAR, 2):
        if FROM_NEAR_TO_FAR.index(near) < FROM_NEAR_TO_FAR.index(far):
            yield near, far


@pytest.mark.requirement("T-15")
@each_row("join", ["; ", " && ", " | ", " & "])
def test_the_reason_is_that_of_the_part_that_reaches_furthest(root: Path, join: str) -> None:
    for mode in (Mode.PLAN, Mode.ASK, Mode.DEFAULT, Mode.AUTO):
        for near, far in _pairs():
            said = {it: ruling(root, it, policy(mode)) for it in (near, far)}
            if (said[near].verdict, said[near].lasting) == (said[far].verdict, said[far].lasting):
                for line in (near + join + far, far + join + near):
                    assert ruling(root, line, policy(mode)).because == said[far].because, line


@given(st.lists(st.sampled_from(FROM_NEAR_TO_FAR), min_size=2, max_size=5))
def test_the_order_of_the_parts_changes_no_reason(root: Path, parts: list[str]) -> None:
    one, other = "; ".join(parts), "; ".join(reversed(parts))
    assert ruling(root, one).because == ruling(root, other).because


def test_a_line_that_removes_is_not_told_as_one_that_only_reads(root: Path) -> None:
    lines = ("cat a; rm -f a", "rm -f a; cat a", "cat $(rm -f a)", "cat a | xargs rm -f")
    for line in (*lines, "cat a > b", "cat a >> /tmp/b", "{ cat a; } > b", "sort -o b a"):
        assert ruling(root, line).because != ONLY_READS, line
    parts = ruling(root, "cat $(rm -f a)").parts
    assert [part.because for part in parts] == ["Auto mode lets agents run commands."]


def test_a_rule_is_told_where_it_is_about_what_reaches_furthest(root: Path) -> None:
    wishes = evolve(policy(), book=book(allow("shell(cat a)"), allow("shell(make)")))
    assert ruling(root, "cat a; make", wishes).rule == "shell(make)"


def test_of_several_files_one_outside_the_workspace_is_told() -> None:
    call = reading()
    for paths in (("a", "/etc/hostname"), ("/etc/hostname", "a")):
        both = evolve(call, targets=tuple(map(target, paths)))
        assert "outside" in decide(both, policy(Mode.AUTO)).because


def test_each_kind_of_deed_has_its_place_in_the_order() -> None:
    kinds = ("look", "read", "write", "run", "delete", "network")
    within = [reach_of([Deed(kind=kind, what="x")]) for kind in kinds]
    assert within == sorted(within)
    for kind in kinds:
        assert reach_of([Deed(kind=kind, what="x", inside=False)]) > reach_of(
            [Deed(kind=kind, what="x")]
        )


def test_a_rule_for_a_command_says_which_file_no_rule_lets_be_changed(root: Path) -> None:
    rules = (allow("shell(rm:*)"), allow("write(./src/**)"))
    said = ruling(root, "rm a", evolve(policy(Mode.DEFAULT), book=book(*rules)))
    why = "The rule `shell(rm:*)` does not go as far: no rule lets a be changed."
    assert said.because == why


@each_row("pattern", [".*.js", ".*/*.js"])
def test_a_pattern_is_said_to_be_about_the_protected_files_among_what_it_names(
    root: Path, pattern: str
) -> None:
    said = ruling(root, f"rm {pattern}", policy(Mode.AUTO))
    named = f"protected files among {pattern}"
    assert said.because == f"Possible changes to {named} are asked about in every mode."
    assert said.grave == f"Can change what is allowed later: may touch {named}."


def test_a_list_of_what_was_typed_is_not_said_to_run_a_text(root: Path) -> None:
    assert "runs a text" not in ruling(root, "history 20", policy(Mode.AUTO)).because


@each_row(
    "line",
    [
        'F=.vscode/settings.json; cat "$F"',
        'D=.claude; ls "$D"',
        'V=$(cat .github/workflows/ci.yml); echo "$V"',
        'W=.github/workflows/ci.yml; grep -n on "$W" | head -5; wc -l "$W"',
        'F=.vscode/settings.json; cat "$F" > out.txt; git add out.txt',
        'echo "$(<.vscode/settings.json)"',
    ],
)
def test_a_variable_that_is_set_to_a_protected_place_changes_nothing_there(
    root: Path, line: str
) -> None:
    assert ruling(root, line).verdict is Verdict.ALLOW


@each_row(
    "rest",
    [
        'echo x > "$F"',
        'sed -i s/a/b/ "$F"',
        'rm "$F"',
        'my-tool "$F"',
        "my-tool",
        'set -- "$F"; my-tool "$@"',
        "export F; python3 -c \"import os; open(os.environ['F'], 'w')\"",
        ". ./x.sh",
        'printf "%s" "$F" | python3 x.py',
        'function g { my-tool "$F"; }; g',
        "make",
    ],
)
def test_it_is_asked_about_where_a_program_may_hear_of_it_otherwise(root: Path, rest: str) -> None:
    assert ruling(root, f"F=.vscode/settings.json; {rest}").verdict is Verdict.ASK


def test_what_programs_are_given_from_the_beginning_is_asked_about_all_the_same(
    root: Path,
) -> None:
    assert ruling(root, "PATH=.vscode:$PATH; ls").verdict is Verdict.ASK


def test_a_text_in_place_of_a_variable_runs_only_what_the_shell_would_run(root: Path) -> None:
    for line in ("echo ${X:-<not set>}", 'echo "${X:-<not set>}"', "echo ${X#<} ${X%>}"):
        assert ruling(root, line, policy(Mode.DEFAULT)).because == ONLY_READS, line
    for line in ('echo "${X:-<(ls)}"', "echo ${X:-<(ls)}", "echo ${X:->(ls)}", "echo ${X/<(ls)/}"):
        assert ruling(root, line, policy(Mode.DEFAULT)).verdict is Verdict.ASK, line


@each_row(
    "line, flag",
    [
        ("rg --pre ./x.sh word", "--pre"),
        ("rg --pre=./x.sh word", "--pre"),
        ("tar -I ./x.sh -cf a.tar b", "-I"),
        ("tar -I './x.sh -d' -xf a.tar", "-I"),
        ("tar --use-compress-program=./x.sh -xf a.tar", "--use-compress-program"),
        ("tar --checkpoint-action=exec=./x.sh -cf a.tar b", "--checkpoint-action"),
        ("sort --compress-program ./x.sh a", "--compress-program"),
    ],
)
def test_a_file_that_a_flag_runs_is_named_in_reason_and_effects(
    root: Path, line: str, flag: str
) -> None:
    said = ruling(root, line, policy(Mode.DEFAULT))
    assert said.because == f"The flag `{flag}` runs `./x.sh`."
    assert Deed(kind="run", what="./x.sh") in said.deeds
    program = line.partition(" ")[0]
    told = evolve(policy(Mode.DEFAULT), book=book(allow(f"shell({program}:*)")))
    why = f"The rule `shell({program}:*)` does not go as far: `{flag}` runs `./x.sh`."
    assert ruling(root, line, told).because == why


@each_row("line", ["git merge --strategy=ours x", "tar -I zstd -xf a.tar", 'rg --pre "$P" x'])
def test_what_a_flag_runs_and_no_path_names_is_not_told_as_a_file(root: Path, line: str) -> None:
    said = ruling(root, line, policy(Mode.DEFAULT))
    assert [deed.what for deed in said.deeds if deed.kind == "run"] == [line.partition(" ")[0]]


def test_compgen_is_said_to_run_a_text_at_once(root: Path) -> None:
    said = ruling(root, "compgen -C ./x.sh", policy(Mode.AUTO))
    assert said.because == "`compgen` may run a text as commands."
    assert Deed(kind="run", what="./x.sh") in said.deeds
