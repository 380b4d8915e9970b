"""Runs a command in a box on the command line's way, whose input is a socket of the machine."""

import sys
from pathlib import Path
from typing import Final

from assent.gate.sandbox.bubblewrap import OWN
from assent.gate.sandbox.hosts import Answer, Leave
from assent.gate.sandbox.probe import Finding, Strength
from assent.gate.sandbox.trials import Trial

SCRIPT: Final = """
import ctypes, os, socket, struct, sys, urllib.request
s = socket.socket(fileno=0)
libc = ctypes.CDLL(None, use_errno=True)
def connect(address):
    print(os.strerror(ctypes.get_errno()) if libc.connect(0, address, len(address)) else "done")
connect(bytes(16))
there = socket.inet_aton("127.0.0.1")
connect(struct.pack("H", 2) + struct.pack("!H4s8x", int(sys.argv[1]), there))
try: urllib.request.urlopen("http://registry.example/")
except OSError as error: print(error)
sys.exit(3)
"""


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def judge(host: str, port: int) -> Answer:
    """Refuse it, and print it."""
    say(f"asked {host} {port}")
    return Answer(Leave.NONE)


def main() -> None:
    """Run it."""
    top, port = Path(sys.argv[1]), sys.argv[2]
    layers = top / "layers"
    layers.mkdir(mode=0o700)
    root = str(top / "workspace")
    trial = Trial.prepare(
        Finding(strength=Strength.TRIAL, bwrap=str(OWN), layers=str(layers)),
        root,
        str(top / "home"),
        root,
        str(top / "state"),
        variables={"PATH": "/usr/bin:/bin"},
        hidden=tuple,
        judge=judge,
    )
    try:
        status = trial.run(["/usr/bin/python3", "-c", SCRIPT, port])
        say(f"status {status}")
        for contact in trial.witness:
            say(str(contact))
    finally:
        trial.end()


if __name__ == "__main__":
    main()
