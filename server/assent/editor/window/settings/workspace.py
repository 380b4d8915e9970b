"""The workspace as the person set it up: settings in force, wishes, trust.

Reads anew whenever the editor says that something changed. Tightening holds at once; whatever
would widen is a question, and until a person has answered it nothing widens. Where the settings
cannot be read any more, what they asked about and denied goes on being asked and denied.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from assent.editor.lsp.editor_requests import EditorSilent, NotOffered, in_time
from assent.editor.lsp.wire import Wire
from assent.editor.protocol import editor
from assent.editor.window.chats.board import Board, Facts
from assent.editor.window.consent.wish_questions import WishQuestions
from assent.editor.window.settings.diagnostics import Diagnostics
from assent.editor.window.settings.layer_files import LayerFiles, files_of, illegible_in, with_lines
from assent.editor.window.settings.premises_survey import Surveyor
from assent.editor.window.spawn import Spawn, each_for_itself
from assent.gate.approvals.tickets import Outcome
from assent.gate.approvals.waiting_room import WaitingRoom
from assent.gate.call.calls import AgentId
from assent.gate.call.errors import AssentError
from assent.gate.disk.places import Places
from assent.gate.disk.premises.index import Premises
from assent.gate.journal.journal import Journal
from assent.gate.rules.book import Book
from assent.gate.settings.agents import ASSENT, ELIZA, AgentEntry
from assent.gate.settings.attestation import Attestations
from assent.gate.settings.claims import asked_again
from assent.gate.settings.folders import only_folder
from assent.gate.settings.managed import Managed
from assent.gate.settings.reading import Reading, read, read_unattributed
from assent.gate.settings.rules import together
from assent.gate.settings.unreadable_settings import illegible, tightened, without_settings
from assent.gate.settings.wishes import REPOSITORY, Standing, Wish
from assent.gate.values import Factory, define, field
from assent.hosting.terminals.terminals import name_of

__all__ = ["Workspace"]

_LOG = logging.getLogger(__name__)
_BUILT_IN: Final = frozenset({ASSENT.id, ELIZA.id})

WorkResult = TypeVar("WorkResult")
Keys = Mapping[str, Mapping[str, Any]]


@define
class Workspace:
    """What holds, and how it comes to hold."""

    _wire: Wire
    _room: WaitingRoom
    _board: Board
    _journal: Journal
    _built_in: tuple[AgentEntry, ...]
    _unattributed: Callable[[], Awaitable[Any]]
    """The settings of an editor that cannot say who wrote what."""
    _spawn: Spawn
    _surveyor: Surveyor
    _diagnostics: Diagnostics
    _managed: Managed
    premises: Premises
    reading: Reading
    book: Book
    ready: asyncio.Event = field(factory=asyncio.Event)
    """Set when the settings have been read for the first time, or could not be."""
    keys: Keys = field(factory=dict)
    """The settings as they were written when they were read last, by key and layer."""
    _tight: Reading = field(init=False, default=Factory(lambda self: self.reading, takes_self=True))
    """What holds without settings: made at the start, so that nothing about it can fail later."""
    agreed: Attestations | None = None
    followers: tuple[Callable[[], None], ...] = ()
    """Called in this order when what holds has changed, as the gate is for its open tickets."""
    _banners: Callable[[], tuple[str, ...]] = tuple
    _turn: asyncio.Lock = field(factory=asyncio.Lock)
    _files: LayerFiles = field(factory=dict)
    inspected: editor.Inspected | None = None
    wish_questions: WishQuestions = field(
        init=False,
        default=Factory(
            lambda self: WishQuestions(
                self._room, self._journal, self._spawn, lambda *of: self.attest(*of)
            ),
            takes_self=True,
        ),
    )
    _aside: ThreadPoolExecutor = field(factory=lambda: ThreadPoolExecutor(1, "settings"))
    """Where many rules are read and put in order, so that others have their turn meanwhile."""

    def agent(self, agent: AgentId) -> AgentEntry | None:
        """The agent of that id, if there is one."""
        return next((entry for entry in self.reading.agents if entry.id == agent), None)

    def agent_name(self, agent: AgentId) -> str:
        """What an agent is registered as."""
        entry = self.agent(agent)
        return entry.name if entry else agent

    def name_of(self, agent: AgentId) -> str:
        """What any agent is called, also one that a person runs in a terminal."""
        return name_of(agent) or self.agent_name(agent)

    def startable(self, agent: AgentId) -> AgentEntry:
        """The agent of that id; raise where it may not be started."""
        entry = self.agent(agent)
        if entry is None:
            raise AssentError(f"There is no agent called {agent} in assent.agents.")
        if entry.waits:
            raise AssentError(
                f"{entry.name} is defined by this workspace's files; answer its card first."
            )
        if entry.id not in _BUILT_IN and not self.reading.trusted:
            raise AssentError(
                f"{entry.name} is not started in a workspace that you do not trust, because a"
                " repository can make an agent run code before it asks anything."
            )
        return entry

    async def begin(self, banners: Callable[[], tuple[str, ...]]) -> None:
        """Read the settings for the first time; `banners` are what others have to tell."""
        self._banners = banners
        try:
            await self.reload()
        finally:
            self.ready.set()

    async def take_change(self, _: object) -> None:
        """`workspace/didChangeConfiguration`, which also tells that trust was given."""
        await self.ready.wait()
        await self.reload()

    async def reload(self) -> bool:
        """Read the settings again and let them hold; whether it is known now who wrote what."""
        async with self._turn:
            try:
                known = await self._take()
            except Exception as error:  # noqa: BLE001 -- whatever goes wrong, nothing stays looser
                known = self._fall_back(error)
                if isinstance(error, EditorSilent):
                    # It is asked again, for as long as it takes.
                    self._spawn(self.take_change(None))
        each_for_itself(self._mark, self._ask_wishes, self.tell, *self.followers)
        return known

    @property
    def can_keep(self) -> bool:
        """Whether what a person grants this workspace can be kept."""
        return self.agreed is not None and self.agreed.can_keep

    @property
    def folder(self) -> str:
        """Its one folder, as a rule of the person's own settings names it; empty for others."""
        return only_folder(self._surveyor.roots, str(Path.home()))

    def standing(self, wish: Wish) -> Standing | None:
        """How a person answered a wish; None where nobody was asked."""
        return self.agreed.standing(wish) if self.agreed else None

    async def attest(self, wish: Wish, outcome: Outcome) -> None:
        """Keep a person's answer to a wish."""
        if self.agreed is None:
            raise AssentError("There is no key to keep it with, so nothing can be granted.")
        if outcome is Outcome.ALLOWED:
            self.agreed.grant(wish)
            self.surveyed(anew=True)
        elif outcome is Outcome.REFUSED:
            declined = frozenset(part.digest for part in wish.each)
            await self.agreed.make_old(self._present(self.agreed), declined)
            self.agreed.decline(wish)

    def surveyed(self, *, anew: bool = False) -> Premises:
        """Where that lies which makes the gate, by the files that say so now."""
        if anew or self.premises.is_old:
            self.premises = self._surveyor.survey(self.inspected, self.reading, self.agreed)
        return self.premises

    def places(self) -> Places:
        """Where paths lead, by what holds at this moment."""
        return self._surveyor.places(self.reading, self.surveyed())

    def revoke(self, wish: Wish) -> None:
        """Take a person's answer back."""
        if self.agreed is not None:
            self.agreed.revoke(wish)

    async def forget(self, wish: Wish) -> None:
        """Take an answer back for good: after a crash in between it counts no more either."""
        if self.agreed is not None:
            await self.agreed.make_one_old(wish)
            self.agreed.revoke(wish)

    def close(self) -> None:
        """End the thread that puts rules in order."""
        self._aside.shutdown(wait=False)

    async def _apart(self, work: Callable[[], WorkResult]) -> WorkResult:
        """Do what may take a while, without keeping anybody waiting."""
        return await asyncio.get_running_loop().run_in_executor(self._aside, work)

    async def _read(self) -> tuple[Keys | None, Reading]:
        """What was written by whom, if the editor says that, and what holds by it."""
        try:
            async with in_time("settings/inspect"):
                inspected = await self._wire.request(
                    "settings/inspect", editor.Inspect(), editor.Inspected
                )
        except NotOffered:
            # Another editor: nobody can say who wrote what, so it all counts as the workspace's.
            values = await self._unattributed()
            self._files = await files_of(None, self._managed.file)
            return None, await self._apart(lambda: self._understood(read_unattributed, values))
        self.inspected = inspected
        self._files = await files_of(inspected.files, self._managed.file)
        keys = {
            key: layers.model_dump(exclude_unset=True) for key, layers in inspected.keys.items()
        }
        reading = await self._apart(lambda: self._understood(read, keys, trusted=inspected.trusted))
        return keys, illegible(reading, illegible_in(self._files))

    def _understood(
        self, how: Callable[..., Reading], values: object, *, trusted: bool = False
    ) -> Reading:
        known = (values, trusted, self.standing, self._built_in)
        return how(*known, managed=self._managed, now=time.time())

    async def _take(self) -> bool:
        """Let what is written now hold, all of it or nothing."""
        keys, wanted_reading = await self._read()
        reading = tightened(self.reading, wanted_reading)
        reading = with_lines(reading, self._files)
        book = await self._apart(lambda: self._surveyor.bind(reading))
        survey = partial(self._surveyor.survey, self.inspected, reading, self.agreed)
        premises = await self._apart(survey)
        self.reading, self.book, self.keys = reading, book, keys or {}
        self.premises = premises
        await self._revoke()
        return keys is not None

    def _fall_back(self, error: Exception) -> bool:
        """Let hold what holds without settings: every call is asked about, nothing is known."""
        if not isinstance(error, AssentError):
            _LOG.error("The settings could not be read.", exc_info=error)
        self.reading = without_settings(self._tight, self.reading, error)
        try:
            self.book = self._surveyor.bind(self.reading)
        except Exception:  # noqa: BLE001 -- the book that stands needs not be made anew
            self.book = self.book.asking()
        return False

    async def _revoke(self) -> None:
        """What is wished no longer is granted no longer, also if it comes back."""
        if self.agreed is not None:
            present = self._present(self.agreed)
            await self.agreed.make_old(present)
            self.agreed.revoke_others(present)

    def _present(self, agreed: Attestations) -> set[str]:
        """What is wished now; of its files each session of an agent sees for itself."""
        answered = {record.wish.digest for record in agreed.records_of(REPOSITORY)}
        return {wish.digest for wish in self.reading.claims} | answered

    def _mark(self) -> None:
        self._diagnostics.show(self.reading.complaints, self._files)

    def tell(self) -> None:
        """Tell what holds, and what is wrong."""
        kept = self.agreed.problems if self.agreed else ()
        self._board.tell_facts(
            Facts(
                trusted=self.reading.trusted,
                mode=self.reading.mode,
                banners=(*self.reading.problems, *kept, *self._banners()),
            )
        )
        self._board.tell_agents()

    def _ask_wishes(self) -> None:
        """One open question for each wish, and none for what is wished no longer."""
        wishes = {wish.digest: wish for wish in together(self.reading.wishes)}
        self.wish_questions.withdraw(
            lambda wish, digest: wish.key != REPOSITORY and digest not in wishes
        )
        for digest in wishes.keys() - self.wish_questions.open:
            self._spawn(self._ask_wish(wishes[digest]))

    async def _ask_wish(self, wish: Wish) -> None:
        if self.agreed is not None:
            wish = asked_again(wish, self.agreed.granted_under_other_keys())
        if await self.wish_questions.ask(wish, self.agent_name(AgentId(wish.name))):
            await self.reload()
