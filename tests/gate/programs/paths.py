"""PATHs as people have them, in which a workspace put programs of its own, or did not."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from attrs import define

__all__ = ["DROPPED", "LAID", "READING", "Ground"]

SYSTEM: Final = "/usr/local/bin:/usr/bin:/bin"

READING: Final = {
    "ls": "ls",
    "cat": "cat a.txt",
    "git": "git status",
    "python3": "python3 --version",
    "rg": "rg words a.txt",
    "timeout": "timeout 5 ls",
    "xargs": "echo a.txt | xargs cat",
    "find": "find . -name a.txt -exec cat {} +",
    "grep": "sh -c 'grep words a.txt'",
}
"""By the program, a command that runs it and passes without a card."""


@define
class Ground:
    """A workspace, the rest of a machine, and a mark that only programs of the workspace leave."""

    root: Path
    machine: Path
    mark: Path

    @classmethod
    def at(cls, folder: Path) -> "Ground":
        """Made anew in a folder."""
        folder = folder.resolve()
        root, machine = folder / "till", folder / "machine"
        root.mkdir()
        machine.mkdir()
        (root / "a.txt").write_text("words\n")
        return cls(root=root, machine=machine, mark=folder / "mark")

    def plant(self, folder: Path, names: Sequence[str]) -> str:
        """Programs that leave the mark and then do what their names say; gives back the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            program = folder / name
            program.write_text(
                f'#!/bin/sh\n/bin/echo {name} >> {self.mark}\nexec /usr/bin/{name} "$@"\n'
            )
            program.chmod(0o755)
        return str(folder)

    @property
    def was_run(self) -> bool:
        """Whether a program of the workspace left its mark."""
        return self.mark.exists()


Lay = Callable[[Ground, Sequence[str]], str]
"""Puts programs of these names somewhere, and gives back what stands in PATH for it."""


def _venv(ground: Ground, names: Sequence[str]) -> str:
    return ground.plant(ground.root / ".venv" / "bin", names)


def _link_to_venv(ground: Ground, names: Sequence[str]) -> str:
    _venv(ground, names)
    (ground.machine / "env").symlink_to(ground.root / ".venv")
    return str(ground.machine / "env" / "bin")


def _programs_that_lead_in(ground: Ground, names: Sequence[str]) -> str:
    """A folder of the machine whose programs are links into the workspace."""
    there, here = ground.root / "tools", ground.machine / "bin"
    ground.plant(there, names)
    here.mkdir()
    for name in names:
        (here / name).symlink_to(there / name)
    return str(here)


def _programs_that_lead_through(ground: Ground, names: Sequence[str]) -> str:
    """Links to programs of the machine by way of the workspace, which may turn them."""
    there = ground.machine / "real"
    ground.plant(there, names)
    link, here = ground.root / "link", ground.machine / "bin"
    link.symlink_to(there)
    here.mkdir()
    for name in names:
        (here / name).symlink_to(link / name)
    return str(here)


def _environment_of_links(ground: Ground, names: Sequence[str]) -> str:
    """An environment in the workspace whose programs are links to the machine's."""
    there = ground.plant(ground.machine / "real", names)
    here = ground.root / ".venv" / "bin"
    here.mkdir(parents=True)
    for name in names:
        (here / name).symlink_to(f"{there}/{name}")
    return str(here)


def _packages(ground: Ground, names: Sequence[str]) -> str:
    there, here = ground.root / "node_modules" / "odd", ground.root / "node_modules" / ".bin"
    ground.plant(there, names)
    here.mkdir()
    for name in names:
        (here / name).symlink_to(f"../odd/{name}")
    return str(here)


def _open_to_all(ground: Ground, names: Sequence[str]) -> str:
    folder = ground.plant(ground.machine / "open", names)
    (ground.machine / "open").chmod(0o1777)
    return folder


def _below_open_to_all(ground: Ground, names: Sequence[str]) -> str:
    folder = ground.plant(ground.machine / "open" / "bin", names)
    (ground.machine / "open").chmod(0o777)
    return folder


def _changeable(ground: Ground, names: Sequence[str]) -> str:
    folder = ground.plant(ground.machine / "bin", names)
    for name in names:
        Path(folder, name).chmod(0o777)
    return folder


def _script_of_the_machine(ground: Ground, names: Sequence[str]) -> str:
    """Scripts of the machine that `env` gives to an interpreter, which the workspace has."""
    here = ground.machine / "bin"
    here.mkdir()
    inner = ground.plant(ground.root / "node_modules" / ".bin", ["odd-node"])
    if names:
        text = f'#!/bin/sh\n/bin/echo odd >> {ground.mark}\nexec "/usr/bin/${{1##*/}}" a.txt\n'
        Path(inner, "odd-node").write_text(text)
    for name in names:
        (here / name).write_text("#!/usr/bin/env odd-node\n")
        (here / name).chmod(0o755)
    return f"{inner}:{here}"


LAID: Final[dict[str, Lay]] = {
    "a venv": _venv,
    "a link to a venv": _link_to_venv,
    "direnv": lambda ground, names: ground.plant(ground.root / ".direnv" / "bin", names),
    "node_modules/.bin": _packages,
    "links into the workspace": _programs_that_lead_in,
    "links through the workspace": _programs_that_lead_through,
    "a venv of links": _environment_of_links,
    "a folder where anybody may write": _open_to_all,
    "a folder in one where anybody may write": _below_open_to_all,
    "programs that anybody may change": _changeable,
    "scripts for an interpreter of the workspace": _script_of_the_machine,
    "a slash more": lambda ground, names: f"{_venv(ground, names)}//",
    "dots in it": lambda ground, names: f"{_venv(ground, names)}/../bin/.",
}

DROPPED: Final[dict[str, Lay]] = {
    "relative": lambda ground, names: Path(ground.plant(ground.root / "bin", names)).name,
    "a dot": lambda ground, names: ground.plant(ground.root, names) and ".",
    "empty": lambda ground, names: ground.plant(ground.root, names) and "",
    "somebody's home": lambda ground, names: ground.plant(ground.root / "~", names) and "~",
}
"""Entries that are another folder wherever a command runs: nothing is looked for there."""
