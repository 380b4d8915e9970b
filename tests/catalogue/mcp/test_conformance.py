"""The protocol's own suite for clients, run on our road: each scenario of a version is a test.

A scenario that ends otherwise than here is told fails its test, in both directions.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from catalogue.mcp.fetch import node_of
from tables import each_row

pytestmark = [pytest.mark.agents]

_TESTS: Final = Path(__file__).parents[2]
_LONGEST: Final = 120
_BAD: Final = frozenset({"FAILURE", "WARNING"})

OTHERWISE: Final[dict[str, str]] = {}
"""What we do otherwise on purpose, by the name of the check, and why."""

_LOGS_IN: Final = (
    *("metadata-default", "metadata-var1", "metadata-var2", "metadata-var3", "basic-cimd"),
    *("scope-from-www-authenticate", "scope-from-scopes-supported"),
    *("scope-omitted-when-undefined", "scope-step-up", "scope-retry-limit"),
    *("token-endpoint-auth-basic", "token-endpoint-auth-post", "token-endpoint-auth-none"),
    "pre-registration",
)
_LOGS_IN_SAFELY: Final = (
    *("resource-mismatch", "offline-access-scope", "offline-access-not-supported"),
    *("authorization-server-migration", "iss-supported", "iss-not-advertised"),
    *("iss-supported-missing", "iss-wrong-issuer", "iss-unexpected", "iss-normalized"),
    "metadata-issuer-mismatch",
)
SCENARIOS: Final = {
    "2025-11-25": (
        *("initialize", "tools_call", "elicitation-sep1034-client-defaults", "sse-retry"),
        *(f"auth/{it}" for it in _LOGS_IN),
    ),
    "2026-07-28": (
        *("tools_call", "request-metadata", "sep-2322-client-request-state"),
        *("http-standard-headers", "http-custom-headers", "http-invalid-tool-headers"),
        "json-schema-ref-no-deref",
        *(f"auth/{it}" for it in (*_LOGS_IN, *_LOGS_IN_SAFELY)),
    ),
}


@pytest.fixture(scope="module")
def suite(real: Path) -> tuple[str, ...]:
    """How the suite is started."""
    found = real / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    return node_of(real), str(found)


def ran(suite: tuple[str, ...], *words: object, **env: str) -> subprocess.CompletedProcess[str]:
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **env}
    return subprocess.run(
        [*suite, *map(str, words)],
        cwd=_TESTS,
        env=own,
        capture_output=True,
        text=True,
        timeout=_LONGEST,
        check=False,
    )


def _all() -> Iterator[Any]:
    for version, names in SCENARIOS.items():
        yield from (pytest.param(version, it, id=f"{version}-{it}") for it in names)


@each_row(("version", "scenario"), [*_all()])
def test_our_client_does_what_the_protocol_says(
    suite: tuple[str, ...], tmp_path: Path, version: str, scenario: str
) -> None:
    client = f"{sys.executable} -m catalogue.mcp.conforming"
    what = ("--scenario", scenario, "--spec-version", version, "--output-dir", tmp_path)
    came = ran(suite, "client", "--command", client, *what)
    (found,) = tmp_path.rglob("checks.json")
    checks = json.loads(found.read_text())
    bad = {it["id"]: it.get("errorMessage", "") for it in checks if it["status"] in _BAD}
    wanted = {name for name in OTHERWISE if name.startswith(f"{scenario}: ")}
    assert {f"{scenario}: {it}" for it in bad} == wanted, (bad, came.stdout[-4_000:])
    assert any(it["status"] == "SUCCESS" for it in checks)


@each_row("version", SCENARIOS)
def test_each_scenario_that_a_version_requires_of_clients_is_tried(
    suite: tuple[str, ...], version: str
) -> None:
    told = ran(suite, "list", "--client", "--requirements", version).stdout
    _, _, clients = told.partition("Client scenarios")
    lines = clients.partition("\n\n")[0].splitlines()
    wanted = {it.removeprefix("  - ") for it in lines if it.startswith("  - ")}
    assert wanted == {*SCENARIOS[version]}
