"""Every spelling of a command is found, though only what is about its program is asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.programs import other_spellings
from assent.gate.programs.other_spellings import spellings
from assent.gate.programs.tables import by_name
from tables import each_row

ALL = tuple(dict.fromkeys(step for step, _ in other_spellings._STEPS))
NAMED = sorted({name for _, names in other_spellings._STEPS for name in names or ()})
OTHERS = ["git-push", "Git", "RM.EXE", "/bin/rm", "python3.11", "pypy3", "pip3", "node-20", "tool"]
WORDS = (
    "for-each-repo -C x -c alias.p=push p push --force -f run-script i publ image lfs rm -m pip"
    " -mpip 0777 -s KILL -9 +nightly compose exec --har reset"
).split()


def of_all_steps(argv: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The spellings that are found where each step is asked, whatever it is about."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(other_spellings, "_steps_of", lambda _: ALL)
        return spellings(argv)


@given(
    st.sampled_from([*NAMED, *OTHERS, *by_name()]),
    st.lists(st.sampled_from([*WORDS, *NAMED]), max_size=4),
)
def test_no_spelling_is_missed_of_any_program(name: str, words: list[str]) -> None:
    argv = (name, *words)
    assert spellings(argv) == of_all_steps(argv)


@each_row("line", ["python3 -m pip i x", "git -c alias.p=push p", "npm publ"])
def test_a_program_with_several_names_has_several_spellings(line: str) -> None:
    assert len(spellings(tuple(line.split()))) > 1
