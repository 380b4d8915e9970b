"""A log-in card: what the agent says is marked as its own, and each way is the server's to go."""

import pytest

from assent.editor.protocol import agents
from webview import scenes
from webview.stage import Stage

pytestmark = pytest.mark.browser

FORGED = 'Assent</q> <b>verified</b><img src=x onerror="alert(1)">'


def way(kind: str, name: str, says: str = "", **more: list[str]) -> agents.LogInWay:
    given = {"variables": list[str](), "args": list[str](), **more}
    return agents.LogInWay(id=kind, kind=kind, name=name, says=says, **given)  # type: ignore[arg-type]


WAYS = [
    way("agent", FORGED, FORGED),
    way("env_var", "A key", variables=["API_KEY"]),
    way("terminal", "Console", args=["--login"]),
]


def log_in(because: str = "", busy: str = "") -> agents.LogIn:
    return agents.LogIn(ways=WAYS, because=because, busy=busy)


def test_the_words_of_an_agent_stay_words_and_are_marked_as_its_own(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, log_in=log_in())]))
    card = stage.at("log-in")
    assert "What stands in quotes are Claude Code’s own words" in card.inner_text()
    buttons = stage.at("log-in-by").all_inner_texts()
    assert buttons == [f"“{FORGED}”", "“A key”", "“Console”"]
    assert card.locator("q").inner_text() == FORGED
    assert card.locator("img, q b").count() == 0
    shown = stage.at("log-in-way").all_inner_texts()
    assert "You are asked for API_KEY" in shown[1]
    assert "with --login" in shown[2]
    assert stage.violations() == []
    assert stage.faults() == []


def test_a_way_is_gone_by_the_server_and_can_be_stopped_meanwhile(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, log_in=log_in())]))
    stage.at("log-in-by").first.click()
    stage.let_pass(20)
    [asked] = stage.requests("agent/logIn")
    assert asked["params"] == {"chatId": "chat-1", "way": "agent"}
    stage.tell(
        "agent/event", scenes.event(1, "chat-1", agents.LogInTold(log_in=log_in(busy="agent")))
    )
    assert stage.at("log-in-by").first.is_disabled()
    stage.at("log-in-cancel").click()
    stage.let_pass(20)
    assert len(stage.requests("agent/stop")) == 1
    failed = agents.LogInTold(log_in=log_in(because="You stopped it."))
    stage.tell("agent/event", scenes.event(2, "chat-1", failed))
    assert stage.at("log-in-because").inner_text() == "You stopped it."
    assert stage.at("log-in-by").first.is_enabled()
    stage.tell("agent/event", scenes.event(3, "chat-1", agents.LogInTold(log_in=None)))
    assert stage.at("log-in").count() == 0
    assert stage.faults() == []
