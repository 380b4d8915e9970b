"""Builds the tool servers: the person's own, and those of the workspace that they accepted."""

from assent.catalogue.browser.browsers import Browsers
from assent.catalogue.mcp.launches import Launches
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.catalogue import Catalogue
from assent.catalogue.nodes.pins import Pins
from assent.editor.lsp.connection import Handler
from assent.editor.window.consent.build import ConsentParts
from assent.editor.window.rules.read_rulings import ruling_on
from assent.editor.window.run import Run
from assent.editor.window.servers.server_accounts import ServerAccounts
from assent.editor.window.servers.server_inputs import ServerInputs
from assent.editor.window.servers.servers_of_a_run import ServersOfRun, begin_run
from assent.editor.window.servers.tool_servers import ToolServers
from assent.editor.window.servers.workspace_servers import WorkspaceServers, servers_of
from assent.editor.window.settings.build import SettingsParts
from assent.gate.call.calls import ChatId
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.verdicts import Verdict
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.paths import browser_folder, nodes_file
from assent.gate.values import frozen
from assent.hosting.repositories.consent_answers import ConsentAnswers

__all__ = ["ServersParts", "build_servers"]


@frozen
class ServersParts:
    """What others need of the servers of tools."""

    wished: WorkspaceServers
    accounts: ServerAccounts
    browsers: Browsers
    nodes: Catalogue
    of_run: ServersOfRun | None
    """The command line's answer, where there is no person to ask."""
    handlers: dict[str, Handler]

    async def begin_run(self) -> list[str]:
        """Let the command line's answer count; the sentences for whoever reads the run."""
        return [] if self.of_run is None else await begin_run(self.of_run, self.wished)


def build_servers(run: Run, settings: SettingsParts, consent: ConsentParts) -> ServersParts:
    """No server is started before somebody looks for a tool."""
    workspace = settings.workspace
    allows = run.terms.allows_servers
    of_run = None if allows is None else ServersOfRun(run.journal, allows)
    wished = _wished(settings, of_run or consent.repositories)
    accounts = ServerAccounts(
        *(run.wire, workspace, run.journal, run.state),
        *(settings.policies, workspace.places, wished, run.spawn),
    )
    inputs = ServerInputs(run.wire, run.spawn)
    servers = Servers(
        entries=lambda: servers_of(workspace, wished),
        launches=Launches(
            secret=run.secrets.secret,
            variable=run.secrets.variable,
            said=inputs.said,
            renew=inputs.renew,
            roots=lambda: workspace.places().executables.roots,
            output=browser_folder(run.state),
        ),
        link=accounts.link,
    )
    browsers = Browsers(servers)
    nodes = Catalogue(source=servers, pins=Pins(nodes_file(run.state)), guard=browsers)
    shown = ToolServers(servers, run.wire, accounts)
    handlers: dict[str, Handler] = {
        "source/list": shown.list,
        "source/restart": shown.restart,
        "source/stop": shown.stop,
        "source/logIn": shown.log_in,
        "source/stopLogIn": shown.stop_log_in,
        "source/logOut": shown.log_out,
    }
    return ServersParts(wished, accounts, browsers, nodes, of_run, handlers)


def _wished(settings: SettingsParts, answers: ConsentAnswers) -> WorkspaceServers:
    places, agent = settings.workspace.places, ASSENT.id

    def may_read(path: str) -> bool:
        # Where a rule asks, the wish's card is that question.
        try:
            target = places().locate(path, "/")
        except CallUnreadable:
            return False
        policy = settings.policies.of_new(agent)
        return ruling_on(policy, places(), ChatId(""), agent, target).verdict is not Verdict.DENY

    return WorkspaceServers(answers, places, may_read)
