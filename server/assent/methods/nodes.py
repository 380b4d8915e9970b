"""The catalogue of one window: the person's servers, and what was allowed of them."""

from collections.abc import Callable
from pathlib import Path

from assent.catalogue.catalogue import Catalogue
from assent.catalogue.pins import Pins
from assent.disk.places import Places
from assent.mcp.link import Link
from assent.mcp.servers import Servers
from assent.methods.agent_secrets import AgentSecrets
from assent.methods.spawn import Spawn
from assent.methods.workspace import Workspace
from assent.settings.paths import nodes_file

__all__ = ["catalogue_of"]


def catalogue_of(
    workspace: Workspace,
    secrets: AgentSecrets,
    places: Callable[[], Places],
    state: Path,
    spawn: Spawn,
) -> Catalogue:
    """Nothing is started before somebody looks for a tool."""
    servers = Servers(
        entries=lambda: workspace.reading.own.servers,
        secret=secrets.secret,
        roots=lambda: places().executables.roots,
        link=Link(spawn),
    )
    return Catalogue(source=servers, pins=Pins(nodes_file(state)))
