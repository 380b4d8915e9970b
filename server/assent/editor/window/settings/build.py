"""Builds what is in force in a window: settings, each chat's policy, and paths."""

from functools import partial

from assent.editor.lsp.connection import Handler
from assent.editor.window.changes.editor_texts import apply_through
from assent.editor.window.client_port import unattributed
from assent.editor.window.run import Run
from assent.editor.window.settings.diagnostics import Diagnostics
from assent.editor.window.settings.policies import Policies
from assent.editor.window.settings.premises_survey import Surveyor
from assent.editor.window.settings.workspace import Workspace
from assent.gate.approvals.grants import Grants
from assent.gate.disk.buffers import Buffers
from assent.gate.rules.book import Book
from assent.gate.settings.managed import read_managed
from assent.gate.settings.reading import BUILT_IN, unread
from assent.gate.values import frozen
from assent.hosting.terminals.connected_agents import Sessions

__all__ = ["SettingsParts", "build_settings"]


@frozen
class SettingsParts:
    """What others need of the settings."""

    workspace: Workspace
    grants: Grants
    sessions: Sessions
    policies: Policies
    buffers: Buffers
    handlers: dict[str, Handler]


def build_settings(run: Run) -> SettingsParts:
    """Until the settings are read, what holds is what holds without any."""
    surveyor = Surveyor(roots=run.roots, state=run.state, beside=run.terms.beside)
    managed = read_managed()
    nothing = unread(BUILT_IN, managed=managed)
    workspace = Workspace(
        *(run.wire, run.room, run.board, run.journal, BUILT_IN),
        partial(unattributed, run.client),
        run.spawn,
        surveyor,
        Diagnostics(run.client.text_document_publish_diagnostics),
        managed,
        surveyor.survey(None, nothing),
        nothing,
        Book(suspended=nothing.suspended),
    )
    run.board.agent_name = workspace.name_of
    run.journal.pictures.days = lambda: workspace.reading.card_days
    grants, sessions = Grants(), Sessions(workspace.places)
    policies = Policies(workspace, run.board, grants, sessions, run.terms.untrusted)
    buffers = Buffers(workspace.places, apply_through(run.client.workspace_apply_edit_async))
    handlers: dict[str, Handler] = {"workspace/didChangeConfiguration": workspace.take_change}
    return SettingsParts(workspace, grants, sessions, policies, buffers, handlers)
