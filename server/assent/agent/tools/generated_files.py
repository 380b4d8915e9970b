"""Shared by the tools that generate a file, with a model or a program of this machine.

What is judged is the write of that file. The words that it is made of, and whom they are sent to,
are part of the call, so that they stand on its card and are bound by its digest.
"""

import asyncio
import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from assent.agent.models.media_requests import MAX_MEDIA_BYTES
from assent.agent.tools.file_writes import create, take_back
from assent.agent.tools.media_maker import Maker
from assent.agent.tools.tool import Bench, NewFile, ToolFailed
from assent.gate.call.calls import Target
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.places import Places
from assent.gate.values import frozen

__all__ = ["Forms", "back", "form_of", "kept", "new_target", "program_for", "unset_makers", "wave"]

_PROGRAM: Final = "espeak-ng"
_TOLD: Final = frozenset({"host", "model", "program"})
"""What stands in the input beside the arguments."""
_OF_KIND: Final = {"image": "generate_image", "speech": "speak"}
_WAVE, _SIZES = b"RIFF", {4: 8, 40: 44}
"""Where a wave file says how long it is, and from where on that counts."""


@frozen(kw_only=True)
class Forms:
    """The forms that a file may have, by how its name ends."""

    what: str
    """Such as `a picture`."""
    by_ending: Mapping[str, tuple[str, Callable[[bytes], bool]]]
    """What a host calls the form, and how its bytes begin."""


def unset_makers(maker: Maker | None, places: Places) -> set[str]:
    """The tools that nothing is set up for."""
    unset = {tool for kind, tool in _OF_KIND.items() if maker is None or maker.whom(kind) is None}
    return unset - {_OF_KIND["speech"]} if program_for(places) else unset


def program_for(places: Places) -> str | None:
    """The program that speaks; one that lies in the workspace is none."""
    return places.executables.find(_PROGRAM)


def new_target(path: str, bench: Bench, forms: Forms) -> Target:
    """The file that is to be made, where there is none; raises `CallUnreadable`."""
    target = bench.places().locate(path, bench.cwd)
    if _ending(target) not in forms.by_ending:
        names = ", ".join(forms.by_ending)
        raise CallUnreadable(f"the name of {forms.what} ends with one of {names}.")
    if os.path.lexists(target.resolved) or bench.buffers.at(target.resolved) is not None:
        why = f"{target.shown} exists already; {forms.what} is written to a new file."
        raise CallUnreadable(why)
    return target


def form_of(target: Target, forms: Forms) -> str:
    """What a host calls the form of this file."""
    return forms.by_ending[_ending(target)][0]


def back(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments in the input of a call."""
    return {name: value for name, value in given.items() if name not in _TOLD}


async def kept(made: bytes, target: Target, forms: Forms) -> NewFile:
    """Write what was made, if it is what the file's name says; raises `ToolFailed`."""
    form, fits = forms.by_ending[_ending(target)]
    if len(made) > MAX_MEDIA_BYTES:
        raise ToolFailed("What came back is larger than 32 MiB, so it was not written.")
    if not fits(made):
        raise ToolFailed(
            f"What came back is no {form.upper()}, as {target.shown} says by its name, so it was"
            " not written. Another ending may fit this model."
        )
    # It may be long, and others are waiting.
    digest = await asyncio.to_thread(lambda: hashlib.sha256(made).hexdigest())
    new = NewFile(path=target.resolved, shown=target.shown, size=len(made), digest=digest)
    await _written(new, made)
    return new


async def _written(new: NewFile, made: bytes) -> None:
    """Write a new file aside from the loop; of a call that is stopped meanwhile nothing stays."""
    writing = asyncio.get_running_loop().run_in_executor(None, create, new, made)
    try:
        await asyncio.shield(writing)
    except asyncio.CancelledError:
        # No thread can be stopped.
        await asyncio.wait([writing])
        if writing.exception() is None:
            with suppress(ToolFailed):
                await asyncio.to_thread(take_back, new)
        raise


def wave(made: bytes) -> bytes:
    """A wave file that was told while nobody knew how long it would be, with its length."""
    if not made.startswith(_WAVE) or made[36:40] != b"data":
        return made
    sized = bytearray(made)
    for at, start in _SIZES.items():
        sized[at : at + 4] = (len(made) - start).to_bytes(4, "little")
    return bytes(sized)


def _ending(target: Target) -> str:
    return os.path.splitext(target.resolved)[1].lower()  # noqa: PTH122 -- a string in, a string out
