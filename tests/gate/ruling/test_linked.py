"""Links among listed names: whoever opens these is led away, and that is asked about."""

import subprocess
from pathlib import Path

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Ruling, Verdict
from assent.gate.disk.places import Places
from assent.gate.rules.book import Book
from assent.gate.rules.notation import written
from assent.gate.ruling.decide import decide
from assent.gate.ruling.policy import Policy
from gate.ruling.samples import running

_LISTS = (
    "ls",
    "ls -1",
    "git ls-files",
    "git ls-files -o",
    "git ls-files -- .",
    "git diff --name-only HEAD",
    "find .",
    "find . -name 'a*'",
    "find . -type l",
    "find . -type f -o -type l",
    "find . ! -type f",
    "fd .",
    "fd -t f -t l",
    "fd -tf -t l",
    "fd -tl -t f",
    "fd -t f -tl",
    "fd -t f --type l",
)
"""Lists that may hold a link, whatever they are made of."""

_FILES = ("find . -type f", "rg --files", "rg -l x", "grep -rl x .", "fd -t f")
"""Lists of what is a file itself."""

_OPENED = (
    "{} | xargs cat",
    '{} | while read -r f; do cat "$f"; done',
    "cat $({})",
    'for f in $({}); do head "$f"; done',
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "src").mkdir(parents=True)
    (root / "src" / "b.txt").write_text("x\n")
    (root / "own").symlink_to("src/b.txt")
    (tmp_path / "home" / "secret").write_text("s\n")
    return root


def ruled(root: Path, command: str, *, deny: str = "", mode: Mode = Mode.DEFAULT) -> Ruling:
    home = str(root.parent)
    places = Places(roots=(str(root),), home=home)
    call = running(command, cwd=str(root))
    rules = [written(deny, Verdict.DENY)] if deny else []
    book = Book.of(rules, (str(root),), home)
    return decide(call, Policy(mode=mode, trusted=True, book=book), places)


def passing(root: Path) -> list[str]:
    """What is not asked about as things are."""
    all_ = [form.format(it) for it in _LISTS for form in _OPENED]
    return [it for it in all_ if ruled(root, it).verdict is Verdict.ALLOW]


def test_a_list_with_a_link_that_leads_out_is_asked_about_where_one_without_is_not(
    root: Path,
) -> None:
    assert len(passing(root)) > len(_LISTS)
    (root / "away").symlink_to("../secret")
    assert passing(root) == []


def test_a_list_of_files_themselves_is_not_asked_about(root: Path) -> None:
    (root / "away").symlink_to("../secret")
    for lists in _FILES:
        assert ruled(root, f"{lists} | xargs cat").verdict is Verdict.ALLOW, lists


def test_what_is_listed_as_a_file_is_none_that_a_link_leads_to(root: Path) -> None:
    (root / "away").symlink_to("../secret")
    told = subprocess.run(
        ["find", ".", "-type", "f"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    assert "away" not in told


def test_a_link_that_is_not_among_the_names_is_no_reason_to_ask(root: Path) -> None:
    (root / "away").symlink_to("../secret")
    for command in ("find . -name '*.txt' | xargs cat", "git ls-files src | xargs cat"):
        assert ruled(root, command).verdict is Verdict.ALLOW, command


def test_of_too_many_files_it_is_not_said_that_none_is_a_link(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assent.gate.disk.links._MAX_ENTRIES_LISTED", 2)
    assert ruled(root, "find . | xargs cat").verdict is Verdict.ASK
    assert ruled(root, "find . -type f | xargs cat").verdict is Verdict.ALLOW


def test_where_it_leads_is_told(root: Path) -> None:
    (root / "away").symlink_to("../secret")
    deeds = ruled(root, "ls | xargs cat").deeds
    assert ("read", "~/secret", False) in [(it.kind, it.what, it.inside) for it in deeds]


def test_a_link_deeper_down_is_found_where_the_list_goes_there(root: Path) -> None:
    (root / "src" / "away").symlink_to("../../secret")
    assert ruled(root, "find . | xargs cat").verdict is Verdict.ASK
    assert ruled(root, "ls | xargs cat").verdict is Verdict.ALLOW


_TRACKED = ("git ls-files", "git ls-files -- src .", "git diff --name-only HEAD", "git ls-files -m")
_UNTRACKED = ("git ls-files -o", "git ls-files -co", "git ls-files --others --exclude-standard")


def git(root: Path, *words: str) -> None:
    own = ("-c", "user.name=a", "-c", "user.email=a@b.example")
    subprocess.run(["git", *own, *words], cwd=root, check=True, capture_output=True)


def asked(root: Path, lists: tuple[str, ...]) -> set[Verdict]:
    lines = (form.format(it) for it in lists for form in _OPENED)
    return {ruled(root, line).verdict for line in lines}


@pytest.fixture(params=["2", "3", "4", "sha256"])
def work_tree(root: Path, request: pytest.FixtureRequest) -> Path:
    """A repository with an index of each form, beside whose files an environment was made."""
    form = request.param
    digest = "sha256" if form == "sha256" else "sha1"
    git(root, "init", "-q", f"--object-format={digest}")
    git(root, "config", "index.version", "2" if form == "sha256" else form)
    git(root, "add", ".")
    git(root, "commit", "-qm", "one")
    (root / "later.txt").write_text("x\n")
    git(root, "add", *(["-N"] if form == "3" else []), "later.txt")
    (root / ".venv" / "bin").mkdir(parents=True)
    (root / ".venv" / "bin" / "python").symlink_to("/usr/bin/env")
    return root


def test_of_what_git_tracks_a_link_counts_only_where_it_stands_for_a_tracked_file(
    work_tree: Path,
) -> None:
    assert asked(work_tree, _TRACKED) == {Verdict.ALLOW}
    assert asked(work_tree, _UNTRACKED) == {Verdict.ASK}
    (work_tree / "src" / "b.txt").unlink()
    (work_tree / "src" / "b.txt").symlink_to("../../secret")
    assert asked(work_tree, _TRACKED) == {Verdict.ASK}


def test_a_folder_of_tracked_files_that_became_a_link_counts(work_tree: Path) -> None:
    (work_tree / "src").rename(work_tree.parent / "src")
    (work_tree / "src").symlink_to("../src")
    assert asked(work_tree, _TRACKED) == {Verdict.ASK}


def test_a_tracked_link_counts(work_tree: Path) -> None:
    (work_tree / "away").symlink_to("../secret")
    assert asked(work_tree, _TRACKED) == {Verdict.ALLOW}
    git(work_tree, "add", "away")
    assert asked(work_tree, _TRACKED) == {Verdict.ASK}


@pytest.mark.parametrize("first", ["git add -f away; ", "g=git; $g add -f away; "])
def test_what_else_a_call_does_may_change_what_is_listed(work_tree: Path, first: str) -> None:
    (work_tree / "away").symlink_to("../secret")
    ruling = ruled(work_tree, f"{first}git ls-files | xargs cat")
    (listing,) = [it for it in ruling.parts if "cat" in it.text] or [ruling]
    assert listing.verdict is Verdict.ASK


def test_an_index_that_cannot_be_read_counts_for_nothing(work_tree: Path) -> None:
    (work_tree / ".git" / "index").write_bytes(b"DIRC\0\0\0\2\0\0\0\7 and no more")
    assert asked(work_tree, _TRACKED) == {Verdict.ASK}


def test_a_pattern_that_begins_with_one_of_a_few_texts_may_find_a_link_that_leads_out(
    root: Path,
) -> None:
    command = 'for d in own src; do cat "$d"/*; done'
    assert ruled(root, command).verdict is Verdict.ALLOW
    (root / "src" / "away").symlink_to("../../secret")
    assert ruled(root, command).verdict is Verdict.ASK


_STATES = (
    "git show $(git rev-parse HEAD)",
    "git diff $(git merge-base HEAD main)..HEAD --stat",
    "for c in $(git rev-list -3 HEAD); do git show --stat $c; done",
)


@pytest.mark.parametrize("line", _STATES)
def test_what_git_calls_a_state_is_no_link_unless_one_is_called_so(root: Path, line: str) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".venv").mkdir()
    (root / ".venv" / "python").symlink_to("../../secret")
    assert ruled(root, line).verdict is Verdict.ALLOW


def test_a_link_that_is_called_like_a_state_counts(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    line = "cat $(git rev-parse HEAD)"
    assert ruled(root, line).verdict is Verdict.ALLOW
    (root / "0123abcd").symlink_to("../secret")
    assert ruled(root, line).verdict is Verdict.ASK


_EACH_FOLDER = (
    'for d in packages/*/; do (cd "$d" && ls); done',
    "cd packages/*/ && ls",
    'for d in packages/*/; do (cd "$d" && cat ../a/x); done',
)


@pytest.mark.parametrize("line", _EACH_FOLDER)
def test_each_folder_that_a_pattern_finds_now_is_one_to_work_in(root: Path, line: str) -> None:
    (root / "packages" / "a").mkdir(parents=True)
    assert ruled(root, line).verdict is Verdict.ALLOW
    (root / "packages" / "led").symlink_to("../..")
    assert ruled(root, line).verdict is Verdict.ASK


@pytest.mark.parametrize(
    "line",
    [
        'for d in nothing/*/; do (cd "$d" && ls ..); done',
        'for d in packages/*/; do mkdir new; (cd "$d" && ls); done',
        'for d in packages/*/; do (cd "$d" && rm x); done',
        "cd packages/*/ && cat ../../../secret",
    ],
)
def test_what_a_pattern_finds_later_is_not_known(root: Path, line: str) -> None:
    (root / "packages" / "a").mkdir(parents=True)
    assert ruled(root, line).verdict is Verdict.ASK


@pytest.mark.parametrize(
    ("command", "verdict"),
    [
        ("mv src/b.txt c.txt && sed -i s/x/y/ c.txt", Verdict.ALLOW),
        ("mv src lib && sed -i s/x/y/ lib/b.txt", Verdict.ALLOW),
        ("mv own c.txt && sed -i s/x/y/ c.txt", Verdict.ASK),
        ("mv out c && sed -i s/x/y/ c/secret", Verdict.ASK),
        ("mv gone c && sed -i s/x/y/ c/b.txt", Verdict.ASK),
        ("git checkout other && mv src/b.txt c && sed -i s/x/y/ c", Verdict.ASK),
        ("mv s* c && sed -i s/x/y/ c/b.txt", Verdict.ASK),
    ],
)
def test_what_was_moved_is_known_where_it_was_neither_a_link_nor_held_one(
    root: Path, command: str, verdict: Verdict
) -> None:
    (root / "out").symlink_to("..")
    places = Places(roots=(str(root),), home=str(root.parent))
    call = running(command, cwd=str(root))
    assert decide(call, Policy(mode=Mode.AUTO, trusted=True), places).verdict is verdict


@pytest.mark.parametrize(
    "command",
    ["cp -r src/. led", "cp -rT src led", "cp -a src/. led", "cp -r src/. ."],
)
def test_what_copies_into_a_folder_writes_through_the_links_there(root: Path, command: str) -> None:
    (root / "led").mkdir()
    (root / "led" / "b.txt").symlink_to(root.parent / ".bashrc")
    places = Places(roots=(str(root),), home=str(root.parent))
    rule = written("shell(cp:*)", Verdict.ALLOW)
    allowed = Book.of([rule], (str(root),), str(root.parent))
    policy = Policy(mode=Mode.DEFAULT, trusted=True, book=allowed)
    assert decide(running(command, cwd=str(root)), policy, places).verdict is Verdict.ASK


_SPLIT = (
    "{} | xargs cat",
    "{} | head -5 | xargs -n 1 cat",
    "{} | while read -r f; do cat $f; done",
    "cat $({})",
    'for f in $({}); do cat "$f"; done',
    'for f in $({}); do cat "$f.bak"; done',
    'for f in $({}) README.md; do cat "$f"; done',
    'a=($({})); cat "${{a[@]}}"',
    "a=$({} | tail -1); cat $a",
    "f=x; if test -e y; then f=$({}); fi; for g in $f; do cat $g; done",
)
"""Ways to open what is listed in which a name with a blank becomes several."""

_WHOLE = (
    "{} | xargs -d '\\n' cat",
    "{} | xargs -I{{}} cat {{}}",
    '{} | while read -r f; do cat "$f"; done',
)
"""Ways in which it stays one."""


def opened(root: Path, ways: tuple[str, ...]) -> list[str]:
    """What is not asked about of lists of files that are opened in these ways."""
    all_ = [way.format(it) for it in (*_FILES, "git ls-files") for way in ways]
    return [it for it in all_ if ruled(root, it).verdict is Verdict.ALLOW]


def put(root: Path, name: str) -> None:
    (root / name).parent.mkdir(parents=True)
    (root / name).write_text("x\n")


@pytest.mark.parametrize("name", ["src/a /etc/passwd", "src/a ../b ../b", "src/a -o/x"])
def test_a_name_that_falls_into_a_path_elsewhere_is_asked_about(root: Path, name: str) -> None:
    usual, whole = opened(root, _SPLIT), opened(root, _WHOLE)
    assert len(usual) > len(_FILES) * 8
    put(root, name)
    assert opened(root, _SPLIT) == []
    assert opened(root, _WHOLE) == whole
    assert whole


def test_a_name_that_falls_into_names_in_the_workspace_is_not_asked_about(root: Path) -> None:
    usual = opened(root, _SPLIT)
    put(root, "my docs/What's new - at b.txt")
    assert opened(root, _SPLIT) == usual


def test_a_name_that_loses_its_quotes_on_the_way_is_asked_about(root: Path) -> None:
    put(root, "src/a '/'etc'/passwd'")
    assert ruled(root, "find src -type f | xargs cat").verdict is Verdict.ASK


def in_auto(root: Path, command: str) -> Verdict:
    """How it is ruled on in Auto mode, where one file is denied."""
    places = Places(roots=(str(root),), home=str(root.parent))
    book = Book.of([written("read(./.env)", Verdict.DENY)], (str(root),), str(root.parent))
    policy = Policy(mode=Mode.AUTO, trusted=True, book=book)
    return decide(running(command, cwd=str(root)), policy, places).verdict


def test_a_denied_file_is_denied_by_a_piece_of_another_name(root: Path) -> None:
    (root / ".env").write_text("x\n")
    put(root, "docs/about .env")
    assert in_auto(root, "find docs -type f | xargs cat") is Verdict.DENY


def test_a_name_with_a_blank_that_is_made_before_is_asked_about(root: Path) -> None:
    made = "touch 'src/a .env'; find src -type f | xargs cat"
    assert in_auto(root, made) is Verdict.ASK
    assert in_auto(root, made.replace("a .env", "a")) is Verdict.ALLOW


def test_of_what_git_tracks_other_names_with_blanks_do_not_count(root: Path) -> None:
    put(root, "a.txt.d/README")
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *words], cwd=root, check=True)
    put(root, "src/a /etc/passwd")
    assert ruled(root, "git ls-files | xargs cat").verdict is Verdict.ALLOW
    for lists in ("git ls-files -o", "git grep --untracked -l x"):
        assert ruled(root, f"{lists} | xargs cat").verdict is Verdict.ASK
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    assert ruled(root, "git ls-files | xargs cat").verdict is Verdict.ASK


_BESIDE = ("for p in src/*; do cat $p/x; done", "for p in src/*/; do cat ${p}x; done")


@pytest.mark.parametrize("command", _BESIDE)
@pytest.mark.parametrize("name", ["src/a .env /x", "src/ab /x", "src/ab -n/x"])
def test_what_stands_beside_a_name_with_blanks_is_asked_about(
    root: Path, command: str, name: str
) -> None:
    assert in_auto(root, command) is Verdict.ALLOW
    put(root, name)
    assert in_auto(root, command) is Verdict.ASK


_OPENED_FROM_DOCS = (
    "find docs -name '*.txt' -exec cat {} +",
    "find docs -name '*.txt' | xargs wc -l",
    "find docs -type l -exec head {} +",
    "git ls-files docs | xargs cat",
    "cat $(git ls-files docs)",
    'ls docs | while read -r f; do cat "docs/$f"; done',
)
"""What opens the files of a folder by their names, each in another way."""

_NOT_OPENED = (
    "find docs -type f -exec cat {} +",
    "find docs -name 'b*' -exec cat {} +",
    "git ls-files src | xargs cat",
    "find docs -name '*.txt'",
    "ls -l docs",
    "grep -r x docs",
)


def test_a_listed_link_to_a_denied_file_is_that_file_wherever_both_lie(root: Path) -> None:
    for place in (".env", "secrets/key.txt", "../secret"):
        (root / place).parent.mkdir(exist_ok=True)
        (root / place).write_text("s\n")
    (root / "docs").mkdir()
    (root / "docs" / "b.txt").write_text("x\n")
    git(root, "init", "-q")
    rules = (("read(./.env)", ".env"), ("read(./secrets/**)", "secrets/key.txt"))
    for rule, place in (*rules, ("read(~/secret)", "../secret")):
        link = root / "docs" / "conf.txt"
        git(root, "add", "docs")
        before = [it for it in _OPENED_FROM_DOCS if ruled(root, it, deny=rule).verdict]
        assert before == [], f"without a link, beside {rule}"
        link.symlink_to(Path("..") / place)
        git(root, "add", "docs")
        passed = [it for it in _OPENED_FROM_DOCS if not ruled(root, it, deny=rule).verdict]
        assert passed == [], f"with a link, beside {rule}"
        needless = [it for it in _NOT_OPENED if ruled(root, it, deny=rule).verdict]
        assert needless == [], f"beside {rule}"
        link.unlink()


_WRITTEN_IN_DOCS = (
    "find {} -name 'a.*' -exec truncate -s 0 {{}} +",
    "find {} -name 'a.*' | xargs tee",
    "git ls-files {} | xargs truncate -s 0",
)


def test_a_listed_link_to_what_may_not_be_changed_is_that_place(root: Path) -> None:
    git(root, "init", "-q")
    (root / "infra").mkdir()
    (root / "infra" / "prod.tf").write_text("x\n")
    (root / "docs").mkdir()
    link = root / "docs" / "a.sh"
    for place in ("infra/prod.tf", ".git/hooks/pre-commit"):
        for command in (form.format(it) for form in _WRITTEN_IN_DOCS for it in ("docs", ".")):
            git(root, "add", "docs")
            beside = {"deny": "write(./infra/**)", "mode": Mode.AUTO}
            free = command.replace(" . ", " docs ")
            assert not ruled(root, free, **beside).verdict, f"{free} without a link"
            link.symlink_to(Path("..") / place)
            git(root, "add", "docs")
            assert ruled(root, command, **beside).verdict, f"{command} with a link to {place}"
            removal = "find docs -name 'a.*' -exec rm {} +"
            assert not ruled(root, removal, **beside).verdict, "what is removed is the link"
            link.unlink()


def test_a_link_counts_only_where_the_name_may_be_its_own(root: Path) -> None:
    (root / "away").symlink_to("../secret")
    for command in ('for f in *.txt; do cat "$f.bak"; done', "ls src | xargs -I{} cat {}.md"):
        assert not ruled(root, command).verdict, command
    for command in ('ls | while read -r f; do cat "./$f"; done', "ls src | xargs -I{} cat {}ay"):
        assert ruled(root, command).verdict, command
