"""Rules about effects, and commands of which no row says that they have them."""

from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.verdicts import Verdict
from gate.ruling.loose import ruled
from tables import each_row

REACHING: Final = (
    "ffmpeg -i https://h.example/x y.mp4",
    "pandoc https://h.example/x -o x.html",
    "xdg-open https://h.example",
    "python3 -m webbrowser https://h.example",
    """ruby -ropen-uri -e 'URI.open("https://h.example")'""",
    """php -r 'file_get_contents("https://h.example");'""",
    """awk 'BEGIN{s="/inet/tcp/0/h/80"; print 1 |& s}'""",
    """duckdb -c "from 'https://h.example/x.csv'\"""",
    "websocat ws://h.example",
    "restic -r rest:https://h.example/ backup .",
    "snmpwalk h",
    "fping h",
    "yt-dlp dQw4w9WgXcQ",
    "git archive --remote=h HEAD",
    "git lfs pull",
    "docker run x",
    "mount -t nfs h:/x /mnt",
    "systemctl -H h status",
    "ansible all -m ping",
    """python3 -c "import socket; socket.create_connection(('h', 1))\"""",
    """node -e "require('net').connect(1, 'h')\"""",
    "perl -MIO::Socket -e 1",
    "vault list x",
    "borg create h:a::b .",
)
STAYING: Final = (
    "git commit -m 'see https://h.example'",
    "grep -r https:// src",
    "sed -i 's#https://a.example#https://b.example#' a",
    "echo https://h.example > a",
    "git archive HEAD -o x.tar",
    "git lfs ls-files",
    "systemctl status x",
    "gpg --verify a.sig a",
    "mount",
    "swift build",
    "pytest tests/test_k6.py",
    "npm test",
    "pytest tests/test_socket.py",
    "cat file:///x",
    "frob file:///x",
)
AWAY: Final = (
    "go build -o ~/x .",
    "javac -d ~/x A.java",
    "pandoc a.md -o ~/x.html",
    "hugo -d ../x",
    "frob --report=/tmp/x",
    "pytest --junitxml=/tmp/x",
    """python3 -c 'open("/tmp/x", "w").write("a")'""",
)
HERE: Final = (
    "go build -o bin/x .",
    "javac -d out A.java",
    "frob --report=out/x 2> /dev/null",
    """python3 -c 'open("x", "w").write("a")'""",
    "pytest -q tests",
    "git commit -m '/tmp/x is gone'",
)
LOSING: Final = (
    "git branch -D x",
    "git stash drop",
    "terraform destroy -auto-approve",
    "psql -c 'drop table x'",
    """deno eval 'Deno.removeSync("a")'""",
    "brew uninstall x",
)
KEEPING: Final = ("git branch x", "git stash", "terraform plan", "psql -c 'select 1'", "git push")

MEANT: Final = [
    *(("network", it) for it in REACHING),
    *(("write:outside", it) for it in AWAY),
    *(("delete", it) for it in LOSING),
]
"""An effect, and a command that may have it."""
NOT_MEANT: Final = [
    *(("network", it) for it in STAYING),
    *(("write:outside", it) for it in HERE),
    *(("delete", it) for it in KEEPING),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "home" / "till"
    root.mkdir(parents=True)
    (root / "a").write_text("https://a.example\n", "utf-8")
    return root


@each_row(("effect", "command"), MEANT)
def test_what_may_have_an_effect_does_not_pass_where_a_rule_denies_that(
    root: Path, effect: str, command: str
) -> None:
    assert ruled(root, command).verdict is Verdict.ALLOW
    assert ruled(root, command, deny=f"effect({effect})").verdict is not Verdict.ALLOW


@each_row(("effect", "command"), NOT_MEANT)
def test_what_only_names_it_or_has_another_is_let_run(
    root: Path, effect: str, command: str
) -> None:
    assert ruled(root, command, deny=f"effect({effect})").verdict is Verdict.ALLOW
