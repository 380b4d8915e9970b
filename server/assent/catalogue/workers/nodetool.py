"""Offers the worker that nodetool's packages install as a tool server.

It is spoken with as its own program does: four bytes that say a length, and so much MessagePack.
"""

import asyncio
import itertools
import os
import struct
import sys
from collections.abc import Mapping
from typing import Any, Final

from assent.catalogue.workers.messagepack import Unpackable, packed, unpacked
from assent.catalogue.workers.metadata import results, tool_of
from assent.catalogue.workers.node_server import (
    ReportProgress,
    RunFailed,
    end,
    serve,
    stopped_in_time,
)
from assent.gate.text.lines import one_line

__all__ = ["main"]

_MAX_MESSAGE_BYTES: Final = 64 * 1024 * 1024
_MIN_PROTOCOL: Final = 6
"""The protocol of which this is written."""
_DEAF: Final = "A node did not stop when it was told to, so nodetool's worker was ended."
_MAX_NODES: Final = 10_000
_MAX_LINE_LETTERS: Final = 300

Message = dict[str, Any]


class Nodetool:
    """One worker; where it ends, so does this program."""

    def __init__(self, process: asyncio.subprocess.Process, group: asyncio.TaskGroup) -> None:
        assert process.stdin is not None  # noqa: S101 -- it was started with pipes
        assert process.stdout is not None  # noqa: S101 -- as above
        self._to, self._from, self._group = process.stdin, process.stdout, group
        self._ids = itertools.count(1)
        self._open: dict[str, tuple[asyncio.Future[Message], ReportProgress | None]] = {}
        self._found: asyncio.Future[Message] | None = None
        self._tools: dict[str, dict[str, Any]] = {}
        self._listed: tuple[list[dict[str, Any]], list[str]] | None = None

    async def listed(self) -> tuple[list[dict[str, Any]], list[str]]:
        """See `Offer`; what it has is asked for once, since it reads its packages once."""
        if self._found is None:
            self._found = self._ask("discover")[1]
        came = await asyncio.shield(self._found)
        version = came.get("protocol_version")
        if not isinstance(version, int) or version < _MIN_PROTOCOL:
            end(
                f"nodetool's worker speaks protocol {one_line(version)}, and {_MIN_PROTOCOL} is the"
                " least"
            )
        # It is listed page by page, and what it has stays what it was.
        self._listed = self._listed or self._sorted_out(came)
        return self._listed

    def _sorted_out(self, came: Message) -> tuple[list[dict[str, Any]], list[str]]:
        nodes, errors = _dicts(came.get("nodes")), came.get("load_errors")
        more = len(nodes) - _MAX_NODES
        left_out = [f"{more:,} nodes, since there are more than {_MAX_NODES:,}"] if more > 0 else []
        left_out += [
            one_line(f"{error.get('module')} could not be loaded: {error.get('error')}")
            for error in _dicts(errors)
        ]
        self._tools = {}
        for node in nodes[:_MAX_NODES]:
            tool = _tool(node)
            if isinstance(tool, str):
                left_out.append(one_line(tool))
            elif tool["name"] in self._tools:
                left_out.append(one_line(f"{tool['name']}: it is there twice"))
            else:
                self._tools[tool["name"]] = tool
        return [*self._tools.values()], left_out

    async def run(
        self, tool: str, arguments: dict[str, Any], report_progress: ReportProgress
    ) -> list[dict[str, Any]]:
        """See `Offer`."""
        await self.listed()
        wrong = _wrong(self._tools.get(tool), tool, arguments)
        if wrong:
            raise RunFailed(wrong)
        data = {"node_type": tool, "fields": arguments, "secrets": {}, "blobs": {}}
        name, coming = self._ask("execute", data, report_progress)
        try:
            came = await asyncio.shield(coming)
        except asyncio.CancelledError:
            self._send("cancel", name)
            self._group.create_task(stopped_in_time(coming, _DEAF))
            raise
        return results(came)

    def _ask(
        self, kind: str, data: Message | None = None, report: ReportProgress | None = None
    ) -> tuple[str, asyncio.Future[Message]]:
        name = str(next(self._ids))
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._open[name] = (future, report)
        future.add_done_callback(lambda _: self._open.pop(name, None))
        self._send(kind, name, data)
        return name, future

    def _send(self, kind: str, name: str, data: Message | None = None) -> None:
        try:
            body = packed({"type": kind, "request_id": name, "data": data or {}})
        except Unpackable as error:
            raise RunFailed(f"It was not run: {error}.") from error
        self._to.write(struct.pack(">I", len(body)) + body)

    async def listen(self) -> None:
        """Take in what it says, to its end, which is that of this program too."""
        try:
            while True:
                (length,) = struct.unpack(">I", await self._from.readexactly(4))
                if length > _MAX_MESSAGE_BYTES:
                    end(
                        "nodetool's worker sent a message of more than"
                        f" {_MAX_MESSAGE_BYTES >> 20} MB"
                    )
                self._take(unpacked(await self._from.readexactly(length)))
        except asyncio.IncompleteReadError:
            end("nodetool's worker ended")
        except Unpackable as error:
            end(f"nodetool's worker broke what was agreed: {error}")

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict):
            raise Unpackable("what it sent is no message")
        future, report = self._open.get(str(message.get("request_id")), (None, None))
        data = message.get("data")
        data = data if isinstance(data, dict) else {}
        if future is None or future.done():
            return
        match message.get("type"):
            case "result" | "discover":
                future.set_result(data)
            case "error":
                future.set_exception(RunFailed(f"It failed: {one_line(data.get('error'))}"))
            case "progress" if report is not None:
                report(_number(data.get("progress")), _whole(data.get("total")), _said(data))
            case _:
                # Pieces and pictures on the way are for a window of its own.
                return


def _tool(node: Message) -> Message | str:
    """As `tool_of`: what is said of one node in whichever odd way spoils no other."""
    try:
        return tool_of(node)
    except Exception:  # noqa: BLE001 -- it goes through what others wrote
        return f"{node.get('node_type')}: what is said of it could not be read"


def _wrong(tool: Mapping[str, Any] | None, name: str, arguments: Mapping[str, Any]) -> str:
    """Why a run is none, in a sentence: the worker would leave out what it does not know."""
    if tool is None:
        return f"There is no node `{one_line(name)}`."
    schema = tool["inputSchema"]
    odd = [] if schema["additionalProperties"] else [*arguments.keys() - schema["properties"]]
    known = ", ".join(schema["properties"]) or "none"
    return f"It has no `{one_line(min(odd))}`. There are: {known}." if odd else ""


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _number(value: Any) -> float:
    return value if isinstance(value, int | float) else 0


def _whole(value: Any) -> float | None:
    return value if isinstance(value, int | float) and value else None


def _said(data: Message) -> str:
    message = data.get("message") or data.get("status")
    return message[:_MAX_LINE_LETTERS] if isinstance(message, str) else ""


async def _serve(interpreter: str, out: int) -> None:
    process = await asyncio.create_subprocess_exec(
        interpreter,
        *("-m", "nodetool.worker", "--stdio"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        # What lies where it is started, in the person's home, is none of its packages.
        env={**os.environ, "PYTHONSAFEPATH": "1"},
    )
    async with asyncio.TaskGroup() as group:
        worker = Nodetool(process, group)
        group.create_task(worker.listen())
        await serve(worker, sys.stdin, out, group)


def main() -> None:
    """Be nodetool's worker to the hub: the last word names its interpreter."""
    try:
        asyncio.run(_serve(sys.argv[-1], sys.stdout.fileno()))
    except OSError as error:
        end(f"`{one_line(sys.argv[-1])}` could not be started: {os.strerror(error.errno or 0)}")
