"""Turns what agents tell of themselves into the shapes of the wire.

Their words become labels: one line in which nothing is hidden, and which is cut where it is long.
"""

from typing import Final

from assent.cards.spans import line, text_of
from assent.history import agentwords
from assent.protocol import agents

__all__ = ["commands_shape", "label", "picture_shape", "settings_shape"]

_TITLE: Final = 60
_NAME: Final = 80
_SAYS: Final = 200
_ALL: Final = 32 * 1024
"""In characters: all commands, or all settings; those behind it are left out."""


def label(text: str, most: int = _TITLE) -> str:
    """An agent's words in one line, with what could not be seen in them drawn."""
    words = " ".join(text[: 4 * most].split())
    cut = words[:most] + ("…" if len(words) > most else "")
    return text_of(line(cut))


def commands_shape(told: agentwords.CommandsTold) -> tuple[agents.AgentCommand, ...]:
    """What can be said with a slash; a name with something unseen in it is none to be said."""
    shapes = (
        agents.AgentCommand(name=it.name, says=label(it.says, _SAYS), hint=label(it.hint, _NAME))
        for it in told.commands
        if label(it.name, _NAME) == it.name
    )
    left, kept = _ALL, []
    for shape in shapes:
        left -= len(shape.name) + len(shape.says) + len(shape.hint)
        if left < 0:
            break
        kept.append(shape)
    return tuple(kept)


def settings_shape(told: agentwords.OptionsTold) -> tuple[agents.AgentSetting, ...]:
    """The settings that an agent keeps itself."""
    left, kept = _ALL, []
    for it in told.settings:
        choices = [agents.AgentChoice(value=one.value, name=label(one.name)) for one in it.choices]
        left -= sum(len(one.value) + len(one.name) for one in choices)
        if left < 0:
            break
        setting = agents.AgentSetting(id=it.id, name=label(it.name), now=it.now, choices=choices)
        kept.append(setting)
    return tuple(kept)


def picture_shape(told: agentwords.Pictured) -> agents.Picture:
    """A picture, whose bounds were looked at where it came from."""
    image = told.image
    return agents.Picture(
        mime=image.mime,  # type: ignore[arg-type]  # one of the three by `contents`
        data=image.data,
        width=image.width,
        height=image.height,
        call_id=told.call,
        is_own=told.is_own,
    )
