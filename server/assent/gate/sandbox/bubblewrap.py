"""A profile in the words of bubblewrap, which makes the namespaces and mounts.

Later words lie above earlier ones, so the order is: the disk, its empty folders, the home, the
workspace, and last what is hidden or must stay. All of them are handed over in a file that only
bubblewrap reads, so no list of processes shows the variables of a command.
"""

import fcntl
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from assent.gate.processes.watched_start import BY_DESCRIPTOR
from assent.gate.sandbox.profile import Profile, ProfileUnfit
from assent.gate.values import frozen

__all__ = ["OWN", "Opening", "Start", "boxed", "in_memory", "is_own", "words"]

OWN: Final = Path(__file__).with_name("bwrap")
"""The bubblewrap that `make bwrap` builds; beside it lies its digest."""

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
_SEALS: Final = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
_HIDDEN: Final = ("/tmp/", "/var/tmp/", "/run/")  # noqa: S108 -- these are hidden


@frozen(kw_only=True)
class Opening:
    """What a box needs so that its network can be made from outside while it waits."""

    words: tuple[str, ...]
    inherited: tuple[int, ...]
    watched_by: tuple[int, int]
    """The filter of its calls, and the socket to which the listener is sent."""
    variables: Mapping[str, str]


@frozen
class Start:
    """How to start a command in a box."""

    program: str
    words: list[str]
    inherited: tuple[int, ...]
    """Descriptors that the start must inherit."""
    memory: int | None = None
    """The program, where it lies in memory."""

    @property
    def by_descriptor(self) -> tuple[str, tuple[int, ...]]:
        """The program as whoever starts it later names it, and what must be inherited for that."""
        if self.memory is None:
            return self.program, self.inherited
        return f"{BY_DESCRIPTOR}{self.memory}", (*self.inherited, self.memory)


@contextmanager
def boxed(
    bwrap: str,
    profile: Profile,
    filter_program: bytes,
    command: Sequence[str],
    *,
    status: int | None = None,
    opening: Opening | None = None,
) -> Iterator[Start]:
    """How to start a command in a box, while this lasts; with a network by what `opening` says.

    Our own bubblewrap runs from memory, so that what is run is what the digest was taken of. To
    the file `status` it writes an exit code once a command that it has begun has ended.
    """
    seccomp = in_memory("filter", filter_program)
    lines = b"".join(os.fsencode(word) + b"\0" for word in words(profile, seccomp))
    arguments = in_memory("arguments", lines)
    opened = [seccomp, arguments]
    try:
        program, memory = bwrap, None
        if Path(bwrap) == OWN:
            opened.append(memory := _checked(OWN))
            # Through this process, since what a start inherits the command in the box has, too.
            program = f"/proc/{os.getpid()}/fd/{memory}"
        more = () if opening is None else opening.words
        tells = () if status is None else ("--json-status-fd", str(status))
        line = ["bwrap", "--args", str(arguments), *tells, *more, "--", *command]
        inherited = [seccomp, arguments, *(() if status is None else (status,))]
        inherited += () if opening is None else opening.inherited
        yield Start(program, line, tuple(inherited), memory)
    finally:
        for descriptor in opened:
            os.close(descriptor)


def is_own(content: bytes) -> bool:
    """Whether this is the bubblewrap that was built here, by its digest."""
    try:
        digest = OWN.with_suffix(".sha256").read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return False
    return hashlib.sha256(content).hexdigest() == digest


def _checked(path: Path) -> int:
    content = path.read_bytes()
    if not is_own(content):
        raise ProfileUnfit(f"{path} has another digest than when it was built.")
    return in_memory("bwrap", content)


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


def in_memory(name: str, content: bytes) -> int:
    """A file in memory that nobody can change."""
    descriptor = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with os.fdopen(descriptor, "wb", closefd=False) as file:
        file.write(content)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, _SEALS)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _home(profile: Profile) -> Iterator[str]:
    """In a trial what is written to the home is thrown away; in a live run it fails."""
    if profile.home_layer is not None:
        layer = profile.home_layer
        words = ("--overlay", layer.upper, layer.work, profile.home)
        yield from ("--overlay-src", profile.home, *words)
    elif profile.layer is not None:
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
