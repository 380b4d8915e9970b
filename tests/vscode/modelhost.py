"""The fake host of models, as a process: a browser that is open leaves this thread no loop.

What it says and what it was asked is told in the words of `models.script` and `models.server`.
"""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from models.script import Step

__all__ = ["Models", "hosted"]

_TESTS: Final = Path(__file__).resolve().parents[1]
_WITHIN: Final = 30.0


@dataclass(frozen=True, kw_only=True)
class Models:
    """The host, and how it is steered."""

    url: str

    @property
    def address(self) -> str:
        """Its host and port."""
        return self.url.removeprefix("http://")

    def setting(self, name: str, dialect: str = "openai", **more: object) -> dict[str, object]:
        """A model of this host, as a person's settings name one; its host calls it the same."""
        url = f"{self.url}/v1" if dialect == "openai" else self.url
        return {"provider": dialect, "model": name, "name": name, "url": url, **more}

    def reply(self, *steps: Step, when: str = "") -> None:
        """Say this to the next request that it fits."""
        self._ask("script", [{"steps": steps, "when": when}])

    def held(self, name: str) -> None:
        """Wait until a reply stands at this hold."""
        self._ask(f"held/{name}")

    def release(self, name: str) -> None:
        """Let that reply go on."""
        self._ask(f"release/{name}", {})

    def asked(self, number: int) -> dict[str, Any]:
        """The request of this number, counted from 1, once it has come."""
        told: dict[str, Any] = self._ask(f"asked/{number}")
        return told

    def faults(self) -> list[str]:
        """What was asked for that no reply was there for."""
        told: list[str] = self._ask("script", [])["faults"]
        return told

    def _ask(self, what: str, body: object = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/control/{what}", data)  # noqa: S310 -- this machine
        # A proxy of the network knows nothing of this machine.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=_WITHIN) as answer:
            return json.load(answer)


@contextmanager
def hosted() -> Iterator[Models]:
    """Start the host; it ends with the block, having been asked for nothing unforeseen."""
    process = subprocess.Popen(
        [sys.executable, "-m", "models.server"],
        env={**os.environ, "PYTHONPATH": str(_TESTS)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        models = Models(url=process.stdout.readline().strip())
        yield models
        assert models.faults() == []
    finally:
        process.stdin.close()
        process.wait(_WITHIN)
        process.stdout.close()
