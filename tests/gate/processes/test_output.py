"""What is kept of output: whatever is written and read, in whatever order, nothing is made up."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from assent.gate.processes.output import Tape
from assent.gate.processes.overflow import Allowance, Spill
from gate.processes.stand import put

MEMORY = 128
MOST = 256


def tape(*, most: int = MOST, left: int = 10_000, folder: str | None = None) -> Tape:
    spill = Spill(most=most, allowance=Allowance(left=left), folder=folder)
    return Tape(spill=spill, capacity=MEMORY)


def whole(of: Tape, most: int = 10_000) -> tuple[str, int]:
    """All that can be read from the beginning on, and how much was missing."""
    text, missing, at = "", 0, 0
    while at < of.size:
        piece = of.read(at, most)
        if piece.next == at:
            break
        text, missing, at = text + piece.text, missing + piece.missing, piece.next
    return text, missing


class Reading(RuleBasedStateMachine):
    """One tape, beside all that was ever written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.allowance = Allowance(left=MOST)
        self.tape = Tape(spill=Spill(most=MOST, allowance=self.allowance), capacity=MEMORY)
        self.written = b""

    @rule(data=st.one_of(st.binary(max_size=2 * MOST), st.text(max_size=100).map(str.encode)))
    def write(self, data: bytes) -> None:
        put(self.tape, data)
        self.written += data

    @rule(since=st.integers(0, 3_000), most=st.integers(0, 1_000))
    def read(self, since: int, most: int) -> None:
        piece = self.tape.read(since, most)
        assert piece.next - piece.start <= max(4, most)
        assert piece.missing == max(0, piece.start - since)
        assert piece.text == self.written[piece.start : piece.next].decode("utf-8", "replace")
        if since < len(self.written):
            assert piece.start >= since
            # It goes on, unless only the beginning of a character is there.
            assert piece.next > piece.start or piece.next >= len(self.written) - 3

    @rule(most=st.integers(1, 1_000))
    def end(self, most: int) -> None:
        piece = self.tape.tail(most)
        assert piece.next == len(self.written)
        assert piece.next - piece.start <= most
        assert piece.text == self.written[piece.start :].decode("utf-8", "replace")

    @precondition(lambda self: self.written)
    @rule()
    def let_go(self) -> None:
        self.tape.release()
        assert self.allowance.left == MOST
        assert self.tape._spill._file is None

    @invariant()
    def what_was_written_last_is_kept(self) -> None:
        assert self.tape.size == len(self.written)
        kept = min(MEMORY // 2, len(self.written))
        assert self.tape.read(len(self.written) - kept, 0).missing <= 3

    @invariant()
    def no_more_is_held_than_is_allowed(self) -> None:
        assert len(self.tape._memory) == MEMORY
        assert self.allowance.left >= 0

    def teardown(self) -> None:
        self.tape.release()
        assert self.allowance.left == MOST


def test_something_is_read_behind_half_a_character_that_was_dropped() -> None:
    for before in range(1, 4):
        one = tape(left=MOST)
        for _ in range(2):
            put(one, b"x" * before + "𝄞".encode() * 48)
        assert one.read(0, 0).text == "𝄞", before


TestReading = Reading.TestCase
TestReading.settings = settings(max_examples=150, stateful_step_count=30, deadline=None)


@given(st.lists(st.text(max_size=40), max_size=60), st.integers(0, 50))
def test_reading_on_gives_exactly_what_was_written(texts: list[str], most: int) -> None:
    one = tape(most=1_000_000, left=4_000_000)
    for text in texts:
        put(one, text.encode())
    one.finish()
    assert whole(one, most) == ("".join(texts), 0)
    one.release()


@given(st.lists(st.binary(max_size=9), max_size=40), st.integers(0, 20))
def test_reading_on_while_it_is_written_gives_what_it_gives_at_once(
    chunks: list[bytes], most: int
) -> None:
    one, text, at = tape(), "", 0
    for chunk in chunks:
        put(one, chunk)
        piece = one.read(at, most)
        text, at = text + piece.text, piece.next
    one.finish()
    while (piece := one.read(at, most)).next > at:
        text, at = text + piece.text, piece.next
    assert text == b"".join(chunks).decode("utf-8", "replace")
    one.release()


def test_what_is_kept_goes_beyond_memory_and_up_to_what_is_allowed() -> None:
    one = tape(most=1_000_000, left=2_000_000)
    lines = [f"{number:07}\n" for number in range(400_000)]
    for line in lines:
        put(one, line.encode())
    text, missing = whole(one, 100_000)
    assert 1_000_000 <= len(text) <= 1_000_000 + MEMORY
    assert missing + len(text) == one.size == 8 * 400_000
    assert text == "".join(lines)[missing:]
    one.release()


def test_tapes_share_what_is_allowed() -> None:
    allowance = Allowance(left=3_000_000)
    tapes = [
        Tape(spill=Spill(most=2_000_000, allowance=allowance), capacity=MEMORY) for _ in range(3)
    ]
    for one in tapes:
        for _ in range(3):
            put(one, b"x" * 1_000_000)
    kept = [len(whole(one, 500_000)[0]) for one in tapes]
    assert kept[0] > 2_000_000 - 100
    assert sum(kept) <= 3_000_000 + 3 * MEMORY + 100
    for one in tapes:
        one.release()
    assert allowance.left == 3_000_000


def test_without_a_disk_the_end_is_kept_in_memory(tmp_path: Path) -> None:
    one = tape(folder=str(tmp_path / "not-there"))
    put(one, b"a" * 1_000)
    put(one, b"b" * 60)
    assert one.size == 1_060
    assert one.tail(60).text == "b" * 60
    assert one.read(0, 2_000).missing > 0
    one.release()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_disk_that_is_full_loses_what_was_there_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from assent.gate.processes import overflow as spill  # noqa: PLC0415

    monkeypatch.setattr(spill, "_unnamed", lambda _: os.open("/dev/full", os.O_RDWR))
    allowance = Allowance(left=10_000)
    one = Tape(spill=Spill(most=1_000, allowance=allowance), capacity=MEMORY)
    put(one, b"a" * 500)
    assert one.read(0, 1_000).missing >= 300
    assert allowance.left == 10_000


def test_nobody_else_can_open_what_is_spilled(tmp_path: Path) -> None:
    one = tape(folder=str(tmp_path))
    put(one, b"a" * 10_000)
    assert one.read(10_000 - MOST, 10).text
    assert list(tmp_path.iterdir()) == []
    assert os.fstat(one._spill._file or -1).st_mode & 0o077 == 0
    assert not os.get_inheritable(one._spill._file or -1)
    one.release()


def test_who_reads_and_who_writes_do_not_confuse_each_other() -> None:
    one = tape(most=4_096, left=1_000_000)
    line = b"0123456789abcde\n"

    def write() -> None:
        for _ in range(3_000):
            put(one, line * 40)
        one.finish()

    writer = threading.Thread(target=write)
    writer.start()
    for piece in _pieces(one, 3_000 * 40 * len(line)):
        if piece:
            begin = line.decode().index(piece[0])
            expected = (line.decode() * (len(piece) // 16 + 2))[begin : begin + len(piece)]
            assert piece == expected
    writer.join()
    one.release()


def test_what_is_being_written_over_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    one, line, times = tape(most=1_000), "0123456789\n", []
    write = Spill._write

    def write_and_read(spill: Spill, data: memoryview, at: int) -> None:
        write(spill, data, at)
        piece = one.read(0, 100_000)
        assert piece.text == (line * 900)[piece.start : piece.next]
        times.append(piece.missing)

    monkeypatch.setattr(Spill, "_write", write_and_read)
    for _ in range(900):
        put(one, line.encode())
    assert len(times) > 200
    assert times[-1] > 5_000
    one.release()


def _pieces(one: Tape, until: int) -> Iterator[str]:
    at = 0
    while at < until:
        piece = one.read(at, 777)
        at = piece.next
        yield piece.text
