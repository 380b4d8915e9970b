"""At which servers of tools the person logged in, so that it is forgotten of those that left.

The editor's secret storage tells nobody what is in it. So a file for each says that there is one,
and who names its server; what lets anybody in is not there. Nothing is forgotten because something
could not be read: a server left where what named it was read just now, and names it no more.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson
from attrs import asdict, define, frozen

from assent.errors import AssentError
from assent.lsp.shapes import path_of
from assent.methods.servertexts import urls_in
from assent.settings.ordinary import read_ordinary
from assent.settings.paths import LARGEST
from assent.settings.positions import value_of
from assent.settings.private_files import read_private, write_private

__all__ = ["KeptLogIn", "KeptLogIns", "Named"]

_FILE: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}\.[0-9a-f]{32}")
_KEY: Final = "assent.mcpServers"


@frozen(kw_only=True)
class KeptLogIn:
    """That something is kept of one."""

    secret: str
    """What it is kept as; see `Launch.account`."""
    name: str
    url: str
    workspace: str
    """The folder whose files named the server; nothing where the person's settings did."""
    settings: str
    """The address of the file of those settings, as far as that was known."""


@frozen(kw_only=True)
class Named:
    """Who may name servers in this window."""

    user: Any
    """The servers of the person's settings, as the editor told them last."""
    settings: str
    """The address of the file of those, as far as that is known."""
    folders: frozenset[str]
    """The folders of the workspace, as they are called without links."""


@define
class KeptLogIns:
    """All of them, of all windows."""

    _folder: Path

    def add(self, it: KeptLogIn) -> None:
        """It is about to be kept; raises `AssentError`."""
        write_private(self._folder / it.secret, orjson.dumps(asdict(it)))

    def drop(self, secret: str) -> None:
        """Nothing is kept of it any more; one that cannot be taken out is only looked at again."""
        with suppress(OSError):
            (self._folder / secret).unlink()

    def has(self, secret: str) -> bool:
        """Whether something is kept of it."""
        return (self._folder / secret).is_file()

    def gone(self, named: Named) -> list[KeptLogIn]:
        """Those whose servers have surely left."""
        return [it for it in self._all() if _is_gone(it, named)]

    def _all(self) -> Iterator[KeptLogIn]:
        try:
            names = sorted(it.name for it in self._folder.iterdir() if _FILE.fullmatch(it.name))
        except OSError:
            return
        for name in names:
            try:
                it = KeptLogIn(**orjson.loads(read_private(self._folder / name) or b""))
            except (AssentError, TypeError, ValueError):
                continue  # What cannot be read says nothing of its server.
            if it.secret == name:
                yield it


def _is_gone(it: KeptLogIn, named: Named) -> bool:
    if it.workspace:
        urls = urls_in(it.workspace) if it.workspace in named.folders else None
        return urls is not None and it.url not in urls
    if not it.settings or it.settings != named.settings:
        return False  # Another editor's, or another profile's.
    told = {} if named.user is None else named.user
    written = _written(it.settings)
    return not _names(told, it) and not _names(written, it)


def _written(address: str) -> Any:
    """The servers that stand in a settings file now; nothing where that cannot be known."""
    path = path_of(address) if address.startswith("file:") else None
    try:
        whole = value_of(read_ordinary(path or "", LARGEST).decode())
    except (OSError, ValueError, RecursionError):
        return None
    found = whole.get(_KEY) if isinstance(whole, dict) else ()
    return {} if found is None else found


def _names(servers: Any, it: KeptLogIn) -> bool:
    """Whether it is there, or may be."""
    if not isinstance(servers, dict):
        return True
    found = servers.get(it.name, {})
    return not isinstance(found, dict) or found.get("url", "") in (it.url, None)
