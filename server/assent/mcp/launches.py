"""How each server that the person set up is started, or reached: from its entry in the settings."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from assent.browser.preset import started
from assent.catalogue.source import NodeFailed
from assent.disk.executables import Executables
from assent.errors import AssentError
from assent.mcp.launch import Launch
from assent.policy.secretwords import names_secret
from assent.settings.paths import browser_folder, state_path
from assent.settings.references import Reference, filled, references_in
from assent.settings.served import ServerEntry
from assent.shells.surroundings import inherited
from assent.values import field, frozen

__all__ = ["Launches", "Secret", "program_of"]

Secret = Callable[[str, str], Awaitable[str | None]]
"""A secret by its name, for whom; None where there is none."""

_ABSENT: Final = "{} is not running at {}; start it, and ask again"


@frozen(kw_only=True)
class Launches:
    """Makes them, with the secrets that their entries name."""

    secret: Secret
    roots: Callable[[], tuple[str, ...]]
    output: Path = field(factory=lambda: browser_folder(state_path()))
    """Where a browser puts what it makes."""

    async def of(self, entry: ServerEntry) -> Launch:
        """One of them; raises `NodeFailed`."""
        values = await self._values(entry)
        if entry.url:
            return _reached(entry, values)
        own = filled(entry.env, values)
        env = {**inherited(os.environ), **own}
        programs = Executables(roots=self.roots(), path=env.get("PATH", os.defpath))
        program, args = await asyncio.to_thread(self._begun, entry, programs)
        return Launch(
            name=entry.name,
            program=program,
            args=args,
            env={**env, "PATH": programs.outside()},
            named=tuple(sorted(own)),
            given=_told_to_nobody(values),
            known=entry.known,
            workspace=entry.workspace,
        )

    def _begun(self, entry: ServerEntry, programs: Executables) -> tuple[str, tuple[str, ...]]:
        """The program of a server and its words."""
        if entry.preset:
            output = self.output / entry.name
            return started(entry.name, programs, output, headed=entry.headed)
        return program_of(entry, programs), entry.args

    async def _values(self, entry: ServerEntry) -> dict[Reference, str]:
        """What the references of a server's variables stand for."""
        found: dict[Reference, str] = {}
        where = "headers" if entry.url else "env"
        given = {**entry.headers, "oauth": entry.client_secret} if entry.url else entry.env
        for it in references_in(given):
            if it.kind == "env":
                value = os.environ.get(it.name)
            else:
                try:
                    value = await self.secret(it.name, entry.name)
                except AssentError:
                    value = None
            if value is None or "\0" in value:
                what = "variable" if it.kind == "env" else "secret"
                raise NodeFailed(
                    f"{entry.name} was not started: the {what} {it.name}, which"
                    f" assent.mcpServers.{entry.name}.{where} names, is not to be had."
                )
            found[it] = value
        return found


def _told_to_nobody(values: dict[Reference, str]) -> tuple[str, ...]:
    """The values that nobody else may read: a folder or a language of the editor's is none."""
    hidden = (by for by in values if by.kind == "secret" or names_secret(by.name, is_name=True))
    return tuple(sorted({values[it] for it in hidden}))


def _reached(entry: ServerEntry, values: dict[Reference, str]) -> Launch:
    """One that is somewhere else."""
    headers = filled(entry.headers, values)
    if odd := [name for name, it in headers.items() if not _is_sendable(it)]:
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
        given=_told_to_nobody(values),
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
    where = f"change assent.mcpServers.{entry.name}.command."
    path = os.path.expanduser(entry.command)  # noqa: PTH111 -- a string in and out
    if "/" not in path:
        found = programs.find(path)
        if found is None:
            raise NodeFailed(
                f"{entry.name} was not started: there is no program `{path}` outside of this"
                f" workspace; install it or {where}"
            )
        return found
    if not os.path.isabs(path):  # noqa: PTH117 -- a string
        raise NodeFailed(
            f"{entry.name} was not started: its command is named in full or by its name alone;"
            f" {where}"
        )
    if not os.access(path, os.X_OK):
        raise NodeFailed(f"{entry.name} was not started: `{path}` cannot be run; {where}")
    return path
