"""A call is ruled on in the folder in which it runs, whichever way its agent tells that folder."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from assent.editor.cards.titles import folder_of
from assent.gate.approvals.tickets import Ticket
from assent.gate.call.calls import AgentId, Call
from assent.gate.call.modes import Mode
from assent.gate.disk.places import Places
from assent.gate.journal.events import ChatOpened
from assent.gate.journal.speech import Speech
from assent.gate.rules.book import Book
from assent.gate.ruling.protected_names import FILES, FOLDERS, GIT, IN_GIT, PROGRAMS, WORDS
from assent.gate.settings.left_settings import leave_settings
from assent.gate.settings.without_window import OwnSettings
from assent.hosting.connection.peer import Asked
from assent.hosting.connection.session import Session
from assent.hosting.hooks.hook_words import HookWords
from assent.hosting.permission.calls import FOLDER_UNTOLD, Reader
from assent.hosting.permission.repliers import ByHook
from assent.hosting.recipes.recipes import RECIPES
from assent.hosting.terminals.connected_agents import ConnectedAgents, Sessions
from assent.hosting.terminals.connected_hook import _Asks
from assent.hosting.terminals.terminals import TERMINALS
from assent.hosting.terminals.without_window import ruling
from gate.rules.books import deny
from hosting.eliza.rig import BOUND, Rig
from tables import Part, each_row, in_steps_of

Payload = Callable[[str, str, str], dict[str, Any]]
"""What a hook is handed: the folder of the session, the one of the call, and a command."""


def _claudes(session: str, folder: str, command: str, **more: Any) -> dict[str, Any]:
    """As after a `cd` that led there; the call itself names no folder."""
    told = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": folder, "tool_name": "Bash"}
    return {**told, "tool_input": {"command": command, "description": "d"}, **more}


def _codexes(session: str, folder: str, command: str) -> dict[str, Any]:
    """As for a `workdir`, of which nothing stands in the input."""
    return _claudes(session, folder, command, turn_id="1", tool_input={"command": command})


def _copilots(session: str, folder: str, command: str) -> dict[str, Any]:
    told = {"sessionId": "s", "cwd": folder, "toolName": "bash", "timestamp": 1}
    return {**told, "toolArgs": {"command": command, "description": "d"}}


def _qwens(session: str, folder: str, command: str) -> dict[str, Any]:
    given = {"command": command, "directory": folder, "is_background": False}
    return _claudes(session, session, "", tool_name="run_shell_command", tool_input=given)


def _opencodes(session: str, folder: str, command: str) -> dict[str, Any]:
    given = {"command": command, "workdir": os.path.relpath(folder, session)}
    told = {"event": "tool", "session": "s", "parent": "", "cwd": session}
    return {**told, "tool": "bash", "input": given}


def _geminis(session: str, folder: str, command: str) -> dict[str, Any]:
    given = {"command": command, "dir_path": os.path.relpath(folder, session)}
    told = {"hook_event_name": "BeforeTool", "session_id": "s", "cwd": session}
    return {**told, "tool_name": "run_shell_command", "tool_input": given}


def _cursors(session: str, folder: str, command: str) -> dict[str, Any]:
    given = {"command": command, "working_directory": folder}
    told = {"hook_event_name": "preToolUse", "conversation_id": "s", "workspace_roots": [session]}
    return {**told, "cwd": folder, "tool_name": "Shell", "tool_input": given}


PAYLOADS: dict[str, Payload] = {
    "claude": _claudes,
    "codex": _codexes,
    "copilot": _copilots,
    "qwen": _qwens,
    "opencode": _opencodes,
    "gemini": _geminis,
    "cursor": _cursors,
}
IDS = {"claude": "tool_use_id", "codex": "tool_use_id", "qwen": "tool_use_id", "opencode": "call"}
"""What the agents call the id of a call that tell one."""
HOSTED = [it.id for it in RECIPES if it.hooking is not None]
BY_HOOK = ("claude", "codex", "copilot")
"""Those whose hook alone tells the folder."""
LOOSE = (Mode.DEFAULT, Mode.AUTO)


def places_in(root: Path) -> list[tuple[Path, str]]:
    """Each protected place, as a folder in which a command runs and the file that it writes."""
    inside = [(root / name, "x") for name in (*FOLDERS, *WORDS, GIT, *IN_GIT, ".local/bin")]
    files = [*FILES, *(name for name in PROGRAMS if name != ".local/bin")]
    beside = [(root / "sub" / Path(name).parent, Path(name).name) for name in files]
    # A file's own name, from the folder that is meant, is protected wherever it lies.
    return [*inside, *beside]


@define
class Desk:
    """One agent behind the gate, hosted or in a terminal."""

    rig: Rig
    agent: str
    words: HookWords
    rule: Callable[[dict[str, Any]], Any]
    """Has what a hook was handed ruled on; what the hook prints."""
    session: Session | None = None
    count: int = 0
    prints: list[str] = field(factory=list)

    async def use(self, folder: Path | str, command: str, **more: Any) -> Ticket | None:
        """Have a command ruled on; the question about it, which the person denies."""
        told = PAYLOADS[self.agent](str(self.rig.root), str(folder), command)
        return await self.told({**told, **more})

    async def told(self, told: dict[str, Any], option: str = "deny") -> Ticket | None:
        self.count += 1
        told |= {IDS[self.agent]: f"call-{self.count}"} if self.agent in IDS else {}
        opened, rig = len(self.rig.opened), self.rig
        printing = asyncio.ensure_future(self.rule(told))
        printing.add_done_callback(lambda _: rig.more.set())
        await rig.until(lambda: printing.done() or len(rig.opened) > opened)
        ticket = rig.opened[opened] if len(rig.opened) > opened else None
        if ticket is not None:
            await rig.answer(ticket, option)
        self.prints.append(await printing)
        return ticket

    @property
    def lets(self) -> bool:
        """Whether the last call was let go on."""
        said = self.prints[-1]
        return '"allow"' in said and '"deny"' not in said


def _facts(rig: Rig) -> Places:
    return Places(roots=(str(rig.root),), home=str(rig.root.parent))


@asynccontextmanager
async def hosted(rig: Rig, agent: str) -> AsyncIterator[Desk]:
    """An agent that Assent hosts, with the hook that it was given."""
    (recipe,) = (it for it in RECIPES if it.id == agent)
    assert recipe.hooking is not None
    words = recipe.hooking.words
    session = Session(
        chat=rig.chat,
        spec=rig.agent,
        cwd=str(rig.root),
        gate=rig.gate,
        speech=Speech(rig.tell),
        places=lambda: _facts(rig),
        recipe=recipe,
        is_hooked=True,
    )
    async with asyncio.TaskGroup() as group:

        async def rule(told: dict[str, Any]) -> str:
            printed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            hooked = words.heard(json.dumps(told))
            asker = ByHook(hooked=hooked, words=words, printed=printed)
            group.create_task(session.questions.permit_hooked(hooked, asker))
            return await printed

        yield Desk(rig, agent, words, rule, session)
        await session.turn_over()


@asynccontextmanager
async def connected(rig: Rig, agent: str) -> AsyncIterator[Desk]:
    """The same agent in a terminal, with the hook that stands in the person's settings."""

    async def ready() -> None:
        return None

    def unknown(folder: str) -> Any:
        raise AssertionError(folder)

    window = ConnectedAgents(
        gate=rig.gate,
        tell=rig.tell,
        known=Sessions(lambda: _facts(rig)),
        ground=unknown,
        mode=lambda *_: rig.mode,
        ready=ready,
        roots=(str(rig.root),),
        rulings=lambda *_: None,
    )

    def rule(told: dict[str, Any]) -> Any:
        return window.rule(_Asks(agent, json.dumps(told)).text)

    yield Desk(rig, agent, TERMINALS[agent].words, rule)


@pytest.fixture
def begun(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """A workspace in which sessions begin, with a denied folder and an ordinary one."""
    for name in ("sub", "secrets", ".git/hooks"):
        (rig.root / name).mkdir(parents=True)
    (rig.root / "sub" / "a.txt").write_text("a\n", "utf-8")
    (rig.root / "secrets" / "key").write_text("k\n", "utf-8")
    for folder, _ in places_in(rig.root):
        folder.mkdir(parents=True, exist_ok=True)
    rig.facts = _facts(rig)
    rig.book = Book.of([deny("read(./secrets/**)")], (str(rig.root),), str(rig.root))
    # As agents run their hooks: in the folder of the session.
    monkeypatch.chdir(rig.root)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(rig.root))
    return rig


WAYS = [*((hosted, it) for it in HOSTED), *((connected, it) for it in PAYLOADS)]
EACH = pytest.mark.parametrize(
    ("way", "agent"), WAYS, ids=[f"{way.__name__} {agent}" for way, agent in WAYS]
)


def test_every_agent_that_has_a_hook_is_among_those_that_are_tried() -> None:
    assert set(PAYLOADS) == set(TERMINALS)
    assert set(HOSTED) <= set(PAYLOADS)


@EACH
@in_steps_of(4)
async def test_each_protected_place_is_asked_about_from_the_folder_of_the_call(
    begun: Rig, way: Any, agent: str, part: Part
) -> None:
    missed, otherwise = [], []
    async with way(begun, agent) as desk:
        # Whatever is asked in Auto is asked in each other mode.
        for mode in LOOSE if way is hosted else (Mode.AUTO,):
            begun.mode = mode
            for folder, name in part.of(places_in(begun.root)):
                ticket = await desk.use(folder, f"echo x > {name}")
                call = None if ticket is None else ticket.asks
                if call is None or desk.lets:
                    missed.append((mode, folder, name))
                elif not isinstance(call, Call) or call.cwd != str(folder):
                    otherwise.append((mode, folder, call))
    assert missed == []
    assert otherwise == []


@EACH
async def test_a_denied_path_is_denied_from_within_its_folder_and_nothing_else_is(
    begun: Rig, way: Any, agent: str
) -> None:
    async with way(begun, agent) as desk:
        for mode in LOOSE:
            begun.mode = mode
            assert await desk.use(begun.root / "secrets", "cat key") is None
            assert not desk.lets, (mode, desk.prints[-1])
            assert await desk.use(begun.root / "sub", "cat a.txt") is None
            assert desk.lets, (mode, desk.prints[-1])


@EACH
async def test_the_card_and_the_digest_are_about_the_folder_in_which_it_runs(
    begun: Rig, way: Any, agent: str
) -> None:
    calls = []
    async with way(begun, agent) as desk:
        for folder in (begun.root, begun.root / "sub", begun.root.parent):
            ticket = await desk.use(folder, "make")
            assert ticket is not None
            assert isinstance(ticket.asks, Call)
            calls.append(ticket.asks)
    shown = ["".join(span.text for span in folder_of(call)) for call in calls]
    assert shown == ["the workspace", "sub", "~"]
    assert len({call.likeness for call in calls}) == 3


UNTOLD = {"nothing": None, "nothing readable": 7, "a relative folder": "sub"}


@pytest.mark.parametrize("way", [hosted, connected])
async def test_where_no_folder_is_told_what_hangs_on_it_is_asked_and_says_so(
    begun: Rig, way: Any
) -> None:
    for agent in BY_HOOK:
        async with way(begun, agent) as desk:
            for mode in LOOSE:
                begun.mode = mode
                for cwd in UNTOLD.values():
                    ticket = await desk.use(begun.root, "ls", cwd=cwd)
                    assert ticket is not None, (agent, mode, cwd)
                    assert isinstance(ticket.asks, Call)
                    why = str(ticket.asks.unreadable)
                    assert "folder" in why, why
                    assert why in ticket.ruling.because or why in str(ticket.ruling)
                    assert not desk.lets


@pytest.mark.parametrize("way", [hosted, connected])
async def test_a_command_in_a_folder_that_is_not_there_is_asked_in_every_mode(
    begun: Rig, way: Any
) -> None:
    for agent in PAYLOADS if way is connected else HOSTED:
        async with way(begun, agent) as desk:
            for mode in LOOSE:
                begun.mode = mode
                ticket = await desk.use(begun.root / "gone", "ls")
                assert ticket is not None, (agent, mode)
                assert "there is no such folder" in ticket.ruling.because


async def test_what_names_its_whole_path_needs_no_folder(begun: Rig) -> None:
    path = str(begun.root / "sub" / "a.txt")
    async with hosted(begun, "claude") as desk:
        for tool, given in (("Read", {"file_path": path}), ("TodoWrite", {"todos": []})):
            told = _claudes("", "", "", cwd=None, tool_name=tool, tool_input=given)
            assert await desk.told(told) is None
            assert desk.lets


async def test_a_path_of_a_call_leads_from_where_its_last_cd_led(begun: Rig) -> None:
    begun.mode = Mode.AUTO
    told = _claudes("", str(begun.root / ".git" / "hooks"), "", tool_name="Write")
    async with hosted(begun, "claude") as desk:
        ticket = await desk.told({**told, "tool_input": {"file_path": "x", "content": "y"}})
    assert ticket is not None
    assert isinstance(ticket.asks, Call)
    assert [it.shown for it in ticket.asks.targets] == [".git/hooks/x"]


async def test_a_patch_is_made_in_the_folder_of_the_call(begun: Rig) -> None:
    begun.mode = Mode.AUTO
    patch = "*** Begin Patch\n*** Add File: x\n+y\n*** End Patch"
    command = f"apply_patch <<'E'\n{patch}\nE"
    async with hosted(begun, "codex") as desk:
        ticket = await desk.use(begun.root / ".git" / "hooks", command)
    assert ticket is not None
    assert isinstance(ticket.asks, Call)
    assert [it.path for it in ticket.asks.edits] == [str(begun.root / ".git/hooks/x")]


def _reader(root: Path) -> Reader:
    places = Places(roots=(str(root),), home=str(root.parent))
    return Reader(chat=Rig(root).chat, agent=AgentId("a"), cwd=str(root), places=places)


def test_a_server_is_judged_from_where_its_agent_began_and_from_where_it_is(tmp_path: Path) -> None:
    root = tmp_path / "w"
    (root / "sub").mkdir(parents=True)
    whole = {"name": "mcp__files__read", "rawInput": {"path": ".env"}}
    call = _reader(root).in_folder(str(root / "sub")).read(whole)
    assert [it.shown for it in call.targets] == [".env", "sub/.env"]


@each_row(
    "given", [{"command": "ls", "workdir": "~/x"}, {"path": "~/x"}], ids=["a folder", "a path"]
)
def test_what_may_be_a_home_or_lie_in_the_folder_is_not_read_as_either(
    tmp_path: Path, given: dict[str, str]
) -> None:
    root = tmp_path / "w"
    root.mkdir()
    whole = {"kind": "read" if "path" in given else "execute", "rawInput": given}
    assert _reader(root).read(whole).unreadable is None
    (root / "~").mkdir()
    assert "may be a home" in str(_reader(root).read(whole).unreadable)


async def test_another_folder_for_a_call_that_is_under_way_is_another_call(begun: Rig) -> None:
    async with hosted(begun, "codex") as desk:
        told = {**_codexes("", str(begun.root), "make"), "tool_use_id": "t"}
        first = asyncio.ensure_future(desk.rule(told))
        ticket = await begun.ticket()
        second = await desk.rule({**told, "cwd": str(begun.root / "sub")})
        assert "another call" in second
        await begun.answer(ticket, "deny")
        await first


@pytest.mark.parametrize("shown", ["sub", "."])
async def test_what_is_shown_to_run_elsewhere_than_it_was_ruled_on_raises_an_alarm(
    begun: Rig, shown: str
) -> None:
    begun.mode = Mode.AUTO
    sub = begun.root / "sub"
    async with hosted(begun, "codex") as desk, asyncio.timeout(BOUND):
        assert await desk.use(sub, "cat a.txt") is None
        assert desk.session is not None
        raw = {"command": "cat a.txt", "cwd": str(begun.root / shown)}
        update = {"sessionUpdate": "tool_call", "toolCallId": "call-1", "rawInput": raw}
        params = {"sessionId": "s", "update": {**update, "status": "in_progress"}}
        desk.session.hear(params)
    assert bool(begun.notices("error")) == (shown != "sub")


async def test_what_claude_asks_without_its_hook_is_asked_whatever_the_mode(begun: Rig) -> None:
    begun.mode = Mode.AUTO
    options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
    async with hosted(begun, "claude") as desk:
        assert desk.session is not None
        answered: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        tool = {"toolCallId": "t", "kind": "execute", "rawInput": {"command": "echo x > y"}}
        params = {"sessionId": "s", "toolCall": tool, "options": options}
        asked = Asked(id=1, method="", params=params, send=answered.set_result)
        asking = asyncio.ensure_future(desk.session.questions.permit(asked))
        ticket = await begun.ticket()
        assert ticket.ruling.because == FOLDER_UNTOLD
        await begun.answer(ticket, "deny")
        await asking


def test_claude_stays_in_its_folder_where_no_hook_could_tell_another() -> None:
    (recipe,) = (it for it in RECIPES if it.id == "claude")
    name = "CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR"
    assert recipe.environment(None)[name] == "1"
    assert name not in recipe.environment("hook")


@pytest.mark.parametrize("agent", ["codex", "claude"])
async def test_the_first_call_of_a_session_does_not_say_what_is_trusted(
    begun: Rig, agent: str, tmp_path: Path
) -> None:
    begun.mode = Mode.AUTO
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    async with connected(begun, agent) as desk:
        # A window that has not that folder open would look up what holds there, and fail.
        await desk.use(elsewhere, "ls")
        await desk.use(begun.root, "ls")
    opened = [it.title for it in begun.happened if isinstance(it, ChatOpened)]
    assert opened == [f"{TERMINALS[agent].name} in {begun.root.name}"]


def test_where_no_window_is_open_a_call_is_ruled_on_in_its_folder_by_what_its_session_trusts(
    begun: Rig, tmp_path: Path
) -> None:
    state = tmp_path / "state"
    state.mkdir(mode=0o700)
    keys = {"rules": {"allow": ["shell(echo:*)"], "deny": ["read(./secrets/**)"]}}
    leave_settings(OwnSettings(keys=keys, is_known=True), state)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "plain").write_text("", "utf-8")
    cases = (
        ("secrets", "cat key", False),
        ("sub", "cat a.txt", True),
        (".git/hooks", "echo x > pre-commit", False),
        (str(elsewhere), "cat plain", False),
        ("gone", "cat a.txt", False),
    )
    for agent, payload in PAYLOADS.items():
        # The folder that Copilot tells is its session's: no `cd` of its commands lasts.
        for folder, command, is_let in cases if agent != "copilot" else ():
            told = payload(str(begun.root), str(begun.root / folder), command)
            told |= {IDS[agent]: "t"} if agent in IDS else {}
            said = ruling(_Asks(agent, json.dumps(told)).text, str(state))
            assert ('"allow"' in said) is is_let, (agent, folder, said)
