"""A folder with a bench in front of it, at which tools are called as our own agent calls them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import Factory, define, evolve, field

from agent.tools.browsing import taken
from assent.agent.models.conversation import Wanted
from assent.agent.tools.media_maker import Maker
from assent.agent.tools.registry import BELT, Made, carry_out, made
from assent.agent.tools.tool import (
    MAX_RESULT_LETTERS,
    Aim,
    Bench,
    Done,
    Step,
    StepRefused,
    ToolFailed,
)
from assent.catalogue.documents.port import Documents
from assent.catalogue.nodes.catalogue import Catalogue
from assent.catalogue.workflows.runs import Runs
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.disk.buffers import Buffer, Buffers
from assent.gate.disk.places import Places
from assent.gate.journal.events import PlanLine
from assent.gate.text.positions import difference

__all__ = ["Workbench", "names"]


@define
class Steps:
    """Makes the calls of a workflow's steps; nobody brings them to a gate."""

    bench: Bench
    tools: frozenset[str] = frozenset({"list_files", "read_file", "run_command"})

    def effect(self, run: str) -> Effect:
        return next(tool.effect for tool in BELT if tool.name == run)

    async def ready(self, run: str, arguments: dict[str, Any]) -> None:
        """Nothing has to be known."""

    def made(self, run: str, arguments: dict[str, Any], key: str, caution: str = "") -> Call:
        wanted = Wanted(id=key, name=run, arguments=json.dumps(arguments))
        agent = AgentId("assent")
        it = made(wanted, self.bench, chat=ChatId("1"), agent=agent, id=CallId(key), part=key)
        return evolve(it.call, caution=caution)

    async def take(self, *_: Any) -> Done:
        raise NotImplementedError


@define
class Workbench:
    """Somebody who works in a folder, and what came of it beside results."""

    root: Path
    denied: set[str] = field(factory=set)
    """The names of files that may not be read."""
    denies_none: bool = False
    """Whether it is known that none is denied."""
    refusal: str | None = None
    """What is answered to steps that a call turned out to need."""
    asked: list[Aim] = field(factory=list)
    plan: tuple[PlanLine, ...] = ()
    subtasks: list[tuple[str, str]] = field(factory=list)
    most: int = MAX_RESULT_LETTERS
    """How much of a result is passed on."""
    search_url: str = ""
    skill: Callable[[str], str | None] = lambda _: None
    nodes: Catalogue = field(factory=Catalogue)
    documents: Documents | None = None
    runs: Runs | None = None
    maker: Maker | None = None
    takes: frozenset[str] = frozenset()
    """What the model can be shown."""
    exhibit: int | None = None
    """How many tokens of it."""
    buffers: Buffers = field(
        init=False,
        default=Factory(lambda it: Buffers(it.places, it.apply), takes_self=True),
    )
    meanwhile: list[str] = field(factory=list)
    """What the person types, one each time that the editor is asked to change something."""

    @property
    def bench(self) -> Bench:
        """What tools may reach for."""
        bench = Bench(
            offered=lambda: ("read_file", "run_command"),
            cwd=str(self.root),
            places=self.places,
            buffers=self.buffers,
            may_read=lambda path: Path(path).name not in self.denied,
            denies_none=lambda: self.denies_none,
            shell_registry=None,  # type: ignore[arg-type]  # no tool of these tests starts a shell
            printed=lambda _: None,
            planned=self._planned,
            ask=self._ask,
            subtask=self._subtask,
            most=self.most,
            search_url=self.search_url,
            takes=self.takes,
            exhibit=self.exhibit,
            skill=self.skill,
            nodes=self.nodes,
            documents=self.documents,
            runs=self.runs,
            maker=self.maker,
        )
        return evolve(bench, steps=Steps(bench))

    def places(self) -> Places:
        """What is known of the folder."""
        return Places(roots=(str(self.root),), home=str(self.root.parent / "home"))

    def types(self, path: str, text: str, version: int = 2) -> str:
        """Let the person type this into a file, and not save it; how the editor calls it."""
        uri = (self.root / path).as_uri()
        self.buffers.open(uri, str(self.root / path), version, text)
        return uri

    async def apply(self, buffer: Buffer, new: str) -> bool:
        """Change a text as an editor does: only where it is still of that version."""
        if self.meanwhile:
            self.types(buffer.uri.rpartition("/")[2], self.meanwhile.pop(), buffer.version + 1)
        now = self.buffers.at(buffer.resolved)
        if now is None or now.version != buffer.version:
            return False
        change = difference(buffer.text, new)
        self.buffers.change(buffer.uri, buffer.version + 1, [change])
        return True

    def wants(self, name: str, /, **given: Any) -> Made:
        """The call that a model would make by this."""
        return self.writes(name, json.dumps(given))

    def writes(self, name: str, arguments: str) -> Made:
        """The call that a model would make by this text."""
        wanted = Wanted(id="1", name=name, arguments=arguments)
        agent = AgentId("assent")
        return made(wanted, self.bench, chat=ChatId("1"), agent=agent, id=CallId("1"))

    async def does(self, made: Made) -> Done:
        """What comes of a call that was made."""
        return await carry_out(made.tool, made.call, self.bench)

    async def use(self, name: str, /, **given: Any) -> str:
        """Make a call and carry it out."""
        return (await self.does(self.wants(name, **given))).text

    async def fails(self, name: str, /, **given: Any) -> str:
        """Make a call that cannot be carried out, and say why."""
        made = self.wants(name, **given)
        with pytest.raises(ToolFailed) as told:
            await self.does(made)
        return str(told.value)

    def file(self, path: str, text: str | bytes = "") -> Path:
        """A file in the folder."""
        whole = self.root / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_bytes(text if isinstance(text, bytes) else text.encode())
        return whole

    def _planned(self, lines: tuple[PlanLine, ...]) -> None:
        self.plan = lines

    async def _ask(self, aim: Aim, do: Step) -> Done:
        self.asked.append(aim)
        if self.refusal is not None:
            raise StepRefused(self.refusal)
        return await taken(aim, do, self.bench)

    async def _subtask(self, name: str, prompt: str, printed: Callable[[str], None]) -> Done:
        self.subtasks.append((name, prompt))
        return Done(text="found it")


def names(folder: Path) -> list[str]:
    """What lies in a folder."""
    return sorted(path.name for path in folder.iterdir())
