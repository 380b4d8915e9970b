"""What the view does over time: streams, gaps, reloads, prompts, chats, dead servers."""

import pytest

from webview import scenes
from webview.scenes import chats
from webview.stage import Stage

pytestmark = pytest.mark.browser

TALK = scenes.chat(items=scenes.TALK)
EMPTY = scenes.chat(title="New chat")


def said(seq: int, text: str, *, who: str = "agent", message: str = "m9") -> object:
    more = chats.SaidMore(who=who, message_id=message, append=text)  # type: ignore[arg-type]  # one of three
    return scenes.event(seq, "chat-1", more)


def write(stage: Stage, text: str) -> None:
    stage.at("composer").fill(text)
    stage.let_pass(20)


@pytest.mark.requirement("T-13", "M-03")
def test_a_reload_loses_nothing(stage: Stage) -> None:
    ticket = scenes.edit()
    other = scenes.chat("chat-2", title="Another", items=scenes.TALK)
    whole = scenes.snapshot(talks=[TALK, other], tickets=[ticket], seq=12)
    stage.open(whole)
    stage.at("chat-select").select_option("chat-1")
    write(stage, "half a thought")
    stage.reload(whole)

    assert stage.at("composer").input_value() == "half a thought"
    assert stage.at("chat-select").input_value() == "chat-1"
    assert stage.at("card").get_attribute("data-digest") == ticket.digest
    assert stage.at("record").count() == len(scenes.RECORDS)
    assert stage.requests("agent/subscribe")[0]["params"]["have"] is None
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)
    assert [answer["digest"] for answer in stage.answers()] == [ticket.digest]


def test_where_the_reader_was_is_kept_over_a_reload(stage: Stage) -> None:
    long = scenes.chat(
        items=[chats.Said(kind="agent", message_id=f"m{n}", text=f"Line {n}") for n in range(80)]
    )
    stage.open(scenes.snapshot(talks=[long]))
    place = """(() => {
      const log = document.querySelector("[data-log]").getBoundingClientRect();
      const first = [...document.querySelectorAll(".turn")]
        .find((each) => each.getBoundingClientRect().bottom > log.top);
      return [first.innerText, Math.round(first.getBoundingClientRect().top - log.top)];
    })()"""
    stage.page.locator(".turn").nth(30).scroll_into_view_if_needed()
    stage.page.locator("[data-log]").evaluate(
        """(log) => new Promise((done) => {
             log.addEventListener("scroll", () => done(), { once: true });
             log.scrollTop += 7;
           })"""
    )
    stage.let_pass(100)
    write(stage, "x")
    before = stage.page.evaluate(place)
    stage.reload(scenes.snapshot(talks=[long]))

    for seq, text in enumerate(["one", " more"], start=1):
        stage.tell("agent/event", said(seq, text))
        line, offset = stage.page.evaluate(place)
        assert line == before[0]
        assert abs(offset - before[1]) <= 2


def test_the_transcript_follows_its_end_while_an_answer_streams(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[TALK]))
    for seq in range(1, 60):
        stage.tell("agent/event", said(seq, f"Paragraph {seq}.\n\n"))

    left = stage.page.evaluate(
        """(() => { const log = document.querySelector("[data-log]");
                    return log.scrollHeight - log.scrollTop - log.clientHeight; })()"""
    )
    assert left <= 1


@pytest.mark.requirement("T-06")
def test_markdown_streams_into_nodes_and_never_into_markup(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[EMPTY]))
    whole = (
        "# Title\n\nSome **bold** text, <img src=x onerror=alert(1)> and "
        "![a cat](https://example.org/cat.png) and [bad](javascript:alert(1)) and "
        "[good](https://example.org).\n\n```py\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    for seq, letter in enumerate(whole, start=1):
        message = {"kind": "message", "method": "agent/event", "params": said(seq, letter)}
        stage.say(message)
    stage.let_pass(50)
    stage.tell("agent/event", scenes.event(len(whole) + 1, "chat-1", ended()))

    prose = stage.at("message-agent")
    assert prose.locator("img").count() == 0
    assert "<img src=x onerror=alert(1)>" in prose.inner_text()
    assert "[image: a cat]" in prose.inner_text()
    assert prose.locator("a").all_inner_texts() == ["good"]
    assert prose.locator("td").all_inner_texts() == ["1", "2"]
    assert prose.locator("pre").inner_text() == "x = 1"
    assert stage.violations() == []
    prose.locator("a").click()
    assert stage.posted("openLink") == [{"kind": "openLink", "url": "https://example.org"}]
    assert stage.page.url == "https://view.test/"


def ended() -> chats.TurnEnded:
    return chats.TurnEnded(reason="done")


@pytest.mark.requirement("C-09")
def test_of_ten_thousand_deltas_each_finished_block_is_drawn_once(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[EMPTY]))
    stage.page.clock.resume()
    drawn = stage.page.evaluate(
        r"""async ([epoch, count]) => {
          const words = ["some ", "**bold** ", "`code` ", "text.\n\n", "- one\n", "- two\n\n",
            "```js\n", "let x = 1;\n", "```\n\n"];
          const frames = () => new Promise((done) => setTimeout(done, 20));
          const drawn = { added: 0, removed: 0 };
          const prose = () => document.querySelector("assent-prose");
          const watch = new MutationObserver((changes) => {
            for (const change of changes) {
              drawn.added += change.addedNodes.length;
              drawn.removed += change.removedNodes.length;
            }
          });
          let whole = "";
          for (let seq = 1; seq <= count; seq += 1) {
            const append = words[seq % words.length];
            whole += append;
            const event = { kind: "said", who: "agent", messageId: "big", append };
            const params = { epoch, seq, chatId: "chat-1", event };
            postMessage({ kind: "message", method: "agent/event", params }, "*");
            if (seq % 100 === 0) await frames();
            if (seq === 100) {
              while (prose() === null) await frames();
              watch.observe(prose(), { childList: true });
            }
          }
          const expected = whole.split("**bold**").length - 1;
          while (prose().querySelectorAll("strong").length < expected) await frames();
          return { ...drawn, kept: prose().childElementCount, expected };
        }""",
        [scenes.EPOCH, 10_000],
    )

    assert drawn["expected"] > 1_000
    assert drawn["removed"] == 0
    assert drawn["added"] < drawn["kept"]


@pytest.mark.requirement("T-13")
def test_a_gap_is_noticed_and_filled(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[TALK], seq=4))
    stage.tell("agent/event", said(6, "later"))
    [_, again] = stage.requests("agent/subscribe")
    assert again["params"]["have"] == {"epoch": scenes.EPOCH, "seq": 4}
    assert stage.at("message-agent").count() == 1
    missed = [
        {"kind": "event", "message": said(5, "first, ")},
        {"kind": "event", "message": said(6, "later")},
    ]
    answer = {"epoch": scenes.EPOCH, "seq": 6, "snapshot": None, "events": missed}
    stage.answer(again["id"], answer)
    stage.tell("agent/event", said(6, "later"))

    assert stage.at("message-agent").last.inner_text().endswith("first, later")


@pytest.mark.requirement("T-13")
def test_cards_die_with_the_server_and_the_next_one_is_asked_for_everything(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[TALK], tickets=[scenes.edit()], seq=4))
    stage.say({"kind": "server", "state": "restarting", "text": "The server died (exit 1)."})
    stage.let_pass(20)
    assert stage.at("dock").count() == 0
    assert "exit 1" in stage.at("server-state").inner_text()
    assert stage.at("send").is_disabled()
    stage.begin(scenes.snapshot(talks=[TALK], tickets=[scenes.shell()], seq=1))

    assert stage.requests("agent/subscribe")[-1]["params"]["have"] is None
    assert stage.at("card").get_attribute("data-approval-id") == "t-shell"
    assert stage.at("server-state").count() == 0


def test_a_dead_server_can_be_started_again(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[TALK]))
    stage.say({"kind": "server", "state": "dead", "text": "It does not start."})
    stage.let_pass(20)
    stage.at("restart").click()

    assert stage.posted("runCommand") == [{"kind": "runCommand", "command": "restartServer"}]


def test_a_subscription_that_fails_is_tried_again(stage: Stage) -> None:
    stage.open()
    stage.say({"kind": "server", "state": "ready", "text": ""})
    stage.answer(stage.asked("agent/subscribe"), error="not yet")
    assert len(stage.requests("agent/subscribe")) == 1
    stage.let_pass(2_100)
    assert len(stage.requests("agent/subscribe")) == 2
    stage.answer(stage.asked("agent/subscribe"), scenes.snapshot(talks=[TALK]))

    assert stage.at("record").count() == len(scenes.RECORDS)


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
    stage.at("send").click()
    stage.let_pass(20)
    stage.answer(stage.asked("agent/prompt"), error="Claude Code did not start.")

    assert stage.at("composer").input_value() == "hello"
    assert stage.at("note").inner_text().startswith("Claude Code did not start.")


def test_the_first_prompt_opens_a_chat_with_the_chosen_agent_and_mode(stage: Stage) -> None:
    stage.open(scenes.snapshot())
    stage.at("agent-select").select_option("claude")
    stage.at("mode-select").select_option("plan")
    write(stage, "hello")
    stage.at("send").click()
    stage.let_pass(20)
    assert stage.requests("agent/newChat")[0]["params"] == {"agentId": "claude", "mode": "plan"}
    stage.answer(stage.asked("agent/newChat"), {"chatId": "chat-9"})
    opened = scenes.chat("chat-9", title="New chat", mode="plan")
    stage.tell("agent/event", scenes.event(1, "chat-9", chats.ChatOpened(chat=opened)))

    assert stage.requests("agent/prompt")[0]["params"] == {"chatId": "chat-9", "text": "hello"}
    assert stage.at("chat-select").input_value() == "chat-9"
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
    stage.tell("agent/event", scenes.event(1, "chat-1", chats.ModeSet(mode="auto")))

    assert stage.at("mode-select").input_value() == "auto"


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
    stage.tell("agent/event", scenes.event(1, "chat-2", chats.ChatOpened(chat=opened)))

    assert stage.requests("agent/closeChat")[0]["params"] == {"chatId": "chat-1"}
    assert stage.at("agent-select").input_value() == "eliza"


@pytest.mark.requirement("T-08")
def test_stop_says_how_many_it_denies(stage: Stage) -> None:
    tickets = [scenes.edit("a"), scenes.edit("b"), scenes.edit("c", chat_id="chat-2")]
    talk = scenes.chat(items=scenes.TALK, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=tickets))
    assert stage.at("stop").inner_text() == "Stop denies all 2"
    stage.at("stop").click()
    stage.let_pass(20)

    assert stage.requests("agent/stop")[0]["params"] == {"chatId": "chat-1"}


@pytest.mark.requirement("T-07")
def test_a_call_of_another_chat_says_so_and_leads_there(stage: Stage) -> None:
    other = scenes.chat("chat-2", title="Another", items=scenes.TALK)
    ticket = scenes.edit(chat_id="chat-2")
    stage.open(scenes.snapshot(talks=[other, TALK], tickets=[ticket]))
    assert stage.at("chat-select").input_value() == "chat-1"
    stage.page.get_by_role("button", name="in “Make the parser tests pass”").click()
    stage.let_pass(20)

    assert stage.at("chat-select").input_value() == "chat-2"


@pytest.mark.requirement("S-05", "T-13")
def test_a_question_of_the_workspace_folds_into_a_record_in_any_chat(stage: Stage) -> None:
    ticket = scenes.trust()
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
    ticket = scenes.edit()
    waits = scenes.record("w", ticket.card.title, state="waiting", approval_id=ticket.approval_id)
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[waits])], tickets=[ticket]))
    told = scenes.settled(1, ticket, outcome="refused", by=by, because=because)
    stage.tell("tool/approvalSettled", told)
    refused = waits.model_copy(update={"state": "refused", "by": by, "because": because})
    stage.tell("agent/event", scenes.event(2, "chat-1", chats.CallMoved(call=refused)))

    record = stage.at("record")
    assert stage.at("dock").count() == 0
    assert record.get_attribute("data-state") == "refused"
    line = record.locator("summary").inner_text()
    assert words in line
    assert because in line


def test_a_running_call_shows_what_it_prints(stage: Stage) -> None:
    runs = scenes.record("w", scenes.plain("Run ls"), state="running")
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[runs], running=True)]))
    printed = chats.CallPrinted(call_id="call-w", append="\u001b[1mREADME.md\u001b[0m\n<b>\n")
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
    stage.tell("agent/event", scenes.event(1, None, chats.AgentsChanged(agents=scenes.AGENTS)))

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


def test_the_host_is_told_how_the_view_looks(stage: Stage) -> None:
    ticket = scenes.edit()
    stage.open(scenes.snapshot(talks=[TALK], tickets=[ticket]))
    stage.at("composer").click()
    write(stage, "x")
    look = stage.posted("looks")[-1]
    assert look["cardShown"] == ticket.approval_id
    assert (look["composerEmpty"], look["cardFocused"]) == (False, False)
    stage.command("review")
    stage.let_pass(20)

    assert stage.at("card").evaluate("(each) => each === document.activeElement")
    assert stage.posted("looks")[-1]["cardFocused"] is True


def test_what_the_host_wished_before_anything_was_known_happens_then(stage: Stage) -> None:
    stage.open()
    stage.say({"kind": "newChat"}, {"kind": "command", "command": "review"})
    stage.begin(scenes.snapshot(talks=[TALK], tickets=[scenes.edit()]))

    assert stage.requests("agent/newChat")[0]["params"] == {"agentId": "claude"}
    assert stage.at("card").evaluate("(each) => each === document.activeElement")


@pytest.mark.requirement("T-02")
def test_one_polite_region_tells_what_a_card_asks(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[TALK]))
    stage.ask(1, scenes.shell())
    told = stage.at("live").inner_text()
    assert told.startswith("Claude Code asks: Run 4 commands in packages/core. High: Deletes 12")
    stage.ask(2, scenes.edit())
    assert stage.at("live").inner_text() == "2 calls wait."

    assert stage.page.locator("[aria-live=polite]").count() == 1
    label = stage.at("card").get_attribute("aria-labelledby")
    assert stage.page.locator(f"#{label}").inner_text() == "Run 4 commands in packages/core"


@pytest.mark.requirement("T-02")
def test_the_diff_of_an_edit_is_opened_by_the_editor(stage: Stage) -> None:
    ticket = scenes.edit()
    stage.open(scenes.snapshot(talks=[TALK], tickets=[ticket]))
    stage.at("open-diff").click()
    stage.let_pass(20)

    asked = stage.requests("tool/openDiff")[0]["params"]
    assert asked == {"approvalId": ticket.approval_id, "file": 0}
