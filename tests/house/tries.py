"""Runs in a copy of the project: tries several texts of its files, each in a process of its own.

It reads from its input what to try, as JSON, and prints how each of them ended and what it said.
What they all import from elsewhere is imported once, before they part.
"""

import importlib
import json
import os
import sys
import tempfile
import traceback
from pathlib import Path
from typing import Any

import pytest

_SHARED = ("hypothesis", "pydantic", "httpx2", "lsprotocol.types", "pygls.lsp.server")


def main() -> None:
    """Try them one after the other."""
    for name in _SHARED:
        importlib.import_module(name)
    json.dump([_tried(it) for it in json.load(sys.stdin)], sys.stdout)


def _tried(one: dict[str, Any]) -> tuple[int, str]:
    with tempfile.TemporaryFile() as printed:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                os.dup2(printed.fileno(), 1)
                os.dup2(printed.fileno(), 2)
                code = _carried_out(one)
            except BaseException:  # noqa: BLE001 -- whatever it is, it is what this try came to
                traceback.print_exc(file=sys.stdout)
            finally:
                sys.stdout.flush()
                os._exit(code)
        _, status = os.waitpid(child, 0)
        printed.seek(0)
        return os.waitstatus_to_exitcode(status), printed.read().decode("utf-8", "replace")


def _carried_out(one: dict[str, Any]) -> int:
    for path, text in one["files"].items():
        if text is None:
            Path(path).unlink(missing_ok=True)
        else:
            Path(path).write_text(text, "utf-8")
    for name in one["modules"]:
        importlib.import_module(name).main()
    # What was imported before cannot be rewritten to say more of what fails; nor need it be.
    options = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    options += ["-p", "no:cacheprovider", "-q", "-x", "-n", "0"]
    return int(pytest.main([*options, *one["tests"]]))


if __name__ == "__main__":
    main()
