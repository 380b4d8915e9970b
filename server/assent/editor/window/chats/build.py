"""Builds the chats of a window: the open ones, and kept ones that come back."""

import os

from assent.agent.chats.store import Store
from assent.editor.lsp.connection import Handler
from assent.editor.window.agents.build import AgentsParts
from assent.editor.window.agents.own.references import References
from assent.editor.window.chats.choices import Choices
from assent.editor.window.chats.kept.chat_list import KeptChats
from assent.editor.window.chats.kept.chat_saver import ChatSaver
from assent.editor.window.chats.kept.resume import ChatResumer
from assent.editor.window.chats.kept.retry import Retry
from assent.editor.window.chats.open_chats import Chats
from assent.editor.window.chats.opened_records import OpenedRecords
from assent.editor.window.consent.build import ConsentParts
from assent.editor.window.consent.state import here
from assent.editor.window.models.build import ModelsParts
from assent.editor.window.record.build import RecordParts
from assent.editor.window.rules.build import RulesParts
from assent.editor.window.run import Run
from assent.editor.window.settings.build import SettingsParts
from assent.editor.window.settings.editor_start import now
from assent.gate.settings.paths import chats_file
from assent.gate.values import frozen

__all__ = ["ChatsParts", "build_chats"]


@frozen
class ChatsParts:
    """What others need of the chats."""

    chats: Chats
    keeping: ChatSaver
    earlier: KeptChats
    handlers: dict[str, Handler]


def build_chats(
    run: Run,
    settings: SettingsParts,
    *,
    consent: ConsentParts,
    rules: RulesParts,
    record: RecordParts,
    models: ModelsParts,
    agents: AgentsParts,
) -> ChatsParts:
    """The chats of before are brought back once the settings are read."""
    board, workspace = run.board, settings.workspace
    earlier = _earlier(run, settings, models, agents)
    keeping = earlier.keeping
    references = References(
        *(run.wire, board, settings.policies, workspace.places, settings.buffers),
        *(earlier, run.spawn),
    )
    board.touched = keeping.touched
    chats = Chats(
        *(board, rules.gate, agents.fleet, agents.assistants, agents.terminals, models.models),
        *(workspace, rules.modes, run.spawn, run.root, agents.slash),
        *(keeping, earlier, references),
    )
    board.agents = chats.agents
    # A workflow may run again in a chat of before, whose agent is woken for that.
    agents.own.wake = earlier.back.wake
    recorded = OpenedRecords(run.wire, board, keeping)
    retry = Retry(record.history, earlier, board, chats.prompt)
    handlers: dict[str, Handler] = {
        "agent/subscribe": chats.subscribe,
        "agent/list": chats.list,
        "agent/newChat": chats.open,
        "agent/closeChat": chats.close,
        "agent/prompt": chats.prompt,
        "agent/stop": chats.stop,
        "agent/turns": earlier.turns,
        "agent/references": references.find,
        "chat/list": earlier.list_kept,
        "chat/open": earlier.open,
        "chat/continue": earlier.go_on,
        "chat/rename": earlier.rename,
        "chat/export": earlier.export,
        "tool/record": recorded.show,
        "tool/sound": recorded.sound,
        "tool/openRecordDiff": recorded.open_diff,
        "history/askAgain": retry.ask,
        **_choices(run, settings, consent, models, agents),
    }
    return ChatsParts(chats, keeping, earlier, handlers)


def _earlier(
    run: Run, settings: SettingsParts, models: ModelsParts, agents: AgentsParts
) -> KeptChats:
    board, workspace = run.board, settings.workspace
    keeping = ChatSaver(
        store=Store(chats_file(run.state), run.epoch, run.epochs.lives),
        workspace="\n".join(sorted(os.path.realpath(root) for root in run.roots)),
        board=board,
        fleet=agents.fleet,
        assistants=agents.assistants,
        now=now,
        is_ours=lambda chat: agents.terminals.host(chat) is None,
        heard=workspace.tell,
    )
    back = ChatResumer(
        keeping=keeping,
        board=board,
        fleet=agents.fleet,
        assistants=agents.assistants,
        models=models.models,
        workspace=workspace,
        root=run.root,
        now=now,
    )
    return KeptChats(
        keeping=keeping,
        board=board,
        back=back,
        workspace=workspace,
        now=now,
        mark_name=f"chatsMark.{here(run.state)}",
        spawn=run.spawn,
    )


def _choices(
    run: Run,
    settings: SettingsParts,
    consent: ConsentParts,
    models: ModelsParts,
    agents: AgentsParts,
) -> dict[str, Handler]:
    choices = Choices(
        board=run.board,
        fleet=agents.fleet,
        assistants=agents.assistants,
        models=models.models,
        workspace=settings.workspace,
        widening_consent=consent.widening_consent,
    )
    return {
        "agent/setModel": choices.set_model,
        "agent/setEffort": choices.set_effort,
        "agent/setOption": choices.set_option,
    }
