"""What several tables say of one option is the same in all of them, and one parser reads it."""

from collections.abc import Iterator

from assent.gate.programs import git_listers, listers, listing_options
from assent.gate.programs.command_scopes import known_of
from assent.gate.programs.find_tests import roots_of
from assent.gate.programs.listing_options import Lines
from assent.gate.programs.nested_execution.unwrap import unwrap
from assent.gate.programs.nested_execution.wrapper_rows import ROWS
from assent.gate.programs.read_lines import words_of
from assent.gate.programs.rows import Flag, Row
from assent.gate.programs.selecting_options import GLOBALS, valued_before, without_selection
from assent.gate.programs.tables import by_name, git_by_name
from assent.gate.programs.tables.git_itself import GIT_ITSELF
from assent.gate.rules.flags import same_in
from tables import each_row

_LINES = {
    f"{it.program} {at}": it
    for at, it in enumerate(
        it
        for table in (vars(listing_options), vars(git_listers), listers._FILTERS)
        for it in table.values()
        if isinstance(it, Lines)
    )
}


def _takes(flag: Flag) -> tuple[int, bool]:
    return flag.values, flag.attached


def _differing(one: Row, other: Row) -> set[str]:
    both = one.known.keys() & other.known.keys()
    return {it for it in both if _takes(one.known[it]) != _takes(other.known[it])}


@each_row("name", sorted(ROWS.keys() & by_name().keys()))
def test_a_wrapper_has_the_options_that_its_program_has(name: str) -> None:
    assert ROWS[name].known.keys() == by_name()[name].known.keys()
    assert not _differing(ROWS[name], by_name()[name])


@each_row("name", [name for row in GLOBALS for name in row.names.split(", ")])
def test_an_option_before_a_command_takes_what_it_takes_behind_it(name: str) -> None:
    row = next(it for it in GLOBALS if name in it.names.split(", "))
    assert _differing(row, known_of(tuple(name.split())).row) == set()


def test_git_itself_has_the_options_that_stand_before_its_commands() -> None:
    valued = {it.name for it in GIT_ITSELF.known.values() if it.values or it.attached}
    assert valued_before("git") == valued


@each_row("lines", _LINES.values(), ids=_LINES)
def test_what_leaves_names_as_they_are_is_an_option_of_the_program(lines: Lines) -> None:
    assert {it.rstrip("?") for it in lines.options.split()} <= lines.row.known.keys()


def _pairs() -> Iterator[tuple[str, Flag, Flag]]:
    rows = {**by_name(), **{f"git {name}": row for name, row in git_by_name().items()}}
    for name, row in rows.items():
        program, _, command = name.partition(" ")
        for long, atoms in same_in(program, command).items():
            if len(atoms) == 1 and {long, *atoms} <= row.known.keys():
                yield name, row.known[long], row.known[atoms[0]]


def test_options_that_rules_take_for_the_same_are_so_in_the_rows() -> None:
    # `rm --interactive` may have a value, and `rm -i` never does.
    pairs = [it for it in _pairs() if it[0] != "rm"]
    assert len(pairs) > 40
    for name, one, other in pairs:
        same = [(*_takes(it), it.kind, bool(it.escape)) for it in (one, other)]
        assert same[0] == same[1], f"{name} {one.name} {other.name}"


@each_row(
    ("line", "left"),
    [
        ("kubectl -nprod get pods", "kubectl get pods"),
        ("make -sk test", "make test"),
        ("make --jobs=4 test", "make test"),
        ("kubectl -n prod --context x get pods", "kubectl get pods"),
        ("kubectl -n prod --server x get pods", "kubectl --server x get pods"),
        ("npx --no-install tsc -v", "npx tsc -v"),
        ("npx -y tsc", None),
        ("npm t", "npm test"),
        ("kubectl --contex x get pods", None),
        ("cargo -qC x test", "cargo test"),
        ("cargo -qC ../x test", None),
        ("cargo -Cx test", None),
        ("git -C x status", "git status"),
        ("git -C x/../.. status", None),
        ("git -C /x status", None),
        ("git -C ~ status", None),
        ("git --git-dir x status", None),
        ("docker -l debug compose -f a.yml ps", "docker compose ps"),
    ],
)
def test_what_only_chooses_is_left_out_before_a_command(line: str, left: str | None) -> None:
    found = without_selection(words_of(line))
    assert (found and " ".join(it.text for it in found)) == left


@each_row("before", ["-O3", "--", "-D exec", "-P"])
def test_find_looks_where_it_is_told_behind_its_own_options(before: str) -> None:
    words = words_of(f"find {before} /etc -name '*.conf'")[1:]
    found = roots_of(words, prints=False)
    assert found is not None
    assert found.text == "/etc/…"


@each_row(
    "line",
    [
        "timeout --frob 5 make",
        "timeout -fz 5 make",
        "sudo --shell=5 make",
        "chrt --sched 5 make test",
        "env -C dir* make",
        "xargs -I *.x rm",
    ],
)
def test_an_option_that_may_be_another_leaves_doubt_what_runs(line: str) -> None:
    found = unwrap(words_of(line))
    assert found is not None
    assert found.doubt
    assert found.argvs


def test_an_option_that_is_short_for_one_leaves_no_doubt() -> None:
    found = unwrap(words_of("timeout --sig KILL --kill-after=5 10 make"))
    assert found is not None
    assert (found.doubt, [it.text for it in found.argvs[0]]) == ("", ["make"])
