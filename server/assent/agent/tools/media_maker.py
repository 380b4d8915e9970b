"""The interface of what makes pictures and speech, for the tools that use it."""

from typing import Protocol

__all__ = ["Maker"]


class Maker(Protocol):
    """The models that make pictures (`image`) and speech (`speech`)."""

    def whom(self, kind: str) -> tuple[str, str] | None:
        """The model of a kind, and the address of its host; None where none is set up."""
        ...

    async def paint(
        self, judged: tuple[str, str], prompt: str, size: str | None, form: str
    ) -> bytes:
        """A picture, by the model and host that were judged; raises `ModelFailed`."""
        ...

    async def speak(
        self, judged: tuple[str, str], text: str, voice: str | None, form: str
    ) -> bytes:
        """A text as it is said, by the same."""
        ...
