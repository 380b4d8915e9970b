"""The command by which a person logs in to an agent, as they would type it in a terminal."""

import os
import shlex
from collections.abc import Sequence

from assent.gate.disk.executables import Executables, path_in
from assent.hosting.install.agent_package import package_of
from assent.hosting.recipes.recipe import Recipe

__all__ = ["log_in_command"]


def log_in_command(
    recipe: Recipe, program: str, args: Sequence[str], roots: tuple[str, ...]
) -> str:
    """The command for an agent that is started so; nothing where no recipe knows it.

    Where the usual program is not on PATH, it is the agent's own, by its path.
    """
    log_in = recipe.log_in
    if log_in is None:
        return ""
    if Executables(roots=roots, path=path_in(os.environ)).find(log_in.program) is not None:
        return shlex.join((log_in.program, *log_in.words))
    words = log_in.words if log_in.own_words is None else log_in.own_words
    starts = (args[:count] for count in range(len(args) + 1))
    start = next((start for start in starts if package_of(program, start) in recipe.packages), None)
    return "" if start is None else shlex.join((program, *start, *words))
