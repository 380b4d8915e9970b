"""Offers the functions in a person's own files as a tool server.

The files are run in this process and in no other.
"""

import asyncio
import functools
import hashlib
import inspect
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import IO, Any, Final

from pydantic import TypeAdapter
from pydantic.errors import PydanticUserError

from assent.catalogue.workers.function_calls import Beside, Function
from assent.catalogue.workers.node_server import ReportProgress, RunFailed, serve, stopped_in_time
from assent.gate.text.lines import one_line

__all__ = ["main"]

_MAX_FILE_BYTES: Final = 1_000_000
"""In bytes: one file."""
_DEAF: Final = "A function did not stop when it was told to, so all of them were ended."


class Functions:
    """Those of some files, which are read once: whoever changes one is read by another process."""

    def __init__(self, files: list[str], more: int, group: asyncio.TaskGroup) -> None:
        self._files, self._more, self._group = files, more, group
        self._beside = Beside()
        self._functions: dict[str, Function] = {}
        self._left_out: list[str] = []
        self._read: asyncio.Future[None] | None = None

    async def listed(self) -> tuple[list[dict[str, Any]], list[str]]:
        """See `Offer`."""
        if self._read is None:
            self._read = self._group.create_task(asyncio.to_thread(self._read_all))
        await asyncio.shield(self._read)
        return [function.tool for function in self._functions.values()], self._left_out

    async def run(
        self, tool: str, arguments: dict[str, Any], report_progress: ReportProgress
    ) -> list[dict[str, Any]]:
        """See `Offer`."""
        await self.listed()
        function = self._functions.get(tool)
        if function is None:
            raise RunFailed(f"There is no function `{tool[:80]}`.")
        call = self._beside.call(function, arguments)
        coming = asyncio.wrap_future(call.done)
        try:
            came = await asyncio.shield(coming)
        except asyncio.CancelledError:
            if not call.stop():
                self._group.create_task(stopped_in_time(coming, _DEAF))
            raise
        if isinstance(came, RunFailed):
            raise came
        return came

    def _read_all(self) -> None:
        for number, file in enumerate(self._files):
            try:
                self._take(Path(file), f"assent_nodes_{number}")
            except SyntaxError as error:
                self._unread(f"{Path(file).name}, line {error.lineno}: {error.msg}")
            except BaseException as error:  # noqa: BLE001 -- whatever somebody's file does
                self._unread(f"{Path(file).name}: {type(error).__name__}: {error}")
        if self._more:
            self._unread(f"files: {len(self._files)} are read, and {self._more:,} more are not")

    def _take(self, file: Path, name: str) -> None:
        data = file.read_bytes()
        if len(data) > _MAX_FILE_BYTES:
            raise ValueError(f"it is longer than {_MAX_FILE_BYTES:,} bytes")
        module = ModuleType(name)
        module.__file__ = str(file)
        sys.modules[name] = module
        if str(file.parent) not in sys.path:
            sys.path.append(str(file.parent))
        # What is compiled is what the digest is of.
        exec(compile(data, str(file), "exec", dont_inherit=True), vars(module))  # noqa: S102 -- it is what this is for
        digest = hashlib.sha256(data).hexdigest()
        for each, value in [*vars(module).items()]:
            if inspect.isfunction(value) and value.__module__ == name and each[0] != "_":
                self._offer(each, value, f"{file}, SHA-256 {digest}")

    def _offer(self, name: str, function: Callable[..., Any], place: str) -> None:
        where = f"{name} in {Path(place.rpartition(', ')[0]).name}"
        if name in self._functions:
            self._leave_out(f"{where}: another one has this name")
        elif why := _why_not(function):
            self._leave_out(f"{where}: {why}")
        else:
            try:
                self._functions[name] = _function_of(name, function, place)
            except (PydanticUserError, NameError, TypeError) as error:
                self._leave_out(f"{where}: its types make no schema ({type(error).__name__})")

    def _unread(self, why: str) -> None:
        """A whole file is missing, which is said before what is missing of others."""
        self._left_out.insert(0, one_line(why))

    def _leave_out(self, why: str) -> None:
        self._left_out.append(one_line(why))


def _function_of(name: str, function: Callable[..., Any], place: str) -> Function:
    @functools.wraps(function)
    def given(*args: Any, **kwargs: Any) -> Callable[[], Any]:
        return functools.partial(function, *args, **kwargs)

    # Pydantic reads a function as the type of its arguments.
    made: Any = given
    adapter = TypeAdapter[Any](made)
    tool = {
        "name": name,
        "description": inspect.getdoc(function),
        # With another letter in its file it is another function.
        "inputSchema": {**adapter.json_schema(), "$comment": place},
    }
    return Function(tool, function, adapter)


def _why_not(function: Callable[..., Any]) -> str:
    given = inspect.signature(function).parameters.values()
    if not inspect.getdoc(function):
        return "it has no docstring"
    if any(
        parameter.kind
        in {parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD}
        for parameter in given
    ):
        return "its parameters have no names of their own"
    untold = [parameter.name for parameter in given if parameter.annotation is parameter.empty]
    return f"`{untold[0]}` has no type hint" if untold else ""


def main() -> None:
    """Offer the functions of the files that the last word names; what they print is no answer."""
    files, more = [load[0] for load in json.loads(sys.argv[-1])], int(sys.argv[-2])
    heard, out = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    asyncio.run(_serve(files, more, heard, out))


async def _serve(files: list[str], more: int, heard: IO[Any], out: int) -> None:
    async with asyncio.TaskGroup() as group:
        await serve(Functions(files, more, group), heard, out, group)
