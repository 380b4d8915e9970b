"""How the gate would rule on reading a file or requesting an address, before any call."""

from uuid import uuid4

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect, Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.call.verdicts import Actor, Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy

__all__ = ["fetching", "readable_by", "ruling_on"]


def readable_by(policy: Policy, places: Places, chat: ChatId, agent: AgentId, path: str) -> bool:
    """Whether no rule denies reading a file or asks about it; the mode has had its say."""
    try:
        target = places.locate(path, "/")
    except CallUnreadable:
        return False
    ruling = ruling_on(policy, places, chat, agent, target)
    return ruling.verdict is Verdict.ALLOW or (
        ruling.verdict is Verdict.ASK and ruling.by is Actor.MODE and ruling.lasting
    )


def ruling_on(
    policy: Policy, places: Places, chat: ChatId, agent: AgentId, target: Target
) -> Ruling:
    """What would be said of a call that reads this file."""
    call = Call(
        id=CallId(str(uuid4())),
        chat=chat,
        agent=agent,
        tool="read",
        effect=Effect.READ,
        input={"path": target.spelled},
        cwd="/",
        targets=(target,),
    )
    return decide(call, policy, places)


def fetching(policy: Policy, places: Places, chat: ChatId, agent: AgentId, url: str) -> Ruling:
    """What would be said of a request to an address."""
    call = Call(
        id=CallId(str(uuid4())),
        chat=chat,
        agent=agent,
        tool="fetch",
        effect=Effect.EXTERNAL,
        input={"url": url},
        cwd="/",
    )
    return decide(call, policy, places)
