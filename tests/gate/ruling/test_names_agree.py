"""The tables that name tools and programs name the same ones: none is forgotten in any of them."""

import re
from collections.abc import Collection

from assent.editor.telemetry import allowed_words as counted
from assent.editor.window.record import history_rows
from assent.gate import explain
from assent.gate.call import modes
from assent.gate.call.verdicts import Verdict
from assent.gate.programs import aliases, listers, meaning, selecting_options
from assent.gate.programs.deferred_execution import ORDERS
from assent.gate.programs.nested_execution import wrapper_rows
from assent.gate.programs.tables import by_name
from assent.gate.rules import neighbours
from assent.gate.rules.notation import EFFECTS, TOOLS, written
from assent.gate.rules.spelling import EXAMPLES
from assent.gate.ruling import decide
from assent.gate.settings import examples
from assent.gate.settings.shapes import HookSetting
from tables import each_row


def _hooked() -> set[str]:
    """The tools that a hook may be about, as the setting's schema has them."""
    tools = HookSetting.model_json_schema()["properties"]["tools"]
    return {*tools["items"]["enum"]}


_TOOLS = set(TOOLS) - {"effect"}
_OURS = {*decide.FOR_PERSON, modes.CATALOGUE}
"""What our own agent does that no rule is about."""
_PROGRAMS = {words.split()[0] for words in meaning._COUNTS}


@each_row(
    ("table", "named"),
    [
        (decide._JUDGES, {*_TOOLS, *decide.FOR_PERSON}),
        (EXAMPLES, {*TOOLS}),
        (examples._LOOKS, {*TOOLS}),
        (_hooked(), {*_TOOLS, *_OURS, "other"}),
        (history_rows._VERBS, {*_TOOLS, *_OURS}),
        (explain._SHAPES, _TOOLS),
        (counted.TOOLS, {*_TOOLS, *_OURS, counted.OTHER}),
    ],
    ids=["judged", "shown", "looked up", "hooked", "in the history", "explained", "counted"],
)
def test_each_table_of_tools_has_every_tool_and_no_other(
    table: Collection[str], named: set[str]
) -> None:
    assert set(table) == named


def test_each_example_of_a_rule_can_be_read_as_one_of_its_tool() -> None:
    for tool, shown in EXAMPLES.items():
        for example in re.findall(r"`([^`]+)`", shown):
            assert written(example, Verdict.DENY).tool == tool


def test_what_commands_do_is_what_rules_about_effects_name() -> None:
    assert set(decide._TOOL_OF) - {"look"} <= EFFECTS
    assert set(decide._TOOL_OF.values()) <= _TOOLS


@each_row(
    "named",
    [
        aliases.SECOND,
        neighbours._SIBLINGS,
        listers._FILTERS,
    ],
    ids=["second words", "siblings", "filters"],
)
def test_who_is_known_by_another_name_is_known_by_what_it_means(named: Collection[str]) -> None:
    assert named
    assert set(named) <= _PROGRAMS


def test_who_has_options_before_a_command_is_known_by_one_of_its_names() -> None:
    for row in selecting_options.GLOBALS:
        known = {*_PROGRAMS, *by_name(), *wrapper_rows.ROWS}
        assert {it.split()[0] for it in row.names.split(", ")} & known, row.names


def test_examples_stand_beside_programs_that_are_known() -> None:
    known = {*_PROGRAMS, *by_name()}
    assert {words.split()[0] for words in neighbours._TELLING} <= known


def test_nothing_that_reads_makes_something_run_later() -> None:
    assert not [name for name in ORDERS if name in by_name() and by_name()[name].reads]
