"""Passes an agent's messages for a tool server to the gate; the agent starts it as the server.

    python -I -S tool_pipe.py FOLDER NAME

The server itself is started by Assent and nobody else: this only carries lines. In FOLDER lie the
gate's socket and a key under NAME, as for a hook, and each end proves to the other that it has the
key, once; the gate forgets it then, so that nobody comes by it a second time. Each message behind
that is sealed with the key, in its turn. Where anything is not as it should be this ends, and an
agent without its server runs nothing.

Nothing of the agent's environment says anything here.
"""

# It is run by itself, and every start would wait for pathlib.
# ruff: noqa: PTH100, PTH118

import os
import socket
import sys
import threading
import time

__all__ = ["Seal", "main"]

_UP = (os.pardir,) * 4
_PACKAGE = os.path.abspath(os.path.join(__file__, *_UP))
# It is run by itself, so what it takes of its neighbours is found here.
if _PACKAGE not in sys.path:
    sys.path.append(_PACKAGE)

from assent.hosting.hooks import gate_hook  # noqa: E402 -- found by the lines above

_GREETING_TIMEOUT_S = 30.0
"""In seconds."""
_BROKEN_EXIT_CODE = 1


class Seal:
    """Messages one after the other, each proven: a length, a proof, and so many bytes."""

    def __init__(self, connected: socket.socket, key: bytes, nonces: tuple[str, str]) -> None:
        self._socket, self._key, self._nonces = connected, key, nonces
        self._stream = connected.makefile("rb")
        self._said = self._heard = 0

    def say(self, text: str) -> None:
        """Send one."""
        self._said += 1
        proof = gate_hook.proof_of(
            self._key, gate_hook.said_by("pipe", self._said), self._nonces, text
        )
        body = text.encode()
        self._socket.sendall(len(body).to_bytes(4, "big") + proof.encode() + body)

    def hear(self) -> "str | None":
        """The next one; None where nothing comes any more."""
        head = self._stream.read(4 + gate_hook.PROOF_LETTERS)
        if not head:
            return None
        length = int.from_bytes(head[:4], "big")
        body = self._stream.read(length) if length <= gate_hook.MAX_MESSAGE_BYTES else b""
        if len(body) != length or len(head) != 4 + gate_hook.PROOF_LETTERS:
            raise gate_hook.NoRuling("the gate broke off")
        self._heard += 1
        text, role = body.decode(), gate_hook.said_by("served", self._heard)
        gate_hook.insist(self._key, role, self._nonces, text, head[4:].decode())
        return text


def main(words: list[str]) -> int:
    """Carry lines both ways, to the end of either."""
    try:
        folder, name = words
        asking = gate_hook.Asking(folder, time.monotonic() + _GREETING_TIMEOUT_S)
        seal = Seal(*asking.opened(name))
    except (gate_hook.NoRuling, OSError, ValueError) as error:
        sys.stderr.write(f"Assent: this server is not there: {error}.\n")
        return _BROKEN_EXIT_CODE
    threading.Thread(target=_carry_in, args=(seal,), daemon=True).start()
    try:
        while (text := seal.hear()) is not None:
            sys.stdout.buffer.write(text.encode() + b"\n")
            sys.stdout.buffer.flush()
    except (gate_hook.NoRuling, OSError, ValueError):
        return _BROKEN_EXIT_CODE
    return 0


def _carry_in(seal: Seal) -> None:
    """What the agent says; once it says no more, nobody waits for an answer."""
    most = gate_hook.MAX_SERVER_MESSAGE_BYTES
    try:
        while line := sys.stdin.buffer.readline(most + 1):
            if len(line) > most:
                # The rest of it would be taken for messages of their own.
                sys.stderr.write(f"Assent: no message has more than {most:,} bytes.\n")
                sys.stderr.flush()
                return
            if text := line.decode().strip():
                seal.say(text)
    except (gate_hook.NoRuling, OSError, ValueError):
        pass
    finally:
        os._exit(0)


if __name__ == "__main__":
    # The other thread may be reading what nobody will say, and is not waited for.
    code = main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(code)
