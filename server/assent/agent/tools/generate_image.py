"""Asks a model for a picture, and writes it to a new file."""

from typing import Final

from pydantic import Field

from assent.agent.models.attachments import picture
from assent.agent.models.provider import ModelFailed
from assent.agent.tools.generated_files import Forms, back, form_of, kept, new_target
from assent.agent.tools.media_maker import Maker
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.gate.call.calls import Call, Effect
from assent.gate.call.errors import CallUnreadable

__all__ = ["GENERATE_IMAGE", "GenerateImage"]

_NONE: Final = "no model that makes pictures is set up; the person can add one to assent.models."
_MAX_DRAWN_BYTES: Final = 1_050_000
"""In bytes: a larger one is not drawn in a chat."""
_FORMS: Final = Forms(
    what="a picture",
    by_ending={
        ".png": ("png", lambda data: data.startswith(b"\x89PNG\r\n\x1a\n")),
        ".jpg": ("jpeg", lambda data: data.startswith(b"\xff\xd8\xff")),
        ".jpeg": ("jpeg", lambda data: data.startswith(b"\xff\xd8\xff")),
        ".webp": ("webp", lambda data: data[:4] == b"RIFF" and data[8:12] == b"WEBP"),
        ".gif": ("gif", lambda data: data.startswith((b"GIF87a", b"GIF89a"))),
    },
)


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


def _whom(bench: Bench) -> tuple[Maker, tuple[str, str]]:
    whom = bench.maker.whom("image") if bench.maker is not None else None
    if bench.maker is None or whom is None:
        raise CallUnreadable(_NONE)
    return bench.maker, whom


def _aim(arguments: GenerateImage, bench: Bench) -> Aim:
    _, (model, host) = _whom(bench)
    target = new_target(arguments.path, bench, _FORMS)
    return Aim(
        tool="write",
        effect=Effect.WRITE,
        input={**arguments.as_given(), "model": model, "host": host},
        targets=(target,),
        action="generateImage",
    )


async def _do(arguments: GenerateImage, call: Call, bench: Bench) -> Done:
    (target,) = call.targets
    judged = (str(call.input["model"]), str(call.input["host"]))
    try:
        maker, _ = _whom(bench)
        form = form_of(target, _FORMS)
        made = await maker.paint(judged, arguments.prompt, arguments.size, form)
    except (ModelFailed, CallUnreadable) as error:
        raise ToolFailed(f"No picture was made: {error}") from error
    new = await kept(made, target, _FORMS)
    shown = picture(made, target.shown) if len(made) <= _MAX_DRAWN_BYTES else None
    message = f"Created {target.shown} ({len(made):,} bytes)."
    return Done(text=message, new=new, unseen=() if shown is None else (shown,))


GENERATE_IMAGE: Final = Tool(
    name="generate_image",
    effect=Effect.WRITE,
    says="Have a model make a picture of what you describe, and write it to a new file.",
    arguments=GenerateImage,
    aim=_aim,
    do=_do,
    back=back,
)
