"""Whether a rule about a program that runs others means what it is to run now."""

from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.modes import Mode
from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

MEANT: Final = (
    ("shell(python3 -c:*)", "python3 -c 'import os; os.system(\"make docs\")'"),
    ("shell(node -e:*)", 'node -e \'require("child_process").execSync("rm -rf build")\''),
    ("shell(uv run:*)", "uv run pytest -q"),
    ("shell(uv run:*)", "uv run ls src"),
    ("shell(poetry run:*)", "poetry run python x.py"),
    ("shell(bundle exec:*)", "bundle exec rspec"),
    ("shell(npx:*)", "npx eslint src"),
    ("shell(uv run rm:*)", "uv run rm -rf build"),
    ("shell(docker exec web:*)", "docker exec web rm a"),
    ("shell(concurrently:*)", "concurrently -k 'npm:dev' 'npm run api'"),
    ("shell(hyperfine:*)", "hyperfine -w 3 ./a.out"),
    ("shell(tmux:*)", "tmux attach -t dev"),
    ("shell(tmux:*)", "tmux new -d -s dev 'npm run dev'"),
    ("shell(screen:*)", "screen -dmS dev npm run dev"),
    ("shell(ssh web1 uptime:*)", "ssh web1 uptime -p"),
)
NOT_MEANT: Final = (
    ("shell(docker exec web ls)", "bash -c 'nice rm -rf src; docker exec web ls'"),
    ("shell(python3 a.py:*)", 'bash -c \'nice rm -rf src; python3 a.py "system(\\"ls\\")"\''),
    ("shell(python3 a.py:*)", 'bash -c \'python3 a.py "system(\\"ls\\")" $(rm -rf src)\''),
    ("shell(vim:*)", "sh -c 'nice rm -rf src; vim \"!ls\"'"),
    ("shell(uv run:*)", "uv run rm -rf src"),
    ("shell(uv run:*)", "uv run -- curl https://x.example"),
    ("shell(poetry run:*)", "poetry run touch a"),
    ("shell(perf stat:*)", "perf stat -e cycles touch a"),
    ("shell(nix shell nixpkgs#jq:*)", "nix shell nixpkgs#jq -c rm -rf src"),
    ("shell(npm exec:*)", "npm exec -- rm -rf src"),
    ("shell(concurrently:*)", "concurrently 'npm:dev' 'touch a'"),
    ("shell(hyperfine:*)", "hyperfine --prepare 'rm -rf src' ./a.out"),
    ("shell(hyperfine:*)", "hyperfine ./a.out 'curl https://x.example'"),
    ("shell(tmux:*)", "tmux new -d 'touch a'"),
    ("shell(screen:*)", "screen -dm touch a"),
    ("shell(faketime:*)", "faketime now touch a"),
    ("shell(proot:*)", "proot -w / touch a"),
    ("shell(foreman run:*)", "foreman run touch a"),
    ("shell(nix-shell:*)", "nix-shell -p jq --run 'touch a'"),
    ("shell(ssh web1 uptime:*)", "ssh web1 uptime '$(reboot)'"),
    ("shell(ssh web1 uptime:*)", "ssh web1 uptime '`reboot now`'"),
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    (root / "src").mkdir(parents=True)
    return root


@each_row(("rule", "command"), MEANT)
def test_it_means_a_projects_own_programs_and_what_it_names(
    root: Path, rule: str, command: str
) -> None:
    assert ruled(root, command, Mode.DEFAULT).verdict is Verdict.ASK
    assert ruled(root, command, Mode.DEFAULT, allow=rule).verdict is Verdict.ALLOW


@each_row(("rule", "command"), NOT_MEANT)
def test_it_means_no_program_of_the_machine_that_changes_files_or_reaches_a_host(
    root: Path, rule: str, command: str
) -> None:
    assert ruled(root, command, Mode.DEFAULT, allow=rule).verdict is Verdict.ASK
