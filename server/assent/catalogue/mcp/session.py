"""The package's session, changed where ours differs: it never sees the tools themselves."""

from collections.abc import Mapping
from typing import Any

from assent.catalogue.mcp.offered_tools import OfferedTools
from assent.catalogue.mcp.sdk import (
    MODERN_PROTOCOL_VERSIONS,
    ClientSession,
    mcp_param_headers,
    types,
    x_mcp_header_map,
)

__all__ = ["Session"]


class Session(ClientSession):
    """Our session: what a server gives back is read as it is, whatever form it promised."""

    offered: OfferedTools | None = None

    @property
    def is_modern(self) -> bool:
        """Whether what was agreed is the protocol of 2026."""
        return self.protocol_version in MODERN_PROTOCOL_VERSIONS

    def _resolve_param_headers(self, name: str, arguments: Mapping[str, Any]) -> dict[str, str]:
        """The arguments that the tool wants in headers too; the package never sees the tools."""
        tool = {} if self.offered is None else self.offered.tools.get(name, {})
        if not self.is_modern:
            return {}
        return mcp_param_headers(x_mcp_header_map(tool.get("inputSchema")), arguments)

    async def validate_tool_result(self, name: str, result: types.CallToolResult) -> None:
        """Ask for no form, which would list all tools once more without a bound."""
