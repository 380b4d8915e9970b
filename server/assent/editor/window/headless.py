"""A client stub for `assent run`: it answers what an editor is asked from what it was given.

Settings come from files that were read before. Nothing is agreed to here, so nothing widens: there
is no person who could say so. Whatever the house tells is handed on.
"""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

from assent.editor.lsp.editor_requests import NotOffered
from assent.editor.lsp.frames import MAX_FRAME_BYTES
from assent.editor.lsp.wire import Wire, written
from assent.editor.protocol import editor
from assent.editor.protocol.shapes import Shape
from assent.gate.call.errors import EditorRefused
from assent.gate.values import define, field, frozen

__all__ = ["Headless", "Hear", "Inputs"]

Result = TypeVar("Result", bound=Shape)
Hear = Callable[[str, Shape, bytes], None]
"""Told each message of the house: its method, its parameters, and these as JSON."""

_MODEL_KEY: Final = "modelKey."


@frozen(kw_only=True)
class Inputs:
    """What a run is given in place of an editor."""

    root: Path
    """The workspace's folder."""
    keys: Mapping[str, Mapping[str, Any]]
    """The settings as they are written, by key and layer."""
    user_file: Path | None = None
    """Where the person's are written, if that is one file."""
    workspace_file: Path | None = None


class _Answering(Wire):
    """Answers in the place of an editor."""

    def __init__(self, given: Inputs, hear: Hear) -> None:
        self._given, self._hear = given, hear
        self._answers: Mapping[str, Callable[[Any], Shape]] = {
            "settings/inspect": self._inspect,
            "settings/write": _unwritten,
            "secret/get": _secret,
            "ui/confirm": lambda _: editor.Confirmed(),
        }

    def notify(self, method: str, params: Shape) -> None:
        """Hand on what the house tells."""
        self._hear(method, params, written(params))

    def stream(self, method: str, params: Shape, most: int = MAX_FRAME_BYTES) -> bytes | None:
        """Hand on what the house tells, unless it is larger than it may be."""
        body = written(params)
        if len(body) > most:
            return None
        self._hear(method, params, body)
        return body

    async def request(self, method: str, params: Shape, result: type[Result]) -> Result:
        """What an editor is asked; whatever it would ask a person comes to nothing."""
        answer = self._answers.get(method)
        if answer is None:
            raise NotOffered(f"There is no editor, so there is no {method}.")
        reply = answer(params)
        if not isinstance(reply, result):
            raise EditorRefused(f"{method} was answered with {type(reply).__name__}.")
        return reply

    def _inspect(self, _: Shape) -> editor.Inspected:
        files = editor.SettingsFiles(
            user=_uri(self._given.user_file), workspace=_uri(self._given.workspace_file)
        )
        keys = {key: editor.Layers(**layers) for key, layers in self._given.keys.items()}
        return editor.Inspected(trusted=False, keys=keys, files=files)


def _unwritten(_: Shape) -> editor.Written:
    return editor.Written(written=False, because="There is no editor that could write settings.")


def _secret(wanted: Any) -> editor.SecretValue:
    """A model's key is none of ours; our own is kept in a file of the person's then."""
    if not wanted.name.startswith(_MODEL_KEY):
        raise NotOffered("There is no editor that keeps secrets.")
    return editor.SecretValue()


def _uri(path: Path | None) -> str | None:
    return None if path is None else path.absolute().as_uri()


async def _no_settings(_: object) -> object:
    return [{}]


async def _no_editor(_: object) -> object:
    raise NotOffered("There is no editor, so nothing stands in one.")


@define(eq=False)
class Headless:
    """Takes the place of an editor."""

    _given: Inputs
    _hear: Hear
    opening: dict[str, Any] = field(init=False)
    wire: Wire = field(init=False)
    text_document_publish_diagnostics: Callable[[Any], None] = field(
        init=False, default=lambda _: None
    )
    workspace_configuration_async: Callable[[Any], Awaitable[Any]] = field(
        init=False, default=_no_settings
    )

    workspace_apply_edit_async: Callable[[Any], Awaitable[Any]] = field(
        init=False, default=_no_editor
    )

    window_show_message_request_async: Callable[[Any], Awaitable[Any]] = field(
        init=False, default=_no_editor
    )

    def __attrs_post_init__(self) -> None:
        self.opening = {
            "rootUri": self._given.root.as_uri(),
            "capabilities": {"experimental": {"assent": {}}},
        }
        self.wire = _Answering(self._given, self._hear)
