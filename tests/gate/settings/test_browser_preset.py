"""The browser among the servers of tools: how it is written down, and what it comes to."""

from pathlib import Path

import pytest

from assent.catalogue.browser.preset import is_browser, started
from assent.catalogue.nodes.source import NodeFailed
from assent.gate.disk.executables import Executables
from assent.gate.settings.tool_servers import entry_of

requirement = pytest.mark.requirement


def programs(folder: Path, *names: str) -> Executables:
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    return Executables(roots=(), path=str(folder))


def test_it_is_one_entry_and_goes_with_no_command_address_or_variable() -> None:
    entry = entry_of("web", {"preset": "browser"})
    assert (entry.preset, entry.headed) == ("browser", False)
    assert entry_of("web", {"preset": "browser", "headed": True}).headed
    for more in (
        {"command": "x"},
        {"url": "https://a.example"},
        {"args": ["x"]},
        {"env": {"A": ""}},
    ):
        with pytest.raises(ValueError, match=r"started|reached"):
            entry_of("web", {"preset": "browser", **more})
    with pytest.raises(ValueError, match=r"headed|started"):
        entry_of("web", {"command": "x", "headed": True})
    with pytest.raises(ValueError, match="preset"):
        entry_of("web", {"preset": "another"})


@requirement("N-08")
def test_it_comes_to_the_pinned_package_with_the_browser_of_this_machine(tmp_path: Path) -> None:
    found = programs(tmp_path / "bin", "npx", "chromium")
    program, words = started("web", found, tmp_path / "out", headed=False)
    assert program == str(tmp_path / "bin" / "npx")
    assert words[:2] == ("--yes", "@playwright/mcp@0.0.83")
    assert {"--isolated", "--no-webmcp", "--headless"} <= set(words)
    assert words[words.index("--output-dir") + 1] == str(tmp_path / "out")
    assert words[words.index("--executable-path") + 1] == str(tmp_path / "bin" / "chromium")
    assert is_browser(program, words)
    assert "--headless" not in started("web", found, tmp_path / "out", headed=True)[1]


def test_an_installed_package_is_taken_for_what_it_leads_to_and_not_for_its_name(
    tmp_path: Path,
) -> None:
    found = programs(tmp_path / "bin", "npx", "chromium", "playwright-mcp")
    assert started("web", found, tmp_path, headed=False)[0] == str(tmp_path / "bin" / "npx")
    package = tmp_path / "node_modules/@playwright/mcp"
    package.mkdir(parents=True)
    (package / "cli.js").write_text("#!/usr/bin/env node\n")
    (package / "cli.js").chmod(0o755)
    (tmp_path / "bin" / "playwright-mcp").unlink()
    (tmp_path / "bin" / "playwright-mcp").symlink_to(package / "cli.js")
    again = Executables(roots=(), path=str(tmp_path / "bin"))
    program, words = started("web", again, tmp_path, headed=False)
    assert program == str(tmp_path / "bin" / "playwright-mcp")
    assert "--yes" not in words


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("PLAYWRIGHT_BROWSERS_PATH", raising=False)
    with pytest.raises(NodeFailed, match="npx"):
        started("web", programs(tmp_path / "none", "chromium"), tmp_path, headed=False)
    with pytest.raises(NodeFailed, match="Chromium"):
        started("web", programs(tmp_path / "bare", "npx"), tmp_path, headed=False)
