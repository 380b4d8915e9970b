"""A call that the model writes as text, and a promise without a call, go back to it in words."""

import time

import pytest

from agent.loop.probe import Probes, probe
from agent.loop.scene import Table, calling, check, saying
from assent.agent.loop.unmade_calls import call_in_text, is_promise
from assent.agent.loop.wording import CALL_AS_TEXT, PROMISED
from assent.agent.models.conversation import Said
from assent.agent.models.events import Text, Thinking
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.admit.scene import within
from gate.ruling.samples import Says
from replies import replied
from tables import each_row

NAME, ARGUMENTS = probe("a")
CALL = f'{{"name": "{NAME}", "arguments": {ARGUMENTS}}}'
FORMS = {
    "Hermes, Qwen": f"<tool_call>\n{CALL}\n</tool_call>",
    "Hermes, without an end": f"I look.\n<tool_call>\n{CALL}",
    "Hermes, two of them": f"<tool_call>{CALL}</tool_call>\n<tool_call>{CALL}</tool_call>",
    "Hermes, the name behind": '<tool_call>{"arguments": {"a": {}}, "name": "probe"}</tool_call>',
    "Hermes, no valid JSON": '<tool_call>{"name": "probe", "arguments": {"a": "\n"}}</tool_call>',
    "Qwen Coder": "<tool_call>\n<function=probe>\n<parameter=label>\na\n</parameter>\n</function>\n"
    "</tool_call>",
    "Qwen Coder, bare": "<function=probe>\n<parameter=label>\na\n</parameter>\n</function>",
    "GLM": "<tool_call>probe\n<arg_key>label</arg_key>\n<arg_value>a</arg_value>\n</tool_call>",
    "Llama": f'<|python_tag|>{{"name": "probe", "parameters": {ARGUMENTS}}}',
    "Llama, bare": f'{{"name": "probe", "parameters": {ARGUMENTS}}}',
    "Llama, behind words": f'I look.\n\n{{"name": "probe", "parameters": {ARGUMENTS}}}',
    "Llama, by its own tag": f"<function=probe>{ARGUMENTS}</function>",
    "OpenAI": '{"type": "function", "function": {"name": "probe", "arguments": "{}"}}',
    "quoted, and nothing else": f"```json\n{CALL}\n```",
    "Mistral": f"[TOOL_CALLS][{CALL}]",
    "Mistral, behind words": f"I look.[TOOL_CALLS] [{CALL}]",
    "Mistral, since 2025": f"[TOOL_CALLS]probe[ARGS]{ARGUMENTS}",
    "Mistral, without its mark": f"probe[ARGS]{ARGUMENTS}",
    "Mistral, bare": f"[{CALL}]",
}
SHOWN = {
    "another tool": CALL.replace("probe", "get_weather"),
    "explained": f"Hermes writes\n<tool_call>\n{CALL}\n</tool_call>\nand its host reads it.",
    "quoted": f"Such a call looks so:\n```\n<tool_call>{CALL}</tool_call>\n```",
    "quoted as JSON": f"Such a call looks so:\n```json\n{CALL}\n```",
    "in a line": f"Write `<tool_call>{CALL}</tool_call>`",
    "amid a sentence": f"One writes <tool_call>{CALL}</tool_call>",
    "no call": '{"name": "probe", "version": "1.0", "private": true}',
    "a function": "Use probe(label)",
    "a mark alone": "It begins with\n```\n<tool_call>\n```\nand holds\n{}",
}
PROMISES = (
    "Let me look at the failing test.",
    "The loop is off by one.\n\nNow let me update `a.py`:",
    "Let me check if the file exists.",
    "I found it. Let me fix it and then run the tests.",
    "I'll read the failing test.",
    "Sure! I’ll look at the failing test.",
    "I am going to run the tests.",
    "Now I'll fix `a.py`, which is off by one:",
    "**I will now run the tests and fix what fails.**",
)
TOLD = (
    "Fixed, and the tests pass.",
    "Plan:\n1. Read `a.py`.\n2. I'll run the tests.",
    "I see two steps.\n- Let me look at the file.\n- I'll fix it now.",
    "I'll read the config, change the port and run the tests.",
    "I'll read it first, then I'll run the tests.",
    "Finally, I'll run the tests.",
    "I'll run the tests after each change.",
    "I will edit only the sources.",
    "I'll run the tests once you approve.",
    "If you like, I'll run the tests now.",
    "Shall I fix it? I'll run the tests now.",
    "Let me know if you want me to run the tests.",
    "Let me explain how the loop works.",
    "Let me run through the changes.",
    "I will wait for your answer.",
    "You can run the tests now:",
    "It prints:\n```\nLet me look at it.\n```",
)


@pytest.mark.parametrize("form", FORMS)
async def test_a_call_as_text_is_answered_with_the_right_form_and_never_runs(
    table: Table, probes: Probes, form: str
) -> None:
    table.model.will(saying(FORMS[form]), calling(probe("b")), saying("Done."))
    assert await table.says() == ("done", "")
    assert table.turns[2] == Said(text=CALL_AS_TEXT.format("probe"))
    assert probes.begun == {"b": 1}
    assert len(table.calls) == 1
    assert table.texts() == [FORMS[form], "Done."]
    check(table.chat.conversation.turns)


@pytest.mark.parametrize("what", SHOWN)
async def test_what_only_shows_a_call_ends_the_turn(
    table: Table, probes: Probes, what: str
) -> None:
    table.model.will(saying(SHOWN[what]))
    assert await table.says("How do models call?") == ("done", "")
    assert table.turns[1:] == (replied(SHOWN[what]),)


async def test_a_model_that_only_writes_calls_as_text_is_told_so_twice_in_a_turn(
    table: Table, probes: Probes
) -> None:
    wrong = saying(FORMS["Llama"])
    table.model.will(wrong, calling(probe("b")), wrong, wrong, wrong, saying("Hello."))
    ending = ("error", "The model wrote a call as text, so it was not run.")
    assert await table.says() == ending
    assert len(table.model.requests) == 4
    assert await table.says() == ("done", "")


async def test_a_call_in_a_thought_counts_where_nothing_is_said(
    table: Table, probes: Probes
) -> None:
    thought = Thinking(text=f"I look.\n{FORMS['Hermes, Qwen']}")
    table.model.will(lambda reply: reply.say(thought).end(), calling(probe("b")), saying("Done."))
    assert await table.says() == ("done", "")
    assert table.turns[0] == Said(text="go\n\n" + CALL_AS_TEXT.format("probe"))
    table.model.will(lambda reply: reply.say(thought, Text(text="Done.")).end())
    assert await table.says() == ("done", "")
    assert len(table.model.requests) == 4


async def test_the_call_that_follows_passes_the_gate(table: Table, probes: Probes) -> None:
    table.rules = (Says(verdict=Verdict.DENY, name="no-probes"),)
    table.model.will(saying(FORMS["Mistral"]), calling(probe("a")), saying("I see."))
    await table.says()
    assert table.results[0].text == "This was refused, so it was not run: no-probes says so."
    assert probes.begun == {}


@each_row("text", PROMISES)
def test_what_is_said_to_be_done_at_once_is_a_promise(text: str) -> None:
    assert is_promise(text, "Fix the test.", plans=False)


@each_row("text", TOLD)
def test_a_plan_an_offer_and_an_explanation_are_no_promise(text: str) -> None:
    assert not is_promise(text, "Fix the test.", plans=False)


async def test_a_promise_without_a_call_gets_one_nudge(table: Table, probes: Probes) -> None:
    said = PROMISES[0]
    table.model.will(saying(said), calling(probe("a")), saying(said))
    assert await table.says("Fix it.") == ("done", "")
    assert table.turns[2] == Said(text=PROMISED)
    assert probes.begun == {"a": 1}
    assert table.texts() == [said, said]
    check(table.chat.conversation.turns)
    table.model.will(saying(said), saying("It is done."))
    assert await table.says("And now?") == ("done", "")
    assert table.turns[-2] == Said(text=PROMISED), "another turn, another nudge"


async def test_a_promise_with_its_call_gets_none(table: Table, probes: Probes) -> None:
    table.model.will(calling(probe("a"), text=PROMISES[0]), saying("Done."))
    await table.says("Fix it.")
    assert [it for it in table.turns if isinstance(it, Said)] == [Said(text="Fix it.")]


@pytest.mark.parametrize(
    ("mode", "asked"), [(Mode.PLAN, "Fix it."), (Mode.DEFAULT, "What would you do first?")]
)
async def test_one_sentence_that_may_be_a_plan_ends_the_turn(
    table: Table, mode: Mode, asked: str
) -> None:
    table.mode = mode
    table.model.will(saying("I'll read the failing test."))
    assert await within(table.prompt(asked)) == ("done", "")
    assert len(table.model.requests) == 1


def test_a_long_reply_is_looked_through_in_no_time() -> None:
    begun = time.process_time()
    for text in ('{"name": 1\n' * 100_000, "<tool_call>\n```\n" * 50_000, "[" * 500_000):
        assert call_in_text(text + "}", ["probe"]) == ""
        assert not is_promise(text, "", plans=False)
    assert time.process_time() - begun < 5
