"""A client of a few lines that knows nothing of ours, for looking at what an agent sends."""

import asyncio
import json
import os
from types import TracebackType
from typing import Any, Self

from assent.hosting.connection.spec import AgentSpec

__all__ = ["Raw"]


class Raw:
    """Speaks with one agent, and gives each permission the same answer."""

    def __init__(self, agent: AgentSpec) -> None:
        self.agent = agent
        self.option = "reject_once"
        self.heard: list[dict[str, Any]] = []
        self.asked: dict[int, str] = {}
        self.permissions: list[dict[str, Any]] = []
        self.answering = True
        self._process: asyncio.subprocess.Process

    async def __aenter__(self) -> Self:
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            self.agent.command,
            *self.agent.args,
            env={"PATH": os.environ["PATH"], **self.agent.env},
            stdin=pipe,
            stdout=pipe,
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> int:
        """Close its input, and wait for it to end."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        async with asyncio.timeout(20):
            return await self._process.wait()

    def send(self, **message: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def request(self, method: str, params: dict[str, Any]) -> int:
        """Ask without waiting; the id."""
        number = len(self.asked) + 1
        self.asked[number] = method
        self.send(id=number, method=method, params=params)
        return number

    async def ask(self, method: str, params: dict[str, Any]) -> Any:
        """Ask, and read on until the answer."""
        answer = await self.answer_to(self.request(method, params))
        return answer.get("result", answer.get("error"))

    async def answer_to(self, number: int) -> dict[str, Any]:
        return await self.until(lambda message: message.get("id") == number)

    async def until(self, wanted: Any) -> dict[str, Any]:
        """Read on until a message that is wanted; permissions are answered on the way."""
        assert self._process.stdout is not None
        async with asyncio.timeout(20):
            while line := await self._process.stdout.readline():
                message: dict[str, Any] = json.loads(line)
                self.heard.append(message)
                if message.get("method") == "session/request_permission":
                    self.permissions.append(message)
                    self._permit(message["id"])
                elif "method" not in message and wanted(message):
                    return message
                if "method" in message and wanted(message):
                    return message
        raise EOFError

    def _permit(self, number: object) -> None:
        if self.answering:
            outcome = {"outcome": "selected", "optionId": self.option}
            self.send(id=number, result={"outcome": outcome})
