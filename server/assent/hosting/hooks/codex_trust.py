"""Makes Codex trust the hook that the person just agreed to, as its own review would.

Codex runs a hook only while the text that was trusted stands there, and skips every other without
a word. It is asked for the hash itself, over its app server.
"""

import json
import os
import subprocess
import threading
from pathlib import Path
from typing import Any, Final

from assent import __version__
from assent.gate.disk.executables import Executables, path_in

__all__ = ["trust"]

_TIMEOUT_S: Final = 60.0
_REVIEW: Final = (
    "Codex runs a new hook only once you have trusted it: it asks for that when it starts next."
)
_DONE: Final = "Codex trusts this hook, as it stands there now."


def trust(file: Path, line: str) -> str:
    """Have the hooks of a file trusted that run this line; what came of it, as a sentence."""
    program = Executables(roots=(), path=path_in(os.environ)).find("codex")
    if program is None:
        return f"The program `codex` was not found. {_REVIEW}"
    try:
        return _DONE if _is_trusted(program, file, line) else _REVIEW
    except (OSError, ValueError, KeyError, TypeError, subprocess.SubprocessError) as error:
        return f"Codex could not be told to trust it ({error}). {_REVIEW}"


def _is_trusted(program: str, file: Path, line: str) -> bool:
    """Trust no hook but this one, and look whether it is trusted then."""
    listing = {"cwds": [str(Path.home())]}
    hooks = _ours(_asked(program, ("hooks/list", listing)), file, line)
    states = {hook["key"]: {"trusted_hash": hook["currentHash"]} for hook in hooks}
    edit = {"keyPath": "hooks.state", "value": states, "mergeStrategy": "upsert"}
    again = _asked(program, ("config/batchWrite", {"edits": [edit]}), ("hooks/list", listing))
    listed = _ours(again, file, line)
    return bool(listed) and all(hook["trustStatus"] == "trusted" for hook in listed)


def _ours(answer: dict[str, Any], file: Path, line: str) -> list[dict[str, Any]]:
    hooks = [hook for folder in answer["data"] for hook in folder["hooks"]]
    return [
        hook
        for hook in hooks
        if hook["command"] == line
        and os.path.realpath(hook["sourcePath"]) == os.path.realpath(file)
    ]


def _asked(program: str, *questions: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """The answer to the last of these questions to its app server."""
    client = {"clientInfo": {"name": "assent", "version": __version__}}
    asked = [("initialize", client), *questions]
    lines = [
        {"id": at, "method": name, "params": params} for at, (name, params) in enumerate(asked)
    ]
    lines.insert(1, {"method": "initialized"})
    with subprocess.Popen(
        (program, "app-server"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path.home(),
        text=True,
    ) as process:
        deadline = threading.Timer(_TIMEOUT_S, process.kill)
        deadline.start()
        try:
            return _conversed(process, lines, len(asked) - 1)
        finally:
            deadline.cancel()
            process.kill()


def _conversed(
    process: "subprocess.Popen[str]", lines: list[dict[str, Any]], last: int
) -> dict[str, Any]:
    assert process.stdin is not None  # noqa: S101 -- both are pipes
    assert process.stdout is not None  # noqa: S101
    process.stdin.writelines(f"{json.dumps(line)}\n" for line in lines)
    process.stdin.flush()
    for line in process.stdout:
        message = json.loads(line)
        if "error" in message:
            raise ValueError(message["error"].get("message"))
        if message.get("id") == last and "result" in message:
            return dict(message["result"])
    raise ValueError("it ended without an answer")
