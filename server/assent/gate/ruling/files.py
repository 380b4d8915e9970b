"""Rules on reading and changing files, each target for itself; the strictest decides.

A path counts as it is spelled and as it resolves. What no rule is about is left to the mode.
"""

from typing import Final

from assent.gate.call.calls import Call, Effect, Target, What
from assent.gate.call.modes import Reach
from assent.gate.call.verdicts import Deed, Ruling, Verdict
from assent.gate.ruling.ruling_context import (
    RulingContext,
    asked,
    by_found,
    strictest,
    unless_refused,
)
from assent.gate.text.addresses import address_of
from assent.gate.values import evolve

__all__ = ["deeds_of", "effects_of", "rule_on_files"]


_READ, _ALLOW = Effect.READ, Verdict.ALLOW

_OUTWARD: Final = ("network", "external")

_REACHES: Final[dict[tuple[What, bool], Reach]] = {
    ("read", True): Reach.READ_INSIDE,
    ("read", False): Reach.READ_OUTSIDE,
    ("write", True): Reach.WRITE_INSIDE,
    ("write", False): Reach.WRITE_OUTSIDE,
}


def rule_on_files(context: RulingContext) -> Ruling:
    """What is said of a call that reads or changes files, and of who makes what is written."""
    said, url = _rule_on_files(context), context.call.sent_to
    return said if url is None else _with_host(context, said, url)


def _rule_on_files(context: RulingContext) -> Ruling:
    what: What = "read" if context.call.effect is _READ else "write"
    targets = context.call.targets
    if len(targets) == 1:
        return _rule_on(context, what, targets[0])
    if not targets:
        return context.by_mode(_REACHES[what, False])
    # Of equals the first is told, and that is to be one that leads out of the workspace.
    outside_first = sorted(targets, key=lambda it: it.inside)
    return strictest([_rule_on(context, what, target) for target in outside_first])


def effects_of(call: Call) -> tuple[str, ...]:
    """What a call does, in the words of rules about effects."""
    if call.tool in {"read", "write"}:
        kinds = (call.effect.value, *(("delete",) if call.action == "delete" else ()))
        wheres = {"inside" if target.inside else "outside" for target in call.targets} or {
            "outside"
        }
        sends = () if call.sent_to is None else _OUTWARD
        return (*kinds, *(f"{kind}:{where}" for kind in kinds for where in sorted(wheres)), *sends)
    return _OUTWARD if call.tool in {"fetch", "network"} else (call.effect.value,)


def deeds_of(call: Call) -> tuple[Deed, ...]:
    """What a call of the file tools does."""
    kind = "read" if call.effect is _READ else "write"
    kind = "delete" if call.action == "delete" else kind
    return tuple(
        Deed(kind=kind, what=target.shown, inside=target.inside) for target in call.targets
    )


def _rule_on(context: RulingContext, what: What, target: Target) -> Ruling:
    said = by_found(context.book.path(what, target, context)) if context.book.rules else None
    by_mode = context.by_mode_on(target, _REACHES[what, target.inside])
    if said is not None and (said.verdict is not _ALLOW or context.call.action != "delete"):
        return unless_refused(said, by_mode)
    return by_mode


def _with_host(context: RulingContext, said: Ruling, url: str) -> Ruling:
    """The stricter of what is said of the files, and of the request for what they get.

    Whose host it is the person has set up themselves, so it may be this machine unasked.
    """
    address, by_mode = address_of(url), context.by_mode(Reach.EXTERNAL)
    if address is None:
        because = "What it writes is made at an address that is no plain web address."
        return strictest([said, unless_refused(asked(because), by_mode)])
    by_rule = by_found(context.book.host(address.host, context))
    sent = by_mode if by_rule is None else unless_refused(by_rule, by_mode)
    deed = Deed(kind="network", what=address.host, inside=False)
    return evolve(strictest([said, sent]), deeds=(deed,))
