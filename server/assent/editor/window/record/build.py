"""Builds the record of decisions: the journal, its pages, and what a person does with them."""

from assent.editor.lsp.connection import Handler
from assent.editor.window.consent.build import ConsentParts
from assent.editor.window.record.history import History
from assent.editor.window.record.insights import Lookback
from assent.editor.window.record.record import Record
from assent.editor.window.record.record_actions import RecordActions
from assent.editor.window.rules.build import RulesParts
from assent.editor.window.run import Run
from assent.editor.window.settings.build import SettingsParts
from assent.editor.window.settings.editor_start import now
from assent.gate.settings.paths import journal_file
from assent.gate.values import frozen

__all__ = ["RecordParts", "build_record"]


@frozen
class RecordParts:
    """What others need of the record."""

    record: Record
    history: History
    handlers: dict[str, Handler]


def build_record(
    run: Run, settings: SettingsParts, consent: ConsentParts, rules: RulesParts
) -> RecordParts:
    """Pages of the journal are read from a connection of their own."""
    workspace, policies = settings.workspace, settings.policies
    record = Record(
        *(run.journal, run.state, run.epoch, run.epochs), run.wire, run.spawn, workspace.tell
    )
    history = History(journal_file(run.state), run.roots, workspace.name_of, run.spawn)
    lookback = Lookback(history, rules.rulebook, policies.of_new, workspace.places, run.roots, now)
    record_actions = RecordActions(
        *(history, rules.judge, rules.preview, rules.rulebook, rules.file),
        *(consent.widening_consent, workspace, workspace.name_of),
    )
    handlers: dict[str, Handler] = {
        "journal/startNew": record.start_new,
        "history/list": history.list,
        "history/show": record_actions.show,
        "history/previewRule": record_actions.preview,
        "history/makeRule": record_actions.make,
        "history/revoke": record_actions.revoke,
        "history/export": history.export,
        "history/insights": lookback.show,
    }
    return RecordParts(record, history, handlers)
