"""The workspace as the person set it up: settings as they hold, wishes, trust, bypasses.

Reads anew whenever the editor says that something changed. Tightening holds at once; whatever
would widen waits for a person's gesture, which is attested before it is written anywhere.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from attrs import define, evolve, field

from assent.approvals import endings
from assent.approvals.options import options_for_wish
from assent.approvals.tickets import Outcome, Ticket, TicketId
from assent.approvals.waiting import WaitingRoom
from assent.calls import AgentId
from assent.errors import AssentError, EditorRefused
from assent.history.journal import Entry, Journal
from assent.lsp.asks import NotOffered
from assent.lsp.board import Board, Standing
from assent.lsp.spawn import Spawn
from assent.lsp.wire import Wire
from assent.policy.verdicts import Actor, Ruling, Verdict
from assent.protocol import editor
from assent.settings.agents import AgentEntry
from assent.settings.attestation import Attestations
from assent.settings.claims import bypass_wish
from assent.settings.reading import Reading, read, unread
from assent.settings.wishes import Wish

__all__ = ["Workspace"]


@define
class Workspace:
    """What holds, and how it comes to hold."""

    _wire: Wire
    _room: WaitingRoom
    _board: Board
    _journal: Journal
    _built_in: tuple[AgentEntry, ...]
    _changed: Callable[[], None]
    """Called when what holds has changed: open tickets are to be ruled on again."""
    _spawn: Spawn
    reading: Reading = field(factory=unread)
    ready: asyncio.Event = field(factory=asyncio.Event)
    """Set when the settings have been read for the first time, or could not be."""
    _attestations: Attestations | None = None
    _banners: tuple[str, ...] = ()
    _keys: Mapping[str, Mapping[str, Any]] = field(factory=dict)
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    _asking: dict[str, TicketId] = field(factory=dict)
    """The open question about each wish, by the wish's digest."""

    def agent(self, agent: AgentId) -> AgentEntry | None:
        """The agent of that id, if there is one."""
        return next((entry for entry in self.reading.agents if entry.id == agent), None)

    def agent_name(self, agent: AgentId) -> str:
        """What an agent is registered as."""
        entry = self.agent(agent)
        return entry.name if entry else agent

    async def begin(self, attestations: Attestations) -> None:
        """Read the settings for the first time."""
        self._attestations = attestations
        try:
            await self.reload()
        finally:
            self.ready.set()

    def note(self, banners: tuple[str, ...]) -> None:
        """Show lines until the window is closed."""
        self._banners = banners

    async def take_change(self, _: object) -> None:
        """`workspace/didChangeConfiguration`, which also tells that trust was given."""
        await self.ready.wait()
        await self.reload()

    async def reload(self) -> None:
        """Read the settings again and let them hold."""
        async with self._turn:
            await self._inspect()
        self._revoke()
        self._ask_wishes()
        self._tell()
        self._changed()

    def _tell(self) -> None:
        kept = self._attestations.problems if self._attestations else ()
        self._board.tell_standing(
            Standing(
                trusted=self.reading.trusted,
                mode=self.reading.mode,
                banners=(*self.reading.problems, *kept, *self._banners),
            )
        )
        self._board.tell_agents()

    async def confirm_bypass(self, agent: AgentId) -> str | None:
        """Stop asking for an agent, after a native question; why it was not done, or None."""
        if not self.reading.trusted:
            return "Nothing can be widened in a workspace that you do not trust."
        name = self.agent_name(agent)
        drawn_back = await self._confirm(
            f"Stop asking for {name} in this workspace?",
            f"{name} will run commands and change files here without a card. Still asked: changes"
            " to settings, hooks and start-up files, and whatever cannot be read."
            " It is written to this workspace's settings; the status bar shows it while it lasts.",
            "Stop asking",
        )
        return drawn_back or await self._bypass(agent)

    async def ask_again(self, agent: AgentId) -> None:
        """Ask for an agent again, from now on."""
        written = {**self._written_bypasses()}
        written.pop(agent, None)
        await self._write("bypassPermissions", written or None)
        await self.reload()

    async def confirm_wish(self, ticket: Ticket) -> str | None:
        """Ask once more about a wish; why it is not granted, or None."""
        if not isinstance(ticket.asks, Wish):
            return "There is nothing to grant here."
        return await self._confirm(ticket.ruling.because, ticket.asks.effect, "Allow this")

    async def confirm_mode(self, mode: str) -> str | None:
        """Ask once more about a looser mode; why it is not set, or None."""
        return await self._confirm(
            f"Let this chat work in {mode} mode?",
            f"In {mode} mode more of what the agent does passes without a card.",
            f"Use {mode}",
        )

    async def _inspect(self) -> None:
        """Ask the editor who wrote what. Where it cannot say, what held before is not widened."""
        try:
            inspected = await self._wire.request(
                "settings/inspect", editor.Inspect(), editor.Inspected
            )
        except NotOffered:
            # Another editor: nobody can say who wrote what, so nothing widens.
            self._keys, trusted = {}, False
        except EditorRefused as error:
            tight = unread()
            self.reading = evolve(tight, agents=self.reading.agents, problems=(str(error),))
            return
        else:
            self._keys = {
                key: layers.model_dump(exclude_unset=True) for key, layers in inspected.keys.items()
            }
            trusted = inspected.trusted
        self.reading = read(self._keys, trusted, self._standing, self._built_in)

    def _standing(self, wish: Wish) -> Any:
        return self._attestations.standing(wish) if self._attestations else None

    def _revoke(self) -> None:
        """What is wished no longer is granted no longer, also if it comes back."""
        if self._attestations is None:
            return
        try:
            self._attestations.revoke_others({wish.digest for wish in self.reading.claims})
        except AssentError as error:
            self.reading = evolve(self.reading, problems=(*self.reading.problems, str(error)))

    def _ask_wishes(self) -> None:
        """One open question for each wish, and none for what is wished no longer."""
        wishes = {wish.digest: wish for wish in self.reading.wishes}
        for digest in self._asking.keys() - wishes.keys():
            self._room.settle(self._asking[digest], endings.interrupted())
        for digest in wishes.keys() - self._asking.keys():
            ticket = _question(wishes[digest], self.agent_name(AgentId(wishes[digest].name)))
            self._asking[digest] = ticket.id
            self._spawn(self._ask_wish(ticket, wishes[digest]))

    async def _ask_wish(self, ticket: Ticket, wish: Wish) -> None:
        row = None
        settlement = await self._room.ask(ticket)
        try:
            row = await self._journal.keep(_wish_row(wish, settlement.outcome, settlement.because))
            # Closing the editor answers nothing: the wish is asked about again.
            if settlement.by is Actor.USER:
                self._attest(wish, settlement.outcome)
        except AssentError as error:
            settlement = evolve(settlement, outcome=Outcome.REFUSED, because=str(error))
        finally:
            del self._asking[wish.digest]
            self._room.close(ticket, settlement, row)
        await self.reload()

    async def _bypass(self, agent: AgentId) -> str | None:
        entry = self.agent(agent)
        if entry is None:
            return f"There is no agent called {agent}."
        wish = bypass_wish(entry)
        try:
            await self._journal.keep(_wish_row(wish, Outcome.ALLOWED, "You stopped asking"))
            # Attested first and written then, so that a crash between the two leaves it off.
            self._attest(wish, Outcome.ALLOWED)
            await self._write("bypassPermissions", {**self._written_bypasses(), agent: True})
        except AssentError as error:
            return str(error)
        await self.reload()
        return None

    def _attest(self, wish: Wish, outcome: Outcome) -> None:
        if self._attestations is None:
            raise AssentError("The settings have not been read yet.")
        if outcome is Outcome.ALLOWED:
            self._attestations.grant(wish)
        elif outcome is Outcome.REFUSED:
            self._attestations.decline(wish)

    def _written_bypasses(self) -> dict[str, Any]:
        written = self._keys.get("bypassPermissions", {}).get("workspace")
        return written if isinstance(written, dict) else {}

    async def _write(self, key: str, value: object) -> None:
        written = await self._wire.request(
            "settings/write",
            editor.WriteSetting(scope="workspace", key=key, value=value),
            editor.Written,
        )
        if not written.written:
            raise EditorRefused(f"The editor did not write assent.{key}: {written.because}")

    async def _confirm(self, title: str, detail: str, action: str) -> str | None:
        confirmed = await self._wire.request(
            "ui/confirm",
            editor.Confirm(title=title, detail=detail, actions=[action]),
            editor.Confirmed,
        )
        return None if confirmed.action == action else "You drew back, so nothing was changed."


def _question(wish: Wish, name: str) -> Ticket:
    return Ticket(
        id=TicketId(str(uuid4())),
        asks=wish,
        digest=wish.digest,
        ruling=Ruling(verdict=Verdict.ASK, because=_asks(wish, name), lasting=False),
        options=options_for_wish("Allow this…"),
    )


def _asks(wish: Wish, name: str) -> str:
    """The question that a wish raises, as a card's title."""
    match wish.key:
        case "bypassPermissions":
            return f"This workspace asks to stop asking for {name}"
        case "agents":
            return f"This workspace asks to add the agent {name}"
        case _:
            return f"This workspace asks to set assent.{wish.key} to {wish.value}"


def _wish_row(wish: Wish, outcome: Outcome, because: str) -> Entry:
    return Entry(
        kind="noted",
        agent=wish.name or None,
        digest=wish.digest,
        body={
            "setting": f"assent.{wish.key}",
            "value": wish.value,
            "outcome": outcome.value,
            "because": because,
        },
    )
