"""How a server is, as a person is told."""

from typing import Any

from assent.catalogue.mcp.connection import Connection

__all__ = ["state_of"]


def state_of(
    name: str, found: Connection | None, *, stopped: bool, account: str, note: str
) -> dict[str, Any]:
    """How it is; where there is no connection, nobody needed it or the person ended it."""
    told = {"name": name, "account": account, "tools": 0, "says": note, "lines": []}
    if found is None:
        return {**told, "state": "stopped" if stopped else "idle"}
    offered = None if found.is_over else found.offered
    ended = f"The server {name} is not there: {found.why!s}." if found.is_over else ""
    says = ended or ("" if offered is None else offered.note(name))
    return {
        **told,
        "state": found.state,
        "tools": 0 if offered is None else len(offered.tools),
        "says": " ".join(filter(None, (note, says)))[:1_000],
        "lines": found.lines,
    }
