"""The environment in which a person starts Assent, and the part that our processes get.

What a process was started with stays readable in `/proc/PID/environ` and by `ps` until it ends,
even if it deletes the variable. So each of our processes starts with those variables alone whose
names say that they hold no key. The server keeps the others in memory.
"""

import json
import os
import sys
from contextlib import suppress
from typing import Final

from assent.gate.text.lazy_patterns import late

__all__ = [
    "KEPT",
    "NETWORK",
    "STARTED_WITH",
    "STARTED_WITHOUT",
    "is_kept",
    "start_without_keys",
    "variable",
]

NETWORK: Final = (
    r"(?:http|https|ftp|all|no)_proxy|(?:HTTP|HTTPS|FTP|ALL|NO)_PROXY"
    r"|SSL_CERT_(?:FILE|DIR)|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|NODE_EXTRA_CA_CERTS"
)
"""How the network is reached, and who is believed there."""

KEPT: Final = (
    r"PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TMP|TEMP|XDG_\w+|HOSTNAME"
    r"|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_SESSION_BUS_ADDRESS|SSH_AUTH_SOCK"
    rf"|{NETWORK}"
    r"|[A-Z][A-Z0-9_]*_(?:HOME|ROOT|PREFIX)|VIRTUAL_ENV|CONDA_DEFAULT_ENV|GOPATH|GOBIN|GOPROXY"
    r"|NVM_DIR|NVM_BIN|FNM_DIR|NIX_\w+|PKG_CONFIG_PATH|LD_LIBRARY_PATH|MANPATH|INFOPATH"
    r"|MSYSTEM|WSL_DISTRO_NAME|WSL_INTEROP"
)
"""What every command is given."""

STARTED_WITH: Final = (
    rf"(?!(?:VSCODE|ELECTRON|CHROME)_)(?:{KEPT}|TERM|(?:ASSENT_|PYTHON|OPENSSL_)\w+"
    r"|[A-Z][A-Z0-9_]*_(?:PATH|DIR)|OLLAMA_HOST|PGPASSFILE|DYLD_\w+|NO_COLOR|COLUMNS"
    r"|PYENV_VERSION|ASDF_PYTHON_VERSION|USERPROFILE|(?:LOCAL)?APPDATA|PROGRAMDATA|SYSTEMROOT"
    r"|COMSPEC|PATHEXT)"
)
"""What the server itself is started with. The editor's extension has the same list."""

STARTED_WITHOUT: Final[dict[str, str]] = {}
"""The other variables of the person's, by name. They are in this process's memory alone."""

_NAME: Final = late(STARTED_WITH)
_HANDED: Final = "ASSENT_STARTED_WITHOUT"
"""Names the process, and the descriptor from which it reads the variables."""


def is_kept(name: str) -> bool:
    """Whether our processes may be started with a variable of this name.

    >>> is_kept("HTTPS_PROXY"), is_kept("ANTHROPIC_API_KEY"), is_kept("OUR_MODEL")
    (True, False, False)
    """
    return _NAME.fullmatch(name) is not None


def variable(name: str) -> str | None:
    """The value that a variable had where this process was started."""
    return os.environ.get(name, STARTED_WITHOUT.get(name))


def start_without_keys() -> None:
    """Start this program again, in its place, without the variables that may hold a key.

    It does nothing where there are none, as where the extension starts the server.
    """
    handed = os.environ.pop(_HANDED, "").partition(":")
    if handed[0] == str(os.getpid()):
        STARTED_WITHOUT.update(_read(int(handed[2])))
        return
    others = {name: value for name, value in os.environ.items() if not is_kept(name)}
    if others and sys.executable:
        _start_again(others)


def _start_again(others: dict[str, str]) -> None:
    env = {name: value for name, value in os.environ.items() if name not in others}
    reading = _written(others)
    env[_HANDED] = f"{os.getpid()}:{reading}"
    # The process stays the same, so whoever started it need not know.
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], env)  # noqa: S606 -- itself


def _written(others: dict[str, str]) -> int:
    """A pipe that holds these variables; those that no longer fit are left out, long ones first."""
    reading, writing = os.pipe()
    os.set_inheritable(reading, True)
    os.set_blocking(writing, False)
    with suppress(BlockingIOError):
        for name, value in sorted(others.items(), key=lambda pair: len(pair[1])):
            os.write(writing, json.dumps([name, value]).encode() + b"\n")
    os.close(writing)
    return reading


def _read(descriptor: int) -> dict[str, str]:
    with suppress(OSError, ValueError), os.fdopen(descriptor, "rb") as pipe:
        return dict(json.loads(line) for line in pipe if line.endswith(b"\n"))
    return {}
