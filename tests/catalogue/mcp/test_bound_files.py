"""A server starts only while its files are those that a person agreed to."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from assent.catalogue.mcp.bound_files import (
    UNREAD,
    BoundFileChanged,
    insist_unchanged,
    look_at,
    mark_of,
)
from assent.catalogue.mcp.servers import Servers
from assent.catalogue.nodes.source import NodeFailed
from assent.gate.settings.tool_servers import ServerEntry
from catalogue.mcp.served import ROGUE

Open = Callable[..., Servers]


def script(folder: Path, first: str = "", kind: str = "plain") -> Path:
    """A server that is a script, and does something else first."""
    path = folder / "server.py"
    run = f"import sys; sys.argv[1:] = [{kind!r}]; exec(open({ROGUE!r}).read())"
    path.write_text(f"#!{sys.executable}\n{first}\n{run}\n")
    path.chmod(0o755)
    return path


def entry(path: Path) -> ServerEntry:
    """The script as a person agreed to it as it is now."""
    return ServerEntry(name="ours", command=str(path), bound={str(path): mark_of(str(path))})


async def why(servers: Servers) -> str:
    """Why the server is not there; nothing where it is."""
    return "".join((await servers.search("", 1)).notes)


async def test_a_script_that_is_still_the_same_is_started(servers: Open, tmp_path: Path) -> None:
    assert await why(servers(entry(script(tmp_path)))) == ""


async def test_a_script_that_was_changed_after_the_answer_is_not_started(
    servers: Open, tmp_path: Path
) -> None:
    agreed = entry(script(tmp_path))
    mark = tmp_path / "ran"
    path = script(tmp_path, f"open({str(mark)!r}, 'w').close()")
    assert await why(servers(agreed)) == (
        f"The server ours is not there: {path} is not what it was when you were asked about it."
    )
    assert not mark.exists()


async def test_a_script_that_was_changed_while_it_ran_is_not_started_again(
    servers: Open, tmp_path: Path
) -> None:
    """The hub starts a server that ended again by itself, and then looks at its files as well."""
    some = servers(entry(script(tmp_path, kind="dies")))
    node = await some.describe("ours:t0")
    mark = tmp_path / "ran"
    script(tmp_path, f"open({str(mark)!r}, 'w').close()")
    with pytest.raises(NodeFailed):
        await some.run(node, {}, lambda _: None)
    assert "is not what it was when you were asked about it" in await why(some)
    assert not mark.exists()


async def test_a_script_that_was_another_for_a_moment_as_it_started_is_ended_before_it_is_used(
    servers: Open, tmp_path: Path
) -> None:
    """It is written once more with the same text, as by whoever puts back what they changed."""
    again = "text = open(__file__).read(); open(__file__, 'w').write(text)"
    some = servers(entry(script(tmp_path, again)))
    assert "is not what it was when you were asked about it" in await why(some)


def test_a_file_is_known_by_its_content_and_by_where_it_leads(tmp_path: Path) -> None:
    first, second, link = (tmp_path / name for name in ("first", "second", "link"))
    first.write_text("a")
    second.write_text("a")
    assert mark_of(str(first)) == mark_of(str(second))
    link.symlink_to(first)
    by_first = mark_of(str(link))
    link.unlink()
    link.symlink_to(second)
    assert len({by_first, mark_of(str(link)), mark_of(str(first))}) == 3
    assert mark_of(str(tmp_path)) == ""
    os.mkfifo(tmp_path / "pipe")
    assert mark_of(str(tmp_path / "pipe")) == mark_of(str(tmp_path / "none")) == UNREAD


def test_a_look_tells_of_whatever_was_changed_since_also_where_it_was_put_back(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a"
    path.write_text("a")
    look = look_at({str(path): mark_of(str(path))})
    insist_unchanged(look)
    facts = path.stat()
    path.unlink()
    path.write_text("a")
    os.utime(path, ns=(facts.st_atime_ns, facts.st_mtime_ns))
    with pytest.raises(BoundFileChanged, match="is not what it was"):
        insist_unchanged(look)
    path.unlink()
    with pytest.raises(BoundFileChanged):
        insist_unchanged(look)
    with pytest.raises(BoundFileChanged):
        look_at(dict.fromkeys(look, "another"))


def test_a_look_tells_of_a_link_that_led_elsewhere_for_a_moment(tmp_path: Path) -> None:
    for name in ("good", "bad"):
        (tmp_path / name).write_text(name)
    link, aside = tmp_path / "link", tmp_path / "aside"
    link.symlink_to("good")
    look = look_at({str(link): mark_of(str(link))})
    link.rename(aside)
    link.symlink_to("bad")
    aside.replace(link)
    assert link.read_text() == "good"
    with pytest.raises(BoundFileChanged):
        insist_unchanged(look)


def test_what_a_server_writes_into_a_folder_that_it_is_handed_ends_nothing(tmp_path: Path) -> None:
    folder, link = tmp_path / "folder", tmp_path / "link"
    folder.mkdir()
    link.symlink_to(folder)
    look = look_at({str(link): mark_of(str(link))})
    (folder / "made").write_text("x", "ascii")
    insist_unchanged(look)
