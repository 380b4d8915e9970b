"""Who a host is, it has to prove; and what proves it is read from the disk once."""

import asyncio
import shutil
import ssl
from pathlib import Path

import httpx2
import pytest

from agent.models.scene import DIALECTS, HELLO, Scene, nobody_there, texts
from assent.agent.models.provider import ModelFailed
from models.script import text
from models.server import ModelServer

OPENSSL = shutil.which("openssl")


@pytest.fixture
async def certificate(tmp_path: Path) -> Path:
    """The certificate of this machine, signed by nobody else, with its key."""
    if OPENSSL is None:
        pytest.skip("there is no openssl to make a certificate with")
    path = tmp_path / "certificate.pem"
    process = await asyncio.create_subprocess_exec(
        OPENSSL, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
        "-nodes", "-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1",
        "-keyout", str(path), "-out", str(tmp_path / "public.pem"),
        stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    async with asyncio.timeout(30):
        assert await process.wait() == 0
    path.write_bytes(path.read_bytes() + (tmp_path / "public.pem").read_bytes())
    return path


def proving(certificate: Path) -> ssl.SSLContext:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    return tls


async def test_a_host_that_nobody_vouches_for_is_told_nothing(certificate: Path) -> None:
    async with ModelServer(tls=proving(certificate)) as server:
        for dialect in DIALECTS:
            scene = Scene(server=server, dialect=dialect)
            _, why = await scene.failed()
            place = server.url_for(dialect)
            assert why.startswith(f"The certificate of {place} is not trusted here: ")
        assert server.requests == server.others == []


async def test_a_host_is_believed_whose_certificate_the_environment_names(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with ModelServer(tls=proving(certificate)) as server:
        server.reply(text("So."))
        assert texts(await Scene(server=server, dialect="openai").events()) == "So."


async def test_certificates_that_are_not_there_are_told(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/file")
    scene = Scene(server=server, dialect="openai")
    _, why = await scene.failed(url="https://127.0.0.1:1/v1")
    assert why.startswith("127.0.0.1:1 cannot be asked: ")


async def test_certificates_are_read_once_and_only_where_they_are_needed(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[ssl.SSLContext] = []

    def empty() -> ssl.SSLContext:
        made.append(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        return made[-1]

    monkeypatch.setattr(httpx2, "create_ssl_context", empty)
    scene.server.reply(text("So."))
    assert texts(await scene.events()) == "So."
    assert made == []
    provider = scene.provider(url=nobody_there().replace("http:", "https:"))
    for _ in range(2):
        with pytest.raises(ModelFailed):
            assert [it async for it in provider.stream(HELLO)]
    assert len(made) == 1
