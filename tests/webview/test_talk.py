"""Prompts, chats, agents and modes, and what becomes of calls."""

import pytest

from assent.editor.protocol import chats, happenings
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser


TALK = scenes.chat(items=scenes.TALK)
EMPTY = scenes.chat(title="New chat")


def write(stage: Stage, text: str) -> None:
    stage.at("composer").fill(text)
    stage.let_pass(20)


def test_enter_sends_and_shift_enter_does_not(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[EMPTY]))
    stage.at("composer").press_sequentially("two")
    stage.at("composer").press("Shift+Enter")
    stage.at("composer").press_sequentially("lines")
    stage.at("composer").press("Control+Enter")
    stage.let_pass(20)
    assert stage.requests("agent/prompt") == []
    stage.at("composer").press("Enter")
    stage.let_pass(20)

    [prompt] = stage.requests("agent/prompt")
    assert prompt["params"] == {"chatId": "chat-1", "text": "two\nlines"}
    assert stage.at("composer").input_value() == ""


def test_an_enter_that_ends_a_composition_sends_nothing(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[EMPTY]))
    write(stage, "日本")
    stage.at("composer").evaluate(
        """(each) => each.dispatchEvent(new KeyboardEvent("keydown",
             { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))"""
    )
    stage.let_pass(20)

    assert stage.requests("agent/prompt") == []


def test_a_prompt_that_was_not_taken_comes_back(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[EMPTY]))
    write(stage, "hello")
    stage.arm()
    stage.at("send").click()
    stage.let_pass(20)
    stage.answer(stage.asked("agent/prompt"), error="Claude Code did not start.")

    assert stage.at("composer").input_value() == "hello"
    assert stage.at("note").inner_text().startswith("Claude Code did not start.")


def test_why_a_message_was_not_taken_is_said_once(stage: Stage) -> None:
    why = "Claude Code could not be started: there is no program `claude` on the PATH."
    stage.open(scenes.snapshot(talks=[EMPTY]))
    write(stage, "hello")
    stage.arm()
    stage.at("send").click()
    stage.let_pass(20)
    notice = chats.Notice(kind="notice", level="error", text=why, at=0)
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.Noticed(notice=notice)))
    stage.answer(stage.asked("agent/prompt"), error=why)

    assert stage.at("composer").input_value() == "hello"
    assert stage.at("notice").count() == 1
    assert stage.at("note").count() == 0


def test_the_first_prompt_opens_a_chat_with_the_chosen_agent_and_mode(stage: Stage) -> None:
    stage.open(scenes.snapshot())
    stage.at("agent-select").select_option("claude")
    stage.at("mode-select").select_option("plan")
    write(stage, "hello")
    stage.arm()
    stage.at("send").click()
    stage.let_pass(20)
    assert stage.requests("agent/newChat")[0]["params"] == {"agentId": "claude", "mode": "plan"}
    stage.answer(stage.asked("agent/newChat"), {"chatId": "chat-9"})
    opened = scenes.chat("chat-9", title="New chat", mode="plan")
    stage.tell("agent/event", scenes.event(1, "chat-9", happenings.ChatOpened(chat=opened)))

    assert stage.requests("agent/prompt")[0]["params"] == {"chatId": "chat-9", "text": "hello"}
    assert stage.posted("looks")[-1]["title"] == "New chat with Claude Code"
    assert stage.page.locator(".chats .name").inner_text() == "New chat with Claude Code"
    assert stage.at("mode-select").input_value() == "plan"


@pytest.mark.requirement("N-01")
def test_the_mode_is_the_servers_and_changes_when_it_says_so(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[EMPTY]))
    labels = stage.at("mode-select").locator("option").all_inner_texts()
    assert labels == ["Plan", "Ask every time", "Default", "Accept edits", "Auto"]
    assert stage.at("mode-select").input_value() == "default"
    stage.at("mode-select").select_option("auto")
    stage.let_pass(20)
    [asked] = stage.requests("agent/setMode")
    assert asked["params"] == {"chatId": "chat-1", "mode": "auto"}
    assert stage.at("mode-select").input_value() == "default"
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.ModeSet(mode="auto")))

    assert stage.at("mode-select").input_value() == "auto"
    # It is marked as a bypass is, and as easily left.
    strip = stage.at("auto-strip")
    assert "runs most things here unasked" in strip.inner_text()
    assert strip.get_attribute("data-level") == "error"
    stage.at("leave-auto").click()
    stage.let_pass(20)
    [*_, asked] = stage.requests("agent/setMode")
    assert asked["params"] == {"chatId": "chat-1", "mode": "default"}
    stage.tell("agent/event", scenes.event(2, "chat-1", happenings.ModeSet(mode="default")))
    assert stage.at("auto-strip").count() == 0


def test_another_agent_gets_a_chat_of_its_own(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[TALK]))
    stage.at("agent-select").select_option("eliza")
    stage.let_pass(20)
    assert stage.requests("agent/newChat") == []
    stage.at("offer-new-chat").click()
    stage.let_pass(20)

    assert stage.requests("agent/newChat")[0]["params"] == {"agentId": "eliza"}


def test_an_empty_chat_gives_way_to_another_agents(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[EMPTY]))
    stage.at("agent-select").select_option("eliza")
    stage.let_pass(20)
    stage.answer(stage.asked("agent/newChat"), {"chatId": "chat-2"})
    opened = scenes.chat("chat-2", agent_id="eliza", agent_name="Eliza", title="New chat")
    stage.tell("agent/event", scenes.event(1, "chat-2", happenings.ChatOpened(chat=opened)))

    assert stage.requests("agent/closeChat")[0]["params"] == {"chatId": "chat-1"}
    assert stage.at("agent-select").input_value() == "eliza"


@pytest.mark.requirement("T-08")
def test_stop_says_that_it_denies_what_waits(stage: Stage) -> None:
    asked = [tickets.edit("a"), tickets.edit("b"), tickets.edit("c", chat_id="chat-2")]
    talk = scenes.chat(items=scenes.TALK, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=asked))
    assert stage.at("stop").inner_text() == "Stop"
    assert "denies what waits" in (stage.at("stop").get_attribute("title") or "")
    stage.arm()
    stage.at("stop").click()
    stage.let_pass(20)

    assert stage.requests("agent/stop")[0]["params"] == {"chatId": "chat-1"}


def test_a_chat_can_be_closed_unasked_where_nothing_runs(stage: Stage) -> None:
    other = scenes.chat("chat-2", title="Another")
    stage.open(scenes.snapshot(talks=[other, TALK]))
    assert stage.at("close-chat").get_attribute("aria-label") == "Close this chat"
    stage.arm()
    stage.at("close-chat").click()
    stage.let_pass(20)
    assert stage.requests("agent/closeChat")[0]["params"] == {"chatId": "chat-1"}
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.ChatClosed()))

    assert stage.posted("looks")[-1]["title"] == "Another"


@pytest.mark.requirement("T-08")
def test_closing_a_chat_at_work_says_what_it_stops_and_denies(stage: Stage) -> None:
    asked = [tickets.edit("a"), tickets.edit("b"), tickets.edit("c", chat_id="chat-2")]
    talk = scenes.chat(items=scenes.TALK, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=asked))

    says = "Close this chat: stops Claude Code and denies 2 calls"
    assert stage.at("close-chat").get_attribute("aria-label") == says
    assert stage.at("close-chat").get_attribute("title") == says


def test_the_editor_can_choose_the_chat_that_is_shown(stage: Stage) -> None:
    other = scenes.chat("chat-2", title="Another")
    stage.open(scenes.snapshot(talks=[other, TALK]))
    stage.say({"kind": "showChat", "chatId": "chat-2"})
    stage.let_pass(20)

    assert stage.at("chat-select").input_value() == "chat-2"


def test_what_an_agent_died_of_is_drawn_once(stage: Stage) -> None:
    why = "Claude Code ended with exit code 3."
    stage.open(scenes.snapshot(talks=[EMPTY]))
    write(stage, "hello")
    stage.arm()
    stage.at("send").click()
    stage.let_pass(20)
    [eliza, claude, codex] = scenes.AGENTS
    gone = claude.model_copy(update={"state": "failed", "because": why})
    agents = happenings.AgentsChanged(agents=[eliza, gone, codex])
    stage.tell("agent/event", scenes.event(1, None, agents))
    notice = chats.Notice(kind="notice", level="error", text=why, at=0)
    stage.tell("agent/event", scenes.event(2, "chat-1", happenings.Noticed(notice=notice)))
    ended = happenings.TurnEnded(reason="error", because=why)
    stage.tell("agent/event", scenes.event(3, "chat-1", ended))
    stage.answer(stage.asked("agent/prompt"), {"reason": "error", "because": why})

    assert stage.at("notice").inner_text().endswith(why)
    assert stage.at("notice").count() == 1
    assert stage.at("agent-state").count() == 0
    assert stage.at("note").count() == 0
    assert stage.at("live").inner_text() == why


def test_a_turn_that_failed_says_why_where_nothing_else_does(stage: Stage) -> None:
    why = "Claude Code could not go on: log in first."
    stage.open(scenes.snapshot(talks=[EMPTY]))
    write(stage, "hello")
    stage.arm()
    stage.at("send").click()
    stage.let_pass(20)
    ended = happenings.TurnEnded(reason="error", because=why)
    stage.tell("agent/event", scenes.event(1, "chat-1", ended))
    stage.answer(stage.asked("agent/prompt"), {"reason": "error", "because": why})

    assert stage.at("note").inner_text().startswith(why)


@pytest.mark.parametrize(("agent", "shown"), [("eliza", 0), ("claude", 1)])
def test_an_agent_that_asks_by_itself_is_marked_so_and_eliza_is_not(
    stage: Stage, agent: str, shown: int
) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(agent_id=agent, gate="advisory")]))
    marks = stage.page.get_by_title("This agent asks by itself; Assent cannot make it.")

    assert marks.count() == shown


def test_the_header_says_how_many_tools_pass_the_gate_as_they_are_called(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat()]))
    mark = stage.page.locator("[data-gate]")
    assert mark.inner_text() == "Gate verified"
    for seq, passed in enumerate((1, 2), 1):
        seen = happenings.GateSeen(gate="verified", passed=passed, tools=2)
        stage.tell("agent/event", scenes.event(seq, "chat-1", seen))
        assert mark.inner_text() == f"Gate verified · {passed} of 2"

    assert "Tools called here that pass the gate: 2 of 2." in (mark.get_attribute("title") or "")


@pytest.mark.requirement("T-07")
def test_a_call_of_another_chat_says_so_and_leads_there(stage: Stage) -> None:
    other = scenes.chat("chat-2", title="Another", items=scenes.TALK)
    ticket = tickets.edit(chat_id="chat-2")
    stage.open(scenes.snapshot(talks=[other, TALK], tickets=[ticket]))
    assert stage.at("chat-select").input_value() == "chat-1"
    stage.page.get_by_role("button", name="in “Make the parser tests pass”").click()
    stage.let_pass(20)

    assert stage.at("chat-select").input_value() == "chat-2"


@pytest.mark.requirement("S-05", "T-13")
def test_a_question_of_the_workspace_folds_into_a_record_in_any_chat(stage: Stage) -> None:
    ticket = tickets.trust()
    stage.open(scenes.snapshot(talks=[TALK], tickets=[ticket]))
    told = scenes.settled(1, ticket, outcome="refused", because="You kept being asked")
    stage.tell("tool/approvalSettled", told)

    record = stage.at("record").last
    assert record.get_attribute("data-approval-id") == ticket.approval_id
    assert "You kept being asked" in record.inner_text()


@pytest.mark.requirement("S-05", "T-13")
@pytest.mark.parametrize(
    ("by", "because", "words"),
    [
        ("user", "You denied it: “use the docs”", "Denied"),
        ("timeout", "Nobody answered in time, so it was not run.", "Nobody answered"),
        ("stop", "You stopped the agent, so it was not run.", "Stopped"),
    ],
)
def test_a_decided_call_folds_into_one_line_that_says_how(
    stage: Stage, by: str, because: str, words: str
) -> None:
    ticket = tickets.edit()
    waits = scenes.record("w", ticket.card.title, state="waiting", approval_id=ticket.approval_id)
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[waits])], tickets=[ticket]))
    told = scenes.settled(1, ticket, outcome="refused", by=by, because=because)
    stage.tell("tool/approvalSettled", told)
    refused = waits.model_copy(update={"state": "refused", "by": by, "because": because})
    moved = happenings.CallMoved(entry=0, call=refused)
    stage.tell("agent/event", scenes.event(2, "chat-1", moved))

    record = stage.at("record")
    assert stage.at("dock").count() == 0
    assert record.get_attribute("data-state") == "refused"
    line = record.locator("summary").inner_text()
    assert words in line
    assert because in line


def test_a_running_call_shows_what_it_prints(stage: Stage) -> None:
    runs = scenes.record("w", tickets.plain("Run ls"), state="running")
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[runs], running=True)]))
    printed = happenings.CallPrinted(call_id="call-w", append="\u001b[1mREADME.md\u001b[0m\n<b>\n")
    stage.tell("agent/event", scenes.event(1, "chat-1", printed))
    stage.at("record").click()

    assert stage.at("record").locator("pre").inner_text() == "README.md\n<b>\n"


@pytest.mark.requirement("S-03")
def test_a_bypass_is_shown_for_as_long_as_it_holds_and_can_be_ended(stage: Stage) -> None:
    free = [scenes.AGENTS[0].model_copy(update={"bypassed": True}), *scenes.AGENTS[1:]]
    stage.open(scenes.snapshot(talks=[TALK], agents=free))
    stage.at("ask-again").click()
    stage.let_pass(20)
    assert stage.requests("agent/bypass")[0]["params"] == {"agentId": "eliza", "on": False}
    assert stage.at("bypass-strip").is_visible()
    stage.tell("agent/event", scenes.event(1, None, happenings.AgentsChanged(agents=scenes.AGENTS)))

    assert stage.at("bypass-strip").count() == 0


def test_an_agent_that_failed_says_why(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(agent_id="codex", agent_name="Codex")]))

    assert "codex-acp was not found" in stage.at("agent-state").inner_text()


def test_a_newcomer_is_told_what_to_try(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(agent_id="eliza", agent_name="Eliza")]))
    stage.page.get_by_role("button", name="two calls").click()
    stage.let_pass(20)

    assert stage.at("composer").input_value() == "two calls"
    assert stage.at("composer").evaluate("(each) => each === document.activeElement")
    assert stage.requests("agent/prompt") == []
