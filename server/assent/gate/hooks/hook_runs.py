"""Runs the person's hooks around each call, in parallel, and collects their answers.

Nothing here raises for what a hook does. What it was asked and what it said is in the journal,
also where nobody hears it.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

from assent.gate.call.calls import Call, canonical
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.executables import Executables
from assent.gate.hooks.combined_answer import combined_answer
from assent.gate.hooks.hook_answers import MAX_REMARK_LETTERS, HookAnswer, remark_in, said_in
from assent.gate.hooks.hook_input import about, about_ended, about_waiting, spoken
from assent.gate.hooks.hook_process import Finished
from assent.gate.hooks.hook_thread import run_hook
from assent.gate.journal.journal import Entry, Journal
from assent.gate.passage import Ended
from assent.gate.ruling.hook_verdicts import SILENCE, HookWord
from assent.gate.settings.hook_entries import HookEntry, HookEvent
from assent.gate.values import field, frozen

__all__ = ["Hooks"]

_MAX_RUNNING_HOOKS: Final = 8
"""So many hooks run at the same time, however many calls are made."""
_MAX_INPUT_LETTERS: Final = 4_000
"""In characters: so much of another input goes into a row."""


@frozen(kw_only=True)
class Hooks:
    """One for the whole server."""

    entries: Callable[[], Sequence[HookEntry]]
    """The hooks that there are, at this moment."""
    journal: Callable[[], Journal]
    folder: str
    """The workspace's first folder."""
    programs: Callable[[], Executables]
    """The programs that there are beside the workspace, at this moment."""
    _places: asyncio.Semaphore = field(
        factory=lambda: asyncio.Semaphore(_MAX_RUNNING_HOOKS), init=False
    )
    _bell: asyncio.Semaphore = field(factory=lambda: asyncio.Semaphore(1), init=False)
    """Who only tells the person something, holds up no call."""

    async def before(self, call: Call) -> HookWord:
        """What they say of a call that is about to be judged."""
        hooks = self._of(call, HookEvent.PRE_TOOL_USE)
        if not hooks:
            return SILENCE
        facts = about(call, HookEvent.PRE_TOOL_USE, self.folder)
        ran = await self._run(hooks, facts, self._places)
        said = [said_in(hook.name, finished) for hook, finished in zip(hooks, ran, strict=True)]
        for hook, finished, answer in zip(hooks, ran, said, strict=True):
            self._note(call, hook, finished, _of_word(answer))
        return combined_answer(said)

    async def after(self, call: Call, ended: Ended) -> str:
        """What they have to say to the agent about a call that ran."""
        hooks = self._of(call, HookEvent.POST_TOOL_USE)
        if not hooks:
            return ""
        ran = await self._run(hooks, about_ended(call, ended, self.folder), self._places)
        remarks: list[str] = []
        for hook, finished in zip(hooks, ran, strict=True):
            remark, because = remark_in(hook.name, finished)
            self._note(call, hook, finished, {"remark": remark, "because": because})
            remarks.append(remark)
        return "\n".join(filter(None, remarks))[:MAX_REMARK_LETTERS]

    async def notify(self, call: Call, because: str) -> None:
        """Tell them that a call waits for the person."""
        hooks = self._of(call, HookEvent.NOTIFICATION)
        if not hooks:
            return
        ran = await self._run(hooks, about_waiting(call, because, self.folder), self._bell)
        for hook, finished in zip(hooks, ran, strict=True):
            failed = remark_in(hook.name, finished)[1]
            self._note(call, hook, finished, {"because": failed})

    def _of(self, call: Call, event: HookEvent) -> list[HookEntry]:
        return [
            hook
            for hook in self.entries()
            if hook.event is event and (not hook.tools or call.tool in hook.tools)
        ]

    async def _run(
        self, hooks: list[HookEntry], facts: dict[str, Any], places: asyncio.Semaphore
    ) -> list[Finished]:
        """Run them side by side."""
        try:
            given = spoken(facts)
        except (ValueError, TypeError, RecursionError):
            return [Finished(trouble="could not be told of this call")] * len(hooks)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._run_one(hook, given, places)) for hook in hooks]
        return [task.result() for task in tasks]

    async def _run_one(self, hook: HookEntry, given: bytes, places: asyncio.Semaphore) -> Finished:
        named = {"ASSENT_EVENT": str(hook.event), "ASSENT_ROOT": self.folder}
        async with places:
            return await run_hook(hook.command, given, named, hook.seconds, self.programs())

    def _note(
        self, call: Call, hook: HookEntry, finished: Finished, said: dict[str, object]
    ) -> None:
        """Keep that a hook ran. No row of the call itself, whose last one tells how it stands."""
        body = {
            "what": "hook",
            "hook": hook.name,
            "event": hook.event,
            "call": call.id,
            "tool": call.tool,
            "exit": finished.code,
            **said,
        }
        self.journal().note(
            Entry(
                kind="noted",
                chat=call.chat,
                agent=call.agent,
                digest=call.digest,
                body={name: value for name, value in body.items() if value not in (None, "")},
            )
        )


def _of_word(said: HookAnswer) -> dict[str, object]:
    """What a row says of a hook's word."""
    verdict: Verdict | None = said.verdict
    changed = said.rewritten is not None
    return {
        "verdict": None if verdict is None else verdict.word,
        "because": said.because,
        "rewritten": canonical(said.rewritten)[:_MAX_INPUT_LETTERS] if changed else None,
    }
