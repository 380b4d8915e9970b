"""A window at the real server, whose own agent thinks with the fake model of `bench.talker`.

A thread reads what the server says and notes when it came, so that whoever measures never holds
up the pipe; what the server asks of the editor is answered there. Every wait is bounded.
"""

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

import orjson
from pydantic import TypeAdapter

from assent.editor.protocol.methods import BY_NAME
from assent.gate.settings.environment import is_kept
from bench.pipe import Pipe, frame
from editor.wire.client import opening
from editor.wire.editor import Editor

__all__ = ["SERVER", "Came", "Talker", "Window", "allowing", "talker", "window"]

_TESTS: Final = Path(__file__).resolve().parents[1]
_PATIENCE: Final = 60.0
SERVER: Final = (sys.executable, "-m", "assent", "serve", "--stdio")
_WINDOW: Final = 1_000_000
"""How much the fake model can read: nothing is to be measured of what shortens a conversation."""


@dataclass(frozen=True, kw_only=True)
class Came:
    """One message of the server."""

    at: int
    """On the machine's clock, in ns."""
    message: dict[str, Any]

    @property
    def method(self) -> str:
        """Its name; none for an answer."""
        return str(self.message.get("method", ""))

    @property
    def params(self) -> dict[str, Any]:
        """What it tells."""
        return dict(self.message.get("params") or {})

    @property
    def event(self) -> dict[str, Any]:
        """What happened, where it tells of something that did."""
        return dict(self.params.get("event") or {})


@dataclass(frozen=True, kw_only=True)
class Talker:
    """The fake model's process."""

    url: str

    def notes(self) -> dict[str, list[int]]:
        """What it wrote down, in ns."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{self.url}/notes", timeout=10) as answer:
            notes: dict[str, list[int]] = json.loads(answer.read())
            return notes


@dataclass(kw_only=True)
class Window:
    """One editor's end of the pipe."""

    pipe: Pipe
    editor: Editor
    folder: Path
    state: Path
    answers: dict[int, Came] = field(default_factory=dict)
    """What came back, by the keys of the questions."""
    _came: SimpleQueue[Came] = field(default_factory=SimpleQueue)
    _writing: threading.Lock = field(default_factory=threading.Lock)
    _keys: int = 0
    said_at: int = 0
    """When the last question's last byte was written, in ns."""

    def ask(self, method: str, params: object) -> int:
        """Ask without waiting; the key of what will be in `answers`."""
        self._keys += 1
        self.send(frame({"jsonrpc": "2.0", "id": self._keys, "method": method, "params": params}))
        return self._keys

    def send(self, data: bytes) -> None:
        """Write whole frames."""
        with self._writing:
            self.said_at = time.monotonic_ns()
            self.pipe.write(data)

    def say(self, chat: str, text: str) -> int:
        """Say something to an agent; the key of how its turn ends."""
        return self.ask("agent/prompt", {"chatId": chat, "text": text})

    def chat(self, agent: str = "assent", mode: str = "default") -> str:
        """Open a chat."""
        told = self.answer(self.ask("agent/newChat", {"agentId": agent, "mode": mode}))
        return str(told.message["result"]["chatId"])

    def answer(self, key: int, within: float = _PATIENCE) -> Came:
        """What comes back to a question; other messages are passed by."""
        found = self.answers.get(key)
        while found is None:
            self.take(within)
            found = self.answers.get(key)
        if "error" in found.message:
            raise AssertionError(f"the server refused: {found.message['error']}")
        return found

    def done(self, key: int, within: float = _PATIENCE) -> Came:
        """The same for a turn, which must have gone well."""
        ended = self.answer(key, within)
        if ended.message["result"]["reason"] != "done":
            raise AssertionError(f"a turn ended otherwise: {ended.message['result']}")
        return ended

    def take(self, within: float = _PATIENCE) -> Came:
        """The next message."""
        try:
            return self._came.get(timeout=within)
        except Empty:
            raise AssertionError(f"the server said nothing for {within:g} seconds") from None

    @property
    def is_quiet(self) -> bool:
        """Whether all that has come was taken."""
        return self._came.empty()

    def rest(self) -> Iterator[Came]:
        """Whatever else has come by now."""
        while not self.is_quiet:
            yield self.take()

    def pass_by(self, seconds: float) -> None:
        """Take whatever comes for so long."""
        end = time.monotonic() + seconds
        with suppress(Empty):
            while (left := end - time.monotonic()) > 0:
                self._came.get(timeout=left)

    def until(self, fits: Callable[[Came], bool], within: float = _PATIENCE) -> Came:
        """The next message of which that holds; others are passed by."""
        end = time.monotonic() + within
        while True:
            came = self.take(max(0.01, end - time.monotonic()))
            if fits(came):
                return came

    def card(self, chat: str) -> Came:
        """The next ticket of a chat."""
        return self.until(
            lambda it: it.method == "tool/approvalRequest" and it.params["chatId"] == chat
        )

    def listen(self) -> None:
        """Read until the server is gone; runs in a thread of its own."""
        while True:
            try:
                body = self.pipe.frame()
            except (EOFError, OSError, ValueError):
                return
            # Whoever is answered may be gone by now.
            with suppress(OSError):
                self._hear(Came(at=time.monotonic_ns(), message=orjson.loads(body)))

    def _hear(self, came: Came) -> None:
        if came.method and "id" in came.message:
            self._answer(came)
        elif not came.method:
            self.answers[came.message["id"]] = came
        self._came.put(came)

    def _answer(self, came: Came) -> None:
        row = BY_NAME.get(came.method)
        head = {"jsonrpc": "2.0", "id": came.message["id"]}
        if row is None:
            self.send(frame({**head, "error": {"code": -32601, "message": "not here"}}))
            return
        params: Any = TypeAdapter(row.params).validate_python(came.message.get("params") or {})
        answer = self.editor.answer(params).model_dump(mode="json", by_alias=True)
        self.send(frame({**head, "result": answer}))


def allowing(card: Came) -> dict[str, Any]:
    """The parameters of an answer that allows what a card shows, once."""
    shown = card.params
    told = {name: shown[name] for name in ("approvalId", "chatId", "revision", "digest")}
    return {**told, "optionId": "once", "shownMs": 900}


@contextmanager
def talker() -> Iterator[Talker]:
    """A fake model, for as long as it is needed."""
    env = {**os.environ, "PYTHONPATH": str(_TESTS)}
    with subprocess.Popen(
        [sys.executable, "-m", "bench.talker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=env,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            port = int(process.stdout.readline())
            yield Talker(url=f"http://127.0.0.1:{port}")
        finally:
            process.stdin.close()


@contextmanager
def window(
    model: Talker,
    home: Path,
    agents: Mapping[str, object] | None = None,
    secrets: dict[str, str] | None = None,
    server: Sequence[str] = SERVER,
    **settings: object,
) -> Iterator[Window]:
    """A window on a folder, opened, with a home and a state of its own below `home`."""
    folder, state = home / "workspace", home / "state"
    for path in (folder, state):
        path.mkdir(parents=True, exist_ok=True)
    given = {"provider": "openai", "model": "tiny", "url": f"{model.url}/v1", "window": _WINDOW}
    # Whoever opens a chat in a looser mode is asked once more, and agrees.
    own = {"models": [given], "agents": dict(agents or {}), **settings}
    editor = Editor(
        layers={"user": own},
        secrets={} if secrets is None else secrets,
        choose=lambda confirm: confirm.actions[0],
    )
    # As the extension starts the server, which starts itself again where a key may be at hand.
    inherited = {name: value for name, value in os.environ.items() if is_kept(name)}
    env = {**inherited, "ASSENT_STATE_DIR": str(state), "OLLAMA_HOST": "127.0.0.1:9"}
    pipe = Pipe(server, env)
    opened = Window(pipe=pipe, editor=editor, folder=folder, state=state)
    listener = threading.Thread(target=opened.listen, daemon=True)
    listener.start()
    try:
        _open(opened)
        yield opened
    finally:
        pipe.end()
        listener.join(5)
        pipe.close()


def _open(opened: Window) -> None:
    folders = [opened.folder.as_uri()]
    opened.answer(opened.ask("initialize", opening(folders, {"clientFeatures": []})))
    opened.send(frame({"jsonrpc": "2.0", "method": "initialized", "params": {}}))
    opened.until(lambda it: it.event.get("kind") == "agents")
