"""Each tool that a real agent offers its model: allowed, denied and in Auto, with no alarm."""

from pathlib import Path

import pytest

from assent.hosting.recipes.recipes import RECIPES
from editor.wire.scene import Stage
from hosting.real import matrix
from hosting.real.hosted import opened
from hosting.real.known import KNOWN, Known
from hosting.real.model import Model
from hosting.real.tries import TRIES, UNTRIED, laid_out, later_in, tools_of

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]

EACH = pytest.mark.parametrize("known", KNOWN.values(), ids=KNOWN)
PAST = {"gemini": {"activate_skill", "exit_plan_mode"}}
"""The tools that come past the gate (the latter where there is no plan); that alarm is true."""

LOOKS_AT_ITSELF = {
    "claude": {"ToolSearch"},
    "copilot": {"list_agents", "list_bash", "read_agent", "read_bash"},
    "opencode": {"todowrite"},
    "qwen": {"get_goal", "list_agents", "tool_search"},
}
"""The tools that concern nothing but their own chat: nobody is asked about them."""


@pytest.fixture
def repository(tmp_path: Path) -> None:
    """The workspace, before anybody opens it."""
    laid_out(tmp_path / "workspace")


def notes_of(known: Known) -> frozenset[str]:
    """The tools of which its recipe says that they concern nothing but their own chat.

    As hosted, Gemini runs no hook that would tell their names, so those of its own have cards.
    """
    if not known.is_hooked:
        return frozenset()
    return next(recipe.notes for recipe in RECIPES if recipe.id == known.id)


@EACH
@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("way", ["allowed", "denied", "in auto"])
async def test_every_call_of_a_tool_that_is_offered_is_tried_and_raises_no_false_alarm(
    stage: Stage, model: Model, known: Known, home: Path, way: str
) -> None:
    mode = "auto" if way == "in auto" else "default"
    option = "deny" if way == "denied" else "once"
    it = await opened(stage, model, known, home, mode)
    past = PAST.get(known.id, set[str]())
    tries = TRIES[known.id](it.scene.folder, model)
    alarms: dict[str, list[str]] = {}
    cells: dict[str, str] = {}
    async with it.person():
        for name, (*before, tried_call) in tries.items():
            count = len(it.notices("error"))
            it.option = "once"
            for call in before:
                await it.use(*call)
            it.option = option
            cells[name] = matrix.cell_of(await it.use(*tried_call))
            notices = it.notices("error")[count:]
            alarms |= {} if not notices or tried_call[0] in past else {name: notices}
    print(f"\n{matrix.label(known)}, {way}: {cells}")  # noqa: T201 -- what `-s` is for
    assert alarms == {}
    quiet = LOOKS_AT_ITSELF.get(known.id, set())
    assert {calls[-1][0] for calls in tries.values()} & notes_of(known) == quiet
    asked = {calls[-1][0] for name, calls in tries.items() if cells[name] == "card"}
    assert asked & quiet == set()
    offered = model.offered | later_in(model.asked)
    tried = {tool for calls in tries.values() for tool in tools_of(calls)}
    untried = UNTRIED.get(known.id, {})
    missing = sorted(offered - tried - untried.keys())
    assert not missing, f"{known.name} offers tools that nobody tried: {', '.join(missing)}"
    gone = sorted(untried.keys() - offered)
    assert option == "deny" or not gone, f"{known.name} offers them no more: {', '.join(gone)}"
    assert it.gate()[0] == ("verified" if known.is_hooked else "advisory")
