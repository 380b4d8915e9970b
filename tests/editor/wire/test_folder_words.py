"""What the folders of a workspace tell another agent, and what of it is more than words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.editor.window.agents.folder_words import texts_of
from assent.editor.window.agents.own.guides import Guides
from assent.gate.call.calls import ChatId
from assent.gate.disk.places import Places
from assent.hosting.recipes.recipe import FolderWords
from tables import each_row

CHAT = ChatId("1")

Tell = Callable[..., FolderWords]


@pytest.fixture
def told(tmp_path: Path) -> Tell:
    """What is told of a workspace with one text."""

    def of(text: str, name: str = "commands/go.md", folder: str = "ws") -> FolderWords:
        path = tmp_path / folder / ".claude" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        guides = Guides(
            places=lambda: Places(roots=(str(tmp_path),), home="/home/ada"),
            tells=lambda *_: True,
            may_read=lambda *_: True,
        )
        return texts_of(guides, CHAT, str(tmp_path / folder), ".claude")

    return of


def test_a_command_is_told_by_its_place_with_what_can_do_nothing_in_front(
    told: Tell, tmp_path: Path
) -> None:
    front = """\
---
description: >-
  Does it
  all: "at --- once"
argument-hint: [name]
allowed-tools: Bash
model: opus
hooks:
  Stop: [{hooks: [{type: command, command: id}]}]
---
Go: !`touch ran` @.env
"""
    assert told(front).texts == {
        "commands/go.md": '---\nname: "go"\ndescription: "Does it all: \\"at \\u2014 once"\n'
        'argument-hint: "[name]"\n---\n'
        f"[Read `{tmp_path}/ws/.claude/commands/go.md` and do what it says; the files that it"
        " names lie beside it.\nThese are its arguments: $ARGUMENTS]"
    }


@each_row(
    ("front", "head"),
    [
        ("tools: Read, Grep", 'tools: ["Read", "Grep"]'),
        ("tools: [Read, 'Grep']", 'tools: ["Read", "Grep"]'),
        ("tools:\n  - Read\n  - Grep", 'tools: ["Read", "Grep"]'),
        ("tools:\n- Read\n- Grep", 'tools: ["Read", "Grep"]'),
        ("disallowedTools: Bash", 'disallowedTools: ["Bash"]'),
        ('"tools": Read', 'tools: ["Read"]'),
        ("description: all tools: any", ""),
        ("permissionMode: bypassPermissions", ""),
    ],
)
def test_a_sub_agent_keeps_its_tools_in_whatever_form_they_are_listed(
    told: Tell, front: str, head: str
) -> None:
    for text in (f"---\nname: a\n{front}\n---\nHelp.\n", f"\ufeff---\n{front}\n---\nHelp."):
        for newline in ("\n", "\r\n"):
            (said,) = told(text.replace("\n", newline), "agents/a.md").texts.values()
            assert said.endswith("---\nHelp.")
            assert [line for line in said.splitlines() if "ools:" in line.partition(" ")[0]] == (
                [head] if head else []
            )


@each_row(
    "front",
    [
        "tools: Read # only",
        "tools: *x",
        f"tools: {'a' * 5_000}!",
        "tools: Bash(git:*)",
        "tools:",
        "tools: {a: b}",
        "Tools: Read",
    ],
)
def test_a_sub_agent_of_which_it_is_not_clear_what_it_may_use_is_left_out(
    told: Tell, front: str
) -> None:
    left_out = told(f"---\nname: a\n{front}\n---\nHelp.\n", "agents/a.md")
    assert left_out == FolderWords(left_out=(".claude/agents/a.md",))


def test_nothing_is_told_by_a_place_whose_name_may_mean_something_else(told: Tell) -> None:
    assert told("Go.", folder="@.env x") == FolderWords()
    assert told("Go.", folder="w !`id` x") == FolderWords()
