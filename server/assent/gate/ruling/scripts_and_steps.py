"""Rules on what a call runs beside its own words: scripts of a task, steps of a workflow.

Neither loosens anything. A script is judged as a command, as far as rules go and as what is asked
about in every mode: what the mode says is said of the call that runs it. A workflow may begin if
each step that is known may run, and each is ruled on again by itself when it is reached.
"""

from collections.abc import Callable
from typing import Final

from assent.gate.call.calls import Call, Effect, Planned, Script
from assent.gate.call.modes import Mode, Reach
from assent.gate.call.verdicts import Deed, Part, Ruling, Verdict
from assent.gate.ruling.facts import Facts
from assent.gate.ruling.outward import rule_on_tool
from assent.gate.ruling.policy import Policy
from assent.gate.ruling.ruling_context import RulingContext, against, instead, strictest
from assent.gate.ruling.shell import rule_on_shell
from assent.gate.values import evolve

__all__ = ["rule_on_parts"]

Decide = Callable[[Call, Policy, Facts], Ruling]

_RULED_ONCE_KNOWN: Final = "It is ruled on once it is known with what it runs."
_DUE: Final = "It is asked about when it is due, since “{0}” may change what it does."
_REACHES: Final = {
    Effect.READ: Reach.READ_INSIDE,
    Effect.WRITE: Reach.WRITE_INSIDE,
    Effect.EXECUTE: Reach.EXECUTE,
    Effect.EXTERNAL: Reach.EXTERNAL,
    Effect.CHAT: Reach.CHAT,
}
"""How far a step reaches at least of which only the effect is known."""


def rule_on_parts(context: RulingContext, decide: Decide) -> Ruling:
    """What is said of a command with what it runs, or of something to run with its steps."""
    if context.call.tool != "shell":
        return _rule_on_steps(context, decide) if context.call.steps else rule_on_tool(context)
    ruling = rule_on_shell(context)
    tasks = [context.call.input.get("workflow"), *(script.task for script in context.call.scripts)]
    for task in dict.fromkeys(filter(None, tasks)):
        named = _named(context, f"workflow:{task}")
        if named is not None and named.verdict > ruling.verdict:
            ruling = instead(ruling, named)
    return _with_scripts(context, ruling) if context.call.scripts else ruling


def _named(context: RulingContext, name: str) -> Ruling | None:
    """What the rules say against a workflow of that name; none can allow one."""
    return against(context.book.tool("run", name, context))


def _with_scripts(context: RulingContext, ruling: Ruling) -> Ruling:
    """The ruling on a call, with what is said against the texts that it runs."""
    said = [(script, _rule_on_script(context, script)) for script in context.call.scripts]
    ruling = evolve(
        ruling,
        deeds=_together(ruling, *(it for _, it in said)),
        grave=_gravest(ruling, *(it for _, it in said)),
    )
    script, strict = max(said, key=lambda it: (it[1].verdict, not it[1].lasting))
    if (strict.verdict, not strict.lasting) <= (ruling.verdict, not ruling.lasting):
        return ruling
    return instead(ruling, evolve(strict, because=f"It runs “{script.name}”: {strict.because}"))


def _rule_on_script(context: RulingContext, script: Script) -> Ruling:
    call = evolve(
        context.call,
        input={"command": script.text},
        cwd=script.folder,
        scripts=(),
        code=(),
        targets=(),
    )
    policy = evolve(context.policy, mode=Mode.AUTO, hook=None)
    return rule_on_shell(evolve(context, call=call, policy=policy, granted=None))


def _rule_on_steps(context: RulingContext, decide: Decide) -> Ruling:
    """What is said of a workflow: the strictest of its steps, and of the rules that name it."""
    steps = context.call.steps
    rulings = [_rule_on_step(context, step, decide) for step in steps]
    name = str(context.call.input.get("name", ""))
    named = _named(context, name)
    whole = [_counted(it, said) for it, said in zip(steps, rulings, strict=True)]
    ruling = strictest([*whole, *([named] if named is not None else [])])
    asks = sum(it.verdict is Verdict.ASK for it in whole)
    if ruling.verdict is Verdict.ASK and ruling is not named:
        ruling = evolve(ruling, because=_asking(asks, len(steps), ruling))
    return evolve(
        ruling,
        lasting=False,
        parts=_parts(steps, rulings),
        deeds=_together(*rulings),
        readable=True,
        grave=_gravest(*rulings),
    )


def _rule_on_step(context: RulingContext, step: Planned, decide: Decide) -> Ruling:
    if step.call is not None:
        said = decide(step.call, evolve(context.policy, hook=None), context.facts)
        if said.verdict is Verdict.ASK and step.waits_for:
            return evolve(said, because=_DUE.format(step.waits_for))
        return said
    by_mode = context.by_mode(_REACHES[step.effect])
    if by_mode.verdict is Verdict.DENY:
        return by_mode
    return Ruling(verdict=Verdict.ASK, because=_RULED_ONCE_KNOWN)


def _counted(step: Planned, said: Ruling) -> Ruling:
    """What a step has to say against beginning at all.

    What is only known later is asked about later, and what hangs on a condition may never run.
    """
    waits = (step.call is None or step.waits_for) and said.verdict is Verdict.ASK
    perhaps = not step.is_sure and said.verdict is Verdict.DENY
    if waits or perhaps:
        return evolve(said, verdict=Verdict.ALLOW)
    if said.verdict is Verdict.ALLOW:
        return said
    return evolve(said, because=f"Its step “{step.name}”: {said.because}")


def _asking(asks: int, steps: int, ruling: Ruling) -> str:
    return ruling.because if asks == 1 else f"{asks} of its {steps} steps are asked about."


def _parts(steps: tuple[Planned, ...], rulings: list[Ruling]) -> tuple[Part, ...]:
    """Each step where it stands in the list of them."""
    parts: list[Part] = []
    at = 0
    for step, said in zip(steps, rulings, strict=True):
        parts.append(said.of(step.says, at, grave=said.grave is not None))
        at += len(step.says) + 1
    return tuple(parts)


def _together(*rulings: Ruling) -> tuple[Deed, ...]:
    return tuple(dict.fromkeys(deed for ruling in rulings for deed in ruling.deeds))


def _gravest(*rulings: Ruling) -> str | None:
    return " ".join(dict.fromkeys(ruling.grave for ruling in rulings if ruling.grave)) or None
