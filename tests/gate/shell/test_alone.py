"""The reader knows no program: what it is not told of programs it does not make up."""

from assent.gate.programs.read_lines import read_script
from assent.gate.shell.port import Programs
from assent.gate.shell.read import read

NOBODY = Programs(
    writers=frozenset(),
    relied_on=frozenset(),
    unwrap=lambda *_: None,
    names_of=lambda _: None,
    answer=lambda *_: None,
    steers=lambda _: False,
    is_plain=lambda *_: False,
)
"""Knows no program at all."""


def told(text: str) -> list[str]:
    script = read(text, "bash", NOBODY)
    return [" ".join(it.text for it in each.argv) for each in script.commands]


def test_what_a_program_runs_is_told_by_who_knows_programs_alone() -> None:
    assert told("env rm x; cd a && ls") == ["env rm x", "cd a", "ls"]
    assert [it.name for it in read_script("env rm x").commands] == ["env", "rm"]


def test_what_a_program_writes_is_not_known_without_them() -> None:
    (unknown,) = read("cat $(git ls-files)", "bash", NOBODY).commands[:1]
    (listed,) = read_script("cat $(git ls-files)").commands[:1]
    assert not unknown.argv[1].listed
    assert listed.argv[1].listed


def test_a_function_is_not_taken_for_what_a_program_writes() -> None:
    assert not read("seq() { :; }; ls", "bash", NOBODY).opaque
    assert read_script("seq() { :; }; ls").opaque


def test_the_shell_itself_is_known_without_anybody() -> None:
    script = read("eval x", "bash", NOBODY)
    assert script.opaque
    assert [it.name for it in script.commands] == ["eval", "x"]
