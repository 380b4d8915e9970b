"""Programs that a variable names: judged as each program that it may be, and asked about else."""

from pathlib import Path

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "src").mkdir(parents=True)
    return root


@each_row(
    "command",
    [
        "for it in node npm python3; do $it --version; done",
        "for it in ls pwd; do $it; done",
        "SHOW=ls; $SHOW -la src",
        'SHOW=ls; "$SHOW" -la src',
    ],
)
def test_what_only_reads_passes_by_a_variable_too(root: Path, command: str) -> None:
    assert ruled(root, command, Mode.DEFAULT).verdict is Verdict.ALLOW


@each_row(
    "command",
    [
        "DO=touch; $DO a",
        "for it in ls touch; do $it a; done",
        "for it in ls eval; do $it 'touch a'; done",
        "DO=; $DO touch a",
        "DO='touch a'; $DO",
        "DO=A=1; $DO touch a",
        "DO=ls; DO=touch; $DO a",
        "DO=ls; read DO < list; $DO a",
        "if true; then DO=ls; else DO=touch; fi; $DO a",
        "do() { DO=touch; }; DO=ls; do; $DO a",
        "ls() { touch a; }; DO=ls; $DO",
        "for it in cd ls; do $it ~; done; cat a",
        "DO=if; $DO true",
        "DO=-; $DO",
        "DO=$(cat list); $DO",
        "DO=l?; $DO",
    ],
)
def test_what_one_of_them_does_beside_reading_is_asked_about(root: Path, command: str) -> None:
    assert ruled(root, command, Mode.DEFAULT).verdict is Verdict.ASK


def test_a_rule_is_about_the_program_that_the_variable_names(root: Path) -> None:
    line = "PY=.venv/bin/python; $PY -m pytest -q"
    rule = "shell(.venv/bin/python -m pytest:*)"
    assert ruled(root, line, Mode.DEFAULT).verdict is Verdict.ASK
    assert ruled(root, line, Mode.DEFAULT, allow=rule).verdict is Verdict.ALLOW


@each_row("command", ["G=git; $G push", "for it in ls git; do $it push; done"])
def test_what_is_denied_is_denied_by_a_variable_too(root: Path, command: str) -> None:
    assert ruled(root, command, deny="shell(git push:*)").verdict is Verdict.DENY


@each_row("command", ["X=rm; $X -rf ~", "for it in ls rm; do $it -rf ~; done"])
def test_what_leaves_nothing_is_asked_about_in_every_mode(root: Path, command: str) -> None:
    assert ruled(root, command).verdict is Verdict.ASK


def test_a_card_has_one_line_for_all_that_one_place_may_be(root: Path) -> None:
    said = ruled(root, "for it in node touch; do $it a; done", Mode.DEFAULT)
    assert [it.text for it in said.parts] == ["$it a"]
    assert said.parts[0].verdict is Verdict.ASK


@each_row(
    ("rule", "command"),
    [
        ("shell(npm run lint:*)", "npm run -s lint"),
        ("shell(docker compose exec api:*)", "docker compose exec -T api rspec"),
    ],
)
def test_a_rule_means_a_command_through_what_only_chooses_how_it_is_run(
    root: Path, rule: str, command: str
) -> None:
    assert ruled(root, command, Mode.DEFAULT).verdict is Verdict.ASK
    assert ruled(root, command, Mode.DEFAULT, allow=rule).verdict is Verdict.ALLOW


@each_row(
    ("rule", "command"),
    [
        ("shell(npm test:*)", "npm run build"),
        ("shell(npm test:*)", "npm run --script-shell=./x test"),
        ("shell(cargo test:*)", "cargo run"),
        ("shell(docker compose exec api:*)", "docker compose exec -u root api sh"),
    ],
)
def test_and_no_other_command(root: Path, rule: str, command: str) -> None:
    assert ruled(root, command, Mode.DEFAULT, allow=rule).verdict is Verdict.ASK


def test_a_folder_that_is_named_like_a_flag_makes_one_of_what_is_found_in_it(root: Path) -> None:
    (root / "src" / "a.md").write_text("a")
    assert ruled(root, "sort */a.md", Mode.DEFAULT).verdict is Verdict.ALLOW
    (root / "--output=src").mkdir()
    (root / "--output=src" / "a.md").write_text("")
    assert ruled(root, "sort */a.md", Mode.DEFAULT).verdict is Verdict.ASK


@pytest.mark.parametrize("command", ["sort *.txt", "cd src && sort ?*.txt", "git diff -- a *.txt"])
def test_a_pattern_that_a_file_named_like_a_flag_fits_is_no_reading(
    root: Path, command: str
) -> None:
    for folder in (root, root / "src"):
        (folder / "a.txt").write_text("a")
    assert ruled(root, command, Mode.DEFAULT).verdict is Verdict.ALLOW
    for folder in (root, root / "src"):
        (folder / "--output=a.txt").write_text("")
    said = ruled(root, command, Mode.DEFAULT)
    behind = "--" in command
    assert said.verdict is (Verdict.ALLOW if behind else Verdict.ASK)
    assert behind or "`--output=a.txt` would be a flag" in said.because
    assert ruled(root, command.replace("?*", "*").replace("*", "./*"), Mode.DEFAULT).verdict is (
        Verdict.ALLOW
    )


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("shell(tar cf:*)", "tar cf a.tar *"),
        ("shell(tar cf:*)", "tar cf a.tar [^a]*"),
        ("shell(tar cf:*)", "tar cf a.tar [[:punct:]]* a.py"),
        ("shell(tar cf:*)", "tar cf a.tar --exclude -- *"),
        ("shell(tar cf:*)", "ls | xargs tar cf a.tar"),
        ("shell(tar cf:*)", "tar cf a.tar $(ls)"),
        ("shell(git add:*)", 'for f in *; do git add "$f"; done'),
        ("shell(git add:*)", "git add *.py"),
        ("shell(chmod 644:*)", "cd src && chmod 644 *"),
    ],
)
def test_nor_does_a_rule_mean_what_such_a_file_makes_of_a_pattern(
    root: Path, rule: str, command: str
) -> None:
    def said() -> Verdict:
        return ruled(root, command, Mode.DEFAULT, allow=rule).verdict

    for folder in (root, root / "src"):
        (folder / "a.py").write_text("")
    assert said() is Verdict.ALLOW
    for folder in (root, root / "src"):
        (folder / "--checkpoint-action=exec=sh x.py").write_text("")
    assert said() is Verdict.ASK


def test_a_card_tells_of_no_file_that_a_pattern_makes_a_flag_of(root: Path) -> None:
    for name in ("a.txt", "--output=a.txt"):
        (root / name).write_text("a")

    def read(command: str) -> set[str]:
        said = ruled(root, command, Mode.DEFAULT)
        return {it.what for it in said.deeds if it.kind == "read"}

    assert read("sort *.txt") == {"*.txt", "a.txt"}
    assert read("sort -- *.txt") == {"*.txt", "a.txt", "--output=a.txt"}
    assert read("sort ./*.txt") == {"./*.txt", "a.txt", "--output=a.txt"}
    # Behind a flag that takes a value two dashes are that one's.
    assert read("sort -k -- *.txt") == {"*.txt", "a.txt"}


def test_a_file_so_named_in_another_folder_is_none(root: Path) -> None:
    (root / "a.py").write_text("")
    command = "touch src/-o.py && sort *.py"
    said = ruled(root, command, Mode.DEFAULT, allow="write(./**)")
    assert said.verdict is Verdict.ALLOW


def test_where_too_many_are_named_so_one_of_them_is_one(root: Path) -> None:
    (root / "a.py").write_text("")
    for at in range(501):
        (root / f"-f{at}.py").write_text("")
    for command in ("sort *", "sort *.py"):
        assert ruled(root, command, Mode.DEFAULT).verdict is Verdict.ASK


def test_nor_one_that_the_same_call_makes(root: Path) -> None:
    (root / "a.py").write_text("")
    command = "touch -- {}a.py && sort *.py"
    allow = "write(./**)"
    assert ruled(root, command.format("b"), Mode.DEFAULT, allow=allow).verdict is Verdict.ALLOW
    assert ruled(root, command.format("-o"), Mode.DEFAULT, allow=allow).verdict is Verdict.ASK
