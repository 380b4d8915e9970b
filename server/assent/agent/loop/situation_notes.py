"""Tells the model about its surroundings, and again only when something changes.

Nothing that was sent before becomes another by it, so that hosts read it from their cache.
"""

from contextlib import suppress
from typing import Final

from assent.agent.loop.cancellation import Cut
from assent.agent.loop.ports import Work
from assent.agent.loop.prompt import mode_note

__all__ = ["begin", "inform"]

_PLACE = "place"
_GONE: Final = {
    "skills": "[There are no skills any more; what was said of them before does not hold.]",
    "servers": "[There are no MCP servers any more.]",
}
"""Of what may be told here only these can come to nothing."""


async def begin(work: Work) -> str:
    """Tell how all of it stands as a prompt begins; what the person sees then.

    That is nothing where they stop it at once.
    """
    seen = ""
    with suppress(Cut):
        async with work.turn.cancellation.held():
            seen = await work.ports.setup.look(work.chat.id)
    _inform_of_place(work)
    inform(work)
    return seen


def _inform_of_place(work: Work) -> None:
    """Tell where it works, and what is said to agents there."""
    setup, chat = work.ports.setup, work.chat.id
    conversation = work.turn.conversation
    for about, text in {_PLACE: setup.facts(chat), **setup.guides(chat)}.items():
        gone = _GONE.get(about, "") if conversation.is_informed_of(about) else ""
        conversation.inform(about, text or gone)


def inform(work: Work) -> None:
    """Tell the mode, and what the folders say in which the last calls looked around.

    Of the place only where a conversation does not know it, or not any more.
    """
    setup, turn, chat = work.ports.setup, work.turn, work.chat.id
    if not turn.conversation.is_informed_of(_PLACE):
        _inform_of_place(work)
    looked_at = {
        path for flight in turn.flights if flight.has_run for path in flight.reach.looks_at
    }
    for about, text in setup.guides_near(chat, looked_at).items():
        turn.conversation.inform(about, text)
    turn.conversation.inform("mode", mode_note(setup.mode(chat)))
