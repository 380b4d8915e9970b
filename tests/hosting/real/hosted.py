"""One real agent in one window, with a person who answers each card alike."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import define, field

from editor.wire.client import Refusal
from editor.wire.editor import Editor
from editor.wire.scene import Scene, Stage
from hosting.real.fetch import Absent
from hosting.real.known import Known
from hosting.real.model import Model
from hosting.real.script import script

__all__ = ["BOUND", "Hosted", "opened"]

BOUND: Final = 90.0
"""In seconds: how long a turn of a real agent may take on a busy machine."""
_WHOLE_SESSION: Final = 3_600.0


@define
class Hosted:
    """What a test does with an agent."""

    scene: Scene
    agent: str
    chat: str
    cards: list[Any] = field(factory=list)
    """Those that the person was shown and has answered."""
    option: str = "once"
    """How the next card is answered."""

    async def use(self, tool: str, given: dict[str, Any]) -> list[dict[str, Any]]:
        """Have the model call a tool; what the journal says of the turn that this is."""
        before = len(self.rows())
        # One that was not started is given nothing, and the message is refused.
        async with asyncio.timeout(BOUND):
            with suppress(Refusal):
                await self.scene.say(self.chat, script((tool, given)))
        return self.rows()[before:]

    @asynccontextmanager
    async def person(self, option: str = "once") -> AsyncIterator[None]:
        """Somebody answers each card in the same way meanwhile."""
        self.option = option
        answering = asyncio.ensure_future(self._answer())
        try:
            yield
        finally:
            answering.cancel()
            with suppress(asyncio.CancelledError):
                await answering

    async def until(self, there: Callable[[], object]) -> None:
        """Wait until something is so, looking whenever something was told."""
        await self.scene.client.until(lambda: bool(there()), within=BOUND)

    def made(self) -> set[str]:
        """What lies in the workspace that was not there before."""
        return {it.name for it in self.scene.folder.iterdir()} - {"README.md", "a.txt"}

    def rows(self) -> list[dict[str, Any]]:
        """The journal."""
        return self.scene.rows()

    def notices(self, level: str) -> list[str]:
        """What the person was told that nobody said."""
        told = [it.event for it in self.scene.client.told("agent/event")]
        return [it.notice.text for it in told if it.kind == "notice" and it.notice.level == level]

    def gate(self) -> tuple[str, int, int]:
        """What stands in the header."""
        told = [it.event for it in self.scene.client.told("agent/event") if it.event.kind == "gate"]
        return (told[-1].gate, told[-1].passed, told[-1].tools) if told else ("", 0, 0)

    async def _answer(self) -> None:
        while True:
            card = await self.scene.client.expect(
                "tool/approvalRequest",
                lambda told: told.approval_id not in {it.approval_id for it in self.cards},
                # In Auto a whole session may go by without a card.
                timeout=_WHOLE_SESSION,
            )
            self.cards.append(card)
            await self.scene.answer(card, self.option)


async def opened(
    stage: Stage, model: Model, known: Known, home: Path, mode: str = "default", **settings: Any
) -> Hosted:
    """A chat with an agent, in a workspace with one file; with more of the person's settings."""
    home.mkdir(parents=True, exist_ok=True)
    try:
        entry = known.entry(home, model)
    except Absent as absence:
        pytest.skip(str(absence))
    editor = Editor(
        layers={"user": {"agents": {known.id: entry}, **settings}},
        choose=lambda confirm: confirm.actions[0],
    )
    scene = await stage(editor=editor, env={"HOME": str(home)})
    (scene.folder / "a.txt").write_text("hello\n", "utf-8")
    return Hosted(scene=scene, agent=known.id, chat=await scene.chat(known.id, mode=mode))
