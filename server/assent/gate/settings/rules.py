"""`assent.rules`: what each layer allows, asks about and denies, rule by rule.

Whatever asks or denies counts at once, whoever wrote it; one that cannot be read makes its tool
ask. What a workspace allows is one wish, for exactly these rules. Nothing here raises.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from assent.gate.call.calls import AgentId, canonical
from assent.gate.call.verdicts import Source, Verdict
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.settings.claims import Claims, rules_wish
from assent.gate.settings.complaints import Complaints, Place
from assent.gate.settings.entries import EVERYTHING, VERDICTS, LayerRules, RuleList, asking, text_of
from assent.gate.settings.layers import Layer, said, shown
from assent.gate.settings.wishes import Wish
from assent.gate.values import frozen

__all__ = [
    "MAX_WISHES",
    "LayerRules",
    "Rulebook",
    "layer_rules",
    "rules_of",
    "together",
    "wish_of",
]

MAX_RULES: Final = 20_000
MAX_WISHES: Final = 50
"""Nobody reads more on a card, so no more are asked for at once."""


@frozen(kw_only=True)
class Rulebook:
    """The rules of all layers, as they hold."""

    rules: tuple[WrittenRule, ...] = ()
    off: tuple[WrittenRule, ...] = ()
    """Those that are switched off where they are written; nothing goes by them."""
    suspended: frozenset[str] = frozenset()
    """The tools that ask because a rule about them could not be read; `*` is all."""
    unclear: frozenset[str] = frozenset()
    """The layers that could not be understood at all."""


def rules_of(
    keys: object, claims: Claims, complaints: Complaints, agents: Collection[AgentId]
) -> Rulebook:
    """The rules that hold, given what each layer says."""
    rules: list[WrittenRule] = []
    off: list[WrittenRule] = []
    suspended: set[str] = set()
    unclear: set[str] = set()
    for layer, value in said(keys, "rules").items():
        source = Source(scope=layer.words)
        rules_of_layer = layer_rules(layer.value, layer.words, source, value, complaints)
        suspended |= rules_of_layer.suspended
        off += rules_of_layer.off
        if rules_of_layer.unclear:
            unclear.add(layer.value)
        wished = [rule for rule in rules_of_layer.rules if rule.verdict is Verdict.ALLOW]
        own = {rule.text for rule in rules if rule.verdict is Verdict.ALLOW and not rule.is_limited}
        if wished and layer is not Layer.USER and own.issuperset(rule.text for rule in wished):
            # There is nothing to ask, and what was answered before stays answered.
            claims.spare(wish_of(wished))
            holds = True
        else:
            holds = layer is Layer.USER or _granted(layer, wished, claims, complaints)
        rules += [
            rule for rule in rules_of_layer.rules if holds or rule.verdict is not Verdict.ALLOW
        ]
        _tell_strangers(rules_of_layer.rules, agents, complaints)
    return Rulebook(
        rules=tuple(rules),
        off=tuple(off),
        suspended=frozenset(suspended),
        unclear=frozenset(unclear),
    )


def layer_rules(
    layer: str, words: str, source: Source, value: object, complaints: Complaints
) -> LayerRules:
    """The rules of one layer, and what of it could not be read."""
    rules_of_layer = LayerRules()
    if not isinstance(value, Mapping):
        _give_up(rules_of_layer, layer, ("rules",), f"assent.rules in {words!s}", complaints)
        return rules_of_layer
    for key, entries in list(value.items())[:MAX_RULES]:
        place: Place = ("rules", key if isinstance(key, str) else "")
        if key not in VERDICTS:
            sentence = _take_unknown(rules_of_layer, place, f"assent.rules in {words!s}", entries)
            complaints.refuse(layer, place, sentence)
        elif not isinstance(entries, list) or len(entries) > MAX_RULES:
            if key == "allow":
                complaints.refuse(
                    layer, place, f"assent.rules.allow in {words!s} is no list of rules."
                )
            else:
                _give_up(
                    rules_of_layer, layer, place, f"assent.rules.{key} in {words!s}", complaints
                )
        else:
            reader = RuleList(layer=layer, words=words, source=source, key=key)
            reader.read(entries, rules_of_layer, complaints)
    return rules_of_layer


def _take_unknown(rules_of_layer: LayerRules, place: Place, what: str, entries: object) -> str:
    """A list of another name may be a misspelt one that denies, so what it names is asked."""
    several = entries if isinstance(entries, list) else [entries]
    rules_of_layer.suspended |= {asking(text_of(entry)) for entry in several[:MAX_RULES]}
    return (
        f"{what} has {shown(place[1])}, and knows allow, ask and deny alone; what it names is asked"
        " about."
    )


def _give_up(
    rules_of_layer: LayerRules, layer: str, place: Place, what: str, complaints: Complaints
) -> None:
    rules_of_layer.unclear = True
    rules_of_layer.suspended.add(EVERYTHING)
    complaints.refuse(
        layer, place, f"{what} could not be understood, so every call is asked about."
    )


def _granted(
    layer: Layer, wished: Sequence[WrittenRule], claims: Claims, complaints: Complaints
) -> bool:
    """Whether what a workspace allows holds: one wish for all of it."""
    if not wished:
        return True
    if len(wished) > MAX_WISHES:
        complaints.refuse(
            layer.value,
            ("rules", "allow"),
            f"assent.rules in {layer.words!s} allows more than {MAX_WISHES} things, which nobody"
            " can agree to at once; none of them counts.",
        )
        return False
    return claims.holds(wish_of(wished))


def wish_of(allowed: Sequence[WrittenRule]) -> Wish:
    """The wish that exactly these rules hold; it is the same whatever else does."""
    return rules_wish(sorted({_spelled(rule) for rule in allowed}))


def together(wishes: Sequence[Wish]) -> tuple[Wish, ...]:
    """These wishes, with one for the rules of all layers, so that one answer covers them."""
    parts = tuple(wish for wish in wishes if wish.key == "rules")
    rules = sorted({rule for part in parts if isinstance(part.value, list) for rule in part.value})
    if len(parts) == 1 or not 0 < len(rules) <= MAX_WISHES:
        return tuple(wishes)
    return (*(wish for wish in wishes if wish not in parts), rules_wish(rules, parts))


def _spelled(rule: WrittenRule) -> str:
    """A rule with its limits, as it is agreed to."""
    limits = {
        name: value
        for name, value in (
            ("agent", rule.agent),
            ("mode", rule.mode),
            ("until", rule.until),
            ("sandbox", rule.in_sandbox or None),
        )
        if value is not None
    }
    return f"{rule.text} {canonical(limits)}" if limits else rule.text


def _tell_strangers(
    rules: Sequence[WrittenRule], agents: Collection[AgentId], complaints: Complaints
) -> None:
    for rule in rules:
        if rule.agent is not None and rule.agent not in agents and rule.at is not None:
            complaints.warn(
                rule.layer,
                ("rules", *rule.at),
                f"`{rule.text}` is about the agent {shown(rule.agent)}, which is none here.",
            )
