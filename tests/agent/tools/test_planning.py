"""A plan is shown, and a part of the work is handed over."""

import pytest

from agent.tools.workbench import Workbench
from assent.gate.call.calls import Effect
from assent.gate.journal.events import PlanLine


@pytest.mark.requirement("N-07")
async def test_a_plan_becomes_the_plan_of_the_chat(work: Workbench) -> None:
    made = work.wants(
        "todo_write",
        items=[{"text": "Look", "state": "done"}, {"text": "Leap", "state": "in_progress"}],
    )
    assert made.call.effect is Effect.CHAT
    done = await work.does(made)
    assert done.text == "The plan is written: 1 of 2 steps are done."
    assert work.plan == (
        PlanLine(text="Look", state="done"),
        PlanLine(text="Leap", state="inProgress"),
    )


async def test_a_part_is_handed_over_and_what_comes_of_it_comes_back(work: Workbench) -> None:
    made = work.wants("run_subtask", name="search", prompt="Find it.")
    assert (made.call.tool, made.call.input["name"]) == ("agent", "subtask")
    assert (await work.does(made)).text == "found it"
    assert work.subtasks == [("search", "Find it.")]
