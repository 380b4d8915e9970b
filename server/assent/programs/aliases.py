"""Other names of programs, of their commands and of their flags, as data."""

from typing import Final

__all__ = ["APPLETS", "GLOBALS", "GNU", "LONG", "NPM", "OTHERS", "SECOND", "SIGNALS"]

GLOBALS: Final = {
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
"""Options with a value that may stand between a program and its command."""

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

GNU: Final = frozenset(
    "grm gmv gcp gln gchmod gchown gdd gtee gtouch gmkdir grmdir gsed gawk gfind gxargs gtar gmake"
    " gls gcat gecho gtruncate gshred ginstall gdate gsort gstat genv gtimeout".split()
)

OTHERS: Final = {
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
    "slogin": "ssh",
    "tofu": "terraform",
}
"""Other names of a program. What needs another word too (`bunx` is `bun x`) is in `_renamed`."""

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
