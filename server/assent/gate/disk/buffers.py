"""Unsaved texts of the workspace's files, as the editor has them.

A text is found by where its path led when the editor told of it, and only while it still leads
there. What lies outside of the workspace is not kept at all. A file that is saved has no text
here: then the disk says what stands in it.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import Final

from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import MAX_FILE_BYTES, found_in, too_large
from assent.gate.disk.places import Places
from assent.gate.text.encodings import Encoding
from assent.gate.text.plain_paths import is_within
from assent.gate.text.positions import Change, text_after
from assent.gate.values import define, evolve, field, frozen

__all__ = ["Apply", "Buffer", "Buffers", "Standing"]


@frozen(kw_only=True)
class Buffer:
    """The text of one file in the editor."""

    uri: str
    """As the editor calls it."""
    named: str
    """Its path, before links are followed."""
    resolved: str
    version: int
    """Another one after each change."""
    text: str


@frozen(kw_only=True)
class Standing:
    """What stands in a file, as the person sees it."""

    text: str | None
    """None where there is no such file."""
    version: int | None = None
    """The version of the unsaved text; None where it is what is on the disk."""
    encoding: Encoding = Encoding.UTF_8
    """That of the file."""


_LOST: Final = "\ufffd"
"""What an editor shows for bytes that are nothing in the encoding that it reads a file in."""
_SAVE: Final = "save it, or take the changes back, and try again"

Apply = Callable[[Buffer, str], Awaitable[bool]]
"""Has the editor make that buffer another text; False where it is no longer that buffer."""


@define(eq=False)
class Buffers:
    """The unsaved texts of one editor."""

    _places: Callable[[], Places]
    apply: Apply
    _by_uri: dict[str, Buffer] = field(init=False, factory=dict)
    _lost: set[str] = field(init=False, factory=set)
    """The texts of which a change was missed: nobody here knows what stands in them."""

    def open(self, uri: str, path: str, version: int, text: str) -> None:
        """The editor has an unsaved text."""
        self.close(uri)
        try:
            target = self._places().locate(path, "/")
        except CallUnreadable:
            return
        if target.inside:
            self._by_uri[uri] = Buffer(
                uri=uri, named=path, resolved=target.resolved, version=version, text=text
            )

    def change(self, uri: str, version: int, changes: Iterable[Change]) -> None:
        """The text was changed, by one change after the other."""
        before = self._by_uri.get(uri)
        if before is None:
            return
        text = before.text
        try:
            for change in changes:
                text = text_after(text, change)
        except ValueError:
            self._lost.add(uri)
        self._by_uri[uri] = evolve(before, version=version, text=text)

    def lose(self) -> None:
        """Something that the editor told was not understood: it may have been of any text."""
        self._lost.update(self._by_uri)

    def close(self, uri: str) -> None:
        """It was saved or thrown away."""
        self._by_uri.pop(uri, None)
        self._lost.discard(uri)

    def at(self, path: str) -> Buffer | None:
        """The unsaved text of the file at a resolved path, if there is one.

        Raises `CallUnreadable` where it is there and not known for sure: a change of it was
        missed, or the file is open under two names with a text of its own under each.
        """
        buffers = [
            buffer
            for buffer in self._by_uri.values()
            if buffer.resolved == path and self._leads(buffer)
        ]
        if any(buffer.uri in self._lost for buffer in buffers):
            raise CallUnreadable(f"What was typed in {path} could not be followed: {_SAVE}.")
        if len({buffer.text for buffer in buffers}) > 1:
            raise CallUnreadable(f"{path} is open under two names, with two texts: {_SAVE}.")
        return buffers[-1] if buffers else None

    def within(self, path: str) -> list[str]:
        """The files with an unsaved text that lie at a path or below it."""
        buffers = self._by_uri.values()
        files = {buffer.resolved: (buffer.resolved, buffer.named) for buffer in buffers}
        return sorted(
            file for file, names in files.items() if any(is_within(name, path) for name in names)
        )

    def _leads(self, buffer: Buffer) -> bool:
        """Whether its path leads there still, in the workspace."""
        try:
            target = self._places().locate(buffer.named, "/")
        except CallUnreadable:
            return False
        return target.inside and target.resolved == buffer.resolved

    def standing(self, path: str, shown: str) -> Standing:
        """What stands in the file at a resolved path; raises `CallUnreadable`."""
        buffer = self.at(path)
        if buffer is None:
            text, encoding = found_in(path, shown) or (None, Encoding.UTF_8)
            return Standing(text=text, encoding=encoding)
        if len(buffer.text.encode("utf-8", "surrogatepass")) > MAX_FILE_BYTES:
            raise too_large(shown)
        if _LOST in buffer.text:
            _check_kept(path, shown)
        return Standing(text=buffer.text, version=buffer.version)


def _check_kept(path: str, shown: str) -> None:
    """Refuse to go on in a text in which the editor has lost letters of the file."""
    on_disk = found_in(path, shown)
    if on_disk is not None and _LOST not in on_disk[0]:
        raise CallUnreadable(
            f"{shown} is {on_disk[1].words}, and the editor has opened it in another encoding, in"
            " which letters of it are lost. It has to be opened again with its encoding."
        )
