"""What the loop reaches the rest of the house by, and the turn for which it does."""

from collections.abc import Callable, Coroutine
from typing import Any

from assent.agent.chat import Chat, Flight, Turn
from assent.agent.outputs import Outputs
from assent.agent.setup import Setup
from assent.disk.places import Places
from assent.gate import Gate
from assent.history.speech import Speech
from assent.shells.showing import Printed
from assent.tools.tool import Done
from assent.values import frozen

__all__ = ["Ports", "Printed", "Work"]


@frozen(kw_only=True)
class Ports:
    """The same for all chats."""

    gate: Gate
    speech: Speech
    places: Callable[[], Places]
    setup: Setup
    outputs: Outputs
    subtask: "Callable[[Work, Flight, str, str, Printed], Coroutine[Any, Any, Done]]"
    """Works on a part of the work, within a call."""


@frozen(kw_only=True)
class Work:
    """A turn, its chat, and what it reaches the house by."""

    ports: Ports
    chat: Chat
    turn: Turn
