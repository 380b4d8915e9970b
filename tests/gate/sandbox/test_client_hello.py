"""What is read of a client's TLS greeting is the name that it says, or nothing."""

import ssl
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.sandbox.client_hello import Hello, HelloUnreadable, read_hello
from tables import each_row

NAME: Final = "registry.example"


def greeting(name: str | None, *, newest: bool = True) -> bytes:
    """What OpenSSL says first."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    if not newest:
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context.wrap_bio(incoming, outgoing, server_hostname=name)
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


def in_records(message: bytes, *lengths: int) -> bytes:
    """The message of one record, in several."""
    content, records = message[5:], b""
    for length in lengths:
        piece, content = content[:length], content[length:]
        records += b"\x16\x03\x01" + len(piece).to_bytes(2, "big") + piece
    return records + b"\x16\x03\x01" + len(content).to_bytes(2, "big") + content


@pytest.mark.parametrize("newest", [True, False])
def test_the_name_is_read_as_it_is_said(newest: bool) -> None:
    assert read_hello(greeting(NAME, newest=newest)) == Hello(is_tls=True, name=NAME)
    assert read_hello(greeting(NAME.upper(), newest=newest)) == Hello(is_tls=True, name=NAME)
    assert read_hello(greeting(None, newest=newest)) == Hello(is_tls=True)


def test_a_greeting_that_is_not_whole_is_waited_for() -> None:
    whole = greeting(NAME)
    assert {read_hello(whole[:length]) for length in range(len(whole))} == {None}


@given(st.lists(st.integers(1, 60), max_size=6))
def test_a_greeting_in_several_records_is_read_whole(lengths: list[int]) -> None:
    assert read_hello(in_records(greeting(NAME), *lengths)) == Hello(is_tls=True, name=NAME)


def with_name_twice() -> bytes:
    """A greeting that names two servers, with all lengths right."""
    whole = greeting(NAME)
    at = whole.index(b"\0\0", whole.index(NAME.encode()) - 9)
    extension = whole[at : at + 9 + len(NAME)]
    changed = bytearray(whole[:at] + extension + whole[at:])
    for place, count in ((3, 2), (6, 3), (_extensions_at(whole), 2)):
        number = int.from_bytes(changed[place : place + count], "big") + len(extension)
        changed[place : place + count] = number.to_bytes(count, "big")
    return bytes(changed)


def _extensions_at(whole: bytes) -> int:
    at = 5 + 4 + 2 + 32
    at += 1 + whole[at]
    at += 2 + int.from_bytes(whole[at : at + 2], "big")
    return at + 1 + whole[at]


BROKEN: Final = {
    "two names": with_name_twice(),
    "no record": b"\x16\x09\x01\0\x05hello",
    "an empty record": b"\x16\x03\x01\0\0",
    "a very long record": b"\x16\x03\x01\xff\xff",
    "another message": b"\x16\x03\x01\0\x05\x02\0\0\x01x",
    "a very long greeting": b"\x16\x03\x01\0\x05\x01\xff\xff\xffx",
    "a greeting that ends too early": b"\x16\x03\x01\0\x05\x01\0\0\x01x",
}


@each_row("what", BROKEN)
def test_what_cannot_be_read_is_no_greeting(what: str) -> None:
    with pytest.raises(HelloUnreadable):
        read_hello(BROKEN[what])


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_waited_for_or_refused(data: bytes) -> None:
    for sent in (data, b"\x16\x03\x01" + data, greeting(NAME)[:60] + data):
        try:
            hello = read_hello(sent)
        except HelloUnreadable:
            continue
        assert hello is None or hello.is_tls is (sent[:1] == b"\x16")
