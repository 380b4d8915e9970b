"""Other names of programs, of their commands and of their flags, as data."""

from typing import Final

__all__ = ["APPLETS", "GNU", "LONG", "NPM", "OTHERS", "SECOND", "SIGNALS"]

SECOND: Final = {
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
        **dict.fromkeys(("c", "conf", "confi"), "config"),
    },
    "pnpm": {"i": "install", "rm": "remove", "un": "remove", "up": "update", "run-script": "run"},
    "yarn": {"rm": "remove"},
    "cargo": {"b": "build", "c": "check", "r": "run", "t": "test", "d": "doc", "rm": "remove"},
    "git": {
        "stage": "add",
        "annotate": "blame",
        "upload-archive": "archive",
        "send-pack": "push",
        "http-push": "push",
    },
    "kubectl": {"rm": "delete"},
    "docker": {"rmi": "image rm", "ps": "container ls"},
    "go": {},
}

GNU: Final = frozenset(
    "grm gmv gcp gln gchmod gchown gdd gtee gtouch gmkdir grmdir gsed gawk gfind gxargs gtar gmake"
    " gls gcat gecho gtruncate gshred ginstall gdate gsort gstat genv gtimeout".split()
)

OTHERS: Final = {
    "nodejs": "node",
    "egrep": "grep -E",
    "fgrep": "grep -F",
    "fdfind": "fd",
    "batcat": "bat",
    "podman": "docker",
    "docker-compose": "docker compose",
    "bunx": "bun x",
    "vi": "vim",
    "netcat": "nc",
    "ncat": "nc",
    "mawk": "awk",
    "gawk": "awk",
    "nawk": "awk",
    "apt-get": "apt",
    "unlink": "rm",
    "slogin": "ssh",
    "hub": "git",
    "tofu": "terraform",
}
"""Other names of a program, with the words that each of them stands for."""

LONG: Final = {
    "git": tuple("--hard --force --delete --mirror --amend --no-verify --global --all".split()),
    "rm": ("--recursive", "--force", "--no-preserve-root"),
}
"""Long flags that rules name, which people may abbreviate."""

SIGNALS: Final = {"KILL": "9", "TERM": "15", "INT": "2", "HUP": "1", "STOP": "19", "QUIT": "3"}

NPM: Final = (
    """access adduser audit bugs cache ci completion config dedupe deprecate diff dist-tag docs
    doctor edit exec explain explore find-dupes fund get help help-search hook init install
    install-ci-test install-test link ll login logout ls org outdated owner pack ping pkg prefix
    profile prune publish query rebuild repo restart root run run-script sbom search set shrinkwrap
    star stars start stop team test token undeprecate uninstall unpublish unstar update version
    view whoami"""
).split()
"""The commands of npm, each of which may be abbreviated to what no other begins with."""

APPLETS: Final = frozenset({"busybox", "toybox"})
