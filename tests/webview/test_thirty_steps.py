"""Thirty steps of work: nothing that can be pressed moves while a card is open.

Only an entry of the transcript that grows moves those that stand below it there.
"""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from assent.editor.protocol import agents, chats, happenings
from webview import own, scenes, tickets
from webview.stage import Stage
from webview.test_changes import FILES
from webview.test_grid import FRAME
from webview.test_still import acted

pytestmark = [pytest.mark.browser, pytest.mark.requirement("N-01")]

PRESSED: Final = "button:not([disabled]), select, summary, textarea, input, a[href], [tabindex='0']"
LOOK: Final = """(all) => {
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const under = (box) => document.elementFromPoint(...middle(box));
  const stays = (one, other) => Math.abs(one - other) <= 1;
  const instead = (each, was) => {
    const now = under(was)?.closest(all) ?? null;
    const isNew = now !== null && name(now) !== name(each);
    return isNew ? [`${name(now)} stands where ${name(each)} stood`] : [];
  };
  const name = (each) => each.dataset.testid ?? each.textContent.trim().slice(0, 30);
  const moved = (window.seen ?? []).flatMap(([each, was]) => {
    const isGone = !each.isConnected || !each.checkVisibility({ visibilityProperty: true });
    if (isGone) return instead(each, was);
    const now = each.getBoundingClientRect();
    const isThere = (stays(was.left, now.left) || stays(was.right, now.right))
      && (stays(was.top, now.top) || stays(was.bottom, now.bottom));
    return isThere ? [] : [`${name(each)} by ${now.left - was.left}, ${now.top - was.top}`];
  });
  window.seen = [...document.querySelectorAll(all)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => [each, each.getBoundingClientRect()])
    .filter(([each, box]) => each.contains(under(box)));
  return [window.seen.length, moved];
}"""
"""How much can be pressed, and what of it is no more where it was when that was last looked at.

What grows or shrinks away from one of its edges has not moved.
"""


RUN: Final = own.run("run", "npm test")
FAILED: Final = RUN.model_copy(update={"state": "failed", "exit_code": 1, "took": 2_400})
READ: Final = scenes.record("read", tickets.plain("Read a.py"), looks="read")
BYPASSED: Final = [each.model_copy(update={"bypassed": True}) for each in scenes.AGENTS]
PLAN: Final = [
    chats.PlanEntry(text=text, state="inProgress")
    for text in ("Fix it", "Fix the guard of the parser that reads nested groups, and test it")
]
NOTICE: Final = chats.Notice(level="warning", text="A notice.", at=1_700_000_000_000)
EDIT, SHELL, GRAVE = tickets.edit("a"), tickets.shell("b"), tickets.grave("c")


def said(who: Any, name: str, words: str) -> happenings.SaidMore:
    return happenings.SaidMore(who=who, message_id=name, append=words)


def ended(ticket: tickets.Ticket, **more: Any) -> tuple[tickets.Ticket, dict[str, Any]]:
    return ticket, more


def steps(first: int) -> Mapping[str, Any]:
    """Events, cards that come, cards with how they end, and what the editor says.

    `first` is the place of the first entry of the transcript.
    """
    return {
        "the turn begins": happenings.TurnBegan(),
        "somebody says something": said("user", "s1", "Fix the parser, please."),
        "the agent thinks": said("thought", "s2", "The guard looks wrong."),
        "a command runs": happenings.CallMoved(entry=first + 2, call=RUN),
        "a card comes": EDIT,
        "the command prints": happenings.CallPrinted(
            call_id=RUN.call_id, append="passed src/a.py:3\n" * 9
        ),
        "the command fails": happenings.CallMoved(entry=first + 2, call=FAILED),
        "the agent goes on": said("agent", "s3", "I look at the [docs](https://example.org).\n\n"),
        "it goes on for long": said("agent", "s3", "- one\n- two\n- three\n" * 4),
        "a file is read": happenings.CallMoved(entry=first + 4, call=READ),
        "a second card waits": SHELL,
        "a third card waits": GRAVE,
        "an alarm is counted": {"kind": "alarms", "count": 1},
        "a file is changed": happenings.FilesChanged(files=FILES[:1], undone=None),
        "more files are changed": happenings.FilesChanged(files=FILES, undone=None),
        "a command runs behind": happenings.ShellMoved(shell=own.shell("1", "npm run dev")),
        "a plan is made": happenings.PlanMade(entries=PLAN[:1]),
        "the plan is longer": happenings.PlanMade(entries=PLAN[1:]),
        "the mode becomes Auto": happenings.ModeSet(mode="auto"),
        "the mode becomes Default": happenings.ModeSet(mode="default"),
        "one agent is asked about no more": happenings.AgentsChanged(
            agents=[scenes.AGENTS[0], BYPASSED[1], scenes.AGENTS[2]]
        ),
        "no agent is asked about": happenings.AgentsChanged(agents=BYPASSED),
        "a setting cannot be read": happenings.WorkspaceChanged(
            trusted=True, default_mode="default", banners=["A setting cannot be read."]
        ),
        "two settings cannot be read": happenings.WorkspaceChanged(
            trusted=True, default_mode="default", banners=["Another.", "A setting cannot be read."]
        ),
        "the agent has a title for it": agents.AgentTitled(title="The parser"),
        "the gate is seen to hold": happenings.GateSeen(gate="verified", passed=2, tools=2),
        "the conversation takes more": happenings.Used(
            usage=chats.Usage(read=25, wrote=0, window=100, cost="0.12 USD")
        ),
        "another chat is opened": happenings.ChatOpened(
            chat=scenes.chat("chat-2", title="Another")
        ),
        "something is noticed": happenings.Noticed(notice=NOTICE),
        "the command behind ends": happenings.ShellMoved(
            shell=own.shell("1", "npm run dev", state="exited", code=0)
        ),
        "the changes are kept": happenings.FilesChanged(files=[], undone=None),
        "the second card's time is over": ended(SHELL, outcome="refused", by="timeout"),
        "the first card is answered": ended(EDIT),
        "the last card is answered": ended(GRAVE),
        "the turn ends": happenings.TurnEnded(reason="done"),
    }


ELSEWHERE: Final = {"another chat is opened": "chat-2"}
OF_ALL: Final = (happenings.AgentsChanged, happenings.WorkspaceChanged)


def happen(stage: Stage, seq: int, name: str, what: Any) -> None:
    """Have one step happen."""
    match what:
        case tickets.Ticket() as ticket:
            stage.ask(seq, ticket)
        case (ticket, more):
            stage.tell("tool/approvalSettled", scenes.settled(seq, ticket, **more))
        case dict() as message:
            stage.say(message)
            stage.let_pass(20)
        case event:
            chat = None if isinstance(event, OF_ALL) else ELSEWHERE.get(name, "chat-1")
            stage.tell("agent/event", scenes.event(seq, chat, event))


def open_card(stage: Stage) -> str | None:
    card = stage.at("card")
    return card.get_attribute("data-approval-id") if card.count() else None


@pytest.mark.parametrize("before", [scenes.TALK, scenes.TALK[:1]], ids=["long", "short"])
@pytest.mark.parametrize(
    "stage", [{"width": 300, "height": 1100}, {"width": 420, "height": 1100}], indirect=True
)
def test_nothing_that_can_be_pressed_moves_while_a_card_is_open(
    stage: Stage, before: list[Any]
) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=before)]))
    stage.reach_the_end()
    held, seq, moved = 0, 0, dict[str, list[str]]()
    for name, what in steps(len(before)).items():
        seq += not isinstance(what, dict)
        card = open_card(stage)
        stage.page.evaluate(LOOK, PRESSED)
        happen(stage, seq, name, what)
        stage.draw()
        # An entry that was far from the screen is laid out a frame later.
        stage.page.evaluate(FRAME)
        stage.page.evaluate(FRAME)
        count, found = stage.page.evaluate(LOOK, PRESSED)
        if card is not None and card == open_card(stage):
            held += count > 0
            if found:
                moved[name] = found
    assert moved == {}
    assert held >= 20, "few steps had a card open"


@pytest.mark.parametrize("every_ms", [100, 250, 450])
def test_clicks_that_follow_one_another_for_a_minute_answer_one_card(
    stage: Stage, every_ms: int
) -> None:
    asked = [tickets.edit(f"t-{number}") for number in range(4)]
    talk = scenes.chat(items=scenes.TALK, changes=FILES, running=True)
    stage.open(scenes.snapshot(talks=[talk], tickets=asked))
    stage.arm()
    box = stage.at("allow-once").bounding_box()
    assert box is not None
    settled = 0
    stage.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    for number in range(60_000 // every_ms):
        # As a browser counts clicks that follow one another so soon.
        stage.page.mouse.down(click_count=min(number + 1, 3))
        stage.page.mouse.up(click_count=min(number + 1, 3))
        stage.let_pass(every_ms)
        if len(stage.answers()) > settled:
            ticket = next(it for it in asked if it.digest == stage.answers()[-1]["digest"])
            settled += 1
            stage.answer(stage.asked("tool/approvalResponse"), {"kind": "applied"})
            stage.tell("tool/approvalSettled", scenes.settled(settled, ticket))
    assert [it["digest"] for it in stage.answers()] == [asked[0].digest]
    assert acted(stage) == []


@pytest.mark.parametrize(
    "stage", [{"width": 300, "height": 600}, {"width": 420, "height": 500}], indirect=True
)
def test_what_must_be_seen_can_be_seen_beside_a_tall_card(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)], tickets=[SHELL]))
    stage.say({"kind": "alarms", "count": 1})
    stage.draw()
    seen = """(each) => each.contains(document.elementFromPoint(
        each.getBoundingClientRect().left + 20, each.getBoundingClientRect().top + 10))"""
    assert stage.at("alarms").evaluate(seen)
    answers = ["allow-once", "deny"] if stage.at("allow-once").is_visible() else ["in-tab"]
    assert [stage.at(name).evaluate(seen) for name in answers] == [True] * len(answers)


def test_the_keyboard_is_never_on_a_line_that_is_said_no_more(stage: Stage) -> None:
    running = own.shell("1", "npm run dev")
    talk = scenes.chat(items=scenes.TALK, shells=[running])
    stage.open(scenes.snapshot(talks=[talk], tickets=[EDIT]))
    stage.at("shells").locator("summary").focus()
    ended_it = running.model_copy(update={"state": "exited", "code": 0})
    moved = happenings.ShellMoved(shell=ended_it)
    stage.tell("agent/event", scenes.event(1, "chat-1", moved))
    assert not stage.at("shells").is_visible()
    assert stage.at("composer").evaluate("(each) => each === document.activeElement")


REACH: Final = """(all) => {
  const name = (each) => each.dataset.testid ?? each.textContent.trim().slice(0, 30);
  window.left = new Map([...document.querySelectorAll(all)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }))
    .map((each) => [each, name(each)]));
  document.activeElement?.blur();
  return window.left.size;
}"""
AT: Final = """() => {
  const at = document.activeElement;
  const { outlineStyle, boxShadow } = getComputedStyle(at);
  const isSeen = outlineStyle !== "none" || boxShadow !== "none";
  if (window.left.has(at) && isSeen) window.left.delete(at);
  return [...window.left.values()];
}"""
"""What was not reached yet by the keyboard, with a frame around it that is seen."""


@pytest.mark.parametrize("stage", [{"width": 300, "height": 1100}], indirect=True)
def test_the_keyboard_reaches_all_that_can_be_pressed_after_each_step(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)]))
    stage.reach_the_end()
    seq, missed, counts = 0, dict[str, list[str]](), list[int]()
    for name, what in steps(len(scenes.TALK)).items():
        seq += not isinstance(what, dict)
        happen(stage, seq, name, what)
        stage.draw()
        counts.append(stage.page.evaluate(REACH, PRESSED))
        left: list[str] = ["all"]
        for _ in range(counts[-1] + 12):
            stage.page.keyboard.press("Tab")
            left = stage.page.evaluate(AT)
            if not left:
                break
        if left:
            missed[name] = left
    assert missed == {}
    assert min(counts) > 5
