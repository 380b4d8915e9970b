"""Places outside the workspace from which programs are run or configured later.

No list of names could hold them all, so here it is turned over: of a home, each hidden name and
its `Library`, and of a machine, where its programs lie; what is only data is named.
"""

from typing import Final

from assent.gate.call.calls import Target
from assent.gate.text.lazy_patterns import late

__all__ = ["configures"]

_SUPERUSER: Final = "root"
_HOME: Final = late(rf"~/|/(?:home|users)/[^/]+/|/{_SUPERUSER}/")

_DATA: Final = tuple(
    f"{name}/"
    for name in """.cache .local/share .local/state .npm .pnpm-store .yarn/berry .yarn/cache
    .bun/install/cache .m2/repository .gradle/caches .gradle/daemon .ivy2/cache .cargo/registry
    .cargo/git .nuget/packages .pub-cache .conda/pkgs .node-gyp .electron
    .terraform.d/plugin-cache .docker/buildx .cocoapods .keras .torch .nltk_data .ollama/models
    .trash .tmp .temp .logs .bash_history .zsh_history .python_history .node_repl_history .lesshst
    .viminfo .wget-hsts library/caches library/logs library/developer""".split()
)
"""Below a home, what is kept by itself and steers nothing. Every other name with a dot before it,
and what lies in its `Library`, is read as configuration by whoever starts, or is run."""

_PROGRAMS: Final = ("bin/", "go/bin/", "documents/powershell/", "documents/windowspowershell/")
"""Folders of a home in which programs are found by their names, or a shell finds what it starts
with, besides the hidden ones."""

_MACHINE: Final = tuple(
    f"/{name}/"
    for name in """bin sbin lib lib32 lib64 usr/bin usr/sbin usr/lib usr/lib32 usr/lib64 usr/libexec
    usr/share usr/local/lib boot snap/bin opt/homebrew home/linuxbrew/.linuxbrew proc sys
    dev system library run/systemd run/udev run/user""".split()
)
"""What everything on a machine is run from, unless it is the workspace; what is
asked about in a workspace as well stands in `protected_names.SYSTEM`."""

_KEPT: Final = tuple(
    f"/{name}/"
    for name in """usr/local/lib/node_modules dev/null dev/zero dev/full dev/tty dev/stdout
    dev/stderr dev/fd dev/pts dev/shm""".split()
)
"""What is installed there and found by no other name, and devices that keep nothing."""


def configures(target: Target) -> bool:
    """Whether it lies outside the workspace, where whatever starts is run from or configured."""
    if target.inside:
        return False
    shown = target.shown.casefold()
    home = _HOME.match(shown)
    if home is not None:
        below = f"{shown[home.end() :]}/"
        if below.startswith((".", "library/")):
            return not below.startswith(_DATA)
        return below.startswith(_PROGRAMS)
    whole = f"{target.resolved.casefold()}/"
    return whole.startswith(_MACHINE) and not whole.startswith(_KEPT)
