"""What packs a folder, serves it or sends it away reads all of it, and a denied file with that."""

from pathlib import Path

import pytest

from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

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
    "dotenv -e .env -- env",
    "env-cmd node x.js -f y",
    "sls deploy -v",
    "fly deploy -v",
    "vercel",
    "vercel --prod",
    "vercel --frob x",
    "vercel deploy -v",
    "eb deploy init",
    "docker compose -f a.yml build",
    "docker compose --profile dev up --build",
    "docker compose -p x config",
    "docker buildx bake",
    "docker build --build-context x=. src",
    "bunx serve",
    "yarn workspace x pack",
    "npm publish --frob public",
    "gcloud run deploy x --source .",
)


@each_row("command", PACKING)
def test_packing_a_folder_with_a_denied_file_is_asked_about(root: Path, command: str) -> None:
    assert ruled(root, command).verdict is Verdict.ALLOW
    assert ruled(root, command, deny=DENIED).verdict is not Verdict.ALLOW


@each_row(
    "command",
    [
        "docker build src",
        "docker compose up -d",
        "docker compose config --services",
        "npm test",
        "npx serve src",
        "python3 -m http.server -d src",
        "kubectl create configmap a --from-file=src",
        "dotenv -e .env.test -- jest",
        "dotenvx run -f .env.test -- node x.js",
        "env-cmd -f .env.test node x.js",
        "vercel dev",
        "vercel deploy status",
        "netlify open",
        "netlify deploy --dir dist --prod",
        "fly scale count 2",
        "fly deploy --image x",
        "railway run node x.js",
        "eb health",
        "sls invoke",
        "helm package chart",
        "npm publish ./dist",
        "npm pack --dry-run",
        "php -S localhost:8000 -t public",
        "gcloud run deploy x --image gcr.io/x/y",
        "gcloud functions deploy x --source=dist",
        "python3 -m http.server --directory=src",
    ],
)
def test_what_takes_another_folder_is_not(root: Path, command: str) -> None:
    assert ruled(root, command, deny=DENIED).verdict is Verdict.ALLOW


@each_row("command", ["python3 -m venv .venv", "uv venv .venv"])
def test_an_environment_brings_no_denied_file(root: Path, command: str) -> None:
    assert ruled(root, command, deny="read(**/.env)").verdict is Verdict.ALLOW


@each_row("command", ["python3 -m venv .git/hooks", "virtualenv ~/.local"])
def test_an_environment_in_a_protected_folder_is_asked_about(root: Path, command: str) -> None:
    assert ruled(root, command).verdict is Verdict.ASK
