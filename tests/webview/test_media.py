"""Pictures and sounds in the chat: nothing plays or moves by itself, and no card is covered."""

import base64
from typing import Any, Final

import pytest

from assent.editor.protocol import agents
from host.waiting import until
from pictures import GIF, MOVING, MOVING_PNG, MOVING_WEBP, png
from pictures import moving as moving_gif
from sounds import wav
from webview import scenes, tickets
from webview.stage import ORIGIN, Stage
from webview.tickets import plain

pytestmark = pytest.mark.browser

NARROW: Final = {"width": 260, "height": 700}


def data(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def picture(raw: bytes = b"", **more: Any) -> agents.Picture:
    told = {"mime": "image/png", "width": 400, "height": 900, **more}
    return agents.Picture(data=data(raw or png(told["width"], told["height"], shade=90)), **told)


def moving(**more: Any) -> agents.Picture:
    told = {"width": 1, "height": 1, **more}
    raw = moving_gif(told["width"], told["height"])
    return picture(raw, mime="image/gif", moves=True, **told)


def sound(seconds: float = 30) -> agents.Sound:
    return agents.Sound(mime="audio/wav", data=data(wav(seconds)), call_id="call-1")


def spoken(number: int = 1) -> Any:
    return scenes.record(f"s{number}", plain("Create kite.wav"), sound=f"kite{number}.wav")


def opened(stage: Stage, *items: Any, theme: str = "dark-2026", **more: Any) -> None:
    chats = [*more.pop("others", []), scenes.chat(items=[*scenes.TALK[:1], *items])]
    stage.open(scenes.snapshot(talks=chats, **more), theme=theme)
    what = (
        "player"
        if isinstance(items[-1], agents.Sound) or hasattr(items[-1], "sound")
        else "picture"
    )
    stage.at(what).last.wait_for()


def plays(stage: Stage, number: int, *, so: bool = True) -> None:
    """Wait until a player plays, or does so no more."""
    wanted = "true" if so else "false"
    stage.page.wait_for_function(
        "([at, so]) => document.querySelectorAll('.player')[at].dataset.playing === so",
        arg=[number, wanted],
    )


WATCH: Final = """(at) => {
  window.seen = [];
  const player = document.querySelectorAll('.player')[at];
  new MutationObserver(() => window.seen.push(player.dataset.playing))
    .observe(player, { attributeFilter: ['data-playing'] });
}"""


def watch(stage: Stage, number: int) -> None:
    """Note from now on when a player plays: a short sound is over before anybody asks."""
    stage.page.evaluate(WATCH, number)


def has_played(stage: Stage) -> None:
    """Wait until what is watched has played, and does so no more."""
    stage.page.wait_for_function(
        "() => window.seen.includes('true') && window.seen.at(-1) === 'false'"
    )


def has_begun(stage: Stage, number: int) -> None:
    """Wait until some of it has been heard."""
    stage.page.wait_for_function(
        "(at) => document.querySelectorAll('[data-testid=position]')[at].valueAsNumber > 0",
        arg=number,
    )


HEARD: Final = """window.sounds = [];
window.Audio = class extends Audio {
  constructor() { super(); window.sounds.push(this); }
};"""


def held(stage: Stage) -> list[bool]:
    """Which players hold the bytes of a sound; the page is opened with `HEARD`."""
    told: list[bool] = stage.page.evaluate("window.sounds.map((each) => each.src !== '')")
    return told


def playing(stage: Stage) -> list[str | None]:
    return [it.get_attribute("data-playing") for it in stage.at("player").all()]


def test_a_sound_plays_at_a_press_alone_tells_where_it_is_and_stands_still_again(
    stage: Stage,
) -> None:
    opened(stage, sound())
    assert playing(stage) == ["false"]
    assert (
        stage.at("sound").locator("figcaption").inner_text() == "Sound from a call of Claude Code"
    )
    stage.at("play").focus()
    stage.page.keyboard.press("Space")
    plays(stage, 0)
    has_begun(stage, 0)
    assert stage.at("time").inner_text().endswith("/ 0:30")
    assert str(stage.at("play").get_attribute("aria-label")).startswith("Pause: Sound from")
    stage.page.keyboard.press("Enter")
    plays(stage, 0, so=False)
    assert stage.violations() == []


def test_a_sound_goes_on_where_its_slider_is_put(stage: Stage) -> None:
    opened(stage, sound())
    slider = stage.at("position")
    stage.at("play").click()
    stage.page.wait_for_function("() => !document.querySelector('[data-testid=position]').disabled")
    slider.focus()
    stage.page.keyboard.press("End")
    stage.page.wait_for_function(
        "() => document.querySelector('[data-testid=time]').textContent === '0:30 / 0:30'"
    )
    assert slider.get_attribute("aria-valuetext") == "0:30 of 0:30"


def test_a_sound_that_has_come_to_its_end_can_be_played_again(stage: Stage) -> None:
    opened(stage, sound(0.2))
    for _ in range(2):
        watch(stage, 0)
        stage.at("play").click()
        has_played(stage)


def test_one_sound_plays_at_a_time(stage: Stage) -> None:
    opened(stage, sound(), sound())
    stage.at("play").first.click()
    plays(stage, 0)
    stage.at("play").last.click()
    plays(stage, 1)
    plays(stage, 0, so=False)


def test_the_bytes_of_a_sound_are_held_from_its_press_until_another_begins(stage: Stage) -> None:
    stage.page.add_init_script(HEARD)
    opened(stage, sound(), sound(), others=[scenes.chat("chat-2")])
    assert held(stage) == [False, False]
    stage.at("play").first.click()
    assert held(stage) == [True, False]
    stage.at("play").last.click()
    assert held(stage) == [False, True]
    stage.say({"kind": "showChat", "chatId": "chat-2"})
    stage.let_pass(20)
    assert held(stage) == [False, False]


def press(stage: Stage, number: int) -> int:
    """Press a button to play; what comes back is the request for the bytes."""
    stage.at("play").nth(number).click()
    stage.let_pass(20)
    return int(stage.requests("tool/sound")[-1]["id"])


SPOKEN: Final = {"mime": "audio/wav", "data": data(wav(30))}


def test_what_was_spoken_is_let_go_of_when_another_is_asked_for(stage: Stage) -> None:
    stage.page.add_init_script(HEARD)
    opened(stage, spoken(1), spoken(2))
    stage.answer(press(stage, 0), SPOKEN)
    plays(stage, 0)
    second = press(stage, 1)
    assert held(stage) == [False, False]
    stage.answer(second, SPOKEN)
    plays(stage, 1)
    assert held(stage) == [False, True]
    assert playing(stage) == ["false", "true"]


def test_what_comes_late_does_not_play_over_what_was_asked_for_after_it(stage: Stage) -> None:
    stage.page.add_init_script(HEARD)
    opened(stage, spoken(1), spoken(2))
    first, second = press(stage, 0), press(stage, 1)
    stage.answer(second, SPOKEN)
    plays(stage, 1)
    stage.answer(first, SPOKEN)
    assert playing(stage) == ["false", "true"]
    assert held(stage) == [False, True]


def test_what_was_spoken_is_asked_for_whenever_it_begins(stage: Stage) -> None:
    opened(stage, spoken())
    short = {"mime": "audio/wav", "data": data(wav(0.2))}
    for _ in range(2):
        watch(stage, 0)
        stage.answer(press(stage, 0), short)
        has_played(stage)
    stage.answer(press(stage, 0), error="It cannot be played: no such file or directory.")
    assert len(stage.requests("tool/sound")) == 3
    assert playing(stage) == ["false"]


def test_what_was_spoken_is_asked_for_at_its_press_and_goes_on_where_it_was_stopped(
    stage: Stage,
) -> None:
    opened(stage, spoken())
    assert stage.requests("tool/sound") == []
    stage.at("play").click()
    stage.let_pass(20)
    (asked,) = stage.requests("tool/sound")
    assert asked["params"] == {"chatId": "chat-1", "entry": 1, "callId": "call-s1"}
    stage.answer(asked["id"], SPOKEN)
    plays(stage, 0)
    has_begun(stage, 0)
    stage.at("play").click()
    plays(stage, 0, so=False)
    stage.at("play").click()
    plays(stage, 0)
    assert len(stage.requests("tool/sound")) == 1


def test_what_cannot_be_had_is_said_and_can_be_asked_for_again(stage: Stage) -> None:
    opened(stage, spoken())
    stage.at("play").click()
    stage.let_pass(20)
    stage.answer(stage.asked("tool/sound"), error="It cannot be played: no such file or directory.")
    assert "It cannot be played" in stage.page.locator(".bottom").inner_text()
    stage.at("play").click()
    stage.let_pass(20)
    assert len(stage.requests("tool/sound")) == 2


def test_what_is_no_sound_says_so(stage: Stage) -> None:
    opened(stage, agents.Sound(mime="audio/wav", data=data(b"RIFF0000WAVEnothing")))
    stage.at("play").click()
    stage.page.get_by_text("This sound cannot be played here.").wait_for()
    assert stage.faults() == []


def test_a_sound_stops_when_its_chat_is_left(stage: Stage) -> None:
    stage.page.add_init_script(
        """const play = HTMLMediaElement.prototype.play;
           HTMLMediaElement.prototype.play = function () {
             window.heard = this;
             return play.call(this);
           };"""
    )
    opened(stage, sound(), others=[scenes.chat("chat-2")])
    stage.at("play").click()
    plays(stage, 0)
    stage.say({"kind": "showChat", "chatId": "chat-2"})
    stage.let_pass(20)
    assert stage.at("player").count() == 0
    assert stage.page.evaluate("window.heard.paused")


def test_a_picture_opens_large_and_escape_closes_it_where_it_was(stage: Stage) -> None:
    opened(stage, picture())
    stage.page.keyboard.press("Tab")
    stage.at("open-large").focus()
    stage.page.keyboard.press("Enter")
    large = stage.at("large")
    assert large.get_attribute("role") == "dialog"
    drawn = large.locator("img")
    assert drawn.get_attribute("alt") == "Picture from Claude Code"
    drawn.evaluate("(each) => each.decode()")
    box, frame = drawn.bounding_box(), large.bounding_box()
    assert box is not None
    assert frame is not None
    assert box["height"] <= frame["height"]
    assert box["height"] > 280, "it is larger than in the chat"
    assert stage.at("close-large").evaluate("(each) => each === document.activeElement")
    stage.page.keyboard.press("Escape")
    assert large.count() == 0
    assert stage.at("open-large").evaluate("(each) => each === document.activeElement")
    assert stage.requests("agent/stop") == []


def test_what_lies_under_a_large_picture_does_not_move(stage: Stage) -> None:
    opened(stage, *[picture() for _ in range(6)])
    stage.at("open-large").last.click()
    stage.at("fit").click()
    stage.draw()
    where = "document.querySelector('[data-log]').scrollTop"
    before = stage.page.evaluate(where)
    assert before > 0
    stage.at("large").locator("img").hover(force=True)
    stage.page.mouse.wheel(0, -2_000)
    stage.page.mouse.wheel(0, -2_000)
    stage.draw()
    assert stage.page.evaluate(where) == before


def test_a_large_picture_is_shown_in_its_full_size_where_it_can_be_scrolled(stage: Stage) -> None:
    opened(stage, picture(width=900, height=1_200))
    stage.at("open-large").click()
    stage.at("fit").click()
    drawn = stage.at("large").locator("img")
    assert drawn.evaluate("(each) => each.decode().then(() => each.clientWidth)") == 900
    scroller = stage.at("large").locator("[data-fit]")
    assert scroller.evaluate("(each) => each.scrollWidth > each.clientWidth")
    assert stage.at("fit").inner_text() == "Fit"


def test_a_card_that_comes_is_not_covered_by_a_large_picture(stage: Stage) -> None:
    opened(stage, picture())
    stage.at("open-large").click()
    stage.ask(1, tickets.shell())
    stage.arm()
    large, dock = stage.at("large").bounding_box(), stage.at("dock").bounding_box()
    assert large is not None
    assert dock is not None
    assert large["y"] + large["height"] <= dock["y"] + 1
    on_top = """(dock) => { const { left, top, width, height } = dock.getBoundingClientRect();
      const seen = document.elementFromPoint(left + width / 2, top + height / 2);
      return dock.contains(seen); }"""
    assert stage.at("dock").evaluate(on_top)


def test_a_large_picture_goes_with_its_chat(stage: Stage) -> None:
    opened(stage, picture(), others=[scenes.chat("chat-2")])
    stage.at("open-large").click()
    stage.say({"kind": "showChat", "chatId": "chat-2"})
    stage.let_pass(20)
    assert stage.at("large").count() == 0
    assert not stage.page.evaluate("document.querySelector('[data-log]').inert")


def test_a_picture_of_a_file_is_opened_in_the_editor(stage: Stage) -> None:
    opened(stage, picture(uri="file:///till/kite.png"))
    stage.at("open-large").click()
    stage.at("open-file").click()
    assert stage.posted("reveal") == [{"kind": "reveal", "uri": "file:///till/kite.png"}]


def test_one_without_a_file_leads_to_none(stage: Stage) -> None:
    opened(stage, picture())
    stage.at("open-large").click()
    assert stage.at("open-file").count() == 0


FIRST: Final = "(each) => [...each.getContext('2d').getImageData(0, 0, 1, 1).data]"


def is_still(stage: Stage, where: str) -> None:
    """Wait until the first frame is drawn, which is black."""
    stage.page.wait_for_function(
        f"(where) => {{ const each = document.querySelector(where + ' canvas');"
        f" return each !== null && ({FIRST})(each).join() === '0,0,0,255'; }}",
        arg=where,
    )


def test_a_picture_that_moves_stands_still_in_the_chat_and_moves_when_it_is_large(
    stage: Stage,
) -> None:
    opened(stage, moving())
    is_still(stage, "assent-picture")
    assert stage.at("picture").locator("img").count() == 0
    assert "it moves" in stage.at("picture").inner_text()
    stage.at("open-large").click()
    assert stage.at("large").locator("img").count() == 1
    stage.at("move").click()
    is_still(stage, ".large")
    assert stage.at("large").locator("img").count() == 0


@pytest.mark.parametrize("how", ["the system", "the editor"])
def test_it_waits_for_a_press_where_motion_is_reduced(stage: Stage, how: str) -> None:
    if how == "the system":
        stage.page.emulate_media(reduced_motion="reduce")
    opened(stage, moving())
    if how == "the editor":
        stage.page.evaluate("document.body.classList.add('vscode-reduce-motion')")
    stage.at("open-large").click()
    is_still(stage, ".large")
    assert stage.at("move").inner_text() == "Play"
    stage.at("move").click()
    assert stage.at("large").locator("img").count() == 1


DECODED: Final = """{
  const decode = window.createImageBitmap;
  const held = new Promise((done) => { window.letDecode = done; });
  window.decoded = [];
  let now = 0;
  window.createImageBitmap = async (...how) => {
    now += 1;
    await held;
    const frame = await decode(...how);
    window.decoded.push([frame.width, frame.height, now]);
    now -= 1;
    return frame;
  };
}"""
SIDE: Final = 3_000


def large_ones(stage: Stage, count: int) -> None:
    """Pictures of 36 MB each, by 14 kB; none is decoded before `letDecode`."""
    stage.page.add_init_script(DECODED)
    opened(stage, *[moving(width=SIDE, height=SIDE)] * count)
    stage.draw()


def test_what_stands_still_is_drawn_no_larger_than_it_is_shown_and_one_at_a_time(
    stage: Stage,
) -> None:
    large_ones(stage, 2)
    sizes = stage.page.locator("assent-picture canvas").evaluate_all(
        "(all) => all.map((it) => it.width)"
    )
    assert sizes == [600, 600]
    box = stage.page.locator("assent-picture canvas").first.bounding_box()
    assert box is not None
    assert box["height"] == 280
    stage.page.evaluate("window.letDecode()")
    is_still(stage, "assent-picture")
    stage.page.wait_for_function("() => window.decoded.length === 2")
    assert stage.page.evaluate("window.decoded") == [[600, 600, 1], [600, 600, 1]]


SHADE: Final = """(at) => [...document.querySelectorAll('assent-picture canvas')].at(at)
  .getContext('2d').getImageData(0, 0, 1, 1).data[3]"""


def test_what_stands_still_is_held_while_it_is_in_sight(stage: Stage) -> None:
    opened(stage, *[moving(width=300, height=280) for _ in range(8)])
    stage.page.wait_for_function(f"() => ({SHADE})(-1) === 255")
    assert stage.page.evaluate(SHADE, 0) == 0
    stage.page.evaluate("document.querySelector('[data-log]').scrollTop = 0")
    stage.page.wait_for_function(f"() => ({SHADE})(0) === 255 && ({SHADE})(-1) === 0")


def test_a_large_one_is_drawn_whole_once_it_can_be_and_dropped_when_it_closes(
    stage: Stage,
) -> None:
    stage.page.emulate_media(reduced_motion="reduce")
    large_ones(stage, 1)
    stage.at("open-large").click()
    stage.page.evaluate("window.letDecode()")
    is_still(stage, ".large")
    drawn = stage.at("large").locator("canvas").element_handle()
    assert drawn.evaluate("(each) => [each.width, each.height]") == [SIDE, SIDE]
    stage.at("close-large").click()
    assert drawn.evaluate("(each) => each.width") == 0


def test_one_that_cannot_be_drawn_says_so_wherever_it_stands(stage: Stage) -> None:
    stage.page.emulate_media(reduced_motion="reduce")
    opened(stage, picture(MOVING[:16], mime="image/gif", moves=True))
    said = "This picture cannot be drawn here."
    stage.at("picture").get_by_text(said).wait_for()
    stage.at("open-large").click()
    stage.at("large").get_by_text(said).wait_for()
    assert stage.page.locator("canvas").count() == 0
    assert stage.faults() == []


PASTE: Final = """(each, [data, type]) => {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const clipboardData = new DataTransfer();
  clipboardData.items.add(new File([bytes, new Uint8Array(1 << 20)], "a", { type }));
  each.dispatchEvent(new ClipboardEvent("paste", { clipboardData, cancelable: true }));
}"""
STILL: Final = "A picture that moves and is larger than 1 MiB is sent as a still one."


@pytest.mark.parametrize(
    ("raw", "kind", "said"),
    [
        (MOVING, "gif", [STILL]),
        (MOVING_PNG, "png", [STILL]),
        (MOVING_WEBP, "webp", [STILL]),
        (GIF, "gif", []),
        (png(), "png", []),
    ],
    ids=["a GIF", "a PNG that moves", "a WebP that moves", "a GIF of one frame", "a PNG"],
)
def test_what_moves_and_is_sent_still_says_so_and_nothing_else_does(
    stage: Stage, raw: bytes, kind: str, said: list[str]
) -> None:
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)]))
    stage.at("composer").evaluate(PASTE, [data(raw), f"image/{kind}"])

    def is_there() -> bool:
        stage.let_pass(20)
        return stage.at("attachments").count() == 1

    until(is_there, within=30, what="the picture is to be sent")
    assert stage.at("note").locator("span:not(.sp)").all_inner_texts() == said
    assert stage.violations() == []


def test_axe_finds_nothing_in_any_theme(stage: Stage) -> None:
    opened(stage, sound(), picture(), spoken())
    assert stage.faults_in_every_theme() == []
    stage.at("open-large").click()
    assert stage.faults_in_every_theme() == []
    assert stage.violations() == []


@pytest.mark.parametrize("stage", [NARROW], indirect=True)
def test_nothing_is_cut_in_260_pixels_at_twice_the_size(stage: Stage) -> None:
    opened(stage, sound(), moving(), picture(uri="file:///till/kite.png"), spoken())
    stage.page.evaluate("document.documentElement.style.setProperty('--vscode-font-size', '26px')")
    fits = """(each) => [...each.querySelectorAll('*')].every(
      (one) => one.getBoundingClientRect().right <= innerWidth + 1)"""
    for player in stage.at("player").all():
        assert player.evaluate(fits)
    stage.at("open-large").last.click()
    assert stage.at("large").locator(".ways-out").evaluate(fits)
    assert stage.at("close-large").is_visible()


def test_a_card_looks_the_same_beside_a_picture(stage: Stage) -> None:
    look = """(each) => { const { display, cursor, padding } = getComputedStyle(each);
      return [display, cursor, padding, each.getBoundingClientRect().height]; }"""
    opened(stage, picture(), tickets=[tickets.shell()])
    stage.arm()
    head = stage.page.locator(".card .small")
    beside = head.evaluate(look)
    stage.at("open-large").click()
    assert head.evaluate(look) == beside
    stage.reload(scenes.snapshot(talks=[scenes.chat()], tickets=[tickets.shell()]))
    stage.arm()
    assert stage.page.locator(".card .small").evaluate(look) == beside
    assert beside[:2] == ["flex", "auto"]


def test_what_draws_them_is_fetched_for_the_first_and_not_before(stage: Stage) -> None:
    fetched: list[str] = []
    stage.page.on("request", lambda request: fetched.append(request.url.removeprefix(ORIGIN)))
    stage.open(scenes.snapshot(talks=[scenes.chat(items=scenes.TALK[:3])]))
    assert "/drawings.js" not in fetched
    stage.tell("agent/event", scenes.event(1, "chat-1", agents.Sounded(sound=sound())))
    stage.at("player").wait_for()
    stage.tell("agent/event", scenes.event(2, "chat-1", agents.Pictured(picture=picture())))
    stage.at("picture").wait_for()
    assert "/drawings.js" in fetched
    assert len(fetched) == len(set(fetched))
