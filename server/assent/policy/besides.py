"""What a call of somebody else's tool does besides: each judged as a call of ours that does it.

It only tightens. That the mode would ask about a request alone is no second question where the
tool itself was allowed, since that is what a browser's tool is for.
"""

from collections.abc import Callable, Iterator

from attrs import evolve

from assent.calls import Beside, Call
from assent.policy.facts import Facts
from assent.policy.files import deeds_of
from assent.policy.matter import Matter
from assent.policy.outward import hosts_in
from assent.policy.policy import Policy
from assent.verdicts import Actor, Deed, Ruling, Verdict

__all__ = ["against_besides", "deeds_besides"]

_Decide = Callable[[Call, Policy, Facts], Ruling]


def against_besides(matter: Matter, ruling: Ruling, decide: _Decide) -> Iterator[Ruling]:
    """What is said against what a call does besides."""
    for it in matter.call.beside:
        said = decide(matter.call.doing(it), matter.policy, matter.facts)
        if not _is_told(matter, ruling, it, said):
            yield evolve(said, deeds=(), parts=())


def deeds_besides(call: Call) -> tuple[Deed, ...]:
    """What that is, for the card and the journal."""
    each = map(call.doing, call.beside)
    return tuple(
        deed for it in each for deed in (hosts_in(it) if it.tool == "fetch" else deeds_of(it))
    )


def _is_told(matter: Matter, ruling: Ruling, it: Beside, said: Ruling) -> bool:
    """Whether the mode alone says it, and somebody allowed this very call or its tool."""
    if said.by is not Actor.MODE or not said.lasting:
        return False
    is_let = it.tool == "fetch" and ruling.verdict is Verdict.ALLOW
    return is_let or matter.granted is not None
