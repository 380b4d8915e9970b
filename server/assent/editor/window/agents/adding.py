"""Adds an agent of the registry for the person: installs it, and writes it into the settings."""

import asyncio
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from assent.editor.cards.spans import line, text_of
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import chats, editor
from assent.editor.protocol import offers as shapes
from assent.editor.window.settings.setting_writes import twice, write
from assent.editor.window.settings.workspace import Workspace
from assent.gate.call.calls import AgentId
from assent.gate.call.errors import AgentFailed, AssentError
from assent.gate.disk.executables import Executables
from assent.gate.settings.paths import agents_folder
from assent.gate.values import define, field
from assent.hosting.install.installing import Installed, install
from assent.hosting.install.offers import kept_listing, listing
from assent.hosting.install.on_path import OnPath, is_still, on_path
from assent.hosting.install.registry import PROGRAM, Offer

__all__ = ["AgentAdding"]

_KEY: Final = "agents"
_SOURCES: Final = {"npx": "npm", "uvx": "PyPI"}
_INSTALL: Final = "Install"
_ADD: Final = "Add"
_ON_PATH: Final = "on your PATH"
_TAKEN: Final = "There is an agent called {} already, and it stays."
_YOURS: Final = "A program that you install yourself"
_NOT_HERE: Final = "{} is not started before you say where its program is."
_STOPPED: Final = "You stopped it, so nothing was installed."


@define(kw_only=True)
class AgentAdding:
    """The offers, and what is being installed."""

    _wire: Wire
    _workspace: Workspace
    _state: Path
    _programs: Callable[[], Executables]
    _offers: dict[str, Offer] = field(init=False, factory=dict)
    """What was offered last: nothing else can be installed."""
    _there: dict[str, OnPath] = field(init=False, factory=dict)
    """What was on PATH then."""
    _running: dict[str, asyncio.Event] = field(init=False, factory=dict)
    """Set by whoever stops one."""

    async def offers(self, _: object) -> shapes.AgentOffers:
        """`agent/offers`: what can be added."""
        registry = await listing(self._state / "registry.json")
        programs = self._programs()
        there = await asyncio.to_thread(on_path, programs)
        self._offers = {offer.id: offer for offer in registry.offers}
        self._there = {agent.id: agent for agent in there}
        listed = [self._agent_offer(offer, programs) for offer in registry.offers]
        agent_offers = [*map(self._offer_on_path, there), *listed]
        return shapes.AgentOffers(offers=agent_offers, note=registry.note)

    async def kept_offers(self) -> tuple[list[shapes.AgentOffer], list[shapes.AgentOffer]]:
        """Those on PATH, and those of the list that was kept last: nobody is asked for either."""
        programs = self._programs()
        there = await asyncio.to_thread(on_path, programs)
        kept = await asyncio.to_thread(kept_listing, self._state / "registry.json")
        on_hand = [self._offer_on_path(agent) for agent in there]
        return on_hand, [self._agent_offer(offer, programs) for offer in kept]

    async def add(self, params: shapes.AgentOfferRef) -> shapes.AgentAdded:
        """`agent/add`: install one of them, if the person says so once more, and write it down."""
        if (there := self._there.get(params.offer_id)) is not None:
            return await self._add_there(there)
        offer = self._offers.get(params.offer_id)
        if offer is None:
            raise AssentError("This agent is not offered any more: open the list again.")
        if self._has(offer.id):
            raise AssentError(_TAKEN.format(offer.id))
        if offer.installer == PROGRAM:
            return await self._add_program(offer, params.path)
        if offer.id in self._running:
            raise AssentError(f"{offer.name} is being installed already.")
        self._running[offer.id] = stopped = asyncio.Event()
        try:
            if not await self._agreed(offer):
                return shapes.AgentAdded(added=False)
            installed = await self._installed(offer, stopped)
        finally:
            del self._running[offer.id]
        entry = {"name": offer.name, "command": installed.command, "args": [*installed.args]}
        await self._put(offer.id, {**entry, **({"env": offer.env} if offer.env else {})})
        return shapes.AgentAdded(added=True)

    async def _add_there(self, agent: OnPath) -> shapes.AgentAdded:
        """Write down one that is on PATH, if the person says so once more."""
        if self._has(agent.id):
            raise AssentError(_TAKEN.format(agent.id))
        words = (agent.command, *agent.args)
        if not await self._agreed_to_start(f"Add {agent.name} from your PATH?", words):
            return shapes.AgentAdded(added=False)
        if not await asyncio.to_thread(is_still, agent):
            raise AssentError(f"{agent.command} is another program by now, so it was not added.")
        entry = {"name": agent.name, "command": agent.command, "args": [*agent.args]}
        await self._put(agent.id, entry)
        return shapes.AgentAdded(added=True)

    async def _add_program(self, offer: Offer, path: str) -> shapes.AgentAdded:
        """Write down one that the person has installed, if they say so once more."""
        name, programs = _inert(offer.name), self._programs()
        command = path or programs.find(offer.package)
        if command is None:
            raise AssentError(_NOT_HERE.format(name))
        await asyncio.to_thread(_check_fit, command, name, programs)
        words = (command, *offer.args)
        if not await self._agreed_to_start(f"Add {name} from this machine?", words, offer.env):
            return shapes.AgentAdded(added=False)
        entry = {"name": offer.name, "command": command, "args": [*offer.args]}
        await self._put(offer.id, {**entry, **({"env": offer.env} if offer.env else {})})
        return shapes.AgentAdded(added=True)

    async def _agreed_to_start(
        self, title: str, words: Sequence[str], env: Mapping[str, str] | None = None
    ) -> bool:
        """Whether the person has a program added that is there already."""
        detail = (
            f"It is started with `{_command(words)}`, as it is whenever that happens;"
            " nothing is installed. It will run with your rights, as any program does."
        )
        detail += _given(env or {})
        asked = editor.Confirm(title=title, detail=detail, actions=[_ADD])
        return (await self._wire.request("ui/confirm", asked, editor.Confirmed)).action == _ADD

    async def stop(self, params: shapes.AgentOfferRef) -> chats.Nothing:
        """`agent/stopAdding`: leave nothing of it."""
        running = self._running.get(params.offer_id)
        if running is not None:
            running.set()
        return chats.Nothing()

    async def _agreed(self, offer: Offer) -> bool:
        env = _given(offer.env)
        words = f"\nIt is started with `{_command(offer.args)}`." if offer.args else ""
        confirmed = await self._wire.request(
            "ui/confirm",
            editor.Confirm(
                title=f"Install {_inert(offer.name)} {offer.version}?",
                detail=f"It comes from {_source(offer)} and goes into Assent's own folder,"
                " without the scripts that packages run when they are installed. The agent will"
                f" run with your rights, as any program does.{words}{env}",
                actions=[_INSTALL],
            ),
            editor.Confirmed,
        )
        return confirmed.action == _INSTALL

    async def _installed(self, offer: Offer, stopped: asyncio.Event) -> Installed:
        heard = _Heard(wire=self._wire, of=offer.id)
        async with asyncio.TaskGroup() as group:
            working = group.create_task(self._attempt(offer, heard.take))
            beside = [group.create_task(work) for work in (heard.tell(), stopped.wait())]
            await asyncio.wait([working, beside[-1]], return_when=asyncio.FIRST_COMPLETED)
            for task in (working, *beside):
                task.cancel()
        if working.cancelled():
            raise AssentError(_STOPPED)
        outcome = working.result()
        if isinstance(outcome, AgentFailed):
            raise outcome
        return outcome

    async def _attempt(self, offer: Offer, tell: Callable[[str], None]) -> Installed | AgentFailed:
        try:
            return await install(offer, agents_folder(self._state), self._programs(), tell)
        except AgentFailed as error:
            return error
        except (OSError, ValueError) as error:
            return AgentFailed(f"{offer.name} could not be installed: {error}.")

    async def _put(self, id_: str, entry: Mapping[str, Any]) -> None:
        await twice(lambda: self._write(id_, entry))
        await self._workspace.reload()

    async def _write(self, id_: str, entry: Mapping[str, Any]) -> None:
        await self._workspace.reload()
        setting = self._workspace.keys.get(_KEY, {}).get("user")
        before: dict[str, Any] = setting if isinstance(setting, dict) else {}
        if id_ in before:
            raise AssentError(_TAKEN.format(id_))
        await write(self._wire, "user", _KEY, before=setting, value={**before, id_: entry})

    def _offer_on_path(self, agent: OnPath) -> shapes.AgentOffer:
        return shapes.AgentOffer(
            id=agent.id,
            name=agent.name,
            version=_ON_PATH,
            says="You have it already.",
            source=agent.command,
            added=self._has(agent.id),
        )

    def _agent_offer(self, offer: Offer, programs: Executables) -> shapes.AgentOffer:
        path = programs.find(offer.package) if offer.installer == PROGRAM else None
        return shapes.AgentOffer(
            id=offer.id,
            name=offer.name,
            version=offer.version,
            says=offer.says,
            source=(path or _YOURS) if offer.installer == PROGRAM else _source(offer),
            added=self._has(offer.id),
            wants_path=offer.installer == PROGRAM and not path,
        )

    def _has(self, id_: str) -> bool:
        return self._workspace.agent(AgentId(id_)) is not None


@define(kw_only=True)
class _Heard:
    """The last line of an installation, told as fast as the editor takes it."""

    _wire: Wire
    _of: str
    _last: str = ""
    _news: asyncio.Event = field(init=False, factory=asyncio.Event)

    def take(self, says: str) -> None:
        """Something was said."""
        self._last = says
        self._news.set()

    async def tell(self) -> None:
        """Tell what is said, for as long as it goes on."""
        with suppress(AssentError):  # An editor that shows no progress is no reason to stop.
            while await self._news.wait():
                self._news.clear()
                said = editor.Progress(of=self._of, says=self._last)
                await self._wire.request("ui/progress", said, chats.Nothing)


def _inert(text: str) -> str:
    """The words of a list, with a sign for each letter that would be more than a letter."""
    return text_of(line(text))


def _command(words: Sequence[str]) -> str:
    """Words as a shell would be given them, so that one with blanks is no two."""
    return _inert(shlex.join(words))


def _given(env: Mapping[str, str]) -> str:
    return "".join(f"\nIt is given {name}={_command([value])}." for name, value in env.items())


def _source(offer: Offer) -> str:
    return f"{_SOURCES[offer.installer]}: {offer.package}"


def _check_fit(command: str, name: str, programs: Executables) -> None:
    """Raise where a file is not to be started as an agent."""
    path = Path(command)
    if not path.is_absolute() or not path.is_file() or not os.access(path, os.X_OK):
        raise AssentError(f"{_inert(command)} is no program, so {name} was not added.")
    doubt = programs.doubt(command)
    if doubt is not None:
        raise AssentError(f"{name} was not added: its program is {_inert(doubt)}.")
