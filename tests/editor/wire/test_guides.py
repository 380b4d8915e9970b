"""What folders and the person say to agents: which files count, and what is not told."""

from collections.abc import Callable
from pathlib import Path

import pytest

from assent.editor.window.agents.own.guides import PERSONS, Guides
from assent.gate.call.calls import ChatId
from assent.gate.disk.places import Places
from assent.gate.values import evolve

CHAT = ChatId("1")


@pytest.fixture
def guides(tmp_path: Path) -> Callable[..., Guides]:
    """A workspace in a home, of which some files may not be told."""

    def of(*denied: str) -> Guides:
        places = Places(roots=(str(tmp_path / "ws"),), home=str(tmp_path / "home"))

        def tells(_: ChatId, path: str) -> bool:
            return Path(path).name not in denied and path.startswith(str(tmp_path / "ws"))

        def may_read(_: ChatId, path: str) -> bool:
            return Path(path).parent.name not in denied

        return Guides(places=lambda: places, tells=tells, may_read=may_read)

    return of


def write(path: Path, text: str) -> None:
    """A file with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_the_nearest_is_told_last_and_those_between_are_told_too(
    tmp_path: Path, guides: Callable[..., Guides]
) -> None:
    root = tmp_path / "ws"
    for folder in ("", "a", "a/b/c"):
        write(root / folder / "AGENTS.md", f"of {folder or 'all'}")
    write(root / "other" / "AGENTS.md", "of other")
    write(root / "a/b/c/x.py", "")
    found = guides().on_way_to(CHAT, [str(root / "a/b/c/x.py")])
    assert [text.splitlines()[1] for text in found.values()] == ["of all", "of a", "of a/b/c"]
    assert list(found) == [str(root), str(root / "a"), str(root / "a/b/c")]


def test_what_is_for_another_agent_counts_where_there_is_no_other(
    tmp_path: Path, guides: Callable[..., Guides]
) -> None:
    root = tmp_path / "ws"
    write(root / "CLAUDE.md", "for one")
    (text,) = guides().of_place(CHAT).values()
    assert "for one" in text
    write(root / "AGENTS.md", "for all")
    (text,) = guides().of_place(CHAT).values()
    assert "for all" in text
    assert "for one" not in text


def test_what_may_not_be_told_is_not_and_nothing_comes_in_its_place(
    tmp_path: Path, guides: Callable[..., Guides]
) -> None:
    root = tmp_path / "ws"
    write(root / "secret.md", "the password")
    (root / "AGENTS.md").symlink_to("secret.md")
    write(root / "CLAUDE.md", "for one")
    assert guides("secret.md").of_place(CHAT) == {}
    write(tmp_path / "outside" / "AGENTS.md", "of outside")
    (root / "in").symlink_to(tmp_path / "outside")
    assert guides("secret.md").on_way_to(CHAT, [str(root / "in" / "x")]) == {}


def test_the_person_is_heard_first_unless_a_rule_forbids_it(
    tmp_path: Path, guides: Callable[..., Guides]
) -> None:
    write(tmp_path / "ws" / "AGENTS.md", "of all")
    write(tmp_path / "home" / PERSONS, "be short")
    first, second = guides().of_place(CHAT).values()
    assert "be short" in first
    assert "of all" in second
    (only,) = guides("assent").of_place(CHAT).values()
    assert "of all" in only


def test_nothing_outside_the_workspace_says_anything(
    tmp_path: Path, guides: Callable[..., Guides]
) -> None:
    write(tmp_path / "AGENTS.md", "of outside")
    write(tmp_path / "ws" / "x", "")
    write(tmp_path / "wsx" / "AGENTS.md", "of a namesake")
    paths = [str(tmp_path / "ws/x"), str(tmp_path / "y"), str(tmp_path / "wsx/y")]
    assert guides().on_way_to(CHAT, paths) == {}


def test_an_agent_that_is_told_all_files_of_its_names_is_told_them_in_order(
    tmp_path: Path, guides: Callable[..., Guides]
) -> None:
    root = tmp_path / "ws"
    for name in ("CLAUDE.md", ".claude/rules/b.md", ".claude/rules/a.md", ".claude/rules/no.md"):
        write(root / name, f"of {name}")
    all_told = evolve(guides("no.md"), names=("CLAUDE.md", ".claude/rules/*.md"), are_all_told=True)
    (text,) = all_told.on_way_to(CHAT, [str(root)]).values()
    told = [line for line in text.splitlines() if line.startswith("of ")]
    assert told == ["of CLAUDE.md", "of .claude/rules/a.md", "of .claude/rules/b.md"]


def test_a_line_that_names_another_file_of_words_stands_for_it_where_that_may_be_told(
    tmp_path: Path, guides: Callable[..., Guides]
) -> None:
    root = tmp_path / "ws"
    write(tmp_path / "outside.md", "of outside")
    write(root / "denied.md", "the password")
    write(root / "docs" / "inner.md", "of inner\n@../CLAUDE.md")
    lines = [
        "first",
        "@docs/inner.md",
        "@../outside.md",
        "@denied.md",
        "see @docs/inner.md",
        "last",
    ]
    write(root / "CLAUDE.md", "\n".join(lines))
    (text,) = guides("denied.md").of_place(CHAT).values()
    told = text.splitlines()[1:-1]
    assert told == ["first", "of inner", "@../CLAUDE.md", *lines[2:]]
