"""Places that decide what is allowed later, which code changes by a path that stands in it."""

from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

CHANGING: Final = (
    """python3 -c 'open("/etc/hosts", "a").write("x")'""",
    """python3 -c 'import os; open(os.path.expanduser("~/.local/bin/git"), "wb")'""",
    """python3 -c 'from pathlib import Path; Path("/etc/profile.d/x.sh").write_text("x")'""",
    """python3 -c 'import shutil; shutil.copy("x", "/usr/local/bin/git")'""",
    """python3 -c 'import os; os.symlink("x", "/etc/cron.d/x")'""",
    """php -r 'file_put_contents("/etc/passwd", "x");'""",
    """perl -e 'open(F, ">/etc/cron.d/x")'""",
    """perl -e 'open(my $f, ">>", "/etc/hosts")'""",
    """ruby -e 'File.write("/etc/profile.d/x.sh", "x")'""",
    """node -e 'fs.writeFileSync("/etc/hosts", "x")'""",
    """node -e 'require("fs").copyFileSync("x", "/usr/local/bin/git")'""",
    """python3 - <<'X'\nopen("/etc/hosts", "w").write("x")\nX""",
    "badblocks -w /dev/sda",
    "nvme format /dev/nvme0n1",
    "cryptsetup luksFormat /dev/sda1",
)
SPARING: Final = (
    """python3 -c 'print(open("/etc/os-release").read())'""",
    """python3 -c 'import json; json.dump({}, open("a.json", "w"))'""",
    """python3 -c 'open("/tmp/x", "w").write("a")'""",
    """python3 -c 'import shutil; shutil.copy("/etc/ssl/openssl.cnf", "b.cnf")'""",
    """python3 -c 'print("a".replace("a", "/usr/lib"))'""",
    """node -e 'console.log(fs.readFileSync("/etc/hosts", "utf8"))'""",
    """node -e 'fs.writeFileSync("dist/x.js", "a")'""",
    """python3 - <<'X'\nopen("a", "w").write(open("b").read().replace("/x", "/etc/y"))\nX""",
    "blkid /dev/sda1",
    "lsblk /dev/sda",
    "df -h /dev/sda1",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    root.mkdir(parents=True)
    return root


@each_row("command", CHANGING)
def test_it_is_asked_about_in_every_mode(root: Path, command: str) -> None:
    assert ruled(root, command).verdict is Verdict.ASK


@each_row("command", SPARING)
def test_code_that_reads_them_or_changes_others_is_let_run(root: Path, command: str) -> None:
    assert ruled(root, command).verdict is Verdict.ALLOW
