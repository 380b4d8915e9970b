"""The system calls that a box refuses, as a program for the kernel's seccomp filter.

A box needs none of them: they make namespaces and mounts, look into other processes, load code
into the kernel, or type into a terminal as if the person did.

>>> len(program("x86_64")) % 8, program("sparc")
(0, None)
"""

import struct
from collections.abc import Iterator, Mapping
from typing import Final

from assent.gate.values import frozen

__all__ = ["REFUSED", "program", "watching_program"]

# The number of each call on x86_64 and on aarch64.
REFUSED: Final[Mapping[str, tuple[int, int]]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "chroot": (161, 51),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "perf_event_open": (298, 241),
    "pivot_root": (155, 41),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setns": (308, 268),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}
"""Refused with `EPERM`, whatever their arguments."""
_CLONE: Final = (56, 220)
_CLONE3: Final = (435, 435)
"""Its flags lie in memory, where a filter cannot look. Without it, C libraries use `clone`."""
_CONNECT: Final = (42, 203)
_IOCTL: Final = (16, 29)
_SOCKET: Final = (41, 198)

_MACHINES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
"""Which of the two numbers holds, and how the kernel names the machine."""
_FIRST_X32_CALL: Final = 0x40000000
"""From here on x86_64 counts its calls a second time, for 32-bit pointers."""
_NEW_NAMESPACE: Final = 0x7E020000
"""The flags of `clone` that make a namespace."""
_TYPES_FOR_THE_PERSON: Final = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX put letters into a terminal as if they had been typed there."""
_FAMILIES: Final = (1, 2, 10, 16)
"""Sockets that may be made: unix, inet, inet6, netlink. The box has a network of its own."""

_EPERM, _ENOSYS = 1, 38
_ALLOW, _KILL, _ERRNO, _NOTIFY = 0x7FFF0000, 0x80000000, 0x00050000, 0x7FC00000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
"""Where these lie in what the kernel shows to a filter."""


@frozen
class _Step:
    """One instruction. `yes` and `no` name the label to go to; none goes on with the next."""

    code: int
    value: int
    yes: str = ""
    no: str = ""
    label: str = ""


def program(machine: str) -> bytes | None:
    """The filter for this kind of machine; None where the numbers of its calls are not known."""
    return _assembled(_steps(*_MACHINES[machine])) if machine in _MACHINES else None


def watching_program(machine: str) -> bytes | None:
    """The filter by which another process hears of each `connect`, and carries it out or not."""
    return _assembled(_watching_steps(*_MACHINES[machine])) if machine in _MACHINES else None


def _assembled(program_steps: Iterator[_Step]) -> bytes:
    steps = [*program_steps]
    labels = {step.label: at for at, step in enumerate(steps) if step.label}
    return b"".join(
        struct.pack(
            "=HBBI",
            step.code,
            labels[step.yes] - at - 1 if step.yes else 0,
            labels[step.no] - at - 1 if step.no else 0,
            step.value,
        )
        for at, step in enumerate(steps)
    )


def _watching_steps(column: int, architecture: int) -> Iterator[_Step]:
    yield _Step(_LOAD, _ARCHITECTURE)
    yield _Step(_EQUAL, architecture, no="kill")
    yield _Step(_LOAD, _NUMBER)
    if column == 0:
        yield _Step(_AT_LEAST, _FIRST_X32_CALL, yes="unknown")
    yield _Step(_EQUAL, _CONNECT[column], yes="notify", no="allow")
    yield _Step(_RETURN, _NOTIFY, label="notify")
    yield _Step(_RETURN, _ERRNO | _ENOSYS, label="unknown")
    yield _Step(_RETURN, _ALLOW, label="allow")
    yield _Step(_RETURN, _KILL, label="kill")


def _steps(column: int, architecture: int) -> Iterator[_Step]:
    yield _Step(_LOAD, _ARCHITECTURE)
    yield _Step(_EQUAL, architecture, no="kill")
    yield _Step(_LOAD, _NUMBER)
    if column == 0:
        yield _Step(_AT_LEAST, _FIRST_X32_CALL, yes="unknown")
    for numbers in REFUSED.values():
        yield _Step(_EQUAL, numbers[column], yes="refuse")
    yield _Step(_EQUAL, _CLONE3[column], yes="unknown")
    yield _Step(_EQUAL, _CLONE[column], yes="clone")
    yield _Step(_EQUAL, _IOCTL[column], yes="ioctl")
    yield _Step(_EQUAL, _SOCKET[column], yes="socket", no="allow")
    yield _Step(_LOAD, _FIRST, label="clone")
    yield _Step(_ANY_BIT, _NEW_NAMESPACE, yes="refuse", no="allow")
    yield _Step(_LOAD, _SECOND, label="ioctl")
    first, second = _TYPES_FOR_THE_PERSON
    yield _Step(_EQUAL, first, yes="refuse")
    yield _Step(_EQUAL, second, yes="refuse", no="allow")
    yield _Step(_LOAD, _FIRST, label="socket")
    for family in _FAMILIES:
        yield _Step(_EQUAL, family, yes="allow")
    yield _Step(_RETURN, _ERRNO | _EPERM, label="refuse")
    yield _Step(_RETURN, _ERRNO | _ENOSYS, label="unknown")
    yield _Step(_RETURN, _ALLOW, label="allow")
    yield _Step(_RETURN, _KILL, label="kill")
