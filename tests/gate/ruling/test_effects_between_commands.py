"""Commands that make a repository, or change one, for another command of the same text."""

import shutil
from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.ruling.test_repositories import Yard

ALLOW: Final = (
    "write(./**)",
    *(f"shell({name}:*)" for name in "mkdir cp mv tee touch rm ln tar csplit sleep".split()),
    *(f"shell(git {name}:*)" for name in "init checkout clone pull mv switch".split()),
)

_HEAD: Final = "echo ref: refs/heads/x > x/HEAD"
_CONFIG: Final = "cp settings x/config"
_FOLDERS: Final = "mkdir -p x/objects x/refs"

RUNNING: Final = (
    f"{_FOLDERS}; {_HEAD}; {_CONFIG}; git -C x status",
    f"{_HEAD}; {_CONFIG}; {_FOLDERS} && cd x && git status",
    f"{_FOLDERS}; {_HEAD}; {_CONFIG}; mkdir x/deep; git -C x/deep status",
    f"{_FOLDERS}/heads; cp head x/HEAD; {_CONFIG}; env -C x git status",
    f"{_CONFIG}; {_FOLDERS}; cat head | tee x/HEAD; timeout 9 git -C x status",
    f"{_FOLDERS}; {_CONFIG}; mv named/HEAD x/HEAD; git -C x status",
    f"{_FOLDERS}; {_CONFIG}; cd x && cp ../named/HEAD . && git status",
    f"{_FOLDERS}; {_CONFIG}; cd x && ln -s refs/heads/x HEAD && git status",
    f"{_FOLDERS}; {_CONFIG}; n=HEAD; cat head > x/$n; git -C x status",
    f"{_FOLDERS}; {_CONFIG}; for n in HEAD; do cat head > x/$n; done; git -C x status",
    f"{_FOLDERS}; {_CONFIG}; for i in 1 2; do git -C x status; cat head > x/HEAD; done",
    f"{_FOLDERS}; {_CONFIG}; f() {{ git -C x status; }}; cat head > x/HEAD; f",
    f"{_FOLDERS}; {_CONFIG}; (sleep 1; git -C x status) & cat head > x/HEAD; wait",
    f"{_FOLDERS}; {_CONFIG}; (sleep 1; git -C x status) | (cat head > x/HEAD)",
    f"{_CONFIG}; mkdir x/objects; cp -r named x/refs; cat head > x/HEAD; git -C x status",
    "cp -r packed/. x; git -C x status",
    "cp -r packed/* x; git -C x status",
    f"{_FOLDERS}; {_CONFIG}; tac head head > t; csplit -s -f x/HE -b AD%.0d t 2; git -C x status",
    "mv packed y; git -C y status",
    "ln -s packed y; git -C y status",
    "git init half; git -C half status",
    "git init --separate-git-dir=packed y; git -C y status",
    "git checkout evil; git -C inner status",
    "git checkout evil && cd inner && git status",
    "git mv packed y; git -C y status",
    "git clone . y; git -C y checkout evil; git -C y/inner status",
    "cp -r hooks tools; git status",
    "mkdir tools; cp hooks/post-index-change tools; touch same.txt; git status",
    "cp -r nested libs; touch same.txt; git status",
)
"""Each makes git run what was planted."""

READING: Final = (
    "git init y && cd y && git status",
    "mkdir y && cd y && git init && git status && git log --oneline",
    "git clone . y && cd y && git log -1",
    "git clone . y && git -C y status",
    "git checkout side && git status && git log -1",
    "git switch side; git diff --stat",
    "git pull && git log --oneline -5",
    "git mv a.txt b.txt && git status",
    "echo one > config && git status",
    "mkdir -p refs objects && git status",
    "cp head HEAD; git diff",
    "touch x/one; git -C x status",
    "cd x && touch one && git status",
    "mkdir -p x/deep && git -C x status",
    "cp head *.txt x/; git status",
    "rm *.txt; git status",
    "rm -rf x; git status",
    "git -C x log -1; git checkout side",
    "git -C x status; rm -rf x",
    "git diff > some.patch; git status",
    "cp hooks/post-index-change other; git status",
    "cd x && git diff | head -3; touch one",
)
"""Each is what people do all day, and runs nothing."""


class Copy(Yard):
    """A yard like another one."""

    def __init__(self, below: Path, of: Yard) -> None:
        self.below, self.root, self.home = below, below / "work", below / "home"
        self.mark = below / "ran"
        shutil.copytree(of.below, below, symlinks=True, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    """A workspace with what is needed to plant something, and nothing planted."""
    yard = Yard(tmp_path_factory.mktemp("yard").resolve())
    run = 'touch \\"$HOME/../ran\\"; false'
    packed = (
        f'[core]\nrepositoryformatversion = 0\nbare = false\nworktree = .\nfsmonitor = "{run}"\n'
    )
    files = {
        "settings": packed,
        "head": "ref: refs/heads/x\n",
        "x/one": "one\n",
        "packed/config": packed,
        "packed/HEAD": "ref: refs/heads/x\n",
        "packed/objects/one": "one\n",
        "packed/refs/one": "one\n",
        "named/HEAD": "ref: refs/heads/x\n",
        "half/.git/config": f'[core]\nbare = false\nfsmonitor = "{run}"\n',
        "hooks/post-index-change": '#!/bin/sh\ntouch "$HOME/../ran"\n',
    }
    for name, text in files.items():
        (yard.root / name).parent.mkdir(parents=True, exist_ok=True)
        (yard.root / name).write_text(text)
    (yard.root / "hooks/post-index-change").chmod(0o755)
    yard.git("add", "x", "packed", "named")
    yard.git("commit", "-q", "-m", "files")
    yard.git("checkout", "-q", "-b", "evil")
    yard.git("mv", "packed", "inner")
    yard.git("commit", "-q", "-m", "evil")
    yard.git("checkout", "-q", "main", "--")
    yard.git("config", "core.hooksPath", "tools")
    inner = yard.made(yard.root / "libs")
    yard.git("add", "libs")
    yard.git("commit", "-q", "-m", "libs")
    inner.rename(yard.root / "nested")
    yard.git("config", "core.fsmonitor", run.replace("\\", ""), at=yard.root / "nested")
    return yard


@pytest.fixture
def yard(prepared: Yard, tmp_path: Path) -> Yard:
    return Copy(tmp_path.resolve(), prepared)


@pytest.mark.parametrize("line", RUNNING)
def test_what_is_planted_in_the_same_text_is_asked_about(yard: Yard, line: str) -> None:
    ruling = yard.rule(line, allow=ALLOW)
    yard.run(["bash", "-c", line], yard.root)
    assert yard.mark.exists()
    assert ruling.verdict is Verdict.ASK
    assert yard.rule(line, Mode.ACCEPT_EDITS, allow=ALLOW).verdict is Verdict.ASK


@pytest.mark.parametrize("line", READING)
def test_what_plants_nothing_is_not_asked_about(yard: Yard, line: str) -> None:
    ruling = yard.rule(line, allow=(*ALLOW, "read(./**)"))
    yard.run(["bash", "-c", line], yard.root)
    assert not yard.mark.exists()
    assert ruling.verdict is Verdict.ALLOW, ruling.because


def test_a_hook_is_protected_where_the_repository_has_its_hooks(yard: Yard) -> None:
    (yard.root / "tools").mkdir(exist_ok=True)
    lines = [
        "echo x > tools/pre-commit",
        "cp settings tools/post-merge",
        "ln -s ../x tools/pre-push",
        "echo x | tee tools/deep",
    ]
    ruled = [yard.rule(it, Mode.AUTO) for it in lines]
    assert {it.verdict for it in ruled} == {Verdict.ASK}
    assert "Changes to tools/pre-commit are asked about in every mode." in ruled[0].because
    assert yard.rule("echo x > toolset", Mode.AUTO).verdict is Verdict.ALLOW
    yard.git("config", "--unset", "core.hooksPath")
    assert {yard.rule(it, Mode.AUTO).verdict for it in lines if "ln" not in it} == {Verdict.ALLOW}
