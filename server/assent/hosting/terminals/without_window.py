"""Rules on a terminal agent's call while no window is open: the same gate, nobody asked.

By the person's own settings as the last server left them, and by what the folder's own tighten.
What would have to be asked is left to the agent's own question, or denied, as the person chose;
an agent that knows no such question is told no.
"""

import asyncio
import time
from pathlib import Path
from typing import Final
from uuid import uuid4

import orjson

from assent.gate.admit import Gate
from assent.gate.approvals.tickets import Outcome, Settlement, Ticket
from assent.gate.approvals.waiting_room import WaitingRoom, Window
from assent.gate.call.calls import Call, ChatId
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.verdicts import Actor
from assent.gate.disk.freshness import changed_since
from assent.gate.disk.places import Places
from assent.gate.hooks import Hooks
from assent.gate.journal.epochs import Epochs
from assent.gate.journal.journal import Journal
from assent.gate.journal.ledger import Ledger
from assent.gate.settings.left_settings import left_settings
from assent.gate.settings.paths import epochs_folder, journal_file
from assent.gate.settings.without_window import Ground, OwnSettings, ground_of
from assent.gate.tasks.called_tasks import with_task_digests
from assent.gate.values import define, evolve, field
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.calls import Reader
from assent.hosting.permission.external_calls import permit, without_after
from assent.hosting.terminals.terminal import Terminal
from assent.hosting.terminals.terminals import Asked

__all__ = ["ruling"]

_UNKNOWN: Final = (
    "Assent does not know your settings, so it leaves everything to you: open your editor once."
)
_LEFT: Final = "No editor is open, so {} is left to ask about it itself."
_NOBODY: Final = "No editor is open in which you could be asked, so it was not run."


def ruling(text: str, state: str) -> str:
    """What a hook is to print that asks this."""
    asked = Asked.read(text)
    try:
        hooked = asked.heard()
    except CallUnreadable as error:
        return asked.terminal.words.refusal(str(error))
    if not hooked.tool or hooked.is_again:
        return ""  # A question of its own is left to it: nobody here knows what was said before.
    return asyncio.run(_Alone(asked=asked, hooked=hooked, state=Path(state)).answer())


@define(kw_only=True)
class _Alone:
    """One call, and nobody to ask."""

    asked: Asked
    hooked: Hooked
    state: Path
    epoch: str = field(factory=lambda: str(uuid4()))
    was_left: str = ""
    """Why its agent is left to ask, where it is."""
    own: OwnSettings = field(init=False)
    ground: Ground = field(init=False)
    journal: Journal = field(init=False)
    room: WaitingRoom = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.own = left_settings(self.state)
        asked, home = self.asked, Path.home()
        self.ground = ground_of(asked.folder, self.own, self.state, home, path=asked.path)
        self.journal = Journal(journal_file(self.state), self.epoch, _now)
        self.room = WaitingRoom(Window(opened=self._nobody_asks))

    async def answer(self) -> str:
        """What its hook is to print."""
        chat, terminal, folder = ChatId(str(uuid4())), self.terminal, self.asked.folder

        def reader() -> Reader:
            return terminal.reader(chat, folder, self._places())

        # Entered as a run of its own, so that the next server closes what a kill leaves open.
        epochs = Epochs(epochs_folder(self.state))
        epochs.begin(self.epoch)
        try:
            answer = await permit(without_after(self._gate()), terminal, self.hooked, reader)
        finally:
            self.journal.close()
            epochs.end(self.epoch)
        if self.was_left and terminal.words.ask is not None:
            return orjson.dumps(terminal.words.ask(self.was_left)).decode()
        return answer

    @property
    def terminal(self) -> Terminal:
        """Whose call it is."""
        return self.asked.terminal

    def _places(self) -> Places:
        """Where paths lead, with the disk as it is at this moment."""
        return evolve(self.ground.places)

    def _places_for(self, call: Call) -> Places:
        return self._places().for_call(call)

    def _gate(self) -> Gate:
        return Gate(
            ledger=Ledger(lambda _: None),
            journal=self.journal,
            room=self.room,
            policy=lambda *_: self.ground.policy(self.ground.reading.mode),
            patience=lambda: None,
            agent_name=lambda _: self.terminal.name,
            facts=self._places_for,
            why_stale=lambda call: changed_since(call, self._places_for(call)),
            with_file_digests=lambda call: with_task_digests(call, self._places_for(call)),
            hooks=Hooks(
                entries=lambda: self.ground.reading.hooks,
                journal=lambda: self.journal,
                folder=self.asked.folder,
                programs=lambda: self.ground.places.executables,
            ),
        )

    def _nobody_asks(self, ticket: Ticket) -> None:
        """A question was opened that nobody here can answer."""
        is_left = self.own.without_editor == "leave" and self.terminal.words.ask is not None
        # Claude Code then goes by its own check of some paths, as of `.git`, and runs the call.
        is_left = is_left and not (self.hooked.asks_nobody and not ticket.ruling.lasting)
        if is_left:
            self.was_left = ticket.ruling.because if self.own.is_known else _UNKNOWN
        because = _LEFT.format(self.terminal.name) if is_left else _NOBODY
        outcome = Outcome.WITHDRAWN if is_left else Outcome.REFUSED
        self.room.settle(ticket.id, Settlement(outcome=outcome, by=Actor.STOP, because=because))


def _now() -> int:
    return time.time_ns() // 1_000_000
