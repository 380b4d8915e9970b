"""One list of rules of one layer, entry by entry: a rule, or why it is none."""

import posixpath
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any, Final

from pydantic import ValidationError

from assent.gate.call.calls import AgentId
from assent.gate.call.verdicts import Source, Verdict
from assent.gate.rules.notation import RuleRefused, tool_of, written
from assent.gate.rules.written_rules import WrittenRule
from assent.gate.settings.complaints import Complaints, Place
from assent.gate.settings.examples import false_example
from assent.gate.settings.folders import is_folder
from assent.gate.settings.layers import Layer, shown
from assent.gate.settings.shapes import RuleSetting
from assent.gate.values import define, field, frozen

__all__ = [
    "EVERYTHING",
    "VERDICTS",
    "LayerRules",
    "RuleList",
    "asking",
    "is_for_sandbox",
    "is_off",
    "text_of",
]

VERDICTS: Final = {"allow": Verdict.ALLOW, "ask": Verdict.ASK, "deny": Verdict.DENY}

EVERYTHING: Final = "*"

MAX_EXAMPLES: Final = 1_000
"""In all of one layer; each is judged whenever its settings are read."""


@define
class LayerRules:
    """What one layer says."""

    rules: list[WrittenRule] = field(factory=list)
    off: list[WrittenRule] = field(factory=list)
    """Those that are switched off: nothing goes by them."""
    suspended: set[str] = field(factory=set)
    unclear: bool = False
    examples: int = 0
    """How many stand beside its rules."""


@frozen(kw_only=True)
class RuleList:
    """Reads one list of one layer."""

    layer: str
    words: str
    source: Source
    key: str

    def read(
        self, entries: Sequence[object], layer_rules: LayerRules, complaints: Complaints
    ) -> None:
        """Take each entry, or refuse it."""
        once: set[tuple[object, ...]] = set()
        for index, entry in enumerate(entries):
            place = ("rules", self.key, index)
            try:
                rule = self._rule(entry, index, layer_rules)
            except RuleRefused as refused:
                self._refuse(entry, place, str(refused), layer_rules, complaints)
                continue
            if is_off(entry):
                # It was read like any other, so that nothing is amiss when it is switched on.
                layer_rules.off.append(rule)
                continue
            layer_rules.rules.append(rule)
            same = (rule.text, *rule.limits)
            if same in once:
                complaints.warn(self.layer, place, f"`{rule.text}` stands here twice.")
            once.add(same)

    def _rule(self, entry: object, index: int, layer_rules: LayerRules) -> WrittenRule:
        limits: dict[str, Any] = {"source": self.source, "layer": self.layer}
        limits["at"] = (self.key, index)
        if isinstance(entry, str):
            return written(entry, VERDICTS[self.key], **limits)
        try:
            setting = RuleSetting.model_validate(entry)
        except ValidationError as error:
            raise RuleRefused(_unfit(error)) from error
        limits |= {"why": setting.why, "mode": setting.mode, "until": _ends(setting.until)}
        limits["agent"] = AgentId(setting.agent) if setting.agent else None
        limits["folder"] = self._folder(setting.folder)
        limits["in_sandbox"] = setting.sandbox
        rule = written(setting.rule, VERDICTS[self.key], **limits)
        layer_rules.examples += len(setting.matches) + len(setting.spares)
        if layer_rules.examples > MAX_EXAMPLES:
            raise RuleRefused(
                f"There are more than {MAX_EXAMPLES:,} examples in {self.words!s}, so those of"
                " this rule are not looked at."
            )
        wrong = false_example(rule, setting.matches, setting.spares)
        if wrong is not None:
            raise RuleRefused(f"By its examples {wrong}.")
        return rule

    def _folder(self, text: str | None) -> str:
        """The only workspace in which a rule counts; raise where that cannot be one."""
        if text is None:
            return ""
        if self.layer != Layer.USER.value or self.key != "allow":
            raise RuleRefused(
                "Only a rule that allows, in your own settings, says in which folder it counts."
            )
        folder = text.rstrip("/") or "/"
        if not is_folder(text) or "//" in folder or posixpath.normpath(folder) != folder:
            raise RuleRefused(
                f"Its folder begins with `/` or `~/`, and has no `..`: {shown(text)} is none."
            )
        return folder

    def _refuse(
        self,
        entry: object,
        place: Place,
        because: str,
        layer_rules: LayerRules,
        complaints: Complaints,
    ) -> None:
        text = text_of(entry)
        tool = asking(text)
        outcome = "it is left out"
        if self.key != "allow":
            layer_rules.suspended.add(tool)
            outcome = _THEN.get(tool, f"every call of `{tool}` is asked about")
        complaints.refuse(
            self.layer,
            place,
            f"The rule {shown(text)} in {self.words!s} cannot be used, so {outcome}. {because!s}",
        )


_THEN: Final = {
    EVERYTHING: "every call is asked about",
    "shell": "every command is asked about",
    "read": "whatever reads is asked about",
    "write": "whatever changes files is asked about",
}


def asking(text: object) -> str:
    """What asks where a rule is refused; a rule about effects is about everything."""
    tool = tool_of(text)
    return EVERYTHING if tool == "effect" else tool


def text_of(entry: object) -> object:
    """The text of an entry, if it has one."""
    return entry.get("rule") if isinstance(entry, Mapping) else entry


def is_off(entry: object) -> bool:
    """Whether an entry is switched off; only `true` itself does that, so a slip of the pen refuses.

    >>> is_off({"rule": "shell(make)", "off": True}), is_off("shell(make)")
    (True, False)
    """
    return isinstance(entry, Mapping) and entry.get("off") is True


def is_for_sandbox(entry: object) -> bool:
    """Whether an entry is limited to the sandbox.

    >>> is_for_sandbox({"rule": "shell(make)", "sandbox": True}), is_for_sandbox("shell(make)")
    (True, False)
    """
    return isinstance(entry, Mapping) and entry.get("sandbox") is True


def _ends(text: str | None) -> float | None:
    """When a rule ends: a day with its last moment, or a time, here unless it says where."""
    if text is None:
        return None
    try:
        if len(text) == len("2030-12-31"):
            return datetime.combine(date.fromisoformat(text), time.max).astimezone().timestamp()
        return datetime.fromisoformat(text).astimezone().timestamp()
    except (ValueError, OverflowError, OSError) as error:
        raise RuleRefused(
            f"Its end is a day or a time such as `2030-12-31T18:00`, and not {shown(text)}."
        ) from error


def _unfit(error: ValidationError) -> str:
    """What is wrong with an entry that is no text."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"][:2])
    if first["type"] in {"model_type", "model_attributes_type"}:
        return "A rule is a text, or an object with the text as its `rule`."
    if first["type"] == "missing":
        return "It has no `rule`."
    if first["type"] == "extra_forbidden":
        return f"It has {shown(where)}, which a rule does not have."
    return f"Its {shown(where)} is not what it should be."
