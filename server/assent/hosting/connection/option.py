"""One setting that an agent keeps itself, and how to read the agent's list of them.

What cannot be read may be anything, so `ReportedSettings` says whether there was such a one.
"""

from typing import Any, Final

from assent.gate.journal.agent_events import Choice
from assent.gate.values import evolve, frozen
from assent.hosting.connection.modes import asking_mode, asks, is_about_asking, is_looser, lets_act
from assent.hosting.connection.shapes import Modes
from assent.hosting.connection.wording import quoted

__all__ = ["Heard", "Option", "ReportedSettings", "mode_in", "option_of_modes", "options_in"]

_MAX_OPTIONS: Final = 32
_MAX_CHOICES: Final = 200
_MAX_ID_LETTERS: Final = 128
_MAX_NAME_LETTERS: Final = 80
_BOOLEAN: Final = (Choice(value="false", name="Off"), Choice(value="true", name="On"))


@frozen(kw_only=True)
class Option:
    """One setting of an agent's own."""

    id: str
    name: str
    kind: str
    """`modes` where it is set as a mode, else `select` or `boolean`."""
    is_mode: bool
    now: str
    """Nothing where its value cannot be read."""
    choices: tuple[Choice, ...]

    @property
    def is_loose(self) -> bool:
        """Whether it lets the agent change things without asking."""
        if self.is_mode:
            return lets_act(self.now)
        return is_about_asking(f"{self.id} {self.name}", self.now) is True

    @property
    def strict(self) -> str | None:
        """The value with which the agent asks, where it has one and does not ask now.

        One that says so by itself goes before one that lets the agent do nothing of the kind.
        """
        values = tuple(choice.value for choice in self.choices)
        if self.is_mode:
            return asking_mode(self.now, values)
        others = [value for value in values if not evolve(self, now=value).is_loose]
        return next(filter(asks, others), next(iter(others), None)) if self.is_loose else None

    def has(self, value: str) -> bool:
        """Whether that is one of its values."""
        return any(choice.value == value for choice in self.choices)

    def loosened_by(self, before: "Option | None") -> bool:
        """Whether the agent asks less with it than it did before."""
        if self.is_mode and before is not None:
            return is_looser(before.now, self.now)
        return self.is_loose and (before is None or not before.is_loose)

    @property
    def words(self) -> str:
        """What to say of it as it is now; the names in it cannot be taken for our words."""
        names = {choice.value: choice.name for choice in self.choices}
        name, value = quoted(self.name), quoted(names.get(self.now) or self.now)
        if self.is_mode:
            return f"in its own mode {value}" if self.now else "in a mode that cannot be read"
        return f"at {value if self.now else 'what cannot be read'} in its own {name}"


@frozen(kw_only=True)
class ReportedSettings:
    """The settings that an agent tells of."""

    options: tuple[Option, ...] = ()
    is_whole: bool = True
    """Whether each of them could be read, is there once, and fits."""


@frozen(kw_only=True)
class Heard:
    """What is known of the settings in a session."""

    modes: Option | None = None
    config: ReportedSettings = ReportedSettings()


def option_of_modes(modes: Modes) -> Option:
    """The modes of an agent as one setting."""
    choices = [Choice(value=mode.id, name=mode.name or mode.id) for mode in modes.available_modes]
    return Option(
        id="mode",
        name="Mode",
        kind="modes",
        is_mode=True,
        now=mode_in(modes.current_mode_id),
        choices=_fitting(choices),
    )


def mode_in(mode_id: object) -> str:
    """The id of a mode; nothing where it cannot be read."""
    return mode_id if isinstance(mode_id, str) and len(mode_id) <= _MAX_ID_LETTERS else ""


def options_in(reported: object) -> ReportedSettings:
    """The settings that are well formed, and whether there were others."""
    if not isinstance(reported, list):
        return ReportedSettings(is_whole=reported is None)
    options = [option for option in map(_option_in, reported[:_MAX_OPTIONS]) if option is not None]
    once = {option.id: option for option in options}
    return ReportedSettings(options=tuple(once.values()), is_whole=len(once) == len(reported))


def _option_in(reported: object) -> Option | None:
    if not isinstance(reported, dict):
        return None
    option_id, value = reported.get("id"), _value_in(reported.get("currentValue"))
    if not isinstance(option_id, str) or not 0 < len(option_id) <= _MAX_ID_LETTERS or value is None:
        return None
    name, is_boolean = reported.get("name"), isinstance(reported["currentValue"], bool)
    return Option(
        id=option_id,
        name=(name if isinstance(name, str) and name else option_id)[:_MAX_NAME_LETTERS],
        kind="boolean" if is_boolean else "select",
        is_mode=option_id == "mode" or reported.get("category") == "mode",
        now=value,
        choices=_BOOLEAN if is_boolean else _fitting(_choices_in(reported.get("options"))),
    )


def _value_in(value: Any) -> str | None:
    """A value in a text; None where it cannot be one."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) and len(value) <= _MAX_ID_LETTERS else None


def _choices_in(reported: object) -> list[Choice]:
    """The values, those in groups included."""
    choices: list[Choice] = []
    for choice in reported[:_MAX_CHOICES] if isinstance(reported, list) else []:
        if not isinstance(choice, dict):
            continue
        value, name = choice.get("value"), choice.get("name")
        if isinstance(value, str):
            choices.append(Choice(value=value, name=name if isinstance(name, str) else value))
        elif isinstance(choice.get("options"), list):
            choices += [] if "group" not in choice else _choices_in(choice["options"])
    return choices


def _fitting(choices: list[Choice]) -> tuple[Choice, ...]:
    """Those that can be chosen on the wire, with names that a menu holds."""
    kept = [choice for choice in choices if 0 < len(choice.value) <= _MAX_ID_LETTERS][:_MAX_CHOICES]
    return tuple(
        evolve(choice, name=(choice.name or choice.value)[:_MAX_NAME_LETTERS]) for choice in kept
    )
