"""An agent as it is started: what its variables name is put in, and nobody else is told of it."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import evolve

from assent.acp.spec import AgentSpec
from assent.errors import AgentFailed
from assent.settings.references import Reference, around, filled, references_in

__all__ = ["NoSecrets", "Secrets", "last_told", "started_as"]


class Secrets(Protocol):
    """Where the secrets of agents are kept."""

    async def secret(self, name: str, agent: str) -> str | None:
        """A secret that an agent is to be given; None where there is none to be had."""


class NoSecrets(Secrets):
    """There are none."""

    async def secret(self, name: str, agent: str) -> str | None:
        """See `Secrets`."""


async def started_as(
    spec: AgentSpec, secrets: Secrets, environ: Mapping[str, str] = os.environ
) -> AgentSpec:
    """The agent with its variables as it gets them; raise where one of them is not to be had."""
    found: dict[Reference, str] = {}
    for it in references_in(spec.env):
        value = (
            environ.get(it.name) if it.kind == "env" else await secrets.secret(it.name, spec.name)
        )
        if value is None:
            raise AgentFailed(_missing(spec, it))
        if "\0" in value:
            raise AgentFailed(
                f"{spec.name} was not started: {it.name} cannot be handed to a program."
            )
        found[it] = value
    return evolve(spec, env=filled(spec.env, found))


def last_told(words: str, spec: AgentSpec, started: AgentSpec) -> str:
    """The last words of an agent, without the values that it was given by reference."""
    values = {it for name in spec.env for it in _put_in(spec.env[name], started.env.get(name, ""))}
    for value in sorted(filter(None, values), key=len, reverse=True):
        words = words.replace(value, "⟨secret⟩")
    return f" Its last words were:\n{words}"


def _put_in(template: str, value: str) -> Sequence[str]:
    """What was put in the place of the references in a text, with and without what is around."""
    parts = around(template)
    found = re.fullmatch("(.*)".join(map(re.escape, parts)), value, re.DOTALL)
    return () if len(parts) == 1 else (value, *(found.groups() if found else ()))


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
