"""Asks whether a command that runs in the sandbox may reach a host, and tells what it reached.

Each host with its port is a call of its own. The gate rules on it while the connection waits;
whoever breaks off the wait takes the question back.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from assent.agent.tools.tool import Aim, Bench
from assent.gate.call.calls import Call, Effect
from assent.gate.sandbox.hosts import Answer, Contact
from assent.gate.sandbox.sorting import names_of
from assent.gate.text.addresses import host_of

__all__ = ["may_reach", "rows_of", "what_it_reached"]

_MAX_REASONS: Final = 5
_MAX_ROWS: Final = 200
_REACHED: Final = "It reached {}."
_MISSED: Final = "It wanted {} and did not get it."
_NOT_REACHED: Final = "It wanted {} and did not get it: {}"


def what_it_reached(witness: Sequence[Contact], *, and_why: bool = True) -> Iterator[str]:
    """What a command reached, and what it wanted and did not get, in sentences."""
    reached = [_name_of(contact) for contact in witness if contact.is_reached]
    if reached:
        yield _REACHED.format(names_of(reached))
    if not and_why:
        not_reached = [_name_of(contact) for contact in witness if not contact.is_reached]
        if not_reached:
            yield _MISSED.format(names_of(not_reached))
        return
    missed: dict[str, list[str]] = {}
    for contact in witness:
        if not contact.is_reached:
            missed.setdefault(contact.because, []).append(_name_of(contact))
    for because, names in list(missed.items())[:_MAX_REASONS]:
        yield _NOT_REACHED.format(names_of(names), because)


def rows_of(witness: Sequence[Contact]) -> dict[str, list[str]]:
    """What it reached and what not, for the card of its changes."""
    rows = dict[str, dict[str, None]](contacted={}, missed={})
    for contact in witness[:_MAX_ROWS]:
        rows["contacted" if contact.is_reached else "missed"][_name_of(contact)] = None
    return {kind: [*names] for kind, names in rows.items()}


def _name_of(contact: Contact) -> str:
    """A host and its port, or the path of a socket."""
    return f"{contact.host}:{contact.port}" if contact.port else contact.host


async def may_reach(bench: Bench, call: Call, host: str, port: int) -> Answer:
    """Whether what a call runs may connect to a port of a host; raises nothing but cancellation."""
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
