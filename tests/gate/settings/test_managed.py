"""The organisation's file: what it says holds, and where it cannot be read everything asks."""

import json
import os
import pathlib
from typing import Any

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.settings.managed import NOTHING_MANAGED, Managed, managed_file, read_managed
from tables import each_row

ME = os.geteuid() if hasattr(os, "geteuid") else 0


@pytest.fixture
def file(tmp_path: pathlib.Path) -> pathlib.Path:
    folder = tmp_path / "assent"
    folder.mkdir(mode=0o755)
    return folder / "managed.json"


def managed(file: pathlib.Path, contents: Any, mode: int = 0o644) -> Managed:
    text = contents if isinstance(contents, str) else json.dumps(contents, indent=2)
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return read_managed(file, owner=ME)


def assert_everything_asks(found: Managed) -> None:
    assert found.suspended == {"*"}
    assert found.rules == ()
    assert not found.may_bypass
    (problem,) = found.problems
    assert problem.isprintable()
    assert "every call is asked about" in problem
    assert [it.severity for it in found.complaints] == ["error"]


def test_where_there_is_none_nothing_is_laid_down(file: pathlib.Path) -> None:
    assert read_managed(file) == NOTHING_MANAGED


def test_what_it_says_holds_with_its_lines(file: pathlib.Path) -> None:
    found = managed(
        file,
        {
            "rules": {"deny": ["shell(curl:*)", {"rule": "read(~/.ssh)", "why": "Keys."}]},
            "modes": {"forbidden": ["auto"]},
            "bypass": False,
            "sandbox": "off",
        },
    )
    assert found.sandbox == "off"
    assert [it.text for it in found.rules] == ["shell(curl:*)", "read(~/.ssh)"]
    assert {it.layer for it in found.rules} == {"managed"}
    assert [it.source.line for it in found.rules] == [4, 5]
    assert str(found.rules[0].source) == "your organisation's settings, line 4"
    assert found.rules[0].source.file == str(file)
    assert found.forbidden == {Mode.AUTO}
    assert not found.may_bypass
    assert (found.suspended, found.problems) == (frozenset(), ())


@pytest.mark.parametrize(
    "contents",
    [
        "",
        "{",
        "[]",
        "null",
        '{"rule": {}}',
        '{"rules": []}',
        '{"modes": {"forbidden": ["loud"]}}',
        '{"modes": {}}',
        '{"bypass": "no"}',
        '{"bypass": 0}',
        '{"rules": ' + "[" * 100_000,
        "\ud800",
    ],
)
@pytest.mark.requirement("T-12")
def test_what_is_malformed_makes_everything_ask(file: pathlib.Path, contents: str) -> None:
    file.write_bytes(contents.encode("utf-8", "surrogatepass"))
    assert_everything_asks(read_managed(file, owner=ME))


@pytest.mark.requirement("T-12")
def test_a_folder_a_pipe_a_loop_and_fifty_megabytes_make_everything_ask(
    file: pathlib.Path,
) -> None:
    file.mkdir()
    assert_everything_asks(read_managed(file))
    file.rmdir()
    os.mkfifo(file)
    assert_everything_asks(read_managed(file))
    file.unlink()
    file.symlink_to(file)
    assert_everything_asks(read_managed(file))
    file.unlink()
    file.symlink_to(file.with_name("nowhere"))
    assert_everything_asks(read_managed(file))
    file.unlink()
    with file.open("wb") as written:
        written.truncate(50_000_000)
    assert_everything_asks(read_managed(file))


def test_a_rule_that_cannot_be_read_makes_its_tool_ask_and_the_rest_holds(
    file: pathlib.Path,
) -> None:
    found = managed(file, {"rules": {"deny": ["Bash(x)", "shell(y)"]}})
    assert found.suspended == {"shell"}
    assert [it.text for it in found.rules] == ["shell(y)"]
    assert found.line(found.complaints[0].path) == 4


def test_leave_counts_only_where_nobody_else_could_have_given_it(file: pathlib.Path) -> None:
    contents = {"rules": {"allow": ["shell(a)"], "deny": ["shell(b)"]}}

    def allowed(found: Managed) -> list[str]:
        assert "shell(b)" in [it.text for it in found.rules]
        return [it.text for it in found.rules if it.verdict is Verdict.ALLOW]

    assert allowed(managed(file, contents)) == ["shell(a)"]
    for mode in (0o664, 0o646):
        found = managed(file, contents, mode)
        assert allowed(found) == []
        assert "does not count" in found.problems[0]
    managed(file, contents)
    assert allowed(read_managed(file, owner=ME + 1)) == []
    file.parent.chmod(0o777)
    assert allowed(read_managed(file, owner=ME)) == []


@each_row(
    ("platform", "place"),
    [
        ("linux", "/etc/assent/managed.json"),
        ("darwin", "/Library/Application Support/Assent/managed.json"),
    ],
)
def test_the_file_lies_where_only_an_administrator_writes(platform: str, place: str) -> None:
    assert managed_file(platform, {}) == pathlib.Path(place)
    assert managed_file(platform, {"PROGRAMDATA": "/tmp"}) == pathlib.Path(place)


def test_on_windows_the_file_lies_below_the_program_data() -> None:
    assert managed_file("win32", {"PROGRAMDATA": "D:"}).parts[-2:] == ("Assent", "managed.json")
    assert "ProgramData" in str(managed_file("win32", {}))
