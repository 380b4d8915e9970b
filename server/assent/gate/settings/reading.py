"""Reads the settings: returns what is in force, whatever they contain; pure and total.

The user's layer is the person's own word. A workspace's and a folder's can only tighten: what
would widen is a wish, and holds where the workspace is trusted and the wish was granted.
What is malformed counts as strict: for the mode as `ask`, for bypass as nothing bypassed, for an
agent as not being there, for the timeout as its default.
"""

import functools
import math
from collections.abc import Mapping
from typing import Final

from pydantic import ValidationError

from assent.gate.call.calls import AgentId
from assent.gate.call.modes import LOOSENESS, Mode, stricter
from assent.gate.call.verdicts import Verdict
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.settings.agents import ASSENT, ELIZA, AgentEntry
from assent.gate.settings.claims import Claims, Stand, mode_wish
from assent.gate.settings.complaints import Complaint, Complaints
from assent.gate.settings.entries import EVERYTHING
from assent.gate.settings.folders import folders_of
from assent.gate.settings.hook_entries import HookEntry
from assent.gate.settings.hooks import hooks_of
from assent.gate.settings.layers import Layer, Problems, said
from assent.gate.settings.managed import NOTHING_MANAGED, Managed, SandboxUse, strictest_use
from assent.gate.settings.model import DEFAULTS, Settings
from assent.gate.settings.own import KEEPS_ALL, NOTHING_OWN, Own, own_of
from assent.gate.settings.roster import agents_of, bypassed_of
from assent.gate.settings.rules import rules_of
from assent.gate.settings.shadows import tell_dead
from assent.gate.settings.wishes import Wish
from assent.gate.values import frozen

__all__ = [
    "BUILT_IN",
    "Reading",
    "permitted",
    "read",
    "read_unattributed",
    "unread",
]

BUILT_IN: Final = (ELIZA, ASSENT)
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
    sandbox: SandboxUse = "offer"
    """What the sandbox is used for."""
    holds_auto: bool = True
    """Whether Auto keeps commands in it: only the person or the organisation can say otherwise."""
    trusted: bool = False
    wishes: tuple[Wish, ...] = ()
    """What the workspace asks for and nobody has answered."""
    claims: tuple[Wish, ...] = ()
    """All that the workspace asks for, answered or not; what is not here is revoked."""
    problems: tuple[str, ...] = ()
    """What could not be taken as it was written, as sentences for a banner."""
    rules: tuple[WrittenRule, ...] = ()
    """The rules of all layers that hold, those of the organisation first."""
    off: tuple[WrittenRule, ...] = ()
    """Those that are switched off where they are written, for telling of them alone."""
    suspended: frozenset[str] = frozenset()
    """The tools that ask because a rule about them could not be read; `*` is all."""
    unclear: frozenset[str] = frozenset()
    """The layers whose rules could not be understood at all."""
    illegible: bool = False
    """Whether a file could not be read, and with it all that it says of anything."""
    additional: tuple[str, ...] = ()
    """Folders beside the workspace in which agents may work; `~` is not taken apart yet."""
    forbidden: frozenset[Mode] = frozenset()
    """The modes that no chat may have."""
    may_bypass: bool = True
    own: Own = NOTHING_OWN
    """What our own agent works with."""
    hooks: tuple[HookEntry, ...] = ()
    """What is run around each call."""
    complaints: tuple[Complaint, ...] = ()
    """All that is wrong with rules, with where it stands."""

    @property
    def card_days(self) -> int:
        """So long cards are kept; where nobody knows what the person wants, as long as can be."""
        keep = KEEPS_ALL if EVERYTHING in self.suspended else self.own.keep
        return keep.days


def read(
    keys: object,
    trusted: object,
    standing: Stand,
    built_in: tuple[AgentEntry, ...] = BUILT_IN,
    *,
    managed: Managed = NOTHING_MANAGED,
    now: float | None = None,
) -> Reading:
    """What holds, given `{key: {user, workspace, folder}}`, trust, and what has been answered.

    `now` is for telling of rules that have ended.
    """
    claims = Claims(trusted is True, standing)
    problems = Problems()
    complaints = Complaints(problems)
    mode = _mode(keys, claims, problems)
    roster = agents_of(keys, claims, problems, built_in)
    bypassed = bypassed_of(keys, claims, problems, roster)
    patience = _patience(keys, problems)
    sandbox = _sandbox(keys, problems)
    book = rules_of(keys, claims, complaints, roster)
    additional = folders_of(keys, claims, complaints)
    hooked = hooks_of(keys, claims, complaints)
    own = own_of(keys, complaints, trusted=trusted is True)
    unheard = {EVERYTHING} if hooked.unclear else set()
    rules = (*managed.rules, *book.rules)
    tell_dead(rules, now, complaints)
    return Reading(
        mode=permitted(mode, managed.forbidden),
        bypassed=bypassed if managed.may_bypass else frozenset(),
        agents=tuple(roster.values()),
        patience=patience,
        sandbox=strictest_use([sandbox, managed.sandbox]),
        holds_auto=_holds_auto(keys, managed),
        trusted=trusted is True,
        wishes=tuple(wish for wish in claims.open if _may_be_granted(wish, managed)),
        claims=claims.all,
        problems=(*managed.problems, *problems.sentences),
        rules=rules,
        off=(*managed.off, *book.off),
        suspended=managed.suspended | book.suspended | unheard,
        unclear=book.unclear,
        additional=additional,
        forbidden=managed.forbidden,
        may_bypass=managed.may_bypass,
        own=own,
        hooks=hooked.hooks,
        complaints=(*managed.complaints, *complaints.all),
    )


def read_unattributed(
    values: object,
    trusted: object,
    standing: Stand,
    built_in: tuple[AgentEntry, ...] = BUILT_IN,
    *,
    managed: Managed = NOTHING_MANAGED,
    now: float | None = None,
) -> Reading:
    """What holds where nobody knows who said it: `{key: value}` is taken for the workspace's."""
    keys = values
    if isinstance(values, Mapping):
        keys = {key: {Layer.WORKSPACE.value: value} for key, value in values.items()}
    return read(keys, trusted, standing, built_in, managed=managed, now=now)


def unread(
    built_in: tuple[AgentEntry, ...] = BUILT_IN, *, managed: Managed = NOTHING_MANAGED
) -> Reading:
    """What holds before any settings have arrived, or when none can be had: everything is asked.

    `unreadable_settings.tightened` keeps what was refused before.
    """
    return Reading(
        mode=permitted(Mode.ASK, managed.forbidden),
        agents=built_in,
        patience=DEFAULTS.approval_timeout,
        rules=tuple(rule for rule in managed.rules if rule.verdict > Verdict.ALLOW),
        suspended=managed.suspended | {EVERYTHING},
        unclear=frozenset(layer.value for layer in Layer),
        forbidden=managed.forbidden,
        may_bypass=managed.may_bypass,
        sandbox=strictest_use(["offer", managed.sandbox]),
        problems=managed.problems,
        complaints=managed.complaints,
    )


def permitted(mode: Mode, forbidden: frozenset[Mode]) -> Mode:
    """A mode that is not forbidden: this one, or the next stricter one."""
    stricter_first = LOOSENESS[: LOOSENESS.index(mode) + 1]
    return next((mode for mode in reversed(stricter_first) if mode not in forbidden), Mode.ASK)


def _may_be_granted(wish: Wish, managed: Managed) -> bool:
    """Whether a person's answer could change anything; else nobody is asked."""
    if wish.key == "mode":
        return wish.value not in managed.forbidden
    return wish.key != "bypassPermissions" or managed.may_bypass


def _mode(keys: object, claims: Claims, problems: Problems) -> Mode:
    """The strictest of what is said, or what the nearest layer says and was granted."""
    modes = {
        layer: _mode_said(layer, value, problems) for layer, value in said(keys, "mode").items()
    }
    own = modes.pop(Layer.USER, DEFAULTS.mode)
    nearest = modes.get(Layer.FOLDER, modes.get(Layer.WORKSPACE, own))
    if stricter(own, nearest) is not nearest and claims.holds(mode_wish(nearest)):
        return nearest
    return functools.reduce(stricter, modes.values(), own)


def _mode_said(layer: Layer, value: object, problems: Problems) -> Mode:
    settings = _understood("mode", value)
    if settings is None:
        problems.add(
            f"assent.mode in {layer.words!s} could not be understood, so new chats ask before every"
            " call."
        )
    return settings.mode if settings else Mode.ASK


def _patience(keys: object, problems: Problems) -> float | None:
    """The shortest of what is said, where nothing is the default and 0 is no end."""
    waits = {
        layer: _wait_said(layer, value, problems)
        for layer, value in said(keys, "approvalTimeout").items()
    }
    own = waits.pop(Layer.USER, DEFAULTS.approval_timeout)
    shortest = min(wait or math.inf for wait in (own, *waits.values()))
    return None if shortest == math.inf else shortest


def _sandbox(keys: object, problems: Problems) -> SandboxUse:
    """The strictest of what is said; `auto` where nothing is."""
    layers = said(keys, "sandbox").items()
    return strictest_use(_use_said(layer, value, problems) for layer, value in layers)


def _holds_auto(keys: object, managed: Managed) -> bool:
    """Whether Auto keeps commands in the sandbox: what cannot be understood turns nothing off."""
    value = said(keys, "sandbox").get(Layer.USER)
    own = None if value is None else _understood("sandbox", value)
    return managed.sandbox != "off" and (own is None or own.sandbox == "auto")


def _use_said(layer: Layer, value: object, problems: Problems) -> SandboxUse:
    settings = _understood("sandbox", value)
    if settings is None:
        problems.add(
            f"assent.sandbox in {layer.words!s} could not be understood, so nothing runs in the"
            " sandbox unasked."
        )
    return settings.sandbox if settings else "offer"


def _wait_said(layer: Layer, value: object, problems: Problems) -> float:
    settings = _understood("approvalTimeout", value)
    if settings is None:
        problems.add(
            f"assent.approvalTimeout in {layer.words!s} could not be understood, so the default"
            " counts in its place."
        )
    return (settings or DEFAULTS).approval_timeout


def _understood(key: str, value: object) -> Settings | None:
    """The settings with this one key set; None where the value is not well formed."""
    try:
        return Settings.model_validate({key: value})
    except ValidationError:
        return None
