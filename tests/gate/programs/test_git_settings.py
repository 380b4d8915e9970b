"""The settings of a repository are read as git reads them, and only what is harmless passes."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assent.gate.programs.git_settings import settings_in, values_in
from tables import each_row

ORDINARY = """
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true ; as always
\thooksPath = .husky/_
\tsshCommand = ssh -i ~/.ssh/work
[remote "origin"]
\turl = git@example.org:ada/till.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
\tgh-resolved = base
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
\tvscode-merge-base = origin/main
[submodule "libs/x"]
\tactive = true
\turl = https://example.org/x.git
[filter "lfs"]
\tclean = git-lfs clean -- %f
\tsmudge = git-lfs smudge -- %f
\tprocess = git-lfs filter-process
\trequired = true
[lfs]
\trepositoryformatversion = 0
[filter "git-crypt"]
\tclean = \\"git-crypt\\" clean
[merge "ours"]
\tdriver = true
[alias]
\tst = !status
[user]
\tname = "Ada \\"the\\" First"
[credential]
\thelper = store
[status]
\tshowUntrackedFiles = no
"""

HARMFUL = [
    ("[core]\nfsmonitor = ./x", "core.fsmonitor"),
    ("[CORE] FsMonitor = ./x", "core.fsmonitor"),
    ("[core]\nfsmonitor = true\nfsmonitor = ./x", "core.fsmonitor"),
    ("[core]\nfsmonitor = tr\\\nue.sh", "core.fsmonitor"),
    ("[core]\nfsmonitor = true\u00a0", "core.fsmonitor"),
    ("[core]\npager = ./x", "core.pager"),
    ("[pager]\nstatus = ./x", "pager.status"),
    ("[diff]\nexternal = ./x", "diff.external"),
    ("[diff]\nsubmodule = diff", "diff.submodule"),
    ('[diff "x"]\ntextconv = ./x', "diff.x.textconv"),
    ("[diff.x]\ncommand = ./x", "diff.x.command"),
    ('[diff "renames"]\ncommand = ./x', "diff.renames.command"),
    ('[filter "x"]\nclean = ./x', "filter.x.clean"),
    ('[filter "lfs"]\nprocess = ./git-lfs filter-process', "filter.lfs.process"),
    ('[filter "lfs"]\nclean = "git-lfs clean -- %f; ./x"', "filter.lfs.clean"),
    ('[lfs "extension.x"]\nclean = ./x', "lfs.extension.x.clean"),
    ("[include]\npath = ../x", "include.path"),
    ('[includeIf "gitdir:/"]\npath = ../x', "includeif.gitdir:/.path"),
    ("[gpg]\nprogram = ./x", "gpg.program"),
    ("[log]\nshowSignature = true", "log.showsignature"),
    ("[format]\npretty = %+G?", "format.pretty"),
    ("[alias]\nwhatchanged = !./x", "alias.whatchanged"),
    ('[merge "x"]\ndriver = ./x %A', "merge.x.driver"),
    ('[remote "o"]\npromisor = true', "remote.o.promisor"),
    ('[remote "o"]\nuploadpack = ./x', "remote.o.uploadpack"),
    ("[extensions]\npartialClone = o", "extensions.partialclone"),
    ("[extensions]\nrefStorage = files:///x", "extensions.refstorage"),
    ('[submodule "x"]\nupdate = !./x', "submodule.x.update"),
    ('[hook "x"]\ncommand = ./x', "hook.x.command"),
    ('[what "\u202e"]\nx = 1', "what.….x"),
    ("[nobody]\nknows = this", "nobody.knows"),
]

UNREADABLE = [
    "[core",
    "[core]\nfsmonitor true",
    "fsmonitor = x",
    '[core]\nx = "a',
    "[core]\nx = \\q",
    "[core]\nx\0 = a",
    "[core]\nx = a\0b",
    "[core]\nx # y",
    '[core "a]\nx = 1',
    "[co re]\nx = 1",
    "[core]\n\u00a0x = 1",
]


def test_what_repositories_usually_say_is_harmless() -> None:
    settings = settings_in(ORDINARY.encode())
    assert (settings.readable, settings.harm) == (True, None)
    assert (settings.hooks, settings.worktree) == (".husky/_", None)


@each_row(("text", "name"), HARMFUL)
def test_what_could_run_something_is_named(text: str, name: str) -> None:
    assert settings_in(f"{ORDINARY}\n{text}\n".encode()).harm == name


@each_row("text", UNREADABLE)
def test_what_may_be_read_in_two_ways_is_not_read(text: str) -> None:
    assert not settings_in(text.encode()).readable


@each_row("mark", ["\ufeff", "\r\n", "; x\\\n", "# [core]\n"])
def test_nothing_before_a_setting_hides_it(mark: str) -> None:
    assert settings_in(f"{mark}[core]\r\nfsmonitor=./x".encode()).harm == "core.fsmonitor"


PIECES = st.sampled_from(
    [
        piece.replace("_", " ")
        for piece in """[core] [a.b] [A_"x"] [Sub_"Part"] [x_"\\"q\\\\"] [c key Key2 k-y = == # ; "
    \\ \\n \\t \\b \\q \\" true a=b .x * % é""".split()
    ]
)
LINES = st.lists(
    st.tuples(PIECES, st.sampled_from(["", " ", "\t", "\n", "\r\n", "\n\t", "\\\n", "\r"])),
    max_size=14,
)


@given(pieces=LINES)
def test_settings_are_read_as_git_reads_them(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[tuple[str, str]]
) -> None:
    written = "[core]\nkey = " + "".join(piece + gap for piece, gap in pieces)
    mine = [*values_in(written)]
    if any(name is None for name, _ in mine):
        return
    told = as_git_reads(tmp_path_factory.getbasetemp() / "config", written)
    # What git refuses it does not follow.
    assert told is None or told == [(name, blanks(value)) for name, value in mine]


def as_git_reads(file: Path, written: str) -> list[tuple[str, str]] | None:
    """The settings in a text, by git itself; None where it refuses to read them."""
    file.write_bytes(written.encode())
    done = subprocess.run(
        ["git", "config", "--file", str(file), "--list", "-z"],
        capture_output=True,
        check=False,
        timeout=20,
    )
    if done.returncode:
        return None
    pairs = (it.partition("\n") for it in done.stdout.decode().split("\0")[:-1])
    return [(name, blanks(value) if equals else "true") for name, equals, value in pairs]


def blanks(value: str) -> str:
    """A value without the kinds of its blanks, of which each release of git has its own opinion."""
    return value.replace("\t", " ").replace("\r", " ")
