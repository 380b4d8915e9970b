"""Asks in dialogs if the editor draws no cards: the same questions, the same way in.

A dialog is bound to the card that it was made of. Whatever else comes back than the one word that
allows is a refusal; what never comes back is refused by its deadline.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from assent.editor.cards.dialog import Dialog, dialog_of
from assent.editor.lsp.dialogs import pressed
from assent.editor.protocol import approvals
from assent.editor.window.spawn import Spawn
from assent.gate.approvals import endings
from assent.gate.approvals.tickets import Settlement, Ticket, TicketId
from assent.gate.approvals.waiting_room import WaitingRoom, Window
from assent.gate.call.errors import EditorRefused
from assent.gate.call.verdicts import Actor
from assent.gate.values import define, field

__all__ = ["Dialogs", "draws_cards"]

_DISMISSED: Final = "The dialog was closed without an answer, so it was not run."


def draws_cards(opening: dict[str, Any]) -> bool:
    """Whether an editor said at its beginning that it draws cards itself."""
    options = opening.get("initializationOptions")
    if isinstance(options, dict) and "protocolHash" in options:
        return True
    capabilities = opening.get("capabilities")
    experimental = capabilities.get("experimental") if isinstance(capabilities, dict) else None
    return isinstance(experimental, dict) and isinstance(experimental.get("assent"), dict)


@define
class Dialogs:
    """The open dialogs, one for each ticket."""

    _room: WaitingRoom
    _request: Callable[[Ticket], approvals.ApprovalRequest]
    _respond: Callable[[approvals.ApprovalResponse], Awaitable[approvals.Receipt]]
    _ask: Callable[[Any], Awaitable[Any]]
    """`window/showMessageRequest`."""
    _spawn: Spawn
    _open: dict[TicketId, "asyncio.Future[None]"] = field(factory=dict)

    def beside(self, window: Window) -> Window:
        """What tells this window of each ticket first, and asks in a dialog then."""

        def opened(ticket: Ticket) -> None:
            window.opened(ticket)
            # A ticket that is too large to be told is refused, and asked about nowhere.
            if self._room.ticket(ticket.id) is not None:
                self.show(ticket)

        def closed(ticket: Ticket, settlement: Settlement, record: int | None) -> None:
            window.closed(ticket, settlement, record)
            self.take_away(ticket)

        return Window(opened, closed, window.waits)

    def show(self, ticket: Ticket) -> None:
        """Ask about a ticket as it stands now, in place of what was asked about it before."""
        self.take_away(ticket)
        self._open[ticket.id] = self._spawn(self._asked(ticket))

    def take_away(self, ticket: Ticket) -> None:
        """Nobody need answer it any more."""
        task = self._open.pop(ticket.id, None)
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    async def _asked(self, ticket: Ticket) -> None:
        try:
            await self._answer(ticket)
        except EditorRefused as error:
            self._refuse(ticket, endings.refused(Actor.ERROR, f"{error!s} So it was not run."))
        except Exception as error:
            # Whatever it is, nobody can say yes any more.
            self._refuse(ticket, endings.failed(error))
            raise

    async def _answer(self, ticket: Ticket) -> None:
        request = self._request(ticket)
        dialog = dialog_of(request.card)
        if dialog is None:
            raise EditorRefused("Nothing here can be answered in a dialog.")
        began = time.monotonic()
        title = await pressed(self._ask, dialog.text, _titles(dialog))
        if title is None:
            self._refuse(ticket, endings.refused(Actor.USER, _DISMISSED))
            return
        option = _chosen(dialog, title)
        await self._respond(
            approvals.ApprovalResponse(
                approval_id=request.approval_id,
                chat_id=request.chat_id,
                revision=request.revision,
                digest=request.digest,
                option_id=option,
                shown_ms=round((time.monotonic() - began) * 1_000),
            )
        )

    def _refuse(self, ticket: Ticket, settlement: Settlement) -> None:
        """Refuse it as it was shown; a dialog about what it was before says nothing of it."""
        current = self._room.ticket(ticket.id)
        if current is not None and current.revision == ticket.revision:
            self._room.settle(ticket.id, settlement)


def _titles(dialog: Dialog) -> tuple[str, ...]:
    return tuple(
        card_option.label for card_option in (dialog.yes, dialog.no) if card_option is not None
    )


def _chosen(dialog: Dialog, title: str) -> str:
    """The id of what was pressed; anything but the one word that allows says no."""
    if dialog.yes is not None and title == dialog.yes.label:
        return dialog.yes.id
    return dialog.no.id
