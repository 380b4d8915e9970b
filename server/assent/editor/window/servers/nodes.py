"""The catalogue of one window: the person's servers, and what was allowed of them."""

from collections.abc import Callable
from pathlib import Path

from assent.catalogue.browser.browsers import Browsers
from assent.catalogue.mcp.launches import Launches
from assent.catalogue.mcp.link import Link
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.catalogue import Catalogue
from assent.catalogue.nodes.pins import Pins
from assent.catalogue.workers.entries import workers_of
from assent.editor.lsp.wire import Wire
from assent.editor.window.agents.agent_secrets import AgentSecrets
from assent.editor.window.servers.server_inputs import ServerInputs
from assent.editor.window.servers.workspace_servers import WorkspaceServers
from assent.editor.window.settings.workspace import Workspace
from assent.editor.window.spawn import Spawn
from assent.gate.call.calls import Call
from assent.gate.call.verdicts import Ruling
from assent.gate.settings.paths import browser_folder, nodes_file
from assent.gate.settings.served import ServerEntry

__all__ = ["catalogue_of", "servers_of"]


def catalogue_of(
    workspace: Workspace,
    secrets: AgentSecrets,
    wished: WorkspaceServers,
    state: Path,
    link: Link,
    *,
    asks: tuple[Wire, Spawn],
    judge: Callable[[Call], Ruling],
) -> Catalogue:
    """Nothing is started before somebody looks for a tool."""
    inputs = ServerInputs(*asks)
    servers = Servers(
        entries=lambda: servers_of(workspace, wished),
        launches=Launches(
            secret=secrets.secret,
            variable=secrets.variable,
            said=inputs.said,
            renew=inputs.renew,
            roots=lambda: wished.places().executables.roots,
            output=browser_folder(state),
        ),
        link=link,
    )
    guard = Browsers(servers, judge)
    return Catalogue(source=servers, pins=Pins(nodes_file(state)), guard=guard)


def servers_of(workspace: Workspace, wished: WorkspaceServers) -> list[ServerEntry]:
    """The person's servers, and those of the workspace that they took; of one name the person's."""
    own = workspace.reading.own
    workers = workers_of(own.nodetool, own.nodes)
    return [*{it.name: it for it in (*wished.taken(), *own.servers, *workers)}.values()]
