"""A tool that does nothing but be watched: when it began, when it may end, and how."""

import asyncio
import json
from collections import Counter
from functools import partial
from typing import Literal

import pytest

from assent.agent.tools import registry
from assent.agent.tools.tool import Aim, Arguments, Bench, Done, Tool, ToolFailed
from assent.gate.call.calls import Call, Effect
from gate.admit.scene import within
from gate.approvals.samples import turn

__all__ = ["Probes", "probe"]


class Probe(Arguments):
    """Which call it is, and what it would be."""

    label: str
    effect: Literal["read", "write", "execute", "external", "chat"] = "chat"
    does: Literal["end", "wait", "crash", "fail", "print", "hop", "linger", "late hop"] = "end"


class Probes:
    """The tool, and what became of its calls."""

    def __init__(self) -> None:
        self.begun: Counter[str] = Counter()
        self.ended: Counter[str] = Counter()
        self.seen: list[Call] = []
        self._moments: dict[str, asyncio.Event] = {}
        self.tool = Tool(
            name="probe",
            effect=Effect.CHAT,
            says="Is watched.",
            arguments=Probe,
            aim=self._aim,
            do=self._do,
        )

    async def begins(self, label: str) -> None:
        """Wait until a call is being carried out."""
        await within(self._moment(f"{label} begins").wait())

    def replace(self, tool: Tool[Probe], monkeypatch: pytest.MonkeyPatch) -> None:
        """Let another tool stand in its place."""
        belt = tuple(tool if it is self.tool else it for it in registry.BELT)
        monkeypatch.setattr(registry, "BELT", belt)
        self.tool = tool

    def release(self, label: str) -> None:
        """Let a call end that waits."""
        self._moment(label).set()

    def _moment(self, name: str) -> asyncio.Event:
        return self._moments.setdefault(name, asyncio.Event())

    def _aim(self, arguments: Probe, bench: Bench) -> Aim:
        inside = (bench.places().locate(f"{arguments.label}.txt", bench.cwd),)
        effect = Effect(arguments.effect)
        return Aim(
            tool="other",
            effect=effect,
            input=arguments.as_given(),
            targets=inside if effect in {Effect.READ, Effect.WRITE} else (),
        )

    async def _do(self, arguments: Probe, call: Call, bench: Bench) -> Done:
        self.begun[arguments.label] += 1
        self.seen.append(call)
        self._moment(f"{arguments.label} begins").set()
        match arguments.does:
            case "wait":
                await within(self._moment(arguments.label).wait())
            case "crash":
                raise OSError("no such luck")
            case "fail":
                raise ToolFailed("It is not there.")
            case "print":
                bench.printed(f"{arguments.label}…")
            case "hop" | "late hop":
                if arguments.does == "late hop":
                    await within(self._moment(arguments.label).wait())
                return await bench.ask(
                    Aim(tool="fetch", effect=Effect.EXTERNAL, input={"url": "https://b.example/"}),
                    partial(self._end, arguments.label),
                )
            case "linger":
                try:
                    await within(self._moment(arguments.label).wait())
                finally:
                    for _ in range(50):
                        await turn()
            case "end":
                pass
        return await self._end(arguments.label, call)

    async def _end(self, label: str, _: Call) -> Done:
        self.ended[label] += 1
        return Done(text=f"{label} is done")


def probe(label: str, **more: str) -> tuple[str, str]:
    """A call of the tool, as the model writes it."""
    return "probe", json.dumps({"label": label, **more})
