"""Wrong arguments come back to the model with what is wrong, and never become a call."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agent.tools.workbench import Workbench
from assent.agent.tools.arguments import ArgumentsWrong, arguments_of
from assent.agent.tools.nodes import RunNode
from assent.agent.tools.read_file import READ_FILE
from assent.agent.tools.registry import BELT, remake, toolcards
from assent.agent.tools.write_file import WRITE_FILE
from assent.gate.call.errors import CallUnreadable
from steps import steps_of
from tables import each_row


def wrong(work: Workbench, name: str, arguments: str) -> str:
    with pytest.raises(ArgumentsWrong) as told:
        work.writes(name, arguments)
    return str(told.value)


def test_an_unknown_tool_is_told_with_those_that_were_offered(work: Workbench) -> None:
    assert wrong(work, "rm", "{}") == "There is no tool `rm`. There are: read_file, run_command."
    assert len(wrong(work, "x" * 1_000_000, "{}")) < 1_000


@pytest.mark.parametrize(
    ("text", "because"),
    [
        ('{"path": "a"', "they are not valid JSON"),
        ('{"path": ', "they break off"),
        ("not json", "they are not valid JSON"),
        ('{"path": "a"} {"path": "b"}', "Extra data"),
        ("{'path': 'a'}", "they are not valid JSON"),
        ('["a"]', "they must be one JSON object"),
        ('"{\\"path\\": \\"a\\"}"', "they must be one JSON object"),
        ("null", "they must be one JSON object"),
        ('{"path": "a", "path": "b"}', "`path` stands twice in them"),
        ('{"path": "a", "limit": NaN}', "NaN is no number"),
        ('{"path": "a", "limit": -Infinity}', "-Infinity is no number"),
        ('{"path": "a", "limit": 1e999}', "1e999 is no number that can be used"),
        (f'{{"path": "a", "limit": {"9" * 5_000}}}', "a number in them has too many digits"),
        ('{"path": "\\ud800"}', "half a character stands in them"),
        ('{"path": "\ud800"}', "half a character stands in them"),
        ('{"path": "a\tb"}', "they are not valid JSON"),
        (f'{{"path": {"[" * 100_000}{"]" * 100_000}}}', "they are nested too deeply"),
        (f'{{"path": {"[" * 500}{"]" * 500}}}', "recursion"),
        ("", "`path`: it is missing"),
        ("{}", "`path`: it is missing"),
        ('{"path": 5}', "`path`: expected a text, got 5"),
        ('{"path": null}', "`path`: expected a text, got null"),
        ('{"path": ["a"]}', "`path`: expected a text, got a list"),
        ('{"path": ""}', "`path`: expected a longer text"),
        ('{"path": "a", "limit": "five"}', '`limit`: expected a whole number, got "five"'),
        ('{"path": "a", "limit": 0}', "`limit`: expected at least 1, got 0"),
        ('{"path": "a", "limit": 1.5}', "`limit`: expected a whole number, got 1.5"),
        ('{"path": "a", "limit": true}', "`limit`: expected a whole number, got true"),
        ('{"path": "a", "lines": 5}', "`lines`: there is no such argument"),
    ],
)
def test_what_is_no_form_of_the_arguments_is_told(work: Workbench, text: str, because: str) -> None:
    told = wrong(work, "read_file", text)
    assert told.startswith("read_file was not called, because its arguments are wrong:\n- ")
    assert because in told


def test_an_unknown_argument_is_told_with_those_that_there_are(work: Workbench) -> None:
    told = wrong(work, "read_file", '{"path": "a", "lines": 5, "start": 1}')
    assert "its arguments are `path`, `offset`, `limit`" in told


def test_each_fault_is_told_where_it_stands(work: Workbench) -> None:
    edits = '[{"old": "a", "new": "b"}, {"old": 1}, {"old": "a", "new": "a"}]'
    told = wrong(work, "edit_file", f'{{"path": "a", "edits": {edits}}}')
    assert "`edits[1].old`: expected a text, got 1" in told
    assert "`edits[1].new`: it is missing" in told
    assert "`edits[2]`: old and new are the same" in told


def test_many_faults_are_told_in_few_words(work: Workbench) -> None:
    members = {f"member {number}" * 50: "x" * 1_000 for number in range(1_000)}
    assert len(wrong(work, "read_file", json.dumps({"path": "a", **members}))) < 1_500


def test_an_argument_that_may_be_left_out_may_be_nothing(work: Workbench) -> None:
    work.file("a", "one\n")
    assert work.writes("read_file", '{"path": "a", "limit": null}').call.input["limit"] is None
    assert work.writes("list_files", "").call.input == {}


def test_a_megabyte_of_arguments_is_read(work: Workbench) -> None:
    content = 'é"\\\n' * 250_000
    made = work.wants("write_file", path="a", content=content)
    assert made.call.input["content"] == made.call.edits[0].new == content


@each_row("text", ["\\", '"a', '{"a":[', '{"path":"a",', "[[", "1", "{}", '\\"'])
def test_a_long_text_takes_no_more_steps_than_its_length(text: str) -> None:
    def read(times: int) -> int:
        def once() -> None:
            with pytest.raises(ArgumentsWrong):
                arguments_of(READ_FILE, text * times)

        return steps_of(once)

    assert read(20_000) <= 12 * read(2_000)


def test_what_is_too_long_to_be_judged_is_not_even_read() -> None:
    with pytest.raises(ArgumentsWrong, match="do it in smaller parts"):
        arguments_of(WRITE_FILE, '{"path": "a", "content": "' + "x" * 9_000_000 + '"}')


@given(st.text() | st.recursive(st.none() | st.booleans() | st.integers(), st.lists).map(str))
def test_whatever_a_model_writes_is_an_answer_and_no_error(text: str) -> None:
    for tool in BELT:
        try:
            arguments_of(tool, text)
        except ArgumentsWrong as error:
            told = str(error)
        else:
            told = tool.name
        assert told.startswith(tool.name)


def test_each_tool_is_told_of_in_a_flat_and_closed_form() -> None:
    cards = toolcards()
    assert len({card.name for card in cards}) == len(cards) == len(BELT)
    for card in cards:
        text = json.dumps(card.schema)
        assert card.says.endswith(".")
        assert card.schema["type"] == "object"
        assert card.schema["additionalProperties"] is False
        assert not any(f'"{word}"' in text for word in ("title", "$ref", "$defs", "anyOf"))


ORDINARY = [
    ("read_file", {"path": "a", "offset": 2}),
    ("write_file", {"path": "a", "content": "x"}),
    ("edit_file", {"path": "a", "edits": [{"old": "one", "new": "two", "all": True}]}),
    ("list_files", {"depth": 2}),
    ("find_files", {"pattern": "*"}),
    ("search_text", {"pattern": "one", "literal": True, "glob": None}),
    ("run_command", {"command": "ls", "env": {"A": "b"}, "description": "It lists."}),
    ("shell_output", {"shell": "1"}),
    ("kill_shell", {"shell": "1"}),
    ("todo_write", {"items": [{"text": "one", "state": "done"}]}),
    ("run_subtask", {"name": "one", "prompt": "two"}),
    ("ask_person", {"question": "one?", "choices": [{"label": "two"}]}),
    ("present_plan", {"plan": "one"}),
]


@pytest.mark.parametrize(("name", "given"), ORDINARY)
def test_an_input_that_is_given_back_makes_the_same_call(
    work: Workbench, name: str, given: dict[str, object]
) -> None:
    work.file("a", "one\n")
    made = work.wants(name, **given)
    again = remake(made, json.loads(json.dumps(made.call.input)), work.bench)
    assert again.call == made.call
    assert again.call.digest == made.call.digest


def test_a_rewritten_input_makes_another_call_of_the_same_id(work: Workbench) -> None:
    made = work.wants("read_file", path="a")
    again = remake(made, {"path": "b"}, work.bench)
    assert again.call.id == made.call.id
    assert [target.shown for target in again.call.targets] == ["b"]


@pytest.mark.parametrize(
    ("name", "given", "other"),
    [
        ("read_file", {"path": "a"}, {"path": "a", "more": 1}),
        ("read_file", {"path": "a"}, {}),
        ("read_file", {"path": "a"}, {"path": float("nan")}),
        ("read_file", {"path": "a"}, {"path": {1, 2}}),
        ("run_subtask", {"name": "a", "prompt": "b"}, {"name": "other", "arguments": {}}),
        (
            "run_subtask",
            {"name": "a", "prompt": "b"},
            {"name": "other", "arguments": {"name": "a", "prompt": "b"}},
        ),
        ("read_file", {"path": "a"}, {"path": "a\0"}),
    ],
)
def test_a_rewritten_input_that_would_not_be_used_as_it_stands_is_none(
    work: Workbench, name: str, given: dict[str, object], other: dict[str, object]
) -> None:
    with pytest.raises(CallUnreadable):
        remake(work.wants(name, **given), other, work.bench)


@pytest.mark.requirement("N-07", "T-15")
def test_the_belt_has_the_tools_that_were_asked_for() -> None:
    asked = {"read_file", "write_file", "list_files", "search_text", "todo_write"}
    asked |= {"web_search", "web_fetch", "run_command", "run_subtask"}
    assert asked <= {tool.name for tool in BELT}


@pytest.mark.parametrize(
    ("name", "written", "meant"),
    [
        ("read_file", {"path": "a", "offset": "3"}, {"path": "a", "offset": 3}),
        ("search_text", {"pattern": "1", "literal": "true"}, {"pattern": "1", "literal": True}),
        (
            "edit_file",
            {"path": "a", "edits": '[{"old": "1", "new": "2", "all": "false"}]'},
            {"path": "a", "edits": [{"old": "1", "new": "2", "all": False}]},
        ),
    ],
)
def test_what_is_written_as_a_text_is_judged_as_what_it_says(
    work: Workbench, name: str, written: dict[str, object], meant: dict[str, object]
) -> None:
    work.file("a", "1")
    assert work.wants(name, **written).call.input == meant


@pytest.mark.parametrize("offset", ["three", "1.5", "1e3", " 1", "", "٣", "9" * 40, "0x1", "true"])
def test_a_text_that_says_no_number_is_wrong(work: Workbench, offset: str) -> None:
    with pytest.raises(ArgumentsWrong, match="`offset`: expected a whole number"):
        work.wants("read_file", path="a", offset=offset)


def test_a_number_that_is_meant_for_a_text_is_wrong(work: Workbench) -> None:
    with pytest.raises(ArgumentsWrong, match="`path`: expected a text"):
        work.wants("read_file", path=1)


@each_row("number", [10**30, float("nan"), float("inf")])
def test_a_node_is_given_no_number_that_would_be_sent_as_another(number: float) -> None:
    with pytest.raises(ValidationError, match="at most 64 bits"):
        RunNode(name="a:b", arguments={"list": [number]})
