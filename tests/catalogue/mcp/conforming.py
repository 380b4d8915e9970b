"""The client that the conformance suite tries: our own road to a server, and a person at its end.

The suite starts it with the address of a server of its own, and tells what is tried in the
environment. Whatever the server offers is listed and called once; where it wants a log-in the
person logs in, and tries again. Nothing here knows more of the protocol than somebody who presses
buttons.
"""

import asyncio
import json
import os
import sys
from typing import Any, Final

import httpx2

from assent.catalogue.mcp.launches import Launches
from assent.catalogue.mcp.link import Link
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import Listing, NodeFailed, Reply
from assent.gate.settings.tool_servers import ServerEntry

_SOME: Final[dict[str, Any]] = {"string": "x", "number": 1, "integer": 1, "boolean": True}
_CONTEXT: Final[dict[str, Any]] = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
_PATIENCE: Final = 2
"""So often a person logs in before they give it up."""
_ITSELF: Final = "https://conformance-test.local/client-metadata.json"
"""Where the suite wants a program to describe itself."""


class _Person:
    """Logs in where that is wanted, and keeps what is to be kept."""

    def __init__(self) -> None:
        self.kept = ""
        self._patience = _PATIENCE

    async def serve(self, what: str, _: str, text: str) -> str:
        """An editor, and rules that are against nothing."""
        if what == "keep":
            self.kept = text
        return self.kept if what == "kept" else ""

    async def log_in(self, servers: Servers) -> bool:
        """Log in, unless that was done often enough; whether it was done."""
        if not self._patience:
            return False
        self._patience -= 1
        try:
            await servers.order("logIn", "suite", _browse)
            await servers.order("restart", "suite")
        except NodeFailed as error:
            sys.stderr.write(f"{error}\n")
            return False
        return True


async def _browse(form: dict[str, Any]) -> Reply:
    """Open the page, as a browser does: it leads back at once."""
    async with httpx2.AsyncClient() as browser:
        sent_on = await browser.get(form["url"])
        await browser.get(sent_on.headers["location"])
    return Reply(action="accept")


async def _answer(form: dict[str, Any]) -> Reply:
    """Leave a form as it stands, and send it."""
    fields = form.get("fields", [])
    content = {it["name"]: it["initial"] for it in fields if "initial" in it}
    return Reply(action="accept", content=content)


async def _secret(name: str, _: str) -> str | None:
    return _CONTEXT.get("client_secret") if name == "SUITE" else None


def _arguments(tool: str, schema: dict[str, Any]) -> dict[str, Any]:
    """What the suite wants the tool to be called with, or something that fits."""
    for it in _CONTEXT.get("toolCalls", ()):
        if it["name"] == tool:
            return dict(it["arguments"])
    required = schema.get("required", ())
    return {
        name: {"a": 5, "b": 3}.get(name, _SOME.get(it.get("type"), "x"))
        for name, it in schema.get("properties", {}).items()
        if name in required or "x-mcp-header" in it
    }


async def _listed(servers: Servers, person: _Person) -> Listing:
    listing = await servers.search("", 50)
    while any("log-in" in it for it in listing.notes) and await person.log_in(servers):
        listing = await servers.search("", 50)
    sys.stderr.write("\n".join(listing.notes))
    return listing


async def _call(servers: Servers, name: str) -> str:
    """Call a tool; what came of it."""
    try:
        node = await servers.describe(name)
        arguments = _arguments(node.tool, node.schema)
        return (await servers.run(node, arguments, lambda _: None, _answer)).text
    except NodeFailed as error:
        return str(error)


async def _call_all(servers: Servers, person: _Person) -> None:
    for found in (await _listed(servers, person)).nodes:
        said = await _call(servers, found.name)
        while "log-in" in said and await person.log_in(servers):
            said = await _call(servers, found.name)
        sys.stderr.write(f"{found.name}: {said[:500]}\n")


def _entry(url: str) -> ServerEntry:
    scenario = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    ours = _ITSELF if scenario.startswith("auth/") else ""
    secret = "${secret:SUITE}" if "client_secret" in _CONTEXT else ""
    client = _CONTEXT.get("client_id", ours)
    return ServerEntry(name="suite", url=url, client_id=client, client_secret=secret)


async def _main(url: str) -> None:
    person = _Person()
    async with asyncio.TaskGroup() as group:
        link = Link(group.create_task, person.serve)
        servers = Servers(lambda: [_entry(url)], Launches(secret=_secret, roots=tuple), link)
        try:
            await _call_all(servers, person)
        finally:
            await servers.close()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[-1]))
