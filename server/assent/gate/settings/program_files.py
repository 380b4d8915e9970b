"""Finds the files that make up a command's programs, so that changing one can ask.

Each word of the command that names a file is one, there or not yet: the program, its script, what
`-m` or `--require=` names. Beside it count the files that its interpreter would load, known by
their endings: those in its folder and in all folders below, and packages in the folders above. A
folder of the workspace, or the person's home, is not taken whole: of the folders in it only those
count that the program speaks of, or a file beside it of which it speaks. What it names by a path
(`./x`, `../x`) counts wherever that is in the workspace.
"""

import json
import os
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Final
from unicodedata import normalize

from assent.gate.call.calls import Premise
from assent.gate.disk.executables import Executables, path_in
from assent.gate.ruling.paths_in_text import pieces_of
from assent.gate.settings.ordinary_files import read_ordinary
from assent.gate.text.plain_paths import is_within
from assent.gate.values import define, evolve, field, frozen

__all__ = ["JUSTFILES", "MAKEFILES", "OF_AN_ENVIRONMENT", "Started", "files_of_programs"]

OF_AN_ENVIRONMENT: Final = ("pyvenv.cfg", "conda-meta")
"""What lies at the top of an environment of Python."""
_PYTHON: Final = (".py", ".pyw", ".pyd", ".so")
_LANGUAGES: Final = (
    _PYTHON,
    (".js", ".cjs", ".mjs", ".jsx", ".ts", ".cts", ".mts", ".tsx", ".node", ".wasm"),
    (".rb",),
    (".pl", ".pm"),
    (".php", ".inc"),
    (".lua",),
    (".sh", ".bash", ".zsh"),
    (".ps1", ".psm1"),
    (".jar", ".class"),
)
"""The endings of files that are loaded together."""
_ALL: Final = tuple(ending for endings in _LANGUAGES for ending in endings)
_SCRIPT: Final = b"#!"
_PACKAGES: Final = frozenset(("node_modules", ".venv", "venv", "__pycache__"))
"""Folders from which an interpreter loads what nobody has to name."""
_MAIN: Final = ("__main__.py", "index.js", "index.mjs", "index.cjs", "index.ts")
"""What is run of a folder."""
_WORDS: Final = re.compile(r"[\w@-]+")
_PATHS: Final = re.compile(r"(?<![\w.])\.{1,2}/[\w.@/-]{0,200}[\w@-]")
_MAX_PROGRAM_BYTES: Final = 1024 * 1024
"""In bytes: so much of a program is looked through for what it loads."""
_MAX_FILES: Final = 100
"""So many files of one program are looked through."""


MAKEFILES: Final = tuple(" GNUmakefile makefile Makefile".split())
"""The names of a file of make, as make looks for them."""
JUSTFILES: Final = tuple("justfile Justfile .justfile".split())
_PACKAGE: Final = "package.json"
_PROJECTS: Final = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), (_PACKAGE,)),
    **dict.fromkeys(("make", "gmake"), MAKEFILES),
    "just": JUSTFILES,
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "deno": ("deno.json", "deno.jsonc"),
    "cargo": ("Cargo.toml",),
    "go": ("go.mod",),
    **dict.fromkeys(("uv", "poetry", "pdm", "hatch", "poe"), ("pyproject.toml",)),
}
"""Runners, each with the files of a project that say what it runs."""
_GO: Final = (".go",)
_MAX_SCRIPT_DEPTH: Final = 5
"""So many scripts that run each other are followed."""


@frozen(kw_only=True)
class Started:
    """A command that is run later."""

    words: tuple[str, ...]
    folders: tuple[str, ...]
    """Where it may be run, and what paths in it begin at."""
    env: Mapping[str, str] = field(factory=dict)
    """Variables that are set for it."""
    depth: int = 0
    """How many scripts of projects are around it."""


def files_of_programs(command: Started, name: str, roots: Sequence[str]) -> Iterator[Premise]:
    """The files of a command's programs, and what these load; `name` says what they are."""
    home = os.path.expanduser("~")  # noqa: PTH111 -- strings here
    tops = {*roots, home}
    programs = _Programs(name=name, roots=tuple(roots), tops={*tops, *map(os.path.realpath, tops)})
    with suppress(OSError, ValueError):
        yield from programs.of(command)


@define
class _Programs:
    name: str
    roots: tuple[str, ...]
    tops: set[str]
    followed: set[tuple[str, ...]] = field(factory=set, init=False)
    """Lines of projects' files, each after its folder: a repository may let them name each other
    as often as it likes."""

    def of(self, command: Started) -> Iterator[Premise]:
        executables = Executables(roots=self.roots, path=path_in({**os.environ, **command.env}))
        # A name stands for the program that is started by it, which is none of the workspace.
        for program in filter(None, map(executables.find, command.words)):
            yield Premise(path=program, name=self.name, run=True)
        for file in dict.fromkeys(_files_of(command)):
            yield from self._with_loaded(file)
        for named in _told_in(command):
            for folder in filter(os.path.isdir, _led(named, command.folders)):
                if not self._is_top(folder):
                    yield self._loading(folder, _ALL)
        yield from self._of_project(command)

    def _of_project(self, command: Started) -> Iterator[Premise]:
        """The files by which a project says what its runner starts, and what that is made of."""
        runners = dict.fromkeys(map(os.path.basename, command.words))
        runners = {runner: None for runner in runners if runner in _PROJECTS}
        if not runners:
            return
        named = (name for word in command.words for name in (word, word.partition("=")[2]))
        led = [
            path for name in dict.fromkeys(named) if name for path in _led(name, command.folders)
        ]
        given = [*filter(os.path.isdir, led)]
        for folder in given if "go" in runners else ():
            below = frozenset[str]() if self._is_top(folder) else None
            yield self._loading(folder, _GO, below)
        files = dict.fromkeys(file for runner in runners for file in _PROJECTS[runner])
        for folder, file in product(dict.fromkeys((*command.folders, *given)), files):
            yield Premise(path=f"{folder}/{file}", name=self.name, run=True)
            text = _text_of(f"{folder}/{file}")
            lines = _scripts_in(text, command.words) if file == _PACKAGE else [text.split()]
            for line in lines:
                yield from self._of_script(line, folder, command)

    def _of_script(self, line: Sequence[str], folder: str, command: Started) -> Iterator[Premise]:
        """What a line of such a file runs: files of programs, and other scripts."""
        if (folder, *line) in self.followed:
            return
        self.followed.add((folder, *line))
        for name in dict.fromkeys(
            word for word in line if word.endswith(_ALL) and "://" not in word
        ):
            for path in filter(os.path.isfile, _led(name, (folder,))):
                yield from self._with_loaded(path)
        if command.depth < _MAX_SCRIPT_DEPTH:
            inner = evolve(command, words=tuple(line), folders=(folder,), depth=command.depth + 1)
            yield from self._of_project(inner)

    def _with_loaded(self, program: str) -> Iterator[Premise]:
        """A program and what it loads, which may lie where links to it lead."""
        for path in dict.fromkeys((program, os.path.realpath(program))):
            yield Premise(path=path, name=self.name, run=True)
            environment = os.path.dirname(os.path.dirname(path))  # noqa: PTH120
            if any(os.path.exists(f"{environment}/{marker}") for marker in OF_AN_ENVIRONMENT):  # noqa: PTH110
                yield self._loading(environment, _PYTHON)
            yield from self._loaded_by(path)

    def _loaded_by(self, program: str) -> Iterator[Premise]:
        waiting, seen = [program], {program}
        folder, endings = os.path.dirname(program), _endings_of(program)  # noqa: PTH120
        spoken = set(sys.stdlib_module_names) if endings == _PYTHON else set[str]()
        names = _names_of(folder) if endings else None
        while waiting and endings:
            file = waiting.pop()
            text = _text_of(file)
            words = dict.fromkeys(_WORDS.findall(text))
            spoken.update(words)
            beside = [*self._named_in(text, os.path.dirname(file), endings)]  # noqa: PTH120
            yield from beside
            more = [premise.path for premise in beside if not premise.loads]
            files = (f"{word}{end}" for word in words for end in endings[:1])
            more += [f"{folder}/{file}" for file in files if names is None or _plain(file) in names]
            more = [
                module_path
                for module_path in dict.fromkeys(more)
                if module_path not in seen and os.path.isfile(module_path)  # noqa: PTH113
            ]
            seen.update(more)
            waiting += more[: max(_MAX_FILES - len(seen), 0)]
        if endings:
            is_top = self._is_top(folder)
            below = frozenset(name.casefold() for name in spoken | _PACKAGES) if is_top else None
            yield self._loading(folder, endings, below)
            while any(is_within(folder, top) for top in self.tops) and not self._is_top(folder):
                folder = os.path.dirname(folder)  # noqa: PTH120
                yield from (
                    self._loading(f"{folder}/{package}", endings) for package in sorted(_PACKAGES)
                )

    def _named_in(self, text: str, folder: str, endings: tuple[str, ...]) -> Iterator[Premise]:
        """The files and folders of the workspace to which paths in a program lead."""
        for named in dict.fromkeys(_PATHS.findall(text)):
            path = os.path.normpath(f"{folder}/{named}")
            if self._is_top(path) or not any(is_within(path, top) for top in self.tops):
                continue
            stem = os.path.splitext(path)[0]  # noqa: PTH122
            files = [path, *(f"{front}{end}" for front in (path, stem) for end in endings)]
            for file in dict.fromkeys(filter(os.path.isfile, files)):
                if file.endswith(endings):
                    yield Premise(path=file, name=self.name, run=True)
            if os.path.isdir(path):  # noqa: PTH112
                yield self._loading(path, endings)

    def _loading(
        self, folder: str, endings: tuple[str, ...], below: frozenset[str] | None = None
    ) -> Premise:
        return Premise(path=folder, name=self.name, run=True, loads=endings, below=below)

    def _is_top(self, folder: str) -> bool:
        """Whether a folder is one of the workspace's or the home, or holds one."""
        return any(is_within(top, folder) for top in self.tops)


def _files_of(command: Started) -> Iterator[str]:
    """The files that words of a command name, in whichever of its folders they are there."""
    named = [name for word in command.words for name in _names_in(word)] + _told_in(command)
    inner = [
        folder
        for name in named
        for folder in _led(name, command.folders)
        if os.path.isdir(folder)  # noqa: PTH112
    ]
    folders = dict.fromkeys((*command.folders, *inner))
    for before, word in zip(("", *command.words), command.words, strict=False):
        if not before and "/" not in word:
            # It is looked up by PATH.
            continue
        module = word.replace(".", "/") if before == "-m" else ""
        # A folder that a program is given first may be what it runs.
        parts = _MAIN if before and before == command.words[0] else ()
        for name in (*_names_in(word), *_names_in(word.partition("=")[2])):
            forms = [name, *(f"{name}/{part}" for part in parts)]
            forms += [f"{module}.py", f"{module}/__main__.py"] if module else []
            led = [path for form in forms for path in _led(form, folders)]
            there = [path for path in led if os.path.isfile(path)]  # noqa: PTH113
            yield from there
            # What is not there yet is run once it is.
            if not there and name == word and name.endswith(_ALL) and "://" not in name:
                yield led[0]


def _told_in(command: Started) -> list[str]:
    """What its variables say that may be paths, but for where programs are looked for."""
    values = (value for name, value in command.env.items() if name != "PATH")
    return [name for value in values for name in _names_in(value)]


def _names_in(word: str) -> tuple[str, ...]:
    """What in a word may be a path: itself first."""
    return tuple(dict.fromkeys((word, *sorted(pieces_of(word))))) if word else ()


def _scripts_in(package: str, words: Sequence[str]) -> Iterator[list[str]]:
    """The scripts of a `package.json` that words name, with those that run before and after."""
    try:
        scripts = json.loads(package)["scripts"]
        names = [f"{when}{word}" for word in words for when in ("", "pre", "post")]
        yield from (shlex.split(str(scripts[name])) for name in names if name in scripts)
    except (ValueError, KeyError, TypeError, RecursionError):
        return


def _led(name: str, folders: Iterable[str]) -> list[str]:
    path = os.path.expanduser(name)  # noqa: PTH111
    return [os.path.normpath(os.path.join(folder, path)) for folder in folders if "\0" not in path]  # noqa: PTH118


def _endings_of(program: str) -> tuple[str, ...]:
    """The endings of what a program loads; any where it is a script without one."""
    ending = next(
        (language for language in _LANGUAGES if program.casefold().endswith(language)), None
    )
    if ending is not None:
        return ending
    try:
        with open(program, "rb") as file:  # noqa: PTH123
            return _ALL if file.read(2) == _SCRIPT else ()
    except OSError:
        return ()


def _names_of(folder: str) -> set[str] | None:
    """What lies in a folder, in the plain form of its names; None where that cannot be listed."""
    try:
        return {_plain(name) for name in os.listdir(folder)}  # noqa: PTH208 -- strings here
    except OSError:
        return None


def _plain(name: str) -> str:
    """A form that is equal for all spellings of a name that any file system takes as equal."""
    return name if name.isascii() and name.islower() else normalize("NFKC", name).casefold()


def _text_of(file: str) -> str:
    try:
        return read_ordinary(file, _MAX_PROGRAM_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
