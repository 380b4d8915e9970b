"""Beside rules about reading: what a container is built from, without what its list leaves out."""

import subprocess
from pathlib import Path

import pytest

from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    for name in (".env", "src/a.py", "src/keys/a.pem", "Dockerfile"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("FROM alpine\n")
    subprocess.run(["git", "init", "-q", str(root)], check=True, capture_output=True)
    return root


def _verdict(root: Path, command: str, denied: str = "read(./.env)") -> Verdict:
    return ruled(root, command, deny=denied).verdict


@pytest.mark.parametrize("left_out", [".env", "/.env", "./.env", ".env*", "*.env", "**/.env", "*"])
@pytest.mark.parametrize(
    "command",
    [
        "docker build .",
        "docker build -t app -f Dockerfile .",
        "docker buildx build --load .",
        "docker image build ./",
    ],
)
def test_what_its_list_leaves_out_does_not_go_along(
    root: Path, command: str, left_out: str
) -> None:
    assert _verdict(root, command) is Verdict.ASK
    (root / ".dockerignore").write_text(f"# what nobody needs\n\nnode_modules\n{left_out}\n")
    assert _verdict(root, command) is Verdict.ALLOW


@pytest.mark.parametrize(
    "written",
    ["env", ".env/x", "src/.env", ".env\n!.env", "!*.md\n.env", "[.]env", "# .env", "../.env", "."],
)
def test_what_a_list_may_not_leave_out_is_asked_about(root: Path, written: str) -> None:
    (root / ".dockerignore").write_text(f"{written}\n")
    assert _verdict(root, "docker build .") is Verdict.ASK


@pytest.mark.parametrize(
    "command",
    [
        "podman build .",
        "docker build -f src/a.Dockerfile .",
        "docker build --build-context x=. src",
        "echo > .dockerignore; docker build .",
        "rm .dockerignore; docker build .",
        "cp src/a.py .dockerignore && docker build .",
        "x() { echo > .dockerignore; }; x; docker build .",
        "DOCKER_HOST=x docker build .",
        "cd src && docker build ..",
        "docker build $X .",
        "docker build --build-arg BUILDKIT_SYNTAX=x/y .",
        "export DOCKER_BUILDKIT=0; docker build .",
        "printf 'FROM a' | docker build -f - .",
    ],
)
def test_the_list_of_a_folder_holds_for_a_plain_build_of_it_alone(root: Path, command: str) -> None:
    (root / ".dockerignore").write_text(".env\n")
    (root / "src" / "a.Dockerfile").write_text("FROM alpine\n")
    (root / "src" / "a.Dockerfile.dockerignore").write_text("")
    assert _verdict(root, command) is not Verdict.ALLOW


def test_what_lies_in_a_folder_that_is_left_out_does_not_go_along(root: Path) -> None:
    for written, verdict in (
        ("src/keys", Verdict.ALLOW),
        ("keys", Verdict.ASK),
        ("*.pem", Verdict.ASK),
    ):
        (root / ".dockerignore").write_text(f"{written}\n")
        assert _verdict(root, "docker build .", "read(**/*.pem)") is verdict


@pytest.mark.parametrize("reader", ["evil/reader", "docker/dockerfile.evil", "x/docker/dockerfile"])
def test_a_reader_of_its_own_may_be_given_anything(root: Path, reader: str) -> None:
    (root / ".dockerignore").write_text(".env\n")
    (root / "Dockerfile").write_text("# syntax=docker/dockerfile:1\nFROM alpine\n")
    assert _verdict(root, "docker build .") is Verdict.ALLOW
    for sign in ("#", "//"):
        (root / "Dockerfile").write_text(f"{sign}syntax = {reader}\nFROM alpine\n")
        assert _verdict(root, "docker build .") is Verdict.ASK
    (root / "Dockerfile").write_text(f'{{"syntax": "{reader}"}}\nFROM alpine\n')
    assert _verdict(root, "docker build .") is Verdict.ASK


def test_what_stands_behind_other_signs_than_the_end_of_a_line_names_no_file(root: Path) -> None:
    for sign in ("\u2028", "\f", "\x85", "\r"):
        (root / ".dockerignore").write_text(f"x{sign}.env\n", newline="")
        assert _verdict(root, "docker build .") is Verdict.ASK


def test_a_list_or_a_file_that_nobody_could_have_written_is_not_read_through(root: Path) -> None:
    (root / ".dockerignore").write_text("nope*x\n" * 500_000)
    assert _verdict(root, "docker build .", "read(**/*.pem)") is Verdict.ASK
    (root / ".dockerignore").write_text(".env\n")
    (root / "Dockerfile").write_text("\n" * 300_000)
    assert _verdict(root, "docker build .") is Verdict.ALLOW
