"""A file that a call runs is a part of what is answered: changed under a card, it does not run."""

import asyncio
import os
import subprocess
from pathlib import Path

import pytest
from attrs import evolve

from assent.gate.admit import Gate
from assent.gate.approvals.tickets import Outcome, Settlement
from assent.gate.call.calls import Call
from assent.gate.call.lifecycle import State
from assent.gate.disk import freshness
from assent.gate.disk.freshness import changed_since, with_file_digests
from assent.gate.disk.places import Places
from assent.gate.passage import Ended
from assent.gate.ruling import named_code
from assent.gate.ruling.policy import grant_for
from gate.admit.conftest import scene
from gate.admit.scene import Scene, within
from gate.programs.paths import SYSTEM, Ground
from gate.ruling.samples import running

__all__ = ["scene"]

RUNNING = {
    "by its path": "./s.sh",
    "by its whole path": "{root}/s.sh",
    "by a shell": "bash s.sh",
    "by a shell with flags": "sh -eu ./s.sh now",
    "by source": "source s.sh",
    "by a dot": ". ./s.sh",
    "as input": "bash < s.sh",
    "by a pipe": "cat s.sh | bash",
    "in a folder": "cd sub && ../s.sh",
    "by way of a folder": "cd sub && cd .. && bash s.sh",
    "among others": "true; ls && ./s.sh",
    "in a substitution": "echo $(./s.sh)",
    "in a text": "bash -c './s.sh'",
    "by a wrapper": "timeout 5 ./s.sh",
    "by env": "env A=b ./s.sh",
    "by xargs": "echo a | xargs ./s.sh",
    "by find": "find . -maxdepth 0 -exec ./s.sh {{}} \\;",
    "by a link": "./link",
    "by an interpreter": "python3 code.py",
    "by one with flags": "python3 -B -W ignore code.py a b",
    "as a flag's value": "make --file=s.mk",
    "as a flag's own word": "make -f s.mk",
    "in one of two": "for it in s.sh t.sh; do bash $it; done",
    "behind a line": "ls\n./s.sh",
    "at the end of a pipe": "ls | ./s.sh",
    "in one word with a flag": "make -fs.mk",
    "by code": "python3 -c 'exec(open(\"code.py\").read())'",
    "by a copy": "cp s.sh u.sh; ./u.sh",
    "by a link that is made": "ln -s s.sh v.sh && ./v.sh",
    "by what a pattern stands for": "bash s.s?",
    "as a text": 'bash -c "$(cat s.sh)"',
    "as what is printed": "bash <(cat s.sh)",
    "behind many words": f"make {' '.join(map(str, range(300)))}; ./s.sh",
}
"""Ways to run a file of the workspace, by what they are called."""

ELSEWHERE = {
    "with a part behind it": "pytest code.py::test_it -q",
    "with a line behind it": "pytest code.py:12",
    "behind a name in a flag": "tar --checkpoint-action=exec=./s.sh -cf a.tar a",
    "by a script of another program": "sqlite3 a.db '.read code.py'",
    "as the input of another program": "sqlite3 a.db < s.sh",
    "as what runs elsewhere": "ssh host < s.sh",
    "by a variable": "PAGER=./s.sh man ls",
    "by a variable that is handed on": "export FOO=./s.sh; make",
}
"""Ways by programs that need not be there, or run it only once they have more."""


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    made = Ground.at(tmp_path)
    (made.root / "sub").mkdir()
    for name in ("s.sh", "t.sh", "code.py", "s.mk"):
        (made.root / name).write_text("#!/bin/sh\n: is harmless\n")
        (made.root / name).chmod(0o755)
    (made.root / "link").symlink_to("s.sh")
    (made.root / "data.txt").write_text("words\n")
    return made


def places(ground: Ground) -> Places:
    return Places(roots=(str(ground.root),), home=str(ground.machine))


def gate_of(scene: Scene, ground: Ground) -> Gate:
    """The gate as the server makes it."""
    return evolve(
        scene.gate,
        facts=lambda _: places(ground),
        why_stale=lambda call: changed_since(call, places(ground)),
        with_file_digests=lambda call: with_file_digests(call, places(ground)),
    )


def call_of(ground: Ground, command: str) -> Call:
    spelled = command.format(root=ground.root)
    return evolve(running(spelled), cwd=str(ground.root))


@pytest.mark.parametrize("way", [*RUNNING, *ELSEWHERE])
@pytest.mark.parametrize("changes", [True, False], ids=["changed", "as it was"])
async def test_what_changed_under_its_card_does_not_run(
    way: str, changes: bool, scene: Scene, ground: Ground
) -> None:
    call, ran = call_of(ground, (RUNNING | ELSEWHERE)[way]), []

    async def run(one: Call, _: Settlement) -> Ended:
        ran.append(one)
        return Ended(state=State.SUCCEEDED)

    admitted = asyncio.ensure_future(gate_of(scene, ground).admit(call, run))
    card = await scene.card()
    if changes:
        for name in ("s.sh", "code.py", "s.mk"):
            (ground.root / name).write_text("#!/bin/sh\nrm -rf ~\n")
    await scene.answer(card)
    settlement = (await within(admitted)).settlement
    assert bool(ran) is not changes
    if changes:
        assert settlement.outcome is Outcome.REFUSED
        assert "has changed since this was shown." in settlement.because


@pytest.mark.parametrize(
    "command",
    ["cp data.txt other.txt", "git add data.txt", "rm data.txt", "echo words > data.txt"],
)
def test_what_is_only_data_binds_nothing(command: str, ground: Ground) -> None:
    assert with_file_digests(call_of(ground, command), places(ground)).code == ()


def test_a_program_that_path_finds_in_the_workspace_is_bound(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ground.plant(ground.root / ".venv" / "bin", ["pytest"])
    monkeypatch.setenv("PATH", f"{folder}:{SYSTEM}")
    call = with_file_digests(call_of(ground, "pytest -q"), places(ground))
    assert [it.shown for it in call.code] == [".venv/bin/pytest"]
    (ground.root / ".venv" / "bin" / "pytest").write_text("#!/bin/sh\nrm -rf ~\n")
    assert changed_since(call, places(ground)) == (
        ".venv/bin/pytest has changed since this was shown."
    )


def test_a_script_that_was_not_there_and_is_made_under_the_card_is_told(ground: Ground) -> None:
    call = with_file_digests(call_of(ground, "./new.sh"), places(ground))
    assert changed_since(call, places(ground)) is None
    (ground.root / "new.sh").write_text("rm -rf ~\n")
    assert changed_since(call, places(ground)) == "new.sh has changed since this was shown."


def test_a_link_that_is_turned_under_the_card_is_told(ground: Ground) -> None:
    call = with_file_digests(call_of(ground, "./link"), places(ground))
    (ground.root / "t.sh").write_text("rm -rf ~\n")
    (ground.root / "link").unlink()
    (ground.root / "link").symlink_to("t.sh")
    assert "has changed" in (changed_since(call, places(ground)) or "")


def test_a_long_file_and_a_pipe_hold_up_nobody_and_are_told_apart(ground: Ground) -> None:
    long = ground.root / "s.sh"
    with long.open("wb") as file:
        file.truncate(64 * 1024 * 1024)
    os.mkfifo(ground.root / "pipe")
    call = with_file_digests(call_of(ground, "bash s.sh pipe"), places(ground))
    assert changed_since(call, places(ground)) is None
    with long.open("r+b") as file:
        file.write(b"rm -rf ~")
    assert changed_since(call, places(ground)) == "s.sh has changed since this was shown."


def test_a_script_that_was_saved_again_as_it_was_has_not_changed(ground: Ground) -> None:
    script = ground.root / "s.sh"
    call = with_file_digests(call_of(ground, "bash s.sh"), places(ground))
    text = script.read_bytes()
    script.unlink()
    script.write_bytes(text)
    assert changed_since(call, places(ground)) is None


@pytest.mark.parametrize(
    "command", ["bash round", "bash $'two\\nlines'", "./round", "bash sub/round/s.sh"]
)
def test_what_leads_nowhere_until_the_card_is_there_is_told(ground: Ground, command: str) -> None:
    (ground.root / "sub").mkdir(exist_ok=True)
    rounds = [ground.root / "round", ground.root / "sub" / "round"]
    for link in rounds:
        link.symlink_to(link.name)
    call = with_file_digests(call_of(ground, command), places(ground))
    assert changed_since(call, places(ground)) is None
    for link in rounds:
        link.unlink()
    (rounds[1]).mkdir()
    for made in (rounds[0], ground.root / "two\nlines", rounds[1] / "s.sh"):
        made.write_text("rm -rf ~\n")
    assert "has changed since this was shown." in (changed_since(call, places(ground)) or "")


def test_a_file_that_is_another_one_for_each_program_is_told_to_be_unknown(ground: Ground) -> None:
    for command in ("bash /proc/self/cwd/s.sh", f"bash {'../' * 20}proc/self/cwd/s.sh"):
        assert (
            "could not be told"
            in with_file_digests(call_of(ground, command), places(ground)).caution
        )


def test_only_what_is_not_there_counts_as_nothing(ground: Ground) -> None:
    (ground.root / "round").symlink_to("round")
    call = with_file_digests(
        call_of(ground, "bash new.sh; bash data.txt/new.sh; bash round"), places(ground)
    )
    assert [it.content is None for it in call.code] == [True, True, False]


def test_looking_at_files_leaves_none_of_them_open(ground: Ground) -> None:
    call = with_file_digests(call_of(ground, "bash s.sh; bash sub; bash new.sh"), places(ground))
    with open(os.devnull, "rb") as before:  # noqa: PTH123 -- for its number
        lowest = before.fileno()
    assert changed_since(call, places(ground)) is None
    with open(os.devnull, "rb") as after:  # noqa: PTH123
        assert after.fileno() == lowest


def test_the_content_is_a_part_of_the_digest_and_of_no_rule_or_grant(ground: Ground) -> None:
    call = call_of(ground, "./s.sh")
    one = with_file_digests(call, places(ground))
    (ground.root / "s.sh").write_text("echo others\n")
    two = with_file_digests(call, places(ground))
    assert one.digest != two.digest
    assert one.likeness == two.likeness == call.likeness
    assert grant_for(one).covers(two)


def test_what_cannot_be_told_is_shown_to_a_person(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(named_code, "files_run", broken)
    assert with_file_digests(call_of(ground, "ls"), places(ground)).caution == (
        "Which files it runs could not be told."
    )


def test_other_tools_run_no_files(ground: Ground) -> None:
    call = evolve(call_of(ground, "./s.sh"), tool="fetch")
    assert freshness.with_file_digests(call, places(ground)) is call


def test_the_scripts_of_these_tests_are_really_run(ground: Ground) -> None:
    """That each way runs a file is no claim: bash is asked, with a script that leaves a mark."""
    for name in ("s.sh", "t.sh"):
        (ground.root / name).write_text(f"#!/bin/sh\necho {name} >> {ground.mark}\n")
    (ground.root / "code.py").write_text(f"open({str(ground.mark)!r}, 'w').write('code')\n")
    (ground.root / "s.mk").write_text(f"all:\n\techo make >> {ground.mark}\n")
    for command in RUNNING.values():
        ground.mark.unlink(missing_ok=True)
        subprocess.run(
            ["/bin/bash", "-c", command.format(root=ground.root)],
            cwd=ground.root,
            check=False,
            capture_output=True,
        )
        assert ground.was_run, command
