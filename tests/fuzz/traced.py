"""Command lines run by a real shell under `strace`, and what each of them touched.

Each runs in a sandbox of its own tree, which is put back before the next; what it opens, changes,
starts or speaks to is told by the kernel, and so by no reading of its words.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal

from attrs import frozen

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
  if [ -e @ROOT@/dirty ] || [ ! -e @TREE@ ]; then rm -rf @TREE@; fi
  [ -e @TREE@ ] || cp -a /tmp/pristine @TREE@
  cd @FOLDER@ || exit 9
  IFS= read -r -d '' command < "$each"
  HOME=@HOME@ LC_ALL=C timeout -s KILL @TIME@ strace -ff -qq -y --seccomp-bpf -e trace=@CALLS@ \
    -o "/tmp/told/$n" @SHELL@ -c "$command" > /dev/null 2>&1 < /dev/null
  cd /
  diff -rq --no-dereference /tmp/pristine @TREE@ > /dev/null 2>&1 || rm -rf @TREE@
done
"""

_SANDBOX: Final = (
    "bwrap --unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc "
    "--tmpfs /tmp --clearenv --setenv PATH /usr/bin:/bin --setenv TERM dumb"
).split()

_OWN_TALK: Final = ("/nscd/", "AF_NETLINK", '"/dev/log"')
"""Whom the C library asks for names of users, and what tells of the machine's own addresses."""
_LINE: Final = re.compile(r"(\w+)\((.*)\)\s+= (.*)")
_AT: Final = re.compile(r'(?:AT_FDCWD|\d+)<((?:[^>\\]|\\.)*)>(?:\(deleted\))?, "((?:[^"\\]|\\.)*)"')
_FIRST: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')
_OPENED: Final = re.compile(r"\d+<(.*)>")
_HERE: Final = re.compile(r"AT_FDCWD<((?:[^>\\]|\\.)*)>")
_GONE: Final = re.compile(r"\d+<(.*)>")
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
        [*_SANDBOX, "strace", "-ff", "-qq", "-o", "/tmp/x", "bash", "-c", "exit 7"],
        check=False,
        capture_output=True,
        timeout=20,
    )
    return "" if tried.returncode == 7 else f"strace may not follow here: {tried.stderr!r}"


def run(
    commands: Sequence[str],
    tree: Path,
    folder: Path,
    told: Path,
    *,
    shell: str = "bash",
    seconds: float = 2,
) -> Iterator[list[Deed]]:
    """Run each command in `folder`, which lies in `tree`; what each of them did."""
    batch, results = told / "batch", told / "told"
    batch.mkdir()
    results.mkdir()
    for number, command in enumerate(commands):
        (batch / f"{number:06}.txt").write_text(command, "utf-8", "surrogateescape")
    driver = (
        _DRIVER.replace("@TREE@", str(tree))
        .replace("@FOLDER@", str(folder))
        .replace("@HOME@", str(tree / "home"))
        .replace("@ROOT@", "/tmp")
        .replace("@TIME@", str(seconds))
        .replace("@CALLS@", _CALLS)
        .replace("@SHELL@", shell)
    )
    where = ["--ro-bind", str(tree), "/tmp/pristine", "--ro-bind", str(batch), "/tmp/batch"]
    where += ["--bind", str(results), "/tmp/told", "--tmpfs", str(tree.parent)]
    subprocess.run(
        [*_SANDBOX, *where, "bash", "-c", driver],
        check=True,
        capture_output=True,
        timeout=60 + len(commands) * seconds,
    )
    for number in range(len(commands)):
        files = sorted(results.glob(f"{number:06}.*"), key=lambda it: int(it.suffix[1:]))
        yield [deed for file in files for deed in _deeds(file.read_text(errors="surrogateescape"))]


def _deeds(log: str) -> Iterator[Deed]:
    here, shell = "/", True
    for line in log.splitlines():
        matched = _LINE.match(line)
        if matched is None:
            continue
        name, args, result = matched.groups()
        found = _HERE.search(args)
        here = _unescaped(found[1]) if found else here
        if name == "connect" or name == "bind":
            if not any(it in args for it in _OWN_TALK):  # The C library asks there for names of users.
                yield Deed("send", args)
            continue
        paths = [_joined(_unescaped(at), path) for at, path in _AT.findall(args)]
        if not paths:
            paths = [_joined(here, path) for path in _FIRST.findall(args)[:2]]
        if name in ("symlink", "symlinkat", "execve"):
            paths = paths[:1] if name == "execve" else paths[-1:]
        if name in ("chdir", "fchdir"):
            gone = _GONE.match(args) if name == "fchdir" else None
            to = _unescaped(gone[1]) if gone else _resolved(paths[0]) if paths else here
            here = to if result == "0" else here
            continue
        if name == "execve" and result == "0":
            shell = os.path.basename(_unescaped(_FIRST.findall(args)[0])) in ("bash", "dash", "sh")
        if not name.startswith(("open", "creat")):
            kind: Kind = "run" if name.startswith("exec") else "write"
            for path in paths:
                yield Deed(kind, _resolved(path, follow=kind == "run"))
            continue
        opened = _OPENED.fullmatch(result)
        follow = "O_NOFOLLOW" not in args
        path = _unescaped(opened[1]) if opened else _resolved(paths[0] if paths else here, follow=follow)
        changes = name == "creat" or _CHANGES.search(args)
        lists = "O_DIRECTORY" in args
        if changes or not (lists and shell):  # A shell looks for names wherever a pattern says.
            yield Deed("write" if changes else "list" if lists else "read", path)


def _joined(folder: str, escaped: str) -> str:
    return os.path.join(folder, _unescaped(escaped))


def _resolved(path: str, *, follow: bool = True) -> str:
    """Where it leads; what is removed or renamed is the link itself."""
    if follow:
        return os.path.realpath(path)
    folder, name = os.path.split(path.rstrip("/") or "/")
    if name in ("", ".", ".."):
        return os.path.realpath(path)
    return os.path.join(os.path.realpath(folder), name)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return text.encode("latin-1", "backslashreplace").decode("unicode_escape").encode(
        "latin-1", "replace"
    ).decode("utf-8", "surrogateescape")
