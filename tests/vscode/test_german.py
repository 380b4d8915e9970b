"""Where the editor speaks German or Japanese, so do palette, view, cards, History and Insights.

The editor of these tests has no language pack, so its own words stay English; which language it
speaks is all that an extension goes by.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from host.page import Browser, edit_settings, workspace_settings
from vscode.person import Person
from vscode.test_history import frame_with


@pytest.fixture
def german(browser: Browser, enter: Callable[..., Person], workspace: Path) -> Person:
    """Somebody whose editor is set to German."""
    browser.context.add_init_script("globalThis._VSCODE_NLS_LANGUAGE = 'de';")
    return enter(workspace)


@pytest.mark.requirement("T-01")
def test_a_call_is_asked_about_answered_and_found_again_in_german(
    german: Person, tmp_path: Path
) -> None:
    pictures = tmp_path / "pictures"
    expect(german.view.locator("html")).to_have_attribute("lang", "de")
    expect(german.see("composer")).to_have_attribute("placeholder", "Nachricht an Eliza …")

    german.say("run touch made")
    german.wait_for_card("Ausführen: touch made")
    expect(german.see("allow-once")).to_have_text("Einmal erlauben")
    expect(german.see("deny")).to_have_text("Ablehnen")
    german.see("why").click()
    expect(german.see("card-because")).to_contain_text(
        "Im Modus Standard wird gefragt, bevor Agenten Befehle ausführen."
    )
    expect(german.window.status("1 wartend")).to_be_visible()
    german.window.screenshot(pictures / "german-1-card.png")
    german.allow()
    german.wait_for_file("made")
    german.wait_for_turn()
    expect(german.record("touch made")).to_contain_text("Erlaubt")

    german.window.command("Assent: Verlauf anzeigen")
    expect(german.window.page.get_by_role("tab", name="Verlauf")).to_be_visible()
    page = frame_with(german, "main.history")
    expect(page.get_by_test_id("row")).to_have_count(1)
    expect(page.get_by_test_id("row")).to_contain_text("Erlaubt: Ausführen: touch made")
    german.window.screenshot(pictures / "german-2-history.png")


@pytest.fixture
def japanese(browser: Browser, enter: Callable[..., Person], workspace: Path) -> Person:
    """Somebody whose editor is set to Japanese."""
    browser.context.add_init_script("globalThis._VSCODE_NLS_LANGUAGE = 'ja';")
    return enter(workspace)


@pytest.mark.requirement("T-01")
def test_complaints_history_and_insights_are_read_in_japanese(
    japanese: Person, tmp_path: Path
) -> None:
    pictures = tmp_path / "pictures"
    edit_settings(workspace_settings(japanese.folder), {"assent.mode": "none"})
    expect(japanese.see("banner")).to_have_text(
        "このワークスペースの設定の assent.mode は解釈できないため、"
        "新しいチャットは呼び出しのたびに確認します。"
    )
    japanese.say("run make it-so")
    japanese.wait_for_card("実行: make it-so")
    japanese.window.screenshot(pictures / "japanese-1-card.png")
    japanese.deny()
    japanese.wait_for_turn()

    japanese.window.command("Assent: 履歴を表示")
    page = frame_with(japanese, "main.history")
    page.get_by_test_id("row").first.click()
    expect(page.get_by_test_id("record")).to_contain_text("回答までの時間")
    japanese.window.screenshot(pictures / "japanese-2-history.png")
    japanese.window.command("Assent: 分析を表示")
    expect(japanese.window.page.get_by_role("tab", name="分析")).to_be_visible()
    page = frame_with(japanese, "main > ul.facts")
    expect(page.locator("main > h1")).to_have_text("分析")
    expect(page.locator("body")).to_contain_text("1 日ごとの確認の数と回答者")
    expect(page.locator("body")).not_to_contain_text("Questions")
    expect(page.locator("body")).to_contain_text("make it-so")
    japanese.window.screenshot(pictures / "japanese-3-insights.png")
