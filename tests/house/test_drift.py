"""What is written twice is compared: settings, methods, golden files, handlers."""

import asyncio
import json
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import get_args

import pytest

from assent.agent.models.known_models import EFFORTS
from assent.catalogue.workflows.graph import Standing
from assent.editor.cards import touches
from assent.editor.protocol import chats, records
from assent.editor.protocol.methods import METHODS
from assent.editor.window.headless import Headless, Inputs
from assent.editor.window.record import history_rows
from assent.editor.window.run import Run
from assent.editor.window.server import build
from assent.gate import explain
from assent.gate.call import verdicts
from assent.gate.call.modes import CATALOGUE
from assent.gate.programs.nested_execution import passed_on
from assent.gate.rules.notation import TOOLS
from assent.gate.ruling import decide
from assent.gate.settings import examples
from assent.gate.settings.manifest import PAGE, manifest, settings_page
from assent.gate.settings.sentences import PREFIX, keyed
from assent.gate.settings.shapes import HookSetting
from assent.hosting.install import agent_package
from editor.protocol.golden import FOLDER
from house.sources import ROOT

OF_THE_EDITOR = {
    "initialized",
    "workspace/didChangeConfiguration",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
}
"""What the language server protocol itself lets a client send, and we listen to."""


def test_the_settings_of_the_model_are_those_of_the_extension() -> None:
    package = json.loads((ROOT / "client-ts" / "package.json").read_text("utf-8"))
    ours = manifest()
    named, sentences = keyed(ours["configuration"])
    assert package["contributes"]["configuration"] == named, "run `make protocol`"
    words = json.loads((ROOT / "client-ts" / "package.nls.json").read_text("utf-8"))
    assert {key: it for key, it in words.items() if key.startswith(PREFIX)} == sentences
    untrusted = package["capabilities"]["untrustedWorkspaces"]
    assert untrusted["restrictedConfigurations"] == ours["restrictedConfigurations"]


def test_the_page_of_settings_is_written_from_the_model() -> None:
    assert (ROOT / PAGE).read_text("utf-8") == settings_page(), "run `make protocol`"


def test_the_bypass_is_a_setting_of_the_workspace() -> None:
    properties = manifest()["configuration"]["properties"]
    assert properties["assent.bypassPermissions"]["type"] == "object"
    assert "assent.bypassPermissions" in manifest()["restrictedConfigurations"]


async def test_each_message_of_the_client_has_one_handler_and_each_handler_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSENT_STATE_DIR", str(tmp_path))
    client = Headless(Inputs(root=tmp_path, keys={}), lambda *_: None)
    async with asyncio.TaskGroup() as group:
        served = Counter(chain.from_iterable(build(Run.of(client, group)).handlers))
    ours = [method.name for method in METHODS if method.sender == "client"]
    assert served == Counter([*ours, *OF_THE_EDITOR])


def test_rules_hooks_examples_and_explanations_know_the_same_tools() -> None:
    (told,) = get_args(HookSetting.model_fields["tools"].annotation)
    assert set(get_args(told)) == {*TOOLS, *decide.FOR_PERSON, CATALOGUE, "other"} - {"effect"}
    assert set(examples._LOOKS) == set(TOOLS)
    assert set(explain._SHAPES) == set(TOOLS) - {"effect"}
    assert set(history_rows._VERBS) == set(get_args(told)) - {"other"}


def test_a_step_of_a_workflow_stands_on_the_wire_as_it_stands_in_its_run() -> None:
    assert get_args(records.FlowStep.model_fields["state"].annotation) == get_args(Standing)


def test_runners_of_packages_are_the_same_for_hosting_an_agent_and_for_judging_a_command() -> None:
    assert set(agent_package._RUNNERS) == passed_on._SHORT
    words = {word for before in agent_package._RUNNERS.values() for word in before}
    assert words <= passed_on._BRINGS
    spelled = {name for name in passed_on._SHORT if not agent_package._RUNNERS[name]}
    assert spelled == {name for name in passed_on._SHORT if name.endswith("x")}


def test_each_kind_of_deed_has_its_reach_and_all_but_a_program_a_line_on_the_card() -> None:
    assert {*touches._VERBS, "run"} == {*verdicts._FURTHER, "move"}
    assert set(decide._TOOL_OF) == {*verdicts._FURTHER} - {"run"}
    assert set(decide._TOOL_OF.values()) <= set(TOOLS)


def test_an_effort_is_the_same_word_in_settings_on_the_wire_and_for_a_model() -> None:
    told = chats.Effort
    assert get_args(told) == EFFORTS


def test_each_method_has_golden_messages_and_each_golden_file_a_method() -> None:
    files = {path.stem.replace("_", "/", 1) for path in FOLDER.glob("*.json")}
    assert files == {method.name for method in METHODS}


@pytest.mark.requirement("M-07")
def test_the_top_level_is_as_it_was_asked_for() -> None:
    for name in ("pyproject.toml", "README.md"):
        assert (ROOT / name).is_file()
    for name in ("server", "client-ts", "tests"):
        assert (ROOT / name).is_dir()
