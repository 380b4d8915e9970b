"""What we send and what Eliza sends is what the protocol's own schema says."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from acp import schema
from pydantic import BaseModel

from assent.hosting.connection.spec import AgentSpec
from hosting.eliza.raw import Raw
from hosting.eliza.rig import BOUND, Rig

Make = Callable[..., AgentSpec]

REQUESTS = {
    "initialize": schema.InitializeRequest,
    "session/new": schema.NewSessionRequest,
    "session/prompt": schema.PromptRequest,
    "session/close": schema.CloseSessionRequest,
    "session/cancel": schema.CancelNotification,
    "session/request_permission": schema.RequestPermissionRequest,
    "session/update": schema.SessionNotification,
}
RESULTS = {
    "initialize": schema.InitializeResponse,
    "session/new": schema.NewSessionResponse,
    "session/prompt": schema.PromptResponse,
    "session/close": schema.CloseSessionResponse,
}


@pytest.mark.requirement("S-01")
async def test_what_we_send_is_of_the_protocol(rig: Rig, scripted: Make) -> None:
    rig.agent = scripted(
        """
        log = open(os.environ["HEARD"], "w")
        plain = hear
        def hear():
            message = plain()
            log.write(json.dumps(message) + "\\n")
            log.flush()
            return message
        globals()["hear"] = hear
        number = begin({"sessionCapabilities": {"close": {}}})
        ask(1, {"toolCallId": "t", "rawInput": {"command": "true"}})
        answer_to(1)
        ask(2, {"toolCallId": "u", "rawInput": {"command": "true"}})
        answer_to(2)
        ask(3, {"toolCallId": "v", "rawInput": {"command": "true"}})
        answer_to(3)
        end(number, "cancelled")
        until("never")
        """,
        env={"HEARD": str(rig.root / "heard.jsonl")},
    )
    await rig.open()
    async with asyncio.timeout(BOUND), asyncio.TaskGroup() as group:
        group.create_task(rig.fleet.prompt(rig.chat, "hello"))
        await rig.answer(await rig.ticket(1), "once")
        await rig.answer(await rig.ticket(2), "deny")
        await rig.ticket(3)
        await rig.fleet.stop(rig.chat)
    await rig.fleet.close(rig.chat)
    heard = [json.loads(line) for line in (rig.root / "heard.jsonl").read_text().splitlines()]
    for message in heard:
        assert message["jsonrpc"] == "2.0"
        if "method" in message:
            strictly(REQUESTS[message["method"]], message["params"])
        else:
            strictly(schema.RequestPermissionResponse, message["result"])
    methods = [message["method"] for message in heard if "method" in message]
    assert methods[:3] == ["initialize", "session/new", "session/prompt"]
    assert "session/cancel" in methods
    first = heard[0]["params"]
    assert first["protocolVersion"] == 1
    assert first["clientCapabilities"]["terminal"] is False
    assert first["clientCapabilities"]["fs"] == {"readTextFile": False, "writeTextFile": False}


async def test_what_eliza_sends_is_of_the_protocol(rig: Rig) -> None:
    async with Raw(rig.agent) as raw:
        await raw.ask("initialize", {"protocolVersion": 1})
        session = (await raw.ask("session/new", {"cwd": str(rig.root), "mcpServers": []}))[
            "sessionId"
        ]
        for text, option in (
            ("hello", "allow_once"),
            ("write a x", "allow_once"),
            ("read a", "reject_once"),
            ("run echo x", "allow_always"),
            ("two calls", "reject_always"),
            ("spoof true", "reject_once"),
            ("cheat true", "reject_once"),
        ):
            raw.option = option
            prompt = [{"type": "text", "text": text}]
            await raw.ask("session/prompt", {"sessionId": session, "prompt": prompt})
        await raw.ask("session/close", {"sessionId": session})
    kinds = set()
    for message in raw.heard:
        if "method" in message:
            strictly(REQUESTS[message["method"]], message["params"])
            kinds.add(message["params"].get("update", {}).get("sessionUpdate", "permission"))
        else:
            strictly(RESULTS[raw.asked[message["id"]]], message["result"])
    assert kinds == {"agent_message_chunk", "tool_call", "tool_call_update", "permission"}


def strictly(shape: type[BaseModel], value: dict[str, Any]) -> None:
    """Hold a message against its shape; nothing of it may be unknown to the shape."""
    read = shape.model_validate(value)
    written = json.loads(read.model_dump_json(by_alias=True, exclude_unset=True))
    assert written == value
