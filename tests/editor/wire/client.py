"""A client that speaks to a real server over pipes, and believes nothing that it reads.

Whatever comes is checked against `METHODS`; what does not fit is kept in `faults`, which the
fixture asserts to be empty. Every wait is bounded.
"""

import asyncio
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import psutil
from pydantic import TypeAdapter, ValidationError

from assent.editor.protocol.editor_models import AskModel, ModelSaid
from assent.editor.protocol.fingerprint import PROTOCOL_HASH
from assent.editor.protocol.methods import BY_NAME
from assent.editor.protocol.shapes import Shape
from editor.wire.editor import Editor
from editor.wire.forked import forked
from editor.wire.in_process import InProcess

__all__ = ["BESIDE", "PATIENCE", "STANDS_WITHIN", "Client", "Refusal", "frame", "opening"]

PATIENCE: Final = 20.0
_LAST_WORDS: Final = 5.0
"""How long what a server has begun may keep its pipes open after its end."""
STANDS_WITHIN: Final = 30.0
"""How long a server may take to load on a busy machine."""
_UNKNOWN: Final = -32601
_TESTS: Final = Path(__file__).resolve().parents[2]
BESIDE: Final = os.pathsep.join((str(_TESTS), str(_TESTS.parent / "server")))
"""Where a server that is tested finds the tests' own houses, and the package beside them."""

Notice = tuple[str, Any]
"""A notification's method and its parameters, in their shape where the table has one."""


class Refusal(Exception):
    """The server answered with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code: int = error["code"]
        self.message: str = error["message"]
        self.error = error


def frame(message: object) -> bytes:
    """The message as one frame; bytes are taken as they are."""
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Client:
    """One editor's end of the pipe."""

    def __init__(self, process: Any, editor: Editor) -> None:
        self.process = process
        self.editor = editor
        self.notices: list[Notice] = []
        """Every notification that came, in order."""
        self.faults: list[str] = []
        """Everything that came and should not have."""
        self.strays: list[dict[str, Any]] = []
        """Answers to no open question of ours."""
        self.log = ""
        self.answer_with: Callable[[int], object] | None = None
        """Makes the whole answer to a question of the server, in place of the editor's."""
        self._unanswered: list[dict[str, Any]] = []
        self._next_key = 0
        self._open: dict[int | str, tuple[str, asyncio.Future[Any]]] = {}
        self._came = asyncio.Condition()
        self._taken = 0
        self._may_read = asyncio.Event()
        self._may_read.set()
        self._may_read_log = asyncio.Event()
        self._may_read_log.set()
        self._tasks = [
            asyncio.ensure_future(self._read()),
            asyncio.ensure_future(self._read_log()),
        ]

    @classmethod
    async def start(
        cls,
        command: Sequence[str] = (sys.executable, "-m", "assent", "serve", "--stdio"),
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike[str] | None = None,
        editor: Editor | None = None,
        pass_fds: Sequence[int] = (),
    ) -> "Client":
        """Start a server process; nothing has been said yet."""
        with forked():
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, **(env or {})},
                cwd=cwd,
                pass_fds=pass_fds,
                start_new_session=True,
            )
        return cls(process, editor or Editor())

    @classmethod
    async def start_in_process(
        cls,
        *,
        env: Mapping[str, str],
        cwd: str | os.PathLike[str] | None = None,
        editor: Editor | None = None,
    ) -> "Client":
        """Start the server that is shipped in a thread of this process."""
        return cls(await InProcess(env, cwd).start(), editor or Editor())

    @property
    def is_in_process(self) -> bool:
        """Whether the server runs in this process, and so has none of its own."""
        return isinstance(self.process, InProcess)

    # Saying.

    async def open(
        self, *, folders: Sequence[str] = (), options: Mapping[str, Any] | None = None
    ) -> Any:
        """Say `initialize` and `initialized`; what the server is capable of."""
        result = await self.request("initialize", opening(folders, options), within=STANDS_WITHIN)
        self.notify("initialized", {})
        return result

    async def request(
        self, method: str, params: Shape | object = None, *, within: float = PATIENCE
    ) -> Any:
        """Ask, and wait for the answer in its shape; an error is raised as a `Refusal`."""
        # `asyncio.wait_for` of Python 3.11 loses a cancellation that comes with the answer.
        async with asyncio.timeout(within):
            return await self.ask(method, params)[1]

    def ask(self, method: str, params: Shape | object = None) -> tuple[int, asyncio.Future[Any]]:
        """Ask without waiting; the key, and what will be the answer."""
        self._next_key += 1
        key = self._next_key
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._open[key] = (method, future)
        self.send(frame(_message(method, params, id=key)))
        return key, future

    def answer_silent(self) -> None:
        """Answer what was not answered so far."""
        self.editor.silent = frozenset()
        unanswered, self._unanswered = self._unanswered, []
        for message in unanswered:
            self._answer(message)

    def cancel(self, key: int) -> None:
        """Want no answer any more."""
        self.notify("$/cancelRequest", {"id": key})

    def notify(self, method: str, params: Shape | object = None) -> None:
        """Say something that nobody answers."""
        self.send(frame(_message(method, params)))

    def send(self, data: bytes) -> None:
        """Write raw bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    # Hearing.

    async def expect(
        self,
        method: str,
        where: Callable[[Any], bool] = lambda _: True,
        *,
        timeout: float = PATIENCE,  # noqa: ASYNC109 -- the wait for one message
    ) -> Any:
        """The next notification of this method; each is handed out once, others are passed by."""
        async with asyncio.timeout(timeout), self._came:
            while True:
                while self._taken < len(self.notices):
                    name, params = self.notices[self._taken]
                    self._taken += 1
                    if name == method and where(params):
                        return params
                await self._came.wait()

    def told(self, method: str) -> list[Any]:
        """All notifications of this method that have come."""
        return [params for name, params in self.notices if name == method]

    async def until(self, condition: Callable[[], bool], *, within: float = PATIENCE) -> None:
        """Wait until what has come fulfils a condition."""
        async with asyncio.timeout(within), self._came:
            await self._came.wait_for(condition)

    def stop_reading(self) -> None:
        """Take nothing from the pipe any more."""
        self._may_read.clear()

    def stop_reading_the_log(self) -> None:
        """Leave everything that the server logs in its pipe."""
        self._may_read_log.clear()

    def resume_reading(self) -> None:
        """Read on."""
        self._may_read.set()
        self._may_read_log.set()

    # Ending.

    def close_stdin(self) -> None:
        """End the stream that the server reads."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    async def leave(self) -> int:
        """Say goodbye as LSP wants it; the exit code."""
        await self.request("shutdown")
        self.notify("exit")
        return await self.ended()

    async def ended(self, *, within: float = STANDS_WITHIN) -> int:
        """Wait for the process to end and for all that it said; its exit code."""
        async with asyncio.timeout(within):
            code = await self.process.wait()
        self.resume_reading()
        await asyncio.wait(self._tasks, timeout=_LAST_WORDS)
        return code

    def family(self) -> list[psutil.Process]:
        """The server's living children, and theirs."""
        with suppress(psutil.NoSuchProcess):
            return psutil.Process(self.process.pid).children(recursive=True)
        return []

    async def dispose(self) -> None:
        """Make sure that nothing is left, however the test went."""
        if self.process.returncode is None:
            self.close_stdin()
            try:
                await self.ended()
            except TimeoutError:
                self.faults.append("the server did not end when its stream did")
                await self._end_by_force()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if isinstance(self.process, InProcess):
            self.faults += [f"the server left {left}" for left in await self.process.leftovers()]
            self.process.close()
        else:
            # Without this the transport would be found open by the garbage collector.
            self.process._transport.close()

    async def _end_by_force(self) -> None:
        if isinstance(self.process, InProcess):
            self.process.give_up()
        else:
            self.process.kill()
            await self.process.wait()

    # Reading.

    async def _read(self) -> None:
        assert self.process.stdout is not None
        with suppress(asyncio.IncompleteReadError):
            while True:
                await self._may_read.wait()
                head = await self.process.stdout.readuntil(b"\r\n\r\n")
                body = await self.process.stdout.readexactly(self._length(head))
                self._take(json.loads(body))
                async with self._came:
                    self._came.notify_all()

    def _length(self, head: bytes) -> int:
        name, _, value = head.decode().strip().partition(": ")
        if name != "Content-Length" or not value.isdigit():
            self.faults.append(f"junk in the stream: {head!r}")
            raise asyncio.IncompleteReadError(head, None)
        return int(value)

    async def _read_log(self) -> None:
        assert self.process.stderr is not None
        while data := await self.process.stderr.read(65536):
            await self._may_read_log.wait()
            self.log += data.decode(errors="replace")

    def _take(self, message: dict[str, Any]) -> None:
        if "method" not in message:
            self._take_answer(message)
        elif "id" in message:
            self._answer(message)
        else:
            params = self._read_params(message)
            self.notices.append((message["method"], params))

    def _take_answer(self, message: dict[str, Any]) -> None:
        method, future = self._open.pop(message["id"], (None, None))
        if method is None or future is None:
            self.strays.append(message)
        elif future.done():
            pass
        elif "error" in message:
            future.set_exception(Refusal(message["error"]))
        else:
            future.set_result(self._read_result(method, message["result"]))

    def _answer(self, message: dict[str, Any]) -> None:
        method = message["method"]
        if self.answer_with is not None:
            self.send(frame(self.answer_with(message["id"])))
            return
        if method in self.editor.silent:
            self._unanswered.append(message)
            return
        row = BY_NAME.get(method)
        head = {"jsonrpc": "2.0", "id": message["id"]}
        if method == "workspace/applyEdit" and self.editor.apply is not None:
            self.send(frame({**head, "result": self.editor.apply(message["params"])}))
            return
        if method == "window/showMessageRequest" and self.editor.dialog is not None:
            self._answer_dialog(message)
            return
        if row is None or method in self.editor.refuses:
            error = {"code": _UNKNOWN, "message": f"no {method} here"}
            self.send(frame({**head, "error": error}))
            return
        params = self._read_params(message)
        if isinstance(params, AskModel):
            played = self.editor.play(params)
            for parts in played.pieces:
                said = ModelSaid(ask_id=params.ask_id, parts=parts)
                self.ask("model/said", said.model_dump(mode="json", by_alias=True))
            if played.answered is None:
                return
            answer: Shape = played.answered
        else:
            answer = self.editor.answer(params)
        self.send(frame({**head, "result": answer.model_dump(mode="json", by_alias=True)}))
        if method == "settings/write":
            self.notify("workspace/didChangeConfiguration", {"settings": None})

    def _answer_dialog(self, message: dict[str, Any]) -> None:
        self.editor.dialogs.append(message["params"])
        answer = self.editor.dialog(message["params"]) if self.editor.dialog else None
        # A dialog that nobody looks at is not answered at all.
        if answer is not ...:
            self.send(frame({"jsonrpc": "2.0", "id": message["id"], "result": answer}))

    def _read_params(self, message: dict[str, Any]) -> Any:
        row = BY_NAME.get(message["method"])
        if row is None:
            return message.get("params")
        if row.sender != "server" or row.is_request != ("id" in message):
            self.faults.append(f"the server may not send {message['method']} so")
        return self._checked(TypeAdapter(row.params), message["method"], message.get("params"))

    def _read_result(self, method: str, raw: Any) -> Any:
        row = BY_NAME.get(method)
        return raw if row is None else self._checked(row.result_type, method, raw)

    def _checked(self, adapter: TypeAdapter[Any], method: str, raw: Any) -> Any:
        try:
            return adapter.validate_python(raw, by_alias=True, by_name=False)
        except ValidationError as error:
            self.faults.append(f"{method} came in another shape: {error}")
            return raw


def opening(folders: Sequence[str] = (), options: Mapping[str, Any] | None = None) -> Any:
    """The parameters of `initialize`."""
    return {
        "processId": os.getpid(),
        "rootUri": folders[0] if folders else None,
        "capabilities": {"workspace": {"workspaceFolders": True, "configuration": True}},
        "initializationOptions": {"protocolHash": PROTOCOL_HASH, **(options or {})},
        "workspaceFolders": [{"uri": uri, "name": uri.rsplit("/", 1)[-1]} for uri in folders],
    }


def _message(method: str, params: Shape | object, **head: object) -> dict[str, Any]:
    message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, **head}
    if isinstance(params, Shape):
        message["params"] = params.model_dump(mode="json", by_alias=True, exclude_unset=True)
    elif params is not None:
        message["params"] = params
    return message
