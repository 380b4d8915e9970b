"""What is a frame and what is none."""

import itertools
import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.editor.lsp.frames import MAX_FRAME_BYTES, BrokenFraming, Frames, TooLarge, framed
from assent.editor.lsp.too_large import envelope_of
from tables import each_row

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
    b"Content-Length: %d\r\n\r\n" % (1024**3 + 1),
    b"Content-Type: text\r\n\r\n",
    b"Content-Length: 2\n\n{}",
    b"\0\0\0\0\r\n\r\n",
    b"\r\n\r\n",
    b"x" * 9000,
]


@each_row("data", BROKEN)
def test_a_head_that_is_none_is_told_at_once(data: bytes) -> None:
    with pytest.raises(BrokenFraming):
        list(Frames().feed(data))


@each_row("data", BROKEN)
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


@each_row("size", [1_000, 4_099, 64 * 1024, 1024 * 1024, 2**40])
def test_a_frame_that_is_too_large_is_passed_by_and_the_next_is_whole(size: int) -> None:
    body = b"<" * 2_000 + bytes(MAX_FRAME_BYTES) + b">" * 2_000
    stream = framed(b"{}") + framed(body) + framed(b"[]")
    frames, held = Frames(), 0
    came: list[bytes] = []
    for begin in range(0, len(stream), size):
        came += frames.feed(stream[begin : begin + size])
        held = max(held, len(frames._held))
    first, large, last = came
    assert (first, last) == (b"{}", b"[]")
    assert isinstance(large, TooLarge)
    assert (large.begin, large.end) == (b"<" * 1024, b">" * 1024)
    assert not frames.within_a_frame
    assert held <= 4 * 1024, "no more of it is held than tells whose it was"


KEYS = st.one_of(
    st.integers(-(2**63), 2**64 - 1), st.text(st.characters(codec="ascii"), max_size=40)
)
LARGE = "x" * 40_000 + '","id":99}'


@given(key=KEYS, order=st.permutations(["jsonrpc", "id", "method", "params"]))
def test_whose_a_large_message_was_is_found_wherever_its_key_stands(
    key: int | str, order: list[str]
) -> None:
    message = {"jsonrpc": "2.0", "id": key, "method": "agent/prompt", "params": {"text": LARGE}}
    body = orjson.dumps({name: message[name] for name in order})
    found = envelope_of(TooLarge(body[:1024] + body[-1024:]))
    assert found.get("id", key) == key, "and never another's"
    if order.index("id") < order.index("params"):
        assert "id" in found


@each_row("space", ["", " ", "\n\t"])
@each_row("key", [5, -1, "a-key", 2**53])
def test_whose_a_large_message_was_is_found_at_its_beginning_and_at_its_end(
    key: int | str, space: str
) -> None:
    told, large = json.dumps(key), json.dumps(LARGE)
    first = f'{{{space}"id"{space}:{space}{told}{space},"method":"m","params":{{"text":{large}}}}}'
    last = f'{{"params":{{"text":{large}}},{space}"id":{space}{told}{space}}}{space}'
    for text in (first, last):
        body = text.encode()
        assert envelope_of(TooLarge(body[:1024] + body[-1024:]))["id"] == key


def test_a_length_is_not_reserved_before_it_comes() -> None:
    frames = Frames()
    assert list(frames.feed(b"Content-Length: %d\r\n\r\n" % MAX_FRAME_BYTES)) == []
    assert len(frames._held) == 0
