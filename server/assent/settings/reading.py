"""Settings in, what holds out: pure, and total whatever the settings contain.

The user's layer is the person's own word. A workspace's and a folder's can only tighten: what
would widen is a wish, and holds where the workspace is trusted and the wish was granted.
What is malformed counts as strict: for the mode as `ask`, for bypass as nothing bypassed, for an
agent as not being there, for the timeout as its default.
"""

import functools
import math
from collections.abc import Mapping
from typing import Final

from attrs import frozen
from pydantic import ValidationError

from assent.calls import AgentId
from assent.policy.modes import Mode, stricter
from assent.settings.agents import ELIZA, AgentEntry
from assent.settings.claims import Claims, Stand, mode_wish
from assent.settings.layers import Layer, Problems, said
from assent.settings.model import Settings
from assent.settings.roster import agents_of, bypassed_of
from assent.settings.wishes import Wish

__all__ = ["BUILT_IN", "Reading", "read", "read_unattributed", "unread"]

BUILT_IN: Final = (ELIZA,)
"""The agents that are always there; no setting changes them."""


@frozen(kw_only=True)
class Reading:
    """What holds, and what a person is to be told or asked."""

    mode: Mode
    """What new chats start with."""
    bypassed: frozenset[AgentId] = frozenset()
    agents: tuple[AgentEntry, ...] = BUILT_IN
    patience: float | None
    """Seconds until an unanswered question is refused; None waits."""
    trusted: bool = False
    wishes: tuple[Wish, ...] = ()
    """What the workspace asks for and nobody has answered."""
    claims: tuple[Wish, ...] = ()
    """All that the workspace asks for, answered or not; what is not here is revoked."""
    problems: tuple[str, ...] = ()
    """What could not be taken as it was written, as sentences for a banner."""


def read(
    keys: object, trusted: object, standing: Stand, built_in: tuple[AgentEntry, ...] = BUILT_IN
) -> Reading:
    """What holds, given `{key: {user, workspace, folder}}`, trust, and what has been answered."""
    claims = Claims(trusted is True, standing)
    problems = Problems()
    mode = _mode(keys, claims, problems)
    roster = agents_of(keys, claims, problems, built_in)
    bypassed = bypassed_of(keys, claims, problems, roster)
    patience = _patience(keys, problems)
    return Reading(
        mode=mode,
        bypassed=bypassed,
        agents=tuple(roster.values()),
        patience=patience,
        trusted=trusted is True,
        wishes=claims.open,
        claims=claims.all,
        problems=problems.sentences,
    )


def read_unattributed(
    values: object, trusted: object, standing: Stand, built_in: tuple[AgentEntry, ...] = BUILT_IN
) -> Reading:
    """What holds where nobody knows who said it: `{key: value}` is taken for the workspace's."""
    if not isinstance(values, Mapping):
        return read(values, trusted, standing, built_in)
    keys = {key: {Layer.WORKSPACE.value: value} for key, value in values.items()}
    return read(keys, trusted, standing, built_in)


def unread(built_in: tuple[AgentEntry, ...] = BUILT_IN) -> Reading:
    """What holds before any settings have arrived: everything is asked."""
    return Reading(mode=Mode.ASK, agents=built_in, patience=Settings().approval_timeout)


def _mode(keys: object, claims: Claims, problems: Problems) -> Mode:
    """The strictest of what is said, or what the nearest layer says and was granted."""
    modes = {
        layer: _mode_said(layer, value, problems) for layer, value in said(keys, "mode").items()
    }
    own = modes.pop(Layer.USER, Settings().mode)
    nearest = modes.get(Layer.FOLDER, modes.get(Layer.WORKSPACE, own))
    if stricter(own, nearest) is not nearest and claims.holds(mode_wish(nearest)):
        return nearest
    return functools.reduce(stricter, modes.values(), own)


def _mode_said(layer: Layer, value: object, problems: Problems) -> Mode:
    settings = _understood("mode", value)
    if settings is None:
        problems.add(
            f"assent.mode in {layer.words} could not be understood, so new chats ask before every"
            " call."
        )
    return settings.mode if settings else Mode.ASK


def _patience(keys: object, problems: Problems) -> float | None:
    """The shortest of what is said, where nothing is the default and 0 is no end."""
    waits = {
        layer: _wait_said(layer, value, problems)
        for layer, value in said(keys, "approvalTimeout").items()
    }
    own = waits.pop(Layer.USER, Settings().approval_timeout)
    shortest = min(wait or math.inf for wait in (own, *waits.values()))
    return None if shortest == math.inf else shortest


def _wait_said(layer: Layer, value: object, problems: Problems) -> float:
    settings = _understood("approvalTimeout", value)
    if settings is None:
        problems.add(
            f"assent.approvalTimeout in {layer.words} could not be understood, so the default"
            " counts in its place."
        )
    return (settings or Settings()).approval_timeout


def _understood(key: str, value: object) -> Settings | None:
    """The settings with this one key set; None where the value is not well formed."""
    try:
        return Settings.model_validate({key: value})
    except ValidationError:
        return None
