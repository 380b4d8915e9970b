"""Arguments that come in pieces: whole exactly at the end of the object, and looked at once."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.agent.models.growing_json import BLANK, GrowingJson, object_of
from tables import each_row

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text() | st.text(alphabet='{}[]"\\,: \n'),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
OBJECTS = st.dictionaries(st.text() | st.text(alphabet='{}[]"\\'), VALUES, max_size=4)
BLANKS = st.text(alphabet=BLANK, max_size=3)


@st.composite
def cut(draw: st.DrawFn, text: st.SearchStrategy[str]) -> list[str]:
    """A text in any pieces, some of them empty."""
    whole = draw(text)
    places = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=8)))
    return [whole[a:b] for a, b in zip([0, *places], [*places, len(whole)], strict=True)]


@st.composite
def written(draw: st.DrawFn) -> str:
    value = draw(OBJECTS)
    indent = draw(st.sampled_from([None, 1]))
    return json.dumps(value, ensure_ascii=draw(st.booleans()), indent=indent)


@given(st.data())
def test_an_object_is_whole_exactly_at_its_end(data: st.DataObject) -> None:
    text = data.draw(BLANKS) + data.draw(written())
    pieces = data.draw(cut(st.just(text)))
    growing, taken = GrowingJson(), ""
    for piece in pieces:
        assert growing.fits(piece)
        taken += piece
        assert growing.whole == (taken == text)
    assert growing.text == text


@given(st.data())
def test_an_object_is_whole_at_its_last_letter_however_small_the_pieces(
    data: st.DataObject,
) -> None:
    text = data.draw(written())
    growing = GrowingJson()
    assert [growing.fits(letter) and growing.whole for letter in text] == [
        *[False] * (len(text) - 1),
        True,
    ]


@given(written(), BLANKS, st.lists(BLANKS))
def test_blanks_behind_an_object_are_harmless(text: str, end: str, more: list[str]) -> None:
    growing = GrowingJson()
    assert growing.fits(text + end)
    assert all(growing.fits(blank) for blank in more)
    assert growing.whole


@given(st.data())
def test_anything_else_behind_an_object_does_not_fit(data: st.DataObject) -> None:
    more = data.draw(st.text(min_size=1).filter(lambda it: it.strip(BLANK)))
    whole = data.draw(written()) + more
    growing = GrowingJson()
    assert not all(growing.fits(piece) for piece in data.draw(cut(st.just(whole))))


@given(cut(st.text(alphabet='{}[]"\\:,1a \n', max_size=30) | st.text()))
def test_what_is_no_object_is_never_whole(pieces: list[str]) -> None:
    growing, taken = GrowingJson(), ""
    for piece in pieces:
        fits = growing.fits(piece)
        taken += piece
        if not fits or growing.whole:
            break
        assert object_of(taken) is None
    else:
        return
    assert growing.whole
    assert object_of(taken) is not None or not fits


@each_row(
    "text",
    ["[1]", '"text"', "null", "1", "{]", "{a: 1}", '{"a": NaN}', '{"a" 1}', "{" * 9 + "}" * 9],
)
def test_what_can_be_no_object_stays_none(text: str) -> None:
    growing = GrowingJson()
    assert all(growing.fits(letter) for letter in text)
    assert not growing.whole
    assert growing.fits("}} and more"), "it is for somebody else to say that it is broken"
    assert growing.text == f"{text}}}}} and more"


def test_an_object_that_is_nested_beyond_reading_is_none() -> None:
    deep = '{"a":' * 100_000 + "1" + "}" * 100_000
    growing = GrowingJson()
    assert growing.fits(deep)
    assert not growing.whole


def test_each_letter_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    loads = json.loads

    def counted(text: str, **rest: Any) -> Any:
        read.append(len(text))
        return loads(text, **rest)

    monkeypatch.setattr(json, "loads", counted)
    text = json.dumps({"text": 'x{"y\\' * 10_000, "more": [{}, {"a": []}]})
    growing = GrowingJson()
    for at in range(0, len(text), 7):
        assert growing.fits(text[at : at + 7])
    assert growing.whole
    assert read == [len(text)]


def test_a_number_beyond_all_bounds_is_in_no_object() -> None:
    assert object_of('{"n": 1e308}') == {"n": 1e308}
    assert object_of('{"n": [1e999]}') is None
    assert object_of('{"n": -1e999}') is None
