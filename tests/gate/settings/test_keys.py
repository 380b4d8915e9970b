"""The key that seals what a person granted."""

import os
import pathlib
import stat
import threading

import pytest

from assent.gate.settings.keys import UnfitKey, fresh_secret, key_from_file, key_from_secret
from tables import each_row


@pytest.fixture
def path(tmp_path: pathlib.Path) -> pathlib.Path:
    return tmp_path / "state" / "key"


def test_a_secret_that_the_editor_kept_is_the_key() -> None:
    secret = fresh_secret()
    assert key_from_secret(secret) == bytes.fromhex(secret)
    assert len(key_from_secret(secret)) == 32
    assert fresh_secret() != secret


@each_row("secret", ["", "0" * 63, "0" * 65, "x" * 64, "0" * 64 + "\n", "é" * 64])
def test_a_secret_of_another_form_is_no_key(secret: str) -> None:
    with pytest.raises(UnfitKey):
        key_from_secret(secret)


def test_a_key_file_is_made_once_and_for_its_owner_alone(path: pathlib.Path) -> None:
    before = os.umask(0)
    try:
        key = key_from_file(path)
    finally:
        os.umask(before)
    assert key_from_file(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_servers_that_start_at_once_have_the_same_key(path: pathlib.Path) -> None:
    start = threading.Barrier(8)
    keys = []

    def server() -> None:
        start.wait(5)
        keys.append(key_from_file(path))

    servers = [threading.Thread(target=server) for _ in range(8)]
    for thread in servers:
        thread.start()
    for thread in servers:
        thread.join(30)
    assert len(keys) == 8
    assert len(set(keys)) == 1


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o666])
def test_a_key_file_that_others_may_open_is_refused(path: pathlib.Path, mode: int) -> None:
    key_from_file(path)
    path.chmod(mode)
    with pytest.raises(UnfitKey, match="others may open it"):
        key_from_file(path)


def test_a_key_file_that_is_a_link_is_refused(path: pathlib.Path, tmp_path: pathlib.Path) -> None:
    key_from_file(path)
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UnfitKey, match="link"):
        key_from_file(path)


def test_a_link_to_nowhere_is_refused_and_not_followed(
    path: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    path.parent.mkdir()
    path.symlink_to(tmp_path / "nowhere")
    with pytest.raises(UnfitKey, match="link"):
        key_from_file(path)
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("data", [b"", b"0" * 10, b"\xff" * 64, b"0" * 64 + b"\n\n", b"0" * 9_999])
def test_a_key_file_with_something_else_in_it_is_refused_and_kept(
    path: pathlib.Path, data: bytes
) -> None:
    key_from_file(path)
    path.write_bytes(data)
    with pytest.raises(UnfitKey, match="holds no key"):
        key_from_file(path)
    assert path.read_bytes() == data


def test_a_key_file_that_is_a_folder_is_refused(path: pathlib.Path) -> None:
    path.mkdir(parents=True)
    with pytest.raises(UnfitKey):
        key_from_file(path)
