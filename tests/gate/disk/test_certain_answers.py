"""Whether git surely tells where a repository is, held against git itself."""

import subprocess
from pathlib import Path

import pytest

from assent.gate.disk.places import Places
from tables import each_row

SOUND = (
    "[user]\n\tname = Ada\n\temail = ada@example.org\n",
    '[remote "origin"]\n\turl = a@b.org:c\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
    '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
    "# said by hand\n\n",
)
BROKEN = (
    "[core]\n\tbare = true\n",
    "[core]\n\tbare\n",
    "[core]\n\trepositoryformatversion = 99\n",
    "[core]\n\tfilemode = perhaps\n",
    "[core]\n\tabbrev = foo\n",
    "[core]\n\tcompression = 77\n",
    "[extensions]\n\tobjectformat = foo\n",
    "[core\n",
    "\tname\n[user\n",
)


def _made(folder: Path, more: str = "") -> Path:
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    config = folder / ".git" / "config"
    config.write_text(config.read_text("utf-8") + more, "utf-8")
    return folder


def _sure(folder: Path) -> bool:
    looks = Places(roots=(str(folder),), home=str(folder.parent)).git_looks(str(folder))
    return looks is not None and looks.sure


def _told(folder: Path) -> str:
    asked = ["git", "rev-parse", "--show-toplevel"]
    return subprocess.run(
        asked, cwd=folder, check=False, capture_output=True, text=True
    ).stdout.strip()


@each_row("more", ["", *SOUND])
def test_git_surely_answers_in_what_it_has_written_itself(tmp_path: Path, more: str) -> None:
    folder = _made(tmp_path.resolve() / "work", more)
    assert _sure(folder)
    assert _told(folder) == str(folder)


@each_row("more", BROKEN)
def test_it_may_not_where_it_cannot_read_what_is_set(tmp_path: Path, more: str) -> None:
    folder = _made(tmp_path.resolve() / "work", more)
    assert not _sure(folder)
    assert _told(folder) == ""


def test_it_may_not_where_the_repository_is_kept_elsewhere(tmp_path: Path) -> None:
    folder = _made(tmp_path.resolve() / "work")
    (folder / ".git" / "commondir").write_text("")
    assert not _sure(folder)


def test_it_may_not_in_a_folder_of_somebody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = _made(tmp_path.resolve() / "work")
    own = folder.stat().st_uid
    monkeypatch.setattr("os.geteuid", lambda: own + 1)
    assert not _sure(folder)
