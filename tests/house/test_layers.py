"""Who may import whom: the contracts of `pyproject.toml`, each of them kept."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from house.sources import ROOT

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
    "contracts"
]


@pytest.fixture(scope="module")
def report() -> str:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", [contract["name"] for contract in CONTRACTS])
def test_the_contract_is_kept(report: str, name: str) -> None:
    assert re.search(re.escape(name) + r"\s+KEPT", report), report


def test_the_desk_the_policy_and_the_calls_are_among_the_pure() -> None:
    (core,) = [each for each in CONTRACTS if each["name"].startswith("The core knows no wire")]
    pure = {"assent.policy", "assent.calls", "assent.lifecycle", "assent.approvals.desk"}
    assert pure <= set(core["source_modules"])
    assert {"asyncio", "os", "time", "pydantic", "pygls"} <= set(core["forbidden_modules"])


def test_every_package_has_its_place_in_the_layers() -> None:
    (layers,) = [each for each in CONTRACTS if each["type"] == "layers"]
    assert layers["exhaustive"] is True
    placed = {name for layer in layers["layers"] for name in re.split(r"\s*\|\s*", layer)}
    present = {
        path.stem
        for path in (ROOT / "server" / "assent").iterdir()
        if (path.suffix == ".py" or (path / "__init__.py").is_file()) and path.stem[0] != "_"
    }
    assert present <= placed
