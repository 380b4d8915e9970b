"""How soon a view that is opened on much shows it: two hundred cards, a chat of two thousand turns.

From the server's answer until the frame in which it stands there, in a real Chromium. The peer is
the same words as plain paragraphs in the same page: what it costs any page to have them at all. Of
a chat the server tells the newest entries, as many as it holds, and the view asks for older ones.
"""

import statistics
from collections.abc import Sequence
from typing import Any, Final

from attrs import frozen
from playwright.sync_api import Page

from assent.editor.protocol import chats
from assent.editor.window.chats.entries import MAX_ENTRIES
from bench.view import Live, live, missing
from webview import scenes, tickets
from webview.stage import CLIENT, FILES

__all__ = ["measure"]

_RUNS: Final = 7
_CARDS: Final = 200
_TURNS: Final = 2_000

_DRAWN: Final = """async ([message, what, text]) => {
  const began = performance.now();
  window.postMessage(message, "*");
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const isThere = () => [...document.querySelectorAll(what)].at(-1)?.textContent.includes(text);
  while (!isThere()) await frame();
  // What is sent in a frame comes when that has been laid out and painted.
  await new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  });
  return performance.now() - began;
}"""
_PLAIN: Final = """async (texts) => {
  const began = performance.now();
  const all = document.createElement("div");
  for (const text of texts) {
    const one = document.createElement("p");
    one.textContent = text;
    all.append(one);
  }
  document.body.replaceChildren(all);
  await new Promise((done) => requestAnimationFrame(done));
  await new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  });
  return performance.now() - began;
}"""


@frozen(kw_only=True)
class _Scene:
    """What is shown, and by what one sees that it is there."""

    name: str
    bar: float
    answer: Any
    what: str
    text: str
    words: Sequence[str]


def measure() -> bool:
    """Measure and print; whether all bars are met."""
    lacking = missing()
    if lacking:
        print(f"Not all is measured. {lacking}")
        return False
    files = {path: (CLIENT / "dist" / path.strip("/")).read_bytes() for path in FILES}
    print(f"{'':36}{'assent':>10}{'plain':>10}{'ratio':>10}  bar")
    met = [_met(scene, files) for scene in (_cards(), _turns())]
    return all(met)


def _met(scene: _Scene, files: dict[str, bytes]) -> bool:
    taken = [_once(scene, files) for _ in range(_RUNS)]
    ours, plain = (statistics.median(it) for it in zip(*taken, strict=True))
    said = "met" if ours <= scene.bar else "MISSED"
    ratio = f"{ours:10.1f}{plain:10.1f}{ours / plain:10.2f}"
    print(f"{scene.name + ', p50, ms':36}{ratio}  at most {scene.bar:g}: {said}")
    return ours <= scene.bar


def _once(scene: _Scene, files: dict[str, bytes]) -> tuple[float, float]:
    with live() as page:
        view = Live(page, files)
        view.open()
        view.say({"kind": "server", "state": "ready", "text": ""})
        request = view.asked("agent/subscribe")
        answer = {"kind": "answer", "id": request, "result": scene.answer}
        ours = _run(page, _DRAWN, [answer, scene.what, scene.text])
        return ours, _run(page, _PLAIN, list(scene.words))


def _run(page: Page, script: str, given: Any) -> float:
    took: float = page.evaluate(script, given)
    return took


def _cards() -> _Scene:
    asked = [tickets.edit(f"t-{at}") for at in range(_CARDS)]
    return _Scene(
        name=f"{_CARDS} cards",
        bar=100.0,
        answer=scenes.snapshot(talks=[scenes.chat(items=scenes.TALK)], tickets=asked),
        what="[data-testid=waiting-count]",
        text=str(_CARDS),
        words=[str(tickets.wire(it.card)) for it in asked],
    )


def _turns() -> _Scene:
    items: list[chats.Said] = []
    for at in range(_TURNS):
        asks, says = f"Look at line {at} of the till.", f"Line `{at}` is **wrong** by a cent."
        items.append(chats.Said(kind="user", message_id=f"u{at}", text=asks))
        items.append(chats.Said(kind="agent", message_id=f"a{at}", text=says))
    first = len(items) - MAX_ENTRIES
    return _Scene(
        name=f"{_TURNS} turns",
        bar=150.0,
        answer=scenes.snapshot(talks=[scenes.chat(items=items[first:], first=first)]),
        what="assent-prose",
        text=str(_TURNS - 1),
        words=[it.text for it in items[first:]],
    )
