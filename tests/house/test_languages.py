"""Whatever a person reads of the extension is there in each language, and says the same things."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from house.sentences import sentences
from house.sources import ROOT
from tables import each_row

CLIENT: Final = ROOT / "client-ts"
LANGUAGES: Final = ("de", "ja")
KEY: Final = re.compile(r"%([\w.-]+)%")
CODE: Final = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|\$\([a-z-]+\)|\{\w+\}", re.DOTALL)
"""What stands in a sentence and is the same in every language: code, links, signs, places."""


def test_the_manifest_names_each_sentence_of_its_own_and_no_other() -> None:
    english = read("package.nls.json")
    named = [found for text in texts(read("package.json")) for found in KEY.findall(text)]
    assert len(english) > 100
    assert set(named) == set(english)


@each_row("language", LANGUAGES)
def test_the_manifest_has_each_sentence_in_each_language(language: str) -> None:
    english, other = read("package.nls.json"), read(f"package.nls.{language}.json")
    assert list(other) == list(english)
    differing = [key for key in english if not say_alike(english[key], other[key])]
    assert differing == []


def test_no_sentence_stands_in_the_manifest_itself() -> None:
    package = read("package.json")
    told = [
        text for text in texts(package["contributes"]) if re.search(r"[a-z] [a-z]+ [a-z]", text)
    ]
    # Conditions for commands, and patterns for names, are for the editor to read.
    assert [text for text in told if not re.search(r"&&|==|^\^|\|\|", text)] == []


@pytest.fixture(scope="module")
def sources() -> dict[str, list[str]]:
    """What the sources of the extension say, as their own tool tells it."""
    node = shutil.which("node")
    assert node is not None
    told = subprocess.run([node, "words.mjs"], cwd=CLIENT, check=True, capture_output=True)
    found: dict[str, list[str]] = json.loads(told.stdout)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_sentence_of_the_sources_is_there_in_each_language_and_no_other(
    language: str, sources: dict[str, list[str]]
) -> None:
    bundle = read(f"l10n/bundle.l10n.{language}.json")
    assert len(sources["said"]) > 500
    assert set(bundle) == {*sources["said"], *sentences()}
    assert [key for key, text in bundle.items() if not say_alike(key, text)] == []


def test_what_stands_on_cards_is_collected_from_the_source() -> None:
    found = sentences()
    assert len(found) > 200
    assert "Removes everything in your home." in found
    assert "The rule `{a}` does not go as far: {b}." in found
    assert "{A} mode asks before agents {B}." in found


def test_nothing_that_a_person_reads_is_written_where_no_language_reaches_it(
    sources: dict[str, list[str]],
) -> None:
    assert sources["unsaid"] == []
    # Whoever is excused is still there.
    assert sources["gone"] == []


def say_alike(english: str, other: str) -> bool:
    """Whether one is a translation of the other, as far as one can see who reads neither."""
    codes = sorted(CODE.findall(english)), sorted(CODE.findall(other))
    return other.strip() != "" and codes[0] == codes[1]


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(CLIENT / name).read_text("utf-8"))
    return found


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for it in value.values():
            yield from texts(it)
    elif isinstance(value, list):
        for it in value:
            yield from texts(it)
    elif isinstance(value, str):
        yield value
