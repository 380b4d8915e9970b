"""A wish of the workspace as a question to a person, and its answer as a row of the journal."""

from uuid import uuid4

from assent.approvals.options import options_for_wish
from assent.approvals.tickets import Outcome, Ticket, TicketId
from assent.history.journal import Entry
from assent.settings.wishes import Wish
from assent.verdicts import Ruling, Verdict

__all__ = ["question_of", "wish_row"]


def wish_row(wish: Wish, outcome: Outcome, because: str) -> Entry:
    """What the journal says of an answer to a wish."""
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


def question_of(wish: Wish, name: str) -> Ticket:
    """The question that a wish raises; `name` is of the agent that it is about."""
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
        case "rules":
            return "This workspace asks to allow calls by its own rules"
        case "additionalDirectories":
            return "This workspace asks to let agents work in folders beside it"
        case _:
            return f"This workspace asks to set assent.{wish.key} to {wish.value}"
