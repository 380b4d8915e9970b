"""Has a model make a picture, and writes it to a new file.

What is judged is the write of that file. The words of the picture and the host that they are sent
to are part of the call, so that they stand on its card and are bound by its digest.
"""

import os
from collections.abc import Callable
from typing import Any, Final

from pydantic import Field

from assent.calls import Call, Effect, Target
from assent.errors import CallUnreadable
from assent.providers.painting import LARGEST
from assent.providers.provider import ModelFailed
from assent.tools.tool import Aim, Arguments, Bench, Done, Painter, Tool, ToolFailed
from assent.tools.writing import create

__all__ = ["GENERATE_IMAGE", "GenerateImage"]

_NONE: Final = "no model that makes pictures is set up; the person can add one to assent.models."
_FORMS: Final[dict[str, tuple[str, Callable[[bytes], bool]]]] = {
    ".png": ("png", lambda it: it.startswith(b"\x89PNG\r\n\x1a\n")),
    ".jpg": ("jpeg", lambda it: it.startswith(b"\xff\xd8\xff")),
    ".jpeg": ("jpeg", lambda it: it.startswith(b"\xff\xd8\xff")),
    ".webp": ("webp", lambda it: it[:4] == b"RIFF" and it[8:12] == b"WEBP"),
    ".gif": ("gif", lambda it: it.startswith((b"GIF87a", b"GIF89a"))),
}
"""What a host calls the form of a file, and how its bytes begin, by how its name ends."""
_TOLD: Final = frozenset({"host", "model"})
"""What stands in the input beside the arguments."""


class GenerateImage(Arguments):
    """What is to be seen, and where it is written."""

    prompt: str = Field(min_length=1, max_length=32_000, description="What is to be seen.")
    path: str = Field(
        min_length=1,
        max_length=4_096,
        description="The new file: .png, .jpg, .webp or .gif.",
    )
    size: str | None = Field(
        default=None,
        pattern=r"^(auto|[1-9][0-9]{1,3}x[1-9][0-9]{1,3})$",
        description="Such as 1024x1024; the model's own if left out.",
    )


def _painter(bench: Bench) -> Painter:
    if bench.painter is None or bench.painter.whom() is None:
        raise CallUnreadable(_NONE)
    return bench.painter


def _aim(arguments: GenerateImage, bench: Bench) -> Aim:
    model, host = _painter(bench).whom() or ("", "")
    target = bench.places().locate(arguments.path, bench.cwd)
    if _ending(target.resolved) not in _FORMS:
        raise CallUnreadable(f"the name of a picture ends with one of {', '.join(_FORMS)}.")
    if os.path.lexists(target.resolved) or bench.buffers.at(target.resolved) is not None:
        raise CallUnreadable(f"{target.shown} exists already; a picture is written to a new file.")
    return Aim(
        tool="write",
        effect=Effect.WRITE,
        input={**arguments.as_given(), "model": model, "host": host},
        targets=(target,),
        action="generateImage",
    )


def _ending(path: str) -> str:
    return os.path.splitext(path)[1].lower()  # noqa: PTH122 -- a string in, a string out


def _back(given: dict[str, Any]) -> object:
    return {name: it for name, it in given.items() if name not in _TOLD}


async def _do(arguments: GenerateImage, call: Call, bench: Bench) -> Done:
    (target,) = call.targets
    form, _ = _FORMS[_ending(target.resolved)]
    judged = (str(call.input["model"]), str(call.input["host"]))
    try:
        made = await _painter(bench).paint(judged, arguments.prompt, arguments.size, form)
    except (ModelFailed, CallUnreadable) as error:
        raise ToolFailed(f"No picture was made: {error}") from error
    _check(made, target)
    create(target.resolved, made, target.shown)
    return Done(text=f"Created {target.shown} ({len(made):,} bytes).")


def _check(made: bytes, target: Target) -> None:
    form, fits = _FORMS[_ending(target.resolved)]
    if len(made) > LARGEST:
        raise ToolFailed("The picture is larger than 32 MiB, so it was not written.")
    if not fits(made):
        raise ToolFailed(
            f"What came back is no {form.upper()}, as {target.shown} says by its name, so it was"
            " not written. Another ending may fit this model."
        )


GENERATE_IMAGE: Final = Tool(
    name="generate_image",
    effect=Effect.WRITE,
    says="Have a model make a picture of what you describe, and write it to a new file.",
    arguments=GenerateImage,
    aim=_aim,
    do=_do,
    back=_back,
)
