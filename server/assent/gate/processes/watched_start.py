"""Has another process hear of the calls that the program started here will make.

A filter of system calls is put on this process, which keeps it whatever program it becomes. What
hears of the calls, the listener, is sent away over a socket before that. Every command may start
with this, so it takes nothing that is slow to load.
"""

import os
import struct
import sys

__all__ = ["BY_DESCRIPTOR", "become_watched", "main", "watch"]

BY_DESCRIPTOR = "/proc/self/fd/"
"""How a program is named that lies in memory; what it starts does not inherit it."""
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP = {"x86_64": 317, "aarch64": 277}
"""The number of the call, by machine."""
_SET_FILTER = 1
_NEW_LISTENER, _WAIT_UNLESS_KILLED = 1 << 3, 1 << 5
"""By the second one, a call that was heard of is not begun again because of a signal."""
_MAX_FILTER_BYTES = 8 * 4096


def main() -> None:
    """Become the program that `become_watched` names: `ROOT FILTER SOCKET PROGRAM WORDS…`."""
    _, _, program_filter, handed_to, program, *words = sys.argv
    become_watched(int(program_filter), int(handed_to))
    if program.startswith(BY_DESCRIPTOR):
        os.set_inheritable(int(program.removeprefix(BY_DESCRIPTOR)), False)
    os.execve(program, words, {})  # noqa: S606 -- the words were put together by who starts this


def become_watched(program_filter: int, handed_to: int) -> None:
    """Put the filter on, and send its listener away; raises `OSError`.

    Neither descriptor is inherited by what this process becomes.
    """
    for descriptor in (program_filter, handed_to):
        os.set_inheritable(descriptor, False)
    listener = watch(os.pread(program_filter, _MAX_FILTER_BYTES, 0))
    try:
        import _socket  # noqa: PLC0415 -- what stands around it is slow to load

        with_listener = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("i", listener))
        _socket.socket(fileno=os.dup(handed_to)).sendmsg([b"x"], [with_listener])
    finally:
        os.close(listener)


def watch(program: bytes) -> int:
    """Put a filter on this process for good; the descriptor of its listener."""
    import ctypes  # noqa: PLC0415 -- needed here alone

    libc = ctypes.CDLL(None, use_errno=True)
    number = _SECCOMP[os.uname().machine]
    instructions = ctypes.create_string_buffer(program, len(program))
    filter_facts = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(instructions))
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "no_new_privs")
    for flags in (_NEW_LISTENER | _WAIT_UNLESS_KILLED, _NEW_LISTENER):
        listener = int(libc.syscall(number, _SET_FILTER, flags, ctypes.c_char_p(filter_facts)))
        if listener >= 0:
            return listener
    raise OSError(ctypes.get_errno(), "seccomp")
