"""Asks the person about a repository's files for an agent, which works without them until then."""

import asyncio
import logging
from typing import Final

from assent.gate.settings.wishes import Wish
from assent.gate.values import define, field
from assent.hosting.connection.chat import Talk
from assent.hosting.connection.session import Session
from assent.hosting.repositories.consent import Consent

__all__ = ["ConsentPrompts"]

_LOG = logging.getLogger(__name__)

_LET_LATER: Final = (
    "What you let {} take from this repository holds for chats that begin from now on."
)


@define
class ConsentPrompts:
    """Those that are open."""

    _consent: Consent
    _group: asyncio.TaskGroup
    _tasks: set[asyncio.Task[None]] = field(factory=set)

    def begin(self, talk: Talk, session: Session) -> None:
        """Ask what a person is still to be asked, and keep nobody waiting."""
        if session.wish is None:
            return
        task = self._group.create_task(self._ask(talk, session, session.wish))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self) -> None:
        """Ask no longer."""
        for task in self._tasks:
            task.cancel()

    async def _ask(self, talk: Talk, session: Session, wish: Wish) -> None:
        try:
            is_let = await self._consent.ask(talk.spec, wish)
        except Exception:  # noqa: BLE001 -- a supervisor: what was not answered is not let
            _LOG.exception("nobody could be asked about a repository")
            return
        if is_let and talk.session is session and talk.prompts:
            session.notice("info", _LET_LATER.format(talk.spec.name))
