"""The fake host as a process, as tests in an editor use it."""

import asyncio
import json
import os
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from models.script import hold, text

_TESTS = Path(__file__).resolve().parents[1]


def _asked(url: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(urllib.request.Request(url, data), timeout=10) as answer:  # noqa: S310 -- this machine
        return answer.read().decode()


async def test_it_is_told_what_to_say_and_tells_what_it_was_asked(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps([[text("One."), hold("tail"), text("Two.")]]), "utf-8")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "models.server", str(script),
        env={**os.environ, "PYTHONPATH": str(_TESTS)}, stdin=pipe, stdout=pipe,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    async with asyncio.timeout(30):
        url = (await process.stdout.readline()).decode().strip()
        body = {"model": "m", "messages": [{"role": "user", "content": "Hello."}]}
        asking = asyncio.to_thread(_asked, f"{url}/api/chat", body)
        asked = asyncio.create_task(asking)
        await asyncio.to_thread(_asked, f"{url}/control/held/tail")
        told = json.loads(await asyncio.to_thread(_asked, f"{url}/control/asked/1"))
        assert told["last"] == "Hello."
        assert told["over"] is False
        await asyncio.to_thread(_asked, f"{url}/control/release/tail", {})
        lines = [json.loads(line) for line in (await asked).splitlines()]
        assert [it["message"]["content"] for it in lines] == ["One.", "Two.", ""]
        more = [[text("Three.")]]
        faults = await asyncio.to_thread(_asked, f"{url}/control/script", more)
        assert json.loads(faults) == {"faults": []}
        assert "Three." in await asyncio.to_thread(_asked, f"{url}/v1/messages", body)
        assert len(json.loads(await asyncio.to_thread(_asked, f"{url}/control/requests"))) == 2
        process.stdin.close()
        assert await process.wait() == 0


def test_a_step_that_nobody_knows_is_no_step() -> None:
    from models.spoken import Ollama  # noqa: PLC0415 -- for this test alone

    with pytest.raises(ValueError, match="a script knows no step like"):
        Ollama("m").say({"txt": "oops"})
