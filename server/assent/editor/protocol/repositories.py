"""The messages about what a person allowed repositories to configure."""

from typing import Literal

from assent.editor.protocol.shapes import Id, Millis, Shape

__all__ = ["ForgetRepository", "RepositoryAnswer", "RepositoryAnswers"]


class RepositoryAnswer(Shape):
    """One answer, as it holds."""

    digest: Id
    """What was answered."""
    agent: str
    """Its name."""
    folder: str
    files: list[str]
    """The files that it is about, by their paths in the repository."""
    standing: Literal["granted", "declined"]
    at: Millis


class RepositoryAnswers(Shape):
    """All of this workspace, the newest first."""

    answers: list[RepositoryAnswer]


class ForgetRepository(Shape):
    """Take one of them back."""

    digest: Id
