"""Makes the sockets in a box at which its network is listened for, without a program inside it.

A fork of this process joins the box's namespaces and sends the sockets out. It must be a process
of its own, since one with several threads cannot join, and whoever has joined cannot come back.
"""

import ctypes
import fcntl
import gc
import os
import select
import signal
import socket
import struct
import warnings
from typing import Final

from assent.gate.values import frozen

__all__ = ["OWN_ADDRESS", "PROXY_PORT", "Sockets", "cookie_of", "sockets_inside"]

PROXY_PORT: Final = 3128
_NAMES_PORT: Final = 53
_HERE: Final = "127.0.0.1"
OWN_ADDRESS: Final = "198.18.0.1"
"""The box's own address. Without one beside the loopback some programs ask for no name at all."""
_OWN_MASK: Final = "255.254.0.0"
_WAITING: Final = 128

_NS_GET_USERNS: Final = 0xB701
_IP_FREEBIND: Final = 15
"""Binds to an address that is not there yet: bubblewrap makes the loopback meanwhile."""
_SIOCSIFADDR, _SIOCSIFNETMASK = 0x8916, 0x891C
_ALIAS: Final = b"lo:1"
_SO_NETNS_COOKIE: Final = 71
_JOIN_TIMEOUT_MS: Final = 5_000


@frozen(kw_only=True)
class Sockets:
    """What listens in a box."""

    proxy: socket.socket
    led: socket.socket
    """Where programs are led that know no proxy."""
    names: socket.socket
    """Where names are asked for."""

    def close(self) -> None:
        """Stop listening."""
        for listening in (self.proxy, self.led, self.names):
            listening.close()


def sockets_inside(process: int) -> Sockets:
    """Sockets in the network of a process in a box; raises `OSError`."""
    libc = ctypes.CDLL(None, use_errno=True)
    ours, theirs = socket.socketpair()
    with ours:
        with theirs, warnings.catch_warnings():
            # It takes no lock that a thread may hold, and becomes no other program.
            warnings.simplefilter("ignore", DeprecationWarning)
            joined = os.fork()
            if joined == 0:
                _become_inside(libc, process, theirs)
        try:
            return _received(ours)
        finally:
            _reap(joined)


def cookie_of(held: socket.socket) -> int:
    """By this the kernel tells networks apart; raises `OSError` where it does not."""
    return int(struct.unpack("Q", held.getsockopt(socket.SOL_SOCKET, _SO_NETNS_COOKIE, 8))[0])


def _received(ours: socket.socket) -> Sockets:
    poll = select.poll()
    poll.register(ours, select.POLLIN)
    if not poll.poll(_JOIN_TIMEOUT_MS):
        raise TimeoutError("its namespaces were not joined in time")
    said, descriptors, *_ = socket.recv_fds(ours, 64, 3)
    held = [socket.socket(fileno=descriptor) for descriptor in descriptors]
    if len(held) != 3:  # noqa: PLR2004 -- the three that are sent
        for each in held:
            each.close()
        number = int(said or b"0")
        raise OSError(number, os.strerror(number) if number else "its namespaces are gone")
    return Sockets(proxy=held[0], led=held[1], names=held[2])


def _reap(joined: int) -> None:
    try:
        os.kill(joined, signal.SIGKILL)
        os.waitpid(joined, 0)
    except (ProcessLookupError, ChildProcessError):
        # Somebody else waits for all children.
        return


def _become_inside(libc: ctypes.CDLL, process: int, theirs: socket.socket) -> None:
    """Join, make the sockets, and leave without any of what a Python does at its end."""
    gc.disable()
    try:
        try:
            network = os.open(f"/proc/{process}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
            owner = fcntl.ioctl(network, _NS_GET_USERNS)
            for namespace in (owner, network):
                if libc.setns(namespace, 0) < 0:
                    raise OSError(ctypes.get_errno(), "setns")  # noqa: TRY301 -- sent below
            held = [*_made()]
            socket.send_fds(theirs, [b"x"], [each.fileno() for each in held])
        except OSError as error:
            theirs.send(b"%d" % (error.errno or 0))
    finally:
        os._exit(0)


def _made() -> list[socket.socket]:
    proxy, led = socket.socket(), socket.socket()
    names = socket.socket(type=socket.SOCK_DGRAM)
    for each, port in ((proxy, PROXY_PORT), (led, 0), (names, _NAMES_PORT)):
        each.setsockopt(socket.IPPROTO_IP, _IP_FREEBIND, 1)
        each.bind((_HERE, port))
    for each in (proxy, led):
        each.listen(_WAITING)
    for request, address in ((_SIOCSIFADDR, OWN_ADDRESS), (_SIOCSIFNETMASK, _OWN_MASK)):
        packed = socket.inet_aton(address)
        fcntl.ioctl(names, request, struct.pack("16sHH4s8x", _ALIAS, socket.AF_INET, 0, packed))
    return [proxy, led, names]
