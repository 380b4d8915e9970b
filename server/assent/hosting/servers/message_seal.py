"""The gate's end of an agent's conversation with a tool server: each message is proven in turn.

Who put another socket in the place of the gate's could pass the greeting on and then say what it
liked; what is not sealed with the key ends the conversation instead.
"""

import asyncio
import hmac

from assent.gate.call.errors import AssentError
from assent.gate.values import define, field
from assent.hosting.hooks.gate_hook import (
    MAX_SERVER_MESSAGE_BYTES,
    PROOF_LETTERS,
    proof_of,
    said_by,
)

__all__ = ["SealedMessages", "Unsealed"]

_LENGTH_BYTES = 4
_MAX_UNREAD_BYTES = 32_000_000
"""In bytes: so much waits to be read by the other end."""


class Unsealed(AssentError):
    """A message that whoever has the key did not say, or not then."""


@define(eq=False)
class SealedMessages:
    """One conversation."""

    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    _key: bytes = field(repr=False)
    _nonces: tuple[str, str]
    _heard: int = 0
    _said: int = 0

    async def hear(self) -> str | None:
        """The next message; None where nothing comes any more."""
        try:
            head = await self._reader.readexactly(_LENGTH_BYTES + PROOF_LETTERS)
            length = int.from_bytes(head[:_LENGTH_BYTES], "big")
            if length > MAX_SERVER_MESSAGE_BYTES:
                raise Unsealed("it says too much")
            text = (await self._reader.readexactly(length)).decode("utf-8")
        except asyncio.IncompleteReadError:
            return None
        except UnicodeDecodeError as error:
            raise Unsealed("what it says is no text") from error
        self._heard += 1
        proof = proof_of(self._key, said_by("pipe", self._heard), self._nonces, text)
        if not hmac.compare_digest(proof.encode(), head[_LENGTH_BYTES:]):
            raise Unsealed("it has not the key")
        return text

    def say(self, text: str) -> None:
        """Send a message; nobody hears it where the other end is gone."""
        if self._writer.transport.get_write_buffer_size() > _MAX_UNREAD_BYTES:
            # Who asks on and on and reads nothing is heard no more.
            self.close()
            return
        self._said += 1
        proof = proof_of(self._key, said_by("served", self._said), self._nonces, text)
        body = text.encode("utf-8", "backslashreplace")
        self._writer.write(len(body).to_bytes(_LENGTH_BYTES, "big") + proof.encode() + body)

    def close(self) -> None:
        """Say and hear nothing more, whether or not the other end reads."""
        self._writer.transport.abort()
