"""Rulings on inner commands (`sudo X`, `docker exec X`): does the outer rule cover X, and where?

Elsewhere its ruling is as strict as here, since what stands around it may give it files of this
machine; only the sentences say where it is.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from assent.gate.call.modes import NAMES
from assent.gate.call.verdicts import Actor, Verdict
from assent.gate.programs.code_inputs import says_code, takes_code
from assent.gate.programs.command_scopes import (
    CHECKER,
    INTERPRETER,
    RUNNER,
    command_scopes,
    kind_of,
)
from assent.gate.programs.deeds import Kind
from assent.gate.programs.irreversible_losses import command_losses
from assent.gate.programs.known_names import callings
from assent.gate.programs.nested_execution.commands_in_code import commands_in_code
from assent.gate.programs.nested_execution.interpreters import CONTAINER, ELSEWHERE
from assent.gate.programs.nested_execution.unwrap import HANDING, WRAPPERS
from assent.gate.programs.nested_execution.wrapper_rows import AFTER_WORD
from assent.gate.programs.study import study
from assent.gate.programs.tables import by_name
from assent.gate.ruling.findings import CommandFinding, InnerScope
from assent.gate.ruling.paths import Place
from assent.gate.ruling.protected import CHANGES_WHAT_IS_ALLOWED
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.dialects import SHELLS
from assent.gate.shell.script import Command
from assent.gate.shell.word import Word
from assent.gate.values import evolve

__all__ = ["in_place", "of_here", "vouched"]

_AT_ONCE: Final = frozenset({"npx", "bunx", "uvx", *HANDING})
_RUNNERS: Final = frozenset({*_AT_ONCE, *AFTER_WORD})
"""Programs that are there to run a project's own programs, or those of a container: some with every
word that they are given, the others behind a word for it."""

_GOES: Final = frozenset(("-w", "--workdir"))
_MOUNTED: Final = "in a container that has folders of this machine"


def vouched(
    outer: CommandFinding | None, inner: Command, places: Sequence[Place]
) -> InnerScope | None:
    """How far what allows a command allows what it runs: a rule that names it, or a task runner's.

    What speaks against the inner command, which touches `places`, counts all the same.
    """
    far = _vouching(outer, inner) if outer is not None else None
    if far is InnerScope.ALL or far is None or _is_named(outer, inner):
        return far
    away = outer is not None and outer.command.program in ELSEWHERE
    if _reaches(inner, places) or (
        far is InnerScope.PROJECT and not _is_projects(inner, away=away)
    ):
        return None
    return far


def _is_of_tests(modules: Sequence[str]) -> bool:
    """Whether a module that an interpreter is told to run looks through a project, or tests it."""
    return any(
        module in command_scopes() and command_scopes()[module].kind in {CHECKER, RUNNER}
        for module in modules
    )


def _vouching(outer: CommandFinding, inner: Command) -> InnerScope | None:
    """How far it would, whatever the inner command does."""
    command, rule = outer.command, outer.leave.rule
    if outer.covered is not None:
        return outer.covered
    if command.wraps or rule is None:
        return None
    away = command.program in ELSEWHERE
    named = _words_of(rule)
    # What runs elsewhere is all in the words of a rule that is to the letter.
    if away and _is_exact(rule):
        return InnerScope.ALL
    # Whoever lets code run lets run what that starts, as before anybody could read it.
    if (
        command.program not in WRAPPERS
        and commands_in_code(command.argv, command.document) is not None
    ):
        return InnerScope.ALL
    if command.program not in _RUNNERS:
        given = command.program not in WRAPPERS
        return InnerScope.NEAR if inner.name in named else InnerScope.PROJECT if given else None
    verbs = {*AFTER_WORD.get(command.program, ())}
    if not (command.program in _AT_ONCE or inner.name in named or verbs & {*named}):
        return InnerScope.PROJECT
    return InnerScope.ALL if away else InnerScope.NEAR


def _is_named(outer: CommandFinding | None, inner: Command) -> bool:
    """Whether the rule that lets a command run names the very program that this runs."""
    rule = outer.leave.rule if outer is not None and outer.covered is None else None
    return rule is not None and inner.name in _words_of(rule)


def _words_of(rule: str) -> list[str]:
    return rule.removesuffix(")").removesuffix(":*").split()


def _is_projects(inner: Command, *, away: bool) -> bool:
    """Whether a command is one of those that a project has, or only reads.

    Elsewhere, a word alone is most often what names the container.
    """
    name, words = inner.program, [word.text for word in inner.argv]
    if study(inner).reading or inner.wraps or (away and words == [name] and name not in by_name()):
        return True
    kind = kind_of(inner.argv) if inner.argv else ""
    if kind == INTERPRETER or name in SHELLS:
        modules = [it for it, _ in callings(name, inner.argv[1:])][1:]
        return _is_of_tests(modules) or not (says_code(words) or takes_code(words))
    known = name in by_name() or name in command_scopes() or name in WRAPPERS or name in ELSEWHERE
    return kind in {CHECKER, RUNNER} or not known


def _reaches(inner: Command, places: Sequence[Place]) -> bool:
    """Whether it reaches a host, or changes files but for writing those of the project anew."""
    deeds = study(inner)
    kinds = {touch.kind for touch in deeds.touches if touch.kind.changes}
    stays = all(
        place.target is not None and place.target.inside for place in places if place.kind.changes
    )
    anew = kinds == {Kind.WRITE} and stays and kind_of(inner.argv) in {CHECKER, RUNNER}
    return bool(deeds.hosts) or bool(kinds and not anew)


def _is_exact(rule: str) -> bool:
    return rule.startswith("shell(") and rule != "shell(*)" and not rule.endswith(":*)")


def of_here(outer: CommandFinding | None, places: list[Place]) -> list[Place]:
    """The places without those of a container that lead nowhere here, as its own `/proc`.

    What it is told to go to from its root is of that kind; in the folder here it is judged as well.
    """
    if outer is None or _where(outer) != CONTAINER:
        return places
    goes = any(at.text in _GOES and _is_rooted(to) for at, to in pairwise(outer.command.argv))

    def is_there(place: Place) -> bool:
        known = place.word.known and not place.word.glob
        read = not (place.target or place.redirect or place.kind.changes)
        return known and read and (goes or _is_rooted(place.word))

    return [place for place in places if not is_there(place)]


def _is_rooted(word: Word) -> bool:
    return word.known and word.text.startswith("/")


def in_place(
    context: RulingContext,
    judged: CommandFinding,
    command: Command,
    text: str,
    outer: CommandFinding | None,
) -> CommandFinding:
    """The same, with where it runs, and what is lost there for good.

    The paths of what runs elsewhere are none of this workspace, and nothing is allowed by them.
    """
    where = _where(outer)
    sentences, said = command_losses(command, text), judged.ruling
    if not (sentences or where):
        return judged
    losses = tuple(_there(sentence, where) for sentence in sentences)
    if not where or said.verdict is not Verdict.ASK:
        return evolve(judged, losses=losses, where=where)
    because = said.because
    if said.by is Actor.MODE and said.lasting:
        because = f"{NAMES[context.mode]} mode asks about what runs {where}."
    later = said.grave is None or said.grave.startswith(CHANGES_WHAT_IS_ALLOWED)
    grave = None if later or said.grave is None else _there(said.grave, where)
    said = evolve(said, because=because, grave=grave)
    return evolve(judged, ruling=said, losses=losses, where=where)


def _where(outer: CommandFinding | None) -> str:
    """Where a command runs that `outer` runs; nothing where that is here."""
    if outer is None:
        return ""
    where = outer.where or ELSEWHERE.get(outer.command.program, "")
    # What it does there to these it does here.
    mounts = where == CONTAINER and any(touch.tree for touch in outer.deeds.touches)
    return _MOUNTED if mounts else where


def _there(loss: str, where: str) -> str:
    """A loss as it is told of what happens elsewhere."""
    return f"{loss.removesuffix('.')}, {where}." if where else loss
