"""Our own agent without an editor: the same server, with somebody else to ask.

Each question goes to one answerer, bound to the revision and the digest of what was shown.
Whatever goes wrong with it is a refusal.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final

from assent.editor.lsp.wire import written
from assent.editor.protocol import approvals, chats
from assent.editor.protocol.card import Span
from assent.editor.protocol.shapes import Shape
from assent.editor.window.headless import Headless, Inputs
from assent.editor.window.run import Terms
from assent.editor.window.server import Window, open_window
from assent.gate.approvals import endings
from assent.gate.approvals.tickets import Outcome, Settlement, TicketId
from assent.gate.call.errors import AssentError
from assent.gate.call.verdicts import Actor
from assent.gate.journal.journal import Entry
from assent.gate.settings.agents import ASSENT
from assent.gate.values import define, evolve, field, frozen

__all__ = ["Answer", "Ask", "Asked", "Heard", "Unattended", "unattended"]

_YES: Final = "allowOnce"
_NO: Final = "denyOnce"
_QUESTIONS: Final = frozenset({"question", "form"})
_UNANSWERED: Final = "Nobody is here to answer, so the agent goes on without it."
_NOBODY: Final = "Nobody is here to be asked, so it was not run."

_log = logging.getLogger(__name__)


@frozen(kw_only=True)
class Asked:
    """One question, as it was shown last."""

    id: str
    digest: str
    title: str
    json: bytes
    """The whole question with its card, on one line."""


@frozen(kw_only=True)
class Answer:
    """What came back: only a plain yes allows, and only this once."""

    allowed: bool
    by: str = ""
    """Who answered, for the journal; nothing where nobody was there."""


Ask = Callable[[Asked], Awaitable[Answer]]
Heard = Callable[[str, bytes], None]
"""Told each message of the house: its method, and its parameters as JSON."""


@define(eq=False)
class Unattended:
    """One chat, and who answers in it."""

    _window: Window
    _ask: Ask
    _group: asyncio.TaskGroup
    _chat: str = ""
    _asking: dict[str, asyncio.Task[None]] = field(factory=dict)
    """Who is being asked, by question."""
    _of_servers: tuple[str, ...] = ()
    """What becomes of the servers that the repository names."""

    @property
    def banners(self) -> tuple[str, ...]:
        """What a person should know of this house."""
        return (*self._window.run.board.facts.banners, *self._of_servers)

    @property
    def has_begun(self) -> bool:
        """Whether there is a turn that can be stopped in order."""
        return bool(self._chat)

    async def begin(self) -> None:
        """Read the settings, and let the command line's word count."""
        await self._window.begin(None)
        self._of_servers = tuple(await self._window.servers.begin_run())

    async def work(self, prompt: str, model: str | None) -> tuple[str, str]:
        """Work on this to the end: how it ended, and why."""
        if model not in {model.id for model in self._window.models.models.all}:
            await self._window.models.models.look()
        wanted = chats.NewChat(agent_id=ASSENT.id, model=model)
        chat = await self._window.chats.chats.open(wanted, unasked=True)
        self._chat = chat.chat_id
        end = await self._window.chats.chats.prompt(chats.Prompt(chat_id=chat.chat_id, text=prompt))
        return end.reason, end.because

    async def stop(self) -> None:
        """Stop: refuse what waits, end what runs."""
        if self._chat:
            await self._window.chats.chats.stop(chats.ChatRef(chat_id=self._chat))

    def hear(self, method: str, params: Shape) -> None:
        """Have somebody asked where the house asks; whom a question is shown anew is asked anew."""
        if isinstance(params, approvals.ApprovalRequest):
            self._withdraw(params.approval_id)
            work = self._settle(params)
            self._asking[params.approval_id] = self._group.create_task(work)
        elif isinstance(params, approvals.ApprovalSettled):
            self._withdraw(params.approval_id)

    def _withdraw(self, question: str) -> None:
        task = self._asking.pop(question, None)
        if task is not None and task is not asyncio.current_task():
            task.cancel()

    async def _settle(self, shown: approvals.ApprovalRequest) -> None:
        """Have one question answered; whatever fails here refuses it."""
        if _YES not in {option.kind for option in shown.card.options}:
            # Whoever is no person approves no plan, answers no question, and trusts nothing.
            self._window.run.room.settle(TicketId(shown.approval_id), _unasked(shown))
            return
        try:
            answer = await self._ask(_asked(shown))
            self._note(shown, answer)
            if answer.by and shown.chat_id is not None:
                await self._window.rules.answers.respond(_response(shown, answer))
                return
            because = _nobody(shown)
        except Exception as error:  # noqa: BLE001 -- whatever is wrong, it is no leave
            _log.exception("a question could not be answered")
            because = f"It could not be asked ({error}), so it was not run."
        no = endings.refused(Actor.TIMEOUT, because)
        self._window.run.room.settle(TicketId(shown.approval_id), no)

    def _note(self, shown: approvals.ApprovalRequest, answer: Answer) -> None:
        """Keep who answered: no person did at that moment."""
        if answer.by:
            body = {"what": "answered", "by": answer.by, "allowed": answer.allowed}
            entry = Entry(kind="noted", chat=shown.chat_id, digest=shown.digest, body=body)
            self._window.run.journal.note(entry)


@asynccontextmanager
async def unattended(
    given: Inputs,
    ask: Ask,
    heard: Heard,
    terms: Terms,
) -> AsyncIterator[Unattended]:
    """The house without an editor, with its settings read."""
    runs: list[Unattended] = []

    def hear(method: str, params: Shape, body: bytes) -> None:
        heard(method, body)
        for run in runs:
            run.hear(method, params)

    client, terms = Headless(given, hear), evolve(terms, keeps_chats=False)
    async with open_window(client, terms) as window, asyncio.TaskGroup() as asking:
        runs.append(Unattended(window, ask, asking))
        await runs[0].begin()
        yield runs[0]


def _asked(shown: approvals.ApprovalRequest) -> Asked:
    return Asked(
        id=shown.approval_id,
        digest=shown.digest,
        title=_seen(shown.card.title),
        json=written(shown),
    )


def _response(shown: approvals.ApprovalRequest, answer: Answer) -> approvals.ApprovalResponse:
    return approvals.ApprovalResponse(
        approval_id=shown.approval_id,
        chat_id=shown.chat_id,
        revision=shown.revision,
        digest=shown.digest,
        option_id=_plainly(shown, allowed=answer.allowed),
        shown_ms=0,
    )


def _unasked(shown: approvals.ApprovalRequest) -> Settlement:
    """What a card comes to that offers no plain yes."""
    if shown.card.body.kind in _QUESTIONS:
        return Settlement(outcome=Outcome.ANSWERED, by=Actor.TIMEOUT, because=_UNANSWERED)
    return endings.refused(Actor.TIMEOUT, _nobody(shown))


def _nobody(shown: approvals.ApprovalRequest) -> str:
    """Why it was not run, with why somebody would have been asked."""
    return f"{_NOBODY} {shown.card.because.text}".rstrip()


def _plainly(shown: approvals.ApprovalRequest, *, allowed: bool) -> str:
    """The card's own plain yes, where it is meant; else its plain no."""
    meant = _YES if allowed else _NO
    option_id = next((option.id for option in shown.card.options if option.kind == meant), None)
    if option_id is None:
        raise AssentError("The card offers no plain answer.")
    return option_id


def _seen(spans: list[Span]) -> str:
    """A title, with what would not be seen spelled out."""
    return "".join(span.text if span.shown is None else span.shown for span in spans)
