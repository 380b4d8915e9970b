"""An editor in memory: what the server asks of one, answered without a person.

Settings are kept by layer, as a real editor keeps them; a write is followed by the notification
that a real editor sends. Questions to the person are answered by `choose`.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field

from assent.editor.protocol import chats, editor, toolservers
from assent.editor.protocol import editor_models as lm
from assent.editor.protocol import sight as sights
from assent.editor.protocol.shapes import Shape

__all__ = ["Editor", "Played"]


@define
class Played:
    """One reply of a model of the editor's."""

    pieces: list[list[Any]]
    """What is told of it, message by message."""
    answered: lm.ModelAnswered | None
    """How it ends; None where it does not."""

    @classmethod
    def whole(cls, *pieces: list[Any]) -> "Played":
        """One that ends well."""
        return cls(list(pieces), lm.ModelAnswered(pieces=len(pieces)))


def _draw_back(_: editor.Confirm) -> str | None:
    return None


def _run_nothing(_: editor.RunInTerminal) -> int | None:
    return None


def _open_nothing(_: editor.OpenPage) -> bool:
    return False


def _nothing() -> None:
    return None


@define(kw_only=True)
class Editor:
    """What one editor has written down, and what it was asked."""

    trusted: bool = True
    layers: dict[str, dict[str, Any]] = field(factory=dict)
    """By layer (`default`, `user`, `workspace`, `folder`), then by key."""
    secrets: dict[str, str] = field(factory=dict)
    choose: Callable[[editor.Confirm], str | None] = _draw_back
    """What the person presses; by default they draw back."""
    files: dict[str, Path] = field(factory=dict)
    """Where a layer is kept on the disk, for those that are."""
    folders: list[Path] = field(factory=list)
    """Where each folder's settings are kept, for those that are."""
    places: list[editor.EditorPlace] = field(factory=list)
    """What it says makes it what it is."""
    refuses: frozenset[str] = frozenset()
    """Methods that this editor does not know."""
    silent: frozenset[str] = frozenset()
    """Methods that it does not answer, until it is told to."""
    apply: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    """What becomes of the changes that the server asks for; None where nothing is typed."""
    dialog: Callable[[dict[str, Any]], object] | None = None
    """What becomes of a dialog with buttons; None where there are none, `...` where it stays."""
    dialogs: list[dict[str, Any]] = field(factory=list)
    sight: sights.Sight = field(factory=sights.Sight)
    """What the person sees."""
    terminal: sights.TerminalSaid = field(
        factory=lambda: sights.TerminalSaid(because="No terminal is open.")
    )
    """What its terminal printed last."""
    symbols: list[sights.Symbol] = field(factory=list)
    """What its language servers know, whatever is looked for."""
    changes: sights.GitChanges = field(factory=sights.GitChanges)
    """What its git finds changed."""
    wrong: list[sights.FoundIn] = field(factory=list)
    """What it finds wrong in files."""
    models: lm.EditorModels = field(factory=lm.EditorModels)
    """The models that it has itself."""
    replies: list[Played] = field(factory=list)
    """What these say, one for each time that one is asked."""
    asked_models: list[lm.AskModel] = field(factory=list)
    types: str | None = None
    """What the person types when they are asked for a secret; None draws back."""
    asked: list[editor.AskSecret] = field(factory=list)
    says: dict[str, str] = field(factory=dict)
    """What the person says of what servers ask for, by its id; else they draw back."""
    asked_inputs: list[toolservers.AskInput] = field(factory=list)
    runs: Callable[[editor.RunInTerminal], int | None] = _run_nothing
    """Runs what the server wants in a terminal; by default the person closes it at once."""
    terminals: list[editor.RunInTerminal] = field(factory=list)
    browses: Callable[[editor.OpenPage], bool] = _open_nothing
    """What the person does with a page; by default they do not open it."""
    pages: list[editor.OpenPage] = field(factory=list)
    confirmed: list[editor.Confirm] = field(factory=list)
    diffs: list[editor.OpenDiff] = field(factory=list)
    progress: list[editor.Progress] = field(factory=list)
    written: list[editor.WriteSetting] = field(factory=list)
    keeps: bool = True
    """Whether it writes what it is told to; one that does not says why."""
    meanwhile: Callable[[], object] = _nothing
    """What somebody else does just before something is written."""
    compares: bool = True
    """Whether it looks if what stands there is what the server had read."""
    inspections: int = 0
    """How often the server asked who wrote what."""

    def answer(self, params: Shape) -> Shape:
        """Answer one question of the server."""
        match params:
            case editor.Inspect():
                return self._inspected()
            case editor.WriteSetting():
                return self._write(params)
            case (
                editor.SecretName()
                | editor.SetSecret()
                | editor.AskSecret()
                | toolservers.AskInput()
            ):
                return self._secret(params)
            case editor.OpenPage():
                self.pages.append(params)
                return editor.PageOpened(opened=self.browses(params))
            case editor.RunInTerminal() | editor.Confirm():
                return self._gesture(params)
            case chats.Nothing():
                return self.models
            case editor.OpenDiff() | editor.OpenDiffs():
                self.diffs += params.files if isinstance(params, editor.OpenDiffs) else [params]
            case editor.Progress():
                self.progress.append(params)
            case (
                sights.Look()
                | sights.WantTerminal()
                | sights.WantChanges()
                | sights.WantSymbols()
                | sights.WantProblems()
            ):
                return self._shown(params)
            case _:
                raise AssertionError(f"nobody taught this editor {type(params).__name__}")
        return chats.Nothing()

    def _shown(
        self,
        params: sights.Look
        | sights.WantTerminal
        | sights.WantChanges
        | sights.WantSymbols
        | sights.WantProblems,
    ) -> Shape:
        match params:
            case sights.Look():
                return self.sight
            case sights.WantTerminal():
                return self.terminal
            case sights.WantChanges():
                return self.changes
            case sights.WantSymbols():
                return sights.Symbols(symbols=self.symbols)
            case sights.WantProblems():
                found = [it for it in self.wrong if params.everywhere or it.uri in params.uris]
                return sights.Problems(files=found)

    def _gesture(self, params: editor.RunInTerminal | editor.Confirm) -> Shape:
        if isinstance(params, editor.Confirm):
            self.confirmed.append(params)
            return editor.Confirmed(action=self.choose(params))
        self.terminals.append(params)
        return editor.RunEnded(code=self.runs(params))

    def play(self, asked: lm.AskModel) -> Played:
        """What a model of its own replies."""
        self.asked_models.append(asked)
        return self.replies.pop(0)

    def _secret(self, params: Shape) -> Shape:
        match params:
            case editor.SecretName():
                return editor.SecretValue(value=self.secrets.get(params.name))
            case editor.SetSecret(value=""):
                self.secrets.pop(params.name, None)
            case editor.SetSecret():
                self.secrets[params.name] = params.value
            case editor.AskSecret():
                self.asked.append(params)
                if self.types is not None:
                    self.secrets[f"agentSecret.{params.name}"] = self.types
                return editor.SecretAsked(kept=self.types is not None)
            case toolservers.AskInput():
                self.asked_inputs.append(params)
                said = self.says.get(params.input)
                if said is not None:
                    self.secrets[params.name] = said
                return editor.SecretAsked(kept=said is not None)
        return chats.Nothing()

    def _inspected(self) -> editor.Inspected:
        self.inspections += 1
        keys = {key for layer in self.layers.values() for key in layer}
        by_key = {
            key: editor.Layers(
                **{name: layer[key] for name, layer in self.layers.items() if key in layer}
            )
            for key in sorted(keys)
        }
        uris = {layer: path.as_uri() for layer, path in self.files.items()}
        folders = [path.as_uri() for path in self.folders]
        files = editor.SettingsFiles(**uris, folders=folders) if uris or folders else None
        return editor.Inspected(trusted=self.trusted, keys=by_key, files=files, places=self.places)

    def save(self) -> None:
        """Put the layers that are kept on the disk there, as a person would see them."""
        for layer, path in self.files.items():
            keys = {f"assent.{key}": value for key, value in self.layers.get(layer, {}).items()}
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(keys, indent=2) + "\n", encoding="utf-8")

    def _write(self, wanted: editor.WriteSetting) -> editor.Written:
        if not self.keeps:
            return editor.Written(written=False, because="The file is read-only.")
        self.meanwhile()
        layer = self.layers.setdefault(wanted.scope, {})
        expected = wanted.expected if self.compares else None
        if expected is not None and layer.get(wanted.key) != expected.value:
            return editor.Written(written=False, because="It was changed meanwhile.", changed=True)
        self.written.append(wanted)
        if wanted.value is None:
            layer.pop(wanted.key, None)
        else:
            layer[wanted.key] = wanted.value
        self.save()
        return editor.Written(written=True)
