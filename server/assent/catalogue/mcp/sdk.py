"""The client of the protocol's package, without its parts for servers and log-ins.

Its packages load each other whole: starlette, uvicorn, cryptography and OpenTelemetry for a client
that needs none of them. So they stand here empty, and only the modules that we use are loaded from
where they lie. Loaded in the hub alone.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import PathFinder
from types import ModuleType, SimpleNamespace
from typing import Any

_EMPTY = ("mcp", "mcp.client", "mcp.shared")


def _stand_in() -> None:
    """Put what is not loaded in its place."""
    spec = PathFinder.find_spec("mcp")
    folders = None if spec is None else spec.submodule_search_locations
    if not folders:
        raise ModuleNotFoundError("The package `mcp` is not there.")
    for name in _EMPTY:
        module = ModuleType(name)
        module.__path__ = ["/".join((folders[0], *name.split(".")[1:]))]
        sys.modules[name] = module
    tracing = ModuleType("opentelemetry.trace")
    vars(tracing).update(
        SpanKind=SimpleNamespace(CLIENT=0, SERVER=1), StatusCode=SimpleNamespace(ERROR=2)
    )
    sys.modules |= {"opentelemetry": ModuleType("opentelemetry"), "opentelemetry.trace": tracing}
    spans = ModuleType("mcp.shared._otel")
    vars(spans).update(
        otel_span=_span, inject_trace_context=_nothing, extract_trace_context=_nothing
    )
    sys.modules["mcp.shared._otel"] = spans


@contextmanager
def _span(*_: Any, **__: Any) -> Iterator[Any]:
    yield SimpleNamespace(set_attributes=_nothing, set_status=_nothing, set_attribute=_nothing)


def _nothing(*_: Any, **__: Any) -> None:
    """Nobody counts here."""


_stand_in()

import mcp_types as types  # noqa: E402 -- only now may they be loaded
from mcp.client._probe import negotiate_auto  # noqa: E402
from mcp.client.session import ClientSession  # noqa: E402
from mcp.client.subscriptions import SubscriptionLost, listen  # noqa: E402
from mcp.shared.exceptions import MCPError  # noqa: E402
from mcp.shared.inbound import (  # noqa: E402
    find_invalid_x_mcp_header,
    mcp_param_headers,
    x_mcp_header_map,
)
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher  # noqa: E402
from mcp.shared.message import SessionMessage  # noqa: E402
from mcp_types.version import MODERN_PROTOCOL_VERSIONS  # noqa: E402

__all__ = [
    "MODERN_PROTOCOL_VERSIONS",
    "ClientSession",
    "JSONRPCDispatcher",
    "MCPError",
    "SessionMessage",
    "SubscriptionLost",
    "find_invalid_x_mcp_header",
    "listen",
    "mcp_param_headers",
    "negotiate_auto",
    "types",
    "x_mcp_header_map",
]
