"""Who may import whom: the contracts of `pyproject.toml`, each of them kept."""

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from house.sources import CONTRACTS, ROOT, layers, rooms_below

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


def rooms() -> set[str]:
    """Every package and module at the top of the server, as it lies on the disk."""
    return {
        path.stem
        for path in PACKAGE.iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").is_file()) and path.stem != "__init__"
    }


def planted(root: Path, lines: dict[str, str]) -> str:
    """What import-linter says of a copy in which each of these rooms has its line, too."""
    shutil.copytree(PACKAGE, root / "server" / "assent", ignore=shutil.ignore_patterns("*.pyc"))
    shutil.copyfile(ROOT / "pyproject.toml", root / "pyproject.toml")
    for room, line in lines.items():
        place = root / "server" / "assent" / room
        module = place / "planted.py" if place.is_dir() else place.with_suffix(".py")
        before = module.read_text("utf-8") if module.exists() else ""
        module.write_text(f"{before}\n{line}\n", "utf-8")
    return linted(root)


def told_of(report: str, contract: str, imported: str) -> set[str]:
    """The rooms that the report names under this contract."""
    assert re.search(rf"{re.escape(contract)}\s+BROKEN", report), report
    # The last in the report, and in pyproject.toml, of the contracts that such an import breaks.
    report = report.rpartition(f"\n{contract}\n")[2]
    return set(re.findall(rf"assent\.(\w+)(?:\.planted)? -> {re.escape(imported)}\b", report))


@pytest.mark.parametrize("name", [contract["name"] for contract in CONTRACTS])
def test_the_contract_is_kept(report: str, name: str) -> None:
    assert re.search(re.escape(name) + r"\s+KEPT", report), report


def test_the_desk_the_policy_and_the_calls_are_among_the_pure() -> None:
    (core,) = [each for each in CONTRACTS if each["name"].startswith("The core knows no wire")]
    pure = {"assent.policy", "assent.calls", "assent.lifecycle", "assent.approvals.desk"}
    assert pure <= set(core["source_modules"])
    assert {"asyncio", "os", "time", "pydantic", "pygls"} <= set(core["forbidden_modules"])


def test_every_package_has_its_place_in_the_layers() -> None:
    (found,) = [each for each in CONTRACTS if each.get("containers") == ["assent"]]
    assert found["exhaustive"] is True
    assert not any(":" in layer for layer in found["layers"]), "these may know each other"
    assert rooms() - {"__main__"} == set().union(*layers())


def test_every_room_below_the_disk_is_among_the_pure() -> None:
    (core,) = [each for each in CONTRACTS if each["name"].startswith("The core knows no wire")]
    assert {f"assent.{room}" for room in rooms_below("disk")} <= set(core["source_modules"])


def test_each_room_is_told_off_where_it_knows_one_above_it(tmp_path: Path) -> None:
    above = {room: min(higher) for higher, lower in itertools.pairwise(layers()) for room in lower}
    report = planted(tmp_path, {room: f"import assent.{it}" for room, it in above.items()})
    told = {
        room
        for room, it in above.items()
        if re.search(rf"assent\.{room}(?:\.planted)? -> assent\.{it}\b", report)
    }
    assert told == set(above)


def test_each_room_but_lsp_is_told_off_where_it_speaks_lsp(tmp_path: Path) -> None:
    strangers = rooms() - {"lsp"}
    report = planted(tmp_path, dict.fromkeys(strangers, "import lsprotocol"))
    assert told_of(report, "Only lsp speaks LSP", "lsprotocol") == strangers


def test_each_room_but_lsp_and_cards_is_told_off_where_it_knows_the_wire(tmp_path: Path) -> None:
    strangers = rooms() - {"lsp", "methods", "cards", "protocol"}
    report = planted(tmp_path, dict.fromkeys(strangers, "import assent.protocol.shapes"))
    told = told_of(
        report, "Only lsp, the methods and cards know the wire", "assent.protocol.shapes"
    )
    assert told == strangers
