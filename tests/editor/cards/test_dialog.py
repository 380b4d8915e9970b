"""A card as a dialog: nothing of it is lost that would be allowed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from assent.editor.cards.dialog import MAX_DIALOG_LETTERS, SAID, UNSAID, dialog_of
from assent.editor.cards.spans import plain, text_of
from assent.editor.protocol.approvals import ApprovalRequest
from assent.editor.protocol.card import Card, ShellBody, Touch
from editor.protocol.golden import examples
from tables import each_row

CARDS = [
    pytest.param(ApprovalRequest.model_validate_json(json.dumps(it["params"])).card, id=it["name"])
    for it in examples("tool/approvalRequest")
]


def _texts(told: Any) -> Iterator[str]:
    """Each text that is drawn: of a list of spans, what a person reads."""
    match told:
        case {"text": text, "shown": shown, "kind": _}:
            yield shown or text
        case dict():
            for value in told.values():
                yield from _texts(value)
        case list():
            for value in told:
                yield from _texts(value)


def test_each_member_of_a_card_is_said_or_left_out_on_purpose() -> None:
    assert set(Card.model_fields) == SAID | UNSAID.keys()
    assert not SAID & UNSAID.keys()


@each_row("card", CARDS)
def test_what_can_be_allowed_is_said_whole_and_never_high(card: Card) -> None:
    dialog = dialog_of(card)
    assert dialog is not None
    assert len(dialog.text) <= MAX_DIALOG_LETTERS
    if not any(it.kind == "allowOnce" for it in card.options):
        assert dialog.yes is None
        return
    if dialog.yes is None:
        assert card.level == "high" or "can only be denied" in dialog.text
        return
    assert card.level != "high"
    drawn = card.model_dump()
    shown = {name: drawn[name] for name in ("title", "body", "members", "touches")}
    for text in _texts(shown):
        for line in text.splitlines():
            assert line in dialog.text
    for touch in card.touches:
        assert f"{touch.name}: " in dialog.text or touch.name == "Folder"
    assert card.because.text in dialog.text


def _touching(name: str, text: str) -> Card:
    """The first card, as one that touches something."""
    card: Card = CARDS[0].values[0]
    return card.model_copy(update={"touches": [Touch(name=name, text=plain(text))]})


def test_a_file_behind_a_link_is_named_where_reading_it_can_be_allowed() -> None:
    dialog = dialog_of(_touching("Reads outside the workspace", "~/.ssh/id_rsa"))
    assert dialog is not None
    assert dialog.yes is not None
    assert "\nReads outside the workspace: ~/.ssh/id_rsa\n" in dialog.text


@each_row("name", ["Reads", "Deletes", "Folder"])
def test_what_is_done_to_the_folder_of_a_command_is_said_and_the_folder_once(name: str) -> None:
    card: Card = CARDS[0].values[0]
    assert isinstance(card.body, ShellBody)
    dialog = dialog_of(_touching(name, text_of(card.body.cwd)))
    assert dialog is not None
    assert (f"\n{name}: " in dialog.text) is (name != "Folder")
    assert f"\nin {text_of(card.body.cwd)}\n" in dialog.text


def test_what_touches_more_than_a_dialog_shows_can_only_be_denied() -> None:
    dialog = dialog_of(_touching("Reads", "a" * MAX_DIALOG_LETTERS))
    assert dialog is not None
    assert dialog.yes is None
    assert "can only be denied" in dialog.text


def test_a_line_break_in_what_is_touched_makes_no_line_of_the_dialog() -> None:
    dialog = dialog_of(_touching("Reads", "a\nReads: b"))
    assert dialog is not None
    assert "\nReads: b" not in dialog.text


def test_a_card_of_one_letter_too_many_can_only_be_denied() -> None:
    card: Card = CARDS[0].values[0]
    dialog = dialog_of(card)
    assert dialog is not None
    assert dialog.yes is not None
    room = MAX_DIALOG_LETTERS - len(dialog.text)
    for more, allowed in ((room, True), (room + 1, False)):
        because = card.because.model_copy(update={"text": card.because.text + "x" * more})
        longer = dialog_of(card.model_copy(update={"because": because}))
        assert longer is not None
        assert (longer.yes is not None) is allowed
        assert len(longer.text) <= MAX_DIALOG_LETTERS


def test_what_is_high_can_only_be_denied_however_short_it_is() -> None:
    card: Card = CARDS[0].values[0]
    dialog = dialog_of(card.model_copy(update={"level": "high"}))
    assert dialog is not None
    assert dialog.yes is None
    assert "can only be denied" in dialog.text


def test_a_card_without_a_no_makes_no_dialog() -> None:
    card: Card = CARDS[0].values[0]
    assert dialog_of(card.model_copy(update={"options": card.options[:1]})) is None
