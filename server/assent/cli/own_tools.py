"""Builds for `assent explain` the call that a tool of our own agent would make.

Nothing is run, asked or started. So what a server says of its tool is not known here, nor what an
earlier run of a workflow has kept.
"""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, NoReturn, cast

from assent.agent.models.conversation import Wanted
from assent.agent.tools import registry
from assent.agent.tools.nodes import RUN_NODE
from assent.agent.tools.tool import Bench, Done, StepRefused, Subtasks
from assent.agent.tools.workflows import RUN_WORKFLOW
from assent.catalogue.documents.port import About, Answer, DocumentsFailed
from assent.editor.window.collections.collection_files import held_by
from assent.editor.window.models.makers import whom
from assent.editor.window.rules.read_rulings import readable_by
from assent.gate.call.calls import AgentId, Call, CallId, ChatId, Effect
from assent.gate.call.errors import CallUnreadable
from assent.gate.disk.buffers import Buffers
from assent.gate.disk.places import Places
from assent.gate.explain import Question, call_of
from assent.gate.processes.shell_registry import ShellRegistry
from assent.gate.ruling.policy import Policy
from assent.gate.settings.collections import CollectionEntry
from assent.gate.settings.models.model import Model
from assent.gate.settings.own import NOTHING_OWN, Own
from assent.gate.values import evolve, frozen

__all__ = ["RUNS", "bench_of", "own_call", "takes"]

RUNS: Final = RUN_WORKFLOW.name
"""What `run(workflow:NAME)` is about."""
_CHAT: Final = ChatId("explained")
_BELT: Final = {tool.name: tool for tool in registry.BELT}
_STEPS: Final = frozenset(tool.name for tool in registry.BELT if tool.is_step)
_NOBODY: Final = "nothing is run here."


def takes(tool: str) -> str | None:
    """The first argument of a tool of ours, which a word can be; None where it is none of ours."""
    tool_of_ours = _BELT.get(tool)
    return None if tool_of_ours is None else next(iter(tool_of_ours.arguments.model_fields), "")


def bench_of(agent: str, own: Own | None, policy: Policy, places: Places) -> Bench:
    """What tools look at where nothing is run: files, and what the settings name."""
    own = own or NOTHING_OWN
    return Bench(
        cwd=places.roots[0],
        places=lambda: places,
        buffers=Buffers(lambda: places, _nobody),
        may_read=lambda path: readable_by(policy, places, _CHAT, AgentId(agent), path),
        shell_registry=ShellRegistry(_CHAT, lambda _: None),
        printed=lambda *_, **__: None,
        planned=lambda _: None,
        ask=_nobody,
        subtask=cast("Subtasks", _nobody),
        search_url=own.search_url,
        interpreter=own.shell,
        documents=_Named(own.collections, places),
        maker=_Makers(own.models),
    )


def own_call(tool: str, given: Mapping[str, Any], agent: str, bench: Bench) -> Call:
    """The call of a tool with these arguments; raises `CallUnreadable` where they make none."""
    steps = _Steps(bench, AgentId(agent))
    return steps.call(tool, given, evolve(bench, steps=steps))


@frozen
class _Steps:
    """Makes calls as our own agent does, without anybody who could take them."""

    _bench: Bench
    _agent: AgentId

    @property
    def tools(self) -> frozenset[str]:
        """See `StepCalls`."""
        return _STEPS

    def call(
        self, tool: str, given: Mapping[str, Any], bench: Bench, key: str = "", caution: str = ""
    ) -> Call:
        """The call of a tool; that of a server's tool by its name alone."""
        if tool == RUN_NODE.name:
            return self._node(given, key)
        wanted = Wanted(id=key, name=tool, arguments=json.dumps(given))
        id_ = CallId(f"explained{key}")
        try:
            made = registry.made(
                wanted, bench, chat=_CHAT, agent=self._agent, id=id_, part=key, caution=caution
            )
        except registry.ArgumentsWrong as error:
            raise CallUnreadable(str(error)) from error
        return made.call

    def _node(self, given: Mapping[str, Any], key: str) -> Call:
        server, _, name = str(given.get("name", "")).partition(":")
        input_ = {"server": server, "tool": name, "arguments": given.get("arguments", {})}
        question = Question(tool="mcp", input=input_, agent=self._agent)
        call = call_of(question, self._bench.places())
        if call.unreadable:
            raise CallUnreadable(call.unreadable)
        return evolve(call, part=key)

    def effect(self, run: str) -> Effect:
        """See `StepCalls`."""
        return _BELT[RUN_NODE.name if ":" in run else run].effect

    async def ready(self, run: str, arguments: dict[str, Any]) -> None:
        """See `StepCalls`."""

    def made(self, run: str, arguments: dict[str, Any], key: str, caution: str = "") -> Call:
        """See `StepCalls`."""
        if ":" in run:
            return self._node({"name": run, "arguments": arguments}, key)
        return self.call(run, arguments, self._bench, key, caution)

    async def take(
        self,
        run: str,
        arguments: dict[str, Any],
        key: str,
        begun: Callable[[bool], Awaitable[None]],
        caution: str = "",
    ) -> Done:
        """See `StepCalls`."""
        raise StepRefused(_NOBODY)


@frozen
class _Named:
    """The collections of the settings, of which nothing is looked at."""

    _entries: Sequence[CollectionEntry]
    _places: Places

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(entry.name for entry in self._entries)

    def bases(self, name: str) -> tuple[str, ...]:
        return held_by(name, self._entries, self._places)

    async def about(self) -> tuple[About, ...]:
        return ()

    async def find(self, *_: Any, **__: Any) -> Answer:
        raise DocumentsFailed(_NOBODY)

    async def close(self) -> None:
        return


@frozen
class _Makers:
    """The models of the settings, of which nothing is asked."""

    _models: Sequence[Model]

    def whom(self, kind: str) -> tuple[str, str] | None:
        return whom(kind, self._models)

    async def paint(self, *_: Any, **__: Any) -> bytes:
        raise StepRefused(_NOBODY)

    async def speak(self, *_: Any, **__: Any) -> bytes:
        raise StepRefused(_NOBODY)


async def _nobody(*_: Any) -> NoReturn:
    raise StepRefused(_NOBODY)
