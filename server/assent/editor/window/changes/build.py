"""Builds what follows changes of files: the editor's texts, and undoing what chats did."""

from functools import partial

from assent.agent.chats.changelog import Changelog
from assent.editor.lsp.connection import Handler
from assent.editor.window.agents.build import AgentsParts
from assent.editor.window.changes.changes import Changes
from assent.editor.window.changes.editor_texts import EditorTexts
from assent.editor.window.changes.rewind import ChatRewind
from assent.editor.window.changes.undo import ChangeUndo
from assent.editor.window.changes.write_back import WriteBack
from assent.editor.window.chats.build import ChatsParts
from assent.editor.window.rules.build import RulesParts
from assent.editor.window.run import Run
from assent.editor.window.settings.build import SettingsParts
from assent.gate.settings.paths import changes_folder
from assent.gate.values import frozen

__all__ = ["ChangesParts", "build_changes"]


@frozen
class ChangesParts:
    """What others need of changes."""

    editing: EditorTexts
    handlers: dict[str, Handler]


def build_changes(
    run: Run,
    settings: SettingsParts,
    rules: RulesParts,
    agents: AgentsParts,
    chats: ChatsParts,
) -> ChangesParts:
    """Changes are written down from the first call on."""
    gate, assistants, earlier = rules.gate, agents.assistants, chats.earlier
    buffers = settings.buffers
    changes = Changes(
        log=Changelog(changes_folder(run.state), lambda: chats.keeping.store.key),
        board=run.board,
        gate=gate,
        buffers=buffers,
        assistants=assistants,
    )
    run.board.heard = changes.hear
    earlier.back.brought = changes.came_back
    earlier.begun = partial(changes.drop_outlived, chats.keeping)
    restoring = WriteBack(
        changes=changes, gate=gate, buffers=buffers, places=settings.workspace.places
    )
    undoing = ChangeUndo(changes=changes, restoring=restoring, buffers=buffers, wire=run.wire)
    rewinding = ChatRewind(
        changes=changes,
        restoring=restoring,
        assistants=assistants,
        wake=earlier.back.wake,
        stop=chats.chats.stop,
    )
    editing = EditorTexts(buffers)
    handlers: dict[str, Handler] = {
        "textDocument/didOpen": editing.open,
        "textDocument/didChange": editing.change,
        "textDocument/didClose": editing.close,
        "change/show": undoing.show,
        "change/openDiff": undoing.open_diff,
        "change/openDiffs": undoing.open_diffs,
        "change/keep": undoing.keep,
        "change/undo": undoing.undo,
        "change/keepHunk": undoing.keep_hunk,
        "change/undoHunk": undoing.undo_hunk,
        "change/redo": undoing.redo,
        "chat/planRewind": rewinding.plan,
        "chat/rewind": rewinding.rewind,
        "chat/delete": partial(changes.delete, chats.chats.delete),
    }
    return ChangesParts(editing, handlers)
