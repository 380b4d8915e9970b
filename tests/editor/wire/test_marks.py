"""What the editor keeps for us: at the window's end, before something is revoked, and late."""

import json
from pathlib import Path

import pytest
from attrs import define, field

from assent.editor.lsp import editor_requests
from assent.editor.protocol import editor
from assent.editor.protocol.shapes import Shape
from editor.wire.editor import Editor
from editor.wire.inside import inside
from editor.wire.scene import Stage

pytestmark = pytest.mark.requirement("T-01")


def _mark(keeper: Editor) -> int:
    kept = [text for name, text in keeper.secrets.items() if name.startswith("journalMark.")]
    return int(kept[0].split()[1]) if kept else 0


@pytest.mark.parametrize("secrets", [True, False], ids=["secrets", "a key file"])
async def test_a_window_that_is_closed_in_order_leaves_the_mark_where_the_journal_ends(
    stage: Stage, *, secrets: bool
) -> None:
    keeper = Editor(refuses=frozenset() if secrets else frozenset({"secret/get", "secret/set"}))
    scene = await stage(keeper)
    chat = await scene.chat()
    await scene.turn(chat, "read README.md")
    # What waits for an answer is refused at the end, and that is a row as well.
    scene.say(chat, "run touch made")
    await scene.card()
    assert await scene.client.leave() == 0
    last = scene.rows()[-1]
    if secrets:
        assert _mark(keeper) == last["seq"]
    else:
        (kept,) = (scene.state / "marks").glob("journalMark.*")
        assert kept.read_text("ascii").split()[1:] == [str(last["seq"]), last["hash"]]


async def test_an_editor_that_keeps_nothing_at_its_end_is_left_in_time(stage: Stage) -> None:
    scene = await stage(Editor())
    await scene.turn(await scene.chat(), "read README.md")
    # From now on it answers nothing that it is asked.
    scene.client.answer_with = lambda _: None
    assert await scene.client.leave() == 0


@define(kw_only=True)
class Watching(Editor):
    """An editor that looks which store there is when it is to keep a generation of it."""

    state: Path = Path()
    seen: list[tuple[int, int]] = field(factory=list)
    """Each generation that it was to keep, and the one that was on the disk."""

    def answer(self, params: Shape) -> Shape:
        if isinstance(params, editor.SetSecret) and params.name.startswith("attestationMark."):
            stores = [json.loads(it.read_text()) for it in self.state.glob("attestations/*.json")]
            there = max((it["contents"]["generation"] for it in stores), default=0)
            self.seen.append((int(params.value), there))
        return super().answer(params)


@pytest.mark.parametrize("how", ["asked again", "taken out of the settings"])
async def test_a_store_that_grants_more_is_too_old_before_another_is_written(
    stage: Stage, state_dir: Path, how: str
) -> None:
    keeper = Watching(choose=lambda asked: asked.actions[0], state=state_dir)
    scene = await stage(keeper)
    bypass = {"agentId": "eliza", "on": True}
    await scene.client.request("agent/bypass", bypass)
    await scene.client.until(lambda: bool(keeper.seen))
    kept = keeper.seen[-1][0]
    if how == "asked again":
        await scene.client.request("agent/bypass", {**bypass, "on": False})
    else:
        keeper.layers["workspace"].clear()
        scene.client.notify("workspace/didChangeConfiguration", {"settings": None})
    await scene.client.until(lambda: keeper.seen[-1][0] > kept)
    later = [there for generation, there in keeper.seen if generation == kept + 1]
    assert later[0] == kept, "there was a newer store that nobody vouched for"


@pytest.mark.parametrize("method", ["secret/get", "secret/set"])
async def test_a_key_that_comes_late_is_used_from_then_on(
    silent: set[str], tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent.add(method)
    async with inside(tmp_path, Editor(choose=lambda asked: asked.actions[0])) as window:
        workspace, record = window.built.settings.workspace, window.built.record.record
        assert not workspace.can_keep
        assert record.unvouched is not None
        silent.clear()
        monkeypatch.setattr(editor_requests, "_ANSWER_TIMEOUT_S", 20.0)
        await window.until(lambda: workspace.can_keep and record.unvouched is None)
        await window.ask("agent/bypass", agentId="eliza", on=True)
        assert window.built.run.journal.head is not None
        assert workspace.reading.bypassed
