"""Measures the chats that last: the list of a thousand, and a long one opened, over the real pipe.

The peer reads the same from plain files of JSON, one for each chat, as other products keep them:
what it costs to have the words at all, with no index, no seal and no page.
"""

import hashlib
import hmac
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from assent.agent.chats.marks import Mark
from assent.agent.chats.store import Store
from assent.agent.chats.values import Batch, Head
from assent.gate.settings.keys import key_from_secret
from bench.window import Talker, Window, talker, window

__all__ = ["measure"]

_CHATS: Final = 1_000
_TURNS: Final = 2_000
_PAGE: Final = 100
_RUNS: Final = 7
_BARS: Final = {"list": 50.0, "found": 50.0, "first screen": 100.0, "whole": 300.0}

_SAID: Final = (
    "Have a look at the till: the sum of line {number} is wrong by a cent, and nobody knows why."
    " Change nothing before you have told me what it is."
)


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    with tempfile.TemporaryDirectory(prefix="assent-bench-") as name, talker() as model:
        home, secrets = Path(name), dict[str, str]()
        with window(model, home, secrets=secrets) as opened:
            opened.chat()
        _fill(home, secrets)
        ours = _ours(model, home, secrets)
        peers = _peers(home)
    print(f"{'':36}{'assent':>12}{'peer':>12}{'ratio':>8}  bar")
    met = True
    for name, bar in _BARS.items():
        good = ours[name] <= bar
        met = met and good
        ratio = ours[name] / peers[name]
        says = f"at most {bar:g}: {'met' if good else 'MISSED'}"
        print(f"{f'{name}, ms':36}{ours[name]:12,.1f}{peers[name]:12,.1f}{ratio:8.2f}  {says}")
    return met


def _entries(number: int) -> list[dict[str, Any]]:
    """One turn, as it is kept."""
    said = _SAID.format(number=number)
    return [
        {"kind": "user", "messageId": f"u{number}", "text": said},
        {"kind": "agent", "messageId": f"a{number}", "text": f"It is rounded twice. {said}" * 3},
    ]


def _fill(home: Path, secrets: dict[str, str]) -> None:
    """A thousand chats of ten turns and a long one: sealed, and beside them as plain files."""
    store = Store(home / "state" / "chats.db", "", lambda _: False)
    key = key_from_secret(secrets["attestationKey"])
    store.begin(hmac.new(key, b"chats", hashlib.sha256).digest(), Mark())
    place = str((home / "workspace").resolve())
    plain = home / "plain"
    plain.mkdir()
    made = [("long", _TURNS), *((f"c{number}", 10) for number in range(_CHATS - 1))]
    for at in range(0, len(made), 50):
        store.put([_chat(plain, place, name, turns) for name, turns in made[at : at + 50]])
    store.close()


def _chat(plain: Path, place: str, name: str, turns: int) -> Batch:
    entries = [it for number in range(turns) for it in _entries(number)]
    head = Head(
        id=name,
        workspace=place,
        agent="assent",
        title=f"The till of {name}",
        mode="default",
        touched=int(time.time() * 1_000),
        is_open=False,
    )
    told = {"title": head.title, "entries": entries}
    (plain / f"{name}.json").write_text(json.dumps(told), "utf-8")
    return Batch(
        head=head,
        items={at: json.dumps(it).encode() for at, it in enumerate(entries)},
        words={at: it["text"] for at, it in enumerate(entries)},
    )


def _ours(model: Talker, home: Path, secrets: dict[str, str]) -> dict[str, float]:
    with window(model, home, secrets=secrets) as opened:
        _asked(opened, "chat/list", {"limit": 1})
        told = _asked(opened, "chat/list", {"limit": _CHATS})["chats"]
        if len(told) != _CHATS:
            raise AssertionError(f"{len(told)} chats are listed")
        listed = _median(lambda: _asked(opened, "chat/list", {"limit": _CHATS}))
        found = _median(
            lambda: _asked(opened, "chat/list", {"limit": _CHATS, "find": "rounded line 1999"})
        )
        runs = [_opened(opened) for _ in range(_RUNS)]
    first, whole = (statistics.median(it) for it in zip(*runs, strict=True))
    return {"list": listed, "found": found, "first screen": first, "whole": whole}


def _opened(opened: Window) -> tuple[float, float]:
    """Open the long chat: until its last entries are there, and until all of them are."""
    began = time.perf_counter()
    key = opened.ask("chat/open", {"chatId": "long"})
    opened.answer(key)
    chats = _asked(opened, "agent/subscribe", {"viewId": "v"})["snapshot"]["chats"]
    (shown,) = (it for it in chats if it["chatId"] == "long")
    first = time.perf_counter() - began
    before, count = shown["first"], len(shown["items"])
    while before > 0:
        wanted = {"chatId": "long", "before": before, "limit": _PAGE}
        page = _asked(opened, "agent/turns", wanted)
        before, count = page["first"], count + len(page["items"])
    whole = time.perf_counter() - began
    if count < 2 * _TURNS:
        raise AssertionError(f"{count} entries came")
    _asked(opened, "agent/closeChat", {"chatId": "long"})
    return first * 1_000, whole * 1_000


def _asked(opened: Window, method: str, params: object) -> dict[str, Any]:
    told = opened.answer(opened.ask(method, params)).message["result"]
    return dict(told or {})


def _peers(home: Path) -> dict[str, float]:
    """The same from plain files."""
    plain = home / "plain"

    def listed() -> list[str]:
        return [json.loads(it.read_bytes())["title"] for it in plain.iterdir()]

    def found() -> list[Path]:
        return [it for it in plain.iterdir() if "line 1999" in it.read_text("utf-8")]

    def last() -> object:
        return json.loads((plain / "long.json").read_bytes())["entries"][-_PAGE:]

    def whole() -> str:
        return json.dumps(json.loads((plain / "long.json").read_bytes()))

    ways = {"list": listed, "found": found, "first screen": last, "whole": whole}
    return {name: _median(way) for name, way in ways.items()}


def _median(way: Callable[[], object]) -> float:
    took = []
    for _ in range(int(os.environ.get("RUNS", _RUNS))):
        began = time.perf_counter()
        way()
        took.append((time.perf_counter() - began) * 1_000)
    return statistics.median(took)
