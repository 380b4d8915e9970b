"""With whom a newcomer begins: what is there, what is to be had, and each with its one button."""

from typing import Any

import pytest

from assent.editor.protocol import beginning, chats, offers
from webview import own, scenes, tickets
from webview.stage import Stage

pytestmark = [pytest.mark.browser, pytest.mark.walk]

BARE = own.AGENTS[0].model_copy(
    update={"models": [], "state": "failed", "because": "No model is set up."}
)
ALONE = [scenes.AGENTS[0], BARE]
MORE = chats.ModelInfo(id="ollama/tiny", name="tiny (Ollama)")
SIZES = [{"width": 260, "height": 700}, {"width": 420, "height": 900}]
ABSENT = "Ollama does not run on this machine."


def offer(name: str, where: str) -> offers.AgentOffer:
    told: dict[str, Any] = {"says": "", "source": where, "added": False}
    return offers.AgentOffer(id=name.lower(), name=name, version="1.2.3", **told)


def ways(**more: Any) -> Any:
    told: dict[str, Any] = {
        "found": [],
        "lacking": ABSENT,
        "on_path": [offer("Codex", "/usr/bin/codex")],
        "offered": [offer("Gemini CLI", "npm: @google/gemini-cli")],
        "more": 29,
        **more,
    }
    return tickets.wire(beginning.Beginnings(**told))


FOUND = ways(
    found=[
        beginning.FoundModels(
            name="Ollama", says="on this machine, 2 models", models=[own.QWEN, MORE]
        )
    ],
    lacking="",
)


def begin(stage: Stage, answer: Any, theme: str = "dark-2026", language: str = "en") -> None:
    stage.open(scenes.snapshot(talks=[], agents=ALONE), theme=theme, language=language)
    stage.answer(stage.asked("start/look"), answer)


def buttons(stage: Stage) -> list[str]:
    found = stage.at("start").get_by_role("button")
    return [str(each.get_attribute("aria-label")) for each in found.all()]


@pytest.mark.requirement("T-01")
def test_a_newcomer_sees_what_is_there_first_and_each_with_its_button(stage: Stage) -> None:
    begin(stage, FOUND)
    assert buttons(stage) == [
        "Use Ollama: qwen3:8b (Ollama)",
        "Add a model with a key or an address",
        "Start Codex",
        "Install Gemini CLI",
        "Show all agents of the registry",
        "Try Eliza",
    ]
    assert stage.at("start").locator(".first").count() == 1, "one is primary"
    assert "npm, 1.2.3" in stage.at("start").inner_text()
    assert stage.at("agent-state").count() == 0, "what is offered is not told as a failure too"


@pytest.mark.requirement("T-01")
def test_a_model_that_is_there_is_used_by_one_press_and_talked_to(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[], agents=own.AGENTS))
    stage.at("choose").click()
    stage.let_pass(20)
    stage.answer(stage.asked("start/look"), FOUND)
    stage.at("start-found").get_by_role("button").click()
    stage.let_pass(20)
    assert stage.page.evaluate("document.activeElement.dataset.testid") == "composer"
    stage.page.keyboard.type("hello")
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    [asked] = stage.requests("agent/newChat")
    assert asked["params"] == {"agentId": "assent", "model": own.QWEN.id}


def test_without_an_ollama_a_sentence_says_so_and_it_is_looked_for_again(stage: Stage) -> None:
    begin(stage, ways())
    lacking = stage.at("start-lacking")
    assert ABSENT in lacking.inner_text()
    assert stage.at("start-add-model").locator(".first").count() == 1
    lacking.get_by_role("button").click()
    stage.let_pass(20)
    stage.answer(stage.asked("start/look"), FOUND)
    assert lacking.count() == 0
    assert stage.at("start-found").count() == 1


def test_what_the_editor_must_ask_is_handed_to_it_by_name(stage: Stage) -> None:
    begin(stage, ways())
    for name in ("start-add-model", "start-agent", "start-all"):
        stage.at(name).first.get_by_role("button").click()
    stage.let_pass(20)
    assert [(it["command"], it.get("about")) for it in stage.posted("runCommand")] == [
        ("addModel", None),
        ("addAgent", "codex"),
        ("addAgent", None),
    ]


def test_a_server_that_cannot_say_it_leaves_what_needs_no_answer(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[], agents=ALONE))
    assert stage.at("start").get_attribute("aria-busy") == "true"
    stage.answer(stage.asked("start/look"), error="It did not answer in time.")
    assert "It did not answer in time." in stage.at("start-lacking").inner_text()
    assert stage.at("start-add-model").is_visible()
    assert len(stage.requests("start/look")) == 1, "it is not asked for again and again"


def test_where_somebody_is_there_it_is_one_button_and_leads_back(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[], agents=own.AGENTS))
    assert stage.requests("start/look") == []
    stage.at("choose").click()
    stage.let_pass(20)
    stage.answer(stage.asked("start/look"), ways())
    stage.at("start-back").click()
    stage.let_pass(20)
    assert stage.at("start").count() == 0
    assert stage.page.evaluate("document.activeElement.dataset.testid") == "composer"


def test_whoever_comes_to_be_there_takes_its_place(stage: Stage) -> None:
    begin(stage, ways())
    stage.say({"kind": "beginWith", "agentId": "assent", "modelId": own.CODER.id})
    stage.let_pass(20)
    assert stage.at("start").count() == 0


def test_a_chat_whose_agent_has_no_model_offers_to_add_one(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[own.chat()], agents=ALONE))
    stage.at("remedy").click()
    stage.let_pass(20)
    assert [it["command"] for it in stage.posted("runCommand")] == ["addModel"]


@pytest.mark.parametrize("stage", [{"width": 300, "height": 400}], indirect=True)
def test_in_little_room_it_begins_at_its_top(stage: Stage) -> None:
    begin(stage, FOUND)
    stage.draw()
    assert stage.page.evaluate("document.querySelector('.log').scrollTop") == 0
    assert stage.page.evaluate(
        "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)"
        "(document.querySelector('.log'))"
    )


@pytest.mark.parametrize(
    "stage", [{"width": 260, "height": 700}, {"width": 420, "height": 900}], indirect=True
)
def test_axe_finds_nothing_and_all_of_it_is_reached_by_keyboard(stage: Stage) -> None:
    begin(stage, FOUND)
    assert stage.faults_in_every_theme() == []
    wide = stage.page.evaluate("document.querySelector('.log').scrollWidth <= innerWidth")
    assert wide, "nothing stands beyond the view's edge"
    reached = set()
    for _ in range(30):
        stage.page.keyboard.press("Tab")
        reached.add(stage.page.evaluate("document.activeElement.ariaLabel"))
    assert set(buttons(stage)) <= reached
