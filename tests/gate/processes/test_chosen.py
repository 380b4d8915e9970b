"""The person chooses which shell runs commands; each reads the command and nothing else."""

import shutil
from pathlib import Path
from typing import get_args

import pytest

from assent.gate.processes.shell_environment import STARTS
from assent.gate.settings.shapes import SHELLS as SETTINGS
from assent.gate.settings.shapes import ShellName
from assent.gate.shell.dialects import OTHERS, SHELLS
from gate.processes.stand import Stand

WHO = {
    "bash": "echo ${BASH_VERSION:+bash}",
    "sh": "echo ${0##*/}",
    "zsh": "[[ -n $ZSH_VERSION ]] && echo zsh",
    "fish": "echo (string match -r '.' $FISH_VERSION >/dev/null; and echo fish)",
}
"""A command that says which shell reads it, in the language of that one alone."""

STARTS_UP = (
    ".bashrc", ".bash_profile", ".profile", ".zshenv", ".zshrc", ".zprofile",
    ".config/fish/config.fish", ".config/fish/conf.d/a.fish",
)  # fmt: skip


def there(name: str) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"there is no {name} here")


def test_whatever_can_be_chosen_can_be_started_and_is_known_as_a_shell() -> None:
    assert [*STARTS] == [*get_args(ShellName)] == [*SETTINGS] == [*WHO]
    assert {*STARTS} <= SHELLS | OTHERS


@pytest.mark.requirement("C-12")
@pytest.mark.parametrize("name", STARTS)
async def test_a_shell_reads_its_command_and_no_file_of_the_person(
    name: str, stand: Stand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there(name)
    for file in STARTS_UP:
        path = tmp_path / "home" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("echo started\n")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for variable in ("XDG_CONFIG_HOME", "ZDOTDIR", "BASH_ENV", "ENV"):
        monkeypatch.delenv(variable, raising=False)
    assert await stand.says(WHO[name], interpreter=name) == f"{name}\n"
