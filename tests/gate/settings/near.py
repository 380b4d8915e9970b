"""A whole window beside a test, of which only the pipe to the editor is played."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from attrs import define, field

from assent.editor.protocol.shapes import Shape
from assent.editor.window.client_port import ClientPort
from assent.editor.window.server import Window, open_window
from assent.gate.call.calls import AgentId, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling
from assent.gate.ruling.decide import decide
from editor.wire.editor import Editor
from gate.ruling.samples import running

__all__ = ["Near", "near"]


@define
class _Wire:
    """Hands each question to the editor, as it would come out of the pipe."""

    editor: Editor
    told: list[tuple[str, Shape]] = field(factory=list)

    async def request(self, _method: str, params: Shape, _result: type[Shape]) -> Any:
        await asyncio.sleep(0)
        return self.editor.answer(params)

    def notify(self, method: str, params: Shape) -> None:
        self.told.append((method, params))

    def stream(self, method: str, params: Shape, _most: int | None = None) -> bytes:
        self.told.append((method, params))
        return params.model_dump_json(by_alias=True).encode()


@define
class Near:
    """One window without a process."""

    built: Window
    editor: Editor
    folder: Path

    async def begin(self) -> None:
        """What follows `initialized`."""
        await self.built.begin(None)

    @property
    def banners(self) -> tuple[str, ...]:
        return self.built.run.board.facts.banners

    def verdict(self, command: str, mode: Mode = Mode.AUTO) -> str:
        """What the gate would say of a command in a chat of that mode."""
        return self.ruling(command, mode).verdict.word

    def ruling(self, command: str, mode: Mode = Mode.AUTO) -> Ruling:
        policy = self.built.settings.policies._in_mode(AgentId("eliza"), mode)
        call = running(command, cwd=str(self.folder), chat=ChatId("c"))
        return decide(call, policy, self.built.settings.workspace.places())


@asynccontextmanager
async def near(tmp_path: Path, editor: Editor, patch: pytest.MonkeyPatch) -> AsyncIterator[Near]:
    """A house on a small workspace, which falls at the end."""
    folder = tmp_path / "workspace"
    folder.mkdir(exist_ok=True)
    patch.setenv("ASSENT_STATE_DIR", str(tmp_path / "state"))
    patch.setenv("OLLAMA_HOST", "127.0.0.1:9")
    server = SimpleNamespace(
        workspace_apply_edit_async=None,
        window_show_message_request_async=None,
        wire=_Wire(editor),
        opening={
            "workspaceFolders": [{"uri": folder.as_uri(), "name": "w"}],
            "capabilities": {"experimental": {"assent": {}}},
        },
        text_document_publish_diagnostics=lambda _: None,
    )
    async with open_window(cast("ClientPort", server)) as built:
        yield Near(built=built, editor=editor, folder=folder)
