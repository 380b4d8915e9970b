"""The messages of agents, read tolerantly: unknown members are kept and passed over.

Only what is needed to answer at all is insisted on; what a call is made of is read in `calls`.
"""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict
from pydantic.alias_generators import to_camel

__all__ = [
    "AllowKind",
    "Greeting",
    "ModeOffer",
    "Modes",
    "NewSession",
    "PermissionAsked",
    "PermissionOption",
    "PromptEnded",
    "TakenUp",
    "Updated",
]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _objects(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


Text = Annotated[str, BeforeValidator(_text)]
"""A text, or nothing where something else stands."""
Objects = Annotated[list[dict[str, Any]], BeforeValidator(_objects)]
Object = Annotated[dict[str, Any], BeforeValidator(_object)]


class AllowKind:
    """The kinds of options that ACP knows; an agent may send others."""

    ALLOW_ONCE = "allow_once"
    ALLOW_ALWAYS = "allow_always"
    REJECT_ONCE = "reject_once"


class _Neighbour(BaseModel):
    """Something from outside that evolves without us."""

    model_config = ConfigDict(
        defer_build=True,
        extra="allow",
        alias_generator=to_camel,
        frozen=True,
        # What an agent sends is told to nobody in an error of ours.
        hide_input_in_errors=True,
    )


class Greeting(_Neighbour):
    """The result of `initialize`."""

    protocol_version: int
    agent_capabilities: Object = {}
    auth_methods: Objects = []

    @property
    def hears_reasons(self) -> bool:
        """Whether the agent reads the reason in our answer, so that it needs no second telling."""
        assent = _object(_object(self.agent_capabilities.get("_meta")).get("assent"))
        return assent.get("because") is True

    @property
    def closes_sessions(self) -> bool:
        """Whether `session/close` is known."""
        return "close" in _object(self.agent_capabilities.get("sessionCapabilities"))

    @property
    def takes_images(self) -> bool:
        """Whether a prompt may hold pictures."""
        return _object(self.agent_capabilities.get("promptCapabilities")).get("image") is True

    @property
    def takes_contents(self) -> bool:
        """Whether a prompt may hold what stands in files, beside their addresses."""
        prompts = _object(self.agent_capabilities.get("promptCapabilities"))
        return prompts.get("embeddedContext") is True

    @property
    def takes_up(self) -> str:
        """The method by which a session of before is gone on with; nothing where there is none.

        A resumed one is not told again, so that is preferred.
        """
        if "resume" in _object(self.agent_capabilities.get("sessionCapabilities")):
            return "session/resume"
        return "session/load" if self.agent_capabilities.get("loadSession") is True else ""


class ModeOffer(_Neighbour):
    """One mode that an agent knows."""

    id: Text
    name: Text = ""


class Modes(_Neighbour):
    """An agent's modes and the one that it is in."""

    current_mode_id: Text = ""
    available_modes: list[ModeOffer] = []


class TakenUp(_Neighbour):
    """The result of `session/load` or `session/resume`."""

    modes: Modes | None = None
    config_options: object = None


class NewSession(TakenUp):
    """The result of `session/new`."""

    session_id: str


class PromptEnded(_Neighbour):
    """The result of `session/prompt`."""

    stop_reason: Text = ""


class Updated(_Neighbour):
    """A `session/update`."""

    session_id: str
    update: dict[str, Any]


class PermissionOption(_Neighbour):
    """One way in which the agent may be answered."""

    option_id: str
    name: Text = ""
    kind: Text = ""


class PermissionAsked(_Neighbour):
    """A `session/request_permission`."""

    session_id: str
    tool_call: dict[str, Any]
    options: list[PermissionOption]
