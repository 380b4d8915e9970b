"""What a command writes to its two outputs is told apart, and stands in the order of its lines."""

import sys

import pytest

from assent.shells import strands
from assent.shells.output import Tape
from assent.shells.overflow import Allowance, Spill
from assent.shells.strands import Strands, lines_of
from assent.text.errorlines import marked
from assent.tools.printed import printed_by
from shells.stand import Stand, put

requirement = pytest.mark.requirement
linux = pytest.mark.skipif(sys.platform != "linux", reason="no other system tells the order")


@requirement("T-06")
async def test_the_two_outputs_of_a_command_are_told_apart(stand: Stand) -> None:
    shell = await stand.run("echo fine; echo bad >&2; echo fine again")
    assert stand.errors == "bad\n"
    assert printed_by(shell) == "fine\n2> bad\nfine again\n"


@linux
async def test_lines_stand_in_the_order_in_which_they_were_written(stand: Stand) -> None:
    # The shell writes them itself, one right after the other, so no reader keeps up with it.
    said = await stand.says("for i in {1..100}; do echo $i out; echo $i err >&2; done")
    assert said.splitlines() == [f"{i} {it}" for i in range(1, 101) for it in ("out", "err")]
    assert stand.shown == said
    assert stand.errors.split()[::2] == [str(i) for i in range(1, 101)]


@linux
async def test_nothing_is_lost_of_a_flood_on_both(stand: Stand) -> None:
    line = "x" * 999
    shell = await stand.run(
        f"yes {line} | head -c 6000000 & yes {line} | head -c 6000000 >&2; wait"
    )
    assert shell.size == 12_000_000
    piece = shell.tail(100_000)
    assert "".join(it.text for it in piece.strands) == piece.text
    assert set(piece.text) == {"x", "\n"}


async def test_a_line_of_errors_in_the_middle_of_another_begins_anew(stand: Stand) -> None:
    shell = await stand.run("printf working; echo oh >&2; echo done")
    assert printed_by(shell) == "working\n2> oh\ndone\n"


async def test_what_is_painted_over_on_the_one_leaves_the_other_alone(stand: Stand) -> None:
    await stand.run("printf '10%%\\r' >&2; echo line; printf '20%%\\n' >&2")
    assert "line\n" in stand.shown
    assert "line" not in stand.errors
    assert "20%" in stand.errors


def test_of_more_changes_than_are_known_the_oldest_count_as_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(strands, "_MOST", 8)
    found = Strands()
    for at in range(40):
        found.add(at, at % 2 == 1)
    every = found.between(0, 40)
    assert every[0][2] is False
    assert every[0][1] > 30
    assert [it for it in every[1:] if (it[0] % 2 == 1) is not it[2]] == []
    assert len(found._changes) <= 8


def test_every_stretch_of_a_tape_knows_where_it_came_from() -> None:
    tape = Tape(spill=Spill(most=256, allowance=Allowance(left=1_000)), capacity=128)
    for number in range(100):
        put(tape, b"%02d\n" % number, is_error=number % 3 == 0)
    at = tape.read(0, 10).start
    while at < tape.size:
        piece = tape.read(at, 10)
        text, errors = lines_of(piece.strands)
        assert text == piece.text
        for line in marked(text, errors).splitlines():
            assert line.startswith("2> ") == (int(line[-2:]) % 3 == 0)
        at = piece.next
