"""Whatever happens on the way, a replica ends with what the real server holds.

A real server works with a real agent and is recorded; the client's own fold then goes through
ten thousand random schedules of that recording (`client-ts/test/webview/page/recorded.test.ts`).
"""

import asyncio
import json
import os
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from assent.editor.protocol import replicas
from editor.wire.scene import Scene, Stage

_CLIENT: Final = Path(__file__).resolve().parents[3] / "client-ts"
_KINDS: Final = {
    "agent/event": "event",
    "tool/approvalRequest": "request",
    "tool/approvalSettled": "settled",
}

pytestmark = pytest.mark.skipif(
    not (_CLIENT / "node_modules").is_dir() or shutil.which("node") is None,
    reason="the client's packages are not installed: run `make install`",
)


class Recorder:
    """Writes down what a server said, and what it told newcomers on the way."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._newcomers: list[dict[str, Any]] = []
        self.epoch = ""

    async def come(self) -> None:
        """Be a newcomer once more."""
        told = await self._scene.client.request("agent/subscribe", {"viewId": "recorder"})
        assert isinstance(told, replicas.Subscribed)
        assert told.snapshot is not None
        self.epoch = told.epoch
        snapshot = told.snapshot.model_dump(mode="json", by_alias=True)
        self._newcomers.append({"seq": told.seq, "snapshot": snapshot})

    def save(self, path: Path) -> None:
        log = [
            {"kind": _KINDS[name], "message": params.model_dump(mode="json", by_alias=True)}
            for name, params in self._scene.client.notices
            if name in _KINDS
        ]
        seqs = [it["message"]["seq"] for it in log]
        assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
        recording = {"epoch": self.epoch, "log": log, "newcomers": self._newcomers}
        path.write_text(json.dumps(recording), encoding="utf-8")


async def record(scene: Scene) -> Recorder:
    """Two chats at work: calls that pass, are allowed, denied, covered, stopped, left open."""
    recorder = Recorder(scene)
    await recorder.come()
    one, other = await scene.chat(), await scene.chat(mode="plan")
    turn = scene.say(one, "two calls")
    first, second = await scene.card(), await scene.card()
    await recorder.come()
    await scene.answer(first, "once")
    await scene.answer(second, "tell", feedback="not today")
    await turn
    await recorder.come()
    await scene.turn(one, "read README.md")
    await scene.turn(other, "run ls")
    turn = scene.say(one, "run python3 -c 'print(1)'")
    await scene.answer(await scene.card(), "chat")
    await turn
    await recorder.come()
    await scene.turn(one, "run python3 -c 'print(1)'")
    await scene.turn(other, "I am glad to meet you")
    await scene.client.request("agent/setMode", {"chatId": one, "mode": "ask"})
    turn = scene.say(one, "many 3")
    waiting = [await scene.card() for _ in range(3)]
    await scene.client.request("agent/answerLater", {"approvalId": waiting[0].approval_id})
    await recorder.come()
    await scene.client.request("agent/stop", {"chatId": one}, within=20)
    await turn
    await scene.client.request("agent/closeChat", {"chatId": other}, within=20)
    scene.say(one, "write notes.txt hello")
    await scene.card(lambda told: told.card.body.kind == "edit")
    await recorder.come()
    return recorder


@pytest.mark.requirement("T-13")
@pytest.mark.timeout(240)
@pytest.mark.long
async def test_ten_thousand_schedules_end_with_what_the_real_server_holds(
    stage: Stage, tmp_path: Path
) -> None:
    scene = await stage()
    recorder = await record(scene)
    recording = tmp_path / "recording.json"
    recorder.save(recording)
    node = await asyncio.create_subprocess_exec(
        "node",
        "test.mjs",
        "test/webview/page/recorded.test.ts",
        cwd=_CLIENT,
        env={**os.environ, "ASSENT_RECORDING": str(recording), "ASSENT_TEST_OUT": str(tmp_path)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _ = await asyncio.wait_for(node.communicate(), 200)
    assert node.returncode == 0, said.decode()[-4000:]
    assert "pass 1" in said.decode()
