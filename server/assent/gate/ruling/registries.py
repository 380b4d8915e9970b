"""The hosts that a program reaches without naming one: its registry, or one set in files here.

`npm ci`, `git fetch` and `pip install x` reach whatever they are set to. Where their words are
known, that stands in few files; where one of these cannot be read, nobody can tell.
"""

from collections.abc import Iterator
from itertools import pairwise
from posixpath import dirname
from typing import Final

from assent.gate.programs.flag_lexicon import Meaning, meaning_of
from assent.gate.ruling.command_analysis import CommandAnalysis
from assent.gate.ruling.ruling_context import RulingContext, against
from assent.gate.shell.script import Command
from assent.gate.text.lazy_patterns import late

__all__ = ["asked_by"]

_NPM: Final = "npm pnpm yarn bun npx pnpx bunx"
_PIP: Final = "pip pip3 uv uvx poetry pdm pipenv hatch rye"
_CALLED: Final = {
    _NPM: "npm yarn jsr github",
    _PIP: "pypi python",
    "cargo": "crates github",
    "go": "golang goproxy",
    "gem bundle bundler": "gem",
    "composer": "packagist github",
    "docker podman": "docker",
    "git": "",
}
"""What stands in the names of the hosts that programs ask which are told of no others."""
_ENDINGS: Final = tuple(f"nobody.{it}" for it in "org io com net dev".split())
"""A rule that is about one of these is about far more than one host."""
_FILES: Final = {
    _NPM: "package.json .npmrc .yarnrc .yarnrc.yml bunfig.toml ~/.npmrc ~/.yarnrc ~/.yarnrc.yml",
    _PIP: "pyproject.toml requirements.txt Pipfile uv.toml pip.conf ~/.pypirc ~/.pip/pip.conf"
    " ~/.config/pip/pip.conf ~/.config/uv/uv.toml",
    "cargo": ".cargo/config.toml .cargo/config Cargo.toml ~/.cargo/config.toml ~/.cargo/config",
    "go": "go.mod go.work ~/.config/go/env",
    "gem bundle bundler": ".bundle/config Gemfile ~/.bundle/config ~/.gemrc",
    "composer": "composer.json ~/.composer/config.json ~/.config/composer/config.json",
    "docker podman": "compose.yaml compose.yml docker-compose.yml docker-compose.yaml"
    " ~/.docker/config.json",
    "git": ".git/config config ~/.gitconfig ~/.config/git/config",
}
"""Which files tell them of others: here, in a folder above, or in the home."""
_SAID: Final = {
    name: (called.split(), _FILES[names].split())
    for names, called in _CALLED.items()
    for name in names.split()
}
_HOST: Final = late(r"(?<![\w-])[\w-]++(?:\.[\w-]++)+")
_ELSEWHERE: Final = frozenset(
    "-C --prefix --git-dir --work-tree -c --cwd --dir --directory".split()
)
"""Options that say where a program works, or what it is set to."""
_STEERED: Final = late(r"GIT_[A-Z]|(?i:npm_config|_registry)|PIP_|UV_|CARGO_|GO[A-Z]+=|BUNDLE_")
"""How variables are called that do."""
_MAX_FOLDERS_UP: Final = 12
"""So many folders above are looked into."""
_FURTHER: Final = frozenset("-r --requirement -c --constraint -f --file --env-file".split())
"""Options that name a file which may say more."""


def asked_by(case: CommandAnalysis) -> frozenset[str] | None:
    """The hosts that files name for a program of which no word does; None where nobody can tell."""
    context, command = case.context, case.command
    told = _SAID.get(command.program)
    if told is None or command.assignments or _is_steered(context, command):
        return None
    called, files = told
    if _is_wide(context) or any(it in rule.text for rule in context.book.rules for it in called):
        return None
    folders = [target.resolved for target in case.anywhere if target is not None]
    if not folders or len(folders) < len(case.anywhere):
        return None
    if command.program == "git" and any(
        it for at in folders for it in _above(context, at, [".git"])
    ):
        # What lies there says that the repository lies elsewhere.
        return None
    here = [it for folder in folders for it in _above(context, folder, files)]
    named = [
        *filter(_of_home, files),
        *(to.text for at, to in pairwise(command.argv[1:]) if at.text in _FURTHER),
    ]
    texts = here + [_text(context, it, folder) for it in named for folder in folders]
    if None in texts:
        return None
    # What is set by the call itself stands in it.
    texts.append(_said_by_call(context))
    said = (host for text in texts if text for host in _HOST.findall(text))
    return frozenset(map(str.casefold, said))


def _said_by_call(context: RulingContext) -> str:
    return f"{context.text} {context.call.input.get('env')}"


def _is_steered(context: RulingContext, command: Command) -> bool:
    """Whether it is told where to look, or what it is told is not known."""
    words = command.argv[1:]
    names = [word.text.partition("=") for word in words if word.text[:1] == "-"]
    known = all(word.known and not word.glob and "://" not in word.text for word in words)
    told = any(
        name in _ELSEWHERE or (name in _FURTHER and equals) or meaning_of(name) is Meaning.STEERS
        for name, equals, _ in names
    )
    return not known or told or _STEERED.search(_said_by_call(context)) is not None


def _is_wide(context: RulingContext) -> bool:
    """Whether a rule is about hosts of any name."""
    return any(against(context.book.host(ending, context)) is not None for ending in _ENDINGS)


def _of_home(name: str) -> bool:
    return name[0] == "~"


def _above(context: RulingContext, folder: str, files: list[str]) -> Iterator[str | None]:
    """What stands in the files of these names, in a folder and in those above it."""
    at = folder
    for _ in range(_MAX_FOLDERS_UP):
        yield from (_said(context, f"{at}/{file}") for file in files if not _of_home(file))
        if at in ("/", ""):
            break
        at = dirname(at)


def _said(context: RulingContext, file: str) -> str | None:
    """What stands in a file; a folder that is called so says nothing."""
    text = context.facts.contents(file)
    return "" if text is None and context.facts.enters(file) else text


def _text(context: RulingContext, name: str, folder: str) -> str | None:
    target = context.located(name, folder)
    return None if target is None else _said(context, target.resolved)
