"""A chat with an agent, and how its turns end."""

import asyncio
from collections.abc import Awaitable
from typing import Final, TypeVar

import pydantic

from assent.gate.call.calls import ChatId
from assent.gate.call.errors import AgentFailed
from assent.gate.journal.agent_events import ALONE, Beside, LogInWay
from assent.gate.values import define, field
from assent.hosting.connection.host import Host
from assent.hosting.connection.option import Heard, Option
from assent.hosting.connection.peer import ErrorAnswer
from assent.hosting.connection.session import Session
from assent.hosting.connection.shapes import PromptEnded
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.permission.call_ids import ToldCallIds
from assent.hosting.recipes.references import blocks_of, is_linked

__all__ = ["STOPPED", "STOPPED_EARLY", "Talk", "why_gone"]

Done = TypeVar("Done")

STOPPED: Final = ("stopped", "You stopped it.")
STOPPED_EARLY: Final = "You stopped it before it had started."

_REASONS: Final = {
    "end_turn": "done",
    "max_tokens": "limit",
    "max_turn_requests": "limit",
    "refusal": "refused",
    "cancelled": "stopped",
}


@define(eq=False)
class Talk:
    """A chat, with the session that it has at the moment."""

    chat: ChatId
    spec: AgentSpec
    cwd: str
    host: Host | None = None
    session: Session | None = None
    session_id: str = ""
    had_session: bool = False
    heard: Heard = Heard()
    """How the agent's own settings stood in the session of before."""
    turn: asyncio.Event | None = None
    """Set when the turn that is under way is over."""
    stopping: bool = False
    prompts: int = 0
    seen: ToldCallIds = field(factory=ToldCallIds)
    """The calls that it told of while it made them."""
    ways: tuple[LogInWay, ...] = ()
    """How one can log in to the agent, where it wants that."""
    beside: Beside = ALONE
    """What is said with the next prompt."""
    is_sent: bool = False
    """Whether the agent was given the prompt of this turn."""
    scope: asyncio.Timeout | None = None
    """What the wait for the agent's turn can be broken off by."""
    start: asyncio.Timeout | None = None
    """What the wait for the agent's start can be broken off by."""
    connecting: asyncio.Lock = field(factory=asyncio.Lock)

    async def unless_stopped(self, work: Awaitable[Done]) -> Done:
        """What comes of it, unless the person stops the agent before that."""
        try:
            async with asyncio.timeout(None) as self.start:
                return await work
        except TimeoutError as error:
            raise AgentFailed(STOPPED_EARLY) from error
        finally:
            self.start = None

    async def set_option(self, option: Option, value: str, patience: float) -> None:
        """Have the agent take another value of a setting of its own; raise where it does not."""
        if self.session is None or self.host is None:
            raise AgentFailed(f"{self.spec.name} is not running.")
        try:
            async with asyncio.timeout(patience):
                await self.session.options.set(self.host.peer, self.session_id, option, value)
        except ErrorAnswer as error:
            raise AgentFailed(f"{self.spec.name} did not take it: {error.message}") from error
        except TimeoutError as error:
            raise AgentFailed(f"{self.spec.name} did not answer.") from error

    def check_pictures(self, beside: Beside) -> None:
        """Raise where there are pictures, and the agent is there and takes none."""
        if self.session is None or self.session.questions.gone or self.host is None:
            return
        if beside.images and not self.host.greeting.takes_images:
            raise AgentFailed(f"{self.spec.name} cannot read pictures. Your message was not sent.")

    async def say(self, session: Session, host: Host, text: str) -> tuple[str, str]:
        """Prompt the agent once, and wait for its turn to end: how, and why."""
        if self.stopping:
            return STOPPED
        session.begin_paragraph()
        self.check_pictures(self.beside)
        beside, self.beside = self.beside, ALONE
        self.is_sent = True
        session.show_own(beside.images)
        _say_what_is_not_seen(session, host, beside)
        images = [
            {"type": "image", "mimeType": image.mime, "data": image.data} for image in beside.images
        ]
        named = blocks_of(beside.references, embeds=host.greeting.takes_contents)
        asked = {
            "sessionId": self.session_id,
            "prompt": [{"type": "text", "text": text}, *session.folders_say(text), *named, *images],
        }
        try:
            async with asyncio.timeout(None) as self.scope:
                result = await host.peer.ask("session/prompt", asked)
        except TimeoutError:
            return "stopped", f"{self.spec.name} did not end its turn, so it was cut off."
        except ErrorAnswer as error:
            self.scope = None
            await session.turn_over()
            return "error", f"{self.spec.name} could not go on: {error.message}"
        except AgentFailed as error:
            self.scope = None
            raise AgentFailed(await why_gone(host, error)) from error
        self.scope = None
        await session.turn_over()
        return _reason_of(self.spec, result)


def _say_what_is_not_seen(session: Session, host: Host, beside: Beside) -> None:
    embeds = host.greeting.takes_contents
    for reference in beside.references:
        if reference.is_unsaved and is_linked(reference, embeds=embeds):
            session.notice(
                "warning",
                f"{session.spec.name} was given only the address of {reference.name},"
                " so it does not see what is not saved in it.",
            )


def _reason_of(spec: AgentSpec, result: object) -> tuple[str, str]:
    """How a turn ended, in our words."""
    try:
        stop_reason = PromptEnded.model_validate(result).stop_reason
    except pydantic.ValidationError:
        stop_reason = ""
    if stop_reason in _REASONS:
        return _REASONS[stop_reason], ""
    return "done", f"{spec.name} ended its turn without saying why."


async def why_gone(host: Host, error: AgentFailed) -> str:
    """What to say of a failure: where the agent is gone, why it is gone."""
    if not host.is_gone:
        return str(error)
    await host.over.wait()
    return host.why or str(error)
