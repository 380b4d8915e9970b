"""What an agent of other people tells of itself: title, use, commands, settings of its own."""

import base64

import pytest

from assent.editor.protocol import agents, chats, happenings
from assent.gate.text.pictures import picture_in
from host.waiting import until
from webview import scenes, tickets
from webview.stage import Stage

pytestmark = pytest.mark.browser

COMMANDS = [
    agents.AgentCommand(name="compact", says="Make it short", hint="what to keep"),
    agents.AgentCommand(name="clear", says='<img src=x onerror="alert(1)">'),
    agents.AgentCommand(name="review", says="Look at the changes"),
]
MODE = agents.AgentSetting(
    id="mode",
    name="Mode",
    now="default",
    choices=[
        agents.AgentChoice(value="default", name="Default"),
        agents.AgentChoice(value="bypassPermissions", name="Bypass <b>Permissions</b>"),
    ],
)
LOOSE = "Claude Code is in its own mode “Bypass”, so it may ask less."


def test_commands_are_offered_behind_a_slash_and_written_out(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, commands=COMMANDS)]))
    assert stage.at("commands").count() == 0
    stage.at("composer").press_sequentially("/c")
    stage.let_pass(20)
    buttons = stage.at("commands").get_by_role("button")
    assert [it.split("\n")[0] for it in buttons.all_inner_texts()] == [
        "/compact what to keep Make it short",
        '/clear <img src=x onerror="alert(1)">',
    ]
    assert stage.violations() == []
    stage.at("composer").press("Tab")
    stage.let_pass(20)
    assert stage.at("composer").input_value() == "/compact "
    assert stage.at("commands").count() == 0
    stage.at("composer").fill("/rev")
    stage.let_pass(20)
    buttons.first.click()
    stage.let_pass(20)
    assert stage.at("composer").input_value() == "/review "
    assert stage.requests("agent/prompt") == []


def test_commands_never_stand_beside_an_open_card(stage: Stage) -> None:
    talk = scenes.chat(items=scenes.TALK, commands=COMMANDS)
    stage.open(scenes.snapshot(talks=[talk], tickets=[tickets.CARDS["shell"]]))
    stage.at("composer").press_sequentially("/c")
    stage.let_pass(20)
    assert stage.at("commands").count() == 0


def test_a_setting_of_the_agents_own_is_chosen_at_the_server_and_stands_as_it_says(
    stage: Stage,
) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, settings=[MODE])]))
    panel = stage.at("agent-settings")
    assert panel.locator("summary").inner_text() == "Claude Code’s own settings: Default"
    panel.locator("summary").click()
    choice = stage.at("agent-setting")
    assert choice.locator("option").all_inner_texts() == ["Default", "Bypass <b>Permissions</b>"]
    choice.select_option("bypassPermissions")
    stage.let_pass(20)
    [asked] = stage.requests("agent/setOption")
    assert asked["params"] == {
        "chatId": "chat-1",
        "optionId": "mode",
        "value": "bypassPermissions",
    }
    assert choice.input_value() == "default", "until the server says"
    now = MODE.model_copy(update={"now": "bypassPermissions"})
    event = agents.OptionsTold(settings=[now], loose=LOOSE)
    stage.tell("agent/event", scenes.event(1, "chat-1", event))
    assert choice.input_value() == "bypassPermissions"
    assert stage.at("agent-loose").inner_text() == LOOSE
    assert stage.faults() == []


def test_what_an_agent_is_kept_from_stands_under_its_settings_for_as_long_as_that_is_so(
    stage: Stage,
) -> None:
    kept = "Files of this workspace that it does not get whole: `.mcp.json`."
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK, left_out=kept)]))
    assert stage.at("left-out").inner_text() == kept.replace("`", "")
    assert stage.at("left-out").locator("code").inner_text() == ".mcp.json"
    stage.tell("agent/event", scenes.event(1, "chat-1", agents.OptionsTold(settings=[MODE])))
    assert stage.at("left-out").count() == 0
    event = agents.OptionsTold(settings=[MODE], left_out=kept)
    stage.tell("agent/event", scenes.event(2, "chat-1", event))
    assert stage.at("left-out").inner_text() == kept.replace("`", "")
    assert stage.faults() == []


PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def test_a_picture_is_drawn_in_a_frame_that_says_whose_it_is(stage: Stage) -> None:
    picture = agents.Picture(mime="image/png", data=PIXEL, width=1, height=1)
    stage.open(scenes.snapshot(talks=[scenes.chat(items=[*scenes.TALK, picture])]))
    late = picture.model_copy(update={"call_id": "call-1"})
    stage.tell("agent/event", scenes.event(1, "chat-1", agents.Pictured(picture=late)))
    captions = stage.at("picture").locator("figcaption").all_inner_texts()
    assert captions == [
        "Picture from Claude Code, 1 × 1",
        "Picture from a call of Claude Code, 1 × 1",
    ]
    drawn = stage.at("picture").locator("img").last
    drawn.evaluate("(each) => each.decode()")
    assert stage.violations() == []
    assert stage.faults() == []


def test_a_title_of_the_agents_is_text_and_the_use_tells_its_cost(stage: Stage) -> None:
    usage = chats.Usage(read=25, wrote=0, window=100, cost="0.12 USD")
    talk = scenes.chat(items=scenes.TALK, usage=usage)
    stage.open(scenes.snapshot(talks=[talk]))
    assert stage.at("usage").inner_text() == "25 % · 0.12 USD"
    event = agents.AgentTitled(title="<img src=x onerror=alert(1)>")
    stage.tell("agent/event", scenes.event(1, "chat-1", event))
    assert stage.posted("looks")[-1]["title"] == "<img src=x onerror=alert(1)>"
    opened = happenings.ChatOpened(chat=scenes.chat("chat-2"))
    stage.tell("agent/event", scenes.event(2, "chat-2", opened))
    listed = stage.at("chat-select").locator("option").all_inner_texts()
    assert listed[0] == "<img src=x onerror=alert(1)>"
    assert stage.violations() == []


PASTE = """async (each, [data, type]) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const clipboardData = new DataTransfer();
  const file = new File([bytes], "a.png", { type });
  clipboardData.items.add(file);
  const how = { clipboardData, bubbles: true, cancelable: true };
  each.dispatchEvent(new ClipboardEvent("paste", how));
  // What is read after it has been read when it has.
  const reader = new FileReader();
  await new Promise((done) => { reader.onload = done; reader.readAsDataURL(file); });
}"""


def paste(stage: Stage, kind: str = "image/png") -> None:
    buttons = stage.at("attachments").get_by_role("button")
    count = buttons.count() + kind.startswith("image/")
    stage.at("composer").evaluate(PASTE, [PIXEL, kind])

    def is_there() -> bool:
        # The page reads it by a reader of its own, which may be done after ours.
        stage.let_pass(20)
        return buttons.count() == count

    until(is_there, within=30, what="the picture is to be sent")


def test_pasted_pictures_go_with_the_prompt_and_come_back_where_it_was_not_taken(
    stage: Stage,
) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)]))
    for kind in ("image/png", "image/png", "text/html"):
        paste(stage, kind)
    assert stage.at("attachments").get_by_role("button").count() == 2
    stage.arm()
    stage.at("attachments").get_by_role("button", name="Picture 2").click()
    stage.at("composer").fill("What is this?")
    stage.at("composer").press("Enter")
    stage.let_pass(20)
    [prompt] = stage.requests("agent/prompt")
    expected = {"chatId": "chat-1", "text": "What is this?", "images": [PIXEL]}
    assert prompt["params"] == expected
    assert stage.at("attachments").count() == 0
    stage.answer(stage.asked("agent/prompt"), error="The agent of this chat takes no pictures.")
    assert stage.at("composer").input_value() == "What is this?"
    assert stage.at("attachments").get_by_role("button").count() == 1
    assert stage.violations() == []


def sent(stage: Stage) -> None:
    """Send a picture with some words, and begin the next message."""
    paste(stage)
    stage.at("composer").fill("What is this?")
    stage.at("composer").press("Enter")
    stage.let_pass(20)
    assert stage.at("attachments").count() == 0
    stage.at("composer").fill("And this?")


def test_a_picture_that_the_agent_cannot_read_is_in_the_box_again_before_what_was_written_since(
    stage: Stage,
) -> None:
    why = "Claude Code cannot read pictures. Your message was not sent."
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)]))
    sent(stage)
    stage.answer(stage.asked("agent/prompt"), error=why)
    assert stage.at("composer").input_value() == "What is this?\n\nAnd this?"
    assert stage.at("attachments").get_by_role("button").count() == 1
    assert stage.at("note").inner_text().startswith(why)
    stage.at("composer").press("Enter")
    stage.let_pass(20)
    again = stage.requests("agent/prompt")[-1]["params"]
    assert again["images"] == [PIXEL]
    assert again["text"] == "What is this?\n\nAnd this?"
    assert stage.at("note").count() == 0


def test_a_message_whose_server_went_is_in_the_box_again_and_can_be_sent_to_the_next(
    stage: Stage,
) -> None:
    lost = "Assent's server stopped before it answered."
    talk = scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)])
    stage.open(talk)
    sent(stage)
    stage.say({"kind": "server", "state": "restarting", "text": ""})
    stage.answer(stage.asked("agent/prompt"), error=lost)
    assert stage.at("composer").input_value() == "What is this?\n\nAnd this?"
    assert stage.at("attachments").get_by_role("button").count() == 1
    assert stage.at("note").inner_text().startswith(lost)
    stage.begin(talk)
    stage.at("composer").press("Enter")
    stage.let_pass(20)
    again = stage.requests("agent/prompt")[-1]["params"]
    assert (again["text"], again["images"]) == ("What is this?\n\nAnd this?", [PIXEL])


def test_a_message_of_a_page_that_is_gone_is_in_the_box_of_the_next(stage: Stage) -> None:
    why = "Claude Code cannot read pictures. Your message was not sent."
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)]))
    stage.at("composer").fill("And this?")
    unsent = {
        "kind": "notSent",
        "chatId": "chat-1",
        "text": "What is this?",
        "images": [PIXEL],
        "because": why,
    }
    stage.say(unsent)
    stage.let_pass(20)
    assert stage.at("composer").input_value() == "What is this?\n\nAnd this?"
    assert stage.at("attachments").get_by_role("button").count() == 1
    assert stage.at("note").inner_text().startswith(why)


LARGE = """async (each) => {
  const canvas = new OffscreenCanvas(3000, 1500);
  const context = canvas.getContext("2d");
  const noise = context.createImageData(3000, 1500);
  let seed = 7;
  for (let at = 0; at < noise.data.length / 3; at += 4) {
    seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
    noise.data.set([seed >>> 24, seed >>> 16, seed >>> 8, 255], at);
  }
  context.putImageData(noise, 0, 0);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([blob], "a.png", { type: "image/png" }));
  each.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
  return blob.size;
}"""


def test_a_picture_that_is_too_large_to_send_is_drawn_smaller(stage: Stage) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)]))
    assert stage.at("composer").evaluate(LARGE) > 1 << 20
    stage.at("composer").fill("What is this?")

    def is_there() -> bool:
        # The page draws by a clock of ours; the picture is made smaller by no clock at all.
        stage.let_pass(20)
        return stage.at("attachments").count() == 1

    until(is_there, within=30, what="the picture is to be sent")
    stage.at("composer").press("Enter")
    stage.let_pass(20)
    [prompt] = stage.requests("agent/prompt")
    raw = base64.b64decode(prompt["params"]["images"][0])
    assert len(raw) <= 1 << 20
    found = picture_in(raw)
    assert found is not None
    assert (found.width, found.height) == (2_000, 1_000)
    assert stage.violations() == []
