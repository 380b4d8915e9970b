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

Tell = Callable[[str], FolderWords]


@pytest.fixture
def told(tmp_path: Path) -> Tell:
    """What is told of a workspace with one command."""

    def of(text: str) -> FolderWords:
        path = tmp_path / ".claude" / "commands" / "go.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        guides = Guides(
            places=lambda: Places(roots=(str(tmp_path),), home="/home/ada"),
            tells=lambda *_: True,
            may_read=lambda *_: True,
        )
        return texts_of(guides, CHAT, str(tmp_path), ".claude")

    return of


@each_row(
    "text",
    [
        "!`touch ran`",
        "Look: !`id`",
        "```!\nid\n```",
        "@.env",
        "Read @src/app.py.",
        "Read @~/notes.md",
        "Read @/etc/passwd",
        'Read @"a b.txt"',
        "---\ndescription: '@secrets'\n---\nGo.",
    ],
)
def test_a_text_that_runs_or_reads_something_by_being_read_is_left_out(
    told: Tell, text: str
) -> None:
    assert told(text) == FolderWords(left_out=(".claude/commands/go.md",))


@each_row(
    "text",
    ["Go on.", "Write to ada@example.org.", "Use `@decorator` there!", "Wow! `ls` is a command."],
)
def test_a_text_that_is_only_words_is_told_as_it_stands(told: Tell, text: str) -> None:
    (said,) = told(text).texts.values()
    assert said.endswith(f"---\n{text}")


def test_of_what_stands_in_front_only_that_is_told_which_can_do_nothing(told: Tell) -> None:
    front = """\
---
description: >-
  Does it
  all: "at once"
argument-hint: [name]
allowed-tools: Bash
model: opus
hooks:
  Stop: [{hooks: [{type: command, command: id}]}]
---
Go.
"""
    assert told(front).texts == {
        "commands/go.md": '---\nname: "go"\ndescription: "Does it all: \\"at once"\n'
        'argument-hint: "[name]"\n---\nGo.'
    }
