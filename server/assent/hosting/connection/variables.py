"""Fills in an agent's variables for its start, and shows their values to nobody else."""

from typing import Protocol

from assent.gate.call.errors import AgentFailed
from assent.gate.settings.environment import variable
from assent.gate.settings.references import Reference, filled, references_in
from assent.gate.values import evolve, field, frozen
from assent.hosting.connection.spec import AgentSpec

__all__ = ["NoSecrets", "Secrets", "Started", "started_as"]


class Secrets(Protocol):
    """Where the secrets of agents are kept."""

    async def secret(self, name: str, agent: str) -> str | None:
        """A secret that an agent is to be given; None where there is none to be had."""

    async def variable(self, name: str) -> str | None:
        """A variable of the environment that the person started the editor from."""


class NoSecrets(Secrets):
    """There are none."""

    async def secret(self, name: str, agent: str) -> str | None:
        """See `Secrets`."""

    async def variable(self, name: str) -> str | None:
        """See `Secrets`."""
        return variable(name)


@frozen(kw_only=True)
class Started:
    """An agent as it is started."""

    spec: AgentSpec = field(repr=False)
    """With its variables as it gets them."""
    given: frozenset[str] = field(default=frozenset(), repr=False)
    """What its references stand for, and each variable that was put together from them."""


async def started_as(spec: AgentSpec, secrets: Secrets) -> Started:
    """The agent as it is started; raise where one of its references is not to be had."""
    values: dict[Reference, str] = {}
    for reference in references_in(spec.env):
        is_variable = reference.kind == "env"
        value = await (
            secrets.variable(reference.name)
            if is_variable
            else secrets.secret(reference.name, spec.name)
        )
        if value is None:
            raise AgentFailed(_missing(spec, reference))
        if "\0" in value:
            raise AgentFailed(
                f"{spec.name} was not started: {reference.name} cannot be handed to a program."
            )
        values[reference] = value
    env = filled(spec.env, values)
    whole = (value for name, value in env.items() if value != spec.env[name])
    return Started(spec=evolve(spec, env=env), given=frozenset({*values.values(), *whole}))


def _missing(spec: AgentSpec, reference: Reference) -> str:
    if reference.kind == "env":
        return (
            f"{spec.name} was not started: assent.agents names the variable {reference.name}, which"
            " is not set where the editor was started."
        )
    return (
        f"{spec.name} was not started: assent.agents names the secret {reference.name}, which is"
        " not kept. Set it with “Assent: Set an Agent's Secret…”, or say it when you are asked."
    )
