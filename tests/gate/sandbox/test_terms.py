"""Whether a person is asked about what a command changed that ran on a copy unasked."""

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from assent.gate.sandbox.changes import Change, Kind, Stamp
from assent.gate.sandbox.sorting import Sorted
from assent.gate.sandbox.terms import Terms, terms_of_unasked
from tables import each_row

FILE = Stamp(0o100644, 1, 1, 1, 1)
SCRIPT = Stamp(0o100755, 1, 1, 1, 1)
FOLDER = Stamp(0o040755, 1, 1, 1, 1)
LINK = Stamp(0o120777, 1, 1, 1, 1)
KEPT = "kept"
"""What git has, by the last part of its name."""


def terms(*changes: Change, workspace: str = "/w", protected: Sequence[Change] = ()) -> Terms:
    by_weight = Sorted(plain=changes, protected=tuple(protected))
    return terms_of_unasked(changes, by_weight, workspace, lambda path: path.endswith(KEPT))


def made(path: str, mode: int = 0o644, before: Stamp | None = None) -> Change:
    return Change(kind=Kind.MADE, path=path, mode=mode, before=before)


def changed(path: str, mode: int = 0o644, before: Stamp = FILE, size: int = 1) -> Change:
    return Change(kind=Kind.CHANGED, path=path, mode=mode, before=before, size=size)


def deleted(path: str, before: Stamp = FILE) -> Change:
    return Change(kind=Kind.DELETED, path=path, before=before)


@each_row(
    "change",
    [
        made("a"),
        made(".venv/lib/x.py"),
        changed("a"),
        changed(KEPT, size=0),
        changed("run.sh", 0o755, SCRIPT),
        changed("run.sh", 0o644, SCRIPT),
        deleted(KEPT),
        Change(kind=Kind.FOLDER, path="d", mode=0o755),
    ],
)
def test_a_plain_write_is_left_to_the_mode(change: Change) -> None:
    assert terms(change) == Terms()


@each_row(
    ("change", "because"),
    [
        (made("t", 0o755), "It makes links or programs: t."),
        (changed("t", 0o755), "It makes links or programs: t."),
        (made("t", 0o755, LINK), "It makes links or programs: t."),
        (made(".pytest_cache/t", 0o755, LINK), "It makes links or programs: .pytest_cache/t."),
        (
            Change(kind=Kind.MODE, path="t", mode=0o755, before=FILE),
            "It makes links or programs: t.",
        ),
        (Change(kind=Kind.LINK, path="l", target=KEPT), "It makes links or programs: l."),
        (
            Change(kind=Kind.LINK, path="l", target="a", before=FILE),
            "It makes links or programs: l.",
        ),
        (Change(kind=Kind.FOLDER, path="d", mode=0o2755), "It makes links or programs: d."),
        (deleted("gone"), "It deletes what git does not have: gone."),
    ],
)
def test_what_no_tool_could_have_written_is_asked_about(change: Change, because: str) -> None:
    assert terms(made("a"), change) == Terms(caution=because)


def test_a_file_that_is_emptied_is_as_one_that_is_deleted(tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    said = terms(changed("mine", size=0), workspace=str(tmp_path))
    assert said.caution == "It deletes what git does not have: mine."


def test_what_every_mode_asks_about_is_said_first() -> None:
    hook = made(".git/hooks/x", 0o755)
    because = "Changes to .git/hooks/x are asked about in every mode, or by a rule of yours."
    assert terms(hook, protected=[hook]) == Terms(caution=because)


def test_more_than_five_hundred_files_are_asked_about() -> None:
    assert terms(*(made(f"f{at}") for at in range(500))) == Terms()
    assert terms(*(made(f"f{at}") for at in range(501))).caution == "It changes 501 files."


def test_a_folder_is_kept_where_git_has_all_that_lies_in_it(tmp_path: Path) -> None:
    (tmp_path / "d/deep").mkdir(parents=True)
    (tmp_path / "d/deep/kept").touch()
    gone = deleted("d", FOLDER)
    assert terms(gone, workspace=str(tmp_path)) == Terms()
    (tmp_path / "d/link").symlink_to(tmp_path)
    lost = "It deletes what git does not have: d."
    assert terms(gone, workspace=str(tmp_path)).caution == lost
    (tmp_path / "d/link").unlink()
    (tmp_path / "d/more").touch()
    assert terms(gone, workspace=str(tmp_path)).caution == lost


def test_a_folder_that_is_called_as_a_file_of_a_tool_is_no_cache(tmp_path: Path) -> None:
    (tmp_path / ".coverage").mkdir()
    (tmp_path / ".coverage/mine").touch()
    gone = terms(deleted(".coverage", FOLDER), workspace=str(tmp_path))
    assert gone.caution == "It deletes what git does not have: .coverage."
    assert terms(Change(kind=Kind.FOLDER, path=".coverage", mode=0o755)) == Terms()


CACHED = [".pytest_cache/v/x", "a/.mypy_cache/3.11/x.json", ".ruff_cache/1", ".coverage"]
_AGREED = "It changed nothing but what tools keep to be faster."


@given(paths=st.lists(st.sampled_from(CACHED), min_size=1, unique=True), more=st.booleans())
def test_only_what_lies_in_caches_alone_passes_in_every_mode(
    paths: list[str], *, more: bool
) -> None:
    changes = [made(path) for path in paths]
    assert terms(*changes) == Terms(agreed=_AGREED)
    assert terms(*changes, deleted(CACHED[0])) == Terms(agreed=_AGREED)
    other = made("__pycache__/x.pyc") if more else made(f"{CACHED[0]}-2", 0o755)
    assert terms(*changes, other).agreed == ""
