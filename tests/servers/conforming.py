"""The client that the conformance suite tries: our own road to a server, and a person at its end.

The suite starts it with the address of a server of its own, and tells what is tried in the
environment. Whatever the server offers is listed and called once; nothing here knows more of the
protocol than somebody who presses buttons.
"""

import asyncio
import json
import os
import sys
from typing import Any, Final

from assent.catalogue.source import NodeFailed, Reply
from assent.mcp.link import Link
from assent.mcp.servers import Servers
from assent.settings.served import ServerEntry

_SOME: Final[dict[str, Any]] = {"string": "x", "number": 1, "integer": 1, "boolean": True}
_CONTEXT: Final[dict[str, Any]] = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")


async def _secret(_: str, __: str) -> None:
    return None


async def _answer(form: dict[str, Any]) -> Reply:
    """Leave a form as it stands, and send it."""
    fields = form.get("fields", [])
    content = {it["name"]: it["initial"] for it in fields if "initial" in it}
    return Reply(action="accept", content=content)


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


async def _call_all(servers: Servers) -> None:
    for found in (await servers.search("", 50)).found:
        node = await servers.describe(found.name)
        try:
            came = await servers.run(
                node, _arguments(node.tool, node.schema), lambda _: None, _answer
            )
            sys.stderr.write(f"{found.name}: {came.text[:500]}\n")
        except NodeFailed as error:
            sys.stderr.write(f"{error}\n")


async def _main(url: str) -> None:
    async with asyncio.TaskGroup() as group:
        entry = ServerEntry(name="suite", url=url)
        servers = Servers(lambda: [entry], _secret, tuple, Link(group.create_task))
        try:
            await _call_all(servers)
        finally:
            await servers.close()


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[-1]))
