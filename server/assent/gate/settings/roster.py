"""The list of agents, and which of them work without questions.

A workspace's agent waits until it is granted, and never takes the place of a person's one before
that. Only JSON's `true`, in a workspace's or folder's settings, for an agent that could be
started now, is a wish to bypass; anything but `true` in any layer keeps the bypass off.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final, TypeGuard

from pydantic import ValidationError

from assent.gate.call.calls import AgentId
from assent.gate.settings.agents import AgentEntry
from assent.gate.settings.claims import Claims, agent_wish, bypass_wish
from assent.gate.settings.layers import Layer, Problems, said, shown
from assent.gate.settings.references import has_odd, references_in
from assent.gate.settings.shapes import AGENT_NAME, IDENTIFIER, AgentSetting
from assent.gate.values import evolve

__all__ = ["Roster", "agents_of", "bypassed_of"]

Roster = dict[AgentId, AgentEntry]

_UNCLEAR: Final = "could not be understood, so it is left out."
_TWICE: Final = "has the name of another there, so it is left out."
_MISPLACED: Final = "bypassPermissions"
_ODD: Final = (
    "has a `${secret:…}` or `${env:…}` without a name of letters, digits and underscores, so it is"
    " left out."
)
_NOT_ITS_OWN: Final = (
    "names a secret or a variable of yours, which only your own settings may, so it is left out."
)
MAX_ENTRIES: Final = 200
"""A map with more entries than that was not written by a person."""


def agents_of(
    keys: object, claims: Claims, problems: Problems, built_in: tuple[AgentEntry, ...]
) -> Roster:
    """The built-in agents, those of the user, and those of the workspace, waiting or granted."""
    roster = {agent.id: agent for agent in built_in}
    fixed = frozenset(roster)
    for layer, value in said(keys, "agents").items():
        for agent in _entries(layer, value, problems):
            if agent.id in fixed:
                problems.add(
                    f"assent.agents in {layer.words!s} names {shown(agent.id)}, which is built in;"
                    " that entry does nothing."
                )
            elif layer is Layer.USER:
                roster[agent.id] = agent
            else:
                roster[agent.id] = _placed(agent, roster.get(agent.id), claims)
    return roster


def bypassed_of(
    keys: object, claims: Claims, problems: Problems, roster: Roster
) -> frozenset[AgentId]:
    """The agents whose questions a person lifted in this workspace."""
    switches: dict[Layer, dict[AgentId, bool]] = {}
    for layer, value in said(keys, "bypassPermissions").items():
        if not _is_map(value):
            problems.add(
                f"assent.bypassPermissions in {layer.words!s} could not be understood, so nothing"
                " is bypassed."
            )
            return frozenset()
        switches[layer] = dict(_switches(layer, value, problems, roster))
    own = switches.pop(Layer.USER, {})
    wished = {agent for layer in switches.values() for agent, on in layer.items() if on}
    kept = {agent for layer in switches.values() for agent, on in layer.items() if not on}
    _tell_of_own(own, wished, problems)
    kept.update(agent for agent, on in own.items() if not on)
    startable = [
        agent_entry
        for agent_entry in roster.values()
        if agent_entry.id in wished - kept and not agent_entry.waits
    ]
    return frozenset(
        agent_entry.id for agent_entry in startable if claims.holds(bypass_wish(agent_entry))
    )


def _entries(layer: Layer, value: object, problems: Problems) -> Iterator[AgentEntry]:
    """The well-formed entries of one layer's map of agents."""
    if not _is_map(value):
        problems.add(
            f"assent.agents in {layer.words!s} could not be understood, so it adds no agent."
        )
        return
    ids = set[AgentId]()
    for name, entry in value.items():
        agent = _entry(name, entry)
        why = _UNCLEAR if agent is None else _why_not(agent, layer)
        if agent is not None and agent.id in ids:
            why = _TWICE
        if why:
            problems.add(f"The agent {shown(name)} in assent.agents of {layer.words!s} {why!s}")
        elif agent is not None:
            ids.add(agent.id)
            yield agent
        if agent is not None and _MISPLACED in _members(entry):
            problems.add(
                f"The agent {shown(name)} in assent.agents of {layer.words!s} has a"
                " `bypassPermissions`, which does nothing there: it is a setting of its own,"
                " `assent.bypassPermissions`."
            )


def _why_not(agent: AgentEntry, layer: Layer) -> str:
    """Why an agent is not taken that names values which stand elsewhere; nothing where it is."""
    if has_odd(agent.env):
        return _ODD
    return "" if layer is Layer.USER or not references_in(agent.env) else _NOT_ITS_OWN


def _entry(name: object, entry: object) -> AgentEntry | None:
    agent = _id_of(name)
    if agent is None:
        return None
    members = {key: value for key, value in _members(entry).items() if key != _MISPLACED}
    try:
        setting = AgentSetting.model_validate(members)
    except ValidationError:
        return None
    return AgentEntry(
        id=agent,
        name=setting.name or str(name),
        command=setting.command,
        args=tuple(setting.args),
        env=setting.env,
    )


def _placed(agent: AgentEntry, before: AgentEntry | None, claims: Claims) -> AgentEntry:
    """What stands under this id, once a workspace has named `agent` for it."""
    standing = None if before is None or before.waits else before
    if standing is not None and standing.fingerprint == agent.fingerprint:
        return standing
    if claims.holds(agent_wish(agent, standing)):
        return agent
    return standing or evolve(agent, waits=True)


def _switches(
    layer: Layer, value: Mapping[object, object], problems: Problems, roster: Roster
) -> Iterator[tuple[AgentId, bool]]:
    """The agents that one layer's map is about, and whether it says `true`."""
    place = f"assent.bypassPermissions in {layer.words!s}"
    for name, switch in value.items():
        # A bypass names an agent by its id alone, so that no other spelling turns one on.
        agent = AgentId(name) if isinstance(name, str) else None
        if agent is None or agent not in roster:
            problems.add(f"{place} names {shown(name)}, which is no agent here.")
            continue
        if not isinstance(switch, bool):
            problems.add(f"{place} is neither true nor false for {shown(name)}, so it stays off.")
        yield agent, switch is True


def _tell_of_own(own: Mapping[AgentId, bool], wished: set[AgentId], problems: Problems) -> None:
    """Say what comes of a map in the user's settings, where it is not what one might think."""
    if any(own.values()):
        problems.add(
            "assent.bypassPermissions belongs to a workspace; the value in your user settings"
            " does nothing."
        )
    for agent in sorted(wished):
        if own.get(agent) is False:
            problems.add(
                f"assent.bypassPermissions in your user settings is false for {shown(agent)}, so"
                " no workspace can turn it on."
            )


def _is_map(value: object) -> TypeGuard[Mapping[object, object]]:
    return isinstance(value, Mapping) and len(value) <= MAX_ENTRIES


def _members(entry: object) -> Mapping[object, object]:
    return entry if isinstance(entry, Mapping) else {}


def _id_of(name: object) -> AgentId | None:
    """The id that a name in the settings makes; None where it is no name.

    >>> _id_of("Claude Code"), _id_of("claude"), _id_of("\u0421laude"), _id_of("--")
    ('claude-code', 'claude', None, None)
    """
    if not isinstance(name, str) or re.fullmatch(AGENT_NAME, name) is None:
        return None
    if re.fullmatch(IDENTIFIER, name) is not None:
        return AgentId(name)
    made = re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._")
    return AgentId(made) if re.fullmatch(IDENTIFIER, made) is not None else None
