"""Carries out each `connect` of a box for it, or refuses it.

The kernel holds the call while it is looked at. What was looked at may be changed meanwhile by
another thread of the box: the address in its memory, and the socket behind its descriptor. So the
call is never let go on by itself. What is connected is a copy of the descriptor, to a copy of the
address, both taken once and while the call was known to wait. That is safe for each kind:

- A socket of another network than the box's, which it may have inherited, is never connected.
- In the box's own network nothing but the box is there, so any address is harmless: it is one of
  the box's own, or the program is led to the doorway, which asks.
- A socket with an abstract name is looked for in that network, too.
- A socket at a path is opened for its place, as the box sees the path, and connected to by that
  place. It must lie on a mount that the box has made for itself, which no program outside sees:
  there only programs of the box can listen. The box can make no mounts.
"""

import asyncio
import errno
import os
import re
import select
import socket
import stat
import struct
from collections.abc import Callable
from typing import Final

from assent.gate.sandbox.calls import (
    Heard,
    answer,
    connect,
    hear,
    held_by,
    is_patient,
    is_waiting,
    open_inside,
)
from assent.gate.sandbox.namespaces import OWN_ADDRESS, cookie_of
from assent.gate.values import frozen

__all__ = ["Connects", "Places"]

_OWN_FOLDERS: Final = ("/tmp", "/var/tmp", "/run", "/dev", "/dev/shm")  # noqa: S108 -- the box's own
_RETRY_S: Final = 0.05
_LOOPBACK: Final = b"\x7f"
_MAPPED: Final = bytes(10) + b"\xff\xff"
_OWN: Final = (bytes(4), bytes(16), bytes(15) + b"\x01", socket.inet_aton(OWN_ADDRESS))
"""The box's own addresses, beside all that begin as the loopback's."""
_TCP_CLOSED: Final = 7
_INET_BYTES, _INET6_BYTES = 8, 24
_ESCAPED: Final = re.compile(rb"\\([0-7]{3})")

Lead = Callable[[int, str, int], None]
"""Told from which port a connection to the doorway comes, and for which address and port."""
Tell = Callable[[str, str], None]
"""Told which path was refused, and why."""


@frozen(kw_only=True)
class Places:
    """What leads where in one box."""

    network: int
    """The cookie of its network."""
    led: tuple[str, int]
    """Where the doorway takes who knows no proxy."""
    overlays: tuple[str, ...] = ()
    """The folders over which it has a layer of its own."""


class Connects:
    """Hears of the connections of one box, on one loop."""

    def __init__(
        self, listener: int, group: asyncio.TaskGroup, places: Places, lead: Lead, tell: Tell
    ) -> None:
        self._listener = listener
        self._group = group
        self._places = places
        self._lead = lead
        self._tell = tell
        self._poll = select.poll()
        self._poll.register(listener, select.POLLIN)

    def begin(self) -> None:
        """Hear of them from now on."""
        asyncio.get_running_loop().add_reader(self._listener, self._hear)

    def end(self) -> None:
        """Hear of no more. Those that wait fail once the listener is closed."""
        asyncio.get_running_loop().remove_reader(self._listener)

    def _hear(self) -> None:
        ready = dict(self._poll.poll(0)).get(self._listener, 0)
        if not ready & select.POLLIN:
            if ready:
                # Nobody is left who could make a call.
                asyncio.get_running_loop().remove_reader(self._listener)
            return
        heard = hear(self._listener)
        if heard is None:
            return
        try:
            failed = self._carried_out(heard)
        except OSError as error:
            failed = error.errno or errno.EPERM
        except Exception:  # noqa: BLE001 -- whatever it is, nothing is connected
            failed = errno.EPERM
        if failed is not None:
            answer(self._listener, heard, failed)

    def _carried_out(self, heard: Heard) -> int | None:
        """The error with which the call ends, 0 for none; None where that comes later."""
        held, address = held_by(heard)
        is_kept = False
        try:
            if not is_waiting(self._listener, heard):
                return errno.EPERM
            target, place = self._target(heard, held, address)
            try:
                failed = connect(held, target)
                comes_later = errno.EAGAIN if held.family == socket.AF_UNIX else errno.EINPROGRESS
                is_kept = failed == comes_later and is_patient(held)
                if is_kept:
                    self._group.create_task(self._connected(heard, held, target, place))
                    place = -1
                    return None
                return failed
            finally:
                if place >= 0:
                    os.close(place)
        finally:
            if not is_kept:
                held.close()

    async def _connected(
        self, heard: Heard, held: socket.socket, target: bytes, place: int
    ) -> None:
        """Answer once the socket is connected, for a caller who waits for that."""
        failed = errno.EINPROGRESS
        with held:
            try:
                while is_waiting(self._listener, heard):
                    if held.family == socket.AF_UNIX:
                        failed = connect(held, target)
                    elif _is_ready(held):
                        failed = held.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                    if failed not in {errno.EINPROGRESS, errno.EAGAIN}:
                        break
                    await asyncio.sleep(_RETRY_S)
                answer(self._listener, heard, failed)
            finally:
                if place >= 0:
                    os.close(place)

    def _target(self, heard: Heard, held: socket.socket, address: bytes) -> tuple[bytes, int]:
        """What to connect to, and a descriptor that is needed until then; raises `OSError`."""
        if cookie_of(held) != self._places.network:
            self._tell("", "A socket that it inherited leads out of the sandbox.")
            raise OSError(errno.EPERM, "a socket of another network")
        if len(address) < 2:  # noqa: PLR2004 -- the family
            raise OSError(errno.EINVAL, "no address")
        (family,) = struct.unpack_from("H", address)
        if family == socket.AF_UNIX and held.family == socket.AF_UNIX:
            return self._socket_at(heard, address)
        is_inet = family in {socket.AF_INET, socket.AF_INET6} and family == held.family
        if is_inet and held.type == socket.SOCK_STREAM:
            return self._led(held, family, address), -1
        return address, -1

    def _led(self, held: socket.socket, family: int, address: bytes) -> bytes:
        """The address of the doorway, for one that lies outside the box."""
        if len(address) < (_INET_BYTES if family == socket.AF_INET else _INET6_BYTES):
            raise OSError(errno.EINVAL, "no address")
        host = address[4:8] if family == socket.AF_INET else address[8:24]
        host = host.removeprefix(_MAPPED)
        (port,) = struct.unpack_from("!H", address, 2)
        is_local = host in _OWN or (len(host) == 4 and host.startswith(_LOOPBACK))  # noqa: PLR2004 -- the fourth version
        if is_local and port == self._places.led[1]:
            raise OSError(errno.ECONNREFUSED, "nobody is led there who asks for it")
        if is_local or not _is_new(held):
            return address
        here = self._places.led[0]
        source = here if held.family == socket.AF_INET else f"::ffff:{here}"
        if held.getsockname()[1] == 0:
            held.bind((source, 0))
        version = socket.AF_INET if len(host) == 4 else socket.AF_INET6  # noqa: PLR2004 -- as above
        self._lead(held.getsockname()[1], socket.inet_ntop(version, host), port)
        return _packed(held.family, *self._places.led)

    def _socket_at(self, heard: Heard, address: bytes) -> tuple[bytes, int]:
        """The socket at a path, by its place; or the one with an abstract name."""
        name = address[2:]
        if name[:1] in (b"", b"\0"):
            return address, -1
        path = name.split(b"\0")[0]
        shown = os.fsdecode(path)
        if not path.startswith(b"/"):
            path = os.readlink(f"/proc/{heard.process}/cwd".encode()) + b"/" + path  # noqa: PTH115 -- bytes
        root = os.open(f"/proc/{heard.process}/root", os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            place = open_inside(root, path)
        finally:
            os.close(root)
        try:
            if not stat.S_ISSOCK(os.fstat(place).st_mode):
                raise OSError(errno.ECONNREFUSED, "no socket")  # noqa: TRY301 -- closes it
            if not self._is_own(heard, place):
                self._tell(shown, "Programs outside the sandbox may listen at this socket.")
                raise OSError(errno.EPERM, "a socket outside")  # noqa: TRY301 -- closes it
        except BaseException:
            os.close(place)
            raise
        return struct.pack("H", socket.AF_UNIX) + b"/proc/self/fd/%d\0" % place, place

    def _is_own(self, heard: Heard, place: int) -> bool:
        """Whether it lies on a mount that the box has made for itself."""
        with open(f"/proc/self/fdinfo/{place}", "rb") as facts:  # noqa: PTH123 -- one per connection
            lines = (line.split() for line in facts)
            mount = next(words[1] for words in lines if words[0] == b"mnt_id:")
        with open(f"/proc/{heard.process}/mountinfo", "rb") as mounts:  # noqa: PTH123 -- as above
            for line in mounts:
                words = line.split()
                if words[0] == mount:
                    folder = _ESCAPED.sub(lambda found_at: bytes((int(found_at[1], 8),)), words[4])
                    kind = words[words.index(b"-") + 1]
                    return _is_made_by_box(os.fsdecode(folder), kind, self._places.overlays)
        return False


def _is_made_by_box(folder: str, kind: bytes, overlays: tuple[str, ...]) -> bool:
    return (kind == b"tmpfs" and folder in _OWN_FOLDERS) or (
        kind == b"overlay" and folder in overlays
    )


def _is_new(held: socket.socket) -> bool:
    """Whether a socket is neither connected nor about to be."""
    return held.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _TCP_CLOSED


def _is_ready(held: socket.socket) -> bool:
    poll = select.poll()
    poll.register(held, select.POLLOUT)
    return bool(poll.poll(0))


def _packed(family: int, host: str, port: int) -> bytes:
    number = socket.inet_aton(host)
    if family == socket.AF_INET:
        return struct.pack("H", family) + struct.pack("!H4s8x", port, number)
    return struct.pack("H", family) + struct.pack("!HI16sI", port, 0, _MAPPED + number, 0)
