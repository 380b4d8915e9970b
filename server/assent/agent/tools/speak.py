"""Speaks a text with a model or espeak-ng, and writes the sound to a new file.

The text is given to the program as its input, so that nothing of it can be taken for an option.
"""

import asyncio
import re
from typing import Any, Final

from pydantic import Field

from assent.agent.models.media_requests import MAX_MEDIA_BYTES
from assent.agent.models.provider import ModelFailed
from assent.agent.tools.generated_files import (
    Forms,
    back,
    form_of,
    kept,
    new_target,
    program_for,
    wave,
)
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.agent.tools.tool_programs import running
from assent.gate.call.calls import Call, Effect
from assent.gate.call.errors import CallUnreadable
from assent.gate.text.sounds import sound_in

__all__ = ["SPEAK", "Speak"]

_NONE: Final = (
    "nothing that speaks is set up; the person can add a model to assent.models, or install"
    " espeak-ng."
)
_FORMS: Final = Forms(
    what="a sound",
    by_ending={
        ".wav": ("wav", lambda data: sound_in(data) == "audio/wav"),
        ".mp3": ("mp3", lambda data: sound_in(data) == "audio/mpeg"),
        ".ogg": ("opus", lambda data: sound_in(data) == "audio/ogg"),
        ".flac": ("flac", lambda data: sound_in(data) == "audio/flac"),
    },
)
_VOICE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]*")
"""A voice of the program: a name, and no file."""
_SPEAK_TIMEOUT_S: Final = 60.0
"""In seconds: it speaks much faster than a person."""
_MAX_ERROR_BYTES: Final = 300


class Speak(Arguments):
    """What is to be heard, and where it is written."""

    text: str = Field(min_length=1, max_length=4_096, description="What is to be said.")
    path: str = Field(
        min_length=1,
        max_length=4_096,
        description="The new file: .wav, .mp3, .ogg or .flac.",
    )
    voice: str | None = Field(
        default=None,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.:+()-]{0,63}$",
        description="Such as alloy, or en-us for espeak-ng; the usual one if left out.",
    )


def _by_whom(bench: Bench) -> dict[str, Any]:
    whom = bench.maker.whom("speech") if bench.maker is not None else None
    if whom is not None:
        return {"model": whom[0], "host": whom[1]}
    program = program_for(bench.places())
    if program is None:
        raise CallUnreadable(_NONE)
    return {"program": program}


def _aim(arguments: Speak, bench: Bench) -> Aim:
    whom = _by_whom(bench)
    target = new_target(arguments.path, bench, _FORMS)
    if "program" in whom:
        _check(arguments, form_of(target, _FORMS))
    return Aim(
        tool="write",
        effect=Effect.WRITE,
        input={**arguments.as_given(), **whom},
        targets=(target,),
        action="speak",
    )


def _check(arguments: Speak, form: str) -> None:
    if form != "wav":
        raise CallUnreadable("espeak-ng, which speaks here, writes .wav alone.")
    if arguments.voice is not None and not _VOICE.fullmatch(arguments.voice):
        raise CallUnreadable("a voice of espeak-ng is a name such as en-us.")


async def _do(arguments: Speak, call: Call, bench: Bench) -> Done:
    (target,) = call.targets
    if not _is_as_judged(call, bench):
        raise ToolFailed("Nothing was spoken: what speaks is another since this was judged.")
    try:
        made = await _spoken(arguments, call, bench)
    except ModelFailed as error:
        raise ToolFailed(f"Nothing was spoken: {error}") from error
    new = await kept(made, target, _FORMS)
    return Done(text=f"Created {target.shown} ({len(made):,} bytes).", new=new)


def _is_as_judged(call: Call, bench: Bench) -> bool:
    try:
        return back(call.input) | _by_whom(bench) == call.input
    except CallUnreadable:
        return False


async def _spoken(arguments: Speak, call: Call, bench: Bench) -> bytes:
    if bench.maker is None or "program" in call.input:
        return await _by_program(str(call.input["program"]), arguments)
    judged = (str(call.input["model"]), str(call.input["host"]))
    form = form_of(call.targets[0], _FORMS)
    return await bench.maker.speak(judged, arguments.text, arguments.voice, form)


async def _by_program(program: str, arguments: Speak) -> bytes:
    """What espeak-ng says of the text."""
    options = ["--stdin", "--stdout", "-b", "1"]
    options += [] if arguments.voice is None else ["-v", arguments.voice]
    given = arguments.text.encode("utf-8", "replace")
    try:
        async with (
            asyncio.timeout(_SPEAK_TIMEOUT_S),
            running(program, *options, given=given, what="Speech") as process,
        ):
            assert process.stdout is not None  # noqa: S101 -- it was started with a pipe
            assert process.stderr is not None  # noqa: S101 -- as above
            made = await _read(process.stdout)
            if len(made) <= MAX_MEDIA_BYTES and await process.wait() != 0:
                why = (
                    (await process.stderr.read(_MAX_ERROR_BYTES)).decode("utf-8", "replace").strip()
                )
                raise ToolFailed(f"Nothing was spoken: {why or 'espeak-ng failed.'}")
    except TimeoutError as error:
        raise ToolFailed("Nothing was spoken: espeak-ng took too long.") from error
    return wave(made)


async def _read(pipe: asyncio.StreamReader) -> bytes:
    """All that comes, or more than is taken."""
    made = bytearray()
    while len(made) <= MAX_MEDIA_BYTES and (more := await pipe.read(65_536)):
        made += more
    return bytes(made)


SPEAK: Final = Tool(
    name="speak",
    effect=Effect.WRITE,
    says="Have a text spoken, and write the sound to a new file.",
    arguments=Speak,
    aim=_aim,
    do=_do,
    back=back,
)
