"""Runs a command on a copy of the workspace, and settles what becomes of its changes.

They are made real by a call of its own, which the gate rules on as on any change of files. It asks
about them, unless the person agreed beforehand and nothing protected is among them. The digest of
that call covers the content of each file, and is taken again right before anything is changed.
All of those that the person wants become real, or none.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Any, Final

from assent.agent.tools.network_question import may_reach, rows_of, what_it_reached
from assent.agent.tools.tool import Aim, Bench, Done, StepRefused, ToolFailed, Trials
from assent.agent.tools.trial_choices import chosen_of, parts_of
from assent.agent.tools.trial_rows import (
    MAX_ROWS,
    counted,
    edits_for,
    folded_in,
    is_plain,
    rows_for,
)
from assent.gate.call.calls import APPLY, Beside, Call, Effect
from assent.gate.call.errors import AssentError
from assent.gate.processes.shell import Shell, ShellState
from assent.gate.sandbox.changes import Change, Kind
from assent.gate.sandbox.profile import ProfileUnfit
from assent.gate.sandbox.sorting import Sorted, is_history, names_of
from assent.gate.sandbox.terms import (
    ALLOWED_BEFORE,
    SEEN_MEANWHILE,
    Terms,
    is_loss,
    terms_of_unasked,
)
from assent.gate.sandbox.trials import BY_SIGNAL, Applied, Trial
from assent.gate.values import define, evolve, field

__all__ = ["run_as_trial"]

Run = Callable[[Trial], Awaitable[Shell]]
"""Runs the command to its end behind the trial's wall."""

_MAX_DIGESTED_BYTES: Final = 2_000_000_000
"""So much is read in a few seconds, for the digest."""
_MAX_CHANGES: Final = 100_000
_MAX_PATHS_NAMED: Final = 5

_TRIED: Final = "It was run on a copy of the workspace. What it wrote elsewhere is gone."
_ELSEWHERE: Final = "It wrote {}, which is not kept."
_NO_NETWORK: Final = "It had no network."
_RUN_OUTSIDE: Final = (
    "If it needs keys, other programs or more of the network, run it again with outside_sandbox."
)
_NOTHING: Final = "It changed nothing in the workspace."
_CUT_SHORT: Final = "It did not come to its own end, so its changes were discarded."
_NOT_BEGUN: Final = "It was not run: the sandbox could not be started."
_DENIED: Final = "A rule denies {}, and the rest may need it."
_TOO_LARGE: Final = "They are larger than two gigabytes."
_TOO_MANY: Final = "There are more than a card can show."
_IN_PART: Final = "The person applied some of its changes to the workspace, but not {}."
_APPLIED: Final = "Its changes to the workspace were applied."
_DISCARDED: Final = "Its changes were discarded, and the workspace is as it was."
_PUT_BACK: Final = (
    "A trial before was cut short while its changes were applied. They were put back: {}."
)
_LEFT_OVER: Final = "What it could not put back is in {}."
_OUTSIDE: Final = "What git wrote to {} is not kept, since it lies outside."
_LEFT_OUT: Final = "Left out, since they are no files: {}."
_OTHERS: Final = "The changes are no longer those that the card showed."
_UNSAVED: Final = "Nothing was applied: {} is not saved in the editor."
_ASKED_NOW: Final = "By now a change to {} is asked about."
_DENIED_NOW: Final = "By now a rule denies {}."


async def run_as_trial(call: Call, bench: Bench, run: Run, done: Callable[[Shell], Done]) -> Done:
    """Run a command, ask about its changes, and make them real if the person wants that."""
    trials = bench.trials
    if trials is None:
        raise ToolFailed(_NOT_BEGUN)
    try:
        trial = await trials.prepare(call, partial(may_reach, bench, call))
    except (AssentError, OSError) as error:
        outside = f" {_RUN_OUTSIDE}" if bench.unasked else ""
        raise ToolFailed(f"It was not run: {error}{outside}") from error
    trial_run = _TrialRun(call=call, bench=bench, trials=trials, trial=trial)
    try:
        shell = await run(trial)
        return await trial_run.settle(shell, done(shell))
    except (ProfileUnfit, OSError) as error:
        raise ToolFailed(f"{_NOT_BEGUN} {error}") from error
    finally:
        await asyncio.to_thread(trial_run.end)


def run_key(given: Mapping[str, Any], folder: str) -> str:
    """What two runs of a command have in common that do the same, as far as is known."""
    return repr((folder, *(given.get(name) for name in ("command", "env", "shell"))))


@define(eq=False, kw_only=True)
class _TrialRun:
    """A command that has come to its end on a copy of the workspace."""

    call: Call
    bench: Bench
    trials: Trials
    trial: Trial
    _applied: Applied | None = None
    _parts: Mapping[str, str] = field(factory=dict)
    """The parts among which the person chooses, by the path of each change."""
    _asked_about: frozenset[str] = frozenset()
    """The paths that the card says every mode, or a rule, asks about."""
    _left_out: Sequence[str] = ()
    """The parts that the person did not choose."""
    _is_told: bool = False
    """Whether it was told that the changes are real."""
    _is_over: bool = False
    _alone: Lock = field(factory=Lock)

    async def settle(self, shell: Shell, ended: Done) -> Done:
        """Ask about its changes, and make them real or not."""
        if shell.state is not ShellState.EXITED or shell.code is None or shell.code in BY_SIGNAL:
            return self._with_outcome(ended, _CUT_SHORT)
        if not self.trial.has_ended:
            text = f"{ended.text}\n\n{_NOT_BEGUN}"
            return evolve(ended, text=text, shown=_NOT_BEGUN, failed=True)
        try:
            sentences, has_failed = await self._decided(shell.code)
        except (AssentError, OSError) as error:
            sentences, has_failed = (_DISCARDED, str(error)), True
        done = self._with_outcome(ended, *sentences)
        if self.bench.unasked and (shell.code or has_failed):
            done = evolve(done, text=f"{done.text} {_RUN_OUTSIDE}")
        return evolve(done, failed=ended.failed or has_failed)

    def _with_outcome(self, ended: Done, *sentences: str) -> Done:
        """What came of the command, and what became of its changes, for the model and the person.

        Where the model wants the same command outside, its card says what is a fact of it.
        """
        became = " ".join((*self._reached(), *sentences))
        facts = " ".join((*self._reached(and_why=False), *sentences[:1]))
        self.bench.tried_before.clear()
        self.bench.tried_before[run_key(self.call.input, self.call.cwd)] = facts
        text = f"{ended.text}\n\n{_TRIED} {became}"
        shown = ended.shown if became == _NOTHING else f"{ended.shown or ''}\n{became}"
        return evolve(ended, text=text, shown=shown)

    def _reached(self, *, and_why: bool = True) -> Iterator[str]:
        """What it reached, and wrote where it is not kept, in sentences."""
        if elsewhere := self.trial.elsewhere():
            yield _ELSEWHERE.format(names_of(elsewhere))
        if self.trial.network is None:
            yield _NO_NETWORK
        yield from what_it_reached(self.trial.witness, and_why=and_why)

    async def _decided(self, code: int) -> tuple[tuple[str, ...], bool]:
        """What became of the changes, in sentences, and whether that failed."""
        changes = await asyncio.to_thread(self.trial.changes)
        by_weight = await asyncio.to_thread(self.trials.sort, self.call, self.trial, changes)
        if by_weight.denied:
            raise ToolFailed(_DENIED.format(_names(by_weight.denied)))
        wanted = [change for change in changes if change.kind is not Kind.SPECIAL]
        beside = tuple(self._beside(by_weight))
        if not wanted:
            return (_NOTHING, *beside), False
        if sum(change.size for change in wanted) > _MAX_DIGESTED_BYTES:
            raise ToolFailed(_TOO_LARGE)
        if len(wanted) > _MAX_CHANGES:
            raise ToolFailed(_TOO_MANY)
        is_quiet = await self.trials.is_quiet()
        aim = await asyncio.to_thread(self._aim, wanted, by_weight, code, is_quiet=is_quiet)
        try:
            applied = await self.bench.ask(aim, partial(self._apply, wanted))
        except StepRefused as refusal:
            return (_DISCARDED, str(refusal), *beside), False
        if applied.failed:
            return (applied.text, *beside), True
        became = _IN_PART.format(names_of(self._left_out)) if self._left_out else _APPLIED
        return (became, *beside), False

    def _beside(self, by_weight: Sorted) -> Iterator[str]:
        """What else the model and the person should know of the trial."""
        if by_weight.special:
            yield _LEFT_OUT.format(_names(by_weight.special))
        if repository := self.trial.repository_outside:
            yield _OUTSIDE.format(repository)
        if self.trial.put_back:
            yield _PUT_BACK.format(", ".join(self.trial.put_back[:_MAX_PATHS_NAMED]))
        yield from map(_LEFT_OVER.format, self.trial.left)

    async def _apply(self, wanted: Sequence[Change], judged: Call) -> Done:
        """Make those changes real that were chosen, if all are still those that were judged."""
        root, buffers = self.trial.profile.workspace, self.bench.buffers
        chosen = chosen_of(wanted, self._parts, frozenset(judged.choices))
        unsaved = {
            path: None for change in chosen for path in buffers.within(f"{root}/{change.path}")
        }
        if unsaved:
            raise ToolFailed(
                _UNSAVED.format(names_of([path.removeprefix(f"{root}/") for path in unsaved]))
            )
        may_be_seen = judged.caution == SEEN_MEANWHILE.caution
        try:
            with self.trials.applying():
                if not (may_be_seen or await self.trials.is_quiet()):
                    raise ToolFailed(SEEN_MEANWHILE.caution)
                applied = await asyncio.to_thread(self._make_real, wanted, chosen, judged)
        except (AssentError, OSError) as error:
            raise ToolFailed(f"Nothing was applied. {error}") from error
        self._is_told = True
        self._left_out = sorted({*self._parts.values()} - {*judged.choices})
        count = len(chosen)
        text = f"Applied {count:,} changes." if count != 1 else "Applied 1 change."
        if self._left_out:
            text += f" Left out: {names_of(self._left_out)}."
        return Done(text=text, applied=applied)

    def _make_real(
        self, wanted: Sequence[Change], chosen: Sequence[Change], judged: Call
    ) -> Applied:
        with self._alone:
            if self._is_over or self.trial.digest(wanted) != judged.input["digest"]:
                raise ToolFailed(_OTHERS)
            # The gate has ruled on each path once more, but not on what goes with a folder.
            by_weight = self.trials.sort(self.call, self.trial, chosen)
            if by_weight.denied:
                raise ToolFailed(_DENIED_NOW.format(_names(by_weight.denied)))
            more = [each for each in by_weight.protected if each.path not in self._asked_about]
            if more:
                raise ToolFailed(_ASKED_NOW.format(_names(more)))
            self.trial.apply(chosen)
            try:
                self._applied = self.trial.keep()
            except OSError:
                self.trial.undo()
                raise
            return self._applied

    def end(self) -> None:
        """Forget the trial; what was being applied when its call was stopped is put back."""
        with self._alone:
            self._is_over = True
            try:
                if self._applied is not None and not self._is_told:
                    self._applied.undo()
            finally:
                self.trial.end()

    def _aim(
        self, wanted: Sequence[Change], by_weight: Sorted, code: int, *, is_quiet: bool
    ) -> Aim:
        """The changes as a call: what the gate rules on, and what the card shows."""
        call, trial, places = self.call, self.trial, self.bench.places()
        terms = self._terms(wanted, by_weight) if is_quiet else SEEN_MEANWHILE
        root = trial.profile.workspace
        # Taken first: what changes after this is not what it covers.
        digest = trial.digest(wanted)
        protected = frozenset(change.path for change in by_weight.protected)
        targets = {
            change.path: evolve(
                places.locate(f"{root}/{change.path}", "/"),
                is_history=self.bench.boxed and is_history(change) and change.path not in protected,
            )
            for change in wanted
        }
        self._asked_about = protected
        folded = folded_in(wanted, protected)
        in_sight = [
            change
            for change in wanted
            if change.path in protected
            or not (is_plain(change) or change.kind is Kind.FOLDER)
            or not any(change.path.startswith(f"{folder}/") for folder in folded)
        ]
        edits = tuple(edits_for(trial, in_sight, targets))
        rows = rows_for(root, in_sight, folded, {edit.path for edit in edits})
        if sum(map(len, rows.values())) > MAX_ROWS:
            if not self.bench.boxed or protected:
                raise ToolFailed(_TOO_MANY)
            rows = counted(rows)
        rows["elsewhere"] = trial.elsewhere()
        rows["leftOut"] = [_names(by_weight.special)] if by_weight.special else []
        rows.update(rows_of(trial.witness))
        rows["failed"] = [f"exit {code}"] if code else []
        self._parts = parts_of(wanted, folded.keys())
        gone = tuple(targets[change.path] for change in wanted if is_loss(change))
        beside = Beside(tool="write", effect=Effect.WRITE, targets=gone, action="delete")
        return Aim(
            tool="write",
            effect=Effect.WRITE,
            input={
                "trial": call.input.get("command", ""),
                **{name: paths for name, paths in rows.items() if paths},
                "digest": digest,
            },
            targets=tuple(targets[change.path] for change in wanted),
            edits=edits,
            action=APPLY,
            beside=(beside,) if gone else (),
            caution=terms.caution,
            agreed=terms.agreed,
            choices=tuple(dict.fromkeys(self._parts.values())),
            made_by=call if is_quiet and not protected and not call.why_outside else None,
            cwd=call.cwd,
            folder=call.folder,
        )

    def _terms(self, wanted: Sequence[Change], by_weight: Sorted) -> Terms:
        """Why a person is asked about the changes in every mode, or is not for the mode's sake."""
        if self.bench.boxed and not by_weight.protected:
            return Terms() if self.bench.unasked else ALLOWED_BEFORE
        if not self.bench.boxed and self.bench.unasked:
            root, places = self.trial.profile.workspace, self.bench.places()
            return terms_of_unasked(wanted, by_weight, root, places.can_be_restored)
        return Terms(caution=by_weight.why_asked)


def _names(changes: Sequence[Change]) -> str:
    return names_of([change.path for change in changes])


def _below(root: str, path: str) -> str:
    return path.removeprefix(f"{root}/")
