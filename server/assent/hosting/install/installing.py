"""Installs one version of an agent's package into a folder of Assent's own.

The package manager of the person does it, without the scripts that packages run when they are
installed. What was not installed whole is not there at all: it is made beside its place and moved
into it in the end.
"""

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from assent.gate.call.errors import AgentFailed
from assent.gate.disk.executables import Executables
from assent.gate.processes.shell_environment import inherited
from assent.gate.processes.subprocesses import killed_on_exit, start_program
from assent.gate.values import frozen
from assent.hosting.install.registry import Offer

__all__ = ["Installed", "install"]

_MAX_LINE_LETTERS: Final = 400
"""In letters: so much of a line is told."""
_MAX_LAST_LINES: Final = 6
_MAX_LINE_BYTES: Final = 4 * 1024 * 1024
_NPM: Final = (
    *("install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier"),
    *("--save-exact", "--omit=dev", "--loglevel=http"),
)
_UV: Final = ("tool", "install", "--no-build", "--no-progress")


@frozen(kw_only=True)
class Installed:
    """An agent that is there, as it is started."""

    command: str
    args: tuple[str, ...]


async def install(
    offer: Offer, folder: Path, programs: Executables, tell: Callable[[str], None]
) -> Installed:
    """Install what is offered below a folder; `tell` hears how it goes.

    Cancelled, it leaves nothing. What is there already is taken as it is.
    """
    place = folder / offer.id / offer.version
    if not place.exists():
        # What uv makes names its own folder, so that has to be the one where it stays.
        made = place if offer.installer == "uvx" else place.with_name(f".{offer.version}.part")
        await asyncio.to_thread(_emptied, made)
        try:
            await _have_installed(offer, made, programs, tell)
            _started(offer, made, programs)
            if made != place:
                await asyncio.to_thread(os.replace, made, place)
        except BaseException:
            await asyncio.to_thread(shutil.rmtree, made, ignore_errors=True)
            raise
    return _started(offer, place, programs)


def _emptied(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)


async def _have_installed(
    offer: Offer, folder: Path, programs: Executables, tell: Callable[[str], None]
) -> None:
    """Have the package manager of the package's kind install it."""
    if offer.installer == "npx":
        (folder / "package.json").write_text('{"private": true}\n', "utf-8")
        npm = _find_program(programs, "npm", "Node.js")
        package = f"{offer.package}@{offer.version}"
        await _run((npm, *_NPM, package), folder, programs, {}, tell)
        return
    env = {"UV_TOOL_DIR": str(folder / "tools"), "UV_TOOL_BIN_DIR": str(folder / "bin")}
    uv = _find_program(programs, "uv", "uv")
    await _run((uv, *_UV, f"{offer.package}=={offer.version}"), folder, programs, env, tell)


def _find_program(programs: Executables, name: str, what: str) -> str:
    path = programs.find(name)
    if path is None:
        raise AgentFailed(f"`{name}` was not found outside this workspace: install {what} first.")
    return path


async def _run(
    words: Sequence[str],
    folder: Path,
    programs: Executables,
    env: dict[str, str],
    tell: Callable[[str], None],
) -> None:
    last: list[str] = []
    env = {**inherited(os.environ), **env, "PATH": programs.outside(), "NO_COLOR": "1"}
    async with _running(words, folder, env) as process:
        assert process.stdout is not None  # noqa: S101 -- it was started with a pipe
        async for line in process.stdout:
            text = line.decode("utf-8", "replace").strip()[:_MAX_LINE_LETTERS]
            if text:
                last = [*last[1 - _MAX_LAST_LINES :], text]
                tell(text)
        code = await process.wait()
    if code != 0:
        said = " ".join(last) or "It said nothing."
        raise AgentFailed(f"{Path(words[0]).name} could not install it. {said}")


@asynccontextmanager
async def _running(
    words: Sequence[str], folder: Path, env: dict[str, str]
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A program which is gone in the end with all that it started."""
    try:
        process = await start_program(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.STDOUT,
            cwd=folder,
            env=env,
            limit=_MAX_LINE_BYTES,
        )
    except OSError as error:
        raise AgentFailed(f"{words[0]} could not be started: {error.strerror}.") from error
    async with killed_on_exit(process):
        yield process


def _started(offer: Offer, folder: Path, programs: Executables) -> Installed:
    """How the installed agent is started; raise where its package names no program of its own."""
    if offer.installer == "npx":
        script = _script(offer, folder)
        return Installed(
            command=_find_program(programs, "node", "Node.js"), args=(str(script), *offer.args)
        )
    program = folder / "bin" / offer.package
    if not program.exists():
        raise AgentFailed(f"{offer.package} has no program called {program.name}.")
    return Installed(command=str(program), args=offer.args)


def _script(offer: Offer, folder: Path) -> Path:
    """The script of a package of npm that bears its name, or the only one that it has."""
    package = folder / "node_modules" / offer.package
    try:
        manifest = json.loads((package / "package.json").read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise AgentFailed(f"{offer.package} was installed without its description.") from error
    manifest = manifest if isinstance(manifest, dict) else {}
    bins = manifest.get("bin")
    named = {"": bins} if isinstance(bins, str) else bins if isinstance(bins, dict) else {}
    name = offer.package.rpartition("/")[2]
    chosen = named.get(name, next(iter(named.values())) if len(named) == 1 else None)
    script = (package / str(chosen)).resolve()
    if chosen is None or manifest.get("version") != offer.version or not script.is_file():
        raise AgentFailed(f"{offer.package} {offer.version} names no program to start.")
    if not script.is_relative_to(package.resolve()):
        raise AgentFailed(f"{offer.package} names a program outside itself.")
    return script
