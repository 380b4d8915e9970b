"""What is a frame and what is none."""

import itertools

import pytest

from assent.lsp.frames import LARGEST, BrokenFraming, Frames, framed

BROKEN = [
    b"hello\r\n",
    b"hello\n",
    b"Content-Length: -5\r\n\r\n",
    b"Content-Length: +5\r\n\r\n",
    b"Content-Length: 1_0\r\n\r\n",
    b"Content-Length: 0x10\r\n\r\n",
    b"Content-Length: 5.0\r\n\r\n",
    b"Content-Length: \r\n\r\n",
    "Content-Length: \u0665\r\n\r\n".encode(),
    b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
    b"Content-Length: 99999999999999999999999999\r\n\r\n",
    b"Content-Length: %d\r\n\r\n" % (LARGEST + 1),
    b"Content-Type: text\r\n\r\n",
    b"Content-Length: 2\n\n{}",
    b"\0\0\0\0\r\n\r\n",
    b"\r\n\r\n",
    b"x" * 9000,
]


@pytest.mark.parametrize("data", BROKEN)
def test_a_head_that_is_none_is_told_at_once(data: bytes) -> None:
    with pytest.raises(BrokenFraming):
        list(Frames().feed(data))


@pytest.mark.parametrize("data", BROKEN)
def test_a_head_that_is_none_is_told_however_it_comes(data: bytes) -> None:
    frames = Frames()
    bytewise = (data[number : number + 1] for number in range(len(data)))
    with pytest.raises(BrokenFraming):
        list(itertools.chain.from_iterable(map(frames.feed, bytewise)))


def test_whole_frames_come_out_however_they_were_cut() -> None:
    bodies = [b"{}", b"", b"x" * 100_000, b"Content-Length: 3\r\n\r\nabc"]
    stream = b"".join(framed(body) for body in bodies)
    for size in (1, 2, 3, 7, 1000, len(stream)):
        frames = Frames()
        cut = (stream[start : start + size] for start in range(0, len(stream), size))
        assert [body for data in cut for body in frames.feed(data)] == bodies
        assert not frames.within_a_frame


def test_a_frame_that_has_begun_is_known_as_such() -> None:
    head = b"Content-Length: 2\r\n\r\n"
    for cut in (b"C", b"Content-Length: 0", head[:-1], head, head + b"{"):
        frames = Frames()
        assert list(frames.feed(cut)) == []
        assert frames.within_a_frame


def test_a_frame_that_is_too_large_is_not_taken_even_where_it_is_all_there() -> None:
    with pytest.raises(BrokenFraming, match="larger than"):
        list(Frames().feed(framed(bytes(LARGEST + 1))))


def test_a_length_is_not_reserved_before_it_comes() -> None:
    frames = Frames()
    assert list(frames.feed(b"Content-Length: %d\r\n\r\n" % LARGEST)) == []
    assert len(frames._held) == 0
