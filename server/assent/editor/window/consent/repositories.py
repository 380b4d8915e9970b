"""What a person says of the files with which a repository configures an agent.

The answer is kept as that to any wish of the workspace. Where the files have changed, a question
about what they were is withdrawn, and the answer to it goes when there is a newer one.
"""

from assent.editor.window.settings.workspace import Workspace
from assent.gate.settings.wishes import Standing, Wish
from assent.gate.values import define
from assent.hosting.repositories.consent_answers import ConsentAnswers

__all__ = ["Repositories"]


@define
class Repositories(ConsentAnswers):
    """Where agents have such answers."""

    _workspace: Workspace

    def standing(self, wish: Wish) -> Standing | None:
        """How a person answered; in a workspace that they do not trust, nothing is let."""
        if not self._workspace.reading.trusted:
            return Standing.DECLINED
        return self._workspace.standing(wish)

    async def ask(self, wish: Wish, name: str) -> Standing | None:
        """Ask a person, unless they are being asked."""
        if not (self._workspace.reading.trusted and self._workspace.can_keep):
            return None
        wish_questions = self._workspace.wish_questions
        digest, subject = wish.digest, wish.subject
        wish_questions.withdraw(
            lambda asked_wish, other: asked_wish.subject == subject and other != digest
        )
        await wish_questions.ask(wish, name)
        return self._workspace.standing(wish)
