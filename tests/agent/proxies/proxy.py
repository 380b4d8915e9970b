"""LiteLLM's proxy as it is on PyPI, in front of a model that is played; fetched once.

`python -m hosts.proxy` fetches it, which takes 750 MB.
"""

import asyncio
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from host.install import only_one
from host.ports import free_port
from hosting.real.fetch import CACHE, Absent

__all__ = ["fetch", "fetched", "proxied"]

_LOCK: Final = Path(__file__).with_name("requirements.txt")
_LONGEST: Final = 900
_STARTS_WITHIN: Final = 90
_ENV: Final = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # It asks nobody else for it.
    "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true",
}


def fetched() -> Path:
    """Its packages; raise `Absent` where they are not here."""
    folder = _folder()
    if not (folder / "whole").is_file():
        raise Absent("LiteLLM is not fetched yet: run `make test-hosts` once.")
    return folder


def fetch() -> None:
    """Fetch it, unless it is here."""
    folder = _folder()
    CACHE.mkdir(parents=True, exist_ok=True)
    with only_one(CACHE):
        if not (folder / "whole").is_file():
            pip = (sys.executable, "-m", "pip", "install", "--quiet", "--upgrade", "--no-deps")
            wanted = ("--target", str(folder), "--require-hashes", "--requirement", str(_LOCK))
            subprocess.run((*pip, *wanted), check=True, timeout=_LONGEST)
            (folder / "whole").touch()


def _folder() -> Path:
    return CACHE / f"litellm-{hashlib.sha256(_LOCK.read_bytes()).hexdigest()[:16]}"


@asynccontextmanager
async def proxied(model: str, base: str, below: Path) -> AsyncGenerator[str]:
    """The proxy's address; it calls this model of this host `tiny`."""
    given = {"model": model, "api_base": base, "api_key": "x"}
    config = below / "litellm.yaml"
    config.write_text(json.dumps({"model_list": [{"model_name": "tiny", "litellm_params": given}]}))
    packages, port = fetched(), free_port()
    words = ("--config", str(config), "--port", str(port), "--host", "127.0.0.1")
    with (below / "litellm.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "import litellm; litellm.run_server()", *words),
            env={**os.environ, **_ENV, "PYTHONPATH": str(packages), "NO_PROXY": "*"},
            stdout=log,
            stderr=log,
        )
        try:
            await _listening(port, process, below / "litellm.log")
            yield f"http://127.0.0.1:{port}"
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


async def _listening(port: int, process: asyncio.subprocess.Process, log: Path) -> None:
    async with asyncio.timeout(_STARTS_WITHIN):
        while process.returncode is None:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                with suppress(TimeoutError):
                    await asyncio.wait_for(process.wait(), 0.3)
            else:
                writer.close()
                return
    raise AssertionError(log.read_text("utf-8", "replace")[-2000:])


if __name__ == "__main__":
    fetch()
