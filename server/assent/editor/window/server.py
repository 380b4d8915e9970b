"""The house that one editor talks to: who serves which message, and how the house falls.

When the editor is gone, what was asked is refused, agents end, and only then is the journal
closed.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from functools import partial
from typing import Final

from assent.editor.lsp.connection import AssentServer, House
from assent.editor.lsp.serving import Handler
from assent.editor.window.changes.edits import Edits
from assent.editor.window.changes.rewinding import Rewinding
from assent.editor.window.parts import Parts

__all__ = ["HANDLERS", "compose", "living"]


def _rewinding(parts: Parts) -> Rewinding:
    return Rewinding(
        changes=parts.undoing.changes,
        restoring=parts.undoing.restoring,
        assistants=parts.assistants,
        wake=parts.earlier.back.wake,
        stop=parts.chats.stop,
    )


HANDLERS: Final[dict[str, Callable[[Parts], Handler]]] = {
    "tool/approvalResponse": lambda parts: parts.answers.respond,
    "tool/previewRules": lambda parts: parts.preview.show,
    "tool/card": lambda parts: parts.board.card,
    "tool/openDiff": lambda parts: parts.answers.open_diff,
    "tool/editText": lambda parts: Edits(parts.gate).edit,
    "tool/kill": lambda parts: parts.own.kill,
    "tool/background": lambda parts: parts.own.background,
    "tool/undo": lambda parts: parts.own.undo,
    "tool/record": lambda parts: parts.recorded.show,
    "tool/sound": lambda parts: parts.recorded.sound,
    "tool/openRecordDiff": lambda parts: parts.recorded.open_diff,
    "change/show": lambda parts: parts.undoing.show,
    "change/openDiff": lambda parts: parts.undoing.open_diff,
    "change/openDiffs": lambda parts: parts.undoing.open_diffs,
    "change/keep": lambda parts: parts.undoing.keep,
    "change/undo": lambda parts: parts.undoing.undo,
    "change/keepHunk": lambda parts: parts.undoing.keep_hunk,
    "change/undoHunk": lambda parts: parts.undoing.undo_hunk,
    "change/redo": lambda parts: parts.undoing.redo,
    "chat/planRewind": lambda parts: _rewinding(parts).plan,
    "chat/rewind": lambda parts: _rewinding(parts).rewind,
    "shell/list": lambda parts: parts.own.shells,
    "shell/output": lambda parts: parts.own.read_shell,
    "shell/kill": lambda parts: parts.own.kill_shell,
    "agent/answerLater": lambda parts: parts.answers.be_patient,
    "agent/subscribe": lambda parts: parts.chats.subscribe,
    "agent/turns": lambda parts: parts.earlier.turns,
    "chat/list": lambda parts: parts.earlier.list_kept,
    "chat/open": lambda parts: parts.earlier.open,
    "chat/continue": lambda parts: parts.earlier.go_on,
    "chat/rename": lambda parts: parts.earlier.rename,
    "chat/delete": lambda parts: partial(parts.undoing.changes.delete, parts.chats.delete),
    "chat/export": lambda parts: parts.earlier.export,
    "agent/list": lambda parts: parts.chats.list,
    "agent/newChat": lambda parts: parts.chats.open,
    "agent/closeChat": lambda parts: parts.chats.close,
    "agent/prompt": lambda parts: parts.chats.prompt,
    "agent/references": lambda parts: parts.references.find,
    "agent/stop": lambda parts: parts.chats.stop,
    "agent/retry": lambda parts: parts.own.retry,
    "tool/again": lambda parts: parts.own.again,
    "agent/tryNow": lambda parts: parts.own.try_now,
    "agent/setMode": lambda parts: parts.modes.set,
    "agent/setModel": lambda parts: parts.choices.set_model,
    "agent/setEffort": lambda parts: parts.choices.set_effort,
    "agent/setOption": lambda parts: parts.choices.set_option,
    "agent/bypass": lambda parts: parts.modes.bypass,
    "model/said": lambda parts: parts.models.hear,
    "model/changed": lambda parts: parts.models.look_again,
    "model/hosts": lambda parts: parts.beginning.models_added.hosts,
    "model/offered": lambda parts: parts.beginning.models_added.offered,
    "model/add": lambda parts: parts.beginning.models_added.add,
    "start/look": lambda parts: parts.beginning.look,
    "terminal/list": lambda parts: parts.connecting.list,
    "terminal/change": lambda parts: parts.connecting.change,
    "agent/logIn": lambda parts: parts.logging_in.log_in,
    "agent/wishLogIn": lambda parts: parts.logging_in.wish,
    "repository/list": lambda parts: parts.forgetting.list,
    "repository/forget": lambda parts: parts.forgetting.forget,
    "source/list": lambda parts: parts.tool_servers.list,
    "source/restart": lambda parts: parts.tool_servers.restart,
    "source/stop": lambda parts: parts.tool_servers.stop,
    "source/logIn": lambda parts: parts.tool_servers.log_in,
    "source/stopLogIn": lambda parts: parts.tool_servers.stop_log_in,
    "source/logOut": lambda parts: parts.tool_servers.log_out,
    "collection/list": lambda parts: parts.collections.list,
    "collection/index": lambda parts: parts.collections.index,
    "collection/stop": lambda parts: parts.collections.stop,
    "agent/offers": lambda parts: parts.beginning.agents_added.offers,
    "agent/add": lambda parts: parts.beginning.agents_added.add,
    "agent/stopAdding": lambda parts: parts.beginning.agents_added.stop,
    "journal/startNew": lambda parts: parts.record.start_new,
    "history/list": lambda parts: parts.history.list,
    "history/show": lambda parts: parts.hindsight.show,
    "history/previewRule": lambda parts: parts.hindsight.preview,
    "history/makeRule": lambda parts: parts.hindsight.make,
    "history/revoke": lambda parts: parts.hindsight.revoke,
    "history/askAgain": lambda parts: parts.once_more.ask,
    "history/export": lambda parts: parts.history.export,
    "history/insights": lambda parts: parts.lookback.show,
    "policy/rules": lambda parts: parts.rulebook.list,
    "policy/remove": lambda parts: parts.rulebook.remove,
    "policy/switch": lambda parts: parts.rulebook.switch,
    "policy/explain": lambda parts: parts.rulebook.explain,
    "textDocument/didOpen": lambda parts: parts.editing.open,
    "textDocument/didChange": lambda parts: parts.editing.change,
    "textDocument/didClose": lambda parts: parts.editing.close,
    "initialized": lambda parts: parts.begin,
    "workspace/didChangeConfiguration": lambda parts: parts.workspace.take_change,
}
"""Who serves what the editor sends."""


@asynccontextmanager
async def compose(server: AssentServer) -> AsyncIterator[House]:
    """The house, for as long as the editor stays."""
    async with asyncio.TaskGroup() as group:
        parts = Parts(server, group)
        async with living(parts):
            yield House(
                handlers={name: made(parts) for name, made in HANDLERS.items()},
                leaving=parts.leave,
                caught_up=lambda _: parts.board.tell_agents(),
                missed=parts.editing.missed,
            )
    parts.close()


@asynccontextmanager
async def living(parts: Parts) -> AsyncIterator[None]:
    """The parts at work; in the end nothing is asked or runs any more, and the rows are kept."""
    async with aclosing(parts.models), parts.fleet, parts.assistants:
        yield
        parts.history.close()
        await parts.refuse_all()
    await parts.record.keep_mark()
