"""Folders and files that come from elsewhere, and what builds or runs them in the same text.

`git clone URL && cd x && npm ci`, `curl URL | tar xz && make -C x`, `curl URL -o Makefile; make`:
nobody has read what the second runs, as nobody has where the fetched file is run by its name.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from attrs import frozen

from assent.bash.script import Command
from assent.errors import CallUnreadable
from assent.policy.findings import Judged
from assent.policy.folders import folders_of
from assent.policy.matter import Matter
from assent.policy.paths import Place
from assent.programs.codes import ELSEWHERE
from assent.programs.deeds import Kind
from assent.text.plainly import is_within

__all__ = ["builds_fetched", "name_of"]

_CLONES: Final = frozenset("git gh glab hub degit tiged giget".split())
_RUN_BY: Final = {
    "make gmake": "makefile Makefile GNUmakefile",
    "npm pnpm yarn bun npx": "package.json .npmrc .yarnrc.yml",
    "docker podman nerdctl docker-compose": "compose.yaml compose.yml docker-compose.yml"
    " docker-compose.yaml Dockerfile Containerfile",
    "just": "justfile Justfile .justfile",
    "pytest py.test tox nox": "conftest.py tox.ini noxfile.py",
    "cargo": "build.rs Cargo.toml",
    "pip pip3 uv python python3": "setup.py pyproject.toml",
    "gradle gradlew mvn mvnw": "build.gradle build.gradle.kts settings.gradle pom.xml",
    "rake bundle": "rakefile Rakefile Gemfile",
    "task": "taskfile.yml Taskfile.yml Taskfile.yaml",
    "cmake": "CMakeLists.txt",
}
"""What programs run of their own accord, by the names of the files."""
_FILES: Final = {
    name: frozenset(files.split()) for names, files in _RUN_BY.items() for name in names.split()
}


@frozen
class _Tree:
    """A folder that is filled from elsewhere."""

    folder: str
    start: int
    """Where the command stands that fills it."""
    shared: bool
    """Whether other things lie in it, too, so that only folders below it count."""

    def holds(self, path: str) -> bool:
        return is_within(path, self.folder) and not (self.shared and path == self.folder)


def builds_fetched(matter: Matter, judged: Sequence[Judged], names: set[str]) -> bool:
    """Whether a command runs what lies in such a folder, or such a file without naming it.

    `names` are those of the files that are fetched.
    """
    trees = [*_trees(matter, judged, names)]
    return any(
        one.command is not None and _runs(matter, one, one.command, trees, names)
        for one in (judged if trees or names else ())
    )


def _trees(matter: Matter, judged: Sequence[Judged], names: set[str]) -> Iterator[_Tree]:
    lines = {it.command.aside for it in judged if it.command and it.deeds.hosts}
    for one in judged:
        command = one.command
        if command is None:
            continue
        clones = command.program in _CLONES and bool(one.deeds.hosts) and _is_clone(command)
        piped = command.fed and command.aside != 0 and command.aside in lines
        read = {name_of(it) for it in one.places if it.kind is Kind.READ}
        if clones or piped or not names.isdisjoint(read):
            for place in one.places:
                if place.kind is Kind.WRITE and place.tree and place.target is not None:
                    folder = place.target.resolved
                    yield _Tree(folder, one.start, folder == matter.call.cwd)


def _is_clone(command: Command) -> bool:
    words = {it.text for it in command.argv[1:4]}
    return command.program not in {"git", "gh", "glab", "hub"} or "clone" in words


def _runs(
    matter: Matter, one: Judged, command: Command, trees: list[_Tree], names: set[str]
) -> bool:
    builds = not one.deeds.known or command.program in ELSEWHERE
    if one.deeds.reading or command.wraps or not builds or command.program in _CLONES:
        return False
    if not names.isdisjoint(_FILES.get(command.program, ())):
        return True
    before = [it for it in trees if it.start < command.start]
    return bool(before) and any(it.holds(path) for it in before for path in _at(matter, command))


def _at(matter: Matter, command: Command) -> Iterator[str]:
    """Where it runs, and where those of its words lead from there that are surely paths."""
    words = [it.text.rpartition("=")[2] if it.known else "" for it in command.argv]
    behind = {it for flag, it in pairwise(words) if flag[:1] == "-" or flag == "build"}
    paths = [it for it in words if it and ("/" in it or it in behind)]
    for folder in folders_of(matter, command, (), whole=False):
        if folder is not None:
            yield folder.resolved
            yield from (it for path in paths if (it := _led(matter, path, folder.resolved)))


def _led(matter: Matter, path: str, folder: str) -> str | None:
    try:
        return matter.facts.locate(path, folder).resolved
    except CallUnreadable:
        return None


def name_of(place: Place) -> str:
    """The name of the file or folder that a command touches; nothing where nobody knows it."""
    return place.target.resolved.rpartition("/")[2] if place.target is not None else ""
