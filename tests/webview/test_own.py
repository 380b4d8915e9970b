"""Our own agent in the view: models, running commands, shells, parts of its work, its window."""

from typing import Any

import pytest

from assent.editor.protocol import card, chats, happenings
from webview import own, scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser

FOCUSED = "(each) => each === document.activeElement"
ENDED = own.RUNS.model_copy(update={"state": "succeeded", "may": []})


def play(stage: Stage, *items: chats.Item, **more: Any) -> None:
    """Open a chat of our own agent that is at work."""
    chat = own.chat(items=[*scenes.TALK[:1], *items], running=True, **more)
    stage.open(scenes.snapshot(talks=[chat], agents=own.AGENTS))


def after(stage: Stage, milliseconds: int) -> None:
    """Put the tail of the running call so far behind its first appearance."""
    stage.at("record-tail").evaluate(
        """(tail, at) => {
             // It goes by the browser's own clock: where it is over by now, it is begun anew.
             if (tail.getAnimations().length === 0) {
               tail.style.animation = "none";
               tail.getBoundingClientRect();
               tail.style.animation = "";
             }
             for (const each of tail.getAnimations()) {
               each.pause();
               each.currentTime = at;
             }
        }""",
        milliseconds,
    )


def height(stage: Stage) -> float:
    found: float = stage.at("record-tail").evaluate("(tail) => tail.getBoundingClientRect().height")
    return found


def top(stage: Stage, name: str) -> float:
    found: float = stage.at(name).evaluate("(each) => each.getBoundingClientRect().top")
    return found


def test_each_model_of_our_own_agent_is_a_choice_of_its_own(stage: Stage) -> None:
    stage.open(scenes.snapshot(agents=own.AGENTS))
    labels = stage.at("agent-select").locator("option").all_inner_texts()
    assert labels == [
        "Assent · qwen3:8b (Ollama)",
        "Assent · qwen3 coder (127.0.0.1:1234)",
        "Eliza",
        "Claude Code",
        "Codex (failed)",
    ]
    stage.at("agent-select").select_option(label=labels[1])
    stage.at("composer").fill("hello")
    stage.at("composer").press("Enter")
    stage.let_pass(20)

    [asked] = stage.requests("agent/newChat")
    assert asked["params"] == {"agentId": "assent", "model": own.CODER.id}


def test_a_chat_shows_its_model_and_goes_on_with_another_one(stage: Stage) -> None:
    play(stage, model=own.CODER.name)
    chosen = stage.at("agent-select").locator("option:checked")
    assert chosen.inner_text() == "Assent · qwen3 coder (127.0.0.1:1234)"
    stage.at("agent-select").select_option(label="Assent · qwen3:8b (Ollama)")
    stage.let_pass(20)
    [asked] = stage.requests("agent/setModel")
    assert asked["params"] == {"chatId": "chat-1", "model": own.QWEN.id}
    assert chosen.inner_text() == "Assent · qwen3 coder (127.0.0.1:1234)", "until the server says"
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.ModelSet(model=own.QWEN.name)))
    stage.let_pass(20)
    assert chosen.inner_text() == "Assent · qwen3:8b (Ollama)"


def test_the_chosen_one_stays_to_be_seen_when_models_are_found_later(stage: Stage) -> None:
    eliza, *others = scenes.AGENTS
    bare = own.AGENTS[0].model_copy(update={"models": [], "state": "failed"})
    stage.open(scenes.snapshot(agents=[eliza, bare, *others]))
    chosen = stage.at("agent-select").locator("option:checked")
    assert chosen.inner_text() == "Eliza"
    for seq, models in enumerate([[own.CODER], [own.QWEN, own.CODER], [own.CODER]], start=1):
        agents = [own.AGENTS[0].model_copy(update={"models": models}), *scenes.AGENTS]
        stage.tell("agent/event", scenes.event(seq, None, happenings.AgentsChanged(agents=agents)))
        assert chosen.inner_text() == f"Assent · {models[0].name}"


def test_an_own_agent_without_a_model_is_there_and_can_be_asked_why(stage: Stage) -> None:
    bare = own.AGENTS[0].model_copy(update={"models": []})
    stage.open(scenes.snapshot(agents=[bare]))
    stage.at("composer").fill("hello")
    stage.at("composer").press("Enter")
    stage.let_pass(20)
    assert stage.requests("agent/newChat")[0]["params"] == {"agentId": "assent"}
    why = "There is no model yet. Start Ollama, or name one in `assent.models`."
    stage.answer(stage.asked("agent/newChat"), error=why)

    assert stage.at("note").inner_text().startswith("There is no model yet.")
    assert stage.at("composer").input_value() == "hello"


@pytest.mark.requirement("C-04")
@pytest.mark.parametrize(
    ("button", "method"), [("kill", "tool/kill"), ("background", "tool/background")]
)
def test_a_running_command_can_be_killed_or_put_into_the_background(
    stage: Stage, button: str, method: str
) -> None:
    play(stage, own.RUNS)
    name = stage.at(f"record-{button}").get_attribute("aria-label")
    assert name == f"{button.capitalize()}: Run npm test"
    stage.arm()
    stage.at(f"record-{button}").dblclick()
    stage.let_pass(20)
    [asked] = stage.requests(method)
    assert asked["params"] == {"chatId": "chat-1", "callId": own.RUNS.call_id}
    stage.answer(asked["id"], error="This command has already ended.")

    assert stage.at("note").inner_text().startswith("This command has already ended.")
    assert stage.at("record").get_attribute("open") is None


@pytest.mark.requirement("C-04")
def test_the_keyboard_kills_and_stays_at_the_record_when_the_button_goes(stage: Stage) -> None:
    play(stage, own.RUNS)
    stage.arm()
    stage.at("record-kill").focus()
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    assert len(stage.requests("tool/kill")) == 1
    killed = own.RUNS.model_copy(update={"state": "killed", "may": []})
    stage.tell("agent/event", own.moved(1, killed))

    assert stage.at("record-kill").count() == 0
    assert stage.at("record").locator("summary").evaluate(FOCUSED)


def test_a_call_of_another_agent_has_no_such_buttons(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.RECORDS, running=True)]))

    assert stage.at("record").count() == len(scenes.RECORDS)
    assert stage.at("record-kill").count() == 0
    assert stage.at("record-undo").count() == 0


@pytest.mark.requirement("T-06")
def test_the_end_of_what_a_command_prints_is_seen_while_it_runs_and_not_after(
    stage: Stage,
) -> None:
    play(stage, own.RUNS)
    after(stage, 900)
    high = height(stage)
    last = stage.at("record-tail").locator("span")
    for seq in range(1, 30):
        stage.tell("agent/event", own.printed(seq, own.RUNS, f"line {seq}\nlonger than that\n"))
    assert last.inner_text().endswith("line 29\nlonger than that\n")
    below = """(tail) => {
      const drawn = document.createRange();
      drawn.selectNodeContents(tail.firstElementChild);
      return drawn.getBoundingClientRect().bottom - tail.getBoundingClientRect().bottom;
    }"""
    assert stage.at("record-tail").evaluate(below) <= 0
    assert height(stage) == high
    stage.tell("agent/event", own.moved(30, ENDED))

    assert stage.at("record-tail").count() == 0
    assert stage.at("record").get_attribute("open") is None


def test_a_command_that_ends_soon_moves_nothing(stage: Stage) -> None:
    play(stage, own.RUNS)

    after(stage, 700)
    assert height(stage) == 0
    after(stage, 900)
    assert height(stage) > 60


@pytest.mark.requirement("T-06")
def test_a_record_that_was_opened_by_hand_has_its_output_there_and_stays_open(
    stage: Stage,
) -> None:
    play(stage, own.RUNS)
    stage.at("record").locator("summary").click()
    after(stage, 900)
    assert not stage.at("record-tail").is_visible()
    assert "parses group 0" in stage.at("record").locator(".output").inner_text()
    stage.tell("agent/event", own.moved(1, ENDED.model_copy(update={"output": "done\n"})))

    assert stage.at("record").locator(".output").inner_text() == "done\n"


@pytest.mark.parametrize("lines", [2, 60])
def test_nothing_moves_under_a_pointer_on_a_button_and_the_end_is_followed_after(
    stage: Stage, lines: int
) -> None:
    text = "\n\n".join(f"Line {line}." for line in range(lines))
    said = chats.Said(kind="agent", message_id="m0", text=text)
    play(stage, said, own.RUNS)
    after(stage, 900)
    stage.let_pass(50)
    stage.at("record-kill").hover()
    before = top(stage, "record-kill")
    more = own.run("more", "make")
    stage.tell("agent/event", own.moved(1, more, entry=3))
    stage.tell("agent/event", own.printed(2, own.RUNS, "more\n" * 20))
    for seq in range(3, 40):
        stage.tell("agent/event", own.printed(seq, more, "more\n"))
    assert stage.at("record-kill").first.evaluate(
        "(each) => each.getBoundingClientRect().top"
    ) == pytest.approx(before)
    stage.at("composer").hover()

    stage.reach_the_end()


def test_an_edit_can_be_undone_from_its_record(stage: Stage) -> None:
    edit = scenes.record("e", tickets.plain("Edit parser.py"), may=["undo"])
    play(stage, edit)
    assert not stage.at("record-undo").is_visible()
    stage.at("record").locator("summary").click()
    stage.arm()
    stage.at("record-undo").click()
    stage.let_pass(20)
    [asked] = stage.requests("tool/undo")
    assert asked["params"] == {"chatId": "chat-1", "callId": edit.call_id}
    stage.answer(asked["id"], error="parser.py has changed since, so nothing was undone.")

    assert "has changed since" in stage.at("note").inner_text()


@pytest.mark.requirement("N-06")
def test_a_call_says_for_which_part_of_the_work_it_was_made_with_nothing_unseen(
    stage: Stage,
) -> None:
    play(stage, own.run("sub", "pytest", part="fix \u202etests"))

    line = stage.at("record").locator(".line").inner_text()
    assert line.startswith("in “fix U+202Etests”: Run pytest")
    assert "in “fix U+202Etests”: " in str(stage.at("record").locator(".inside").text_content())


@pytest.mark.requirement("C-05")
def test_what_runs_in_the_background_is_one_line_that_unfolds(stage: Stage) -> None:
    foreground = own.shell("9", "npm test", in_background=False)
    play(stage, shells=[foreground])
    assert stage.at("shells").count() == 0
    for seq, shell in enumerate([own.shell("1", "npm run dev"), own.shell("2", "make watch")], 1):
        stage.tell("agent/event", scenes.event(seq, "chat-1", happenings.ShellMoved(shell=shell)))
    assert stage.at("shells").inner_text() == "2 running in the background"
    stage.at("shells").locator("summary").click()
    ended = own.shell("1", "npm run dev", state="exited", code=1)
    stage.tell("agent/event", scenes.event(3, "chat-1", happenings.ShellMoved(shell=ended)))

    rows = [" ".join(row.split()) for row in stage.at("shell").all_inner_texts()]
    assert rows == ["npm run dev ended with exit code 1 Output", "make watch running Kill Output"]
    assert stage.at("shells").locator("summary").inner_text() == "1 running in the background"


@pytest.mark.requirement("C-05")
def test_the_record_of_a_command_in_the_background_says_when_it_no_longer_runs(
    stage: Stage,
) -> None:
    left = own.run("web", "npm run dev", state="backgrounded", may=[])
    runs = own.shell("1", "npm run dev", call_id=left.call_id)
    play(stage, left, shells=[runs])
    outcome = stage.at("record").locator(".outcome")
    assert outcome.inner_text() == "in the background"
    ended = runs.model_copy(update={"state": "exited", "code": 0})
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.ShellMoved(shell=ended)))

    assert outcome.inner_text() == "ended with exit code 0"


@pytest.mark.requirement("C-05")
def test_a_shell_is_killed_and_shown_from_its_row_and_the_keyboard_is_not_lost(
    stage: Stage,
) -> None:
    play(stage, shells=[own.shell("1", "npm run dev")])
    stage.at("shells").locator("summary").click()
    stage.page.get_by_role("button", name="Output: npm run dev").click()
    stage.arm()
    stage.page.get_by_role("button", name="Kill: npm run dev").focus()
    stage.page.keyboard.press("Enter")
    stage.let_pass(20)
    ref = {"chatId": "chat-1", "shellId": "1"}
    assert stage.posted("showOutput") == [{"kind": "showOutput", **ref}]
    [asked] = stage.requests("shell/kill")
    assert asked["params"] == ref
    gone = own.shell("1", "npm run dev", state="killed")
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.ShellMoved(shell=gone)))

    assert stage.at("shells").count() == 0
    assert stage.at("composer").evaluate(FOCUSED)


def test_how_full_the_window_is_stands_beside_the_picker_once_it_is_known(stage: Stage) -> None:
    play(stage)
    assert stage.at("usage").count() == 0
    used = happenings.Used(usage=chats.Usage(read=12_000, wrote=400, window=40_000))
    stage.tell("agent/event", scenes.event(1, "chat-1", used))
    assert stage.at("usage").inner_text() == "31 %"
    words = "The conversation takes 12,400 of the 40,000 tokens that the model can read."
    assert stage.at("usage").get_attribute("title") == words
    agents = used.usage.model_copy(update={"cost": "0.02 USD"})
    stage.tell("agent/event", scenes.event(2, "chat-1", happenings.Used(usage=agents)))
    assert stage.at("usage").inner_text() == "31 % · 0.02 USD"
    said = f"{words} It has cost 0.02 USD so far, as the agent says."
    assert stage.at("usage").get_attribute("title") == said
    ours = {"cost": "$0.42", "turn_cost": "$0.05", "prices_of": "2026-11-21", "cached": 9_000}
    known = happenings.Used(usage=used.usage.model_copy(update=ours))
    stage.tell("agent/event", scenes.event(3, "chat-1", known))
    assert stage.at("usage").inner_text() == "31 % · $0.42"
    assert stage.at("usage").get_attribute("title") == (
        f"{words} 75 % of what it read last came from its host's cache. It has cost about $0.42 so"
        " far, and the last turn $0.05, by the list prices of 2026-11-21."
    )
    unknown = happenings.Used(usage=chats.Usage(read=12_000, wrote=400, window=0))
    stage.tell("agent/event", scenes.event(4, "chat-1", unknown))

    assert stage.at("usage").count() == 0


def test_a_turn_that_was_stopped_at_a_limit_says_so_and_can_be_continued(stage: Stage) -> None:
    play(stage)
    why = "The agent went on for 100 requests in one turn, so it was stopped."
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.TurnBegan()))
    over = happenings.TurnEnded(reason="limit", because=why)
    stage.tell("agent/event", scenes.event(2, "chat-1", over))
    assert stage.at("limit").inner_text().startswith(why)
    stage.at("composer").fill("half a thought")
    stage.arm()
    stage.at("go-on").click()
    [asked] = stage.requests("agent/prompt")
    assert asked["params"] == {"chatId": "chat-1", "text": "Go on."}
    assert stage.at("composer").input_value() == "half a thought"
    stage.tell("agent/event", scenes.event(3, "chat-1", happenings.TurnBegan()))
    assert stage.at("limit").count() == 0
    done = happenings.TurnEnded(reason="done")
    stage.tell("agent/event", scenes.event(4, "chat-1", done))
    assert stage.at("limit").count() == 0


def test_how_much_a_model_thinks_is_chosen_beside_it(stage: Stage) -> None:
    play(stage)
    assert stage.at("effort-select").count() == 0
    told = happenings.ModelSet(model="b", effort=None, efforts=["low", "high"])
    stage.tell("agent/event", scenes.event(1, "chat-1", told))
    assert stage.at("effort-select").locator("option").all_inner_texts() == [
        "Usual effort",
        "Low effort",
        "High effort",
    ]
    stage.at("effort-select").select_option("high")
    [asked] = stage.requests("agent/setEffort")
    assert asked["params"] == {"chatId": "chat-1", "effort": "high"}
    told = happenings.ModelSet(model="b", effort="high", efforts=["low", "high"])
    stage.tell("agent/event", scenes.event(2, "chat-1", told))
    assert stage.at("effort-select").input_value() == "high"


def test_a_pause_of_the_model_is_counted_down_and_can_be_ended(stage: Stage) -> None:
    play(stage)
    stage.tell("agent/event", scenes.event(1, "chat-1", happenings.TurnBegan()))
    assert stage.at("waiting").count() == 0
    because = "parrot is overloaded; try again in a while."
    pause = chats.Waiting(because=because, now=1_000, until=76_000)
    stage.tell("agent/event", scenes.event(2, "chat-1", happenings.WaitsForModel(waiting=pause)))
    assert stage.at("waiting").inner_text().startswith(f"{because} Asked again in 1:1")
    stage.at("try-now").click()
    [asked] = stage.requests("agent/tryNow")
    assert asked["params"] == {"chatId": "chat-1"}
    stage.tell("agent/event", scenes.event(3, "chat-1", happenings.WaitsForModel(waiting=None)))
    assert stage.at("waiting").count() == 0
    assert stage.at("stop").count() == 1


@pytest.mark.requirement("C-04")
def test_a_card_offers_the_background_after_once_and_sends_it(stage: Stage) -> None:
    background = card.CardOption(id="bg", kind="allowBackground", label="Allow in the background")
    ticket = tickets.loop()
    options = [ticket.card.options[0], background, *ticket.card.options[1:]]
    what = ticket.card.model_copy(update={"options": options, "level": "low"})
    asked = ticket.model_copy(update={"card": what})
    stage.open(scenes.snapshot(talks=[own.chat()], agents=own.AGENTS, tickets=[asked]))
    stage.arm()
    stage.at("allow-menu").click()
    stage.arm()
    ways = stage.page.locator("[data-list] button").all_inner_texts()
    assert ways[0] == "Allow in the background"
    stage.at("option-allowBackground").click()
    stage.let_pass(20)

    assert [answer["optionId"] for answer in stage.answers()] == ["bg"]


def test_a_command_is_tried_from_the_list_of_its_card(stage: Stage) -> None:
    tried = card.CardOption(id="try", kind="try", label="Try it", detail="Runs on a copy.")
    ticket = tickets.loop()
    options = [ticket.card.options[0], tried, *ticket.card.options[1:]]
    asked = ticket.model_copy(
        update={"card": ticket.card.model_copy(update={"options": options, "level": "low"})}
    )
    stage.open(scenes.snapshot(talks=[own.chat()], agents=own.AGENTS, tickets=[asked]))
    stage.arm()
    stage.at("allow-menu").click()
    stage.arm()
    stage.at("option-try").click()
    stage.let_pass(20)

    assert [answer["optionId"] for answer in stage.answers()] == ["try"]


def changed(count: int) -> tickets.Ticket:
    """A card that asks about what a trial changed: so many deletions, and one file's lines."""
    rows = [
        card.Row(name=tickets.plain("Deleted"), value=tickets.code(f"src/old/file-{number}.py"))
        for number in range(count)
    ]
    [file] = tickets.edit().card.body.model_dump()["files"]
    body = card.EditBody(rows=rows, files=[card.EditedFile(**file)])
    options = [
        card.CardOption(id="once", kind="allowOnce", label="Apply"),
        card.CardOption(id="deny", kind="denyOnce", label="Discard"),
    ]
    title = [*tickets.plain("Apply the changes of "), *tickets.code("make clean")]
    consequence = "Removes files of this workspace."
    more: dict[str, Any] = {"options": options, "consequence": consequence, "level": "medium"}
    return tickets.asked("t-changes", tickets.drawn(body, title, **more))


def test_what_a_trial_deleted_stands_before_the_lines(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[own.chat()], agents=own.AGENTS, tickets=[changed(3)]))
    body = stage.at("card-body").inner_text()
    deleted = [body.index(f"src/old/file-{number}.py") for number in range(3)]
    assert deleted == sorted(deleted)
    assert deleted[-1] < body.index("guard_depth")
    assert stage.at("allow-once").inner_text() == "Apply"
    assert stage.at("deny").inner_text() == "Discard"
    stage.arm()
    stage.at("allow-once").click()
    stage.let_pass(20)

    assert [answer["optionId"] for answer in stage.answers()] == ["once"]


@pytest.mark.requirement("T-01")
def test_a_long_list_of_deletions_is_opened_before_it_is_applied(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[own.chat()], agents=own.AGENTS, tickets=[changed(200)]))
    stage.arm()
    assert stage.at("allow-once").get_attribute("aria-disabled") == "true"
    stage.at("allow-once").click(force=True)
    stage.let_pass(20)

    assert stage.answers() == []
