"""Runs the commands of our own agent on copies of the workspace, where this machine can."""

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from assent.editor.window.settings.policies import Policies
from assent.gate.call.calls import AgentId, Call
from assent.gate.disk.places import Places
from assent.gate.rules.book import Asker, TwoBooks
from assent.gate.ruling.policy import Policy
from assent.gate.sandbox.changes import Change
from assent.gate.sandbox.hidden import Reading, hidden_paths
from assent.gate.sandbox.hosts import Judge
from assent.gate.sandbox.probe import Finding, Strength, probe
from assent.gate.sandbox.profile import ProfileUnfit
from assent.gate.sandbox.sorting import Sorted, sort_changes
from assent.gate.sandbox.trials import Trial
from assent.gate.settings.reading import Reading as Settings
from assent.gate.text.plain_paths import is_within
from assent.gate.values import define, evolve, field

__all__ = ["CommandTrials"]

_ANY_AGENT: Final = AgentId("")
_POLLS: Final = 25
"""So often it is looked whether what runs outside has ended."""
_POLL_INTERVAL_S: Final = 0.2
"""So often it is looked whether another trial of the workspace has ended."""


class _Busy(ProfileUnfit):
    """Another trial of the workspace has not ended."""


@define(eq=False)
class CommandTrials:
    """One for the whole server."""

    _policies: Policies
    _places: Callable[[], Places]
    _state: Path
    _settings: Callable[[], Settings]
    _findings: dict[str, Finding] = field(factory=dict)
    """What the self-test found, by the workspace's folder."""
    _outside: int = 0
    """How many commands run outside that nobody was asked about."""
    _applying: int = 0
    """How many trials are changing their workspaces."""
    _state_number: int = 0
    _probing: asyncio.Lock = field(factory=asyncio.Lock)

    async def ready(self, folder: str) -> None:
        """Find out whether it can, for the workspace that this folder lies in."""
        root = self._root(folder)
        if root is None or not self._may_need_it():
            return
        async with self._probing:
            if root not in self._findings:
                home, state = self._places().home, str(self._state)
                with suppress(OSError):
                    finding = await asyncio.to_thread(probe, root, home, state)
                    # What may be otherwise in a moment is tried again with the next command.
                    if not finding.may_change:
                        self._findings[root] = finding

    def why_not(self, folder: str, *, in_background: bool = False, in_step: bool = False) -> str:
        """Why it cannot run a command there, as far as that was found out; nothing where it can."""
        if self._settings().sandbox == "off":
            return "The sandbox is turned off (`assent.sandbox`)."
        if in_background:
            return "Commands in the background cannot be tried."
        if in_step:
            return "Steps of a workflow cannot be tried."
        root = self._root(folder)
        if root is None:
            return "This folder lies in no workspace."
        finding = self._findings.get(root)
        if finding is None:
            return "The self-test of the sandbox could not be run."
        if finding.strength is not Strength.TRIAL:
            return finding.because
        try:
            self._reading(self._policies.of_new(_ANY_AGENT), _ANY_AGENT).beginnings()
        except ProfileUnfit as unfit:
            return str(unfit)
        return ""

    def can(self, folder: str) -> bool:
        """Whether this machine can, for the workspace that this folder lies in, as far as known."""
        root = self._root(folder)
        if root is None or not self._may_need_it():
            return False
        finding = self._findings.get(root)
        return finding is None or finding.strength is Strength.TRIAL

    @property
    def state(self) -> int:
        """A number that changes when a trial begins or ends to change a workspace."""
        return self._state_number

    @contextmanager
    def applying(self) -> Iterator[None]:
        """While this lasts a trial may change its workspace."""
        self._state_number += 1
        self._applying += 1
        try:
            yield
        finally:
            self._applying -= 1
            self._state_number += 1

    @contextmanager
    def outside(self, as_of: int) -> Iterator[bool]:
        """While this lasts a command may run outside that nobody was asked about.

        It gives whether no trial has changed a workspace since that state.
        """
        self._outside += 1
        try:
            yield self._state_number == as_of and not self._applying
        finally:
            self._outside -= 1

    async def is_quiet(self) -> bool:
        """Whether no such command runs any more, after waiting for that for a while."""
        for _ in range(_POLLS):
            if not self._outside:
                return True
            await asyncio.sleep(_POLL_INTERVAL_S)
        return not self._outside

    async def prepare(self, call: Call, judge: Judge) -> Trial:
        """A trial of this command, once no other runs in the workspace."""
        root, because = self._root(call.cwd), self.why_not(call.cwd)
        if root is None or because:
            raise ProfileUnfit(because)
        while True:
            try:
                return await _made(lambda: self._prepare(call, root, judge))
            except _Busy:
                await asyncio.sleep(_POLL_INTERVAL_S)

    def sort(self, call: Call, trial: Trial, changes: Sequence[Change]) -> Sorted:
        """Sort the changes of a trial as the gate would rule on them."""
        policy = self._policies.whole(call.chat, call.agent)
        # What was looked up before the command ran may be otherwise now.
        places = evolve(self._places())
        return sort_changes(trial.profile.workspace, changes, policy, call.agent, places)

    def _prepare(self, call: Call, root: str, judge: Judge) -> Trial:
        reading = self._reading(self._policies.whole(call.chat, call.agent), call.agent)
        places, state = reading.places, str(self._state)
        return Trial.prepare(
            self._findings[root],
            root,
            places.home,
            call.cwd,
            state,
            # The variables of the command come with how it is started.
            variables={},
            hidden=lambda: hidden_paths(root, places.home, [state], reading),
            waits=_refuse_to_wait,
            judge=judge,
        )

    def _may_need_it(self) -> bool:
        return self._settings().sandbox != "off" or self._settings().holds_auto

    def _reading(self, policy: Policy, agent: AgentId) -> Reading:
        asker = Asker(agent=agent, mode=policy.mode, now=policy.now)
        book = TwoBooks(policy.book, policy.more)
        return Reading(book=book, asker=asker, places=self._places())

    def _root(self, folder: str) -> str | None:
        """The workspace's folder that this one lies in, the innermost of several."""
        roots = (os.path.realpath(root) for root in self._places().roots)
        return max((root for root in roots if is_within(folder, root)), key=len, default=None)


def _refuse_to_wait() -> None:
    raise _Busy("Another trial of this workspace has not ended.")


async def _made(prepare: Callable[[], Trial]) -> Trial:
    """A trial that is prepared beside the loop; ended where nobody waits for it any more."""
    preparing = asyncio.get_running_loop().run_in_executor(None, prepare)
    try:
        return await asyncio.shield(preparing)
    except asyncio.CancelledError:
        preparing.add_done_callback(_end)
        raise


def _end(prepared: "asyncio.Future[Trial]") -> None:
    if not prepared.cancelled() and prepared.exception() is None:
        prepared.result().end()
