"""`assent explain` of the tools of servers and of our own: by rules, by arguments, by modes."""

import json
import pathlib
from collections.abc import Callable
from typing import Any

import pytest

from assent.agent.tools import registry
from assent.cli import explain
from assent.gate.call.modes import Mode

RULES = {
    "allow": [
        "mcp(github:get_*)",
        "mcp(files:write){path=docs/**}",
        "run(node:lint)",
        "network(registry.example:443)",
        {"rule": "shell(make:*)", "sandbox": True},
    ],
    "ask": ["mcp(github:create_issue)"],
    "deny": ["mcp(github:delete_*)", "fetch(domain:evil.example)"],
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


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("Registry.example:443", "✓ Allowed without asking. The rule `network(registry.example:"),
        ("registry.example:80", "  network(registry.example:80)"),
        ("registry.example:80", "  · network registry.example:80 (outside the workspace)"),
        ("localhost:443", "? You would be asked. localhost is on this machine"),
        ("0x7f.1:80", "✗ Denied. It names a host or a port"),
        ("evil.example:443", "✗ Denied. The rule `fetch(domain:evil.example)` denies this."),
    ],
)
def test_a_host_is_ruled_on_with_its_port(explained: Explain, where: str, said: str) -> None:
    code, told = explained("network", where)
    assert (code, said in told) == (0, True), told


def test_a_rule_for_the_sandbox_is_told_where_the_command_is_asked_about(
    explained: Explain,
) -> None:
    _, told = explained("shell", "make x")
    assert told.startswith("? You would be asked.")
    assert (
        "Where it can run in the sandbox: The rule `shell(make:*)` allows this in the sandbox.\n"
        in told
    )
    assert "in the sandbox" not in explained("shell", "npm test")[1]


def test_a_host_is_asked_about_with_its_port_alone(explained: Explain) -> None:
    for words in (["registry.example"], ["registry.example:"], ["x.org:a"], ["x.org:1", "{}"]):
        code, told = explained("network", *words)
        assert (code, told.startswith("assent: ")) == (2, True), told


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


SETTINGS: dict[str, Any] = {
    "assent.rules": {
        "ask": ["mcp(mail:send)"],
        "deny": ["shell(curl:*)", "write(./art/**)", "read(./private/**)", "mcp(github:delete_*)"],
    },
    "assent.collections": {
        "docs": {"paths": ["./docs/**/*.md"]},
        "private": {"paths": ["./private/**"]},
    },
    "assent.models": [
        {"provider": "openai", "model": "gpt-image-1", "kinds": ["image"]},
        {"provider": "openai", "model": "k", "url": "http://127.0.0.1:1/v1", "kinds": ["speech"]},
    ],
}
GRAPHS = {
    "reading": {"one": {"run": "read_file", "with": {"path": "a.txt"}}},
    "making": {"one": {"run": "run_command", "with": {"command": "touch made"}}},
    "sending": {"one": {"run": "run_command", "with": {"command": "curl example.org"}}},
    "deleting": {"one": {"run": "github:delete_repo"}},
    "computed": {
        "one": {"run": "read_file", "with": {"path": "a.txt"}},
        "two": {"run": "run_command", "with": {"command": "cat ${one}"}},
    },
}
READS = {"plan": "✓", "default": "✓", "auto": "✓"}
DOES = {"plan": "✗", "default": "?", "auto": "✓"}
DENIED = dict.fromkeys(READS, "✗")
OWN: list[tuple[tuple[str, ...], dict[str, str]]] = [
    (("list_nodes", "mail"), READS),
    (("get_node", "mail:send"), READS),
    (("run_node", "github:get_issue", '{"arguments": {"number": 1}}'), DOES),
    (("run_node", "mail:send"), DOES | {"auto": "?"}),
    (("run_node", "github:delete_repo"), DENIED),
    (("list_workflows",), READS),
    (("get_workflow", "making"), READS),
    (("run_workflow", "reading"), READS),
    (("run_workflow", "making"), DOES),
    (("run_workflow", "sending"), DENIED),
    (("run_workflow", "deleting"), DENIED),
    (("run_workflow", "computed"), DOES | {"default": "✓"}),
    (("run_workflow", "npm:test"), DOES),
    (("run_workflow", "npm:send"), DENIED),
    (("run", "workflow:making"), DOES),
    (("run", "workflow:sending"), DENIED),
    (("run", "workflow:npm:send"), DENIED),
    (("list_collections",), READS),
    (("search_collections", "why"), DENIED),
    (("query_collection", "docs", '{"question": "why"}'), READS),
    (("query_collection", '{"name": "private", "question": "why"}'), DENIED),
    (("generate_image", "a cat", '{"path": "cat.png"}'), DOES),
    (("generate_image", "a cat", '{"path": "art/cat.png"}'), DENIED),
    (("speak", "hello", '{"path": "said.wav"}'), DOES),
    (("speak", "hello", '{"path": "art/said.wav"}'), DENIED),
    (("run_command", "npm run send"), DENIED),
    (("shell", "npm run send"), DENIED),
    (("shell", "npm test"), DOES),
]
"""A question in words, and what is said of it in each mode."""


@pytest.fixture
def project(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> Explain:
    """Asks about what a project with tasks, graphs and collections can do."""
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps(SETTINGS), encoding="utf-8")
    root = tmp_path / "shop"
    for folder in (".assent/workflows", "docs", "private"):
        (root / folder).mkdir(parents=True)
    scripts = {"test": "vitest run", "send": "curl example.org"}
    (root / "package.json").write_text(json.dumps({"scripts": scripts}))
    for name, steps in GRAPHS.items():
        (root / ".assent/workflows" / f"{name}.json").write_text(json.dumps({"steps": steps}))

    def ask(*words: str) -> tuple[int, str]:
        where = ["--settings", str(settings), "--workspace", str(root), "--home", str(tmp_path)]
        code = explain.main([*where, *words])
        told = capsys.readouterr()
        return code, told.out + told.err

    return ask


@pytest.mark.requirement("N-08")
@pytest.mark.requirement("N-09")
@pytest.mark.requirement("N-11")
@pytest.mark.parametrize(("words", "said"), OWN, ids=lambda it: " ".join(it)[:50])
def test_a_tool_of_our_own_agent_is_ruled_on_as_the_call_that_it_makes(
    project: Explain, words: tuple[str, ...], said: dict[str, str]
) -> None:
    for mode, sign in said.items():
        code, told = project("--mode", mode, *words)
        assert (code, told[0]) == (0, sign), (mode, told)


def test_each_new_tool_is_tried() -> None:
    names = [it.name for it in registry.BELT]
    assert {*names[names.index("list_nodes") :]} <= {words[0] for words, _ in OWN}


def test_the_steps_of_a_workflow_are_told_one_by_one(project: Explain) -> None:
    _, told = project("--mode", "auto", "run_workflow", "sending")
    assert "Its step “one”: The rule `shell(curl:*)` denies this." in told
    assert "✗ one: $ curl example.org" in told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run_workflow", "nothing"), "there is no workflow `nothing`"),
        (("run", "workflow:nothing"), "there is no workflow `nothing`"),
        (("query_collection", "nothing", '{"question": "a"}'), "there is no collection `nothing`"),
        (("generate_image", "a cat"), "`path`: it is missing"),
        (("speak", "hello", '{"path": "a.txt"}'), "ends with one of"),
        (("run_node", "no"), "Its `tool`"),
        (("list_nodes", "a", "[]"), "no JSON object"),
    ],
)
def test_what_makes_no_call_is_told_in_a_sentence(
    project: Explain, words: tuple[str, ...], said: str
) -> None:
    code, told = project(*words)
    assert (code, told.startswith("assent: "), said in told) == (2, True, True), told
