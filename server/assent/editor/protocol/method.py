"""A row of the table `METHODS`: what is known about one message."""

from typing import Any, Literal

from pydantic import TypeAdapter

from assent.editor.protocol.shapes import Shape
from assent.gate.values import frozen

__all__ = ["Method"]


@frozen(kw_only=True)
class Method:
    """One message."""

    name: str
    sender: Literal["client", "server"]
    params: type[Shape]
    result: Any = None
    """The shape of the answer; None for a notification."""
    webview: bool = False
    """Whether the extension passes it between the webview and the server."""

    @property
    def is_request(self) -> bool:
        """Whether the sender waits for an answer."""
        return self.result is not None

    @property
    def result_type(self) -> TypeAdapter[Any]:
        """What reads and writes the answer."""
        return TypeAdapter(self.result)
