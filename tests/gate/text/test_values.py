"""Values are as attrs makes them, though what compares and shows them is written once."""

import subprocess
import sys
from importlib import import_module
from typing import Any

import attrs
import pytest

from assent.gate import values
from house.sources import module_name, server_modules
from tables import each_row

MADE = [
    pytest.param(name, options, id=f"{name}-{'-'.join(options) or 'plain'}")
    for name in ("define", "frozen")
    for options in ({}, {"eq": False}, {"kw_only": True}, {"slots": False})
]


def a_class(makers: Any, name: str, options: dict[str, bool]) -> Any:
    """A class of each kind of field, made by attrs or by us."""

    @getattr(makers, name)(**options)
    class Thing:
        a: int
        b: str = "x"
        secret: str = attrs.field(default="s", repr=False)
        noted: list[int] = attrs.field(factory=list, eq=False)

    return Thing


@each_row(("name", "options"), MADE)
def test_a_class_of_ours_compares_and_shows_as_attrs_would_have_it(
    name: str, options: dict[str, bool]
) -> None:
    def told(makers: Any) -> list[object]:
        make = a_class(makers, name, options)
        one, same, noted, other = make(a=1), make(a=1), make(a=1, noted=[2]), make(a=2)
        equal = [one == it for it in (one, same, noted, other, 1)]
        unequal = [one != it for it in (one, same, noted, other, 1)]
        try:
            hashes = hash(one) == hash(same)
        except TypeError as error:
            hashes = str(error)
        return [repr(one), repr(noted), equal, unequal, hashes, isinstance(one, other.__class__)]

    assert told(values) == told(attrs)


def test_one_of_a_class_that_adds_to_another_is_no_equal_of_it() -> None:
    @values.frozen
    class Base:
        a: int

    @values.frozen
    class More(Base):
        b: int = 0

    assert Base(a=1) != More(a=1)
    assert More(a=1) == More(a=1)
    assert More(a=1) != More(a=1, b=1)
    assert repr(More(a=1)).endswith("More(a=1, b=0)")


def test_one_that_holds_itself_is_shown_and_what_is_not_set_as_nothing() -> None:
    @values.define
    class Ring:
        inner: list[object] = values.field(factory=list)
        later: int = values.field(init=False)

    ring = Ring()
    ring.inner.append(ring)
    assert repr(ring).endswith("Ring(inner=[...], later=NOTHING)")


def test_what_is_raised_is_itself_alone() -> None:
    @values.frozen
    class Wrong(Exception):
        why: str

    assert Wrong("a") != Wrong("a")


def test_no_class_has_a_text_of_its_own_compiled_that_compares_or_shows_it() -> None:
    """But one that is put in order, of which attrs writes all."""
    modules = [
        import_module(module_name(it)) for it in server_modules() if it.name != "__main__.py"
    ]
    classes = {it for module in modules for it in vars(module).values() if isinstance(it, type)}
    ours = [it for it in classes if it.__module__.startswith("assent.") and attrs.has(it)]
    assert len(ours) > 500
    for each in ours:
        if not (attrs.inspect(each).is_exception or "__lt__" in vars(each)):
            by = [vars(each).get(it) for it in ("__eq__", "__hash__", "__repr__")]
            files = [it.__code__.co_filename for it in by if callable(it)]
            assert not any("attrs generated" in it for it in files), each


@each_row("makers", [values, attrs])
def test_a_field_that_cannot_be_hashed_is_left_out_of_that_alone(makers: Any) -> None:
    @makers.frozen
    class Call:
        name: str
        given: dict[str, str] = attrs.field(hash=False)

    assert hash(Call("a", {"b": "c"})) == hash(Call("a", {}))
    assert Call("a", {"b": "c"}) != Call("a", {})


@each_row("makers", [values, attrs])
def test_what_a_class_says_of_itself_stays(makers: Any) -> None:
    @makers.frozen
    class Own:
        a: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Own)

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "hidden"

    assert Own(1) == Own(2)
    assert (hash(Own(1)), repr(Own(1))) == (7, "hidden")


def test_a_frozen_value_is_written_over_by_no_test() -> None:
    @values.frozen
    class Fixed:
        a: int

    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Fixed(a=1).a = 2  # type: ignore[misc]


UNWATCHED = """
from assent.gate.call.calls import Call
from assent.gate.values import evolve, frozen

@frozen
class Fixed:
    a: int
    b: tuple[int, ...] = ()

one, same = Fixed(1), evolve(Fixed(2), a=1)
one.b = (3,)
print(one == same, hash(same) == hash(Fixed(1)), Fixed(1) in {same}, repr(one))
"""


def test_where_nothing_watches_over_them_they_compare_and_hash_all_the_same() -> None:
    done = subprocess.run(
        [sys.executable, "-c", UNWATCHED],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "False True True Fixed(a=1, b=(3,))\n"
