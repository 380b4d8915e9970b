"""Command lines run by a real shell under `strace`, and what each of them touched.

Each runs in a sandbox of its own tree, which is put back before the next; what it opens, changes,
starts or speaks to is told by the kernel, and so by no reading of its words.
"""

import os.path
import posixpath
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal

from attrs import define, frozen

from fuzz.bwrapped import SANDBOX
from fuzz.bwrapped import why_not as why_no_sandbox

__all__ = ["Deed", "run", "why_not"]

Kind = Literal["read", "list", "write", "run", "send"]


@frozen
class Deed:
    """One thing that a process did, or tried to."""

    kind: Kind
    path: str
    """Absolute and resolved; for what is sent, the address."""


_CALLS: Final = (
    "open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,"
    "linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,lchown,fchownat,mknod,mknodat,utimensat,"
    "setxattr,lsetxattr,execve,execveat,chdir,fchdir,connect,bind"
)

_DRIVER: Final = r"""
for each in /tmp/batch/*.txt; do
  n=${each##*/}; n=${n%.txt}
  [ -e @TREE@ ] || cp -a /tmp/pristine @TREE@
  cd @TREE@/ws || exit 9
  IFS= read -r -d '' command < "$each"
  HOME=@TREE@/home LC_ALL=C timeout -s KILL 1 strace -ff -qq -y --seccomp-bpf -e trace=@CALLS@ \
    -o "/tmp/told/$n" bash -c "$command" > /dev/null 2>&1 < /dev/null
  cd /
  diff -rq --no-dereference /tmp/pristine @TREE@ > /dev/null 2>&1 || rm -rf @TREE@
done
"""

_OWN_TALK: Final = ("/nscd/", "AF_NETLINK", '"/dev/log"', "/.gnupg/S.")
"""Whom the C library asks for names of users, what tells of the machine's own addresses, and the
parts of a program that keep its keys and ask for others'."""
_LINE: Final = re.compile(r"(\w+)\((.*)\)\s+= (.*)")
_AT: Final = re.compile(r'(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>(?:\(deleted\))?, "((?:[^"\\]|\\.)*)"')
_FIRST: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_OPENED: Final = re.compile(r"\d+<(.*)>")
_HERE: Final = re.compile(r"AT_FDCWD<((?:[^>\\]|\\.)*)>")
_CHANGES: Final = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND")


@cache
def why_not() -> str:
    """Why commands cannot be traced here; nothing where they can."""
    if shutil.which("strace") is None:
        return "strace is not installed (apt-get install strace)"
    because = why_no_sandbox()
    if because:
        return because
    tried = subprocess.run(
        [*SANDBOX, "strace", "-ff", "-qq", "-o", "/tmp/x", "bash", "-c", "exit 7"],
        check=False,
        capture_output=True,
        timeout=20,
    )
    return "" if tried.returncode == 7 else f"strace may not follow here: {tried.stderr!r}"


def run(commands: Sequence[str], tree: Path, told: Path) -> Iterator[list[Deed]]:
    """Run each command in the folder `ws` of a tree; what each of them did."""
    batch, results = told / "batch", told / "told"
    batch.mkdir()
    results.mkdir()
    for number, command in enumerate(commands):
        (batch / f"{number:06}.txt").write_text(command, "utf-8", "surrogateescape")
    driver = _DRIVER.replace("@TREE@", str(tree)).replace("@CALLS@", _CALLS)
    where = ["--ro-bind", str(tree), "/tmp/pristine", "--ro-bind", str(batch), "/tmp/batch"]
    where += ["--bind", str(results), "/tmp/told", "--tmpfs", str(tree.parent)]
    subprocess.run(
        [*SANDBOX, "--setenv", "TERM", "dumb", *where, "bash", "-c", driver],
        check=True,
        capture_output=True,
        timeout=60 + len(commands) * 2,
    )
    for number in range(len(commands)):
        files = sorted(results.glob(f"{number:06}.*"), key=lambda it: int(it.suffix[1:]))
        yield [deed for file in files for deed in _deeds(file.read_text(errors="surrogateescape"))]


@define
class _Process:
    """Where a process is, and whether it is a shell."""

    here: str = "/"
    shell: bool = True

    def did(self, name: str, args: str, result: str) -> Iterator[Deed]:
        """What came of one of its calls."""
        found = _HERE.search(args)
        self.here = _unescaped(found[1]) if found else self.here
        if name in ("connect", "bind"):
            if not any(it in args for it in _OWN_TALK):
                yield Deed("send", args.partition(">, ")[2])
        elif name in ("chdir", "fchdir"):
            self._goes(name, args, result)
        elif "O_PATH" in args:
            return  # It takes hold of a place, and reads nothing of it.
        elif name.startswith(("open", "creat")):
            yield from self._opens(name, args, result)
        else:
            if result.startswith("-1 EEXIST"):
                return  # The folder that was to be made is there.
            runs = name.startswith("exec")
            if runs and result == "0":
                self.shell = _FIRST.findall(args)[0].endswith(("/bash", "/dash", "/sh"))
            for path in self._paths(name, args):
                yield Deed("run" if runs else "write", _resolved(path, follow=runs))

    def _goes(self, name: str, args: str, result: str) -> None:
        gone = _OPENED.match(args) if name == "fchdir" else None
        paths = self._paths(name, args)
        to = _unescaped(gone[1]) if gone else _resolved(paths[0]) if paths else self.here
        self.here = to if result == "0" else self.here

    def _opens(self, name: str, args: str, result: str) -> Iterator[Deed]:
        opened = _OPENED.fullmatch(result)
        paths = self._paths(name, args) or [self.here]
        follow = "O_NOFOLLOW" not in args
        path = _unescaped(opened[1]) if opened else _resolved(paths[0], follow=follow)
        if result.startswith("-1 EISDIR"):
            # What is opened like a file to be told that it is a folder is not changed.
            yield Deed("list", path)
        elif name == "creat" or _CHANGES.search(args):
            yield Deed("write", path)
        elif "O_DIRECTORY" not in args:
            yield Deed("read", path)
        elif not self.shell:  # A shell looks for names wherever a pattern says.
            yield Deed("list", path)

    def _paths(self, name: str, args: str) -> list[str]:
        paths = [_joined(_unescaped(at), path) for at, path in _AT.findall(args)]
        paths = paths or [_joined(self.here, path) for path in _FIRST.findall(args)[:2]]
        if name.startswith("symlink"):
            return paths[-1:]
        return paths[:1] if name.startswith("exec") else paths


def _deeds(log: str) -> Iterator[Deed]:
    process = _Process()
    for line in log.splitlines():
        matched = _LINE.match(line)
        if matched is not None:
            yield from process.did(*matched.groups())


def _joined(folder: str, escaped: str) -> str:
    return posixpath.join(folder, _unescaped(escaped))


def _resolved(path: str, *, follow: bool = True) -> str:
    """Where it leads; what is removed or renamed is the link itself."""
    if follow:
        return os.path.realpath(path)
    folder, name = os.path.split(path.rstrip("/") or "/")
    if name in ("", ".", ".."):
        return os.path.realpath(path)
    return posixpath.join(os.path.realpath(folder), name)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return (
        text.encode("latin-1", "backslashreplace")
        .decode("unicode_escape")
        .encode("latin-1", "replace")
        .decode("utf-8", "surrogateescape")
    )
