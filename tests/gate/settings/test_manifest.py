"""What the editor and the documents say of the settings is made from the model."""

import json
import pathlib
import re

import pytest

from assent.gate.call.modes import NAMES, Mode
from assent.gate.rules.notation import TOOLS, written
from assent.gate.settings.entries import VERDICTS
from assent.gate.settings.manifest import (
    main,
    manifest,
    settings_page,
    with_manifest,
    with_sentences,
)
from assent.gate.settings.model import Settings
from assent.gate.settings.reading import read
from assent.gate.settings.sentences import PREFIX, keyed
from assent.gate.settings.shapes import AgentSetting, RuleSetting
from assent.gate.settings.wishes import Wish
from tables import each_row

PROPERTIES = manifest()["configuration"]["properties"]
SCOPES = {"application", "machine", "machine-overridable", "window", "resource"}


def test_each_setting_says_what_the_editor_wants_to_know() -> None:
    assert list(PROPERTIES) == [f"assent.{it.alias}" for it in Settings.model_fields.values()]
    for order, setting in enumerate(PROPERTIES.values()):
        assert setting["order"] == order
        assert setting["scope"] in SCOPES
        assert setting["title"]
        assert setting["markdownDescription"].endswith(".")
        assert "default" in setting
        assert "type" in setting
        assert "$ref" not in json.dumps(setting)


def test_each_mode_is_offered_with_its_name_and_what_it_does() -> None:
    mode = PROPERTIES["assent.mode"]
    assert mode["enum"] == [*Mode]
    assert mode["enumItemLabels"] == [NAMES[it] for it in Mode]
    assert len(set(mode["enumDescriptions"])) == len(Mode)
    assert mode["default"] == "default"


@pytest.mark.requirement("M-05")
def test_the_bypass_is_a_map_of_a_workspace_that_is_not_synchronised() -> None:
    bypass = PROPERTIES["assent.bypassPermissions"]
    assert bypass["scope"] == "resource"
    assert bypass["ignoreSync"] is True
    assert bypass["default"] == {}
    assert list(bypass["patternProperties"].values()) == [{"type": "boolean"}]
    assert bypass["additionalProperties"] is False


@pytest.mark.requirement("S-02")
def test_an_agent_needs_a_command_and_may_have_arguments_and_variables() -> None:
    agents = PROPERTIES["assent.agents"]
    (entry,) = agents["patternProperties"].values()
    assert entry["required"] == ["command"]
    assert set(entry["properties"]) == {"name", "command", "args", "env"}
    assert entry["additionalProperties"] is False


@pytest.mark.requirement("S-02")
def test_the_example_of_an_agent_is_one() -> None:
    text = PROPERTIES["assent.agents"]["markdownDescription"]
    example = text.partition("```json\n")[2].partition("```")[0]
    (entry,) = json.loads(f"{{{example}}}")["assent.agents"].values()
    assert AgentSetting.model_validate(entry).command == "npx"


@pytest.mark.requirement("T-04")
def test_rules_are_completed_and_marked_while_they_are_typed() -> None:
    rules = PROPERTIES["assent.rules"]
    assert rules["additionalProperties"] is False
    assert list(rules["properties"]) == ["allow", "ask", "deny"]
    for name, told in rules["properties"].items():
        assert told["description"].endswith(".")
        text, whole = told["items"]["anyOf"]
        assert text["type"] == "string"
        assert text["patternErrorMessage"].endswith(".")
        assert whole["required"] == ["rule"]
        assert set(whole["properties"]) == {*RuleSetting.model_fields} - {"folder"} | {"in"}
        offered = [it["body"] for it in told["items"]["defaultSnippets"]]
        plain = [it for it in offered if isinstance(it, str)]
        assert {it.partition("(")[0] for it in plain} >= set(TOOLS) - {"effect"}
        for body in plain:
            assert re.search(text["pattern"], body)
            assert written(body, VERDICTS[name]).text == body


@pytest.mark.requirement("T-04")
def test_the_example_of_rules_is_one() -> None:
    text = PROPERTIES["assent.rules"]["markdownDescription"]
    example = text.partition("```json\n")[2].partition("```")[0]
    reading = read({"rules": {"user": json.loads(f"{{{example}}}")["assent.rules"]}}, True, nobody)
    assert reading.complaints == ()
    assert len(reading.rules) == 4


@each_row("key", ["models", "hooks"])
def test_the_examples_of_models_and_hooks_are_some(key: str) -> None:
    text = PROPERTIES[f"assent.{key}"]["markdownDescription"]
    example = text.partition("```json\n")[2].partition("```")[0]
    reading = read({key: {"user": json.loads(f"{{{example}}}")[f"assent.{key}"]}}, True, nobody)
    assert reading.complaints == ()
    assert reading.own.models or reading.hooks


def nobody(_: Wish) -> None:
    return None


def test_what_starts_programs_or_widens_is_not_read_from_an_untrusted_workspace() -> None:
    # Of these it may say what it likes: the server lets none of it count for more.
    harmless = {
        "requestsPerTurn",
        "tokensPerTurn",
        "tokensPerPart",
        "writesPerTurn",
        "approvalTimeout",
        "sandbox",
        "hookWithoutEditor",
        "notifications",
    }
    restricted = manifest()["restrictedConfigurations"]
    assert restricted == [it for it in PROPERTIES if it.removeprefix("assent.") not in harmless]
    assert {f"assent.{it}" for it in harmless} <= PROPERTIES.keys()
    assert PROPERTIES["assent.agents"]["scope"] == "machine-overridable"
    assert PROPERTIES["assent.interpreter"]["scope"] == "machine-overridable"
    assert PROPERTIES["assent.serverCommand"]["scope"] == "machine"


def test_each_default_is_well_formed() -> None:
    defaults = {key.partition(".")[2]: it["default"] for key, it in PROPERTIES.items()}
    assert Settings.model_validate(defaults) == Settings()


def test_writing_replaces_the_settings_and_keeps_the_rest_in_its_order() -> None:
    package = {
        "name": "assent",
        "capabilities": {
            "virtualWorkspaces": False,
            "untrustedWorkspaces": {"supported": "limited", "restrictedConfigurations": ["old"]},
        },
        "contributes": {"commands": [1], "configuration": {"title": "Old"}, "views": {}},
        "scripts": {},
    }
    written = with_manifest(package)
    assert list(written) == list(package)
    assert list(written["contributes"]) == ["commands", "configuration", "views"]
    assert written["contributes"]["configuration"] == keyed(manifest()["configuration"])[0]
    assert written["contributes"]["commands"] == [1]
    assert written["capabilities"] == {
        "virtualWorkspaces": False,
        "untrustedWorkspaces": {
            "supported": "limited",
            "restrictedConfigurations": manifest()["restrictedConfigurations"],
        },
    }
    assert with_manifest(written) == written


def test_the_page_has_a_section_for_each_setting_with_its_default_and_its_values() -> None:
    _, *sections = settings_page().split("\n## ")
    assert [it.partition("\n")[0] for it in sections] == list(PROPERTIES)
    for section, setting in zip(sections, PROPERTIES.values(), strict=True):
        assert f"Default: `{json.dumps(setting['default'])}`" in section
        assert setting["markdownDescription"] in section
        for value, meaning in zip(
            setting.get("enum", ()), setting.get("enumDescriptions", ()), strict=True
        ):
            assert f"- `{value}`: {meaning}\n" in section


def test_writing_into_a_checkout_changes_these_values_alone(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = tmp_path / "server" / "assent" / "gate" / "settings" / "manifest.py"
    (tmp_path / "client-ts").mkdir()
    (tmp_path / "docs").mkdir()
    package = tmp_path / "client-ts" / "package.json"
    package.write_text('{\n  "name": "é",\n  "contributes": {}\n}\n', encoding="utf-8")
    words = tmp_path / "client-ts" / "package.nls.json"
    words.write_text('{"command.go": "Go", "setting.gone": "Gone"}\n', encoding="utf-8")
    monkeypatch.setattr("assent.gate.settings.manifest.__file__", str(module))
    main()
    text = package.read_text(encoding="utf-8")
    assert text.startswith('{\n  "name": "é",\n  "contributes": {\n    "configuration": {')
    assert text.endswith("}\n")
    assert json.loads(text) == with_manifest({"name": "é", "contributes": {}})
    assert json.loads(words.read_text(encoding="utf-8")) == with_sentences({"command.go": "Go"})
    assert (tmp_path / "docs" / "settings.md").read_text(encoding="utf-8") == settings_page()


def test_each_sentence_of_the_settings_has_a_key_and_is_given_back_by_it() -> None:
    ours = manifest()["configuration"]
    named, sentences = keyed(ours)
    text = json.dumps(named, ensure_ascii=False)
    for key, sentence in sentences.items():
        assert key.startswith(PREFIX)
        text = text.replace(json.dumps(f"%{key}%"), json.dumps(sentence, ensure_ascii=False))
    assert json.loads(text) == ours
    assert len(set(sentences.values())) == len(sentences)
    assert sentences["setting.mode"] == PROPERTIES["assent.mode"]["markdownDescription"]
    # What is offered to be typed is a rule in any language.
    assert "shell(npm test)" not in sentences.values()
