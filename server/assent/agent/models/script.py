"""The script of a scripted model: replies, each a list of steps, from JSON or one per line.

    [
      [{"think": "Let me look."}, {"call": "read_file", "arguments": {"path": "README.md"}}],
      {"when": "no such file", "steps": [{"text": "It is not there."}]},
      [{"text": "I have read it.", "pieces": 3}, {"usage": [120, 8]}]
    ]

`when` is a part of the last turn that its reply waits for. `pieces` is in how many parts a text,
a thought or the arguments of a call come. `pause` lets everybody else go on for so many turns of
the loop; a script knows no seconds.
"""

import json
from typing import Annotated, Any, Final, Literal

import pydantic

from assent.agent.models.provider import ModelFailed

__all__ = [
    "Called",
    "Counted",
    "Failed",
    "Paused",
    "Reply",
    "Spoken",
    "Step",
    "Stop",
    "Thought",
    "script_of",
]


class _Strict(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(defer_build=True, extra="forbid", frozen=True, strict=True)


_Pieces = Annotated[int, pydantic.Field(ge=1)]


class Spoken(_Strict):
    """Text."""

    text: str
    pieces: _Pieces = 1


class Thought(_Strict):
    """A thought, perhaps sealed or hidden."""

    think: str
    seal: str = ""
    hidden: str = ""
    pieces: _Pieces = 1


class Called(_Strict):
    """A call; arguments that are text are taken as they are, valid or not."""

    call: str
    arguments: dict[str, Any] | str | None = None
    id: str | None = None
    pieces: _Pieces = 1

    @property
    def written(self) -> str:
        """The arguments as text."""
        if isinstance(self.arguments, str):
            return self.arguments
        return json.dumps(self.arguments or {}, ensure_ascii=False)


class Paused(_Strict):
    """Nothing, for so many turns of the loop."""

    pause: Annotated[int, pydantic.Field(ge=1)]


class Counted(_Strict):
    """How many tokens went in and came out."""

    usage: Annotated[list[int], pydantic.Field(min_length=2, max_length=2)]


class Stop(_Strict):
    """Why the reply ends, where that is not plain."""

    stop: Literal["done", "calls", "length", "refused"]


class Failed(_Strict):
    """The model fails here, in these words; of kind `full` where it can read no more."""

    error: str
    kind: str = ""


Step = Spoken | Thought | Called | Paused | Counted | Stop | Failed


class Reply(_Strict):
    """One reply."""

    steps: tuple[Step, ...]
    when: str = ""


_REPLY: Final = pydantic.TypeAdapter(Reply)


def script_of(text: str, name: str) -> list[Reply]:
    """The replies of a script; raises `ModelFailed` with the place of what is wrong."""
    try:
        parsed = _parsed(text)
    except ValueError as error:
        raise ModelFailed(f"The script {name} is no JSON: {error}.") from None
    if not isinstance(parsed, list):
        raise ModelFailed(f"The script {name} is no list of replies.")
    return [_reply(reply, number, name) for number, reply in enumerate(parsed, start=1)]


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        # A broken script of many lines is told of as what it seems to be.
        if len(lines) < 2 or lines[0].strip() in {"[", "{"}:  # noqa: PLR2004 -- one line is no list
            raise
        return [json.loads(line) for line in lines]


def _reply(reply: Any, number: int, name: str) -> Reply:
    whole = {"steps": reply} if isinstance(reply, list) else reply
    try:
        # Tuples are lists in JSON, which only JSON may say to a strict shape.
        return _REPLY.validate_json(json.dumps(whole))
    except pydantic.ValidationError as error:
        place = error.errors()[0]["loc"]
        step = f"step {place[1] + 1} of " if len(place) > 1 and isinstance(place[1], int) else ""
        raise ModelFailed(
            f"In the script {name}, {step}reply {number} is not as replies are."
        ) from None
