"""What an agent keeps for itself is ruled on as a file of the workspace, for that agent alone."""

import os
from pathlib import Path

import pytest

from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from tables import each_row

ALLOW, ASK, DENY = Verdict.ALLOW, Verdict.ASK, Verdict.DENY

OWN = (".claude/plans/*.md", ".claude/projects/-w/memory/*.md", "scratch/*/files/**")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A person's home, with settings of an agent beside what it keeps for itself."""
    home = tmp_path.resolve() / "home"
    for folder in (".claude/plans", ".claude/projects/-w/memory", "scratch/1/files", "work"):
        (home / folder).mkdir(parents=True)
    (home / ".claude" / "settings.json").write_text("{}", "utf-8")
    (home / "notes.md").write_text("mine", "utf-8")
    return home


def rule(
    home: Path,
    tool: str,
    given: str,
    mode: Mode = Mode.ACCEPT_EDITS,
    *,
    own: tuple[str, ...] = OWN,
    denied: str = "",
) -> Ruling:
    root = home / "work"
    own_files = tuple(f"{home}/{pattern}" for pattern in own)
    places = Places(roots=(str(root),), home=str(home), own_files=own_files)
    is_shell = tool == "shell"
    call = Call(
        id=CallId("1"),
        chat=ChatId("c"),
        agent=AgentId("claude"),
        tool=tool,
        effect={"shell": Effect.EXECUTE, "read": Effect.READ, "write": Effect.WRITE}[tool],
        input={"command": given} if is_shell else {"path": given},
        cwd=str(root),
        targets=() if is_shell else (places.locate(given, str(root)),),
        action="write" if tool == "write" else "",
        own_files=own_files,
    )
    book = Book.of([written(denied, DENY)] if denied else [], (str(root),), str(home))
    return decide(call, Policy(mode=mode, book=book, trusted=True), places)


@each_row(
    ("tool", "given"),
    [
        ("write", "~/.claude/plans/calm.md"),
        ("write", "~/.claude/projects/-w/memory/MEMORY.md"),
        ("write", "~/scratch/1/files/try/a.py"),
        ("read", "~/scratch/1/files/a.py"),
        ("shell", "cat > ~/.claude/plans/calm.md <<'E'\nx\nE"),
        ("shell", "cat ~/.claude/projects/-w/memory/MEMORY.md | head -3"),
        ("shell", "cd ~/scratch/1/files && ls"),
        ("shell", "ls ~/scratch/1/files/try && mkdir -p ~/scratch/1/files/try"),
    ],
)
def test_it_passes_as_a_file_of_the_workspace_does(home: Path, tool: str, given: str) -> None:
    assert rule(home, tool, given).verdict is ALLOW
    assert rule(home, tool, given, own=()).verdict is ASK


def test_the_record_says_whose_file_was_written(home: Path) -> None:
    assert rule(home, "write", "~/.claude/plans/a.md").because == (
        "The agent keeps ~/.claude/plans/a.md for itself."
    )


@each_row(
    ("mode", "reads", "writes"),
    [
        (Mode.PLAN, ALLOW, DENY),
        (Mode.ASK, ASK, ASK),
        (Mode.DEFAULT, ALLOW, ASK),
        (Mode.ACCEPT_EDITS, ALLOW, ALLOW),
        (Mode.AUTO, ALLOW, ALLOW),
    ],
)
def test_the_mode_says_of_it_what_it_says_of_the_workspace(
    home: Path, mode: Mode, reads: Verdict, writes: Verdict
) -> None:
    assert rule(home, "read", "~/.claude/plans/a.md", mode).verdict is reads
    assert rule(home, "write", "~/.claude/plans/a.md", mode).verdict is writes


@each_row(
    ("tool", "given"),
    [
        ("write", "~/.claude/settings.json"),
        ("write", "~/.claude/plans/../settings.json"),
        ("write", "~/.claude/plans/run.sh"),
        ("write", "~/.claude/plans/deep/a.md"),
        ("write", "~/.claude/CLAUDE.md"),
        ("write", "~/.claude/projects/-other/memory/MEMORY.md"),
        ("read", "~/.claude/projects/-other/memory/MEMORY.md"),
        ("write", "~/scratch/1/files/.vscode/tasks.json"),
        ("write", "~/scratch/1/files/r/.git/config"),
        ("write", "~/scratch/1/files/.claude/settings.json"),
        ("shell", "mv src ~/scratch/1/files/src"),
        ("write", "~/scratch/1/other/a"),
        ("shell", "echo x > ~/.claude/plans/../settings.json"),
        ("shell", "cp -r ~/.claude/plans ~/.claude/skills"),
        ("shell", "rm -rf ~/.claude/plans"),
        ("shell", "sh ~/scratch/1/files/a.sh"),
        ("shell", "cat ~/notes.md > ~/scratch/1/files/a"),
    ],
)
def test_whatever_lies_beside_it_is_asked_about(home: Path, tool: str, given: str) -> None:
    assert rule(home, tool, given).verdict is ASK


def test_no_link_makes_another_file_the_agents_own(home: Path) -> None:
    plans = home / ".claude" / "plans"
    (plans / "link.md").symlink_to(home / "notes.md")
    (plans / "settings.md").symlink_to(home / ".claude" / "settings.json")
    os.link(home / ".claude" / "settings.json", plans / "hard.md")
    (home / "work" / ".vscode").mkdir()
    (home / "work" / ".vscode" / "tasks.json").symlink_to(plans / "tasks.md")
    (home / "scratch" / "2").mkdir()
    (home / "scratch" / "2" / "files").symlink_to(home)
    for path in ("~/.claude/plans/link.md", "~/.claude/plans/settings.md", ".vscode/tasks.json"):
        assert rule(home, "write", path).verdict is ASK, path
    assert rule(home, "write", "~/.claude/plans/hard.md").verdict is ASK
    assert rule(home, "read", "~/scratch/2/files/notes.md").verdict is ASK


def test_a_rule_that_denies_is_stronger(home: Path) -> None:
    assert rule(home, "write", "~/.claude/plans/a.md", denied="write(~/.claude/**)").verdict is DENY
