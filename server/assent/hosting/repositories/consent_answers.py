"""A person's answers about the files with which a repository configures an agent.

Who keeps the answer, and how the question is put, is the concern of whoever hosts the fleet; here
it is only a wish, bound to the content of the files.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from assent.gate.settings.wishes import REPOSITORY, Standing, Wish, WishedFile
from assent.gate.text.invisible_characters import is_unseen
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.recipes.recipe import Recipe
from assent.hosting.repositories.repository import Configuring, RepositoryFiles

__all__ = ["ConsentAnswers", "NoConsent", "few_of", "names_of", "wish_of"]

_MAX_FILES_NAMED: Final = 5
"""How many files are named in a sentence."""

_HANDED: Final = "Until you let it, nothing of these files reaches {name}."
_READ: Final = "{name} reads these files itself, so it is not started here until you let it."


class ConsentAnswers(Protocol):
    """Where answers to such wishes are had."""

    def standing(self, wish: Wish) -> Standing | None:
        """How a person answered; None where nobody was asked, or nothing may be granted."""

    async def ask(self, wish: Wish, name: str) -> Standing | None:
        """Ask a person, unless they are being asked; None where nobody answered."""


class NoConsent(ConsentAnswers):
    """There is no person, so nothing is let."""

    def standing(self, wish: Wish) -> Standing | None:
        """See `ConsentAnswers`."""

    async def ask(self, wish: Wish, name: str) -> Standing | None:
        """See `ConsentAnswers`."""


def wish_of(
    spec: AgentSpec, recipe: Recipe, repository_files: RepositoryFiles, *, is_handed: bool
) -> Wish:
    """The wish that an agent goes by exactly these files."""
    means = (_HANDED if is_handed else _READ).format(name=spec.name)
    return Wish(
        key=REPOSITORY,
        name=spec.id,
        value={
            "agent": recipe.id,
            "folder": repository_files.folder,
            "files": {file.path: file.digest for file in repository_files.files},
        },
        effect=f"{spec.name} would do what these files of the repository say, on your machine with"
        f" all your rights, and without asking you. {means!s}",
        files=tuple(map(_as_wished, repository_files.files)),
    )


def names_of(repository_files: RepositoryFiles) -> str:
    """The files, by their names."""
    return few_of([file.path for file in repository_files.files])


def few_of(paths: Sequence[str]) -> str:
    """Some of these paths, as they stand in a sentence.

    >>> few_of(["a`b", "c\u202e", *"defg"])
    '`a�b`, `c�`, `d`, `e`, `f`, …'
    """
    names = [f"`{_seen(path)}`" for path in paths[:_MAX_FILES_NAMED]]
    return ", ".join([*names, *(["…"] if len(paths) > _MAX_FILES_NAMED else [])])


def _seen(path: str) -> str:
    """A path that neither ends its back-ticks nor has letters that cannot be seen."""
    return "".join("�" if letter == "`" or is_unseen(letter) else letter for letter in path)


def _as_wished(file: Configuring) -> WishedFile:
    return WishedFile(path=file.path, rows=file.taken.rows, text=file.text)
