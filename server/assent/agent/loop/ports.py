"""The interfaces between the loop and the rest of the server, and the turn that it works on."""

from collections.abc import Callable, Coroutine
from typing import Any

from assent.agent.loop.chat import Chat, Flight, Turn
from assent.agent.loop.outputs import Outputs
from assent.agent.loop.setup import Setup
from assent.agent.tools.tool import Done
from assent.gate.admit import Gate
from assent.gate.disk.places import Places
from assent.gate.journal.speech import Speech
from assent.gate.processes.live_output import Printed
from assent.gate.values import frozen

__all__ = ["Ports", "Printed", "Work"]


@frozen(kw_only=True)
class Ports:
    """What all chats share: the gate, the setup, and the ways to speak and to keep outputs."""

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
