"""The settings that an agent keeps itself, its own mode among them, and how they let it ask less.

What they are called is the agent's word. Whatever it makes of them by itself, the person sees; a
looser one is said at once, unless the gate's hook holds the agent whatever its settings are.
"""

from collections.abc import Callable
from typing import Any, Final

from attrs import define, evolve, field, frozen

from assent.acp.modes import asking_mode, is_about_asking, is_looser, lets_act
from assent.acp.peer import Peer
from assent.acp.shapes import Modes
from assent.acp.wording import quoted
from assent.history.agentwords import Choice, Setting

__all__ = ["Option", "Options", "choose"]

_MOST: Final = 32
_MOST_CHOICES: Final = 200
_LONGEST_ID: Final = 128
_LONGEST_NAME: Final = 80
_MOST_WARNINGS: Final = 20
"""In one session; how it stands is shown all the same."""
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
    choices: tuple[Choice, ...]

    @property
    def is_loose(self) -> bool:
        """Whether it lets the agent change things without asking."""
        if self.is_mode:
            return lets_act(self.now)
        return is_about_asking(f"{self.id} {self.name}", self.now) is True

    @property
    def strict(self) -> str | None:
        """The value with which the agent asks, where it has one and does not ask now."""
        values = tuple(it.value for it in self.choices)
        if self.is_mode:
            return asking_mode(self.now, values)
        others = (it for it in values if not evolve(self, now=it).is_loose)
        return next(others, None) if self.is_loose else None

    def has(self, value: str) -> bool:
        """Whether that is one of its values."""
        return any(it.value == value for it in self.choices)

    def loosened_by(self, before: "Option | None") -> bool:
        """Whether the agent asks less with it than it did before."""
        if self.is_mode and before is not None:
            return is_looser(before.now, self.now)
        return self.is_loose and (before is None or not before.is_loose)

    @property
    def words(self) -> str:
        """What to say of it as it is now; the names in it cannot be taken for our words."""
        names = {it.value: it.name for it in self.choices}
        value = quoted(names.get(self.now) or self.now)
        name = quoted(self.name)
        return f"in its own mode {value}" if self.is_mode else f"at {value} in its own {name}"


@define(eq=False)
class Options:
    """Those of one session."""

    name: str
    """The agent's."""
    _tell: Callable[[tuple[Setting, ...], str], None]
    _warn: Callable[[str], None]
    is_held: bool = False
    """Whether the gate's hook holds the agent in every mode."""
    _modes: Option | None = None
    _config: tuple[Option, ...] = ()
    _wanted: set[tuple[str, str]] = field(factory=set)
    """What was asked for by the person, or by us, so that it is no news."""
    _warnings: int = 0

    @property
    def all(self) -> tuple[Option, ...]:
        """Each of them once; some agents tell of their modes in two ways."""
        if self._modes is None or any(it.is_mode for it in self._config):
            return self._config
        return (self._modes, *self._config)

    @property
    def loose(self) -> str:
        """How they let the agent ask less, in a sentence; nothing where they do not."""
        if self.is_held:
            return ""
        both = (*(it for it in (self._modes,) if it), *self._config)
        found = next((it for it in both if it.is_loose), None)
        return "" if found is None else f"{self.name} is {found.words}, so it may ask less."

    def find(self, option_id: str) -> Option | None:
        """The setting of that id."""
        return next((it for it in self.all if it.id == option_id), None)

    def begin(self, modes: Modes | None, config: object) -> None:
        """The session begins with these."""
        self._modes = None if modes is None else _of_modes(modes)
        self._config = _options_in(config)
        self.tell()

    def mode_is(self, mode: object) -> None:
        """The agent is in this mode of its own now."""
        if not isinstance(mode, str) or len(mode) > _LONGEST_ID:
            return
        before = self._modes
        known = before or Option(
            id="mode", name="Mode", kind="modes", is_mode=True, now="", choices=()
        )
        self._modes = evolve(known, now=mode)
        # Some agents tell of their modes in two ways, and of a change in one of them.
        self._config = tuple(
            evolve(it, now=mode) if it.is_mode and it.has(mode) else it for it in self._config
        )
        self._changed(before, self._modes)
        self.tell()

    def config_is(self, told: object) -> None:
        """The agent's own settings are these now."""
        before = {it.id: it for it in self._config}
        self._config = _options_in(told)
        for option in self._config:
            self._changed(before.get(option.id), option)
            if option.is_mode and self._modes is not None and self._modes.has(option.now):
                self._modes = evolve(self._modes, now=option.now)
        self.tell()

    def tell(self) -> None:
        """Tell how they stand."""
        settings = tuple(
            Setting(id=it.id, name=it.name, now=it.now, choices=it.choices) for it in self.all
        )
        self._tell(settings, self.loose)

    async def set(self, peer: Peer, session_id: str, option: Option, value: str) -> None:
        """Have the agent take a value; raise where it does not."""
        wanted = (option.id, value)
        self._wanted.add(wanted)
        try:
            told = await choose(peer, session_id, option, value)
            if option.kind == "modes":
                self.mode_is(value)
            elif told is not None:
                self.config_is(told)
        finally:
            self._wanted.discard(wanted)

    def _changed(self, before: Option | None, now: Option) -> None:
        is_news = (now.id, now.now) not in self._wanted
        if not is_news or not now.loosened_by(before) or self._warnings >= _MOST_WARNINGS:
            return
        self._warnings += 1
        self._warn(f"{self.name} is now {now.words}, so it may ask less.")


async def choose(peer: Peer, session_id: str, option: Option, value: str) -> object:
    """Ask an agent to take a value; what it says of all its settings then, where it says it."""
    asked: dict[str, Any] = {"sessionId": session_id}
    if option.kind == "modes":
        await peer.ask("session/set_mode", {**asked, "modeId": value})
        return None
    asked |= {"configId": option.id, "value": value}
    if option.kind == "boolean":
        asked |= {"type": "boolean", "value": value == "true"}
    result = await peer.ask("session/set_config_option", asked)
    return result.get("configOptions") if isinstance(result, dict) else None


def _of_modes(modes: Modes) -> Option:
    choices = [Choice(value=it.id, name=it.name or it.id) for it in modes.available_modes]
    return Option(
        id="mode",
        name="Mode",
        kind="modes",
        is_mode=True,
        now=modes.current_mode_id,
        choices=_fitting(choices),
    )


def _options_in(told: object) -> tuple[Option, ...]:
    """The settings that are well formed; one that nobody can read is left out."""
    found = [_option_in(it) for it in told[:_MOST]] if isinstance(told, list) else []
    return tuple({it.id: it for it in found if it is not None}.values())


def _option_in(told: object) -> Option | None:
    if not isinstance(told, dict):
        return None
    option_id, now = told.get("id"), told.get("currentValue")
    is_boolean = isinstance(now, bool)
    value = ("true" if now else "false") if is_boolean else now
    if not isinstance(option_id, str) or not 0 < len(option_id) <= _LONGEST_ID:
        return None
    if not isinstance(value, str) or len(value) > _LONGEST_ID:
        return None
    name = told.get("name")
    return Option(
        id=option_id,
        name=(name if isinstance(name, str) and name else option_id)[:_LONGEST_NAME],
        kind="boolean" if is_boolean else "select",
        is_mode="mode" in {told.get("category"), option_id},
        now=value,
        choices=_BOOLEAN if is_boolean else _fitting(_choices_in(told.get("options"))),
    )


def _choices_in(told: object) -> list[Choice]:
    """The values, those in groups included."""
    found: list[Choice] = []
    for it in told[:_MOST_CHOICES] if isinstance(told, list) else []:
        if not isinstance(it, dict):
            continue
        value, name = it.get("value"), it.get("name")
        if isinstance(value, str):
            found.append(Choice(value=value, name=name if isinstance(name, str) else value))
        elif isinstance(it.get("options"), list):
            found += [] if "group" not in it else _choices_in(it["options"])
    return found


def _fitting(choices: list[Choice]) -> tuple[Choice, ...]:
    """Those that can be chosen on the wire, with names that a menu holds."""
    kept = [it for it in choices if 0 < len(it.value) <= _LONGEST_ID][:_MOST_CHOICES]
    return tuple(evolve(it, name=(it.name or it.value)[:_LONGEST_NAME]) for it in kept)
