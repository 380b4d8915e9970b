"""Rules at the card: what passes by which rule, and writing one from it."""

from typing import Any

import pytest
from playwright.sync_api import expect

from webview import scenes, tickets
from webview.stage import Stage
from webview.test_short import scrolled_down

pytestmark = pytest.mark.browser

JOINED = """() => [...document.querySelectorAll(".steps [data-exact]")].map((each) => {
  const row = each.cloneNode(true);
  for (const box of row.querySelectorAll("[data-copy]")) box.textContent = box.dataset.copy;
  return row.textContent;
}).join("")"""
COPIED = """() => {
  getSelection().selectAllChildren(document.querySelector(".steps"));
  const data = new DataTransfer();
  const copy = new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true });
  document.querySelector(".steps").dispatchEvent(copy);
  return data.getData("text/plain");
}"""
FOCUSED = "(each) => each === document.activeElement"


def opened(stage: Stage, *asked: tickets.Ticket, direction: str = "ltr") -> None:
    talk = scenes.chat(items=scenes.TALK, running=True)
    stage.open()
    # Set before anything is drawn: buttons that change sides under a card disarm it.
    stage.page.evaluate("(dir) => { document.documentElement.dir = dir }", direction)
    stage.begin(scenes.snapshot(talks=[talk], tickets=asked))
    stage.arm()


def open_step(stage: Stage, option: str = "allowAlways") -> None:
    """Choose an answer for always, by the pointer."""
    stage.at("deny-menu" if option == "denyAlways" else "allow-menu").click()
    stage.arm()
    stage.at(f"option-{option}").click()
    stage.let_pass(20)


def foresee(stage: Stage, **more: Any) -> list[str]:
    """The server says what the rules that it was last asked about would do."""
    asked = stage.requests("tool/previewRules")[-1]
    rules: list[str] = asked["params"]["rules"]
    stage.answer(asked["id"], {**scenes.preview(rules), **more})
    return rules


def is_off(stage: Stage) -> bool:
    return stage.at("rule-confirm").get_attribute("aria-disabled") == "true"


def test_the_step_says_that_its_rules_count_in_the_sandbox_alone(stage: Stage) -> None:
    options = [
        option.model_copy(update={"in_sandbox": option.kind == "allowAlways"})
        for option in tickets.CALL_OPTIONS
    ]
    ticket = tickets.shell()
    card = ticket.card.model_copy(update={"options": options})
    opened(stage, ticket.model_copy(update={"card": card}))
    open_step(stage)
    expect(stage.at("rule-step")).to_contain_text("Always run in the sandbox, without asking")
    expect(stage.at("rule-confirm")).to_have_text("Always apply")


@pytest.mark.requirement("T-02")
@pytest.mark.parametrize("ticket", [tickets.shell(), tickets.loop()], ids=["list", "loop"])
def test_the_parts_that_are_drawn_are_the_command_to_the_letter(
    stage: Stage, ticket: tickets.Ticket
) -> None:
    opened(stage, ticket)
    body = ticket.card.body
    command = "".join(span.text for span in body.command)  # type: ignore[union-attr]  # a shell

    assert stage.page.evaluate(JOINED) == command
    assert stage.page.evaluate(COPIED) == command


@pytest.mark.requirement("T-02", "T-04")
def test_each_part_says_in_words_whether_it_passes_and_by_which_rule(stage: Stage) -> None:
    opened(stage, tickets.shell())
    parts = stage.at("part")

    signs = [part.get_by_role("img").get_attribute("aria-label") for part in parts.all()]
    assert signs == ["Allowed", "Allowed", "Asks", "Asks"]
    by_rule = parts.nth(1).inner_text()
    assert "The rule shell(npm run test:*) allows this. (workspace settings, line 4)" in by_rule
    why = parts.nth(3).inner_text()
    assert "Nobody may publish unseen. shell(git push:*) (your settings, line 12)" in why
    hot = parts.nth(3).locator(".hot")
    assert hot.inner_text() == "git push"
    looks = (
        "(each) => [getComputedStyle(each).fontWeight, getComputedStyle(each).textDecorationLine]"
    )
    assert hot.evaluate(looks) == ["700", "underline"]


@pytest.mark.requirement("T-02")
def test_a_command_whose_parts_are_not_the_command_is_drawn_as_it_is(stage: Stage) -> None:
    ticket = tickets.loop()
    body = ticket.card.body.model_copy(update={"tail": ""})
    card = ticket.card.model_copy(update={"body": body})
    opened(stage, ticket.model_copy(update={"card": card}))

    assert stage.at("part").count() == 0
    assert stage.at("card-body").locator("pre").inner_text().endswith("done")


@pytest.mark.requirement("T-02")
def test_a_command_that_could_not_be_read_is_shown_whole_with_a_warning(stage: Stage) -> None:
    opened(stage, tickets.long())

    assert "could not be read" in stage.at("unread").inner_text()


@pytest.mark.requirement("T-04")
def test_a_rule_is_written_by_the_pointer_as_the_person_left_it(stage: Stage) -> None:
    ticket = tickets.shell()
    opened(stage, ticket)
    below = stage.at("composer").bounding_box()
    open_step(stage)
    proposed = foresee(stage)
    assert proposed == ["shell(rm -rf ./dist/tmp-0)", "shell(git push origin:*)"]
    assert (
        "Matches 3 of your last 200 calls, 0 that you denied."
        in stage.at("rule-preview").inner_text()
    )
    assert "git push --force U+202Eorigin" in stage.at("rule-preview").inner_text()
    assert stage.at("part").count() == 4
    assert stage.at("composer").bounding_box() == below

    stage.at("rule-tick").first.click()
    stage.at("rule-text").nth(1).fill("shell(git push origin HEAD:*)")
    stage.at("rule-scope").select_option("user")
    stage.let_pass(200)
    foresee(stage)
    stage.arm()
    stage.at("rule-confirm").click()
    stage.let_pass(20)

    [answer] = stage.answers()
    assert answer.pop("shownMs") >= 500
    assert answer == {
        "approvalId": ticket.approval_id,
        "chatId": "chat-1",
        "revision": 0,
        "digest": ticket.digest,
        "optionId": "always",
        "rules": ["shell(git push origin HEAD:*)"],
        "scope": "user",
    }
    assert stage.at("hint").inner_text() == "Sending…"


@pytest.mark.requirement("T-04")
def test_a_rule_is_written_by_the_keyboard_alone(stage: Stage) -> None:
    opened(stage, tickets.shell())
    keyboard = stage.page.keyboard
    stage.at("deny-menu").focus()
    keyboard.press("Enter")
    stage.arm()
    for _ in range(2):
        keyboard.press("Tab")
    assert stage.at("option-denyAlways").evaluate(FOCUSED)
    keyboard.press("Enter")
    stage.arm()
    assert stage.at("rule-text").evaluate(FOCUSED)
    keyboard.press("ControlOrMeta+A")
    keyboard.type("shell(git push --force:*)")
    stage.let_pass(200)
    foresee(stage)
    stage.arm()
    keyboard.press("Enter")
    stage.arm()
    assert stage.answers() == []
    assert stage.at("rule-confirm").evaluate(FOCUSED)
    keyboard.press("Enter")
    stage.let_pass(20)

    [answer] = stage.answers()
    assert (answer["optionId"], answer["rules"]) == ("never", ["shell(git push --force:*)"])
    assert answer["scope"] == "workspace"


@pytest.mark.requirement("T-04")
def test_a_rule_with_a_problem_cannot_be_written_and_the_reason_is_told(stage: Stage) -> None:
    opened(stage, tickets.shell())
    open_step(stage)
    assert is_off(stage)
    foresee(stage)
    assert not is_off(stage)
    stage.at("rule-text").first.fill("shel(rm)")
    stage.let_pass(20)
    assert is_off(stage)
    stage.let_pass(200)
    asked = stage.requests("tool/previewRules")[-1]
    told = scenes.preview(asked["params"]["rules"], problem="No tool is called “shel”.")
    stage.answer(asked["id"], told)
    stage.arm()

    assert is_off(stage)
    preview = stage.at("rule-preview")
    assert preview.inner_text() == "No tool is called “shel”."
    assert preview.get_attribute("role") == "status"
    field = stage.at("rule-text").first
    assert field.get_attribute("aria-invalid") == "true"
    described = field.get_attribute("aria-describedby")
    assert stage.page.locator(f"#{described}").inner_text() == "No tool is called “shel”."
    stage.at("rule-confirm").click(force=True)
    stage.let_pass(20)
    assert stage.answers() == []


@pytest.mark.requirement("T-02", "T-04")
def test_a_rule_is_not_written_before_the_card_has_stood_still(stage: Stage) -> None:
    opened(stage, tickets.shell())
    open_step(stage)
    stage.arm()
    foresee(stage)
    stage.at("rule-confirm").click()
    stage.let_pass(20)
    assert stage.at("card").get_attribute("data-armed") == "false"
    assert stage.answers() == []


@pytest.mark.requirement("T-02", "T-04")
@pytest.mark.parametrize("way", ["back", "escape"])
def test_the_step_is_left_without_an_answer(stage: Stage, way: str) -> None:
    opened(stage, tickets.shell())
    open_step(stage)
    foresee(stage)
    if way == "back":
        stage.at("rule-back").click()
    else:
        stage.page.keyboard.press("Escape")
    stage.let_pass(20)

    assert stage.at("rule-step").count() == 0
    assert stage.at("allow-menu").evaluate(FOCUSED)
    stage.page.keyboard.press("Escape")
    stage.arm()
    assert stage.at("card").is_visible()
    assert stage.answers() == []


@pytest.mark.requirement("T-04")
def test_where_the_rule_could_not_be_written_it_is_said_and_nothing_of_it_is_lost(
    stage: Stage,
) -> None:
    opened(stage, tickets.shell())
    open_step(stage)
    stage.at("rule-text").first.fill("shell(rm -rf ./dist:*)")
    stage.let_pass(200)
    foresee(stage)
    stage.arm()
    stage.at("rule-confirm").click()
    stage.let_pass(20)
    why = "`settings.json` has changes that are not saved."
    stage.answer(stage.asked("tool/approvalResponse"), {"kind": "stillOpen", "because": why})

    assert stage.at("remark").inner_text() == why
    assert stage.at("rule-text").first.input_value() == "shell(rm -rf ./dist:*)"
    assert not is_off(stage)


@pytest.mark.requirement("T-04", "M-03")
@pytest.mark.parametrize("stage", [{"width": 300, "height": 700}], indirect=True)
@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_at_300_pixels_the_command_and_both_buttons_stay_in_sight(
    stage: Stage, direction: str
) -> None:
    opened(stage, tickets.shell(), direction=direction)
    scrolled_down(stage)
    open_step(stage)
    foresee(stage)
    stage.arm()

    for name in ["card-title", "rule-back", "rule-confirm", "composer"]:
        box = stage.at(name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 300
        assert box["y"] + box["height"] <= 700
    body = stage.at("card-body").bounding_box()
    assert body is not None
    assert body["height"] >= 64
    direct = "(each) => getComputedStyle(each).direction"
    assert stage.at("rule-text").first.evaluate(direct) == "ltr"


@pytest.mark.requirement("T-04")
def test_a_record_names_the_rule_and_where_it_is_written(stage: Stage) -> None:
    because = "The rule `shell(git status:*)` allows this (your settings, line 12)."
    call = scenes.record("r9", tickets.plain("Run git status"), by="rule", because=because)
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[call])]))

    line = stage.at("record").locator(".line")
    assert line.locator("code").inner_text() == "shell(git status:*)"
    assert "(your settings, line 12)" in line.inner_text()


@pytest.mark.requirement("T-04")
def test_a_rule_that_could_not_be_kept_after_the_answer_is_told_of(stage: Stage) -> None:
    ticket = tickets.shell()
    opened(stage, ticket)
    open_step(stage)
    foresee(stage)
    stage.arm()
    stage.at("rule-confirm").click()
    stage.let_pass(20)
    answer = {"outcome": "allowed", "by": "user", "because": "You allowed it always"}
    stage.tell("tool/approvalSettled", scenes.settled(1, ticket, **answer))
    assert stage.at("note").count() == 0
    why = "You allowed it always, but you will be asked again: `settings.json` is not saved."
    receipt = {**answer, "kind": "applied", "because": why}
    stage.answer(stage.asked("tool/approvalResponse"), receipt)

    # What stands in back-ticks is drawn as code.
    assert stage.at("note").inner_text().startswith(why.replace("`", ""))
