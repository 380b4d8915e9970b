"""ARCHITECTURE.md and the decisions are short, and what they name is there."""

import re
from pathlib import Path
from typing import Final

from assent.editor.protocol.methods import METHODS
from house.sources import ROOT, committed, named
from tables import each_row

PAGE: Final = ROOT / "server" / "ARCHITECTURE.md"
GUIDE: Final = ROOT / "tests" / "README.md"
DECISIONS: Final = ROOT / "docs" / "decisions"
PACKAGE: Final = ROOT / "server" / "assent"
MESSAGES: Final = {it.name for it in METHODS}

RECORDS: Final = sorted(it for it in committed() if it.parent == DECISIONS and it.stem != "README")
THEORIES: Final = sorted(it for it in committed() if it.name == "THEORY.md")

CODE: Final = re.compile(r"`([^`\n]+)`")
PATH: Final = re.compile(r"\w[\w.-]*(?:/[\w.-]+)+/?")
TITLE: Final = re.compile(r"# (?P<number>\d{3}): (?P<title>.+)")
MOST_WORDS: Final = 2_000
FEWEST_IN_RECORD, MOST_IN_RECORD = 80, 220


def words_of(text: str) -> int:
    return len(text.split())


def missing_paths(page: Path) -> list[str]:
    """The paths in back-ticks that lead nowhere, from the package, the repository or the page.

    Only what begins with a name that is there is a path of ours: `session/new` is a message.
    """
    places = (PACKAGE, ROOT, page.parent)
    missing = []
    for name in sorted(set(CODE.findall(page.read_text("utf-8"))) - MESSAGES):
        if not PATH.fullmatch(name):
            continue
        first = name.partition("/")[0]
        is_ours = any((place / first).exists() for place in places)
        paths = [place / f"{name}{ending}" for place in places for ending in ("", ".py")]
        if is_ours and not any(it.exists() for it in paths):
            missing.append(name)
    return missing


def test_the_page_can_be_read_in_ten_minutes() -> None:
    assert words_of(PAGE.read_text("utf-8")) <= MOST_WORDS


@each_row("page", [PAGE, GUIDE, *RECORDS, *THEORIES], ids=lambda it: named([it])[0])
def test_a_path_that_a_page_names_is_there(page: Path) -> None:
    assert missing_paths(page) == []


def test_a_path_that_leads_nowhere_is_missed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("`gate/gone.py`, `gate/admit.py`, `gate/ruling`, `session/new`, `tool/card`")
    assert missing_paths(page) == ["gate/gone.py"]


def test_each_folder_of_the_server_is_named() -> None:
    folders = {
        it.parent.relative_to(PACKAGE).as_posix()
        for it in committed()
        if it.name == "__init__.py" and it.is_relative_to(PACKAGE)
    }
    text = PAGE.read_text("utf-8")
    shallow = {it for it in folders if it.count("/") == 1 or it.startswith("editor/window/")}
    assert len(shallow) > 40
    assert [it for it in sorted(shallow) if f"`{it}`" not in text] == []


def test_each_module_at_the_top_of_the_gate_is_named() -> None:
    text = PAGE.read_text("utf-8")
    modules = [it for it in (PACKAGE / "gate").glob("*.py") if it.stem != "__init__"]
    assert [it.name for it in modules if f"`gate/{it.name}`" not in text] == []


@each_row("record", RECORDS, ids=lambda it: it.stem)
def test_a_record_is_short_and_says_why_what_and_what_follows(record: Path) -> None:
    text = record.read_text("utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]
    assert FEWEST_IN_RECORD <= words_of(text) <= MOST_IN_RECORD


def test_the_index_lists_each_record_by_its_number_and_title() -> None:
    lines = []
    for number, record in enumerate(RECORDS, start=1):
        title = TITLE.fullmatch(record.read_text("utf-8").partition("\n")[0])
        assert title is not None, record.name
        assert int(title["number"]) == int(record.name[:3]) == number
        lines.append(f"- [{title['number']}: {title['title']}]({record.name})")
    index = (DECISIONS / "README.md").read_text("utf-8")
    assert re.findall(r"^- .*$", index, re.MULTILINE) == lines
