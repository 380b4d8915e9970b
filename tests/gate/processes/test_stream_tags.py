"""What a command writes to its two outputs is told apart, whole, and in order where it waited."""

import os
import select
import sys
import textwrap
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.agent.tools.printed_output import by_lines, printed_by
from assent.gate.processes import stream_tags
from assent.gate.processes.output import Tape
from assent.gate.processes.overflow import Allowance, Spill
from assent.gate.processes.pipes import Pipes
from assent.gate.processes.stream_tags import StreamTags, lines_of
from assent.gate.text.error_lines import marked
from gate.processes.stand import Stand, put

requirement = pytest.mark.requirement

FOUR_WAYS = """
    import os
    again = os.open("/proc/self/fd/1", os.O_WRONLY)
    file = os.open("some", os.O_RDWR | os.O_CREAT)
    os.write(file, b"s" * 2_999 + b"\\n")
    for _ in range(300):
        os.write(again, b"a" * 2_999 + b"\\n")
        os.write(1, b"o" * 3_999 + b"\\n")
        os.splice(file, 1, 3_000, offset_src=0)
        os.write(2, b"e" * 4_999 + b"\\n")
"""
"""A program that writes at once, by its output opened anew, and from a file without reading it."""


class Reader:
    """Reads two pipes as the thread of a command does; a test says when."""

    def __init__(self) -> None:
        self.tape = Tape(spill=Spill(most=4_000_000, allowance=Allowance(left=4_000_000)))
        self.pipes = Pipes()
        self.poll = select.poll()
        self.pipes.listen(self.poll)
        for end in self.pipes.written:
            os.set_blocking(end, False)

    def write(self, data: bytes, *, is_error: bool = False) -> None:
        """Write it all, as somebody does who waits where there is no room."""
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self.pipes.written[is_error], left) :]
            except BlockingIOError:
                self.read()

    def read(self) -> None:
        """Read once from whatever has something."""
        ready = {descriptor for descriptor, _ in self.poll.poll(0)}
        self.pipes.read(self.poll, ready, self._take)

    def end(self) -> tuple[bytes, bytes, str]:
        """What came of the one, of errors, and of both as a model is told it."""
        self.pipes.drain(self._take)
        self.pipes.close()
        self.tape.finish()
        piece = self.tape.read(0, 4_000_000)
        out, err = (
            "".join(it.text for it in piece.stream_tags if it.is_error is is_error).encode(
                "latin-1"
            )
            for is_error in (False, True)
        )
        self.tape.release()
        return out, err, marked(*lines_of(piece.stream_tags))

    def _take(self, descriptor: int, is_error: bool) -> int:
        return self.tape.fill(partial(os.readv, descriptor), is_error=is_error)


linux = pytest.mark.skipif(sys.platform != "linux", reason="no other system has these")


@requirement("T-06", "C-12")
async def test_the_two_outputs_of_a_command_are_told_apart(stand: Stand) -> None:
    shell = await stand.run("echo fine; echo bad >&2; echo fine again")
    assert stand.errors == "bad\n"
    said = printed_by(shell).splitlines()
    assert sorted(said) == ["2> bad", "fine", "fine again"]


async def test_what_is_written_with_a_moment_between_keeps_its_order(stand: Stand) -> None:
    gate = stand.folder / "gate"
    os.mkfifo(gate)
    # One that opened it before the last word's writer closed it is told of an end, and of no word.
    wait = f"until read < {gate}; do :; done"
    shell = await stand.start(f"for i in 1 2 3; do echo o$i; {wait}; echo e$i >&2; {wait}; done")
    written = ["o1", "e1", "o2", "e2", "o3", "e3"]
    for line in written:
        await stand.until(lambda line=line: line in stand.shown)
        # It waits for this, so nobody waits here for long.
        gate.write_text("\n", encoding="ascii")
    await shell.ended()
    assert shell.read(0, 100).text.split() == written


@given(
    st.lists(
        st.tuples(st.booleans(), st.integers(0, 9_000) | st.just(70_000), st.booleans()),
        max_size=40,
    )
)
def test_no_byte_is_lost_and_each_output_keeps_its_own_order(
    written: list[tuple[bool, int, bool]],
) -> None:
    reader = Reader()
    for number, (is_error, size, is_read) in enumerate(written):
        reader.write(bytes([65 + number]) * size, is_error=is_error)
        if is_read:
            reader.read()
    out, err, _ = reader.end()
    for is_error, came in enumerate((out, err)):
        assert came == b"".join(
            bytes([65 + number]) * size
            for number, (which, size, _) in enumerate(written)
            if which is bool(is_error)
        )


def test_of_a_flood_on_both_no_line_is_broken() -> None:
    reader = Reader()
    for number in range(9_000):
        reader.write(b"%051d output\n" % number)
        reader.write(b"%051d errors\n" % number, is_error=True)
    _, _, told = reader.end()
    lines = told.splitlines()
    assert len(lines) == 18_000
    assert {(len(it), it[:3] == "2> ", it[-6:]) for it in lines} == {
        (58, False, "output"),
        (61, True, "errors"),
    }


@linux
async def test_nothing_is_lost_in_whichever_way_it_is_written(stand: Stand) -> None:
    (stand.folder / "ways.py").write_text(textwrap.dedent(FOUR_WAYS), encoding="utf-8")
    shell = await stand.run("python3 ways.py; printf '%03999d\\n' {1..99} > /dev/stdout")
    assert shell.code == 0
    assert shell.size == 300 * (3_000 + 4_000 + 3_000 + 5_000) + 99 * 4_000


@linux
async def test_nothing_is_lost_of_a_pipe_that_the_command_made_larger(stand: Stand) -> None:
    larger = "import fcntl, os; fcntl.fcntl(1, 1031, 1 << 20); os.write(1, b'x' * 1_000_000)"
    shell = await stand.run(f'python3 -c "{larger}"')
    assert (shell.code, shell.size) == (0, 1_000_000)


def test_output_that_looks_like_an_error_is_not_taken_for_one() -> None:
    assert marked("2> fake\n1> x\n2> real\nfine\n", [2, 3]) == (
        "1> 2> fake\n1> 1> x\n2> 2> real\nfine\n"
    )


def test_a_line_of_errors_in_the_middle_of_another_begins_anew() -> None:
    reader = Reader()
    for text, is_error in ((b"working", False), (b"oh\n", True), (b"done\n", False)):
        reader.write(text, is_error=is_error)
        reader.read()
    assert reader.end()[2] == "working\n2> oh\ndone\n"


async def test_what_is_painted_over_on_the_one_leaves_the_other_alone(stand: Stand) -> None:
    await stand.run("printf '10%%\\r' >&2; echo line; printf '20%%\\n' >&2")
    assert "line\n" in stand.shown
    assert "line" not in stand.errors
    assert "20%" in stand.errors


def test_of_more_changes_than_are_known_the_oldest_count_as_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stream_tags, "_MAX_CHANGES", 8)
    found = StreamTags()
    for at in range(40):
        found.add(at, at % 2 == 1)
    every = found.between(0, 40)
    assert every[0][2] is False
    assert every[0][1] > 30
    assert [it for it in every[1:] if (it[0] % 2 == 1) is not it[2]] == []
    assert len(found._changes) <= 8


def test_a_stretch_whose_marks_are_forgotten_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_tags, "_MAX_CHANGES", 8)
    tape = Tape(spill=Spill(most=1_000, allowance=Allowance(left=1_000)))
    for number in range(40):
        put(tape, b"%02d\n" % number, is_error=number % 2 == 1)
    piece = tape.read(0, 1_000)
    assert piece.untold == piece.stream_tags[0].start + len(piece.stream_tags[0].text)
    assert "it is not known what came on standard error …]\n00\n01\n" in by_lines(piece)
    assert by_lines(tape.tail(7)) == "38\n2> 39\n"
    tape.release()


def test_every_stretch_of_a_tape_knows_where_it_came_from() -> None:
    tape = Tape(spill=Spill(most=256, allowance=Allowance(left=1_000)), capacity=128)
    for number in range(100):
        put(tape, b"%02d\n" % number, is_error=number % 3 == 0)
    at = tape.read(0, 10).start
    while at < tape.size:
        piece = tape.read(at, 10)
        text, errors = lines_of(piece.stream_tags)
        assert text == piece.text
        for line in marked(text, errors).splitlines():
            assert line.startswith("2> ") == (int(line[-2:]) % 3 == 0)
        at = piece.next
