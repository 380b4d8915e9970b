"""Thirty steps of work: nothing that can be pressed moves while a card is open."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from assent.editor.protocol import agents, chats, happenings
from webview import own, scenes, tickets
from webview.stage import Stage
from webview.test_changes import FILES
from webview.test_still import acted

pytestmark = [pytest.mark.browser, pytest.mark.requirement("N-01")]

SEE: Final = """() => {
  const all = "button:not([disabled]), select, summary, textarea, a[href]";
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const canBePressed = (each) => {
    if (!each.checkVisibility({ visibilityProperty: true })) return false;
    const at = document.elementFromPoint(...middle(each.getBoundingClientRect()));
    return at !== null && (each.contains(at) || at.contains(each));
  };
  window.seen = [...document.querySelectorAll(all)]
    .filter(canBePressed)
    .map((each) => [each, each.getBoundingClientRect()]);
  return window.seen.length;
}"""
MOVED: Final = """() => {
  const stays = (one, other) => Math.abs(one - other) <= 1;
  return window.seen
    .filter(([each]) => each.isConnected)
    .map(([each, was]) => [each, was, each.getBoundingClientRect()])
    .filter(([, was, now]) => !(stays(was.left, now.left) || stays(was.right, now.right))
      || !(stays(was.top, now.top) || stays(was.bottom, now.bottom)))
    .map(([each, was, now]) => `${each.dataset.testid ?? each.textContent.trim().slice(0, 30)}`
      + ` by ${now.left - was.left}, ${now.top - was.top}`);
}"""
"""What is no more where it was. What grows or shrinks away from one of its edges has not moved."""


ENTRY: Final = len(scenes.TALK)
RUN: Final = own.run("run", "npm test")
FAILED: Final = RUN.model_copy(update={"state": "failed", "exit_code": 1, "took": 2_400})
READ: Final = scenes.record("read", tickets.plain("Read a.py"), looks="read")
BYPASSED: Final = [each.model_copy(update={"bypassed": True}) for each in scenes.AGENTS]
NOTICE: Final = chats.Notice(level="warning", text="A notice.", at=1_700_000_000_000)
EDIT, SHELL, GRAVE = tickets.edit("a"), tickets.shell("b"), tickets.grave("c")


def said(who: Any, name: str, words: str) -> happenings.SaidMore:
    return happenings.SaidMore(who=who, message_id=name, append=words)


def ended(ticket: tickets.Ticket, **more: Any) -> tuple[tickets.Ticket, dict[str, Any]]:
    return ticket, more


STEPS: Final[Mapping[str, Any]] = {
    "the turn begins": happenings.TurnBegan(),
    "somebody says something": said("user", "s1", "Mend the parser, please."),
    "the agent thinks": said("thought", "s2", "The guard looks wrong."),
    "a command runs": happenings.CallMoved(entry=ENTRY + 2, call=RUN),
    "a card comes": EDIT,
    "the agent goes on": said("agent", "s3", "I look at the [docs](https://example.org).\n\n"),
    "it goes on for long": said("agent", "s3", "- one\n- two\n- three\n" * 4),
    "the command prints": happenings.CallPrinted(
        call_id=RUN.call_id, append="passed src/a.py:3\n" * 9
    ),
    "the command fails": happenings.CallMoved(entry=ENTRY + 2, call=FAILED),
    "a file is read": happenings.CallMoved(entry=ENTRY + 4, call=READ),
    "a second card waits": SHELL,
    "a third card waits": GRAVE,
    "an alarm is counted": {"kind": "alarms", "count": 1},
    "a file is changed": happenings.FilesChanged(files=FILES[:1], undone=None),
    "more files are changed": happenings.FilesChanged(files=FILES, undone=None),
    "a command runs behind": happenings.ShellMoved(shell=own.shell("1", "npm run dev")),
    "a plan is made": happenings.PlanMade(
        entries=[chats.PlanEntry(text="Mend it", state="inProgress")]
    ),
    "the mode becomes Auto": happenings.ModeSet(mode="auto"),
    "the mode becomes Default": happenings.ModeSet(mode="default"),
    "no agent is asked about": happenings.AgentsChanged(agents=BYPASSED),
    "a setting cannot be read": happenings.WorkspaceChanged(
        trusted=True, default_mode="default", banners=["A setting cannot be read."]
    ),
    "the agent has a title for it": agents.AgentTitled(title="The parser"),
    "the gate is seen to hold": happenings.GateSeen(gate="verified", passed=2, tools=2),
    "the conversation takes more": happenings.Used(
        usage=chats.Usage(read=25, wrote=0, window=100, cost="0.12 USD")
    ),
    "another chat is opened": happenings.ChatOpened(chat=scenes.chat("chat-2", title="Another")),
    "something is noticed": happenings.Noticed(notice=NOTICE),
    "the command behind ends": happenings.ShellMoved(
        shell=own.shell("1", "npm run dev", state="exited", code=0)
    ),
    "the second card's time is over": ended(SHELL, outcome="refused", by="timeout"),
    "the first card is answered": ended(EDIT),
    "the last card is answered": ended(GRAVE),
    "the turn ends": happenings.TurnEnded(reason="done"),
}
"""Events, cards that come, cards with how they end, and what the editor says."""
ELSEWHERE: Final = {"another chat is opened": "chat-2"}
OF_ALL: Final = (happenings.AgentsChanged, happenings.WorkspaceChanged)


def happen(stage: Stage, seq: int, name: str) -> None:
    """Have one step happen."""
    match STEPS[name]:
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


@pytest.mark.parametrize(
    "stage", [{"width": 300, "height": 800}, {"width": 420, "height": 800}], indirect=True
)
def test_nothing_that_can_be_pressed_moves_while_a_card_is_open(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)]))
    stage.reach_the_end()
    moved, held, seq = dict[str, list[str]](), 0, 0
    for name, what in STEPS.items():
        seq += not isinstance(what, dict)
        before = open_card(stage)
        stage.draw()
        assert stage.page.evaluate(SEE) > 0
        happen(stage, seq, name)
        stage.draw()
        if before is not None and before == open_card(stage):
            held += 1
            moved[name] = stage.page.evaluate(MOVED)
    assert {name: found for name, found in moved.items() if found} == {}
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
