"""Asks whether a command that runs in the sandbox may reach a host, and tells what it reached.

Each host with its port is a call of its own. The gate rules on it while the connection waits;
whoever breaks off the wait takes the question back.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.agent.tools.tool import Aim, Bench, Leave
from assent.gate.call.calls import Call, Effect
from assent.gate.sandbox import hosts
from assent.gate.text.addresses import host_of
from assent.gate.text.lazy_patterns import late

__all__ = ["judge_for", "may_reach", "rows_of", "what_it_reached"]

_MAX_NAMED: Final = 5
_MAX_ROWS: Final = 200
_PLAIN: Final = late(r"[\w.:/@\[\]~-]+")
_REACHED: Final = "It reached {}."
_NOT_REACHED: Final = "It wanted {} and did not get it: {}"


def judge_for(bench: Bench, call: Call) -> hosts.Judge:
    """Rules on each host that the command of a call wants to reach."""

    async def judge(host: str, port: int) -> hosts.Answer:
        leave = await may_reach(bench, call, host, port)
        if not leave.is_given:
            return hosts.Answer(hosts.Leave.NONE, leave.because)
        return hosts.Answer(hosts.Leave.INSIDE if leave.is_named else hosts.Leave.OUTSIDE)

    return judge


def what_it_reached(witness: Sequence[hosts.Contact]) -> Iterator[str]:
    """What a command reached, and what it wanted and did not get, in sentences for the model."""
    reached = [_name_of(contact) for contact in witness if contact.is_reached]
    if reached:
        yield _REACHED.format(_listed(reached))
    missed: dict[str, list[str]] = {}
    for contact in witness:
        if not contact.is_reached:
            missed.setdefault(contact.because, []).append(_name_of(contact))
    for because, names in list(missed.items())[:_MAX_NAMED]:
        yield _NOT_REACHED.format(_listed(names), because)


def rows_of(witness: Sequence[hosts.Contact]) -> dict[str, list[str]]:
    """What it reached and what not, for the card of its changes."""
    rows = dict[str, dict[str, None]](contacted={}, missed={})
    for contact in witness[:_MAX_ROWS]:
        rows["contacted" if contact.is_reached else "missed"][_name_of(contact)] = None
    return {kind: [*names] for kind, names in rows.items()}


def _name_of(contact: hosts.Contact) -> str:
    """A host and its port, or a socket, in which nothing looks like the sentence around it."""
    name = f"{contact.host}:{contact.port}" if contact.port else contact.host
    return name if _PLAIN.fullmatch(name) else ascii(name)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MAX_NAMED
    return ", ".join(names[:_MAX_NAMED]) + (f" and {more:,} more" if more > 0 else "")


async def may_reach(bench: Bench, call: Call, host: str, port: int) -> Leave:
    """Whether what a call runs may connect to a port of a host; raises nothing but cancellation.

    Only leave that `is_named` is meant for a name that leads to this machine or its own network.
    """
    address = host_of(host)
    command = str(call.input.get("command", ""))
    where = {"host": address.host if address else host, "port": port, "command": command}
    aim = Aim(
        tool="network",
        effect=Effect.EXTERNAL,
        input=where,
        cwd=call.cwd,
        folder=call.folder,
    )
    return await bench.leave(aim)
