"""What a person sees of a running command's output: its beginning, its size, its end.

Nothing is shown more often than thirty times a second, and of a flood no more than a view can
hold: all of it can be read from the tape.
"""

from collections.abc import Callable
from typing import Final, Protocol

from assent.gate.processes.output import Tape
from assent.gate.processes.plain_output import Plainly, plain
from assent.gate.values import define, field

__all__ = ["Handle", "Later", "Printed", "Showing"]

_SHOW_INTERVAL_S: Final = 1 / 30
"""In seconds."""
_MAX_LIVE_LETTERS: Final = 48 * 1024
"""So many characters are shown as they come."""
_TAIL_BYTES: Final = 8 * 1024
"""And of the end so many bytes, where not all was shown."""
_CHANGE_LETTERS: Final = 64
"""As many characters a change from output to errors counts for, since each is told by itself."""
_MAX_TAGS: Final = 100
"""So many changes are shown of the end."""
_FIRST_NOTE_BYTES: Final = 1024 * 1024


class Printed(Protocol):
    """Shows more of what was printed."""

    def __call__(self, text: str, /, *, is_error: bool = False) -> None:
        """It is shown."""
        ...


class Handle(Protocol):
    """Something that is going to happen."""

    def cancel(self) -> None:
        """It is not to happen any more."""
        ...


class Later(Protocol):
    """Has something done after so many seconds."""

    def __call__(self, seconds: float, do: Callable[[], None], /) -> Handle:
        """It will be done."""
        ...


@define(eq=False)
class Showing:
    """The view of one tape."""

    _tape: Tape
    _printed: Printed
    _later: Later
    _plainly: tuple[Plainly, Plainly] = field(factory=lambda: (Plainly(), Plainly()))
    """Of the one and of errors: neither paints over a line of the other."""
    _was_error: bool = False
    _at: int = 0
    """Up to which place it was shown."""
    _left: int = _MAX_LIVE_LETTERS
    _next_note: int = _FIRST_NOTE_BYTES
    _pending: Handle | None = None
    is_told: bool = False
    """Whether it knows already that there is more; the one who writes need not say it again."""

    def more(self) -> None:
        """There is more on the tape."""
        if self._pending is None:
            self._pending = self._later(_SHOW_INTERVAL_S, self._show)

    def finish(self) -> None:
        """There will be no more: show how it ended."""
        self._show()
        for is_error, plainly in enumerate(self._plainly):
            rest = plainly.last()[: max(0, self._left)]
            if rest:
                self._print(rest, is_error=bool(is_error))
        unseen = self._tape.size - self._at
        end = (
            self._tape.tail(_TAIL_BYTES)
            if unseen > _TAIL_BYTES
            else self._tape.read(self._at, _TAIL_BYTES)
        )
        stream_tags = end.stream_tags[-_MAX_TAGS:]
        if not end.text:
            return
        left_out = stream_tags[0].start - self._at
        if left_out > 0:
            self._print(f"\n… {left_out:,} bytes left out …\n")
        for tagged in stream_tags:
            self._print(plain(tagged.text), is_error=tagged.is_error)

    def _show(self) -> None:
        if self._pending is not None:
            self._pending.cancel()
            self._pending = None
        # Before it is looked at: what is written from here on must be said again.
        self.is_told = False
        if self._left > 0:
            self._show_text()
        elif self._tape.size >= self._next_note:
            self._print(f"\n… {self._tape.size:,} bytes by now …\n")
            self._next_note = self._tape.size * 4

    def _show_text(self) -> None:
        piece = self._tape.read(self._at, self._left)
        for tagged in piece.stream_tags:
            if self._left <= 0:
                self._at = tagged.start
                return
            shown = self._plainly[tagged.is_error].more(tagged.text)
            if shown:
                self._left -= len(shown) + _CHANGE_LETTERS * (
                    tagged.is_error is not self._was_error
                )
                self._print(shown, is_error=tagged.is_error)
        self._at = piece.next

    def _print(self, text: str, *, is_error: bool = False) -> None:
        self._was_error = is_error
        self._printed(text, is_error=is_error)
