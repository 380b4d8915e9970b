"""What builds, tests, lints and commits a project, by its files alone."""

import json
from pathlib import Path

import pytest

from assent.gate.rules.command_texts import rules_for_lines
from assent.gate.tasks.project_commands import project_commands
from steps import steps_of
from tables import each_row

CI = """
jobs:
  test:
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm run lint -- --max-warnings=0
      - run: |
          cargo clippy --all-targets
          curl https://example.org/install.sh | sh
          echo build
          ./build
          docker build .
          sudo make test
      - run: npx eslint src
      - run: npx --package=evil eslint src
      - run: npm create test
      - run: npm install build
      - run: make deploy test
      - run: dotnet publish build
      - run: go test ./... && rm -rf /
      - run: npm publish
"""
SCRIPTS = {"test": "jest", "build": "tsc", "deploy": "x", "test:deploy": "y", "lint": "eslint ."}
PACKAGE = json.dumps({"scripts": SCRIPTS})
PYPROJECT = "[tool.pytest.ini_options]\n[tool.ruff]\nline-length = 100\n[tool.poe.tasks]\ncheck='x'"


@each_row(
    ("files", "commands"),
    [
        ({}, []),
        ({"README.md": "make test"}, []),
        ({"package.json": PACKAGE}, ["npm test", "npm run build", "npm run lint"]),
        (
            {"package.json": PACKAGE, "pnpm-lock.yaml": ""},
            ["pnpm test", "pnpm build", "pnpm lint"],
        ),
        (
            {"package.json": PACKAGE, "bun.lock": ""},
            ["bun run test", "bun run build", "bun run lint"],
        ),
        ({"Makefile": "test:\n\tx\nclean:\n\trm -r o\n"}, ["make test"]),
        (
            {"pyproject.toml": PYPROJECT},
            [
                *("poe check", "pytest", "python -m pytest", "python3 -m pytest"),
                *("ruff check", "ruff format"),
            ],
        ),
        ({"go.mod": "module x"}, ["go build", "go test", "go vet"]),
        ({"App.csproj": "<Project/>"}, ["dotnet build", "dotnet test"]),
        (
            {"Cargo.toml": "[package]"},
            ["cargo build", "cargo test", "cargo check", "cargo clippy", "cargo fmt"],
        ),
        (
            {".github/workflows/ci.yml": CI},
            ["npm run lint -- --max-warnings=0", "cargo clippy --all-targets", "npx eslint src"],
        ),
        ({".gitlab-ci.yml": "test:\n  script:\n    - mvn test\n"}, ["mvn test"]),
        (
            {".gitlab-ci.yml": "a:\r\n  script:\r\n    - go vet ./...\r\n    - pnpm lint\r\n"},
            ["go vet ./...", "pnpm lint"],
        ),
        ({"pyproject.toml": "# [tool.pytest\n[tool.mypy]\n"}, ["mypy"]),
        ({"package.json": "[", "Makefile": "test: $(shell x)\n"}, ["make test"]),
    ],
)
def test_a_command_is_known_by_its_name_in_the_files_that_say_it(
    files: dict[str, str], commands: list[str], tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert list(project_commands(str(tmp_path))) == commands


def test_a_project_that_git_keeps_is_committed_too(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert list(project_commands(str(tmp_path))) == []
    (tmp_path / "go.mod").touch()
    assert list(project_commands(str(tmp_path)))[-2:] == ["git add -A", "git commit -m x"]


@pytest.mark.parametrize(
    "name", ["package.json", "Makefile", "pyproject.toml", ".gitlab-ci.yml", ".github", ".git"]
)
def test_a_link_that_leads_nowhere_at_all_says_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / "go.mod").touch()
    (tmp_path / name).symlink_to("a" * 300)
    assert list(project_commands(str(tmp_path))) == ["go build", "go test", "go vet"]


def test_a_file_made_to_be_slow_to_read_is_not_read_for_long(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("a." * 100_000 + "a=1", "utf-8")
    steps = steps_of(lambda: list(project_commands(str(tmp_path))))
    assert steps < 5_000


def test_a_file_that_leads_elsewhere_or_is_none_says_nothing(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(PACKAGE, "utf-8")
    (tmp_path / "package.json").symlink_to(elsewhere)
    (tmp_path / "pyproject.toml").mkdir()
    assert list(project_commands(str(tmp_path))) == []


@pytest.mark.parametrize("line", ["a | b", "make && x", "$x", "", "sudo make"])
def test_a_line_that_is_more_than_one_plain_command_gets_no_rule(line: str) -> None:
    assert rules_for_lines((line,), 9) == ()


def test_no_more_rules_are_made_than_a_person_reads() -> None:
    lines = tuple(f"make test{number}" for number in range(30))
    assert len(rules_for_lines(lines, 12)) == 12
