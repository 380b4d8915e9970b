"""The answer of a command line to the servers that a repository names, where nobody can be asked.

It covers what the files name as the run begins, and nothing that they come to name later.
"""

from assent.editor.window.consent.wish_questions import wish_row
from assent.editor.window.servers.workspace_servers import WorkspaceServers
from assent.gate.approvals.tickets import Outcome
from assent.gate.call.errors import AssentError
from assent.gate.journal.journal import Journal
from assent.gate.settings.wishes import Standing, Wish
from assent.gate.values import define, field
from assent.hosting.repositories.consent_answers import ConsentAnswers

__all__ = ["ServersOfRun", "begin_run"]

_BECAUSE = "The command line has --allow-servers"
_OFF = (
    "The files of this folder name MCP servers ({}), and none of them is started; --allow-servers"
    " starts them."
)
_TOO_MANY = "The files of {} name too many MCP servers, so none of them is started."


@define
class ServersOfRun(ConsentAnswers):
    """What a command line allows, by the digests of wishes."""

    _journal: Journal
    is_allowing: bool
    _granted: set[str] = field(factory=set)

    def standing(self, wish: Wish) -> Standing:
        """See `ConsentAnswers`."""
        return Standing.GRANTED if wish.digest in self._granted else Standing.DECLINED

    async def ask(self, wish: Wish, name: str) -> Standing:
        """See `ConsentAnswers`."""
        return self.standing(wish)

    async def grant(self, wish: Wish) -> None:
        """Keep it in the journal, and let it count then."""
        await self._journal.keep(wish_row(wish, Outcome.ALLOWED, _BECAUSE))
        self._granted.add(wish.digest)


async def begin_run(answers: ServersOfRun, wished: WorkspaceServers) -> list[str]:
    """Allow what the files name now, if the command line says so; the sentences for a person."""
    offers = tuple(wished.offered())
    if not answers.is_allowing:
        files = ", ".join(text.path for offer in offers for text in offer.texts)
        return [_OFF.format(files)] if files else []
    sentences: list[str] = []
    for offer in offers:
        if offer.is_too_much:
            sentences.append(_TOO_MANY.format(offer.folder))
            continue
        try:
            if offer.entries:
                await answers.grant(offer.wish)
        except AssentError as error:
            sentences.append(str(error))
            continue
        sentences += [f"{name}: {said}" for text in offer.texts for name, said in text.rows]
    return sentences
