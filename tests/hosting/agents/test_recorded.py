"""What real agents sent, word for word, goes through the gate as when it was recorded.

Each file holds a session in its order: what its hook was handed, what it told of its calls, what
it asked permission for. Ids and folders were replaced.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.gate.journal.events import CallMoved
from assent.gate.journal.speech import Speech
from assent.hosting.connection.peer import Asked
from assent.hosting.connection.session import Session
from assent.hosting.permission.repliers import ByHook
from assent.hosting.recipes.recipes import RECIPES
from hosting.eliza.rig import BOUND, Rig

FOLDER = Path(__file__).parent / "recorded"
NAMES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))

_BOTH = "read read shell read write write shell shell other agent shell other other"
EXPECTED = {
    "claude": "read read shell write write shell shell other agent shell other".split(),
    "codex": "shell shell write write shell shell shell".split(),
    "copilot": "read shell write write shell shell read agent shell".split(),
    "gemini": "read shell write write shell shell".split(),
    "opencode": _BOTH.split(),
    "qwen": _BOTH.split(),
}
"""The calls that were ruled on, by tool; one that a hook and a request bring is one."""


@define
class Replay:
    """One session, told again."""

    rig: Rig
    session: Session
    answers: list[Any] = field(factory=list)

    async def hook(self, told: dict[str, Any]) -> None:
        hooking = self.session.recipe.hooking
        assert hooking is not None
        hooked = hooking.words.heard(json.dumps(told))
        self.session.coverage.prove()
        if hooked.tool:
            printed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            asker = ByHook(hooked=hooked, words=hooking.words, printed=printed)
            self.rig_task(self.session.questions.permit_hooked(hooked, asker))
            self.answers.append(json.loads(await printed))

    async def ask(self, told: dict[str, Any]) -> None:
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        params = {"sessionId": "s", **told}
        asked = Asked(id=1, method="", params=params, send=answered.set_result)
        self.rig_task(self.session.questions.permit(asked))
        self.answers.append(await answered)

    def rig_task(self, work: Any) -> None:
        self.rig.fleet._group.create_task(work)


def _replay(rig: Rig, name: str) -> Replay:
    rig.mode = Mode.AUTO
    rig.facts = Places(roots=(str(rig.root),), home=str(rig.root.parent))
    (rig.root / "a.txt").write_text("hello\n", "utf-8")
    (recipe,) = (it for it in RECIPES if it.id == name)
    session = Session(
        chat=rig.chat,
        spec=rig.agent,
        cwd=str(rig.root),
        gate=rig.gate,
        speech=Speech(rig.tell),
        places=lambda: Places(roots=(str(rig.root),), home=str(rig.root.parent)),
        recipe=recipe,
        is_hooked=recipe.hooking is not None,
    )
    return Replay(rig, session)


def _lines(rig: Rig, name: str) -> list[dict[str, Any]]:
    text = (FOLDER / f"{name}.jsonl").read_text("utf-8").replace("/till", str(rig.root))
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", NAMES)
async def test_a_recorded_session_is_ruled_on_call_by_call_without_a_false_alarm(
    rig: Rig, name: str
) -> None:
    replay = _replay(rig, name)
    session, recipe = replay.session, replay.session.recipe
    async with asyncio.timeout(BOUND):
        for line in _lines(rig, name):
            await _play(replay, line)
        await session.turn_over()
    assert rig.notices("error") == []
    assert rig.notices("warning") == []
    assert rig.opened == []
    assert session.coverage.gate == ("verified" if recipe.hooking else "advisory")
    assert session.coverage.passed == session.coverage.tools > 0
    assert [call.tool for call in _begun(rig)] == EXPECTED[name]
    assert not [call for call in _begun(rig) if call.unreadable]


@pytest.mark.parametrize("member", ["locations", "content"])
@pytest.mark.parametrize("call", ["id-5", "id-6"])
async def test_a_request_of_opencode_that_names_another_file_than_its_hook_was_let_is_refused(
    rig: Rig, call: str, member: str
) -> None:
    replay = _replay(rig, "opencode")
    async with asyncio.timeout(BOUND):
        for line in _lines(rig, "opencode"):
            asked = line.get("ask", {}).get("toolCall", {})
            if asked.get("toolCallId") == call:
                asked[member][0]["path"] = str(rig.root.parent / "another")
                break
            await _play(replay, line)
        await _play(replay, line)
        await replay.session.turn_over()
    assert replay.answers[-1]["result"]["outcome"] == {"outcome": "cancelled"}
    (warning,) = rig.notices("warning")
    assert "asked for another call by the same id" in warning


async def _play(replay: Replay, line: dict[str, Any]) -> None:
    ((kind, told),) = line.items()
    if kind == "update":
        replay.session.hear({"sessionId": "s", "update": told})
    else:
        await getattr(replay, kind)(told)


def _begun(rig: Rig) -> list[Call]:
    moved = [it for it in rig.happened if isinstance(it, CallMoved)]
    return [it.call for it in moved if it.state is State.RUNNING]
