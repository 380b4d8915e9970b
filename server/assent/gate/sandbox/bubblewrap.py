"""A profile in the words of bubblewrap, which makes the namespaces and mounts.

Later words lie above earlier ones, so the order is: the disk, its empty folders, the home, the
workspace, and last what is hidden or must stay. All of them are handed over in a file that only
bubblewrap reads, so no list of processes shows the variables of a command.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from assent.gate.sandbox.profile import Profile

__all__ = ["boxed", "words"]

_APART: Final = (
    *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net"),
    *("--unshare-cgroup-try", "--disable-userns", "--cap-drop", "ALL"),
    *("--die-with-parent", "--new-session", "--clearenv"),
)
_DISK: Final = (
    *("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
    *("--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--tmpfs", "/run"),  # noqa: S108 -- its own
)
_OF_THE_KERNEL: Final = ("sys", "irq", "bus", "fs", "acpi", "scsi", "driver", "sysrq-trigger")
"""What of `/proc` belongs to the machine. To root the kernel lets these be written without any
capability, and bubblewrap covers a folder only where the folder itself is writable."""
_HIDDEN: Final = ("/tmp/", "/var/tmp/", "/run/")  # noqa: S108 -- these are hidden


@contextmanager
def boxed(
    bwrap: str, profile: Profile, filter_program: bytes, command: Sequence[str]
) -> Iterator[tuple[list[str], tuple[int, int]]]:
    """How to start a command in a box, and the descriptors that the start must inherit."""
    seccomp = _readable("filter", filter_program)
    arguments = _readable(
        "arguments", b"".join(os.fsencode(w) + b"\0" for w in words(profile, seccomp))
    )
    try:
        yield [bwrap, "--args", str(arguments), "--", *command], (seccomp, arguments)
    finally:
        os.close(seccomp)
        os.close(arguments)


def words(profile: Profile, seccomp: int) -> list[str]:
    """The arguments of bubblewrap; `seccomp` is the descriptor of the filter."""
    return [
        *(*_APART, *_DISK),
        *_kernel(),
        *_home(profile),
        *_workspace(profile),
        *(word for path in profile.masked for word in _masked(path)),
        *(word for name, value in profile.variables.items() for word in ("--setenv", name, value)),
        *("--seccomp", str(seccomp), "--chdir", profile.folder),
    ]


def _kernel() -> Iterator[str]:
    for path in (f"/proc/{name}" for name in _OF_THE_KERNEL):
        yield from ("--ro-bind-try", path, path)


def _readable(name: str, content: bytes) -> int:
    descriptor = os.memfd_create(name)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _home(profile: Profile) -> Iterator[str]:
    """In a trial what is written to the home is thrown away; in a live run it fails."""
    if profile.layer is not None:
        yield from ("--overlay-src", profile.home, "--tmp-overlay", profile.home)
    elif f"{profile.home}/".startswith(_HIDDEN):
        yield from ("--ro-bind", profile.home, profile.home)


def _workspace(profile: Profile) -> Iterator[str]:
    root, layer = profile.workspace, profile.layer
    if layer is not None:
        yield from ("--overlay-src", root, "--overlay", layer.upper, layer.work, root)
        return
    yield from ("--bind", root, root)
    for path in profile.pinned:
        # What a mount lies on cannot be renamed or removed.
        yield from ("--bind", path, path)
    for path in profile.kept:
        yield from ("--ro-bind", path, path)


def _masked(path: str) -> Iterator[str]:
    if os.path.isdir(path):  # noqa: PTH112 -- every command starts with this
        yield from ("--perms", "0000", "--tmpfs", path, "--remount-ro", path)
    else:
        yield from ("--ro-bind", "/dev/null", path)
