"""One answer for a call that two hooks of the same tool ask about.

A hosted agent was given one, and another may stand in the person's own settings. It runs both side
by side, and any no among them counts. The second asks nobody anything: it is told what the first
was told, and waits for that. Where the first never comes it waits until its agent gives up on it,
which refuses.
"""

import asyncio
from collections import OrderedDict
from typing import Final

from assent.gate.call.calls import canonical
from assent.gate.values import define, field
from assent.hosting.hooks.hook_words import Hooked

__all__ = ["Rulings"]

_MAX_ANSWERS: Final = 200
"""So many answers are kept for a second hook that may never ask."""


@define(eq=False)
class Rulings:
    """The answers to the hooks of one agent that runs."""

    _answers: OrderedDict[str, asyncio.Future[str]] = field(factory=OrderedDict)

    def put(self, hooked: Hooked, answer: str) -> None:
        """The first hook was told this."""
        future = self._of(hooked)
        if future.done():
            # The same call once more, by an agent that gives no ids.
            future = self._answers[_name_of(hooked)] = asyncio.get_running_loop().create_future()
        future.set_result(answer)

    async def same(self, hooked: Hooked) -> str:
        """What the first hook is told, as soon as it is."""
        answer = await asyncio.shield(self._of(hooked))
        self._answers.pop(_name_of(hooked), None)
        return answer

    def _of(self, hooked: Hooked) -> asyncio.Future[str]:
        name = _name_of(hooked)
        future = self._answers.get(name)
        if future is None:
            future = self._answers[name] = asyncio.get_running_loop().create_future()
        ended = [
            ended_name
            for ended_name, answer in self._answers.items()
            if answer.done() and ended_name != name
        ]
        for old in ended[: max(0, len(self._answers) - _MAX_ANSWERS)]:
            del self._answers[old]
        return future


def _name_of(hooked: Hooked) -> str:
    """The call's own id; where it tells none, all that is known of it."""
    return hooked.call or canonical([hooked.session, hooked.tool, hooked.input, hooked.cwd])
