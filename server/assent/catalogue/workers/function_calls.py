"""Calls a person's function beside the loop, so that it cannot block what ends it.

What is not a coroutine has a thread, and all coroutines have one loop of their own. Arguments are
checked and what comes of them is written as contents there, too, since both run a person's code.
"""

import asyncio
import inspect
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ArgsKwargs, to_json

from assent.catalogue.workers.metadata import mime_of
from assent.catalogue.workers.node_server import RunFailed, end, plain
from assent.gate.text.lines import one_line
from assent.gate.values import frozen

__all__ = ["Beside", "Call", "Came", "Function"]

_LOOP_ENDED: Final = "A function ended what runs all that are asynchronous, so all were ended."

Came = list[dict[str, Any]] | RunFailed
"""What came of a function, or why nothing did: one that fails ends no other."""


@frozen
class Function:
    """One that can be called."""

    tool: dict[str, Any]
    body: Callable[..., Any]
    given: TypeAdapter[Any]
    """Makes of arguments the call with them, and does not call."""


@frozen
class Call:
    """One that waits for its turn, runs or is over."""

    done: "Future[Came]"
    _stop: Callable[[], None]

    def stop(self) -> bool:
        """Whether there is nothing to be waited for: one that has not begun never begins."""
        if self.done.cancel():
            return True
        self._stop()
        return False


class Beside:
    """Where functions run."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor()
        self._group = asyncio.TaskGroup()
        self._is_there = threading.Event()
        threading.Thread(target=self._go, daemon=True).start()
        self._is_there.wait()

    def call(self, function: Function, arguments: dict[str, Any]) -> Call:
        """Begin it once there is room."""
        if inspect.iscoroutinefunction(function.body):
            return self._begun(function, arguments)
        # Nobody can tell a thread to stop.
        return Call(self._threads.submit(_called, function, arguments), lambda: None)

    def _begun(self, function: Function, arguments: dict[str, Any]) -> Call:
        done: Future[Came] = Future()
        tasks: list[asyncio.Task[Came]] = []

        def begin() -> None:
            if done.set_running_or_notify_cancel():
                tasks.append(self._group.create_task(_awaited(function, arguments)))
                tasks[0].add_done_callback(lambda task: done.set_result(_result(task)))

        def stop() -> None:
            for task in tasks:
                task.cancel()

        self._soon(begin)
        return Call(done, lambda: self._soon(stop))

    def _soon(self, do: Callable[[], None]) -> None:
        self._loop.call_soon_threadsafe(do)

    def _go(self) -> None:
        try:
            asyncio.run(self._stay())
        finally:
            end(_LOOP_ENDED)

    async def _stay(self) -> None:
        self._loop = asyncio.get_running_loop()
        async with self._group:
            self._is_there.set()
            await asyncio.Event().wait()


def _called(function: Function, arguments: dict[str, Any]) -> Came:
    try:
        return _contents(_bound(function, arguments)())
    except BaseException as error:  # noqa: BLE001 -- whatever somebody's function does
        return _failed(error)


async def _awaited(function: Function, arguments: dict[str, Any]) -> Came:
    try:
        return _contents(await _bound(function, arguments)())
    except BaseException as error:  # noqa: BLE001 -- as above; being stopped ends it, too
        return _failed(error)


def _result(task: "asyncio.Task[Came]") -> Came:
    return RunFailed("It was stopped.") if task.cancelled() else task.result()


def _bound(function: Function, arguments: dict[str, Any]) -> Callable[[], Any]:
    """The call with these arguments, which are checked before anything of it is run."""
    try:
        call: Callable[[], Any] = function.given.validate_python(ArgsKwargs((), arguments))
    except ValidationError as error:
        raise RunFailed(f"It was not run: {one_line(_wrong(error))}.") from error
    return call


def _wrong(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}"
        for fault in error.errors(include_url=False, include_input=False)[:5]
    )


def _failed(error: BaseException) -> RunFailed:
    if isinstance(error, RunFailed):
        return error
    try:
        said = one_line(error)
    except Exception:  # noqa: BLE001 -- what it says of itself is somebody's code as well
        said = "what it says of that could not be read"
    return RunFailed(f"It failed: {type(error).__name__}: {said}")


def _contents(value: Any) -> list[dict[str, Any]]:
    mime = mime_of(value) if isinstance(value, bytes) else None
    if mime is not None:
        return [{"type": "image", "mimeType": mime, "data": plain(value)}]
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    said = to_json(value, fallback=repr, inf_nan_mode="null", bytes_mode="base64")
    return [{"type": "text", "text": said.decode()}]
