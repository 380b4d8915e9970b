"""Describes for a person the state of a server."""

from typing import Any

from assent.catalogue.mcp.connection import Connection

__all__ = ["state_of"]


def state_of(
    name: str, connection: Connection | None, *, stopped: bool, account: str, note: str
) -> dict[str, Any]:
    """How it is; where there is no connection, nobody needed it or the person ended it."""
    members = {"name": name, "account": account, "tools": 0, "says": note, "lines": []}
    if connection is None:
        return {**members, "state": "stopped" if stopped else "idle"}
    offered = None if connection.is_over else connection.offered
    ended = f"The server {name} is not there: {connection.why!s}." if connection.is_over else ""
    says = ended or ("" if offered is None else offered.note(name))
    return {
        **members,
        "state": connection.state,
        "tools": 0 if offered is None else len(offered.tools),
        "says": " ".join(filter(None, (note, says)))[:1_000],
        "lines": connection.lines,
    }
