"""The catalogue of one window: the person's servers, and what was allowed of them."""

from collections.abc import Iterable
from pathlib import Path

from assent.catalogue.catalogue import Catalogue
from assent.catalogue.pins import Pins
from assent.mcp.link import Link
from assent.mcp.servers import Servers
from assent.methods.agent_secrets import AgentSecrets
from assent.methods.workspace import Workspace
from assent.methods.workspace_servers import WorkspaceServers
from assent.settings.paths import nodes_file
from assent.settings.served import ServerEntry

__all__ = ["catalogue_of"]


def catalogue_of(
    workspace: Workspace,
    secrets: AgentSecrets,
    wished: WorkspaceServers,
    state: Path,
    link: Link,
) -> Catalogue:
    """Nothing is started before somebody looks for a tool."""
    servers = Servers(
        entries=lambda: _together(workspace.reading.own.servers, wished.taken()),
        secret=secrets.secret,
        roots=lambda: wished.places().executables.roots,
        link=link,
    )
    return Catalogue(source=servers, pins=Pins(nodes_file(state)))


def _together(own: Iterable[ServerEntry], wished: Iterable[ServerEntry]) -> list[ServerEntry]:
    """The person's servers, and those of the workspace that they took; of one name the person's."""
    return [*{it.name: it for it in (*wished, *own)}.values()]
