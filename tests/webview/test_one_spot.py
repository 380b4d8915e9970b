"""A pointer that stays where it is, over a real session: its clicks undo nothing that they allowed.

The page is the built one and the server is a real one, with the own agent on a model that is
played. Between them stands what the extension does: it passes messages on. The page's clock is
played, so a second between two clicks takes no time.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from attrs import define, field
from playwright.async_api import Page, Route, async_playwright

from assent.editor.protocol.shapes import Shape
from editor.wire.client import BESIDE, Client, Refusal
from editor.wire.editor import Editor
from editor.wire.own import Own
from editor.wire.scene import Scene
from models.script import call, text
from models.server import ModelServer
from webview.stage import CLIENT as BUILT
from webview.stage import EDITOR, EDITORS_SHEET, FILES, ORIGIN, POLICY, THEMES, page_in

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("bundle")]

CLICKS: Final = 9
PATIENCE: Final = 20.0


@define
class Window:
    """The page and the server, with messages passed on between them."""

    page: Page
    it: Own
    asked: list[str] = field(factory=list)
    """By name, what the page has asked of the server."""
    _open: set["asyncio.Task[None]"] = field(factory=set)
    _told: int = 0

    async def show(self) -> None:
        """Load the page, and have it see the chat."""
        await self.page.expose_function("toHost", lambda message: self._hear(message))
        await self.page.route(f"{ORIGIN}/**", lambda route: self._serve(route))
        posts = "postMessage: (message) => window.posted.push(structuredClone(message)),"
        assert posts in EDITOR
        passed = "postMessage: (message) => void window.toHost(structuredClone(message)),"
        await self.page.add_init_script(EDITOR.replace(posts, passed))
        await self.page.clock.install(time=0)
        await self.page.goto(f"{ORIGIN}/")
        await self.page.clock.pause_at(1_000)
        await self.page.evaluate(
            """([values]) => {
              for (const [name, value] of Object.entries(values)) {
                document.documentElement.style.setProperty(name, value);
              }
            }""",
            [THEMES["dark-2026"]],
        )
        await self._begin()

    async def reload(self) -> None:
        """Throw the page away and show it again."""
        await self.page.reload()
        self._told = len(self._news)
        self.asked.clear()
        await self._begin()

    async def _begin(self) -> None:
        await self._say({"kind": "server", "state": "ready", "text": ""})
        await self.until(lambda: "agent/subscribe" in self.asked)

    def count(self, method: str) -> int:
        """How many notifications of this name have come."""
        return len(self.it.scene.client.told(method))

    async def middle_of(self, name: str) -> tuple[float, float]:
        """Where somebody would click on a button."""
        box = await self.page.get_by_test_id(name).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    async def text_of(self, name: str) -> str:
        """What somebody reads there."""
        return await self.page.get_by_test_id(name).inner_text()

    async def click(self, x: float, y: float) -> str:
        """Click there; what stood there."""
        at = "([x, y]) => document.elementFromPoint(x, y)?.closest('button')?.textContent ?? ''"
        under = str(await self.page.evaluate(at, [x, y]))
        await self.page.mouse.click(x, y)
        await self.let_pass(100)
        return under

    async def until(self, is_there: Callable[[], bool]) -> None:
        """Pass on what comes until something is so, and until the page has drawn it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                await self._pass_on()
                if is_there() and not self._open and self._told == len(self._news):
                    break
                # Either something comes from the server, or an answer to the page.
                came = asyncio.ensure_future(
                    self.it.scene.client.until(
                        lambda: len(self._news) > self._told, within=PATIENCE
                    )
                )
                await asyncio.wait({came, *self._open}, return_when=asyncio.FIRST_COMPLETED)
                came.cancel()
        await self.let_pass(1_000)

    async def let_pass(self, milliseconds: int) -> None:
        """Let played time pass, with what the browser lays out meanwhile."""
        await self.page.evaluate("() => { window.draws = 0; }")
        await self.page.wait_for_function("() => { window.draws += 1; return window.draws > 4; }")
        await self.page.clock.run_for(milliseconds)

    @property
    def _news(self) -> list[Any]:
        return self.it.scene.client.notices

    async def _pass_on(self) -> None:
        while self._told < len(self._news):
            method, params = self._news[self._told]
            self._told += 1
            if isinstance(params, Shape):
                await self._say({"kind": "message", "method": method, "params": plain(params)})
        await self.page.clock.run_for(50)

    async def _hear(self, message: Any) -> None:
        if message["kind"] != "request":
            return
        self.asked.append(message["method"])
        task = asyncio.ensure_future(self._ask(message))
        self._open.add(task)
        task.add_done_callback(self._open.discard)

    async def _ask(self, message: Any) -> None:
        answer: dict[str, Any]
        try:
            _, answered = self.it.scene.client.ask(message["method"], message["params"])
            answer = {"result": plain(await answered)}
        except Refusal as refusal:
            answer = {"error": refusal.message}
        await self._say({"kind": "answer", "id": message["id"], **answer})

    async def _say(self, message: Any) -> None:
        await self.page.evaluate(
            """(message) => new Promise((done) => {
              window.addEventListener("message", () => done(), { once: true });
              window.postMessage(message, "*");
            })""",
            message,
        )

    async def _serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(ORIGIN)
        if path == "/":
            headers = {"content-security-policy": POLICY}
            await route.fulfill(body=page_in("en"), content_type="text/html", headers=headers)
        elif path == "/editor.css":
            await route.fulfill(body=EDITORS_SHEET, content_type="text/css")
        else:
            await route.fulfill(path=BUILT / f"dist{path}", content_type=FILES[path])


def plain(shape: Any) -> Any:
    return shape.model_dump(mode="json", by_alias=True) if isinstance(shape, Shape) else shape


@asynccontextmanager
async def session(folder: Path, chromium: Path, mode: str | None = None) -> AsyncIterator[Window]:
    """A server with a chat of the own agent, and a page as narrow as a side bar."""
    workspace, state = folder / "workspace", folder / "state"
    for each in (workspace, state):
        each.mkdir()
    async with ModelServer(tags=[]) as model, async_playwright() as playwright:
        given = {"provider": "openai", "model": "tiny", "url": model.url_for("openai")}
        # Whoever opens a chat in a looser mode is asked once more, and agrees.
        editor = Editor(layers={"user": {"models": [given]}}, choose=lambda it: it.actions[0])
        env = {"ASSENT_STATE_DIR": str(state), "PYTHONPATH": BESIDE, "OLLAMA_HOST": model.url}
        client = await Client.start(env=env, editor=editor, cwd=workspace)
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            await client.open(folders=[workspace.as_uri()], options={"clientFeatures": []})
            told = "agent/event"
            await client.expect(told, lambda it: it.event.kind == "agents", timeout=PATIENCE)
            scene = Scene(client=client, folder=workspace, state=state)
            own = Own(scene=scene, model=model, chat=await scene.chat("assent", mode))
            context = await browser.new_context(viewport={"width": 300, "height": 800})
            context.set_default_timeout(20_000)
            yield Window(page=await context.new_page(), it=own)
        finally:
            await browser.close()
            await client.dispose()
        assert client.faults == []
        assert model.faults == []


def alone(work: Coroutine[Any, Any, None]) -> None:
    """Run this in a thread: other tests of a browser have a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, work).result()


def test_nine_clicks_on_one_spot_allow_nine_edits_and_undo_none(
    tmp_path: Path, chromium: Path
) -> None:
    async def clicks() -> None:
        async with session(tmp_path, chromium) as window:
            await click_nine_times(window)

    alone(clicks())


def test_what_a_click_undid_comes_back_by_a_click_even_after_a_reload(
    tmp_path: Path, chromium: Path
) -> None:
    async def clicks() -> None:
        async with session(tmp_path, chromium, mode="acceptEdits") as window:
            await undo_and_redo(window)

    alone(clicks())


async def click_nine_times(window: Window) -> None:
    it = window.it
    names = [f"made_{at}.txt" for at in range(CLICKS)]
    for name in names:
        it.model.reply(call("write_file", {"path": name, "content": f"{name}\n"}))
    it.model.reply(text("All are made."))
    await window.show()
    turn = it.say("Make them.")
    await window.until(lambda: window.count("tool/approvalRequest") == 1)
    x, y = await window.middle_of("allow-once")
    for at in range(CLICKS):
        under = await window.click(x, y)
        assert window.asked[-1] == "tool/approvalResponse", f"click {at} was on {under}"
        await window.until(
            lambda at=at: window.count("tool/approvalRequest") > at + 1 or turn.done()
        )
    assert turn.done()
    made = {path.name: path.read_text() for path in it.scene.folder.glob("made_*")}
    assert made == {name: f"{name}\n" for name in names}
    assert (await window.text_of("changes-count")).startswith(f"{CLICKS} files +{CLICKS}\n")


async def undo_and_redo(window: Window) -> None:
    it = window.it
    for name in ("one.txt", "two.txt"):
        it.model.reply(call("write_file", {"path": name, "content": f"{name}\n"}))
    it.model.reply(text("Both are made."))
    await window.show()
    turn = it.say("Make them.")
    await window.until(turn.done)
    there = [it.scene.folder / "one.txt", it.scene.folder / "two.txt"]
    await window.click(*await window.middle_of("undo-all"))
    await window.until(lambda: True)
    assert [path.exists() for path in there] == [False, False]
    await window.reload()
    assert await window.text_of("undone") == "Undone: 2 files\nRedo"
    await window.click(*await window.middle_of("redo"))
    await window.until(lambda: True)
    assert [path.read_text() for path in there] == ["one.txt\n", "two.txt\n"]
    assert await window.page.get_by_test_id("undone").count() == 0
    assert (await window.text_of("changes-count")).startswith("2 files +2\n")
