"""Starts the server: takes the stream for itself, answers `initialize` at once, loads the rest.

The editor's stream is on two descriptors that no child inherits; whatever is printed, here or by
a child, goes to the log. Until `initialize` has been answered nothing is imported but the
standard library; what comes after it waits in the pipe, in order.
"""

import gc
import json
import os
import stat
import sys
from typing import Any, Final, NoReturn

from assent import __version__
from assent.editor.lsp.frames import BrokenFraming, Frames, framed
from assent.editor.protocol.fingerprint import PROTOCOL_HASH

__all__ = ["Opening", "serve"]

_READ_BYTES: Final = 64 * 1024
_NOT_INITIALIZED: Final = -32002
_INVALID: Final = -32602
_UNREADABLE: Final = -32700

_RESULT: Final = {
    "capabilities": {
        "textDocumentSync": {"openClose": True, "change": 2},
        "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
        "experimental": {
            "assent": {"protocolHash": PROTOCOL_HASH, "version": __version__, "features": []}
        },
    },
    "serverInfo": {"name": "assent", "version": __version__},
}

Message = dict[str, Any]


def serve(compose: str = "assent.editor.window.server:compose") -> NoReturn:
    """Serve one editor with the house that `module:function` builds, then end the process."""
    code = _serve(compose)
    sys.stderr.flush()
    # Threads that are blocked, in a tool say, must not keep a server that has no editor.
    os._exit(code)


def _serve(compose: str) -> int:
    if not (_is_a_stream(0) and _is_a_stream(1)):
        return _complain("`assent serve` speaks to an editor over pipes; the editor starts it.", 2)
    reader, writer = _take_the_stream()
    frames = Frames()
    try:
        opening = Opening(reader, writer, frames).wait()
    except (BrokenFraming, OSError) as error:
        return _complain(f"The connection is over. {error}", 1)
    if opening is None:
        return _complain("The editor left before it said initialize.", 1)
    return _go_on(compose, opening, frames, reader, writer)


def _is_a_stream(fd: int) -> bool:
    try:
        mode = os.fstat(fd).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def _complain(sentence: str, code: int) -> int:
    sys.stderr.write(f"{sentence}\n")
    return code


def _take_the_stream() -> tuple[int, int]:
    """Keep the stream on private descriptors; children find nothing on 0 and the log on 1."""
    reader, writer = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return reader, writer


class Opening:
    """The conversation up to `initialize`."""

    def __init__(self, reader: int, writer: int, frames: Frames) -> None:
        self._reader = reader
        self._writer = writer
        self._frames = frames

    def wait(self) -> Message | None:
        """Answer until `initialize` has come and is answered; None where the editor left."""
        while data := os.read(self._reader, _READ_BYTES):
            for body in self._frames.feed(data):
                message = _read(body)
                if message.get("method") == "exit":
                    return None
                if self._answer(message):
                    return message
        return None

    def _answer(self, message: Message) -> bool:
        """Answer one message; whether it was the one that was waited for."""
        if message.get("method") != "initialize" or "id" not in message:
            self._refuse_question(message)
            return False
        wrong = _what_is_wrong(message.get("params"))
        if wrong:
            self._refuse(message["id"], _INVALID, f"initialize: {wrong}.")
            return False
        self._say({"id": message["id"], "result": _RESULT})
        return True

    def _refuse_question(self, message: Message) -> None:
        if not message:
            self._refuse(None, _UNREADABLE, "That is not a message.")
        elif "id" in message and "method" in message:
            self._refuse(message["id"], _NOT_INITIALIZED, "The first message must be initialize.")

    def _refuse(self, key: object, code: int, sentence: str) -> None:
        self._say({"id": key, "error": {"code": code, "message": sentence}})

    def _say(self, message: Message) -> None:
        left = memoryview(framed(json.dumps({"jsonrpc": "2.0", **message}).encode()))
        while left:
            left = left[os.write(self._writer, left) :]


def _read(body: bytes) -> Message:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def _what_is_wrong(params: object) -> str:
    """Check by hand what is used of `initialize`, since nothing that could is loaded yet."""
    if not isinstance(params, dict):
        return "`params` should be an object"
    if not isinstance(params.get("capabilities"), dict):
        return "`capabilities` should be an object"
    if not isinstance(params.get("processId"), int | None):
        return "`processId` should be a whole number or null"
    if not isinstance(params.get("rootUri"), str | None):
        return "`rootUri` should be a string or null"
    folders = params.get("workspaceFolders") or []
    if not (isinstance(folders, list) and all(_is_folder(folder) for folder in folders)):
        return "`workspaceFolders` should be a list of folders"
    return ""


def _is_folder(folder: object) -> bool:
    members = (folder.get("uri"), folder.get("name")) if isinstance(folder, dict) else (None,)
    return all(isinstance(member, str) for member in members)


def _go_on(compose: str, opening: Message, frames: Frames, reader: int, writer: int) -> int:
    """Load the rest, and let it take over."""
    # What is imported stays for good: collecting it over and over would only cost time.
    gc.disable()
    import asyncio  # noqa: PLC0415 -- the second stage of the start
    import importlib  # noqa: PLC0415
    import logging  # noqa: PLC0415

    from assent.editor.lsp.awake_loop import new_loop  # noqa: PLC0415
    from assent.editor.lsp.log import begin_log  # noqa: PLC0415
    from assent.editor.lsp.process_privacy import keep_private  # noqa: PLC0415

    begin_log()
    keep_private()
    # Not `asyncio.run`, which ends only when every thread has: nobody waits for those any more.
    runner = asyncio.Runner(loop_factory=new_loop)
    try:
        from assent.editor.lsp.connection import run  # noqa: PLC0415

        module, _, name = compose.partition(":")
        house = getattr(importlib.import_module(module), name)
        gc.freeze()
        gc.enable()
        return runner.run(run(house, opening=opening, frames=frames, reader=reader, writer=writer))
    except Exception:  # the last one to see it; nothing is served any more
        logging.getLogger(__name__).exception("The server failed.")
        return 1
    finally:
        logging.shutdown()
