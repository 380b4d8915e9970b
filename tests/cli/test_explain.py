"""`assent explain` of the tools of servers: by rules, by arguments, by modes."""

import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from assent.cli import explain
from assent.modes import Mode

RULES = {
    "allow": ["mcp(github:get_*)", "mcp(files:write){path=docs/**}", "run(node:lint)"],
    "ask": ["mcp(github:create_issue)"],
    "deny": ["mcp(github:delete_*)"],
}

Explain = Callable[..., tuple[int, str]]


@pytest.fixture
def explained(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> Explain:
    """Asks about a call with the rules above; the exit code, and all that is said."""
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"assent.rules": RULES}), encoding="utf-8")

    def ask(*words: str) -> tuple[int, str]:
        where = ["--settings", str(settings), "--workspace", str(tmp_path)]
        code = explain.main([*where, *words])
        told = capsys.readouterr()
        return code, told.out + told.err

    return ask


@pytest.mark.requirement("N-10")
@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("github:get_issue", "✓ Allowed"),
        ("github:create_issue", "? You would be asked. The rule `mcp(github:create_issue)`"),
        ("github:delete_repo", "✗ Denied. The rule `mcp(github:delete_*)`"),
        ("github:forgotten", "? You would be asked. Default mode"),
        ("other:get_issue", "? You would be asked. Default mode"),
    ],
)
def test_a_tool_of_a_server_is_ruled_on_by_its_name(
    explained: Explain, tool: str, said: str
) -> None:
    code, told = explained("mcp", tool)
    assert (code, said in told) == (0, True), told


@pytest.mark.requirement("N-10")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"path": "docs/guide/begin.md"}, "✓ Allowed"),
        ({"path": "docs/../.env"}, "? You would be asked"),
        ({"path": "src/till.py"}, "? You would be asked"),
        ({}, "? You would be asked"),
    ],
)
def test_its_arguments_are_read_as_the_rules_read_them(
    explained: Explain, arguments: dict[str, Any], said: str
) -> None:
    code, told = explained("mcp", "files:write", json.dumps(arguments))
    assert (code, said in told) == (0, True), told


@pytest.mark.requirement("N-10")
@pytest.mark.parametrize(
    ("mode", "named", "unnamed"),
    [
        # What a person has allowed by its name is allowed in Plan as well.
        (Mode.PLAN, "✓", "✗"),
        (Mode.ASK, "✓", "?"),
        (Mode.DEFAULT, "✓", "?"),
        (Mode.ACCEPT_EDITS, "✓", "?"),
        (Mode.AUTO, "✓", "✓"),
    ],
)
def test_each_mode_says_what_it_says_in_a_chat(
    explained: Explain, mode: Mode, named: str, unnamed: str
) -> None:
    for tool, sign in (("github:get_issue", named), ("github:forgotten", unnamed)):
        _, told = explained("--mode", mode.value, "mcp", tool)
        assert told.startswith(sign), (tool, told)
    _, told = explained("--mode", mode.value, "mcp", "github:delete_repo")
    assert told.startswith("✗"), told


@pytest.mark.parametrize("arguments", ["{", "[1]", '{"a": 1, "a": 2}', '{"a": NaN}'])
def test_arguments_that_are_none_are_refused_in_a_sentence(
    explained: Explain, arguments: str
) -> None:
    code, told = explained("mcp", "files:write", arguments)
    assert code == 2
    assert told.startswith("assent: ")
    assert "argument" in told or "number" in told


def test_a_command_in_several_words_is_told_to_be_quoted(explained: Explain) -> None:
    code, told = explained("shell", "ls", "src")
    assert code == 2
    assert "quotes" in told
