"""The form of a tool server in the settings."""
# ruff: noqa: RUF012 -- pydantic gives each its own copy

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from assent.gate.settings.shapes import HeaderName, HeaderValue, Strict, Variable, Word

__all__ = ["ADDRESSES", "SERVER", "ServerName", "ServerSetting"]

SERVER: Final = r"^[a-z0-9][a-z0-9-]{0,63}$"
"""The name of a server of tools. No letter of it is another one in the names of its tools."""

ServerName = Annotated[str, Field(pattern=SERVER)]

ADDRESSES: Final = {"nodetool": "http://127.0.0.1:7777/mcp"}
"""Where those that Assent knows and does not start are, where nobody says otherwise."""


class LogInSetting(Strict):
    """As whom one logs in at a server, where that was agreed with it beforehand."""

    client_id: Annotated[str, Field(max_length=1_024, pattern=r"^[!-~]*$")] = ""
    """The name that was agreed, or an address with `https://` at which a program describes itself.
    Without one Assent introduces itself, where the server lets it."""
    client_secret: Word = ""
    """What goes with it, as `${secret:NAME}`."""
    port: Annotated[int, Field(ge=0, le=65_535)] = 0
    """The port of this machine to which its page comes back
    (`http://127.0.0.1:PORT/callback`), where one was agreed."""


class ServerSetting(Strict):
    """How to start, or to reach, a server that speaks the Model Context Protocol."""

    command: Word = ""
    """The program to start, by its name or its whole path."""
    args: Annotated[list[Word], Field(max_length=64)] = []
    """What it is started with, one word each; no shell reads them."""
    env: Annotated[dict[Variable, Word], Field(max_length=64)] = {}
    """Variables that are set for it, beside the few that it inherits. `${secret:NAME}` stands for a
    secret that the editor keeps, and `${env:NAME}` for a variable with which the editor was
    started."""
    url: Annotated[str, Field(max_length=1_024)] = ""
    """Where it is, instead of a `command`: an address with `https://`, or one of this machine."""
    headers: Annotated[dict[HeaderName, HeaderValue], Field(max_length=20)] = {}
    """What is sent to that address beside each message, such as
    `{"Authorization": "Bearer ${secret:NAME}"}`. Nothing is followed to another address."""

    preset: Literal["browser", "nodetool"] | None = None
    """A server that Assent knows, instead of a `command`: `browser` is a browser of its own for
    your agents, by `@playwright/mcp`; `nodetool` is the nodetool application that you have started,
    at `http://127.0.0.1:7777/mcp` or at the `url` that stands beside it."""
    headed: bool = False
    """Whether the browser has a window that you see."""
    oauth: LogInSetting = LogInSetting.model_construct()
    """How one logs in there, where more is needed than its address. A person logs in by
    *Assent: MCP Servers…*; what comes of that is kept by the editor."""

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        started = self.args or self.env
        reached = self.headers or self.oauth != LogInSetting()
        runs = self.preset in ADDRESSES
        ways = (bool(self.command), bool(self.url) or runs, self.preset is not None and not runs)
        others = dict(
            zip(
                ways,
                (reached or self.headed, started or self.headed, started or reached),
                strict=True,
            )
        )
        if sum(ways) != 1 or others[True]:
            raise ValueError("is started, or reached, or one that Assent knows")
        return self
