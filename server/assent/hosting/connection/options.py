"""The settings that an agent keeps itself, its mode among them, and how they let it ask less.

What they are called is the agent's word. Whatever it makes of them by itself, the person sees; a
looser one is said at once, unless the gate's hook holds the agent whatever its settings are.
"""

from collections.abc import Callable
from typing import Any, Final

from assent.gate.journal.agent_events import Setting
from assent.gate.values import define, evolve, field
from assent.hosting.connection.option import (
    Heard,
    Option,
    ReportedSettings,
    mode_in,
    option_of_modes,
    options_in,
)
from assent.hosting.connection.peer import Peer
from assent.hosting.connection.shapes import Modes

__all__ = ["Options", "choose"]

_MAX_WARNINGS: Final = 20
"""In one session; how it stands is shown all the same."""
_UNREAD: Final = "{} has a setting of its own that cannot be read, so it may ask less."


@define(eq=False)
class Options:
    """Those of one session."""

    name: str
    """The agent's."""
    _tell: Callable[[tuple[Setting, ...], str], None]
    _warn: Callable[[str], None]
    is_held: bool = False
    """Whether the gate's hook holds the agent in every mode."""
    heard: Heard = field(factory=Heard)
    _wanted: set[tuple[str, str]] = field(factory=set)
    """What was asked for by the person, or by us, so that it is no news."""
    _warnings: int = 0

    @property
    def all(self) -> tuple[Option, ...]:
        """Each of them once; some agents tell of their modes in two ways."""
        if self._modes is None or any(option.is_mode for option in self._own):
            return self._own
        return (self._modes, *self._own)

    @property
    def loose(self) -> str:
        """How they let the agent ask less, in a sentence; nothing where they do not."""
        if self.is_held:
            return ""
        both = (*(option for option in (self._modes,) if option), *self._own)
        loose_option = next((option for option in both if option.is_loose), None)
        if loose_option is not None:
            return f"{self.name} is {loose_option.words}, so it may ask less."
        return "" if self.heard.config.is_whole else _UNREAD.format(self.name)

    @property
    def _own(self) -> tuple[Option, ...]:
        return self.heard.config.options

    @property
    def _modes(self) -> Option | None:
        return self.heard.modes

    def find(self, option_id: str) -> Option | None:
        """The setting of that id."""
        return next((option for option in self.all if option.id == option_id), None)

    def begin(self, modes: Modes | None, config: object) -> None:
        """A new session begins with these."""
        self.heard = Heard()
        self.go_on(modes, config)

    def go_on(self, modes: Modes | None, config: object) -> None:
        """A session goes on with these; what it says nothing of is as it was heard before."""
        if modes is not None:
            self.heard = evolve(self.heard, modes=option_of_modes(modes))
        if config is not None:
            self._take(config)
        self.tell()

    def mode_is(self, mode_id: object) -> None:
        """The agent is in this mode of its own now; in any where that cannot be read."""
        mode, before = mode_in(mode_id), self._modes
        now = evolve(before or option_of_modes(Modes()), now=mode)
        # Some agents tell of their modes in two ways, and of a change in one of them.
        both = (
            evolve(option, now=mode) if option.is_mode and option.has(mode) else option
            for option in self._own
        )
        config = evolve(self.heard.config, options=tuple(both))
        self.heard = Heard(modes=now, config=config)
        self._changed(before, now)
        self.tell()

    def config_is(self, reported: object) -> None:
        """The agent's own settings are these now."""
        before, was_whole = (
            {setting.id: setting for setting in self._own},
            self.heard.config.is_whole,
        )
        self._take(reported)
        for option in self._own:
            self._changed(before.get(option.id), option)
            if option.is_mode and self._modes is not None and self._modes.has(option.now):
                self.heard = evolve(self.heard, modes=evolve(self._modes, now=option.now))
        if was_whole and not self.heard.config.is_whole:
            self._say(_UNREAD.format(self.name))
        self.tell()

    def tell(self) -> None:
        """Tell how they stand."""
        settings = tuple(
            Setting(id=option.id, name=option.name, now=option.now, choices=option.choices)
            for option in self.all
        )
        self._tell(settings, self.loose)

    async def set(self, peer: Peer, session_id: str, option: Option, value: str) -> None:
        """Have the agent take a value; raise where it does not."""
        wanted = (option.id, value)
        self._wanted.add(wanted)
        try:
            reported = await choose(peer, session_id, option, value)
            if option.kind == "modes":
                self.mode_is(value)
            elif reported is not None:
                self.config_is(reported)
        finally:
            self._wanted.discard(wanted)

    def _changed(self, before: Option | None, now: Option) -> None:
        is_news = (now.id, now.now) not in self._wanted
        if is_news and now.loosened_by(before):
            self._say(f"{self.name} is now {now.words}, so it may ask less.")

    def _say(self, warning: str) -> None:
        self._warnings += 1
        if self._warnings <= _MAX_WARNINGS:
            self._warn(warning)

    def _take(self, config: object) -> None:
        """Take in what is told; what cannot be read at all says nothing of what was heard."""
        options = options_in(config)
        kept = options.options if isinstance(config, list) else self._own
        read = ReportedSettings(options=kept, is_whole=options.is_whole and config is not None)
        self.heard = evolve(self.heard, config=read)


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
