"""What git would take up, as the gate tells it, beside what the real git takes up."""

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assent.gate.disk.git.ignore_lists import left_out, taken_up
from tables import each_row

FILES: Final = (
    *".env .env.local .env.example a.pem b/.env b/c/.env b/c/a.pem keys/a.pem build/x".split(),
    *"b/build/x src/app.py dist.txt é.pem KEY.PEM".split(),
)
AUTHOR: Final = ("-c", "user.name=a", "-c", "user.email=a@example.org")
LINES: Final = st.one_of(
    st.sampled_from(
        (
            *".env .env* *.pem keys/ /build build/ b/c b/* b/**/.env **/c !.env !*.pem".split(),
            "!/b/c/",
            *"!.env.example # [.]env {.env,x} \\.env .en? /.env /b/.env b/.env ** * /* !b/".split(),
            *(
                "keys/ ",
                " .env",
                ".env\\ ",
                "",
                "b/c/**",
                "**/",
                ".env/",
                ".env\r",
                "!.env\r",
                "//b",
                "keys//",
                "\ufeff!.env",
                "?.pem",
                "!?.pem",
                "!KEY.pem",
                "!.ENV",
            ),
        )
    ),
    st.text(alphabet=".env*?/!bc[]", min_size=1, max_size=8),
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("repository").resolve()
    for name in FILES:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x\n")
    _git(folder, "init", "-q")
    return folder


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    top=st.lists(LINES, max_size=4),
    inner=st.none() | st.lists(LINES, max_size=3),
    of=st.sampled_from(("", "b", "b/c")),
    folds=st.booleans(),
)
def test_nothing_that_git_takes_up_is_left_out(
    repository: Path, top: list[str], inner: list[str] | None, of: str, *, folds: bool
) -> None:
    _git(repository, "config", "core.ignorecase", str(folds).lower())
    _write(repository / ".gitignore", top)
    _write(repository / "b" / ".gitignore", inner)
    told = taken_up(str(repository / of))
    assert told is not None
    assert _taken(repository, of) <= {str(Path(it).relative_to(repository)) for it in told}


@pytest.mark.skipif(not shutil.which("rg"), reason="ripgrep is not installed")
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    top=st.lists(LINES, max_size=4),
    inner=st.none() | st.lists(LINES, max_size=3),
    of=st.sampled_from(("", "b", "b/c", "keys")),
    more=st.none() | st.sampled_from((".ignore", "b/.rgignore", "b/.git", "b/c/.git")),
)
def test_nothing_that_ripgrep_looks_into_is_left_out(
    repository: Path, top: list[str], inner: list[str] | None, of: str, more: str | None
) -> None:
    _write(repository / ".gitignore", top)
    _write(repository / "b" / ".gitignore", inner)
    if more is not None:
        _write(repository / more, ["!*.pem", "!keys/", "!b/"])
    found = subprocess.run(
        ["rg", "--no-config", "--files", "--hidden", "-0", *([of] if of else [])],
        cwd=repository,
        check=False,
        capture_output=True,
    ).stdout
    out = {it for it in FILES if left_out(str(repository / it), str(repository / of))}
    _write(repository / (more or ".ignore"), None)
    assert out.isdisjoint(found.decode().split("\0"))


@each_row(
    ("lines", "without"),
    [
        (".env", {".env", "b/.env", "b/c/.env"}),
        ("/.env", {".env"}),
        (".env*\n!.env.example", {".env", ".env.local", "b/.env", "b/c/.env"}),
        ("keys/\nbuild", {"keys/a.pem", "build/x", "b/build/x"}),
        ("b/*\n!b/c/", {"b/.env", "b/build/x", "b/.gitignore"}),
        ("**/c/*.pem", {"b/c/a.pem"}),
    ],
)
def test_what_people_write_leaves_out_what_they_mean(
    repository: Path, lines: str, without: set[str]
) -> None:
    _write(repository / ".gitignore", lines.splitlines())
    _write(repository / "b" / ".gitignore", None)
    told = {str(Path(it).relative_to(repository)) for it in taken_up(str(repository)) or ()}
    assert told == {*FILES, ".gitignore"} - without
    assert told == _taken(repository, "")
    searched = {it for it in FILES if not left_out(str(repository / it), str(repository))}
    assert searched == {*FILES} - without


def test_all_of_the_work_tree_is_told_from_a_folder_in_it(repository: Path) -> None:
    _write(repository / ".gitignore", [])
    _write(repository / "b" / ".gitignore", None)
    told = taken_up(str(repository / "b"), all_=True)
    assert told is not None
    assert str(repository / ".env") in told


@each_row("holds", ["folder", "file", "link"])
def test_a_folder_with_something_called_dot_git_is_no_repository(
    tmp_path: Path, holds: str
) -> None:
    folder = tmp_path.resolve()
    _git(folder, "init", "-q")
    (folder / "sub").mkdir()
    (folder / "sub" / ".env").write_text("x")
    called = folder / "sub" / ".git"
    if holds == "folder":
        called.mkdir()
    elif holds == "file":
        called.write_text("hi\n")
    else:
        called.symlink_to("nowhere")
    assert str(folder / "sub" / ".env") in (taken_up(str(folder)) or ())


def test_what_git_has_already_is_not_taken_up(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    _git(folder, "init", "-q")
    (folder / "old.pem").write_text("x")
    _git(folder, "add", "old.pem")
    (folder / "new.pem").write_text("x")
    assert taken_up(str(folder)) == (str(folder / "new.pem"),)


def test_nobody_can_tell_where_the_files_of_a_repository_lie_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    _git(folder, "init", "-q")
    _git(folder, "config", "core.worktree", str(folder / "elsewhere"))
    assert taken_up(str(folder)) is None


def test_other_repositories_and_links_are_not_taken_up(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    _git(folder, "init", "-q")
    (folder / "inner").mkdir()
    _git(folder / "inner", "init", "-q")
    _git(folder / "inner", *AUTHOR, "commit", "-q", "--allow-empty", "-m", "x")
    (folder / "inner" / ".env").write_text("x")
    (folder / "led").symlink_to("/etc/passwd")
    (folder / "a").write_text("x")
    assert taken_up(str(folder)) == (str(folder / "a"),)


def test_a_list_that_is_a_link_leaves_nothing_out(tmp_path: Path) -> None:
    folder = tmp_path.resolve()
    _git(folder, "init", "-q")
    (folder / "list").write_text(".env\n")
    (folder / ".gitignore").symlink_to("list")
    (folder / ".env").write_text("x")
    assert str(folder / ".env") in (taken_up(str(folder)) or ())


def _taken(repository: Path, of: str) -> set[str]:
    """What the real git would add."""
    said = _git(repository / of, "-c", "core.quotePath=false", "add", "-n", ".", check=False)
    return {line.removeprefix("add '").removesuffix("'") for line in said.splitlines()}


def _write(list_: Path, lines: list[str] | None) -> None:
    if lines is None:
        list_.unlink(missing_ok=True)
    else:
        list_.write_text("\n".join(lines), newline="")


def _git(folder: Path, *words: str, check: bool = True) -> str:
    done = subprocess.run(
        ["git", "-c", "core.excludesFile=", *words],
        cwd=folder,
        check=check,
        capture_output=True,
        text=True,
        timeout=30,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), "LC_ALL": "C"},
    )
    return done.stdout
