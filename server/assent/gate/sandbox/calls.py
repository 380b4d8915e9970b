"""The system calls by which another process hears of a `connect`, and carries it out for it."""

import ctypes
import errno
import fcntl
import os
import socket
import struct
from typing import Final

from assent.gate.values import frozen

__all__ = [
    "Heard",
    "answer",
    "check_reach",
    "connect",
    "hear",
    "held_by",
    "is_patient",
    "is_waiting",
    "open_inside",
]

_RECEIVE: Final = 0xC0502100
_SEND: Final = 0xC0182101
_IS_VALID: Final = 0x40082102
_HEARD: Final = struct.Struct("QIIiIQ6Q")
_ANSWER: Final = struct.Struct("QqiI")
_MAX_ADDRESS_BYTES: Final = 128

_PIDFD_GETFD: Final = 438
_OPENAT2: Final = 437
_IN_ROOT: Final = 0x10
_NO_MAGIC_LINKS: Final = 0x02
"""Both as on every machine for which the numbers of the filter are known."""


@frozen
class Heard:
    """A call that waits for its answer."""

    id: int
    process: int
    """The thread that makes it."""
    descriptor: int
    address: int
    length: int


def hear(listener: int) -> Heard | None:
    """The next call; None where it is gone already."""
    room = bytearray(_HEARD.size)
    try:
        fcntl.ioctl(listener, _RECEIVE, room)
    except OSError:
        return None
    number, process, _, _, _, _, *arguments = _HEARD.unpack(room)
    descriptor, address, length, *_ = arguments
    return Heard(number, process, descriptor & 0xFFFFFFFF, address, length & 0xFFFFFFFF)


def is_waiting(listener: int, heard: Heard) -> bool:
    """Whether the call still waits, so that its process is still the one that it was."""
    try:
        fcntl.ioctl(listener, _IS_VALID, struct.pack("Q", heard.id))
    except OSError:
        return False
    return True


def answer(listener: int, heard: Heard, failed: int) -> None:
    """End the call, as done for 0 and else with this error."""
    try:
        fcntl.ioctl(listener, _SEND, _ANSWER.pack(heard.id, 0, -failed, 0))
    except OSError:
        # Whoever made it is gone.
        return


def held_by(heard: Heard) -> tuple[socket.socket, bytes]:
    """The socket that is to be connected, and a copy of the address; raises `OSError`."""
    if heard.length > _MAX_ADDRESS_BYTES:
        raise OSError(errno.EINVAL, "the address is too long")
    memory = os.open(f"/proc/{heard.process}/mem", os.O_RDONLY | os.O_CLOEXEC)
    try:
        address = os.pread(memory, heard.length, heard.address)
    except (OverflowError, OSError) as error:
        raise OSError(errno.EFAULT, "the address cannot be read") from error
    finally:
        os.close(memory)
    copied = _copied(_leader(heard.process), heard.descriptor)
    try:
        return socket.socket(fileno=copied), address
    except OSError:
        os.close(copied)
        raise


def connect(held: socket.socket, address: bytes) -> int:
    """Connect without waiting; the error, 0 for none."""
    libc = ctypes.CDLL(None, use_errno=True)
    flags = fcntl.fcntl(held, fcntl.F_GETFL)
    if is_patient(held):
        # The description is shared with whoever waits for this call.
        fcntl.fcntl(held, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    try:
        failed = libc.connect(held.fileno(), address, len(address)) < 0
        return ctypes.get_errno() if failed else 0
    finally:
        if not flags & os.O_NONBLOCK:
            fcntl.fcntl(held, fcntl.F_SETFL, flags)


def check_reach(process: int, descriptor: int) -> None:
    """Raise `OSError` where the memory or a descriptor of a process cannot be reached."""
    os.close(os.open(f"/proc/{process}/mem", os.O_RDONLY | os.O_CLOEXEC))
    os.close(_copied(process, descriptor))


def is_patient(held: socket.socket) -> bool:
    """Whether a call on this socket waits until it is done."""
    return not fcntl.fcntl(held, fcntl.F_GETFL) & os.O_NONBLOCK


def open_inside(root: int, path: bytes) -> int:
    """Open a path as a process with this root sees it, for its place alone; raises `OSError`."""
    how = struct.pack("QQQ", os.O_PATH | os.O_CLOEXEC, 0, _IN_ROOT | _NO_MAGIC_LINKS)
    return _call(_OPENAT2, root, ctypes.c_char_p(path), ctypes.c_char_p(how), len(how))


def _copied(process: int, descriptor: int) -> int:
    """A descriptor of a process, as one of this process."""
    opened = os.pidfd_open(process)
    try:
        return _call(_PIDFD_GETFD, opened, descriptor, 0)
    finally:
        os.close(opened)


def _leader(thread: int) -> int:
    """The process that a thread belongs to."""
    with open(f"/proc/{thread}/status", "rb") as status:  # noqa: PTH123 -- one per connection
        lines = (line.split() for line in status)
        return next(int(words[1]) for words in lines if words[0] == b"Tgid:")


def _call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result
