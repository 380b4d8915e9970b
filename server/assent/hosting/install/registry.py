"""The registry of the Agent Client Protocol: the agents that can be added.

A list only offers. What is installed stays what it is, whatever a later list says, and what a list
calls an agent has no part in what is believed of it (see `recipes`).
"""

import json
import os
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from assent.gate.call.errors import AssentError
from assent.gate.settings.agents import ASSENT, ELIZA
from assent.gate.settings.shapes import IDENTIFIER, AgentSetting
from assent.gate.text.lazy_patterns import late
from assent.gate.values import frozen

__all__ = ["PROGRAM", "Offer", "RegistryUnread", "address", "bundled", "offers_in"]

_ADDRESS: Final = "https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json"
_NAMED_BY: Final = "ASSENT_AGENT_REGISTRY"
_BUNDLED: Final = Path(__file__).with_name("registry.json")
_MAX_AGENTS: Final = 500
_TAKEN: Final = frozenset({ASSENT.id, ELIZA.id})
_NPM: Final = late(r"((?:@[a-z0-9~-][\w.~-]*/)?[a-z0-9~-][\w.~-]*)@(\d+\.\d+\.\d+[\w.+-]*)")
_PYPI: Final = late(r"([A-Za-z0-9][\w.-]*)(?:==|@)(\d+(?:\.\d+)*[\w.+!-]*)")
_FORMS: Final = {"npx": _NPM, "uvx": _PYPI}
"""What a package and its one version look like, by the registry's word for its installer. A range,
an address or a word such as `latest` would be another program tomorrow."""

PROGRAM: Final = "binary"
"""The registry's word for a file for each kind of machine. No package manager checks what it is, so
the person installs it."""
_PROGRAM_NAME: Final = late(r"(?:.*[/\\])?([A-Za-z0-9][\w.+-]{0,63}?)(?:\.exe)?")

_Text = Annotated[str, Field(max_length=2_000)]
_Word = Annotated[str, Field(max_length=2_000, pattern=r"^[^`]*$")]
"""A question shows it between two of these signs."""
_Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]


class RegistryUnread(AssentError):
    """A list of agents could not be read."""


class _Shape(BaseModel):
    model_config = ConfigDict(defer_build=True, extra="ignore", frozen=True)


class _Started(_Shape):
    args: Annotated[list[_Word], Field(max_length=100)] = []
    env: Annotated[dict[_Name, _Word], Field(max_length=100)] = {}


class _Package(_Started):
    package: _Text


class _Program(_Started):
    cmd: _Text


class _Agent(_Shape):
    id: Annotated[str, Field(pattern=IDENTIFIER)]
    name: Annotated[str, Field(min_length=1, max_length=100)]
    version: _Text
    description: _Text = ""
    distribution: dict[str, Any]


@frozen(kw_only=True)
class Offer:
    """An agent that can be installed."""

    id: str
    name: str
    version: str
    """The version of its package, the only one that is ever installed for this offer."""
    says: str
    installer: str
    """`npx` for a package of npm, `uvx` for one of PyPI; `PROGRAM` where the person installs it."""
    package: str
    """The package; of a program, what its file is called."""
    args: tuple[str, ...]
    env: dict[str, str]


def address(environ: Mapping[str, str] = os.environ) -> str:
    """Where the list is asked for: at another place where the environment of the editor says so."""
    return environ.get(_NAMED_BY) or _ADDRESS


def offers_in(text: bytes) -> tuple[Offer, ...]:
    """The agents of a list that can be added here, in its order; one that is unfit is left out."""
    try:
        listed = json.loads(text)["agents"][:_MAX_AGENTS]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise RegistryUnread("The list of agents could not be read.") from error
    offers = {offer.id: offer for entry in listed for offer in _offers_of(entry)}
    return tuple(offers.values())


@cache
def bundled() -> tuple[Offer, ...]:
    """The list that comes with Assent, for where there is no network."""
    return offers_in(_BUNDLED.read_bytes())


def _offers_of(entry: object) -> Iterator[Offer]:
    try:
        agent = _Agent.model_validate(entry)
        if agent.id in _TAKEN:
            return
        form_name = next((form for form in _FORMS if form in agent.distribution), PROGRAM)
        if form_name == PROGRAM:
            yield from _program_of(agent)
            return
        package = _Package.model_validate(agent.distribution[form_name])
        # What could not be read back from the settings cannot be added.
        AgentSetting(name=agent.name, command="-", args=package.args, env=package.env)
    except ValidationError:
        return
    pinned = _FORMS[form_name].fullmatch(package.package)
    if pinned is not None:
        yield Offer(
            id=agent.id,
            name=agent.name,
            version=pinned[2],
            says=agent.description,
            installer=form_name,
            package=pinned[1],
            args=tuple(package.args),
            env=dict(package.env),
        )


def _program_of(agent: _Agent) -> Iterator[Offer]:
    """An agent of which a file is listed for each kind of machine; it is started alike on all."""
    by_machine = agent.distribution.get(PROGRAM)
    described = next(iter(by_machine.values()), None) if isinstance(by_machine, dict) else None
    program = _Program.model_validate(described)
    AgentSetting(name=agent.name, command="-", args=program.args, env=program.env)
    name = _PROGRAM_NAME.fullmatch(program.cmd)
    if name is not None:
        yield Offer(
            id=agent.id,
            name=agent.name,
            version=agent.version,
            says=agent.description,
            installer=PROGRAM,
            package=name[1],
            args=tuple(program.args),
            env=dict(program.env),
        )
