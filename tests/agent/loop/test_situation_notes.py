"""What stands around the work is told in notes, and what was sent before stays as it was."""

import json
from itertools import pairwise

import pytest

from agent.loop.scene import Table, calling, saying
from agent.tools.site import Site, answer
from assent.agent.loop.prompt import mode_note
from assent.agent.models.conversation import Said
from assent.gate.call.modes import Mode


def notes(table: Table) -> list[str]:
    """What stands where only the person speaks, by request."""
    return [it.text for it in table.chat.conversation.turns if isinstance(it, Said)]


def same_beginnings(table: Table) -> None:
    """Each request goes on from the one before, byte for byte."""
    requests = table.model.requests
    for before, after in pairwise(requests):
        assert after.turns[: len(before.turns)] == before.turns
        assert (after.system, after.tools) == (before.system, before.tools)


async def test_the_mode_is_told_when_it_is_another(table: Table) -> None:
    table.model.will(*(saying(str(number)) for number in range(4)))
    for mode in (Mode.PLAN, Mode.PLAN, Mode.AUTO, Mode.PLAN):
        table.mode = mode
        await table.says("go")
    plan, auto = mode_note(Mode.PLAN), mode_note(Mode.AUTO)
    assert notes(table) == [f"{plan}\n\ngo", "go", f"{auto}\n\ngo", f"{plan}\n\ngo"]
    same_beginnings(table)


async def test_what_folders_say_is_told_with_the_next_prompt_once_it_is_another(
    table: Table,
) -> None:
    table.model.will(*(saying(str(number)) for number in range(3)))
    for text in ("[use tabs]", "[use tabs]", "[use blanks]"):
        table.guides = {"/ws": text}
        await table.says("go")
    mode = mode_note(table.mode)
    assert notes(table) == [f"[use tabs]\n\n{mode}\n\ngo", "go", "[use blanks]\n\ngo"]
    same_beginnings(table)


async def test_what_an_inner_folder_says_is_told_once_something_there_was_read(
    table: Table,
) -> None:
    (table.root / "in").mkdir()
    inner = table.root / "in" / "a.txt"
    inner.write_text("a\n")
    table.near = {str(inner): "[in here, use tabs]"}
    look = ("read_file", json.dumps({"path": "in/a.txt"}))
    table.model.will(calling(look), calling(look), saying("Done."))
    await table.says("go")
    first, second, third = table.model.requests
    assert "[in here, use tabs]" not in str(first.turns)
    assert second.turns[-1] == Said(text="[in here, use tabs]")
    assert str(third.turns).count("[in here, use tabs]") == 1
    same_beginnings(table)


async def test_what_was_summed_up_is_told_anew(table: Table) -> None:
    table.guides, table.facts = {"/ws": "[use tabs]"}, "[a test's folder]"
    table.model.will(saying("1"), saying("2"))
    await table.says("go")
    table.chat.conversation.begin_with(Said(text="[notes]"), table.chat.conversation.turns[1:])
    await table.says("on")
    mode = mode_note(table.mode)
    assert notes(table)[-1] == f"[a test's folder]\n\n[use tabs]\n\n{mode}\n\non"


async def test_a_search_of_the_web_is_offered_where_the_person_has_set_one_up(table: Table) -> None:
    table.model.will(saying("1"), saying("2"))
    await table.says("go")
    table.search_url = "https://s.example.org/search"
    await table.says("go")
    before, after = ({tool.name for tool in reply.request.tools} for reply in table.model.replies)
    assert after - before == {"web_search"}
    assert before < after


async def test_an_unknown_tool_is_answered_with_those_that_were_offered(table: Table) -> None:
    table.model.will(calling(("fly", "{}")), saying("I see."))
    await table.says("go")
    offered = ", ".join(tool.name for tool in table.model.replies[0].request.tools)
    assert table.results[0].text.endswith(f"There are: {offered}.")
    assert "web_search" not in offered


@pytest.mark.requirement("N-13")
async def test_in_plan_a_search_passes_and_a_fetch_is_refused(table: Table) -> None:
    found = {"title": "VAT", "url": "https://vat.example", "content": "rates"}
    table.mode = Mode.PLAN
    async with Site().open() as site:
        site.pages["/s?q=vat&format=json"] = answer(
            json.dumps({"results": [found]}), "application/json"
        )
        table.search_url = site.url("/s")
        search = ("web_search", json.dumps({"query": "vat"}))
        fetch = ("web_fetch", json.dumps({"url": site.url("/page")}))
        table.model.will(calling(search, fetch), saying("Done."))
        await table.says("go")
    assert "https://vat.example" in str(table.model.requests[-1].turns)
    assert [path for path, _ in site.asked] == ["/s?q=vat&format=json"]
