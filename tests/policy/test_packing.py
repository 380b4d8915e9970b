"""What packs a folder, serves it or sends it away reads all of it, and a denied file with that."""

from pathlib import Path

import pytest

from assent.verdicts import Verdict
from policy.loose import ruled

DENIED = "read(./.env)"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "src").mkdir(parents=True)
    (root / ".env").write_text("KEY=1\n")
    return root


PACKING = (
    "docker build .",
    "docker buildx build -t a .",
    "podman build -t a .",
    "docker compose build",
    "docker compose up -d --build",
    "npm pack",
    "yarn publish",
    "vercel deploy",
    "gcloud builds submit .",
    "helm package .",
    "python3 -m http.server",
    "npx serve .",
    "php -S localhost:8000",
    "python3 -m zipfile -c a.zip .",
    "mksquashfs . a.sqfs",
    "kubectl create configmap a --from-file=.",
    "docker compose config",
    "dotenv -- env",
)


@pytest.mark.parametrize("command", PACKING)
def test_packing_a_folder_with_a_denied_file_is_asked_about(root: Path, command: str) -> None:
    assert ruled(root, command).verdict is Verdict.ALLOW
    assert ruled(root, command, deny=DENIED).verdict is not Verdict.ALLOW


@pytest.mark.parametrize(
    "command",
    [
        "docker build src",
        "docker compose up -d",
        "docker compose config --services",
        "npm test",
        "npx serve src",
        "python3 -m http.server -d src",
        "kubectl create configmap a --from-file=src",
    ],
)
def test_what_takes_another_folder_is_not(root: Path, command: str) -> None:
    assert ruled(root, command, deny=DENIED).verdict is Verdict.ALLOW
