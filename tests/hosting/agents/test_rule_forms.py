"""Each form of rule is about something that really comes, and an agent's call obeys it.

What agents send is as their adapters write it: claude-agent-acp 0.100.0, codex-acp 2.6.0, Gemini
CLI 0.61.0, Qwen Code 0.24.4, opencode 1.18.33, Copilot 1.0.102.
"""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from assent.editor.cards.titles import title_of
from assent.gate.call.calls import AgentId, Call, ChatId
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import EFFECTS, TOOLS
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from assent.gate.settings.shadows import UNREACHED
from assent.hosting.connection.spec import AgentSpec
from assent.hosting.permission.calls import Reader
from assent.hosting.permission.toolcall import ToolCall
from gate.rules.books import allow, ask, deny
from hosting.eliza.rig import BOUND, Rig
from tables import each_row

Make = Callable[..., AgentSpec]
Whole = dict[str, Any]

CLAUDE: Final = {
    "kind": "other",
    "title": "mcp__git_hub__create-issue",
    "rawInput": {"title": "x"},
    "_meta": {"claudeCode": {"toolName": "mcp__git_hub__create-issue"}},
}
CLAUDE_SERVER: Final = {
    **CLAUDE,
    "_meta": {
        "claudeCode": {
            "toolName": "mcp__git__hub__create-issue",
            "mcpServer": {"name": "git__hub", "source": "user"},
        }
    },
}
CODEX: Final = {
    "kind": "execute",
    "title": "mcp.git_hub.create-issue",
    "rawInput": {"server": "git_hub", "tool": "create-issue", "arguments": {"title": "x"}},
    "_meta": {"is_mcp_tool_call": True},
}
QWEN: Final = {**CLAUDE, "_meta": {"toolName": "mcp__git_hub__create-issue", "provenance": "mcp"}}
NAMED: Final = {"name": "mcp__git_hub__create-issue", "rawInput": {"title": "x"}}
SURE: Final = {"Claude": CLAUDE, "Codex": CODEX, "Qwen": QWEN, "by its name": NAMED}
"""What an agent's harness names apart from words for a person."""

GEMINI: Final = {"kind": "other", "title": "create-issue (git_hub MCP Server)", "content": []}
OPENCODE: Final = {"kind": "other", "title": "git_hub_create-issue", "rawInput": {"title": "x"}}
COPILOT: Final = {"kind": "other", "title": "git_hub-create-issue", "rawInput": {"title": "x"}}
UNMARKED: Final = {"kind": "execute", "rawInput": CODEX["rawInput"]}
BY_WORDS: Final = {
    "Gemini": GEMINI,
    "opencode": OPENCODE,
    "Copilot": COPILOT,
    "Codex without its mark": UNMARKED,
    "a name that can be read in two ways": {**NAMED, "name": "mcp__git__hub__create-issue"},
    "a title with a prefix": {**OPENCODE, "title": "mcp_git_hub_create-issue"},
    "a command under a title": {"title": "git_hub_create-issue", "rawInput": {"command": "ls"}},
}

DIFF: Final = {"type": "diff", "path": "a", "oldText": None, "newText": "x"}
REACHED: Final[dict[str, list[tuple[str, Whole]]]] = {
    "shell": [
        ("shell(rm:*)", {"rawInput": {"command": "rm a"}}),
        ("shell(*)", CODEX | {"rawInput": {"command": "ls"}, "_meta": {}}),
    ],
    "read": [("read(./a)", {"kind": "read", "rawInput": {"path": "a"}})],
    "write": [("write(./a)", {"kind": "edit", "content": [DIFF], "rawInput": {"file_path": "a"}})],
    "fetch": [
        ("fetch(domain:x.org)", {"kind": "fetch", "rawInput": {"url": "https://x.org/a"}}),
        ("fetch(domain:*.x.org)", {"rawInput": {"url": "https://www.x.org/", "prompt": "p"}}),
        ("fetch(*)", {"rawInput": {"url": "http://y/", "format": "text"}}),
    ],
    "mcp": [
        (rule, whole)
        for whole in (*SURE.values(), *BY_WORDS.values())
        for rule in ("mcp(git_hub:create-issue)", "mcp(git_hub:*)", "mcp(*)")
    ],
    "agent": [
        ("agent(general)", {"rawInput": {"subagent_type": "general", "prompt": "p"}}),
        ("agent(*)", {"kind": "think", "rawInput": {"agent_name": "x", "prompt": "p"}}),
        ("agent(general)", {"rawInput": {"agent_type": "general", "prompt": "p", "name": "n"}}),
    ],
    "effect": [],
}
EFFECTS_REACHED: Final[dict[str, Whole]] = {
    "read": {"kind": "read", "rawInput": {"path": "a"}},
    "read:inside": {"kind": "read", "rawInput": {"path": "a"}},
    "read:outside": {"kind": "read", "rawInput": {"path": "/etc/hostname"}},
    "write": {"kind": "edit", "content": [DIFF]},
    "write:inside": {"kind": "edit", "content": [DIFF]},
    "write:outside": {"kind": "edit", "content": [{**DIFF, "path": "/tmp/no/a"}]},
    "delete": {"kind": "delete", "rawInput": {"path": "a"}},
    "delete:inside": {"kind": "delete", "rawInput": {"path": "a"}},
    "delete:outside": {"kind": "delete", "rawInput": {"path": "/tmp/no/a"}},
    "execute": {"rawInput": {"command": "make"}},
    "external": CODEX,
    "network": {"rawInput": {"command": "curl https://x.org/"}},
}
ALL: Final = [(rule, whole) for found in REACHED.values() for rule, whole in found] + [
    (f"effect({name})", whole) for name, whole in EFFECTS_REACHED.items()
]


def read(root: Path, whole: Whole) -> Call:
    places = Places(roots=(str(root),), home=str(root.parent / "home"))
    reader = Reader(chat=ChatId("c"), agent=AgentId("a"), cwd=str(root), places=places)
    return reader.read({"toolCallId": "t", **whole})


def ruled(root: Path, whole: Whole, *rules: Any, mode: Mode = Mode.AUTO) -> Verdict:
    book = Book.of(rules, (str(root),), str(root.parent / "home"))
    places = Places(roots=(str(root),), home=str(root.parent / "home"))
    return decide(read(root, whole), Policy(mode=mode, trusted=True, book=book), places).verdict


def test_each_tool_and_effect_that_rules_may_be_about_is_reached_by_an_agents_call() -> None:
    assert set(REACHED) == set(TOOLS) - UNREACHED
    assert set(EFFECTS_REACHED) == EFFECTS


@each_row("whole", [OPENCODE, COPILOT])
@each_row(
    "given",
    [
        {"owner": "acme", "arguments": {}},
        {"arguments": {"owner": "acme"}},
        {"arguments": '{"owner": "acme"}'},
        {"input": {"owner": ["acme"]}},
        {"params": {"arguments": {"owner": "acme"}}},
    ],
)
def test_a_rule_on_an_argument_is_about_it_wherever_an_agent_that_only_names_the_tool_puts_it(
    tmp_path: Path, whole: Whole, given: Whole
) -> None:
    rule = deny("mcp(git_hub:create-issue){owner=acme}")
    assert ruled(tmp_path, {**whole, "rawInput": given}, rule) is Verdict.DENY
    other = json.loads(json.dumps(given).replace("acme", "other"))
    assert ruled(tmp_path, {**whole, "rawInput": other}, rule) is Verdict.ALLOW


@each_row(("rule", "whole"), ALL)
def test_a_rule_that_denies_or_asks_is_about_what_an_agent_sends(
    tmp_path: Path, rule: str, whole: Whole
) -> None:
    assert ruled(tmp_path, whole, deny(rule)) is Verdict.DENY
    assert ruled(tmp_path, whole, ask(rule)) is Verdict.ASK


@each_row("who", SURE)
@each_row("rule", ["mcp(git_hub:create-issue)", "mcp(git_hub:*)"])
def test_a_rule_allows_a_tool_that_the_harness_names(tmp_path: Path, rule: str, who: str) -> None:
    assert ruled(tmp_path, SURE[who], allow(rule), mode=Mode.DEFAULT) is Verdict.ALLOW
    call = read(tmp_path, SURE[who])
    assert call.input == {"server": "git_hub", "tool": "create-issue", "arguments": {"title": "x"}}
    title = "".join(span.text for span in title_of(call))
    assert title == "Use create-issue of the server git_hub"


@each_row("who", BY_WORDS)
@each_row("rule", ["mcp(git_hub:create-issue)", "mcp(git_hub:*)", "mcp(git:*)"])
def test_no_rule_allows_a_tool_by_words_alone(tmp_path: Path, rule: str, who: str) -> None:
    assert ruled(tmp_path, BY_WORDS[who], allow(rule), mode=Mode.ASK) is Verdict.ASK


def test_a_server_that_is_named_apart_tells_where_its_tools_name_begins(tmp_path: Path) -> None:
    rule = "mcp(git__hub:create-issue)"
    assert ruled(tmp_path, CLAUDE_SERVER, allow(rule), mode=Mode.DEFAULT) is Verdict.ALLOW
    assert ruled(tmp_path, CLAUDE_SERVER, deny(rule)) is Verdict.DENY
    assert ruled(tmp_path, CLAUDE_SERVER, deny("mcp(git:hub__create-issue)")) is Verdict.ALLOW


@each_row("who", SURE)
@each_row("about", ["other:*", "git_hub:other", "git:*", "hub:*", "create-issue:*"])
def test_rules_about_other_servers_and_tools_say_nothing_of_one_that_is_surely_named(
    tmp_path: Path, about: str, who: str
) -> None:
    assert ruled(tmp_path, SURE[who], deny(f"mcp({about})")) is Verdict.ALLOW


@each_row("spelled", ["Git_Hub", "git-hub", "git hub", "GIT.HUB"])
def test_a_rule_denies_a_server_however_the_agent_rewrote_its_name(
    tmp_path: Path, spelled: str
) -> None:
    assert ruled(tmp_path, CLAUDE, deny(f"mcp({spelled}:create issue)")) is Verdict.DENY


def test_a_denied_command_is_denied_to_a_tool_of_a_server(tmp_path: Path) -> None:
    given = {**CODEX["rawInput"], "arguments": {"command": "rm -rf a"}}
    whole = {**CODEX, "rawInput": given}
    assert ruled(tmp_path, whole, deny("shell(rm:*)")) is Verdict.DENY
    assert ruled(tmp_path, whole, allow("shell(rm:*)"), mode=Mode.DEFAULT) is Verdict.ASK
    assert ruled(tmp_path, whole) is Verdict.ALLOW


@each_row("text", ["see https://x.org/a for more", "HTTPS://X.ORG/"])
def test_an_address_in_what_a_tool_is_given_counts_against_it(tmp_path: Path, text: str) -> None:
    whole = {"rawInput": {"query": text}}
    assert ruled(tmp_path, whole, deny("fetch(domain:x.org)")) > Verdict.ALLOW
    assert ruled(tmp_path, whole, deny("fetch(domain:y.org)")) is Verdict.ALLOW


def test_what_is_told_of_its_end_does_not_take_back_which_tool_it_was(tmp_path: Path) -> None:
    async def whole() -> Whole:
        tool = ToolCall(id="t", whole=dict(CLAUDE))
        tool.lay_over({"_meta": {"claudeCode": {"toolResponse": []}, "terminal_exit": {}}})
        return tool.whole

    assert read(tmp_path, asyncio.run(whole())).tool == "mcp"


@pytest.mark.requirement("S-08")
@pytest.mark.parametrize(("rule", "whole"), ALL)
async def test_a_running_agent_obeys_each_form_of_rule_that_denies(
    rig: Rig, scripted: Make, rule: str, whole: Whole
) -> None:
    rig.mode = Mode.AUTO
    rig.book = Book.of([deny(rule)], (str(rig.root),), str(rig.root.parent / "home"))
    told = json.dumps({"toolCallId": "t", **whole})
    rig.agent = scripted(
        f"""
        number = begin()
        update(sessionUpdate="tool_call", status="pending", **json.loads({told!r}))
        ask(1, {{"toolCallId": "t", "status": "pending"}})
        say(json.dumps(answer_to(1)["result"]["outcome"]))
        update(sessionUpdate="tool_call_update", toolCallId="t", status="failed")
        end(number)
        until("never")
        """
    )
    async with asyncio.timeout(BOUND):
        await rig.open()
        await rig.say("hello")
    assert rig.said() == '{"outcome": "selected", "optionId": "no"}'
    assert rig.opened == []
    assert rig.notices("error") == []
