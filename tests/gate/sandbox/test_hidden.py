"""What a box hides: keys, what rules keep from being read, sockets, and what Assent knows."""

import os
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from assent.gate.call.verdicts import Verdict
from assent.gate.rules.notation import written
from assent.gate.sandbox.hidden import hidden_paths
from assent.gate.sandbox.profile import ProfileUnfit
from gate.sandbox.conftest import SECRET, Ground

KEY: Final = f"-----BEGIN PRIVATE KEY-----\n{SECRET}\n-----END PRIVATE KEY-----\n"
CERTIFICATE: Final = "-----BEGIN CERTIFICATE-----\nopen\n-----END CERTIFICATE-----\n"


def place(path: Path, text: str) -> None:
    """Write a file, in folders that are made for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "ascii")


def hidden(ground: Ground, *state: str) -> set[str]:
    """What is hidden, as it lies below the folder of the test."""
    paths = hidden_paths(str(ground.workspace), str(ground.home), state, ground.reading)
    return {os.path.relpath(path, ground.top) for path in paths if is_ours(ground, path)}


def is_ours(ground: Ground, path: str) -> bool:
    """Whether it is of the test, and no socket of this machine."""
    return path.startswith(f"{ground.top}/")


def denies(ground: Ground, *rules: str) -> None:
    """Let these rules deny."""
    ground.rules = tuple(written(rule, Verdict.DENY) for rule in rules)


def test_keys_are_hidden_wherever_they_lie_and_certificates_are_not(ground: Ground) -> None:
    top = ground.workspace
    keys = ("deploy/id_ed25519", "a/.env.local", "a/b/server.pem", "tls.key", "k.p12", ".netrc")
    for name in keys:
        place(top / name, KEY)
    for name in ("ca.pem", "public.key", ".env.example", "env.py", "src/tokens.py"):
        place(top / name, CERTIFICATE)
    assert hidden(ground) == {"workspace/.env", *(f"workspace/{name}" for name in keys)}
    _, said = ground.run("/bin/sh", "-c", "cat $(find . -type f -not -path './.git/*')")
    assert SECRET not in said
    assert "open" in said


def test_the_log_ins_of_a_home_are_hidden(ground: Ground) -> None:
    names = (".vault-token", ".pgpass", ".config/rclone/rclone.conf", ".psql_history")
    for name in (*names, ".config/rclones/open"):
        place(ground.home / name, SECRET if name in names else "open")
    _, said = ground.run("/bin/sh", "-c", "cd; find . -type f | xargs cat")
    assert SECRET not in said
    assert "open" in said


def test_what_is_hidden_is_so_in_each_folder_of_the_workspace(ground: Ground) -> None:
    other = ground.top / "other"
    for name in (".env", "a/tls.key", "private/x"):
        place(other / name, KEY)
    (other / "plain.txt").hardlink_to(other / ".env")
    ground.more_roots = (str(other),)
    denies(ground, "read(**/private/**)")
    names = {"other/.env", "other/a/tls.key", "other/private", "other/plain.txt"}
    assert hidden(ground) == {"workspace/.env", *names}


def test_the_other_name_of_a_hidden_file_is_hidden_too(ground: Ground) -> None:
    (ground.workspace / "src/plain.txt").hardlink_to(ground.workspace / ".env")
    (ground.workspace / "src/led.txt").symlink_to("../.env")
    assert "workspace/src/plain.txt" in hidden(ground)
    _, said = ground.run("/bin/sh", "-c", "cat src/plain.txt src/led.txt")
    assert SECRET not in said


def test_what_a_rule_keeps_from_being_read_is_hidden(ground: Ground) -> None:
    for name in ("workspace/private/a/b.txt", "workspace/x/notes.md", "home/diary/today.txt"):
        place(ground.top / name, SECRET)
    place(ground.top / "home/a.secret", SECRET)
    place(ground.workspace / "x/open.md", "open")
    denies(
        ground, "read(./private/**)", "read(**/notes.md)", "read(~/diary/**)", "read(~/*.secret)"
    )
    assert hidden(ground) == {
        "workspace/.env",
        "workspace/private",
        "workspace/x/notes.md",
        "home/diary",
        "home/a.secret",
    }
    words = "cat private/a/b.txt x/notes.md ~/diary/today.txt ~/a.secret; cat x/open.md"
    status, said = ground.run("/bin/sh", "-c", words)
    assert (SECRET in said, "open" in said, status) == (False, True, 0)


def test_rules_that_allow_or_are_about_writing_hide_nothing(ground: Ground) -> None:
    place(ground.workspace / "notes.md", "open")
    ground.rules = (
        written("read(**/notes.md)", Verdict.ALLOW),
        written("write(./src/**)", Verdict.DENY),
    )
    assert hidden(ground) == {"workspace/.env"}


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("read(/**)", "files anywhere"),
        ("read(/**/x.pem)", "files anywhere"),
        ("read(~/**)", "must not be read"),
        ("effect(read:outside)", "reading of any kind"),
    ],
)
def test_a_rule_that_hides_what_a_box_needs_lets_no_box_be_made(
    ground: Ground, rule: str, why: str
) -> None:
    denies(ground, rule)
    with pytest.raises(ProfileUnfit, match=why):
        hidden(ground)


def test_where_a_rule_cannot_be_read_no_box_is_made(ground: Ground) -> None:
    ground.suspended = frozenset({"read"})
    with pytest.raises(ProfileUnfit, match="cannot be read"):
        hidden(ground)


def test_sockets_are_hidden_in_the_workspace_the_home_and_elsewhere(ground: Ground) -> None:
    for folder in (ground.workspace, ground.home):
        with closing(socket.socket(socket.AF_UNIX)) as listening:
            listening.bind(str(folder / "x.sock"))
            listening.listen()
            assert str((folder / "x.sock").relative_to(ground.top)) in hidden(ground)


def test_a_socket_with_a_relative_name_is_hidden(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ground.home)
    with closing(socket.socket(socket.AF_UNIX)) as listening:
        listening.bind("x.sock")
        listening.listen()
        assert "home/x.sock" in hidden(ground)


def test_a_folder_that_only_a_command_could_open_is_hidden(ground: Ground) -> None:
    place(ground.workspace / "shut/.env", SECRET)
    place(ground.workspace / "node_modules/a/.env", SECRET)
    (ground.workspace / "shut").chmod(0)
    expected = {"workspace/.env", "workspace/node_modules/a/.env"}
    # Nothing is shut for root.
    shut = {"workspace/shut/.env"} if os.geteuid() == 0 else {"workspace/shut"}
    assert hidden(ground) == expected | shut
    script = "chmod 700 shut; cat shut/.env node_modules/a/.env"
    assert SECRET not in ground.run("/bin/sh", "-c", script)[1]
    (ground.workspace / "shut").chmod(0o700)


def test_what_lies_too_deep_to_be_looked_through_lets_no_box_be_made(ground: Ground) -> None:
    deep = "import os\nfor n in range(25): os.mkdir('d' * 200); os.chdir('d' * 200)"
    subprocess.run([sys.executable, "-c", deep], cwd=ground.workspace, check=True)
    with pytest.raises(ProfileUnfit, match="cannot be looked through"):
        hidden(ground)


def test_a_link_in_a_circle_or_to_what_a_box_needs_hides_nothing(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What `/proc/self/cwd` is for this process may be the very folder that a box needs."""
    monkeypatch.chdir(ground.workspace)
    denies(ground, "read(./secret/**)")
    before = hidden(ground)
    links = {"cwd": "/proc/self/cwd", ".netrc": "/proc/self/cwd", ".pgpass": "..", "circle": "."}
    for name, target in {**links, ".pypirc": ".pypirc"}.items():
        (ground.workspace / name).symlink_to(target)
    assert hidden(ground) == before


@pytest.mark.parametrize("folder", ["plain", "a\u200db", "a\u00a0b", "a\udcff"])
def test_what_a_link_leads_to_is_hidden_however_its_folder_is_called(
    ground: Ground, folder: str
) -> None:
    for name in ("prod", "other"):
        place(ground.top / "vault" / name, KEY)
    (ground.workspace / folder).mkdir()
    for name in (".env", ".netrc"):
        (ground.workspace / folder / name).symlink_to(f"/proc/self/root{ground.top}/vault/prod")
    (ground.workspace / folder / ".pgpass").symlink_to("../../vault/other")
    assert {"vault/prod", "vault/other"} <= hidden(ground)


def test_a_pipe_that_is_called_like_a_key_is_not_opened(ground: Ground) -> None:
    os.mkfifo(ground.workspace / "pipe.key")
    assert hidden(ground) == {"workspace/.env"}


def test_what_assent_knows_is_hidden(ground: Ground) -> None:
    place(ground.top / "state/journal", SECRET)
    assert "state" in hidden(ground, str(ground.top / "state"))
