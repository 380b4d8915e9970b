"""`assent.hooks`: what is run around each call. A workspace's are wishes."""

from collections.abc import Iterator
from typing import Final

from pydantic import ValidationError

from assent.gate.settings.claims import Claims, hooks_wish
from assent.gate.settings.complaints import Complaints
from assent.gate.settings.hook_entries import HookEntry, HookEvent
from assent.gate.settings.layers import Layer, said
from assent.gate.settings.shapes import HookSetting
from assent.gate.values import frozen

__all__ = ["Hooked", "hooks_of"]

KEY: Final = "hooks"
MAX_HOOKS: Final = 20
_MAX_NAME_LETTERS: Final = 40


@frozen(kw_only=True)
class Hooked:
    """The hooks that hold."""

    hooks: tuple[HookEntry, ...] = ()
    unclear: bool = False
    """Whether one of the person's own could not be understood: it might have denied anything."""


def hooks_of(keys: object, claims: Claims, complaints: Complaints) -> Hooked:
    """The user's hooks, and those of the workspace that a person has agreed to, to the letter."""
    hooks: dict[HookEntry, None] = {}
    unclear = False
    for layer, value in said(keys, KEY).items():
        hook_entries = list(_hooks(layer, value, complaints))
        unclear = unclear or (layer is Layer.USER and None in hook_entries)
        wanted = [
            hook_entry
            for hook_entry in hook_entries
            if hook_entry is not None and hook_entry not in hooks
        ]
        if layer is Layer.USER or (
            wanted and claims.holds(hooks_wish(list(map(_describe_hook, wanted))))
        ):
            hooks.update(dict.fromkeys(wanted))
    return Hooked(hooks=tuple(hooks), unclear=unclear)


def _hooks(layer: Layer, value: object, complaints: Complaints) -> Iterator[HookEntry | None]:
    """Each hook of a layer; None for one that cannot be understood."""
    if not isinstance(value, list) or len(value) > MAX_HOOKS:
        sentence = f"assent.{KEY} in {layer.words!s} could not be understood, so it adds no hook."
        complaints.refuse(layer.value, (KEY,), sentence)
        yield None
        return
    for index, given in enumerate(value):
        try:
            yield _entry(HookSetting.model_validate(given))
        except ValidationError:
            sentence = (
                f"Hook {index + 1} in assent.{KEY} of {layer.words!s} could not be understood, so"
                " it is not run."
            )
            complaints.refuse(layer.value, (KEY, index), sentence)
            yield None


def _entry(setting: HookSetting) -> HookEntry:
    return HookEntry(
        event=HookEvent(setting.event),
        command=setting.command,
        name=setting.name or setting.command[:_MAX_NAME_LETTERS],
        tools=tuple(setting.tools),
        seconds=setting.seconds,
    )


def _describe_hook(hook: HookEntry) -> str:
    """All that a person agrees to with a hook."""
    about = f" for {', '.join(hook.tools)}" if hook.tools else ""
    return f"{hook.event}{about}, {hook.seconds:g} s: {hook.command}"
