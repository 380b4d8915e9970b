"""The parts of the house, put together: each is made here and handed what it needs.

Parts that need each other are handed a way to ask, so the order of their making does not matter.
"""

import asyncio
from functools import partial
from pathlib import Path
from uuid import uuid4

from assent.agent.chats.store import Store
from assent.agent.loop.assistants import Assistants
from assent.catalogue.nodes.catalogue import Catalogue
from assent.editor.window.agents.agent_secrets import AgentSecrets
from assent.editor.window.agents.connecting import Connecting
from assent.editor.window.agents.logging_in import LoggingIn
from assent.editor.window.agents.own.own_agent import Own
from assent.editor.window.agents.own.references import References
from assent.editor.window.agents.own.setup import setup_of
from assent.editor.window.agents.own.slash import Slash, slash_of
from assent.editor.window.agents.terminals import terminals_of
from assent.editor.window.changes.editing import Editing, apply_through
from assent.editor.window.chats.archive import archives_in
from assent.editor.window.chats.board import Board
from assent.editor.window.chats.kept.lasting import Files, Hosts, lasting_of
from assent.editor.window.chats.kept.oncemore import OnceMore
from assent.editor.window.chats.open_chats import Chats
from assent.editor.window.chats.recorded import Recorded
from assent.editor.window.chats.stream import Stream
from assent.editor.window.choices import Choices
from assent.editor.window.collections.collection_messages import CollectionMessages
from assent.editor.window.consent.forgetting import Forgetting
from assent.editor.window.consent.repositories import Repositories
from assent.editor.window.consent.state import here
from assent.editor.window.consent.vouching import Vouching
from assent.editor.window.consent.widening import Widening
from assent.editor.window.dialogs import Dialogs, draws_cards
from assent.editor.window.models.beginning import Beginning, Near
from assent.editor.window.models.models import Models
from assent.editor.window.opposite import USUAL, Opposite, Terms, unattributed
from assent.editor.window.record.hindsight import Hindsight
from assent.editor.window.record.history import History
from assent.editor.window.record.insights import Lookback
from assent.editor.window.record.metering import Metering
from assent.editor.window.record.record import Record
from assent.editor.window.rules.always import Always
from assent.editor.window.rules.answers import Answers
from assent.editor.window.rules.judge import Judge
from assent.editor.window.rules.modes import Modes
from assent.editor.window.rules.plans import Plans
from assent.editor.window.rules.policies import Policies
from assent.editor.window.rules.preview import Preview
from assent.editor.window.rules.rulebook import Rulebook
from assent.editor.window.rules.rulefile import RuleFile
from assent.editor.window.servers.nodes import catalogue_of
from assent.editor.window.servers.server_accounts import ServerAccounts
from assent.editor.window.servers.toolservers import ToolServers
from assent.editor.window.settings.diagnostics import Diagnostics
from assent.editor.window.settings.opening import now, roots_of
from assent.editor.window.settings.surveyor import Surveyor
from assent.editor.window.settings.workspace import Workspace
from assent.editor.window.spawn import Spawn, each_for_itself, spawn_in, unless_refused
from assent.gate.admit import Gate
from assent.gate.approvals import endings
from assent.gate.approvals.grants import Grants
from assent.gate.approvals.tickets import Ticket
from assent.gate.approvals.waiting import WaitingRoom, Window
from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Actor
from assent.gate.disk.buffers import Buffers
from assent.gate.disk.freshness import changed_since
from assent.gate.disk.places import Places
from assent.gate.hooks import Hooks
from assent.gate.journal.journal import Journal
from assent.gate.journal.ledger import Ledger
from assent.gate.rules.book import Book
from assent.gate.settings.agents import ASSENT
from assent.gate.settings.managed import read_managed
from assent.gate.settings.paths import chats_file, journal_file, sockets_folder, state_path
from assent.gate.settings.private_files import spare_folder
from assent.gate.settings.reading import BUILT_IN, unread
from assent.gate.tasks.called import bound
from assent.hosting.connection.fleet import Fleet
from assent.hosting.repositories.consent import Consent
from assent.hosting.terminals.connected import Sessions

__all__ = ["Parts"]


class Parts:
    """One of each, for one editor."""

    workspace: Workspace
    journal: Journal
    chats: Chats

    def __init__(self, server: Opposite, group: asyncio.TaskGroup, terms: Terms = USUAL) -> None:
        spawn, wire = spawn_in(group), server.wire
        self._server, self._spawn, self._terms = server, spawn, terms
        self._state, self._epoch = state_path(), str(uuid4())
        self._roots = roots_of(server.opening)
        self._root = self._roots[0] if self._roots else str(Path.home())
        self._surveyor = Surveyor(roots=self._roots, state=self._state, beside=terms.beside)
        self._buffers = Buffers(self._places, apply_through(server.workspace_apply_edit_async))
        self.editing = Editing(self._buffers)
        self._hooks = Hooks(
            entries=lambda: self.workspace.reading.hooks,
            journal=lambda: self.journal,
            folder=self._root,
            programs=lambda: self._places().executables,
        )
        self.journal = Journal(
            journal_file(self._state), self._epoch, now, self._roots[0] if self._roots else ""
        )
        self.record = Record(
            self.journal, self._state, self._epoch, wire, spawn, lambda: self.workspace.tell()
        )
        self.room = WaitingRoom()
        self.board = self._make_board(server)
        self.workspace = self._make_workspace(server, spawn)
        self.widening = Widening(wire, self.journal, self.workspace)
        grants = Grants()
        self._sessions = Sessions(self._places)
        self._policies = Policies(
            self.workspace,
            self.board,
            grants,
            self._sessions,
            terms.untrusted,
        )
        self._judge = Judge(
            policy=self._policies.whole,
            places=self._places,
            new=self._policies.of_new,
            has_workspace=lambda: bool(self._roots) and self.workspace.can_keep,
        )
        self.plans = Plans(board=self.board, workspace=self.workspace, widening=self.widening)
        self.gate = self._make_gate(grants)
        self.modes = Modes(self.board, self.workspace, self.widening, self.gate)
        self._make_hosts()
        self._make_desk(server)

    def _make_gate(self, grants: Grants) -> Gate:
        self.journal.pictures.days = lambda: self.workspace.reading.card_days
        self.metering = Metering.beside(self.board, self.workspace, self.room, self._spawn)
        return Gate(
            ledger=Ledger(self.metering.pass_on),
            journal=self.journal,
            room=self.room,
            policy=self._policies.of,
            patience=lambda: self.workspace.reading.patience,
            agent_name=self._name_of,
            facts=self._places_of,
            changed=self._changed_since,
            bound=lambda call: bound(call, self._places_of(call)),
            drafts=self._judge.drafts,
            grants=grants,
            hooks=self._hooks,
            modes=self.plans.modes,
            pictured=self.board.pictured,
            sighted=lambda call: self._nodes.sighted(call),
        )

    def _make_hosts(self) -> None:
        """Who hosts agents: other people's, and our own."""
        wire, board = self._server.wire, self.board
        self.models = Models(wire, lambda: self.workspace.reading, board.tell_agents, self._spawn)
        secrets, asks = AgentSecrets(wire), (wire, self._spawn)
        slash = slash_of(board, self.workspace, self._policies, self._places, self._spawn)
        near = (wire, self.workspace, self.journal, self._state, self._policies, self._places)
        self.accounts = ServerAccounts(*near, slash.servers, self._spawn)
        house = (self.workspace, secrets, slash.servers, self._state, self.accounts.link)
        nodes = self._nodes = catalogue_of(*house, asks=asks, judge=self.gate.judge_afterwards)
        self._make_fleet(secrets, nodes)
        self.terminals = terminals_of(
            gate=self.gate,
            board=board,
            fleet=self.fleet,
            workspace=self.workspace,
            places=self._places,
            state=self._state,
            set_mode=lambda it: self._spawn(unless_refused(self.modes.set(it))),
            known=self._sessions,
        )
        self._make_own(slash, nodes)
        self._make_lasting()
        self.own = Own(self.assistants, self.board, self.journal, self.earlier, self._buffers)
        self.chats = Chats(
            *(self.board, self.gate, self.fleet, self.assistants, self.terminals, self.models),
            *(self.workspace, self.modes, self._spawn, self._root, slash),
            self.keeping,
            self.earlier,
            self.references,
        )

    def _make_own(self, slash: Slash, nodes: Catalogue) -> None:
        """Our own agent, and the servers whose tools it finds."""
        setup = setup_of(
            models=self.models,
            board=self.board,
            workspace=self.workspace,
            policies=self._policies,
            places=self._places,
            record=self.record,
            buffers=self._buffers,
            wire=self._server.wire,
            go_in=self._go_in,
            prepared=slash.prepared,
            nodes=nodes,
            spawn=self._spawn,
        )
        self.tool_servers = ToolServers(nodes.source, self._server.wire, self.accounts)
        self.collections = CollectionMessages.about(self._server.wire, setup.documents)
        self.assistants = Assistants(self.gate, self.board.tell, self._places, setup)

    def _make_lasting(self) -> None:
        """What keeps chats, and brings them back."""
        self.forgetting = Forgetting(self.journal, self.workspace)
        self.keeping, self.earlier, self.undoing = lasting_of(
            store=Store(chats_file(self._state), self._epoch, self.record.lives),
            roots=self._roots,
            root=self._root,
            hosts=Hosts(self.fleet, self.assistants, self.models, self.terminals),
            board=self.board,
            workspace=self.workspace,
            spawn=self._spawn,
            mark_name=f"chatsMark.{here(self._state)}",
            files=Files(self._state, self.gate, self._buffers, self._places, self._server.wire),
        )
        wire, board = self._server.wire, self.board
        self.references = References(wire, board, self._policies, self._places, self._buffers)
        self.recorded = Recorded(wire, board, self.keeping)

    def _make_fleet(self, secrets: AgentSecrets, nodes: Catalogue) -> None:
        """Other people's agents, and how a person logs in to them."""
        self.fleet = Fleet(
            self.gate,
            self.board.tell,
            self._places,
            sockets=sockets_folder(self._state),
            consent=Consent(Repositories(self.workspace)),
            secrets=secrets,
            nodes=nodes,
        )
        self.logging_in = LoggingIn(
            wire=self._server.wire,
            log_ins=self.fleet.log_ins,
            board=self.board,
            workspace=self.workspace,
            secrets=secrets,
            roots=lambda: self._places().executables.roots,
            root=self._root,
        )

    def _make_desk(self, server: Opposite) -> None:
        """What a person answers with, chooses with, and looks rules up in."""
        self.choices = Choices(
            board=self.board,
            fleet=self.fleet,
            assistants=self.assistants,
            models=self.models,
            workspace=self.workspace,
            widening=self.widening,
        )
        found = Near(self._state, lambda: self._places().executables)
        self.beginning = Beginning(server.wire, self.workspace, self.models, found)
        self.connecting = Connecting(wire=server.wire, state=self._state)
        grants, again = self.gate.grants, self.gate.rule_again
        file = RuleFile(server.wire, self.journal, self.workspace)
        always = Always(self.workspace, self.widening, file, self._judge, grants, again)
        self.answers = Answers(
            server.wire, self.room, self.board, self.widening, always, self.plans
        )
        window = Window(self.board.tell_ticket, self.board.tell_settled, self._notify)
        cards = draws_cards(server.opening)
        self.room.window = window if cards else self._make_dialogs(server).beside(window)
        self.board.agents, self.board.agent_name = self.chats.agents, self._name_of
        self.workspace.followers = (
            *(part.take_settings for part in (self.chats, self.metering, self.models)),
            *(self.collections.take_settings, self.accounts.take_settings),
        )
        self.preview = Preview(self.room, self.journal, self._judge)
        of_new, places = self._policies.of_new, self._places
        self.rulebook = Rulebook(
            self.workspace, self.journal, file, grants, of_new, places, again, self.widening
        )
        self.history = History(journal_file(self._state), self._roots, self._name_of, self._spawn)
        self.lookback = Lookback(self.history, self.rulebook, of_new, places, self._roots, now)
        self.hindsight = Hindsight(
            self.history,
            self._judge,
            self.preview,
            self.rulebook,
            file,
            self.widening,
            self.workspace,
            self._name_of,
        )
        self.once_more = OnceMore(self.history, self.earlier, self.board, self.chats.prompt)

    def _make_dialogs(self, server: Opposite) -> Dialogs:
        return Dialogs(
            self.room,
            lambda ticket: self.board.request(ticket, self.board.stream.seq),
            self.answers.respond,
            server.window_show_message_request_async,
            self._spawn,
        )

    def _go_in(self, chat: ChatId, mode: Mode) -> None:
        self.plans.go_in(chat, mode)
        self.gate.rule_again()

    def _notify(self, ticket: Ticket) -> None:
        if isinstance(ticket.asks, Call):
            self._spawn(self._hooks.notify(ticket.asks, ticket.ruling.because))

    def _make_workspace(self, server: Opposite, spawn: Spawn) -> Workspace:
        managed = read_managed()
        nothing = unread(BUILT_IN, managed=managed)
        return Workspace(
            *(server.wire, self.room, self.board, self.journal, BUILT_IN),
            partial(unattributed, self._server),
            spawn,
            self._surveyor,
            Diagnostics(server.text_document_publish_diagnostics),
            managed,
            self._surveyor.survey(None, nothing),
            nothing,
            Book(suspended=nothing.suspended),
        )

    def _make_board(self, server: Opposite) -> Board:
        return Board(
            Stream(self._epoch, server.wire.stream),
            now,
            self.room,
            archives_in(spare_folder(self._state, "chats")),
        )

    async def begin(self, _: object) -> None:
        """The editor is ready to be asked: read the settings, and close what killed runs left."""
        vouching = Vouching(
            self._server.wire,
            self._state,
            self._roots,
            self._spawn,
            self.record,
            self.workspace,
            lambda: (*self.terminals.warnings(), *self.earlier.banners, *self.metering.banners),
            self.earlier.begin if self._terms.keeps_chats else self.earlier.do_without,
        )
        await self.terminals.listen()
        await vouching.begin()

    async def leave(self) -> None:
        """The editor is about to go: what it keeps for us is brought up to date while it can be."""
        self.history.close()
        await self.refuse_all()
        await self.record.keep_mark()
        self.keeping.let_go()
        await self.earlier.keep_mark(self.record.vault)
        await self.metering.finish()

    async def refuse_all(self) -> None:
        """The editor is gone: whatever was asked is refused, and kept as that."""
        gone = endings.refused(Actor.STOP, "The editor was closed, so it was not run.")
        await self.room.end_all(gone)

    def close(self) -> None:
        """Nothing happens any more: keep the last of it, and end this run in order."""
        each_for_itself(self.keeping.close, self.record.close)

    def _name_of(self, agent: AgentId) -> str:
        return self.workspace.name_of(agent)

    def _places_of(self, call: Call) -> Places:
        return self._sessions.places(call.chat)

    def _changed_since(self, call: Call) -> str | None:
        """Other people's agents change what is on the disk, whatever stands in the editor."""
        buffers = self._buffers if call.agent == ASSENT.id else None
        return changed_since(call, self._places_of(call), buffers)

    def _places(self) -> Places:
        return self.workspace.places()
