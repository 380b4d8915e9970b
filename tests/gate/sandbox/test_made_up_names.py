"""Each name gets an address of its own, and nothing else gets an answer."""

import struct
from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.sandbox import made_up_names
from assent.gate.sandbox.made_up_names import MadeUpNames, is_made_up

ADDRESS, SIXTH, HTTPS = 1, 28, 65
NO_SUCH_NAME = 3


def question(name: str, kind: int = ADDRESS, flags: int = 0x0100, count: int = 1) -> bytes:
    """A question as programs send it."""
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split(".") if label)
    return (
        struct.pack("!6H", 4711, flags, count, 0, 0, 0) + labels + struct.pack("!BHH", 0, kind, 1)
    )


def address_in(answer: bytes | None) -> str | None:
    """The address that an answer holds."""
    assert answer is not None
    assert answer[:2] == struct.pack("!H", 4711)
    has_address = struct.unpack_from("!H", answer, 6)[0] == 1
    return str(IPv4Address(answer[-4:])) if has_address else None


def test_each_name_has_an_address_by_which_it_is_found_again() -> None:
    names = MadeUpNames()
    written = ["a.example", "B.example", "db1", "x_y.example", "a.example", "b.EXAMPLE."]
    addresses = [address_in(names.answer(question(name))) for name in written]
    assert len({*addresses}) == 4
    assert addresses[4:] == addresses[:2]
    assert all(address is not None and is_made_up(address) for address in addresses)
    found = [names.name_of(address) for address in addresses[:4] if address is not None]
    assert found == ["a.example", "b.example", "db1", "x_y.example"]
    assert names.name_of("198.18.0.1") is None
    assert names.name_of("198.18.200.1") is None


def test_this_machine_is_the_box_itself() -> None:
    assert address_in(MadeUpNames().answer(question("localhost"))) == "127.0.0.1"


@pytest.mark.parametrize("kind", [SIXTH, HTTPS, 12, 16, 255])
def test_no_other_kind_of_question_gets_an_answer(kind: int) -> None:
    answer = MadeUpNames().answer(question("a.example", kind))
    assert address_in(answer) is None
    assert answer is not None
    assert answer[3] & 0x0F == 0


@pytest.mark.parametrize("name", ["2130706433", "0x7f.1", "127.0.0.1", "a b.example", "é.example"])
def test_what_is_no_name_does_not_exist(name: str) -> None:
    query = question(name) if name.isascii() else question("a.example").replace(b"a", b"\xe9")
    answer = MadeUpNames().answer(query)
    assert answer is None or answer[3] & 0x0F == NO_SUCH_NAME


def test_what_is_no_question_gets_no_answer() -> None:
    names = MadeUpNames()
    assert names.answer(question("a.example", flags=0x8000)) is None
    assert names.answer(question("a.example", flags=0x2800)) is None
    assert names.answer(question("a.example", count=2)) is None
    assert names.answer(question("a.example")[:-1]) is None


def test_there_is_room_for_so_many_names_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_up_names, "_MAX_NAMES", 2)
    names = MadeUpNames()
    addresses = [address_in(names.answer(question(f"{letter}.example"))) for letter in "abca"]
    assert addresses[2] is None
    assert addresses[3] == addresses[0]


@given(st.binary(max_size=64))
def test_any_message_is_answered_or_left(data: bytes) -> None:
    names = MadeUpNames()
    answer = names.answer(data)
    assert answer is None or answer[:2] == data[:2]
    names.answer(question("a.example")[:12] + data)
