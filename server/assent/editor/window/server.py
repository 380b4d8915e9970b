"""The window of one editor: how it is built, started and ended.

When the editor is gone, what was asked is refused, agents end, and only then is the journal
closed.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager

from assent.editor.lsp.connection import AssentServer, Handler, House
from assent.editor.window.agents.build import AgentsParts, build_agents
from assent.editor.window.changes.build import ChangesParts, build_changes
from assent.editor.window.chats.build import ChatsParts, build_chats
from assent.editor.window.client_port import ClientPort
from assent.editor.window.collections.build import CollectionsParts, build_collections
from assent.editor.window.consent.build import ConsentParts, build_consent
from assent.editor.window.consent.journal_key import JournalKey
from assent.editor.window.models.build import ModelsParts, build_models
from assent.editor.window.record.build import RecordParts, build_record
from assent.editor.window.rules.build import RulesParts, build_rules
from assent.editor.window.run import USUAL, Run, Terms
from assent.editor.window.servers.build import ServersParts, build_servers
from assent.editor.window.settings.build import SettingsParts, build_settings
from assent.editor.window.spawn import each_for_itself
from assent.gate.approvals import endings
from assent.gate.call.verdicts import Actor
from assent.gate.values import frozen

__all__ = ["Window", "build", "compose", "house_of", "open_window"]


@frozen
class Window:
    """One window: its concepts, of which each was built on those above it."""

    run: Run
    settings: SettingsParts
    consent: ConsentParts
    servers: ServersParts
    rules: RulesParts
    record: RecordParts
    models: ModelsParts
    collections: CollectionsParts
    agents: AgentsParts
    chats: ChatsParts
    changes: ChangesParts

    @property
    def handlers(self) -> tuple[dict[str, Handler], ...]:
        """Who serves what the editor sends, by concept."""
        return (
            {"initialized": self.begin},
            *(self.settings.handlers, self.consent.handlers, self.servers.handlers),
            *(self.rules.handlers, self.record.handlers, self.models.handlers),
            *(self.collections.handlers, self.agents.handlers),
            *(self.chats.handlers, self.changes.handlers),
        )

    async def begin(self, _: object) -> None:
        """The editor is ready to be asked: read the settings, and close what killed runs left."""
        run, earlier, terminals = self.run, self.chats.earlier, self.agents.terminals
        vouching = JournalKey(
            *(run.wire, run.state, run.roots, run.spawn),
            self.record.record,
            self.settings.workspace,
            lambda: (*terminals.warnings(), *earlier.banners, *self.rules.metering.banners),
            earlier.begin if run.terms.keeps_chats else earlier.do_without,
        )
        await terminals.listen()
        await vouching.begin()

    async def leave(self) -> None:
        """The editor is about to go: what it keeps for us is brought up to date while it can be."""
        self.record.history.close()
        await self.refuse_all()
        await self.record.record.keep_mark()
        self.chats.keeping.let_go()
        await self.chats.earlier.keep_mark(self.record.record.vault)
        await self.rules.metering.finish()

    async def refuse_all(self) -> None:
        """The editor is gone: whatever was asked is refused, and kept as that."""
        gone = endings.refused(Actor.STOP, "The editor was closed, so it was not run.")
        await self.run.room.end_all(gone)

    def close(self) -> None:
        """Nothing happens any more: keep the last of it, and end this run in order."""
        each_for_itself(
            self.chats.keeping.close,
            self.record.record.close,
            self.run.board.close,
            self.settings.workspace.close,
        )


def build(run: Run) -> Window:
    """All concepts of a window; the editor is asked nothing before it begins."""
    settings = build_settings(run)
    consent = build_consent(run, settings)
    servers = build_servers(run, settings, consent)
    rules = build_rules(run, settings, consent, servers)
    record = build_record(run, settings, consent, rules)
    models = build_models(run, settings)
    collections = build_collections(run, settings, models)
    agents = build_agents(
        run,
        settings,
        consent=consent,
        servers=servers,
        rules=rules,
        models=models,
        collections=collections,
    )
    chats = build_chats(
        run,
        settings,
        consent=consent,
        rules=rules,
        record=record,
        models=models,
        agents=agents,
    )
    changes = build_changes(run, settings, rules, agents, chats)
    settings.workspace.followers = (
        chats.chats.take_settings,
        rules.metering.take_settings,
        models.models.take_settings,
        collections.collections.take_settings,
        servers.accounts.take_settings,
    )
    return Window(
        *(run, settings, consent, servers, rules, record),
        *(models, collections, agents, chats, changes),
    )


@asynccontextmanager
async def open_window(client: ClientPort, terms: Terms = USUAL) -> AsyncIterator[Window]:
    """A window at work; in the end nothing is asked or runs any more, and the rows are kept."""
    async with asyncio.TaskGroup() as group:
        window = build(Run.of(client, group, terms))
        async with aclosing(window.models.models), window.agents.fleet, window.agents.assistants:
            yield window
            window.record.history.close()
            await window.refuse_all()
        await window.record.record.keep_mark()
    window.close()


def house_of(window: Window) -> House:
    """The window, as the connection to its editor knows it."""
    return House(
        handlers={name: run for handlers in window.handlers for name, run in handlers.items()},
        leaving=window.leave,
        caught_up=lambda _: window.run.board.tell_agents(),
        missed=window.changes.editing.missed,
    )


@asynccontextmanager
async def compose(server: AssentServer) -> AsyncIterator[House]:
    """The house, for as long as the editor stays."""
    async with open_window(server) as window:
        yield house_of(window)
