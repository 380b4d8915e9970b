"""What several windows have of one log-in: profiles of one editor, other editors, repositories."""

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import define, field

from assent.catalogue.mcp.launch import Launch
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import editor
from assent.editor.protocol.shapes import Shape
from assent.editor.window.servers.server_accounts import ServerAccounts
from assent.editor.window.servers.server_texts import texts_in
from assent.gate.call.errors import AssentError
from assent.gate.settings.tool_servers import ServerEntry, entry_of
from editor.wire.editor import Editor
from gate.admit.scene import within

requirement = pytest.mark.requirement

TRACKER = {"tracker": {"url": "https://tracker.example/mcp"}}


@define
class Window(Wire):
    """One, of an editor whose settings are in a file; it may hold what it is told to keep."""

    editor: Editor
    settings: Path
    state: Path
    folder: Path
    servers: dict[str, Any] = field(factory=dict)
    rows: list[str] = field(factory=list)
    asked: asyncio.Event = field(factory=asyncio.Event)
    answers: asyncio.Event = field(factory=asyncio.Event)
    accounts: ServerAccounts = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.answers.set()
        shown = SimpleNamespace(
            inspected=SimpleNamespace(files=SimpleNamespace(user=self.settings.as_uri())),
            keys={"mcpServers": {}},
            reading=SimpleNamespace(own=SimpleNamespace(servers=[], nodetool="", nodes=())),
        )
        self._shown: Any = shown
        self.accounts = ServerAccounts(
            self,
            shown,  # type: ignore[arg-type]
            SimpleNamespace(note=lambda it: self.rows.append(it.body["because"])),  # type: ignore[arg-type]
            self.state,
            None,  # type: ignore[arg-type]
            lambda: SimpleNamespace(roots=[str(self.folder)]),  # type: ignore[arg-type,return-value]
            SimpleNamespace(taken=self.offered),  # type: ignore[arg-type]
            lambda _: None,  # type: ignore[arg-type,return-value]
        )
        self.set_up(self.servers)

    def offered(self) -> tuple[ServerEntry, ...]:
        """What the repository names, all of which the person took."""
        root = os.path.realpath(self.folder)
        return tuple(entry for it in texts_in(root, [root], lambda _: True) for entry in it.entries)

    async def request(self, method: str, params: Shape, _: Any) -> Any:  # type: ignore[override]
        came = self.editor.answer(params)
        if isinstance(params, editor.SetSecret):
            self.asked.set()
            await self.answers.wait()
        return came

    def set_up(self, servers: dict[str, Any]) -> None:
        """Write these servers into the settings, and tell of them."""
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        self.settings.write_text(json.dumps({"assent.mcpServers": servers}))
        self._shown.keys["mcpServers"]["user"] = servers
        self._shown.reading.own.servers = [entry_of(*it) for it in servers.items()]

    async def keep(self, name: str = "tracker") -> str:
        """Log in; what it is kept as."""
        (it,) = (it for it in (*self.offered(), *self._own()) if it.name == name)
        secret = Launch(name=it.name, url=it.url, workspace=it.workspace).account
        await self.accounts.serve("keep", secret, "lets them in")
        return secret

    def _own(self) -> list[ServerEntry]:
        own: list[ServerEntry] = self._shown.reading.own.servers
        return own

    async def look(self) -> int:
        """Forget what left; how much is kept then."""
        await within(self.accounts.forget_gone())
        return len(self.editor.secrets)


Opens = Callable[..., Window]


@pytest.fixture
def opens(tmp_path: Path) -> Opens:
    def window(of: Editor, settings: str, servers: dict[str, Any] = TRACKER) -> Window:
        folder = tmp_path / "repository"
        folder.mkdir(exist_ok=True)
        return Window(of, tmp_path / settings, tmp_path / "state", folder, servers)

    return window


def plant(window: Window, file: str, text: str) -> Path:
    path = window.folder / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def records(window: Window) -> list[Path]:
    return [*(window.state / "logins").iterdir()]


DEFAULT, PROFILE, DEEP = (
    f"code/User/{it}settings.json" for it in ("", "profiles/x/", "profiles/x/y/")
)


@requirement("N-08")
@pytest.mark.parametrize(("mine", "theirs"), [(DEFAULT, PROFILE), (DEEP, DEFAULT)])
async def test_what_one_profile_drops_stays_for_another_that_names_the_server(
    opens: Opens, mine: str, theirs: str
) -> None:
    one = Editor()
    me, other = opens(one, mine), opens(one, theirs)
    await me.keep()
    await other.keep()
    other.set_up({})
    assert await other.look() == 1
    assert other.rows == []
    me.set_up({})
    assert await me.look() == 0
    assert len(me.rows) == 1
    assert records(me) == []


async def test_and_for_one_that_only_uses_it(opens: Opens) -> None:
    one = Editor()
    me, other = opens(one, DEFAULT), opens(one, PROFILE)
    secret = await me.keep()
    assert await other.accounts.serve("kept", secret, "") == "lets them in"
    me.set_up({})
    assert await me.look() == 1
    other.set_up({})
    assert await other.look() == 0


@requirement("N-08")
async def test_two_editors_forget_what_each_has(opens: Opens) -> None:
    me, other = opens(Editor(), DEFAULT), opens(Editor(), "cursor/User/settings.json")
    await me.keep()
    secret = await other.keep()
    me.set_up({})
    assert await me.look() == 0
    assert await other.look() == 1
    # Nor does logging out in one take from the other that it knows what it has.
    me.set_up(TRACKER)
    await me.keep()
    await me.accounts.serve("keep", secret, "")
    other.set_up({})
    assert await other.look() == 0


async def test_a_repositorys_server_that_leaves_is_forgotten_by_each_editor(opens: Opens) -> None:
    one = Editor()
    windows = [opens(one, DEFAULT, {}), opens(Editor(), "cursor/User/settings.json", {})]
    windows.append(opens(one, PROFILE, {}))
    for it in windows:
        plant(it, ".mcp.json", json.dumps({"mcpServers": TRACKER}))
        await it.keep("workspace-tracker")
    plant(windows[0], ".mcp.json", '{"mcpServers": {}}')
    assert [await it.look() for it in windows[:2]] == [0, 0]
    assert records(windows[0]) == []


@requirement("N-08")
async def test_a_server_of_a_preset_is_named_though_its_address_stands_nowhere(
    opens: Opens,
) -> None:
    window = opens(Editor(), DEFAULT, {"nodetool": {"preset": "nodetool"}})
    await window.keep("nodetool")
    assert await window.look() == 1
    window.set_up({"nodetool": {"preset": "browser"}})
    assert await window.look() == 0


@requirement("N-08")
async def test_what_a_file_of_a_repository_named_is_judged_by_that_file(opens: Opens) -> None:
    window = opens(Editor(), DEFAULT, {})
    named = json.dumps({"servers": TRACKER})
    file = plant(window, ".vscode/mcp.json", named)
    other = {"other": {"url": "https://other.example/mcp"}}
    also = plant(window, ".mcp.json", json.dumps({"mcpServers": other}))
    await window.keep("workspace-tracker")
    # Another branch has the other file alone.
    file.unlink()
    assert await window.look() == 1
    # It moved from the one to the other, or nobody can say that it did not.
    file.write_text('{"servers": {}}')
    for text in (json.dumps({"mcpServers": TRACKER}), "{"):
        also.write_text(text)
        assert await window.look() == 1
    also.unlink()
    assert await window.look() == 0


async def test_a_server_of_a_repository_that_is_called_otherwise_is_another(opens: Opens) -> None:
    window = opens(Editor(), DEFAULT, {})
    file = plant(window, ".mcp.json", json.dumps({"mcpServers": TRACKER}))
    await window.keep("workspace-tracker")
    file.write_text(json.dumps({"mcpServers": {"renamed": TRACKER["tracker"]}}))
    assert await window.look() == 0


@requirement("N-08")
async def test_what_is_made_new_while_its_server_is_forgotten_is_not_kept(opens: Opens) -> None:
    window = opens(Editor(), DEFAULT)
    secret = await window.keep()
    window.set_up({})
    window.asked.clear()
    window.answers.clear()
    looking = asyncio.ensure_future(window.look())
    await within(window.asked.wait())
    renewing = asyncio.ensure_future(window.accounts.serve("keep", secret, "made new"))
    for _ in range(50):  # So long it would be let through at once.
        await asyncio.to_thread(int)
    window.answers.set()
    assert await looking == 0
    with pytest.raises(AssentError, match="the server is not there any more"):
        await renewing
    assert window.editor.secrets == {}


@pytest.mark.parametrize("text", ["", "\n"])
async def test_an_empty_settings_file_takes_nothing_out(opens: Opens, text: str) -> None:
    window = opens(Editor(), DEFAULT)
    await window.keep()
    window.set_up({})
    window.settings.write_text(text)
    assert await window.look() == 1
