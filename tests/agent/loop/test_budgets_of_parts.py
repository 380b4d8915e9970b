"""Each part of the work has a budget of its own; where it is used, the person is asked."""

import json
from collections.abc import Callable

from agent.loop.probe import Probes, probe
from agent.loop.scene import Model, Reply, Table, calling, saying, without_mode
from assent.agent.loop.setup import Limits
from assent.agent.models.conversation import Answered
from assent.agent.models.conversation import Said as Prompt
from assent.agent.models.events import Used
from gate.admit.scene import within

BECAUSE = (
    "The part “{}” of the work used {} tokens, which is as much as one part may"
    " (assent.tokensPerPart), so it was stopped."
)


def part(name: str, prompt: str = "Do it.") -> tuple[str, str]:
    return "run_subtask", json.dumps({"name": name, "prompt": prompt})


def using(tokens: int, reply: Callable[[Reply], None]) -> Callable[[Reply], None]:
    """A reply that takes so many tokens."""

    def spending(to: Reply) -> None:
        to.say(Used(read=tokens, wrote=0))
        reply(to)

    return spending


def words_of(model: Model, number: int) -> list[str]:
    """What was said to the model in the request of this number."""
    turns = model.requests[number].turns
    return [it.text for it in without_mode(turns) if isinstance(it, Prompt)]


async def stopped_part(table: Table) -> None:
    """A long talk, and then a part that used all that it may."""
    table.limits = Limits(part_tokens=1_000)
    table.model.will(saying("y" * 3_000), calling(part("look", "Find the till.")))
    table.model.will(using(1_200, calling(probe("a"), text="It is not in src.")))
    await table.says("one")
    assert (await table.says("where?"))[0] == "limit"


GOES_ON = (calling(part("look", "Look on.")), saying("In app."), saying("Done."))


async def test_a_part_can_be_gone_on_with_after_the_conversation_was_summed_up(
    table: Table, probes: Probes
) -> None:
    await stopped_part(table)
    table.model.will(saying("NOTES"))
    assert await table.says("/compact") == ("done", "")
    table.model.will(*GOES_ON)
    assert await table.says("Go on.") == ("done", "")
    assert words_of(table.model, -2) == ["Find the till.", "Look on."]


async def test_a_part_can_be_gone_on_with_while_the_conversation_is_summed_up(
    table: Table, probes: Probes
) -> None:
    await stopped_part(table)
    summing = table.prompt("/compact")
    notes = await within(table.model.asked())
    more = table.prompt("Go on.")
    table.model.will(*GOES_ON)
    saying("NOTES")(notes)
    assert [await within(summing), await within(more)] == [("done", ""), ("done", "")]
    assert words_of(table.model, -2) == ["Find the till.", "Look on."]


async def test_a_part_that_used_its_budget_is_stopped_and_goes_on_after_continue(
    table: Table, probes: Probes
) -> None:
    table.limits = Limits(part_tokens=1_000)
    table.model.will(
        using(5_000, calling(part("look", "Find the till."))),
        using(600, calling(probe("a"), text="It is not in src.")),
        using(600, calling(probe("b"), text="Nor in lib.")),
    )
    reason, because = await table.says("where?")
    assert (reason, because) == ("limit", BECAUSE.format("look", "1,200"))
    assert len(table.model.requests) == 3
    assert set(probes.ended) == {"a", "b"}
    told = table.results[0].text
    assert told.startswith(f"It did not come to its end. {because}")
    assert "a part of the same name goes on" in told
    assert told.endswith("Nor in lib.")
    table.model.will(
        calling(part("look", "Look on.")),
        using(900, saying("It is in app.")),
        saying("So it is in app."),
    )
    assert await table.says("Go on.") == ("done", "")
    assert words_of(table.model, 4)[0] == "Find the till."
    assert words_of(table.model, 4)[-1] == "Look on."
    assert sum(isinstance(it, Answered) for it in table.model.requests[4].turns) == 2


async def test_what_a_part_used_counts_for_the_turn_and_no_other_part(
    table: Table, probes: Probes
) -> None:
    table.limits = Limits(part_tokens=1_000, tokens=2_500)
    table.model.will(
        calling(part("one")),
        using(900, saying("One.")),
        calling(part("two")),
        using(900, saying("Two.")),
        using(800, calling(probe("a"))),
    )
    reason, because = await table.says()
    assert (reason, because) == (
        "limit",
        "The agent used 2,600 tokens in one turn, so it was stopped.",
    )


async def test_a_part_within_a_part_counts_for_both(table: Table, probes: Probes) -> None:
    table.limits = Limits(part_tokens=1_000)
    table.model.will(
        calling(part("outer")),
        using(700, calling(probe("a"))),
        calling(part("inner")),
        using(400, calling(probe("b"))),
    )
    reason, because = await table.says()
    assert (reason, because) == ("limit", BECAUSE.format("outer", "1,100"))
    assert len(table.model.requests) == 4


async def test_both_of_two_parts_within_each_other_go_on_from_where_they_were(
    table: Table, probes: Probes
) -> None:
    table.limits = Limits(part_tokens=1_000)
    table.model.will(
        calling(part("outer")),
        calling(part("inner")),
        using(998, calling(probe("a"))),
        using(2, calling(probe("b"))),
    )
    reason, because = await table.says()
    # Both are at their end then, and the sentence names the one around the other.
    assert (reason, because) == ("limit", BECAUSE.format("outer", "1,000"))
    table.model.will(calling(part("outer")), calling(part("inner")), saying("I."), saying("O."))
    table.model.will(saying("Done."))
    assert await table.says("Go on.") == ("done", "")
    # The inner one knows what it knew: its two calls.
    assert sum(isinstance(it, Answered) for it in table.model.requests[6].turns) == 2


async def test_a_part_that_was_stopped_is_forgotten_if_the_next_turn_does_without_it(
    table: Table, probes: Probes
) -> None:
    table.limits = Limits(part_tokens=1_000)
    table.model.will(calling(part("look", "First.")), using(1_000, calling(probe("a"))))
    assert (await table.says())[0] == "limit"
    table.model.will(saying("I leave it."))
    assert (await table.says("Leave it."))[0] == "done"
    table.model.will(calling(part("look", "Second.")), saying("In."), saying("Out."))
    assert (await table.says("Look."))[0] == "done"
    assert words_of(table.model, 4) == ["Second."]


async def test_parts_side_by_side_end_each_by_its_own_budget(table: Table, probes: Probes) -> None:
    table.limits = Limits(part_tokens=1_000)
    table.model.will(
        calling(part("one"), part("two")),
        using(900, saying("Word.")),
        using(1_000, calling(probe("a"))),
    )
    reason, because = await table.says()
    assert reason == "limit"
    texts = sorted(it.text for it in table.results)
    assert texts[1] == "Word."
    assert texts[0].startswith(f"It did not come to its end. {because}")
