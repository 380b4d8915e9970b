"""Rules on a shell call: each of its commands for itself; the strictest decides.

A command needs its own leave (a rule, the built-in readers, or the mode), and so does each path
that it reads outside or writes. What could not be read is never allowed by itself, and refusals
are judged over every command, however it is wrapped.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from math import prod
from typing import Final

from assent.gate.call.modes import Mode, Reach
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.programs.deeds import Deeds, Kind
from assent.gate.programs.read_lines import read_script
from assent.gate.programs.study import study
from assent.gate.programs.variables import is_dangerous
from assent.gate.rules.entries import NOTHING
from assent.gate.rules.environment import given_to, shared_by, stray, strays
from assent.gate.rules.written_rules import Given
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.denied_below import taken_up
from assent.gate.ruling.denied_words import denied_anywhere
from assent.gate.ruling.downloaded_code import fetched_code
from assent.gate.ruling.effects_between_commands import links_of, may_change, those_after, unled
from assent.gate.ruling.findings import CommandFinding, deciding, deeds_of, graves_in, parts_of
from assent.gate.ruling.folders import folders_of
from assent.gate.ruling.inner_commands import in_place, of_here, vouched
from assent.gate.ruling.killing import ends_gate
from assent.gate.ruling.paths import places_of
from assent.gate.ruling.programs import why_another, why_steered
from assent.gate.ruling.refusals import refusals_of
from assent.gate.ruling.repositories import why_no_branch, why_not_reading
from assent.gate.ruling.required_permissions import leaves_of, rule_for
from assent.gate.ruling.ruling_context import (
    RulingContext,
    against,
    asked,
    strictest,
    unless_allowed,
    unless_refused,
)
from assent.gate.ruling.runs_on_copies import asked_anyway
from assent.gate.ruling.secret_flows import keys_found, leak_in
from assent.gate.ruling.unparsed_parts import judged_unread, only_places
from assent.gate.ruling.written_code import with_its_code
from assent.gate.shell.read import TANGLED, unread
from assent.gate.shell.script import Command, Script
from assent.gate.shell.steps import TooMuch
from assent.gate.shell.word import Exact
from assent.gate.text.lazy_patterns import late
from assent.gate.values import evolve

__all__ = ["rule_on_shell"]

_PLAIN: Final = late(r"[A-Za-z0-9_./:=@+-]+(?: [A-Za-z0-9_./:=@+-]+)*")
"""What every shell takes for the same words."""

_STEERS: Final = "Sets {}, which decides what programs do."
_NO_SCRIPT: Final = Script(text="")

_MAX_TEXT_BYTES: Final = 131_072
"""In bytes: no system starts a shell with a longer text."""

_Judging = Callable[..., CommandFinding]
"""Judges a command beside others that may have run before it, and the links they made."""

_COVERED: Final = Ruling(
    verdict=Verdict.ALLOW, because="It is run by a command that a rule allows."
)

_PUT_ELSEWHERE: Final = asked("`TMPDIR` says where `mktemp` puts what the rest goes on with.")

_TOO_LONG: Final = Ruling(
    verdict=Verdict.DENY,
    because="This command is longer than any shell can be given; do it in smaller parts.",
    readable=False,
)


def rule_on_shell(context: RulingContext) -> Ruling:
    """What is said of a shell call, and of each part of it."""
    text = context.text
    if len(text) > _MAX_TEXT_BYTES or len(text.encode("utf-8", "surrogatepass")) > _MAX_TEXT_BYTES:
        return _TOO_LONG
    script = read_script(text, context.shell)
    named = _named_exactly(context, script)
    if named is not None:
        return named
    judged: list[CommandFinding] = []
    try:
        judged = _judge_all(context, script, judged)
    except TooMuch:
        rest = unread(text, TANGLED)
        script = evolve(script, opaque=script.opaque + rest.opaque, words=rest.words)
    opaque = [*judged_unread(context, script, judged)]
    said = [deciding(all_)] if (all_ := [*judged, *opaque]) else []
    whole = [*_on_the_whole(context, script), *keys_found(context, judged)]
    whole += fetched_code(context, judged, script.text)
    whole += ends_gate(context, judged)
    ruling = strictest([*said, *whole] or [_nothing(context)])
    return evolve(
        ruling,
        parts=parts_of(script, judged, opaque),
        deeds=deeds_of(judged),
        readable=not opaque,
        grave=graves_in(
            [
                (leak_in(judged),),
                *(finding.grave for finding in judged),
                *((it.grave,) for it in whole),
            ]
        ),
    )


def _nothing(context: RulingContext) -> Ruling:
    return unless_refused(asked("There is nothing in it to judge."), context.by_mode(Reach.EXECUTE))


def _named_exactly(context: RulingContext, script: Script) -> Ruling | None:
    """What a rule says that names a whole command in the language of a shell without a reader."""
    if script.commands or not script.opaque or not _PLAIN.fullmatch(script.text):
        return None
    words = tuple(Exact(text=text) for text in script.text.split())
    given = _shared(context, script)
    matches = context.book.shell(words, context, given)
    if matches.allow is None or not matches.allow.exact or stray(given, matches.allow) is not None:
        return None
    return against(matches) or matches.allow.ruling


def _shared(context: RulingContext, script: Script) -> Given:
    """The variables that each command of a text is given."""
    return shared_by(script, context.call.input.get("env"), context.facts.exports)


def _judge_all(
    context: RulingContext, script: Script, judged: list[CommandFinding]
) -> list[CommandFinding]:
    context.budget.spend(script.steps // 2)
    led: list[str] = []
    judges: list[_Judging] = []
    runners: dict[int, CommandFinding] = {}  # By the very words of each, which may be many.
    shared = _shared(context, script)
    for command in script.commands:
        if judged:
            led += links_of(context, judged[-1], judged[:-1])
        outer = runners.get(id(command.runner)) if command.carried else None
        judge: _Judging = partial(
            _judge, context, command, outer=outer, script=script, given=given_to(command, shared)
        )
        finding = judge(judged, led=(*led,))
        runners[id(command.argv)] = finding
        judged.append(finding)
        judges.append(judge)
    # Behind the only one stands nothing that may run before it.
    return _judged_again(context, judged, judges) if len(judged) > 1 else judged


def _judged_again(
    context: RulingContext, judged: list[CommandFinding], judges: list[_Judging]
) -> list[CommandFinding]:
    """The same, where what stands behind a command may run before it."""
    changing = [at for at, finding in enumerate(judged) if may_change(finding)]
    places = range(len(judged)) if changing else ()
    after = {at: found for at in places if (found := those_after(judged, at, changing))}
    if not after:
        return judged
    others = [[*range(at), *after.get(at, ())] for at in places]
    met = [[judged[it] for it in all_] for all_ in others]
    led = [links_of(context, judged[at], met[at]) for at in places]
    return [
        judges[at](met[at], led=(*chain(*(led[other] for other in others[at])),))
        if at in after
        else judged[at]
        for at in places
    ]


def _judge(
    context: RulingContext,
    command: Command,
    others: list[CommandFinding],
    *,
    script: Script,
    given: Given,
    outer: CommandFinding | None,
    led: tuple[str, ...],
) -> CommandFinding:
    command = with_its_code(command, others, script.text)
    deeds = study(command)
    context.budget.spend(_steps_for(command, deeds, others, len(script.text)))
    # What removes is not left to what is on the disk now.
    removes = deeds.catastrophic or any(touch.kind is Kind.DELETE for touch in deeds.touches)
    folders = folders_of(context, command, others, whole=not (script.opaque or removes))
    context.budget.spend(40 * min(len(deeds.touches), 100) * len(folders))
    named = places_of(context, command, deeds, folders)
    places = of_here(outer, unled(command, named, led, others))
    covered = vouched(outer, command, places)
    case = CommandAnalysis(
        context=context,
        script=script,
        command=command,
        deeds=deeds,
        folders=folders,
        places=places,
        before=others,
        given=given,
    )
    matches = context.book.shell(command.argv, context, given) if command.argv else NOTHING
    more, another = why_not_reading(case) or why_steered(case), why_another(case)
    leave, *leaves = leaves_of(case, rule_for(case, matches), more=more, another=another)
    last = another is None and (deeds.reading or command.wraps)
    leaves = [*leaves, leave] if last else [leave, *leaves]
    leaves += _of_branch(case)
    refusals = [*refusals_of(case, matches), *taken_up(case), *asked_anyway(case, leave)]
    judged = CommandFinding(
        ruling=strictest([*([_COVERED] if covered is not None else leaves), *refusals]),
        leave=leave,
        covered=covered,
        start=command.start,
        end=command.end,
        command=command,
        deeds=deeds,
        places=tuple(places),
    )
    return in_place(context, judged, command, script.text, outer)


def _steps_for(command: Command, deeds: Deeds, others: list[CommandFinding], letters: int) -> int:
    """What it takes to judge a command, beside the places that it touches."""
    ways = min(prod(len(word.choices) or 1 for word in command.argv), 64)
    alone, beside = (40, 2) if deeds.reading else (160, 7)
    around = alone + beside * len(others) + letters // 100 + 40 * len(command.redirects)
    return around + ways * (40 + 8 * len(command.argv))


def _of_branch(case: CommandAnalysis) -> list[Ruling]:
    """What is said of a command that names the branch for another, where that may be a flag."""
    why = why_no_branch(case)
    by_mode = case.context.by_mode(Reach.READ_OUTSIDE)
    return [] if why is None else [unless_allowed(by_mode, why)]


def _on_the_whole(context: RulingContext, script: Script) -> list[Ruling]:
    """What is said of a text that is too long to be read, and of what is set for it."""
    matches = context.book.roughly(script.words, context) if script.words else None
    said = against(matches) if matches is not None else None
    named = denied_anywhere(context) if script.words else ()
    env = context.call.input.get("env")
    dangerous = [*_steering(context, _shared(context, _NO_SCRIPT))] if env else []
    if "mktemp" in [command.name for command in script.commands]:
        given = _shared(context, script)
        dangerous += [_PUT_ELSEWHERE] if "TMPDIR" in given or "TMPDIR" in script.sets else []
    # What only wraps or holds nothing has nothing that a rule could have allowed.
    alone = bool(script.commands) and all(command.wraps for command in script.commands)
    idle = [context.by_mode(Reach.EXECUTE)] if alone and context.policy.mode is Mode.ASK else []
    return [*([said] if said else []), *named, *dangerous[:1], *idle]


def _steering(context: RulingContext, given: Given) -> Iterator[Ruling]:
    """What is said of the variables of a call that change what commands do."""
    here = [context.located(".", context.call.cwd)]
    for name in filter(is_dangerous, strays(given)):
        value = given[name] or "$"
        # No shell puts anything in here, and what begins nowhere goes along with it.
        rooted = name != "PATH" or all(it.startswith("/") for it in value.split(":"))
        if "~" not in value and rooted and only_places(context, name, value, here):
            continue
        said = f"It is given `{name}`, which changes what commands do."
        yield asked(said, _STEERS.format(name))
