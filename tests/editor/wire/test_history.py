"""Records of the journal over a real server: replayed, made rules of, and taken back."""

from pathlib import Path
from typing import Any

import pytest

from assent.gate.journal.marked_sentences import in_english
from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage
from editor.wire.test_rules import always, an_editor, opened
from gate.journal.database import tamper

requirement = pytest.mark.requirement


async def listed(scene: Scene, **asked: Any) -> list[Any]:
    """The rows of the page."""
    page = await scene.client.request("history/list", {"filter": asked} if asked else {})
    return list(page.rows)


def ref(row: Any) -> dict[str, Any]:
    return {"recordId": row.record_id, "hash": row.hash}


async def shown(scene: Scene, row: Any) -> Any:
    return await scene.client.request("history/show", ref(row))


async def denied(scene: Scene, command: str) -> Any:
    """A command that somebody denied; the row of it."""
    chat = await scene.chat()
    turn = scene.say(chat, f"run {command}")
    await scene.answer(await scene.card(), "deny")
    await turn
    return (await listed(scene))[0]


def told(rows: Any) -> dict[str, str]:
    return {
        "".join(it.text for it in row.name): "".join(it.text for it in row.value) for row in rows
    }


@requirement("S-10")
async def test_a_record_tells_what_was_kept_and_is_ruled_on_again_without_running(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    row = await denied(scene, "touch made")
    assert (row.outcome, row.by, row.was_asked) == ("refused", "user", True)
    record = await shown(scene, row)
    assert told(record.members)["command"] == "touch made"
    assert told(record.members)["In the folder"] == str(scene.folder)
    facts = told(record.facts)
    assert facts["Workspace"] == str(scene.folder)
    assert {"Agent", "Asked because", "Answered after", "Card shown for"} <= set(facts)
    assert (record.is_whole, record.replay.verdict) == (True, "ask")
    assert not (scene.folder / "made").exists()


@requirement("S-10")
async def test_a_record_has_its_card_as_it_was_shown(stage: Stage, tmp_path: Path) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made && ls -l")
    asked = await scene.card()
    await scene.answer(asked, "deny")
    await turn
    (row,) = [it for it in await listed(scene) if it.outcome]
    record = await shown(scene, row)
    assert record.card == asked.card
    assert 0 < record.shown_at <= row.at
    assert record.card_note == ""
    tamper(scene.state / "pictures.db", "update pictures set picture = x'00'")
    record = await shown(scene, row)
    assert record.card is None
    assert "not the one that was shown" in record.card_note
    tamper(scene.state / "pictures.db", "delete from pictures")
    assert (await shown(scene, row)).card_note == "Its card is not kept any more."


@requirement("S-10")
async def test_a_call_that_was_not_asked_about_has_no_card(stage: Stage, tmp_path: Path) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    await scene.turn(chat, "read README.md")
    (row,) = [it for it in await listed(scene) if it.outcome]
    record = await shown(scene, row)
    assert (row.was_asked, record.card, record.card_note) == (False, None, "")


@requirement("S-10")
async def test_a_rule_is_made_of_a_record_and_holds_and_is_revoked_again(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path, "Take them out"))
    row = await denied(scene, "touch made")
    (rule,) = (await shown(scene, row)).deny
    wanted = {**ref(row), "verdict": "deny", "rules": [rule]}
    preview = await scene.client.request("history/previewRule", wanted)
    assert (preview.covers, preview.matched, preview.denied) == (True, 1, 1)
    await scene.client.request("history/makeRule", {**wanted, "scope": "user"})
    assert scene.editor.layers["user"]["rules"] == {"deny": [rule]}
    assert scene.editor.confirmed == []

    record = await shown(scene, row)
    assert record.replay.verdict == "deny"
    assert "user settings" in record.replay.source
    assert [(it.rule, it.verdict, it.holds) for it in record.gave] == [(rule, "deny", True)]
    await scene.change_settings(user={"rules": {"deny": [{"rule": rule, "off": True}]}})
    assert [it.holds for it in (await shown(scene, row)).gave] == [False]
    await scene.client.request("history/revoke", ref(row))
    assert len(scene.editor.confirmed) == 1
    assert scene.editor.layers["user"]["rules"] == {"deny": []}
    record = await shown(scene, row)
    assert (record.replay.verdict, record.gave[0].holds) == ("ask", False)
    with pytest.raises(Refusal, match="stands anywhere any more"):
        await scene.client.request("history/revoke", ref(row))


@requirement("S-10")
async def test_what_an_always_wrote_is_revoked_from_its_record(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    await always(scene, await scene.card())
    await turn
    (row,) = [it for it in await listed(scene) if it.outcome]
    record = await shown(scene, row)
    (given,) = record.gave
    assert (given.verdict, given.holds) == ("allow", True)
    assert "Always allow" in told(record.facts)["Answer"]
    # To tighten takes no second question.
    await scene.client.request("history/revoke", ref(row))
    assert scene.editor.confirmed == []
    assert scene.editor.layers["workspace"]["rules"] == {"allow": []}


@requirement("S-10")
@pytest.mark.parametrize(
    ("word", "change", "because"),
    [
        ("nothing", {}, "You drew back"),
        ("Always", {"rules": ["shell(ls)"]}, "do not settle this call"),
        ("Always", {"rules": ["shell("]}, "never closed"),
        ("Always", {"rules": []}, "no rule to write"),
        ("Always", {"hash": "0" * 64}, "look at the list again"),
    ],
)
async def test_a_rule_that_allows_takes_a_gesture_and_must_settle_the_call(
    stage: Stage, tmp_path: Path, word: str, change: dict[str, Any], because: str
) -> None:
    scene = await opened(stage, an_editor(tmp_path, word))
    row = await denied(scene, "touch made")
    wanted = {**ref(row), "verdict": "allow", "rules": ["shell(touch:*)"], "scope": "user"}
    with pytest.raises(Refusal, match=because):
        await scene.client.request("history/makeRule", {**wanted, **change})
    assert scene.editor.layers.get("user", {}) == {}


@requirement("S-10")
async def test_nothing_is_made_of_a_record_where_the_workspace_is_not_trusted(
    stage: Stage,
) -> None:
    scene = await stage(Editor(trusted=False, choose=lambda asked: asked.actions[0]))
    row = await denied(scene, "touch made")
    wanted = {**ref(row), "verdict": "allow", "rules": ["shell(touch:*)"], "scope": "user"}
    with pytest.raises(Refusal, match="do not trust"):
        await scene.client.request("history/makeRule", wanted)


@requirement("S-10")
async def test_what_is_always_allowed_from_a_record_passes_after_its_chat_is_closed(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path, "Always allow"))
    row = await denied(scene, "touch made")
    (chat,) = {it.chat_id for it in scene.client.told("tool/approvalRequest")}
    await scene.client.request("agent/closeChat", {"chatId": chat})
    (rule,) = (await shown(scene, row)).allow
    wanted = {**ref(row), "verdict": "allow", "rules": [rule]}
    assert (await scene.client.request("history/previewRule", wanted)).covers
    await scene.client.request("history/makeRule", {**wanted, "scope": "user"})
    assert len(scene.editor.confirmed) == 1
    assert (await shown(scene, row)).replay.verdict == "allow"
    await scene.turn(await scene.chat(), "run touch made")
    assert (scene.folder / "made").exists()


@requirement("S-10")
async def test_insights_tell_of_the_workspace_s_own_questions_and_of_rules_that_could_go(
    stage: Stage, tmp_path: Path
) -> None:
    rules = {"deny": ["shell(wget:*)", {"rule": "shell(curl:*)", "off": True}]}
    scene = await opened(stage, an_editor(tmp_path, user={"rules": rules}))
    await denied(scene, "touch <made>")
    page = in_english((await scene.client.request("history/insights", {})).html)
    assert "<b>1</b>questions" in page
    assert "touch &lt;made&gt;" in page
    assert "shell(wget:*)" in page
    assert "nothing for 60 days" in page
    assert "shell(curl:*)" in page
    assert page.count("It is switched off.") == 1
    assert "<made>" not in page
    assert "<b>0</b>questions" not in page


@requirement("S-10")
async def test_a_rule_that_insights_propose_is_written_only_by_a_gesture(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path, "Always allow"))
    chat = await scene.chat()
    for _ in range(3):
        turn = scene.say(chat, "run npm test")
        await scene.answer(await scene.card(lambda it: it.chat_id == chat), "once")
        await turn
    page = await scene.client.request("history/insights", {})
    (proposed,) = page.proposals
    assert proposed.saved == 3
    assert scene.editor.written == []
    wanted = {
        "recordId": proposed.record.record_id,
        "hash": proposed.record.hash,
        "verdict": "allow",
        "rules": [proposed.rule],
        "scope": "user",
    }
    await scene.client.request("history/makeRule", wanted)
    assert len(scene.editor.confirmed) == 1
    assert scene.editor.layers["user"]["rules"]["allow"] == [proposed.rule]
    assert (await scene.client.request("history/insights", {})).proposals == []
