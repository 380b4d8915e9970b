"""A call runs only while its files are what was judged."""

import os
from pathlib import Path

import pytest
from attrs import evolve

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Edit, Effect, Planned
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.files import open_resolved, text_of
from assent.gate.disk.freshness import changed_since, with_file_digests
from assent.gate.disk.places import Places
from assent.gate.tasks.called_tasks import with_task_digests
from gate.ruling.samples import running


@pytest.fixture
def root(tmp_path: Path) -> Path:
    whole = tmp_path.resolve() / "root"
    (whole / "src").mkdir(parents=True)
    (whole / "src" / "till.py").write_text("old\n")
    return whole


def places(root: Path) -> Places:
    return Places(roots=(str(root),), home=str(root.parent / "home"))


def edit(root: Path, path: str = "src/till.py") -> Call:
    target = places(root).locate(path, str(root))
    before = text_of(target.resolved, target.shown)
    return Call(
        id=CallId("1"),
        chat=ChatId("1"),
        agent=AgentId("eliza"),
        tool="write",
        effect=Effect.WRITE,
        input={"path": path},
        cwd=str(root),
        targets=(target,),
        edits=(Edit(path=target.resolved, old=before, new="new\n"),),
    )


def test_what_has_not_changed_is_as_it_was_judged(root: Path) -> None:
    assert changed_since(edit(root), places(root)) is None
    assert changed_since(edit(root, "src/new.py"), places(root)) is None


def test_a_file_that_got_another_name_meanwhile_is_told(root: Path) -> None:
    call = edit(root)
    (root / ".git" / "hooks").mkdir(parents=True)
    os.link(root / "src" / "till.py", root / ".git" / "hooks" / "pre-commit")
    assert "another name" in (changed_since(call, places(root)) or "")
    assert changed_since(edit(root), places(root)) is None


def test_a_step_of_a_workflow_is_bound_to_the_file_that_it_runs(root: Path) -> None:
    (root / "x.sh").write_text("echo a\n")
    runs = evolve(running("sh x.sh"), cwd=str(root))
    known = Planned(name="a", says="sh x.sh", effect=Effect.EXECUTE, call=runs)
    later = Planned(name="b", says="whatever comes", effect=Effect.EXECUTE)
    whole = evolve(runs, tool="run", action="workflow", input={}, steps=(known, later))
    call = with_file_digests(whole, places(root))
    assert changed_since(call, places(root)) is None
    (root / "x.sh").write_text("echo b\n")
    assert "x.sh" in (changed_since(call, places(root)) or "")


def test_a_file_that_was_changed_meanwhile_is_told(root: Path) -> None:
    call = edit(root)
    (root / "src" / "till.py").write_text("somebody else's\n")
    assert changed_since(call, places(root)) == "src/till.py has changed since this was shown."


def test_a_file_that_was_made_or_removed_meanwhile_is_told(root: Path) -> None:
    made, removed = edit(root, "src/new.py"), edit(root)
    (root / "src" / "new.py").write_text("x")
    (root / "src" / "till.py").unlink()
    assert "has changed" in (changed_since(made, places(root)) or "")
    assert "has changed" in (changed_since(removed, places(root)) or "")


def test_a_file_that_was_replaced_by_a_link_is_told(root: Path) -> None:
    call = edit(root)
    (root / "src" / "till.py").unlink()
    (root / "src" / "till.py").symlink_to(root.parent / "elsewhere")
    assert "leads elsewhere" in (changed_since(call, places(root)) or "")


def test_a_folder_that_was_replaced_by_a_link_is_told(root: Path) -> None:
    call = edit(root)
    (root / "src").rename(root / "kept")
    (root / "src").symlink_to(root / ".vscode")
    assert changed_since(call, places(root)) is not None


def test_a_link_that_leads_elsewhere_now_is_told(root: Path) -> None:
    (root / "link.py").symlink_to(root / "src" / "till.py")
    call = edit(root, "link.py")
    assert changed_since(call, places(root)) is None
    (root / "link.py").unlink()
    (root / "link.py").symlink_to(root / ".git" / "config")
    assert "leads elsewhere" in (changed_since(call, places(root)) or "")


@pytest.mark.parametrize("command", ["python3 a.py", "./a.py", "make", "make test"])
def test_a_linked_folder_that_a_command_goes_into_is_told_once_it_leads_elsewhere(
    root: Path, command: str
) -> None:
    for name in ("one", "other"):
        (root / name).mkdir()
        (root / name / "a.py").write_text(f"print('{name}')\n")
        (root / name / "Makefile").write_text(f"test:\n\techo {name}\n")
    (root / "link").symlink_to("one")
    runs = evolve(running(f"cd link && {command}"), cwd=str(root))
    call = with_task_digests(runs, places(root))
    assert changed_since(call, places(root)) is None
    (root / "link").unlink()
    (root / "link").symlink_to("other")
    assert "has changed since this was shown." in (changed_since(call, places(root)) or "")


def test_a_resolved_path_is_opened_without_following_any_link(root: Path) -> None:
    (root / "folder").symlink_to(root / "src")
    (root / "link.py").symlink_to(root / "src" / "till.py")
    for path in ("folder/till.py", "link.py"):
        with pytest.raises(OSError, match=r"ymbolic|directory"):
            open_resolved(str(root / path))
    with pytest.raises(CallUnreadable):
        text_of(str(root / "folder" / "till.py"), "folder/till.py")


def test_a_call_without_files_cannot_go_stale(root: Path) -> None:
    assert changed_since(evolve(edit(root), targets=(), edits=()), places(root)) is None


@pytest.mark.parametrize("becomes", ["folder", "noise", "pipe"])
def test_what_can_no_longer_be_read_is_no_longer_what_was_judged(root: Path, becomes: str) -> None:
    call, path = edit(root), root / "src" / "till.py"
    path.unlink()
    if becomes == "folder":
        path.mkdir()
    elif becomes == "noise":
        path.write_bytes(b"\xff\xfe\x00")
    else:
        os.mkfifo(path)
    told = changed_since(call, places(root)) or ""
    assert told.startswith("It can no longer be told what this would change: "), told
