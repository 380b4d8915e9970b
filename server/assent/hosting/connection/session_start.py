"""Starts with an agent: the handshake, a session, and the mode in which it asks the most."""

import asyncio
from collections.abc import Callable
from typing import Any

import pydantic

import assent
from assent.gate.call.errors import AgentFailed
from assent.hosting.connection import wording
from assent.hosting.connection.peer import ErrorAnswer, Peer
from assent.hosting.connection.session import Session
from assent.hosting.connection.shapes import Greeting, NewSession, TakenUp
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.connection.time_limits import Patience
from assent.hosting.install.login import LogInNeeded

__all__ = ["ask_for_asking", "introduce", "new_session", "take_up"]


async def introduce(peer: Peer, spec: AgentSpec, patience: Patience) -> Greeting:
    """Introduce ourselves, and see whether it is an agent that we can speak with."""
    try:
        async with asyncio.timeout(patience.greeting):
            result = await peer.ask("initialize", _introduction())
        greeting = Greeting.model_validate(result)
    except TimeoutError as error:
        late = wording.no_answer(spec, "being started", patience.greeting)
        raise AgentFailed(late) from error
    except ErrorAnswer as error:
        raise AgentFailed(f"{spec.name} did not want to begin: {error.message}") from error
    except pydantic.ValidationError as error:
        raise AgentFailed(f"{spec.name} does not speak the Agent Client Protocol.") from error
    if greeting.protocol_version != wording.PROTOCOL_VERSION:
        raise AgentFailed(wording.other_version(spec, greeting.protocol_version))
    return greeting


async def new_session(
    peer: Peer,
    spec: AgentSpec,
    wanted: dict[str, Any],
    patience: Patience,
    log_in: Callable[[], str],
) -> NewSession:
    """Open a session. Nothing is awaited after the answer, so that the caller misses no update.

    `log_in` says how a person logs in where that is needed first.
    """
    try:
        async with asyncio.timeout(patience.greeting):
            result = await peer.ask("session/new", wanted)
        return NewSession.model_validate(result)
    except TimeoutError as error:
        late = wording.no_answer(spec, "a new session", patience.greeting)
        raise AgentFailed(late) from error
    except ErrorAnswer as error:
        needed = error.code == wording.AUTH_REQUIRED
        words = log_in() if needed else wording.no_session(spec, error)
        raise (LogInNeeded if needed else AgentFailed)(words) from error
    except pydantic.ValidationError as error:
        raise AgentFailed(f"{spec.name} opened a session without an id.") from error


async def take_up(
    peer: Peer, session: Session, wanted: dict[str, Any], how: str, patience: Patience
) -> TakenUp | None:
    """Go on with a session of before; None where the agent does not know it any more.

    What an agent tells again meanwhile is in the chat already.
    """
    session.is_told_again = True
    try:
        async with asyncio.timeout(patience.greeting):
            result = await peer.ask(how, wanted)
        taken = TakenUp.model_validate({} if result is None else result)
        if unseen := session.seen.sentence(session.spec.name):
            session.notice("error", unseen)
        return taken  # noqa: TRY300 -- what follows is about the two lines above
    except TimeoutError as error:
        late = wording.no_answer(session.spec, "going on with a chat", patience.greeting)
        raise AgentFailed(late) from error
    except (ErrorAnswer, pydantic.ValidationError):
        return None
    finally:
        session.is_told_again = False


async def ask_for_asking(peer: Peer, session: Session, session_id: str, patience: Patience) -> None:
    """Have the agent ask the most that its own mode and settings offer."""
    options = session.options
    for option in options.all:
        wanted = option.strict
        if wanted is None:
            continue
        try:
            async with asyncio.timeout(patience.stop):
                await options.set(peer, session_id, option, wanted)
        except (ErrorAnswer, TimeoutError):
            stays = f"{session.spec.name} stays {option.words}, so it may ask less."
            session.notice("warning", stays)


def _introduction() -> dict[str, Any]:
    return {
        "protocolVersion": wording.PROTOCOL_VERSION,
        "clientCapabilities": {
            "fs": {"readTextFile": False, "writeTextFile": False},
            "terminal": False,
            "auth": {"terminal": True},
            "session": {"configOptions": {"boolean": {}}},
            "elicitation": {"form": {}, "url": {}},
        },
        "clientInfo": {"name": "assent", "title": "Assent", "version": assent.__version__},
    }
