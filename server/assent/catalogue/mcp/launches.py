"""How to start or reach each server of the person's settings, or of files that they agreed to."""

import asyncio
import hashlib
import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from assent.catalogue.browser.preset import started
from assent.catalogue.mcp.launch import Launch
from assent.catalogue.nodes.source import NodeFailed
from assent.gate.call.errors import AssentError
from assent.gate.disk.executables import Executables
from assent.gate.disk.files import open_resolved
from assent.gate.processes.shell_environment import inherited
from assent.gate.ruling.secret_words import names_secret
from assent.gate.settings.env_files import MAX_FILE_BYTES, variables_in
from assent.gate.settings.environment import variable
from assent.gate.settings.inputs import ServerInput, put_in
from assent.gate.settings.paths import browser_folder, state_path
from assent.gate.settings.references import Reference, filled, references_in
from assent.gate.settings.tool_servers import ServerEntry
from assent.gate.values import field, frozen

__all__ = ["Launches", "Said", "Secret", "program_of"]

Secret = Callable[[str, str], Awaitable[str | None]]
"""A secret by its name, for whom; None where there is none."""

Variable = Callable[[str], Awaitable[str | None]]
"""A variable of the person's environment by its name."""

Said = Callable[[ServerEntry, ServerInput], Awaitable[str | None]]
"""What the person says of something that a server asks for; None where they say nothing."""


Renew = Callable[[ServerEntry], Awaitable[None]]
"""Asks the person anew for all of that."""


async def _variable_here(name: str) -> str | None:
    return variable(name)


async def _nothing_said(_: ServerEntry, __: ServerInput) -> None:
    """Nobody is asked."""


async def _nothing_renewed(_: ServerEntry) -> None:
    """Nobody is asked."""


_ABSENT: Final = "{} is not running at {}; start it, and ask again"


@frozen(kw_only=True)
class Launches:
    """Makes them, with the secrets that their entries name."""

    secret: Secret
    roots: Callable[[], tuple[str, ...]]
    variable: Variable = _variable_here
    said: Said = _nothing_said
    renew: Renew = _nothing_renewed
    output: Path = field(factory=lambda: browser_folder(state_path()))
    """Where a browser puts what it makes."""

    async def of(self, entry: ServerEntry) -> Launch:
        """One of them; raises `NodeFailed`."""
        values = await self._values(entry)
        said = await self._answers(entry)
        hidden = {*_told_to_nobody(entry, values), *_hidden(entry, said)}
        if entry.url:
            return _reached(entry, values, said, hidden)
        read = await asyncio.to_thread(_variables, entry) if entry.env_file else {}
        own = {**read, **filled(entry.env, values, lambda text: put_in(text, said))}
        env = {**inherited(os.environ), **own}
        programs = Executables(roots=self.roots(), path=env.get("PATH", os.defpath))
        program, args = await asyncio.to_thread(self._begun, entry, programs)
        return Launch(
            name=entry.name,
            program=program,
            args=tuple(put_in(arg, said) for arg in args) if said else args,
            written=args,
            env={**env, "PATH": programs.outside()},
            named=tuple(sorted(own)),
            given=tuple(sorted(hidden | {*read.values()})),
            known=entry.known,
            workspace=entry.workspace,
            bound=entry.bound,
        )

    def _begun(self, entry: ServerEntry, programs: Executables) -> tuple[str, tuple[str, ...]]:
        """The program of a server and its words."""
        if entry.preset:
            output = self.output / entry.name
            return started(entry.name, programs, output, headed=entry.headed)
        return program_of(entry, programs), entry.args

    async def _answers(self, entry: ServerEntry) -> dict[str, str]:
        """What the person said of all that a server asks for, by ids."""
        answers: dict[str, str] = {}
        for asked in entry.inputs:
            value = await self.said(entry, asked)
            if value is None or "\0" in value:
                raise NodeFailed(
                    f"{entry.name} was not started: you did not say what {asked.id} is, for which"
                    " it asks; *Restart* in *Assent: MCP Servers…* asks you again."
                )
            answers[asked.id] = value
        return answers

    async def _values(self, entry: ServerEntry) -> dict[Reference, str]:
        """What the references of a server's variables stand for."""
        known: dict[Reference, str] = {}
        given = {**entry.headers, "oauth": entry.client_secret} if entry.url else entry.env
        for reference in references_in(given):
            if reference.kind == "env":
                value = await self.variable(reference.name) or reference.default
            else:
                try:
                    value = await self.secret(reference.name, entry.name)
                except AssentError:
                    value = None
            if value is None or "\0" in value:
                raise NodeFailed(_missing(entry, reference))
            known[reference] = value
        return known


_OPEN: Final = frozenset("HOME LANG LOGNAME PATH PWD SHELL TERM TMPDIR USER".split())


def _missing(entry: ServerEntry, reference: Reference) -> str:
    where = "headers" if entry.url else "env"
    if entry.workspace:
        return (
            f"{entry.name} was not started: the variable {reference.name} is not set where the"
            f" editor was started, and {entry.file} names it in `{where}` without a default."
        )
    what = "variable" if reference.kind == "env" else "secret"
    return (
        f"{entry.name} was not started: the {what} {reference.name}, which"
        f" assent.mcpServers.{entry.name}.{where} names, is not to be had."
    )


def _told_to_nobody(entry: ServerEntry, values: dict[Reference, str]) -> tuple[str, ...]:
    """The values that nobody else may read: a folder or a language of the editor's is none.

    Of what a workspace names, only those variables are none that say who and where the person is.
    """
    hidden = (
        reference
        for reference in values
        if reference.kind == "secret"
        or names_secret(reference.name, is_name=True)
        or (entry.workspace and reference.name not in _OPEN)
    )
    kept = {values[reference] for reference in hidden if values[reference] != reference.default}
    return tuple(sorted(kept))


def _hidden(entry: ServerEntry, said: Mapping[str, str]) -> set[str]:
    """Of what the person said, what nobody else may read: typed unseen, or a secret by its name."""
    return {
        said[asked.id]
        for asked in entry.inputs
        if asked.hidden or names_secret(asked.id, is_name=True)
    }


def _variables(entry: ServerEntry) -> dict[str, str]:
    """What stands in its file of variables, if that still is what the person was asked about."""
    try:
        with os.fdopen(open_resolved(entry.env_file), "rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
        if hashlib.sha256(data).hexdigest() == entry.env_digest:
            return variables_in(data.decode())
    except (OSError, ValueError):
        pass
    raise NodeFailed(
        f"{entry.name} was not started: {entry.env_file} is not what it was when you were asked"
        " about it; look for a tool again."
    )


def _reached(
    entry: ServerEntry, values: dict[Reference, str], said: Mapping[str, str], hidden: set[str]
) -> Launch:
    """One that is somewhere else."""
    headers = filled(entry.headers, values, lambda text: put_in(text, said))
    if odd := [name for name, value in headers.items() if not _is_sendable(value)]:
        raise NodeFailed(
            f"{entry.name} was not asked: what stands in its header {odd[0]} cannot be sent in one."
        )
    named = tuple(sorted(headers))
    return Launch(
        name=entry.name,
        url=entry.url,
        absent=_ABSENT.format(entry.preset, entry.url) if entry.preset else "",
        headers=headers,
        named=named,
        given=tuple(sorted(hidden)),
        workspace=entry.workspace,
        client=entry.client_id,
        client_secret=filled({"": entry.client_secret}, values)[""],
        port=entry.port,
    )


def _is_sendable(value: str) -> bool:
    """Whether it can stand in a header; who sends one that cannot would say what it is."""
    return value.isascii() and value.isprintable() and value == value.strip()


def program_of(entry: ServerEntry, programs: Executables) -> str:
    """The file that is run: named in full, or found outside the workspace; raises `NodeFailed`."""
    setting = f"assent.mcpServers.{entry.name}.command"
    where = f"change {entry.file if entry.workspace else setting}."
    path = os.path.expanduser(entry.command)  # noqa: PTH111 -- a string in and out
    if "/" not in path:
        program = programs.find(path)
        if program is None:
            raise NodeFailed(
                f"{entry.name} was not started: there is no program `{path}` outside of this"
                f" workspace; install it or {where}"
            )
        return program
    if not os.path.isabs(path):  # noqa: PTH117 -- a string
        raise NodeFailed(
            f"{entry.name} was not started: its command is named in full or by its name alone;"
            f" {where}"
        )
    if not os.access(path, os.X_OK):
        raise NodeFailed(f"{entry.name} was not started: `{path}` cannot be run; {where}")
    return path
