"""What the view does over time: streams, gaps, reloads, dead servers."""

import pytest

from assent.editor.protocol import approvals, chats, happenings
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser


TALK = scenes.chat(items=scenes.TALK)
EMPTY = scenes.chat(title="New chat")


def said(seq: int, text: str, *, who: str = "agent", message: str = "m9") -> object:
    more = happenings.SaidMore(who=who, message_id=message, append=text)  # type: ignore[arg-type]  # one of three
    return scenes.event(seq, "chat-1", more)


def write(stage: Stage, text: str) -> None:
    stage.at("composer").fill(text)
    stage.let_pass(20)


def ended() -> happenings.TurnEnded:
    return happenings.TurnEnded(reason="done")


@pytest.mark.requirement("T-13", "M-03")
def test_a_reload_loses_nothing(stage: Stage) -> None:
    ticket = tickets.edit()
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


@pytest.mark.requirement("N-12")
def test_a_page_that_is_loaded_twice_before_its_chat_is_there_still_comes_back_to_it(
    stage: Stage,
) -> None:
    mine, other = scenes.chat("mine", title="Mine"), scenes.chat("other", title="Other")
    stage.open(scenes.snapshot(talks=[mine, other]))
    stage.at("chat-select").select_option("mine")
    stage.let_pass(20)
    for _ in range(2):
        stage.reload(scenes.snapshot(talks=[other]))
        assert stage.posted("looks")[-1]["title"] == "Other"
    stage.reload(scenes.snapshot(talks=[mine, other]))
    assert stage.at("chat-select").input_value() == "mine"


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


def streamed(stage: Stage) -> None:
    """Open the page on an answer that is longer than it."""
    stage.open(scenes.snapshot(talks=[TALK]))
    for seq in range(1, 60):
        stage.tell("agent/event", said(seq, f"Paragraph {seq}.\n\n"))


def test_the_transcript_follows_its_end_while_an_answer_streams(stage: Stage) -> None:
    streamed(stage)

    stage.reach_the_end()


def test_what_grows_by_itself_is_followed_and_is_no_reader_who_goes_up(stage: Stage) -> None:
    streamed(stage)
    stage.reach_the_end()
    # The browser tells of scrolling a frame late, when a font that has come may have made more
    # of the text.
    stage.page.evaluate(
        """() => { const last = [...document.querySelectorAll(".turn")].at(-1);
                   last.style.paddingBlockEnd = "300px";
                   document.querySelector("[data-log]").dispatchEvent(new Event("scroll")); }"""
    )
    stage.reach_the_end()
    stage.tell("agent/event", said(60, "The last one."))

    stage.reach_the_end()


def test_a_reader_who_goes_up_is_left_there_until_they_come_back(stage: Stage) -> None:
    streamed(stage)
    stage.reach_the_end()

    def scroll(by: int) -> int:
        """The place after the page has heard of it."""
        told = stage.page.locator("[data-log]").evaluate(
            """(log, by) => new Promise((done) => {
                 log.addEventListener("scroll", () => done(log.scrollTop), { once: true });
                 log.scrollTop += by;
               })""",
            by,
        )
        return int(told)

    place = scroll(-300)
    stage.tell("agent/event", said(60, "One more.\n\n"))
    assert stage.page.locator("[data-log]").evaluate("(log) => log.scrollTop") == place
    scroll(10_000)
    stage.tell("agent/event", said(61, "And another.\n\n"))

    stage.reach_the_end()


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
    stage.open(scenes.snapshot(talks=[TALK], tickets=[tickets.edit()], seq=4))
    stage.say({"kind": "server", "state": "restarting", "text": "The server died (exit 1)."})
    stage.let_pass(20)
    assert stage.at("dock").count() == 0
    assert "exit 1" in stage.at("server-state").inner_text()
    assert stage.at("send").is_disabled()
    stage.begin(scenes.snapshot(talks=[TALK], tickets=[tickets.shell()], seq=1))

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


def test_the_host_is_told_how_the_view_looks(stage: Stage) -> None:
    ticket = tickets.edit()
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


@pytest.mark.requirement("S-01")
def test_alarms_are_counted_in_the_header_until_somebody_has_looked(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat()]))
    assert stage.at("alarms").count() == 0
    stage.say({"kind": "alarms", "count": 2})
    stage.let_pass(20)
    assert stage.at("alarms").inner_text().startswith("2 alarms")
    stage.at("look").click()
    assert {"kind": "runCommand", "command": "showAlarms"} in stage.posted("runCommand")
    stage.say({"kind": "alarms", "count": 0})
    stage.let_pass(20)
    assert stage.at("alarms").count() == 0


def test_what_the_host_wished_before_anything_was_known_happens_then(stage: Stage) -> None:
    stage.open()
    stage.say({"kind": "newChat"}, {"kind": "command", "command": "review"})
    stage.begin(scenes.snapshot(talks=[TALK], tickets=[tickets.edit()]))

    assert stage.requests("agent/newChat")[0]["params"] == {"agentId": "claude"}
    assert stage.at("card").evaluate("(each) => each === document.activeElement")


def test_cards_that_are_fetched_after_a_snapshot_are_counted_from_the_first_and_told_once(
    stage: Stage,
) -> None:
    later = tickets.edit("t-2")
    stage.open(scenes.snapshot(talks=[TALK], tickets=[tickets.edit("t-1")], more=["t-2"]))
    told = stage.at("live").inner_text()
    assert told.endswith("2 calls wait.")
    assert stage.at("waiting-count").inner_text() == "2 waiting"
    shown = approvals.CardShown(request=later)
    stage.answer(stage.asked("tool/card"), tickets.wire(shown))
    assert stage.at("live").inner_text() == told


def test_one_polite_region_tells_what_a_card_asks(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[TALK]))
    stage.ask(1, tickets.shell())
    told = stage.at("live").inner_text()
    assert told.startswith("Claude Code asks: Run 4 commands in packages/core. High: Deletes 12")
    stage.ask(2, tickets.edit())
    assert stage.at("live").inner_text() == "2 calls wait."

    assert stage.page.locator("[aria-live=polite]").count() == 1
    label = stage.at("card").get_attribute("aria-labelledby")
    assert stage.page.locator(f"#{label}").inner_text() == "Run 4 commands in packages/core"


@pytest.mark.requirement("T-02")
def test_the_diff_of_an_edit_is_opened_by_the_editor(stage: Stage) -> None:
    ticket = tickets.edit()
    stage.open(scenes.snapshot(talks=[TALK], tickets=[ticket]))
    stage.at("open-diff").click()
    stage.let_pass(20)

    asked = stage.requests("tool/openDiff")[0]["params"]
    assert asked == {"approvalId": ticket.approval_id, "file": 0}


def numbered(first: int, count: int) -> list[chats.Said]:
    return [
        chats.Said(kind="agent", message_id=f"m{n}", text=f"Line {n}")
        for n in range(first, first + count)
    ]


TOP = """(text) => {
  const log = document.querySelector("[data-log]").getBoundingClientRect();
  const entry = [...document.querySelectorAll(".turn")]
    .find((each) => each.textContent.trim().endsWith(text));
  return Math.round(entry.getBoundingClientRect().top - log.top);
}"""
"""How far an entry begins below the top of the transcript."""
SCROLLED = "() => document.querySelector('[data-log]').scrollTop"


@pytest.mark.requirement("M-03")
def test_earlier_entries_are_shown_by_keyboard_and_what_is_read_stays_where_it_is(
    stage: Stage,
) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=numbered(150, 60), first=150)]))
    assert (
        stage.at("earlier").locator("xpath=..").inner_text() == "Show earlier 150 earlier entries"
    )
    stage.at("earlier").focus()
    stage.draw()
    for first, count in [(50, 100), (0, 50)]:
        read = f"Line {first + count}"
        before = stage.page.evaluate(TOP, read)
        assert 0 <= before < 100
        stage.page.keyboard.press("Enter")
        stage.let_pass(20)
        asked = stage.asked("agent/turns")
        params = stage.requests("agent/turns")[-1]["params"]
        assert params == {"chatId": "chat-1", "before": first + count, "limit": 100}
        page = chats.Turns(items=numbered(first, count), first=first, kept_from=0)
        stage.answer(asked, tickets.wire(page))
        stage.draw()

        assert abs(stage.page.evaluate(TOP, read) - before) <= 2
        focused = "document.activeElement.dataset.testid ?? document.activeElement.className"
        assert stage.page.evaluate(focused) == ("earlier" if first > 0 else "log")
        # A key on a button that is off the screen presses it and does not scroll to it.
        assert stage.page.evaluate(SCROLLED) > 0
        stage.page.keyboard.press("Home")
        stage.page.wait_for_function(f"{SCROLLED} === 0")
        stage.draw()
    assert stage.at("earlier").count() == 0
    texts = stage.at("message-agent").evaluate_all("(all) => all.map((each) => each.textContent)")
    assert [int(text.split()[-1]) for text in texts] == list(range(210))
