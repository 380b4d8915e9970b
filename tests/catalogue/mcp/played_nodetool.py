"""Plays nodetool's worker, well or badly, as its first word says: `played_nodetool.py kind`.

A program of its own that speaks as the real one does; the real one is in `test_nodetool_real.py`.
"""

import os
import signal
import struct
import sys
from collections.abc import Callable
from typing import Any

from assent.catalogue.workers.messagepack import packed, unpacked

KIND = sys.argv[1]
FROM, TO = sys.stdin.buffer, sys.stdout.buffer


def raw(body: bytes) -> None:
    TO.write(struct.pack(">I", len(body)) + body)
    TO.flush()


def say(kind: str, name: Any, **data: Any) -> None:
    raw(packed({"type": kind, "request_id": name, "data": data}))


def node(name: object, **more: Any) -> dict[str, Any]:
    text = {"name": "text", "type": {"type": "str"}, "default": "", "description": "A text"}
    times = {"name": "times", "type": {"type": "int"}, "default": 2}
    return {
        "node_type": name,
        "title": "",
        "description": "Writes a text in capitals. Then more.",
        "properties": [text, times],
        "outputs": [{"name": "output", "type": {"type": "str"}}],
        "is_dynamic": False,
        **more,
    }


NODES = {
    "odd-names": [
        node("ours.Good"),
        node("x\u202ey"),
        node(""),
        node(7),
        node("ours.Twice"),
        node("ours.Twice"),
        node("ours.Large", description="x" * 7_000, properties=[{"name": "n" * 70_000}]),
        node("ours.Bad", properties="none"),
        "none",
    ],
    "odd-words": [
        node("ours.Good"),
        node("ours.List", properties=[{"name": ["a"]}]),
        node("ours.Five", required_settings=5),
    ],
    "wants-a-key": [node("ours.Upper", required_settings=["A_KEY"])],
}
ERRORS = [{"module": "nodetool.nodes.torn", "phase": "import", "error": "No module named 'torch'"}]
PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


def described(name: str) -> None:
    version = 5 if KIND == "old" else 6
    errors = ERRORS if KIND == "torn" else []
    if KIND == "crowd":
        NODES[KIND] = [node(f"ours.N{it}") for it in range(10_002)]
    nodes = NODES.get(KIND, [node("ours.Upper"), node("ours.Slow")])
    say("discover", name, protocol_version=version, nodes=nodes, load_errors=errors)


def dies(_: str) -> None:
    sys.stderr.write("out of luck\n")
    sys.stderr.flush()
    os._exit(3)


def is_large(_: str) -> None:
    TO.write(struct.pack(">I", 65 * 1024 * 1024))
    TO.flush()


def breaks_off(_: str) -> None:
    TO.write(struct.pack(">I", 100) + b"\x81")
    TO.flush()
    os._exit(0)


def answers_for_others(name: str) -> None:
    for to, output in (("somebody else's", "forged"), (name, "mine"), (name, "again")):
        say("result", to, outputs={"output": output}, blobs={})


def gives_pictures(name: str) -> None:
    blobs = {"picture": PNG, "sound": b"RIFF\x24\0\0\0WAVEfmt "}
    outputs = {"picture": {"type": "image"}, "n": float("nan")}
    say("result", name, outputs=outputs, blobs=blobs)


RUNS: dict[str, Callable[[str], None]] = {
    "dies": dies,
    "torn-message": lambda _: raw(b"\xdc"),
    "deep": lambda _: raw(b"\x91" * 100_000),
    "many": lambda _: raw(b"\xdd\x00\x1f\xff\xff" + b"\xc0" * 0x1FFFFF),
    "large": is_large,
    "no-message": lambda _: raw(packed([1, 2])),
    "breaks-off": breaks_off,
    "fails": lambda it: say("error", it, error="no such\nthing \u202e", traceback="at line 1"),
    "others": answers_for_others,
    "slow": lambda it: say("progress", it, progress=1, total=4, message="loading"),
    "pictures": gives_pictures,
    "nothing": lambda it: say("result", it),
}


def ran(name: str, data: dict[str, Any]) -> None:
    if KIND in RUNS:
        RUNS[KIND](name)
        return
    fields = data["fields"]
    text = str(fields.get("text", "")).upper() * int(fields.get("times", 1))
    say("result", name, outputs={"output": text}, blobs={})


def heard(message: dict[str, Any]) -> None:
    name = message["request_id"]
    match message["type"]:
        case "discover":
            described(name)
        case "execute":
            ran(name, message["data"])
        case "cancel" if KIND == "slow" and not os.environ.get("DEAF"):
            say("error", name, error="it was cancelled")


if KIND == "silent":
    signal.pause()
if KIND == "no-worker":
    sys.exit("No module named nodetool")
while head := FROM.read(4):
    heard(unpacked(FROM.read(struct.unpack(">I", head)[0])))
