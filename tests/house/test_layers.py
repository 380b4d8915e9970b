"""Who may import whom: the contracts of `pyproject.toml`, each of them kept."""

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from house.sources import CONTRACTS, ROOT, layers, rooms_below
from tables import each_row

PACKAGE = ROOT / "server" / "assent"


def linted(root: Path) -> str:
    """What import-linter says of the package below this folder."""
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"],
        cwd=root,
        # It imports what it looks at from there, and not from where it is installed.
        env={**os.environ, "PYTHONPATH": str(root / "server"), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def report() -> str:
    return linted(ROOT)


LAYERED: Final = [it for each in CONTRACTS for it in each.get("containers", ())]
"""The packages whose folders lie in layers."""


def rooms(package: str) -> set[str]:
    """Every folder and module at the top of a package, as it lies on the disk."""
    return {
        path.stem
        for path in folder_of(package).iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").is_file()) and path.stem != "__init__"
    }


def folder_of(package: str) -> Path:
    return ROOT.joinpath("server", *package.split("."))


def planted(root: Path, lines: dict[str, str]) -> str:
    """What import-linter says of a copy in which each of these modules has its line, too."""
    shutil.copytree(PACKAGE, root / "server" / "assent", ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copyfile(ROOT / "pyproject.toml", root / "pyproject.toml")
    for name, line in lines.items():
        place = root.joinpath("server", *name.split("."))
        module = place / "planted.py" if place.is_dir() else place.with_suffix(".py")
        before = module.read_text("utf-8") if module.exists() else ""
        module.write_text(f"{before}\n{line}\n", "utf-8")
    return linted(root)


@each_row("name", [contract["name"] for contract in CONTRACTS])
def test_the_contract_is_kept(report: str, name: str) -> None:
    assert re.search(re.escape(name) + r"\s+KEPT", report), report


def test_the_desk_the_policy_and_the_calls_are_among_the_pure() -> None:
    (core,) = [each for each in CONTRACTS if each["name"].startswith("The core knows no wire")]
    pure = {"assent.gate.ruling", "assent.gate.call", "assent.gate.approvals.desk"}
    assert pure <= set(core["source_modules"])
    assert {"asyncio", "os", "time", "pydantic", "pygls"} <= set(core["forbidden_modules"])


@each_row("package", LAYERED)
def test_each_folder_has_its_place_in_the_layers(package: str) -> None:
    (contract,) = [each for each in CONTRACTS if each.get("containers") == [package]]
    assert contract["exhaustive"] is True
    assert not any(":" in layer for layer in contract["layers"]), "these may know each other"
    assert rooms(package) - {"__main__"} == set().union(*layers(package))


def test_each_folder_below_the_disk_is_among_the_pure() -> None:
    (core,) = [each for each in CONTRACTS if each["name"].startswith("The core knows no wire")]
    assert {f"assent.gate.{room}" for room in rooms_below("disk")} <= set(core["source_modules"])


def test_each_folder_is_told_off_where_it_knows_one_above_it(tmp_path: Path) -> None:
    above = {
        f"{package}.{room}": f"{package}.{min(higher)}"
        for package in LAYERED
        for higher, lower in itertools.pairwise(layers(package))
        for room in lower
    }
    report = planted(tmp_path, {name: f"import {it}" for name, it in above.items()})
    told = {
        name
        for name, it in above.items()
        if re.search(rf"{re.escape(name)}(?:\.planted)? -> {re.escape(it)}\b", report)
    }
    assert told == set(above)


def test_each_folder_but_lsp_is_told_off_where_it_speaks_lsp(tmp_path: Path) -> None:
    names = {f"{package}.{room}" for package in LAYERED for room in rooms(package)}
    strangers = {it for it in names if folder_of(it).is_dir()} - {"assent.editor.lsp"}
    report = planted(tmp_path, dict.fromkeys(strangers, "import lsprotocol"))
    assert re.search(r"Only lsp speaks LSP\s+BROKEN", report), report
    told = set(re.findall(r"(assent[\w.]*)\.planted -> lsprotocol\b", report))
    assert told == strangers
