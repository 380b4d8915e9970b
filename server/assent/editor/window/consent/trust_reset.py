"""Lists what a person allowed repositories to configure, and resets it.

Nothing is let by that: an agent's next session asks as if nobody had ever answered.
"""

from typing import Any

from assent.editor.protocol import chats, repositories
from assent.editor.window.consent.wish_questions import forgotten_row
from assent.editor.window.settings.workspace import Workspace
from assent.gate.call.calls import AgentId
from assent.gate.call.errors import AssentError
from assent.gate.journal.journal import Journal
from assent.gate.settings.sealed_answers import Record
from assent.gate.settings.wishes import REPOSITORY
from assent.gate.values import define

__all__ = ["TrustReset"]

_GONE = "There is no such answer any more, so nothing was forgotten."


@define
class TrustReset:
    """The answers of this workspace."""

    _journal: Journal
    _workspace: Workspace

    async def list(self, _: object) -> repositories.RepositoryAnswers:
        """`repository/list`."""
        records = sorted(self._answers, key=lambda answer: -answer.time)
        return repositories.RepositoryAnswers(answers=[*map(self._describe_answer, records)])

    async def forget(self, params: repositories.ForgetRepository) -> chats.Nothing:
        """`repository/forget`: what is written down of it comes first, as with any answer."""
        wish = next(
            (answer.wish for answer in self._answers if answer.wish.digest == params.digest), None
        )
        if wish is None:
            raise AssentError(_GONE)
        await self._journal.keep(forgotten_row(wish))
        await self._workspace.forget(wish)
        return chats.Nothing()

    @property
    def _answers(self) -> tuple[Record, ...]:
        agreed = self._workspace.agreed
        if agreed is None:
            return ()
        # One that could not be taken out of the file counts no more all the same.
        return tuple(
            record for record in agreed.records_of(REPOSITORY) if agreed.standing(record.wish)
        )

    def _describe_answer(self, record: Record) -> repositories.RepositoryAnswer:
        value: dict[str, Any] = record.value if isinstance(record.value, dict) else {}
        return repositories.RepositoryAnswer(
            digest=record.wish.digest,
            agent=self._workspace.agent_name(AgentId(record.name)),
            folder=str(value.get("folder")),
            files=[*map(str, value.get("files", ()))],
            standing=record.verdict,
            at=record.time,
        )
