"""A trial leaves the workspace alone; applied, it leaves what a plain run would have left."""

import asyncio
import gc
import os
import resource
import shutil
import stat
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from assent.gate.sandbox import apply as applying
from assent.gate.sandbox import trials
from assent.gate.sandbox.apply import ChangedMeanwhile, apply, changed_since, stale, undo
from assent.gate.sandbox.changes import Change, Kind, digest_of
from assent.gate.sandbox.trials import Applied
from gate.sandbox.conftest import Ground

LATER = 1 << 62
"""A beginning after every change, so that only what was compared counts."""
PATHS = "f a/f a/b/f c/g c/h a a/b c l n n/m a/x c/y/z k k/g".split()
COPY = 'copy() { [[ $(realpath -m "$2")/ == $(realpath -m "$1")/* ]] || cp -r "$1" "$2"; }'
"""Copies, but no folder into itself: what that leaves hangs on the order in which it is read."""
SMALL = "echo new > made; echo more >> src/a.txt; rm src/b.txt; mkdir d; echo x > d/in; ln -s d s"


def tree(folder: Path) -> dict[str, tuple[int, object]]:
    """All that lies in a folder, with rights and content."""
    found: dict[str, tuple[int, object]] = {}
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        content: object = None
        if path.is_symlink():
            content = path.readlink()
        elif stat.S_ISREG(facts.st_mode):
            content = path.read_bytes()
        found[str(path.relative_to(folder))] = (facts.st_mode, content)
    return found


def plant(folder: Path) -> None:
    """A few files in a few folders, and links to a file and to a folder."""
    for path in ("a/b", "c"):
        (folder / path).mkdir(parents=True)
    for path in ("f", "a/f", "a/b/f", "c/g", "c/h"):
        (folder / path).write_text(path, "ascii")
    (folder / "l").symlink_to("f")
    (folder / "k").symlink_to("c")


def any_program(random: Random) -> str:
    """A script of up to 13 steps that change files."""
    steps = []
    for _ in range(random.randint(1, 13)):
        one, other = random.choice(PATHS), random.choice(PATHS)
        steps.append(
            random.choice(
                [
                    f"echo {random.random()} > {one}",
                    f"echo x >> {one}",
                    f"rm -rf {one}",
                    f"mkdir -p {one}",
                    f"mv {one} {other}",
                    f"copy {one} {other}",
                    f"ln -s {other} {one}",
                    # By the other name of an older file the kernel may tell an old size.
                    f"cp {one} {other}-new && ln {other}-new {other}",
                    f"chmod {random.choice(['755', '700', '711', '750'])} {one}",
                    f"rm -rf {one}; mkdir -p {one}; echo n > {one}/new",
                    f"touch {one}",
                ]
            )
        )
    return "\n".join([COPY, *steps, "exit 0"])


def changed(ground: Ground, script: str) -> tuple[str, list[Change]]:
    """Run a script as a trial: the layer and what it changed."""
    ground.run("/bin/bash", "-c", script)
    assert ground.layer is not None
    return ground.layer.upper, ground.changes()


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(60, 500), marks=pytest.mark.long)], ids=["60", "500"]
)
def test_random_programs_leave_what_a_plain_run_leaves_and_are_undone(
    ground: Ground, seeds: range
) -> None:
    shutil.rmtree(ground.workspace)
    for seed in seeds:
        script = any_program(Random(seed))  # noqa: S311 -- a seed must give the same again
        plain, beside = ground.top / f"plain-{seed}", ground.top / f"beside-{seed}"
        for folder in (ground.workspace, plain):
            folder.mkdir()
            plant(folder)
        subprocess.run(["bash", "-c", script], cwd=plain, capture_output=True, check=False)
        before = tree(ground.workspace)
        upper, changes = changed(ground, script)
        assert tree(ground.workspace) == before, script
        apply(str(ground.workspace), upper, changes, str(beside), LATER)
        assert tree(ground.workspace) == tree(plain), script
        assert changed_since(str(beside)) == [], script
        undo(str(beside))
        assert tree(ground.workspace) == before, script
        shutil.rmtree(ground.workspace)


def test_a_folder_that_replaces_a_link_to_a_folder_has_all_its_files(ground: Ground) -> None:
    for folder in ("release1", "vendor"):
        (ground.workspace / folder / "b").mkdir(parents=True)
        (ground.workspace / folder / "b/a.txt").write_text(folder, "ascii")
    (ground.workspace / "current").symlink_to("release1")
    script = "rm current; mv release1 current; cp -rL vendor v2; rm -r vendor; mv v2 vendor"
    upper, changes = changed(ground, script)
    before, beside = tree(ground.workspace), str(ground.top / "beside")
    apply(str(ground.workspace), upper, changes, beside, LATER)
    assert (ground.workspace / "current/b/a.txt").read_text("ascii") == "release1"
    assert (ground.workspace / "vendor/b/a.txt").read_text("ascii") == "vendor"
    assert not (ground.workspace / "release1").exists()
    assert changed_since(beside) == []
    undo(beside)
    assert tree(ground.workspace) == before


def test_what_came_into_a_new_folder_since_is_told_before_anything_is_undone(
    ground: Ground,
) -> None:
    upper, changes = changed(ground, "mkdir n; echo n > n/n; echo two > src/a.txt")
    beside = str(ground.top / "beside")
    apply(str(ground.workspace), upper, changes, beside, LATER)
    assert changed_since(beside) == []
    (ground.workspace / "n/mine.txt").write_text("mine", "ascii")
    assert changed_since(beside) == ["n/mine.txt"]


@pytest.mark.parametrize("crashes", [False, True], ids=["fails", "crashes"])
def test_what_breaks_off_at_any_step_is_put_back(
    ground: Ground, monkeypatch: pytest.MonkeyPatch, crashes: bool
) -> None:
    (ground.workspace / "src/b.txt").write_text("b\n", "ascii")
    before = tree(ground.workspace)
    taken = applying._take
    for step in range(6):
        upper, changes = changed(ground, SMALL)
        assert len(changes) == 6
        beside, seen = str(ground.top / f"beside-{step}"), iter(range(100))

        def take(*given: object, last: int = step, seen: object = seen) -> None:
            taken(*given)  # type: ignore[arg-type]
            if next(seen) == last:  # type: ignore[call-overload]
                if crashes:
                    os._exit(9)
                raise OSError("the disk is full")

        with monkeypatch.context() as patched:
            patched.setattr(applying, "_take", take)
            if crashes:
                child = os.fork()
                if child == 0:
                    apply(str(ground.workspace), upper, changes, beside, LATER)
                    os._exit(0)
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
                undo(beside)
            else:
                with pytest.raises(OSError, match="full"):
                    apply(str(ground.workspace), upper, changes, beside, LATER)
        assert tree(ground.workspace) == before, step


def test_a_file_that_somebody_changed_meanwhile_is_named_and_nothing_is_applied(
    ground: Ground,
) -> None:
    upper, changes = changed(ground, "echo x >> src/a.txt; echo y > made")
    (ground.workspace / "made").write_text("a person's\n", "ascii")
    before = tree(ground.workspace)
    with pytest.raises(ChangedMeanwhile, match="made"):
        apply(str(ground.workspace), upper, changes, str(ground.top / "beside"), LATER)
    (ground.workspace / "made").unlink()
    (ground.workspace / "src/a.txt").write_text("a person's\n", "ascii")
    assert stale(str(ground.workspace), changes, LATER) == ["src/a.txt"]
    before = tree(ground.workspace)
    with pytest.raises(ChangedMeanwhile, match=r"src/a\.txt"):
        apply(str(ground.workspace), upper, changes, str(ground.top / "beside"), LATER)
    assert tree(ground.workspace) == before


def test_what_changed_after_the_command_began_is_stale_though_it_was_compared(
    ground: Ground,
) -> None:
    began = time.time_ns()
    (ground.workspace / "src/a.txt").write_text("a person's\n", "ascii")
    _, changes = changed(ground, "echo x >> src/a.txt")
    assert stale(str(ground.workspace), changes, began - 10**9) == ["src/a.txt"]


def test_a_folder_in_whose_place_something_else_is_put_is_told_as_deleted(ground: Ground) -> None:
    before = tree(ground.workspace)
    for script in ("rm -r src; echo n > src", "rm -r src; ln -s made src; echo n > made"):
        upper, changes = changed(ground, script)
        assert (changes[0].kind, changes[0].path) == (Kind.DELETED, "src")
        beside = str(ground.top / f"beside-{ground.layers}")
        apply(str(ground.workspace), upper, changes, beside, LATER)
        assert (ground.workspace / "src").read_text("ascii") == "n\n"
        undo(beside)
        assert tree(ground.workspace) == before


def test_many_folders_are_applied_where_few_files_may_be_open(ground: Ground) -> None:
    script = "for n in $(seq 400); do mkdir -p n/$n; echo $n > n/$n/f; done"
    upper, changes = changed(ground, script)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (300, limits[1]))
    try:
        apply(str(ground.workspace), upper, changes, str(ground.top / "beside"), LATER)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert (ground.workspace / "n/400/f").read_text("ascii") == "400\n"


GONE = (
    "rm -r src",
    "mv src other",
    "rm -r src; mkdir src; echo n > src/n",
    "rm -r src; echo n > src",
)
"""After each of these the folder `src` is gone, or another."""


def test_work_that_somebody_does_in_a_folder_that_is_to_go_keeps_it(ground: Ground) -> None:
    for script in GONE:
        for name in ("src/a.txt", "src/new.txt"):
            upper, changes = changed(ground, script)
            began = time.time_ns()
            (ground.workspace / name).write_text(f"{script} {name}", "ascii")
            beside = str(ground.top / f"beside-{ground.layers}")
            # A new folder of the same name may take in what is new.
            with suppress(ChangedMeanwhile):
                apply(str(ground.workspace), upper, changes, beside, began - 10**7)
            assert (ground.workspace / name).read_text() == f"{script} {name}"
            (ground.workspace / "src/new.txt").unlink(missing_ok=True)


def test_what_somebody_removed_or_moved_while_the_command_ran_does_not_come_back(
    ground: Ground,
) -> None:
    for script in ("echo x >> src/a.txt", "chmod 600 src/a.txt", "echo x >> src/a.txt; > new"):
        began = time.time_ns() - 10**9
        upper, _ = changed(ground, script)
        (ground.workspace / "src/a.txt").rename(ground.workspace / "src/moved.txt")
        changes = ground.changes()
        with pytest.raises(ChangedMeanwhile, match=r"src/a\.txt"):
            apply(
                str(ground.workspace),
                upper,
                changes,
                str(ground.top / f"beside-{ground.layers}"),
                began,
            )
        assert not (ground.workspace / "src/a.txt").exists()
        assert not (ground.workspace / "new").exists()
        (ground.workspace / "src/moved.txt").rename(ground.workspace / "src/a.txt")


def test_what_is_saved_while_changes_are_applied_is_kept(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    upper, changes = changed(ground, "echo x >> src/a.txt; echo n > new")
    moved = applying._move_away

    def saving(folder: int, name: str, kept: str) -> None:
        if name == "a.txt":
            (ground.workspace / "src/a.txt").write_text("a person's own\n", "ascii")
        moved(folder, name, kept)

    monkeypatch.setattr(applying, "_move_away", saving)
    with pytest.raises(ChangedMeanwhile, match=r"src/a\.txt"):
        apply(str(ground.workspace), upper, changes, str(ground.top / "beside"), LATER)
    assert (ground.workspace / "src/a.txt").read_text() == "a person's own\n"
    assert not (ground.workspace / "new").exists()


def test_a_folder_that_became_a_link_is_not_followed(ground: Ground) -> None:
    upper, changes = changed(ground, "echo x > src/new")
    shutil.move(ground.workspace / "src", ground.top / "moved")
    (ground.workspace / "src").symlink_to(ground.top / "outside")
    with pytest.raises((OSError, ChangedMeanwhile)):
        apply(str(ground.workspace), upper, changes, str(ground.top / "beside"), LATER)
    assert not (ground.top / "outside/new").exists()


def test_pipes_sockets_and_devices_are_told_and_never_made(ground: Ground) -> None:
    upper, changes = changed(ground, "mkfifo p; echo y > f; nc -lU s 2>/dev/null & sleep 0")
    assert Kind.SPECIAL in {change.kind for change in changes}
    apply(str(ground.workspace), upper, changes, str(ground.top / "beside"), LATER)
    assert (ground.workspace / "f").exists()
    assert not (ground.workspace / "p").exists()


def test_what_is_written_as_it_was_is_no_change(ground: Ground) -> None:
    _, changes = changed(ground, "touch src/a.txt; cat src/a.txt > t; cp t src/a.txt; rm t")
    assert changes == []


def applied(ground: Ground, name: str) -> Applied:
    """A trial that was made real, with a folder for what it replaced."""
    upper, changes = changed(ground, SMALL)
    kept = ground.top / name
    apply(str(ground.workspace), upper, changes, str(kept), LATER)
    return Applied(str(kept))


def test_what_was_applied_is_undone_later_and_then_forgotten(ground: Ground) -> None:
    (ground.workspace / "src/b.txt").write_text("b\n", "ascii")
    before = tree(ground.workspace)
    kept = applied(ground, "trial-a")
    assert tree(ground.workspace) != before
    assert kept.changed_since() == []
    assert len([*ground.top.glob("undo-*")]) == 1
    assert kept.undo() == []
    assert tree(ground.workspace) == before
    assert [*ground.top.glob("undo-*")] == []


def test_what_was_changed_since_is_named_before_an_undo(ground: Ground) -> None:
    (ground.workspace / "src/b.txt").write_text("b\n", "ascii")
    kept = applied(ground, "trial-a")
    (ground.workspace / "made").write_text("mine\n", "ascii")
    (ground.workspace / "src/b.txt").write_text("mine\n", "ascii")
    assert sorted(kept.changed_since()) == ["made", "src/b.txt"]


def test_what_nobody_can_undo_any_more_is_removed(ground: Ground) -> None:
    (ground.workspace / "src/b.txt").write_text("b\n", "ascii")
    kept = applied(ground, "trial-a")
    after = tree(ground.workspace)
    del kept
    gc.collect()
    assert [*ground.top.glob("undo-*")] == []
    assert tree(ground.workspace) == after


async def test_a_loop_goes_on_while_that_is_removed(ground: Ground) -> None:
    (ground.workspace / "src/b.txt").write_text("b\n", "ascii")
    kept = await asyncio.to_thread(applied, ground, "trial-a")
    pool = ThreadPoolExecutor(1)
    asyncio.get_running_loop().set_default_executor(pool)
    may_go = threading.Event()
    pool.submit(may_go.wait)
    del kept
    gc.collect()
    assert len([*ground.top.glob("undo-*")]) == 1
    may_go.set()
    await asyncio.get_running_loop().shutdown_default_executor()
    assert [*ground.top.glob("undo-*")] == []


def test_an_undo_that_was_cut_short_is_finished_by_the_next_trial(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ground.workspace / "src/b.txt").write_text("b\n", "ascii")
    before = tree(ground.workspace)
    kept = applied(ground, "trial-a")
    put_back = applying._put_back
    left = iter(range(2))

    def breaks_off(*given: Any) -> bool:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return put_back(*given)

    monkeypatch.setattr(applying, "_put_back", breaks_off)
    with pytest.raises(KeyboardInterrupt):
        kept.undo()
    monkeypatch.undo()
    assert tree(ground.workspace) != before
    (folder,) = ground.top.glob("undo-*")
    # A process of that number runs no more.
    folder.rename(folder.with_name(f"undo-{1 << 30}-trial-a"))
    trials._clean_up(str(ground.top), [str(ground.top)], "trial-a")
    assert tree(ground.workspace) == before
    assert [*ground.top.glob("undo-*")] == []


def test_a_digest_is_another_for_each_thing_that_would_be_another(ground: Ground) -> None:
    upper, changes = changed(ground, SMALL)
    before = digest_of(upper, changes)
    assert digest_of(upper, changes) == before
    made = Path(upper, "made")
    for change in (
        lambda: made.write_text("other", "ascii"),
        lambda: made.chmod(0o755),
        lambda: Path(upper, "d/in").write_text("other", "ascii"),
        lambda: (Path(upper, "s").unlink(), Path(upper, "s").symlink_to("elsewhere")),
    ):
        change()
        after = digest_of(upper, changes)
        assert after != before
        before = after
    assert digest_of(upper, changes[1:]) != before
