"""The editor's own models for our own agent, asked through the editor.

The editor keeps what their hosts want (a log-in, the person's leave), and hands on words, calls
and pictures alone: thoughts and counts of tokens stay with it.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from functools import partial
from typing import Final
from uuid import uuid4

from assent.agent.models.conversation import Answered, Block, Replied, Request, Said, Wanted, Words
from assent.agent.models.drafts import Draft, see_room
from assent.agent.models.events import Event, Stopped, Text
from assent.agent.models.host_connection import HostConnection
from assent.agent.models.host_errors import Declined, Loss, Lost, shortened
from assent.agent.models.hosted_model import HostedModel
from assent.agent.models.known_models import known
from assent.agent.models.well_formed import well_formed
from assent.agent.models.windows import Window
from assent.editor.lsp.editor_requests import in_time
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats
from assent.editor.protocol import editor_models as shapes
from assent.editor.window.spawn import Spawn
from assent.gate.call.errors import EditorRefused
from assent.gate.settings.models.hosts import Host
from assent.gate.settings.models.model import Dialect, Model
from assent.gate.values import define, field

__all__ = ["EditorModels"]

_WHAT_FOR: Final = "Assent’s own agent works with it; each of its calls passes Assent’s gate."
_REFUSALS: Final = {
    "noPermission": (403, "Assent may not use it; send again and allow it where the editor asks"),
    "notFound": (410, "the editor does not have it any more; choose another one"),
    "blocked": (403, "it is blocked"),
    "failed": (500, ""),
}
"""What is said of each trouble, and which status of a host's it is like."""


@define(eq=False)
class EditorModels:
    """Those of one editor."""

    _wire: Wire
    _spawn: Spawn
    _listed_models: shapes.EditorModels = field(factory=shapes.EditorModels)
    _open: "dict[str, asyncio.Queue[shapes.ModelSaid | None]]" = field(factory=dict)
    """What is told of each reply that is under way."""

    async def look(self) -> tuple[Model, ...]:
        """The models that the editor has; none where it knows of none."""
        try:
            async with in_time("model/list"):
                asked = self._wire.request("model/list", chats.Nothing(), shapes.EditorModels)
                self._listed_models = await asked
        except EditorRefused:
            self._listed_models = shapes.EditorModels()
        return tuple(map(_model, self._listed_models.models))

    def hear(self, said: shapes.ModelSaid) -> None:
        """More of a reply; one that nobody hears any more is let pass."""
        heard = self._open.get(said.ask_id)
        if heard is not None:
            heard.put_nowait(said)

    def provider(self, model: Model) -> HostedModel:
        """A model of the editor's, ready to be spoken to."""
        listed = next(
            (
                editor_model
                for editor_model in self._listed_models.models
                if editor_model.id == model.model
            ),
            None,
        )
        family, vendor = (listed.family, listed.vendor) if listed else (model.model, "A model")
        host = Host(
            dialect=Dialect.EDITOR,
            name=f"{vendor} in the editor",
            url="",
            model=family,
            key_name="",
        )
        return HostedModel(
            host=host,
            window=Window(ask=_nobody, known=model.window),
            reply=partial(self._reply, model.model),
            line=HostConnection(host=host),
            says_pictures=partial(self._sees, family),
        )

    async def _sees(self, family: str) -> bool:
        """Whether a model takes pictures; the editor does not say so of any."""
        known_model = known(family)
        return self._listed_models.shows_pictures and known_model is not None and known_model.images

    async def _reply(self, model: str, request: Request) -> AsyncGenerator[Event, None]:
        """One reply; raises `HostError`."""
        asked = _asked(model, request)
        heard: asyncio.Queue[shapes.ModelSaid | None] = asyncio.Queue()
        self._open[asked.ask_id] = heard
        asking = _Asking(wire=self._wire, asked=asked, heard=heard)
        task = self._spawn(asking.ask())
        reply = _Reply()
        try:
            while (said := await heard.get()) is not None:
                for event in reply.take(said):
                    yield event
            yield reply.end(asking.answer())
        finally:
            del self._open[asked.ask_id]
            # Cancelled, it tells the editor so; then the model is not asked any more.
            task.cancel()


@define(eq=False, kw_only=True)
class _Asking:
    """One question to a model of the editor's."""

    wire: Wire
    asked: shapes.AskModel
    heard: "asyncio.Queue[shapes.ModelSaid | None]"
    _answered: shapes.ModelAnswered | None = None
    _why: str = ""

    async def ask(self) -> None:
        """Ask, and say when it is over."""
        try:
            self._answered = await self.wire.request("model/ask", self.asked, shapes.ModelAnswered)
        except EditorRefused as error:
            self._why = str(error)
        finally:
            self.heard.put_nowait(None)

    def answer(self) -> shapes.ModelAnswered:
        """How it ended; raises where nobody says."""
        if self._answered is None:
            raise Lost(Loss.BROKEN, self._why)
        return self._answered


async def _nobody() -> int | None:
    return None


def _model(editor_model: shapes.EditorModel) -> Model:
    return Model(
        id=f"editor/{editor_model.vendor}/{editor_model.id}",
        name=f"{editor_model.name} ({editor_model.vendor}, in the editor)",
        dialect=Dialect.EDITOR,
        model=editor_model.id,
        window=editor_model.window if editor_model.window > 0 else None,
    )


@define
class _Reply:
    """What was told of one reply so far."""

    _pieces: int = 0
    _calls: int = 0

    def take(self, said: shapes.ModelSaid) -> Iterator[Event]:
        """The events of one piece."""
        self._pieces += 1
        for part in said.parts:
            match part:
                case shapes.TextPart():
                    yield Text(text=part.text)
                case shapes.CallPart():
                    yield from self._call(part)

    def end(self, answered: shapes.ModelAnswered) -> Event:
        """The end of it; raises where it failed, or where a piece of it is missing."""
        if answered.trouble is not None:
            status, words = _REFUSALS[answered.trouble]
            sentence = ": ".join(filter(None, (words, shortened(answered.because))))
            raise Declined(status, sentence)
        if answered.pieces != self._pieces:
            raise Lost(Loss.BROKEN)
        return Stopped(reason="calls" if self._calls else "done")

    def _call(self, part: shapes.CallPart) -> Iterator[Event]:
        see_room(self._calls)
        draft = Draft(key=self._calls, id=part.id, name=part.name)
        self._calls += 1
        yield from draft.start()
        yield from draft.more(part.input)
        yield from draft.close()


_Part = shapes.TextPart | shapes.CallPart | shapes.ResultPart | shapes.PicturePart


def _asked(model: str, request: Request) -> shapes.AskModel:
    """A request in the editor's words. It knows no system prompt, so that is said first."""
    system = (
        [_message("user", [shapes.TextPart(kind="text", text=request.system)])]
        if request.system
        else []
    )
    tools = [
        shapes.ModelTool(name=tool.name, says=tool.says, arguments=json.dumps(tool.schema))
        for tool in request.tools
    ]
    turns = [
        _message("assistant" if isinstance(turn, Replied) else "user", list(_parts(turn)))
        for turn in well_formed(request.turns)
    ]
    return shapes.AskModel(
        ask_id=str(uuid4()),
        model_id=model,
        because=_WHAT_FOR,
        messages=[*system, *(turn for turn in turns if turn.parts)],
        tools=tools,
    )


def _message(role: str, parts: list[_Part]) -> shapes.ModelMessage:
    return shapes.ModelMessage(role=role, parts=parts)  # type: ignore[arg-type]  # one of the two


def _parts(turn: Said | Replied | Answered) -> Iterator[_Part]:
    match turn:
        case Said():
            if turn.text.strip():
                yield shapes.TextPart(kind="text", text=turn.text)
            shown = turn.attached
        case Replied():
            yield from (part for block in turn.blocks for part in _block(block))
            shown = ()
        case Answered():
            yield from (
                shapes.ResultPart(kind="result", id=result.call, text=result.text)
                for result in turn.results
            )
            shown = tuple(at for result in turn.results for at in result.attached)
    yield from (
        shapes.PicturePart(kind="picture", mime=attachment.mime, data=attachment.data)
        for attachment in shown
    )


def _block(block: Block) -> Iterator[_Part]:
    match block:
        case Words() if block.text.strip():
            yield shapes.TextPart(kind="text", text=block.text)
        case Wanted():
            yield shapes.CallPart(kind="call", id=block.id, name=block.name, input=block.arguments)
        case _:
            # Thoughts are never told to an editor's model, and never come from one.
            pass
