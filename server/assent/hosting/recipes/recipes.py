"""The known agents: how each is made to ask, and the names of its tools.

A recipe is found by the package that would run, as it lies on the disk, and never by what an agent
says of itself. It tightens, but for the few files that it says an agent keeps for itself: one that
was found wrongly costs questions. Every other agent goes by the last row, and asks when it likes.
"""

from collections.abc import Sequence
from typing import Final

from assent.hosting.install.agent_package import package_of
from assent.hosting.recipes import claude, codex, copilot, gemini, opencode, qwen
from assent.hosting.recipes.recipe import GENERAL, Recipe

__all__ = ["RECIPES", "recipe_for"]

RECIPES: Final[Sequence[Recipe]] = tuple(
    module.RECIPE for module in (claude, codex, copilot, qwen, opencode, gemini)
)


def recipe_for(program: str, args: Sequence[str]) -> Recipe:
    """What is known of the agent that this program would be, with these words."""
    package = package_of(program, args)
    return next((recipe for recipe in RECIPES if package in recipe.packages), GENERAL)
