"""A model that replies by a script, for demonstrations and tests.

Each request takes the first reply that is left and fits. When the script is over it fails, and
says so, instead of making anything up.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Final

from assent.agent.models.conversation import Answered, Given, Replied, Request, Said
from assent.agent.models.drafts import Draft
from assent.agent.models.events import Closed, Event, Kept, Stopped, Text, Thinking, Used
from assent.agent.models.provider import ModelFailed, WindowFull
from assent.agent.models.script import (
    Called,
    Counted,
    Failed,
    Paused,
    Reply,
    Spoken,
    Step,
    Stop,
    Thought,
    script_of,
)
from assent.gate.settings.models.model import Model
from assent.gate.values import define

__all__ = ["Replay", "opened"]

_WINDOW_TOKENS: Final = 200_000
_MAX_SHOWN_LETTERS: Final = 80


def opened(model: Model) -> "Replay":
    """The scripted model of this file."""
    return Replay(path=Path(model.model), known_window=model.window)


@define
class Replay:
    """One script, and how far it has been played."""

    _path: Path
    _known_window: int | None = None
    _left: list[Reply] | None = None
    """The replies that have not been given; read at the first request."""

    @property
    def name(self) -> str:
        """The script, in words."""
        return f"{self._path.name} (replay)"

    async def window(self) -> int:
        """How many tokens it pretends to read."""
        return self._known_window or _WINDOW_TOKENS

    @property
    def is_window_known(self) -> bool:
        """It is written down."""
        return True

    @property
    def efforts(self) -> tuple[str, ...]:
        """It does not think."""
        return ()

    @property
    def price(self) -> None:
        """It costs nothing."""
        return

    async def takes(self) -> frozenset[str]:
        """It looks at nothing."""
        return frozenset()

    async def close(self) -> None:
        """Nothing was kept."""

    async def stream(self, request: Request) -> AsyncGenerator[Event, None]:
        """The next reply, as it comes."""
        reply = self._take(_last_words(request))
        playing = _Playing()
        for step in reply.steps:
            for _ in range(step.pause if isinstance(step, Paused) else 0):
                await asyncio.sleep(0)
            for event in playing.events(step):
                yield event
                # A reply that came all at once would be a stream to nobody.
                await asyncio.sleep(0)
        yield playing.end()

    def _take(self, last: str) -> Reply:
        if self._left is None:
            self._left = self._read()
        for at, reply in enumerate(self._left):
            if reply.when in last:
                return self._left.pop(at)
        over = "has no reply left" if self._left else "is over, and there is no reply"
        shown = last if len(last) <= _MAX_SHOWN_LETTERS else f"{last[:_MAX_SHOWN_LETTERS]}…"
        raise ModelFailed(f"The script {self._path.name} {over} to “{shown}”.")

    def _read(self) -> list[Reply]:
        try:
            text = self._path.read_text("utf-8")
        except (OSError, UnicodeError) as error:
            raise ModelFailed(f"The script {self._path} cannot be read: {error}.") from None
        return script_of(text, self._path.name)


@define
class _Playing:
    """One reply while it is played."""

    _calls: int = 0
    _reason: str = ""

    def events(self, step: Step) -> Iterator[Event]:
        """The events of one step."""
        match step:
            case Spoken():
                yield from (Text(text=piece) for piece in _pieces(step.text, step.pieces))
            case Thought():
                yield from (Thinking(text=piece) for piece in _pieces(step.think, step.pieces))
                if step.seal:
                    yield Closed(given=Given.of("replay", {"seal": step.seal}))
                if step.hidden:
                    yield Kept(given=Given.of("replay", {"hidden": step.hidden}))
            case Called():
                yield from self._call(step)
            case Counted():
                read, wrote = step.usage
                yield Used(read=read, wrote=wrote)
            case Stop():
                self._reason = step.stop
            case Failed():
                raise (WindowFull if step.kind == "full" else ModelFailed)(step.error)
            case Paused():
                pass

    def end(self) -> Stopped:
        """The end of the reply."""
        return Stopped(reason=self._reason or ("calls" if self._calls else "done"))

    def _call(self, step: Called) -> Iterator[Event]:
        draft = Draft(key=self._calls, id=step.id or "", name=step.call)
        self._calls += 1
        yield from draft.start()
        for piece in _pieces(step.written, step.pieces):
            yield from draft.more(piece)
        yield from draft.close()


def _pieces(text: str, count: int) -> Iterator[str]:
    size = max(1, -(-len(text) // count))
    return (text[at : at + size] for at in range(0, len(text), size))


def _last_words(request: Request) -> str:
    """All that was said since the last reply."""
    words: list[str] = []
    for turn in request.turns:
        match turn:
            case Said():
                words.append(turn.text)
            case Answered():
                words += (result.text for result in turn.results)
            case Replied():
                words = []
    return "\n".join(words)
