"""What the person has typed and not saved: texts of the workspace's files, as the editor has them.

A text is found by where its path led when the editor told of it, and only while it still leads
there. What lies outside of the workspace is not kept at all. A file that is saved has no text
here: then the disk says what stands in it.
"""

from collections.abc import Awaitable, Callable, Iterable

from attrs import define, evolve, field, frozen

from assent.disk.files import LARGEST, text_of, too_large
from assent.disk.places import Places
from assent.errors import CallUnreadable
from assent.text.positions import Change, text_after

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


Apply = Callable[[Buffer, str], Awaitable[bool]]
"""Has the editor make that buffer another text; False where it is no longer that buffer."""


@define(eq=False)
class Buffers:
    """The unsaved texts of one editor."""

    _places: Callable[[], Places]
    apply: Apply
    _by_uri: dict[str, Buffer] = field(init=False, factory=dict)
    _by_path: dict[str, str] = field(init=False, factory=dict)

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
            self._by_path[target.resolved] = uri

    def change(self, uri: str, version: int, changes: Iterable[Change]) -> None:
        """The text was changed, by one change after the other."""
        before = self._by_uri.get(uri)
        if before is None:
            return
        text = before.text
        for change in changes:
            text = text_after(text, change)
        self._by_uri[uri] = evolve(before, version=version, text=text)

    def close(self, uri: str) -> None:
        """It was saved or thrown away."""
        gone = self._by_uri.pop(uri, None)
        if gone is not None and self._by_path.get(gone.resolved) == uri:
            del self._by_path[gone.resolved]

    def at(self, path: str) -> Buffer | None:
        """The unsaved text of the file at a resolved path, if there is one."""
        found = self._by_uri.get(self._by_path.get(path, ""))
        if found is None:
            return None
        try:
            leads = self._places().locate(found.named, "/").resolved
        except CallUnreadable:
            return None
        return found if leads == path else None

    def standing(self, path: str, shown: str) -> Standing:
        """What stands in the file at a resolved path; raises `CallUnreadable`."""
        buffer = self.at(path)
        if buffer is None:
            return Standing(text=text_of(path, shown))
        if len(buffer.text.encode("utf-8", "surrogatepass")) > LARGEST:
            raise too_large(shown)
        return Standing(text=buffer.text, version=buffer.version)
