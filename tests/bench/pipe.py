"""The fast end of the pipe: reads frames and writes bytes, and does nothing else."""

import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import psutil

__all__ = ["Pipe", "frame"]

_AT_ONCE: Final = 64 * 1024
_END: Final = b"\r\n\r\n"


def frame(message: object) -> bytes:
    """The message as one frame."""
    body = json.dumps(message, separators=(",", ":")).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Pipe:
    """One server process, spoken to by blocking reads and writes."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self.spawned_at = time.perf_counter()
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._writer = self._process.stdin.fileno()
        self._reader = self._process.stdout.fileno()
        self._held = b""

    def write(self, data: bytes) -> None:
        """Write all of it."""
        os.write(self._writer, data)

    def frame(self) -> bytes:
        """The next frame's body."""
        held = self._held
        while (end := held.find(_END)) < 0:
            held += self._read()
        # Node's library also tells a type in some frames; the length is on the first line.
        length = int(held[16 : held.index(b"\r\n")])
        last = end + 4 + length
        while len(held) < last:
            held += self._read()
        self._held = held[last:]
        return held[end + 4 : last]

    def until(self, start: bytes) -> bytes:
        """Read frames until one starts so."""
        while not (body := self.frame()).startswith(start):
            pass
        return body

    def drain(self, end: bytes) -> bytes:
        """Take everything up to where the end is found, without looking at it."""
        chunks, tail = [self._held], b""
        while end not in tail:
            chunks.append(self._read())
            tail = tail[-len(end) :] + chunks[-1]
        self._held = b""
        return b"".join(chunks)

    def memory(self) -> float:
        """What the process holds in memory, in MiB."""
        return psutil.Process(self._process.pid).memory_info().rss / 2**20

    def worked(self) -> float:
        """How long the process has worked on a processor, in seconds."""
        times = psutil.Process(self._process.pid).cpu_times()
        return times.user + times.system

    def begin_peak(self) -> float:
        """Forget what the process held at most until now; what it holds now, in MiB."""
        Path(f"/proc/{self._process.pid}/clear_refs").write_text("5", encoding="ascii")
        return self._status("VmRSS")

    def peak(self) -> float:
        """What the process held in memory at most since `begin_peak`, in MiB."""
        return self._status("VmHWM")

    def libraries(self) -> str:
        """The files that the process has loaded, as the system lists them."""
        return Path(f"/proc/{self._process.pid}/maps").read_text("utf-8")

    def end(self) -> None:
        """End the process by the end of its stream."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def close(self) -> None:
        """End the process, and let go of what it said."""
        self.end()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _status(self, name: str) -> float:
        told = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        (line,) = (line for line in told.splitlines() if line.startswith(f"{name}:"))
        return int(line.split()[1]) / 1024

    def _read(self) -> bytes:
        data = os.read(self._reader, _AT_ONCE)
        if not data:
            raise EOFError("the server is gone")
        return data
