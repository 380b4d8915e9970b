"""Translates what agents report about themselves into the shapes of the wire.

Their words become labels: one line in which nothing is hidden, and which is cut where it is long.
"""

from bisect import bisect_left
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final, TypeVar

from assent.editor.cards.spans import line, plain, text_of
from assent.editor.lsp.wire import written
from assent.editor.protocol import agents
from assent.editor.protocol.card import Span
from assent.editor.protocol.shapes import Shape
from assent.editor.window.chats.cut_to_size import cut_line
from assent.gate.journal import agent_events

__all__ = [
    "commands_shape",
    "draft_shape",
    "label",
    "log_in_shape",
    "picture_shape",
    "settings_shape",
    "sound_shape",
]

AnyShape = TypeVar("AnyShape", bound=Shape)

_MAX_TITLE_LETTERS: Final = 60
_MAX_NAME_LETTERS: Final = 80
_MAX_DESCRIPTION_LETTERS: Final = 200
_MAX_PATH_LETTERS: Final = 120
"""In characters, as it is drawn: of a longer path the end is told."""
_QUOTES: Final = str.maketrans("“”", '""')
"""So that nothing ends the quotes in which it is shown."""
_MAX_LIST_BYTES: Final = 32 * 1024
"""In bytes, as they are written: all commands, or all settings; those behind it are left out."""


def label(text: str, most: int = _MAX_TITLE_LETTERS) -> str:
    """An agent's words in one line, with what could not be seen in them drawn."""
    words = " ".join(text[: 4 * most].split())
    cut = words[:most] + ("…" if len(words) > most else "")
    return text_of(line(cut))


def draft_shape(event: agent_events.Drafted) -> tuple[Span, ...]:
    """A call that is still being written: our sentence, and a path that is code."""
    if not event.what:
        return ()
    path = _end_of(event.path)
    before, so_far = f"proposes {label(event.what)}", f" … {event.size // 1_000} kB so far"
    return (*plain(f"{before} " if path else before), *path, *plain(so_far))


def _end_of(path: str) -> list[Span]:
    """The end of a path, of which nothing is hidden."""
    end = path[-_MAX_PATH_LETTERS:]

    def fits(start: int) -> bool:
        return len(text_of(line(end[start:]))) <= _MAX_PATH_LETTERS

    end = end[bisect_left(range(len(end)), True, key=fits) :]
    return line(end) if end == path else [*plain("…"), *line(end)]


def commands_shape(event: agent_events.CommandsTold) -> tuple[agents.AgentCommand, ...]:
    """What can be said with a slash; a name with something unseen in it is none to be said."""
    shapes = (
        agents.AgentCommand(
            name=command.name,
            says=label(command.says, _MAX_DESCRIPTION_LETTERS),
            hint=label(command.hint, _MAX_NAME_LETTERS),
        )
        for command in event.commands
        if label(command.name, _MAX_NAME_LETTERS) == command.name
    )
    return _first(shapes)


def settings_shape(event: agent_events.OptionsTold) -> tuple[agents.AgentSetting, ...]:
    """The settings that an agent keeps itself."""
    return _first(
        agents.AgentSetting(
            id=setting.id,
            name=label(setting.name),
            now=setting.now,
            choices=[
                agents.AgentChoice(value=choice.value, name=label(choice.name))
                for choice in setting.choices
            ],
        )
        for setting in event.settings
    )


def log_in_shape(event: agent_events.LogInTold) -> agents.LogIn | None:
    """How one can log in to an agent; nothing where nobody needs to."""
    if not event.ways:
        return None
    ways = _first(
        agents.LogInWay(
            id=way.id,
            kind=way.kind,  # type: ignore[arg-type]  # one of the three by `login`
            name=label(way.name).translate(_QUOTES) or way.kind,
            says=label(way.says, _MAX_DESCRIPTION_LETTERS).translate(_QUOTES),
            variables=list(way.variables),
            args=[label(arg, _MAX_DESCRIPTION_LETTERS) for arg in way.args],
        )
        for way in event.ways
    )
    busy = event.busy if event.busy in {way.id for way in ways} else ""
    return agents.LogIn(ways=list(ways), because=cut_line(event.because), busy=busy)


def _first(shapes: Iterable[AnyShape]) -> tuple[AnyShape, ...]:
    """As many as are kept of a chat."""
    left, kept = _MAX_LIST_BYTES, []
    for shape in shapes:
        left -= len(written(shape))
        if left < 0:
            break
        kept.append(shape)
    return tuple(kept)


def picture_shape(event: agent_events.Pictured) -> agents.Picture:
    """A picture, whose bounds were looked at where it came from."""
    image = event.image
    return agents.Picture(
        mime=image.mime,  # type: ignore[arg-type]  # one of the four by `text.pictures`
        data=image.data,
        width=image.width,
        height=image.height,
        moves=image.moves,
        uri=PurePath(event.path).as_uri() if PurePath(event.path).is_absolute() else "",
        call_id=event.call,
        is_own=event.is_own,
    )


def sound_shape(event: agent_events.Sounded) -> agents.Sound:
    """A sound, whose bounds were looked at where it came from."""
    sound = event.sound
    return agents.Sound(
        mime=sound.mime,  # type: ignore[arg-type]  # one of the four by `text.sounds`
        data=sound.data,
        call_id=event.call,
    )
