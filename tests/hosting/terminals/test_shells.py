"""What stands in an agent's settings, run by real shells: nothing but an answer lets a call run.

The hook itself is played, so that what is tried is all that lies before it.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import frozen

from assent.hosting.terminals.launcher import launcher, line_of, write_launcher
from assent.hosting.terminals.terminals import TERMINALS
from hosting.terminals.terminal import started

ANSWER = "an answer"
CALL = b'{"tool_input": {"command": "$(touch evil)"}}'
SHELLS = [path for name in ("sh", "bash", "dash", "zsh") if (path := shutil.which(name))]
IN_BASH = {"copilot", "gemini", "qwen"}
"""The agents that start a hook by bash; others do it without a shell, or by the person's own."""


@frozen(kw_only=True)
class Ended:
    """How a hook ended, as its agent sees it."""

    agent: str
    shell: str
    code: int
    printed: str
    error: str

    @property
    def refuses(self) -> bool:
        """Whether each agent of its kind takes this for a refusal, and says why."""
        terminal = TERMINALS[self.agent]
        if self.shell == "none":
            # Claude Code was told that a failure blocks; opencode's plugin is our own.
            return self.code != 0
        told = self.error.strip()
        # A shell says itself that what it ran was killed.
        said = told.endswith(terminal.refusal) if terminal.refusal else bool(told)
        return self.code == 2 and said


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where agents work: its name is as odd as one may be."""
    made = tmp_path / "of\nsome $(touch evil) 'body"
    made.mkdir()
    return made


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state folder whose name has all in it that a shell could stumble over."""
    made = tmp_path / "o'brien and \"co"
    write_launcher(made)
    play(made, f"print({ANSWER!r}, end='')")
    return made


def play(state: Path, program: str) -> None:
    """Have this be the hook."""
    launcher(state).with_name("hook.py").write_text(program, "utf-8")


def relaunch(state: Path, old: str, new: str) -> None:
    """Change a word of the launcher."""
    text = launcher(state).read_text("utf-8")
    assert old in text
    launcher(state).write_text(text.replace(old, new), "utf-8")


def endings(state: Path, folder: Path, **variables: str) -> Iterator[Ended]:
    """How the hook of each agent ends in each shell, with these variables."""
    for agent in TERMINALS:
        for shell in filter(None, [shutil.which("bash")]) if agent in IN_BASH else SHELLS:
            words, env = started(agent, line_of(agent, state), (shell, "-c"))
            is_alone = words[0] != shell
            done = subprocess.run(
                words,
                cwd=folder,
                env={"PATH": os.environ["PATH"], **variables, **env},
                input=CALL,
                capture_output=True,
                check=False,
                timeout=60,
            )
            yield Ended(
                agent=agent,
                shell="none" if is_alone else shell,
                code=done.returncode,
                printed=done.stdout.decode(),
                error=done.stderr.decode(),
            )
            if is_alone:
                break


def test_an_answer_is_printed_as_it_is(state: Path, folder: Path) -> None:
    for ended in endings(state, folder):
        assert (ended.code, ended.printed, ended.error) == (0, ANSWER, ""), ended


def _unlink(path: Path) -> None:
    path.unlink()


def _hang(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


SILENT: dict[str, Callable[[Path], object]] = {
    "the hook fails": lambda it: play(it, "raise SystemExit(1)"),
    "the hook refuses without a word": lambda it: play(it, "raise SystemExit(2)"),
    "the hook is killed": lambda it: play(it, "import os; os.kill(os.getpid(), 9)"),
    "the hook is damaged": lambda it: play(it, "def"),
    "the hook is gone": lambda it: _unlink(launcher(it).with_name("hook.py")),
    "its Python is gone": lambda it: relaunch(it, "py=", "py=/nowhere"),
    "the launcher is empty": lambda it: launcher(it).write_text("", "utf-8"),
    "the launcher is damaged": lambda it: launcher(it).write_text("if", "utf-8"),
    "the launcher is killed": lambda it: launcher(it).write_text("kill -9 $$", "utf-8"),
    "the launcher leads nowhere": lambda it: _hang(launcher(it)),
    "the launcher is a folder": lambda it: _folder(launcher(it)),
}
"""What can become of it, each without an answer."""


def test_no_answer_refuses_in_each_shell_and_of_each_agent(state: Path, folder: Path) -> None:
    for name, harm in SILENT.items():
        shutil.rmtree(state)
        write_launcher(state)
        harm(state)
        for ended in endings(state, folder):
            assert ended.refuses, (name, ended)


def test_a_launcher_that_was_cut_off_lets_nothing_run_without_an_answer(
    state: Path, folder: Path
) -> None:
    whole = launcher(state).read_bytes()
    for left in range(0, len(whole), 29):
        launcher(state).write_bytes(whole[:left])
        words = line_of("codex", state).spawned
        done = subprocess.run(words, cwd=folder, input=CALL, capture_output=True, check=False)
        assert done.returncode != 0 or done.stdout == ANSWER.encode(), (left, done)


def test_a_package_that_is_gone_makes_each_stand_aside_with_a_sentence(
    state: Path, folder: Path
) -> None:
    for harm in (lambda: relaunch(state, "own=", "own=/nowhere"), lambda: shutil.rmtree(state)):
        harm()
        for ended in endings(state, folder):
            assert (ended.code, ended.printed) == (0, ""), ended
            assert "Assent is not installed" in ended.error, ended


NAMES = (
    ". : [ alias builtin cat cd command dash echo env eval exec exit export printf python python3"
    " read return set sh source tail test touch trap true unset"
).split()
"""What a shell could be led to run instead of what is meant."""
OF_THE_SHELL: dict[str, dict[str, str]] = {
    "no command runs": {"SHELLOPTS": "noexec"},
    "each command is shown": {"SHELLOPTS": "xtrace:verbose", "PS4": "$(touch EVIL)"},
    "what is read first": {"BASH_ENV": "EVIL.sh", "ENV": "EVIL.sh", "ZDOTDIR": "FOLDER"},
    "its options": {"BASHOPTS": "expand_aliases:extdebug:sourcepath", "POSIXLY_CORRECT": "1"},
}
"""What a shell obeys before it reads a word; nothing of it counts where an agent lets us say so."""
BY_THEIR_SHELL = {"codex", "cursor"}
"""The agents of which a hook has neither words nor variables of its own."""
HOSTILE: dict[str, dict[str, str]] = {
    "programs of its own": {"PATH": "FOLDER"},
    "programs of the folder": {"PATH": ".:"},
    "functions": {f"BASH_FUNC_{name}%%": "() { /bin/touch EVIL; exit 0; }" for name in NAMES},
    "functions as they were": {f"BASH_FUNC_{it}()": "() { touch EVIL; exit 0; }" for it in NAMES},
    "how words are parted": {"IFS": "/abcdefghijklmnopqrstuvwxyz -"},
    "where names lead": {"CDPATH": "/", "GLOBIGNORE": "*"},
    "our own variables": dict.fromkeys(("f", "py", "at", "own", "packages", "s", "0", "1"), "EVIL"),
    "modules": {"PYTHONPATH": "FOLDER", "PYTHONSTARTUP": "FOLDER/json.py"},
    "another Python": {
        "PYTHONHOME": "FOLDER",
        "PYTHONINSPECT": "1",
        "PYTHONPLATLIBDIR": "evil",
        "PYTHONUSERBASE": "FOLDER",
        "PYTHONEXECUTABLE": "FOLDER/python3",
    },
    "another folder of ours": {"ASSENT_STATE_DIR": "FOLDER", "XDG_STATE_HOME": "FOLDER"},
    **OF_THE_SHELL,
}
"""What a repository may have set, where it is run by EVIL in a FOLDER of its own."""


def test_what_a_repository_sets_changes_nothing_that_runs(
    state: Path, folder: Path, tmp_path: Path
) -> None:
    evil = tmp_path / "evil"
    for name in {*NAMES, "sh", "bash"} - {".", ":"}:
        (folder / name).write_text(f"#!/bin/sh\n/bin/touch {evil}\nexit 0\n", "utf-8")
        (folder / name).chmod(0o755)
    for name in ("json", "os", "gate_hook", "importlib", "sitecustomize", "hook"):
        (folder / f"{name}.py").write_text(f"open({str(evil)!r}, 'w')\nraise SystemExit(0)\n")
    for name in ("EVIL.sh", ".zshenv", ".profile"):
        (folder / name).write_text(f"/bin/touch {evil}\nexit 0\n", "utf-8")
    play(state, f"import json, importlib\nprint({ANSWER!r}, end='')")
    for name, variables in HOSTILE.items():
        env = {
            key: value.replace("FOLDER", str(folder)).replace(" EVIL", f" {evil}")
            for key, value in variables.items()
        }
        for ended in endings(state, folder, **env):
            if name in OF_THE_SHELL and ended.agent in BY_THEIR_SHELL:
                evil.unlink(missing_ok=True)
                continue
            assert (ended.code, ended.printed) == (0, ANSWER), (name, ended)
            assert not evil.exists(), (name, ended)
