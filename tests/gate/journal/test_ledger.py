"""The ledger takes no step that the table of states does not join."""

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.call.calls import ChatId
from assent.gate.call.errors import IllegalStep
from assent.gate.call.lifecycle import NEXT, State, is_end, step
from assent.gate.journal.events import CallMoved, Happening
from assent.gate.journal.ledger import Ledger
from gate.ruling.samples import running


@given(st.sampled_from(State), st.sampled_from(State))
def test_a_step_is_taken_exactly_where_the_table_joins(now: State, then: State) -> None:
    if then in NEXT[now]:
        assert step(now, then) is then
    else:
        with pytest.raises(IllegalStep, match=f"{now} cannot become {then}"):
            step(now, then)


def test_every_state_can_be_reached_and_every_way_ends() -> None:
    reached = {State.PROPOSED}
    for _ in State:
        reached |= {then for now in reached for then in NEXT[now]}
    assert reached == set(State)
    ends = {state for state in State if is_end(state)}
    assert ends == set(State) - {State.PROPOSED, State.WAITING, State.RUNNING}


@given(st.lists(st.sampled_from(State), max_size=6))
def test_the_ledger_tells_each_step_it_takes_and_refuses_the_others(states: list[State]) -> None:
    told: list[Happening] = []
    ledger = Ledger(tell=told.append)
    call = running()
    ledger.propose(call)
    taken = [State.PROPOSED]
    for state in states:
        if is_end(taken[-1]):
            assert ledger.state(call) is None
            break
        if state in NEXT[taken[-1]]:
            ledger.move(call, state)
            taken.append(state)
        else:
            with pytest.raises(IllegalStep):
                ledger.move(call, state)
    assert [each.state for each in told] == taken  # type: ignore[union-attr]


def test_a_call_has_its_id_to_itself_until_it_has_ended() -> None:
    ledger = Ledger(tell=lambda _: None)
    first = running()
    ledger.propose(first)
    with pytest.raises(IllegalStep, match="has not ended"):
        ledger.propose(running(id=first.id))
    ledger.propose(running(id=first.id, chat=ChatId("chat-2")))
    ledger.move(first, State.REFUSED)
    ledger.propose(running(id=first.id))


@given(st.lists(st.sampled_from(State), max_size=6))
def test_a_call_is_another_only_until_it_is_decided(states: list[State]) -> None:
    told: list[Happening] = []
    ledger = Ledger(tell=told.append)
    call = running()
    ledger.propose(call)
    taken = State.PROPOSED
    for state in states:
        if state in NEXT[taken]:
            ledger.move(call, state)
            taken = state
    told.clear()
    again = evolve(call, says="again")
    if taken in {State.PROPOSED, State.WAITING}:
        ledger.rewrite(again, "It was aimed anew.")
        assert told == [CallMoved(call=again, state=taken, because="It was aimed anew.")]
    else:
        with pytest.raises(IllegalStep, match="not decided yet"):
            ledger.rewrite(again)
        assert told == []
