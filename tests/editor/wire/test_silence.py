"""An editor that does not answer: what was allowed is asked about, and a banner says why."""

from typing import Any

import pytest

from editor.wire.editor import Editor
from editor.wire.inside import Inside, inside

pytestmark = pytest.mark.requirement("S-04")

LOOSE: dict[str, Any] = {"user": {"mode": "auto", "rules": {"allow": ["shell(make:*)"]}}}


def _banners(window: Inside) -> list[str]:
    told = [it["params"]["event"] for it in window.told if it.get("method") == "agent/event"]
    return [it for event in told if event["kind"] == "workspace" for it in event["banners"]]


@pytest.mark.parametrize("method", ["secret/get", "secret/set", "settings/inspect"])
async def test_an_editor_that_is_silent_at_the_start_is_told_of_and_keeps_no_chat_waiting(
    method: str, silent: set[str], tmp_path: Any
) -> None:
    silent.add(method)
    async with inside(tmp_path, Editor()) as window:
        assert await window.chat("eliza", "ask")
        await window.until(lambda: any(f"not answered {method}" in it for it in _banners(window)))


async def test_settings_that_nobody_tells_are_not_those_from_before_and_are_asked_for_again(
    silent: set[str], tmp_path: Any
) -> None:
    async with inside(tmp_path, Editor(layers=LOOSE)) as window:
        workspace = window.built.settings.workspace
        assert (workspace.reading.mode, len(workspace.reading.rules)) == ("auto", 1)
        silent.add("settings/inspect")
        await workspace.take_change(None)
        assert workspace.reading.mode == "ask"
        assert workspace.reading.suspended
        # Nobody knows how long the person wants their cards.
        assert window.built.run.journal.pictures.days() == 3_650
        await window.until(lambda: any("not answered" in it for it in _banners(window)))
        silent.clear()
        await window.until(lambda: workspace.reading.mode == "auto")
        assert not workspace.reading.suspended
        assert window.built.run.journal.pictures.days() == 90
