"""The spellings of one command, for the rules that deny or ask: never for those that allow.

A rule is written about one spelling and means them all: `/bin/rm`, `busybox rm` and `rm` remove the
same, and `git -C x --no-pager push` pushes.
"""

import re
from typing import Final

__all__ = ["spellings"]

_GLOBALS: Final = {
    "git": "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix"
    " --attr-source",
    "docker": "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey",
    "podman": "-H --host -c --connection --log-level --root --runroot --url --identity",
    "kubectl": "-n --namespace --context --cluster --user --kubeconfig -s --server --token --as"
    " --as-group --request-timeout --cache-dir -v",
    "helm": "-n --namespace --kube-context --kubeconfig",
    "npm": "-C --prefix --registry --userconfig --loglevel -w --workspace --cache",
    "pnpm": "-C --dir --filter -F --reporter --loglevel -w",
    "yarn": "--cwd --cache-folder --registry",
    "gh": "-R --repo",
    "cargo": "-C --config --color -Z --manifest-path",
    "pip": "--python --log --proxy --retries --timeout --cert --cache-dir",
    "terraform": "-chdir",
    "systemctl": "-H --host -M --machine -t --type",
    "go": "-C",
    "uv": "--directory --project --config-file --cache-dir --python",
    "make": "-C --directory -f --file --makefile -j --jobs -I --include-dir",
}
"""The flags that stand before a command's second word, each of which takes a value."""

_SECOND: Final = {
    "npm": {
        "i": "install",
        "add": "install",
        "in": "install",
        "ins": "install",
        "inst": "install",
        "insta": "install",
        "instal": "install",
        "isnt": "install",
        "isnta": "install",
        "isntal": "install",
        "isntall": "install",
        "ic": "ci",
        "clean-install": "ci",
        "run-script": "run",
        "rum": "run",
        "urn": "run",
        "t": "test",
        "tst": "test",
        "x": "exec",
        "rm": "uninstall",
        "r": "uninstall",
        "un": "uninstall",
        "unlink": "uninstall",
        "remove": "uninstall",
        "up": "update",
        "upgrade": "update",
        "c": "config",
    },
    "pnpm": {"i": "install", "rm": "remove", "un": "remove", "up": "update", "run-script": "run"},
    "yarn": {"rm": "remove"},
    "cargo": {"b": "build", "c": "check", "r": "run", "t": "test", "d": "doc", "rm": "remove"},
    "git": {"stage": "add", "annotate": "blame", "upload-archive": "archive"},
    "kubectl": {"rm": "delete"},
    "docker": {"rmi": "image rm", "ps": "container ls"},
    "go": {},
}

_MODULE: Final = re.compile(r"(?:python|pypy)[23]?(?:\.\d+)?")
_MODULE_FLAG: Final = re.compile(r"-[bBdEiIOPqsSuvx]*m(.*)", re.DOTALL)
_VERSIONED: Final = re.compile(r"(python|pip|node|ruby|perl|php|lua|bash|pypy)-?\d[\d.]*")
_GNU: Final = frozenset(
    "grm gmv gcp gln gchmod gchown gdd gtee gtouch gmkdir grmdir gsed gawk gfind gxargs gtar gmake"
    " gls gcat gecho gtruncate gshred ginstall gdate gsort gstat genv gtimeout".split()
)
_APPLETS: Final = frozenset({"busybox", "toybox"})
_OTHERS: Final = {
    "nodejs": "node",
    "egrep": "grep",
    "fgrep": "grep",
    "fdfind": "fd",
    "batcat": "bat",
    "podman": "docker",
    "docker-compose": "docker",
    "bunx": "bun",
    "vi": "vim",
    "netcat": "nc",
    "ncat": "nc",
    "mawk": "awk",
    "gawk": "awk",
    "nawk": "awk",
    "apt-get": "apt",
    "unlink": "rm",
    "tofu": "terraform",
}
"""Other names of a program; what takes further words to be the same is told in `_renamed`."""

_MOST: Final = 12


def spellings(argv: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """Every spelling under which a rule may mean this command; first the one that is given."""
    found: list[tuple[str, ...]] = []
    waiting = [argv] if argv else []
    while waiting and len(found) < _MOST:
        one = waiting.pop(0)
        if one in found:
            continue
        found.append(one)
        waiting += [other for step in _STEPS if (other := step(one)) is not None]
    return tuple(found)


def _basename(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    name = argv[0].replace("\\", "/").rpartition("/")[2].casefold()
    name = re.sub(r"\.(?:exe|cmd|bat|com)$", "", name)
    return (name, *argv[1:]) if name and name != argv[0] else None


def _applet(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    return argv[1:] if argv[0] in _APPLETS and argv[1:] else None


def _renamed(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    name = argv[0]
    if name in {"egrep", "fgrep"}:
        return ("grep", f"-{name[0].upper()}", *argv[1:])
    if name == "docker-compose":
        return ("docker", "compose", *argv[1:])
    if name == "bunx":
        return ("bun", "x", *argv[1:])
    other = _OTHERS.get(name) or (name[1:] if name in _GNU else None)
    return (other, *argv[1:]) if other else None


def _unversioned(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    matched = _VERSIONED.fullmatch(argv[0])
    return (matched.group(1), *argv[1:]) if matched else None


def _module(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`python -m pip` as `pip`."""
    if not _MODULE.fullmatch(argv[0]):
        return None
    for at, word in enumerate(argv[1:], start=1):
        matched = _MODULE_FLAG.fullmatch(word)
        if matched is not None:
            named = (matched.group(1),) if matched.group(1) else ()
            return (*named, *argv[at + 1 :]) or None
        if not word.startswith("-"):
            return None
    return None


def _plain(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """Without the flags before the second word."""
    valued = _GLOBALS.get(argv[0])
    if valued is None or not argv[1:] or not argv[1].startswith("-"):
        return None
    at = 1
    while at < len(argv) and argv[at].startswith("-"):
        at += 2 if argv[at] in valued.split() else 1
    return (argv[0], *argv[at:]) if at < len(argv) else None


def _second(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    name, *words = argv
    other = _SECOND.get(name, {}).get(words[0]) if words else None
    return (name, *other.split(), *words[1:]) if other else None


def _inner(argv: tuple[str, ...]) -> tuple[str, ...] | None:
    """`docker image push` as `docker push`."""
    grouped = argv[0] == "docker" and argv[1:2] in (("image",), ("container",), ("volume",))
    return (argv[0], *argv[2:]) if grouped and argv[2:] else None


_STEPS: Final = (_basename, _applet, _renamed, _unversioned, _module, _plain, _second, _inner)
