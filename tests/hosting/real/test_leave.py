"""Real agents that are let do more, by a card or a mode; a restart; and two of them at once."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from editor.wire.scene import Stage
from hosting.real.hosted import BOUND, Hosted, opened
from hosting.real.known import KNOWN, Known, Use
from hosting.real.model import Model
from hosting.real.script import script

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

EACH = pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
TITLED = pytest.mark.parametrize(
    "known", [it for it in KNOWN.values() if it.is_hooked], ids=lambda it: it.id
)
"""Those whose commands a rule or a grant may cover; Gemini's are its own words."""


def running(known: Known, it: Hosted, model: Model, command: str) -> Use:
    """The tool by which it runs a command."""
    tool, given = known.uses(it.scene.folder, model)["shell"]
    (name,) = [each for each in given if each in {"command", "cmd"}]
    return tool, {**given, name: command}


async def carded(it: Hosted, use: Use) -> tuple[Any, "asyncio.Future[Any]"]:
    """The card that a call raises, and its turn."""
    seen = {card.approval_id for card in it.cards}
    turn = it.scene.say(it.chat, script(use))
    card = await it.scene.client.expect(
        "tool/approvalRequest", lambda told: told.approval_id not in seen, timeout=BOUND
    )
    it.cards.append(card)
    return card, turn


@TITLED
@pytest.mark.parametrize("kind", ["allowChat", "allowAlways"])
async def test_what_is_let_for_longer_is_asked_no_second_time_and_nothing_else_is_let(
    stage: Stage, model: Model, known: Known, home: Path, kind: str
) -> None:
    it = await opened(stage, model, known, home)
    use = running(known, it, model, "touch made")
    card, turn = await carded(it, use)
    (offered,) = [each for each in card.card.options if each.kind == kind]
    more = {"rules": list(offered.rules), "scope": "workspace"} if offered.rules else {}
    await it.scene.answer(card, offered.id, **more)
    async with asyncio.timeout(BOUND):
        await turn
    (it.scene.folder / "made").unlink()
    rows = await it.use(*use)
    assert [row["kind"] for row in rows if row["kind"] == "asked"] == []
    assert it.made() == {"made"}
    card, turn = await carded(it, running(known, it, model, "mkdir other"))
    await it.scene.answer(card, "deny")
    async with asyncio.timeout(BOUND):
        await turn
    assert it.made() == {"made"}
    assert it.notices("error") == []


@EACH
@pytest.mark.parametrize("way", ["auto", "bypass"])
async def test_a_person_who_stops_being_asked_is_not_and_each_call_is_in_the_journal(
    stage: Stage, model: Model, known: Known, home: Path, way: str
) -> None:
    it = await opened(stage, model, known, home)
    request = it.scene.client.request
    if way == "auto":
        await request("agent/setMode", {"chatId": it.chat, "mode": "auto"})
    else:
        await request("agent/bypass", {"agentId": known.id, "on": True})
    uses = known.uses(it.scene.folder, model)
    for kind in ("write", "shell", "compound"):
        rows = await it.use(*uses[kind])
        decided = [row["body"]["outcome"] for row in rows if row["kind"] == "decided"]
        assert "allowed" in decided
    assert it.made() == {"new.txt", "made", "more"}
    assert it.scene.client.told("tool/approvalRequest") == []
    assert it.notices("error") == []


@EACH
async def test_a_server_that_is_killed_with_a_card_open_lets_nothing_run_and_the_next_asks_anew(
    stage: Stage, model: Model, known: Known, home: Path
) -> None:
    it = await opened(stage, model, known, home)
    use = running(known, it, model, f"touch {it.scene.folder}/made")
    _, turn = await carded(it, use)
    it.scene.client.process.kill()
    await it.scene.client.ended()
    turn.cancel()
    scene = await stage(editor=it.scene.editor, folder=it.scene.folder, env={"HOME": str(home)})
    assert it.made() == set()
    later = Hosted(scene=scene, agent=known.id, chat=await scene.chat(known.id))
    card, turn = await carded(later, use)
    await scene.answer(card, "once")
    async with asyncio.timeout(BOUND):
        await turn
    assert later.made() == {"made"}
    outcomes = [row["body"]["outcome"] for row in later.rows() if row["kind"] == "decided"]
    assert outcomes.count("allowed") == 1
    assert "refused" in outcomes


async def test_two_agents_at_once_are_asked_about_apart(
    stage: Stage, model: Model, home: Path
) -> None:
    one = await opened(stage, model, KNOWN["claude"], home)
    agents = one.scene.editor.layers["user"]["agents"]
    entry = KNOWN["copilot"].entry(home, model)
    await one.scene.change_settings(user={"agents": {**agents, "copilot": entry}})
    other = Hosted(scene=one.scene, agent="copilot", chat=await one.scene.chat("copilot"))
    cards = [
        await carded(it, running(KNOWN[it.agent], it, model, f"touch {it.agent}"))
        for it in (one, other)
    ]
    assert [card.chat_id for card, _ in cards] == [one.chat, other.chat]
    for (card, _), answer in zip(cards, ("deny", "once"), strict=True):
        await one.scene.answer(card, answer)
    async with asyncio.timeout(BOUND):
        await asyncio.gather(*(turn for _, turn in cards))
    assert one.made() == {"copilot"}
