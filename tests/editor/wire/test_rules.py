"""Rules that a person writes from a card, or by hand, over a real server."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage

requirement = pytest.mark.requirement

ALWAYS = "always"


def an_editor(tmp_path: Path, word: str = "nothing", **layers: dict[str, Any]) -> Editor:
    """An editor that keeps its settings on the disk; its person presses what begins so."""
    return Editor(
        layers=layers,
        files={
            "user": tmp_path / "user" / "settings.json",
            "workspace": tmp_path / "workspace" / ".vscode" / "settings.json",
        },
        choose=lambda asked: next((it for it in asked.actions if it.startswith(word)), None),
    )


def taking_out(row: Any) -> dict[str, Any]:
    """What asks to take out a row of the list."""
    said = {"rule": row.rule, "verdict": row.verdict, "scope": row.scope, "id": row.id}
    return said | ({"chatId": row.chat_id} if row.chat_id else {})


async def listed(scene: Scene) -> list[Any]:
    """The rows of the list."""
    return list((await scene.client.request("policy/rules", {})).rules)


async def opened(stage: Stage, editor: Editor) -> Scene:
    editor.save()
    return await stage(editor)


async def goes_on_refusing(scene: Scene, chat: str, banner: str) -> None:
    """Whoever writes nonsense into settings lifts nothing that they said before, and is told."""
    await scene.tell_of_change()
    await scene.turn(chat, "run rm README.md")
    assert (scene.folder / "README.md").exists()
    turn = scene.say(chat, "run touch made")
    await scene.answer(await scene.card(), "deny")
    await turn
    snapshot = (await scene.client.request("agent/subscribe", {"viewId": "v"})).snapshot
    assert any(banner in it for it in snapshot.banners)


def option(ticket: Any, kind: str) -> Any:
    return next(it for it in ticket.card.options if it.kind == kind)


async def always(scene: Scene, ticket: Any, scope: str = "workspace", **changed: Any) -> Any:
    """Answer a card with its suggestion."""
    offered = option(ticket, changed.pop("kind", "allowAlways"))
    answer = {"rules": list(offered.rules), "scope": scope, **changed}
    return await scene.answer(ticket, offered.id, **answer)


@requirement("T-04")
@pytest.mark.parametrize("scope", ["workspace", "user"])
async def test_an_always_is_written_and_the_next_call_passes_by_the_rule(
    stage: Stage, tmp_path: Path, scope: str
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    rules = option(ticket, "allowAlways").rules
    assert (await always(scene, ticket, scope)).outcome == "allowed"
    await turn
    assert scene.editor.layers[scope]["rules"] == {"allow": rules}
    assert scene.editor.confirmed == []
    await scene.turn(chat, "run touch made")
    row = scene.rows("decided")[-1]["body"]
    assert (row["by"], row["outcome"]) == ("rule", "allowed")
    assert row["rule"] in rules
    assert "line " in row["because"]
    assert len(scene.client.told("tool/approvalRequest")) == 1


@requirement("T-04")
async def test_a_rule_keeps_what_stands_there_and_closes_the_other_card_that_it_covers(
    stage: Stage, tmp_path: Path
) -> None:
    there = {"allow": ["shell(make:*)"], "deny": ["shell(npm publish:*)"]}
    scene = await opened(stage, an_editor(tmp_path, user={"rules": there}))
    first, second = await scene.chat(), await scene.chat()
    turns = [scene.say(first, "run touch made"), scene.say(second, "run touch made")]
    one = await scene.card()
    other = await scene.card(lambda told: told.approval_id != one.approval_id)
    assert (await always(scene, one, "user")).outcome == "allowed"
    settled = await scene.settled(other)
    assert (settled.outcome, settled.by) == ("allowed", "rule")
    assert "line " in settled.because
    for turn in turns:
        await turn
    written = scene.editor.layers["user"]["rules"]
    assert written["deny"] == there["deny"]
    assert written["allow"][0] == "shell(make:*)"
    assert len(written["allow"]) > 1


@requirement("S-09")
async def test_a_rule_for_a_chat_is_written_nowhere_and_ends_with_it(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    assert (await always(scene, await scene.card(), "chat")).outcome == "allowed"
    await turn
    await scene.turn(chat, "run touch made")
    assert scene.editor.written == []
    other = await scene.chat()
    scene.say(other, "run touch made")
    ticket = await scene.card()
    assert ticket.chat_id == other
    await scene.answer(ticket, "deny")


@requirement("T-05")
async def test_never_allow_is_written_and_refuses_from_then_on(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    assert (await always(scene, ticket, "user", kind="denyAlways")).outcome == "refused"
    await turn
    assert list(scene.editor.layers["user"]["rules"]) == ["deny"]
    await scene.turn(chat, "run touch made")
    assert not (scene.folder / "made").exists()
    assert len(scene.client.told("tool/approvalRequest")) == 1


async def test_deny_for_this_chat_refuses_the_same_without_a_card(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    assert (await scene.answer(ticket, option(ticket, "denyChat").id)).outcome == "refused"
    await turn
    await scene.turn(chat, "run touch made")
    assert len(scene.client.told("tool/approvalRequest")) == 1
    assert scene.rows("decided")[-1]["body"]["by"] == "rule"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"rules": ["bash(touch:*)"]}, "is no rule"),
        ({"rules": ["shell(npm test)"]}, "do not settle this call"),
        ({"rules": []}, "no rule in this answer"),
        ({"scope": None}, "does not say where"),
    ],
)
async def test_an_always_that_would_not_do_leaves_the_card_open(
    stage: Stage, tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    scene = await opened(stage, an_editor(tmp_path, "Always"))
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    kept = await always(scene, ticket, **changed)
    assert kept.kind == "stillOpen"
    assert said in kept.because
    assert scene.editor.written == []
    await scene.answer(ticket, "deny")
    await turn


async def test_a_rule_wider_than_what_was_suggested_is_asked_about_by_the_editor(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    kept = await always(scene, ticket, "user", rules=["shell(*)", "write(*)"])
    assert kept.kind == "stillOpen"
    assert "shell(*)" in scene.editor.confirmed[0].detail
    assert scene.editor.written == []
    scene.editor.choose = lambda asked: asked.actions[0]
    applied = await always(scene, ticket, "user", rules=["shell(*)", "write(*)"])
    assert applied.outcome == "allowed"
    await turn


@pytest.mark.parametrize("how", ["refuses", "keeps"])
async def test_a_rule_that_the_editor_does_not_write_does_not_hold(
    stage: Stage, tmp_path: Path, how: str
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    if how == "refuses":
        scene.editor.refuses = frozenset({"settings/write"})
    else:
        scene.editor.keeps = False
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    applied = await always(scene, await scene.card())
    assert (applied.kind, applied.outcome) == ("applied", "allowed")
    assert "asked again" in applied.because
    await turn
    turn = scene.say(chat, "run touch made")
    await scene.answer(await scene.card(), "deny")
    await turn


async def test_a_rule_that_a_repository_ships_is_a_question_and_one_that_denies_holds_at_once(
    stage: Stage, tmp_path: Path
) -> None:
    shipped = {"allow": ["shell(touch:*)"], "deny": ["shell(rm:*)"]}
    scene = await opened(stage, an_editor(tmp_path, workspace={"rules": shipped}))
    wish = await scene.card(lambda told: told.chat_id is None)
    assert wish.card.body.kind == "trust"
    chat = await scene.chat()
    await scene.turn(chat, "run rm README.md")
    assert (scene.folder / "README.md").exists()
    turn = scene.say(chat, "run touch made")
    await scene.answer(await scene.card(lambda told: told.chat_id == chat), "deny")
    await turn
    assert not (scene.folder / "made").exists()


async def test_an_untrusted_workspace_is_offered_nothing_that_lasts(
    stage: Stage, tmp_path: Path
) -> None:
    editor = an_editor(tmp_path)
    editor.trusted = False
    scene = await opened(stage, editor)
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    assert {it.kind for it in ticket.card.options} == {"allowOnce", "denyOnce", "denyTell"}
    await scene.answer(ticket, "deny")
    await turn


@requirement("T-04")
async def test_a_preview_tells_what_rules_would_do(stage: Stage, tmp_path: Path) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    await scene.answer(await scene.card(), "once")
    await turn
    turn = scene.say(chat, "run touch other")
    ticket = await scene.card()
    offered = option(ticket, "allowAlways")
    asked = {"approvalId": ticket.approval_id, "optionId": offered.id}
    told = await scene.client.request(
        "tool/previewRules", {**asked, "rules": ["shell(touch:*)", "write(*)", "nonsense"]}
    )
    assert [bool(it.problem) for it in told.rules] == [False, False, True]
    assert not told.covers
    told = await scene.client.request("tool/previewRules", {**asked, "rules": list(offered.rules)})
    assert told.covers
    assert told.of == 1
    for wrong in ({"approvalId": "nobody"}, {"optionId": "once"}):
        with pytest.raises(Refusal):
            await scene.client.request("tool/previewRules", {**asked, "rules": [], **wrong})
    await scene.answer(ticket, "deny")
    await turn


@requirement("T-04")
async def test_rules_are_listed_with_where_they_stand_and_can_be_taken_out(
    stage: Stage, tmp_path: Path
) -> None:
    rules = {"allow": ["shell(touch:*)", "write(./**)"], "deny": ["shell(rm:*)"]}
    scene = await opened(stage, an_editor(tmp_path, user={"rules": rules}))
    chat = await scene.chat()
    await scene.turn(chat, "run rm README.md")
    by_text = {it.rule: it for it in await listed(scene)}
    assert by_text["shell(rm:*)"].uses == 1
    assert (by_text["shell(rm:*)"].verdict, by_text["shell(rm:*)"].scope) == ("deny", "user")
    assert by_text["shell(touch:*)"].line is not None
    taken = taking_out(by_text["shell(rm:*)"])
    await scene.client.request("policy/remove", taken)
    assert scene.editor.layers["user"]["rules"]["deny"] == []
    with pytest.raises(Refusal, match="no such rule"):
        await scene.client.request("policy/remove", taken)


def switching(row: Any, *, on: bool) -> dict[str, Any]:
    """What asks to switch a row of the list."""
    return {"verdict": row.verdict, "scope": row.scope, "id": row.id, "on": on}


async def switch(scene: Scene, text: str, *, on: bool) -> None:
    """Switch the rule of that text."""
    row = next(it for it in await listed(scene) if it.rule == text)
    await scene.client.request("policy/switch", switching(row, on=on))


@requirement("T-04")
@pytest.mark.parametrize("scope", ["workspace", "user"])
async def test_a_rule_that_allows_asks_again_while_it_is_switched_off(
    stage: Stage, tmp_path: Path, scope: str
) -> None:
    scene = await opened(stage, an_editor(tmp_path, "Switch it on"))
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    rule = option(ticket, "allowAlways").rules[0]
    await always(scene, ticket, scope)
    await turn
    for it in option(ticket, "allowAlways").rules:
        await switch(scene, it, on=False)
    assert scene.editor.confirmed == [], "who tightens is not asked"
    assert scene.editor.layers[scope]["rules"]["allow"][0] == {"rule": rule, "off": True}
    turn = scene.say(chat, "run touch made")
    await scene.answer(await scene.card(lambda it: it.approval_id != ticket.approval_id), "deny")
    await turn
    row = next(it for it in await listed(scene) if it.rule == rule)
    assert (row.on, row.problem, row.uses, row.scope) == (False, None, 0, scope)
    assert "line" in row.where
    for it in option(ticket, "allowAlways").rules:
        await switch(scene, it, on=True)
    assert scene.editor.layers[scope]["rules"]["allow"][0] == rule
    assert rule in scene.editor.confirmed[0].detail
    await scene.turn(chat, "run touch made")
    assert scene.rows("decided")[-1]["body"]["by"] == "rule"
    said = [row["body"]["value"][0] for row in scene.rows("noted") if "value" in row["body"]]
    assert f"switched off: allow {rule}" in said
    assert any(it.startswith("switched on: allow ") for it in said)


@requirement("T-05")
async def test_a_rule_that_denies_is_switched_off_only_after_a_second_yes(
    stage: Stage, tmp_path: Path
) -> None:
    kept = {"rule": "shell(rm:*)", "why": "Nothing goes."}
    editor = an_editor(tmp_path, user={"rules": {"deny": ["shell(x)", kept]}})
    scene = await opened(stage, editor)
    chat = await scene.chat()
    with pytest.raises(Refusal, match="drew back"):
        await switch(scene, "shell(rm:*)", on=False)
    assert scene.editor.written == []
    assert "deny shell(rm:*)" in scene.editor.confirmed[0].detail
    editor.choose = lambda asked: asked.actions[0]
    await switch(scene, "shell(rm:*)", on=False)
    assert editor.layers["user"]["rules"] == {"deny": ["shell(x)", {**kept, "off": True}]}
    turn = scene.say(chat, "run rm README.md")
    await scene.answer(await scene.card(), "deny")
    await turn
    editor.choose = lambda _: None
    await switch(scene, "shell(rm:*)", on=True)
    assert editor.layers["user"]["rules"] == {"deny": ["shell(x)", kept]}
    await scene.turn(chat, "run rm README.md")
    assert len(scene.client.told("tool/approvalRequest")) == 1


@requirement("S-03")
async def test_nothing_is_loosened_by_a_switch_in_a_workspace_that_is_not_trusted(
    stage: Stage, tmp_path: Path
) -> None:
    rules = {"deny": ["shell(rm:*)"], "allow": ["shell(ls:*)"]}
    editor = an_editor(tmp_path, "Switch", user={"rules": rules})
    editor.trusted = False
    scene = await opened(stage, editor)
    with pytest.raises(Refusal, match="do not trust"):
        await switch(scene, "shell(rm:*)", on=False)
    await switch(scene, "shell(ls:*)", on=False)
    with pytest.raises(Refusal, match="do not trust"):
        await switch(scene, "shell(ls:*)", on=True)
    assert editor.confirmed == []
    assert editor.layers["user"]["rules"]["deny"] == ["shell(rm:*)"]


@requirement("S-03")
async def test_a_workspace_switches_off_no_rule_of_the_persons(
    stage: Stage, tmp_path: Path
) -> None:
    off = {"rule": "shell(rm:*)", "off": True}
    mine, theirs = {"deny": ["shell(rm:*)"]}, {"deny": [off], "ask": [off], "allow": [off]}
    editor = an_editor(tmp_path, user={"rules": mine}, workspace={"rules": theirs})
    scene = await opened(stage, editor)
    await scene.turn(await scene.chat(), "run rm README.md")
    assert (scene.folder / "README.md").exists()
    assert scene.client.told("tool/approvalRequest") == []


async def test_what_is_switched_is_the_rule_that_was_listed_or_none(
    stage: Stage, tmp_path: Path
) -> None:
    shipped = {"allow": ["shell(make:*)", {"rule": "shell(*)", "off": True}]}
    editor = an_editor(tmp_path, "Switch", user={"rules": {"deny": ["shell(rm:*)"]}})
    editor.layers["workspace"] = {"rules": shipped}
    scene = await opened(stage, editor)
    rows = {it.rule: it for it in await listed(scene)}
    # A list that nobody has agreed to is not agreed to by one of its rules.
    with pytest.raises(Refusal, match="not agreed"):
        await scene.client.request("policy/switch", switching(rows["shell(*)"], on=True))
    assert rows["shell(make:*)"].on is None
    stale = switching(rows["shell(rm:*)"], on=False)
    await scene.client.request("policy/switch", stale)
    with pytest.raises(Refusal, match="no such rule"):
        await scene.client.request("policy/switch", stale)
    assert editor.layers["workspace"] == {"rules": shipped}


async def test_always_switches_on_what_was_switched_off(stage: Stage, tmp_path: Path) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    rules = list(option(ticket, "allowAlways").rules)
    off = [{"rule": it, "off": True} for it in rules]
    scene.editor.layers["user"] = {"rules": {"allow": ["shell(ls)", *off]}}
    scene.editor.save()
    await always(scene, ticket, "user")
    await turn
    assert scene.editor.layers["user"]["rules"] == {"allow": ["shell(ls)", *rules]}


async def test_a_ruling_is_explained_and_nothing_is_run(stage: Stage, tmp_path: Path) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    told = await scene.client.request(
        "policy/explain", {"tool": "shell", "input": {"command": "ls && touch made"}}
    )
    assert told.verdict == "ask"
    assert [part.verdict for part in told.parts] == ["allow", "ask"]
    assert not (scene.folder / "made").exists()


@requirement("T-12")
async def test_a_broken_rule_is_marked_in_its_file_until_it_is_mended(
    stage: Stage, tmp_path: Path
) -> None:
    broken = {"rules": {"allow": ["shell(ls)", "shell(git *)"]}}
    scene = await opened(stage, an_editor(tmp_path, user=broken))
    uri = scene.editor.files["user"].as_uri()
    (problem,) = marked(scene, uri)[-1]
    lines = scene.editor.files["user"].read_text("utf-8").splitlines()
    assert "git *" in lines[problem["range"]["start"]["line"]]
    assert problem["source"] == "Assent"
    await scene.change_settings(user={"rules": {"allow": ["shell(ls)"]}})
    assert marked(scene, uri)[-1] == []
    times = len(marked(scene, uri))
    await scene.change_settings(user={"rules": {"allow": ["shell(ls)", "shell(pwd)"]}})
    assert len(marked(scene, uri)) == times


def marked(scene: Scene, uri: str) -> list[list[Any]]:
    """What was told to be wrong with a file, each time that it was told."""
    told = scene.client.told("textDocument/publishDiagnostics")
    return [it["diagnostics"] for it in told if it["uri"] == uri]


@requirement("T-12")
async def test_a_refusal_that_cannot_be_read_makes_its_tool_ask(
    stage: Stage, tmp_path: Path
) -> None:
    rules = {"allow": ["shell(touch:*)", "write(./**)"], "deny": ["shell(git *)"]}
    scene = await opened(stage, an_editor(tmp_path, user={"rules": rules}))
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    await scene.answer(ticket, "deny")
    await turn
    snapshot = (await scene.client.request("agent/subscribe", {"viewId": "v"})).snapshot
    assert any("git *" in banner for banner in snapshot.banners)


async def test_settings_that_cannot_be_read_any_more_go_on_refusing(
    stage: Stage, tmp_path: Path
) -> None:
    rules = {"allow": ["shell(touch:*)", "write(./**)"], "deny": ["shell(rm:*)"]}
    scene = await opened(stage, an_editor(tmp_path, user={"rules": rules}))
    chat = await scene.chat()
    scene.editor.layers["user"]["rules"] = "all of them"
    await scene.change_settings()
    await scene.turn(chat, "run rm README.md")
    assert (scene.folder / "README.md").exists()
    turn = scene.say(chat, "run touch made")
    await scene.answer(await scene.card(), "deny")
    await turn


@requirement("T-04")
async def test_a_rule_of_yours_does_not_carry_along_what_the_workspace_ships(
    stage: Stage, tmp_path: Path
) -> None:
    shipped = {"allow": ["shell(rm:*)"]}
    scene = await opened(stage, an_editor(tmp_path, "Always", workspace={"rules": shipped}))
    await scene.card(lambda told: told.chat_id is None)
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    kept = await always(scene, ticket)
    assert (kept.kind, scene.editor.written) == ("stillOpen", [])
    assert "not agreed to" in kept.because
    assert (await always(scene, ticket, "user")).outcome == "allowed"
    await turn
    turn = scene.say(scene.chats[0], "run rm README.md")
    await scene.answer(await scene.card(), "deny")
    await turn


@requirement("T-04")
async def test_a_rule_that_is_taken_out_asks_again_and_the_others_stay(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    for command in ("run touch made", "run mkdir folder"):
        turn = scene.say(chat, command)
        assert (await always(scene, await scene.card())).outcome == "allowed"
        await turn
    for _ in [it for it in await listed(scene) if "touch" in it.rule]:
        # A mark is good for the list that it came with: what is taken out moves the others up.
        row = next(it for it in await listed(scene) if "touch" in it.rule)
        await scene.client.request("policy/remove", taking_out(row))
    await scene.turn(chat, "run mkdir folder")
    turn = scene.say(chat, "run touch made")
    ticket = await scene.card()
    assert ticket.chat_id == chat
    await scene.answer(ticket, "deny")
    await turn


async def test_a_refusal_of_yours_does_not_carry_it_along_either(
    stage: Stage, tmp_path: Path
) -> None:
    shipped = {"allow": ["shell(rm:*)"]}
    scene = await opened(stage, an_editor(tmp_path, workspace={"rules": shipped}))
    await scene.card(lambda told: told.chat_id is None)
    chat = await scene.chat()
    turn = scene.say(chat, "run touch made")
    denied = await always(scene, await scene.card(), kind="denyAlways")
    assert denied.outcome == "refused"
    await turn
    assert scene.editor.layers["workspace"]["rules"]["deny"]
    turn = scene.say(chat, "run rm README.md")
    ticket = await scene.card(lambda told: told.chat_id == chat)
    await scene.answer(ticket, "deny")
    await turn


@requirement("T-04")
@pytest.mark.parametrize("scope", ["user", "workspace"])
async def test_of_two_answers_at_once_both_rules_are_written(
    stage: Stage, tmp_path: Path, scope: str
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    scene.editor.compares = False
    first, second = await scene.chat(), await scene.chat()
    turns = [scene.say(first, "run touch made"), scene.say(second, "run mkdir folder")]
    one = await scene.card()
    other = await scene.card(lambda told: told.approval_id != one.approval_id)
    kinds = {one.approval_id: "allowAlways", other.approval_id: "denyAlways"}
    receipts = await asyncio.gather(
        *(always(scene, it, scope, kind=kinds[it.approval_id]) for it in (one, other))
    )
    assert {it.outcome for it in receipts} == {"allowed", "refused"}
    for turn in turns:
        await turn
    written = scene.editor.layers[scope]["rules"]
    assert written["allow"]
    assert written["deny"]


async def test_a_refusal_that_is_saved_by_hand_while_a_rule_is_written_stays(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    by_hand = {"deny": ["shell(npm publish:*)"]}

    def save_once() -> None:
        scene.editor.layers["user"] = {"rules": dict(by_hand)}
        scene.editor.meanwhile = lambda: None

    scene.editor.meanwhile = save_once
    turn = scene.say(await scene.chat(), "run touch made")
    assert (await always(scene, await scene.card(), "user")).because.startswith("You allowed it")
    await turn
    written = scene.editor.layers["user"]["rules"]
    assert written["deny"] == by_hand["deny"]
    assert written["allow"]
    noted = [it for it in scene.rows("noted") if it["body"].get("setting") == "assent.rules"]
    assert len(noted) == 1


async def test_a_list_that_changes_again_and_again_is_not_written_over(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    saved: list[str] = []

    def save() -> None:
        saved.append(f"shell(x{len(saved)})")
        scene.editor.layers["workspace"] = {"rules": {"deny": list(saved)}}

    scene.editor.meanwhile = save
    turn = scene.say(await scene.chat(), "run touch made")
    applied = await always(scene, await scene.card())
    assert "asked again" in applied.because
    assert "changed meanwhile" in applied.because
    await turn
    assert scene.editor.layers["workspace"]["rules"] == {"deny": ["shell(x0)", "shell(x1)"]}


async def test_where_the_settings_cannot_be_read_any_more_nothing_is_written(
    stage: Stage, tmp_path: Path
) -> None:
    rules = {"deny": ["shell(rm:*)"]}
    scene = await opened(stage, an_editor(tmp_path, user={"rules": rules}))
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    scene.editor.refuses = frozenset({"settings/inspect"})
    applied = await always(scene, ticket, "user")
    assert "could not be read" in applied.because
    await turn
    assert (scene.editor.written, scene.editor.layers["user"]["rules"]) == ([], rules)


@pytest.mark.parametrize("rule", ["shell(git log -p:*)", "shell(git log --output:*)"])
async def test_a_suggestion_with_an_option_added_is_asked_about_by_the_editor(
    stage: Stage, tmp_path: Path, rule: str
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    scene.editor.choose = lambda asked: asked.actions[0]
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    rules = [*option(ticket, "allowAlways").rules, rule]
    assert (await always(scene, ticket, "user", rules=rules)).outcome == "allowed"
    assert rule in scene.editor.confirmed[0].detail
    await turn


async def test_only_the_row_that_was_chosen_is_taken_out(stage: Stage, tmp_path: Path) -> None:
    both = ["shell(touch:*)", {"rule": "shell(touch:*)", "agent": "eliza"}]
    scene = await opened(stage, an_editor(tmp_path, user={"rules": {"deny": both}}))
    whole, limited = [it for it in await listed(scene) if it.rule == "shell(touch:*)"]
    await scene.client.request("policy/remove", taking_out(limited))
    assert scene.editor.layers["user"]["rules"]["deny"] == both[:1]
    scene.editor.layers["user"]["rules"]["deny"] = ["shell(rm:*)"]
    with pytest.raises(Refusal, match="any more"):
        await scene.client.request("policy/remove", taking_out(whole))
    assert scene.editor.layers["user"]["rules"]["deny"] == ["shell(rm:*)"]


@requirement("T-12")
@pytest.mark.parametrize("broken", ['{"assent.rules": {"deny": ["shell(rm', "nothing", "[1]"])
async def test_a_settings_file_that_cannot_be_read_goes_on_refusing_and_a_banner_says_so(
    stage: Stage, tmp_path: Path, broken: str
) -> None:
    rules = {"allow": ["shell(touch:*)", "write(./**)"], "deny": ["shell(rm:*)"]}
    scene = await opened(stage, an_editor(tmp_path, user={"rules": rules}))
    chat = await scene.chat()
    # The editor takes such a file for an empty one.
    scene.editor.layers["user"] = {}
    scene.editor.files["user"].write_text(broken, encoding="utf-8")
    await goes_on_refusing(scene, chat, "settings.json could not be read")


@requirement("T-12")
async def test_a_folder_in_the_place_of_a_settings_file_makes_every_call_ask(
    stage: Stage, tmp_path: Path
) -> None:
    editor = an_editor(tmp_path)
    del editor.files["user"]
    editor.files["workspace"].mkdir(parents=True)
    unsaved = Editor(layers=editor.layers, files=dict(editor.files))
    scene = await stage(unsaved)
    turn = scene.say(await scene.chat(), "run ls")
    await scene.answer(await scene.card(), "deny")
    await turn


@requirement("T-12")
@pytest.mark.parametrize("broken", [0, 1])
async def test_of_several_folders_each_ones_broken_settings_go_on_refusing(
    stage: Stage, tmp_path: Path, broken: int
) -> None:
    files = [tmp_path / name / ".vscode" / "settings.json" for name in ("a", "b")]
    for file in files:
        file.parent.mkdir(parents=True)
        file.write_text("{}", encoding="utf-8")
    allows = {"rules": {"allow": ["shell(touch:*)", "write(./**)"]}}
    editor = Editor(
        layers={"user": allows, "folder": {"rules": {"deny": ["shell(rm:*)"]}}}, folders=files
    )
    scene = await stage(editor)
    chat = await scene.chat()
    # The editor takes such a file for an empty one, and tells of the other as before.
    editor.layers["folder"] = {}
    files[broken].write_text('{"assent.rules": {"deny": ["shell(rm', encoding="utf-8")
    await goes_on_refusing(scene, chat, f"{files[broken]} could not be read")


@requirement("T-04")
async def test_a_rule_that_would_switch_the_others_off_is_not_written(
    stage: Stage, tmp_path: Path
) -> None:
    there = [f"shell(x{number})" for number in range(50)]
    scene = await opened(stage, an_editor(tmp_path, workspace={"rules": {"allow": there}}))
    wish = await scene.card(lambda told: told.chat_id is None)
    scene.editor.choose = lambda asked: asked.actions[0]
    await scene.answer(wish, "grant")
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card(lambda told: told.chat_id is not None)
    kept = await always(scene, ticket)
    assert (kept.kind, scene.editor.written) == ("stillOpen", [])
    assert "more than 50" in kept.because
    await scene.answer(ticket, "deny")
    await turn


async def test_a_rule_that_does_not_hold_is_listed_with_why(stage: Stage, tmp_path: Path) -> None:
    own = {"allow": ["shell(git *)", "shell(touch:*)"], "deny": ["shell(touch:*)"]}
    shipped = {"allow": ["shell(make:*)"]}
    editor = an_editor(tmp_path, user={"rules": own}, workspace={"rules": shipped})
    scene = await opened(stage, editor)
    rows = {(it.rule, it.verdict): it for it in await listed(scene)}
    assert "cannot be used" in rows["shell(git *)", "allow"].problem
    assert "never counts" in rows["shell(touch:*)", "allow"].problem
    assert "not agreed" in rows["shell(make:*)", "allow"].problem
    assert rows["shell(touch:*)", "deny"].problem is None
    await scene.client.request("policy/remove", taking_out(rows["shell(git *)", "allow"]))
    assert scene.editor.layers["user"]["rules"]["allow"] == ["shell(touch:*)"]


@requirement("S-09")
async def test_what_was_said_for_a_chat_is_taken_out_one_by_one(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    chat = await scene.chat()
    for command in ("run touch made", "run mkdir folder"):
        turn = scene.say(chat, command)
        await scene.answer(await scene.card(), "denyChat")
        await turn
    one, other = await listed(scene)
    assert (one.rule, one.scope) == (other.rule, other.scope)
    await scene.client.request("policy/remove", taking_out(one))
    assert [it.id for it in await listed(scene)] == [other.id]
    with pytest.raises(Refusal, match="any more"):
        await scene.client.request("policy/remove", taking_out(one))


async def test_the_journal_names_the_rules_of_an_answer_and_where_they_hold(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await opened(stage, an_editor(tmp_path))
    turn = scene.say(await scene.chat(), "run touch made")
    ticket = await scene.card()
    await always(scene, ticket, "chat")
    await turn
    because = scene.rows("decided")[-1]["body"]["because"]
    assert option(ticket, "allowAlways").rules[0] in because
    assert "this chat" in because
