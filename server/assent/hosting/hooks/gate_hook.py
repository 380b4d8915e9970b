"""Asks the gate about one call; the agent runs this program as its hook.

    python -I -S gate_hook.py FOLDER NAME TOOL SECONDS   with the call on its input

In FOLDER, which is this person's alone, lie the gate's socket and a key under NAME. Each end
proves to the other that it has the key, the whole call and the whole answer among what is proven:
whoever has only put a socket there can say nothing. The length of the call goes before it, proven
as well, so that the gate holds nothing of whoever has not the key. What the gate answers is printed
as it came, in the words of the TOOL that asked.

An agent runs its tool when a hook breaks off, prints nonsense or takes too long. So whatever goes
wrong here ends with the exit code 2 and a sentence, which each of them takes for a refusal, and
SECONDS are fewer than the agent waits. This file is run by itself: it takes nothing of Assent's.
"""

import hmac
import json
import os
import socket
import stat
import sys
import time
from collections.abc import Callable

__all__ = [
    "KEY",
    "MAX_MESSAGE_BYTES",
    "MAX_SERVER_MESSAGE_BYTES",
    "PROOF_LETTERS",
    "REFUSED_EXIT_CODE",
    "SOCKET",
    "Asking",
    "NoRuling",
    "NobodyThere",
    "insist",
    "main",
    "private_folder",
    "proof_of",
    "put_answer",
    "read_call",
    "said_by",
    "say",
]

SOCKET = "gate"
KEY = ".key"
"""What is behind a name in the name of its key's file."""
MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""In bytes: what one message may have."""
MAX_SERVER_MESSAGE_BYTES = 4 * 1024 * 1024
"""In bytes: what one message to a server of tools may have."""
PROOF_LETTERS = 64
"""In letters: how long a proof is."""

REFUSED_EXIT_CODE = 2
"""The exit code that every agent takes for a refusal."""
_DIGEST = "sha256"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_READ_BYTES = 64 * 1024


class NoRuling(Exception):
    """Why there is no ruling; a sentence."""


class NobodyThere(NoRuling):
    """There is no gate at this place."""


def proof_of(key: bytes, role: str, nonces: tuple[str, str], text: str) -> str:
    """What only who has the key can say: of this role, in this conversation, about this text."""
    said = "\0".join((role, *nonces, text)).encode("utf-8", "surrogatepass")
    return hmac.digest(key, said, _DIGEST).hex()


def said_by(role: str, number: int) -> str:
    """Who says the nth of many messages; one that is said again, or left out, is no proof."""
    return f"{role} {number}"


def main(words: list[str]) -> int:
    """Print what the gate says of the call on the input; 2 where it says nothing."""
    try:
        folder, name, tool, seconds = words
        asking = Asking(folder, time.monotonic() + float(seconds))
        put_answer(asking.ruling(name, tool, read_call()))
    except BaseException as error:  # noqa: BLE001 -- no failure of whatever kind is an allowance
        say(error)
        return REFUSED_EXIT_CODE
    return 0


class Asking:
    """One conversation with the gate, which is over at a certain moment."""

    def __init__(self, folder: str, until: float) -> None:
        self._until = until
        self._folder = private_folder(folder)
        self._rest = b""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    def ruling(
        self, name: str, tool: str, call: str, meanwhile: Callable[[], object] = lambda: None
    ) -> str:
        """What is to be printed, from whoever has the key and nobody else.

        What is to be done `meanwhile` is done once the call is handed over.
        """
        key, nonces = self._greeted(name, tool)
        asked = _line({"call": call, "proof": proof_of(key, "call", nonces, call)})
        length = str(len(asked))
        self._send({"length": length, "proof": proof_of(key, "hook", nonces, length)})
        self._pour(asked)
        meanwhile()
        message = self._hear("answer", "proof")
        insist(key, "ruling", nonces, message["answer"], message["proof"])
        return message["answer"]

    def opened(self, name: str) -> tuple[socket.socket, bytes, tuple[str, str]]:
        """A conversation that is not over with one answer, and what seals what is said in it."""
        key, nonces = self._greeted(name, "")
        self._send({"length": "0", "proof": proof_of(key, "hook", nonces, "0")})
        self._socket.settimeout(None)
        return self._socket, key, nonces

    def _greeted(self, name: str, tool: str) -> tuple[bytes, tuple[str, str]]:
        """The key, and what makes this conversation another than all before it."""
        key = _key_in(self._folder, name)
        self._connect()
        mine = os.urandom(16).hex()
        self._send({"name": name, "nonce": mine, "tool": tool})
        challenge = self._hear("nonce", "proof")
        nonces = (mine, challenge["nonce"])
        insist(key, "gate", nonces, tool, challenge["proof"])
        return key, nonces

    def _connect(self) -> None:
        # From inside, so that it is the folder that was looked at, and no name is too long.
        os.fchdir(self._folder)
        try:
            facts = os.lstat(SOCKET)
        except FileNotFoundError as error:
            raise NobodyThere("the gate is not there any more") from error
        if not stat.S_ISSOCK(facts.st_mode) or facts.st_uid != os.geteuid():
            raise NoRuling("what lies in the place of the gate is not the gate")
        self._socket.settimeout(self._left())
        try:
            self._socket.connect(SOCKET)
        except ConnectionRefusedError as error:
            raise NobodyThere("the gate is not there any more") from error

    def _send(self, message: dict[str, str]) -> None:
        self._pour(_line(message))

    def _pour(self, line: bytes) -> None:
        self._socket.settimeout(self._left())
        self._socket.sendall(line)

    def _hear(self, *members: str) -> dict[str, str]:
        """The next line, with these members and no others, each a text."""
        while b"\n" not in self._rest:
            self._socket.settimeout(self._left())
            more = self._socket.recv(_READ_BYTES)
            if not more:
                raise NoRuling("the gate broke off without an answer")
            self._rest += more
            if len(self._rest) > MAX_MESSAGE_BYTES:
                raise NoRuling("the gate said too much")
        line, _, self._rest = self._rest.partition(b"\n")
        message = json.loads(line)
        if not isinstance(message, dict) or message.keys() != set(members):
            raise NoRuling("the gate said what nobody understands")
        if not all(isinstance(value, str) for value in message.values()):
            raise NoRuling("the gate said what nobody understands")
        return message

    def _left(self) -> float:
        left = self._until - time.monotonic()
        if left <= 0:
            raise NoRuling("the gate did not answer in time")
        return left


def _line(message: dict[str, str]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def private_folder(path: str) -> int:
    """A descriptor of the folder, where it is this person's alone and no link."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    facts = os.fstat(folder)
    if facts.st_uid != os.geteuid() or facts.st_mode & _OTHERS:
        raise NoRuling("the gate's folder is not private")
    return folder


def _key_in(folder: int, name: str) -> bytes:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        file = os.open(name + KEY, flags, dir_fd=folder)
    except FileNotFoundError as error:
        raise NobodyThere("the gate's key is not there any more") from error
    facts = os.fstat(file)
    is_own = facts.st_uid == os.geteuid() and not facts.st_mode & _OTHERS
    key = os.read(file, _READ_BYTES) if stat.S_ISREG(facts.st_mode) and is_own else b""
    if not key:
        raise NoRuling("the gate's key is not private")
    return key


def insist(key: bytes, role: str, nonces: tuple[str, str], text: str, proof: str) -> None:
    """Raise where the gate did not say this."""
    if not hmac.compare_digest(proof_of(key, role, nonces, text).encode(), proof.encode()):
        raise NoRuling("who answered is not the gate")


def read_call() -> str:
    """The call on the input."""
    call = sys.stdin.buffer.read(MAX_MESSAGE_BYTES + 1)
    if len(call) > MAX_MESSAGE_BYTES // 2:
        raise NoRuling("this call is too large")
    return call.decode()


def put_answer(answer: str) -> None:
    """Print what was ruled."""
    # Agents read UTF-8, whatever this person's language is written in elsewhere.
    sys.stdout.buffer.write(answer.encode())
    sys.stdout.buffer.flush()


def say(error: BaseException) -> None:
    """Tell the agent why it was not ruled on."""
    why = str(error) if isinstance(error, NoRuling) else f"{type(error).__name__}: {error}"
    if isinstance(error, TimeoutError):
        why = "the gate did not answer in time"
    said = f"Assent could not rule on this call, so it was not run: {why}.\n"
    sys.stderr.buffer.write(said.encode("utf-8", "backslashreplace"))
    sys.stderr.buffer.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
