"""Builds the gate, and what a person answers, sees and changes of its rules."""

from assent.editor.lsp.connection import Handler
from assent.editor.window.changes.editable_texts import Edits
from assent.editor.window.consent.build import ConsentParts
from assent.editor.window.record.metering import Metering
from assent.editor.window.rules.always_answers import Always
from assent.editor.window.rules.answers import Answers
from assent.editor.window.rules.dialogs import Dialogs, draws_cards
from assent.editor.window.rules.judge import Judge
from assent.editor.window.rules.modes import Modes
from assent.editor.window.rules.plans import Plans
from assent.editor.window.rules.preview import Preview
from assent.editor.window.rules.rule_file import RuleFile
from assent.editor.window.rules.rulebook import Rulebook
from assent.editor.window.run import Run
from assent.editor.window.servers.build import ServersParts
from assent.editor.window.settings.build import SettingsParts
from assent.gate.admit import Gate
from assent.gate.approvals.tickets import Ticket
from assent.gate.approvals.waiting_room import Window
from assent.gate.call.calls import Call
from assent.gate.disk.freshness import changed_since
from assent.gate.disk.places import Places
from assent.gate.hooks import Hooks
from assent.gate.journal.ledger import Ledger
from assent.gate.settings.agents import ASSENT
from assent.gate.tasks.called_tasks import with_task_digests
from assent.gate.values import frozen

__all__ = ["RulesParts", "build_rules"]


@frozen
class RulesParts:
    """What others need of the gate and its rules."""

    gate: Gate
    metering: Metering
    judge: Judge
    file: RuleFile
    rulebook: Rulebook
    preview: Preview
    modes: Modes
    answers: Answers
    handlers: dict[str, Handler]


def build_rules(
    run: Run, settings: SettingsParts, consent: ConsentParts, servers: ServersParts
) -> RulesParts:
    """The gate rules by what holds at the moment of each call."""
    workspace, policies, grants = settings.workspace, settings.policies, settings.grants
    board, widening_consent = run.board, consent.widening_consent
    judge = Judge(
        policy=policies.whole,
        places=workspace.places,
        new=policies.of_new,
        has_workspace=lambda: bool(run.roots) and workspace.can_keep,
        folder=lambda: workspace.folder,
    )
    plans = Plans(board=board, workspace=workspace, widening_consent=widening_consent)
    hooks = _hooks(run, settings)
    metering = Metering.beside(board, workspace, run.room, run.spawn)
    gate = _gate(
        run, settings, servers=servers, metering=metering, judge=judge, plans=plans, hooks=hooks
    )
    # The gate shows a person the pages that it rules on, so the servers were built before it.
    servers.browsers.judge = gate.judge_afterwards
    file = RuleFile(run.wire, run.journal, workspace)
    always = Always(workspace, widening_consent, file, judge, grants, gate.rule_again)
    answers = Answers(run.wire, run.room, board, widening_consent, always, plans)
    run.room.window = _shown(run, answers, hooks)
    rulebook = Rulebook(
        *(workspace, run.journal, file, grants, policies.of_new),
        *(workspace.places, gate.rule_again, widening_consent),
    )
    preview = Preview(run.room, run.journal, judge)
    modes = Modes(board, workspace, widening_consent, gate, plans)
    handlers: dict[str, Handler] = {
        "tool/approvalResponse": answers.respond,
        "tool/previewRules": preview.show,
        "tool/card": board.card,
        "tool/openDiff": answers.open_diff,
        "tool/editText": Edits(gate).edit,
        "agent/answerLater": answers.be_patient,
        "agent/setMode": modes.set,
        "agent/bypass": modes.bypass,
        "policy/rules": rulebook.list,
        "policy/remove": rulebook.remove,
        "policy/switch": rulebook.switch,
        "policy/explain": rulebook.explain,
    }
    return RulesParts(gate, metering, judge, file, rulebook, preview, modes, answers, handlers)


def _hooks(run: Run, settings: SettingsParts) -> Hooks:
    workspace = settings.workspace
    return Hooks(
        entries=lambda: workspace.reading.hooks,
        journal=lambda: run.journal,
        folder=run.root,
        programs=lambda: workspace.places().executables,
    )


def _gate(
    run: Run,
    settings: SettingsParts,
    *,
    servers: ServersParts,
    metering: Metering,
    judge: Judge,
    plans: Plans,
    hooks: Hooks,
) -> Gate:
    workspace = settings.workspace

    def places(call: Call) -> Places:
        return settings.sessions.places(call.chat).for_call(call)

    def changed(call: Call) -> str | None:
        # Other people's agents change what is on the disk, whatever stands in the editor.
        buffers = settings.buffers if call.agent == ASSENT.id else None
        return changed_since(call, places(call), buffers)

    return Gate(
        ledger=Ledger(metering.pass_on),
        journal=run.journal,
        room=run.room,
        policy=settings.policies.of,
        patience=lambda: workspace.reading.patience,
        agent_name=workspace.name_of,
        facts=places,
        why_stale=changed,
        with_file_digests=lambda call: with_task_digests(call, places(call)),
        rule_suggestions=judge.rule_suggestions,
        grants=settings.grants,
        hooks=hooks,
        modes=plans.modes,
        card_of=run.board.card_of,
        add_screenshot=servers.nodes.add_screenshot,
    )


def _shown(run: Run, answers: Answers, hooks: Hooks) -> Window:
    """Where questions are shown: on the board, and in dialogs where the editor draws no cards."""

    def notify(ticket: Ticket) -> None:
        if isinstance(ticket.asks, Call):
            run.spawn(hooks.notify(ticket.asks, ticket.ruling.because))

    board, client = run.board, run.client
    window = Window(board.tell_ticket, board.tell_settled, notify)
    if draws_cards(client.opening):
        return window
    return Dialogs(
        run.room,
        lambda ticket: board.request(ticket, board.stream.seq),
        answers.respond,
        client.window_show_message_request_async,
        run.spawn,
    ).beside(window)
