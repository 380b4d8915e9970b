"""The tool servers with a log-in, so that it is deleted when its server is removed.

The editor's secret storage tells nobody what is in it. So a file for each says that there is one,
who names its server, and whose settings were in use: windows of other profiles and of other
editors have files of their own. What lets anybody in is not there. Nothing is forgotten because
something could not be read: a server left where what named it was read just now, and names it no
more.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson

from assent.editor.lsp.shapes import path_of
from assent.editor.window.servers.server_texts import named_in
from assent.gate.call.errors import AssentError
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.settings.paths import MAX_SETTINGS_BYTES
from assent.gate.settings.positions import value_of
from assent.gate.settings.private_files import read_private, write_private
from assent.gate.settings.tool_servers import entry_of
from assent.gate.values import asdict, define, frozen

__all__ = ["KeptLogIn", "KeptLogIns", "Named", "whose"]

_FILE: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,63}(\.[0-9a-f]{32}){1,2}")
_IN_PROFILE: Final = re.compile(r"/User/profiles(?:/[^/]+){1,2}(/[^/]+)$")
"""Where a named profile has its settings.

`client-ts/src/extension/settings/editor-files.ts` reads them so, too; both are tried with
`tests/gate/settings/profiles.json`.
"""
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
    file: str
    """Which file of that folder did."""
    settings: str
    """The address of the file of the settings in use, as far as that was known."""

    @property
    def is_older(self) -> bool:
        """Whether a version before kept it, by its server's name alone; nobody reads those now."""
        return self.secret == self.name

    @property
    def called(self) -> str:
        """The name of the file that says so."""
        return f"{self.secret}.{hashlib.sha256(self.settings.encode()).hexdigest()[:32]}"


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

    def add(self, kept_log_in: KeptLogIn) -> None:
        """It is about to be kept; raises `AssentError`."""
        write_private(self._folder / kept_log_in.called, orjson.dumps(asdict(kept_log_in)))

    def drop(self, kept_log_in: KeptLogIn) -> None:
        """Nothing is kept of it any more; one that cannot be taken out is only looked at again."""
        with suppress(OSError):
            (self._folder / kept_log_in.called).unlink()

    def has(self, kept_log_in: KeptLogIn) -> bool:
        """Whether this one is among them."""
        return (self._folder / kept_log_in.called).is_file()

    def of(self, secret: str, settings: str) -> list[KeptLogIn]:
        """Those of one secret, in the editor that has these settings."""
        store = _store(settings)
        return [
            kept_log_in
            for kept_log_in in self._all()
            if kept_log_in.secret == secret and _store(kept_log_in.settings) == store
        ]

    def gone(self, named: Named) -> list[KeptLogIn]:
        """Those whose servers have surely left, as far as that is for this window to say."""
        return [kept_log_in for kept_log_in in self._all() if _is_gone(kept_log_in, named)]

    def is_gone(self, kept_log_in: KeptLogIn, named: Named) -> bool:
        """Whether it still is one of them."""
        return self.has(kept_log_in) and _is_gone(kept_log_in, named)

    def _all(self) -> Iterator[KeptLogIn]:
        try:
            names = sorted(
                path.name for path in self._folder.iterdir() if _FILE.fullmatch(path.name)
            )
        except OSError:
            return
        for name in names:
            try:
                kept_log_in = KeptLogIn(**orjson.loads(read_private(self._folder / name) or b""))
            except (AssentError, TypeError, ValueError):
                continue  # What cannot be read says nothing of its server.
            if kept_log_in.called == name:
                yield kept_log_in


def whose(text: str) -> str:
    """The address that something kept is of; nothing where that cannot be known."""
    try:
        members = orjson.loads(text)
    except ValueError:
        return ""
    url = members.get("url") if isinstance(members, dict) else ""
    return url if isinstance(url, str) else ""


def _store(settings: str) -> str:
    """Which secret storage that is: the profiles of an editor have one, other editors another."""
    return _IN_PROFILE.sub(r"/User\1", settings)


def _is_gone(kept_log_in: KeptLogIn, named: Named) -> bool:
    if kept_log_in.workspace:
        # The files of a folder are the same ones for all profiles.
        is_ours = kept_log_in.workspace in named.folders and _store(kept_log_in.settings) == _store(
            named.settings
        )
        return is_ours and _left_folder(kept_log_in)
    if not kept_log_in.settings or kept_log_in.settings != named.settings:
        return False  # Another editor's, or another profile's.
    servers = {} if named.user is None else named.user
    return not _names(servers, kept_log_in) and not _names(
        _written(kept_log_in.settings), kept_log_in
    )


def _left_folder(kept_log_in: KeptLogIn) -> bool:
    """Whether the file that named it is there and does not, nor any other."""
    names_by_file = named_in(kept_log_in.workspace)
    known = [
        each is not None and (kept_log_in.name, kept_log_in.url) not in each
        for each in names_by_file.values()
    ]
    # Where its file is not there, it may be another branch, or a folder that is not there now.
    return kept_log_in.file in names_by_file and all(known)


def _written(address: str) -> Any:
    """The servers that stand in a settings file now; nothing where that cannot be known."""
    path = path_of(address) if address.startswith("file:") else None
    try:
        text = read_ordinary(path or "", MAX_SETTINGS_BYTES).decode()
        whole = value_of(text) if text.strip() else None  # It may be about to be written.
    except (OSError, ValueError, RecursionError):
        return None
    servers = whole.get(_KEY) if isinstance(whole, dict) else ()
    return {} if servers is None else servers


def _names(servers: Any, kept_log_in: KeptLogIn) -> bool:
    """Whether it is there, or may be."""
    if not isinstance(servers, dict):
        return True
    if kept_log_in.name not in servers:
        return False
    try:
        return entry_of(kept_log_in.name, servers[kept_log_in.name]).url == kept_log_in.url
    except (ValueError, RecursionError):
        return True
