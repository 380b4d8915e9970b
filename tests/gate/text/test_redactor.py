"""What an agent was given by reference is taken out of what it says."""

import json
from collections.abc import Callable

import pytest

from assent.gate.journal.events import CallPrinted
from assent.gate.text.redactor import MARK, Redactor
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.connection.variables import Secrets, started_as
from assent.hosting.permission.toolcall import MAX_OUTPUT_LETTERS
from hosting.eliza.rig import Rig
from tables import each_row

SECRET = "open sesame, door"  # noqa: S105 -- nobody's
KEY = '-----BEGIN-----\nMIIEvQ"IBADAN\n-----END-----'


class Kept(Secrets):
    """The secrets that a person has set."""

    def __init__(self, **values: str) -> None:
        self.values = values

    async def secret(self, name: str, agent: str) -> str | None:
        return self.values.get(name)

    async def variable(self, name: str) -> str | None:
        return {"US": "someuser"}.get(name)


async def redactor(template: str, **values: str) -> Redactor:
    spec = AgentSpec(id="a", name="A", command="a", env={"IT": template, "PLAIN": "in the open"})
    started = await started_as(spec, Kept(**values))
    return Redactor.of(started.given)


@each_row(
    ("template", "value", "text"),
    [
        ("${secret:IT}", "open sesame", "open sesame"),
        ("Bearer ${secret:IT}", "open sesame", "open sesame"),
        ("Bearer ${secret:IT}", "open sesame", "Bearer open sesame"),
        ("${secret:IT}", KEY, KEY),
        ("${secret:IT}", KEY, 'MIIEvQ"IBADAN'),
        ("${secret:IT}", KEY, json.dumps(KEY)[1:-1]),
        ("${secret:IT}", "sésame, open", json.dumps("sésame, open")[1:-1]),
    ],
)
async def test_a_value_is_taken_out_in_each_form_in_which_it_may_stand(
    template: str, value: str, text: str
) -> None:
    assert (await redactor(template, IT=value))(f"<{text}>") == f"<{MARK}>"


@each_row(
    "template",
    [
        "${secret:A}${secret:B}",
        "${secret:A}:${secret:B}",
        "${env:US}:${secret:A}:${secret:B}",
        "${secret:B}.${secret:A}",
    ],
)
async def test_of_more_than_one_reference_in_a_variable_each_value_is_taken_out(
    template: str,
) -> None:
    given = {"A": "one:half-of.it", "B": "the:other.half"}
    clean = await redactor(template, **given)
    assert clean(f"<{given['A']}> <{given['B']}>") == f"<{MARK}> <{MARK}>"


async def test_what_was_written_in_the_open_and_what_is_too_short_to_be_a_secret_stays() -> None:
    assert (await redactor("${secret:IT}", IT="1"))("1 is in the open") == "1 is in the open"


async def test_of_json_every_text_is_looked_through_and_nothing_else_changes() -> None:
    clean = await redactor("${secret:IT}", IT="open sesame")
    told = {"a": [{"b": "open sesame!"}, 1, None, True], "sessionId": "open sesame"}
    assert clean.of_json(told) == {**told, "a": [{"b": f"{MARK}!"}, 1, None, True]}


async def test_no_value_is_in_what_a_redactor_says_of_itself() -> None:
    assert "sesame" not in repr(await redactor("${secret:IT}", IT="open sesame"))


PRINTS = """
number = begin()
ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}})
answer_to(1)
word = os.environ["WORD"]
def text(it):
    return [{"type": "content", "content": {"type": "text", "text": it}}]
%s
update(sessionUpdate="tool_call_update", toolCallId="t", status="completed")
end(number)
until("never")
"""
UPDATE = 'update(sessionUpdate="tool_call_update", toolCallId="t", status="in_progress", %s)'


@pytest.mark.parametrize(
    "shows",
    [
        UPDATE % 'content=text("I was given " + word)',
        UPDATE % f'content=text("x" * {MAX_OUTPUT_LETTERS - 4} + word)',
        UPDATE % '_meta={"terminal_output_delta": {"data": "I was given " + word}}',
        UPDATE % 'rawOutput="I was given " + word',
        UPDATE % 'rawOutput={"said": [word]}',
        UPDATE % 'rawOutput={"stdout": "", "stderr": "I was given " + word}',
    ],
)
async def test_what_a_call_prints_is_shown_and_kept_without_the_secret(
    rig: Rig, scripted: Callable[..., AgentSpec], monkeypatch: pytest.MonkeyPatch, shows: str
) -> None:
    monkeypatch.setenv("GIVEN", SECRET)
    rig.agent = scripted(PRINTS % shows, env={"WORD": "${env:GIVEN}"})
    await rig.open()
    ended, call = await rig.turn("hello", "once")
    assert ended == ("done", "")
    shown = rig.output(call)
    (kept,) = await rig.journal.rows(call=call.id, kind="ended")
    assert MARK[:4] in shown
    output = json.loads(kept["body"])["output"]
    assert MARK[0] in output
    assert SECRET[:4] not in shown + output


async def test_the_id_of_a_request_is_told_without_the_secret(
    rig: Rig, scripted: Callable[..., AgentSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIVEN", SECRET)
    body = """
    begin()
    for _ in range(2):
        ask(os.environ["WORD"], {"toolCallId": "t", "rawInput": {"command": "true"}})
    until("never")
    """
    rig.agent = scripted(body, env={"WORD": "${env:GIVEN}"})
    await rig.open()
    how, because = await rig.say("hello")
    assert how == "error"
    assert f"request id '{MARK}'" in because


async def test_what_an_agent_tells_of_both_outputs_of_a_command_stays_apart(
    rig: Rig, scripted: Callable[..., AgentSpec]
) -> None:
    told = UPDATE % 'rawOutput={"stdout": "fine", "stderr": "bad", "exit_code": 1}'
    rig.agent = scripted(PRINTS % told, env={"WORD": ""})
    await rig.open()
    _, call = await rig.turn("hello", "once")
    printed = [it for it in rig.happened if isinstance(it, CallPrinted) and it.call == call.id]
    assert [(it.text, it.is_error) for it in printed] == [("fine", False), ("bad", True)]
