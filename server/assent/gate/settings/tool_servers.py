"""`assent.mcpServers`: the servers whose tools agents may use.

A server is a program that is started, so it counts in the person's own settings alone, and what a
workspace's say of one does nothing.
"""

import re
from typing import Final

from assent.gate.settings.complaints import Complaints
from assent.gate.settings.inputs import ServerInput
from assent.gate.settings.layers import Layer, shown
from assent.gate.settings.references import has_odd
from assent.gate.settings.server_shape import ADDRESSES, SERVER, ServerSetting
from assent.gate.text.addresses import is_private
from assent.gate.values import field, frozen

__all__ = ["ServerEntry", "entry_of", "servers_of"]

_MAX_SERVERS: Final = 100


@frozen(kw_only=True)
class ServerEntry:
    """One server, as the person wrote it down."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(factory=dict, repr=False)
    """Variables that are set for it, references unfilled."""
    url: str = ""
    headers: dict[str, str] = field(factory=dict, repr=False)
    """What is sent beside each message, references unfilled."""
    known: dict[str, str] = field(factory=dict)
    """Who it is, where its command is one of ours; nothing where its command says that."""
    workspace: str = ""
    """The folder whose files name it; nothing where the person's own settings do."""
    file: str = ""
    """Which file of that folder does."""
    is_handed: bool = True
    """Whether agents of other people are handed it."""
    preset: str = ""
    """Which of those that Assent knows it is, where it is one."""
    headed: bool = False
    """Whether its browser has a window."""
    client_id: str = ""
    """As whom one logs in there, where that was agreed beforehand."""
    client_secret: str = field(default="", repr=False)
    """What goes with it, references unfilled."""
    port: int = 0
    """Where the page of the log-in comes back to; none where any port will do."""
    env_file: str = ""
    """A file of the workspace whose variables it gets; nothing where none is named."""
    env_digest: str = ""
    """What stood in that file when the person was asked."""
    bound: dict[str, str] = field(factory=dict)
    """The files of the workspace that it runs or is handed, each with the mark of what it was when
    the person was asked."""
    inputs: tuple[ServerInput, ...] = ()
    """What the person is asked for before it starts."""


def servers_of(value: object, complaints: Complaints) -> tuple[ServerEntry, ...]:
    """The servers that the person names; each that cannot be understood is left out."""
    if value is None:
        return ()
    if not isinstance(value, dict) or len(value) > _MAX_SERVERS:
        sentence = "assent.mcpServers could not be understood, so it adds no server."
        complaints.refuse(Layer.USER.value, ("mcpServers",), sentence)
        return ()
    server_entries: list[ServerEntry] = []
    for name, given in value.items():
        try:
            server_entries.append(entry_of(name, given))
        except (ValueError, RecursionError):
            why = (
                f"The server {shown(name)} in assent.mcpServers could not be understood, so it is"
                " left out: it has a `command`, and may have `args` and `env`, or it has a `url`"
                " (`https://`, or `http://localhost` and the like), and may have `headers`, or it"
                ' is `{"preset": "browser"}` or `{"preset": "nodetool"}`, which may have a `url`;'
                " its name is of `a-z`, `0-9` and `-`."
            )
            complaints.refuse(Layer.USER.value, ("mcpServers", str(name)), why)
    return tuple(server_entries)


def entry_of(name: object, given: object) -> ServerEntry:
    """One of them; raises `ValueError`."""
    if not isinstance(name, str) or not re.fullmatch(SERVER, name):
        raise ValueError("its name")
    setting = ServerSetting.model_validate(given)
    if has_odd({**setting.env, **setting.headers, "": setting.oauth.client_secret}):
        raise ValueError("its references")
    if setting.url and not is_private(setting.url):
        raise ValueError("its address")
    return ServerEntry(
        name=name,
        command=setting.command,
        args=tuple(setting.args),
        env=setting.env,
        url=setting.url or ADDRESSES.get(setting.preset or "", ""),
        headers=setting.headers,
        preset=setting.preset or "",
        headed=setting.headed,
        client_id=setting.oauth.client_id,
        client_secret=setting.oauth.client_secret,
        port=setting.oauth.port,
    )
