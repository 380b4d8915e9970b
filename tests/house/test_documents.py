"""What the documents say can be done: commands, settings, names in the editor, and their length."""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from assent import __version__
from assent.catalogue.workflows.graph import graph_of
from assent.gate.settings.managed import read_managed
from assent.gate.settings.manifest import manifest
from assent.gate.settings.model import Settings
from assent.gate.settings.reading import read
from assent.gate.settings.wishes import Wish
from house.documents import (
    CHANGELOG,
    EXTENSION,
    PAGES,
    README,
    blocks,
    code,
    commands,
    headings,
    is_written,
    lines_of,
    without_code,
)
from house.sources import ROOT, named

EACH: Final = pytest.mark.parametrize(
    "page", [README, EXTENSION, *PAGES], ids=lambda it: named([it])[0]
)
NAMES: Final = (
    "agents browser cards ci collections faq history hooks mcp models modes nodes other-editors"
    " own-agent pictures-and-speech rules sandbox security settings terminal-agents workflows"
).split()
SETTINGS: Final = frozenset(manifest()["configuration"]["properties"])


def test_there_is_a_page_for_each_subject_and_the_readme_leads_to_each() -> None:
    assert [it.stem for it in PAGES] == NAMES
    text = README.read_text("utf-8")
    assert [it for it in NAMES if f"](docs/{it}.md)" not in text] == []


def test_the_readmes_name_the_editor_that_the_manifest_asks_for() -> None:
    engine = json.loads((ROOT / "client-ts/package.json").read_text("utf-8"))["engines"]["vscode"]
    number = engine.removeprefix("^").removesuffix(".0")
    for readme in (README, EXTENSION):
        assert f"VS Code {number} or newer" in readme.read_text("utf-8")


def test_documents_are_short() -> None:
    assert lines_of(README) <= 150
    assert {it.name: lines_of(it) for it in PAGES if is_written(it) and lines_of(it) > 250} == {}


def test_the_changelog_has_versions_the_newest_first_each_in_few_words() -> None:
    _, *versions = re.split(r"^## ", CHANGELOG.read_text("utf-8"), flags=re.MULTILINE)
    numbers = [tuple(map(int, it.partition("\n")[0].split("."))) for it in versions]
    assert numbers == sorted(set(numbers), reverse=True)
    assert ".".join(map(str, numbers[0])) == __version__
    assert {it[:5]: len(it.split()) for it in versions if len(it.split()) > 300} == {}


@EACH
def test_each_command_of_a_document_exists_with_its_options(page: Path) -> None:
    for _, command, *words in commands(page.read_text("utf-8"), "assent"):
        options = [it for it in words if it.startswith("--")]
        told = help_of(command)
        assert [it for it in options if not re.search(rf"{it}\b", told)] == [], (command, words)


@EACH
def test_what_is_explained_in_a_document_can_be_explained(page: Path, tmp_path: Path) -> None:
    # These look at the tasks of the workspace, and at the models of its person.
    of_a_place = {"run_workflow", "generate_image"}
    for _, *words in commands(page.read_text("utf-8"), "assent explain"):
        if not of_a_place.intersection(words):
            done = assent(*words, "--workspace", str(tmp_path))
            assert done.stderr == "", words
            assert done.stdout.endswith("\n"), words


@EACH
def test_each_option_that_a_table_lists_is_one_of_its_command(page: Path) -> None:
    text = page.read_text("utf-8")
    every = " ".join(
        help_of(it) for it in ("run", "history", "insights", "verify", "explain", "try")
    )
    listed = [it for it in code(text) if re.match(r"--[a-z]", it)]
    of_others = {"--dangerously-skip-permissions", "--yolo"}
    assert [
        it for it in listed if it not in of_others and not re.search(rf"{it.split()[0]}\b", every)
    ] == []


@EACH
def test_each_word_of_make_is_one(page: Path) -> None:
    words = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    of_examples = {"all", "notes-${item}"}
    used = [it[1] for it in commands(page.read_text("utf-8"), "make")]
    assert [it for it in used if it not in {*words, *of_examples}] == []


@EACH
def test_each_setting_that_is_named_exists(page: Path) -> None:
    text = page.read_text("utf-8")
    used = set(re.findall(r"""(?<=[`"])assent\.[A-Za-z]+""", text))
    assert sorted(used - SETTINGS) == []


@EACH
def test_each_example_of_settings_is_taken_without_a_complaint(page: Path) -> None:
    for block in blocks(page.read_text("utf-8"), "json"):
        if not block.startswith('"assent.'):
            assert isinstance(json.loads(block), dict), block
            continue
        values = {name.partition(".")[2]: it for name, it in json.loads(f"{{{block}}}").items()}
        Settings.model_validate(values)
        layers = {name: {"user": it} for name, it in values.items()}
        assert read(layers, True, nobody).complaints == (), block


def test_the_example_of_an_organisation_is_understood(tmp_path: Path) -> None:
    (example,) = blocks((ROOT / "docs" / "rules.md").read_text("utf-8"), "json")[1:]
    file = tmp_path / "managed.json"
    file.write_text(example, encoding="utf-8")
    managed = read_managed(file, owner=file.stat().st_uid)
    assert (managed.complaints, managed.problems) == ((), ())
    assert managed.rules


def test_the_example_of_a_graph_is_understood() -> None:
    (example,) = blocks((ROOT / "docs" / "workflows.md").read_text("utf-8"), "json")
    assert len(graph_of(json.loads(example), ["run_command"]).steps) == 3


@EACH
def test_each_command_of_the_editor_is_called_what_it_is_called_there(page: Path) -> None:
    words = json.loads((ROOT / "client-ts" / "package.nls.json").read_text("utf-8"))
    titles = {it for key, it in words.items() if key.startswith("command.")}
    used = re.findall(r"\*Assent: ([^*]+)\*", page.read_text("utf-8"))
    assert [it for it in used if it not in titles] == []


def test_what_is_packaged_links_to_nothing_that_is_not() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", without_code(EXTENSION.read_text("utf-8")))
    assert [it for it in targets if not it.startswith("https://")] == []


def test_headings_are_found_as_they_are_linked() -> None:
    text = "# A *b*, `c.d`\n## Is it?\n```\n# no\n```\n## Is it?\n### [Name](x.md)’s\n"
    assert headings(text) == {"a-b-cd", "is-it", "is-it-1", "names"}


def nobody(_: Wish) -> None:
    return None


@cache
def help_of(command: str) -> str:
    """What a command of Assent says of itself."""
    if command in {"serve", "eliza", "--version"}:
        # These take no options; the list of commands says what they do.
        return assent("--help").stdout + "--stdio"
    done = assent(command, "--help")
    assert done.returncode == 0, done.stderr
    return done.stdout


def assent(*words: str) -> Any:
    return subprocess.run(
        [sys.executable, "-m", "assent", *words], capture_output=True, text=True, check=False
    )
