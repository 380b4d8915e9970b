"""Builds what a person consents to, and how they withdraw it."""

from assent.editor.lsp.connection import Handler
from assent.editor.window.consent.repositories import Repositories
from assent.editor.window.consent.trust_reset import TrustReset
from assent.editor.window.consent.widening_consent import WideningConsent
from assent.editor.window.run import Run
from assent.editor.window.settings.build import SettingsParts
from assent.gate.values import frozen

__all__ = ["ConsentParts", "build_consent"]


@frozen
class ConsentParts:
    """What others need of consent."""

    widening_consent: WideningConsent
    repositories: Repositories
    handlers: dict[str, Handler]


def build_consent(run: Run, settings: SettingsParts) -> ConsentParts:
    """What would widen something is asked about by the editor itself."""
    forgetting = TrustReset(run.journal, settings.workspace)
    widening_consent = WideningConsent(run.wire, run.journal, settings.workspace)
    handlers: dict[str, Handler] = {
        "repository/list": forgetting.list,
        "repository/forget": forgetting.forget,
    }
    return ConsentParts(widening_consent, Repositories(settings.workspace), handlers)
