"""Thirty steps of work: whatever happens, nothing that can be pressed moves while a card is open."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest

from assent.editor.protocol import agents, chats, happenings
from webview import own, scenes, tickets
from webview.stage import Stage
from webview.test_changes import FILES
from webview.test_still import acted

pytestmark = [pytest.mark.browser, pytest.mark.requirement("N-01")]

Step = Callable[[], None]

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


def steps(stage: Stage) -> Iterator[tuple[str, Step]]:
    """What happens, one after the other, with a name each."""
    seq = 0

    def tell(event: Any, chat: str | None = "chat-1") -> Step:
        def told() -> None:
            nonlocal seq
            seq += 1
            stage.tell("agent/event", scenes.event(seq, chat, event))

        return told

    def ask(ticket: tickets.Ticket) -> Step:
        def asked() -> None:
            nonlocal seq
            seq += 1
            stage.ask(seq, ticket)

        return asked

    def settle(ticket: tickets.Ticket, **more: Any) -> Step:
        def settled() -> None:
            nonlocal seq
            seq += 1
            stage.tell("tool/approvalSettled", scenes.settled(seq, ticket, **more))

        return settled

    def host(**message: Any) -> Step:
        def said() -> None:
            stage.say(message)
            stage.let_pass(20)

        return said

    def says(who: Any, name: str, words: str) -> Step:
        return tell(happenings.SaidMore(who=who, message_id=name, append=words))

    run = own.run("run", "npm test")
    entry = len(scenes.TALK)
    edit, shell, grave = tickets.edit("a"), tickets.shell("b"), tickets.grave("c")
    yield "the turn begins", tell(happenings.TurnBegan())
    yield "somebody says something", says("user", "s1", "Mend the parser, please.")
    yield "the agent thinks", says("thought", "s2", "The guard looks wrong.")
    yield "a command runs", tell(happenings.CallMoved(entry=entry + 2, call=run))
    yield "a card comes", ask(edit)
    yield "the agent goes on", says("agent", "s3", "I look at the [docs](https://example.org).\n\n")
    yield "and on", says("agent", "s3", "- one\n- two\n- three\n" * 4)
    yield "the command prints", tell(
        happenings.CallPrinted(call_id=run.call_id, append="passed src/a.py:3\n" * 9)
    )
    yield "the command fails", tell(
        happenings.CallMoved(
            entry=entry + 2,
            call=run.model_copy(update={"state": "failed", "exit_code": 1, "took": 2_400}),
        )
    )
    read = scenes.record("read", tickets.plain("Read a.py"), looks="read")
    yield "a file is read", tell(happenings.CallMoved(entry=entry + 4, call=read))
    yield "a second card waits", ask(shell)
    yield "a third card waits", ask(grave)
    yield "an alarm is counted", host(kind="alarms", count=1)
    yield "a file was changed", tell(happenings.FilesChanged(files=FILES[:1], undone=None))
    yield "three files were changed", tell(happenings.FilesChanged(files=FILES, undone=None))
    yield "a command goes to the background", tell(
        happenings.ShellMoved(shell=own.shell("1", "npm run dev"))
    )
    plan = [chats.PlanEntry(text="Mend it", state="inProgress")]
    yield "a plan is made", tell(happenings.PlanMade(entries=plan))
    yield "the mode becomes Auto", tell(happenings.ModeSet(mode="auto"))
    yield "the mode becomes Default", tell(happenings.ModeSet(mode="default"))
    bypassed = [each.model_copy(update={"bypassed": True}) for each in scenes.AGENTS]
    yield "an agent is asked about no more", tell(
        happenings.AgentsChanged(agents=bypassed), None
    )
    yield "a setting cannot be read", tell(
        happenings.WorkspaceChanged(trusted=True, default_mode="default", banners=["A setting."]),
        None,
    )
    yield "the agent has a title for it", tell(agents.AgentTitled(title="The parser"))
    yield "the gate is seen to hold", tell(
        happenings.GateSeen(gate="verified", passed=2, tools=2)
    )
    yield "the conversation takes more", tell(
        happenings.Used(usage=chats.Usage(read=25, wrote=0, window=100, cost="0.12 USD"))
    )
    yield "another chat is opened", tell(
        happenings.ChatOpened(chat=scenes.chat("chat-2", title="Another")), "chat-2"
    )
    yield "something is noticed", tell(
        happenings.Noticed(
            notice=chats.Notice(level="warning", text="A notice.", at=1_700_000_000_000),
        )
    )
    yield "the second card's time is over", settle(shell, outcome="refused", by="timeout")
    yield "the first card is answered", settle(edit)
    yield "the last card is answered", settle(grave)
    yield "the turn ends", tell(happenings.TurnEnded(reason="done"))


@pytest.mark.parametrize(
    "stage", [{"width": 300, "height": 800}, {"width": 420, "height": 800}], indirect=True
)
def test_nothing_that_can_be_pressed_moves_while_a_card_is_open(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)]))
    stage.reach_the_end()
    moved: dict[str, list[str]] = {}
    for name, step in list(steps(stage)):
        card = stage.at("card")
        before = card.get_attribute("data-approval-id") if card.count() else None
        stage.draw()
        assert stage.page.evaluate(SEE) > 0
        step()
        stage.draw()
        after = card.get_attribute("data-approval-id") if card.count() else None
        if before is not None and before == after and (found := stage.page.evaluate(MOVED)):
            moved[name] = found
    print(moved)
    assert moved == {}


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
