"""Downloaded folders and files that the same text builds or runs.

`git clone URL && cd x && npm ci`, `curl URL | tar xz && make -C x`, `curl URL -o Makefile; make`:
nobody has read what the second runs, as nobody has where the fetched file is run by its name.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from assent.gate.programs.code_inputs import is_interpreter
from assent.gate.programs.deeds import Kind
from assent.gate.programs.nested_execution.interpreters import ELSEWHERE
from assent.gate.ruling.findings import CommandFinding
from assent.gate.ruling.folders import folders_of
from assent.gate.ruling.ruling_context import RulingContext
from assent.gate.shell.script import Command
from assent.gate.shell.word import Exact, Word
from assent.gate.text.lazy_patterns import late
from assent.gate.text.plain_paths import is_within
from assent.gate.values import frozen

__all__ = ["builds_fetched", "run_by"]

_CLONES: Final = frozenset("git gh glab hub hg svn tea jj sl bzr brz fossil darcs".split())
_CLONING: Final = frozenset("clone --clone checkout co branch export get".split())
_COPIES: Final = frozenset("degit tiged giget cookiecutter copier".split())
_PULLS: Final = frozenset("rsync scp sftp".split())
"""Programs that write here only what they bring."""
_TESTS: Final = frozenset("pytest py.test tox nox".split())
_PASSES: Final = frozenset("npm pnpm yarn bun".split())
"""Programs that hand on to the project's own what stands behind `--`."""
_PLACES: Final = frozenset("-C -f -S --prefix --directory --file --makefile --cwd".split())
"""The flags whose values say where it works."""
_AGAIN: Final = late(r"\b(?:for|while|until|select|function|trap)\b|\(\s*\)")
"""What tells that a text may not run in the order in which it stands."""
_TAGS: Final = frozenset(("-t", "--tag"))
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


def run_by(program: str) -> frozenset[str]:
    """The names of the files that a program runs of its own accord."""
    return _FILES.get(program, frozenset())


def builds_fetched(
    context: RulingContext, judged: Sequence[CommandFinding], names: set[str]
) -> bool:
    """Whether a command runs what lies in such a folder, or such a file without naming it.

    `names` are those of the files that are fetched.
    """
    trees = [*_trees(context, judged, names)]
    files = {
        place.lies
        for finding in judged
        for place in finding.places
        if place.kind is Kind.WRITE and place.name in names
    }
    lines = _lines(judged)
    running = judged if trees or files else ()
    return any(
        _runs(context, finding, finding.command, trees, files) for finding in running
    ) or any(_is_fed(finding.command, lines) for finding in judged)


def _lines(judged: Sequence[CommandFinding]) -> set[int]:
    """The pipelines in which something is fetched."""
    return {finding.command.aside for finding in judged if finding.deeds.hosts}


def _is_fed(command: Command, lines: set[int]) -> bool:
    """Whether it builds what another fetches: `curl URL | docker build -`."""
    words = [word.text for word in command.argv]
    fed = command.fed and command.aside != 0 and command.aside in lines
    return fed and command.program in ELSEWHERE and "build" in words[:3] and "-" in words


def _trees(
    context: RulingContext, judged: Sequence[CommandFinding], names: set[str]
) -> Iterator[_Tree]:
    lines = _lines(judged)
    for finding in judged:
        command = finding.command
        clones = _is_clone(command, finding)
        piped = command.fed and command.aside != 0 and command.aside in lines
        read = {place.name for place in finding.places if place.kind is Kind.READ}
        if clones or piped or not names.isdisjoint(read):
            for place in finding.places:
                if place.kind is Kind.WRITE and place.tree and place.target is not None:
                    folder = place.target.resolved
                    yield _Tree(folder, finding.start, folder == context.call.cwd and not clones)


def _is_clone(command: Command, judged: CommandFinding) -> bool:
    """Whether it fetches a whole folder, which has nothing else in it then."""
    words = {word.text for word in command.argv[1:] if word.known}
    cloned = command.program in _PULLS or (
        command.program in _CLONES and not words.isdisjoint(_CLONING)
    )
    return (cloned and bool(judged.deeds.hosts)) or command.program in _COPIES


def _runs(
    context: RulingContext,
    judged: CommandFinding,
    command: Command,
    trees: list[_Tree],
    files: set[str],
) -> bool:
    builds = not judged.deeds.known or command.program in ELSEWHERE
    fetches = command.program in _CLONES | _COPIES
    if judged.deeds.reading or command.wraps or not builds or fetches:
        return False
    mixed = _AGAIN.search(context.text)
    before = [tree for tree in trees if mixed or tree.start < command.start]
    if not before and not files:
        return False
    for folder in folders_of(context, command, (), whole=False):
        if folder is None:
            # Wherever that is, it may be what was fetched.
            return bool(before)
        paths = [*_at(context, command, folder.resolved)]
        if any(path is None or any(tree.holds(path) for tree in before) for path in paths):
            return True
        if any(_is_found(context, command, file, paths) for file in files):
            return True
    return False


def _is_found(
    context: RulingContext, command: Command, file: str, paths: Sequence[str | None]
) -> bool:
    """Whether a program runs this file of its own accord, where it works or is sent."""
    name, top = file.rpartition("/")[2], file.rpartition("/")[0]
    programs = _programs(command)
    if not any(name in run_by(program) for program in programs):
        return False
    # It is looked for in the folders above, too, and tests in those below.
    near = is_within(top, context.call.cwd)
    below = not _TESTS.isdisjoint(programs)
    return any(
        path is None
        or path in (top, file)
        or (near and is_within(path, top))
        or (below and is_within(top, path))
        for path in paths
    )


def _programs(command: Command) -> set[str]:
    """Its program, and the module that an interpreter runs."""
    words = [word.text for word in command.argv]
    return {command.program, *(it for flag, it in pairwise(words) if flag == "-m")}


def _at(context: RulingContext, command: Command, folder: str) -> Iterator[str | None]:
    """Where it runs, and where those of its words lead from there that are surely paths.

    None where one of them may lead anywhere.
    """
    yield folder
    words = _told(command)
    operands = bool(_TESTS & _programs(command)) or command.program in ELSEWHERE
    for flag, word in pairwise((Exact(text=""), *words)):
        behind = flag.text[:1] == "-" or flag.text == "build"
        if not word.known:
            if behind and flag.text in _PLACES:
                yield None
            continue
        text = word.text.rpartition("=")[2]
        glued = word.text[2:] if word.text[:1] == "-" and word.text[1:2] != "-" else ""
        if flag.text in _TAGS and command.program in ELSEWHERE:
            continue
        if text and ("/" in text or behind or (operands and text[0] != "-")):
            yield _led(context, text, folder)
        if glued:
            yield _led(context, glued, folder)


def _told(command: Command) -> Sequence[Word]:
    """Its words, without those that a script of the project's own is given."""
    words = command.argv
    marks = [at for at, word in enumerate(words) if word.text == "--"]
    if command.program in _PASSES and marks:
        return words[: marks[0]]
    if not is_interpreter(command) or any(word.text == "-m" for word in words):
        return words
    scripts = [
        at
        for at, (flag, word) in enumerate(pairwise(words), 1)
        if word.text[:1] not in {"-", "+"} and flag.text[:1] not in {"-", "+"}
    ]
    return words[: scripts[0] + 1] if scripts else words


def _led(context: RulingContext, path: str, folder: str) -> str:
    target = context.located(path, folder)
    return "" if target is None else target.resolved
