"""Repositories on the disk and the real git: what is called harmless runs nothing."""

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import running, target, writing
from tables import each_row

HOOKS: Final = tuple(
    """applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg
    commit-msg post-commit pre-rebase post-checkout post-merge pre-push pre-receive update
    proc-receive post-receive post-update reference-transaction push-to-checkout pre-auto-gc
    post-rewrite sendemail-validate fsmonitor-watchman""".split()
)
"""All but the one that reading runs."""

READING: Final = tuple(
    line.strip()
    for line in """
    git status
    git status --short --branch
    git diff
    git diff --stat HEAD
    git diff --cached
    git log --oneline
    git log -p --stat
    git show
    git show --remerge-diff
    git blame a.txt
    git branch -a
    git tag -l
    git remote -v
    git stash list
    git config --get user.name
    git rev-parse HEAD
    git ls-files
    git ls-tree HEAD
    git describe --always --dirty
    git reflog
    git cat-file -p HEAD
    git grep one
    git check-ignore -v a.txt
    git for-each-ref
    git show-ref
    git worktree list
    git submodule status
    git shortlog -s HEAD
    git whatchanged -1
    """.strip().splitlines()
)


class Yard:
    """A workspace that is a repository, beside whatever else lies below the same folder."""

    def __init__(self, below: Path) -> None:
        self.below, self.root, self.home = below, below / "work", below / "home"
        self.mark = below / "ran"
        self.root.mkdir()
        self.home.mkdir()
        self.made(self.root)

    def git(self, *words: str, at: Path | None = None) -> str:
        done = self.run(["git", "-c", "protocol.file.allow=always", *words], at or self.root)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def run(self, words: list[str], at: Path) -> subprocess.CompletedProcess[str]:
        kept = {"PATH": os.environ["PATH"], "HOME": str(self.home), "GIT_CONFIG_NOSYSTEM": "1"}
        named = {
            f"GIT_{who}_{what}": "ada@example.org"
            for who in ("AUTHOR", "COMMITTER")
            for what in ("NAME", "EMAIL")
        }
        return subprocess.run(
            words,
            cwd=at,
            env=kept | named,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
            timeout=60,
        )

    def made(self, at: Path) -> Path:
        """A repository with a commit, a merge and a change."""
        at.mkdir(exist_ok=True, parents=True)
        self.git("init", "-q", "-b", "main", at=at)
        (at / "same.txt").write_text("as it was\n")
        self.committed(at, "one\n")
        self.git("checkout", "-q", "-b", "side", at=at)
        self.committed(at, "side\n")
        self.git("checkout", "-q", "main", at=at)
        self.committed(at, "main\n")
        self.git("merge", "-q", "-s", "ours", "side", at=at)
        (at / "a.txt").write_text("changed\n")
        return at

    def committed(self, at: Path, text: str) -> None:
        (at / "a.txt").write_text(text)
        self.git("add", "-A", at=at)
        self.git("commit", "-q", "-m", "x", at=at)

    def script(self, *, then: str = "true") -> str:
        return f"touch {self.mark}; {then}"

    def planted(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{self.script()}\n")
        file.chmod(0o755)

    def why(self, at: Path | None = None) -> str | None:
        return self.places().git_runs(str(at or self.root))

    def places(self, *roots: Path) -> Places:
        return Places(roots=tuple(map(str, roots or (self.root,))), home=str(self.home))

    def rule(self, command: str, mode: Mode = Mode.DEFAULT, **more: Any) -> Ruling:
        texts = [written(it, Verdict.ALLOW) for it in more.get("allow", ())]
        root = more.get("root", self.root)
        places = self.places(root)
        book = Book.of(texts, places.roots, places.home)
        call = running(command, cwd=str(more.get("at") or root))
        return decide(call, Policy(mode=mode, book=book, trusted=True), places)

    def runs(self, at: Path | None = None) -> bool:
        """Whether any reading command runs what was planted."""
        self.mark.unlink(missing_ok=True)
        for second, line in enumerate(READING, start=1):
            # As if a file had been written as it was, so that git notes it anew.
            os.utime((at or self.root) / "same.txt", (second, second))
            self.run(line.split(), at or self.root)
        return self.mark.exists()


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path.resolve())


def set_(key: str, value: str = "{script}") -> Callable[[Yard], object]:
    """Sets a setting of the workspace's repository."""
    return lambda yard: yard.git("config", key, value.format(script=yard.script(then="cat")))


def attributes(text: str) -> Callable[[Yard], object]:
    return lambda yard: (yard.root / ".gitattributes").write_text(text)


def hook(yard: Yard) -> None:
    yard.planted(yard.root / ".git/hooks/post-index-change")


def hooks_elsewhere(yard: Yard) -> None:
    yard.git("config", "core.hooksPath", "tools")
    yard.planted(yard.root / "tools/post-index-change")


def included(yard: Yard) -> None:
    (yard.root / "more").write_text(f'[core]\n\tfsmonitor = "{yard.script(then="false")}"\n')
    yard.git("config", "include.path", "../more")


def of_worktree(yard: Yard) -> None:
    yard.git("config", "extensions.worktreeConfig", "true")
    yard.git("config", "--worktree", "core.fsmonitor", yard.script(then="false"))


def in_submodule(yard: Yard) -> Path:
    other = yard.made(yard.below / "other")
    yard.git("submodule", "--quiet", "add", str(other), "libs/x")
    return yard.root / "libs/x"


def of_submodule(yard: Yard) -> None:
    yard.git("config", "core.fsmonitor", yard.script(then="false"), at=in_submodule(yard))


def of_noted_folder(yard: Yard) -> None:
    """A repository in a folder that only the index knows for one."""
    inner = yard.made(yard.root / "inner")
    yard.git("add", "inner")
    yard.git("config", "core.fsmonitor", yard.script(then="false"), at=inner)


def of_shortened_index(yard: Yard) -> None:
    of_noted_folder(yard)
    yard.git("update-index", "--index-version", "4")


def of_split_index(yard: Yard) -> None:
    of_noted_folder(yard)
    yard.git("update-index", "--split-index")


RUNNING: Final[dict[str, tuple[Callable[[Yard], object], ...]]] = {
    "fsmonitor": (set_("core.fsmonitor"),),
    "external": (set_("diff.external"),),
    "clean": (set_("filter.x.clean"), attributes("* filter=x\n")),
    "process": (set_("filter.x.process"), attributes("* filter=x\n")),
    "textconv": (set_("diff.x.textconv"), attributes("* diff=x\n")),
    "driver": (set_("diff.x.command"), attributes("* diff=x\n")),
    "merge": (set_("merge.x.driver"), attributes("* merge=x\n")),
    "hook": (hook,),
    "hooks elsewhere": (hooks_elsewhere,),
    "included": (included,),
    "of a work tree": (of_worktree,),
    "of a submodule": (of_submodule,),
    "of a folder in the index": (of_noted_folder,),
    "of a folder in a shortened index": (of_shortened_index,),
    "of a folder in a split index": (of_split_index,),
}


@pytest.mark.parametrize("name", RUNNING)
def test_a_repository_that_makes_reading_run_something_is_told(yard: Yard, name: str) -> None:
    for plant in RUNNING[name]:
        plant(yard)
    assert yard.runs()
    assert yard.why() is not None
    for mode in (Mode.PLAN, Mode.ASK, Mode.DEFAULT, Mode.ACCEPT_EDITS):
        assert yard.rule("git status", mode).verdict is Verdict.ASK


def plain(yard: Yard) -> Path:
    return yard.root


def below(yard: Yard) -> Path:
    (yard.root / "src/deep").mkdir(parents=True)
    return yard.root / "src/deep"


def cloned(yard: Yard) -> Path:
    yard.git("clone", "-q", str(yard.root), str(yard.root / "again"))
    return yard.root / "again"


def another_tree(yard: Yard) -> Path:
    yard.git("worktree", "add", "-q", str(yard.root / "tree"))
    return yard.root / "tree"


def with_submodule(yard: Yard) -> Path:
    in_submodule(yard)
    return yard.root


def with_submodule_shortened(yard: Yard) -> Path:
    in_submodule(yard)
    yard.git("update-index", "--index-version", "4")
    return yard.root


def sparse(yard: Yard) -> Path:
    yard.git("sparse-checkout", "set", "src")
    return yard.root


def bare_with_trees(yard: Yard) -> Path:
    top = yard.root / "top"
    yard.git("clone", "-q", "--bare", str(yard.root), str(top / ".bare"))
    (top / ".git").write_text("gitdir: ./.bare\n")
    yard.git("worktree", "add", "-q", str(top / "tree"), "main~1", at=top)
    return top / "tree"


def husky(yard: Yard) -> Path:
    yard.git("config", "core.hooksPath", ".husky/_")
    for name in HOOKS:
        yard.planted(yard.root / ".husky/_" / name)
    return yard.root


HARMLESS: Final = (
    plain,
    below,
    cloned,
    another_tree,
    in_submodule,
    with_submodule,
    with_submodule_shortened,
    sparse,
    bare_with_trees,
    husky,
)


@pytest.mark.parametrize("make", HARMLESS)
def test_an_ordinary_repository_is_harmless(yard: Yard, make: Callable[[Yard], Path]) -> None:
    at = make(yard)
    assert yard.why(at) is None
    spelled = os.path.relpath(at, yard.root)
    for line in ("git status", "git diff", "git log --oneline -5"):
        assert yard.rule(line, Mode.PLAN, at=at).verdict is Verdict.ALLOW
        assert yard.rule(f"cd {spelled} && {line}").verdict is Verdict.ALLOW
        assert yard.rule(f"git -C {spelled} {line[4:]}").verdict is Verdict.ALLOW


def test_no_other_hook_is_run_by_reading(yard: Yard) -> None:
    for name in HOOKS:
        yard.planted(yard.root / ".git/hooks" / name)
    assert yard.why() is None
    assert not yard.runs()


@pytest.mark.parametrize("make", [another_tree, in_submodule])
def test_a_repository_elsewhere_is_harmless_where_it_knows_of_the_folder(
    yard: Yard, make: Callable[[Yard], Path]
) -> None:
    at = make(yard)
    assert yard.places(at).git_runs(str(at)) is None


def bare(yard: Yard, name: str = "docs") -> Path:
    yard.git("clone", "-q", "--bare", str(yard.root), str(yard.root / name))
    return yard.root / name


@pytest.mark.parametrize(
    "line",
    [
        "git -C docs status",
        "cd docs && git status",
        "git -C docs/refs log",
        "git -C . -C docs log",
        "for d in src docs; do git -C $d log; done",
        'for d in */; do git -C "$d" log; done',
        "ls -d */ | xargs -I{} git -C {} log",
        "timeout 5 git -C docs log",
        "git -C $(echo docs) log",
    ],
)
def test_a_bare_repository_among_the_files_is_asked_about(yard: Yard, line: str) -> None:
    bare(yard)
    assert yard.rule(line).verdict is Verdict.ASK
    assert yard.rule("git status").verdict is Verdict.ALLOW


def test_the_question_says_what_the_repository_sets(yard: Yard) -> None:
    inner = yard.made(yard.root / "docs")
    yard.git("config", "core.fsmonitor", "./x", at=inner)
    said = "could make git run something: its config sets core.fsmonitor."
    assert yard.rule("git -C docs log").because == f"The repository in docs {said}"
    assert yard.rule("git status", at=inner).because == f"The repository in docs {said}"


@pytest.mark.parametrize(
    ("rule", "verdict"),
    [
        ("shell(git status:*)", Verdict.ASK),
        ("shell(git:*)", Verdict.ASK),
        ("shell(git status)", Verdict.ALLOW),
        ("shell(*)", Verdict.ALLOW),
    ],
)
def test_only_a_rule_that_means_it_lifts_the_question(
    yard: Yard, rule: str, verdict: Verdict
) -> None:
    yard.git("config", "core.fsmonitor", "./x")
    assert yard.rule("git status", allow=[rule]).verdict is verdict
    assert yard.rule("git status", Mode.AUTO).verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    "plant",
    [
        pytest.param(lambda at, git: (at / ".git").write_text(f"gitdir: {git}\n"), id="file"),
        pytest.param(lambda at, git: (at / ".git").symlink_to(git), id="link"),
    ],
)
def test_what_leads_to_a_repository_of_somebody_else_is_asked_about(
    yard: Yard, plant: Callable[[Path, Path], object]
) -> None:
    private = yard.made(yard.home / "private")
    at = yard.root / "docs"
    at.mkdir()
    plant(at, private / ".git")
    assert yard.rule("git -C docs log -p").verdict is Verdict.ASK


def test_objects_and_work_trees_of_somebody_else_are_asked_about(yard: Yard) -> None:
    private = yard.made(yard.home / "private")
    one, two, three = (yard.made(yard.root / name) for name in ("one", "two", "three"))
    (one / ".git/objects/info/alternates").write_text(f"{private}/.git/objects\n")
    yard.git("config", "core.worktree", str(private), at=two)
    (three / ".git/commondir").write_text(f"{private}/.git\n")
    (three / ".git/config.worktree").write_text(f"[core]\n\tworktree = {three}\n")
    for at in (one, two, three):
        assert yard.why(at) is not None
        assert yard.rule(f"git -C {at.name} log").verdict is Verdict.ASK


def test_what_keeps_a_reader_waiting_is_not_read(yard: Yard) -> None:
    (yard.root / ".git/config").unlink()
    os.mkfifo(yard.root / ".git/config")
    assert yard.why() == "not all of it can be read"


def test_a_folder_that_is_filled_before_is_asked_about(yard: Yard) -> None:
    allow = ["shell(tar:*)", "shell(cp:*)", "write(./**)"]
    filled = yard.rule("tar xf a.tar && git status", allow=allow)
    assert filled.verdict is Verdict.ASK
    assert yard.rule("cp -r a.txt docs && git -C docs status", allow=allow).verdict is Verdict.ASK
    assert yard.rule("cp a.txt b.txt && git status", allow=allow).verdict is Verdict.ALLOW


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("docs/config", Verdict.ASK),
        ("docs/config.worktree", Verdict.ASK),
        ("docs/hooks/post-index-change", Verdict.ASK),
        ("docs/info/attributes", Verdict.ASK),
        ("new.git/config", Verdict.ASK),
        ("new.git/hooks/x", Verdict.ASK),
        ("src/config", Verdict.ALLOW),
        ("src/hooks/useThing.ts", Verdict.ALLOW),
        ("src/info/page.ts", Verdict.ALLOW),
        ("docs/description", Verdict.ALLOW),
    ],
)
def test_what_says_what_git_runs_is_protected_wherever_it_lies(
    yard: Yard, name: str, verdict: Verdict
) -> None:
    bare(yard)
    (yard.root / "src/objects").mkdir(parents=True)
    there = yard.places().locate(name, str(yard.root))
    call = writing(name, targets=(there,), cwd=str(yard.root))
    assert decide(call, Policy(mode=Mode.ACCEPT_EDITS), yard.places()).verdict is verdict
    assert yard.rule(f"touch {name}", Mode.AUTO).verdict is verdict


def test_files_that_the_settings_of_git_include_are_protected_as_these_are(yard: Yard) -> None:
    yard.git("config", "core.hooksPath", "checks")
    yard.git("config", "include.path", "../shared/git.conf")
    yard.git("config", "includeIf.gitdir:~/.path", str(yard.root / "other.conf"))
    (yard.root / "shared").mkdir()
    (yard.root / "shared/git.conf").write_text("[include]\npath = more.conf\npath=.\n", "ascii")
    asked = ("shared/git.conf", "shared/more.conf", "other.conf", "checks/pre-commit")
    for name in (*asked, "more.conf", "src/a.conf"):
        there = yard.places().locate(name, str(yard.root))
        call = writing(name, targets=(there,), cwd=str(yard.root))
        verdict = Verdict.ASK if name in asked else Verdict.ALLOW
        assert decide(call, Policy(mode=Mode.ACCEPT_EDITS), yard.places()).verdict is verdict
        assert yard.rule(f"echo x > {name}", Mode.AUTO).verdict is verdict


def test_nothing_is_known_of_folders_where_there_are_no_facts() -> None:
    call = running("git status", targets=(target("."),))
    assert decide(call, Policy(mode=Mode.DEFAULT)).verdict is Verdict.ASK


def test_where_there_is_no_repository_git_runs_nothing(tmp_path: Path) -> None:
    places = Places(roots=(str(tmp_path / "imaginary"),), home=str(tmp_path))
    assert places.git_runs(str(tmp_path.resolve() / "imaginary/src")) is None


@each_row("where", [".", "..", "../.."])
def test_a_launcher_is_asked_about_where_a_file_here_or_above_chooses_for_it(
    tmp_path: Path, where: str
) -> None:
    folder = tmp_path / "a" / "b" / "c"
    folder.mkdir(parents=True)
    places = Places(roots=(str(tmp_path),), home="/home/nobody")
    names = ("rust-toolchain", "rust-toolchain.toml")
    assert places.above(str(folder), names) is None
    (folder / where / "rust-toolchain.toml").write_text("[toolchain]\npath = '/evil'\n")
    assert places.above(str(folder), names) == "rust-toolchain.toml"


PUSHING: Final = 'git push origin "$(git branch --show-current)"'


def test_the_branch_that_is_checked_out_may_be_pushed_by_its_name(yard: Yard) -> None:
    assert yard.rule(PUSHING, allow=["shell(git push:*)"]).verdict is Verdict.ALLOW
    yard.git("checkout", "-q", "--detach")
    assert yard.places().head(str(yard.root)) == ""
    assert yard.rule(PUSHING, allow=["shell(git push:*)"]).verdict is Verdict.ALLOW


@pytest.mark.parametrize("allow", [["shell(git push:*)"], ["shell(*)"]])
def test_a_branch_that_looks_like_a_flag_and_came_with_a_clone_is_asked_about(
    yard: Yard, allow: list[str]
) -> None:
    yard.git("update-ref", "refs/heads/--exec=x", "HEAD")
    yard.git("symbolic-ref", "HEAD", "refs/heads/--exec=x")
    yard.git("clone", "-q", str(yard.root), str(yard.root / "cloned"))
    at = yard.root / "cloned"
    assert yard.git("branch", "--show-current", at=at) == "--exec=x\n"
    for where in (yard.root, at):
        assert yard.rule(PUSHING, allow=allow, at=where).verdict is Verdict.ASK
        reading = 'git log "$(git rev-parse --abbrev-ref HEAD)"'
        assert yard.rule(reading, allow=allow, at=where).verdict is Verdict.ASK
    assert yard.rule("cd cloned && echo $(git branch --show-current)").verdict is Verdict.ALLOW


def test_git_itself_makes_no_branch_that_looks_like_a_flag(yard: Yard) -> None:
    for words in (
        ("branch", "--", "-x"),
        ("branch", "-m", "--", "-x"),
        ("checkout", "-b-x"),
        ("checkout", "-q", "--orphan=-x"),
        ("switch", "-c", "-x"),
        ("stash", "branch", "-x"),
    ):
        assert yard.run(["git", *words], yard.root).returncode != 0, words


def test_what_is_checked_out_is_not_known_where_it_does_not_stand(yard: Yard) -> None:
    head = yard.root / ".git/HEAD"
    assert yard.places().head(str(yard.root / "src")) == "refs/heads/main"
    head.write_text("ref: refs/heads/.invalid\n")
    assert yard.places().head(str(yard.root)) is None
    head.unlink()
    head.symlink_to("refs/heads/main")
    assert yard.places().head(str(yard.root)) is None
    assert yard.rule(PUSHING, allow=["shell(git push:*)"]).verdict is Verdict.ASK


@pytest.mark.parametrize("form", ["cd {0} && git add x", "git -C {0} add x"])
def test_a_rule_about_git_means_no_repository_that_has_it_run_something_of_its_own(
    yard: Yard, form: str
) -> None:
    inner = yard.made(yard.root / "packages" / "app")
    (inner / "x").write_text("x\n")
    line = form.format("packages/app")
    allow = ["shell(git add:*)"]
    assert yard.rule(line, allow=allow).verdict is Verdict.ALLOW
    yard.git("config", "core.fsmonitor", yard.script(then="false"), at=inner)
    assert yard.rule(line, allow=allow).verdict is Verdict.ASK
    yard.run(["sh", "-c", line], yard.root)
    assert yard.mark.exists()


@pytest.mark.parametrize("form", ["cd {0} && git commit -m x", "git -C {0} commit -m x"])
def test_a_rule_about_git_means_no_repository_with_hooks_of_its_own(yard: Yard, form: str) -> None:
    inner = yard.made(yard.root / "packages" / "app")
    line, allow = form.format("packages/app"), ["shell(git commit:*)"]
    assert yard.rule(line, allow=allow).verdict is Verdict.ALLOW
    yard.planted(inner / ".git" / "hooks" / "pre-commit")
    assert yard.rule(line, allow=allow).verdict is Verdict.ASK
    yard.run(["sh", "-c", line.replace("commit", "commit -a")], yard.root)
    assert yard.mark.exists()


def test_a_rule_about_git_means_what_the_repository_of_the_workspace_has_it_run(yard: Yard) -> None:
    yard.git("config", "core.fsmonitor", yard.script(then="false"))
    (yard.root / "src").mkdir()
    for line in ("git add x", "git -C src add x", "cd src && git add x"):
        assert yard.rule(line, allow=["shell(git add:*)"]).verdict is Verdict.ALLOW
