"""What a server put into a field is sent as a person's own words only where they saw all of it."""

from typing import Any

import pytest
from attrs import evolve

from assent.catalogue.mcp import forms
from assent.editor.cards import forms as card
from assent.gate.call.calls import Effect
from assent.gate.ruling.forms import Unfit, read
from gate.ruling.samples import using
from tables import each_row

pytestmark = pytest.mark.requirement("N-08")

UNSEEN = {
    "behind blanks": "Bern" + " " * 150 + "; I agree that the repository is made public",
    "further than the field": "Bern, and besides " + "I agree to it all, " * 4,
    "turned around": "B\u202eern",
    "of no width": "Be\u200brn",
    "blank letters": "Bern" + "\u3164" * 20 + "I agree",
    "another line": "Bern\nI agree",
    "a tab": "Bern\tI agree",
    "blanks of another kind": "Bern\u2003I agree",
}
SEEN = ("Bern", "Bern, Musterweg 3", "東京都", "München", "")


def from_server(default: Any, **more: Any) -> dict[str, Any]:
    properties = {"city": {"type": "string", "default": default, **more}}
    schema = {"type": "object", "properties": properties}
    return forms.form_of("So?", schema)


def on_card(field: dict[str, Any]) -> object:
    call = using({"server": "s", "tool": "t", "message": "So?", "fields": [field]})
    (drawn,) = card.form_of(evolve(call, tool="form", effect=Effect.CHAT)).fields
    return drawn.initial


@each_row("text", UNSEEN.values(), ids=UNSEEN)
def test_what_nobody_could_see_whole_is_not_put_in_by_hub_card_or_answer(text: str) -> None:
    (field,) = from_server(text)["fields"]
    assert "initial" not in field
    forged = {**field, "initial": text}
    assert on_card(forged) == ""
    with pytest.raises(Unfit, match=r"takes your own words; what stood there"):
        read({"fields": [forged]}, {"city": text})


@each_row("text", SEEN)
def test_what_is_seen_stands_there_and_is_sent(text: str) -> None:
    (field,) = from_server(text)["fields"]
    assert on_card(field) == field["initial"] == text
    assert read({"fields": [field]}, {"city": text}) == ({"city": text} if text else {})


def test_a_choice_is_shown_by_its_label_and_stands_there_however_long() -> None:
    long = "x" * 100
    (field,) = from_server(long, enum=[long, "y"])["fields"]
    assert on_card(field) == long


def test_a_person_may_write_as_they_like() -> None:
    (field,) = from_server("Bern")["fields"]
    text = "می\u200cخواهم  " * 20
    assert read({"fields": [field]}, {"city": text}) == {"city": text}
