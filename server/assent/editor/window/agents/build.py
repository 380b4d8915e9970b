"""Builds the agents of chats: our own, other people's, and those in terminals."""

from functools import partial

from assent.agent.loop.assistants import Assistants
from assent.editor.lsp.connection import Handler
from assent.editor.window.agents.adding import AgentAdding
from assent.editor.window.agents.beginning import Beginning
from assent.editor.window.agents.connecting import Connecting
from assent.editor.window.agents.folder_words import folder_words
from assent.editor.window.agents.logging_in import LoggingIn
from assent.editor.window.agents.own.own_agent import Own
from assent.editor.window.agents.own.setup import prepared_for, setup_of
from assent.editor.window.agents.own.slash import Slash
from assent.editor.window.agents.own.workspace_skills import WorkspaceSkills
from assent.editor.window.agents.terminals import Terminals, terminals_of
from assent.editor.window.collections.build import CollectionsParts
from assent.editor.window.consent.build import ConsentParts
from assent.editor.window.models.build import ModelsParts
from assent.editor.window.rules.build import RulesParts
from assent.editor.window.run import Run
from assent.editor.window.servers.build import ServersParts
from assent.editor.window.settings.build import SettingsParts
from assent.editor.window.spawn import unless_refused
from assent.gate.settings.paths import sockets_folder
from assent.gate.values import frozen
from assent.hosting.connection.fleet import Fleet
from assent.hosting.repositories.consent import Consent

__all__ = ["AgentsParts", "build_agents"]


@frozen
class AgentsParts:
    """What others need of the agents."""

    fleet: Fleet
    assistants: Assistants
    terminals: Terminals
    slash: Slash
    own: Own
    handlers: dict[str, Handler]


def build_agents(
    run: Run,
    settings: SettingsParts,
    *,
    consent: ConsentParts,
    servers: ServersParts,
    rules: RulesParts,
    models: ModelsParts,
    collections: CollectionsParts,
) -> AgentsParts:
    """No agent is started before somebody opens a chat with it, or writes in one of before."""
    workspace, policies, gate = settings.workspace, settings.policies, rules.gate
    board, places, spawn = run.board, workspace.places, run.spawn
    skills = WorkspaceSkills(consent.repositories, places)
    prepared = partial(prepared_for, policies, places, skills.taken)
    setup = setup_of(
        run,
        settings,
        models.models,
        go_in=rules.modes.go_in,
        prepared=prepared,
        nodes=servers.nodes,
        documents=collections.collections,
    )
    fleet = Fleet(
        gate,
        board.tell,
        places,
        sockets=sockets_folder(run.state),
        consent=Consent(consent.repositories),
        secrets=run.secrets,
        nodes=servers.nodes,
        words=folder_words(policies, places),
    )
    assistants = Assistants(gate, board.tell, places, setup)
    own = Own(assistants, board, run.journal, settings.buffers)
    terminals = terminals_of(
        *(run, settings, gate, fleet),
        lambda wanted: spawn(unless_refused(rules.modes.set(wanted))),
    )
    handlers = {
        **own.handlers,
        **_logging_in(run, settings, fleet),
        **_adding(run, settings, models),
    }
    slash = Slash(board, prepared, skills, servers.wished, spawn)
    return AgentsParts(fleet, assistants, terminals, slash, own, handlers)


def _logging_in(run: Run, settings: SettingsParts, fleet: Fleet) -> dict[str, Handler]:
    workspace = settings.workspace
    logging_in = LoggingIn(
        wire=run.wire,
        log_ins=fleet.log_ins,
        board=run.board,
        workspace=workspace,
        secrets=run.secrets,
        roots=lambda: workspace.places().executables.roots,
        root=run.root,
    )
    return {"agent/logIn": logging_in.log_in, "agent/wishLogIn": logging_in.wish}


def _adding(run: Run, settings: SettingsParts, models: ModelsParts) -> dict[str, Handler]:
    workspace = settings.workspace
    adding = AgentAdding(
        wire=run.wire,
        workspace=workspace,
        state=run.state,
        programs=lambda: workspace.places().executables,
    )
    connecting = Connecting(wire=run.wire, state=run.state)
    return {
        "start/look": Beginning(models.models, adding).look,
        "agent/offers": adding.offers,
        "agent/add": adding.add,
        "agent/stopAdding": adding.stop,
        "terminal/list": connecting.list,
        "terminal/change": connecting.change,
    }
