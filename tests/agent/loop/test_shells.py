"""Commands of the agent are run, and read, by the shell that the person chose."""

import pytest

from agent.loop.scene import Table, calling, saying
from agent.loop.test_commands import run
from assent.gate.call.calls import Call
from assent.gate.call.modes import Mode
from assent.gate.processes.shell_environment import STARTS
from gate.admit.scene import within
from gate.processes.test_chosen import WHO, there


@pytest.mark.requirement("C-12")
@pytest.mark.parametrize("name", STARTS)
async def test_a_command_is_run_by_the_shell_that_was_chosen(name: str, table: Table) -> None:
    there(name)
    table.interpreter, table.mode = name, Mode.AUTO
    table.model.will(calling(run(WHO[name])), saying("Done."))
    turn = table.prompt()
    if name == "fish":
        # In no mode does it run unasked: nobody can read its language.
        ticket = await table.card()
        assert isinstance(ticket.asks, Call)
        assert ticket.asks.input["shell"] == "fish"
        assert "There is no reader for fish." in ticket.ruling.because
        await table.answer(ticket, "once")
    await within(turn)
    assert table.results[0].text.startswith(f"{name}\n")


async def test_where_the_chosen_shell_is_not_there_nothing_runs_and_it_is_said(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STARTS, "elvish", ("-c",))  # type: ignore[misc]  # it is a dict
    table.interpreter, table.mode = "elvish", Mode.AUTO
    table.model.will(calling(run("echo hi")), saying("Done."))
    await table.says()
    assert "there is no elvish on this machine" in table.results[0].text
    assert not table.calls
