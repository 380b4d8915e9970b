"""The interface by which the tool for workflows takes its steps to the gate."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from assent.gate.call.calls import Call, Effect

if TYPE_CHECKING:
    from assent.agent.tools.tool import Done

__all__ = ["StepCalls"]


class StepCalls(Protocol):
    """Makes the calls of a workflow's steps, and brings them to the gate."""

    @property
    def tools(self) -> frozenset[str]:
        """The tools that a step can run by name."""
        ...

    def effect(self, run: str) -> Effect:
        """What a step that runs this may come to."""
        ...

    async def ready(self, run: str, arguments: dict[str, Any]) -> None:
        """Look at what has to be known before a call is made; raises `CallUnreadable`."""
        ...

    def made(self, run: str, arguments: dict[str, Any], key: str, caution: str = "") -> Call:
        """The call of a step, always of the same id by its key; raises `CallUnreadable`."""
        ...

    async def take(
        self,
        run: str,
        arguments: dict[str, Any],
        key: str,
        begun: Callable[[bool], Awaitable[None]],
        caution: str = "",
    ) -> "Done":
        """Make it as things stand now, and bring it to the gate.

        `begun` is awaited before anything of it runs, with whether it runs as it was asked for,
        and not as a hook or the person has it. Raises `CallUnreadable` and `StepRefused`.
        """
        ...
