"""Takes one call of an agent outside through the gate, and answers in the agent's format.

The agent carries the call out itself, out of sight: what is known of its end is that it was let
go. So the person's hooks that run behind a call do not run for it.
"""

from collections.abc import Callable
from typing import Final

import orjson

from assent.gate.admit import Gate
from assent.gate.approvals.tickets import Settlement
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.passage import Ended, Hooks
from assent.gate.ruling.hook_verdicts import HookWord
from assent.gate.values import define, evolve, frozen
from assent.hosting.hooks.hook_words import Hooked
from assent.hosting.permission.calls import Reader
from assent.hosting.terminals.terminal import Terminal

__all__ = ["permit", "without_after"]

_CHANGED: Final = "What it would do has changed since it was asked, so it was not run."


async def permit(
    gate: Gate,
    terminal: Terminal,
    hooked: Hooked,
    reader: Callable[[], Reader],
    let: Callable[[Hooked], object] = lambda _: None,
) -> str:
    """What its hook is to print; `let` hears of a call that goes on.

    `reader` reads from the folder of the session, with the disk as it is at that moment.
    """
    errand = _Errand(gate=gate, terminal=terminal, hooked=hooked, reader=reader, let=let)
    passage = await gate.admit(errand.read(), errand.run)
    return errand.answer or terminal.words.refusal(_explain_denial(passage.settlement))


def without_after(gate: Gate) -> Gate:
    """A gate that runs none of the person's hooks behind a call."""
    return evolve(gate, hooks=_Before(hooks=gate.hooks))


@define(kw_only=True)
class _Errand:
    """One call on its way."""

    gate: Gate
    terminal: Terminal
    hooked: Hooked
    reader: Callable[[], Reader]
    let: Callable[[Hooked], object]
    answer: str = ""

    def read(self) -> Call:
        """The call, with what stands on the disk now."""
        recipe, hooked = self.terminal.recipe, self.hooked
        reader = self.reader().in_folder(hooked.cwd)
        return reader.read(recipe.whole(hooked), notes=hooked.tool in recipe.notes)

    async def run(self, call: Call, settlement: Settlement) -> Ended:
        """Have its agent run it, unless it has become another meanwhile."""
        now = self.gate.with_file_digests(self.read())
        if (now.likeness, now.unreadable) != (call.likeness, call.unreadable):
            self.answer = self.terminal.words.refusal(_CHANGED)
            return Ended(state=State.FAILED, output=_CHANGED)
        allowed = self.terminal.words.allow(self.hooked, settlement.because)
        self.answer = orjson.dumps(allowed).decode()
        self.let(self.hooked)
        return Ended(state=State.BACKGROUNDED)


def _explain_denial(settlement: Settlement) -> str:
    """Why not, for the model."""
    feedback = settlement.feedback
    return f"The person denied this and says: {feedback}" if feedback else settlement.because


@frozen(kw_only=True)
class _Before:
    """The person's hooks, but for those behind a call."""

    hooks: Hooks

    async def before(self, call: Call) -> HookWord:
        """What they say of a call that is about to be judged."""
        return await self.hooks.before(call)

    async def after(self, call: Call, ended: Ended) -> str:
        """Nothing: nobody here knows that it ran."""
        return ""
