"""A small house of the tests' own, behind the real transport.

A prompt's first word picks one of the things below. The side channel is a pipe whose number is
in `ASSENT_TEST_SIDE`: what a house has to tell while the editor does not read goes there.
"""

import asyncio
import json
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lsprotocol import types

from assent.editor.lsp.connection import AssentServer, House
from assent.editor.protocol import approvals, card, chats, editor, happenings
from assent.gate.call.errors import EditorRefused, Refused

__all__ = ["compose", "compose_asking", "compose_broken"]

DIGEST = "0" * 64


@asynccontextmanager
async def compose(server: AssentServer) -> AsyncIterator[House]:
    """A house that stands at once."""
    rooms = Rooms(server)
    try:
        yield House(handlers=rooms.handlers(), caught_up=rooms.caught_up)
    finally:
        rooms.tell("falls")
        await rooms.end_children()


@asynccontextmanager
async def compose_asking(server: AssentServer) -> AsyncIterator[House]:
    """A house that asks the editor before it stands."""
    inspected = await server.wire.request("settings/inspect", editor.Inspect(), editor.Inspected)
    async with compose(server) as house:
        server.wire.stream("agent/event", event(1, f"trusted: {inspected.trusted}"))
        yield house


@asynccontextmanager
async def compose_broken(server: AssentServer) -> AsyncIterator[House]:
    """A house that cannot be built."""
    raise RuntimeError("no ground to build on")
    yield House()


def event(seq: int, text: str, chat: str | None = "c1") -> happenings.AgentEvent:
    """A piece of text, said by an agent."""
    said = happenings.SaidMore(who="agent", message_id="m1", append=text)
    return happenings.AgentEvent(epoch="e1", seq=seq, chat_id=chat, event=said)


def a_card(seq: int) -> approvals.ApprovalRequest:
    """A ticket with a small card."""
    plain = [card.Span(kind="plain", text="Run make")]
    return approvals.ApprovalRequest(
        epoch="e1",
        seq=seq,
        approval_id=f"a{seq}",
        chat_id="c1",
        call_id=f"k{seq}",
        revision=1,
        digest=DIGEST,
        card=card.Card(
            agent_id="eliza",
            agent_name="Eliza",
            chat_title="A chat",
            mode="Ask",
            title=plain,
            level="low",
            body=card.ShellBody(command=plain, readable=True, parts=[], cwd=plain),
            touches=[],
            because=card.Because(text="Nothing allows it."),
            primary="allow",
            options=[card.CardOption(id="allow-once", kind="allowOnce", label="Allow")],
        ),
        asked_at=0,
        now=0,
        expires_at=None,
    )


class Rooms:
    """What the editor can ask of this house."""

    def __init__(self, server: AssentServer) -> None:
        self._server = server
        self._wire = server.wire
        self._seq = 0
        self._cancelled = 0
        self._answers: dict[str, asyncio.Future[str]] = {}
        self._children: list[asyncio.subprocess.Process] = []

    def handlers(self) -> dict[str, object]:
        return {
            "agent/prompt": self.prompt,
            "agent/list": self.list,
            "agent/stop": self.stop,
            "agent/setMode": self.set_mode,
            "tool/approvalResponse": self.answer,
            "workspace/didChangeConfiguration": self.configure,
            "workspace/didChangeWorkspaceFolders": self.folders,
            "$/setTrace": self.trace,
        }

    def tell(self, line: str) -> None:
        """Say something on the side channel."""
        side = os.environ.get("ASSENT_TEST_SIDE")
        if side:
            os.write(int(side), f"{line}\n".encode())

    def caught_up(self, lost: int) -> None:
        self._say(f"lost {lost}")

    def list(self, _: chats.Nothing) -> chats.AgentList:
        """Served without a task of its own."""
        return chats.AgentList(agents=[])

    def stop(self, params: chats.ChatRef) -> None:
        self.tell(f"stop {params.chat_id}")

    def set_mode(self, _: chats.SetMode) -> chats.AgentList:
        """Answers in a shape that is not its own."""
        return chats.AgentList(agents=[])

    async def answer(self, params: approvals.ApprovalResponse) -> approvals.Receipt:
        waiting = self._answers.get(params.approval_id)
        if waiting is None:
            return approvals.Unknown(because="There is no such ticket.")
        if waiting.done():
            return approvals.Already(outcome="allowed", by="user")
        waiting.set_result(params.option_id)
        return approvals.Applied(outcome="allowed", by="user", because="You allowed it.")

    async def configure(self, params: types.DidChangeConfigurationParams) -> None:
        if params.settings == "explode":
            raise RuntimeError("/a/secret/path")
        self.tell(f"settings {json.dumps(params.settings)}")

    def folders(self, _: types.DidChangeWorkspaceFoldersParams) -> None:
        self._say(" ".join(sorted(self._server.workspace.folders)))

    def trace(self, params: types.SetTraceParams) -> None:
        self._say(f"trace {types.TraceValue(params.value).value}")

    async def prompt(self, params: chats.Prompt) -> chats.TurnEnd:
        word, _, rest = params.text.partition(" ")
        said = await getattr(self, f"do_{word}")(rest)
        return chats.TurnEnd(reason="done", because=said)

    async def end_children(self) -> None:
        for child in self._children:
            child.kill()
            await child.wait()

    async def do_say(self, rest: str) -> str:
        return rest

    async def do_long(self, rest: str) -> str:
        return "x" * int(rest)

    async def do_fail(self, rest: str) -> str:
        raise RuntimeError(f"/a/secret/path {rest}")

    async def do_refuse(self, rest: str) -> str:
        raise Refused(rest)

    async def do_log(self, rest: str) -> str:
        for number in range(int(rest)):
            logging.getLogger("test").warning("%s %s", number, "x" * 1000)
        return "logged"

    async def do_halfway(self, _: str) -> str:
        raise Refused("half \ud83d of it")

    async def do_wait(self, rest: str) -> str:
        self.tell("waiting")
        try:
            await asyncio.get_running_loop().create_future()
        except asyncio.CancelledError:
            self._cancelled += 1
            self.tell("cancelled")
            raise
        return rest

    async def do_report(self, _: str) -> str:
        protocol = self._server.protocol
        return json.dumps(
            {
                "modules": sorted(sys.modules),
                "result types": len(protocol._result_types),
                "asks": len(protocol.asks),
                "running": len(protocol._request_futures),
                "cancelled": self._cancelled,
                "capabilities": self._server.server_capabilities.workspace is not None,
            }
        )

    async def do_approve(self, _: str) -> str:
        request = a_card(self._next())
        waiting = asyncio.get_running_loop().create_future()
        self._answers[request.approval_id] = waiting
        self._wire.notify("tool/approvalRequest", request)
        return str(await waiting)

    async def do_surrogate(self, _: str) -> str:
        self._say("half \ud83d of it")
        return "whole \udc00"

    async def do_confirm(self, rest: str) -> str:
        question = editor.Confirm(title=rest, detail="", actions=["Yes"])
        try:
            answer = await self._wire.request("ui/confirm", question, editor.Confirmed)
        except EditorRefused as error:
            self.tell(str(error))
            return f"{type(error).__name__}: {error}"
        return str(answer.action)

    async def do_impatient(self, rest: str) -> str:
        try:
            async with asyncio.timeout(0):
                return await self.do_confirm(rest)
        except TimeoutError:
            return "gave up"

    async def do_configuration(self, _: str) -> str:
        items = [types.ConfigurationItem(section="assent")]
        asked = self._server.workspace_configuration_async(types.ConfigurationParams(items=items))
        try:
            return json.dumps(await asked)
        except EditorRefused as error:
            return f"{type(error).__name__}: {error}"

    async def do_flood(self, rest: str) -> str:
        """Stream that many bytes, and count what the loop does beside."""
        text = "x" * 1000
        for _ in range(int(rest) // len(text)):
            self._say(text)
            await asyncio.sleep(0)
        self.tell(f"flooded {self._server._outbox._size}")
        return "flooded"

    async def do_print(self, rest: str) -> str:
        print(rest)  # noqa: T201 -- what must not be done is what is tested
        os.write(1, f"{rest}\n".encode())
        return ""

    async def do_child(self, rest: str) -> str:
        """Run a command as a careless tool would: with whatever it inherits."""
        child = await asyncio.create_subprocess_shell(rest, close_fds=False)
        return str(await child.wait())

    async def do_background(self, rest: str) -> str:
        child = await asyncio.create_subprocess_shell(f"exec {rest}")
        self._children.append(child)
        return str(child.pid)

    async def do_threads(self, rest: str) -> str:
        """Fill the pool of threads with work that waits for the end of a pipe."""
        reader, self._held_open = os.pipe()
        loop = asyncio.get_running_loop()
        for _ in range(int(rest)):
            loop.run_in_executor(None, os.read, reader, 1)
        return "busy"

    async def do_release(self, _: str) -> str:
        os.close(self._held_open)
        return "free"

    def _next(self) -> int:
        self._seq += 1
        return self._seq

    def _say(self, text: str) -> None:
        self._wire.stream("agent/event", event(self._next(), text))
