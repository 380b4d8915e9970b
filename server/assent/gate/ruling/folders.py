"""The folders in which a command may run: its possible `cd`s, resolved on the disk.

A way on which a `cd` failed is none where that `cd` surely did well: its folder is there and can
be entered, and nothing that stands before it could have taken the folder away.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.gate.call.calls import Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.programs.read_lines import read_script
from assent.gate.programs.study import study
from assent.gate.ruling.destinations import ONE_WORD, looked_from, meant_by
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.anchored_paths import InTop
from assent.gate.shell.script import START, Command, Missed, Step, Top, Way, Wildcard
from assent.gate.text.lazy_patterns import late

__all__ = ["folders_of", "is_lost"]

_MAX_WAYS: Final = 8
"""So many ways at once; with more nothing is known."""

_WITHIN: Final = late(r"\$\(|`|[<>]\(|<<")
_BACK: Final = late(r"(?:\A|(?<=/))(?!\.\.?/)[^/]++/++\.\.(?:/|\Z)")
"""What is left again in a path; a shell finds it missing where that is no folder."""
_MAKES: Final = frozenset({"mkdir", "touch"})
"""Programs that change something, and take nothing away whatever they are told."""


def folders_of(
    context: RulingContext, command: Command, before: Sequence[CommandFinding], *, whole: bool
) -> list[Target | None]:
    """The folders in which a command may run; None for one that nobody knows.

    `before` is what stands before it. It is `whole` where all of the text could be read and the
    command removes nothing: only then does what is on the disk now say where it will run.
    """
    ways = command.ways
    if ways is START and command.literal and not command.redirects:
        return _led(context, ())
    begun = [command.start for word in command.argv if isinstance(word, InTop)]
    begun += [command.start for redirect in command.redirects if isinstance(redirect.target, InTop)]
    if ways is START and not begun:
        return _led(context, ())
    tops = [step.end for way in ways or () for step in way.steps or () if isinstance(step, Top)]
    sure = whole and not (begun and _is_out_of_order(context))
    tops += begun
    if tops and not (sure and _is_untouched(max(tops), before)):
        # What stands before it may have made git find another.
        return _nowhere(context)
    if whole and ways is not None and any(way.missed for way in ways):
        ways = _possible(context, ways, before)
    if ways is None or len(ways) > _MAX_WAYS:
        return _nowhere(context)
    return [folder for way in ways for folder in _followed(context, way, whole=whole)]


def _is_out_of_order(context: RulingContext) -> bool:
    """Whether something that stands behind a word may be done before it, and change anything.

    What a shell puts in for a word, or hands to a command, is done before that command is.
    """
    return bool(_WITHIN.search(context.text.replace(InTop.root, ""))) and not _only_reads(context)


def _only_reads(context: RulingContext) -> bool:
    """Whether no command of the whole text changes anything."""
    commands = read_script(context.text, context.shell).commands
    return all(not command.argv or command.wraps or study(command).reading for command in commands)


def is_lost(context: RulingContext, command: Command) -> bool:
    """Whether a way to its folder leads nobody knows where; of a pattern it is known what fits."""
    ways = command.ways
    return ways is None or any(
        way.steps is None or None in _led(context, way.steps) for way in ways
    )


def _possible(
    context: RulingContext, ways: tuple[Way, ...], before: Sequence[CommandFinding]
) -> tuple[Way, ...]:
    """The ways without those on which something failed that cannot have failed."""
    all_ = frozenset[Missed]().union(*(way.missed for way in ways))
    sure = frozenset(it for it in all_ if _did_well(context, it, before))
    # Where none is left, it only runs if the disk changes.
    return tuple(way for way in ways if not way.missed & sure) or ways


def _did_well(context: RulingContext, missed: Missed, before: Sequence[CommandFinding]) -> bool:
    """Whether a `cd` surely did not fail."""
    if not _is_untouched(missed.end, before) or any(map(_is_pattern_in, missed.chains)):
        return False
    if any(isinstance(it, str) and _BACK.search(it) for chain in missed.chains for it in chain):
        return False
    targets = [target for chain in missed.chains for target in _led(context, chain)]
    return all(target is not None and context.facts.enters(target.resolved) for target in targets)


def _is_untouched(end: int, before: Sequence[CommandFinding]) -> bool:
    """Whether nothing that stands before a place in the text may have changed any folder."""
    return not any(finding.start < end and _may_take_away(finding) for finding in before)


def _may_take_away(judged: CommandFinding) -> bool:
    """Whether it may remove, move or lock a folder: whatever is not known to do no such thing."""
    command = judged.command
    harmless = not command.argv or command.wraps or judged.deeds.reading
    return not harmless and command.name not in _MAKES


def _followed(context: RulingContext, way: Way, *, whole: bool) -> list[Target | None]:
    if way.steps is None:
        return _nowhere(context)
    targets = _led(context, way.steps)
    if not _is_pattern_in(way.steps) or (whole and targets and _only_reads(context)):
        return targets
    # What a pattern stands for now is one answer; the shell finds its own when it runs.
    return [*_nowhere(context), *targets]


def _is_pattern_in(chain: tuple[Step, ...]) -> bool:
    return any(isinstance(it, Wildcard) for it in chain)


def _nowhere(context: RulingContext) -> list[Target | None]:
    # It may be the call's own as well, so that what is denied there is denied.
    return [None, *_led(context, ())]


def _led(context: RulingContext, chain: tuple[Step, ...]) -> list[Target | None]:
    """Where `cd` leads, as a shell takes `..` out of a path, and as the kernel follows it."""
    cwd = context.call.cwd
    here = context.located(".", cwd)
    if not chain or here is None:
        return [here]
    try:
        at = [(here, cwd)]
        for step in chain:
            at = [to for where, spelled in at for to in _onward(context, step, where, spelled)]
        targets = [where for where, _ in at]
        targets += [context.facts.locate(spelled, "/") for _, spelled in at]
    except CallUnreadable:
        return [None]
    once = {target.resolved: target for target in reversed(targets)}
    return [*reversed(once.values())]


def _onward(
    context: RulingContext, step: Step, where: Target, spelled: str
) -> Iterator[tuple[Target, str]]:
    """Where one more step leads, as the kernel follows it and as it is spelled."""
    if isinstance(step, Wildcard):
        meant = meant_by(context, step.path, where)
        if meant is None or len(meant) > _MAX_WAYS:
            raise CallUnreadable("It stands for too many folders.")
        yield from ((context.facts.locate(it, "/"), it) for it in meant)
        return
    if isinstance(step, str):
        yield context.facts.locate(step, where.resolved), context.facts.locate(step, spelled).named
        return
    looks = looked_from(context, where)
    if looks is None:
        raise CallUnreadable("It cannot be told which repository git finds.")
    if not step.below:
        # Where git fails it says nothing, and `cd ""` stays.
        yield where, spelled
    elif not looks.sure:
        raise CallUnreadable("Git may find no repository.")
    if looks.top is not None:
        if step.split and not ONE_WORD.fullmatch(looks.top):
            raise CallUnreadable("The shell makes more than one word of this.")
        to = f"{looks.top}{step.below}"
        yield context.facts.locate(to, "/"), to
