"""What the view looks like in every theme and state, and what its page may not do."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from assent.editor.protocol import chats, happenings
from webview import own, scenes, tickets
from webview.stage import CLIENT, ORIGIN, POLICY, Stage
from webview.test_short import scrolled_down

pytestmark = pytest.mark.browser

GOLDEN: Final = Path(__file__).parents[1] / "editor" / "golden" / "tool_approvalRequest.json"
CARDS: Final = json.loads(GOLDEN.read_text(encoding="utf-8"))["examples"]
NARROW: Final = {"width": 300, "height": 700}
TALK: Final = scenes.chat(items=scenes.TALK, running=True)
ELIZA: Final = scenes.chat(agent_id="eliza", agent_name="Eliza", title="New chat")


def one(ticket: tickets.Ticket) -> Callable[[Stage, str], None]:
    def play(stage: Stage, theme: str) -> None:
        stage.open(scenes.snapshot(talks=[TALK], tickets=[ticket]), theme=theme)
        stage.arm()

    return play


def list_open(stage: Stage, theme: str) -> None:
    one(tickets.shell())(stage, theme)
    scrolled_down(stage)
    stage.at("allow-menu").click()
    stage.arm()
    assert stage.at("option-allowChat").is_visible()


def words_open(stage: Stage, theme: str) -> None:
    one(tickets.shell())(stage, theme)
    stage.at("deny-menu").click()
    stage.arm()
    stage.at("option-denyTell").click()
    stage.let_pass(20)
    assert stage.at("deny-words").is_visible()


def rule_open(option: str, *, problem: str | None = None) -> Callable[[Stage, str], None]:
    def play(stage: Stage, theme: str) -> None:
        one(tickets.shell())(stage, theme)
        scrolled_down(stage)
        stage.at("deny-menu" if option == "denyAlways" else "allow-menu").click()
        stage.arm()
        stage.at(f"option-{option}").click()
        stage.let_pass(20)
        asked = stage.requests("tool/previewRules")[-1]
        stage.answer(asked["id"], scenes.preview(asked["params"]["rules"], problem=problem))
        stage.arm()
        assert stage.at("rule-confirm").is_visible()

    return play


def batch(stage: Stage, theme: str) -> None:
    asked = [tickets.edit("b1"), tickets.read("b2"), tickets.edit("b3", agent="eliza")]
    stage.open(scenes.snapshot(talks=[TALK], tickets=asked), theme=theme)
    assert stage.at("waiting-count").inner_text() == "3 waiting"


def together(stage: Stage, theme: str) -> None:
    edits = [tickets.edit(f"b{n}", path=f"src/{n}.py") for n in range(3)]
    asked = [*edits, tickets.read("b3")]
    stage.open(scenes.snapshot(talks=[TALK], tickets=asked), theme=theme)
    stage.at("together").click()
    stage.arm()
    stage.at("tick").first.click()
    stage.tell("tool/approvalSettled", scenes.settled(1, edits[1]))
    stage.arm()
    assert (stage.at("batch-row").count(), stage.at("batch-gone").count()) == (2, 1)


def streaming(stage: Stage, theme: str) -> None:
    stage.open(scenes.snapshot(talks=[TALK]), theme=theme)
    more = happenings.SaidMore(who="agent", message_id="m9", append="## Half a **sen")
    stage.tell("agent/event", scenes.event(1, "chat-1", more))
    assert stage.at("stop").is_visible()


def looks(stage: Stage, theme: str) -> None:
    """Reads that are folded, and one that stands alone."""
    some = [
        scenes.record(f"l{n}", tickets.plain(f"Read {n}.py"), looks="read", by="mode")
        for n in range(4)
    ]
    items = [*some[:3], *scenes.TALK[:3], some[3], *scenes.RECORDS]
    stage.open(scenes.snapshot(talks=[scenes.chat(items=items)]), theme=theme)
    assert stage.at("looks").count() == 2


def talk(stage: Stage, theme: str) -> None:
    agents = [scenes.AGENTS[0].model_copy(update={"bypassed": True}), *scenes.AGENTS[1:]]
    plan = [
        chats.PlanEntry(text="Fix the guard", state="done"),
        chats.PlanEntry(text="Run the tests", state="inProgress"),
    ]
    answer = scenes.snapshot(
        talks=[scenes.chat(items=scenes.TALK, plan=plan, gate="unverified", mode="auto")],
        agents=agents,
        trusted=False,
        banners=["`assent.mode` has a value that cannot mean anything."],
    )
    stage.open(answer, theme=theme)
    stage.at("record").nth(1).click()
    assert stage.at("bypass-strip").is_visible()
    assert stage.at("banner").is_visible()


def empty(stage: Stage, theme: str) -> None:
    stage.open(scenes.snapshot(talks=[ELIZA]), theme=theme)
    assert stage.at("welcome").get_by_role("button").count() == 6


def at_work(stage: Stage, theme: str) -> None:
    """Our own agent with a command that runs, two in the background, and a part of its work."""
    part = own.run("sub", "pytest -q", part="fix the parser's tests", output="collected 12\n")
    edit = scenes.record("e", tickets.plain("Edit parser.py"), may=["undo"])
    chat = own.chat(
        items=[*scenes.TALK[:3], edit, part, own.RUNS],
        running=True,
        shells=[
            own.shell("1", "npm run dev -- --port 3000 --host 127.0.0.1"),
            own.shell("2", "make watch"),
            own.shell("3", "make test", state="exited", code=2),
        ],
        usage=chats.Usage(read=12_000, wrote=400, window=40_000),
    )
    stage.open(scenes.snapshot(talks=[chat], agents=own.AGENTS), theme=theme)
    stage.at("record").first.locator("summary").click()
    stage.at("shells").locator("summary").click()
    assert stage.at("shell").count() == 3
    stage.at("record-tail").last.wait_for()


def sub_agent(stage: Stage, theme: str) -> None:
    ticket = tickets.shell()
    named = {"agent_id": "assent", "agent_name": "Assent, in “fix the parser's tests”"}
    what = ticket.card.model_copy(update=named)
    asked = ticket.model_copy(update={"card": what})
    answer = scenes.snapshot(talks=[own.chat(running=True)], agents=own.AGENTS, tickets=[asked])
    stage.open(answer, theme=theme)
    stage.arm()


def dead(stage: Stage, theme: str) -> None:
    one(tickets.shell())(stage, theme)
    stage.say({"kind": "server", "state": "dead", "text": ""})
    stage.let_pass(20)
    assert stage.at("server-state").is_visible()
    assert stage.at("dock").count() == 0


def card_missing(stage: Stage, theme: str) -> None:
    stage.open(scenes.snapshot(tickets=[tickets.read()], more=["t-gone"]), theme=theme)
    stage.answer(stage.asked("tool/card"), error="The server broke.")
    stage.arm()
    assert "asked again by itself" in stage.at("missing").inner_text()
    assert stage.at("dock").is_visible()
    # It is asked for again without anything that happens.
    stage.let_pass(2_000)
    assert len(stage.requests("tool/card")) == 2


SCENES: Final = {
    "card missing": card_missing,
    **{name: one(ticket) for name, ticket in tickets.CARDS.items()},
    "list open": list_open,
    "words open": words_open,
    "always open": rule_open("allowAlways"),
    "never open": rule_open("denyAlways"),
    "bad rule": rule_open("allowAlways", problem="No tool is called “shel”."),
    "batch": batch,
    "together": together,
    "streaming": streaming,
    "looks": looks,
    "talk": talk,
    "empty": empty,
    "at work": at_work,
    "sub-agent": sub_agent,
    "dead": dead,
}


@pytest.mark.requirement("T-02", "M-03")
@pytest.mark.parametrize("scene", SCENES)
def test_axe_finds_nothing_in_any_theme_and_the_policy_refuses_nothing(
    stage: Stage, scene: str
) -> None:
    SCENES[scene](stage, "dark-2026")

    assert stage.faults_in_every_theme() == []
    # The other direction moves things, and changes no colour.
    stage.page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    assert stage.faults_in("hc-light") == []
    assert stage.violations() == []


@pytest.mark.requirement("M-03")
@pytest.mark.parametrize("example", CARDS, ids=[example["name"] for example in CARDS])
def test_every_golden_card_is_drawn_with_all_its_words_and_answers(
    stage: Stage, example: dict[str, Any]
) -> None:
    card = example["params"]["card"]
    stage.open(scenes.snapshot())
    stage.tell("tool/approvalRequest", {**example["params"], "epoch": scenes.EPOCH, "seq": 1})
    stage.arm()
    if stage.at("open-middle").count() > 0:
        stage.at("open-middle").first.click()
        stage.arm()

    shown = "".join(span["shown"] or span["text"] for span in card["title"])
    assert stage.at("card-title").inner_text() == shown
    labels = [option["label"] for option in card["options"]]
    offered: list[str] = []
    for opens in [None, "allow-menu", "deny-menu"]:
        if opens is not None and stage.at(opens).count() > 0:
            stage.at(opens).click()
            stage.arm()
        offered += stage.at("card").get_by_role("button").all_inner_texts()
    assert all(any(text.startswith(label) for text in offered) for label in labels)
    assert stage.violations() == []


@pytest.mark.requirement("M-03")
@pytest.mark.parametrize("stage", [NARROW], indirect=True)
@pytest.mark.parametrize("scene", SCENES)
def test_nothing_scrolls_sideways_at_300_pixels(stage: Stage, scene: str) -> None:
    SCENES[scene](stage, "dark-2026")

    wide = stage.page.evaluate(
        """() => [...document.querySelectorAll("*")]
            .filter((each) => !each.closest(".sr, svg, select"))
            .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5
              || (each.scrollWidth > each.clientWidth + 1
                  && getComputedStyle(each).overflowX !== "visible"
                  && getComputedStyle(each).textOverflow !== "ellipsis"
                  && !each.matches("input, textarea")))
            .map((each) => `${each.tagName}.${each.className}`)"""
    )
    assert wide == []
    for name in ["composer", "mode-select", "agent-select"]:
        assert stage.at(name).is_visible()


@pytest.mark.requirement("T-02", "M-03")
@pytest.mark.parametrize("stage", [NARROW], indirect=True)
def test_at_300_pixels_no_reason_in_the_transcript_is_cut_off(stage: Stage) -> None:
    command = (
        "npm run build --workspace packages/a-name-of-some-length --if-present --watch --quiet"
    )
    because = "You denied it: " + "it writes to the whole disk and " * 4 + "more"
    call = own.run("one", command, state="refused", because=because, may=[])
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[call])]), theme="light-2026")

    line = stage.at("record").locator(".line")
    assert line.inner_text().endswith("and more")
    what, why, whole = (
        part.evaluate("it => it.getBoundingClientRect().toJSON()")
        for part in (line.locator(".what"), line.locator(".why"), line)
    )
    assert what["height"] < 40 < why["height"]
    assert what["bottom"] <= why["bottom"] <= whole["bottom"]
    assert line.evaluate("it => it.scrollHeight <= it.clientHeight + 1")


@pytest.mark.requirement("T-02", "M-03")
@pytest.mark.parametrize("stage", [NARROW], indirect=True)
def test_at_300_pixels_the_name_of_a_file_stands_in_one_line(stage: Stage) -> None:
    one(tickets.edit(path="eliza-was-here.txt", new=True))(stage, "light-2026")

    lines = stage.page.locator(".title code").evaluate(
        """(path) => {
          const range = document.createRange();
          range.selectNodeContents(path);
          return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
        }"""
    )
    assert lines == 1


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_exact_text_reads_from_left_to_right_in_every_language(
    stage: Stage, direction: str
) -> None:
    one(tickets.shell())(stage, "dark-2026")
    stage.page.evaluate("(dir) => { document.documentElement.dir = dir }", direction)

    directions = stage.page.evaluate(
        """[...document.querySelectorAll("[data-exact], .card code")]
             .map((each) => getComputedStyle(each).direction)"""
    )
    assert set(directions) == {"ltr"}


@pytest.mark.parametrize("scene", ["streaming", "at work"])
def test_nothing_is_animated_where_motion_is_reduced(stage: Stage, scene: str) -> None:
    stage.page.emulate_media(reduced_motion="reduce")
    SCENES[scene](stage, "dark-2026")

    # What comes late and at once is delayed, not animated.
    lengths = "document.getAnimations().map((each) => each.effect.getTiming().duration)"
    assert set(stage.page.evaluate(lengths)) <= {0}


def test_forced_colours_keep_the_primary_button_apart(stage: Stage) -> None:
    stage.page.emulate_media(forced_colors="active")
    one(tickets.shell())(stage, "dark-2026")

    border = "(each) => getComputedStyle(each).borderTopWidth"
    assert stage.at("deny").evaluate(border) == "2px"
    assert stage.at("allow-once").evaluate(border) == "1px"


@pytest.mark.requirement("M-03")
def test_the_bundle_is_small(bundle: dict[str, bytes]) -> None:
    sizes = {path: len(gzip.compress(file, 9)) for path, file in bundle.items()}

    assert sum(sizes.values()) <= 80_000
    later = {"/drawings.js", "/highlight.js", "/markdown.js", "/reading.js"}
    assert sum(sizes.values()) - sum(sizes[it] for it in later) <= 58_000


def test_what_colours_code_is_fetched_when_there_is_code_and_not_before(stage: Stage) -> None:
    fetched: list[str] = []
    stage.page.on("request", lambda request: fetched.append(request.url.removeprefix(ORIGIN)))
    stage.open(scenes.snapshot(talks=[ELIZA]))
    assert "/highlight.js" not in fetched

    more = happenings.SaidMore(
        who="agent", message_id="m9", append="```python\ndef f(): ...\n```\n\n."
    )
    stage.tell("agent/event", scenes.event(1, "chat-1", more))

    stage.page.locator("assent-prose [data-name=keyword]").wait_for()
    assert stage.page.locator("assent-prose pre").inner_text() == "def f(): ..."
    assert fetched.count("/highlight.js") == 1
    assert stage.violations() == []


def test_what_reads_messages_is_fetched_for_the_first_and_without_it_words_are_words(
    stage: Stage,
) -> None:
    fetched: list[str] = []
    stage.page.on("request", lambda request: fetched.append(request.url.removeprefix(ORIGIN)))
    stage.open(scenes.snapshot(talks=[ELIZA]))
    assert "/markdown.js" not in fetched
    stage.page.route(f"{ORIGIN}/markdown.js", lambda route: route.abort())
    more = happenings.SaidMore(who="agent", message_id="m9", append="**two**\n\n<b>words</b>")
    stage.say(
        {"kind": "message", "method": "agent/event", "params": scenes.event(1, "chat-1", more)}
    )
    stage.let_pass(20)

    assert stage.page.locator("assent-prose").inner_text() == "**two**\n\n<b>words</b>"
    assert stage.page.locator("assent-prose b").count() == 0
    assert stage.violations() == []


def test_the_page_of_these_tests_has_the_policy_of_the_shipped_one() -> None:
    source = (CLIENT / "src" / "extension" / "editor" / "html-page.ts").read_text(encoding="utf-8")
    [listed] = re.findall(r"return \[\n(.*?)\n +\]\.join\(\"; \"\)", source, re.DOTALL)
    directives = [line.strip().rstrip(",")[1:-1] for line in listed.splitlines()]
    shipped = "; ".join(directives)
    shipped = shipped.replace("${nonce}", "n0nce").replace("${cspSource}", ORIGIN)

    assert shipped == POLICY
