"""The ways of Linux to change a file: each is tried in a folder of its own.

Run as a program in a folder that holds one folder for each way, named by its number, it prints
the ways that failed. It imports nothing of ours, so any Python can run it, in a box or outside.
"""

import ctypes
import mmap
import os
import socket
import struct
import subprocess
import sys
import threading

LIBC = ctypes.CDLL(None, use_errno=True)
HERE = -100
"""The kernel's word for the folder one is in."""


def call(number, *arguments):
    """Make a system call by its number on x86_64; raise where the kernel refuses."""
    result = LIBC.syscall(number, *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def reader(path="f"):
    """A descriptor that is open for reading alone."""
    return os.open(path, os.O_RDONLY)


def write_to(path, text=b"BAD", flags=os.O_WRONLY, **more):
    descriptor = os.open(path, flags, **more)
    os.write(descriptor, text)


def by_link():
    """The folder under another name, in the temporary folder."""
    link = f"/tmp/assent-link-{os.getpid()}"
    os.symlink(os.getcwd(), link)
    return link


def in_other(act):
    os.chdir(by_link())
    act()


def mapped():
    with open("f", "r+b") as file:
        mapping = mmap.mmap(file.fileno(), 0)
        mapping[0:1] = b"X"
        mapping.flush()


def sent():
    """A descriptor that another process opened and handed over."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        socket.send_fds(theirs, [b"x"], [os.open("f", os.O_WRONLY)])
        os._exit(0)
    _, descriptors, _, _ = socket.recv_fds(ours, 1, 1)
    os.write(descriptors[0], b"BAD")
    os.wait()


def swapped():
    """A thread changes the path while others open it."""
    buffer = ctypes.create_string_buffer(400)
    good, bad = f"{os.getcwd()}/f".encode(), b"/tmp/assent-swapped"
    stop = []

    def swap():
        while not stop:
            buffer.raw = bad.ljust(400, b"\0")
            buffer.raw = good.ljust(400, b"\0")

    thread = threading.Thread(target=swap)
    thread.start()
    for _ in range(300):
        descriptor = LIBC.syscall(257, HERE, buffer, os.O_WRONLY | os.O_CREAT, 0o600)
        if descriptor >= 0:
            os.write(descriptor, b"BAD")
            os.close(descriptor)
    stop.append(1)
    thread.join()
    write_to("f")


def unnamed():
    descriptor = os.open(".", os.O_TMPFILE | os.O_RDWR)
    os.write(descriptor, b"BAD")
    link_open(descriptor)


def link_open(descriptor):
    """Give an open file a name. Without a folder's descriptor Python would link the link."""
    os.link(f"/proc/self/fd/{descriptor}", "n", dst_dir_fd=reader("."), follow_symlinks=True)


def in_folder(act):
    os.chdir("d")
    act()


TIMES = struct.pack("qqqq", 1, 0, 1, 0)
COPY = 326
WAYS = {
    "write": lambda: write_to("f"),
    "append": lambda: write_to("f", flags=os.O_WRONLY | os.O_APPEND),
    "truncate as it is opened": lambda: os.open("f", os.O_WRONLY | os.O_TRUNC),
    "truncate as it is opened for reading": lambda: os.open("f", os.O_TRUNC),
    "truncate by path": lambda: os.truncate("f", 0),
    "truncate by descriptor": lambda: os.ftruncate(os.open("f", os.O_RDWR), 1),
    "pwrite": lambda: os.pwrite(os.open("f", os.O_WRONLY), b"BAD", 1),
    "writev": lambda: os.writev(os.open("f", os.O_WRONLY), [b"B", b"AD"]),
    "pwritev": lambda: os.pwritev(os.open("f", os.O_WRONLY), [b"B", b"AD"], 1),
    "creat": lambda: call(85, b"f", 0o600),
    "create": lambda: write_to("n", flags=os.O_WRONLY | os.O_CREAT | os.O_EXCL),
    "openat2": lambda: os.write(call(437, HERE, b"f", struct.pack("QQQ", 1, 0, 0), 24), b"BAD"),
    "openat2 below alone": lambda: call(437, HERE, b"n", struct.pack("QQQ", 65, 0o600, 8), 24),
    "open by a folder's descriptor": lambda: write_to("e", dir_fd=reader("d")),
    "open in /proc/self/cwd": lambda: write_to("/proc/self/cwd/f"),
    "open in /proc/self/root": lambda: write_to(f"/proc/self/root{os.getcwd()}/f"),
    "open by a thread's folder": lambda: write_to("/proc/thread-self/cwd/f"),
    "open with slashes and dots": lambda: write_to(f"{os.getcwd()}//d/.././f"),
    "open again for writing": lambda: write_to(f"/proc/self/fd/{reader()}"),
    "open again in /dev/fd": lambda: write_to(f"/dev/fd/{reader()}"),
    "open again what is only named": lambda: write_to(f"/proc/self/fd/{os.open('f', os.O_PATH)}"),
    "open an unnamed file and link it": unnamed,
    "open while the path is swapped": swapped,
    "open what another process opened": sent,
    "map into memory": mapped,
    "allocate": lambda: os.posix_fallocate(os.open("f", os.O_RDWR), 0, 9000),
    "punch a hole": lambda: call(
        285, os.open("f", os.O_RDWR), 3, ctypes.c_long(0), ctypes.c_long(2)
    ),
    "copy_file_range": lambda: os.copy_file_range(reader("g"), os.open("f", os.O_WRONLY), 3),
    "sendfile": lambda: os.sendfile(os.open("f", os.O_WRONLY), reader("g"), 0, 3),
    "splice": lambda: spliced(),
    "link within": lambda: os.link("f", "n"),
    "link by descriptor": lambda: link_open(os.open("f", os.O_PATH)),
    "write through a hard link": lambda: (os.link("f", "n"), write_to("n")),
    "write through a link": lambda: (os.symlink("f", "n"), write_to("n")),
    "write through a link upwards": lambda: (os.symlink("..", "d/up"), write_to("d/up/f")),
    "write through a link from /tmp": lambda: write_to(f"{by_link()}/f"),
    "remove through a link from /tmp": lambda: os.unlink(f"{by_link()}/f"),
    "make a folder through a link from /tmp": lambda: os.mkdir(f"{by_link()}/n"),
    "rename through a link from /tmp": lambda: in_other(lambda: os.rename("f", "n")),
    "rights through a link from /tmp": lambda: os.chmod(f"{by_link()}/f", 0o777),
    "symlink": lambda: os.symlink("x", "n"),
    "symlinkat": lambda: os.symlink("x", "n", dir_fd=reader("d")),
    "mkdir": lambda: os.mkdir("n"),
    "mkdirat": lambda: os.mkdir("n", dir_fd=reader("d")),
    "mkfifo": lambda: os.mkfifo("n"),
    "mknod a file": lambda: os.mknod("n", 0o100644),
    "bind a socket": lambda: socket.socket(socket.AF_UNIX).bind("n"),
    "unlink": lambda: os.unlink("f"),
    "unlinkat": lambda: os.unlink("e", dir_fd=reader("d")),
    "rmdir": lambda: os.rmdir("empty"),
    "rename": lambda: os.rename("f", "n"),
    "renameat": lambda: call(264, HERE, b"f", HERE, b"n"),
    "rename over another": lambda: os.rename("g", "f"),
    "exchange two": lambda: call(316, HERE, b"f", HERE, b"g", 2),
    "rename unless there": lambda: call(316, HERE, b"f", HERE, b"n", 1),
    "chmod": lambda: os.chmod("f", 0o777),
    "chmod by its number": lambda: call(90, b"f", 0o777),
    "fchmod of what is open for reading": lambda: os.fchmod(reader(), 0o777),
    "fchmodat": lambda: call(268, HERE, b"f", 0o777),
    "chmod in /proc/self/fd": lambda: os.chmod(f"/proc/self/fd/{os.open('f', os.O_PATH)}", 0o777),
    "chmod of a folder": lambda: os.chmod("d", 0o777),
    "utime": lambda: os.utime("f", (1, 1)),
    "utime by its number": lambda: call(132, b"f", struct.pack("qq", 1, 1)),
    "utimes": lambda: call(235, b"f", TIMES),
    "futimesat": lambda: call(261, HERE, b"f", TIMES),
    "utime of what is open for reading": lambda: os.utime(reader(), (1, 1)),
    "setxattr": lambda: os.setxattr("f", "user.n", b"1"),
    "lsetxattr": lambda: os.setxattr("f", "user.n", b"1", follow_symlinks=False),
    "fsetxattr of what is open for reading": lambda: os.setxattr(reader(), "user.n", b"1"),
    "removexattr": lambda: os.removexattr("f", "user.kept"),
    "from another folder": lambda: in_folder(lambda: write_to("e")),
    "from a folder by descriptor": lambda: (os.fchdir(reader("d")), write_to("e")),
    "by another program": lambda: subprocess.run(["sh", "-c", "echo BAD > f; rm g"], check=True),
    "by a program that is spawned": lambda: os.waitpid(
        os.posix_spawn("/bin/sh", ["sh", "-c", "echo BAD > f"], os.environ), 0
    ),
}
"""What each does to the files `f`, `g` and `d/e` and to the folders `d` and `empty`."""


def spliced():
    ours, theirs = os.pipe()
    os.write(theirs, b"BAD")
    os.splice(ours, os.open("f", os.O_WRONLY), 3)


def plant(folder):
    """Make a folder for each way."""
    for number in range(len(WAYS)):
        top = os.path.join(folder, str(number))
        for inner in ("d", "empty"):
            os.makedirs(os.path.join(top, inner))
        for name in ("f", "g", "d/e"):
            with open(os.path.join(top, name), "w", encoding="ascii") as file:
                file.write(f"good {name}")
        os.setxattr(os.path.join(top, "f"), "user.kept", b"1")


def failed():
    """Try each way in its folder, each in a process of its own; the ways that failed."""
    wrong = []
    for number, (name, way) in enumerate(WAYS.items()):
        child = os.fork()
        if child == 0:
            try:
                os.chdir(str(number))
                way()
            except BaseException as error:  # noqa: BLE001 -- whatever it was
                sys.stderr.write(f"{name}: {error}\n")
                os._exit(1)
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            wrong.append(name)
    return wrong


if __name__ == "__main__":
    print("\n".join(failed()))
