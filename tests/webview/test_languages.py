"""The view where the editor speaks German or Japanese: nothing English is left, nothing is cut."""

import json
from collections.abc import Callable
from typing import Final

import pytest

from assent.editor.protocol import card, chats
from webview import scenes, tickets
from webview.stage import CLIENT, Stage
from webview.test_short import WHOLE, main_buttons, scrolled_down
from webview.test_start import FOUND, begin
from webview.test_together import six

pytestmark = [pytest.mark.browser, pytest.mark.parametrize("language", ["de", "ja"])]

NARROW: Final = {"width": 300, "height": 700}
TALK: Final = scenes.chat(items=scenes.TALK, running=True)
DRAWN: Final = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) found.push(walk.currentNode.data.trim());
  for (const each of document.querySelectorAll("[title], [aria-label], [placeholder]"))
    for (const name of ["title", "aria-label", "placeholder"])
      found.push(each.getAttribute(name)?.trim() ?? "");
  return found.filter((text) => text !== "");
}"""
"""All that a person reads of the page, or hears of it."""


def words(language: str) -> dict[str, str]:
    text = (CLIENT / f"l10n/bundle.l10n.{language}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found


def low(stage: Stage, language: str) -> None:
    asked = tickets.read()
    stage.open(scenes.snapshot(talks=[TALK], tickets=[asked]), language=language)
    stage.arm()


def high(stage: Stage, language: str) -> None:
    stage.open(scenes.snapshot(talks=[TALK], tickets=[tickets.grave()]), language=language)
    stage.arm()
    scrolled_down(stage)
    stage.arm()


def batch(stage: Stage, language: str) -> None:
    stage.open(scenes.snapshot(talks=[TALK], tickets=six()), language=language)
    stage.arm()
    stage.at("together").click()
    stage.arm()
    stage.at("tick").nth(1).click()
    stage.arm()


def composer(stage: Stage, language: str) -> None:
    talk = scenes.chat(items=[*scenes.TALK, *scenes.RECORDS], mode="auto")
    stage.open(scenes.snapshot(talks=[talk]), language=language)
    stage.draw()


def start(stage: Stage, language: str) -> None:
    begin(stage, FOUND, language=language)
    stage.draw()


UNCLEAR: Final = (
    "assent.mode in this workspace's settings could not be understood, so new chats ask before"
    " every call."
)
REFUSED: Final = (
    "The rule “shell(” in your user settings cannot be used, so every call is asked about."
    " Its bracket is never closed."
)
SAID: Final = "You stopped it. There is no such chat."
"""Words of an agent that are to the letter what Assent might say."""


def trouble(stage: Stage, language: str) -> None:
    notices = [
        chats.Notice(level="warning", text="Eliza did not stop, so its process was ended.", at=0),
        chats.Notice(level="error", text=f"Eliza could not go on: {SAID}", at=0),
        chats.Notice(
            level="error",
            text="qwen3 on Ollama did not reply: it broke off.",
            at=0,
            offer=chats.RetryOffer(wants_key=True),
        ),
    ]
    talk = scenes.chat(items=[*scenes.TALK, *notices])
    stage.open(scenes.snapshot(talks=[talk], banners=[UNCLEAR, REFUSED]), language=language)
    stage.draw()


STATES: Final[dict[str, Callable[[Stage, str], None]]] = {
    "low": low,
    "high": high,
    "batch": batch,
    "composer": composer,
    "start": start,
    "trouble": trouble,
}
each_state: Final = pytest.mark.parametrize("state", STATES)


@pytest.mark.requirement("T-01")
@each_state
@pytest.mark.parametrize("stage", [NARROW], indirect=True)
def test_nothing_that_has_a_translation_is_drawn_in_english(
    stage: Stage, state: str, language: str
) -> None:
    STATES[state](stage, language)
    translated = words(language)
    english = {key for key, text in translated.items() if key != text}
    drawn: list[str] = stage.page.evaluate(DRAWN)

    assert [text for text in drawn if text in english] == []
    assert any(text in set(translated.values()) for text in drawn)
    assert stage.page.evaluate("document.documentElement.lang") == language
    assert stage.page.evaluate("document.documentElement.dir") == "ltr"
    assert stage.violations() == []


@pytest.mark.requirement("T-01")
@each_state
@pytest.mark.parametrize("stage", [NARROW], indirect=True)
def test_no_button_is_cut_and_axe_finds_nothing(stage: Stage, state: str, language: str) -> None:
    STATES[state](stage, language)
    assert stage.faults() == []
    cut = stage.page.evaluate(
        """() => [...document.querySelectorAll("button, select, .title, .strip, .note")]
          .filter((each) => each.offsetParent !== null)
          .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
          .map((each) => each.outerHTML.slice(0, 200))"""
    )
    assert cut == []
    assert stage.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if state in {"low", "high", "batch"}:
        found = main_buttons(stage)
        assert set(found) == {"whole"}
    elif state == "composer":
        assert stage.at("send").evaluate(WHOLE) == "whole"


ASKS: Final = "Default mode asks before agents run commands."


def because(stage: Stage, language: str) -> str:
    """Why a card is there, as it stands on it."""
    picture = tickets.grave().card.model_copy(update={"because": card.Because(text=ASKS)})
    asked = tickets.asked("t-because", picture)
    stage.open(scenes.snapshot(talks=[TALK], tickets=[asked]), language=language)
    stage.arm()
    return stage.at("card-because").inner_text()


def test_a_card_says_what_the_server_says_of_it_in_the_language(
    stage: Stage, language: str
) -> None:
    told = {
        "de": "Im Modus Standard wird gefragt, bevor Agenten Befehle ausführen.",
        "ja": "モード「既定」では、エージェントによるコマンドの実行の前に確認します。",
    }
    assert told[language] in because(stage, language)


def test_where_what_reads_the_servers_sentences_cannot_be_had_they_stay_english(
    stage: Stage, language: str
) -> None:
    stage.lose("/reading.js")
    assert ASKS in because(stage, language)
    ours = words(language)["Message {0}…"].split("{0}")
    placeholder = stage.at("composer").get_attribute("placeholder") or ""
    assert all(part in placeholder for part in ours)


@pytest.mark.requirement("T-01")
def test_words_of_an_agent_are_translated_nowhere(stage: Stage, language: str) -> None:
    known = "It only reads."
    assert known in words(language)
    text = f"Deny could not go on: {known}"
    notice = chats.Notice(kind="notice", level="warning", text=text, at=0)
    says = tickets.plain(known)
    picture = tickets.grave().card.model_copy(update={"says": says, "agent_name": "Deny"})
    talk = scenes.chat(items=[notice], agent_name="Deny", running=True)
    stage.open(
        scenes.snapshot(talks=[talk], tickets=[tickets.asked("t-says", picture)]),
        language=language,
    )
    stage.arm()

    assert known in stage.at("notice").inner_text()
    assert "could not" not in stage.at("notice").inner_text()
    assert known in (stage.page.locator(".says q").text_content() or "")
    assert stage.page.locator(".card .agent").first.inner_text() == "Deny"


@pytest.mark.requirement("T-01")
def test_notices_errors_and_complaints_about_settings_are_said_in_the_language(
    stage: Stage, language: str
) -> None:
    trouble(stage, language)
    notices, banners = stage.at("notice").all_inner_texts(), stage.at("banner").all_inner_texts()
    told = {
        "de": (
            "Eliza hat nicht gestoppt, daher wurde der Prozess beendet.",
            f"Eliza konnte nicht weitermachen: {SAID}",
            "assent.mode in Einstellungen dieses Arbeitsbereichs ließ sich nicht verstehen",
            "daher wird nach jedem Aufruf gefragt. Die Klammer wird nie geschlossen.",
        ),
        "ja": (
            "Eliza が停止しなかったため、プロセスを終了しました。",
            f"Eliza は続行できませんでした: {SAID}",
            "このワークスペースの設定の assent.mode は解釈できないため、",
            "括弧が閉じられていません。",
        ),
    }
    for text in told[language]:
        assert any(text in each for each in [*notices, *banners]), (text, notices, banners)


def test_numbers_are_written_as_the_language_writes_them(stage: Stage, language: str) -> None:
    usage = chats.Usage(read=41_234, wrote=0, window=200_000)
    stage.open(scenes.snapshot(talks=[scenes.chat(usage=usage)]), language=language)
    title = stage.at("usage").get_attribute("title")
    assert title is not None
    assert ("41.234" if language == "de" else "41,234") in title
