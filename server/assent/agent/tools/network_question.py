"""Asks whether a command that runs in the sandbox may reach a host.

Each host with its port is a call of its own. The gate rules on it while the connection waits;
whoever breaks off the wait takes the question back.
"""

from assent.agent.tools.tool import Aim, Bench, Leave
from assent.gate.call.calls import Call, Effect
from assent.gate.text.addresses import host_of

__all__ = ["may_reach"]


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
