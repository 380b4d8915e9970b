"""What the network cuts anywhere is put together again: lines, events, letters."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.agent.models.host_errors import Garbled
from assent.agent.models.lines import data_of, lines
from tables import each_row

JSON = st.dictionaries(st.text(max_size=5), st.text(), max_size=3)
ENDS = st.sampled_from([b"\n", b"\r\n"])


async def given_as(pieces: list[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


def cut_anywhere(data: st.DataObject, whole: bytes) -> list[bytes]:
    places = sorted(data.draw(st.lists(st.integers(0, len(whole)), max_size=12)))
    return [whole[a:b] for a, b in zip([0, *places], [*places, len(whole)], strict=True)]


def all_lines(pieces: list[bytes], **bounds: int) -> list[bytes]:
    async def collect() -> list[bytes]:
        return [line async for line in lines(given_as(pieces), **bounds)]

    return asyncio.run(collect())


def all_data(pieces: list[bytes]) -> list[bytes]:
    async def collect() -> list[bytes]:
        return [data async for data in data_of(lines(given_as(pieces)))]

    return asyncio.run(collect())


@given(st.data(), st.lists(JSON, max_size=5), ENDS)
def test_lines_of_json_are_whole_wherever_they_were_cut(
    data: st.DataObject, told: list[dict[str, str]], end: bytes
) -> None:
    # Unescaped, so that letters of several bytes are cut too.
    sent = b"".join(json.dumps(it, ensure_ascii=False).encode() + end for it in told)
    for pieces in (cut_anywhere(data, sent), [sent[at : at + 1] for at in range(len(sent))]):
        assert [json.loads(line) for line in all_lines(pieces)] == told


@given(st.data(), st.lists(JSON, max_size=5), ENDS)
def test_events_are_whole_wherever_they_were_cut(
    data: st.DataObject, told: list[dict[str, str]], end: bytes
) -> None:
    sent = b"\xef\xbb\xbf" + b": a comment" + end
    for it in told:
        written = json.dumps(it, ensure_ascii=False).encode()
        sent += b"event: x" + end + b"data: " + written + end + end
    for pieces in (cut_anywhere(data, sent), [sent[at : at + 1] for at in range(len(sent))]):
        assert [json.loads(it) for it in all_data(pieces)] == told


@each_row(
    ("sent", "data"),
    [
        (b"data: a\n\ndata:b\n\n", [b"a", b"b"]),
        (b"data: a\ndata: b\n\n", [b"a\nb"]),
        (b"data: a", [b"a"]),
        (b"\n\n: warm\n\nretry: 3\n\n", []),
        (b"id: 1\nevent: e\ndata: [DONE]\n\n", [b"[DONE]"]),
        (b"database: a\n\n", []),
        (b'{"error": "no"}', [b'{"error": "no"}']),
    ],
)
def test_the_data_of_events_is_read(sent: bytes, data: list[bytes]) -> None:
    assert all_data([sent]) == data


def test_a_line_has_a_bound() -> None:
    assert all_lines([b"a" * 10, b"\n", b"b"], longest=10) == [b"a" * 10, b"b"]
    with pytest.raises(Garbled, match="a line of it is longer"):
        all_lines([b"a" * 10, b"a"], longest=10)
    with pytest.raises(Garbled, match="a line of it is longer"):
        all_lines([b"a" * 11 + b"\n"], longest=10)


def test_a_reply_has_a_bound() -> None:
    assert len(all_lines([b"a\n"] * 5, most=10)) == 5
    with pytest.raises(Garbled, match="it is longer"):
        all_lines([b"a\n"] * 6, most=10)
