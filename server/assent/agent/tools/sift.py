"""Searches files for a regular expression, in a process of its own that can be killed.

Python's expressions can take longer than anybody waits, and nothing but the end of their process
stops them. It reads what to look for and the files' paths from its input, tells each hit as the
path, a zero byte and the line's number, and imports nothing of ours.
"""

import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from typing import Final

__all__ = ["main"]

MAX_FILE_BYTES: Final = 4 * 1024 * 1024
_HEAD_BYTES: Final = 8 * 1024
_MAX_MATCHES_IN_FILE: Final = 1_000
"""In one file."""
_MARKS: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""How a file begins in which each letter has two bytes; ripgrep goes by these too."""


def main() -> int:
    """Search the files that are named in the input."""
    asked, _, names = sys.stdin.buffer.read().partition(b"\n")
    try:
        search = _search(json.loads(asked))
    except (re.error, RecursionError, OverflowError) as error:
        sys.stderr.write(str(error))
        return 2
    for name in filter(None, names.split(b"\0")):
        for number in _hits(name, search):
            sys.stdout.buffer.write(b"%s\0%d:\n" % (name, number))
        sys.stdout.buffer.flush()
    return 0


def _search(asked: dict[str, object]) -> Callable[[str], object]:
    text = str(asked["pattern"])
    pattern = re.escape(text) if asked["literal"] else text
    return re.compile(pattern, re.IGNORECASE if asked["ignore_case"] else 0).search


def _hits(name: bytes, search: Callable[[str], object]) -> Iterator[int]:
    data = _content(name)
    encoding = _MARKS.get(data[:2], "utf-8")
    if encoding == "utf-8" and b"\0" in data[:_HEAD_BYTES]:
        return
    matches = 0
    text = data.decode(encoding, "replace").removeprefix("\ufeff")
    for number, line in enumerate(text.split("\n"), start=1):
        if search(line.removesuffix("\r")):
            yield number
            matches += 1
            if matches == _MAX_MATCHES_IN_FILE:
                return


def _content(name: bytes) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(name, flags), "rb") as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return file.read(MAX_FILE_BYTES)
    except OSError:
        pass
    return b""


if __name__ == "__main__":
    sys.exit(main())
