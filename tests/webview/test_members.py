"""All that a card says is drawn: each text of each card that the server makes, and its record."""

from pathlib import Path
from typing import Any, Final

import pytest

from assent.agent.tools.registry import BELT
from assent.agent.tools.schema import schema_of
from assent.editor.cards.members import kept_of
from assent.editor.cards.spans import text_of
from assent.editor.protocol.card import Card, ShellBody
from assent.gate.call.calls import Call
from editor.cards.schemas import BASES, drawn, equipped, filled, texts_in, theirs
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser

SETS: Final = {
    "FOO": "bar",
    "LD_PRELOAD": "/tmp/x.so",
    "EMPTY": "",
    "HIDDEN": "a\u202eb",
    "LONG": "x" * 5_000,
}


def calls(root: Path) -> dict[str, Call]:
    """One call of each tool of ours with every member, and one of each kind of others'."""
    (root / "one").mkdir()
    (root / "a.txt").write_text("old")
    work = equipped(root)
    found = {
        tool.name: work.wants(tool.name, **filled(tool.name, schema_of(tool.arguments))[0]).call
        for tool in BELT
    }
    edit = [{"old": "old", "new": "new", "all": True}]
    found["edit that fits"] = work.wants("edit_file", path="a.txt", edits=edit).call
    found["variables"] = work.wants(
        "run_command", command="make all", env=SETS, timeout_seconds=30, background=True
    ).call
    odd: dict[str, Any] = {"odd": {"deep": ["one", "y" * 3_000]}, "description": "it says so"}
    for name, (raw, more) in BASES.items():
        found[f"theirs: {name}"] = theirs(root, raw, more)
        found[f"theirs: {name}, with more"] = theirs(root, {**raw, **odd}, more)
    return found


def without_blanks(text: str) -> str:
    return "".join(text.split())


def in_parts(card: Card) -> str | None:
    """A command of several parts, each of which is drawn by itself, with what is said of it."""
    if not isinstance(card.body, ShellBody) or len(card.body.parts) < 2:
        return None
    return without_blanks("".join(text_of(it.text) for it in card.body.parts))


@pytest.mark.requirement("S-04", "T-02")
def test_every_text_of_every_card_is_drawn(stage: Stage, tmp_path: Path) -> None:
    stage.open(scenes.snapshot())
    for seq, (name, call) in enumerate(calls(tmp_path).items(), start=1):
        ticket = tickets.asked(f"t{seq}", drawn(call), chat_id=None)
        stage.ask(2 * seq - 1, ticket)
        stage.arm()
        if stage.at("open-middle").count() > 0:
            stage.at("open-middle").first.click()
            stage.let_pass(20)
        if stage.at("why").count() > 0:
            stage.at("why").click()
            stage.let_pass(20)
        shown = without_blanks(stage.at("card").text_content() or "")
        missing = {without_blanks(it) for it in texts_in(ticket.card)} - {in_parts(ticket.card)}
        assert (name, [it for it in missing if it not in shown]) == (name, [])
        closed = stage.page.locator(".card [data-testid=members]").evaluate_all(
            "(all) => all.filter((each) => each.closest('details:not([open])') !== null).length"
        )
        assert (name, closed) == (name, 0)
        stage.tell("tool/approvalSettled", scenes.settled(2 * seq, ticket))


@pytest.mark.requirement("S-04", "T-02")
def test_a_record_keeps_what_was_asked_for(stage: Stage, tmp_path: Path) -> None:
    call = calls(tmp_path)["variables"]
    rows = kept_of(call)
    record = scenes.record("r", tickets.plain("Run make all"), members=rows)
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[record])]))
    stage.at("record").locator("summary").click()
    shown = without_blanks(stage.at("record-members").inner_text())

    assert len(rows) == 1 + len(SETS) + 2
    for row in rows:
        assert without_blanks(text_of(row.name)) in shown
        assert without_blanks(text_of(row.value)) in shown


@pytest.mark.requirement("T-02")
def test_a_long_value_is_opened_before_it_can_be_allowed(stage: Stage, tmp_path: Path) -> None:
    stage.open(scenes.snapshot())
    stage.ask(1, tickets.asked("t", drawn(calls(tmp_path)["variables"]), chat_id=None))
    stage.arm()
    assert stage.at("allow-once").is_disabled()
    stage.at("open-middle").first.click()
    stage.arm()

    assert "x" * 5_000 in stage.at("card-body").inner_text()
